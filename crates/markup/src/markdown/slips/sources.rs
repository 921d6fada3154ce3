//! Finds elements in raw HTML without the attribute that contains their URL: `<img scr="a.png">`.

use std::ops::Range;

use crate::markdown::html::{ADDRESSES, HtmlPart, HtmlReader, Start, is_raw_text};
use base::diagnostic::{Code, Problem};

/// Why an image has no file. Components of other tools may add the attribute.
pub(super) const NO_SOURCE: &str = "no-source";

/// Returns findings for the tags in raw HTML that lack such an attribute. `place` converts a range in the piece to a
/// range in the file.
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

/// Returns the finding for a tag, with its range in the piece.
fn problem(start: &Start) -> Option<Problem> {
    let name = &start.name;
    let problem = |message: String, help: String| {
        Problem::new(Code::EmptyLink, start.span.clone(), message).help(help).target("")
    };
    if let Some((written, meant)) = slip(start) {
        let message = format!("`<{name}>` has `{written}` instead of `{meant}`, so browsers don't use it");
        return Some(problem(message, format!("did you mean `{meant}=…`?")));
    }
    // Scripts and templates add such attributes through others.
    let is_of_script =
        |it: &String| it.contains([':', '{', '}', '@']) || it.contains("src") || it.starts_with("data-");
    let is_dynamic = start.attributes.keys().any(is_of_script);
    // An image with a size, but without a description, is space.
    let has = |name: &str| start.attributes.contains_key(name);
    let is_space = !has("alt") && (has("width") || has("height"));
    let message = "`<img>` has no `src`, so readers see no image".to_string();
    (name == "img" && !is_dynamic && !is_space)
        .then(|| problem(message, "add `src=\"…\"`".into()).data("cause", NO_SOURCE))
}

/// Returns the misspelled attribute, and the one that was meant.
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

/// Attributes whose names resemble one with a URL.
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
            "<img data-interchange=\"[/a.png, small]\">",
            "<img width=290px height=1px/>",
            "<img srcset=\"/a.png 1x\">",
            "<a rel=\"x\" id=\"y\">b</a>",
            "`<img>`",
        ] {
            check(silent, &[], silent);
        }
    }
}
