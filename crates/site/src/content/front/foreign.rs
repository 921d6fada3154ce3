//! Other generators' keys with the same meaning as ours.

/// A key of another generator.
#[derive(Debug)]
pub(super) struct GeneratorKey {
    pub(super) generator: &'static str,
    pub(super) key: &'static str,
    pub(super) ours: &'static str,
}

/// The table, by generator.
const TABLE: &[GeneratorKey] = &[
    foreign("Docusaurus", "sidebar_position", "order"),
    foreign("Hugo", "weight", "order"),
    foreign("Just the Docs", "nav_order", "order"),
    foreign("jekyll-redirect-from", "redirect_from", "aliases"),
    foreign("jekyll-redirect-from", "redirect_to", "redirect"),
];

const fn foreign(generator: &'static str, key: &'static str, ours: &'static str) -> GeneratorKey {
    GeneratorKey { generator, key, ours }
}

/// Whether `names` contains no earlier key in the table with the same meaning, because one finding is enough.
pub(super) fn is_first(foreign: &GeneratorKey, names: &[String]) -> bool {
    let before = TABLE.iter().take_while(|other| other.key != foreign.key);
    !before.filter(|other| other.ours == foreign.ours).any(|other| names.iter().any(|name| name == other.key))
}

pub(super) fn named(key: &str) -> Option<&'static GeneratorKey> {
    TABLE.iter().find(|foreign| foreign.key == key)
}
