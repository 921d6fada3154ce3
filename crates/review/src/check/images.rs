//! Checks image files: their format, whether a page shows them, and duplicates.

use std::collections::HashSet;

use super::lookup::letters;
use super::{Evidence, Lookup, Subject, everywhere};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, count, size};
use base::items::only;
use base::site_path::{CONFIG, SitePath, file_name, is_of_tests};
use base::sorted::SortedSet;
use input::config::{self, Images};
use input::source::{self, Asset, Text};
use markup::markdown::ReferenceKind;
use site::plan::{Artifact, Destination};
use site::project::Project;

/// Reports files whose format differs from their extension.
pub(super) fn broken(project: &Project) -> Vec<Diagnostic> {
    let is_plain = !project.site.repository.convention.has_generator();
    // Inputs of tests may be broken on purpose.
    let is_input = |path: &SitePath| path.as_str().split('/').any(is_of_tests);
    let assets = project.sources.assets.values().filter(|asset| !is_plain || !is_input(&asset.path));
    let (pointers, assets): (Vec<&Asset>, Vec<_>) = assets.partition(|asset| is_pointer(project, asset));
    let broken = assets.into_iter().filter_map(|asset| {
        let picture = asset.picture.as_ref()?;
        let expected = picture.expected.as_ref()?;
        let (message, help) = match &picture.found {
            Some(found) if found == expected => return None,
            Some(found) => (
                format!("the file extension is for {expected}, but the file is {found}"),
                format!("save it as {expected}, or use the file extension for {found}"),
            ),
            None => (
                format!("the file extension is for {expected}, but the file is not an image"),
                "save the image again; the file is empty, damaged, or not an image".to_string(),
            ),
        };
        Some(Problem::new(Code::InvalidImage, 0..0, message).help(help).at(&asset.path))
    });
    let unread = pointers.first().map(|first| {
        let images = count(pointers.len(), "image");
        let message = format!("the content of {images} is in Git LFS, so it isn't checked");
        let problem = Problem::new(Code::InvalidImage, 0..0, message).as_advice();
        problem.help("download it with `git lfs pull`".to_string()).at(&first.path)
    });
    broken.chain(unread).collect()
}

/// Whether an image is in Git LFS, and only its pointer is here: <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>.
fn is_pointer(project: &Project, asset: &Asset) -> bool {
    const LONGEST: u64 = 1024;
    let is_unknown = asset.picture.as_ref().is_some_and(|picture| picture.found.is_none());
    let text = || project.sources.asset_text(&asset.path, LONGEST);
    is_unknown && text().is_some_and(|text| text.starts_with("version https://git-lfs.github.com/spec/"))
}

/// Reports images to which no page refers. `used` are the addresses of files to which pages refer. In other
/// generators' repositories, nothing is reported, because components, templates and style sheets, which aren't read,
/// may use them.
pub(super) fn orphans(project: &Project, used: &HashSet<&str>) -> Vec<Diagnostic> {
    if !project.site.repository.is_ours() {
        return Vec::new();
    }
    let of_site: Vec<&Address> = everywhere::named(project).collect();
    let picture = |(address, artifact): (&'_ Address, &'_ Artifact)| {
        let Artifact::Asset(path) = artifact else { return None };
        let asset = project.sources.assets.get(path).filter(|asset| asset.picture.is_some())?;
        let is_used = |address: &Address| used.contains(address.as_str()) || of_site.contains(&address);
        let is_known = is_used(address)
            || address.light().is_some_and(|light| is_used(&light))
            || is_found_by_name(address)
            || named_elsewhere(project, address);
        Some((asset, is_known))
    };
    let (known, unknown): (Vec<_>, Vec<_>) =
        project.plan.artifacts().filter_map(picture).partition(|(_, is_known)| *is_known);
    // Pages may use a symbolic link in place of its file, or the file in place of the link.
    let known: HashSet<&SitePath> =
        known.iter().map(|(asset, _)| project.sources.own_path(&asset.path)).collect();
    let unknown = unknown.into_iter().map(|(asset, _)| asset);
    unknown.filter(|asset| !known.contains(project.sources.own_path(&asset.path))).map(orphan).collect()
}

fn orphan(asset: &Asset) -> Diagnostic {
    let message = format!("unused image ({})", size(asset.size));
    let help = "delete it, or use it on a page".to_string();
    Problem::new(Code::UnusedImage, 0..0, message).help(help).data("bytes", asset.size).at(&asset.path)
}

/// Reports images whose alternative text is the name of another image in their folder, and has no word of their own.
pub(super) fn other_images(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    /// Minimum length of a text in letters.
    const SHORTEST: usize = 10;
    /// Minimum length of a word of which a name may be a form.
    const SHORTEST_WORD: usize = 3;
    // The findings depend on the names of all images.
    if subject.resolver.repository.is_ours() {
        return Vec::new();
    }
    let images = subject.links_of_kind(ReferenceKind::Image).filter(|link| link.artifact.is_some());
    let found = images.filter_map(|link| {
        let Destination::Here(here) = &link.destination else { return None };
        let text = link.reference.text.as_deref().filter(|text| text.contains(' '))?;
        let wanted = letters(text);
        let name = file_name(here.address.as_str());
        let own = letters(name);
        let mut words = text.split(|c: char| !c.is_alphanumeric()).map(letters);
        let has_own_word = words.any(|word| word.len() >= SHORTEST_WORD && own.contains(&word));
        if wanted.len() < SHORTEST || has_own_word {
            return None;
        }
        let folder = here.address.as_str().strip_suffix(name)?;
        // `fill-the-lamp-small.svg` and `light-the-lamp-small.svg`, of which the page shows one.
        let stem = |name: &str| letters(name.rsplit_once('.').map_or(name, |(stem, _)| stem));
        let is_named = |other: &&String| {
            let is_meant = stem(other).strip_prefix(&wanted).is_some_and(|rest| stem(name).ends_with(rest));
            is_meant && !subject.text.contains(&**other)
        };
        let others = lookup.images_in(folder).iter().filter(is_named);
        let meant = only(others)?;
        let message = format!("this image is `{name}`, and the text is the name of another one");
        let problem = Problem::new(Code::UnusualValue, link.reference.span.clone(), message);
        let help = format!("did you mean `{meant}`? If not, describe this image");
        Some(problem.target(&link.reference.target).help(help).as_warning())
    });
    found.collect()
}

/// Returns the distinct addresses of files that a page refers to, or that its findings suggest.
pub(super) fn used_by(subject: &Subject<'_>) -> Vec<String> {
    let file = |destination: &Destination<'_>| match destination {
        Destination::Here(here) if !here.address.is_page() => Some(here.address.as_str().to_string()),
        _ => None,
    };
    // Front matter may contain images for templates.
    let document = subject.document;
    let extra = document.front.extra.values().filter_map(serde_json::Value::as_str);
    let extra = extra.filter_map(|target| file(&subject.resolver.resolve(document, target)));
    let as_text = subject.page.problems.iter().filter_map(|problem| problem.target.as_deref());
    let as_text = as_text.filter_map(|target| file(&subject.resolver.resolve(document, target)));
    let files = subject.links.iter().filter_map(|link| file(&link.destination)).chain(extra).chain(as_text);
    let mut files: SortedSet<String> = files.collect();
    files.extend(subject.proposed.borrow().iter().cloned());
    files.into_iter().collect()
}

/// Whether browsers and systems request a file by its well-known name.
fn is_found_by_name(address: &Address) -> bool {
    let name = address.last_segment().unwrap_or_default();
    address.as_str().starts_with("/_stepkin/")
        || address.as_str().starts_with("/.well-known/")
        || source::is_found_by_name(name)
}

/// Whether a template refers to the file.
fn named_elsewhere(project: &Project, address: &Address) -> bool {
    let name = address.last_segment().unwrap_or_default();
    project.sources.templates.values().any(|template| template.text().contains(name))
}

/// Reports that AVIF is enabled although the program isn't `compiled` with it.
pub(super) fn avif_unavailable(images: Images, config: Option<&Text>, compiled: bool) -> Option<Diagnostic> {
    if compiled || !images.enabled || !images.avif {
        return None;
    }
    let text = config.map(Text::text).unwrap_or_default();
    let message = "this build of Stepkin can't encode AVIF, so images are published as WebP only";
    let help = "install Stepkin with `--features avif`, or remove the line".to_string();
    let span = config::value_span_in(&text, "images", "avif");
    Some(Problem::new(Code::AvifUnavailable, span, message).help(help).at(&CONFIG.into()))
}

/// Reports images with the same content.
pub(super) fn duplicates(project: &Project, evidence: &Evidence) -> Vec<Diagnostic> {
    let duplicate = |paths: &Vec<SitePath>| {
        let (first, others) = paths.split_first()?;
        let bytes = project.sources.assets.get(first)?.size;
        let message = format!("{} are the same image ({})", count(paths.len(), "file"), size(bytes));
        let help = "keep one of them, and use it on every page".to_string();
        let problem = Problem::new(Code::DuplicateImage, 0..0, message).help(help).data("bytes", bytes);
        Some(others.iter().fold(problem, |problem, other| problem.related(other, 0..0, "the same")).at(first))
    };
    evidence.same_pictures.iter().filter_map(duplicate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_avif(config: &str, compiled: bool, line: Option<&str>) {
        let images = config::parse(config).expect("a valid configuration").images;
        let text = Text::new(CONFIG.into(), config.into());
        let (found, text) = (avif_unavailable(images, Some(&text), compiled), text.text());
        assert_eq!(found.as_ref().map(|found| &text[found.problem.span.clone()]), line);
    }

    #[test]
    fn a_program_without_avif_reports_where_it_is_configured() {
        check_avif("[images]\navif = true\n", false, Some("true"));
        check_avif("[images]\navif = true\n", true, None);
        check_avif("[images]\navif = true\nenabled = false\n", false, None);
        check_avif("[images]\navif = false\n", false, None);
    }
}
