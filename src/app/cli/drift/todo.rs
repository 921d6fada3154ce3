//! The task list: where to write, elements to keep, and the command that verifies a task.

use serde_json::{Value, json};

use crate::app::cli::format::{self, LineIndex};
use crate::app::cli::tasks;
use crate::output::cache::Cache;
use base::diagnostic::{Code, Diagnostic, Report, texts_in, visible};
use base::error::Result;
use base::site_path::{self, SitePath};
use input::languages::{LanguageIx, Languages};
use input::source::Sources;
use review::drift::Scope;
use review::translations::{self, Compare, TranslationComparison};
use site::work::Work;

/// Prints the tasks, one per line. `since` is the revision that the changes are counted from.
pub(super) fn write(
    work: &Work,
    report: &Report,
    scope: &Scope,
    since: Option<&str>,
    json: bool,
) -> Result<()> {
    let sources = work.project.sources.whole();
    let compare = Compare { today: scope.today, since };
    let compared = translations::compare(sources, compare, &Cache::default().translations)?;
    let mut tasks: Vec<Value> = Vec::new();
    if let Some(compared) = &compared {
        tasks.extend(Writing { sources, compared, report, since }.tasks(scope));
    }
    let mut positions = LineIndex::new(sources);
    let differences =
        tasks::ids(report).into_iter().zip(report).filter(|(_, finding)| is_difference(finding));
    tasks
        .extend(differences.map(|(id, finding)| difference(&id.to_string(), finding, &mut positions, since)));
    format::to_stdout(|out| {
        for task in tasks {
            if json {
                writeln!(out, "{task}")?;
            } else {
                let text = |name: &str| task[name].as_str().unwrap_or_default().to_string();
                writeln!(out, "{}", visible(format!("{}\n    {}", text("task"), text("message"))))?;
            }
        }
        Ok(())
    })
}

/// Whether a finding is about platforms.
fn is_difference(finding: &Diagnostic) -> bool {
    !["language", "languages"].iter().any(|key| finding.problem.data.contains_key(*key))
}

fn verify(task: &str, since: Option<&str>) -> String {
    let since = since.map_or(String::new(), |since| format!("--since {since} "));
    let quote = if task.contains([' ', '\'', '"', '$', '(', ')', '&', ';']) { "'" } else { "" };
    format!("stepkin verify {since}{quote}{}{quote}", task.replace('\'', "'\\''"))
}

fn difference(id: &str, finding: &Diagnostic, positions: &mut LineIndex<'_>, since: Option<&str>) -> Value {
    let problem = &finding.problem;
    let mut place = |file: &SitePath, at: usize| json!({ "file": file.as_str(), "line": positions.at(file.as_str(), at).line });
    let write = place(&finding.file, problem.span.start);
    let compare: Vec<Value> = problem.related.iter().map(|it| place(&it.file, it.span.start)).collect();
    json!({
        "task": id,
        "rule": problem.code.name(),
        "file": finding.file.as_str(),
        "message": problem.message,
        "help": problem.help,
        "write": write,
        "compare_with": compare,
        "data": problem.data,
        "verify": verify(id, since),
    })
}

struct Writing<'a> {
    sources: &'a Sources,
    compared: &'a TranslationComparison<'a>,
    report: &'a Report,
    since: Option<&'a str>,
}

impl Writing<'_> {
    fn tasks(&self, scope: &Scope) -> Vec<Value> {
        let languages = self.compared.languages;
        let only = scope.language.as_deref().and_then(|language| languages.named(language));
        let is_wanted = |language: LanguageIx| only.is_none_or(|only| only == language);
        let pairs = self.compared.counterparts.pairs.iter().zip(&self.compared.states);
        let mut tasks = Vec::new();
        for (pair, state) in pairs.filter(|(pair, _)| is_wanted(pair.language)) {
            // Accepted findings aren't tasks.
            let of_page = self.report.iter().filter(|it| it.file == pair.translation);
            let messages: Vec<&Diagnostic> = of_page.filter(|it| !is_difference(it)).collect();
            let Some(first) = messages.first() else { continue };
            let sections =
                translations::section_tasks(self.sources, &pair.original, &pair.translation, state);
            let is_behind = messages.iter().any(|it| it.problem.code == Code::TranslationBehind);
            let sections = if is_behind { sections } else { Vec::new() };
            let language = pair.language;
            let all: Vec<&str> = messages.iter().map(|it| it.problem.message.as_str()).collect();
            tasks.push(json!({
                "task": pair.translation.as_str(),
                "rule": first.problem.code.name(),
                "language": languages.translations[language].tag.as_str(),
                "original": pair.original.as_str(),
                "file": pair.translation.as_str(),
                "message": all.join("; "),
                "sections": sections,
                "verify": verify(pair.translation.as_str(), self.since),
            }));
        }
        if self.since.is_none() {
            let indices = languages.translations.indices().filter(|it| is_wanted(*it));
            tasks.extend(indices.flat_map(|language| self.missing(languages, language)));
        }
        tasks
    }

    /// Returns the missing pages of a language, in the folders that the report lists.
    fn missing(&self, languages: &Languages, language: LanguageIx) -> Vec<Value> {
        let tag = languages.translations[language].tag.as_str();
        let is_reported = |page: &SitePath| {
            let folder = site_path::parent(page.as_str());
            self.report.iter().any(|it| {
                let data = &it.problem.data;
                let folders = texts_in(data.get("folders"));
                it.problem.code == Code::TranslationMissing
                    && texts_in(data.get("languages")).contains(&tag)
                    && (data.get("folder").map_or(folders.is_empty(), |it| it == folder)
                        || folders.contains(&folder))
            })
        };
        let task = |page: &SitePath| {
            let to = languages.path_for(language, page.as_str())?;
            let create = format!("stepkin new --language {tag} {page}");
            Some(json!({
                "task": to,
                "rule": Code::TranslationMissing.name(),
                "language": tag,
                "original": page.as_str(),
                "file": to,
                "message": format!("`{page}` isn't translated into {}; begin with `{create}`", languages.translations[language].name),
                "create": create,
                "sections": translations::page_tasks(self.sources, page, &to),
                "verify": verify(&to, None),
            }))
        };
        let missing =
            self.compared.counterparts.missing(language).into_iter().filter(|page| is_reported(page));
        missing.filter_map(task).collect()
    }
}
