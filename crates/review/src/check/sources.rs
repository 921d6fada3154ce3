//! Links to files of the repository that aren't published, in repositories whose readers see all files.

use std::cell::OnceCell;
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

/// The modules that pages import.
struct Modules<'p> {
    project: &'p Project,
    /// The folders for which aliases stand that aren't in the configuration: `@parts`, `src/parts`.
    aliases: SortedMap<&'p str, String>,
    /// The paths of all files, when they are first needed.
    files: OnceCell<Vec<String>>,
}

impl<'p> Modules<'p> {
    /// Finds the folder of each alias by its name, if it contains nearly all modules that pages import by the alias.
    fn of(project: &'p Project, pages: &[&'p Checked]) -> Self {
        /// Minimum number of modules.
        const FEWEST: usize = 5;
        let mut modules = Self { project, aliases: SortedMap::new(), files: OnceCell::new() };
        let mut by_alias: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
        for reference in pages.iter().flat_map(|page| &page.into_sources) {
            if let Some((alias, rest)) = unexplained(project, reference) {
                by_alias.entry(alias).or_default().insert(rest);
            }
        }
        by_alias.retain(|_, rests| rests.len() >= FEWEST);
        let folder = |(alias, rests): (&'p str, SortedSet<&str>)| {
            let name = alias.trim_start_matches(['@', '~']);
            let mut folders = modules.folders(name).into_iter();
            let has_modules = |folder: &&str| {
                let is_here = |rest: &&&str| has_module(&project.sources, &format!("{folder}/{rest}"));
                are_nearly_all(rests.iter().filter(is_here).count(), rests.len())
            };
            Some((alias, folders.find(has_modules)?.to_string()))
        };
        modules.aliases = by_alias.into_iter().filter_map(folder).collect();
        modules
    }

    fn files(&self) -> &[String] {
        self.files.get_or_init(|| self.project.sources.all_files())
    }

    /// Returns the folders with a name that contain files.
    fn folders(&self, name: &str) -> SortedSet<&str> {
        let files = self.files().iter();
        let folders = files.flat_map(|file| file.match_indices('/').map(move |(end, _)| &file[..end]));
        folders.filter(|folder| site_path::file_name(folder) == name).collect()
    }

    /// Returns the name of the module in the same folder that resembles a missing one.
    fn near(&self, file: &str) -> Option<String> {
        let (folder, name) = (site_path::parent(file), site_path::file_name(file));
        let has_ending = name.contains('.');
        let in_folder = self.files().iter().filter(|it| site_path::parent(it) == folder);
        let names = in_folder.map(|it| site_path::file_name(it));
        let names = names.map(|it| if has_ending { it } else { it.split('.').next().unwrap_or(it) });
        let folders = self.project.sources.folders_in(folder);
        nearest(name, names.chain(folders.iter().map(String::as_str))).map(str::to_string)
    }
}

/// Returns the alias at the start of a module's path, and the rest, unless the configuration explains it.
fn unexplained<'p>(project: &Project, reference: &'p Reference) -> Option<(&'p str, &'p str)> {
    let (target, repository) = (reference.target.as_str(), &project.site.repository);
    let is_explained = repository.path_aliases.iter().any(|(alias, _)| target.starts_with(alias.as_str()));
    let alias = alias_of(target).filter(|alias| {
        reference.form == ReferenceForm::Module && !is_explained && !matches!(*alias, "@" | "@site" | "~")
    })?;
    Some((alias, target[alias.len()..].trim_start_matches('/')))
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

/// Reports missing files in folders that exist, and above the root. A copy of the repository may lack complete folders.
pub(super) fn missing(project: &Project, pages: &[&Checked]) -> Vec<Diagnostic> {
    let documents = project.site.documents.iter().zip(pages);
    let modules = Modules::of(project, pages);
    let problem =
        |document: &Document, reference| Some(problem(&modules, document, reference)?.at(&document.path));
    documents
        .flat_map(|(document, page)| page.into_sources.iter().filter_map(|link| problem(document, link)))
        .collect()
}

fn problem(modules: &Modules<'_>, document: &Document, reference: &Reference) -> Option<Problem> {
    if reference.form == ReferenceForm::Module {
        return missing_module(modules, document, reference);
    }
    let project = modules.project;
    let (sources, path) = (&project.sources, take_apart(&reference.target).path);
    let named = percent_decode_str(path).decode_utf8_lossy();
    let exists = |file: &str| sources.has_file(file) || sources.has_folder(file);
    let repository = &project.site.repository;
    let file = repository.path_from(document.path.as_str(), &named);
    let resolver = project.resolver();
    // A page may also be in the folder of that name.
    let is_file = |it: &str| repository.path_from(document.path.as_str(), it).is_some_and(|it| exists(&it));
    let is_here = |it: &&str| is_file(it) && matches!(resolver.resolve(document, it), Destination::Here(_));
    let nearer = iter::successors(reference.target.strip_prefix("../"), |it| it.strip_prefix("../"));
    let nearer = nearer.filter(is_here).last();
    if let Some(file) = &file {
        let folder = site_path::parent(file);
        let has_folder = folder.is_empty() || sources.has_folder(folder) || nearer.is_some();
        if !has_folder || exists(file) {
            return None;
        }
    }
    // Another program may publish each page as a folder, in which links begin.
    let as_folder = format!("{}/", repository.stem(document.path.as_str()));
    if repository.is_guessed() && repository.path_from(&as_folder, &named).is_some_and(|file| exists(&file)) {
        return None;
    }
    let (code, what) = kind(reference, path);
    let message = format!("{what} `{}` doesn't exist", reference.target);
    let help = match (nearer, file) {
        (Some(nearer), _) => format!("use `{nearer}`"),
        (None, Some(file)) => format!("the repository has no file `{file}`"),
        (None, None) => "it leaves the repository".to_string(),
    };
    Some(Problem::new(code, reference.span.clone(), message).target(&reference.target).help(help))
}

/// Returns the finding for a module that doesn't exist, if its folder does, or a similar path leads to one.
fn missing_module(modules: &Modules<'_>, document: &Document, reference: &Reference) -> Option<Problem> {
    let (project, target, page) = (modules.project, reference.target.as_str(), document.path.as_str());
    let (sources, repository) = (&project.sources, &project.site.repository);
    let named = percent_decode_str(take_apart(target).path).decode_utf8_lossy();
    let by_alias = match unexplained(project, reference) {
        Some((alias, rest)) => Some(format!("{}/{rest}", modules.aliases.get(alias)?)),
        None => None,
    };
    // What may create the module is looked up by its own path.
    let own_path = by_alias.as_ref().map(|it| relative(&format!("/{page}"), &format!("/{it}")));
    let file = by_alias.or_else(|| repository.path_from(page, &named));
    if file.as_ref().is_some_and(|file| has_module(sources, file)) {
        return None;
    }
    let has_folder = |file: &str| {
        let folder = site_path::parent(file);
        folder.is_empty() || sources.has_folder(folder)
    };
    // A page in the folder of a language is a copy.
    let others = || [Some(format!("../{named}")), named.strip_prefix("../").map(str::to_string)];
    let is_here = |it: &String| repository.path_from(page, it).is_some_and(|file| has_module(sources, &file));
    let help = match file {
        Some(file) if has_folder(&file) => match modules.near(&file) {
            Some(near) => {
                let start = target.len() - site_path::file_name(target).len();
                format!("did you mean `{}{near}`?", &target[..start])
            }
            None => format!("the repository has no file `{file}`"),
        },
        Some(file) => match others().into_iter().flatten().find(is_here) {
            Some(moved) => format!("use `{moved}`"),
            None => return in_misspelled_folder(sources, reference, &file),
        },
        None => "it leaves the repository".to_string(),
    };
    let message = format!("module `{target}` doesn't exist");
    let problem = Problem::new(Code::MissingFile, reference.span.clone(), message).help(help);
    Some(problem.target(own_path.as_deref().unwrap_or(target)))
}
