//! The role of each file, by its path.

use crate::conventions::Repository;
use base::site_path::{self, CONFIG, SitePath};

/// The role of a file in the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Config,
    Page,
    Template,
    /// It describes or completes pages.
    Beside,
    /// It is published unchanged.
    Asset,
}

impl Role {
    pub(super) fn of(repository: &Repository, path: &SitePath) -> Self {
        let path = path.as_str();
        let name = site_path::file_name(path);
        match () {
            () if path == CONFIG => Self::Config,
            () if repository.own_files.iter().any(|own| own == path) => Self::Beside,
            () if repository.is_page(path) => Self::Page,
            () if repository.is_template(path) => Self::Template,
            () if repository.convention.folder_files.contains(&name) => Self::Beside,
            () if repository.published_file(path).is_some() => Self::Asset,
            () => Self::Beside,
        }
    }
}
