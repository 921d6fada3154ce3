//! Checks the documents and labels to which roles and lists of Sphinx refer: `` {doc}`guide/install` ``, `` {ref}`label` ``, and
//! the entries of a `toctree`. Also checks the names of Hugo's shortcodes.

use super::Subject;
use super::lookup::Lookup;
use base::diagnostic::{Code, Problem, misspelled, nearest};
use base::items::only;
use base::site_path::{self, below_root};
use input::conventions::{Syntax, TERM, WORK, document_name};
use markup::markdown::{OmissionReason, Reference, ReferenceForm};
use site::plan::relative;

/// Labels and documents that Sphinx defines.
const OF_SPHINX: &[&str] = &["genindex", "modindex", "search", "py-modindex"];

/// Returns findings for documents and labels that don't exist.
pub(super) fn references(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    // Paths in an included file are relative to the page that includes it.
    if subject.page.roles.is_empty() || lookup.shared.included.contains(&subject.document.path) {
        return Vec::new();
    }
    let problem = |role: &Reference| match role.form {
        ReferenceForm::Label => label(lookup, role),
        ReferenceForm::Term => term(lookup, role),
        ReferenceForm::Citation => citation(lookup, role),
        ReferenceForm::Unknown => misnamed(lookup, subject, role),
        // Only the disk shows whether it exists: see `sources`.
        ReferenceForm::Module => None,
        _ => document(lookup, subject, role),
    };
    subject.page.roles.iter().filter_map(problem).collect()
}

fn document(lookup: &Lookup<'_>, subject: &Subject<'_>, role: &Reference) -> Option<Problem> {
    let (target, names) = (role.target.as_str(), &lookup.shared.names);
    let own = subject.document.below();
    let folder = site_path::parent(own);
    let from_root = target.strip_prefix('/');
    // Sphinx stays at the root: `docname_join` in sphinx/util/nodes.py.
    let (mut start, mut rest) = (folder, target);
    while let Some(after) = rest.strip_prefix("../") {
        (start, rest) = (site_path::parent(start), after);
    }
    let path = from_root.map_or_else(|| below_root(&format!("{start}/{rest}")), below_root);
    let has = |name: &str| names.contains(name);
    // Only the entry of a list may have the extension of its file.
    let may_have_extension =
        role.form == ReferenceForm::Entry || subject.resolver.repository.convention.has(Syntax::MystTitles);
    let has_file = |path: &str| may_have_extension && document_name(path).is_some_and(has);
    if path.as_deref().is_some_and(|path| has(path) || has_file(path)) {
        return None;
    }
    // Private folders aren't listed, and the name of a document in another project has a prefix.
    let is_unlisted = |path: &String| path.split('/').any(|name| name.starts_with(['_', '.']));
    if target.contains(':') || path.as_ref().is_some_and(is_unlisted) {
        return None;
    }
    // Routes are relative to the root.
    let address = path.as_ref().map(|path| format!("/{path}"));
    let is_route = |address: &String| {
        let routes = &lookup.shared.evidence.routes;
        routes.contains(address) || routes.contains(&format!("{address}.html"))
    };
    if address.as_ref().is_some_and(is_route) || OF_SPHINX.contains(&target) {
        return None;
    }
    let near = path.and_then(|path| nearest(&path, names.iter().map(String::as_str)));
    let written = near.map(|near| match from_root {
        Some(_) => format!("/{near}"),
        None => relative(&format!("/{own}"), &format!("/{near}")),
    });
    let message = format!("document `{target}` doesn't exist");
    let problem = Problem::new(Code::MissingPage, role.span.clone(), message);
    let problem = problem.target(address.as_deref().unwrap_or(target));
    let problem = problem.help(written.map(|near| format!("did you mean `{near}`?")));
    // Before Sphinx 5, a role also found the documents of other projects.
    let is_certain = role.form == ReferenceForm::Entry || !defines_labels(lookup);
    Some(if is_certain { problem } else { problem.as_warning() })
}

/// If an extension defines labels, only a similar name shows a mistake.
fn label(lookup: &Lookup<'_>, role: &Reference) -> Option<Problem> {
    let (label, labels) = (role.target.to_lowercase(), &lookup.shared.labels);
    if labels.contains(&label) || OF_SPHINX.contains(&label.as_str()) {
        return None;
    }
    // A label may have a prefix: `user-csv`.
    let is_longer =
        |it: &&String| it.strip_suffix(&label).is_some_and(|rest| rest.ends_with(['-', ':', '/']));
    let longer = labels.iter().filter(is_longer).map(String::as_str);
    let longer = only(longer);
    let near = longer.or_else(|| nearest(&label, labels.iter().map(String::as_str)));
    let message = format!("no page has the label `{}`", role.target);
    let problem = Problem::new(Code::MissingAnchor, role.span.clone(), message);
    let problem = problem.help(near.map(|near| format!("did you mean `{near}`?")));
    // Other labels are titles of sections, or have the prefix of a project.
    let is_own_prefix =
        |prefix: &str| labels.iter().any(|it| it.strip_prefix(prefix).is_some_and(|it| it.starts_with(':')));
    let is_of_project = label.split_once(':').is_some_and(|(prefix, _)| !is_own_prefix(prefix));
    let is_word = role.target == label && !label.contains(' ') && !is_of_project;
    match () {
        () if !defines_labels(lookup) => Some(problem),
        () if near.is_some() && is_word => Some(problem.as_warning()),
        () if is_word => Some(problem.as_advice()),
        () => None,
    }
}

/// If other projects or extensions have terms, only a similar one shows a mistake.
fn term(lookup: &Lookup<'_>, role: &Reference) -> Option<Problem> {
    let term = role.target.to_lowercase();
    let labels = &lookup.shared.labels;
    if labels.contains(&format!("{TERM}{term}")) {
        return None;
    }
    let near = nearest(&term, labels.iter().filter_map(|label| label.strip_prefix(TERM)));
    let message = format!("no glossary has the term `{}`", role.target);
    let problem = Problem::new(Code::MissingAnchor, role.span.clone(), message);
    let is_certain = near.is_some() || !defines_labels(lookup);
    let problem = problem.help(near.map(|near| format!("did you mean `{near}`?")));
    is_certain.then(|| problem.as_warning())
}

/// Reports the only use of an unknown role whose content is a label: `` {numfig}`oil-lamp` ``.
fn misnamed(lookup: &Lookup<'_>, subject: &Subject<'_>, role: &Reference) -> Option<Problem> {
    let target = role.target.to_lowercase();
    let is_name = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | ':');
    if !target.contains(is_name) || !lookup.shared.labels.contains(&target) {
        return None;
    }
    let before = subject.text.get(..role.span.start)?;
    let start = before.rfind('{')? + 1;
    let name = before[start..].split('}').next()?;
    let is_only = subject.text.matches(&format!("{{{name}}}`")).count() == 1;
    let message = format!("unknown role `{name}`, and `{}` is a label", role.target);
    let problem = Problem::new(Code::UnknownDirective, start..start + name.len(), message);
    is_only.then(|| problem.help("use `ref` or `numref`".to_string()).as_warning())
}

/// Reports the first key that no bibliography of the site contains, if it has one.
fn citation(lookup: &Lookup<'_>, role: &Reference) -> Option<Problem> {
    let works = || lookup.shared.labels.iter().filter_map(|label| label.strip_prefix(WORK));
    let keys = role.target.split(',').map(|key| key.trim().to_lowercase());
    let unknown = keys.into_iter().find(|key| works().all(|work| work != key))?;
    works().next()?;
    let message = format!("no bibliography has the key `{unknown}`");
    let near = nearest(&unknown, works()).map(|near| format!("did you mean `{near}`?"));
    Some(Problem::new(Code::MissingAnchor, role.span.clone(), message).help(near).as_warning())
}

/// Hugo's own shortcodes: <https://gohugo.io/shortcodes/>. Those of earlier versions are in the last line.
#[rustfmt::skip]
const OF_HUGO: &[&str] = &[
    "comment", "details", "figure", "gist", "highlight", "instagram", "param", "qr", "ref", "relref", "tweet", "vimeo",
    "x", "youtube",
    "instagram_simple", "speakerdeck", "twitter", "twitter_simple", "vimeo_simple", "x_simple",
];

/// Reports parameters that differ by one letter from one in the front matter of a page. Hugo reads shortcodes in code, too.
pub(super) fn parameters(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let (text, known) = (&*subject.text, &lookup.shared.parameters);
    if known.is_empty() {
        return Vec::new();
    }
    let problem = |(at, open): (usize, &str)| {
        let rest = text[at + open.len()..].trim_start_matches(['<', '%']).trim_start();
        let named = rest.strip_prefix("param ")?.trim_start().trim_start_matches('"');
        let name = &named[..named.find(|c: char| c.is_whitespace() || matches!(c, '"' | '%' | '>'))?];
        let parameter = name.to_lowercase();
        let meant = misspelled(&parameter, known.iter().map(String::as_str));
        let meant = meant.filter(|_| !known.contains(&parameter))?;
        let start = text.len() - named.len();
        let message = format!("no page defines the parameter `{name}`");
        let problem = Problem::new(Code::UnusualValue, start..start + name.len(), message);
        Some(problem.help(format!("did you mean `{meant}`?")))
    };
    text.match_indices("{{").filter_map(problem).collect()
}

/// Reports shortcodes without a template, and those whose name differs by one letter from a known one, once per page and name.
pub(super) fn shortcodes(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let own = &lookup.shared.shortcodes;
    let has_all = subject.resolver.repository.has_all_shortcodes;
    let known = || own.iter().map(String::as_str).chain(OF_HUGO.iter().copied());
    let mut problems: Vec<Problem> = Vec::new();
    for it in &subject.page.left_out {
        let name = it.name.trim();
        let is_known = name.ends_with(".inline") || known().any(|known| known == name);
        if is_known || it.why != OmissionReason::Unknown || &*it.kind != "hugo-shortcode" {
            continue;
        }
        // Of all templates, any similar one may be meant.
        let near = misspelled(name, known()).or_else(|| nearest(name, known()).filter(|_| has_all));
        let message = format!("unknown shortcode `{name}`");
        let is_first = problems.iter().all(|it| it.message != message);
        if is_first && (near.is_some() || has_all) {
            let help = near.map_or_else(
                || format!("Hugo stops here: add `layouts/shortcodes/{name}.html`"),
                |near| format!("did you mean `{near}`?"),
            );
            problems.push(Problem::new(Code::UnknownDirective, it.span.clone(), message).help(help));
        }
    }
    problems
}

fn defines_labels(lookup: &Lookup<'_>) -> bool {
    lookup.work.project.sources.repository.defines_labels
}
