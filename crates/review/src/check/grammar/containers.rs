//! Containers that end too early: <https://vitepress.dev/guide/markdown#custom-containers>.

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::quoted::quoted;
use input::conventions::SyntaxRule;

/// Reports a container in one with as many colons, whose first end therefore ends the outer one.
pub(super) fn mistakes(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Option<Mistake> {
    let (mut open, mut first): (Vec<usize>, _) = (Vec::new(), None);
    if !source.rules.contains(&SyntaxRule::Containers) {
        return None;
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
            continue;
        }
        if open.last() == Some(&colons) && first.is_none() {
            let message =
                format!("{} is in a container with as many colons, whose end it takes", quoted(text));
            let help = "use more colons for the outer container";
            first = Some(Mistake::misread(line.content(), message, help));
        }
        open.push(colons);
    }
    // A container without an end is a finding of its own.
    first.filter(|_| open.is_empty())
}
