//! Texts of authors in messages.
//!
//! Names and code in messages are in backticks. A text with backticks would end them, so it is in quotation marks.

/// Returns a text in backticks, or in quotation marks if it contains backticks.
pub fn in_quotes(text: &str) -> String {
    if text.contains('`') { format!("“{text}”") } else { format!("`{text}`") }
}

/// Returns the start of a text on one line, [`in_quotes`].
pub fn quoted(text: &str) -> String {
    in_quotes(&shortened(text))
}

/// Shortens a text to the length of a line in a message. If possible, it ends with a complete word.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(LONGEST) else { return line };
    let words = line[..end].rfind(' ').filter(|words| 2 * words > end);
    format!("{}…", &line[..words.unwrap_or(end)])
}

/// Splits a message into quoted texts and the texts between them, with `true` for those that are quoted.
pub fn parts(message: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(open) = message[at..].find(['`', '“']).map(|open| at + open) {
        let marks = message[open..].bytes().take_while(|byte| *byte == b'`').count();
        let (inside, end) = if marks > 0 { (open + marks, '`') } else { (open + '“'.len_utf8(), '”') };
        at = inside;
        // Several backticks are the marks of a code block, and other quotation marks belong to the message.
        let Some(length) = message[inside..].find(end).filter(|_| marks < 2) else { continue };
        let (text, after) = (&message[inside..inside + length], inside + length + end.len_utf8());
        if marks == 1 || text.contains('`') {
            parts.extend([(false, &message[start..open]), (true, text)]);
            start = after;
            at = after;
        }
    }
    parts.push((false, &message[start..]));
    parts.retain(|(is_quoted, text)| *is_quoted || !text.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_backticks_is_quoted_by_other_marks() {
        for (text, expected) in [
            ("a b", "`a b`"),
            ("```{tabs}", "“```{tabs}”"),
            ("a\n  `b`\n", "“a `b`”"),
            ("", "``"),
            (&"word ".repeat(20), &format!("`{}word…`", "word ".repeat(11))),
            (&"x".repeat(61), &format!("`{}…`", "x".repeat(60))),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }

    #[test]
    fn a_message_is_split_at_its_quotes() {
        for (message, expected) in [
            ("a `b` c", "a [b] c"),
            ("`b`", "[b]"),
            ("“`a` b” and `c`", "[`a` b] and [c]"),
            ("`“` is “open”", "[“] is “open”"),
            ("after ` is", "after ` is"),
            ("after ``` is `b`", "after ``` is [b]"),
        ] {
            let shown = |(is_quoted, text): (bool, &str)| {
                if is_quoted { format!("[{text}]") } else { text.to_string() }
            };
            assert_eq!(parts(message).into_iter().map(shown).collect::<String>(), expected);
        }
    }
}
