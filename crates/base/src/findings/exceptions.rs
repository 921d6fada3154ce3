//! Rules for suppressions and baselines.

use super::Rule;
use super::Severity::{Info, Warning};

pub(super) const INVALID_SUPPRESSION: Rule = Rule {
    summary: "suppression has no reason or names an unknown rule",
    why: "Stepkin ignores the suppression.",
    example: "<!-- stepkin: allow missing-alt -->",
    instead: "<!-- stepkin: allow missing-alt: decorative -->",
    fix: "Name a known rule and give a reason: `<!-- stepkin: allow missing-alt: decorative -->`.",
    is_fixable: true,
    ..Rule::new("invalid-suppression", Warning)
};

pub(super) const UNUSED_SUPPRESSION: Rule = Rule {
    summary: "suppression doesn't match any finding",
    why: "The comment would hide the next finding of this kind.",
    example: "<!-- stepkin: allow missing-alt: decorative -->\n![The login form](/images/login.png)",
    instead: "![The login form](/images/login.png)",
    fix: "Remove the comment.",
    ..Rule::new("unused-suppression", Warning)
};

pub(super) const STALE_BASELINE: Rule = Rule {
    summary: "baseline entry no longer matches a finding",
    why: "The problem is fixed. Until you update the baseline, it could come back unnoticed.",
    example: "a baseline entry for a link that has been fixed",
    fix: "Update the baseline with `--write-baseline`.",
    ..Rule::new("stale-baseline", Info)
};
