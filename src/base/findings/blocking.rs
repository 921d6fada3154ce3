//! Findings with which a site is not published.

use super::Rule;
use super::Severity::Error;

pub(super) const INVALID_UTF8: Rule = Rule {
    summary: "a file or its name is not UTF-8",
    why: "Pages are UTF-8 everywhere else; a single foreign byte shows as a damaged letter, and tools disagree from there on.",
    example: "caf\\xe9 saved as ISO 8859-1",
    cure: "save the file as UTF-8; rename a file whose name is not UTF-8.",
    blocks_build: true,
    ..Rule::new("invalid-utf8", Error)
};

pub(super) const FRONT_MATTER_INVALID: Rule = Rule {
    summary: "the front matter, or a value in it, cannot be read",
    why: "Title and order are lost, so the page cannot take its place among the steps.",
    example: "---\ntitle: Step 1: install\norder: two\n---",
    cure: "quote a value that holds a colon or begins with a sign of YAML, and write numbers as numbers: `title: \"Step 1: install\"`, `order: 2`. Anchors and aliases, a key that is there twice, more than 64 KiB and more than 16 levels are refused; TOML between `+++` is written as YAML by `fix`.",
    is_mended: true,
    blocks_build: true,
    ..Rule::new("front-matter-invalid", Error)
};

pub(super) const ADDRESS_CONFLICT: Rule = Rule {
    summary: "two sources claim one address",
    why: "Two sources would be written to one place, and readers would see only one of them.",
    example: "content/install.md and content/install/index.md",
    cure: "move or rename one of them, or give a page another `slug`.",
    blocks_build: true,
    ..Rule::new("address-conflict", Error)
};

pub(super) const TEMPLATE_ERROR: Rule = Rule {
    summary: "a template cannot be read or rendered",
    why: "Every page of that kind would be missing.",
    example: "{% if page.title %}<h1>{{ page.titel }}</h1>",
    cure: "mend the template at the place named; the manual lists what each template is given.",
    blocks_build: true,
    ..Rule::new("template-error", Error)
};
