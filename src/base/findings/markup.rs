//! Notes, HTML, code and tables.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const UNBALANCED_ASIDE: Rule = Rule {
    summary: "a note, `tabs` or a `tab` is opened and never closed, or closed and never opened",
    why: "Other tools let the note swallow the rest of the page.",
    example: "<aside>\n    A note.\n\nText.",
    cure: "close the note with `</aside>` or `:::`.",
    ..Rule::new("unbalanced-aside", Error)
};

pub(super) const UNKNOWN_DIRECTIVE: Rule = Rule {
    summary: "a `:::` opens a block that this program does not know",
    why: "Its text is shown without the box, the tabs or the columns that the other tool makes of it.",
    example: ":::code-group\n\n…\n\n:::",
    cure: "write a note (`:::note`), `<tabs>` or Markdown; the lines with colons are left out of the page.",
    ..Rule::new("unknown-directive", Warning)
};

pub(super) const ASIDE_CODE_TRAP: Rule = Rule {
    summary: "a note's text is indented so that other tools take it for code",
    why: "CommonMark ends raw HTML at a blank line, and takes what is indented after it for code.",
    example: "<aside>\n    One.\n\n    Two.\n</aside>",
    cure: "indent less than four columns, or open the note with `:::note`.",
    ..Rule::new("aside-code-trap", Warning)
};

pub(super) const UNKNOWN_ELEMENT: Rule = Rule {
    summary: "raw HTML has a tag that HTML does not know",
    why: "Browsers show nothing of it: a placeholder vanishes.",
    example: "Set it to <unset>.",
    cure: "put it in backquotes: `` `<unset>` ``.",
    ..Rule::new("unknown-element", Warning)
};

pub(super) const UNCLOSED_ELEMENT: Rule = Rule {
    summary: "an element, a comment or a tag in raw HTML is never closed",
    why: "Browsers go on until something closes it, and would show the rest of the page in it, or not at all.",
    example: "<div class=\"box\">\n\nText.\n\nThe page ends here.",
    cure: "write the end tag, in the same note, item or page; end a comment with `-->`. Until then it ends with the block that it begins in.",
    ..Rule::new("unclosed-element", Error)
};

pub(super) const STRAY_END_TAG: Rule = Rule {
    summary: "raw HTML ends an element that does not begin in the same block",
    why: "The element that it should end begins elsewhere or not at all, so the page looks otherwise than meant.",
    example: "Text.\n\n</div>",
    cure: "remove it, or write the opening tag before what it encloses.",
    ..Rule::new("stray-end-tag", Warning)
};

pub(super) const MISPLACED_ELEMENT: Rule = Rule {
    summary: "raw HTML has a tag that cannot be where it is, such as `<base>` or `<body>`",
    why: "Such a tag would change the whole page or the place that its links lead to, so it is left out.",
    example: "<base href=\"https://example.com/\">",
    cure: "remove it; what belongs to every page goes into a template.",
    ..Rule::new("misplaced-element", Error)
};

pub(super) const UNCLOSED_FENCE: Rule = Rule {
    summary: "a block of code is never closed",
    why: "Everything after it is shown as code, to the end of the page or of what the block is in.",
    example: "```sh\nnpm install\n\nThe page goes on.",
    cure: "close it with a line of as many marks: three backticks after three.",
    ..Rule::new("unclosed-fence", Error)
};

pub(super) const FENCE_IN_HTML: Rule = Rule {
    summary: "a block of code begins in raw HTML, so its marks are shown as text",
    why: "Markdown begins again after a blank line; before that, browsers see the marks and run the lines together.",
    example: "<div>\n```sh\nnpm install\n```\n</div>",
    cure: "leave a blank line between the tag and the fence, and one after it.",
    ..Rule::new("fence-in-html", Warning)
};

pub(super) const BROKEN_TABLE: Rule = Rule {
    summary: "rows of a table lack the line below the header, or it does not fit",
    why: "Without that line the rows are a paragraph full of pipes.",
    example: "| Name | Value |\n| a | b |",
    cure: "write a line such as `|---|---|` below the header, with one cell for each of its columns.",
    ..Rule::new("broken-table", Warning)
};

pub(super) const LOST_CELLS: Rule = Rule {
    summary: "a table's row has more cells than its header, and they are lost",
    why: "Cells that no column holds are left out: what they say is nowhere on the page.",
    example: "| Name | Value |\n| --- | --- |\n| a | b | c |",
    cure: "give every row one cell for each column, and write a pipe inside a cell as `\\|`.",
    ..Rule::new("lost-cells", Error)
};

pub(super) const SHORT_ROW: Rule = Rule {
    summary: "a table's row has too few cells; off unless `[check.severity]` names it",
    why: "Markdown adds empty cells at the end, which is not always where one is missing.",
    example: "| Name | Value |\n| --- | --- |\n| a |",
    cure: "give the row one cell for each column. Write `short-row = \"info\"` below `[check.severity]` to have such rows reported.",
    is_mended: true,
    is_off: true,
    ..Rule::new("short-row", Info)
};

pub(super) const DUPLICATE_ID: Rule = Rule {
    summary: "an id stands twice on a page",
    why: "Links find only the first of the two.",
    example: "## Keys {#keys} and <a id=\"keys\"></a>",
    cure: "give one of them another id.",
    ..Rule::new("duplicate-id", Warning)
};

pub(super) const SECOND_TITLE: Rule = Rule {
    summary: "a heading has the level of the page's title",
    why: "A page has one title, which readers with a screen reader look for; other headings of its level are shown at level 2.",
    example: "# Before you begin, on a page with a `title:`",
    cure: "make it `## Before you begin`, and the headings below it one level deeper.",
    ..Rule::new("second-title", Info)
};

pub(super) const HEADING_JUMP: Rule = Rule {
    summary: "a heading skips a level",
    why: "Screen readers take the missing level for a lost section.",
    example: "## Keys followed by #### Copy",
    cure: "use the next level.",
    ..Rule::new("heading-jump", Info)
};

pub(super) const UNKNOWN_LANGUAGE: Rule = Rule {
    summary: "a code block names a language without a grammar",
    why: "The block stays plain.",
    example: "```kotln",
    cure: "write the name of a known language, or `text`.",
    is_mended: true,
    ..Rule::new("unknown-language", Warning)
};

pub(super) const MISSING_LINE: Rule = Rule {
    summary: "a code block marks a line that it does not have",
    why: "Lines were added or taken away after they were counted, so readers are shown the wrong ones, or none.",
    example: "```kotlin {3,12}",
    cure: "count the lines again, from 1 at the first line of the block.",
    ..Rule::new("missing-line", Warning)
};

pub(super) const MISSING_CODE_FILE: Rule = Rule {
    summary: "a code block takes its code from a file that cannot be shown",
    why: "The block is empty. The file does not exist, is outside of the site, is too large, is no text, or may be a secret.",
    example: "```kotlin file=\"code/Ap.kt\"",
    cure: "write the path of a text file below the site's root, from that root.",
    ..Rule::new("missing-code-file", Error)
};

pub(super) const MISSING_CODE_PART: Rule = Rule {
    summary: "a code block takes a region or lines of a file that the file does not have",
    why: "The block is empty, or shows more than it should: the file was changed after the page was written.",
    example: "```kotlin file=\"code/App.kt\" region=\"int\"",
    cure: "write the name of a region of the file, or lines that it has; end every region with `#endregion`.",
    ..Rule::new("missing-code-part", Error)
};

pub(super) const UNUSED_CODE: Rule = Rule {
    summary: "a code block that takes its code from a file has code of its own",
    why: "Readers see the file's code alone, so whoever changes the other changes nothing.",
    example: "```kotlin file=\"code/App.kt\" followed by a line of code",
    cure: "remove the code, or remove `file`.",
    ..Rule::new("unused-code", Warning)
};

pub(super) const OVERSIZED_CODE: Rule = Rule {
    summary: "a code block is too large to highlight",
    why: "Highlighting it would hold the build up, so it stays plain.",
    example: "a minified script on one line",
    cure: "break the line, show less of it, or write `text`.",
    ..Rule::new("oversized-code", Info)
};
