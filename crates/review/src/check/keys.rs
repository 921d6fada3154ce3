//! Finds misspelled front matter keys of other generators, and values that differ by one letter from one that pages share.

use std::ops::Range;

use serde_json::Value;

use super::text::is_no_day;
use base::diagnostic::{self, Code, Diagnostic, Problem};
use base::hash::{HashMap, HashSet};
use base::items::only;
use base::lines::placed;
use base::site_path::{self, SitePath};
use base::sorted::{SortedMap, SortedSet};
use input::conventions::{
    Choice, FrontRule, Repository, Syntax, are_exceptions, documented_choices, documented_keys,
};
use site::content::Document;
use site::project::Project;

/// Maximum number of pages with a misspelled key. A key on more pages is the site's own.
const MOST_SLIPS: usize = 2;

/// Number of pages from which a key is the site's own.
const ENOUGH: usize = 10;

/// Minimum length of a key. Many shorter keys differ by one letter.
const SHORTEST: usize = 5;

/// Minimum number of pages with the same value of a key, if another value can be a slip.
const FEWEST_SHARED: usize = 5;

/// Maximum number of values that several pages have. A key with more isn't a choice.
const MOST_SHARED: usize = 100;

/// Reports keys that no generator reads, and values such as the name of a layout, a category, or a parent.
pub(super) fn misspelled(project: &Project) -> Vec<Diagnostic> {
    let repository = &project.site.repository;
    if repository.is_ours() {
        return Vec::new();
    }
    let documents = || project.site.documents.iter().map(|document| &**document);
    let mut counts: HashMap<&str, usize> = HashMap::default();
    for key in documents().flat_map(|document| document.front.extra.keys()) {
        *counts.entry(key).or_default() += 1;
    }
    let documented: &[&str] = documented_keys(repository.kind());
    let own = counts.iter().filter(|(_, count)| **count >= ENOUGH).map(|(key, _)| (*key).to_string());
    let documented = documented.iter().copied().chain(repository.convention.key_names());
    let mut known: Vec<String> = own.chain(documented.map(str::to_string)).collect();
    known.sort_unstable();
    known.dedup();
    let slips = counts
        .iter()
        .filter(|(key, count)| **count <= MOST_SLIPS && !known.iter().any(|known| known == *key));
    let meant: HashMap<&str, &String> = slips
        .filter_map(|(slip, _)| {
            Some((*slip, meant_by(slip, &known, repository.convention.ignores_key_case)?))
        })
        .collect();
    let found = documents().flat_map(|document| {
        let slips = document.front.extra.keys().filter_map(|key| meant.get_key_value(key.as_str()));
        slips.filter_map(move |(written, meant)| finding(document, written, meant))
    });
    let found = found.chain(documents().flat_map(|it| nested_slips(it, documented_keys(repository.kind()))));
    let choices = documented_choices(repository.kind());
    let wrong =
        documents().flat_map(|document| choices.iter().flat_map(|choice| wrong_choices(document, choice)));
    let dates = documents().flat_map(wrong_dates);
    let closed = repository.front_rules.iter().flat_map(|rule| documents().flat_map(|it| against(it, rule)));
    let dates = dates.chain(closed);
    let wrong = wrong.chain(unknown_parents(project)).chain(other_parents(project));
    let wrong = wrong.chain(documents().flat_map(keys_of_one_item)).chain(other_types(project));
    let all = found.chain(wrong).chain(dates).chain(outdented(project)).chain(unusual_values(project));
    // A value that can't be one of its key is also unusual.
    let mut places: HashSet<(SitePath, Range<usize>)> = HashSet::default();
    all.filter(|it| places.insert((it.file.clone(), it.problem.span.clone()))).collect()
}

/// Reports keys of a table that are nearly those that the generator documents: `tableOfContents.maxHeadinglevel`.
fn nested_slips(document: &Document, documented: &[&str]) -> Vec<Diagnostic> {
    let tables = document.front.extra.iter().filter_map(|(key, value)| Some((key, value.as_object()?)));
    let inner = tables.flat_map(|(outer, table)| table.keys().map(move |key| format!("{outer}.{key}")));
    let slips = inner.filter(|key| !documented.contains(&key.as_str())).filter_map(|key| {
        let is_near = |known: &&&str| {
            known.contains('.')
                && (known.eq_ignore_ascii_case(&key) || strsim::osa_distance(known, &key) == 1)
        };
        finding(document, &key, documented.iter().find(is_near)?)
    });
    slips.collect()
}

/// Reports a key next to an empty one that contains it on other pages, because its indentation is missing.
fn outdented(project: &Project) -> Vec<Diagnostic> {
    /// Minimum number of other pages.
    const FEWEST: usize = 2;
    let documents = || project.site.documents.iter().map(|document| &**document);
    let mut nested: HashMap<(&str, &str), usize> = HashMap::default();
    let mut outer: HashMap<&str, usize> = HashMap::default();
    for (key, value) in documents().flat_map(|document| &document.front.extra) {
        *outer.entry(key).or_default() += 1;
        for inner in value.as_object().into_iter().flat_map(|table| table.keys()) {
            *nested.entry((key, inner)).or_default() += 1;
        }
    }
    let of_page = |document: &Document| {
        let extra = &document.front.extra;
        if let Some((parent, key)) = outdented_key(document, &project.site.repository) {
            let message = format!("`{key}` is next to the empty key `{parent}`, which should contain it");
            let problem = Problem::new(Code::UnusualValue, place(document, key)?, message);
            return Some(problem.help(format!("indent `{key}`")).at(&document.path));
        }
        let empty = || extra.iter().filter(|(_, value)| value.is_null()).map(|(key, _)| key);
        if let Some((parent, key)) = empty().find_map(|it| Some((it, key_of_deep_lines(document, it)?))) {
            let message = format!(
                "`{key}` is next to the empty key `{parent}`, and the lines below it are indented by {DEEP}"
            );
            let problem = Problem::new(Code::UnusualValue, place(document, key)?, message);
            return Some(problem.help(format!("indent `{key}`")).at(&document.path));
        }
        let usual = |parent: &String, key: &String| {
            let pages = nested.get(&(parent.as_str(), key.as_str())).copied().unwrap_or_default();
            (pages >= FEWEST && are_exceptions(outer[key.as_str()], pages)).then_some(pages)
        };
        let key_of = |parent| extra.keys().find_map(|key| Some((parent, key, usual(parent, key)?)));
        let (parent, key, pages) = empty().find_map(key_of)?;
        let message =
            format!("`{key}` is next to the empty key `{parent}`, and in it on {pages} other pages");
        let problem = Problem::new(Code::UnusualValue, place(document, key)?, message);
        Some(problem.help(format!("indent `{key}`")).at(&document.path))
    };
    documents().filter_map(of_page).collect()
}

/// Returns a nested key that the generator documents, `sidebar.order`, if its outer key is empty and the inner one is next to it.
fn outdented_key(document: &Document, repository: &Repository) -> Option<(&'static str, &'static str)> {
    let text = document.text();
    let front = text.get(..document.body)?;
    let mut nested = repository.convention.keys.iter().filter_map(|(key, _)| key.split_once('.'));
    nested.find(|(parent, key)| {
        let is_parent = |line: &str| line.trim_end().strip_suffix(':') == Some(parent);
        let is_key = |line: &str| {
            let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
            value.is_some_and(|value| !value.trim().is_empty())
        };
        front.lines().zip(front.lines().skip(1)).any(|(line, next)| is_parent(line) && is_key(next))
    })
}

/// The indentation of a table in a table.
const DEEP: usize = 4;

/// Returns the key below an empty one whose own lines are indented as those of a table in it, unlike all others of the page.
fn key_of_deep_lines<'d>(document: &'d Document, parent: &str) -> Option<&'d str> {
    let front = document.front.extra.keys();
    let text = document.text();
    let lines: Vec<&str> = text.get(..document.body)?.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let opens = |line: &str, key: &str| line.trim_end().strip_suffix(':') == Some(key);
    let below = |key: &str, depth: usize| {
        let mut pairs = lines.windows(2);
        pairs.any(|pair| opens(pair[0], key) && indent(pair[1]) == depth)
    };
    let at = lines.iter().position(|line| opens(line, parent))?;
    let mut keys = front.filter(|key| lines.get(at + 1).is_some_and(|line| opens(line, key)));
    let key = keys.find(|key| below(key, DEEP))?;
    let others = lines.windows(2).filter(|pair| indent(pair[0]) == 0 && pair[0].trim_end().ends_with(':'));
    let mut others =
        others.filter(|pair| !opens(pair[0], key)).map(|pair| indent(pair[1])).filter(|it| *it > 0);
    others.next().filter(|first| *first < DEEP && others.all(|it| it == *first)).map(|_| key.as_str())
}

/// Reports a text that resembles a number or a truth value, which nearly all other pages have (`4,6`, `yes`, `flase`), and a text where
/// all others have a list.
fn other_types(project: &Project) -> Vec<Diagnostic> {
    /// The number of pages with a value of each type.
    #[derive(Clone, Copy, Default)]
    struct Types {
        numbers: usize,
        truths: usize,
        lists: usize,
        texts: usize,
    }
    let values = || {
        let documents = project.site.documents.iter();
        documents
            .flat_map(|document| document.front.extra.iter().map(move |(key, value)| (document, key, value)))
    };
    let mut counts: HashMap<&str, Types> = HashMap::default();
    for (_, key, value) in values() {
        let types = counts.entry(key).or_default();
        match value {
            Value::Number(_) => types.numbers += 1,
            Value::Bool(_) => types.truths += 1,
            Value::Array(_) => types.lists += 1,
            Value::String(_) => types.texts += 1,
            _ => {}
        }
    }
    let is_number = |text: &str| {
        text.contains([',', ' ']) && text.chars().all(|it| it.is_ascii_digit() || ",. -+".contains(it))
    };
    let is_truth = |text: &str| {
        let lower = text.to_lowercase();
        let is_near = |known: &&str| matches!(diagnostic::distance_within(&lower, known, 2), Some(1 | 2));
        ["yes", "no", "on", "off"].contains(&&*lower) || ["true", "false"].iter().any(is_near)
    };
    let found = values().filter_map(|(document, key, value)| {
        let text = value.as_str().filter(|text| !text.is_empty())?;
        let Types { numbers, truths, lists, texts } = counts[key.as_str()];
        let (count, what) = match () {
            () if is_number(text) => (numbers, "a number"),
            () if is_truth(text) => (truths, "`true` or `false`"),
            () if texts == 1 => (lists, "a list"),
            () => return None,
        };
        let message = format!("`{key}` is a text, and {what} on {count} other pages");
        let problem = Problem::new(Code::UnusualValue, value_place(document, key, text)?, message);
        (count >= ENOUGH && are_exceptions(texts, count)).then(|| problem.at(&document.path))
    });
    found.collect()
}

/// Reports a key that one table of a list has, and that differs by a letter from a key of all others.
fn keys_of_one_item(document: &Document) -> Vec<Diagnostic> {
    /// Minimum number of other tables with the key, and maximum number of tables in a list.
    const FEWEST: usize = 2;
    const MOST: usize = 64;
    fn lists<'v>(value: &'v Value, found: &mut Vec<&'v [Value]>) {
        match value {
            Value::Array(items) => {
                found.push(items);
                for item in items {
                    lists(item, found);
                }
            }
            Value::Object(table) => {
                for value in table.values() {
                    lists(value, found);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    for value in document.front.extra.values() {
        lists(value, &mut all);
    }
    let of_list = |items: &[Value]| {
        let tables: Vec<_> = items.iter().filter_map(Value::as_object).collect();
        let having = |key: &str| tables.iter().filter(|table| table.contains_key(key)).count();
        let slip = |key: &String| {
            let is_meant = |other: &&String| {
                let is_other = having(other) >= FEWEST && having(other) + 1 == tables.len();
                is_other && key.len() >= SHORTEST && diagnostic::distance_within(key, other, 1) == Some(1)
            };
            let meant = tables.iter().flat_map(|table| table.keys()).find(is_meant)?;
            let start = document.text().get(..document.body)?.find(&format!("{key}:"))?;
            let message = format!("only one item has the key `{key}`, and all others have `{meant}`");
            let problem = Problem::new(Code::UnknownKey, start..start + key.len(), message);
            Some(problem.help(format!("did you mean `{meant}`?")).at(&document.path))
        };
        let rare = tables.iter().flat_map(|table| table.keys()).filter(|key| having(key) == 1);
        rare.filter_map(slip).collect::<Vec<_>>()
    };
    all.into_iter().filter(|items| items.len() <= MOST).flat_map(of_list).collect()
}

/// Reports the parents of pages that no page has as its title, by which themes find them:
/// <https://just-the-docs.com/docs/navigation/main/order/>. Many in a site are names of something else.
fn unknown_parents(project: &Project) -> Vec<Diagnostic> {
    if !documented_keys(project.site.repository.kind()).contains(&"parent") {
        return Vec::new();
    }
    let documents = || project.site.documents.iter().map(|document| &**document);
    let titles: SortedSet<&str> = documents().map(|document| document.title.as_str()).collect();
    let parents: Vec<(&Document, String)> = documents().filter_map(|it| Some((it, parent(it)?))).collect();
    let (known, unknown): (Vec<_>, Vec<_>) =
        parents.into_iter().partition(|(_, parent)| titles.contains(parent.as_str()));
    // The theme orders pages by a key.
    let is_of_theme = known.len() > unknown.len() || documents().any(|it| it.front.order.is_some());
    let grand_parents = known.iter().filter_map(|(document, parent)| {
        let grand = document.front.extra.get("grand_parent")?.as_str()?;
        let of_parent = |it: &&Document| it.title == *parent;
        let parents: Vec<String> = documents().filter(of_parent).filter_map(self::parent).collect();
        let meant = parents.first().filter(|_| !parents.iter().any(|it| it == grand))?;
        // Otherwise, the parent's own is reported.
        let meant = Some(meant).filter(|meant| titles.contains(meant.as_str()))?;
        let message = format!(
            "the parent of `{parent}` is `{meant}` and not `{grand}`, so the navigation lacks the page"
        );
        let span = value_place(document, "grand_parent", grand)?;
        let problem = Problem::new(Code::UnusualValue, span, message);
        Some(problem.help(format!("use `{meant}`")).at(&document.path))
    });
    let grand_parents: Vec<Diagnostic> = grand_parents.filter(|_| is_of_theme).collect();
    let problem = |(document, parent): &(&Document, String)| {
        let near = diagnostic::nearest(parent, titles.iter().copied());
        let near = near.filter(|near| is_of_theme || diagnostic::distance_within(parent, near, 2).is_some());
        let span = value_place(document, "parent", parent).filter(|_| is_of_theme || near.is_some())?;
        let problem = Problem::new(Code::UnusualValue, span, format!("no page has the title `{parent}`"));
        Some(problem.help(near.map(|near| format!("did you mean `{near}`?"))).at(&document.path))
    };
    unknown.iter().filter_map(problem).chain(grand_parents).collect()
}

/// Reports the only parent in a menu of Hugo that no other page has, if all other pages of its folder have the same one:
/// <https://gohugo.io/content-management/menus/>.
fn other_parents(project: &Project) -> Vec<Diagnostic> {
    /// Minimum number of other pages in the folder.
    const FEWEST: usize = 3;
    if !project.site.repository.convention.has(Syntax::Shortcodes) {
        return Vec::new();
    }
    let of_page = |document: &Document| -> Option<(String, String)> {
        let menus = ["menu", "menus"].iter().find_map(|key| document.front.extra.get(*key))?.as_object()?;
        let parent = |(menu, entry): (&String, &Value)| {
            Some((menu.clone(), entry.get("parent")?.as_str()?.to_string()))
        };
        menus.iter().find_map(parent)
    };
    let documents = project.site.documents.iter().map(|document| &**document);
    let parents: Vec<(&Document, (String, String))> =
        documents.filter_map(|document| Some((document, of_page(document)?))).collect();
    let mut counts: HashMap<&(String, String), usize> = HashMap::default();
    let mut folders: HashMap<&str, SortedMap<&(String, String), usize>> = HashMap::default();
    for (document, parent) in &parents {
        *counts.entry(parent).or_default() += 1;
        let folder = folders.entry(site_path::parent(document.path.as_str())).or_default();
        *folder.entry(parent).or_default() += 1;
    }
    let problem = |(document, own): &(&Document, (String, String))| {
        let of_folder = &folders[site_path::parent(document.path.as_str())];
        let others = of_folder.iter().filter(|(parent, _)| **parent != own);
        let ((_, meant), count) = only(others)?;
        if counts[own] > 1 || *count < FEWEST {
            return None;
        }
        let message = format!(
            "only this page has the parent `{}`, and {count} pages of its folder have `{meant}`",
            own.1
        );
        let problem = Problem::new(Code::UnusualValue, value_place(document, "parent", &own.1)?, message);
        Some(problem.help(format!("did you mean `{meant}`?")).at(&document.path))
    };
    parents.iter().filter_map(problem).collect()
}

/// Returns the title of the page above a page in the navigation.
fn parent(document: &Document) -> Option<String> {
    document.front.extra.get("parent")?.as_str().map(str::to_string)
}

/// Reports a value that the site's configuration or data doesn't allow.
fn against(document: &Document, rule: &FrontRule) -> Vec<Diagnostic> {
    let value = |key: &str| document.front.extra.get(key);
    let problem = |key: &str, value: &str, message: String, help: String| {
        let span = value_place(document, key, value)?;
        Some(Problem::new(Code::UnusualValue, span, message).help(help).at(&document.path))
    };
    let is_inside = |folder: &str| site_path::is_inside(document.path.as_str(), folder);
    let found = match rule {
        FrontRule::List { key } => value(key).and_then(Value::as_str).map(|text| {
            let items: Vec<&str> = text.split([',', ' ']).filter(|it| !it.is_empty()).collect();
            let message = format!("`{key}` is a text and not a list, so the build stops");
            vec![problem(key, text, message, format!("use `[{}]`", items.join(", ")))]
        }),
        FrontRule::Day { key, folder } => value(key).and_then(Value::as_str).map(|text| {
            let day = text.split([' ', 'T']).next().unwrap_or_default();
            let parts: Vec<&str> = day.split('-').collect();
            let is_short = parts.len() == 3 && parts.iter().any(|it| it.len() == 1);
            let message = format!("`{day}` is a text and not a day, so the build stops");
            let help = "use two digits for the month and the day".to_string();
            vec![problem(key, text, message, help).filter(|_| is_short && is_inside(folder))]
        }),
        FrontRule::Names { key, folder, file, names } => value(key).and_then(Value::as_array).map(|items| {
            let items = items.iter().filter_map(Value::as_str).filter(|_| is_inside(folder));
            let unknown = items.filter(|name| !names.contains(*name));
            let found = unknown.map(|name| {
                let message = format!("`{file}` has no `{name}`, so the build stops");
                problem(key, name, message, meant(name, names, file))
            });
            found.collect()
        }),
        FrontRule::Name { key, file, names } => value(key).and_then(Value::as_str).map(|name| {
            let help = meant(name, names, file);
            let message = format!("`{file}` has no `{key}` of the name `{name}`, so readers don't see it");
            vec![problem(key, name, message, help).filter(|_| !names.contains(name))]
        }),
        FrontRule::Template { key, folder, names } => value(key).and_then(Value::as_str).map(|name| {
            let help = meant(name, names, folder);
            let message = format!("there is no template `{name}`, so the build stops");
            vec![problem(key, name, message, help).filter(|_| !names.contains(name))]
        }),
    };
    found.into_iter().flatten().flatten().collect()
}

/// Returns the help for a name that a file or folder lacks.
fn meant(name: &str, names: &SortedSet<String>, place: &str) -> String {
    match diagnostic::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("add it to `{place}`"),
    }
}

/// Reports days that don't exist: parsers of front matter stop at `2026-02-30`, or read another day.
fn wrong_dates(document: &Document) -> Vec<Diagnostic> {
    let wrong = |(key, value): (&String, &Value)| {
        let written = value.as_str()?.get(..10).filter(|written| is_no_day(written))?;
        let span = value_place(document, key, written)?;
        Some(Problem::new(Code::UnusualValue, span, format!("`{written}` isn't a date")).at(&document.path))
    };
    document.front.extra.iter().filter_map(wrong).collect()
}

/// Reports the values of a page that its generator doesn't know: all if it stops at them, or else those that differ by a letter.
fn wrong_choices(document: &Document, choice: &Choice) -> Vec<Diagnostic> {
    fn texts<'v>(value: &'v Value, path: &[&str], found: &mut Vec<&'v str>) {
        match (value, path) {
            (Value::Array(items), _) => items.iter().for_each(|item| texts(item, path, found)),
            (Value::Object(table), [key, rest @ ..]) => {
                table.get(*key).into_iter().for_each(|value| texts(value, rest, found));
            }
            (Value::String(text), []) => found.push(text),
            _ => {}
        }
    }
    // Tables whose keys have a meaning are flattened.
    let ends = choice.key.match_indices('.').map(|(at, _)| at).chain([choice.key.len()]);
    let mut written = Vec::new();
    for end in ends {
        let rest: Vec<&str> = choice.key[end..].split('.').filter(|key| !key.is_empty()).collect();
        if let Some(value) = document.front.extra.get(&choice.key[..end]) {
            texts(value, &rest, &mut written);
        }
    }
    let name = choice.key.rsplit('.').next().unwrap_or_default();
    let wrong = |value: &str| {
        let is_near = |known: &&&str| diagnostic::distance_within(value, known, 1) == Some(1);
        let near = choice.values.iter().find(is_near);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if choice.is_closed => format!("use one of: {}", choice.values.join(", ")),
            None => return None,
        };
        let text = document.text();
        let block = text.get(..document.body)?;
        let line = block.match_indices(name).find_map(|(at, _)| {
            let end = block[at..].find('\n').map_or(block.len(), |end| at + end);
            Some(at + block[at..end].find(value)?)
        });
        let start = line.or_else(|| block.find(value))?;
        let message = format!("`{name}` can't be `{value}`");
        let problem = Problem::new(Code::UnusualValue, start..start + value.len(), message);
        Some(problem.help(help).at(&document.path))
    };
    written.into_iter().filter(|value| !choice.values.contains(value)).filter_map(wrong).collect()
}

/// Finds values that one page has, and that differ by one letter from the value that several pages have. Titles differ by page,
/// and versions by a digit.
fn unusual_values(project: &Project) -> Vec<Diagnostic> {
    fn names(document: &Document) -> impl Iterator<Item = (&str, &str)> {
        /// Adds the texts of a key, and those of the keys below it.
        fn texts<'d>(key: &'d str, value: &'d Value, found: &mut Vec<(&'d str, &'d str)>) {
            match value {
                Value::String(text) => found.push((key, text)),
                Value::Array(items) if items.iter().all(Value::is_object) => {
                    for item in items {
                        texts(key, item, found);
                    }
                }
                Value::Object(table) => {
                    for (key, value) in table {
                        texts(key, value, found);
                    }
                }
                _ => {}
            }
        }
        let mut names = Vec::new();
        for (key, value) in &document.front.extra {
            texts(key, value, &mut names);
        }
        names.into_iter().filter(|(_, value)| !value.contains(|letter: char| letter.is_ascii_digit()))
    }
    let documents = || project.site.documents.iter().map(|document| &**document);
    // Each layout that doesn't exist is reported.
    let has_templates = !project.site.repository.page_templates.is_empty();
    let mut counts: HashMap<&str, SortedMap<&str, usize>> = HashMap::default();
    for (key, value) in documents().flat_map(names) {
        *counts.entry(key).or_default().entry(value).or_default() += 1;
    }
    let shared = counts.iter().map(|(key, values)| {
        let shared = values.iter().filter(|(_, count)| **count >= FEWEST_SHARED);
        (*key, shared.map(|(value, _)| *value).collect())
    });
    let shared: HashMap<&str, Vec<&str>> = shared.collect();
    let mut found = Vec::new();
    for document in documents() {
        for (key, value) in names(document) {
            let candidates = &shared[key];
            let is_known = key == "layout" && has_templates;
            if is_known || counts[key][value] > 1 || candidates.len() > MOST_SHARED {
                continue;
            }
            let candidates = candidates.iter().copied();
            let meant = match key {
                // The name of a template has no plural.
                "layout" | "template" => candidates
                    .into_iter()
                    .find(|meant| diagnostic::distance_within(value, meant, 1) == Some(1)),
                _ => {
                    // A value may lack the sign before it: `:splat`.
                    let lacks_sign = |meant: &&str| {
                        meant.strip_suffix(value).is_some_and(|sign| matches!(sign, ":" | "/" | "@" | "$"))
                    };
                    let with_sign = candidates.clone().find(lacks_sign);
                    with_sign.or_else(|| diagnostic::misspelled(value, candidates))
                }
            };
            if let Some(meant) = meant.filter(|meant| !meant.eq_ignore_ascii_case(value)) {
                let place = value_place(document, key, value);
                found.extend(place.map(|place| unusual(document, place, value, meant, counts[key][meant])));
            }
        }
    }
    found
}

fn unusual(document: &Document, place: Range<usize>, value: &str, meant: &str, count: usize) -> Diagnostic {
    let message = format!("only this page has `{value}`, and {count} pages have `{meant}`");
    let problem = Problem::new(Code::UnusualValue, place, message);
    problem.help(format!("did you mean `{meant}`?")).at(&document.path)
}

/// Returns the known key from which a misspelled one differs by one letter or in case.
fn meant_by<'k>(written: &str, known: &'k [String], ignores_case: bool) -> Option<&'k String> {
    // Many keys of one word exist in both forms: `tag` and `tags`.
    let is_plural =
        |one: &str, other: &str| one.strip_suffix('s') == Some(other) && !other.contains(['_', '-']);
    let is_near = |key: &&String| {
        let is_other_case = key.eq_ignore_ascii_case(written);
        written.len() >= SHORTEST
            && key.len() >= SHORTEST
            && !is_plural(key, written)
            && !is_plural(written, key)
            && if is_other_case { !ignores_case } else { strsim::osa_distance(key, written) == 1 }
    };
    known.iter().find(is_near)
}

fn finding(document: &Document, written: &str, meant: &str) -> Option<Diagnostic> {
    // A page with both keys means different things. Keys of tables may also be in other tables.
    let has_both = if meant.contains('.') {
        document.front.extra.contains_key(meant)
    } else {
        place(document, meant).is_some()
    };
    if has_both {
        return None;
    }
    let name = |key: &str| key.rsplit('.').next().unwrap_or(key).to_string();
    let message = format!("unknown key `{}`, which the generator ignores", name(written));
    let help = format!("did you mean `{}`?", name(meant));
    Some(Problem::new(Code::UnknownKey, place(document, written)?, message).help(help).at(&document.path))
}

/// Returns the range of a value in the front matter, after its key.
fn value_place(document: &Document, key: &str, value: &str) -> Option<Range<usize>> {
    let text = document.text();
    // In a table in one line, as `{ from: /a, to: /b }`, the key doesn't begin the line.
    let in_line = || text.get(..document.body)?.find(&format!(" {key}: "));
    let end = place(document, key).map(|place| place.end).or_else(in_line)?;
    let start = end + text.get(end..document.body)?.find(value)?;
    Some(start..start + value.len())
}

/// Returns the range of the last part of a key in the front matter.
fn place(document: &Document, key: &str) -> Option<Range<usize>> {
    let text = document.text();
    let block = text.get(..document.body)?;
    let name = key.rsplit('.').next().unwrap_or(key);
    placed(block, 0).find_map(|(start, line)| {
        let key = line.trim_start().trim_start_matches(['"', '\'']);
        let at = start + line.len() - key.len();
        let after = key.strip_prefix(name)?.trim_start_matches(['"', '\'', ' ']);
        after.starts_with([':', '=']).then(|| at..at + name.len())
    })
}
