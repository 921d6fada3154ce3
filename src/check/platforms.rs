//! Pages of one platform that lead to, show, or speak of another.

use super::{Link, Lookup, Subject};
use crate::content::{Family, Place, unknown_platform};
use crate::diagnostic::{Code, Problem};
use crate::markdown::{Passage, PlatformBlock, Prose, ProseKind, ReferenceKind};
use crate::render::{Destination, Walk};

/// Blocks for platforms that the page's family does not have, and blocks on pages of no family.
pub(super) fn unknown_platforms(walk: &Walk, subject: &Subject<'_>) -> Vec<Problem> {
    let blocks = &subject.page.platform_blocks;
    if blocks.is_empty() {
        return Vec::new();
    }
    match walk.site.family_around(subject.id) {
        Some(family) => blocks.iter().flat_map(|block| unknown_in(family, block)).collect(),
        None => blocks.iter().map(block_for_everyone).collect(),
    }
}

fn unknown_in(family: &Family, block: &PlatformBlock) -> Vec<Problem> {
    if block.platforms.is_empty() {
        let message = "the block names no platform, so every reader is shown it";
        let help = format!("write for whom it is: `:::platform {}`", family.platforms[0].id);
        return vec![Problem::new(Code::UnknownPlatform, block.span.clone(), message).help(help)];
    }
    let known: Vec<&str> = family.platforms.iter().map(|platform| platform.id.as_str()).collect();
    let unknown =
        block.platforms.iter().filter(|(name, _)| !known.iter().any(|id| id.eq_ignore_ascii_case(name)));
    unknown.map(|(name, span)| unknown_platform(name, span.clone(), &known)).collect()
}

fn block_for_everyone(block: &PlatformBlock) -> Problem {
    let message = "the page belongs to no platform, so every reader is shown this block";
    let help = "take the two marker lines away, or move the page into a platform's folder".to_string();
    Problem::new(Code::UnknownPlatform, block.span.clone(), message).help(help)
}

/// Links to another platform's page although this platform tells that step too.
///
/// A link whose text names the other platform is meant that way.
pub(super) fn leaving_links(walk: &Walk, subject: &Subject<'_>) -> Vec<Problem> {
    let Some(place) = walk.site.place(subject.id) else { return Vec::new() };
    let links = subject.links_of_kind(ReferenceKind::Link);
    links.filter_map(|link| leaving_link(walk, subject, place, link)).collect()
}

fn leaving_link(walk: &Walk, subject: &Subject<'_>, place: Place, link: &Link<'_>) -> Option<Problem> {
    let Destination::Here(here) = &link.destination else { return None };
    let (link, target) = (link.reference, link.artifact?.document()?);
    let there = walk
        .site
        .place(target)
        .filter(|there| there.family == place.family && there.platform != place.platform)?;
    let own = walk.families.siblings(&walk.site, there)[place.platform]?;
    let platform = walk.site.platform_of(there);
    let text = link.text.as_deref().unwrap_or_default();
    if words(text)
        .any(|word| word.eq_ignore_ascii_case(&platform.name) || word.eq_ignore_ascii_case(&platform.id))
    {
        return None;
    }
    let message = format!(
        "the link leads to the {} page of a step that {} tells too",
        platform.name,
        walk.site.platform_of(place).name
    );
    let fragment = here.fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    let address = &walk.site.document(own).address;
    let help = match subject.document.is_shared() {
        true => format!("write the link relative to this page, or name {} in its text", platform.name),
        false => format!("write `{address}{fragment}`, or name {} in the link's text", platform.name),
    };
    Some(Problem::new(Code::LeavesPlatform, link.span.clone(), message).help(help).target(&link.target))
}

/// Images whose path names another platform of the family and not this one.
pub(super) fn foreign_images(walk: &Walk, subject: &Subject<'_>) -> Vec<Problem> {
    let Some(place) = walk.site.place(subject.id) else { return Vec::new() };
    let family = walk.site.family_of(place);
    let images = subject.links_of_kind(ReferenceKind::Image);
    images.filter_map(|image| foreign_image(walk, subject, family, place, image)).collect()
}

fn foreign_image(
    walk: &Walk,
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
    if names(&own.id) {
        return None;
    }
    let message = format!("the image is one of {}, on a page for {}", other.name, own.name);
    // The same picture of this platform, where only the platform's name differs.
    let renamed = replace_word(here.address.as_str(), &other.id, &own.id);
    let exists = walk.plan.find(&renamed).is_some();
    let help = match exists {
        _ if subject.document.is_shared() => {
            format!("show each platform its own, in `:::platform {}` … `:::`", other.id)
        }
        true => format!("write `{renamed}`"),
        false => format!("show it as {} looks; there is no `{renamed}` yet", own.name),
    };
    Some(Problem::new(Code::OtherPlatformImage, image.span.clone(), message).help(help).target(&image.target))
}

/// Sentences that name another platform and not this one, and stand word for word on its page: they
/// were copied and not adapted.
pub(super) fn foreign_words(walk: &Walk, lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let Some(place) = walk.site.place(subject.id) else { return Vec::new() };
    let family = walk.site.family_of(place);
    let own = &family.platforms[place.platform];
    let siblings = walk.families.siblings(&walk.site, place);
    let mut problems = Vec::new();
    let running = lookup.naming(subject.id, family).iter().filter(|it| it.passage.kind != ProseKind::Cell);
    for Naming { sentence, passage, start } in running {
        if mentions(sentence, &own.name).is_some() || mentions(sentence, &own.id).is_some() {
            continue;
        }
        for (index, platform) in
            family.platforms.iter().enumerate().filter(|(index, _)| *index != place.platform)
        {
            let Some(word) = mentions(sentence, &platform.name) else { continue };
            let span = start + word.start..start + word.end;
            // What one page tells for both was not copied.
            let sibling =
                siblings[index].filter(|&sibling| walk.site.document(sibling).path != subject.document.path);
            let copied = sibling.is_some_and(|sibling| {
                lookup.naming(sibling, family).binary_search_by_key(sentence, |it| it.sentence).is_ok()
            });
            // Several other platforms in one sentence: it speaks of platforms, not as one.
            let others =
                family.platforms.iter().filter(|other| mentions(sentence, &other.name).is_some()).count();
            if !copied || others > 1 || passage.is_code(&span) {
                continue;
            }
            let message = format!(
                "a page for {} speaks of {}, in a sentence that its page has word for word",
                own.name, platform.name
            );
            let help = format!("write what holds for {}", own.name);
            problems.push(Problem::new(Code::OtherPlatformWord, passage.span(span), message).help(help));
        }
    }
    problems
}

/// A sentence that names a platform.
pub(super) struct Naming<'a> {
    sentence: &'a str,
    passage: Passage<'a>,
    /// Where the sentence begins in the passage.
    start: usize,
}

/// The sentences of a page's prose that name a platform of the family, sorted.
pub(super) fn naming<'a>(family: &Family, prose: &'a Prose) -> Vec<Naming<'a>> {
    let names = || family.platforms.iter().map(|platform| platform.name.as_str());
    let of = |passage: Passage<'a>| {
        let sentences = sentences(passage.text).map(move |range| Naming {
            sentence: &passage.text[range.clone()],
            passage,
            start: range.start,
        });
        sentences.filter(|it| names().any(|name| mentions(it.sentence, name).is_some())).collect::<Vec<_>>()
    };
    let mut naming: Vec<Naming<'_>> = prose.holding(names()).into_iter().flat_map(of).collect();
    naming.sort_by_key(|it| it.sentence);
    naming
}

/// A text cut after each `.`, `!` or `?` that a blank follows.
fn sentences(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let ends = memchr::memchr3_iter(b'.', b'!', b'?', text.as_bytes()).map(|at| at + 1);
    let ends = ends.filter(|end| text.as_bytes().get(*end) == Some(&b' ')).chain([text.len()]);
    ends.scan(0, |start, end| Some(std::mem::replace(start, end)..end)).filter_map(|range| {
        let sentence = &text[range.clone()];
        let start = range.start + sentence.len() - sentence.trim_start().len();
        let end = start + sentence.trim().len();
        (start < end).then_some(start..end)
    })
}

/// Where a platform's name stands as a word of its own, in the case readers know: `iOS`, not `ios` in a path;
/// `Web`, not `web` in "the web".
fn mentions(text: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let ends_word = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(name).map(|(at, _)| at..at + name.len()).find(|range| {
        ends_word(text[..range.start].chars().next_back()) && ends_word(text[range.end..].chars().next())
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn replace_word(path: &str, word: &str, by: &str) -> String {
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
