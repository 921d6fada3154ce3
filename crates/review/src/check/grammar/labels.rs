//! Labels of Sphinx that two pages define.

use std::collections::hash_map::Entry;

use super::source::PageSource;
use base::diagnostic::{Code, Diagnostic, Problem};
use base::hash::HashMap;
use base::site_path::SitePath;
use input::conventions::Syntax;
use site::project::Project;

/// Reports each label that a page before also defines, because links lead to only one of them:
/// <https://www.sphinx-doc.org/en/master/usage/referencing.html#role-ref>.
pub(in crate::check) fn repeated(project: &Project) -> Vec<Diagnostic> {
    let convention = project.site.repository.convention;
    if !convention.has(Syntax::Myst) {
        return Vec::new();
    }
    let mut known: HashMap<String, SitePath> = HashMap::default();
    let mut found = Vec::new();
    for document in &*project.site.documents {
        let text = document.unwrapped_text();
        if !text.contains(")=") {
            continue;
        }
        let source = PageSource::of(&text, document.body, convention);
        for line in source.lines() {
            let label = line.text.trim().strip_prefix('(').and_then(|it| it.strip_suffix(")="));
            let Some(label) = label.filter(|it| !it.is_empty() && !it.contains(['(', ')'])) else { continue };
            match known.entry(label.to_lowercase()) {
                Entry::Occupied(first) if *first.get() != document.path => {
                    let message = format!(
                        "`{}` also has the label `{label}`, so links lead to one of them",
                        first.get()
                    );
                    let problem = Problem::new(Code::DuplicateId, line.content(), message);
                    found.push(problem.help("give each place another label".to_string()).at(&document.path));
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(entry) => _ = entry.insert(document.path.clone()),
            }
        }
    }
    found
}
