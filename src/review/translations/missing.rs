//! Finds pages that a language lacks, by folder.

use crate::base::diagnostic::{Code, Diagnostic, Problem, Severity};
use crate::base::site_path::SitePath;
use crate::base::sorted::SortedMap;
use crate::input::languages::{LanguageIx, Languages};
use crate::site::languages::Counterparts;

/// Maximum number of pages to list next to a finding.
const MOST_LISTED: usize = 20;

/// Returns one finding for each folder in each language that is required or has pages.
pub(super) fn findings(languages: &Languages, counterparts: &Counterparts) -> Vec<(LanguageIx, Diagnostic)> {
    let mut all: SortedMap<&str, usize> = SortedMap::new();
    for page in &counterparts.originals {
        *all.entry(folder_of(page)).or_default() += 1;
    }
    let mut found = Vec::new();
    for (index, language) in languages.translations.indexed() {
        if counterparts.pages(index) == 0 && !language.is_required {
            continue;
        }
        let mut folders: SortedMap<&str, Vec<&SitePath>> = SortedMap::new();
        for page in counterparts.missing(index) {
            folders.entry(folder_of(page)).or_default().push(page);
        }
        for (folder, pages) in folders {
            let (count, all) = (pages.len(), all.get(folder).copied().unwrap_or_default());
            let shown = if folder.is_empty() { "this folder" } else { folder };
            let message = match (count, all) {
                (1, 1) => format!("`{}` isn't translated into {}", pages[0], language.name),
                (1, all) => format!("1 of {all} pages in `{shown}` isn't translated into {}", language.name),
                (count, all) if count == all => {
                    format!("none of the {all} pages in `{shown}` is translated into {}", language.name)
                }
                (count, all) => {
                    format!("{count} of {all} pages in `{shown}` aren't translated into {}", language.name)
                }
            };
            let listed: Vec<&str> = pages.iter().take(MOST_LISTED).map(|page| page.as_str()).collect();
            let mut problem = Problem::new(Code::TranslationMissing, 0..0, message)
                .help(
                    languages
                        .path_for(index, pages[0].as_str())
                        .map(|to| format!("translate `{}` to `{to}`", pages[0])),
                )
                .target(folder)
                .data("language", language.tag.as_str())
                .data("folder", folder)
                .data("missing", count)
                .data("pages", listed);
            if language.is_required {
                problem.severity = Some(Severity::Warning);
            }
            found.push((index, problem.at(pages[0])));
        }
    }
    found
}

fn folder_of(page: &SitePath) -> &str {
    page.as_str().rsplit_once('/').map_or("", |(folder, _)| folder)
}
