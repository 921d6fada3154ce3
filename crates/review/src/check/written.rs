//! Writes URLs as an author would.
//!
//! In: a target, and the address that should replace it. Out: a target for that address in the same form: relative or
//! root-relative, a file or an address, with or without the final slash. The result always resolves to the address, and the
//! name of a file is that of an existing one. If no target in the author's form does, it is the address itself. A target is
//! relative if the root of the site is unknown.

use super::Subject;
use base::address::{Address, encode};
use base::diagnostic::distance_within;
use base::site_path;
use base::sort::StableSort as _;
use site::content::DocumentId;
use site::plan::{Artifact, Destination, Lookups, relative, take_apart};
use site::work::Work;

/// Returns the query and fragment of a target.
pub(super) fn end_of(target: &str) -> &str {
    target.find(['?', '#']).map_or("", |at| &target[at..])
}

/// Returns a target for `to` in the form of `target`, with `end` after its path.
pub(super) fn written(work: &Work, subject: &Subject<'_>, target: &str, to: &Address, end: &str) -> String {
    let base = subject.resolver.written_base(target);
    let path = take_apart(&target[base.len()..]).path;
    let leads_there = |candidate: &String| {
        let destination = subject.resolver.resolve(subject.document, candidate);
        matches!(destination, Destination::Here(here) if here.address == to)
    };
    let is_rooted = path.starts_with('/') && subject.resolver.repository.has_known_root();
    let is_relative = base.is_empty() && !is_rooted;
    let is_right = || leads_there(&target.to_string()) && names_existing_file(work, subject, path, to);
    if is_relative && !path.starts_with('/') && is_right() {
        return format!("{path}{end}");
    }
    let ways = if is_relative {
        relative_ways(work, subject, path, to)
    } else {
        vec![from_root(work, subject, path, to)]
    };
    let candidates = ways.into_iter().map(|way| format!("{base}{}{end}", encoded_like(path, &way)));
    let address = || format!("{base}{}{end}", encode(to.as_str()));
    candidates.filter(|candidate| !candidate.is_empty()).find(leads_there).unwrap_or_else(address)
}

/// Returns the root-relative path in the form of `path`.
fn from_root(work: &Work, subject: &Subject<'_>, path: &str, to: &Address) -> String {
    match file_of(work, subject, to).filter(|_| path.ends_with(".md")) {
        Some(file) => format!("/{file}"),
        None => ended_like(path, to.as_str().to_string()),
    }
}

/// Returns relative paths in the form of `path`, relative to the page's file and to its address, the more similar one
/// first.
fn relative_ways(work: &Work, subject: &Subject<'_>, path: &str, to: &Address) -> Vec<String> {
    let own = subject.document.below();
    let own = format!("/{own}");
    let convention = subject.resolver.repository.convention;
    // These generators leave the path of a file as it is, so it leads to no page.
    let is_left = convention.leaves_links && (path.ends_with(".html") || path.ends_with(".htm"));
    let file = file_of(work, subject, to).map(|file| relative(&own, &format!("/{file}")));
    // Pages of some sites are found by the names of files without their endings.
    let bare = file.as_deref().and_then(|file| Some(file.rsplit_once('.')?.0.to_string()));
    let file = file.filter(|_| is_file_name(path) && !is_left);
    let starts = [own.as_str(), subject.document.address.as_str()];
    let dotted =
        |way: String| if path.starts_with("./") && !way.starts_with('.') { format!("./{way}") } else { way };
    let ways = starts.map(|start| ended_like(path, relative(start, to.as_str()))).into_iter();
    let mut ways: Vec<String> = ways.chain(bare.filter(|_| !path.ends_with('/'))).map(dotted).collect();
    // Readers of a repository follow links from file to file.
    if convention.has_generator() {
        let is_elsewhere = |way: &str| site_path::parent(way) != site_path::parent(path);
        ways.stable_sort_by_key(|way| (is_elsewhere(way), strsim::levenshtein(way, path)));
    }
    file.into_iter().map(dotted).chain(ways).collect()
}

/// Whether a path ends like the name of a page's file, possibly with a typing mistake: `install.htmll`.
fn is_file_name(path: &str) -> bool {
    let ending = site_path::file_name(path).rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_like = |known: &&str| ending.as_ref().is_some_and(|it| distance_within(it, known, 1).is_some());
    ["md", "mdx", "markdown", "html", "htm"].iter().any(is_like)
}

/// Whether a relative path isn't the name of a file, or is that of the page's file at an address.
fn names_existing_file(work: &Work, subject: &Subject<'_>, path: &str, to: &Address) -> bool {
    let file = || {
        let id = subject.map.get(to).and_then(Artifact::document)?;
        Some(work.project.site.document(id).path.as_str())
    };
    let named = || subject.resolver.repository.path_from(subject.document.path.as_str(), path);
    !is_file_name(path) || named().as_deref() == file()
}

/// Returns the path of the page at an address, relative to `content`.
fn file_of(work: &Work, subject: &Subject<'_>, to: &Address) -> Option<String> {
    let id = subject.map.get(to).and_then(Artifact::document)?;
    Some(work.project.site.document(id).below().to_string())
}

/// Gives the path of a page the same ending as `path`: a slash, the file's extension, or neither.
fn ended_like(path: &str, way: String) -> String {
    let name = site_path::file_name(path);
    match way.strip_suffix('/') {
        Some(_) if name == "index.html" => format!("{way}index.html"),
        Some(bare) if name.ends_with(".html") && !bare.is_empty() && !bare.ends_with("..") => {
            format!("{bare}.html")
        }
        Some(bare)
            if !name.is_empty() && !name.contains('.') && !bare.is_empty() && !bare.ends_with("..") =>
        {
            bare.to_string()
        }
        _ => way,
    }
}

/// Percent-encodes a path as far as necessary. Letters of other languages stay if the author writes them.
pub fn encoded_like(path: &str, way: &str) -> String {
    let plain: String = way.chars().filter(char::is_ascii).collect();
    if !path.contains('%') && encode(&plain) == plain { way.to_string() } else { encode(way) }
}

/// The same for a target on the page `id`, with its query and fragment.
pub fn written_like(work: &Work, id: DocumentId, target: &str, to: &Address) -> String {
    let asked = Lookups::default();
    written(work, &Subject::without_links(work, id, &asked), target, to, end_of(target))
}
