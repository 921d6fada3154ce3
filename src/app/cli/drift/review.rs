//! The body of a pull request review, as GitHub's REST API takes it:
//! <https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request>.
//!
//! GitHub refuses the review if one of its comments is outside of the changed lines. A finding there is a comment at the change that
//! it is about, or else a part of the review's text.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::app::cli::count;
use crate::app::cli::format::{self, LineIndex};
use crate::app::cli::patch;
use base::diagnostic::{Diagnostic, Report, visible};
use base::error::Result;
use base::site_path::SitePath;
use base::sorted::SortedMap;
use input::source::git::ChangedLines;
use input::source::{Sources, Text};
use review::fix;

/// Maximum length of the review's text. GitHub's limit is 65,536 characters.
const MOST_TEXT: usize = 60_000;

/// Maximum number of comments. More would hide the others, and GitHub limits how fast they are created.
const MOST_COMMENTS: usize = 50;

pub(super) fn write(report: &Report, sources: &Sources, changed: &ChangedLines) -> Result<()> {
    let review = Review { sources, changed }.of(report);
    format::to_stdout(|out| writeln!(out, "{review:#}"))
}

struct Review<'a> {
    sources: &'a Sources,
    changed: &'a ChangedLines,
}

/// Location of a comment: lines of a changed file.
struct CommentPlace<'a> {
    file: &'a SitePath,
    lines: RangeInclusive<usize>,
}

impl Review<'_> {
    fn of(&self, report: &Report) -> Value {
        let mut positions = LineIndex::new(self.sources);
        let mut comments: SortedMap<(String, usize, usize), Vec<String>> = SortedMap::new();
        let mut elsewhere: Vec<String> = Vec::new();
        for finding in report {
            let own = own_place(finding, &mut positions);
            let is_shown = self.is_changed(&own);
            let place = if is_shown { Some(own) } else { self.related_place(finding, &mut positions) };
            let line = positions.at(finding.file.as_str(), finding.problem.span.start).line;
            let place = place.filter(|_| comments.len() < MOST_COMMENTS);
            match place {
                Some(place) => {
                    let text = if is_shown {
                        format!("{}{}", text(finding), self.suggestion(finding, &place.lines))
                    } else {
                        format!("`{}:{line}`: {}{}", finding.file, text(finding), self.fixed(finding))
                    };
                    let key = (self.path(place.file), *place.lines.end(), *place.lines.start());
                    comments.entry(key).or_default().push(text);
                }
                None => elsewhere.push(format!(
                    "- `{}:{line}`: {}{}",
                    finding.file,
                    text(finding),
                    self.fixed(finding)
                )),
            }
        }
        let comment = |((path, end, start), texts): ((String, usize, usize), Vec<String>)| {
            let mut comment =
                json!({ "path": path, "line": end, "side": "RIGHT", "body": visible(texts.join("\n\n")) });
            if start < end {
                comment["start_line"] = start.into();
                comment["start_side"] = "RIGHT".into();
            }
            comment
        };
        let total = report.iter().len();
        let mut body = match total {
            0 => "No other version of the changed text is left behind.".to_string(),
            _ => format!("{} in other platforms or languages.", count(total, "finding")),
        };
        for (at, text) in elsewhere.iter().enumerate() {
            if body.len() + text.len() > MOST_TEXT {
                _ = write!(body, "\n\n{} more; run `stepkin drift` to see them.", elsewhere.len() - at);
                break;
            }
            _ = write!(body, "{}{text}", if at == 0 { "\n\n" } else { "\n" });
        }
        json!({ "event": "COMMENT", "body": visible(body), "comments": comments.into_iter().map(comment).collect::<Vec<_>>() })
    }

    /// Returns the path relative to the root of the repository.
    fn path(&self, file: &SitePath) -> String {
        format!("{}{file}", self.changed.folder)
    }

    fn is_changed(&self, place: &CommentPlace<'_>) -> bool {
        let hunks = self.changed.files.get(place.file.as_str());
        hunks.is_some_and(|hunks| {
            hunks.iter().any(|it| it.contains(place.lines.start()) && it.contains(place.lines.end()))
        })
    }

    /// Returns the first changed line at or after a related location of the finding.
    fn related_place<'f>(
        &self,
        finding: &'f Diagnostic,
        positions: &mut LineIndex<'_>,
    ) -> Option<CommentPlace<'f>> {
        finding.problem.related.iter().find_map(|place| {
            let line = positions.at(place.file.as_str(), place.span.start).line;
            let hunk = self.changed.files.get(place.file.as_str())?.iter().find(|it| *it.end() >= line)?;
            let line = line.max(*hunk.start());
            Some(CommentPlace { file: &place.file, lines: line..=line })
        })
    }

    fn content(&self, file: &SitePath) -> Option<String> {
        self.sources.text(file).map(|text: &Text| text.text().into_owned())
    }

    /// Returns the new text of the lines, which GitHub applies with one click.
    fn suggestion(&self, finding: &Diagnostic, lines: &RangeInclusive<usize>) -> String {
        let Some(before) = self.content(&finding.file).filter(|_| finding.is_fixable()) else {
            return String::new();
        };
        let after = fix::apply(&before, [finding]).text;
        let skipped =
            |text: &str| text.split_inclusive('\n').take(lines.start() - 1).map(str::len).sum::<usize>();
        let rest = before.split_inclusive('\n').skip(*lines.end()).map(str::len).sum::<usize>();
        let new = &after[skipped(&before)..after.len() - rest];
        let new = new.strip_suffix('\n').unwrap_or(new);
        let fence = fence_around(new);
        format!("\n\n{fence}suggestion\n{}\n{fence}", new.strip_suffix('\r').unwrap_or(new))
    }

    /// Returns the fix as a diff, for a file that the pull request doesn't change.
    fn fixed(&self, finding: &Diagnostic) -> String {
        let Some(before) = self.content(&finding.file).filter(|_| finding.is_fixable()) else {
            return String::new();
        };
        let hunks = patch::hunks(&before, &fix::apply(&before, [finding]).text);
        let fence = fence_around(&hunks);
        format!("\n\n{fence}diff\n{}\n{fence}\n", hunks.trim_end())
    }
}

fn text(finding: &Diagnostic) -> String {
    let problem = &finding.problem;
    let help = problem.help.as_deref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{}{help} [{}]", problem.message, problem.code)
}

/// Returns a fence that is longer than those in a text.
fn fence_around(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

/// Returns the lines that a fix changes, or the first line of the finding.
fn own_place<'f>(finding: &'f Diagnostic, positions: &mut LineIndex<'_>) -> CommentPlace<'f> {
    let file = &finding.file;
    let line = |at: usize, positions: &mut LineIndex<'_>| positions.at(file.as_str(), at).line;
    let edits = &finding.problem.edits;
    let start = edits.iter().map(|it| it.span.start).min().unwrap_or(finding.problem.span.start);
    let end = edits.iter().map(|it| it.span.end.saturating_sub(1).max(it.span.start)).max().unwrap_or(start);
    CommentPlace { file, lines: line(start, positions)..=line(end, positions) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::diagnostic::{Code, Problem};

    fn review(problem: Problem, changed: &str) -> Value {
        let path = SitePath::from("content/ja/a.md");
        let mut sources = Sources::default();
        sources.pages.insert(path.clone(), Text::new(path.clone(), "# A\n\n```\nold\n```\n".into()));
        let other = SitePath::from("content/en/a.md");
        sources.pages.insert(other.clone(), Text::new(other, "# A\n\none\ntwo\n".into()));
        let report: Report = [problem.at(&path)].into_iter().collect();
        let changed =
            ChangedLines { folder: "docs/".into(), files: SortedMap::from([(changed.into(), vec![3..=4])]) };
        Review { sources: &sources, changed: &changed }.of(&report)
    }

    #[test]
    fn a_fix_of_changed_lines_is_a_suggestion() {
        let problem = Problem::new(Code::TranslationCode, 5..8, "old").edit(9..12, "new\nlonger");
        let review = review(problem, "content/ja/a.md");
        let comment = &review["comments"][0];
        assert_eq!(
            (comment["path"].as_str(), comment["line"].as_u64()),
            (Some("docs/content/ja/a.md"), Some(4))
        );
        let body = comment["body"].as_str().expect("a text");
        assert!(body.ends_with("```suggestion\nnew\nlonger\n```"), "{body}");
    }

    #[test]
    fn a_finding_elsewhere_is_at_the_change_that_it_is_about() {
        let problem = || Problem::new(Code::TranslationCode, 5..8, "old").edit(9..12, "new");
        let related = problem().related(&"content/en/a.md".into(), 0..3, "changed here");
        let found = review(related, "content/en/a.md");
        let comment = &found["comments"][0];
        assert_eq!(
            (comment["path"].as_str(), comment["line"].as_u64()),
            (Some("docs/content/en/a.md"), Some(3))
        );
        assert!(
            comment["body"].as_str().expect("a text").starts_with("`content/ja/a.md:3`: old"),
            "{comment}"
        );
        let found = review(problem(), "content/en/a.md");
        assert_eq!(found["comments"].as_array().map(Vec::len), Some(0));
        let body = found["body"].as_str().expect("a text");
        assert!(body.contains("- `content/ja/a.md:3`: old") && body.contains("-old\n+new"), "{body}");
        assert!(body.contains("````diff"), "{body}");
    }
}
