//! URLs in MDX expressions.

use std::ops::Range;

use crate::markdown::page::OmissionReason;
use crate::markdown::syntax::script::ScriptValue;
use crate::markdown::syntax::tag::attribute_text;
use crate::markdown::syntax::translator::Translator;

/// A URL for readers: a prefix, and the part that is copied.
pub(super) struct AttributeAddress {
    pub(super) before: &'static str,
    pub(super) text: String,
    /// Range of the text if it is written literally.
    pub(super) place: Option<Range<usize>>,
}

/// Returns the URL in a value.
pub(super) fn address<'t>(it: &Translator<'t, '_>, given: &ScriptValue<'t>) -> Option<AttributeAddress> {
    let of = |before, text: &str, place| AttributeAddress { before, text: text.to_string(), place };
    match given {
        ScriptValue::Text(text, place) => {
            let is_same = it.lines.text.get(place.clone()) == Some(&**text);
            // Browsers ignore spaces around a URL.
            let bare = text.trim();
            let start = place.start + (text.len() - text.trim_start().len());
            Some(of("", bare, is_same.then(|| start..start + bare.len())))
        }
        ScriptValue::Call("useBaseUrl" | "withBaseUrl", arguments) => {
            let inner = address(it, arguments.first()?)?;
            let is_whole = inner.text.starts_with('/') || inner.text.contains("://");
            Some(AttributeAddress { before: if is_whole { "" } else { "/" }, ..inner })
        }
        ScriptValue::Call("require", arguments) => address(it, arguments.first()?),
        ScriptValue::Name(name) => {
            let name = name.strip_suffix(".default").or_else(|| name.strip_suffix(".src")).unwrap_or(name);
            if let Some(file) = it.mdx.names.file(name) {
                return Some(of("", file.split('?').next().unwrap_or(file), None));
            }
            if let Some(argument) = name.strip_prefix("props.").and_then(|name| it.arguments.get(name)) {
                return Some(of("", argument, None));
            }
            match it.mdx.names.constants.get(name)? {
                ScriptValue::Name(_) => None,
                constant => {
                    let found = address(it, &constant.clone())?;
                    Some(AttributeAddress { place: None, ..found })
                }
            }
        }
        ScriptValue::Object(_) => address(it, given.get(&["light", "src", "default", "srcLight"])?),
        _ => None,
    }
}

/// Writes a URL, with the range of the copied part.
pub(super) fn put_address(it: &mut Translator<'_, '_>, address: &AttributeAddress, around: &Range<usize>) {
    if let Some(place) = &address.place {
        it.out.put(address.before, around.start..place.start);
        it.out.copy(it.lines.text, place.clone());
    } else {
        let whole = format!("{}{}", address.before, attribute_text(&address.text));
        it.out.put(&whole, around.clone());
    }
}

/// Records a missing file. Files that bundlers and packages provide are unknown.
pub(super) fn missing(it: &mut Translator<'_, '_>, file: &str, end: usize) {
    let span = it.lines.at..end;
    let path = file.rsplit('!').next().unwrap_or(file);
    let is_path =
        path.starts_with(['.', '/']) || ["@site/", "@/", "~/"].iter().any(|it| path.starts_with(it));
    it.note(
        super::kinds::IMPORT,
        file,
        if is_path { OmissionReason::Missing } else { OmissionReason::Unknown },
        span,
    );
}
