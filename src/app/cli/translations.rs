//! `stepkin translations`

use std::path::PathBuf;

use serde_json::json;

use super::format;
use super::terminal::note;
use super::{Outcome, SiteArguments, below_root, options, progress, today};
use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render;
use base::diagnostic::{Code, count, unknown, visible};
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::write;
use input::languages::LanguageIx;
use review::translations::{
    self, Compare, LOCK, TranslationComparison, TranslationCount, TranslationLock, TranslationTask, Unpinned,
    most_linked_first,
};
use site::pages::Detail;

/// Show which translations are behind
///
/// Stepkin compares each translation with its original, section by section, since the commit that it was made from. Without
/// `LANGUAGE`, it prints one line per language, otherwise one line per directory.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  stepkin translations              Show the state of every language\n  stepkin translations ja --todo    List the pages to translate into Japanese\n  stepkin translations pin content/ja/install.md\n                                    Mark a translation as up to date"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Language, such as `ja` [default: all]
    #[arg(value_name = "LANGUAGE")]
    language: Option<String>,
    /// List the pages to translate, those that most pages link to first
    #[arg(long, requires = "language")]
    todo: bool,
    /// Print JSON Lines
    #[arg(long)]
    json: bool,
    /// Write all languages to `<FILE>` as a self-contained HTML page
    #[arg(long, value_name = "FILE", conflicts_with_all = ["language", "json"])]
    html: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Mark translations as up to date
    Pin(PinArguments),
}

/// Mark translations as up to date
///
/// Stepkin writes the ID of the commit that last changed the original into the front matter. Pages with other code or sections
/// than the original are refused.
#[derive(Debug, clap::Args)]
struct PinArguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Translated pages
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Pin pages even if their code or sections differ from the original
    #[arg(long)]
    anyway: bool,
    /// Write hashes of the original's sections into `translations.lock` instead, which last if commits are squashed or missing
    #[arg(long)]
    lock: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    if let Some(Command::Pin(arguments)) = &arguments.command {
        return pin(arguments);
    }
    let root = arguments.site.root();
    let cache = Cache::of_translations(root);
    let sources = pipeline::read_versions(root, &cache)?;
    if let Some(file) = &arguments.html {
        let (work, _) =
            pipeline::plan(sources, &Options { original_only: true, ..options(true, None) }, &cache)?;
        let compared = progress::during(|| compare(work.project.sources.whole(), &cache))?;
        let title = work.project.site.config.title.as_deref();
        let status = compared.status(work.project.sources.whole(), title, &today().to_string());
        let html = render::translations(&work, &status)
            .map_err(|found| Error::usage(format!("{}: {}", found.file, found.problem.message)))?;
        std::fs::write(file, html).map_err(Error::io("write", file))?;
        note!("wrote the state of all translations to `{}`", file.display());
        return Ok(Outcome::Clean);
    }
    let compared = progress::during(|| compare(&sources, &cache))?;
    if compared.missing.is_some() {
        note!("git doesn't have the complete history, so changes of the originals may be unknown");
    }
    let language =
        arguments.language.as_ref().map(|language| language_named(&compared, language)).transpose()?;
    match language {
        Some(language) if arguments.todo => {
            let options = Options { original_only: true, parts: Detail::WithoutHtml, ..options(true, None) };
            let (work, _) = pipeline::plan(sources.clone(), &options, &cache)?;
            let mut tasks = compared.tasks(&sources, language);
            most_linked_first(&mut tasks, &work);
            print_tasks(&tasks, &compared, language, arguments.json)?;
        }
        Some(language) => {
            let counts: Vec<_> = compared.counts(&sources, language).into_iter().collect();
            print_counts(&counts, "directory", arguments.json)?;
        }
        None => {
            let of = |index| TranslationCount::sum(compared.counts(&sources, index).values());
            let languages = compared.languages.translations.indexed();
            let counts: Vec<_> = languages.map(|(index, it)| (it.tag.to_string(), of(index))).collect();
            print_counts(&counts, "language", arguments.json)?;
        }
    }
    Ok(Outcome::Clean)
}

fn compare<'a>(sources: &'a input::source::Sources, cache: &Cache) -> Result<TranslationComparison<'a>> {
    let compare = Compare { today: today(), since: None };
    let compared = translations::compare(sources, compare, &cache.translations)?;
    cache.flush_translations();
    compared.ok_or_else(|| {
        Error::usage(
            "the site has no translations; name their directories with `[languages.ja]` and `folder = \"…\"` in stepkin.toml"
                .to_string(),
        )
    })
}

fn language_named(compared: &TranslationComparison<'_>, language: &str) -> Result<LanguageIx> {
    let known: Vec<&str> = compared.languages.translations.iter().map(|it| it.tag.as_str()).collect();
    compared.languages.named(language).ok_or_else(|| unknown("language", language, &known))
}

fn print_counts(counts: &[(String, TranslationCount)], first: &str, json: bool) -> Result<()> {
    let width =
        counts.iter().map(|(name, _)| name.chars().count()).chain([first.len()]).max().unwrap_or_default();
    format::to_stdout(|out| {
        if !json {
            writeln!(out, "{first:width$}  pages  current  behind  missing  words to translate")?;
        }
        for (name, count) in counts {
            let TranslationCount { pages, current, behind, missing, words } = count;
            if json {
                let line = json!({
                    first: name, "pages": pages, "current": current, "behind": behind, "missing": missing, "words": words,
                });
                writeln!(out, "{line}")?;
            } else {
                let padding = " ".repeat(width - name.chars().count());
                let name = visible(name.clone());
                writeln!(
                    out,
                    "{name}{padding}  {pages:5}  {current:7}  {behind:6}  {missing:7}  {words:18}"
                )?;
            }
        }
        Ok(())
    })
}

fn print_tasks(
    tasks: &[TranslationTask],
    compared: &TranslationComparison<'_>,
    language: LanguageIx,
    json: bool,
) -> Result<()> {
    let tag = &compared.languages.translations[language].tag;
    format::to_stdout(|out| {
        for TranslationTask { original, translation, words, links, sections } in tasks {
            let to = compared.languages.path_for(language, original.as_str());
            if json {
                let line = json!({
                    "language": tag.as_str(),
                    "original": original.as_str(),
                    "translation": translation.as_ref().map(SitePath::as_str),
                    "write_to": translation.as_ref().map(SitePath::as_str).or(to.as_deref()),
                    "words": words,
                    "links": links,
                    "sections": sections,
                });
                writeln!(out, "{line}")?;
                continue;
            }
            let what = match translation {
                Some(_) => sections.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
                None => format!("new, from {original}"),
            };
            let page =
                translation.as_ref().map_or(to.as_deref().unwrap_or(original.as_str()), SitePath::as_str);
            let links = format!("{links} {}", if *links == 1 { "link" } else { "links" });
            writeln!(out, "{words:6} words {links:>9}  {}", visible(format!("{page}: {what}")))?;
        }
        Ok(())
    })
}

fn pin(arguments: &PinArguments) -> Result<Outcome> {
    let root = arguments.site.root();
    let cache = Cache::of_translations(root);
    let sources = pipeline::read_versions(root, &cache)?;
    let compared = progress::during(|| compare(&sources, &cache))?;
    let paths = below_root(root, &arguments.paths)?;
    let mut lock = TranslationLock::read(&sources)?;
    let before = lock.clone();
    let mut edits = Vec::new();
    for path in &paths {
        let path: SitePath = path.to_string_lossy().as_ref().into();
        let refused = |reason| not_pinned(&path, reason);
        if arguments.lock {
            let pair = translations::may_be_pinned(&compared, &path, arguments.anyway).map_err(refused)?;
            lock.pin(&sources, &pair.translation, &pair.original);
        } else {
            let text = translations::pinned(&sources, &compared, &path, arguments.anyway).map_err(refused)?;
            lock.remove(&path);
            edits.push((path, text));
        }
    }
    for (path, text) in &edits {
        write::replace(&write::within(root, path.as_str())?, text.as_bytes())?;
    }
    if lock != before {
        write::replace(&root.join(LOCK), lock.text().as_bytes())?;
    }
    note!("pinned {}", count(paths.len(), "page"));
    Ok(Outcome::Clean)
}

fn not_pinned(path: &SitePath, reason: Unpinned) -> Error {
    let names = |codes: &[Code]| codes.iter().map(|code| code.name()).collect::<Vec<_>>().join("`, `");
    Error::usage(match reason {
        Unpinned::NoTranslation => format!("`{path}` is no translation with an original"),
        Unpinned::NoCommit => {
            format!(
                "cannot pin `{path}`: its original isn't committed as it is; commit it first, or use --lock"
            )
        }
        Unpinned::Differs(codes) => {
            format!("cannot pin `{path}`: `drift` reports `{}`; fix the page, or use --anyway", names(&codes))
        }
    })
}
