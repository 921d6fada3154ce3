//! The state of all languages as data for `translations.html`, a single page without other files, for translators.

use serde::Serialize;
use serde_json::{Value, json};

use super::{ChangeKind, PageState, TranslationComparison, TranslationCount};
use base::site_path::SitePath;
use base::sort::StableSort as _;
use input::languages::LanguageIx;
use input::source::Sources;
use site::languages::Counterpart;

/// `translations.html`
#[derive(Debug, Serialize)]
struct StatusView {
    title: String,
    /// ISO 8601, or empty.
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
    /// The day of the first change, or empty if none is committed.
    since: String,
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

impl TranslationComparison<'_> {
    /// Returns the data of the status page. Without a `day`, it doesn't contain when it was written.
    pub fn status(&self, sources: &Sources, title: Option<&str>, day: &str) -> Value {
        let languages =
            self.languages.translations.indices().map(|index| self.language_status(sources, index));
        let title = title.unwrap_or("Translations").to_string();
        let view = StatusView { title, day: day.to_string(), languages: languages.collect() };
        serde_json::to_value(view).expect("strings, numbers and lists of them are JSON")
    }

    fn language_status(&self, sources: &Sources, index: LanguageIx) -> LanguageView {
        let counts = self.counts(sources, index);
        let language = &self.languages.translations[index];
        let pairs = self.counterparts.pairs.iter().zip(&self.states);
        let of_language = pairs.filter(|(pair, state)| pair.language == index && state.is_behind());
        let mut behind: Vec<BehindView> = of_language.map(|(pair, state)| behind(pair, state)).collect();
        let key = |it: &BehindView| (it.since.is_empty(), it.since.clone());
        behind.stable_sort_by(|one, other| key(one).cmp(&key(other)));
        let tasks = self.tasks(sources, index).into_iter().filter(|it| it.translation.is_none());
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
    }
}

/// Returns the data of the status page before the state of any language is known.
pub fn unknown_status(title: Option<&str>) -> Value {
    json!({ "title": title.unwrap_or("Translations"), "day": "", "languages": [] })
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
        since: lag.and_then(|lag| lag.for_readers().since).map_or_else(String::new, |day| day.to_string()),
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
