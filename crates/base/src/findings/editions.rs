//! Rules for shared pages, platform blocks, and variables.

use super::Rule;
use super::Severity::{Error, Warning};

pub(super) const UNKNOWN_PLATFORM: Rule = Rule {
    summary: "block or shared page names an unknown platform",
    why: "Readers of the intended platform don't see the text, or readers see text that isn't meant for them.",
    example: ":::platform andriod\nTap **Allow**.\n:::",
    instead: ":::platform android\nTap **Allow**.\n:::",
    fix: "Use the name of the platform's folder. On a page outside a family, remove the two marker lines.",
    ..Rule::new("unknown-platform", Warning)
};

pub(super) const UNDEFINED_VARIABLE: Rule = Rule {
    summary: "variable is undefined or has no value for this platform",
    why: "Readers see the variable's name in braces instead of its value.",
    example: "Add {package}.\n\n# stepkin.toml of a family with the platforms web and ios\n[variables]\npackage = { web = \"@acme/web\" }",
    instead: "[variables]\npackage = { web = \"@acme/web\", ios = \"AcmeKit\" }",
    fix: "Define a value for this platform in `stepkin.toml`, or move the text into a `:::platform` block.",
    ..Rule::new("undefined-variable", Error)
};

pub(super) const UNUSED_SHARED_PAGE: Rule = Rule {
    summary: "shared page is not used by any platform",
    why: "No platform shows the page, so readers can't reach it.",
    example: "content/quickstart/_shared/install.md\ncontent/quickstart/web/install.md\ncontent/quickstart/ios/install.md, in a family of web and ios",
    instead: "content/quickstart/_shared/install.md\ncontent/quickstart/ios/install.md",
    fix: "Delete the shared page, or delete the platform pages that replace it. A `_shared` folder must be next to the family's platform folders.",
    ..Rule::new("unused-shared-page", Warning)
};
