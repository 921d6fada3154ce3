//! Containers that end too early: <https://vitepress.dev/guide/markdown#custom-containers>, and directives without their end.

use std::ops::Range;

use super::Mistake;
use super::source::{PageSource, SourceLine};
use base::diagnostic::{Code, nearest};
use base::quoted::quoted;
use input::conventions::{Syntax, SyntaxRule};

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

/// Reports the first directive of a preprocessor of mdBook that another one ends before its own end, or nothing: `{{#tab}}` before
/// `{{#endtabs}}`, or an end that belongs to none. A directive with an end is one that has it anywhere on the page.
pub(super) fn unclosed_directive(source: &PageSource<'_>) -> Option<Mistake> {
    const END: &str = "end";
    if !source.syntax.contains(&Syntax::Mdbook) || !source.shown.contains("{{#end") {
        return None;
    }
    let directives = source.shown.match_indices("{{#").filter(|(at, _)| *at >= source.body);
    let directives = directives.filter_map(|(at, open)| {
        let rest = &source.text[at + open.len()..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'))?];
        Some((name, at..at + open.len() + rest.find("}}")? + 2))
    });
    let directives: Vec<(&str, _)> = directives.collect();
    let has_end = |name: &str| directives.iter().any(|(it, _)| it.strip_prefix(END) == Some(name));
    let has_start = |name: &str| directives.iter().any(|(it, _)| *it == name);
    let mut open: Vec<&(&str, Range<usize>)> = Vec::new();
    let wrong = directives.iter().find_map(|it| {
        match it.0.strip_prefix(END) {
            Some(ended) => match open.pop() {
                Some(last) if last.0 == ended => {}
                Some(last) if open.iter().any(|outer| outer.0 == ended) => return Some((last, None)),
                Some(last) if has_start(ended) => return Some((it, Some(last.0))),
                None if has_start(ended) => {
                    // A directive whose end has another name.
                    let alone = directives
                        .iter()
                        .map(|(name, _)| *name)
                        .filter(|name| !name.starts_with(END) && !has_end(name));
                    return Some((it, Some(nearest(ended, alone)?)));
                }
                _ => open.clear(),
            },
            None if has_end(it.0) => open.push(it),
            None => {}
        }
        None
    });
    let ((name, place), meant) = wrong.or_else(|| Some((open.pop()?, None)))?;
    let mistake = |message, help| {
        Some(Mistake { code: Code::UnbalancedBlock, ..Mistake::misread(place.clone(), message, help) })
    };
    if let Some(meant) = meant {
        let message = format!("`{{{{#{name}}}}}` ends a directive that isn't open");
        return mistake(message, format!("did you mean `{{{{#end{meant}}}}}`?"));
    }
    let message = format!("the directive `{{{{#{name}}}}}` is never closed");
    let help = format!("add `{{{{#end{name}}}}}` after its text");
    mistake(message, help)
}
