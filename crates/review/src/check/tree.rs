//! Checks the tree itself: skipped files, and names that are equal on some systems.

use unicode_normalization::UnicodeNormalization;

use base::diagnostic::{Code, Diagnostic, Problem};
use base::hash::{HashMap, sum};
use base::site_path::{self, CONFIG, SitePath};
use base::sorted::{SortedMap, SortedSet};
use input::source::{PassedOver, SkipReason, Sources};

/// Reports files that are skipped and shouldn't be there.
pub(super) fn passed_over(sources: &Sources) -> Vec<Diagnostic> {
    let is_page = |it: &&PassedOver| it.reason == SkipReason::PageByOtherName;
    let is_ours = sources.repository.is_ours();
    let others = sources.passed_over.iter().filter(|it| !is_page(it)).filter_map(|it| not_read(it, is_ours));
    let (links, others): (Vec<_>, Vec<_>) =
        others.partition(|it| it.problem.code == Code::OutsideSymlink && !is_ours);
    let links = links_outside(links);
    others
        .into_iter()
        .chain(links)
        .chain(unread_pages(sources, sources.passed_over.iter().filter(is_page)))
        .collect()
}

/// Reports several symbolic links once. Other generators follow them, so that they are no mistakes.
fn links_outside(links: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if links.len() < 2 {
        return links;
    }
    let message =
        format!("{} symbolic links point outside the site, and Stepkin doesn't follow them", links.len());
    let help = format!("allow their targets in {CONFIG} with `follow` under `[source]`");
    let problem = Problem::new(Code::OutsideSymlink, 0..0, message).help(help).as_advice();
    vec![problem.data("places", links.len()).at(&links[0].file)]
}

/// Reports the pages with an unsupported extension, with one finding per extension and top-level folder, because a
/// folder of them has one cause.
fn unread_pages<'s>(sources: &Sources, files: impl Iterator<Item = &'s PassedOver>) -> Vec<Diagnostic> {
    let content = sources.repository.content.path.as_str();
    let mut folders: SortedMap<(&str, String), Vec<&SitePath>> = SortedMap::new();
    for path in files.map(|it| &it.path) {
        let below = sources.repository.content.below(path.as_str()).unwrap_or(path.as_str());
        // The top-level folder of the pages. A file in it has its own.
        let folder =
            below.find('/').map_or(content, |end| &path.as_str()[..path.as_str().len() - below.len() + end]);
        let ending = path.as_str().rsplit_once('.').map_or("", |(_, ending)| ending).to_string();
        folders.entry((folder, ending)).or_default().push(path);
    }
    let finding = |((folder, ending), files): ((&str, String), Vec<&SitePath>)| {
        let [first, others @ ..] = files.as_slice() else { return None };
        let is_ours = sources.repository.is_ours();
        let endings: Vec<String> =
            sources.repository.convention.endings.iter().map(|ending| format!("`.{ending}`")).collect();
        let endings = endings.join(" or ");
        let (message, help) = match others {
            [] => (
                format!("the page is ignored because its name doesn't end in {endings}"),
                other_name(first.as_str(), is_ours),
            ),
            _ => (
                format!(
                    "{} pages in `{folder}/` are ignored because their names end in `.{ending}` and not in {endings}",
                    files.len()
                ),
                other_name(&format!("*.{ending}"), is_ours),
            ),
        };
        let problem = Problem::new(Code::UnreadPage, 0..0, message).help(help);
        Some(problem.data("pages", files.len()).at(first))
    };
    folders.into_iter().filter_map(finding).collect()
}

/// Other generators follow symbolic links to any place.
fn not_read(it: &PassedOver, is_ours: bool) -> Option<Diagnostic> {
    let (code, message, help) = match &it.reason {
        // Reported where addresses are created, and where a link refers to it. A page with another extension is
        // reported with those in its folder.
        SkipReason::NameNotUtf8 | SkipReason::Private | SkipReason::PageByOtherName => return None,
        SkipReason::Outside(target) => (
            Code::OutsideSymlink,
            format!("the symbolic link points outside the site, to `{target}`, and is not followed"),
            format!(
                "copy the files into the site, or allow it in {CONFIG} with `follow = [\"{target}\"]` under `[source]`"
            ),
        ),
        SkipReason::Dangling(target) => (
            Code::BrokenSymlink,
            format!("the symbolic link points to `{target}`, which doesn't exist"),
            "point it to a file or folder of the site, or remove it".to_string(),
        ),
        SkipReason::Loop => (
            Code::BrokenSymlink,
            "the symbolic link points to itself or to a parent folder".to_string(),
            "point it to another file or folder of the site, or remove it".to_string(),
        ),
        SkipReason::Secret => (
            Code::SecretFile,
            "the file looks like a secret and is not published".to_string(),
            "move it out of the site; if it was published before, replace the password or key".to_string(),
        ),
        SkipReason::NoFile => (
            Code::SpecialFile,
            "this is a pipe, socket, or device, and is not published".to_string(),
            "remove it".to_string(),
        ),
    };
    let problem = Problem::new(code, 0..0, message).help(help);
    let is_followed = code == Code::OutsideSymlink && !is_ours;
    Some(if is_followed { problem.as_warning() } else { problem }.at(&it.path))
}

/// Returns how to have pages with another extension read. Only Stepkin sites can choose the names of their files.
fn other_name(path: &str, is_ours: bool) -> String {
    let name = site_path::file_name(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_mdx = ending.eq_ignore_ascii_case("mdx");
    match (is_ours, is_mdx) {
        (true, true) => format!(
            "rename it to `{stem}.md`; MDX imports and components are not supported; if it is a download, move it to `static`"
        ),
        (true, false) => {
            format!("rename it to `{stem}.md`, or move it to `static` if it is a download")
        }
        (false, true) => format!(
            "if the site publishes it, add `kind = \"mdx\"` in `[source]` of {CONFIG}, and the folder of its pages as `content`"
        ),
        (false, false) => format!("if the site publishes it, rename it to `{stem}.md`"),
    }
}

/// Reports files and folders in one folder whose names are equal on macOS or Windows.
pub(super) fn confusable_names(sources: &Sources) -> Vec<Diagnostic> {
    // Similar names in a folder are equal if they are folded with their path.
    let mut known: HashMap<u128, &str> = HashMap::default();
    let mut are_all_apart = true;
    each_path(sources, |path| {
        are_all_apart &= *known.entry(sum(folded(path).as_bytes())).or_insert(path) == path;
    });
    if are_all_apart {
        return Vec::new();
    }
    let mut alike: SortedMap<(&str, String), SortedSet<&str>> = SortedMap::new();
    each_path(sources, |path| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        alike.entry((folder, folded(name))).or_default().insert(path);
    });
    alike.into_values().filter(|paths| paths.len() > 1).filter_map(confusable).collect()
}

/// Calls `take` with the path of each file and of each folder that contains files.
fn each_path<'s>(sources: &'s Sources, mut take: impl FnMut(&'s str)) {
    let files = sources.pages.keys().chain(sources.assets.keys()).map(SitePath::as_str);
    let mut last = "";
    for file in files {
        // Adjacent files share most of their folders.
        let common = file.bytes().zip(last.bytes()).take_while(|(one, other)| one == other).count();
        let ends = file.match_indices('/').map(|(at, _)| at).filter(|at| *at >= common).chain([file.len()]);
        ends.for_each(|end| take(&file[..end]));
        last = file;
    }
}

/// Returns the form that case-insensitive file systems compare: a name in lower case with decomposed letters.
fn folded(name: &str) -> String {
    if name.is_ascii() {
        name.to_ascii_lowercase()
    } else {
        // Some letters are decomposed only in lower case.
        name.nfc().flat_map(char::to_lowercase).nfc().collect()
    }
}

fn confusable(paths: SortedSet<&str>) -> Option<Diagnostic> {
    let name = |path: &str| path.rsplit_once('/').map_or(path, |(_, name)| name).to_string();
    let mut paths = paths.into_iter().rev();
    let (last, others) = (paths.next()?, paths.collect::<Vec<_>>());
    let names: Vec<String> = others.iter().map(|other| format!("`{}`", name(other))).collect();
    let by_case = others.iter().any(|other| name(other).nfc().ne(name(last).nfc()));
    let difference = if by_case { "case" } else { "Unicode encoding" };
    let message = format!(
        "some systems can't distinguish this name from {}: only the {difference} differs",
        names.join(", ")
    );
    let help = "rename one of them, or delete it if it is a duplicate".to_string();
    let problem = Problem::new(Code::ConfusableNames, 0..0, message).help(help);
    let related = |problem: Problem, other: &&str| problem.related(&(*other).into(), 0..0, "the other");
    Some(others.iter().fold(problem, related).at(&last.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::source::Asset;

    /// Checks the locations of findings for paths relative to `static/`, separated by spaces.
    #[track_caller]
    fn check(paths: &str, expected: &[&str]) {
        let mut sources = Sources::default();
        for path in paths.split_whitespace() {
            let path = SitePath::from(format!("static/{path}"));
            sources.assets.insert(path.clone(), Asset { path, size: 1, picture: None, hash: None });
        }
        let found = confusable_names(&sources);
        let found: Vec<&str> = found.iter().map(|it| it.file.below("static").expect("it is there")).collect();
        assert_eq!(found, expected, "{paths}");
    }

    #[test]
    fn names_that_some_systems_take_for_one_are_found() {
        check("A.png a.png", &["a.png"]);
        check("A.png a.png Ä.png a\u{308}.png", &["a.png", "Ä.png"]);
        check("caf\u{e9}.png cafe\u{301}.png", &["caf\u{e9}.png"]);
        check("IMG.png img.PNG Img.png", &["img.PNG"]);
    }

    #[test]
    fn the_message_explains_the_similarity_of_names() {
        for (paths, expected) in [
            ("A.png a.png", "some systems can't distinguish this name from `A.png`: only the case differs"),
            (
                "caf\u{e9}.png cafe\u{301}.png",
                "some systems can't distinguish this name from `cafe\u{301}.png`: only the Unicode encoding differs",
            ),
        ] {
            let mut sources = Sources::default();
            for path in paths.split(' ') {
                let path = SitePath::from(format!("static/{path}"));
                sources.assets.insert(path.clone(), Asset { path, size: 1, picture: None, hash: None });
            }
            let found = confusable_names(&sources);
            let said: Vec<&str> = found.iter().map(|it| it.problem.message.as_str()).collect();
            assert_eq!(said, [expected]);
        }
    }

    #[test]
    fn a_folder_is_one_finding_regardless_of_its_content() {
        check("x/Web/a.png x/Web/b.png x/web/a.png x/web/b.png", &["x/web"]);
        check("X/Web/a.png x/web/a.png", &["x"]);
        check("a/x.png A/y.png", &["a"]);
    }

    #[test]
    fn other_names_are_not_reported() {
        check("a.png b.png x/a.png y/a.png X.png a/A.png aa.png", &[]);
        check("cafe.png caf\u{e9}.png", &[]);
    }
}
