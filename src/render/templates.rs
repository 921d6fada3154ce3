//! The templates: those the program carries, replaced file by file by the site's own.

use std::io;

use tera::{ErrorKind, Tera};

use crate::diagnostic::{Code, Diagnostic, Problem, Report, Reported};
use crate::embedded;
use crate::source::Sources;
use crate::words::{self, Words};

/// Loads every template. One that cannot be read is reported and the built-in ones stand in, so that
/// the rest of the site can still be looked at.
pub fn load(sources: &Sources, words: &Words) -> Reported<Tera> {
    let own = sources.templates.values().filter_map(|text| {
        let name = text.path.below("templates")?;
        (!name.starts_with("words/")).then(|| (name, text.text()))
    });
    let own: Vec<_> = own.collect();
    match engine(words, own.iter().map(|(name, text)| (*name, &**text))) {
        Ok(tera) => (tera, Report::default()),
        Err(error) => {
            let builtin = engine(words, std::iter::empty()).expect("our own templates are tested");
            (builtin, [diagnostic("", &error)].into_iter().collect())
        }
    }
}

/// The built-in templates and `own` in their place, with everything that any of them may ask for.
fn engine<'t>(words: &Words, own: impl Iterator<Item = (&'t str, &'t str)>) -> tera::TeraResult<Tera> {
    let mut tera = Tera::new();
    tera.register_filter("say", words::say);
    tera.set_escape_fn(escape);
    tera.global_context().insert("words", words);
    tera.add_raw_templates(embedded::TEMPLATES.iter().copied().chain(own))?;
    Ok(tera)
}

/// As tera escapes: the five characters that mean something in HTML. Whole runs are written at once, where tera
/// writes byte by byte.
fn escape(text: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escaped: &[u8] = match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            _ => continue,
        };
        out.write_all(&text.as_bytes()[start..at])?;
        out.write_all(escaped)?;
        start = at + 1;
    }
    out.write_all(&text.as_bytes()[start..])
}

/// What tera says, at the place it names; `template` where it names none.
pub(super) fn diagnostic(template: &str, error: &tera::Error) -> Diagnostic {
    let (name, span, message) = match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
            (report.filename(), report.span().range.clone(), report.message().to_string())
        }
        _ => (template, 0..0, error.to_string()),
    };
    let name = if name.is_empty() { template } else { name };
    let first = message.lines().next().unwrap_or_default().trim_end_matches('.');
    let help =
        "README.md names what each template is given; without this file the built-in one is used".to_string();
    let problem = Problem::new(Code::TemplateError, span, format!("the template cannot be used: {first}"));
    problem.help(help).at(&format!("templates/{name}").as_str().into())
}
