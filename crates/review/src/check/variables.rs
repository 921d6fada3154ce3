//! Finds the platform's name in braces on sites without variables, where readers see it as written.

use memchr::memmem;

use super::Subject;
use base::diagnostic::{Code, Problem};

/// Variables for the pages of platforms, which are defined as soon as a site uses variables.
const GIVEN: [&str; 2] = ["platform.name", "platform.id"];

/// Reports `{platform.name}` on the page of a platform, on a site without variables.
pub(super) fn without_table(subject: &Subject<'_>) -> Vec<Problem> {
    let (config, document) = (subject.resolver.config, subject.document);
    if config.variables.is_some() || document.edition.platform.is_none() || !document.dialect.is_ours() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for name in GIVEN {
        let written = format!("{{{name}}}");
        for prose in subject.page.prose.holding(&[memmem::Finder::new(&written)]) {
            for (start, _) in prose.text.match_indices(&written) {
                let place = start..start + written.len();
                if prose.is_code(&place) || prose.text[..start].ends_with(['{', '$', '\\']) {
                    continue;
                }
                let message = format!("`{written}` has no value here, so readers see the name in braces");
                let help = "add a `[variables]` table to stepkin.toml, which defines this variable on platform pages";
                let problem = Problem::new(Code::UndefinedVariable, prose.span(place), message);
                problems.push(problem.help(help.to_string()));
            }
        }
    }
    problems
}
