//! Tags of languages, such as `ja` or `pt-BR`, and what their speakers call them.

use std::fmt;

use icu_locale_core::LanguageIdentifier;
use serde::{Deserialize, Serialize};

/// A tag of BCP 47 with a known language, written in the usual case: `pt-BR`, `zh-Hans`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LanguageTag(String);

impl LanguageTag {
    /// Returns the tag for `written`, in any case and with `-` or `_`, or for another name of a language; `None` if the language isn't in ISO 639-1, or if the tag has
    /// more than a language, a script, and a region.
    pub fn known(written: &str) -> Option<Self> {
        if let Some((_, language)) = OTHER_NAMES.iter().find(|(name, _)| written.eq_ignore_ascii_case(name)) {
            return Some(Self((*language).to_string()));
        }
        // Most folder names aren't tags, and the first part of a tag has two or three letters.
        let language = written.split(['-', '_']).next()?;
        if !(2..=3).contains(&language.len()) {
            return None;
        }
        let tag: LanguageIdentifier = written.replace('_', "-").parse().ok()?;
        let is_known = codes().any(|code| tag.language.as_str() == code);
        (is_known && tag.variants.is_empty()).then(|| Self(tag.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the same language in the same script, of another region: `en` and `en-GB`.
    pub fn is_variant_of(&self, other: &Self) -> bool {
        let parts = |tag: &Self| tag.0.parse().map(|tag: LanguageIdentifier| (tag.language, tag.script)).ok();
        parts(self) == parts(other)
    }

    /// Returns the language's own name, with script and region if the tag has them: `日本語`, `Português (BR)`.
    pub fn own_name(&self) -> String {
        let (language, rest) = self.0.split_once('-').unwrap_or((&self.0, ""));
        let named =
            |tag: &str| NAMES.iter().find(|(code, _)| *code == tag).map(|(_, name)| (*name).to_string());
        let with_rest = || Some(format!("{} ({rest})", named(language)?));
        named(&self.0).or_else(with_rest).unwrap_or_else(|| self.0.clone())
    }

    /// Returns the English name for the language of a site, or its own name.
    pub fn english_name(&self) -> String {
        if self.0 == "en" { "English".to_string() } else { self.own_name() }
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn codes() -> impl Iterator<Item = &'static str> {
    CODES.split_ascii_whitespace()
}

/// Names of folders and files that authors use for a language although they aren't its code. Kanuri and Chamorro have two of them.
#[rustfmt::skip]
const OTHER_NAMES: [(&str, &str); 9] = [
    ("ch", "zh-CN"), ("cn", "zh-CN"), ("cz", "cs"), ("dk", "da"), ("gr", "el"), ("jp", "ja"), ("kr", "ko"), ("ua", "uk"), ("vn", "vi"),
];

/// ISO 639-1, and languages with three letters that documentation is often translated to.
const CODES: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi \
    fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw \
    ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro \
    ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi \
    yo za zh zu ckb fil yue";

/// Languages by their own names.
const NAMES: &[(&str, &str)] = &[
    ("ar", "العربية"),
    ("az", "Azərbaycanca"),
    ("be", "Беларуская"),
    ("bg", "Български"),
    ("bn", "বাংলা"),
    ("ca", "Català"),
    ("cs", "Čeština"),
    ("da", "Dansk"),
    ("de", "Deutsch"),
    ("el", "Ελληνικά"),
    ("en", "English"),
    ("es", "Español"),
    ("et", "Eesti"),
    ("eu", "Euskara"),
    ("fa", "فارسی"),
    ("fi", "Suomi"),
    ("fil", "Filipino"),
    ("fr", "Français"),
    ("gl", "Galego"),
    ("he", "עברית"),
    ("hi", "हिन्दी"),
    ("hr", "Hrvatski"),
    ("hu", "Magyar"),
    ("hy", "Հայերեն"),
    ("id", "Bahasa Indonesia"),
    ("it", "Italiano"),
    ("ja", "日本語"),
    ("ka", "ქართული"),
    ("kk", "Қазақша"),
    ("ko", "한국어"),
    ("lt", "Lietuvių"),
    ("lv", "Latviešu"),
    ("ml", "മലയാളം"),
    ("ms", "Bahasa Melayu"),
    ("nb", "Norsk bokmål"),
    ("nl", "Nederlands"),
    ("no", "Norsk"),
    ("pl", "Polski"),
    ("pt", "Português"),
    ("ro", "Română"),
    ("ru", "Русский"),
    ("sk", "Slovenčina"),
    ("sl", "Slovenščina"),
    ("sq", "Shqip"),
    ("sr", "Српски"),
    ("sv", "Svenska"),
    ("ta", "தமிழ்"),
    ("te", "తెలుగు"),
    ("th", "ไทย"),
    ("tr", "Türkçe"),
    ("uk", "Українська"),
    ("ur", "اردو"),
    ("uz", "Oʻzbekcha"),
    ("vi", "Tiếng Việt"),
    ("zh", "中文"),
    ("zh-Hans", "简体中文"),
    ("zh-Hant", "繁體中文"),
    ("zh-CN", "简体中文"),
    ("zh-TW", "繁體中文"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_written_in_one_way_and_others_are_none() {
        for (written, tag, name) in [
            ("ja", Some("ja"), "日本語"),
            ("pt_BR", Some("pt-BR"), "Português (BR)"),
            ("ZH-hans", Some("zh-Hans"), "简体中文"),
            ("zh", Some("zh"), "中文"),
            ("gd", Some("gd"), "gd"),
            ("cn", Some("zh-CN"), "简体中文"),
            ("go", None, ""),
            ("ios", None, ""),
            ("xx", None, ""),
            ("docs", None, ""),
            ("en-US-posix", None, ""),
            ("", None, ""),
        ] {
            let known = LanguageTag::known(written);
            assert_eq!(known.as_ref().map(LanguageTag::as_str), tag, "{written}");
            assert_eq!(known.map(|tag| tag.own_name()).unwrap_or_default(), name, "{written}");
        }
    }
}
