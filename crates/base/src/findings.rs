//! The rules: for each kind of finding its name, severity, and explanation.
//!
//! A new rule is one line in the list below and one [`Rule`] in the file of its group. Reports, `stepkin explain`, the manual,
//! SARIF, `fix`, and `drift` all use these definitions.

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
mod renamed;
mod text;
mod translations;
mod tree;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Advice.
    Info,
    /// Probably wrong.
    Warning,
    /// Readers meet an error.
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

/// The definition of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent property of a rule")]
pub struct Rule {
    /// Name in reports, configuration, and `explain`. It describes the problem.
    pub name: &'static str,
    pub severity: Severity,
    /// The problem in a phrase of at most 70 characters.
    pub summary: &'static str,
    /// Why the problem matters to readers or authors, in complete sentences.
    pub why: &'static str,
    /// Content that causes a finding, or a description of it.
    pub example: &'static str,
    /// The example after the fix. Empty if the fix can't be shown in a few lines.
    pub instead: &'static str,
    /// How to fix the problem, in complete sentences.
    pub fix: &'static str,
    /// Whether `stepkin fix` can fix at least the findings that have only one solution.
    pub is_fixable: bool,
    /// Whether the rule compares two versions of a step, or a page with its translation. `drift` reports these rules.
    pub is_drift: bool,
    /// Whether a finding prevents the site from being built.
    pub blocks_build: bool,
    /// Whether the rule is off unless the configuration sets a severity.
    pub is_off: bool,
    /// Whether it is about an image that a program of the configuration draws.
    pub is_of_drawing: bool,
}

impl Rule {
    /// Returns a rule without texts.
    const fn new(name: &'static str, severity: Severity) -> Self {
        Self {
            name,
            severity,
            summary: "",
            why: "",
            example: "",
            instead: "",
            fix: "",
            is_fixable: false,
            is_drift: false,
            blocks_build: false,
            is_off: false,
            is_of_drawing: false,
        }
    }

    /// Returns the summary as a sentence.
    fn sentence(&self) -> String {
        let mut letters = self.summary.chars();
        let capital = letters.next().map(char::to_uppercase).into_iter().flatten();
        capital.chain(letters).chain(['.']).collect()
    }

    /// Returns facts about severity, automatic fixes, and the old name, as sentences.
    fn facts(&self) -> String {
        let facts = [
            (self.is_fixable, " If there is only one solution, `stepkin fix` applies it."),
            (self.blocks_build, " This rule blocks the build."),
            (self.is_off, " This rule is off by default."),
        ];
        let facts: String = facts.iter().filter(|(holds, _)| *holds).map(|(_, text)| *text).collect();
        let renamed = renamed::RENAMED.iter().find(|(_, new)| *new == self.name);
        let old = renamed.map_or(String::new(), |(old, _)| format!(" Old name: `{old}`."));
        format!("Severity: {}.{facts}{old}", self.severity.name())
    }

    /// Returns the complete explanation as plain text.
    pub fn as_text(&self) -> String {
        let indented = |code: &str| code.replace('\n', "\n    ").replace("    \n", "\n");
        self.explanation(|name| format!("{name}:"), |code| format!("    {}", indented(code)))
    }

    /// Returns the complete explanation as Markdown. Code fences have four backticks, because examples contain fences with three.
    pub fn as_markdown(&self) -> String {
        self.explanation(|name| format!("**{name}:**"), |code| format!("````text\n{code}\n````"))
    }

    fn explanation(&self, title: impl Fn(&str) -> String, listing: impl Fn(&str) -> String) -> String {
        let block = |name: &str, code: &str| match code {
            "" => String::new(),
            _ => format!("{}\n\n{}\n\n", title(name), listing(code)),
        };
        format!(
            "{}\n\n{} {}\n\n{}{}{} {}\n\n{}\n",
            self.sentence(),
            title("Why"),
            self.why,
            block("Example", self.example),
            block("Use instead", self.instead),
            title("Fix"),
            self.fix,
            self.facts()
        )
    }
}

macro_rules! codes {
    ($($group:literal { $($variant:ident = $rule:path;)* })*) => {
        /// The kinds of findings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($($variant,)*)*
        }

        impl Code {
            /// All rules, in the order of the groups.
            pub const ALL: &[Self] = &[$($(Self::$variant,)*)*];

            /// The groups of rules: title and members.
            pub const GROUPS: &[(&str, &[Self])] = &[$(($group, &[$(Self::$variant),*])),*];

            /// Returns the definition of the rule.
            pub fn rule(self) -> &'static Rule {
                match self { $($(Self::$variant => &$rule,)*)* }
            }
        }
    };
}

codes! {
    "Build blockers" {
        InvalidUtf8 = blocking::INVALID_UTF8;
        InvalidFrontMatter = blocking::INVALID_FRONT_MATTER;
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
        InvalidData = tree::INVALID_DATA;
    }
    "Front matter and order" {
        UnclosedFrontMatter = front_matter::UNCLOSED_FRONT_MATTER;
        FrontMatterShadowed = front_matter::FRONT_MATTER_SHADOWED;
        UnknownKey = front_matter::UNKNOWN_KEY;
        UnusualValue = front_matter::UNUSUAL_VALUE;
        MissingTitle = front_matter::MISSING_TITLE;
        DuplicateTitle = front_matter::DUPLICATE_TITLE;
        MissingOrder = front_matter::MISSING_ORDER;
        DuplicateOrder = front_matter::DUPLICATE_ORDER;
        OrderGap = front_matter::ORDER_GAP;
    }
    "Shared content" {
        UnknownPlatform = editions::UNKNOWN_PLATFORM;
        UndefinedVariable = editions::UNDEFINED_VARIABLE;
        UnusedSharedPage = editions::UNUSED_SHARED_PAGE;
    }
    "Translations" {
        MissingWord = words::MISSING_WORD;
        TranslationBehind = translations::TRANSLATION_BEHIND;
        TranslationCode = translations::TRANSLATION_CODE;
        TranslationStructure = translations::TRANSLATION_STRUCTURE;
        UntranslatedSection = translations::UNTRANSLATED_SECTION;
        TranslationMissing = translations::TRANSLATION_MISSING;
        TranslationOrphan = translations::TRANSLATION_ORPHAN;
        TranslationPin = translations::TRANSLATION_PIN;
        TranslationLink = translations::TRANSLATION_LINK;
        DuplicateTranslation = translations::DUPLICATE_TRANSLATION;
    }
    "Families and drift" {
        NoFamily = families::NO_FAMILY;
        LonePlatform = families::LONE_PLATFORM;
        AmbiguousStep = families::AMBIGUOUS_STEP;
        MissingStep = families::MISSING_STEP;
        MissingSetting = families::MISSING_SETTING;
        SettingValue = families::SETTING_VALUE;
        SettingDescription = families::SETTING_DESCRIPTION;
        MissingSection = families::MISSING_SECTION;
        ImageCount = families::IMAGE_COUNT;
        MissingNote = families::MISSING_NOTE;
        MissingCode = families::MISSING_CODE;
        Wording = families::WORDING;
        UnfollowedChange = families::UNFOLLOWED_CHANGE;
    }
    "Links and images" {
        MissingPage = links::MISSING_PAGE;
        MissingAnchor = links::MISSING_ANCHOR;
        MissingFile = links::MISSING_FILE;
        MissingImage = links::MISSING_IMAGE;
        WrongCase = links::WRONG_CASE;
        EmptyLink = links::EMPTY_LINK;
        MalformedLink = links::MALFORMED_LINK;
        UnsafeLink = links::UNSAFE_LINK;
        MovedPage = links::MOVED_PAGE;
        AbsoluteInternalLink = links::ABSOLUTE_INTERNAL_LINK;
        OpenRegion = links::OPEN_REGION;
        CrossPlatformLink = links::CROSS_PLATFORM_LINK;
        DeadLink = links::DEAD_LINK;
        UnverifiedLink = links::UNVERIFIED_LINK;
        UnusableMap = links::UNUSABLE_MAP;
        RedirectLoop = links::REDIRECT_LOOP;
        InvalidImage = links::INVALID_IMAGE;
        MissingAlt = links::MISSING_ALT;
        OtherPlatformImage = links::OTHER_PLATFORM_IMAGE;
        UnusedImage = links::UNUSED_IMAGE;
        DuplicateImage = links::DUPLICATE_IMAGE;
        AvifUnavailable = links::AVIF_UNAVAILABLE;
    }
    "Hand-written navigation" {
        HandWrittenNav = navigation::HAND_WRITTEN_NAV;
        NavWrongTarget = navigation::NAV_WRONG_TARGET;
        NavStaleLabel = navigation::NAV_STALE_LABEL;
        NavMissingLink = navigation::NAV_MISSING_LINK;
        HandWrittenSwitcher = navigation::HAND_WRITTEN_SWITCHER;
        SwitcherWrongTarget = navigation::SWITCHER_WRONG_TARGET;
        SwitcherMissingPlatform = navigation::SWITCHER_MISSING_PLATFORM;
    }
    "Numbering" {
        WrongStepNumber = numbering::WRONG_STEP_NUMBER;
        DuplicateSectionNumber = numbering::DUPLICATE_SECTION_NUMBER;
        ForeignSectionNumber = numbering::FOREIGN_SECTION_NUMBER;
        DanglingStepReference = numbering::DANGLING_STEP_REFERENCE;
        WrongCount = numbering::WRONG_COUNT;
        SplitList = numbering::SPLIT_LIST;
    }
    "Blocks, HTML, and code" {
        UnbalancedBlock = markup::UNBALANCED_BLOCK;
        UnknownDirective = markup::UNKNOWN_DIRECTIVE;
        BlockAttribute = markup::BLOCK_ATTRIBUTE;
        AsideCodeTrap = markup::ASIDE_CODE_TRAP;
        UnknownElement = markup::UNKNOWN_ELEMENT;
        UnclosedElement = markup::UNCLOSED_ELEMENT;
        StrayEndTag = markup::STRAY_END_TAG;
        DisallowedElement = markup::DISALLOWED_ELEMENT;
        UnclosedFence = markup::UNCLOSED_FENCE;
        FenceInHtml = markup::FENCE_IN_HTML;
        BrokenTable = markup::BROKEN_TABLE;
        BrokenFormula = markup::BROKEN_FORMULA;
        BrokenDiagram = markup::BROKEN_DIAGRAM;
        BrokenCard = markup::BROKEN_CARD;
        LostCells = markup::LOST_CELLS;
        ShortRow = markup::SHORT_ROW;
        DuplicateId = markup::DUPLICATE_ID;
        MultipleH1 = markup::MULTIPLE_H1;
        SkippedHeadingLevel = markup::SKIPPED_HEADING_LEVEL;
        UnknownLanguage = markup::UNKNOWN_LANGUAGE;
        MissingHighlightedLine = markup::MISSING_HIGHLIGHTED_LINE;
        MissingCodeFile = markup::MISSING_CODE_FILE;
        MissingCodePart = markup::MISSING_CODE_PART;
        IgnoredCode = markup::IGNORED_CODE;
        OversizedCode = markup::OVERSIZED_CODE;
    }
    "Malformed Markdown" {
        MergeConflict = meant::MERGE_CONFLICT;
        LinkAsText = meant::LINK_AS_TEXT;
        EmphasisAsText = meant::EMPHASIS_AS_TEXT;
        UndefinedReference = meant::UNDEFINED_REFERENCE;
        DuplicateDefinition = meant::DUPLICATE_DEFINITION;
        HeadingAsText = meant::HEADING_AS_TEXT;
        ItemAsText = meant::ITEM_AS_TEXT;
        TextAsHeading = meant::TEXT_AS_HEADING;
        UnknownAlert = meant::UNKNOWN_ALERT;
        TypographicQuotes = meant::TYPOGRAPHIC_QUOTES;
        UnsupportedSyntax = meant::UNSUPPORTED_SYNTAX;
    }
    "Text" {
        Mojibake = text::MOJIBAKE;
        DoubledWord = text::DOUBLED_WORD;
        MisspelledWord = text::MISSPELLED_WORD;
        PlaceholderText = text::PLACEHOLDER_TEXT;
        InvisibleCharacter = text::INVISIBLE_CHARACTER;
        WrongPlatformName = text::WRONG_PLATFORM_NAME;
    }
    "Suppressions" {
        InvalidSuppression = exceptions::INVALID_SUPPRESSION;
        UnusedSuppression = exceptions::UNUSED_SUPPRESSION;
        StaleBaseline = exceptions::STALE_BASELINE;
    }
}

impl Code {
    /// Returns the name in reports, configuration, and `explain`.
    pub fn name(self) -> &'static str {
        self.rule().name
    }

    pub fn severity(self) -> Severity {
        self.rule().severity
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
            let Rule { summary, why, example, instead, fix, .. } = code.rule();
            assert!(why.ends_with('.') && fix.ends_with('.') && !example.is_empty(), "{code}");
            for sentence in [why, fix] {
                assert!(sentence.starts_with(char::is_uppercase), "{code}");
            }
            assert!(!summary.is_empty() && !summary.ends_with('.') && summary.len() <= 70, "{code}");
            assert_ne!(example, instead, "{code}");
        }
    }

    #[test]
    fn explanations_show_the_wrong_and_the_right_form() {
        let rule = Code::HeadingAsText.rule();
        let (text, markdown) = (rule.as_text(), rule.as_markdown());
        assert!(text.starts_with("Heading without a space after `#` is shown as text.\n\nWhy: "), "{text}");
        assert!(text.contains(
            "Example:\n\n    ##Connect the app\n\nUse instead:\n\n    ## Connect the app\n\nFix: "
        ));
        assert!(markdown.contains("**Use instead:**\n\n````text\n## Connect the app\n````\n\n**Fix:** "));
        assert!(!Code::DeadLink.rule().as_text().contains("Use instead"));
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
