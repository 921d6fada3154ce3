//! The kinds of findings: for each its name, how bad it is, and what `stepkin explain` says of it.
//!
//! A new kind is one line in the list below and one [`Rule`] in the file of its group. All that is said of it anywhere
//! comes from there: reports, `explain`, the manual, what `fix` mends, what `drift` reports.

mod blocking;
mod editions;
mod exceptions;
mod families;
mod front_matter;
mod links;
mod markup;
mod meant;
mod navigation;
mod numbering;
mod text;
mod tree;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

/// How bad a finding is, from advice to something a reader meets broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Advice.
    Info,
    /// Probably wrong.
    Warning,
    /// A reader meets something broken.
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What is known of a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of a kind of finding")]
pub struct Rule {
    /// As reports, configuration and `explain` write it: named for the problem.
    pub name: &'static str,
    pub severity: Severity,
    /// The problem in a phrase.
    pub summary: &'static str,
    /// Why it matters to readers or authors, in sentences.
    pub why: &'static str,
    /// What is found, as it is in a file.
    pub example: &'static str,
    /// How to mend it, as the rest of a sentence.
    pub cure: &'static str,
    /// Whether `fix` mends it, at least where there is one right answer.
    pub is_mended: bool,
    /// Whether it is about two versions of a step that differ: what `drift` reports.
    pub is_drift: bool,
    /// Whether a site with such a finding must not be published.
    pub blocks_build: bool,
    /// Whether it is reported only where the configuration gives it a severity.
    pub is_off: bool,
}

impl Rule {
    /// A rule of which nothing is said yet.
    const fn new(name: &'static str, severity: Severity) -> Self {
        Self {
            name,
            severity,
            summary: "",
            why: "",
            example: "",
            cure: "",
            is_mended: false,
            is_drift: false,
            blocks_build: false,
            is_off: false,
        }
    }
}

macro_rules! codes {
    ($($group:literal { $($variant:ident = $rule:path;)* })*) => {
        /// The kinds of findings, each named for the problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($($variant,)*)*
        }

        impl Code {
            /// Every code, in the order of the groups.
            pub const ALL: &[Self] = &[$($(Self::$variant,)*)*];

            /// The groups: the title of each, and its codes.
            pub const GROUPS: &[(&str, &[Self])] = &[$(($group, &[$(Self::$variant),*])),*];

            /// What is known of it.
            pub fn rule(self) -> &'static Rule {
                match self { $($(Self::$variant => &$rule,)*)* }
            }
        }
    };
}

codes! {
    "What is not published" {
        InvalidUtf8 = blocking::INVALID_UTF8;
        FrontMatterInvalid = blocking::FRONT_MATTER_INVALID;
        AddressConflict = blocking::ADDRESS_CONFLICT;
        TemplateError = blocking::TEMPLATE_ERROR;
    }
    "Files" {
        OutsideSymlink = tree::OUTSIDE_SYMLINK;
        BrokenSymlink = tree::BROKEN_SYMLINK;
        SecretFile = tree::SECRET_FILE;
        UnreadPage = tree::UNREAD_PAGE;
        UnreachablePage = tree::UNREACHABLE_PAGE;
        SpecialFile = tree::SPECIAL_FILE;
        ConfusableNames = tree::CONFUSABLE_NAMES;
    }
    "Front matter and order" {
        FrontMatterUnclosed = front_matter::FRONT_MATTER_UNCLOSED;
        FrontMatterShadowed = front_matter::FRONT_MATTER_SHADOWED;
        UnknownKey = front_matter::UNKNOWN_KEY;
        MissingTitle = front_matter::MISSING_TITLE;
        DuplicateTitle = front_matter::DUPLICATE_TITLE;
        MissingOrder = front_matter::MISSING_ORDER;
        DuplicateOrder = front_matter::DUPLICATE_ORDER;
        OrderGap = front_matter::ORDER_GAP;
    }
    "One source" {
        UnknownPlatform = editions::UNKNOWN_PLATFORM;
        UndefinedVariable = editions::UNDEFINED_VARIABLE;
        UnusedSharedPage = editions::UNUSED_SHARED_PAGE;
    }
    "Words" {
        MissingWord = words::MISSING_WORD;
    }
    "Families and drift" {
        NoFamily = families::NO_FAMILY;
        LonePlatform = families::LONE_PLATFORM;
        StepIdentity = families::STEP_IDENTITY;
        MissingStep = families::MISSING_STEP;
        MissingSetting = families::MISSING_SETTING;
        SettingValue = families::SETTING_VALUE;
        SettingDescription = families::SETTING_DESCRIPTION;
        MissingHeading = families::MISSING_HEADING;
        ImageCount = families::IMAGE_COUNT;
        NoteMissing = families::NOTE_MISSING;
        CodeMissing = families::CODE_MISSING;
        Wording = families::WORDING;
        UnfollowedChange = families::UNFOLLOWED_CHANGE;
    }
    "Links and images" {
        MissingPage = links::MISSING_PAGE;
        MissingAnchor = links::MISSING_ANCHOR;
        MissingFile = links::MISSING_FILE;
        MissingImage = links::MISSING_IMAGE;
        WrongCase = links::WRONG_CASE;
        EmptyTarget = links::EMPTY_TARGET;
        MalformedTarget = links::MALFORMED_TARGET;
        UnsafeTarget = links::UNSAFE_TARGET;
        MovedPage = links::MOVED_PAGE;
        OwnHostLink = links::OWN_HOST_LINK;
        OpenRegion = links::OPEN_REGION;
        LeavesPlatform = links::LEAVES_PLATFORM;
        DeadLink = links::DEAD_LINK;
        UnverifiedLink = links::UNVERIFIED_LINK;
        UnusableMap = links::UNUSABLE_MAP;
        RedirectLoop = links::REDIRECT_LOOP;
        BrokenImage = links::BROKEN_IMAGE;
        MissingAlt = links::MISSING_ALT;
        OtherPlatformImage = links::OTHER_PLATFORM_IMAGE;
        OrphanImage = links::ORPHAN_IMAGE;
        DuplicateImage = links::DUPLICATE_IMAGE;
        AvifUnavailable = links::AVIF_UNAVAILABLE;
    }
    "Navigation typed by hand" {
        HandWrittenNav = navigation::HAND_WRITTEN_NAV;
        NavWrongTarget = navigation::NAV_WRONG_TARGET;
        NavStaleLabel = navigation::NAV_STALE_LABEL;
        NavMissingLink = navigation::NAV_MISSING_LINK;
        HandWrittenSwitcher = navigation::HAND_WRITTEN_SWITCHER;
        SwitcherWrongTarget = navigation::SWITCHER_WRONG_TARGET;
        SwitcherMissingPlatform = navigation::SWITCHER_MISSING_PLATFORM;
    }
    "Numbers" {
        TitleNumber = numbering::TITLE_NUMBER;
        DuplicateSectionNumber = numbering::DUPLICATE_SECTION_NUMBER;
        ForeignSectionNumber = numbering::FOREIGN_SECTION_NUMBER;
        DanglingStepReference = numbering::DANGLING_STEP_REFERENCE;
        SplitList = numbering::SPLIT_LIST;
    }
    "Blocks" {
        UnbalancedAside = markup::UNBALANCED_ASIDE;
        UnknownDirective = markup::UNKNOWN_DIRECTIVE;
        AsideCodeTrap = markup::ASIDE_CODE_TRAP;
        UnknownElement = markup::UNKNOWN_ELEMENT;
        UnclosedElement = markup::UNCLOSED_ELEMENT;
        StrayEndTag = markup::STRAY_END_TAG;
        MisplacedElement = markup::MISPLACED_ELEMENT;
        UnclosedFence = markup::UNCLOSED_FENCE;
        FenceInHtml = markup::FENCE_IN_HTML;
        BrokenTable = markup::BROKEN_TABLE;
        LostCells = markup::LOST_CELLS;
        ShortRow = markup::SHORT_ROW;
        DuplicateId = markup::DUPLICATE_ID;
        SecondTitle = markup::SECOND_TITLE;
        HeadingJump = markup::HEADING_JUMP;
        UnknownLanguage = markup::UNKNOWN_LANGUAGE;
        MissingLine = markup::MISSING_LINE;
        MissingCodeFile = markup::MISSING_CODE_FILE;
        MissingCodePart = markup::MISSING_CODE_PART;
        UnusedCode = markup::UNUSED_CODE;
        OversizedCode = markup::OVERSIZED_CODE;
    }
    "Text that was meant as markup" {
        MergeConflict = meant::MERGE_CONFLICT;
        LinkAsText = meant::LINK_AS_TEXT;
        EmphasisAsText = meant::EMPHASIS_AS_TEXT;
        UndefinedReference = meant::UNDEFINED_REFERENCE;
        HeadingAsText = meant::HEADING_AS_TEXT;
        UnknownAlert = meant::UNKNOWN_ALERT;
        TypographicQuotes = meant::TYPOGRAPHIC_QUOTES;
        ForeignSyntax = meant::FOREIGN_SYNTAX;
    }
    "Text" {
        Mojibake = text::MOJIBAKE;
        DoubledWord = text::DOUBLED_WORD;
        InvisibleCharacter = text::INVISIBLE_CHARACTER;
        OtherPlatformWord = text::OTHER_PLATFORM_WORD;
    }
    "Exceptions" {
        InvalidSuppression = exceptions::INVALID_SUPPRESSION;
        UnusedSuppression = exceptions::UNUSED_SUPPRESSION;
        StaleBaseline = exceptions::STALE_BASELINE;
    }
}

impl Code {
    /// The name that reports, configuration and `explain` use.
    pub fn name(self) -> &'static str {
        self.rule().name
    }

    pub fn severity(self) -> Severity {
        self.rule().severity
    }

    /// The code with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_sentences() {
        for code in Code::ALL {
            let Rule { summary, why, example, cure, .. } = code.rule();
            assert!(why.ends_with('.') && cure.ends_with('.') && !example.is_empty(), "{code}");
            assert!(!summary.is_empty() && !summary.ends_with('.'), "{code}");
        }
    }

    #[test]
    fn names_are_those_of_the_variants() {
        for code in Code::ALL {
            let words = code.name().split('-');
            let variant: String = words.map(|word| word[..1].to_uppercase() + &word[1..]).collect();
            assert_eq!(variant, format!("{code:?}"));
        }
    }
}
