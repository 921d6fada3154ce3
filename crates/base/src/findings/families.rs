//! Rules for families and for differences between their platforms.

use super::Rule;
use super::Severity::{Info, Warning};

pub(super) const NO_FAMILY: Rule = Rule {
    summary: "platform folders don't form a family",
    why: "Readers can't switch between the platforms, and `drift` can't compare them.",
    example: "web/install.md, web/start.md, andriod/install.md, andriod/start.md",
    instead: "web/install.md, web/start.md, android/install.md, android/start.md",
    fix: "Name each folder after its platform and use the same file names on every platform, or describe the layout with `[[family]] layout` in `stepkin.toml`.",
    ..Rule::new("no-family", Info)
};

pub(super) const LONE_PLATFORM: Rule = Rule {
    summary: "folder has a family's steps but is not part of the family",
    why: "Readers can't switch to or from this platform, and `drift` doesn't compare it.",
    example: "content/quickstart/web/\ncontent/quickstart/ios/\ncontent/tutorials/android/",
    instead: "content/quickstart/web/\ncontent/quickstart/ios/\ncontent/quickstart/android/",
    fix: "Rename or move the folder, or add it to the family with `[[family]]` in `stepkin.toml`.",
    ..Rule::new("lone-platform", Warning)
};

pub(super) const AMBIGUOUS_STEP: Rule = Rule {
    summary: "unclear whether two steps are the same",
    why: "Readers who switch platforms may land on a different step, and `drift` may compare unrelated pages.",
    example: "web/connect.md: `title: Connect`, `order: 3`\nios/connect.md: `title: Pair a device`, `order: 5`",
    instead: "web/connect.md: `title: Connect`, `order: 3`, `step: connect`\nios/connect.md: `title: Pair a device`, `order: 5`, `step: pair`",
    fix: "If both pages cover the same step, give them the same `step:`. Otherwise, give them different ones.",
    ..Rule::new("ambiguous-step", Warning)
};

pub(super) const MISSING_STEP: Rule = Rule {
    summary: "step is missing on a platform",
    why: "Readers of this platform don't get the information, or find it somewhere else.",
    example: "web/testing.md and ios/testing.md, but no android/testing.md",
    instead: "web/testing.md, ios/testing.md, and android/testing.md",
    fix: "Write the step, or allow the difference in the front matter of the page that has it: `drift: {allow: [missing-step], reason: …}`.",
    is_drift: true,
    ..Rule::new("missing-step", Warning)
};

pub(super) const MISSING_SETTING: Rule = Rule {
    summary: "setting is missing on a platform",
    why: "Either the setting doesn't exist on this platform, or its documentation is missing.",
    example: "| Send Profile Change Events | Check | … |, on Android only",
    fix: "Add the setting, or allow the difference: `drift: {allow: [{missing-setting: NAME}], reason: …}`.",
    is_drift: true,
    ..Rule::new("missing-setting", Warning)
};

pub(super) const SETTING_VALUE: Rule = Rule {
    summary: "setting has a different value on another platform",
    why: "Readers of one platform get different instructions, or see a different value than on their screen.",
    example: "web: | Send events | Check |\nios: | Send events | Enabled |",
    instead: "web: | Send events | Check |\nios: | Send events | Check |",
    fix: "Use the same value. If the values mean the same, list them in `[drift] values`. If the difference is intended, allow it with `drift:`.",
    is_drift: true,
    ..Rule::new("setting-value", Warning)
};

pub(super) const SETTING_DESCRIPTION: Rule = Rule {
    summary: "setting is described differently on another platform",
    why: "One description was probably updated while the other became outdated.",
    example: "web: | Key | … | Deprecated since 4.2. |\nios: | Key | … | The key of your project. |",
    instead: "web: | Key | … | Deprecated since 4.2. |\nios: | Key | … | Deprecated since 4.2. |",
    fix: "Align the descriptions, or allow the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("setting-description", Info)
};

pub(super) const MISSING_SECTION: Rule = Rule {
    summary: "section is missing on a platform",
    why: "Readers of this platform don't get the information, or can't find or link to it.",
    example: "`## Check your filters` on web and ios, but not on android",
    fix: "Write the section, or allow the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("missing-section", Info)
};

pub(super) const IMAGE_COUNT: Rule = Rule {
    summary: "section has fewer images on one platform than on another",
    why: "A screenshot was probably added or removed on one platform only.",
    example: "three screenshots on web and two on ios, in the same section",
    fix: "Add the missing image, or allow the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("image-count", Info)
};

pub(super) const MISSING_NOTE: Rule = Rule {
    summary: "note is missing on a platform",
    why: "Readers of one platform miss a hint or a warning.",
    example: "`<aside>It may take five minutes.</aside>` on web only",
    fix: "Add the note, or allow the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("missing-note", Info)
};

pub(super) const MISSING_CODE: Rule = Rule {
    summary: "code sample is missing on a platform",
    why: "Readers of one platform have no code to copy.",
    example: "a Kotlin sample on android, and no code in the same section on ios",
    fix: "Add the code, or allow the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("missing-code", Info)
};

pub(super) const WORDING: Rule = Rule {
    summary: "text differs between platforms or is missing on one",
    why: "A correction or an explanation probably reached only some of the platforms.",
    example: "web: This may take up to 5 minutes.\nios: This may take up to 10 minutes.",
    instead: "web: This may take up to 5 minutes.\nios: This may take up to 5 minutes.",
    fix: "Align the text, list synonyms in `[drift] words`, or allow the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("wording", Info)
};

pub(super) const UNFOLLOWED_CHANGE: Rule = Rule {
    summary: "change on one platform was not made on the others",
    why: "The change may apply to the other platforms too. `stepkin drift --since REVISION` lists the places to review.",
    example: "the description of a setting, changed on web since the last release but not on ios",
    fix: "If the change applies there, make it in the listed places.",
    ..Rule::new("unfollowed-change", Info)
};
