//! Finds targets whose text alone shows that they are wrong: a host or an email address without a scheme, a
//! misspelled scheme, a local path, a path with `\`, a label.

use super::Subject;
use super::lookup::exactly;
use base::diagnostic::{Code, Problem};
use markup::markdown::{Reference, ReferenceKind};
use site::plan::Destination;

/// The data of findings that are wrong if the repository contains the target as a file. Names of files also look like hosts
/// (`rails.co`), and readers of a repository see its files at their own paths.
pub(super) const MAY_BE_FILE: &str = "may_be_file";

/// Returns the finding for the text of a missing target.
pub(super) fn of_missing(subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    path_of_one_computer(reference)
        .or_else(|| backslashes(subject, reference))
        .or_else(|| without_colon(subject, reference))
        .or_else(|| mail_address(subject, reference))
        .or_else(|| host(subject, reference))
        .or_else(|| label(subject, reference))
}

/// Returns the finding for the text of a target on another site.
pub(super) fn of_external(subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    let (scheme, rest) = reference.target.split_once(':')?;
    if scheme.eq_ignore_ascii_case("file") {
        return path_of_one_computer(reference);
    }
    if rest.trim_matches('/').is_empty() && (is_web(scheme) || scheme.eq_ignore_ascii_case("mailto")) {
        let message = format!("`{}` has nothing after its scheme", reference.target);
        return Some(problem(reference, message).help("add the rest of the address".to_string()));
    }
    if is_web(scheme) {
        return too_few_slashes(subject, reference, scheme, rest);
    }
    let bare = rest.trim_start_matches('/');
    let host = bare.split(['/', '?', '#']).next().unwrap_or_default();
    let meant = match near_web(scheme).filter(|_| rest.starts_with("//") || is_host(host)) {
        Some(web) => format!("{web}://{bare}"),
        None if is_mail(rest) && strsim::damerau_levenshtein(scheme, "mailto") == 1 => {
            format!("mailto:{rest}")
        }
        None => return None,
    };
    let problem = problem(reference, format!("`{scheme}:` is not a known URL scheme"));
    Some(rewritten(problem, subject, reference, meant))
}

fn problem(reference: &Reference, message: String) -> Problem {
    Problem::new(Code::MalformedLink, reference.span.clone(), message).target(&reference.target)
}

/// Adds the help, and the edit that applies it.
fn rewritten(problem: Problem, subject: &Subject<'_>, reference: &Reference, target: String) -> Problem {
    let problem = problem.help(format!("use `{target}`"));
    exactly(problem, subject, reference, target)
}

/// Reports `C:\Users\me\shot.png` and `file:///home/me/shot.png`.
fn path_of_one_computer(reference: &Reference) -> Option<Problem> {
    let target = reference.target.as_str();
    let mut letters = target.chars();
    let is_drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && letters.next().is_some_and(|letter| matches!(letter, '\\' | '/'));
    let is_file = target.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    if !is_drive && !is_file {
        return None;
    }
    let name = target.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or("name");
    let folder = if reference.kind == ReferenceKind::Image { "images" } else { "files" };
    let help = format!("move the file to `static/{folder}/` and use `/{folder}/{name}`");
    Some(problem(reference, format!("`{target}` is a path on your computer")).help(help))
}

/// Reports `images\shot.png`.
fn backslashes(subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    let target = reference.target.as_str();
    // A reference to code, as in ExDoc's [c](`\\c:c/1`), isn't a path.
    if !target.contains('\\') || target.starts_with('`') {
        return None;
    }
    let problem = problem(reference, format!("`{target}` uses `\\`; URLs use `/`"));
    let meant = target.replace('\\', "/");
    // Unchanged, and relative to the root.
    let ways = [meant.clone(), format!("/{}", meant.trim_start_matches(['.', '/']))];
    let leads = |way: &String| match subject.resolver.resolve(subject.document, way) {
        Destination::Here(here) => {
            subject.proposes(here.address);
            true
        }
        _ => false,
    };
    Some(match ways.into_iter().find(leads) {
        Some(way) => rewritten(problem, subject, reference, way),
        None => problem.help("use `/` instead".to_string()),
    })
}

/// Reports `[text](label)` if the page defines the label, so that `[text][label]` is a link.
fn label(subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    let (label, span) = (reference.target.as_str(), &reference.span);
    let is_in_parentheses =
        subject.text.get(..span.start)?.ends_with("](") && subject.text.get(span.end..)?.starts_with(')');
    let name = label.to_lowercase();
    if !is_in_parentheses || !subject.page.definitions.iter().any(|it| it.label == name) {
        return None;
    }
    let problem =
        problem(reference, format!("`{label}` is the label of a definition on this page, not a path"));
    let problem = problem.help(format!("use `[{label}]` instead of `({label})`"));
    Some(problem.edit(span.start - 1..span.end + 1, format!("[{label}]")))
}

/// Reports `https//example.com`.
fn without_colon(subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    let (scheme, rest) = reference.target.split_once("//").filter(|(scheme, _)| is_web(scheme))?;
    let problem = problem(reference, format!("`{}` is missing the `:` after its scheme", reference.target));
    Some(rewritten(problem, subject, reference, format!("{scheme}://{rest}")))
}

/// Reports `https:/example.com`, which browsers treat as a path on this site.
fn too_few_slashes(
    subject: &Subject<'_>,
    reference: &Reference,
    scheme: &str,
    rest: &str,
) -> Option<Problem> {
    if rest.starts_with("//") {
        return None;
    }
    let problem = problem(reference, format!("`{}` is missing a `/` after its scheme", reference.target));
    let bare = rest.trim_start_matches('/');
    Some(if is_host(bare.split(['/', '?', '#']).next().unwrap_or_default()) {
        rewritten(problem, subject, reference, format!("{scheme}://{bare}"))
    } else {
        problem.help(format!("use `{scheme}://` and the host"))
    })
}

/// Reports `me@example.com`.
fn mail_address(subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    let target = reference.target.as_str();
    if !is_mail(target) || reference.kind != ReferenceKind::Link {
        return None;
    }
    let problem = problem(reference, format!("`{target}` is an email address without `mailto:`"));
    Some(rewritten(problem, subject, reference, format!("mailto:{target}")))
}

/// Whether a text is an email address, possibly followed by a subject or other fields.
fn is_mail(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let host = host.split('?').next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || ".+-_".contains(c);
    !name.is_empty() && name.chars().all(is_name) && labels(host).is_some()
}

/// Reports `www.example.com/x`.
fn host(subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
    let target = reference.target.as_str();
    let first = target.split(['/', '?', '#']).next().unwrap_or_default();
    if !is_host(first) || reference.kind != ReferenceKind::Link {
        return None;
    }
    let problem = problem(reference, format!("`{target}` has no scheme, so it is a path on this site"));
    let problem = problem.data(MAY_BE_FILE, first);
    Some(rewritten(problem, subject, reference, format!("https://{target}")))
}

fn is_web(scheme: &str) -> bool {
    ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
}

/// Returns the web scheme that differs by one typing mistake: `htps`.
fn near_web(scheme: &str) -> Option<&'static str> {
    let scheme = scheme.to_ascii_lowercase();
    ["https", "http"].into_iter().find(|web| strsim::damerau_levenshtein(&scheme, web) == 1)
}

/// Whether a first segment is the name of a host: `www.example.com`.
fn is_host(segment: &str) -> bool {
    const TOP: [&str; 12] = ["com", "org", "net", "io", "dev", "app", "edu", "gov", "co", "de", "uk", "site"];
    labels(segment)
        .is_some_and(|labels| labels[0] == "www" || labels.last().is_some_and(|top| TOP.contains(top)))
}

/// Returns the labels of a host name, if there are at least two.
fn labels(host: &str) -> Option<Vec<&str>> {
    let labels: Vec<&str> = host.split('.').collect();
    let is_label =
        |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (labels.len() >= 2 && labels.iter().all(is_label)).then_some(labels)
}
