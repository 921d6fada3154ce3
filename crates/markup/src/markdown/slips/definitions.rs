//! Finds link labels with several definitions.

use std::ops::Range;

use super::conflict::CodeExtent;
use crate::markdown::page::Page;
use crate::markdown::syntax::{LAST_DEFINITIONS, ONE_DEFINITION, defined};
use base::diagnostic::{Code, Problem};
use base::hash::HashMap;
use base::sort::StableSort as _;
use base::sorted::SortedMap;
use input::conventions::Syntax;
use input::dialect;

/// Reports each definition in `text` whose label has another target before, if the first one counts. `text` is a complete file
/// whose body begins at `body`, and `code` are its sorted blocks of code.
pub(super) fn collect(text: &str, body: usize, code: &[CodeExtent], syntaxes: &[Syntax], page: &mut Page) {
    let is_first_used = LAST_DEFINITIONS.iter().all(|syntax| !syntaxes.contains(syntax));
    if !is_first_used || page.definitions.len() < 2 && !text[body..].contains("]: ") {
        return;
    }
    let mut comments: Vec<&Range<usize>> = page.comments.iter().collect();
    comments.stable_sort_by_key(|comment| comment.start);
    let mut found: Vec<(String, &str, Range<usize>)> = Vec::new();
    let mut at = body;
    // A definition can't be part of a paragraph.
    let mut may_begin = true;
    for whole in text[body..].split_inclusive('\n') {
        let start = at;
        at += whole.len();
        let read = defined(whole).filter(|_| may_begin);
        may_begin = read.is_some() || whole.trim().is_empty() || whole.trim_end().ends_with("-->");
        let Some((label, target)) = read else { continue };
        let is_in = |span: &Range<usize>| span.start <= start && start < span.end;
        let block = code.partition_point(|block| block.span.end <= start);
        let comment = comments.partition_point(|comment| comment.end <= start);
        let is_code = code.get(block).is_some_and(|block| is_in(&block.span));
        if !is_code && !comments.get(comment).is_some_and(|comment| is_in(comment)) {
            let name = dialect::label(label);
            let start = start + whole.find('[').unwrap_or(0);
            found.push((name, target, start..start + label.len() + 2));
        }
    }
    let mut written: HashMap<&str, usize> = HashMap::default();
    for label in text.split('[').filter_map(|rest| Some(rest.split_once(']')?.0)) {
        *written.entry(label).or_default() += 1;
    }
    let mut firsts: SortedMap<&str, &str> = SortedMap::new();
    for (name, target, span) in &found {
        let first = *firsts.entry(name).or_insert(target);
        // Comments are definitions that no link uses.
        let label = &text[span.start + 1..span.end - 1];
        let is_same = first.trim_end_matches('/') == target.trim_end_matches('/');
        if is_same || written.get(label).is_none_or(|count| *count < 3) {
            continue;
        }
        let message = format!("`[{label}]` has another definition, and links go to the first one, `{first}`");
        let help = ONE_DEFINITION.to_string();
        page.problems.push(Problem::new(Code::DuplicateDefinition, span.clone(), message).help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::edition::Edition;
    use crate::markdown::read::parse_ours;
    use base::diagnostic::Code;

    /// Checks the lines with findings.
    #[track_caller]
    fn check(markdown: &str, expected: &[usize]) {
        let page = parse_ours(markdown, 0, &Edition::default());
        let found = page.problems.iter().filter(|it| it.code == Code::DuplicateDefinition);
        let lines: Vec<usize> = found.map(|it| markdown[..it.span.start].matches('\n').count() + 1).collect();
        assert_eq!(lines, expected, "{markdown}");
    }

    #[test]
    fn two_targets_of_a_label_are_found() {
        check("[a] [b]\n\n[a]: /x\n[b]: /y\n[a]: /z\n", &[5]);
        check(
            "[Guide Page][]\n\n[guide  page]: /x\n\n[Guide Page]: /y \"T\"\n[guide page]: /x\n[Guide Page]: /z",
            &[5, 7],
        );
    }

    #[test]
    fn equal_targets_comments_and_code_are_not() {
        check("[a]\n\n[a]: /x\n[a]: /x 'title'\n", &[]);
        check("[//]: # (one)\n[//]: # (two)\n[x]: a\n[x]: b\n[^a]: b\n[^a]: c", &[]);
        check("[a]\n\n[a]: /x\n\n```\n[a]: /y\n```\n\n<!--\n[a]: /z\n-->\n\nText\n[a]: /z", &[]);
    }
}
