//! Rules for translated pages.

use super::Rule;
use super::Severity::{Info, Warning};

pub(super) const TRANSLATION_BEHIND: Rule = Rule {
    summary: "translation is behind its original",
    why: "Readers of this language follow instructions that have changed. If only code or links changed, the finding is advice.",
    example: "content/en/install.md: `Run the new installer.`, changed on 2026-03-02\ncontent/ja/install.md: last translated on 2025-11-20",
    fix: "Translate the changes. If the page is pinned, run `stepkin translations pin PAGE` afterwards.",
    is_drift: true,
    ..Rule::new("translation-behind", Warning)
};

pub(super) const TRANSLATION_CODE: Rule = Rule {
    summary: "translation shows old code of its original",
    why: "Readers copy code that may no longer work.",
    example: "content/en/install.md: `npm install lamp@2`\ncontent/ja/install.md: `npm install lamp@1`",
    instead: "content/en/install.md: `npm install lamp@2`\ncontent/ja/install.md: `npm install lamp@2`",
    fix: "Copy the block from the original. Translated comments can stay.",
    is_drift: true,
    is_fixable: true,
    ..Rule::new("translation-code", Warning)
};

pub(super) const TRANSLATION_STRUCTURE: Rule = Rule {
    summary: "translation has different sections than its original",
    why: "Readers of this language miss a section, or read one that no longer exists.",
    example: "content/en/tour.md: `## Install`, `## Sampling`, `## Next steps`\ncontent/ja/tour.md: `## インストール`, `## 次のステップ`",
    instead: "content/en/tour.md: `## Install`, `## Sampling`, `## Next steps`\ncontent/ja/tour.md: `## インストール`, `## サンプリング`, `## 次のステップ`",
    fix: "Add the missing section, or use the same heading levels as the original.",
    is_drift: true,
    ..Rule::new("translation-structure", Info)
};

pub(super) const UNTRANSLATED_SECTION: Rule = Rule {
    summary: "section is not translated",
    why: "Readers find text in a language that they may not read.",
    example: "content/ja/tour.md: `Sampling reduces the data that your app sends to the server by a constant factor.`",
    fix: "Translate the section.",
    is_drift: true,
    ..Rule::new("untranslated-section", Info)
};

pub(super) const TRANSLATION_MISSING: Rule = Rule {
    summary: "pages are not translated",
    why: "Readers of this language can't find these pages, or read them in the original's language.",
    example: "content/en/tour/install.md, but no content/ja/tour/install.md",
    instead: "content/en/tour/install.md and content/ja/tour/install.md",
    fix: "Add the translation with the same path as the original. To list the pages, run `stepkin translations LANGUAGE --todo`. Languages in `[languages] require` must be complete.",
    is_drift: true,
    ..Rule::new("translation-missing", Info)
};

pub(super) const TRANSLATION_ORPHAN: Rule = Rule {
    summary: "translation of a page that doesn't exist",
    why: "Its original was moved or removed, so changes no longer reach this page.",
    example: "content/ja/collector.md, while content/en/collector.md was moved to content/en/gateway.md",
    instead: "content/ja/gateway.md and content/en/gateway.md",
    fix: "Move the page as its original was moved, or remove it.",
    ..Rule::new("translation-orphan", Warning)
};

pub(super) const TRANSLATION_PIN: Rule = Rule {
    summary: "pin of a translation can't be used",
    why: "Without a usable pin, the base of the translation is estimated from the history of the page.",
    example: "default_lang_commit: 1a2b3c4, which Git doesn't have",
    fix: "Run `stepkin translations pin PAGE` if the page is up to date. Otherwise, use the ID of the commit that was translated.",
    ..Rule::new("translation-pin", Warning)
};

pub(super) const TRANSLATION_LINK: Rule = Rule {
    summary: "link from a translation to the original of a translated page",
    why: "Readers leave their language although it has the page.",
    example: "content/ja/tour.md: [インストール](/en/install/)",
    instead: "content/ja/tour.md: [インストール](/ja/install/)",
    fix: "Link to the page in the same language.",
    is_fixable: true,
    ..Rule::new("translation-link", Warning)
};

pub(super) const DUPLICATE_TRANSLATION: Rule = Rule {
    summary: "second translation of the same page",
    why: "Only one of the pages is compared with the original, so the other one gets out of date.",
    example: "content/install.ja.md and content/ja/install.md",
    instead: "content/ja/install.md",
    fix: "Remove one of the pages.",
    ..Rule::new("duplicate-translation", Warning)
};
