//! Finds broken redirects in the configuration of a host or a generator.

use std::ops::Range;

use super::Evidence;
use super::near::nearest_page;
use super::unread::Unread;
use base::address::encode;
use base::diagnostic::{Code, Diagnostic, Problem, distance_within};
use base::hash::HashMap;
use base::items::only;
use base::site_path;
use base::sorted::SortedSet;
use input::conventions::{BasePath, Redirect, are_exceptions};
use site::plan::Destination;
use site::project::Project;

pub(super) fn missing(project: &Project, evidence: &Evidence) -> Vec<Diagnostic> {
    let redirects = &project.sources.repository.redirects;
    let Some(from) = project.site.documents.iter().next().filter(|_| !redirects.is_empty()) else {
        return Vec::new();
    };
    let unread = Unread::of(&project.sources, &project.site);
    let resolver = project.resolver();
    let base = resolver.config.base_path();
    let mut found = Vec::new();
    for redirect in redirects.iter().filter(|it| !it.has_placeholder()) {
        let Some(to) = redirect.to.as_deref().filter(|to| to.starts_with('/')) else { continue };
        let Destination::Missing { path, .. } = resolver.resolve(from, to) else { continue };
        // If the site has a base path, its host contains other sites. Docusaurus and Next add it to the redirects in their own
        // configuration: <https://nextjs.org/docs/app/api-reference/config/next-config-js/redirects#redirects-with-basepath-support>.
        let file = site_path::file_name(&redirect.file);
        let is_added = project.site.repository.convention.base == BasePath::Added
            && file.contains(".config.")
            || file.starts_with("next.config.");
        let is_beside = !base.is_empty() && !is_added && resolver.below_base(to).is_none();
        if is_beside || evidence.routes.contains(&path) || unread.help(&path).is_some() {
            continue;
        }
        let message = format!("the redirect from `{}` points to `{to}`, which doesn't exist", redirect.from);
        let help = match nearest_page(project, &path) {
            Some(near) => format!("did you mean `{base}{}`?", encode(near)),
            None => "use the URL of an existing page".to_string(),
        };
        let problem = Problem::new(Code::MissingPage, redirect.span.clone(), message).help(help).target(to);
        found.push(Diagnostic::new(problem.into(), &redirect.file.as_str().into()));
    }
    found
}

/// Reports a target with parameters that matches no address, if an address differs from it by only a letter or two
/// (`/:lang/resource/lamp/` next to `/de/resources/lamp/`), or if no address begins like it, and nearly all others lead to pages.
pub(super) fn misspelled(project: &Project) -> Vec<Diagnostic> {
    let redirects = project.sources.repository.redirects.iter().filter(|it| it.has_placeholder());
    let redirects: Vec<&Redirect> = redirects.collect();
    if redirects.is_empty() {
        return Vec::new();
    }
    let resolver = project.resolver();
    let addresses: Vec<Vec<&str>> =
        project.plan.artifacts().map(|(address, _)| segments(address.as_str())).collect();
    let sources: Vec<Vec<&str>> =
        project.sources.repository.redirects.iter().map(|it| segments(&it.from)).collect();
    let wrong = |redirect: &Redirect, message: String, help: Option<String>| {
        let to = redirect.to.as_deref().unwrap_or_default();
        let problem = Problem::new(Code::MissingPage, redirect.span.clone(), message).help(help).target(to);
        Diagnostic::new(problem.as_warning().into(), &redirect.file.as_str().into())
    };
    let (mut found, mut elsewhere, mut known) = (Vec::new(), Vec::new(), 0);
    for redirect in redirects {
        let to = redirect.to.as_deref().filter(|to| to.starts_with('/') && !to.contains(['$', '(']));
        let Some(to) = to else { continue };
        let path = resolver.below_base(to).unwrap_or(to).split(['?', '#']).next().unwrap_or_default();
        let wanted = segments(path);
        // Another redirect may continue from there.
        let all = || addresses.iter().chain(&sources);
        if all().any(|address| differing(&wanted, address).is_some_and(|it| it.is_empty())) {
            known += 1;
            continue;
        }
        let others = addresses.iter().filter_map(|address| differing(&wanted, address));
        let near = others.filter_map(|others| others.first().copied().filter(|_| others.len() == 1));
        let near = near.filter(|(wrong, right)| distance_within(wrong, right, 2).is_some());
        if let Some((slip, right)) = near.min_by_key(|(wrong, right)| distance_within(wrong, right, 2)) {
            let meant = to.replacen(&format!("/{slip}"), &format!("/{right}"), 1);
            let message = format!("no page has an address of the form `{to}`");
            found.push(wrong(redirect, message, Some(format!("did you mean `{meant}`?"))));
            continue;
        }
        let folders = wanted.iter().take_while(|it| !is_any(it)).count();
        let begins = |count: usize| all().any(|address| address.starts_with(&wanted[..count]));
        if folders > 1 && folders < wanted.len() && !begins(folders) && begins(folders - 1) {
            let message =
                format!("no page has an address that begins with `/{}/`", wanted[..folders].join("/"));
            elsewhere.push(wrong(redirect, message, None));
        }
    }
    // Other sites on the host have several folders.
    if are_exceptions(elsewhere.len(), known) {
        found.extend(elsewhere);
    }
    found
}

fn segments(address: &str) -> Vec<&str> {
    address.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Whether a segment of a pattern matches others.
fn is_any(segment: &str) -> bool {
    segment.starts_with(':') || segment == "*"
}

/// Returns the segments in which an address differs from a pattern, or `None` if it has another form.
fn differing<'a>(pattern: &[&'a str], address: &[&'a str]) -> Option<Vec<(&'a str, &'a str)>> {
    let is_rest = |segment: &str| segment == ":splat" || segment.ends_with('*');
    let has_rest = pattern.last().is_some_and(|last| is_rest(last));
    let literal = &pattern[..pattern.len() - usize::from(has_rest)];
    if address.len() < literal.len() || !has_rest && address.len() != literal.len() {
        return None;
    }
    let pairs = literal.iter().zip(address).map(|(one, other)| (*one, *other));
    Some(pairs.filter(|(one, other)| !is_any(one) && !is_any(other) && one != other).collect())
}

/// Returns the segments before the rest that a pattern matches, whatever it is: `old` of `/old/*`.
fn before_rest(pattern: &str) -> Option<Vec<&str>> {
    let mut segments = segments(pattern);
    let rest = segments.pop()?;
    let is_rest = matches!(rest, "*" | "(.*)")
        || rest.starts_with(':') && rest.ends_with(['*', ')']) && rest.contains('*');
    is_rest.then_some(segments)
}

/// Returns the redirects below one in a file that it makes useless, if the host uses the first that matches an address:
/// <https://docs.netlify.com/manage/routing/redirects/overview/#rule-processing-order>.
fn hidden<'r>(
    project: &Project,
    redirects: &[&'r Redirect],
    redirect: &Redirect,
) -> Option<Vec<&'r Redirect>> {
    const ORDERED: [&str; 3] = ["netlify.toml", "vercel.json", "firebase.json"];
    let first = before_rest(&redirect.from)?;
    let file = site_path::file_name(&redirect.file);
    // A line may have conditions on the reader: `Country=de`.
    let is_for_all = || {
        let text = project.sources.text(&redirect.file.as_str().into())?.text();
        let start = text.get(..redirect.span.start)?.rfind('\n').map_or(0, |at| at + 1);
        Some(!text[start..].lines().next()?.contains(['=', '?']))
    };
    let is_ordered = match file {
        "_redirects" => is_for_all()?,
        _ => ORDERED.contains(&file) || file.starts_with("next.config."),
    };
    let is_covered = |address: &str| {
        let address = segments(address);
        address.len() > first.len()
            && first.iter().zip(&address).all(|(one, other)| one == other || one.starts_with(':'))
    };
    let is_hidden = |it: &&&Redirect| {
        it.file == redirect.file
            && it.span.start > redirect.span.start
            && it.to != redirect.to
            && is_covered(&it.from)
    };
    is_ordered.then(|| redirects.iter().filter(is_hidden).copied().collect())
}

/// Reports redirects that lead back to their own address, those that match all addresses of others below them, and parameters
/// of targets that their sources lack.
pub(super) fn unusable(project: &Project) -> Vec<Diagnostic> {
    // A condition may exclude the target, and contain parameters. A rewrite isn't repeated.
    let is_plain = |redirect: &&Redirect| {
        let text = project.sources.text(&redirect.file.as_str().into()).map(|it| it.text());
        text.is_some_and(|text| !is_conditional(&text, &redirect.span))
    };
    let redirects: Vec<&Redirect> = project.sources.repository.redirects.iter().filter(is_plain).collect();
    // The files of a host and a generator may contain different parts of addresses.
    let by_source: HashMap<(&str, &str), &str> = redirects
        .iter()
        .filter_map(|it| Some(((it.file.as_str(), it.from.as_str()), it.to.as_deref()?)))
        .collect();
    let wrong = |redirect: &Redirect, message: String, help: String| {
        let problem = Problem::new(Code::UnusualValue, redirect.span.clone(), message).help(help);
        Diagnostic::new(problem.into(), &redirect.file.as_str().into())
    };
    let found = redirects.iter().filter_map(|redirect| {
        let to = redirect.to.as_deref()?;
        if let Some(name) = parameters(to).find(|name| !has_parameter(&redirect.from, name)) {
            let message = format!("the target contains `:{name}`, which isn't in `{}`", redirect.from);
            let help = match parameters(&redirect.from).next() {
                Some(other) => format!("did you mean `:{other}`?"),
                None => "remove it".to_string(),
            };
            return Some(wrong(redirect, message, help));
        }
        if let [first, others @ ..] = &*hidden(project, &redirects, redirect).unwrap_or_default() {
            let (more, these) = match others.len() {
                0 => (String::new(), "it isn't used"),
                more => (format!(" and {more} more"), "they aren't used"),
            };
            let message =
                format!("`{}` also matches `{}`{more} below it, so {these}", redirect.from, first.from);
            return Some(wrong(redirect, message, "move it down".to_string()));
        }
        let ends = circle(&by_source, redirect)?;
        let message = format!("the redirect from `{}` leads back to it{ends}", redirect.from);
        Some(wrong(redirect, message, "use the URL of an existing page".to_string()))
    });
    found.collect()
}

/// Returns the other addresses of a circle of redirects that begins with one, as text. Only the first of a circle has one.
fn circle(by_source: &HashMap<(&str, &str), &str>, redirect: &Redirect) -> Option<String> {
    const LONGEST: usize = 8;
    let mut passed = String::new();
    let (file, start) = (redirect.file.as_str(), redirect.from.as_str());
    let mut at = redirect.to.as_deref()?;
    for _ in 0..LONGEST {
        if at == start {
            return Some(passed);
        }
        if at < start {
            return None;
        }
        passed.extend([", through `", at, "`"]);
        at = by_source.get(&(file, at))?;
    }
    None
}

/// Reports the few redirects from a page of one platform to that of another, which the first one also has:
/// `/old/vue/start` to `/docs/react/start` next to `/docs/vue/start`.
pub(super) fn to_other_platform(project: &Project) -> Vec<Diagnostic> {
    let Some(any) = project.site.documents.iter().next() else { return Vec::new() };
    let platforms: SortedSet<&str> = project
        .site
        .families
        .iter()
        .flat_map(|family| &family.platforms)
        .map(|it| site_path::file_name(&it.root))
        .collect();
    if platforms.is_empty() {
        return Vec::new();
    }
    let resolver = project.resolver();
    let named = |address: &str| {
        let found = segments(address).into_iter().filter(|segment| platforms.contains(segment));
        only(found).map(str::to_string)
    };
    let (mut others, mut staying) = (Vec::new(), 0);
    for redirect in &project.sources.repository.redirects {
        let Some(to) = redirect.to.as_deref().filter(|to| to.starts_with('/')) else { continue };
        let (Some(from), Some(other)) = (named(&redirect.from), named(to)) else { continue };
        if from == other {
            staying += 1;
            continue;
        }
        let meant = to.replacen(&format!("/{other}/"), &format!("/{from}/"), 1);
        let is_page = |target: &str| matches!(resolver.resolve(any, target), Destination::Here(_));
        if meant != to && is_page(&meant) && is_page(to) {
            let message = format!("the redirect from `{}` leads from `{from}` to `{other}`", redirect.from);
            let problem = Problem::new(Code::UnusualValue, redirect.span.clone(), message);
            others.push(problem.help(format!("did you mean `{meant}`?")).at(&redirect.file.as_str().into()));
        }
    }
    if are_exceptions(others.len(), staying) { others } else { Vec::new() }
}

/// Returns the names of the parameters in an address: `a` in `/x/:a*`.
fn parameters(address: &str) -> impl Iterator<Item = &str> {
    let path =
        address.split_once("://").map_or(address, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
    let starts = path.match_indices("/:").map(|(at, _)| &path[at + 2..]);
    let names = starts.map(|rest| {
        &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())]
    });
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether a pattern defines a parameter: `:name`, `(?<name>…)`, or `*` for `:splat`.
fn has_parameter(pattern: &str, name: &str) -> bool {
    let is_whole = |sign: &str| {
        let after = pattern.split(sign).skip(1);
        after.into_iter().any(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    is_whole(&format!(":{name}")) || is_whole(&format!("<{name}")) || name == "splat" && pattern.contains('*')
}

/// Whether the redirect at a place of a text has conditions, or is in a list of rewrites.
fn is_conditional(text: &str, place: &Range<usize>) -> bool {
    const NEAR: usize = 400;
    let boundary = |at: usize| (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let near = boundary(place.start.saturating_sub(NEAR))..boundary(place.end + NEAR);
    let near = text.get(near).unwrap_or_default();
    let before = text.get(..place.start).unwrap_or_default();
    let is_rewrite =
        before.rfind("rewrite").is_some_and(|at| before.rfind("redirect").is_none_or(|other| other < at));
    is_rewrite
        || ["has:", "\"has\"", "missing:", "\"missing\"", "conditions"].iter().any(|it| near.contains(it))
}
