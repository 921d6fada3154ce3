//! Rules that block the build.

use super::Rule;
use super::Severity::Error;

pub(super) const INVALID_UTF8: Rule = Rule {
    summary: "file or file name is not valid UTF-8",
    why: "Stepkin reads pages as UTF-8. A file in another encoding would show garbled characters.",
    example: "caf\\xe9 saved as ISO 8859-1",
    instead: "café, saved as UTF-8",
    fix: "Save the file as UTF-8. If the file name is the problem, rename the file.",
    blocks_build: true,
    ..Rule::new("invalid-utf8", Error)
};

pub(super) const INVALID_FRONT_MATTER: Rule = Rule {
    summary: "front matter can't be parsed or has an invalid value",
    why: "Stepkin can't read the page's title and order, so it can't place the page among the steps.",
    example: "---\ntitle: Step 1: install\norder: two\n---",
    instead: "---\ntitle: \"Step 1: install\"\norder: 2\n---",
    fix: "Quote values that contain a colon or start with a YAML character, and write numbers without text: `title: \"Step 1: install\"`, `order: 2`. YAML anchors, aliases, duplicate keys, more than 64 KiB, and more than 16 nested levels are not supported. `stepkin fix` converts TOML front matter (`+++`) to YAML.",
    is_fixable: true,
    blocks_build: true,
    ..Rule::new("invalid-front-matter", Error)
};

pub(super) const ADDRESS_CONFLICT: Rule = Rule {
    summary: "two sources produce the same URL",
    why: "Both sources would be written to the same file, and readers would see only one of them.",
    example: "content/install.md\ncontent/install/index.md",
    instead: "content/install/index.md",
    fix: "Move or rename one of them, or give one page a different `slug`.",
    blocks_build: true,
    ..Rule::new("address-conflict", Error)
};

pub(super) const TEMPLATE_ERROR: Rule = Rule {
    summary: "template can't be parsed or rendered",
    why: "Pages that use this template can't be built.",
    example: "{% if page.title %}<h1>{{ page.titel }}</h1>",
    instead: "{% if page.title %}<h1>{{ page.title }}</h1>{% endif %}",
    fix: "Fix the template at the reported position. The manual lists the variables that each template receives.",
    blocks_build: true,
    ..Rule::new("template-error", Error)
};
