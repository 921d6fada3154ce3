//! Suppressions and baselines.

use super::Rule;
use super::Severity::{Info, Warning};

pub(super) const INVALID_SUPPRESSION: Rule = Rule {
    summary: "a suppression has no reason, or names no known code",
    why: "A suppression that cannot be understood is not heeded.",
    example: "<!-- stepkin: allow missing-alt -->",
    cure: "name a known code, and say why: `<!-- stepkin: allow missing-alt: decorative -->`.",
    is_mended: true,
    ..Rule::new("invalid-suppression", Warning)
};

pub(super) const UNUSED_SUPPRESSION: Rule = Rule {
    summary: "a suppression matches nothing any more",
    why: "It would hide the next finding of its kind, which nobody has looked at.",
    example: "<!-- stepkin: allow missing-alt: decorative --> before an image that has a text",
    cure: "remove it.",
    ..Rule::new("unused-suppression", Warning)
};

pub(super) const STALE_BASELINE: Rule = Rule {
    summary: "a finding of the baseline is gone",
    why: "What is mended should stay mended; while the entry stands, the finding could come back unseen.",
    example: "a baseline entry for a link that was repaired",
    cure: "write the baseline anew with `--write-baseline`.",
    ..Rule::new("stale-baseline", Info)
};
