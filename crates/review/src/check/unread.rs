//! Pages that exist but aren't read, and the help for links to them.

use base::site_path::{self, SitePath, join};
use base::sorted::SortedMap;
use input::source::{SkipReason, Sources};
use site::content::Site;
use site::project::Project;

/// Files of pages that aren't read, by path relative to `content` without extension.
#[derive(Debug, Default)]
pub(super) struct Unread(SortedMap<String, (SitePath, UnreadReason)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnreadReason {
    OtherName,
    NotUtf8,
    /// A file or folder whose name begins with `_`.
    Private,
    Draft,
}

const ENDINGS: [&str; 8] = [".md", ".mdx", ".markdown", ".mdown", ".mkd", ".mkdn", ".html", ".htm"];

impl Unread {
    pub(super) fn of(sources: &Sources, site: &Site) -> Self {
        let mut unread = Self::default();
        for it in &sources.passed_over {
            match it.reason {
                SkipReason::PageByOtherName => unread.add(sources, &it.path, UnreadReason::OtherName),
                SkipReason::Private => unread.add(sources, &it.path, UnreadReason::Private),
                _ => {}
            }
        }
        for text in sources.pages.values().filter(|text| text.invalid.is_some()) {
            unread.add(sources, &text.path, UnreadReason::NotUtf8);
        }
        for (address, path) in site.drafts() {
            unread.add(sources, path, UnreadReason::Draft);
            unread
                .0
                .insert(address.as_str().trim_matches('/').to_string(), (path.clone(), UnreadReason::Draft));
        }
        unread
    }

    fn add(&mut self, sources: &Sources, path: &SitePath, why: UnreadReason) {
        let Some(below) = sources.repository.below_content(path.as_str()) else { return };
        let key = bare(below);
        let (folder, name) = key.rsplit_once('/').map_or(("", key), |(folder, name)| (folder, name));
        if let Some(public) = name.strip_prefix('_').filter(|_| why == UnreadReason::Private && key != below)
        {
            self.0.entry(join(folder, public)).or_insert_with(|| (path.clone(), why));
        }
        self.0.insert(key.to_string(), (path.clone(), why));
    }

    /// Returns the help for a page at a decoded path.
    pub(super) fn help(&self, path: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let key = bare(path.trim_matches('/'));
        let index = if key.is_empty() { "index".to_string() } else { format!("{key}/index") };
        if let Some((file, why)) = self.0.get(key).or_else(|| self.0.get(&index)).filter(|it| is_file(&it.0))
        {
            return Some(that_page(file, *why));
        }
        let folders = key.match_indices('/').map(|(at, _)| &key[..at]).chain([key]);
        let folder = folders.filter_map(|folder| self.0.get(folder)).find(|(path, _)| !is_file(path));
        folder.map(|(path, _)| format!("Stepkin ignores `{path}` because its name starts with `_`"))
    }

    /// Returns the file of a draft with a decoded path.
    pub(super) fn draft(&self, path: &str) -> Option<&SitePath> {
        let (file, why) = self.0.get(bare(path.trim_matches('/')))?;
        (*why == UnreadReason::Draft).then_some(file)
    }

    /// Returns everything on which findings can depend.
    pub(super) fn seen(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// Returns the file of a page at a decoded path, or of the page of that folder, if the configuration says that it isn't one.
pub(super) fn left_out(project: &Project, path: &str) -> Option<String> {
    let repository = &project.site.repository;
    let (key, convention) = (bare(path.trim_matches('/')), repository.convention);
    let indices = convention.indices.iter().map(|index| join(key, index));
    let names = std::iter::once(key.to_string()).chain(indices);
    let files = names.flat_map(|name| convention.endings.iter().map(move |it| format!("{name}.{it}")));
    let mut files = files.map(|file| repository.content.with(&file));
    files.find(|file| repository.excluded.is_match(file) && project.sources.has_file(file))
}

/// Returns the reason why such a file isn't a page.
pub(super) fn why_left_out(project: &Project, file: &str) -> String {
    let repository = &project.site.repository;
    match &repository.navigation {
        Some(list) if repository.convention.publishes_only_listed() => {
            format!("add `{file}` to `{list}`")
        }
        _ => format!("the configuration leaves `{file}` out"),
    }
}

fn that_page(file: &SitePath, why: UnreadReason) -> String {
    let name = site_path::file_name(file.as_str());
    match why {
        UnreadReason::OtherName => {
            format!("`{file}` is that page, but Stepkin ignores it; rename it to `{}.md`", bare(name))
        }
        UnreadReason::NotUtf8 => format!("`{file}` is that page, but it can't be read; save it as UTF-8"),
        UnreadReason::Draft => {
            format!("publish `{file}`, which is a draft, or remove the link until then")
        }
        UnreadReason::Private => {
            format!("`{file}` is that page, but Stepkin ignores it because its name starts with `_`")
        }
    }
}

fn is_file(path: &SitePath) -> bool {
    bare(path.as_str()) != path.as_str()
}

/// Removes the extension of a page's file.
fn bare(path: &str) -> &str {
    let end = path.rfind('.').unwrap_or(path.len());
    let ending = path[end..].to_ascii_lowercase();
    let is_page = ENDINGS.contains(&ending.as_str());
    if is_page { &path[..end] } else { path }
}
