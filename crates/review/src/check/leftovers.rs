//! Lines that were copied from the page of another subject: "Ask Cursor for help" on the page `goose.md`, and descriptions that two pages
//! have.
//!
//! The pages of a folder are often alike: each has the same lines with its own name, which is that of its file. A page in which such a
//! line has the name of another page was copied from it.

mod code;

use std::ops::Range;

use super::naming::is_word;
use base::diagnostic::{Code, Diagnostic, Problem};
use base::fences::text_lines;
use base::hash::{HashMap, HashSet};
use base::quoted::quoted;
use base::site_path;
use base::sorted::SortedMap;
use site::content::Document;
use site::project::Project;

/// Minimum number of pages that have a line with their own names.
const FEWEST: usize = 3;

/// Minimum number of places where a page has its own name.
const FEWEST_OWN: usize = 2;

/// Minimum number of letters of a name.
const SHORTEST: usize = 3;

/// Minimum number of words of a sentence, besides the name.
const FEWEST_WORDS: usize = 3;

/// A key of the front matter whose text may have no full stop.
const DESCRIPTION: &str = "description:";

/// Maximum number of pages of a folder.
const MOST_PAGES: usize = 300;

/// A page with its text in lower case.
struct NamedPage<'p> {
    document: &'p Document,
    /// The name of its file as words, and the first of several words.
    names: Vec<String>,
    text: String,
}

/// The text before a name in a line, and the text after it.
type Frame<'t> = (&'t str, &'t str);

pub(super) fn names_of_others(project: &Project) -> Vec<Diagnostic> {
    if project.site.repository.is_ours() {
        return Vec::new();
    }
    let mut folders: SortedMap<&str, Vec<&Document>> = SortedMap::new();
    for document in project.site.documents.iter().map(|document| &**document) {
        folders.entry(site_path::parent(document.path.as_str())).or_default().push(document);
    }
    let of_folder = |pages: Vec<&Document>| {
        let are_many = (FEWEST + 1..=MOST_PAGES).contains(&pages.len());
        let in_text = if are_many { in_folder(&pages) } else { Vec::new() };
        let in_code = code::in_folder(&pages);
        in_text.into_iter().chain(in_code).chain(descriptions(&pages))
    };
    folders.into_values().flat_map(of_folder).collect()
}

/// Reports the description that exactly one other page in the folder has. More have a common one, and a variant of a page has that of the
/// page.
fn descriptions(documents: &[&Document]) -> Vec<Diagnostic> {
    /// Minimum length in bytes. A shorter one may fit both.
    const SHORTEST: usize = 30;
    let mut by_text: HashMap<&str, Vec<&Document>> = HashMap::default();
    for document in documents {
        let description = document.front.description.as_deref().map(str::trim);
        if let Some(description) = description.filter(|text| text.len() >= SHORTEST) {
            by_text.entry(description).or_default().push(document);
        }
    }
    let name = |document: &Document| site_path::stem(document.path.as_str()).to_lowercase();
    let found = by_text.into_iter().filter_map(|(description, pages)| {
        let [one, other] = pages[..] else { return None };
        let (first, second) = (name(one), name(other));
        if first.contains(&second) || second.contains(&first) {
            return None;
        }
        // The page whose name has fewer words of it isn't described.
        let lower = description.to_lowercase();
        let fitting = |name: &str| name.split(['-', '_']).filter(|word| lower.contains(word)).count();
        let (page, own) = if fitting(&first) < fitting(&second) { (one, other) } else { (other, one) };
        let text = page.text();
        let at = text.get(..page.body)?.find(description)?;
        let message = format!("`{}` also has this description", own.path);
        let problem = Problem::new(Code::UnusualValue, at..at + description.len(), message).as_warning();
        Some(problem.help("describe each page in its own words".to_string()).at(&page.path))
    });
    found.collect()
}

fn in_folder(documents: &[&Document]) -> Vec<Diagnostic> {
    let pages: Vec<NamedPage<'_>> = documents.iter().filter_map(|document| NamedPage::of(document)).collect();
    let mut frames: HashMap<Frame<'_>, Vec<usize>> = HashMap::default();
    for (at, page) in pages.iter().enumerate() {
        let in_line = |(_, line)| page.names.iter().find_map(|name| frame(line, name));
        let own: HashSet<Frame<'_>> = page.lines().filter_map(in_line).collect();
        for frame in own {
            frames.entry(frame).or_default().push(at);
        }
    }
    let frames: SortedMap<Frame<'_>, Vec<usize>> =
        frames.into_iter().filter(|(_, own)| own.len() >= FEWEST).collect();
    let names: HashSet<&str> = pages.iter().flat_map(|page| &page.names).map(String::as_str).collect();
    let of_page = |(at, page): (usize, &NamedPage<'_>)| {
        let lacking: Vec<&Frame<'_>> =
            frames.iter().filter(|(_, own)| !own.contains(&at)).map(|(frame, _)| frame).collect();
        let other = |(start, line): (usize, &str)| {
            let (before, after) = lacking.iter().find(|(before, after)| {
                line.len() > before.len() + after.len() && line.starts_with(before) && line.ends_with(after)
            })?;
            let name = before.len()..line.len() - after.len();
            let written = &line[name.clone()];
            let is_name = names.contains(written) && !page.names.iter().any(|own| own == written);
            is_name.then(|| (start + name.start..start + name.end, frames[&(*before, *after)].len()))
        };
        let found = page.lines().find_map(other)?;
        page.problem(found)
    };
    pages.iter().enumerate().filter_map(of_page).collect()
}

impl<'p> NamedPage<'p> {
    /// Letters whose lower case has another length would move all positions.
    fn of(document: &'p Document) -> Option<Self> {
        let name = site_path::stem(document.path.as_str()).replace(['-', '_'], " ").to_lowercase();
        let first = name.split_once(' ').map(|(first, _)| first.to_string());
        let mut names = vec![name];
        names.extend(first);
        names.retain(|name| name.len() >= SHORTEST);
        let text = document.text().to_lowercase();
        let is_aligned = text.len() == document.text().len();
        (!names.is_empty() && is_aligned).then_some(Self { document, names, text })
    }

    /// Returns the description and the lines of the body outside code, each with its position in the file.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let (front, body) = self.text.split_at_checked(self.document.body).unwrap_or_default();
        let start = front.len();
        let front = text_lines(front).filter(|(_, line)| line.starts_with(DESCRIPTION));
        let body = text_lines(body).map(move |(at, line)| (start + at, line));
        front.chain(body).map(|(at, line)| (at, line.trim_end()))
    }

    /// Returns the finding for a name, unless the page has the other name at other places, or hardly has its own.
    fn problem(&self, (place, others): (Range<usize>, usize)) -> Option<Diagnostic> {
        let text = self.document.text();
        let (written, name) = (text.get(place.clone())?, &self.text[place.clone()]);
        let own = self.names.iter().find(|own| self.text.matches(own.as_str()).count() >= FEWEST_OWN)?;
        let own = self.text.find(own.as_str()).and_then(|at| text.get(at..at + own.len()))?;
        let is_whole = |at: usize| is_word(&self.text, &(at..at + name.len()));
        let is_copied = self.text.match_indices(name).filter(|(at, _)| is_whole(*at)).count() == 1;
        is_copied.then(|| {
            let message = format!(
                "this line names {}, and {others} other pages have it with their own names",
                quoted(written)
            );
            let problem = Problem::new(Code::UnusualValue, place, message).as_warning();
            problem.help(format!("did you mean {}?", quoted(own))).at(&self.document.path)
        })
    }
}

/// Returns the text around the only use of a name in a line, if that is a sentence rather than code.
fn frame<'t>(line: &'t str, name: &str) -> Option<Frame<'t>> {
    let (before, after) = line.split_once(name)?;
    let words = [before, after].into_iter().flat_map(str::split_whitespace);
    let words = words.map(|word| word.trim_matches(['"', '\'', ':']));
    let is_sentence = (line.ends_with(['.', ':', '!', '?']) || line.starts_with(DESCRIPTION))
        && words.filter(|word| !word.is_empty() && word.chars().all(char::is_alphabetic)).count()
            >= FEWEST_WORDS;
    let is_in_url = before.rsplit([' ', '(']).next().is_some_and(|token| token.contains("://"));
    let is_whole = is_word(line, &(before.len()..line.len() - after.len()));
    (is_whole && !is_in_url && is_sentence && !after.contains(name)).then_some((before, after))
}
