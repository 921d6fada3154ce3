//! `[languages]`: the language of the original, and translations that aren't detected.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Invalid;
use base::diagnostic::nearest;
use base::language::LanguageTag;

/// Languages of a site. `[languages.ja]` describes one translation.
#[derive(Clone, Debug, Default)]
pub struct LanguagesConfig {
    /// The language of the original.
    pub default: Option<toml::Spanned<String>>,
    /// Front matter key for the commit of the original from which a translation was made.
    pub pin: Option<String>,
    /// Languages in which missing pages are warnings.
    pub require: Vec<toml::Spanned<String>>,
    /// Content to show for pages that a translation lacks. [default: page]
    pub fallback: Option<Fallback>,
    /// Whether pages whose original changed show a notice. [default: true]
    pub banner: Option<bool>,
    /// Whether the state of all translations is published at `/_translations/`. [default: false]
    pub status: Option<bool>,
    /// By tag.
    pub translations: BTreeMap<LanguageTag, LanguageTable>,
    /// Invalid values, in the order of the file.
    mistakes: Vec<Mistake>,
}

/// An invalid value.
#[derive(Clone, Debug)]
struct Mistake {
    span: Range<usize>,
    message: String,
    help: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fallback {
    Page,
    Link,
    None,
}

/// One translation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LanguageTable {
    /// Name of the language, by default in the language itself.
    pub name: Option<String>,
    /// Folder of its pages, relative to the root.
    #[schemars(with = "Option<String>")]
    pub folder: Option<toml::Spanned<String>>,
}

/// Keys that aren't languages.
const KEYS: [&str; 6] = ["default", "pin", "require", "fallback", "banner", "status"];

impl<'de> Deserialize<'de> for LanguagesConfig {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_map(Keys)
    }
}

struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = LanguagesConfig;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of languages")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<LanguagesConfig, M::Error> {
        let mut config = LanguagesConfig::default();
        while let Some(key) = map.next_key::<toml::Spanned<String>>()? {
            match key.get_ref().as_str() {
                "default" => config.default = Some(map.next_value()?),
                "pin" => config.pin = Some(map.next_value()?),
                "require" => config.require = map.next_value()?,
                "fallback" => config.fallback = Some(map.next_value()?),
                "banner" => config.banner = Some(map.next_value()?),
                "status" => config.status = Some(map.next_value()?),
                written => {
                    if let Some(tag) = LanguageTag::known(written) {
                        let table: LanguageTable = map.next_value()?;
                        if config.translations.insert(tag.clone(), table).is_some() {
                            let message =
                                format!("`{written}` is the language `{tag}`, which has a table already");
                            config.mistake_at(key.span(), message, "remove one of the two tables".into());
                        }
                    } else {
                        let near = nearest(written, KEYS).map(|near| format!("did you mean `{near}`?"));
                        let help = near.unwrap_or_else(|| "use a tag such as `ja` or `pt-BR`".into());
                        config.mistake_at(key.span(), format!("`{written}` is no known language"), help);
                        map.next_value::<IgnoredAny>()?;
                    }
                }
            }
        }
        config.look_at_tags();
        Ok(config)
    }
}

impl LanguagesConfig {
    fn mistake_at(&mut self, span: Range<usize>, message: String, help: String) {
        self.mistakes.push(Mistake { span, message, help });
    }

    /// Reports unknown language tags, and an original that is also a translation.
    fn look_at_tags(&mut self) {
        for written in self.default.iter().chain(&self.require) {
            if LanguageTag::known(written.get_ref()).is_none() {
                let (span, message) =
                    (written.span(), format!("`{}` is no known language", written.get_ref()));
                self.mistakes.push(Mistake {
                    span,
                    message,
                    help: "use a tag such as `ja` or `pt-BR`".into(),
                });
            }
        }
        if let (Some(default), Some(tag)) = (&self.default, self.original())
            && let Some(table) = self.translations.get(&tag)
            && table.folder.is_some()
        {
            let message = format!("`{tag}` is the language of the original and of a translation");
            let help = format!("remove `[languages.{}]`, or change `default`", default.get_ref());
            self.mistakes.push(Mistake { span: default.span(), message, help });
        }
    }

    /// Returns the configured language of the original.
    pub fn original(&self) -> Option<LanguageTag> {
        LanguageTag::known(self.default.as_ref()?.get_ref())
    }

    /// Returns the languages in which missing pages are warnings.
    pub fn required(&self) -> impl Iterator<Item = (LanguageTag, Range<usize>)> {
        self.require.iter().filter_map(|it| Some((LanguageTag::known(it.get_ref())?, it.span())))
    }

    /// Returns the first invalid value.
    pub(super) fn mistake(&self) -> Option<Invalid> {
        let Mistake { span, message, help } = self.mistakes.iter().min_by_key(|it| it.span.start)?;
        Some(Invalid { span: span.clone(), message: message.clone(), help: Some(help.clone()) })
    }
}

impl JsonSchema for LanguagesConfig {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LanguagesConfig".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        struct Known {
            /// The language of the original.
            default: Option<String>,
            /// Front matter key for the commit of the original from which a translation was made.
            pin: Option<String>,
            /// Languages in which missing pages are warnings.
            require: Option<Vec<String>>,
            /// Content to show for pages that a translation lacks. [default: page]
            fallback: Option<Fallback>,
            /// Whether pages whose original changed show a notice. [default: true]
            banner: Option<bool>,
            /// Whether the state of all translations is published at `/_translations/`. [default: false]
            status: Option<bool>,
            /// A translation, by its tag.
            #[serde(flatten)]
            translations: BTreeMap<String, LanguageTable>,
        }
        Known::json_schema(generator)
    }
}

/// Reads the languages from a configuration. They are needed to find the pages of a site. Other mistakes in the
/// configuration are reported later.
pub fn languages(text: &str) -> LanguagesConfig {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Only {
        language: Option<toml::Spanned<String>>,
        languages: LanguagesConfig,
    }
    if !text.contains("language") {
        return LanguagesConfig::default();
    }
    let Only { language, mut languages } = toml::from_str(text).unwrap_or_default();
    // The site is written in its language unless another one is given.
    languages.default = languages.default.or(language);
    languages
}
