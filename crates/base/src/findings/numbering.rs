//! Rules for the numbers of steps, sections, and list items.

use super::Rule;
use super::Severity::{Info, Warning};

pub(super) const WRONG_STEP_NUMBER: Rule = Rule {
    summary: "number in a title or heading doesn't match its position",
    why: "Readers look for a step that doesn't exist.",
    example: "“Step 1”, “Step 2”, “Step 4” at orders 2, 3, 4",
    instead: "“Step 1”, “Step 2”, “Step 3” at orders 2, 3, 4",
    fix: "Change the number, or change `order`.",
    ..Rule::new("wrong-step-number", Warning)
};

pub(super) const DUPLICATE_SECTION_NUMBER: Rule = Rule {
    summary: "two sections on a page have the same number",
    why: "A reference such as \"see 1.3\" is ambiguous.",
    example: "## 1.3 Initialize\n## 1.3 Insert your key",
    instead: "## 1.3 Initialize\n## 1.4 Insert your key",
    fix: "Renumber the sections.",
    ..Rule::new("duplicate-section-number", Warning)
};

pub(super) const FOREIGN_SECTION_NUMBER: Rule = Rule {
    summary: "section is numbered as part of another step",
    why: "The section looks like part of another step.",
    example: "## 5.2 Add the key, on the page of step 4",
    instead: "## 4.2 Add the key",
    fix: "Number the section after its step.",
    ..Rule::new("foreign-section-number", Warning)
};

pub(super) const DANGLING_STEP_REFERENCE: Rule = Rule {
    summary: "text refers to a step or section that doesn't exist",
    why: "Readers look for a step or section that doesn't exist.",
    example: "If you come from step 7.3, …, in a tutorial without a step 7.3",
    instead: "If you come from [Connect](connect.md), …",
    fix: "Update the number, or better, use a link.",
    ..Rule::new("dangling-step-reference", Warning)
};

pub(super) const WRONG_COUNT: Rule = Rule {
    summary: "sentence counts one item more or fewer than the list below it has",
    why: "Readers look for an item that doesn't exist, or wonder which one isn't meant.",
    example: "There are two ways to install it:\n\n- As a package\n- As a container\n- From source",
    instead: "There are three ways to install it:\n\n- As a package\n- As a container\n- From source",
    fix: "Correct the number or the list, or leave out the number.",
    ..Rule::new("wrong-count", Warning)
};

pub(super) const SPLIT_LIST: Rule = Rule {
    summary: "numbered list is interrupted by unindented content",
    why: "Other tools split the list and may restart its numbering. Stepkin renders a single list.",
    example: "1. One\n\n![Shot](/a.png)\n\n2. Two",
    instead: "1. One\n\n   ![Shot](/a.png)\n\n2. Two",
    fix: "Indent the content between the items by three spaces.",
    ..Rule::new("split-list", Info)
};
