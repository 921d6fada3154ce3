//! Previous and next links typed by hand.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const HAND_WRITTEN_NAV: Rule = Rule {
    summary: "previous and next links are typed by hand",
    why: "It repeats what the order says, and goes wrong when a step is added, renamed or moved.",
    example: "<a href=\"/web/connect/\" style=\"float:right\">Next >> Connect</a>",
    cure: "remove it: every page has generated navigation.",
    is_mended: true,
    ..Rule::new("hand-written-nav", Warning)
};

pub(super) const NAV_WRONG_TARGET: Rule = Rule {
    summary: "a previous or next link leads to another step",
    why: "\"Next\" skips a step or leads back.",
    example: "Next >> on step 2 that leads to step 4",
    cure: "remove the link: the page shows a generated one.",
    ..Rule::new("nav-wrong-target", Error)
};

pub(super) const NAV_STALE_LABEL: Rule = Rule {
    summary: "a previous or next link says a title that its page no longer has",
    why: "The link promises a page that is called otherwise.",
    example: "Next >> Data planning, for a page titled Create a data plan",
    cure: "remove the link: the page shows a generated one.",
    ..Rule::new("nav-stale-label", Warning)
};

pub(super) const HAND_WRITTEN_SWITCHER: Rule = Rule {
    summary: "links to other platforms are typed by hand; off unless `[check.severity]` names it",
    why: "They repeat what the pages say, and go wrong when a platform gets a step or loses one. A generator without a switcher of its own needs them.",
    example: "Other platforms: [iOS](/ios/connect/) | [Android](/android/connect/)",
    cure: "remove them with `stepkin fix --only hand-written-switcher`: the pages of Stepkin have generated ones.",
    is_mended: true,
    is_off: true,
    ..Rule::new("hand-written-switcher", Info)
};

pub(super) const SWITCHER_WRONG_TARGET: Rule = Rule {
    summary: "a link to another platform leads to another page than this step there",
    why: "A reader who changes the platform is somewhere else.",
    example: "Other platforms: [iOS](/ios/install/), on the Android page `connect`",
    cure: "link the page that is the same step on that platform.",
    ..Rule::new("switcher-wrong-target", Error)
};

pub(super) const SWITCHER_MISSING_PLATFORM: Rule = Rule {
    summary: "links to other platforms lack one that has the step",
    why: "Readers of that platform do not find their page, and think that there is none.",
    example: "Other platforms: [iOS](/ios/connect/), where Flutter has the step, too",
    cure: "add the link.",
    ..Rule::new("switcher-missing-platform", Warning)
};

pub(super) const NAV_MISSING_LINK: Rule = Rule {
    summary: "hand-written navigation lacks the link to the next step",
    why: "A reader who follows the links ends before the tutorial does.",
    example: "« Previous alone, on a page with a step after it",
    cure: "remove the links: the page shows generated ones.",
    ..Rule::new("nav-missing-link", Warning)
};
