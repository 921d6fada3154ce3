//! Checks links, images and other files on a page.

use std::borrow::Cow;
use std::ops::Range;

use percent_encoding::percent_decode_str;
use rayon::prelude::*;

use super::lookup::{Lookup, exactly, letters};
use super::missing::{Missing, missing};
use super::near_anchor::{self, WantedAnchor};
use super::relative::ON_DISK;
use super::written::{end_of, written};
use super::{Evidence, Link, Subject, relative, sites, slips};
use base::address::{Address, encode, slug_of};
use base::diagnostic::{Code, Problem, Severity, distance_within, nearest};
use base::quoted::quoted;
use base::site_path::{CONFIG, SitePath};
use base::sort::StableSort as _;
use base::url::unsafe_target;
use input::conventions::{BasePath, Generator, Syntax, are_exceptions};
use markup::markdown::{Reference, ReferenceForm, ReferenceKind};
use site::content::{Document, DocumentId};
use site::pages::BATCH;
use site::plan::{Artifact, Audience, Destination, End, Here, Import, anchor, take_apart};
use site::work::Work;

/// The help for a link that runs code.
const REAL_TARGET: &str = "use the URL of a page or a file";

/// Returns findings for all missing targets of a page.
pub(super) fn references(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let found = subject.links.iter().filter_map(|link| Some((link, problem(lookup, subject, link)?)));
    found.map(|(link, problem)| looked_up(lookup, subject, link, problem)).collect()
}

/// Removes the edit of a finding if the target that it writes would be a finding again, whose help is then returned.
///
/// On a Stepkin site, a target that leads to the page is right. A large page may have many links, and is copied for each edit.
fn looked_up(lookup: &Lookup<'_>, subject: &Subject<'_>, link: &Link<'_>, found: Problem) -> Problem {
    /// Maximum length of a page in bytes.
    const LARGEST: usize = 1 << 18;
    if subject.resolver.repository.is_ours() || subject.text.len() > LARGEST {
        return found;
    }
    let edit = found.edits.first().filter(|edit| edit.span == link.reference.span);
    let Some((span, target)) = edit.map(|edit| (edit.span.clone(), edit.text.clone())) else { return found };
    let mut text = subject.text.to_string();
    text.replace_range(span.clone(), &target);
    let edited = subject.with_text(&text);
    let span = span.start..span.start + target.len();
    let reference = Reference { span, target, ..link.reference.clone() };
    // Whether a link works only on disk, and whether it has the base path, is decided by all links.
    let is_certain = |next: &Problem| {
        next.severity != Some(Severity::Info)
            && ![BASE, ON_DISK].iter().any(|key| next.data.contains_key(*key))
    };
    match problem(lookup, &edited, &edited.link(&reference)) {
        Some(next) if is_certain(&next) => {
            Problem { help: next.help.or(found.help), edits: Vec::new(), ..found }
        }
        _ => found,
    }
}

/// Returns the finding for a link.
pub(super) fn problem(lookup: &Lookup<'_>, subject: &Subject<'_>, link: &Link<'_>) -> Option<Problem> {
    if link.reference.is_unsafe() {
        let problem = unsafe_target(link.reference.span.clone(), &link.reference.target);
        let is_ours = subject.document.dialect.is_ours();
        // Another generator publishes it, and its author may mean it.
        return Some(if is_ours { problem } else { problem.as_warning().help(REAL_TARGET.to_string()) });
    }
    match &link.destination {
        _ if link.reference.form == ReferenceForm::Foreign => None,
        Destination::External => sites::problem(lookup, subject, link.reference)
            .or_else(|| slips::of_external(subject, link.reference))
            .or_else(|| label_with_prefix(lookup, link.reference)),
        // A chapter that isn't written yet: <https://rust-lang.github.io/mdBook/format/summary.html>
        Destination::Empty if subject.document.path.as_str().ends_with("SUMMARY.md") => None,
        Destination::Empty if is_filled(&subject.text, link.reference) => None,
        Destination::Empty if is_anchor(&subject.text, link.reference) => None,
        Destination::Empty => Some(empty_target(link.reference)),
        Destination::Here(here) => wrong_anchor(lookup, subject.id, link, here)
            .or_else(|| without_base(subject, link, here))
            .or_else(|| with_other_ending(lookup, subject, link.reference, here))
            .or_else(|| relative::on_disk(subject, link.reference, here))
            .or_else(|| relative::in_browser(lookup, subject, link.reference, here))
            .or_else(|| to_another_title(lookup, subject, link, here))
            .or_else(|| to_another_section(subject, link.reference, here)),
        Destination::Missing { path, other, .. }
            if [Some(path), other.as_ref()]
                .into_iter()
                .flatten()
                .any(|it| lookup.shared.evidence.routes.contains(it)) =>
        {
            None
        }
        Destination::Missing { .. } if is_ignored(subject, link.reference) => None,
        Destination::Missing { .. } if is_named_page(lookup, subject, link.reference) => None,
        Destination::Missing { .. } if is_label(lookup, link.reference) => None,
        Destination::Missing { .. } if has_any_format(subject, link.reference) => None,
        Destination::Missing { path, other, .. }
            if is_document(lookup, subject, link.reference, &[Some(path), other.as_ref()]) =>
        {
            None
        }
        Destination::Missing { path, other, .. } => {
            let (reference, other) = (link.reference, other.as_deref());
            let problem = Missing { lookup, subject, reference, path, other }.problem();
            if is_word(lookup, reference) {
                label(lookup, reference, &reference.target, problem)
            } else {
                Some(problem)
            }
        }
    }
}

/// The data of findings about links without the site's base path.
pub(super) const BASE: &str = "base";

/// Reports a root-relative link without the base path of a site whose authors write it. If most of its links lack it, the site is
/// published elsewhere: see [`habits`](super::habits).
fn without_base(subject: &Subject<'_>, link: &Link<'_>, here: &Here<'_>) -> Option<Problem> {
    let (resolver, reference) = (&subject.resolver, link.reference);
    let target = reference.target.as_str();
    let base = resolver.config.base_path();
    let is_by_author = resolver.repository.convention.base != BasePath::Added;
    // A tag or an expression may add it, and plugins add it to values of front matter.
    let is_in_front = reference.span.end <= subject.document.body;
    let before = subject.text.get(..reference.span.start).unwrap_or_default();
    let is_literal = subject.text.get(reference.span.clone()) == Some(target) && !before.ends_with('}');
    let lacks_it =
        target.starts_with('/') && !target.starts_with("//") && resolver.below_base(target).is_none();
    // The site's own generator publishes such files as `llms.txt` elsewhere.
    let is_ours = link.artifact.is_some_and(|it| it.facts().audience == Audience::Programs);
    if base.is_empty()
        || resolver.repository.is_ours()
        || !is_by_author
        || !is_literal
        || !lacks_it
        || is_ours
        || is_in_front
    {
        return None;
    }
    let message = format!("`{target}` lacks `{base}`, the base path of this site");
    // The path of a file may be that from the root of the repository.
    let is_by_address = resolver.find(take_apart(target).path).is_some();
    let meant = if is_by_address {
        format!("{base}{target}")
    } else {
        format!("{}{}", resolver.url(here.address), end_of(target))
    };
    let help = subject.help(reference, &meant, here.address);
    let problem = Problem::new(Code::MalformedLink, reference.span.clone(), message).target(target);
    let problem = problem.data(BASE, base).help(help);
    // The generator's own pages work below any path.
    let is_hosted = resolver.repository.convention.base == BasePath::Hosted;
    let problem = if is_hosted { problem.as_warning() } else { problem };
    Some(exactly(problem, subject, reference, meant))
}

/// Reports a link whose text is the title or the file name of another page in the folder of the one to which it leads.
fn to_another_title(
    lookup: &Lookup<'_>,
    subject: &Subject<'_>,
    link: &Link<'_>,
    here: &Here<'_>,
) -> Option<Problem> {
    let reference = link.reference;
    let is_whole = here.fragment.is_none() && reference.form == ReferenceForm::Target;
    let text = reference.text.as_deref().filter(|_| is_whole && reference.kind == ReferenceKind::Link)?;
    // The findings depend on the titles of all pages. On a Stepkin site, an edit of one would check every page again.
    if subject.resolver.repository.is_ours() && *here.address != subject.document.address {
        return None;
    }
    let linked = link.artifact.and_then(Artifact::document)?;
    let titled = match lookup.titled(subject, text) {
        &[titled] => titled,
        [] => sibling_named(subject, reference, text)?,
        _ => return None,
    };
    let (page, own) = (lookup.work.project.site.document(titled), lookup.work.project.site.document(linked));
    // A page with such a section is also meant by it.
    let has_section = || {
        subject.map.note(|| Import::Whole(own.address.clone()));
        lookup.work.pages[linked].headings.iter().any(|it| it.text.eq_ignore_ascii_case(text))
    };
    // An alias has a page of its own, and the page that has its text names it.
    let is_alias = || own.text().contains(text);
    // `using-operations.md` is one about "Operations".
    let name = own.below().rsplit('/').next().unwrap_or_default().to_lowercase();
    let is_about = name.contains(&slug_of(text));
    if titled == linked
        || page.address.parent() != own.address.parent()
        || is_about
        || has_section()
        || is_alias()
    {
        return None;
    }
    let message = format!("the link leads to {}, and its text names another page", quoted(&own.title));
    let problem = Problem::new(Code::UnusualValue, reference.span.clone(), message).target(&reference.target);
    let meant = written(lookup.work, subject, &reference.target, &page.address, "");
    Some(problem.help(subject.help(reference, &meant, &page.address)).as_warning())
}

/// Returns the page next to a linked one whose file name or address ends with the text of the link.
fn sibling_named(subject: &Subject<'_>, reference: &Reference, text: &str) -> Option<DocumentId> {
    let path = take_apart(&reference.target).path;
    let (path, slash) = path.strip_suffix('/').map_or((path, ""), |path| (path, "/"));
    let (folder, file) = path.rsplit_once('/').unwrap_or((".", path));
    let ending = match file.rsplit_once('.') {
        Some((_, ending)) if ENDINGS.contains(&ending) => format!(".{ending}"),
        None if !file.is_empty() => slash.to_string(),
        _ => return None,
    };
    // A name may have capital letters: `LampOptions`.
    let own = Some(text).filter(|text| text.chars().all(char::is_alphanumeric));
    let names = [Some(&*slug_of(text)), own].into_iter().flatten().map(str::to_string).collect::<Vec<_>>();
    names.into_iter().find_map(|name| {
        match subject.resolver.resolve(subject.document, &format!("{folder}/{name}{ending}")) {
            Destination::Here(here) => subject.map.get(here.address)?.document(),
            _ => None,
        }
    })
}

/// Reports a link to a section of its own page, if its text is the heading of another one next to it. Sections at other places may be
/// about the same: a type, and its fields.
fn to_another_section(subject: &Subject<'_>, reference: &Reference, here: &Here<'_>) -> Option<Problem> {
    /// Maximum length of such a section, in bytes.
    const SHORT: usize = 100;
    let wanted = here.fragment.filter(|_| *here.address == subject.document.address)?;
    let text = reference.text.as_deref().filter(|_| reference.form == ReferenceForm::Target)?;
    let headings = || subject.page.headings.iter();
    let titled: Vec<_> = headings().filter(|it| it.text.eq_ignore_ascii_case(text)).collect();
    let &[titled] = titled.as_slice() else { return None };
    // The section of a synonym only leads on: "see manifest".
    let next = headings().find(|it| it.span.start > titled.span.start).map(|it| it.span.start);
    let section = titled.span.end..next.unwrap_or(subject.text.len());
    let is_inside = |it: &&Reference| section.contains(&it.span.start);
    let mut inside = subject.page.references.iter().filter(is_inside);
    let is_short = section.len() <= SHORT && !is_inside(&reference);
    if is_short && inside.any(|it| it.target.strip_prefix('#') == Some(wanted)) {
        return None;
    }
    let linked = headings().find(|it| it.id == wanted)?;
    let (first, last) = (titled.span.start.min(linked.span.start), titled.span.start.max(linked.span.start));
    let mut between = headings().filter(|it| (first..=last).contains(&it.span.start));
    let are_neighbors = titled.level == linked.level && between.all(|it| it.level >= linked.level);
    // A translation may leave a name as it is.
    let (one, other) = (letters(&linked.text), letters(text));
    let words = text.split(|c: char| !c.is_alphanumeric()).map(letters);
    let has_all = words.filter(|word| !word.is_empty()).all(|word| one.contains(&word));
    let are_alike = other.is_empty() || has_all || other.contains(&one);
    let is_translated = text.is_ascii() && !linked.text.is_ascii();
    if are_alike || is_translated || !are_neighbors {
        return None;
    }
    let message =
        format!("the link leads to {}, and its text is the heading of another section", quoted(&linked.text));
    let problem = Problem::new(Code::UnusualValue, reference.span.clone(), message).target(&reference.target);
    Some(problem.help(format!("did you mean `#{}`?", titled.id)).as_warning())
}

/// The endings of files that links name.
const ENDINGS: [&str; 2] = ["md", "mdx"];

/// Reports `b.md` for a page whose file is `b.mdx` or `b/index.md`: generators look up the name of the file.
fn with_other_ending(
    lookup: &Lookup<'_>,
    subject: &Subject<'_>,
    reference: &Reference,
    here: &Here<'_>,
) -> Option<Problem> {
    let (project, path) = (&lookup.work.project, take_apart(&reference.target).path);
    let (stem, written) = path.rsplit_once('.').filter(|(_, ending)| ENDINGS.contains(ending))?;
    let repository = subject.resolver.repository;
    let file = repository
        .path_from(subject.document.path.as_str(), &percent_decode_str(path).decode_utf8_lossy())?;
    let id = subject.map.get(here.address).and_then(Artifact::document)?;
    let (own, ending) = project.site.document(id).path.as_str().rsplit_once('.')?;
    let named = file.strip_suffix(written).and_then(|it| it.strip_suffix('.'));
    let folder = own.rsplit_once('/').map(|(folder, _)| folder);
    // Hugo and unknown generators find a page by its address.
    let is_by_file =
        repository.convention.generator == Generator::Known && !repository.convention.has(Syntax::Shortcodes);
    let is_other =
        named == Some(own) && ending != written || named.is_some() && named == folder && is_by_file;
    let is_other = is_other && ENDINGS.contains(&ending);
    if !is_other || path.starts_with('/') || repository.is_ours() || project.sources.has_file(&file) {
        return None;
    }
    let name = if named == Some(own) {
        ""
    } else {
        own.strip_prefix(folder.unwrap_or_default()).unwrap_or_default()
    };
    let meant = format!("{stem}{name}.{ending}{}", end_of(&reference.target));
    let help = subject.help(reference, &meant, here.address);
    let problem = missing(reference).help(help);
    // A program may write the file.
    let problem = if repository.is_programmed { problem.as_warning() } else { problem };
    Some(exactly(problem, subject, reference, meant))
}

/// Whether Hugo's `ref` finds the page that alone has this name, in any folder: <https://gohugo.io/shortcodes/ref/>.
fn is_named_page(lookup: &Lookup<'_>, subject: &Subject<'_>, reference: &Reference) -> bool {
    let (repository, site) = (subject.resolver.repository, &lookup.work.project.site);
    let before = subject.text.get(..reference.span.start).unwrap_or_default();
    let name = take_apart(&reference.target).path;
    let name = name.strip_suffix(".md").unwrap_or(name);
    if !repository.convention.has(Syntax::Shortcodes) || name.contains('/') || !is_after_ref(before) {
        return false;
    }
    subject.map.note(|| Import::Addresses);
    let is_named = |document: &Document| repository.stem(document.below()).rsplit('/').next() == Some(name);
    site.documents.iter().filter(|document| is_named(document)).count() == 1
}

/// Whether a text ends with the name of a shortcode `ref` or `relref`.
pub(super) fn is_after_ref(before: &str) -> bool {
    before.trim_end_matches([' ', '"', '`']).ends_with("ref")
}

/// Whether the address in an HTML attribute is that of a document of Sphinx in another format, or is relative to a page that is
/// published as a folder: both depend on the builder. `MyST` looks up other links.
fn is_document(
    lookup: &Lookup<'_>,
    subject: &Subject<'_>,
    reference: &Reference,
    meanings: &[Option<&Cow<'_, str>>],
) -> bool {
    let before = subject.text.get(..reference.span.start).unwrap_or_default();
    let names = &lookup.shared.names;
    let is_name = |path: &&Cow<'_, str>| {
        path.strip_suffix(".html").is_some_and(|name| names.contains(name.trim_start_matches('/')))
    };
    let of_folder = || {
        let path = take_apart(&reference.target).path;
        let address = Address::new(&format!("{}{path}", subject.document.address));
        !path.starts_with('/') && subject.resolver.find(address.as_str()).is_some()
    };
    let is_myst = subject.resolver.repository.convention.has(Syntax::Myst);
    is_myst && before.ends_with(['"', '\'']) && (meanings.iter().flatten().any(is_name) || of_folder())
}

/// Whether the target of a link on a Sphinx page is a label, which `MyST` looks up after the files:
/// <https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html>.
fn is_label(lookup: &Lookup<'_>, reference: &Reference) -> bool {
    reference.kind == ReferenceKind::Link && lookup.shared.labels.contains(&reference.target.to_lowercase())
}

/// Whether an image of a Sphinx page, such as `lamp.*`, exists in some format:
/// <https://www.sphinx-doc.org/en/master/usage/restructuredtext/basics.html#images>.
fn has_any_format(subject: &Subject<'_>, reference: &Reference) -> bool {
    const FORMATS: [&str; 7] = ["svg", "png", "jpg", "jpeg", "gif", "webp", "pdf"];
    let is_myst = subject.resolver.repository.convention.has(Syntax::Myst);
    let stem = reference.target.strip_suffix(".*").filter(|_| is_myst);
    let is_there = |stem: &str, format: &str| {
        let target = format!("{stem}.{format}");
        !matches!(subject.resolver.resolve(subject.document, &target), Destination::Missing { .. })
    };
    stem.is_some_and(|stem| FORMATS.iter().any(|format| is_there(stem, format)))
}

/// Whether the target of a link on a Sphinx page can be a label, but hardly a file.
fn is_word(lookup: &Lookup<'_>, reference: &Reference) -> bool {
    lookup.work.project.sources.repository.convention.has(Syntax::Myst)
        && reference.kind == ReferenceKind::Link
        && reference.form == ReferenceForm::Target
        && !reference.target.contains(['/', '.', '#'])
}

/// Whether a tag has an attribute by which a script finds it, to fill the target in.
fn is_filled(text: &str, reference: &Reference) -> bool {
    let tag = text.get(reference.span.clone()).unwrap_or_default();
    let tag = tag.strip_prefix('<').and_then(|tag| tag.split('>').next()).unwrap_or_default();
    tag.split_ascii_whitespace()
        .any(|it| ["id=", "onclick=", "data-"].iter().any(|start| it.to_ascii_lowercase().starts_with(start)))
}

/// Whether a link without text and target only carries the ID in the attribute list after it: `[](){: #part }`. `ExDoc`, kramdown,
/// and Python-Markdown have no shorter form for an anchor in a text.
fn is_anchor(text: &str, reference: &Reference) -> bool {
    let (link, rest) = (text.get(reference.span.clone()), text.get(reference.span.end..).unwrap_or_default());
    let list = rest
        .trim_start_matches(' ')
        .strip_prefix('{')
        .and_then(|rest| Some(rest.split_once('}')?.0))
        .unwrap_or_default();
    link.is_some_and(|link| link.starts_with("[]"))
        && list.trim_start_matches(':').split_ascii_whitespace().any(|it| it.len() > 1 && it.starts_with('#'))
}

fn empty_target(reference: &Reference) -> Problem {
    let what = match reference.kind {
        ReferenceKind::Link => "the link has no target",
        ReferenceKind::Image => "the image has no target",
        ReferenceKind::File => "the attribute has no target",
    };
    let help = "add a target, or remove the markup".to_string();
    Problem::new(Code::EmptyLink, reference.span.clone(), what).help(help).target("")
}

/// For example `guide.md#`.
fn names_no_anchor(reference: &Reference) -> Problem {
    let target = reference.target.trim();
    let message = format!("no anchor after the `#` of `{target}`");
    let help = format!("add the ID of a heading, or use `{}`", target.trim_end_matches('#'));
    Problem::new(Code::EmptyLink, reference.span.clone(), message).help(help).target(target).as_advice()
}

/// Whether a fragment names lines of a file.
fn is_of_lines(fragment: &str) -> bool {
    fragment.split('-').all(|line| {
        let number = line.strip_prefix('L').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn wrong_anchor(lookup: &Lookup<'_>, from: DocumentId, link: &Link<'_>, here: &Here<'_>) -> Option<Problem> {
    let (reference, artifact) = (link.reference, link.artifact?);
    let is_myst = lookup.work.project.sources.repository.convention.has(Syntax::Myst);
    // `![](#label)` shows what the label names.
    let is_embedded = is_myst && reference.target.starts_with('#');
    let is_page = here.address.is_page() && artifact.document().is_some();
    if reference.kind == ReferenceKind::Image && is_page && !is_embedded {
        let message = format!("`{}` is a page, not an image", reference.target);
        return Some(
            Problem::new(Code::MissingImage, reference.span.clone(), message).target(&reference.target),
        );
    }
    if here.fragment?.is_empty() && !reference.target.starts_with('#') {
        return Some(names_no_anchor(reference));
    }
    // A router in the browser treats such a fragment as a path: `#/guide/install`. A link to `#0` does nothing, not even scroll.
    let wanted = anchor(here.fragment?).filter(|it| !it.starts_with(['/', '!']) && it != "0")?;
    // GitHub shows the lines of a file: `#L10-L20`.
    let shows_lines =
        !lookup.work.project.sources.repository.convention.has_generator() && is_of_lines(&wanted);
    if shows_lines || lookup.shared.of_several.contains(here.address) {
        return None;
    }
    let document = artifact.document();
    let raw = here.fragment.unwrap_or_default();
    let is_written = |id: DocumentId| lookup.anchor(id, &wanted).or_else(|| lookup.anchor(id, raw)).is_some();
    if document.is_some_and(is_written) {
        return None;
    }
    let known = lookup.anchors_at(artifact)?;
    let is_made = |id: DocumentId| lookup.is_made(id, &wanted) || lookup.is_made(id, raw);
    // A program or a template fills a page without any text.
    let is_filled = |id: DocumentId| {
        let page = &lookup.work.pages[id];
        !lookup.work.project.sources.repository.is_ours()
            && page.headings.is_empty()
            && (page.prose.text().trim().is_empty() || page.prose.text().trim().starts_with("{/*"))
            && page.references.is_empty()
    };
    if document.is_some_and(|id| is_filled(id) || is_in_open_fence(lookup, id, &wanted)) {
        return None;
    }
    let is_snippet = document == Some(from)
        && lookup.shared.included.contains(&lookup.work.project.site.document(from).path);
    let layouts = &lookup.work.project.sources.repository.layouts;
    if is_snippet || known.contains(&wanted) || layouts.contains(&wanted) || document.is_some_and(is_made) {
        return None;
    }
    let repository = &lookup.work.project.sources.repository;
    // Before 0.4.9, mdBook wrote an `a` before an ID that begins with a digit.
    let without_a = wanted.strip_prefix('a').filter(|it| it.starts_with(|c: char| c.is_ascii_digit()));
    if repository.convention.has(Syntax::Mdbook)
        && without_a.is_some_and(|id| known.iter().any(|it| it == id))
    {
        return None;
    }
    let is_label = is_myst && reference.target.starts_with('#');
    if is_myst && lookup.shared.labels.contains(&raw.to_lowercase()) {
        return None;
    }
    let place = if document == Some(from) { "this page".to_string() } else { format!("`{}`", here.address) };
    let text = lookup.work.project.site.document(from).text();
    let others = near_anchor::others(&text, &lookup.work.pages[from], reference);
    let mut problem = missing_anchor(reference, &place, &wanted, &known, &others);
    if is_label {
        return label(lookup, reference, raw, problem);
    }
    if problem.help.is_none() && document != Some(from) && lookup.anchor(from, &wanted).is_some() {
        problem.help = Some(format!("did you mean `#{wanted}` on this page?"));
    }
    // Readers don't see a link without text.
    let is_unseen = text.get(..reference.span.start).is_some_and(|before| before.ends_with("[]("));
    let is_in_other_case = known.iter().any(|it| it.to_lowercase() == wanted.to_lowercase());
    // GitHub finds a heading in any case. Other hosts don't, but may have other rules for the signs between words.
    let is_of_other_rule = wanted.contains(|c: char| c == '_' || c.is_uppercase());
    let has_letters = || is_of_other_rule && known.iter().any(|it| letters(it) == letters(&wanted));
    let may_be_found = !repository.convention.has_generator() && (is_in_other_case || has_letters());
    // The host's own page may be another program's, with the site in a folder.
    let may_be_elsewhere = here.from_own_host && here.address.as_str() == "/" && !repository.is_ours();
    let is_uncertain = is_unseen || may_be_found || may_be_elsewhere;
    let problem = if is_uncertain { problem.as_warning() } else { problem };
    if matches!(artifact, Artifact::Folder(_)) {
        let by_name = lookup.unread(here.address.as_str());
        let help = || format!("remove `#{raw}`; the page lists the content of the folder");
        return Some(problem.help(by_name.unwrap_or_else(help)));
    }
    Some(match document.filter(|_| !is_in_other_case).and_then(|id| lookup.left_out(id, &wanted)) {
        Some(_) if is_nearly_one(&wanted, &known) => problem.as_warning(),
        Some(left_out) => problem
            .help(format!("it may be in content that was left out of that page: {}", quoted(&left_out)))
            .as_advice(),
        None => problem,
    })
}

/// Whether docsify leaves a target as it is: <https://docsify.js.org/#/helpers?id=ignore-to-compile-link>.
fn is_ignored(subject: &Subject<'_>, reference: &Reference) -> bool {
    let title = subject.text.get(reference.span.end..).unwrap_or_default().trim_start_matches(['>', ' ']);
    title.strip_prefix(['"', '\'']).is_some_and(|title| title.starts_with(":ignore"))
}

/// Whether the heading with an ID is in a code block without an end, which is a finding of its own.
fn is_in_open_fence(lookup: &Lookup<'_>, id: DocumentId, wanted: &str) -> bool {
    let fences = lookup.work.pages[id].problems.iter().filter(|it| it.code == Code::UnclosedFence);
    let is_meant = |line: &str| line.starts_with('#') && letters(line) == letters(wanted);
    let is_within = |problem: &Problem| {
        let text = lookup.work.project.site.document(id).unwrapped_text();
        text.get(problem.span.start..).unwrap_or_default().lines().any(is_meant)
    };
    fences.into_iter().any(is_within)
}

/// Whether an anchor has the letters of a known one, or consists of several words or many letters and resembles one, so that it is rather
/// misspelled than in content that was left out.
fn is_nearly_one(wanted: &str, known: &[String]) -> bool {
    const FEWEST_WORDS: usize = 3;
    const FEWEST_LETTERS: usize = 12;
    let goes_on = |it: &String| {
        it.contains('-') && wanted.strip_prefix(it.as_str()).is_some_and(|rest| rest.starts_with('-'))
    };
    let is_near = |it: &String| distance_within(wanted, it, wanted.len() / 5).is_some() || goes_on(it);
    let is_alike = |it: &String| letters(it) == letters(wanted);
    // `#the-limits` for `#limits`, and the reverse.
    let is_part = |whole: &str, part: &str| {
        whole.strip_suffix(part).is_some_and(|rest| rest.ends_with('-')) && part.contains('-')
    };
    let is_end = |it: &String| is_part(it, wanted) || is_part(wanted, it);
    let is_one_letter_off = |it: &String| distance_within(wanted, it, 1).is_some();
    known.iter().any(is_alike)
        || known.iter().any(is_end)
        || wanted.split('-').count() >= FEWEST_WORDS && known.iter().any(is_near)
        || wanted.len() >= FEWEST_LETTERS && known.iter().any(is_one_letter_off)
}

/// Returns the finding for a link to an unknown label, `[text](#label)` or `[text](label)`, which Sphinx looks up in all
/// documents. If an extension creates labels, only a similar name shows a mistake.
fn label(lookup: &Lookup<'_>, reference: &Reference, label: &str, problem: Problem) -> Option<Problem> {
    let near = nearest(label, lookup.shared.labels.iter().map(String::as_str));
    let mut problem = problem;
    problem.message = format!("no page has the label or heading {}", quoted(label));
    if problem.help.is_none() {
        let sign = if reference.target.starts_with('#') { "#" } else { "" };
        problem.help = near.map(|near| format!("did you mean `{sign}{near}`?"));
    }
    let is_certain = !lookup.work.project.sources.repository.defines_labels;
    let is_object = reference.target.contains(['.', ':', '(', '_'])
        || reference.target.contains(|c: char| c.is_ascii_uppercase());
    match () {
        () if is_certain => Some(problem),
        () if problem.help.is_some() && !is_object => Some(problem.as_warning()),
        () if !is_object => Some(problem.as_advice()),
        () => None,
    }
}

/// Returns the finding for an unknown label with the prefix of others, which looks like a scheme: `[](oil:lamps)`.
fn label_with_prefix(lookup: &Lookup<'_>, reference: &Reference) -> Option<Problem> {
    let (target, labels) = (reference.target.to_lowercase(), &lookup.shared.labels);
    let (prefix, rest) = target.split_once(':').filter(|_| is_word(lookup, reference))?;
    let is_own = |label: &String| label.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(':'));
    let is_label = !rest.starts_with('/') && !labels.contains(&target) && labels.iter().any(is_own);
    let near = nearest(&target, labels.iter().map(String::as_str)).filter(|_| is_label)?;
    let message = format!("no page has the label {}", quoted(&target));
    let problem =
        Problem::new(Code::MissingAnchor, reference.span.clone(), message).target(&reference.target);
    Some(problem.help(format!("did you mean `{near}`?")).as_warning())
}

/// Returns the finding for an anchor that a page lacks. `others` are anchors of the page that aren't meant.
pub(super) fn missing_anchor(
    reference: &Reference,
    place: &str,
    wanted: &str,
    known: &[String],
    others: &[String],
) -> Problem {
    let rest = reference.target.strip_prefix('#').filter(|rest| rest.contains(".md") || rest.contains("://"));
    let (message, help) = if rest.is_some() {
        let message = format!("`{}` is an anchor of this page, because it begins with `#`", reference.target);
        (message, Some("remove the first `#`".to_string()))
    } else {
        let near = WantedAnchor { id: wanted, text: reference.text.as_deref(), place, others }.nearest(known);
        (format!("{place} has no anchor `{wanted}`"), near.map(|near| format!("did you mean `#{near}`?")))
    };
    Problem::new(Code::MissingAnchor, reference.span.clone(), message).help(help).target(&reference.target)
}

/// A link to another site.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalLink {
    pub file: SitePath,
    pub span: Range<usize>,
    /// Original text, without the fragment.
    pub url: String,
}

/// Returns every http or https link to another site, by file and position.
pub fn external_links(work: &Work) -> Vec<ExternalLink> {
    let resolver = work.project.resolver();
    let of_some = |some: &[DocumentId]| -> Vec<ExternalLink> {
        let pages = work.pages.fresh();
        let of_page = |id: DocumentId| {
            let document = work.project.site.document(id);
            let links = pages[id].references.iter().filter_map(|reference| {
                let url = external_url(&resolver.resolve(document, &reference.target), &reference.target)?;
                Some(ExternalLink { file: document.path.clone(), span: reference.span.clone(), url })
            });
            links.collect::<Vec<_>>()
        };
        some.par_iter().copied().flat_map_iter(of_page).collect()
    };
    let documents: Vec<DocumentId> = work.project.site.documents.indices().collect();
    let on_every_page =
        work.project.site.config.links().filter(|link| link.path().is_none()).filter_map(|link| {
            let (file, url) = (CONFIG.into(), external_url(&Destination::External, link.url.get_ref())?);
            Some(ExternalLink { file, span: link.url.span(), url })
        });
    let mut links: Vec<ExternalLink> =
        documents.chunks(BATCH).flat_map(of_some).chain(on_every_page).collect();
    links.stable_sort_by(|a, b| (&a.file, a.span.start, &a.url).cmp(&(&b.file, b.span.start, &b.url)));
    // A shared page's links are returned once for all of its platforms.
    links.dedup();
    links
}

fn external_url(destination: &Destination<'_>, target: &str) -> Option<String> {
    let target = target.trim();
    let lower = target.to_ascii_lowercase();
    let is_web = lower.starts_with("http://") || lower.starts_with("https://");
    let url = target.split('#').next().unwrap_or_default().to_string();
    (*destination == Destination::External && is_web).then_some(url)
}

/// Reports external links that are dead or couldn't be verified, if they were checked.
#[cfg(feature = "external")]
pub(super) fn external(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let evidence = lookup.shared.evidence;
    if evidence.external.is_empty() {
        return Vec::new();
    }
    let links = subject.links.iter().filter_map(|Link { reference, destination, .. }| {
        unanswered(evidence, destination, &reference.target, &reference.span)
    });
    links.collect()
}

/// Returns the finding for an external link that is dead or couldn't be verified.
#[cfg(feature = "external")]
pub(super) fn unanswered(
    evidence: &Evidence,
    destination: &Destination<'_>,
    target: &str,
    span: &Range<usize>,
) -> Option<Problem> {
    use input::external::Verdict;
    let url = external_url(destination, target)?;
    let (code, message, help) = match evidence.external.get(&url)? {
        Verdict::Alive => return None,
        Verdict::Dead(reason) => {
            (Code::DeadLink, format!("`{url}` is dead: {reason}"), "update or remove the link")
        }
        Verdict::Unknown(reason) => {
            (Code::UnverifiedLink, format!("could not check `{url}`: {reason}"), "open it in a browser")
        }
    };
    Some(Problem::new(code, span.clone(), message).help(help.to_string()).target(target))
}

/// Without the feature, no external links are checked.
#[cfg(not(feature = "external"))]
pub(super) fn external(_: &Lookup<'_>, _: &Subject<'_>) -> Vec<Problem> {
    Vec::new()
}

/// The same for a link on every page.
#[cfg(not(feature = "external"))]
pub(super) fn unanswered(_: &Evidence, _: &Destination<'_>, _: &str, _: &Range<usize>) -> Option<Problem> {
    None
}

/// Reports absolute links to the site's own host if the page is on this site.
pub(super) fn own_hosts(subject: &Subject<'_>) -> Vec<Problem> {
    let links = subject.links.iter().filter_map(|link| match &link.destination {
        Destination::Here(here) if here.from_own_host => Some((link.reference, here)),
        _ => None,
    });
    links
        .map(|(reference, here)| {
            let fragment = here.fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
            let address = here.address.as_str();
            // Another generator's addresses may lack the final slash.
            let is_bare =
                !subject.document.dialect.is_ours() && !take_apart(&reference.target).path.ends_with('/');
            let address =
                address.strip_suffix('/').filter(|bare| is_bare && !bare.is_empty()).unwrap_or(address);
            let resolver = &subject.resolver;
            let base = if resolver.repository.convention.base == BasePath::Added {
                ""
            } else {
                resolver.config.base_path()
            };
            let meant = format!("{base}{}{}{fragment}", encode(address), here.query);
            let message = format!("`{}` is an absolute link to this site", reference.target);
            let is_bare = reference.form == ReferenceForm::Bare;
            let meant_here = if is_bare { format!("[…]({meant})") } else { meant.clone() };
            let help = format!("use `{meant_here}`, which works wherever the site is hosted");
            let problem =
                Problem::new(Code::AbsoluteInternalLink, reference.span.clone(), message).help(help);
            problem.target(&reference.target).data("address", meant.as_str())
        })
        .collect()
}

/// Reports a link of a translated page to the original of another translated page, if the page's other links stay in its language.
pub(super) fn leaving_language(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let resolver = &subject.resolver;
    if resolver.repository.localizes_links() {
        return Vec::new();
    }
    // The pages of a language are a site of their own, or a folder among others.
    let config = &resolver.config;
    let languages = lookup.work.project.sources.translations.as_ref().map(|it| &it.languages);
    let own = || {
        let languages = languages?;
        let (own, _) = languages.translated(subject.document.path.as_str())?;
        Some((languages.translations[own].path.as_str(), config.base_path()))
    };
    let separate = Some((config.language_path.as_str(), config.root_path()));
    let Some((language, root)) = separate.filter(|(language, _)| !language.is_empty()).or_else(own) else {
        return Vec::new();
    };
    // A page that the language lacks may be shown in that of the original.
    let is_page = |target: &str| match resolver.resolve(subject.document, target) {
        Destination::Here(here) => {
            let document = subject.map.get(here.address).and_then(Artifact::document);
            document.is_some_and(|id| lookup.work.project.site.document(id).foreign.is_none())
        }
        _ => false,
    };
    let absolute = subject.links.iter().filter_map(|link| {
        let rest = link.reference.target.strip_prefix(root).filter(|rest| rest.starts_with('/'))?;
        Some((link.reference, rest))
    });
    let is_own = |rest: &str| rest.strip_prefix(language).is_some_and(|rest| rest.starts_with('/'));
    let (staying, others): (Vec<_>, Vec<_>) = absolute.partition(|(_, rest)| is_own(rest));
    // The path of another language isn't part of the page's.
    let view = lookup.work.project.sources.view.as_deref();
    let of_view = view.into_iter().flat_map(|view| view.languages.iter()).map(|it| it.path.as_str());
    let of_site = languages.into_iter().flat_map(|it| it.translations.iter()).map(|it| it.path.as_str());
    let paths: Vec<&str> = of_view.chain(of_site).filter(|path| !path.is_empty()).collect();
    let below = |rest: &'_ str| {
        let mut below = paths.iter().filter_map(|path| rest.strip_prefix(path));
        below.find(|rest| rest.starts_with('/')).unwrap_or(rest).to_string()
    };
    let meant =
        others.into_iter().map(|(reference, rest)| (reference, format!("{root}{language}{}", below(rest))));
    let leaving: Vec<_> = meant.filter(|(_, meant)| is_page(meant)).collect();
    if !are_exceptions(leaving.len(), staying.len()) {
        return Vec::new();
    }
    let found = leaving.into_iter().map(|(reference, meant)| {
        let message =
            format!("`{}` leads to another language, although this one has the page", reference.target);
        let problem = Problem::new(Code::TranslationLink, reference.span.clone(), message);
        problem.help(format!("use `{meant}`")).target(&reference.target)
    });
    found.collect()
}

/// Reports links to a preview of this site on the author's computer. Its start page may be that of a reader's own program.
pub(super) fn previews(subject: &Subject<'_>) -> Vec<Problem> {
    const DEEP: usize = 2;
    let is_local = |host: &str| ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"].contains(&host);
    let external = subject.links.iter().filter(|link| link.destination == Destination::External);
    let found = external.filter_map(|link| {
        let target = link.reference.target.trim();
        let (_, rest) = target.split_once("://").filter(|(scheme, _)| ["http", "https"].contains(scheme))?;
        let (authority, _) = rest.split_once('/')?;
        let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
        let path = &rest[authority.len()..];
        let is_deep = take_apart(path).path.split('/').filter(|part| !part.is_empty()).count() >= DEEP;
        let here = || matches!(subject.resolver.resolve(subject.document, path), Destination::Here(_));
        (is_local(host) && is_deep && here()).then(|| {
            let message = format!("`{target}` is a page on the author's computer");
            let problem = Problem::new(Code::AbsoluteInternalLink, link.reference.span.clone(), message);
            problem.help(format!("use `{path}`")).target(target).as_warning()
        })
    });
    found.collect()
}

/// Reports links to old URLs, which work only as long as the redirect exists. Their fragments must exist on the
/// target page.
pub(super) fn moved(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let links = subject.links.iter().filter(|link| !link.reference.is_unsafe());
    links.filter_map(|link| moved_link(lookup, subject, link)).collect()
}

fn moved_link(lookup: &Lookup<'_>, subject: &Subject<'_>, link: &Link<'_>) -> Option<Problem> {
    let (from, end, fragment) = match &link.destination {
        Destination::Here(here) => {
            (here.address.clone(), subject.map.end(here.address)?.clone(), here.fragment)
        }
        Destination::Missing { path, .. } => {
            (Address::new(path), end_of_routes(lookup, subject, path)?, None)
        }
        Destination::External | Destination::Empty => return None,
    };
    let moved = Moved { from, end, fragment };
    moved.missing_anchor(lookup, subject, link).or_else(|| moved.problem(lookup, subject, link.reference))
}

/// Follows the redirects of routes from a path.
fn end_of_routes(lookup: &Lookup<'_>, subject: &Subject<'_>, path: &str) -> Option<End> {
    /// Browsers follow some more.
    const MOST: usize = 8;
    let routes = &lookup.shared.evidence.routes;
    let mut end = subject.end_of_route(&routes.redirect(path)?)?;
    for _ in 1..MOST {
        let End::Missing(path) = &end else { break };
        let Some(to) = routes.redirect(path) else { break };
        end = subject.end_of_route(&to)?;
    }
    Some(end)
}

/// A link through redirects.
struct Moved<'a> {
    from: Address,
    end: End,
    /// The fragment of the link.
    fragment: Option<&'a str>,
}

impl Moved<'_> {
    /// Returns the finding if the target of the redirect lacks the link's anchor.
    fn missing_anchor(&self, lookup: &Lookup<'_>, subject: &Subject<'_>, link: &Link<'_>) -> Option<Problem> {
        let End::Here { address, fragment: None, .. } = &self.end else { return None };
        let wanted = anchor(self.fragment?)?;
        let known = lookup.anchors_at(link.landing?)?;
        if known.iter().any(|id| *id == wanted || Some(id.as_str()) == self.fragment) {
            return None;
        }
        let (reference, target) = (link.reference, link.reference.target.trim());
        let message = format!("`{}` redirects to `{address}`, which has no anchor `{wanted}`", self.from);
        let near = nearest(&wanted, known.iter().map(String::as_str)).map(|near| format!("#{near}"));
        let query = end_of(target).split('#').next().unwrap_or_default();
        let end = format!("{query}{}", near.as_deref().unwrap_or_default());
        let meant = written(lookup.work, subject, target, address, &end);
        let help = match near {
            Some(_) => format!("did you mean `{meant}`?"),
            None => subject.help(reference, &meant, address),
        };
        let problem = Problem::new(Code::MissingAnchor, reference.span.clone(), message).help(help);
        Some(problem.target(&reference.target).data("moved_to", address.as_str()))
    }

    fn problem(&self, lookup: &Lookup<'_>, subject: &Subject<'_>, reference: &Reference) -> Option<Problem> {
        let target = reference.target.trim();
        let message = format!("`{}` has moved", reference.target);
        let problem =
            Problem::new(Code::MovedPage, reference.span.clone(), message).target(&reference.target);
        let (meant, address, known) = match &self.end {
            // The address of a folder that redirects to one of its pages is intentional.
            End::Here { address, .. } if is_within(address, &self.from) => return None,
            End::Here { address, query, fragment } => {
                let end = match fragment {
                    Some(fragment) => format!("{query}#{fragment}"),
                    None => end_of(target).to_string(),
                };
                (written(lookup.work, subject, target, address, &end), address.to_string(), address.clone())
            }
            End::External(url) => (url.clone(), url.clone(), self.from.clone()),
            // The wrong redirect is reported at its own location.
            End::Missing(path) if !lookup.shared.evidence.routes.contains(path) => return None,
            End::Missing(path) => {
                let address = Address::new(path);
                let meant = format!("{}{}", encode(path), end_of(target));
                (meant, address.to_string(), address)
            }
        };
        let help = subject.help(reference, &meant, &known);
        let problem = problem.help(help).data("moved_to", address);
        // Targets outside the site, or that only a route provides, haven't been checked.
        let is_here = matches!(self.end, End::Here { .. });
        Some(if is_here { exactly(problem, subject, reference, meant) } else { problem })
    }
}

/// Whether an address is in a folder, but isn't the folder itself.
fn is_within(address: &Address, folder: &Address) -> bool {
    let folder = folder.as_page();
    address.as_str().len() > folder.as_str().len() && address.as_str().starts_with(folder.as_str())
}

/// Reports a `redirect` to a missing target or to itself.
pub(super) fn redirect(work: &Work, lookup: &Lookup<'_>, subject: &Subject<'_>) -> Option<Problem> {
    let target = subject.document.front.redirect.clone()?;
    let span = subject.document.front.redirect_span.clone()?;
    let mut seen = vec![subject.document.address.clone()];
    let mut next = subject.resolver.resolve(subject.document, &target);
    while let Destination::Here(here) = &next {
        // The other page at this address is the target.
        if lookup.shared.of_several.contains(here.address) {
            return None;
        }
        if seen.contains(here.address) {
            let way: Vec<String> =
                seen.iter().chain([here.address]).map(|address| format!("`{address}`")).collect();
            let message = format!("redirect loop: {}", way.join(" → "));
            let help = "point it to a page".to_string();
            return Some(Problem::new(Code::RedirectLoop, span, message).help(help).target(target));
        }
        seen.push(here.address.clone());
        let Some(Artifact::Redirect { to, from }) = subject.map.get(here.address) else { break };
        next = subject.resolver.resolve(work.project.site.document(*from), to);
    }
    let is_last = seen.len() == 1 || seen.len() == 2 && matches!(next, Destination::Here(_));
    let reference = Reference {
        kind: ReferenceKind::Link,
        target: target.clone(),
        text: None,
        span,
        form: ReferenceForm::Target,
    };
    is_last.then(|| problem(lookup, subject, &subject.link(&reference))).flatten()
}
