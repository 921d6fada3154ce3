//! The classes of scopes.

/// Scope prefixes and their classes. The longest matching prefix counts.
pub(crate) const CLASSES: &[(&str, &str)] = &[
    ("comment", "c"),
    ("string", "s"),
    ("string.regexp", "r"),
    ("constant.character.escape", "e"),
    ("constant.other.placeholder", "e"),
    ("constant", "n"),
    ("constant.other.symbol", "s"),
    ("keyword", "k"),
    ("keyword.operator", "o"),
    ("keyword.operator.word", "k"),
    ("storage", "k"),
    ("storage.type.class", "k"),
    ("support.type", "t"),
    ("support.class", "t"),
    ("support.function", "f"),
    ("support.constant", "n"),
    ("entity.name.type", "t"),
    ("entity.name.class", "t"),
    ("entity.name.struct", "t"),
    ("entity.name.enum", "t"),
    ("entity.name.namespace", "t"),
    ("entity.name.function", "f"),
    ("entity.name.tag", "g"),
    ("entity.name.section", "g"),
    ("entity.other.attribute-name", "a"),
    ("entity.other.inherited-class", "t"),
    ("variable.function", "f"),
    ("variable.annotation", "a"),
    ("variable.language", "k"),
    ("variable.parameter", "p"),
    ("support.type.property-name", "p"),
    ("meta.object-literal.key", "p"),
    ("meta.mapping.key", "p"),
    ("meta.annotation", "a"),
    ("markup.inserted", "i"),
    ("markup.deleted", "d"),
    ("markup.heading", "g"),
];

/// In these scopes, code begins again inside a string.
const CODE: [&str; 2] = ["source", "meta.interpolation"];

/// Whether code begins again in a scope.
pub(crate) fn is_code_again(scope: &str) -> bool {
    CODE.iter().any(|code| is_in(scope, code))
}

/// Returns the position in [`CLASSES`] for a scope.
pub(crate) fn position(scope: &str) -> Option<usize> {
    let fitting = CLASSES.iter().enumerate().filter(|(_, (prefix, _))| is_in(scope, prefix));
    fitting.max_by_key(|(_, (prefix, _))| prefix.len()).map(|(at, _)| at)
}

/// Whether a scope is `prefix` or a part of it: `string.quoted` is a part of `string`.
fn is_in(scope: &str, prefix: &str) -> bool {
    scope.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
