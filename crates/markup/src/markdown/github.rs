//! IDs that links may use in READMEs, in addition to those of Markdown headings.

use input::conventions::AnchorRule;

/// Returns the IDs that GitHub gives to headings in HTML: `<h2 align="center">Install</h2>`. Generators give them none.
pub fn ids_of_html_headings(text: &str) -> Vec<String> {
    /// Maximum length of a heading in bytes.
    const LONGEST: usize = 500;
    let mut ids = Vec::new();
    for (at, mark) in text.match_indices("<h") {
        let start = at + mark.len();
        let limit = (start..=text.len().min(start + LONGEST)).rev().find(|end| text.is_char_boundary(*end));
        let near = &text[start..limit.unwrap_or(start)];
        let Some(level) = near.chars().next().filter(|level| ('1'..='6').contains(level)) else { continue };
        let end = near.find(&format!("</h{level}>"));
        let inside = near.find('>').zip(end).and_then(|(start, end)| near.get(start + 1..end));
        if let Some(inside) = inside {
            let pieces = inside.split('<').enumerate();
            let words =
                pieces.map(|(at, it)| if at == 0 { it } else { it.split_once('>').map_or("", |it| it.1) });
            ids.push(AnchorRule::Trimmed.id(&words.collect::<String>()));
        }
    }
    ids
}

/// Returns the IDs in lists of attributes, as in `[text]{#id}`, and those at the end of headings, as in `## Title [id]`
/// (<https://elastic.github.io/docs-builder/syntax/headings/>). A site's own program may support them where Stepkin doesn't.
pub fn ids_of_programs(text: &str) -> Vec<String> {
    let lists = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(list, _)| list);
    let ids = lists.flat_map(|list| list.split_ascii_whitespace().filter_map(|word| word.strip_prefix('#')));
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let in_headings =
        headings.filter_map(|line| Some(line.trim_end().strip_suffix(']')?.rsplit_once(" [")?.1));
    ids.chain(in_headings).map(str::to_string).collect()
}

/// Returns the targets of links in a table by all-contributors, which mark kinds of contributions and lead nowhere.
/// <https://allcontributors.org/docs/en/emoji-key>
pub fn ids_of_contributors(text: &str) -> Vec<String> {
    const START: &str = "<!-- ALL-CONTRIBUTORS-LIST:START";
    const END: &str = "<!-- ALL-CONTRIBUTORS-LIST:END";
    let Some((_, list)) = text.split_once(START) else { return Vec::new() };
    let list = list.split(END).next().unwrap_or_default();
    let targets = list.split("href=\"#").skip(1);
    targets.filter_map(|it| Some(it.split_once('"')?.0.to_string())).collect()
}
