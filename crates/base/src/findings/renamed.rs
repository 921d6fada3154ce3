//! Old names of rules. They still work wherever a rule is named.

use super::Code;

/// Old and new name of each renamed rule.
pub(super) const RENAMED: &[(&str, &str)] = &[
    ("front-matter-invalid", "invalid-front-matter"),
    ("front-matter-unclosed", "unclosed-front-matter"),
    ("step-identity", "ambiguous-step"),
    ("missing-heading", "missing-section"),
    ("note-missing", "missing-note"),
    ("code-missing", "missing-code"),
    ("empty-target", "empty-link"),
    ("malformed-target", "malformed-link"),
    ("unsafe-target", "unsafe-link"),
    ("own-host-link", "absolute-internal-link"),
    ("leaves-platform", "cross-platform-link"),
    ("broken-image", "invalid-image"),
    ("orphan-image", "unused-image"),
    ("title-number", "wrong-step-number"),
    ("unbalanced-aside", "unbalanced-block"),
    ("misplaced-element", "disallowed-element"),
    ("second-title", "multiple-h1"),
    ("heading-jump", "skipped-heading-level"),
    ("missing-line", "missing-highlighted-line"),
    ("unused-code", "ignored-code"),
    ("foreign-syntax", "unsupported-syntax"),
    ("other-platform-word", "wrong-platform-name"),
];

impl Code {
    /// Returns the rule with a current or old name.
    pub fn named(name: &str) -> Option<Self> {
        let renamed = RENAMED.iter().find(|(old, _)| *old == name);
        let name = renamed.map_or(name, |(_, new)| new);
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// Returns the first name that the rule had. Fingerprints contain it, so that baselines stay valid after a
    /// rename.
    pub fn first_name(self) -> &'static str {
        self.old_name().unwrap_or(self.name())
    }

    /// Returns the old name of a renamed rule.
    pub fn old_name(self) -> Option<&'static str> {
        RENAMED.iter().find(|(_, new)| *new == self.name()).map(|(old, _)| *old)
    }

    /// Returns the current and old names of the rule.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [self.name()].into_iter().chain(self.old_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_name_is_an_alias_of_a_rule() {
        for (old, new) in RENAMED {
            let code = Code::named(old).unwrap_or_else(|| panic!("`{old}` names no rule"));
            assert_eq!((code.name(), code.old_name()), (*new, Some(*old)));
            assert_eq!(Code::named(new), Some(code));
            assert!(Code::ALL.iter().all(|code| code.name() != *old), "{old}");
        }
        assert_eq!(Code::named("missing-page"), Some(Code::MissingPage));
        assert_eq!((Code::named("missing-pages"), Code::MissingPage.old_name()), (None, None));
    }
}
