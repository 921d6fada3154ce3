//! Numbers of steps, sections and lists.

use super::Rule;
use super::Severity::{Info, Warning};

pub(super) const TITLE_NUMBER: Rule = Rule {
    summary: "a title's step number does not follow from its order",
    why: "Readers look for the step that was left out.",
    example: "titles Step 1, Step 2, Step 4 at orders 2, 3, 4",
    cure: "renumber the title, or give the page its place with `order`.",
    ..Rule::new("title-number", Warning)
};

pub(super) const DUPLICATE_SECTION_NUMBER: Rule = Rule {
    summary: "two sections of a page have the same number",
    why: "\"See 1.3\" has two answers.",
    example: "## 1.3 Initialize and ## 1.3 Insert your key",
    cure: "renumber the sections.",
    ..Rule::new("duplicate-section-number", Warning)
};

pub(super) const FOREIGN_SECTION_NUMBER: Rule = Rule {
    summary: "a section is numbered as one of another step",
    why: "The section looks as if it belonged to another step.",
    example: "## 5.2 on the page of step 4",
    cure: "number it after its step.",
    ..Rule::new("foreign-section-number", Warning)
};

pub(super) const DANGLING_STEP_REFERENCE: Rule = Rule {
    summary: "the text refers to a step or section that does not exist",
    why: "Readers look for a step that does not exist.",
    example: "If you come from step 7.3, where there is none",
    cure: "write the number the step has now, or better, link to it.",
    ..Rule::new("dangling-step-reference", Warning)
};

pub(super) const SPLIT_LIST: Rule = Rule {
    summary: "something unindented breaks a numbered list",
    why: "Other tools show two lists and may count from 1 again; here it is one list.",
    example: "1. One\n\n![Shot](/a.png)\n\n2. Two",
    cure: "indent what stands between by three columns.",
    ..Rule::new("split-list", Info)
};
