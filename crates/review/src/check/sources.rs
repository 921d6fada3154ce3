//! Links to files of the repository that aren't published, in repositories whose readers see all files.

use std::iter;

use percent_encoding::percent_decode_str;

use super::missing::kind;
use super::regions::alias_of;
use super::{Checked, Subject};
use base::diagnostic::{Code, Diagnostic, Problem, distance_within, nearest};
use base::site_path;
use base::sorted::{SortedMap, SortedSet};
use input::conventions::are_nearly_all;
use input::source::Sources;
use markup::markdown::{Reference, ReferenceForm};
use site::content::Document;
use site::plan::{Destination, relative, take_apart};
use site::project::Project;

/// Returns the links of a page to such files.
pub(super) fn links_to(subject: &Subject<'_>) -> Vec<Reference> {
    let is_source = |link: &&super::Link<'_>| {
        let path = take_apart(&link.reference.target).path;
        // A name without an extension may be a page of the repository's host, such as `../../issues`.
        link.destination == Destination::External
            && link.reference.form != ReferenceForm::Foreign
            && path.rsplit('/').next().is_some_and(|name| name.trim_matches('.').contains('.'))
            && subject.resolver.is_source(subject.document, path)
    };
    let repository = subject.resolver.repository;
    let is_module = |it: &&Reference| {
        let has_prefix = |prefix: &str| it.target.starts_with(prefix);
        let is_own = ["./", "../", "@site/"].into_iter().any(has_prefix)
            || repository.path_aliases.iter().any(|(alias, _)| has_prefix(alias))
            || alias_of(&it.target).is_some();
        it.form == ReferenceForm::Module && is_own
    };
    let links = subject.links.iter().filter(is_source).map(|link| link.reference);
    links.chain(subject.page.roles.iter().filter(is_module)).cloned().collect()
}

/// The folders for which aliases stand that aren't in the configuration: `@parts`, `src/parts`.
type Aliases<'p> = SortedMap<&'p str, String>;

/// Returns the alias at the start of a module's path, and the rest, unless the configuration explains it.
fn unexplained<'p>(project: &Project, reference: &'p Reference) -> Option<(&'p str, &'p str)> {
    let (target, repository) = (reference.target.as_str(), &project.site.repository);
    let is_explained = repository.path_aliases.iter().any(|(alias, _)| target.starts_with(alias.as_str()));
    let alias = alias_of(target).filter(|alias| {
        reference.form == ReferenceForm::Module && !is_explained && !matches!(*alias, "@" | "@site" | "~")
    })?;
    Some((alias, target[alias.len()..].trim_start_matches('/')))
}

/// Finds an alias' folder by its name, if it contains nearly all modules that pages import by the alias.
fn aliases<'p>(project: &Project, pages: &[&'p Checked]) -> Aliases<'p> {
    /// Minimum number of modules.
    const FEWEST: usize = 5;
    let mut modules: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
    for reference in pages.iter().flat_map(|page| &page.into_sources) {
        if let Some((alias, rest)) = unexplained(project, reference) {
            modules.entry(alias).or_default().insert(rest);
        }
    }
    modules.retain(|_, rests| rests.len() >= FEWEST);
    if modules.is_empty() {
        return Aliases::new();
    }
    let files = project.sources.all_files();
    let mut folders: SortedSet<&str> = SortedSet::new();
    for file in &files {
        folders.extend(iter::successors(Some(site_path::parent(file)), |it| {
            Some(site_path::parent(it)).filter(|_| !it.is_empty())
        }));
    }
    let folder = |(alias, rests): (&'p str, SortedSet<&str>)| {
        let name = alias.trim_start_matches(['@', '~']);
        let mut named = folders.iter().filter(|folder| site_path::file_name(folder) == name);
        let has_modules = |folder: &&&str| {
            let is_here = |rest: &&&str| has_module(&project.sources, &format!("{folder}/{rest}"));
            are_nearly_all(rests.iter().filter(is_here).count(), rests.len())
        };
        Some((alias, named.find(has_modules)?.to_string()))
    };
    modules.into_iter().filter_map(folder).collect()
}

/// Whether bundlers find a module: its path may lack the extension, or have that of the compiled file.
/// <https://webpack.js.org/configuration/resolve/#resolveextensions>, <https://vite.dev/config/shared-options.html#resolve-extensions>.
fn has_module(sources: &Sources, path: &str) -> bool {
    const ENDINGS: [&str; 13] =
        ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "json", "vue", "astro", "svelte", "mdx", "md"];
    let compiled = [".js", ".jsx", ".mjs"].into_iter().find_map(|ending| path.strip_suffix(ending));
    let mut stems = [Some(path), compiled].into_iter().flatten();
    let has_ending = |stem: &str| ENDINGS.iter().any(|it| sources.has_file(&format!("{stem}.{it}")));
    sources.has_file(path) || sources.has_folder(path) || stems.any(has_ending)
}

/// Returns the finding for a module that is in a folder next to the one that its path names.
fn in_misspelled_folder(sources: &Sources, reference: &Reference, file: &str) -> Option<Problem> {
    const MOST: usize = 2;
    let (folder, name) = file.rsplit_once('/')?;
    let (around, written) = folder.rsplit_once('/').unwrap_or(("", folder));
    let is_near = |it: &String| distance_within(it, written, MOST).is_some();
    let has_file = |it: &String| {
        let file = format!("{around}/{it}/{name}");
        let file = file.trim_start_matches('/');
        has_module(sources, file)
    };
    let meant = sources.folders_in(around).into_iter().filter(is_near).find(has_file)?;
    let message = format!("module `{}` doesn't exist", reference.target);
    let help =
        format!("use `{}`", reference.target.replacen(&format!("/{written}/"), &format!("/{meant}/"), 1));
    Some(
        Problem::new(Code::MissingFile, reference.span.clone(), message).target(&reference.target).help(help),
    )
}

/// Returns the name of the module in the same folder that resembles a missing one.
fn near_module(sources: &Sources, file: &str) -> Option<String> {
    let folder = site_path::parent(file);
    let files = sources.all_files();
    let in_folder =
        files.iter().filter(|it| site_path::parent(it) == folder).map(|it| site_path::file_name(it));
    let name = site_path::file_name(file);
    let has_ending = name.contains('.');
    let names = in_folder.map(|it| if has_ending { it } else { it.split('.').next().unwrap_or(it) });
    let folders = sources.folders_in(folder);
    nearest(name, names.chain(folders.iter().map(String::as_str))).map(str::to_string)
}

/// Reports missing files in folders that exist, and above the root. A copy of the repository may lack complete folders.
pub(super) fn missing(project: &Project, pages: &[&Checked]) -> Vec<Diagnostic> {
    let documents = project.site.documents.iter().zip(pages);
    let aliases = aliases(project, pages);
    let problem = |document: &Document, reference| {
        Some(problem(project, &aliases, document, reference)?.at(&document.path))
    };
    documents
        .flat_map(|(document, page)| page.into_sources.iter().filter_map(|link| problem(document, link)))
        .collect()
}

fn problem(
    project: &Project,
    aliases: &Aliases<'_>,
    document: &Document,
    reference: &Reference,
) -> Option<Problem> {
    let (sources, path) = (&project.sources, take_apart(&reference.target).path);
    let named = percent_decode_str(path).decode_utf8_lossy();
    let is_module = reference.form == ReferenceForm::Module;
    let exists = |file: &str| {
        sources.has_file(file) || sources.has_folder(file) || is_module && has_module(sources, file)
    };
    let repository = &project.site.repository;
    let by_alias = match unexplained(project, reference) {
        Some((alias, rest)) => Some(format!("{}/{rest}", aliases.get(alias)?)),
        None => None,
    };
    // What may create the file is looked up by its own path.
    let own_path = by_alias.as_ref().map(|it| relative(&format!("/{}", document.path), &format!("/{it}")));
    let file = by_alias.or_else(|| repository.path_from(document.path.as_str(), &named));
    let resolver = project.resolver();
    // A page may also be in the folder of that name.
    let is_file = |it: &str| repository.path_from(document.path.as_str(), it).is_some_and(|it| exists(&it));
    let is_here = |it: &&str| is_file(it) && matches!(resolver.resolve(document, it), Destination::Here(_));
    let nearer = iter::successors(reference.target.strip_prefix("../"), |it| it.strip_prefix("../"));
    let nearer = nearer.filter(is_here).last();
    if let Some(file) = &file {
        let folder = site_path::parent(file);
        let has_folder = folder.is_empty() || sources.has_folder(folder) || nearer.is_some();
        if exists(file) {
            return None;
        }
        if !has_folder {
            // A page in a folder of a language is a copy.
            let others = [Some(format!("../{named}")), named.strip_prefix("../").map(str::to_string)];
            let moved = others.into_iter().flatten().find(|it| is_module && is_file(it));
            if let Some(moved) = moved {
                let message = format!("module `{}` doesn't exist", reference.target);
                let problem = Problem::new(Code::MissingFile, reference.span.clone(), message);
                return Some(problem.target(&reference.target).help(format!("use `{moved}`")));
            }
            return in_misspelled_folder(sources, reference, file).filter(|_| is_module);
        }
    }
    // Another program may publish each page as a folder, in which links begin.
    let as_folder = format!("{}/", repository.stem(document.path.as_str()));
    if repository.is_guessed() && repository.path_from(&as_folder, &named).is_some_and(|file| exists(&file)) {
        return None;
    }
    let (code, what) = if is_module { (Code::MissingFile, "module") } else { kind(reference, path) };
    let message = format!("{what} `{}` doesn't exist", reference.target);
    let help = match (nearer, file) {
        (Some(nearer), _) => format!("use `{nearer}`"),
        (None, Some(file)) => match is_module.then(|| near_module(sources, &file)).flatten() {
            Some(near) => format!(
                "did you mean `{}{near}`?",
                &reference.target[..reference.target.len() - site_path::file_name(&reference.target).len()]
            ),
            None => format!("the repository has no file `{file}`"),
        },
        (None, None) => "it leaves the repository".to_string(),
    };
    let target = own_path.as_deref().unwrap_or(&reference.target);
    Some(Problem::new(code, reference.span.clone(), message).target(target).help(help))
}
