//! Docusaurus reads the content of ```` ```mdx-code-block ```` as part of the page, so that other programs show it as code:
//! <https://docusaurus.io/docs/api/docusaurus-config#markdown>, `unwrapMdxCodeBlocks` in `@docusaurus/utils`.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use base::lines::placed;
use input::conventions::Syntax;
use input::dialect::Dialect;

const NAME: &str = "mdx-code-block";

/// Replaces the first and last lines of such blocks by spaces if the text is MDX, so that all positions stay the same. As in Docusaurus,
/// blocks have three or four backticks, wherever they are.
pub fn unwrapped<'t>(text: Cow<'t, str>, dialect: &Dialect) -> Cow<'t, str> {
    if !dialect.has(Syntax::Mdx) || memmem::find(text.as_bytes(), NAME.as_bytes()).is_none() {
        return text;
    }
    let mut lines = Vec::new();
    // The marks and the range of an opening line.
    let mut open: Option<(&str, Range<usize>)> = None;
    for (at, whole) in placed(&text, 0) {
        let line = whole.trim_end_matches(['\n', '\r']);
        let (place, content) = (at..at + line.len(), line.trim_start_matches(' '));
        match &open {
            None => {
                let name = content.trim_start_matches('`');
                let marks = &content[..content.len() - name.len()];
                let is_opening = matches!(marks.len(), 3 | 4) && name.trim_start_matches(' ') == NAME;
                open = is_opening.then_some((marks, place));
            }
            Some((marks, opening)) if content == *marks => {
                lines.extend([opening.clone(), place]);
                open = None;
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
        let mdx = Dialect { syntax: &[Syntax::Mdx], ..Dialect::default() };
        let found = unwrapped(text.into(), &mdx);
        assert_eq!(unwrapped(text.into(), &Dialect::default()), text);
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
