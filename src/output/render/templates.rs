//! The templates: built-in ones, which the site can replace individually.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem;
use tera::{ErrorKind, Tera};

use crate::output::embedded;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported};
use base::sorted::SortedSet;
use input::block_templates;
use input::source::Sources;
use input::words::{self, Words};
use markup::markdown::NoteKind;
use site::content::not_utf8;

/// The template engine. Created on first use, because checking a site without its own templates renders nothing.
pub type Templates = LazyLock<Tera, Box<dyn FnOnce() -> Tera + Send>>;

/// Loads every template. If the site's templates are invalid, that is reported and the built-in ones are used, so
/// that the rest of the site can still be rendered.
pub fn load(sources: &Sources, words: &Arc<Words>) -> Reported<Templates> {
    let mut report: Report = sources.templates.values().filter_map(not_utf8).collect();
    let own = sources.templates.values().filter(|text| text.invalid.is_none()).filter_map(|text| {
        let name = text.path.below("templates")?;
        (!name.starts_with("words/") && !name.ends_with(".css")).then(|| (name, text.text()))
    });
    let own: Vec<_> = own.collect();
    report.extend(own.iter().filter_map(|(name, _)| never_used(name)));
    let shared = words.clone();
    let built_in: Templates = LazyLock::new(Box::new(move || {
        engine(&shared, std::iter::empty()).expect("our own templates are tested")
    }));
    if own.is_empty() {
        return (built_in, report);
    }
    match engine(words, own.iter().map(|(name, text)| (*name, &**text))) {
        Ok(tera) => (LazyLock::new(Box::new(move || tera)), report),
        Err(error) => {
            report.extend(refused(&own, &error));
            (built_in, report)
        }
    }
}

/// Returns the template engine with the built-in templates, `own` in their place, and all filters.
fn engine<'t>(words: &Words, own: impl Iterator<Item = (&'t str, &'t str)>) -> tera::TeraResult<Tera> {
    let mut tera = Tera::new();
    tera.register_filter("say", words.say_filter());
    tera.register_filter("forms", words::forms);
    tera.register_test("html_with", has_text);
    tera.set_escape_fn(escape);
    tera.autoescape_on([".html", ".xml", ".svg"]);
    tera.global_context().insert("words", words);
    tera.add_raw_templates(embedded::TEMPLATES.iter().copied().chain(own))?;
    Ok(tera)
}

/// The test `html_with`: whether a value is HTML that contains a text. Tera's `in` took a twentieth of a build.
#[expect(clippy::needless_pass_by_value, reason = "tera passes them so")]
fn has_text(html: &tera::Value, arguments: tera::Kwargs, _: &tera::State) -> tera::TeraResult<bool> {
    let text = arguments.must_get::<&str>("text")?;
    Ok(html.as_str().is_some_and(|html| memmem::find(html.as_bytes(), text.as_bytes()).is_some()))
}

/// Escapes like tera, but writes complete runs where tera writes byte by byte.
fn escape(text: &str, out: &mut dyn io::Write) -> io::Result<()> {
    escape_parts(text, |part| out.write_all(part.as_bytes()))
}

/// Passes a text to `push` in parts, with the five special characters of HTML escaped.
pub(super) fn escape_parts<E>(text: &str, mut push: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escaped = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => continue,
        };
        push(&text[start..at])?;
        push(escaped)?;
        start = at + 1;
    }
    push(&text[start..])
}

/// Reports the template of a block whose name has another meaning.
fn never_used(template: &str) -> Option<Diagnostic> {
    let path = format!("templates/{template}");
    let name = block_templates::name_of(&path)?;
    if name != "platform" && NoteKind::named(name).is_none() {
        return None;
    }
    let message = format!("`:::{name}` has a meaning of its own, so this template is never used");
    let help = "give the block another name".to_string();
    Some(Problem::new(Code::TemplateError, 0..0, message).help(help).at(&path.as_str().into()))
}

/// Returns tera's errors in templates, each at its location.
fn refused(own: &[(&str, Cow<'_, str>)], error: &tera::Error) -> Vec<Diagnostic> {
    let text = |name: &str| own.iter().find(|(own, _)| *own == name).map(|(_, text)| &**text);
    let span = |name: &str, wanted: &str| {
        let at = text(name).and_then(|text| text.find(wanted));
        at.map_or(0..0, |at| at..at + wanted.len())
    };
    let complaints = match error.kind() {
        ErrorKind::SyntaxError(report) => {
            vec![(report.filename().to_string(), report.span().range.clone(), report.message().to_string())]
        }
        ErrorKind::MissingParent { current, parent } => {
            vec![(current.clone(), span(current, parent), format!("Unknown template `{parent}`"))]
        }
        ErrorKind::CircularExtend { tpl, .. } => {
            vec![(tpl.clone(), span(tpl, "extends"), "It extends itself, directly or indirectly".into())]
        }
        ErrorKind::CircularInclude { tpl, .. } => {
            vec![(tpl.clone(), span(tpl, "include"), "It includes itself, directly or indirectly".into())]
        }
        _ => complaints(&error.to_string(), |name, line, column| {
            text(name).map_or(0..0, |text| place(text, line, column))
        }),
    };
    let file = own.first().map_or("", |(name, _)| name);
    // Several built-in templates may need a block or macro that a template of the site lacks.
    let mut missed = SortedSet::new();
    let diagnostic = |(name, span, message): (String, Range<usize>, String)| match text(&name) {
        Some(_) => Some(problem(&name, span, &message)),
        None if name.is_empty() => Some(problem(file, span, &message)),
        None => missed.insert(message.clone()).then(|| {
            problem(file, 0..0, &format!("the built-in `{name}` is incompatible with it: {message}"))
        }),
    };
    complaints.into_iter().filter_map(diagnostic).collect()
}

/// Splits tera's report into errors, each with a line for its text and one for its location. A report in another form
/// is one error without a location.
fn complaints(
    report: &str,
    span: impl Fn(&str, usize, usize) -> Range<usize>,
) -> Vec<(String, Range<usize>, String)> {
    let mut lines = report.lines();
    let mut complaints = Vec::new();
    while let Some(line) = lines.next() {
        let Some(message) = line.strip_prefix("error: ") else { continue };
        let mut place =
            lines.next().unwrap_or_default().trim_start().trim_start_matches("--> ").rsplitn(3, ':');
        let (column, line, name) = (place.next(), place.next(), place.next().unwrap_or_default());
        let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).unwrap_or(1);
        complaints.push((name.to_string(), span(name, number(line), number(column)), message.to_string()));
    }
    if complaints.is_empty() { vec![(String::new(), 0..0, report.to_string())] } else { complaints }
}

/// Returns the rest of a line from a column on. Both are counted from 1.
fn place(text: &str, line: usize, column: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text[start..].lines().next().unwrap_or_default();
    let at = rest.char_indices().nth(column - 1).map_or(rest.len(), |(at, _)| at);
    start + at..start + rest.len()
}

/// Returns tera's error at its location, or in `template` if it contains none.
pub(super) fn diagnostic(template: &str, error: &tera::Error) -> Diagnostic {
    let (name, span, message) = match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
            (report.filename(), report.span().range.clone(), report.message().to_string())
        }
        _ => (template, 0..0, error.to_string()),
    };
    problem(if name.is_empty() { template } else { name }, span, &message)
}

fn problem(template: &str, span: Range<usize>, message: &str) -> Diagnostic {
    let first = message.lines().next().unwrap_or_default().trim_end_matches('.');
    let help =
        "the manual lists the variables of each template; to use the built-in template, delete this file"
            .to_string();
    let problem = Problem::new(Code::TemplateError, span, format!("invalid template: {first}"));
    problem.help(help).at(&format!("templates/{template}").as_str().into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use input::words::{BUILT_IN, Word};

    use super::*;
    use base::site_path::SitePath;
    use input::source::Text;

    /// Checks the errors in templates as `file: marked text: message`.
    #[track_caller]
    fn check(templates: &[(&str, &[u8])], expected: &[&str]) {
        let mut sources = Sources::default();
        for (name, text) in templates {
            let path = SitePath::from(format!("templates/{name}"));
            sources.templates.insert(path.clone(), Text::new(path, text.to_vec()));
        }
        let (_, report) = load(&sources, &Arc::new(Words::default()));
        let said = report.sorted().into_iter().map(|it| {
            let text = sources.text(&it.file).map(Text::text).unwrap_or_default();
            let message = it.problem.message.trim_start_matches("invalid template: ");
            format!("{}: {}: {message}", it.file, &text[it.problem.span.clone()])
        });
        assert_eq!(said.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn complaints_of_the_engine_have_a_place() {
        check(&[("a.html", b"{{ page.title }}")], &[]);
        check(
            &[("a.html", "ä\n ö {{ page.title | shout }}".as_bytes())],
            &["templates/a.html: shout }}: Unknown filter `shout`"],
        );
        check(
            &[("a.html", b"x\n{% include \"../secret\" %}"), ("b.html", b"{{ now() }}\n{{ x is big }}")],
            &[
                "templates/a.html: \"../secret\" %}: Unknown template `../secret`",
                "templates/b.html: now() }}: Unknown function `now`",
                "templates/b.html: big }}: Unknown test `big`",
            ],
        );
        check(
            &[("a.html", b"{% extends \"nothing.html\" %}")],
            &["templates/a.html: nothing.html: Unknown template `nothing.html`"],
        );
        check(
            &[("a.html", b"\n{% include \"b.html\" %}"), ("b.html", b"{% include \"a.html\" %}")],
            &["templates/a.html: include: It includes itself, directly or indirectly"],
        );
    }

    #[test]
    fn a_template_that_is_not_text_is_reported() {
        check(
            &[("step.html", b"caf\xe9"), ("words/fr.toml", b"next = '\xe9'")],
            &[
                "templates/step.html: : the file is not UTF-8 from here on",
                "templates/words/fr.toml: : the file is not UTF-8 from here on",
            ],
        );
    }

    #[test]
    fn a_built_in_template_that_does_not_fit_is_reported_at_one_of_the_site() {
        let base = "{% block html_attributes %}{% endblock %}{% block head %}{% endblock %}{% block title %}{% endblock %}\
                    {% block layout %}{% endblock %}{% block scripts %}{% endblock %}{% block switcher %}{% endblock %}";
        check(
            &[("base.html", base.as_bytes())],
            &[
                "templates/base.html: : the built-in `404.html` is incompatible with it: Block `main` is not defined in any parent template",
            ],
        );
    }

    #[test]
    fn every_word_is_used_and_every_word_used_is_known() {
        let mut said: BTreeSet<String> = Word::ALL.iter().map(|word| word.key().to_string()).collect();
        for (_, template) in embedded::TEMPLATES {
            let keys = template.split("words.").skip(1);
            said.extend(keys.map(|rest| {
                rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect::<String>()
            }));
        }
        let (_, english) = BUILT_IN.iter().find(|(name, _)| *name == "en.toml").expect("English");
        let english: toml::Table = toml::from_str(english).expect("our own words");
        assert_eq!(said, english.into_iter().map(|(key, _)| key).collect());
    }
}
