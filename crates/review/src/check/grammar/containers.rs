//! Containers that end too early: <https://vitepress.dev/guide/markdown#custom-containers>.

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::quoted::quoted;
use input::conventions::SyntaxRule;

/// Reports a container in one with as many colons, whose first end therefore ends the outer one.
pub(super) fn mistakes(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Vec<Mistake> {
    let mut open: Vec<usize> = Vec::new();
    if !source.rules.contains(&SyntaxRule::Containers) {
        return Vec::new();
    }
    for line in lines {
        let text = line.text.trim();
        let colons = text.bytes().take_while(|byte| *byte == b':').count();
        if colons < 3 {
            continue;
        }
        if text.len() == colons {
            while open.pop_if(|outer| *outer > colons).is_some() {}
            open.pop();
        } else if open.last() == Some(&colons) {
            let message =
                format!("{} is in a container with as many colons, whose end it takes", quoted(text));
            return vec![Mistake::misread(
                line.content(),
                message,
                "use more colons for the outer container",
            )];
        } else {
            open.push(colons);
        }
    }
    Vec::new()
}
