//! Docusaurus reads the content of ```` ```mdx-code-block ```` as part of the page, so that other programs show it as code:
//! <https://docusaurus.io/docs/api/docusaurus-config#markdown>, `unwrapMdxCodeBlocks` in `@docusaurus/utils`.

use std::borrow::Cow;

use memchr::memmem;

const NAME: &str = "mdx-code-block";

/// Replaces the first and last lines of such blocks by spaces, so that all positions stay the same. As upstream, blocks have three
/// or four backticks, wherever they are.
pub fn unwrapped(text: Cow<'_, str>) -> Cow<'_, str> {
    if memmem::find(text.as_bytes(), NAME.as_bytes()).is_none() {
        return text;
    }
    let mut lines = Vec::new();
    let mut open: Option<(&str, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, content) = (at, line.trim_end_matches(['\n', '\r']).trim_start_matches(' '));
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        at += line.len();
        match open {
            Some((marks, first, first_end)) if content == marks => {
                lines.extend([first..first_end, start..end]);
                open = None;
            }
            None => {
                let marks = &content[..content.len() - content.trim_start_matches('`').len()];
                let is_one =
                    matches!(marks.len(), 3 | 4) && content[marks.len()..].trim_start_matches(' ') == NAME;
                open = is_one.then_some((marks, start, end));
            }
            Some(_) => {}
        }
    }
    let mut bytes = text.as_bytes().to_vec();
    for line in lines {
        bytes[line].fill(b' ');
    }
    String::from_utf8(bytes).expect("complete lines are replaced").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = unwrapped(text.into());
        assert_eq!(found.len(), text.len());
        assert_eq!(found.replace(' ', "").replace("mdx-code-block", "mdx"), expected);
    }

    #[test]
    fn only_closed_blocks_with_three_or_four_backticks_are_part_of_the_page() {
        check("a\n```mdx-code-block\nb\n```\nc", "a\n\nb\n\nc");
        check("````  mdx-code-block\r\n```js\nb\n```\n  ````\n", "\r\n```js\nb\n```\n\n");
        check("```mdx-code-block\nb\n", "```mdx\nb\n");
        check("`````mdx-code-block\nb\n`````\n", "`````mdx\nb\n`````\n");
        check("```mdx-code-block x\nb\n```\n", "```mdxx\nb\n```\n");
        check("~~~mdx-code-block\nb\n~~~\n", "~~~mdx\nb\n~~~\n");
    }
}
