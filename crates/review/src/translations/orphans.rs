//! Reports translations without an original, duplicate translations of a page, and links to another language.

use base::diagnostic::{Code, Diagnostic, Problem};
use base::front_matter::body_start;
use base::hash::HashMap;
use base::site_path;
use input::languages::{LanguageIx, Languages};
use input::source::Sources;
use input::source::git::FileLog;
use site::languages::{Counterparts, Duplicate};

/// Returns findings for orphans and duplicates.
pub(super) fn findings(
    sources: &Sources,
    languages: &Languages,
    counterparts: &Counterparts,
    log: &FileLog,
) -> Vec<Diagnostic> {
    let name = |language: LanguageIx| languages.translations[language].name.as_str();
    let orphans = counterparts.orphans.iter().map(|orphan| {
        let moved = log.moved(&orphan.expected).filter(|path| sources.text(&(*path).into()).is_some());
        let to = moved.and_then(|original| languages.path_for(orphan.language, original));
        let message = match moved {
            Some(original) => format!("the original of this page moved to `{original}`"),
            None => format!("this page has no original: there is no `{}`", orphan.expected),
        };
        let help = match to.filter(|to| sources.text(&to.as_str().into()).is_none()) {
            // `mv` only supports pages of the site.
            Some(to) if sources.pages.contains_key(&orphan.page) => {
                format!("run `stepkin mv {} {to}`", orphan.page)
            }
            Some(to) => format!("run `git mv {} {to}`", orphan.page),
            None => "remove the page, or give it the path of its original".to_string(),
        };
        Problem::new(Code::TranslationOrphan, 0..0, message)
            .help(help)
            .target(orphan.expected.as_str())
            .data("language", languages.translations[orphan.language].tag.as_str())
            .at(&orphan.page)
    });
    // Two such files in one folder, `README.md` and `index.md`, are reported because they have one address.
    let is_apart =
        |it: &&Duplicate| site_path::parent(it.page.as_str()) != site_path::parent(it.first.as_str());
    let duplicates = counterparts.duplicates.iter().filter(is_apart).map(|duplicate| {
        let message = format!(
            "`{}` is a translation of the same page into {}",
            duplicate.first,
            name(duplicate.language)
        );
        Problem::new(Code::DuplicateTranslation, 0..0, message)
            .help("remove one of the two pages".to_string())
            .target(duplicate.first.as_str())
            .data("language", languages.translations[duplicate.language].tag.as_str())
            .related(&duplicate.first, 0..0, "the translation that counts")
            .at(&duplicate.page)
    });
    orphans.chain(duplicates).collect()
}

/// Reports links of translations to pages in the original language, by path or by a language prefix, for which there
/// is a translation. Other links may get their language from the generator.
pub(super) fn links(
    sources: &Sources,
    languages: &Languages,
    counterparts: &Counterparts,
) -> Vec<Diagnostic> {
    let by_original: HashMap<(LanguageIx, &str), &str> = counterparts
        .pairs
        .iter()
        .map(|pair| ((pair.language, pair.original.as_str()), pair.translation.as_str()))
        .collect();
    let reader = site::languages::SketchReader::new(&sources.repository);
    let prefix = format!("](/{}/", languages.original);
    let mut found = Vec::new();
    for pair in &counterparts.pairs {
        let Some(text) = sources.text(&pair.translation) else { continue };
        let text = text.text();
        let body = &text[body_start(&text)..];
        if !body.contains(&prefix) && !body.contains("](../") {
            continue;
        }
        let language = &languages.translations[pair.language];
        // Next to its original, a page has the same relative links, which lead to translations.
        let is_beside = languages.has_suffix(pair.translation.as_str());
        for (target, span) in reader.links(&text) {
            let (path, rest) = target
                .split_once(['#', '?'])
                .map_or((target.as_str(), ""), |(path, _)| (path, &target[path.len()..]));
            let own = format!("/{}/", languages.original);
            let to = if let Some(below) = path.strip_prefix(&own) {
                let page = below.trim_end_matches('/');
                let original = counterparts.originals.iter().find(|it| {
                    let below = sources.repository.content.below(it.as_str()).unwrap_or(it.as_str());
                    languages.key(below) == languages.key(&format!("{page}.md"))
                });
                original
                    .filter(|it| by_original.contains_key(&(pair.language, it.as_str())))
                    .map(|_| format!("/{}/{below}", language.tag))
            } else if path.starts_with("..") && !is_beside {
                let original = resolved(pair.translation.as_str(), path);
                let there = original
                    .and_then(|original| by_original.get(&(pair.language, original.as_str())).copied());
                there.and_then(|there| relative(pair.translation.as_str(), there))
            } else {
                None
            };
            let Some(to) = to else { continue };
            let message = format!("link to `{target}` leaves {}, which has the page", language.name);
            let problem = Problem::new(Code::TranslationLink, span.clone(), message)
                .help(format!("use `{to}{rest}`"))
                .target(target.as_str())
                .data("language", language.tag.as_str());
            let is_written = text.get(span.clone()) == Some(target.as_str());
            let problem = if is_written { problem.edit(span, format!("{to}{rest}")) } else { problem };
            found.push(problem.at(&pair.translation));
        }
    }
    found
}

/// Resolves a relative path.
fn resolved(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Returns the relative path between two files.
fn relative(from: &str, to: &str) -> Option<String> {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from.len().checked_sub(common + 1)?;
    let up = if up == 0 { "./".to_string() } else { "../".repeat(up) };
    Some(up + &to[common..].join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed_and_written() {
        let from = "content/ja/tour/a.md";
        assert_eq!(resolved(from, "../../en/b.md").as_deref(), Some("content/en/b.md"));
        assert_eq!(resolved(from, "../../../../x.md"), None);
        assert_eq!(relative(from, "content/ja/b.md").as_deref(), Some("../b.md"));
        assert_eq!(relative(from, "content/ja/tour/b.md").as_deref(), Some("./b.md"));
    }
}
