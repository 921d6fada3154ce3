//! Checks Liquid's tags on Jekyll pages: each block needs its end, and each included file must exist. Otherwise, Jekyll stops.

use std::ops::Range;

use super::Subject;
use base::diagnostic::{Code, Problem, Severity};
use input::conventions::Syntax;
use markup::markdown::in_tag;

/// The blocks of Liquid and Jekyll. Plugins add others.
const BLOCKS: &[&str] =
    &["if", "unless", "case", "for", "tablerow", "ifchanged", "capture", "comment", "raw", "highlight"];

/// Whether Jekyll runs Liquid on a page. Without front matter, only a plugin does.
fn is_run(subject: &Subject<'_>) -> bool {
    let front = &subject.text[..subject.document.body];
    let values = &subject.document.dialect.values;
    subject.resolver.repository.convention.has(Syntax::Liquid)
        && front.starts_with("---")
        && !front.contains("render_with_liquid")
        && !values.contains_key("site.render_with_liquid")
}

/// Returns a finding for each block without its end, and for each end without its block.
pub(super) fn blocks(subject: &Subject<'_>) -> Vec<Problem> {
    if !is_run(subject) || !subject.text.contains("{%") {
        return Vec::new();
    }
    unbalanced(&subject.text, subject.document.body)
}

/// Turns the finding for a missing included file into an error, unless a theme contains the file.
pub(super) fn included(subject: &Subject<'_>, mut problem: Problem) -> Problem {
    let is_missing = problem.code == Code::UnsupportedSyntax
        && problem.severity.is_none()
        && problem.data.get("syntax").is_some_and(|it| it == "liquid-tag");
    let values = &subject.document.dialect.values;
    let is_elsewhere = || {
        let keys = ["site.theme", "site.remote_theme", "site.includes_dir"];
        keys.iter().any(|key| values.contains_key(*key))
    };
    if is_missing && is_run(subject) && !is_elsewhere() {
        problem.severity = Some(Severity::Error);
    }
    problem
}

fn unbalanced(text: &str, body: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut open: Vec<(&str, Range<usize>)> = Vec::new();
    // The blocks that nothing ends from here on.
    let mut endless: Vec<&str> = Vec::new();
    let last = text.rfind("%}").unwrap_or(0);
    let mut at = body;
    while let Some(start) = text[at..].find('{').map(|brace| at + brace) {
        let rest = &text[start..];
        if rest.starts_with("{{") {
            at = rest.find('}').map_or(text.len(), |end| start + end + 1);
            continue;
        }
        if start > last {
            break;
        }
        at = start + 1;
        let Some((name, span)) = tag(text, start) else { continue };
        at = span.end;
        if matches!(name, "raw" | "comment") {
            // Liquid doesn't read what is inside.
            if !endless.contains(&name)
                && let Some(end) = end_of(text, at, name)
            {
                if name == "raw" && shows_another(&text[at..end]) && !text[end..].starts_with("{{") {
                    problems.push(ended_by_next(span));
                }
                at = end;
            } else {
                endless.push(name);
                problems.push(unclosed(name, span));
            }
        } else if BLOCKS.contains(&name) {
            open.push((name, span));
        } else if let Some(block) = name.strip_prefix("end").filter(|block| BLOCKS.contains(block)) {
            match open.iter().rposition(|(name, _)| *name == block) {
                Some(opened) => {
                    let inner = open.drain(opened..).skip(1);
                    problems.extend(inner.map(|(name, span)| unclosed(name, span)));
                }
                None => problems.push(stray(block, span)),
            }
        }
    }
    problems.extend(open.into_iter().map(|(name, span)| unclosed(name, span)));
    problems
}

/// Returns the name and range of the tag that begins at `start`.
fn tag(text: &str, start: usize) -> Option<(&str, Range<usize>)> {
    let inside = text[start..].strip_prefix("{%")?;
    let end = inside.find("%}")?;
    let (name, _) = in_tag(&inside[..end])?;
    Some((name, start..start + 2 + end + 2))
}

/// Returns the end of the tag that closes a block whose content isn't read.
fn end_of(text: &str, from: usize, block: &str) -> Option<usize> {
    text[from..].match_indices("{%").find_map(|(at, _)| {
        let (name, span) = tag(text, from + at)?;
        (name.strip_prefix("end") == Some(block)).then_some(span.end)
    })
}

/// Whether the content of `{% raw %}` contains the same tag in another line. An example shows it in the same line, or as code.
fn shows_another(content: &str) -> bool {
    let below = content.find('\n').map_or("", |end| &content[end..]);
    let mut tags = below.match_indices("{%").filter(|(at, _)| !below[..*at].ends_with('`'));
    tags.any(|(at, _)| tag(below, at).is_some_and(|(name, _)| name == "raw"))
}

fn ended_by_next(span: Range<usize>) -> Problem {
    let message = "no `{% endraw %}` is before the next `{% raw %}`, which readers see as text";
    let help = "add `{% endraw %}` after its content".to_string();
    Problem::new(Code::UnbalancedBlock, span, message).help(help).as_warning()
}

fn unclosed(name: &str, span: Range<usize>) -> Problem {
    let message = format!("`{{% {name} %}}` has no `{{% end{name} %}}`, so Jekyll stops");
    let help = format!("add `{{% end{name} %}}` after its content");
    let about = if name == "raw" {
        help
    } else {
        format!("{help}; if it is an example, add `{{% raw %}}` around it")
    };
    Problem::new(Code::UnbalancedBlock, span, message).help(about)
}

fn stray(name: &str, span: Range<usize>) -> Problem {
    let message = format!("`{{% end{name} %}}` has no `{{% {name} %}}`, so Jekyll stops");
    let help = format!("remove it, or add `{{% {name} %}}` before its content");
    Problem::new(Code::UnbalancedBlock, span, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the tags that are reported, in order.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = unbalanced(text, 0);
        let found: Vec<&str> = found.iter().map(|it| &text[it.span.clone()]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn each_block_needs_its_end() {
        check("{% if a %}\nb", &["{% if a %}"]);
        check("{%- for a in b -%}{% if c %}d{% endfor %}", &["{% if c %}"]);
        check("a {% endif %} b", &["{% endif %}"]);
        check("{% raw %}{% if a %}", &["{% raw %}", "{% if a %}"]);
        check("{% raw %}{{ a }}\n\n{% raw %}{{ b }}{% endraw %}", &["{% raw %}"]);
        check("{% comment %} a {% if b %}", &["{% comment %}", "{% if b %}"]);
        check("```\n{% highlight ruby %}\n```", &["{% highlight ruby %}"]);
        check("{% capture a %}{% endcapture %}{% capture b %}", &["{% capture b %}"]);
    }

    #[test]
    fn balanced_blocks_and_examples_have_no_finding() {
        check("{% if a %}{% elsif b %}{% else %}{% endif %} {%- unless c -%}{%- endunless -%}", &[]);
        check("{% raw %}{% if a %}{% endraw %} {% comment %}{% endfor %}{%- endcomment -%}", &[]);
        check("{% raw %}\n`{% raw %}` {{ a }}{% endraw %}", &[]);
        check("{% raw %}{% raw %}{% endraw %}\n{% raw %}\n{% raw %}\na{% endraw %}{{ '{% endraw %}' }}", &[]);
        check("{{ \"{% if a %}\" }} {% tip %} {% include a.md %} {%", &[]);
        check("{% case a %}{% when 1 %}{% for b in c %}{% if d %}{% endif %}{% endfor %}{% endcase %}", &[]);
    }
}
