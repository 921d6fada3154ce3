//! MDX imports and exports, and the values of the names that they define.

use std::ops::Range;

use crate::markdown::page::{Reference, ReferenceForm, ReferenceKind};
use crate::markdown::syntax::notes::InclusionKind;
use crate::markdown::syntax::script::{Fuel, balanced, value};
use crate::markdown::syntax::state::ImportedNames;
use crate::markdown::syntax::translator::Translator;
use base::diagnostic::{Code, Problem, distance_within};
use base::fences::{Fences, LineKind};

/// Reads the names of a page before its first line.
pub(super) fn read(it: &mut Translator<'_, '_>) {
    it.mdx.names = ImportedNames::of(it.lines.text, it.lines.body, &mut it.fuel);
}

impl<'t> ImportedNames<'t> {
    /// Reads the imports and constants anywhere on a page.
    pub(super) fn of(text: &'t str, body: usize, fuel: &mut Fuel) -> Self {
        let mut names = Self::default();
        let mut fences = Fences::default();
        let mut at = body;
        while at < text.len() {
            let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |it| at + it + 1);
            let is_text = fences.next(&text[at..end]) == LineKind::Text;
            match is_text.then(|| statement(text, at, fuel)).flatten() {
                Some(statement) => {
                    names.take(text, &statement);
                    at = statement.end.max(end);
                }
                None => at = end,
            }
        }
        names
    }

    fn take(&mut self, text: &'t str, statement: &Range<usize>) {
        let written = &text[statement.clone()];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        self.declared.extend(written.split(|c| !is_part(c)));
        if let Some(import) = import(written) {
            for name in import.names {
                self.files.insert(name, import.source);
            }
            return;
        }
        let declared = written.trim_start_matches("export").trim_start();
        let Some(rest) = ["const ", "let ", "var "].iter().find_map(|word| declared.strip_prefix(word))
        else {
            return;
        };
        let Some((name, given)) = rest.split_once('=') else { return };
        let name = name.split(':').next().unwrap_or_default().trim();
        let start = statement.end - given.len();
        let given = given.trim_end().trim_end_matches(';');
        self.constants.insert(name, value(text, start..start + given.len()));
    }

    /// Whether the page imports or defines a name.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Returns the file that is imported under a name.
    pub(super) fn file(&self, name: &str) -> Option<&'t str> {
        self.files.get(name).copied()
    }
}

/// An import statement: `import One, { two as Three } from 'module'`.
#[derive(Debug)]
pub struct ImportStatement<'t> {
    /// The names that it defines.
    pub names: Vec<&'t str>,
    /// The module.
    pub source: &'t str,
}

/// Parses an import statement, without anything after it.
pub fn import(written: &str) -> Option<ImportStatement<'_>> {
    let rest = written.strip_prefix("import")?.trim_end().trim_end_matches(';').trim_end();
    let quote = rest.chars().next_back().filter(|quote| matches!(quote, '"' | '\''))?;
    let open = rest[..rest.len() - 1].rfind(quote)?;
    let source = &rest[open + 1..rest.len() - 1];
    let names = rest[..open].trim().trim_end_matches("from").split([',', '{', '}', '\n']);
    let name = |written: &'_ str| -> usize { written.rfind(" as ").map_or(0, |at| at + 4) };
    let names = names.map(|written| written[name(written)..].trim()).filter(|name| !name.is_empty());
    Some(ImportStatement { names: names.collect(), source })
}

/// Returns the range of the import or export at the start of a line.
fn statement(text: &str, at: usize, fuel: &mut Fuel) -> Option<Range<usize>> {
    let rest = &text[at..];
    let after = rest.strip_prefix("import").or_else(|| rest.strip_prefix("export"))?;
    if !after.starts_with([' ', '{', '"', '\'', '*', '\t']) {
        return None;
    }
    let is_import = rest.starts_with("import");
    let end = if is_import { import_end(text, at, fuel) } else { export_end(text, at, fuel) };
    Some(at..end?)
}

/// Returns the end of an import: names, possibly in braces over several lines, and a quoted text that ends its line.
fn import_end(text: &str, at: usize, fuel: &mut Fuel) -> Option<usize> {
    let mut end = at + "import".len();
    let line = |at: usize| text[at..].lines().next().unwrap_or_default();
    let brace = line(end).find(['{', '"', '\'']).filter(|brace| line(end)[*brace..].starts_with('{'));
    if let Some(brace) = brace {
        end = balanced(text, end + brace, fuel)?;
    }
    let rest = line(end).trim_end().trim_end_matches(';').trim_end();
    let trimmed = rest.trim_start();
    let quoted = match trimmed.find(['"', '\'']) {
        Some(0) => trimmed,
        Some(open) => {
            let before = trimmed[..open].trim_end();
            (before == "from" || before.ends_with(" from")).then_some(&trimmed[open..])?
        }
        None => return None,
    };
    let quote = quoted.chars().next()?;
    let close = quoted[1..].find(quote)? + 2;
    // Further text on the line means that it is a sentence.
    let after = quoted[close..].trim();
    (after.is_empty() || after.starts_with("//")).then_some(end + line(end).len())
}

/// Returns the end of an export: the end of a line at which its brackets are closed.
fn export_end(text: &str, at: usize, fuel: &mut Fuel) -> Option<usize> {
    let declared = text[at + "export".len()..].trim_start_matches([' ', '\t']);
    let words = ["const ", "let ", "var ", "function ", "default ", "class ", "async ", "{", "*"];
    if !words.iter().any(|word| declared.starts_with(word)) {
        return None;
    }
    let first = text[at..].lines().next().unwrap_or_default();
    if !first.contains(['=', '(', '{', '*', ';']) && !declared.starts_with("default ") {
        return None;
    }
    let mut end = at;
    while end < text.len() {
        let rest = &text.as_bytes()[end..];
        let Some(next) = rest.iter().position(|byte| matches!(byte, b'\n' | b'{' | b'(' | b'[' | b'`'))
        else {
            return Some(text.len());
        };
        end += next;
        if text.as_bytes()[end] != b'\n' {
            end = balanced(text, end, fuel)?;
            continue;
        }
        let written = text[at..end].trim_end();
        let next = text[end + 1..].lines().next().unwrap_or_default();
        let goes_on =
            written.ends_with(['=', ',', '(', '>', '+', '&', '|', '?', ':']) && !next.trim().is_empty();
        let ends = !goes_on
            && (written.ends_with([';', '}'])
                || next.trim().is_empty()
                || next.starts_with("import ")
                || next.starts_with("export "));
        if ends {
            return Some(end);
        }
        end += 1;
    }
    Some(text.len())
}

/// Removes the import or export that begins this line.
pub(super) fn leave_out(it: &mut Translator<'_, '_>) -> bool {
    let Some(statement) = statement(it.lines.text, it.lines.at, &mut it.fuel) else { return false };
    if let Some(import) = import(&it.lines.text[statement.clone()]) {
        if let Some(kind) = inclusion(import.source) {
            it.part(import.source, kind, statement.clone());
        } else {
            let problem = unknown_module(it, import.source);
            it.notes.problems.extend(problem);
            it.notes.roles.extend(module(it.lines.text, import.source).filter(|_| it.depth == 0));
        }
    }
    it.lines.has_marks = false;
    it.out.shown = false;
    it.remove(statement.end);
    it.lines.at += it.lines.rest_of_line(it.lines.at).len();
    if it.lines.rest().starts_with('\r') {
        it.lines.at += 1;
    }
    it.end_of_line();
    true
}

/// Returns the modules that the code of a Vue page imports.
pub(in super::super) fn modules(it: &mut Translator<'_, '_>, code: Range<usize>) {
    let text = it.lines.text;
    let mut at = code.start;
    for line in text[code].split_inclusive('\n') {
        let statement = statement(text, at, &mut it.fuel);
        let source = statement.and_then(|statement| Some(import(&text[statement])?.source));
        it.notes.roles.extend(source.and_then(|source| module(text, source)));
        at += line.len();
    }
}

/// Returns the finding for the module of a package that differs by a letter from one that pages often import.
fn unknown_module(it: &Translator<'_, '_>, source: &str) -> Option<Problem> {
    const KNOWN: [&str; 14] = [
        "@astrojs/starlight/components",
        "@docusaurus/BrowserOnly",
        "@docusaurus/Link",
        "@docusaurus/useBaseUrl",
        "@docusaurus/useDocusaurusContext",
        "@theme/Admonition",
        "@theme/CodeBlock",
        "@theme/DocCardList",
        "@theme/TabItem",
        "@theme/Tabs",
        "@theme/ThemedImage",
        "@theme/TOCInline",
        "astro:assets",
        "nextra/components",
    ];
    let meant = KNOWN.iter().find(|known| distance_within(source, known, 1) == Some(1))?;
    let start = source.as_ptr() as usize - it.lines.text.as_ptr() as usize;
    let message = format!("module `{source}` doesn't exist");
    let problem = Problem::new(Code::MissingFile, start..start + source.len(), message);
    (it.depth == 0).then(|| problem.help(format!("did you mean `{meant}`?")).as_warning())
}

/// Returns the reference to a module, unless it is in a package. `source` is a part of `text`.
fn module(text: &str, source: &str) -> Option<Reference> {
    let (target, form) = (source.split('?').next().unwrap_or_default(), ReferenceForm::Module);
    let start = source.as_ptr() as usize - text.as_ptr() as usize;
    let is_path = target.starts_with(['.', '@', '~']) && !target.contains(['!', '*', '$']);
    let (span, target) = (start..start + target.len(), target.to_string());
    is_path.then_some(Reference { kind: ReferenceKind::File, target, text: None, span, form })
}

/// Returns the kind of an imported file whose text pages can show.
pub(super) fn inclusion(source: &str) -> Option<InclusionKind> {
    if source.ends_with("?raw") || source.contains("raw-loader!") {
        Some(InclusionKind::Code)
    } else if source.ends_with(".md") || source.ends_with(".mdx") {
        Some(InclusionKind::Markdown)
    } else {
        None
    }
}
