//! Rules for hand-written navigation.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const HAND_WRITTEN_NAV: Rule = Rule {
    summary: "previous and next links are written by hand",
    why: "These links repeat the order of the steps and break when you add, rename, or move a step.",
    example: "<a href=\"/web/connect/\" style=\"float:right\">Next >> Connect</a>",
    fix: "Remove them. Stepkin generates navigation on every page.",
    is_fixable: true,
    ..Rule::new("hand-written-nav", Warning)
};

pub(super) const NAV_WRONG_TARGET: Rule = Rule {
    summary: "previous or next link points to the wrong step",
    why: "The link skips a step or goes backward.",
    example: "`Next >>` on step 2, with a link to step 4",
    fix: "Remove the link. Stepkin generates navigation on every page.",
    ..Rule::new("nav-wrong-target", Error)
};

pub(super) const NAV_STALE_LABEL: Rule = Rule {
    summary: "previous or next link has an outdated title",
    why: "The link shows a title that the page no longer has.",
    example: "`Next >> Data planning`, with a link to a page titled “Create a data plan”",
    fix: "Remove the link. Stepkin generates navigation on every page.",
    ..Rule::new("nav-stale-label", Warning)
};

pub(super) const HAND_WRITTEN_SWITCHER: Rule = Rule {
    summary: "links to other platforms are written by hand (off by default)",
    why: "These links break when a platform gains or loses a step. Other generators need them; Stepkin generates a switcher.",
    example: "Other platforms: [iOS](/ios/connect/) | [Android](/android/connect/)",
    fix: "Remove them with `stepkin fix --only hand-written-switcher`. To enable this rule, set its severity under `[check.severity]`.",
    is_fixable: true,
    is_off: true,
    ..Rule::new("hand-written-switcher", Info)
};

pub(super) const SWITCHER_WRONG_TARGET: Rule = Rule {
    summary: "link to another platform points to the wrong page",
    why: "Readers who switch platforms land on a different step.",
    example: "Other platforms: [iOS](/ios/install/), on the Android page `connect`",
    instead: "Other platforms: [iOS](/ios/connect/)",
    fix: "Link to the page for the same step on that platform.",
    ..Rule::new("switcher-wrong-target", Error)
};

pub(super) const SWITCHER_MISSING_PLATFORM: Rule = Rule {
    summary: "links to other platforms omit a platform with this step",
    why: "Readers of that platform can't find their page.",
    example: "Other platforms: [iOS](/ios/connect/), although Flutter also has the step",
    instead: "Other platforms: [iOS](/ios/connect/) | [Flutter](/flutter/connect/)",
    fix: "Add the missing link.",
    ..Rule::new("switcher-missing-platform", Warning)
};

pub(super) const NAV_MISSING_LINK: Rule = Rule {
    summary: "hand-written navigation has no link to the next step",
    why: "Readers who follow the links stop before the end of the tutorial.",
    example: "`« Previous` alone, on a page that is followed by another step",
    fix: "Remove the links. Stepkin generates navigation on every page.",
    ..Rule::new("nav-missing-link", Warning)
};
