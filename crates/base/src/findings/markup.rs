//! Rules for notes, HTML, tables, headings, and code blocks.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const UNBALANCED_BLOCK: Rule = Rule {
    summary: "note, tab, `:::`, or Liquid block isn't opened or closed correctly",
    why: "Other tools would treat the rest of the page as part of the block. Jekyll doesn't build a site with an unclosed Liquid block.",
    example: "<aside>\n    A note.\n\nText.",
    instead: "<aside>\nA note.\n</aside>\n\nText.",
    fix: "Add the missing `</aside>`, `</tab>`, `</tabs>`, `:::`, or `{% end… %}`.",
    ..Rule::new("unbalanced-block", Error)
};

pub(super) const UNKNOWN_DIRECTIVE: Rule = Rule {
    summary: "unknown `:::` block, directive, or shortcode",
    why: "Stepkin shows the text without the box, tabs, or columns that another tool creates. Sphinx leaves out the content of an unknown directive, and Hugo doesn't build a site with an unknown shortcode.",
    example: ":::code-group\n\nText.\n\n:::",
    instead: ":::note\n\nText.\n\n:::",
    fix: "Use a note (`:::note`), `<tabs>`, or plain Markdown. Stepkin leaves the lines with colons out of the page.",
    ..Rule::new("unknown-directive", Warning)
};

pub(super) const BLOCK_ATTRIBUTE: Rule = Rule {
    summary: "missing or unknown attribute of the site's own block",
    why: "The block's template displays an empty value for a missing attribute, and ignores an unknown one.",
    example: ":::card titel=\"Install\"\n\nText.\n\n:::",
    instead: ":::card title=\"Install\"\n\nText.\n\n:::",
    fix: "Use the attributes of the template in `templates/blocks/`, each as `name=\"value\"`. An attribute is optional if the template uses it in `{% if %}`, or with `or` or `default`.",
    ..Rule::new("block-attribute", Error)
};

pub(super) const ASIDE_CODE_TRAP: Rule = Rule {
    summary: "indented note text that other tools render as code",
    why: "CommonMark ends raw HTML at a blank line and treats indented text after it as code.",
    example: "<aside>\n    One.\n\n    Two.\n</aside>",
    instead: ":::note\nOne.\n\nTwo.\n:::",
    fix: "Indent the text by fewer than four spaces, or use `:::note`.",
    ..Rule::new("aside-code-trap", Warning)
};

pub(super) const UNKNOWN_ELEMENT: Rule = Rule {
    summary: "unknown HTML element",
    why: "Browsers hide unknown elements, so a placeholder disappears.",
    example: "Set it to <unset>.",
    instead: "Set it to `<unset>`.",
    fix: "Wrap the text in backticks: `` `<unset>` ``.",
    ..Rule::new("unknown-element", Warning)
};

pub(super) const UNCLOSED_ELEMENT: Rule = Rule {
    summary: "HTML element or comment is never closed",
    why: "Without an end tag, browsers would treat the rest of the page as part of the element. Stepkin closes it at the end of its block.",
    example: "<div class=\"box\">\n\nText.",
    instead: "<div class=\"box\">\n\nText.\n\n</div>",
    fix: "Add the end tag in the same block. End a comment with `-->`.",
    ..Rule::new("unclosed-element", Error)
};

pub(super) const STRAY_END_TAG: Rule = Rule {
    summary: "HTML end tag has no matching start tag",
    why: "The start tag is in another block or missing, so the page doesn't look as intended.",
    example: "Text.\n\n</div>",
    instead: "<div>\n\nText.\n\n</div>",
    fix: "Remove the end tag, or add the start tag before the content.",
    ..Rule::new("stray-end-tag", Warning)
};

pub(super) const DISALLOWED_ELEMENT: Rule = Rule {
    summary: "HTML element that is not allowed here, such as `<base>`",
    why: "The element would change the whole page or its links, so Stepkin removes it.",
    example: "<base href=\"https://example.com/\">",
    fix: "Remove it. If every page needs it, add it to a template.",
    ..Rule::new("disallowed-element", Error)
};

pub(super) const UNCLOSED_FENCE: Rule = Rule {
    summary: "code block is never closed",
    why: "Everything after the opening line is shown as code, up to the end of the page, of the block around it, or of the next code block.",
    example: "```sh\nnpm install\n\nMore text.",
    instead: "```sh\nnpm install\n```\n\nMore text.",
    fix: "Close the block with the same number of backticks or tildes.",
    ..Rule::new("unclosed-fence", Error)
};

pub(super) const FENCE_IN_HTML: Rule = Rule {
    summary: "code fence inside raw HTML is shown as text",
    why: "Markdown isn't parsed inside raw HTML until a blank line, so readers see the backticks.",
    example: "<div>\n```sh\nnpm install\n```\n</div>",
    instead: "<div>\n\n```sh\nnpm install\n```\n\n</div>",
    fix: "Add a blank line before and after the code block.",
    ..Rule::new("fence-in-html", Warning)
};

pub(super) const BROKEN_TABLE: Rule = Rule {
    summary: "table has no valid delimiter row",
    why: "Without a valid delimiter row, the table is shown as text with pipes.",
    example: "| Name | Value |\n| a | b |",
    instead: "| Name | Value |\n| --- | --- |\n| a | b |",
    fix: "Add a row such as `| --- | --- |` below the header, with one cell per column.",
    ..Rule::new("broken-table", Warning)
};

pub(super) const BROKEN_FORMULA: Rule = Rule {
    summary: "formula that can't be displayed",
    why: "Readers see the TeX source instead of the formula.",
    example: "```math\n\\frac{1}{n\n```",
    instead: "```math\n\\frac{1}{n}\n```",
    fix: "Correct the formula, or replace a command that isn't supported.",
    ..Rule::new("broken-formula", Warning)
};

pub(super) const BROKEN_DIAGRAM: Rule = Rule {
    summary: "diagram that can't be drawn",
    why: "Readers see the source of the diagram instead of the image. Only `build` and `serve` find it, with `--draw`.",
    example: "```mermaid\nflowchart LR\n  A -> B\n```",
    instead: "```mermaid\nflowchart LR\n  A --> B\n```",
    fix: "Correct the diagram, or install the program that `[diagrams.NAME]` specifies.",
    is_of_drawing: true,
    ..Rule::new("broken-diagram", Warning)
};

pub(super) const BROKEN_CARD: Rule = Rule {
    summary: "card for social networks that can't be drawn",
    why: "Social networks show another image of the page, or none. Only `build` and `serve` find it, with `--draw`.",
    example: "[cards]\ncommand = [\"rsvg\"]",
    instead: "[cards]\ncommand = [\"rsvg-convert\"]",
    fix: "Install the program that `[cards]` specifies, and set `base_url` with a host.",
    is_of_drawing: true,
    ..Rule::new("broken-card", Warning)
};

pub(super) const LOST_CELLS: Rule = Rule {
    summary: "table row has more cells than the header",
    why: "The extra cells aren't shown, so readers miss their content.",
    example: "| Name | Value |\n| --- | --- |\n| a | b | c |",
    instead: "| Name | Value |\n| --- | --- |\n| a | b \\| c |",
    fix: "Use one cell per column, and write `\\|` for a pipe inside a cell.",
    ..Rule::new("lost-cells", Error)
};

pub(super) const SHORT_ROW: Rule = Rule {
    summary: "table row has fewer cells than the header (off by default)",
    why: "Markdown adds empty cells at the end of the row, which may not be where a cell is missing.",
    example: "| Name | Value |\n| --- | --- |\n| a |",
    instead: "| Name | Value |\n| --- | --- |\n| a | |",
    fix: "Use one cell per column. To enable this rule, add `short-row = \"info\"` under `[check.severity]`.",
    is_fixable: true,
    is_off: true,
    ..Rule::new("short-row", Info)
};

pub(super) const DUPLICATE_ID: Rule = Rule {
    summary: "ID is used more than once on a page",
    why: "Links go only to the first of the two.",
    example: "## Keys {#keys}\n\n<a id=\"keys\"></a>",
    instead: "## Keys {#keys}\n\n<a id=\"key-table\"></a>",
    fix: "Change one of the IDs.",
    ..Rule::new("duplicate-id", Warning)
};

pub(super) const MULTIPLE_H1: Rule = Rule {
    summary: "page has more than one level-1 heading",
    why: "A page should have a single level-1 heading, which screen readers use to identify the page. Stepkin renders this one as level 2.",
    example: "---\ntitle: Install\n---\n\n# Before you begin",
    instead: "---\ntitle: Install\n---\n\n## Before you begin",
    fix: "Use `##`, and move the headings below it one level down.",
    ..Rule::new("multiple-h1", Info)
};

pub(super) const SKIPPED_HEADING_LEVEL: Rule = Rule {
    summary: "heading level is skipped",
    why: "Screen readers announce a missing section.",
    example: "## Keys\n\n#### Copy",
    instead: "## Keys\n\n### Copy",
    fix: "Use the next heading level.",
    ..Rule::new("skipped-heading-level", Info)
};

pub(super) const UNKNOWN_LANGUAGE: Rule = Rule {
    summary: "unknown code block language",
    why: "The code block isn't highlighted.",
    example: "```kotln\nval a = 1\n```",
    instead: "```kotlin\nval a = 1\n```",
    fix: "Use a known language name, or `text` for no highlighting.",
    is_fixable: true,
    ..Rule::new("unknown-language", Warning)
};

pub(super) const MISSING_HIGHLIGHTED_LINE: Rule = Rule {
    summary: "highlighted line doesn't exist in the code block",
    why: "Lines were added or removed after the page was written, so the wrong lines or none are highlighted.",
    example: "```kotlin {3}\nval a = 1\nval b = 2\n```",
    instead: "```kotlin {2}\nval a = 1\nval b = 2\n```",
    fix: "Update the line numbers. The first line of the block is 1.",
    ..Rule::new("missing-highlighted-line", Warning)
};

pub(super) const MISSING_CODE_FILE: Rule = Rule {
    summary: "code file doesn't exist or can't be included",
    why: "The code block is empty because the file doesn't exist, is outside the site, is too large, isn't text, or may be a secret.",
    example: "```kotlin file=\"code/Ap.kt\"\n```",
    instead: "```kotlin file=\"code/App.kt\"\n```",
    fix: "Use the path of a text file, relative to the site root.",
    ..Rule::new("missing-code-file", Error)
};

pub(super) const MISSING_CODE_PART: Rule = Rule {
    summary: "region or line range doesn't exist in the code file",
    why: "The code block is empty or shows too much because the file changed after the page was written.",
    example: "```kotlin file=\"code/App.kt\" region=\"int\"\n```",
    instead: "```kotlin file=\"code/App.kt\" region=\"init\"\n```",
    fix: "Use an existing region or line range, and end every region with `#endregion`.",
    ..Rule::new("missing-code-part", Error)
};

pub(super) const IGNORED_CODE: Rule = Rule {
    summary: "code block has its own code as well as `file`",
    why: "Readers see only the code from the file, so edits to the code on the page have no effect.",
    example: "```kotlin file=\"code/App.kt\"\nval a = 1\n```",
    instead: "```kotlin file=\"code/App.kt\"\n```",
    fix: "Remove the code, or remove `file`.",
    ..Rule::new("ignored-code", Warning)
};

pub(super) const OVERSIZED_CODE: Rule = Rule {
    summary: "code block is too large to highlight",
    why: "Highlighting the block would slow down the build, so it is shown without colors.",
    example: "a minified script on one line",
    fix: "Split the long line, show less code, or use `text`.",
    ..Rule::new("oversized-code", Info)
};
