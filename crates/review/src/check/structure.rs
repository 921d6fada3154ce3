//! Checks markup that other tools or browsers interpret differently.

use std::cell::LazyCell;
use std::ops::Range;

use super::{Lookup, Subject};
use base::diagnostic::{Code, Problem};
use base::fences::is_open_at_end;
use base::hash::HashMap;
use base::lines::placed;
use base::quoted::quoted;
use base::sorted::SortedMap;
use input::conventions::Syntax;
use markup::markdown::{Heading, HeadingIx, Omission};
use markup::markdown::{PageTable, PageTableRow, Passage, ProseKind, ReferenceKind};
use site::work::Work;

/// Reports notes whose text CommonMark would treat as code.
pub(super) fn aside_code_traps(subject: &Subject<'_>) -> Vec<Problem> {
    let traps = subject.page.notes.iter().filter_map(|note| note.trap.clone());
    traps
        .map(|span| {
            let message =
                "other tools render this text of a note as code because it is indented after a blank line";
            let help = "indent the text by fewer than four spaces, or use `:::note`";
            Problem::new(Code::AsideCodeTrap, span, message).help(help.to_string())
        })
        .collect()
}

/// Reports tags with unknown names, which are usually placeholders such as `<name>`.
pub(super) fn unknown_elements(subject: &Subject<'_>) -> Vec<Problem> {
    /// Maximum length of the content of an element, and distance of a sign before it, in bytes.
    const LONGEST: usize = 1000;
    // The element of a plugin for MkDocs: <https://mkdocstrings.github.io/autorefs/>.
    let is_of_plugin = |name: &str| name == "autoref" && subject.resolver.repository.defines_labels;
    let is_of_program = |span: &Range<usize>| {
        let tag = subject.text.get(span.clone()).unwrap_or_default();
        let before = subject.text.as_bytes().get(span.start.saturating_sub(LONGEST)..span.start);
        let before = before.unwrap_or_default();
        let before = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let is_argument = || {
            let open = memchr::memmem::rfind(before, b"{{")?;
            Some(memchr::memmem::find(&before[open..], b"}}").is_none())
        };
        // A template of Vue, and the argument of a tag.
        [" v-", " :", " @"].iter().any(|sign| tag.contains(sign)) || is_argument().unwrap_or_default()
    };
    let unknown = subject.page.unknown_elements.iter();
    let unknown = unknown.filter(|element| !is_of_plugin(&element.name) && !is_of_program(&element.span));
    let ends = LazyCell::new(|| lines_of_ends(&subject.text));
    unknown
        .map(|element| {
            // HTML names are in lower case, but authors see what they wrote.
            let start = element.span.start + 1;
            let written = subject.text.get(start..start + element.name.len());
            let name = written.filter(|name| name.eq_ignore_ascii_case(&element.name));
            let name = name.unwrap_or(&element.name);
            // A pair of tags around text is meant for another program.
            let after = subject.text.get(element.span.end..).unwrap_or_default();
            let near = &after.as_bytes()[..after.len().min(LONGEST)];
            let end = memchr::memmem::find(near, format!("</{name}>").as_bytes());
            let inside = end.map_or("", |end| &after[..end]);
            let is_around_text = !inside.trim().is_empty() && !inside.contains("\n\n");
            let is_frame = is_alone_in_line(&subject.text, &element.span)
                && ends.get(name).is_some_and(|last| *last > element.span.end);
            let seen = if is_around_text { "browsers show only its text" } else { "browsers hide it" };
            let message = format!("`<{name}>` is not an HTML element, so {seen}");
            let help = "to show it as text, wrap it in backticks".to_string();
            let problem = Problem::new(Code::UnknownElement, element.span.clone(), message).help(help);
            // Components have capital letters or attributes, and others are placeholders.
            let tag = subject.text.get(element.span.clone()).unwrap_or_default();
            let is_component = name.contains(char::is_uppercase) || tag.contains('=');
            let problem = if is_component { problem.data("element", name) } else { problem };
            match () {
                () if is_frame => problem.data(FRAME, name).as_advice(),
                () if is_around_text => problem.as_advice(),
                () => problem,
            }
        })
        .collect()
}

/// The key of a tag that is alone in its line, as is its end: `<step>` in a prompt. It is meant for a program, and all such tags
/// of a site are one finding.
pub(super) const FRAME: &str = "frame";

fn is_alone_in_line(text: &str, span: &Range<usize>) -> bool {
    let before = text.get(..span.start).unwrap_or_default().trim_end_matches([' ', '\t']);
    let after = text.get(span.end..).unwrap_or_default().trim_start_matches([' ', '\t', '\r']);
    (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'))
}

/// Returns the position of the last line of each end tag that is alone in its line.
fn lines_of_ends(text: &str) -> HashMap<&str, usize> {
    let ends = placed(text, 0)
        .filter_map(|(at, line)| Some((line.trim().strip_prefix("</")?.strip_suffix('>')?, at + line.len())));
    ends.collect()
}

/// Whether a code block only lacks its end because the block around it does: by its lines alone, each code block is closed.
pub(super) fn is_closed_by_lines(subject: &Subject<'_>, problem: &Problem) -> bool {
    let is_open_block = |it: &Problem| {
        it.code == Code::UnbalancedBlock && it.severity.is_none() && it.span.start < problem.span.start
    };
    problem.code == Code::UnclosedFence
        && subject.page.problems.iter().any(is_open_block)
        && !is_open_at_end(&subject.text)
}

/// Whether the marks that a problem is about are in a row with a `|` too many, which divides code.
pub(super) fn is_in_divided_code(subject: &Subject<'_>, problem: &Problem) -> bool {
    let is_around = |row: &Range<usize>| row.start <= problem.span.start && problem.span.end <= row.end;
    problem.code == Code::EmphasisAsText
        && rows(subject).any(|(row, columns)| row.written > columns && is_around(&row.span))
}

/// Reports rows with more cells than their table has columns, because the page doesn't show them.
pub(super) fn lost_cells(subject: &Subject<'_>) -> Vec<Problem> {
    let may_be_code = subject.resolver.repository.convention.has(Syntax::CodePipes);
    let has_code = |row: &PageTableRow| {
        let written = subject.text.get(row.span.clone()).unwrap_or_default();
        written.split('`').skip(1).step_by(2).any(|code| code.contains('|'))
    };
    // A template that runs before Markdown has filters and conditions: `{{ names|join }}`, `<% if(a || b) { %>`.
    let may_be_template = !subject.resolver.repository.convention.has_generator();
    let signs = [("{{", "}}"), ("<%", "%>")];
    let is_template = |written: &str| {
        may_be_template && signs.iter().any(|(open, close)| written.contains(open) && written.contains(close))
    };
    let rows = rows(subject).filter(|(row, columns)| {
        let written = subject.text.get(row.span.clone()).unwrap_or_default();
        row.written > *columns
            && !is_template(written)
            && if has_code(row) {
                !may_be_code
            } else {
                let last = written.rsplit('|').next().unwrap_or_default();
                let hidden = usize::from(!last.trim().is_empty() && without_comments(last).trim().is_empty());
                row.written - columns > empty_at_end(&without_comments(written)) + hidden
            }
    });
    // <https://kramdown.gettalong.org/syntax.html#tables>
    let shows_all = subject.resolver.repository.convention.has(Syntax::Liquid);
    let consequence = if shows_all { "readers see another column" } else { "readers don't see the rest" };
    rows.map(|(row, columns)| {
        let lost = count(row.written - columns);
        let message = format!("the row has {lost} more than its table has columns, so {consequence}");
        let help = "use one cell per column; write a `|` inside a cell as `\\|`".to_string();
        let problem = Problem::new(Code::LostCells, row.span.clone(), message).help(help);
        // A program replaces the text before the row is read.
        let written = subject.text.get(row.span.clone()).unwrap_or_default();
        let is_template = written
            .split("{{")
            .skip(1)
            .any(|rest| rest.split("}}").next().is_some_and(|it| it.contains('|')));
        if has_code(row) {
            problem.data("code", true)
        } else if is_template || shows_all {
            problem.as_warning()
        } else {
            problem
        }
    })
    .collect()
}

fn without_comments(row: &str) -> String {
    row.split("<!--").map(|part| part.split_once("-->").map_or(part, |(_, rest)| rest)).collect()
}

/// Returns the number of empty cells at the end of a row.
fn empty_at_end(row: &str) -> usize {
    let mut cells = row.trim_end().trim_end_matches('|').len();
    let marks = row[cells..].matches('|').count();
    let mut empty = marks.saturating_sub(1);
    while let Some(shorter) = row[..cells].trim_end().strip_suffix('|').filter(|it| !it.ends_with('\\')) {
        cells = shorter.len();
        empty += 1;
    }
    empty
}

/// Reports rows with fewer cells than their table has columns, which Markdown allows.
pub(super) fn short_rows(subject: &Subject<'_>) -> Vec<Problem> {
    let rows = rows(subject).filter(|(row, columns)| row.written < *columns);
    rows.map(|(row, columns)| {
        let written = count(row.written);
        let message = format!("the row has {written} in a table of {columns} columns; empty ones are added");
        let help = "use one cell per column".to_string();
        let problem = Problem::new(Code::ShortRow, row.span.clone(), message).help(help);
        fill_up(problem, &subject.text, &row.span, columns - row.written)
    })
    .collect()
}

/// Reports the only row of a table that has fewer cells, but more than a heading of a group.
pub(super) fn lone_short_rows(subject: &Subject<'_>) -> Vec<Problem> {
    /// Minimum number of complete rows.
    const FEWEST: usize = 2;
    let bare = |row: &PageTableRow| {
        let text = subject.text.get(row.span.clone()).unwrap_or_default();
        text.trim().trim_matches(['|', ' ', '\t']).to_string()
    };
    // The first cell is code in every other row, and text follows it in this one.
    let is_name_with_text = |table: &PageTable, row: &PageTableRow| {
        let is_code = |row: &PageTableRow| {
            let text = bare(row);
            let cell = text.split('|').next().unwrap_or_default().trim();
            (cell.starts_with('`'), cell.ends_with('`') && cell.matches('`').count() == 2)
        };
        let others =
            || table.rows.iter().filter(|it| it.span != row.span).all(|it| is_code(it) == (true, true));
        is_code(row) == (true, false) && others()
    };
    let of_table = |table: &PageTable| {
        let columns = table.header.len();
        let mut short = table.rows.iter().filter(|row| row.written < columns);
        // A row with one cell is a heading of a group, unless another cell follows without its mark, or it is a number like the others.
        let is_number = |row: &PageTableRow| {
            let text = bare(row);
            text.trim_start_matches(['<', '>', '=', '~', '^', 'v', '`', ' '])
                .starts_with(|c: char| c.is_ascii_digit())
        };
        let is_group = |row: &PageTableRow| {
            let text = bare(row);
            let is_alone = !text.contains("  ") && !text.contains('\t') && !is_name_with_text(table, row);
            row.written == 1 && is_alone && !table.rows.iter().all(is_number)
        };
        // The mark at the end of a row begins its last cell, which is empty, if no other row ends with one.
        let is_closed = |row: &PageTableRow| {
            subject.text.get(row.span.clone()).is_some_and(|text| text.trim_end().ends_with('|'))
        };
        let has_empty_end = |row: &PageTableRow| {
            is_closed(row) && table.rows.iter().filter(|it| it.span != row.span).all(|it| !is_closed(it))
        };
        let row = short.next().filter(|row| !is_group(row) && table.rows.len() > FEWEST)?;
        // The last row of a grid may be short, and the last column may be optional.
        let is_grid = table.header.iter().all(|it| it.title.trim().is_empty()) || row.written + 1 < columns;
        let is_last = is_grid && table.rows.iter().next_back().is_some_and(|last| last.span == row.span);
        let is_empty = |it: &PageTableRow| it.cells.last().is_none_or(|cell| cell.trim().is_empty());
        if is_last || has_empty_end(row) || table.rows.iter().any(|it| it.span != row.span && is_empty(it)) {
            return None;
        }
        let message =
            format!("the row has {}, and all others of the table have {columns}", count(row.written));
        let problem = Problem::new(Code::BrokenTable, row.span.clone(), message);
        short
            .next()
            .is_none()
            .then(|| problem.help("add the missing cell where it belongs".to_string()).as_warning())
    };
    subject.page.tables.iter().filter_map(of_table).collect()
}

/// Returns every row with the number of its table's columns.
fn rows<'a>(subject: &'a Subject<'_>) -> impl Iterator<Item = (&'a PageTableRow, usize)> {
    subject.page.tables.iter().flat_map(|table| table.rows.iter().map(|row| (row, table.header.len())))
}

fn count(cells: usize) -> String {
    if cells == 1 { "1 cell".to_string() } else { format!("{cells} cells") }
}

/// Adds the edit that appends empty cells to a row. A line without `|` may not be meant as a row: directly after a
/// table, it may be text or another tool's attributes.
fn fill_up(problem: Problem, text: &str, row: &std::ops::Range<usize>, cells: usize) -> Problem {
    let Some(written) = text.get(row.clone()).map(str::trim_end).filter(|row| row.contains('|')) else {
        return problem;
    };
    let end = row.start + written.len();
    let closed = if written.ends_with('|') { "" } else { " |" };
    problem.edit(end..end, format!("{closed}{}", "  |".repeat(cells)))
}

/// Reports IDs that occur several times on a page, because links find only the first one.
pub(super) fn duplicate_ids(lookup: &Lookup<'_>, subject: &Subject<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    // Links to an empty anchor directly above a heading lead to the heading.
    let is_above = |first: usize, second: usize| {
        let between = subject.text.get(first..second).unwrap_or_default();
        let between = between.trim_start_matches(['"', '\'', '/', '>', ' ']);
        between.strip_prefix("</a>").unwrap_or(between).trim_matches(['\n', '\r', ' ', '#']).is_empty()
    };
    // Both lead to the heading directly above an anchor, too.
    let is_below = |first: usize, second: usize| {
        let between = subject.text.get(first..second).unwrap_or_default();
        let between = between.trim_start_matches(['#', ' ', '\n', '\r']).trim_end_matches(['"', '\'']);
        matches!(between, "<a id=" | "<a name=")
    };
    // The attributes `id` and `name` of one tag.
    let is_in_tag = |first: usize, second: usize| {
        subject.text.get(first..second).is_some_and(|between| !between.contains(['<', '>', '\n']))
            && subject.text[..first].rfind(['<', '>']).is_some_and(|at| subject.text[at..].starts_with('<'))
    };
    let mut report = |id: &str, span: &std::ops::Range<usize>, other: &std::ops::Range<usize>| {
        if is_above(other.end, span.start)
            || is_below(other.end, span.start)
            || is_in_tag(other.end, span.start)
        {
            return;
        }
        let is_label = subject.text.get(span.end..).is_some_and(|after| after.starts_with(")="));
        let message = if is_label {
            format!("the label `{id}` is used twice on this page, so Sphinx finds neither")
        } else {
            format!("the ID `{id}` is used twice on this page; links go to the first")
        };
        let help = "change one of the IDs".to_string();
        let problem = Problem::new(Code::DuplicateId, span.clone(), message).help(help);
        problems.push(problem.related(&subject.document.path, other.clone(), "the first"));
    };
    for same in lookup.anchors(subject.id).chunk_by(|one, other| one.id == other.id) {
        let (first, others) = same.split_first().expect("no chunk is empty");
        for other in others {
            report(&other.id, &other.span, &first.span);
        }
    }
    // Sphinx warns about the second of two equal labels, and links find only one.
    if subject.resolver.repository.convention.has(Syntax::Myst) {
        let mut labels: SortedMap<&str, &std::ops::Range<usize>> = SortedMap::new();
        for anchor in subject.page.other_anchors.iter().filter(|anchor| is_label(&subject.text, &anchor.span))
        {
            match labels.get(anchor.id.as_str()) {
                Some(first) => report(&anchor.id, &anchor.span, first),
                None => _ = labels.insert(&anchor.id, &anchor.span),
            }
        }
    }
    // A heading whose explicit ID was used gets another one.
    for heading in &subject.page.headings {
        if let Some(own) = heading.own_id.as_deref().filter(|own| *own != heading.id)
            && let Some(other) = lookup.anchor(subject.id, own)
        {
            report(own, &heading.span, &other.span);
        }
    }
    problems
}

/// Whether a span is the name in a label of `MyST`, `(name)=`.
fn is_label(text: &str, span: &std::ops::Range<usize>) -> bool {
    let around = |at: Option<&str>, is: fn(&str) -> bool| at.is_some_and(is);
    around(text.get(..span.start), |before| before.ends_with('('))
        && around(text.get(span.end..), |after| after.starts_with(")="))
}

/// Reports the line below a heading if a blank line is between them, so that readers see its signs.
pub(super) fn lone_underlines(subject: &Subject<'_>) -> Vec<Problem> {
    const SHORTEST: usize = 3;
    let is_line = |text: &str| text.len() >= SHORTEST && text.bytes().all(|byte| byte == b'=');
    let passages =
        subject.page.prose.iter().filter(|it| it.kind == ProseKind::Text && is_line(it.text.trim()));
    let problem = |it: Passage<'_>| {
        let span = it.span(0..it.text.len());
        let above = subject.text.get(..span.start)?.trim_end().lines().next_back()?.trim();
        let message = "a blank line is between this line and the heading above, so readers see its signs";
        let problem = Problem::new(Code::HeadingAsText, span, message);
        let is_heading = above.starts_with(|c: char| c.is_alphanumeric()) && !above.ends_with(['.', ':']);
        is_heading.then(|| problem.help("remove the blank line".to_string()).as_warning())
    };
    passages.filter_map(problem).collect()
}

/// The data of findings about repeated headings.
pub(super) const REPEATED: &str = "repeated";

/// Reports the only heading of a page that another one in the same section repeats. Generated pages and lists of changes have several,
/// tabs and conditions show one of them at a time, and an ID of its own makes one another place.
pub(super) fn repeated_heading(subject: &Subject<'_>) -> Option<Problem> {
    const APART: [&str; 6] = ["</", "{%", "{{", "=== \"", ":::", "```{"];
    let headings = &subject.page.headings;
    let mut around: Vec<&Heading> = Vec::new();
    let mut seen: HashMap<(usize, &str), &Heading> = HashMap::default();
    let mut repeated = Vec::new();
    for heading in headings {
        while around.pop_if(|it| it.level >= heading.level).is_some() {}
        let section = around.last().map_or(0, |it| it.span.start);
        let first = seen.insert((section, &heading.text), heading).filter(|_| heading.level > 1);
        repeated.extend(first.map(|first| (first, heading)));
        around.push(heading);
    }
    let &[(first, second)] = &repeated[..] else { return None };
    let between = subject.text.get(first.span.end..second.span.start).unwrap_or_default();
    let has_id = first.own_id.is_some() || second.own_id.is_some();
    // Browsers hide unknown elements in a heading: `Clone <url>`.
    let written = |it: &Heading| subject.text.get(it.span.clone()).unwrap_or_default().trim();
    let is_file_name = second.text.contains('.') && !second.text.contains(' ');
    let are_apart = has_id
        || is_file_name
        || second.text.is_empty()
        || written(first) != written(second)
        || APART.iter().any(|sign| between.contains(sign));
    let message = format!("another heading in this section is also {}", quoted(&second.text));
    let problem = Problem::new(Code::UnusualValue, second.span.clone(), message).as_warning();
    let problem = problem.related(&subject.document.path, first.span.clone(), "the first");
    let problem = problem.data(REPEATED, second.text.as_str());
    (!are_apart).then(|| problem.help("rename or remove one of them".to_string()))
}

/// Reports level-1 headings in addition to the page's title, with one finding per page.
pub(super) fn second_titles(work: &Work, subject: &Subject<'_>) -> Option<Problem> {
    let headings = subject.page.headings.indexed();
    // For other generators, the first heading of a page is its title, whatever the front matter contains.
    let is_title = |at: HeadingIx| at == HeadingIx::from(0) && !work.project.site.repository.is_ours();
    let is_other = |at: HeadingIx| work.shown_level(subject.id, at) != 1 && !is_title(at);
    let is_comment = |it: &Heading| is_comment_of_code(&subject.text, it.span.clone());
    let mut others = headings.filter(|(at, it)| it.level == 1 && is_other(*at) && !is_comment(it));
    let (_, first) = others.next()?;
    let count = 1 + others.count();
    let message = format!("{} is a second level-1 heading", quoted(&first.text));
    let help = "use `##`; the page title is the only level-1 heading".to_string();
    Some(Problem::new(Code::MultipleH1, first.span.clone(), message).help(help).data("headings", count))
}

/// Whether a heading is a comment in code that isn't in a code block: the prompt of Python is before it, or a command directly below.
fn is_comment_of_code(text: &str, heading: Range<usize>) -> bool {
    let start = text[..heading.start].rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text[start..].lines();
    let is_command = |line: &str| line.starts_with(|c: char| c.is_ascii_lowercase() || c == '$');
    lines.next().is_some_and(|line| line.trim_start().starts_with(">>>"))
        || lines.next().is_some_and(is_command)
}

/// Reports headings that are more than one level below the previous one.
pub(super) fn heading_jumps(work: &Work, subject: &Subject<'_>) -> Vec<Problem> {
    // The page's title is its level-1 heading.
    let mut before = 1;
    let mut problems = Vec::new();
    let mut last = 0;
    let is_unread = |between: Range<usize>| {
        let made = |it: &Omission| it.kind == "mkdocs-autodoc" && between.contains(&it.span.start);
        subject.page.left_out.iter().any(made)
    };
    for (at, heading) in subject.page.headings.indexed() {
        let level = work.shown_level(subject.id, at);
        // A program may write headings there.
        if level > before + 1 && !is_unread(last..heading.span.start) {
            let message = if problems.is_empty() && at == HeadingIx::from(0) {
                format!("the first heading below the title has level {level}")
            } else {
                format!("a heading of level {level} follows one of level {before}")
            };
            let help = format!("use level {}; screen readers announce a missing section", before + 1);
            problems.push(Problem::new(Code::SkippedHeadingLevel, heading.span.clone(), message).help(help));
        }
        (before, last) = (level, heading.span.end);
    }
    problems
}

/// Reports images without alternative text, with one finding per page.
pub(super) fn missing_alts(subject: &Subject<'_>) -> Option<Problem> {
    let images = subject.page.references.iter().filter(|reference| {
        reference.kind == ReferenceKind::Image && reference.text.is_none() && !reference.target.is_empty()
    });
    let spans: Vec<_> = images.map(|image| image.span.clone()).collect();
    let first = spans.first()?.clone();
    let message = match spans.len() {
        1 => "image has no alt text".to_string(),
        count => format!("{count} images have no alt text"),
    };
    let help = "describe the image for people who can't see it: `![The login form](…)`".to_string();
    Some(Problem::new(Code::MissingAlt, first, message).help(help).data("images", spans.len()))
}

/// Reports lists that only Stepkin renders as one, with one finding per page.
pub(super) fn split_lists(subject: &Subject<'_>) -> Option<Problem> {
    let lists = &subject.page.joined_lists;
    let first = lists.first().filter(|_| subject.resolver.repository.keeps_list_numbers())?.clone();
    let message = match lists.len() {
        1 => "unindented content interrupts this list, which continues here".to_string(),
        count => {
            format!("unindented content interrupts lists in {count} places; the first list continues here")
        }
    };
    let help =
        "Stepkin keeps it as one list; for other tools, indent the content by three spaces".to_string();
    Some(Problem::new(Code::SplitList, first, message).help(help).data("places", lists.len()))
}
