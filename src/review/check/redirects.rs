//! Finds broken redirects in the configuration of a host or a generator.

use super::Evidence;
use super::near::nearest_page;
use super::unread::Unread;
use crate::site::plan::Destination;
use crate::site::project::Project;
use base::address::encode;
use base::diagnostic::{Code, Diagnostic, Problem};
use base::site_path;
use input::conventions::BasePath;

pub(super) fn missing(project: &Project, evidence: &Evidence) -> Vec<Diagnostic> {
    let redirects = &project.sources.repository.redirects;
    let Some(from) = project.site.documents.iter().next().filter(|_| !redirects.is_empty()) else {
        return Vec::new();
    };
    let unread = Unread::of(&project.sources, &project.site);
    let resolver = project.resolver();
    let base = resolver.config.base_path();
    let mut found = Vec::new();
    for redirect in redirects.iter().filter(|it| !it.has_placeholder()) {
        let Some(to) = redirect.to.as_deref().filter(|to| to.starts_with('/')) else { continue };
        let Destination::Missing { path, .. } = resolver.resolve(from, to) else { continue };
        // If the site has a base path, its host contains other sites.
        // Docusaurus adds it to the redirects in its own configuration.
        let is_added = project.site.repository.convention.base == BasePath::Added
            && site_path::file_name(&redirect.file).contains(".config.");
        let is_beside = !base.is_empty() && !is_added && resolver.below_base(to).is_none();
        if is_beside || evidence.routes.contains(&path) || unread.help(&path).is_some() {
            continue;
        }
        let message = format!("the redirect from `{}` points to `{to}`, which doesn't exist", redirect.from);
        let help = match nearest_page(project, &path) {
            Some(near) => format!("did you mean `{base}{}`?", encode(near)),
            None => "use the URL of an existing page".to_string(),
        };
        let problem = Problem::new(Code::MissingPage, redirect.span.clone(), message).help(help).target(to);
        found.push(Diagnostic::new(problem.into(), &redirect.file.as_str().into()));
    }
    found
}
