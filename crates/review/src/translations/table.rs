//! Statistics of each language: the number of current, outdated and missing pages, and of words to translate.

use std::cmp::Reverse;

use super::{ChangeKind, PageState, TranslationComparison};
use base::site_path::{self, SitePath};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use input::languages::LanguageIx;
use input::source::Sources;
use markup::markdown::Reference;
use site::content::DocumentId;
use site::languages::SketchReader;
use site::work::Work;

/// Statistics of a language, or of one folder in a language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranslationCount {
    /// Number of translated pages.
    pub pages: usize,
    /// Number of pages without changes to translate.
    pub current: usize,
    /// Number of pages with changes to translate.
    pub behind: usize,
    pub missing: usize,
    /// Words of missing pages, and changed words of outdated pages.
    pub words: usize,
}

/// A page to translate or review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslationTask {
    pub original: SitePath,
    /// `None` if the translation is missing.
    pub translation: Option<SitePath>,
    pub words: usize,
    /// Number of pages that link to the original. It is unknown, and 0, before [`most_linked_first`].
    pub links: usize,
    /// The headings of the changed sections, in the translation's language.
    pub sections: Vec<String>,
}

impl PageState {
    /// Whether readers see other content than in the original.
    pub fn is_behind(&self) -> bool {
        self.lag.as_ref().is_some_and(|lag| !lag.sections.is_empty())
    }

    /// Returns the number of changed words.
    fn words_behind(&self) -> usize {
        let sections = self.lag.iter().flat_map(|lag| &lag.sections);
        let is_text = |change: ChangeKind| matches!(change, ChangeKind::Words | ChangeKind::Added);
        sections.filter(|section| is_text(section.change)).map(|section| section.size).sum()
    }
}

impl TranslationComparison<'_> {
    /// Returns the pages of a language that need work, those with the fewest words first.
    pub fn tasks(&self, sources: &Sources, language: LanguageIx) -> Vec<TranslationTask> {
        let reader = SketchReader::new(&sources.repository);
        let pairs = self.counterparts.pairs.iter().zip(&self.states);
        let behind = pairs.filter(|(pair, state)| pair.language == language && state.is_behind());
        let behind = behind.map(|(pair, state)| TranslationTask {
            original: pair.original.clone(),
            translation: Some(pair.translation.clone()),
            words: state.words_behind(),
            links: 0,
            sections: state.lag.iter().flat_map(|lag| &lag.sections).map(|it| it.heading.clone()).collect(),
        });
        let words = |page: &SitePath| sources.text(page).map_or(0, |text| reader.read(&text.text()).words());
        let missing = self.counterparts.missing(language).into_iter().map(|page| TranslationTask {
            original: page.clone(),
            translation: None,
            words: words(page),
            links: 0,
            sections: Vec::new(),
        });
        let mut tasks: Vec<TranslationTask> = behind.chain(missing).collect();
        tasks.stable_sort_by(|one, other| (one.words, &one.original).cmp(&(other.words, &other.original)));
        tasks
    }

    /// Counts the pages of a language by the folder of their originals.
    pub fn counts(&self, sources: &Sources, language: LanguageIx) -> SortedMap<String, TranslationCount> {
        let folder = |page: &SitePath| site_path::parent(page.as_str()).to_string();
        let mut counts: SortedMap<String, TranslationCount> = SortedMap::new();
        for (pair, state) in self.counterparts.pairs.iter().zip(&self.states) {
            if pair.language == language {
                let count = counts.entry(folder(&pair.original)).or_default();
                count.pages += 1;
                count.current += usize::from(!state.is_behind());
                count.behind += usize::from(state.is_behind());
            }
        }
        for task in self.tasks(sources, language) {
            let count = counts.entry(folder(&task.original)).or_default();
            count.missing += usize::from(task.translation.is_none());
            count.words += task.words;
        }
        counts
    }
}

/// Sorts tasks by the number of pages that link to the original, because readers see those pages most often. Tasks with the
/// same number stay in their order.
pub fn most_linked_first(tasks: &mut [TranslationTask], work: &Work) {
    let (site, sources) = (&work.project.site, work.project.sources.whole());
    let resolver = work.project.resolver();
    let mut links: SortedMap<&SitePath, usize> = SortedMap::new();
    for (id, document) in site.documents.indexed().filter(|(_, it)| !sources.is_translation(&it.path)) {
        let target = |reference: &Reference| {
            let here = resolver.landing(&resolver.resolve(document, &reference.target))?;
            work.project.plan.get(here.address)?.document()
        };
        let targets: SortedSet<DocumentId> = work.pages[id].references.iter().filter_map(target).collect();
        for to in targets.into_iter().filter(|to| *to != id) {
            *links.entry(&site.document(to).path).or_default() += 1;
        }
    }
    for task in &mut *tasks {
        task.links = links.get(&task.original).copied().unwrap_or_default();
    }
    tasks.stable_sort_by_key(|task| Reverse(task.links));
}

impl TranslationCount {
    /// Returns the sum of several.
    pub fn sum<'c>(counts: impl IntoIterator<Item = &'c Self>) -> Self {
        counts.into_iter().fold(Self::default(), |sum, it| Self {
            pages: sum.pages + it.pages,
            current: sum.current + it.current,
            behind: sum.behind + it.behind,
            missing: sum.missing + it.missing,
            words: sum.words + it.words,
        })
    }
}
