//! An opening where the end of the one before was meant: `<b>text<b>`, or `{{% note "A" %}}` … `{{% note %}}`.
//!
//! Neither of the two is closed, for one cause, so it is one finding, at the second.

use crate::markdown::syntax::COMPILED;
use base::diagnostic::{Code, Problem};
use base::quoted::quoted;

/// The signs around a name, and those before it at its end.
const FORMS: [(&str, &str, &str); 4] =
    [("{{<", "{{< /", " >}}"), ("{{%", "{{% /", " %}}"), ("{%", "{% end", " %}"), ("<", "</", ">")];

/// An opening that is never closed.
struct Opening<'t> {
    at: usize,
    /// Its position among the problems.
    problem: usize,
    name: &'t str,
    /// Whether it consists of its name.
    is_bare: bool,
    /// The text that would close it.
    end: String,
}

/// Replaces the findings for two openings of which the second should be the end of the first.
pub(in crate::markdown) fn merge(text: &str, problems: &mut Vec<Problem>) {
    // To a compiler of MDX, `<br>` is open, too.
    let is_open = |it: &Problem| {
        matches!(it.code, Code::UnbalancedBlock | Code::UnclosedElement) && !it.data.contains_key(COMPILED)
    };
    if problems.iter().filter(|it| is_open(it)).count() < 2 {
        return;
    }
    let open = problems.iter().enumerate().filter(|(_, it)| is_open(it));
    let mut open: Vec<Opening<'_>> = open.filter_map(|(at, it)| Opening::of(text, at, it)).collect();
    open.sort_unstable_by_key(|it| it.at);
    let pairs = open.windows(2).filter_map(|pair| {
        let [one, other] = pair else { return None };
        let between = &text[one.at..other.at];
        let is_end = one.name == other.name && other.is_bare && (!one.is_bare || !between.contains("\n\n"));
        is_end.then(|| (one.problem, other.problem, other.name.to_string(), other.end.clone()))
    });
    let pairs: Vec<_> = pairs.collect();
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for (first, second, name, end) in pairs {
        if seconds.contains(&first) {
            continue;
        }
        let Problem { code, span, .. } = &problems[second];
        let message = format!("this opens another {} instead of closing the one before", quoted(&name));
        problems[second] = Problem::new(*code, span.clone(), message).help(format!("use {}", quoted(&end)));
        firsts.push(first);
        seconds.push(second);
    }
    let mut positions = 0..;
    problems.retain(|_| positions.next().is_none_or(|at| !firsts.contains(&at)));
}

impl<'t> Opening<'t> {
    fn of(text: &'t str, problem: usize, it: &Problem) -> Option<Self> {
        let written = text.get(it.span.clone())?.lines().next()?.trim();
        let (open, close, end) = FORMS.iter().find(|(open, ..)| written.starts_with(open))?;
        let inside = written[open.len()..].trim_start();
        let name = inside.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')).next()?;
        // A placeholder is in quotation marks: `'<dir>'`.
        let is_quoted = text[..it.span.start].ends_with(['\'', '"', '=']);
        let is_bare = !is_quoted && inside[name.len()..].trim_start().starts_with(end.trim_start());
        let end = format!("{close}{name}{end}");
        (!name.is_empty()).then_some(Self { at: it.span.start, problem, name, is_bare, end })
    }
}
