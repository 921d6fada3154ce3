//! Lines of code with the name of the page, of which one page has that of another: `kind = "gas"` on the page `oil.md`, next to
//! `arc.md`, `gas.md`, and `wax.md`, each with its own name in this line.

use std::borrow::Cow;
use std::ops::Range;

use super::{FEWEST, SHORTEST};
use base::diagnostic::{Code, Diagnostic, Problem};
use base::fences::code_lines;
use base::hash::{HashMap, HashSet};
use base::quoted::quoted;
use base::site_path;
use site::content::Document;

/// Pages about all others.
const OF_ALL: [&str; 4] = ["index", "introduction", "overview", "readme"];

/// A page whose name is a word.
struct NamedCode<'p> {
    document: &'p Document,
    name: String,
    text: Cow<'p, str>,
}

/// The same line of several pages, with their names left out. Pages are positions in a list.
#[derive(Default)]
struct SharedLine<'p> {
    /// Pages whose line has their own name.
    own: HashSet<usize>,
    /// The others, each with the name and its place.
    others: Vec<(usize, &'p str, Range<usize>)>,
}

pub(super) fn in_folder(documents: &[&Document]) -> Vec<Diagnostic> {
    let pages: Vec<NamedCode<'_>> = documents.iter().filter_map(|document| NamedCode::of(document)).collect();
    if pages.len() <= FEWEST {
        return Vec::new();
    }
    let (lines, with_own_name) = shared_lines(&pages);
    // Otherwise, a page describes its subject together with another one.
    let is_usual = |own: usize| own >= FEWEST && 3 * own >= 2 * pages.len();
    let of_line = |line: &SharedLine<'_>| {
        let finding = |(at, name, place): &(usize, &str, Range<usize>)| {
            // A page that compares them has several.
            let is_only = line.others.iter().filter(|(page, ..)| page == at).count() == 1;
            let is_of_other = line.own.iter().any(|page| pages[*page].name == *name);
            let is_wrong = is_only && is_of_other && !with_own_name.contains(at);
            let NamedCode { document, name: own, .. } = &pages[*at];
            let message = format!(
                "this line names {}, and {} other pages have their own name in it",
                quoted(name),
                line.own.len()
            );
            let problem = Problem::new(Code::WrongPlatformName, place.clone(), message);
            is_wrong.then(|| problem.help(format!("did you mean {}?", quoted(own))).at(&document.path))
        };
        line.others.iter().filter_map(finding).collect::<Vec<_>>()
    };
    lines.iter().filter(|line| is_usual(line.own.len())).flat_map(of_line).collect()
}

impl<'p> NamedCode<'p> {
    fn of(document: &'p Document) -> Option<Self> {
        let name = site_path::stem(document.path.as_str()).to_ascii_lowercase();
        let is_word = name.len() >= SHORTEST && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_named = is_word && !OF_ALL.contains(&&*name);
        is_named.then(|| Self { document, name, text: document.unwrapped_text() })
    }
}

/// Returns the lines with names of pages, and the pages with their own name in code. If another one is there, too, they are about both.
fn shared_lines<'p>(pages: &'p [NamedCode<'_>]) -> (Vec<SharedLine<'p>>, HashSet<usize>) {
    let known: HashSet<&str> = pages.iter().map(|page| &*page.name).collect();
    let mut lines: HashMap<String, SharedLine<'_>> = HashMap::default();
    let mut with_own_name: HashSet<usize> = HashSet::default();
    for (at, NamedCode { document, name: own, text }) in pages.iter().enumerate() {
        for (_, line) in code_lines(&text[document.body..]) {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric());
            for word in words.filter(|word| word.len() >= SHORTEST) {
                let Some(&name) = known.get(&*word.to_ascii_lowercase()) else { continue };
                let at_word = word.as_ptr() as usize - line.as_ptr() as usize;
                let (before, after) = (&line[..at_word], &line[at_word + word.len()..]);
                // Nothing but the name is a command or a heading.
                if before.trim().is_empty() && after.trim().is_empty() {
                    continue;
                }
                let template = format!("{}\0{}", before.trim_start(), after.trim_end());
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let shared = lines.entry(template).or_default();
                if name == own {
                    with_own_name.insert(at);
                    shared.own.insert(at);
                } else {
                    shared.others.push((at, name, start..start + word.len()));
                }
            }
        }
    }
    (lines.into_values().collect(), with_own_name)
}
