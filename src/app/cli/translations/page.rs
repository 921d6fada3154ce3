//! The state of all languages as a single HTML page without other files, for translators.

use std::path::Path;

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::base::site_path::SitePath;
use crate::base::sort::StableSort as _;
use crate::input::languages::LanguageIx;
use crate::output::render::Rendering;
use crate::review::translations::{ChangeKind, PageState, TranslationComparison, TranslationCount};
use crate::site::languages::Counterpart;

/// `translations.html`
#[derive(Debug, Serialize)]
struct PageView {
    title: String,
    /// ISO 8601.
    day: String,
    languages: Vec<LanguageView>,
}

#[derive(Debug, Serialize)]
struct LanguageView {
    tag: String,
    name: String,
    total: CountView,
    folders: Vec<FolderView>,
    behind: Vec<BehindView>,
    missing: Vec<MissingView>,
}

#[derive(Debug, Serialize)]
struct CountView {
    pages: usize,
    current: usize,
    behind: usize,
    missing: usize,
    words: usize,
}

#[derive(Debug, Serialize)]
struct FolderView {
    path: String,
    count: CountView,
}

/// A page whose original changed.
#[derive(Debug, Serialize)]
struct BehindView {
    page: String,
    original: String,
    days: u32,
    sections: Vec<SectionView>,
}

#[derive(Debug, Serialize)]
struct SectionView {
    heading: String,
    original_heading: String,
    change: &'static str,
    /// Of the first commit.
    day: String,
    changes: Vec<ChangeView>,
}

/// A piece of text: only one of the three is there.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct ChangeView {
    kept: String,
    removed: String,
    added: String,
}

#[derive(Debug, Serialize)]
struct MissingView {
    original: String,
    words: usize,
}

/// Writes the page to a file.
pub(super) fn write(
    file: &Path,
    work: &Rendering,
    compared: &TranslationComparison<'_>,
    day: &str,
) -> Result<()> {
    let html = work
        .fill("translations.html", &view(work, compared, day))
        .map_err(|found| Error::usage(format!("{}: {}", found.file, found.problem.message)))?;
    std::fs::write(file, html).map_err(Error::io("write", file))
}

fn view(work: &Rendering, compared: &TranslationComparison<'_>, day: &str) -> PageView {
    let sources = &work.project.sources;
    let language = |index: LanguageIx| {
        let counts = compared.counts(sources, index);
        let language = &compared.languages.translations[index];
        let pairs = compared.counterparts.pairs.iter().zip(&compared.states);
        let of_language = pairs.filter(|(pair, _)| pair.language == index);
        let mut behind: Vec<BehindView> = of_language
            .filter(|(_, state)| state.is_behind())
            .map(|(pair, state)| behind(pair, state))
            .collect();
        behind.stable_sort_by_key(|it| std::cmp::Reverse(it.days));
        let tasks = compared.tasks(sources, index).into_iter().filter(|it| it.translation.is_none());
        LanguageView {
            tag: language.tag.to_string(),
            name: language.name.clone(),
            total: CountView::of(&TranslationCount::sum(counts.values())),
            folders: counts
                .iter()
                .map(|(path, it)| FolderView { path: path.clone(), count: CountView::of(it) })
                .collect(),
            behind,
            missing: tasks
                .map(|it| MissingView { original: it.original.to_string(), words: it.words })
                .collect(),
        }
    };
    let title = work.project.site.config.title.clone().unwrap_or_else(|| "Translations".into());
    let languages = compared.languages.translations.indices().map(language).collect();
    PageView { title, day: day.to_string(), languages }
}

impl CountView {
    fn of(count: &TranslationCount) -> Self {
        let TranslationCount { pages, current, behind, missing, words } = *count;
        Self { pages, current, behind, missing, words }
    }
}

fn behind(pair: &Counterpart, state: &PageState) -> BehindView {
    let text = |path: &SitePath| path.to_string();
    let lag = state.lag.as_ref();
    let sections = lag.into_iter().flat_map(|lag| &lag.sections).map(|it| SectionView {
        heading: it.heading.clone(),
        original_heading: it.original_heading.clone(),
        change: match it.change {
            ChangeKind::Words => "words",
            ChangeKind::Added => "new section",
            ChangeKind::Removed => "removed section",
            ChangeKind::Numbers => "numbers",
            ChangeKind::Code => "code",
            ChangeKind::Links => "links",
        },
        day: it.commits.first().map_or_else(String::new, |commit| commit.day.to_string()),
        changes: pieces(&it.changes),
    });
    BehindView {
        page: text(&pair.translation),
        original: text(&pair.original),
        days: lag.map_or(0, |lag| lag.days),
        sections: sections.collect(),
    }
}

/// Takes `kept [-old-]{+new+}` apart.
fn pieces(changes: &str) -> Vec<ChangeView> {
    let mut pieces = Vec::new();
    let mut rest = changes;
    while !rest.is_empty() {
        let marked = [("[-", "-]"), ("{+", "+}")].into_iter().find_map(|(open, close)| {
            let inner = rest.strip_prefix(open)?;
            let end = inner.find(close)?;
            Some((open, &inner[..end], &inner[end + close.len()..]))
        });
        let piece;
        (piece, rest) = match marked {
            Some(("[-", text, rest)) => {
                (ChangeView { removed: text.to_string(), ..ChangeView::default() }, rest)
            }
            Some((_, text, rest)) => (ChangeView { added: text.to_string(), ..ChangeView::default() }, rest),
            None => {
                let first = rest.chars().next().map_or(0, char::len_utf8);
                let next = ["[-", "{+"].iter().filter_map(|open| rest[first..].find(open)).min();
                let end = next.map_or(rest.len(), |next| first + next);
                let kept = rest[..end].to_string();
                (ChangeView { kept, ..ChangeView::default() }, &rest[end..])
            }
        };
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_taken_apart() {
        let shown = |text: &str| -> String {
            let shown = |it: &ChangeView| format!("={}-{}+{}|", it.kept, it.removed, it.added);
            pieces(text).iter().map(shown).collect::<Vec<_>>().concat()
        };
        assert_eq!(shown("a [-b-]{+c+} d"), "=a -+|=-b+|=-+c|= d-+|");
        assert_eq!(shown("[- open 語"), "=[- open 語-+|");
        assert_eq!(shown("語{+c+}"), "=語-+|=-+c|");
        assert_eq!(shown(""), "");
    }
}
