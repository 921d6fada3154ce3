//! Finds the site's own blocks: `templates/blocks/card.html` is the template of `:::card title="…"`.
//!
//! In: [`Sources`]. Out: [`BlockTemplates`], the names of the blocks, each with the attributes that its template uses.

use crate::source::Sources;
use base::sorted::SortedMap;

/// The folder of block templates, relative to the root and to the other templates.
const FOLDER: &str = "templates/blocks/";

/// The site's own blocks by name.
pub type BlockTemplates = SortedMap<String, BlockTemplate>;

/// The template of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockTemplate {
    /// The attributes that the template uses, and whether a block must have them.
    pub attributes: SortedMap<String, bool>,
}

/// Returns the site's own blocks.
pub fn of(sources: &Sources) -> BlockTemplates {
    let own = sources.templates.iter().filter(|(_, text)| text.invalid.is_none());
    let named = own.filter_map(|(path, text)| Some((name_of(path.as_str())?, text)));
    let blocks = named
        .map(|(name, text)| (name.to_string(), BlockTemplate { attributes: attributes_of(&text.text()) }));
    blocks.collect()
}

/// Returns the name of the block that the template at a path is for.
pub fn name_of(path: &str) -> Option<&str> {
    path.strip_prefix(FOLDER)?.strip_suffix(".html").filter(|name| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

/// Returns the attributes that a template uses as `block.NAME`. A block must have those that the template only
/// displays, without `{% if %}`, `or` and `default`.
fn attributes_of(template: &str) -> SortedMap<String, bool> {
    let mut attributes = SortedMap::new();
    for (at, written) in template.match_indices("block.") {
        let before = &template[..at];
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        if before.ends_with(|letter| is_word(letter) || letter == '.') {
            continue;
        }
        let rest = &template[at + written.len()..];
        let name = &rest[..rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())];
        let rest = rest[name.len()..].trim_start();
        let filter = rest.trim_start_matches('|').trim_start();
        let is_displayed = before.rfind('{').is_some_and(|tag| before[..tag].ends_with('{'));
        let is_required = is_displayed && !rest.starts_with("or ") && !filter.starts_with("default");
        if !name.is_empty() {
            attributes
                .entry(name.to_string())
                .and_modify(|required| *required &= is_required)
                .or_insert(is_required);
        }
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the attributes of a template. Optional ones end with `?`.
    #[track_caller]
    fn check(template: &str, expected: &str) {
        let attributes = attributes_of(template);
        let written =
            attributes.iter().map(|(name, required)| format!("{name}{}", if *required { "" } else { "?" }));
        assert_eq!(written.collect::<Vec<_>>().join(" "), expected, "{template}");
    }

    #[test]
    fn a_template_shows_its_attributes() {
        check("<a href=\"{{ block.href }}\">{{- block.title | upper }}</a> {{ body | safe }}", "href title");
        check("{% if block.icon %}<img src=\"{{ block.icon }}\">{% endif %}{{ block.title }}", "icon? title");
        check("{{ block.a or \"x\" }} {{ block.b | default(value=1) }} {#- block.c -#}", "a? b? c?");
        check("{{ my_block.a }} {{ page.block.b }} {{ block. }}", "");
    }

    #[test]
    fn a_name_is_a_word() {
        for (path, expected) in [
            ("templates/blocks/card.html", Some("card")),
            ("templates/blocks/my-card_2.html", Some("my-card_2")),
            ("templates/blocks/a/b.html", None),
            ("templates/blocks/.html", None),
            ("templates/card.html", None),
        ] {
            assert_eq!(name_of(path), expected);
        }
    }
}
