//! Families, and where their platforms differ.

use super::Rule;
use super::Severity::{Info, Warning};

pub(super) const NO_FAMILY: Rule = Rule {
    summary: "folders that look like platforms of a tutorial are no family",
    why: "Readers cannot switch between them, and nobody sees where they differ.",
    example: "web/install.md, web/start.md, andriod/install.md and andriod/start.md",
    cure: "name the folder after its platform and the same step the same on each; or say `[[family]] layout` in stepkin.toml.",
    ..Rule::new("no-family", Info)
};

pub(super) const LONE_PLATFORM: Rule = Rule {
    summary: "a platform tells steps of a family it does not belong to",
    why: "Its readers cannot switch to the other platforms, and nobody sees where it differs.",
    example: "content/quickstart/{web,ios}/ and content/tutorials/android/",
    cure: "gather it in with `[[family]]` in stepkin.toml, or move the folder.",
    ..Rule::new("lone-platform", Warning)
};

pub(super) const STEP_IDENTITY: Rule = Rule {
    summary: "whether two steps are the same is only half clear",
    why: "Readers who switch platforms may land on another step, and the comparison would compare strangers.",
    example: "web/connect/ “Connect” at order 3, ios/connect/ “Pair a device” at order 5",
    cure: "write the same `step:` on both pages if they tell the same step, and different ones if not.",
    ..Rule::new("step-identity", Warning)
};

pub(super) const MISSING_STEP: Rule = Rule {
    summary: "a platform lacks a step that others have",
    why: "Readers of that platform do not learn of it, or learn it elsewhere.",
    example: "android/testing/ stands alone: web and ios have no such step",
    cure: "write the step, or accept the difference on the pages that have it: `drift: {allow: [missing-step], reason: …}`.",
    is_drift: true,
    ..Rule::new("missing-step", Warning)
};

pub(super) const MISSING_SETTING: Rule = Rule {
    summary: "a platform lacks a setting that others have",
    why: "Either the setting does not exist there, or nobody documented it.",
    example: "| Send Profile Change Events | Check | … | on Android only",
    cure: "add the setting, or accept it: `drift: {allow: [{missing-setting: Send Profile Change Events}], reason: …}`.",
    is_drift: true,
    ..Rule::new("missing-setting", Warning)
};

pub(super) const SETTING_VALUE: Rule = Rule {
    summary: "a setting has another value on another platform",
    why: "Readers of one platform are told to set something else, or see another word on their screen.",
    example: "web: | Send events | Check |   ios: | Send events | Enabled |",
    cure: "write the same value; declare spellings that mean the same in `[drift] values`; or accept it with `drift:`.",
    is_drift: true,
    ..Rule::new("setting-value", Warning)
};

pub(super) const SETTING_DESCRIPTION: Rule = Rule {
    summary: "a setting is described differently on another platform",
    why: "One of the two was changed, and the other may be out of date.",
    example: "web: deprecated since 4.2   ios: the former description",
    cure: "bring the descriptions together, or accept it with `drift:`.",
    is_drift: true,
    ..Rule::new("setting-description", Info)
};

pub(super) const MISSING_HEADING: Rule = Rule {
    summary: "a platform lacks a section that others have",
    why: "What the section says is missing there, or cannot be found and linked.",
    example: "`## Check your filters` on web and ios, not on android",
    cure: "write the section, or accept the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("missing-heading", Info)
};

pub(super) const IMAGE_COUNT: Rule = Rule {
    summary: "a section shows more images on one platform than on another",
    why: "A screenshot was added or removed on one platform only.",
    example: "three screenshots on web, two on ios, in the same section",
    cure: "add the picture, or accept the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("image-count", Info)
};

pub(super) const NOTE_MISSING: Rule = Rule {
    summary: "a platform lacks a note that others have",
    why: "Readers of one platform are not told, or not warned.",
    example: "`<aside>It may take five minutes.</aside>` on web only",
    cure: "add the note, or accept the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("note-missing", Info)
};

pub(super) const CODE_MISSING: Rule = Rule {
    summary: "a section shows code on one platform and none on another",
    why: "Readers of one platform have nothing to copy.",
    example: "a Kotlin sample on android, none in the section on ios",
    cure: "add the code, or accept the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("code-missing", Info)
};

pub(super) const WORDING: Rule = Rule {
    summary: "platforms say something differently, or one does not say it",
    why: "A correction or an explanation reached some of the platforms only.",
    example: "web: may take up to 5 minutes   ios: may take up to 10 minutes",
    cure: "say the same, declare words that mean the same in `[drift] words`, or accept the difference with `drift:`.",
    is_drift: true,
    ..Rule::new("wording", Info)
};

pub(super) const UNFOLLOWED_CHANGE: Rule = Rule {
    summary: "a platform changed something that the others still tell otherwise",
    why: "A change that holds for every platform reached one of them; `stepkin drift --since REVISION` lists where to look.",
    example: "the description of a setting, changed on web since the last release and not on ios",
    cure: "change the places named too, if it holds there.",
    ..Rule::new("unfollowed-change", Info)
};
