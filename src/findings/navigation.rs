//! Previous and next links typed by hand.

use super::Rule;
use super::Severity::{Error, Warning};

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

pub(super) const NAV_MISSING_LINK: Rule = Rule {
    summary: "hand-written navigation lacks the link to the next step",
    why: "A reader who follows the links ends before the tutorial does.",
    example: "« Previous alone, on a page with a step after it",
    cure: "remove the links: the page shows generated ones.",
    ..Rule::new("nav-missing-link", Warning)
};
