//! Checks hand-written links to the same step on other platforms.

use super::Subject;
use super::links::problem;
use super::lookup::Lookup;
use base::diagnostic::{Code, Problem};
use base::items::only;
use base::platforms;
use markup::markdown::{Reference, Switcher, SwitcherLink};
use site::content::{DocumentId, Family, Place, PlatformIx};
use site::work::Work;

/// Reports links to other platforms in the source, because pages show generated ones. Off by default, because the
/// repository's generator may not generate any.
pub(super) fn hand_written(subject: &Subject<'_>) -> Vec<Problem> {
    let found = |switcher: &Switcher| {
        let message = "links to other platforms are written by hand; the page shows generated ones instead";
        let help = "remove them; Stepkin generates them".to_string();
        let problem = Problem::new(Code::HandWrittenSwitcher, switcher.span.clone(), message).help(help);
        problem.edit(switcher.span.clone(), "")
    };
    subject.page.switchers.iter().map(found).collect()
}

/// Reports links to a missing page, or to another page than the same step.
pub(super) fn targets(work: &Work, lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let wrong = |link: &SwitcherLink| {
        let reference = Reference::of_navigation(&link.label, &link.target, &link.target_span);
        problem(lookup, subject, &subject.link(&reference)).or_else(|| other_page(work, subject, link))
    };
    subject.page.switchers.iter().flat_map(|switcher| &switcher.links).filter_map(wrong).collect()
}

/// Returns the finding if the link points to a page of the family that isn't this step on the platform in its text.
fn other_page(work: &Work, subject: &Subject<'_>, link: &SwitcherLink) -> Option<Problem> {
    let site = &work.project.site;
    let place = site.place(subject.id)?;
    let family = site.family_of(place);
    let named = platform_called(family, &link.label)?;
    let target = subject.page_of(&link.target)?;
    let meant = sibling(work, place, named);
    if meant == Some(target) || named == place.platform && target == subject.id {
        return None;
    }
    let name = &family.platforms[named].name;
    let (led, own) = (&site.document(target).address, site.place(target));
    // That two pages have one address is reported there.
    if meant.is_some_and(|meant| site.document(meant).address == *led) {
        return None;
    }
    let of_platform = own.is_some_and(|it| it.family == place.family && it.platform == named);
    let (message, help) = match meant {
        Some(meant) => {
            let address = &site.document(meant).address;
            (
                format!("the link for {name} goes to `{led}`, but this step is at `{address}`"),
                format!("use `{address}`"),
            )
        }
        // Links to another page of a platform without this step.
        None if of_platform => return None,
        None => (
            format!("the link for {name} goes to `{led}`, which is not a page for {name}"),
            format!("remove it; {name} doesn't have this step"),
        ),
    };
    let problem = Problem::new(Code::SwitcherWrongTarget, link.target_span.clone(), message).help(help);
    Some(problem.target(&link.target))
}

/// Reports platforms with this step to which no link points.
pub(super) fn missing(work: &Work, subject: &Subject<'_>) -> Option<Problem> {
    let switcher = subject.page.switchers.first()?;
    let site = &work.project.site;
    let place = site.place(subject.id)?;
    let family = site.family_of(place);
    let links = || subject.page.switchers.iter().flat_map(|switcher| &switcher.links);
    let is_linked = |platform: PlatformIx| {
        let leads_there =
            |link: &SwitcherLink| subject.page_of(&link.target) == sibling(work, place, platform);
        links().any(|link| platform_called(family, &link.label) == Some(platform) || leads_there(link))
    };
    let lacks: Vec<PlatformIx> = family
        .platforms
        .indices()
        .filter(|&platform| platform != place.platform && sibling(work, place, platform).is_some())
        .filter(|&platform| !is_linked(platform))
        .collect();
    let first = *lacks.first()?;
    let names: Vec<&str> = lacks.iter().map(|&platform| family.platforms[platform].name.as_str()).collect();
    let (names, verb) = (names.join(" and "), if lacks.len() == 1 { "has" } else { "have" });
    let message = format!("the links to other platforms omit {names}, which also {verb} this step");
    let address =
        sibling(work, place, first).map(|id| site.document(id).address.to_string()).unwrap_or_default();
    let help = format!("add a link to `{address}`");
    Some(Problem::new(Code::SwitcherMissingPlatform, switcher.span.clone(), message).help(help))
}

/// Reports a sentence that names another platform as that of the page: "You're viewing the iOS docs. Other platforms: …" for Android.
pub(super) fn other_platform(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    let site = &work.project.site;
    let Some(place) = site.place(subject.id) else { return Vec::new() };
    let platforms = &site.family_of(place).platforms;
    let own = &platforms[place.platform].name;
    // `React` is also in `React Native`.
    let is_part = |name: &str| platforms.iter().any(|it| it.name != name && it.name.contains(name));
    let of_switcher = |switcher: &Switcher| {
        let text = subject.text.get(switcher.span.clone())?;
        let outside = |name: &str| {
            let labels = switcher.links.iter().filter(|link| link.label.contains(name)).count();
            text.matches(name).count().saturating_sub(labels)
        };
        let mut named = platforms.iter().map(|it| it.name.as_str()).filter(|name| outside(name) > 0);
        let other = named.next().filter(|other| named.next().is_none() && other != own && !is_part(other))?;
        let at = switcher.span.start + text.find(other)?;
        let message = format!("the text is about {other}, but the page is for {own}");
        let problem = Problem::new(Code::WrongPlatformName, at..at + other.len(), message);
        Some(problem.help(format!("did you mean {own}?")))
    };
    subject.page.switchers.iter().filter_map(of_switcher).collect()
}

/// Returns the same step on another platform if its name is unambiguous, because a step may have several pages there.
fn sibling(work: &Work, place: Place, platform: PlatformIx) -> Option<DocumentId> {
    let row = work.project.families.row(place);
    let id = work.project.families.rows(place.family)[row].steps[platform]?;
    let site = &work.project.site;
    let key = |place: Place| &site.platform_of(place).keys[place.step];
    (key(site.place(id)?) == key(place)).then_some(id)
}

/// Returns the platform with this name.
fn platform_called(family: &Family, label: &str) -> Option<PlatformIx> {
    let is = |name: &str| platforms::is_called(label, name);
    let called = |(_, platform): &(PlatformIx, &site::content::Platform)| {
        is(&platform.name) || is(&platform.id) || platform.words.iter().any(|word| is(word))
    };
    // The folder `react` may be that of React Native.
    let begins = |name: &str| {
        let start = label.split_at_checked(name.len());
        start.is_some_and(|(start, rest)| start.eq_ignore_ascii_case(name) && rest.starts_with(' '))
    };
    let begun = || {
        let found =
            family.platforms.indexed().filter(|(_, platform)| begins(&platform.name) || begins(&platform.id));
        only(found)
    };
    family.platforms.indexed().find(called).or_else(begun).map(|(platform, _)| platform)
}
