//! Lines of code with the name of the page, of which one page has that of another: `kind = "gas"` on the page `oil.md`, next to
//! `arc.md`, `gas.md`, and `wax.md`, each with its own name in this line.

use std::ops::Range;

use base::diagnostic::{Code, Diagnostic, Problem};
use base::hash::{HashMap, HashSet};
use base::quoted::quoted;
use base::site_path;
use base::sort::StableSort as _;
use site::content::{Document, DocumentId};
use site::project::Project;

/// Minimum number of pages with their own name in a line.
const FEWEST: usize = 3;

/// Minimum length of a name in bytes.
const SHORTEST: usize = 3;

/// Pages about all others.
const OF_ALL: [&str; 4] = ["index", "introduction", "overview", "readme"];

/// The same line of several pages, with their names left out.
#[derive(Default)]
struct NamedLine<'t> {
    /// Pages whose line has their own name.
    own: HashSet<DocumentId>,
    /// The others, each with the place of the name.
    others: Vec<(DocumentId, &'t str, Range<usize>)>,
}

/// Reports the names of other pages on a site of another generator.
pub(super) fn of_others(project: &Project) -> Vec<Diagnostic> {
    if project.site.repository.is_ours() {
        return Vec::new();
    }
    let mut folders: HashMap<&str, Vec<(DocumentId, &Document)>> = HashMap::default();
    for (id, document) in project.site.documents.indexed() {
        folders.entry(site_path::parent(document.path.as_str())).or_default().push((id, document));
    }
    let mut found: Vec<Diagnostic> = folders.values().flat_map(|pages| in_folder(pages)).collect();
    found.stable_sort_by(|one, other| {
        (&one.file, one.problem.span.start).cmp(&(&other.file, other.problem.span.start))
    });
    found
}

fn in_folder(pages: &[(DocumentId, &Document)]) -> Vec<Diagnostic> {
    let name = |document: &Document| {
        let file = site_path::file_name(document.path.as_str());
        let name = file.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let is_word = name.len() >= SHORTEST && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_word && !OF_ALL.contains(&&*name)).then_some(name)
    };
    let names: HashMap<DocumentId, String> =
        pages.iter().filter_map(|(id, document)| Some((*id, name(document)?))).collect();
    if names.len() <= FEWEST {
        return Vec::new();
    }
    let known: HashSet<&str> = names.values().map(String::as_str).collect();
    let texts: Vec<_> =
        pages.iter().map(|(id, document)| (*id, document, document.unwrapped_text())).collect();
    let mut lines: HashMap<String, NamedLine<'_>> = HashMap::default();
    // Pages with their own name in code. If another one is there, too, they are about both.
    let mut with_own_name: HashSet<DocumentId> = HashSet::default();
    for (id, document, text) in &texts {
        let Some(own) = names.get(id) else { continue };
        for place in code_lines(text, document.body) {
            let words = text[place.clone()].split(|c: char| !c.is_ascii_alphanumeric());
            for word in words.filter(|word| word.len() >= SHORTEST) {
                let lower = word.to_ascii_lowercase();
                let Some(&name) = known.get(&*lower) else { continue };
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let (before, after) = (&text[place.start..start], &text[start + word.len()..place.end]);
                // Nothing but the name is a command or a heading.
                if before.trim().is_empty() && after.trim().is_empty() {
                    continue;
                }
                let template = format!("{}\0{}", before.trim_start(), after.trim_end());
                let line = lines.entry(template).or_default();
                if name == own {
                    with_own_name.insert(*id);
                    line.own.insert(*id);
                } else {
                    line.others.push((*id, name, start..start + word.len()));
                }
            }
        }
    }
    let mut found = Vec::new();
    // Otherwise, a page describes its subject together with another one.
    let is_usual = |own: usize| own >= FEWEST && 3 * own >= 2 * names.len();
    for line in lines.values().filter(|it| is_usual(it.own.len())) {
        for (id, name, place) in &line.others {
            // A page that compares them has several.
            let is_only = line.others.iter().filter(|(page, ..)| page == id).count() == 1;
            let is_of_other = line.own.iter().any(|page| names[page] == *name);
            if !is_only || with_own_name.contains(id) || !is_of_other {
                continue;
            }
            let (_, document) = pages.iter().find(|(page, _)| page == id).expect("it is one of them");
            let (own, others) = (quoted(&names[id]), line.own.len());
            let message = format!(
                "this line names {}, and {others} other pages have their own name in it",
                quoted(name)
            );
            let problem = Problem::new(Code::WrongPlatformName, place.clone(), message);
            found.push(problem.help(format!("did you mean {own}?")).at(&document.path));
        }
    }
    found
}

/// Returns the lines of the code blocks of a text.
fn code_lines(text: &str, body: usize) -> impl Iterator<Item = Range<usize>> {
    let (mut at, mut is_open) = (body, false);
    text[body..].split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let content = line.trim();
        if content.starts_with("```") || content.starts_with("~~~") {
            is_open = !is_open;
            return None;
        }
        (is_open && !content.is_empty()).then_some(start..start + line.trim_end().len())
    })
}
