//! Accepted findings, in `stepkin.toml` and in comments on pages.
//!
//! Every exception needs a reason, and unused exceptions are reported. Findings that block the build can't be
//! accepted.

use crate::check::Subject;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Severity, nearest};
use base::glob::Glob;
use base::hash::{HashMap, HashSet};
use base::site_path::{CONFIG, SitePath};
use input::config::{Config, Ignore, Level, Pattern};
use markup::markdown::Suppression;

/// All exceptions of a site.
pub(super) struct Exceptions<'a> {
    ignores: Vec<Rule>,
    levels: HashMap<Code, Level>,
    /// By file. A shared file is included for each of its platforms.
    suppressions: HashMap<&'a SitePath, Vec<&'a Suppression>>,
}

/// An entry of `[[check.ignore]]`.
struct Rule {
    code: Code,
    target: Option<Glob>,
    file: Option<Glob>,
    span: std::ops::Range<usize>,
}

impl<'a> Exceptions<'a> {
    pub(super) fn new(config: &Config) -> Self {
        let ignores = config.check.ignores.iter().map(rule).collect();
        let levels = config.check.severity.iter().map(|(code, level)| (code.0, *level)).collect();
        Self { ignores, levels, suppressions: HashMap::default() }
    }

    /// Adds the suppressions of a page.
    pub(super) fn add(&mut self, file: &'a SitePath, suppressions: &'a [Suppression]) {
        if !suppressions.is_empty() {
            self.suppressions.entry(file).or_default().extend(suppressions);
        }
    }

    /// Removes accepted findings, sets the severity of the others, and reports invalid and unused exceptions.
    ///
    /// Exceptions for rules outside `scope` aren't reported, because their findings weren't collected.
    pub(super) fn apply(&self, report: Report, scope: impl Fn(Code) -> bool) -> Report {
        let mut used_ignores = vec![false; self.ignores.len()];
        // A comment that is used on one platform counts as used.
        let mut used: HashSet<(&SitePath, usize)> = HashSet::default();
        let mut kept = Report::default();
        for diagnostic in report {
            let ignored = self.ignored_by(&diagnostic);
            let suppressed = self.suppressed_by(&diagnostic);
            match (ignored, suppressed) {
                (Some(rule), _) => used_ignores[rule] = true,
                (None, Some(place)) => _ = used.insert(place),
                (None, None) => kept.extend(self.levelled(diagnostic)),
            }
        }
        let idle_rules =
            self.ignores.iter().zip(used_ignores).filter(|(rule, used)| !used && scope(rule.code));
        let idle = idle_rules.map(|(rule, _)| idle_rule(rule)).collect::<Vec<_>>();
        let comments = self.suppressions.iter().flat_map(|(file, suppressions)| {
            suppressions.iter().map(move |suppression| (*file, *suppression))
        });
        let wrong = comments.flat_map(|(file, suppression)| {
            let looked_for = suppression.codes.iter().any(|code| Code::named(code).is_none_or(&scope));
            let is_used = used.contains(&(file, suppression.span.start)) || !looked_for;
            comment_problems(suppression, is_used).into_iter().map(move |problem| problem.at(file))
        });
        let wrong: Vec<Diagnostic> = wrong.collect();
        kept.extend(idle.into_iter().chain(wrong).filter_map(|diagnostic| self.levelled(diagnostic)));
        kept
    }

    fn ignored_by(&self, diagnostic: &Diagnostic) -> Option<usize> {
        let problem = &diagnostic.problem;
        let matches = |rule: &Rule| {
            rule.code == problem.code
                && rule
                    .target
                    .as_ref()
                    .is_none_or(|glob| problem.target.as_ref().is_some_and(|it| glob.is_match(it)))
                && rule.file.as_ref().is_none_or(|glob| glob.is_match(diagnostic.file.as_str()))
        };
        (!problem.code.rule().blocks_build).then(|| self.ignores.iter().position(matches)).flatten()
    }

    fn suppressed_by(&self, diagnostic: &Diagnostic) -> Option<(&'a SitePath, usize)> {
        let problem = &diagnostic.problem;
        let (file, suppressions) = self.suppressions.get_key_value(&diagnostic.file)?;
        let covers = |suppression: &&&Suppression| {
            !suppression.reason.is_empty()
                && suppression.covers.contains(&problem.span.start)
                && suppression.codes.iter().any(|code| Code::named(code) == Some(problem.code))
        };
        let found = suppressions.iter().find(covers).filter(|_| !problem.code.rule().blocks_build)?;
        Some((file, found.span.start))
    }

    /// Returns the finding with its configured severity, or `None` if that is `off`.
    fn levelled(&self, mut diagnostic: Diagnostic) -> Option<Diagnostic> {
        diagnostic.severity = match self.levels.get(&diagnostic.problem.code) {
            None => return (!diagnostic.problem.code.rule().is_off).then_some(diagnostic),
            Some(Level::Off) => return None,
            Some(Level::Info) => Severity::Info,
            Some(Level::Warning) => Severity::Warning,
            Some(Level::Error) => Severity::Error,
        };
        Some(diagnostic)
    }
}

fn rule(ignore: &Ignore) -> Rule {
    let matcher = |pattern: &Option<Pattern>| pattern.as_ref().map(|pattern| pattern.0.clone());
    Rule {
        code: ignore.code.get_ref().0,
        target: matcher(&ignore.target),
        file: matcher(&ignore.file),
        span: ignore.code.span(),
    }
}

fn idle_rule(rule: &Rule) -> Diagnostic {
    let message = format!("entry for `{}` matches no finding", rule.code);
    let help = "remove the entry".to_string();
    Problem::new(Code::UnusedSuppression, rule.span.clone(), message).help(help).at(&CONFIG.into())
}

/// Reports old names of rules in the comments of a page. Such comments still work.
pub(super) fn old_names(subject: &Subject<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for Suppression { codes, span, .. } in &subject.page.suppressions {
        let mut at = span.start;
        for name in codes {
            let Some(found) = subject.text.get(at..span.end).and_then(|rest| rest.find(name.as_str())) else {
                break;
            };
            let place = at + found..at + found + name.len();
            at = place.end;
            let renamed = Code::named(name).filter(|code| code.name() != name);
            problems.extend(renamed.map(|code| Problem::old_name(name, place, code)));
        }
    }
    problems
}

fn comment_problems(suppression: &Suppression, is_used: bool) -> Vec<Problem> {
    let invalid = |message: String, help: String| {
        Problem::new(Code::InvalidSuppression, suppression.span.clone(), message).help(help)
    };
    let form = "use `<!-- stepkin: allow missing-alt: decorative -->`".to_string();
    if suppression.codes.is_empty() {
        return vec![invalid("suppression has no rule".into(), form)];
    }
    let mut problems: Vec<Problem> = Vec::new();
    for code in &suppression.codes {
        match Code::named(code) {
            None => {
                let near = nearest(code, Code::ALL.iter().map(|code| code.name()));
                let help = near.map_or(form.clone(), |near| format!("did you mean `{near}`?"));
                problems.push(invalid(format!("unknown rule `{code}`"), help));
            }
            Some(code) if code.rule().blocks_build => {
                let message = format!("`{code}` blocks the build and can't be suppressed");
                problems.push(invalid(message, "fix the finding, and remove the suppression".into()));
            }
            Some(_) => {}
        }
    }
    if problems.is_empty() && suppression.reason.is_empty() {
        let help = "add a reason: `<!-- stepkin: allow missing-alt: decorative -->`".to_string();
        problems.push(invalid("suppression ignored because it has no reason".into(), help));
    }
    if problems.is_empty() && !is_used {
        let message = format!("suppression matches nothing: no `{}` here", suppression.codes.join("` or `"));
        let help = "remove the comment".to_string();
        problems.push(Problem::new(Code::UnusedSuppression, suppression.span.clone(), message).help(help));
    }
    problems
}
