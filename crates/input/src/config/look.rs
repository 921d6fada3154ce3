//! `[theme]`: the color, fonts and sizes of all pages, without custom style sheets.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Color, fonts and sizes of all pages.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Look {
    /// Color of links, buttons and other interactive elements, in CSS, such as `#0a6640`.
    pub accent: Option<CssValue>,
    /// The same in dark mode. By default, a lighter version of `accent`.
    pub accent_dark: Option<CssValue>,
    /// Font of texts, as `font-family` in CSS, such as `"Inter", sans-serif`.
    pub font: Option<CssValue>,
    /// Font of code.
    pub font_code: Option<CssValue>,
    /// Radius of corners, such as `0` or `.6rem`.
    pub radius: Option<CssValue>,
    /// Width of texts, such as `44rem`.
    pub width: Option<CssValue>,
}

/// The value of a CSS declaration. It can't end the declaration.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct CssValue(String);

impl CssValue {
    /// Checks that a text is a single value.
    fn read(text: &str) -> Result<Self, &'static str> {
        let (mut open, mut quote) = (0_usize, None);
        for letter in text.chars() {
            match (quote, letter) {
                (_, '\\' | '<' | '\n') => {
                    return Err("a value in CSS without `\\`, `<` and line breaks is expected");
                }
                (Some(it), letter) if it == letter => quote = None,
                (None, '"' | '\'') => quote = Some(letter),
                (None, '(') => open += 1,
                (None, ')') => open = open.checked_sub(1).ok_or("a `)` has no `(`")?,
                (None, ';' | '{' | '}' | '!' | '@') => {
                    return Err("one value in CSS is expected, not a declaration or a rule");
                }
                _ => {}
            }
        }
        match (text.trim(), open, quote) {
            ("", ..) => Err("a value in CSS is expected"),
            (value, 0, None) => Ok(Self(value.to_string())),
            _ => Err("a quote or a parenthesis is not closed"),
        }
    }
}

impl<'de> Deserialize<'de> for CssValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text).map_err(D::Error::custom)
    }
}

/// Accent of the built-in style sheet.
const ACCENT: &str = "#2450c4";

impl Look {
    /// Returns the color of links and buttons in light mode.
    pub fn light_accent(&self) -> &str {
        self.accent.as_ref().map_or(ACCENT, |CssValue(accent)| accent)
    }

    /// Returns a style sheet with the configured values, to be loaded after the built-in one, or `None` if nothing is
    /// configured.
    pub fn css(&self) -> Option<String> {
        let mut css = String::new();
        let light = self.accent.as_ref().or(self.accent_dark.as_ref());
        if let Some(CssValue(light)) = light {
            let dark = self.accent_dark.as_ref().map(|CssValue(dark)| dark.clone());
            let dark = dark.unwrap_or_else(|| format!("color-mix(in oklab, {light} 50%, #fff)"));
            let light = self.light_accent();
            declare(&mut css, "--accent", &format!("light-dark({light}, {dark})"));
        }
        let values = [
            ("--font", &self.font),
            ("--mono", &self.font_code),
            ("--radius", &self.radius),
            ("--measure", &self.width),
        ];
        for (name, value) in values {
            if let Some(CssValue(value)) = value {
                declare(&mut css, name, value);
            }
        }
        (!css.is_empty()).then(|| format!(":root {{\n{css}}}\n"))
    }
}

fn declare(css: &mut String, name: &str, value: &str) {
    writeln!(css, "  {name}: {value};").expect("a String takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_value() {
        for value in ["#0a6640", "rgb(10 100 64)", "\"Inter\", sans-serif", "'a;b'", " .6rem "] {
            assert_eq!(CssValue::read(value), Ok(CssValue(value.trim().to_string())));
        }
        for value in [
            "",
            "  ",
            "red; color: blue",
            "red }",
            "rgb(1",
            "1)",
            "\"Inter",
            "a\\",
            "</style>",
            "red !important",
        ] {
            assert!(CssValue::read(value).is_err(), "{value}");
        }
    }

    #[test]
    fn configured_values_become_a_style_sheet() {
        let look = |text: &str| toml::from_str::<Look>(text).expect("it is valid").css();
        assert_eq!(look(""), None);
        assert_eq!(
            look("accent = '#0a6640'\nradius = '0'").as_deref(),
            Some(
                ":root {\n  --accent: light-dark(#0a6640, color-mix(in oklab, #0a6640 50%, #fff));\n  --radius: 0;\n}\n"
            )
        );
        assert_eq!(
            look("accent = 'teal'\naccent_dark = 'cyan'").as_deref(),
            Some(":root {\n  --accent: light-dark(teal, cyan);\n}\n")
        );
    }
}
