//! Finds pages that languages lack.
//!
//! There is one finding for each folder, which names all languages that lack the same pages of it. Languages with fewer
//! than half of the pages are reported together, without their folders. Folders without any translated page are one
//! finding, too.

use base::diagnostic::{Code, Diagnostic, Problem, Severity, count, list};
use base::quoted::quoted;
use base::site_path::{self, SitePath};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::languages::{self, LanguageIx, Languages};
use site::languages::Counterparts;

/// Maximum number of pages in the data of a finding.
const MOST_LISTED: usize = 20;

/// Maximum number of languages in a message.
const MOST_NAMED: usize = 5;

/// Missing pages come after differences in pages.
const LAST: u32 = 3_000_000;

/// Returns what the wanted languages lack that are required or have pages.
pub(super) fn findings(
    languages: &Languages,
    counterparts: &Counterparts,
    is_wanted: impl Fn(LanguageIx) -> bool,
) -> Vec<Diagnostic> {
    let site = Originals::of(languages, counterparts);
    let mut partial: Vec<(LanguageIx, Vec<&SitePath>)> = Vec::new();
    let (mut complete, mut untranslated): (Vec<LanguageIx>, SortedSet<&SitePath>) =
        (Vec::new(), SortedSet::new());
    let mut lacking: SortedMap<(&str, Vec<&SitePath>, bool), Vec<LanguageIx>> = SortedMap::new();
    for (index, language) in languages.translations.indexed().filter(|(index, _)| is_wanted(*index)) {
        // Many projects translate what readers see first, and nothing else.
        let is_readme = |path: &SitePath| {
            path.as_str().rsplit_once('.').is_some_and(|(stem, _)| languages::is_readme(stem))
        };
        let mut pairs = counterparts.pairs.iter().filter(|pair| pair.language == index).peekable();
        let mut has_only_readme = || pairs.peek().is_some() && pairs.all(|pair| is_readme(&pair.original));
        if !language.is_required && (counterparts.pages(index) == 0 || has_only_readme()) {
            continue;
        }
        let missing = counterparts.missing(index);
        if !language.is_required && site.is_partial(&missing) {
            partial.push((index, missing));
            continue;
        }
        let mut folders: SortedMap<&str, Vec<&SitePath>> = SortedMap::new();
        for page in missing {
            if language.is_required || !site.unintended.contains(site_path::parent(page.as_str())) {
                folders.entry(site_path::parent(page.as_str())).or_default().push(page);
            } else {
                untranslated.insert(page);
            }
        }
        complete.push(index);
        for (folder, pages) in folders {
            lacking.entry((folder, pages, language.is_required)).or_default().push(index);
        }
    }
    let of_folder =
        |((folder, pages, is_required), lacking): ((&str, Vec<&SitePath>, bool), Vec<LanguageIx>)| {
            let message = site.message(folder, &pages, &named(languages, &lacking));
            let to = languages.path_for(lacking[0], pages[0].as_str());
            let mut problem = problem(languages, message, &lacking, &pages)
                .help(to.map(|to| format!("translate `{}` to `{to}`", pages[0])))
                .target(folder)
                .data("folder", folder);
            problem.severity = is_required.then_some(Severity::Warning);
            problem.at(pages[0])
        };
    let folders = lacking.into_iter().map(of_folder);
    let untranslated: Vec<&SitePath> = untranslated.into_iter().collect();
    let untranslated = site.untranslated(languages, &complete, &untranslated);
    folders.chain(untranslated).chain(site.partial(languages, partial)).collect()
}

/// The original pages of a site, by folder.
struct Originals<'a> {
    counts: SortedMap<&'a str, usize>,
    /// Folders without a translated page in any language. They are probably left untranslated on purpose. Empty if the site has
    /// only one translation.
    unintended: SortedSet<&'a str>,
}

impl<'a> Originals<'a> {
    fn of(languages: &Languages, counterparts: &'a Counterparts) -> Self {
        let mut counts: SortedMap<&str, usize> = SortedMap::new();
        for page in &counterparts.originals {
            *counts.entry(site_path::parent(page.as_str())).or_default() += 1;
        }
        let translated: SortedSet<&str> =
            counterparts.pairs.iter().map(|pair| site_path::parent(pair.original.as_str())).collect();
        let has_several = languages.translations.len() > 1;
        let unintended: SortedSet<&str> =
            counts.keys().copied().filter(|folder| has_several && !translated.contains(folder)).collect();
        Self { counts, unintended }
    }

    fn all(&self) -> usize {
        self.counts.values().sum()
    }

    /// Whether a language that lacks these pages has fewer than half of the site's. Folders without any translated page don't count.
    fn is_partial(&self, missing: &[&SitePath]) -> bool {
        let is_intended = |folder: &str| !self.unintended.contains(folder);
        let intended: usize =
            self.counts.iter().filter(|(folder, _)| is_intended(folder)).map(|(_, count)| count).sum();
        2 * missing.iter().filter(|page| is_intended(site_path::parent(page.as_str()))).count() > intended
    }

    /// Returns the finding about folders without any translated page.
    fn untranslated(
        &self,
        languages: &Languages,
        lacking: &[LanguageIx],
        pages: &[&SitePath],
    ) -> Option<Diagnostic> {
        let page = *pages.first()?;
        // Authors translate the pages of the site, and not the text about the repository.
        if pages.len() == 1 && languages::is_readme(site_path::stem(page.as_str())) {
            return None;
        }
        let named = |folder: &&str| if folder.is_empty() { "the root".to_string() } else { quoted(folder) };
        let folders: Vec<String> = self.unintended.iter().map(named).collect();
        let place = match &folders[..] {
            [only] => only.clone(),
            [first, ..] => format!("{}, such as {first},", count(folders.len(), "folder")),
            [] => return None,
        };
        let message = match pages.len() {
            1 => format!("the only page in {place} isn't translated into any language"),
            pages => format!("none of the {pages} pages in {place} is translated into any language"),
        };
        let help = "if they stay in the original language, no action is needed".to_string();
        let folders: Vec<&str> = self.unintended.iter().copied().collect();
        Some(problem(languages, message, lacking, pages).help(help).data("folders", folders).at(page))
    }

    fn message(&self, folder: &str, pages: &[&SitePath], into: &str) -> String {
        let all = self.counts.get(folder).copied().unwrap_or_default();
        let place = if folder.is_empty() { String::new() } else { format!(" in `{folder}`") };
        match (pages, all) {
            ([page], 1) => format!("`{page}` isn't translated into {into}"),
            ([_], all) => format!("1 of {all} pages{place} isn't translated into {into}"),
            (pages, all) if pages.len() == all => {
                format!("none of the {all} pages{place} is translated into {into}")
            }
            (pages, all) => format!("{} of {all} pages{place} aren't translated into {into}", pages.len()),
        }
    }

    /// Returns the finding about languages with fewer than half of the pages, the most complete first.
    fn partial(
        &self,
        languages: &Languages,
        mut partial: Vec<(LanguageIx, Vec<&SitePath>)>,
    ) -> Option<Diagnostic> {
        partial.stable_sort_by_key(|(_, missing)| missing.len());
        let (_, first) = partial.first()?;
        let page = *first.first()?;
        let has = |missing: &[&SitePath]| self.all() - missing.len();
        let mut names: Vec<String> = (partial.iter())
            .map(|(index, missing)| format!("{} ({})", languages.translations[*index].name, has(missing)))
            .collect();
        shorten(&mut names);
        let message = match &partial[..] {
            [(only, missing)] => {
                let name = &languages.translations[*only].name;
                format!("{name} has {} of the {}", has(missing), count(self.all(), "page"))
            }
            several => format!(
                "{} languages have fewer than half of the {}: {}",
                several.len(),
                count(self.all(), "page"),
                list(&names)
            ),
        };
        let indices: Vec<LanguageIx> = partial.iter().map(|(index, _)| *index).collect();
        let language = match indices[..] {
            [only] => languages.translations[only].tag.as_str(),
            _ => "LANGUAGE",
        };
        let help = format!("to list the missing pages, run `stepkin translations {language} --todo`");
        Some(problem(languages, message, &indices, first).help(help).at(page))
    }
}

fn problem(languages: &Languages, message: String, lacking: &[LanguageIx], pages: &[&SitePath]) -> Problem {
    let tags: Vec<&str> = lacking.iter().map(|index| languages.translations[*index].tag.as_str()).collect();
    let listed: Vec<&str> = pages.iter().take(MOST_LISTED).map(|page| page.as_str()).collect();
    Problem::new(Code::TranslationMissing, 0..0, message)
        .data("languages", tags)
        .data("missing", pages.len())
        .data("pages", listed)
        .data("rank", LAST)
}

/// Returns the names of languages as the end of a sentence.
fn named(languages: &Languages, lacking: &[LanguageIx]) -> String {
    let mut names: Vec<String> =
        lacking.iter().map(|index| languages.translations[*index].name.clone()).collect();
    shorten(&mut names);
    list(&names)
}

/// Replaces the last names of a long list by their number.
pub(super) fn shorten(names: &mut Vec<String>) {
    let more = names.len().saturating_sub(MOST_NAMED);
    if more > 1 {
        names.truncate(MOST_NAMED);
        names.push(format!("{more} others"));
    }
}
