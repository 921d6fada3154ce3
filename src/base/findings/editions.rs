//! One source for several platforms.

use super::Rule;
use super::Severity::{Error, Warning};

pub(super) const UNKNOWN_PLATFORM: Rule = Rule {
    summary: "a block or a shared page names a platform that its family does not have",
    why: "Readers of the platform that was meant never see the text, or see what is not for them.",
    example: ":::platform andriod\nTap **Allow**.\n:::",
    cure: "write the platform as its folder is called; on a page of no family, take the two marker lines away.",
    ..Rule::new("unknown-platform", Warning)
};

pub(super) const UNDEFINED_VARIABLE: Rule = Rule {
    summary: "a variable has no value for the platform of the page, or its name is mistyped",
    why: "Readers of this platform see the name in braces instead of the word.",
    example: "{package} with [variables] package = { web = \"@acme/web\" } on a page for iOS",
    cure: "give the variable a value for the platform in stepkin.toml, or put the text into a `:::platform` block.",
    ..Rule::new("undefined-variable", Error)
};

pub(super) const UNUSED_SHARED_PAGE: Rule = Rule {
    summary: "no platform tells a shared page",
    why: "Its text is kept up, and nobody reads it.",
    example: "content/quickstart/_shared/install.md where every platform has an install.md of its own",
    cure: "remove it, or the pages that stand in its place; `_shared` belongs beside the folders of a family's platforms.",
    ..Rule::new("unused-shared-page", Warning)
};
