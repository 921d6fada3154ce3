//! Checks pages of one platform that link to, show, or mention another.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::naming::{Context, Naming, is_word, words, words_back};
use super::written::written;
use super::{Link, Lookup, Subject};
use base::address::Address;
use base::diagnostic::{Code, Problem};
use base::index::IndexVec;
use base::platforms::runs_on;
use markup::markdown::{PlatformBlock, ProseKind, ReferenceKind};
use site::content::{Document, DocumentId, Family, Place, Platform, PlatformIx, unknown_platform};
use site::plan::Destination;
use site::work::Work;

/// Reports blocks for platforms that the page's family doesn't have, and blocks on pages outside families.
pub(super) fn unknown_platforms(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    let blocks = &subject.page.platform_blocks;
    if blocks.is_empty() {
        return Vec::new();
    }
    match work.project.site.family_around(subject.id) {
        Some(family) => blocks.iter().flat_map(|block| unknown_in(family, block)).collect(),
        None => blocks.iter().map(block_for_everyone).collect(),
    }
}

fn unknown_in(family: &Family, block: &PlatformBlock) -> Vec<Problem> {
    if block.platforms.is_empty() {
        let message = "the block has no platform, so all readers see it";
        let help = format!("add the platform: `:::platform {}`", family.platforms[PlatformIx::from(0)].id);
        return vec![Problem::new(Code::UnknownPlatform, block.span.clone(), message).help(help)];
    }
    let known: Vec<&str> = family.platforms.iter().map(|platform| platform.id.as_str()).collect();
    let unknown =
        block.platforms.iter().filter(|(name, _)| !known.iter().any(|id| id.eq_ignore_ascii_case(name)));
    unknown.map(|(name, span)| unknown_platform(name, span.clone(), &known)).collect()
}

fn block_for_everyone(block: &PlatformBlock) -> Problem {
    let message = "the page doesn't belong to a platform, so all readers see this block";
    let help = "remove the two marker lines, or move the page to a platform's folder".to_string();
    Problem::new(Code::UnknownPlatform, block.span.clone(), message).help(help)
}

/// Reports links to another platform's page although this platform has the step.
///
/// A link whose text mentions the other platform is intentional.
pub(super) fn leaving_links(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    let Some(place) = work.project.site.place(subject.id) else { return Vec::new() };
    let links = subject.links_of_kind(ReferenceKind::Link);
    links.filter_map(|link| leaving_link(work, subject, place, link)).collect()
}

fn leaving_link(work: &Work, subject: &Subject<'_>, place: Place, link: &Link<'_>) -> Option<Problem> {
    let Destination::Here(here) = &link.destination else { return None };
    let (link, target) = (link.reference, link.artifact?.document()?);
    let there = work
        .project
        .site
        .place(target)
        .filter(|there| there.family == place.family && there.platform != place.platform)?;
    // A page knows about its own versions.
    let own = work.project.families.siblings(&work.project.site, there)[place.platform]
        .filter(|own| *own != subject.id)?;
    let platform = work.project.site.platform_of(there);
    let text = link.text.as_deref().unwrap_or_default();
    if words(text)
        .any(|word| word.eq_ignore_ascii_case(&platform.name) || word.eq_ignore_ascii_case(&platform.id))
    {
        return None;
    }
    // A shared page has its link once, on whichever platform.
    let is_shared = subject.document.is_shared();
    let message = if is_shared {
        format!("the link goes to the {} page, but this page is for several platforms", platform.name)
    } else {
        format!(
            "link goes to the {} version of a step that exists for {}",
            platform.name,
            work.project.site.platform_of(place).name
        )
    };
    let fragment = here.fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    let meant =
        written(work, subject, link.target.trim(), &work.project.site.document(own).address, &fragment);
    let help = if is_shared {
        format!("use a path relative to this page, or mention {} in the link text", platform.name)
    } else {
        format!("use `{meant}`, or mention {} in the link text", platform.name)
    };
    Some(Problem::new(Code::CrossPlatformLink, link.span.clone(), message).help(help).target(&link.target))
}

/// Reports images whose path contains the name of another platform of the family and not of this one.
pub(super) fn other_platform_images(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    let Some(place) = work.project.site.place(subject.id) else { return Vec::new() };
    let family = work.project.site.family_of(place);
    let images = subject.links_of_kind(ReferenceKind::Image);
    images.filter_map(|image| other_platform_image(subject, family, place, image)).collect()
}

fn other_platform_image(
    subject: &Subject<'_>,
    family: &Family,
    place: Place,
    image: &Link<'_>,
) -> Option<Problem> {
    let Destination::Here(here) = &image.destination else { return None };
    let image = image.reference;
    let own = &family.platforms[place.platform];
    let parts: Vec<&str> = words(here.address.as_str()).collect();
    let names = |id: &str| parts.iter().any(|word| word.eq_ignore_ascii_case(id));
    let other = family.platforms.iter().find(|platform| platform.id != own.id && names(&platform.id))?;
    if names(&own.id) || runs_on(&own.id, &other.id) {
        return None;
    }
    let message = if subject.document.is_shared() {
        format!("the image belongs to {}, but this page is for several platforms", other.name)
    } else {
        format!("the image belongs to {}, but this page is for {}", other.name, own.name)
    };
    // The same image for this platform, with only the platform's name changed.
    let renamed = with_other_word(here.address.as_str(), &other.id, &own.id);
    let exists = subject.map.find(&renamed).is_some();
    if exists {
        subject.proposes(&Address::new(&renamed));
    }
    let help = if subject.document.is_shared() {
        format!("use one image per platform, in `:::platform {}` … `:::`", other.id)
    } else if exists {
        format!("use `{renamed}`")
    } else {
        format!("add a screenshot of {}; there is no `{renamed}` yet", own.name)
    };
    Some(Problem::new(Code::OtherPlatformImage, image.span.clone(), message).help(help).target(&image.target))
}

/// Reports sentences that mention another platform and not this one, and that were copied from its page without
/// changes. Either the other page contains the same sentence; or it contains the words around the name, and the page
/// of a third platform contains them with its own name, or the two platforms use their own names in such words on
/// another step.
pub(super) fn other_platform_names(work: &Work, lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let Some(place) = work.project.site.place(subject.id) else { return Vec::new() };
    let family = work.project.site.family_of(place);
    let siblings = work.project.families.siblings(&work.project.site, place);
    let page = Copies { work, lookup, subject, family, place, siblings: &siblings };
    let running =
        lookup.naming(subject.id, place.family).iter().filter(|it| it.passage.kind != ProseKind::Cell);
    running.filter_map(|naming| page.copied(naming)).collect()
}

/// Reports titles and descriptions that were copied from the page of another platform with its name: "Set up the lamp for Web".
pub(super) fn other_platform_titles(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    let (site, document) = (&work.project.site, subject.document);
    let Some(place) = site.place(subject.id) else { return Vec::new() };
    let (family, siblings) = (site.family_of(place), work.project.families.siblings(site, place));
    let own = &family.platforms[place.platform];
    let others = || family.platforms.indexed().filter(|(platform, _)| *platform != place.platform);
    let found = TITLES.iter().filter_map(|(what, title)| {
        let text = title(document).filter(|text| !text.contains(&own.name))?;
        let named = |(platform, it): (PlatformIx, _)| Some((platform, it, after_preposition(&text, it)?));
        let (platform, other, name) = others().find_map(|(at, it)| named((at, it)))?;
        let is_same = |at: PlatformIx| Some(title(site.document(siblings[at]?))? == text);
        // A text of several others isn't about one of them.
        let is_of_several = others().any(|(at, _)| at != platform && is_same(at) == Some(true));
        if is_of_several || is_same(platform) != Some(true) {
            return None;
        }
        let start = subject.text.find(&*text)? + name;
        let message = format!(
            "a page for {} mentions {} in its {what}, which is also that of the page for {}",
            own.name, other.name, other.name
        );
        let problem = Problem::new(Code::WrongPlatformName, start..start + other.name.len(), message);
        Some(problem.help(format!("adapt the {what} to {}", own.name)))
    });
    found.collect()
}

/// Returns a text of a page.
type TitleOf = fn(&Document) -> Option<Cow<'_, str>>;

/// The texts of a page that say what it is about.
const TITLES: [(&str, TitleOf); 3] = [
    ("title", |document| Some(Cow::from(&document.title))),
    ("description", |document| document.front.description.as_deref().map(Cow::from)),
    ("`<title>`", |document| {
        let text = document.text();
        let start = memmem::find(text.as_bytes(), b"<title>")? + "<title>".len();
        Some(text[start..].split_once("</title>")?.0.trim().to_string().into())
    }),
];

/// Returns the position of a platform's name after a word that says what the page is for.
fn after_preposition(text: &str, Platform { name, .. }: &Platform) -> Option<usize> {
    const WORDS: [&str; 6] = ["for", "with", "on", "in", "using", "to"];
    let at = text.match_indices(name.as_str()).find(|(at, _)| is_word(text, &(*at..at + name.len())))?.0;
    let before = text[..at].trim_end();
    let before = before.strip_suffix(" the").unwrap_or(before);
    let word = before.rsplit(' ').next().unwrap_or_default();
    (text[..at].ends_with(' ') && WORDS.contains(&word)).then_some(at)
}

/// Minimum number of words of a sentence that is evidence by itself.
const FEWEST_WORDS: usize = 4;

/// The page of a step, compared with the same step on other platforms.
struct Copies<'a, 'w> {
    work: &'a Work,
    lookup: &'a Lookup<'w>,
    subject: &'a Subject<'a>,
    family: &'a Family,
    place: Place,
    siblings: &'a IndexVec<PlatformIx, Option<DocumentId>>,
}

impl Copies<'_, '_> {
    /// Returns the finding for a sentence, if it was copied.
    fn copied(&self, naming: &Naming<'_>) -> Option<Problem> {
        let platforms = &self.family.platforms;
        let own = &platforms[self.place.platform];
        let mut found = naming.named.iter();
        // A sentence with several platforms is about platforms.
        let (Some((&other, word)), None) = (found.next(), found.next()) else { return None };
        let span = naming.start + word.start..naming.start + word.end;
        let is_of_course = runs_on(&own.id, &platforms[other].id);
        let place = naming.passage.span(span.clone());
        // Included text is for all pages that include it.
        let is_included = self.subject.page.included.iter().any(|it| it.span.contains(&place.start));
        // "Unlike on Android"
        let before = words_back(&naming.sentence[..word.start]).take(2);
        let is_compared =
            before.into_iter().any(|it| ["than", "unlike", "versus", "vs"].contains(&&*it.to_lowercase()));
        let is_code = naming.passage.is_code(&span);
        if other == self.place.platform || is_of_course || is_included || is_compared || is_code {
            return None;
        }
        let name = &platforms[other].name;
        let why = if self.is_word_for_word(naming, other) {
            "in a sentence that is also on its page".to_string()
        } else {
            let context = Context::of(naming.sentence, word).filter(|it| self.contains(other, it))?;
            match self.third_of(other, &context) {
                Some(third) => {
                    format!("where the page for {third} mentions {third}", third = platforms[third].name)
                }
                None => format!("where other pages use `{}`", self.adapted(naming, other, word)?),
            }
        };
        let message = format!("a page for {} mentions {name} {why}", own.name);
        let help = format!("adapt the sentence to {}", own.name);
        Some(Problem::new(Code::WrongPlatformName, naming.passage.span(span), message).help(help))
    }

    /// Returns the page of the same step on another platform. A sentence on a shared page wasn't copied.
    fn sibling(&self, platform: PlatformIx) -> Option<DocumentId> {
        let is_other =
            |id: &DocumentId| self.work.project.site.document(*id).path != self.subject.document.path;
        self.siblings[platform].filter(is_other)
    }

    /// Whether the page of the other platform contains the sentence, with the name in the form for readers: `Web`
    /// rather than "the web".
    fn is_word_for_word(&self, naming: &Naming<'_>, other: PlatformIx) -> bool {
        let Some(sibling) = self.sibling(other) else { return false };
        // The header of a column is no sentence.
        if words(naming.sentence).nth(FEWEST_WORDS - 1).is_none() {
            return false;
        }
        let theirs = self.lookup.naming(sibling, self.place.family);
        let word = naming.named.get(&other).and_then(|place| naming.sentence.get(place.clone()));
        word == Some(self.family.platforms[other].name.as_str())
            && theirs.binary_search_by(|it| it.sentence.cmp(naming.sentence)).is_ok()
    }

    /// Whether a platform's page contains its own name with these words around it.
    fn contains(&self, platform: PlatformIx, context: &Context) -> bool {
        let page =
            if platform == self.place.platform { Some(self.subject.id) } else { self.sibling(platform) };
        page.is_some_and(|id| self.lookup.contexts(id, self.place.family, platform).contains(context))
    }

    /// Returns a platform whose page contains its own name in place of the other's.
    fn third_of(&self, other: PlatformIx, context: &Context) -> Option<PlatformIx> {
        let mut thirds = self.family.platforms.indices().filter(|&platform| platform != other);
        thirds.find(|&platform| self.contains(platform, context))
    }

    /// Returns `your Android input` for "your web input", if a step of this platform contains that phrase and the
    /// same step of the other contains it with its own name, so that each platform has its own version of the phrase.
    fn adapted(&self, naming: &Naming<'_>, other: PlatformIx, word: &Range<usize>) -> Option<String> {
        let wanted = neighbours(naming.sentence, word)?;
        let own = &self.family.platforms[self.place.platform];
        let on_step = |&step: &DocumentId| {
            let place = self.work.project.site.place(step)?;
            let theirs = self.work.project.families.siblings(&self.work.project.site, place)[other]?;
            let theirs = self.lookup.contexts(theirs, self.place.family, other);
            let running = self.lookup.naming(step, self.place.family).iter();
            running.filter(|it| it.passage.kind != ProseKind::Cell).find_map(|it| {
                let word = it.named.get(&self.place.platform)?;
                let found = neighbours(it.sentence, word)?;
                let lower = |(before, after): (&str, &str)| (before.to_lowercase(), after.to_lowercase());
                let is_same = lower(wanted) == lower(found);
                let is_adapted = || Some(theirs.contains(&Context::of(it.sentence, word)?));
                let phrase = || [found.0, &it.sentence[word.clone()], found.1].join(" ");
                (is_same && is_adapted()?).then(phrase)
            })
        };
        own.steps.iter().find_map(on_step)
    }
}

/// Returns the words directly before and after a word, with only a space in between.
fn neighbours<'a>(sentence: &'a str, word: &Range<usize>) -> Option<(&'a str, &'a str)> {
    let before = words_back(sentence[..word.start].strip_suffix(' ')?).next()?;
    let after = words(sentence[word.end..].strip_prefix(' ')?).next()?;
    let is_beside =
        sentence[..word.start - 1].ends_with(before) && sentence[word.end + 1..].starts_with(after);
    is_beside.then_some((before, after))
}

/// Replaces a word in a path, ignoring case.
fn with_other_word(path: &str, word: &str, by: &str) -> String {
    let mut replaced = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(found) = words(rest).find(|other| other.eq_ignore_ascii_case(word)) {
        let at = found.as_ptr() as usize - rest.as_ptr() as usize;
        replaced.push_str(&rest[..at]);
        replaced.push_str(by);
        rest = &rest[at + found.len()..];
    }
    replaced + rest
}
