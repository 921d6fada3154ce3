//! Reports unusable pins.

use base::diagnostic::{Code, Diagnostic, Problem};
use base::hash::HashMap;
use input::languages::Languages;
use input::source::Sources;
use input::source::git::{FileLog, GitObject, ObjectReader, all_commits};
use site::languages::{Counterparts, FrontValue};

use super::past::{is_commit_id, pin};

/// Why a pin can't be used, and how to fix it.
struct Reason {
    message: String,
    help: String,
}

/// Checks all pins in git. Without a history, returns nothing.
pub(super) fn findings(
    sources: &Sources,
    languages: &Languages,
    counterparts: &Counterparts,
    log: &FileLog,
) -> Vec<Diagnostic> {
    let of_originals = originals(sources, languages);
    if log.commits.is_empty() {
        return of_originals;
    }
    let Ok(mut objects) = ObjectReader::open(&sources.root) else { return of_originals };
    let known = all_commits(&sources.root);
    let mut found = of_originals;
    // Most pages are pinned to a few commits.
    let mut commits: HashMap<String, Option<Reason>> = HashMap::default();
    for pair in &counterparts.pairs {
        let Some(text) = sources.text(&pair.translation) else { continue };
        let Some(FrontValue { value, span }) = pin(languages, &text.text()) else { continue };
        if !commits.contains_key(&value) {
            let Ok(reason) =
                unusable(&value, log, &mut objects, |id| known.keys().any(|it| it.starts_with(id)))
            else {
                return found;
            };
            commits.insert(value.clone(), reason);
        }
        let run = format!("run `stepkin translations pin {}`", pair.translation);
        let (message, help) = match commits.get(&value).and_then(Option::as_ref) {
            Some(reason) if reason.help.is_empty() => (reason.message.clone(), run),
            Some(reason) => (reason.message.clone(), reason.help.clone()),
            None => {
                let original = pair.original.as_str();
                let has = |name: &str, objects: &mut ObjectReader| {
                    matches!(objects.read(&format!("{value}:./{name}")), Ok(GitObject::Content { .. }))
                };
                if has(original, &mut objects) {
                    continue;
                }
                let before = log.names(original).find(|name| has(name, &mut objects));
                let message = match before {
                    Some(name) => format!("the original was `{name}` at commit `{value}`"),
                    None => format!("commit `{value}` doesn't have `{original}`"),
                };
                (message, run)
            }
        };
        let problem = Problem::new(Code::TranslationPin, span, message).help(help).target(value.as_str());
        found.push(
            problem
                .data("language", languages.translations[pair.language].tag.as_str())
                .at(&pair.translation),
        );
    }
    found
}

/// Returns why pages can't be pinned to a commit.
fn unusable(
    pin: &str,
    log: &FileLog,
    objects: &mut ObjectReader,
    is_in_history: impl Fn(&str) -> bool,
) -> base::error::Result<Option<Reason>> {
    let reason = |message: String, help: &str| Ok(Some(Reason { message, help: help.to_string() }));
    if !is_commit_id(pin) {
        return reason(format!("`{pin}` is no commit"), "use at least 7 characters of the commit's id");
    }
    let mut object = objects.read(&format!("{pin}^{{commit}}"))?;
    if matches!(object, GitObject::Missing) && matches!(objects.read(pin)?, GitObject::Ambiguous) {
        // Git reports several commits as missing.
        object = GitObject::Ambiguous;
    }
    match object {
        GitObject::Missing if log.is_shallow => {
            reason(format!("commit `{pin}` isn't in this shallow clone"), "run `git fetch --unshallow`")
        }
        GitObject::Missing => reason(format!("there is no commit `{pin}`"), ""),
        GitObject::Ambiguous => {
            reason(format!("several commits begin with `{pin}`"), "use more characters of the commit's id")
        }
        GitObject::Content { .. } if !is_in_history(pin) => {
            reason(format!("commit `{pin}` isn't in the present history"), "")
        }
        GitObject::Content { .. } => Ok(None),
    }
}

/// Reports pins on pages in the original language, which aren't translations.
fn originals(sources: &Sources, languages: &Languages) -> Vec<Diagnostic> {
    let of = |text: &input::source::Text| {
        let FrontValue { value, span } = pin(languages, &text.text())?;
        let message = "a pin on a page of the original".to_string();
        let problem = Problem::new(Code::TranslationPin, span, message).target(value);
        Some(problem.help("remove the key".to_string()).at(&text.path))
    };
    sources.original_pages().filter_map(of).collect()
}
