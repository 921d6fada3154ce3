//! Elements of raw HTML without the attribute that names what they show or lead to: `<img scr="a.png">`.

use std::ops::Range;

use crate::base::diagnostic::{Code, Problem};
use crate::markup::markdown::html::{ADDRESSES, HtmlPart, HtmlReader, Start, is_raw_text};

/// Why an image names no file: components of other tools may add the attribute.
pub(super) const NO_SOURCE: &str = "no-source";

/// The tags in a piece of raw HTML that lack such an attribute; `place` says where a part of the piece is in the file.
pub(super) fn in_html(html: &str, place: impl Fn(Range<usize>) -> Range<usize>) -> Vec<Problem> {
    let mut reader = HtmlReader::new(html);
    let mut problems = Vec::new();
    while let Some(found) = reader.next(false) {
        let HtmlPart::Start(start) = found else { continue };
        problems
            .extend(problem(&start).map(|problem| Problem { span: place(start.span.clone()), ..problem }));
        if is_raw_text(&start.name) {
            reader.raw_text(&start.name);
        }
    }
    problems
}

/// What is wrong with a tag, which is at its place in the piece.
fn problem(start: &Start) -> Option<Problem> {
    let name = &start.name;
    let problem = |message: String, help: String| {
        Problem::new(Code::EmptyLink, start.span.clone(), message).help(help).target("")
    };
    if let Some((written, meant)) = slip(start) {
        let message = format!("`<{name}>` has `{written}` instead of `{meant}`, so browsers don't use it");
        return Some(problem(message, format!("did you mean `{meant}=…`?")));
    }
    // Scripts and templates add attributes by others.
    let is_dynamic =
        start.attributes.keys().any(|it| it.contains([':', '{', '}', '@']) || it.contains("src"));
    let message = "`<img>` has no `src`, so readers see no image".to_string();
    (name == "img" && !is_dynamic)
        .then(|| problem(message, "add `src=\"…\"`".into()).data("cause", NO_SOURCE))
}

/// The attribute of an element that was meant to be the one with its address, and that one.
fn slip(start: &Start) -> Option<(&str, &'static str)> {
    let of_element = ADDRESSES.iter().filter(|(element, ..)| *element == start.name);
    let mut lacking = of_element.map(|(_, meant, _)| *meant).filter(|it| !start.attributes.contains_key(*it));
    lacking.find_map(|meant| {
        let near = |it: &&String| {
            it.bytes().all(|byte| byte.is_ascii_lowercase())
                && it.len() > 2
                && !KNOWN.contains(&it.as_str())
                && strsim::osa_distance(it, meant) == 1
        };
        start.attributes.keys().find(near).map(|written| (written.as_str(), meant))
    })
}

/// Attributes that are nearly named as one with an address.
const KNOWN: [&str; 2] = ["rel", "date"];

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn a_tag_without_its_address_is_reported() {
        for tag in ["<img alt=\"x\" scr=\"/a.png\">", "<img alt=\"x\">", "<iframe scr=\"/a/\"></iframe>"] {
            let found = format!("empty-link: {}", tag.trim_end_matches("</iframe>"));
            check(&format!("a {tag} b"), &[&found], &format!("a {tag} b"));
        }
        for silent in [
            "<img data-src=\"/a.png\">",
            "<img srcset=\"/a.png 1x\">",
            "<a rel=\"x\" id=\"y\">b</a>",
            "`<img>`",
        ] {
            check(silent, &[], silent);
        }
    }
}
