//! The text of code blocks: data, diagrams, commands.

use super::source::{CodeFence, PageSource};
use super::{INVALID, Mistake, brackets};
use base::address::letters;
use base::diagnostic::{distance_within, misspelled, nearest};
use base::items::only;
use base::lines::placed;
use base::quoted::quoted;
use base::site_path;
use input::conventions::{InvalidData, Syntax, invalid_data};

/// How a rule about the code of some languages finds a mistake.
struct CodeCheck {
    languages: &'static [&'static str],
    find: fn(&CodeFence<'_>, &PageSource<'_>) -> Option<Mistake>,
}

const SHELLS: &[&str] = &["", "bash", "console", "sh", "shell", "terminal", "zsh"];

/// Languages of commands. A block without one may contain their output.
#[rustfmt::skip]
const COMMANDS: &[&str] = &[
    "bash", "bat", "batch", "cmd", "console", "powershell", "ps1", "pwsh", "sh", "shell", "shell-session", "terminal", "zsh",
];

const CHECKS: &[CodeCheck] = &[
    CodeCheck {
        languages: &["json"],
        find: |fence, source| {
            let mistake = other_format(fence, source).or_else(|| missing_comma(fence, source));
            mistake.or_else(|| invalid(fence, source))
        },
    },
    CodeCheck {
        languages: &["toml", "yaml", "yml"],
        find: |fence, source| other_format(fence, source).or_else(|| invalid(fence, source)),
    },
    CodeCheck { languages: LANGUAGES, find: other_language },
    CodeCheck { languages: PROGRAMS, find: other_import },
    CodeCheck { languages: brackets::LANGUAGES, find: brackets::unbalanced },
    CodeCheck { languages: DATA, find: other_file },
    CodeCheck { languages: &["mermaid"], find: misspelled_diagram },
    CodeCheck { languages: &["mermaid"], find: undefined_class },
    CodeCheck { languages: SHELLS, find: broken_command },
    CodeCheck { languages: SHELLS, find: dash },
    CodeCheck { languages: COMMANDS, find: open_quote },
    CodeCheck { languages: SHELLS, find: other_format },
    CodeCheck { languages: SHELLS, find: misspelled_path },
    // The output of a command.
    CodeCheck { languages: SHELLS, find: missing_comma },
    CodeCheck { languages: &["yaml", "yml"], find: color },
    CodeCheck { languages: &["xml", "plist"], find: other_end_tag },
];

/// Reports an end tag with nearly the name of the element that it should end: `<key>oil</kye>`.
fn other_end_tag(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let (start, code) = (fence.code.start, &source.text[fence.code.clone()]);
    let mut open: Vec<&str> = Vec::new();
    for (at, _) in code.match_indices('<') {
        let tag = &code[at + 1..at + code[at..].find('>').filter(|end| *end > 1)?];
        let name = |tag: &'_ str| tag.split(|c: char| c.is_whitespace() || c == '/').next().map(str::len);
        match tag.strip_prefix('/') {
            Some(end) if open.last() == Some(&end.trim()) => _ = open.pop(),
            Some(end) => {
                let meant = open.last()?;
                let is_slip = !open.contains(&end) && (distance_within(end, meant, 1) == Some(1));
                let message = format!("`</{end}>` ends no element");
                let place = start + at..start + at + tag.len() + 2;
                return is_slip
                    .then(|| Mistake::misread(place, message, format!("did you mean `</{meant}>`?")));
            }
            None if tag.starts_with(['!', '?']) || tag.ends_with('/') => {}
            None => open.push(&tag[..name(tag)?]),
        }
    }
    None
}

/// Directives of `MyST` whose text or image readers of another generator see as code.
#[rustfmt::skip]
const DIRECTIVES: [&str; 24] = [
    "admonition", "attention", "card", "caution", "contents", "danger", "dropdown", "error", "eval-rst", "figure", "grid", "hint",
    "image", "important", "include", "literalinclude", "math", "note", "seealso", "tab-item", "tab-set", "tip", "toctree", "warning",
];

pub(super) fn mistakes(source: &PageSource<'_>) -> Vec<Mistake> {
    let is_of_myst = source.syntax.contains(&Syntax::Myst);
    let of_fence = |fence: &CodeFence<'_>| {
        let info = &source.text[fence.info.clone()];
        let name = info.strip_prefix('{').and_then(|rest| Some(rest.split_once('}')?.0));
        if let Some(name) = name.filter(|name| !is_of_myst && DIRECTIVES.contains(name)) {
            let message = format!("`{{{name}}}` is a directive of MyST, so readers see its code");
            let span = fence.info.start..fence.info.start + name.len() + 2;
            return vec![Mistake::misread(span, message, "use the syntax of this site's generator")];
        }
        let checks = CHECKS.iter().filter(|check| check.languages.contains(&fence.language));
        checks.filter_map(|check| (check.find)(fence, source)).collect::<Vec<_>>()
    };
    source.fences.iter().flat_map(of_fence).collect()
}

/// Signs of code that is incomplete: ellipses, alternatives, and the marks of quotes.
const PARTIAL: [&str; 5] = ["...", "::: ", "…", "\" | \"", "\n>"];

/// Signs of templates, whose own quotes may be in quotes.
const TEMPLATES: [&str; 4] = ["{{", "{%", "{!", "<%"];

/// Comments, which some readers of JSON accept.
const COMMENTS: [&str; 2] = ["//", "/*"];

/// Reports data that can't be parsed. If that isn't rare on the site, it is on purpose, except for the only such line of a long block.
fn invalid(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    /// Minimum number of lines of a long block.
    const LONG: usize = 8;
    let code = &source.text[fence.code.clone()];
    // An expression of GitHub's workflows is a text in YAML, and a URL contains no comment.
    let without_expressions = code.replace("${{", "");
    let is_template = TEMPLATES.iter().any(|sign| without_expressions.contains(sign));
    let plain = without_texts(&without_expressions).replace("://", "");
    let has = |signs: &[&str]| signs.iter().any(|sign| plain.contains(sign));
    let begins = |signs: &[char]| code.trim_start().starts_with(signs);
    let is_plain = match fence.language {
        "json" => begins(&['{', '[']) && !has(&COMMENTS),
        "toml" => !begins(&['{', '$', '-']),
        _ => true,
    };
    if is_template || has(&PARTIAL) || begins(&['>']) || !is_plain || code.lines().any(is_alternative) {
        return None;
    }
    // The fence may be in an item or a component.
    let lines = lines_of(fence, source);
    let depth = lines.iter().filter(|(_, line)| !line.is_empty()).map(|(_, line)| indent(line)).min()?;
    // Without the indentation, with one line edited.
    let edited = |number: usize, edit: &dyn Fn(&str) -> String| {
        let mut text = String::new();
        for (at, (_, line)) in lines.iter().enumerate() {
            let line = line.get(depth..).unwrap_or_default();
            if at == number {
                text += &edit(line);
            } else {
                text += line;
            }
            text.push('\n');
        }
        text
    };
    let is_valid = |text: &str| invalid_data(fence.language, text).is_none();
    let whole = edited(lines.len(), &str::to_string);
    let InvalidData { format, at, reason } = invalid_data(fence.language, &whole)?;
    let number = whole[..at].matches('\n').count().min(lines.len() - 1);
    // The parser notices an open bracket on a later line.
    let near = (number.saturating_sub(2)..=number).rev();
    let is_alone = |number: &usize| {
        let (_, line) = lines[*number];
        line.contains([':', '=']) && is_valid(&edited(*number, &|_| String::new()))
    };
    let alone = near.clone().filter(|_| lines.len() >= LONG).find(is_alone);
    // A sign at the end, or a line that is indented as far as the one before: nothing else is wrong.
    let slip_in = |number: usize| {
        let is_valid_with = |edit: &dyn Fn(&str) -> String| is_valid(&edited(number, edit));
        match fence.language {
            "json" => is_valid_with(&|line| format!("{line},")).then_some("add `,` at the end of the line"),
            "yaml" | "yml" => {
                let is_indented = is_valid_with(&|line| format!(" {line}"))
                    || is_valid_with(&|line| line.strip_prefix(' ').unwrap_or(line).to_string());
                let is_in_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
                let is_word = !lines[number].1.is_empty() && lines[number].1.trim().bytes().all(is_in_key);
                let is_key = || is_word && is_valid_with(&|line| format!("{line}:"));
                let help = is_indented.then_some("correct the indentation of this line");
                help.or_else(|| is_key().then_some("add `:` at the end of the line"))
            }
            _ => None,
        }
    };
    let slip = near.filter(|_| lines.len() > 2).find_map(|number| Some((number, slip_in(number)?)));
    let is_certain = alone.is_some() || slip.is_some();
    let number = slip.map(|(number, _)| number).or(alone).unwrap_or(number);
    // Text may follow, such as another document, also without its own block. Limits of numbers and escapes are those of the parser.
    let is_value = reason.starts_with("number out of range") || reason.contains("hex escape");
    let is_second = reason.starts_with("duplicate key")
        && lines[..number]
            .iter()
            .any(|(_, line)| line.trim().is_empty() || line.trim_start().starts_with('#'));
    let is_followed = is_value
        || is_second
        || reason == "trailing characters"
        || reason.contains("<document start>")
        || whole[..at].contains("\n---\n");
    let (start, line) = lines[number];
    let before = number.checked_sub(1).map_or("", |before| lines[before].1);
    let is_filled_in = [line, before].into_iter().any(has_placeholder);
    let start = start + indent(line);
    let message = format!("this {format} isn't valid: {reason}");
    let help = match (slip, alone) {
        (Some((_, help)), _) => help,
        (None, Some(_)) => "correct this line",
        (None, None) if reason == "trailing comma" => "remove the `,` before it",
        // Nearly everything without braces might be YAML.
        (None, None) if format == "YAML" => {
            "correct it here or right before, or name the language of the code"
        }
        (None, None) => "correct it here, or right before",
    };
    (!is_followed && !is_filled_in).then(|| Mistake {
        data: (!is_certain).then(|| (INVALID, fence.language.to_string())),
        ..Mistake::misread(start..start + line.trim().len(), message, help)
    })
}

/// Removes the quoted texts of each line, whose content doesn't matter: `"lamp..."`, `"/lamp/*"`.
fn without_texts(code: &str) -> String {
    let in_line = |line: &str| {
        let parts = line.split('"').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "" });
        parts.collect::<Vec<_>>().join("\"")
    };
    code.split_inclusive('\n').map(in_line).collect()
}

/// Reports data in another format than that of the block: TOML as JSON or YAML, and JSON as TOML. JSON may be the output of a command, but
/// not if nearly all JSON of the site is in its own blocks.
fn other_format(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = source.text[fence.code.clone()].trim();
    let is_json = code.starts_with('{') && code.ends_with('}');
    let may_be_toml = || {
        let is_entry =
            |line: &str| line.split_once('=').is_some_and(|(key, _)| !key.contains([':', '"', '{']));
        let mut lines = code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let begins = lines.clone().next().is_some_and(|line| line.starts_with('[') || is_entry(line));
        begins && lines.any(is_entry)
    };
    // Two keys with a colon, none with `=`.
    let may_be_yaml = || {
        let is_key = |line: &&str| {
            let key = line.trim_start_matches("- ").split_once(':').map_or("", |(key, _)| key);
            !key.is_empty()
                && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        code.lines().map(str::trim).filter(is_key).nth(1).is_some() && !code.contains(" = ")
    };
    let is_variable = |line: &str| {
        let name = line.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty()
            && name.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_')
    };
    let place = || fence.language_in(source.text);
    let are_variables = || code.lines().all(is_variable);
    let (written, other) = match fence.language {
        "json" | "toml" | "yaml" | "yml" if are_variables() => {
            let message = "the code is variables of a shell".to_string();
            return Some(Mistake::misread(place(), message, "use `sh`"));
        }
        "bash" | "sh" | "shell" | "zsh" if is_json && invalid_data("json", code).is_none() => {
            ("a command", "JSON")
        }
        "toml" if is_json && invalid_data("json", code).is_none() => ("TOML", "JSON"),
        "json" if !is_json && may_be_toml() && invalid_data("toml", code).is_none() => ("JSON", "TOML"),
        "yaml" | "yml" if may_be_toml() && invalid_data("toml", code).is_none() => ("YAML", "TOML"),
        "toml" if may_be_yaml() && invalid_data("yaml", code).is_none() => ("TOML", "YAML"),
        _ => return None,
    };
    let message = format!("the code is {other}, not {written}");
    let data = (written == "a command").then(|| (INVALID, "json".to_string()));
    Some(Mistake { data, ..Mistake::misread(place(), message, format!("use `{}`", other.to_lowercase())) })
}

/// The beginnings of code in a language, with its name and the names of blocks with it.
const BEGINNINGS: [(&str, &str, &[&str]); 5] = [
    ("#include <", "C++", &["cpp"]),
    ("#include \"", "C++", &["cpp"]),
    ("<?php", "PHP", &["php"]),
    ("<!DOCTYPE html", "HTML", &["html"]),
    ("#!/bin/", "a shell script", SHELLS),
];

/// Commands before which a program of another language needs a sign.
const INSTALLERS: [&str; 10] = [
    "brew install ",
    "cargo add ",
    "cargo install ",
    "git clone ",
    "npm i ",
    "npm install ",
    "pip install ",
    "pip3 install ",
    "pnpm add ",
    "yarn add ",
];

/// Languages none of whose programs begins like one of another language.
const LANGUAGES: &[&str] = &[
    "bash",
    "css",
    "go",
    "java",
    "javascript",
    "js",
    "json",
    "kotlin",
    "py",
    "python",
    "rs",
    "ruby",
    "rust",
    "sh",
    "shell",
    "sql",
    "swift",
    "toml",
    "ts",
    "typescript",
    "yaml",
    "yml",
];

/// Reports code that begins like a program in another language than that of the block.
fn other_language(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = source.text[fence.code.clone()].trim_start();
    let found = BEGINNINGS.iter().find(|(sign, ..)| code.starts_with(sign));
    let found = found.map(|(_, name, languages)| (*name, *languages));
    let is_command = || INSTALLERS.iter().any(|command| code.starts_with(command));
    let found = found.or_else(|| is_python(code).then_some(PYTHON));
    let (name, languages) = found.or_else(|| is_command().then_some(("a command", COMMANDS)))?;
    let span = fence.language_in(source.text);
    let usual = languages.iter().find(|it| !it.is_empty())?;
    let message = format!("the code is {name}, not {}", quoted(fence.language));
    (!languages.contains(&fence.language)).then(|| Mistake::misread(span, message, format!("use `{usual}`")))
}

/// Python, and the languages that also import packages without quotation marks or a semicolon.
const PYTHON: (&str, &[&str]) = ("Python", &["python", "py", "java", "kotlin", "swift"]);

/// Whether code begins with `import lamp` or `from lamp import oil`.
fn is_python(code: &str) -> bool {
    let line = code.lines().next().unwrap_or_default();
    let is_path = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.'))
    };
    let mut words = line.split_ascii_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("import"), Some(name), None) => is_path(name),
        (Some("from"), Some(name), Some("import")) => is_path(name.trim_start_matches('.')),
        _ => false,
    }
}

/// Languages in which the name of a type has capital letters, and a line imports it.
const PROGRAMS: &[&str] = &["javascript", "js", "jsx", "py", "python", "ts", "tsx", "typescript"];

/// Reports the only import that a program doesn't use, if its only type without an import is of the same kind: `OilLamp` is imported,
/// and `GasLamp()` is used.
fn other_import(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    let is_import = |line: &str| ["from ", "import "].iter().any(|sign| line.starts_with(sign));
    let types = |text: &'_ str| {
        let all = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|it| last_word(it).is_some());
        all.map(str::to_string).collect::<Vec<_>>()
    };
    let (imports, program): (Vec<&str>, Vec<&str>) = code.lines().partition(|line| is_import(line));
    let imported = types(imports.first()?);
    let uses = types(&program.join("\n"));
    let mut unused = imported.iter().filter(|name| !uses.contains(name));
    let (extra, None) = (unused.next()?, unused.next()) else { return None };
    // Another block may import or define it.
    let is_defined = |name: &str| {
        let lines = source.text.lines().map(str::trim_start).filter(|line| line.contains(name));
        let defines = ["class ", "const ", "def ", "function ", "type ", "interface ", "let ", "var "];
        lines
            .clone()
            .any(|line| is_import(line) || defines.iter().any(|it| line.contains(&format!("{it}{name}"))))
    };
    let is_made = |name: &&String| {
        code.contains(&format!("{name}(")) && last_word(name) == last_word(extra) && !is_defined(name)
    };
    let mut others = uses.iter().filter(is_made);
    let made = others.next()?;
    if others.any(|it| it != made) {
        return None;
    }
    let at = fence.code.start + code.find(&format!("{made}("))?;
    let message = format!("the code imports {}, and uses {}", quoted(extra), quoted(made));
    Some(Mistake::value(
        at..at + made.len(),
        message,
        format!("import {}, or use the other one", quoted(made)),
    ))
}

/// Returns the last word of a type's name of several words: `Lamp` for `OilLamp`.
fn last_word(name: &str) -> Option<&str> {
    let start = name.rfind(|c: char| c.is_ascii_uppercase()).filter(|start| *start > 0)?;
    let is_type = name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('_');
    is_type.then(|| &name[start..])
}

/// Formats of data.
const DATA: &[&str] = &["ini", "json", "toml", "xml", "yaml", "yml"];

/// Reports data whose first line is a comment with the name of a program: `# Gemfile`, `// lamp.py`.
fn other_file(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    const NAMES: [(&str, &str); 4] =
        [("Dockerfile", "docker"), ("Gemfile", "ruby"), ("Makefile", "make"), ("Rakefile", "ruby")];
    const ENDINGS: [&str; 10] = ["c", "cpp", "go", "java", "js", "kt", "py", "rb", "rs", "ts"];
    let first = source.text[fence.code.clone()].lines().next()?.trim();
    let file = first.strip_prefix('#').or_else(|| first.strip_prefix("//"))?.trim();
    let of_name = NAMES.iter().find(|(name, _)| *name == file).map(|(_, language)| *language);
    let of_ending = || {
        let (stem, ending) = site_path::file_name(file).rsplit_once('.')?;
        let is_file = !stem.is_empty() && !file.contains(char::is_whitespace);
        ENDINGS.iter().copied().find(|it| is_file && *it == ending)
    };
    let meant = of_name.or_else(of_ending)?;
    let message = format!("the code is that of {}, not {}", quoted(file), quoted(fence.language));
    let span = fence.language_in(source.text);
    Some(Mistake::misread(span, message, format!("did you mean `{meant}`?")))
}

/// Whether a line is a comment, after which the data has another form: `# or`.
fn is_alternative(line: &str) -> bool {
    let line = line.trim_start();
    let comment = line.trim_start_matches(['#', '/']);
    let word = comment.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    comment.len() < line.len() && ["alternatively", "or"].iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// Whether a line contains a name in angle brackets, which readers replace: `<TARGET>`.
fn has_placeholder(line: &str) -> bool {
    let mut names = line.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0));
    let is_in_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    names.any(|name| !name.is_empty() && name.chars().all(is_in_name))
}

/// Returns the lines of a block without white space at their ends, each with its position in the file.
fn lines_of<'t>(fence: &CodeFence<'_>, source: &PageSource<'t>) -> Vec<(usize, &'t str)> {
    let lines = placed(&source.text[fence.code.clone()], fence.code.start);
    lines.map(|(at, line)| (at, line.trim_end())).collect()
}

/// Returns the number of bytes before the content of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Reports the only line of a block with an odd number of quotation marks. A text of several lines has two such lines.
fn open_quote(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    let is_odd = |line: &str| {
        let quoted = line.matches('"').count();
        let escaped = line.matches("\\\"").count();
        quoted % 2 == 1 && escaped == 0
    };
    let lines: Vec<(usize, &str)> =
        lines_of(fence, source).into_iter().filter(|(_, line)| !line.trim_start().starts_with('#')).collect();
    // Apostrophes, and texts of several lines in other quotation marks, may contain any number of them.
    let is_simple = !code.contains("<<") && lines.iter().all(|(_, line)| !line.contains(['\'', '`', '“']));
    let odd = lines.iter().filter(|(_, line)| is_odd(line));
    let (start, line) = only(odd).filter(|_| is_simple)?;
    // In a session, the lines without a prompt are output.
    if lines.iter().any(|(_, line)| has_prompt(line)) && !has_prompt(line) {
        return None;
    }
    let at = start + line.rfind('"')?;
    let message = "nothing closes this quotation mark, so the command doesn't end here".to_string();
    Some(Mistake::misread(at..at + 1, message, "add the other quotation mark"))
}

/// Whether a line of a session is a command: `$ lamp`, `user@host:~$ lamp`.
fn has_prompt(line: &str) -> bool {
    let of_user = line.split_once(['$', '#']).is_some_and(|(before, _)| before.contains('@'));
    line.starts_with(['$', '>']) || of_user && !line.starts_with(' ')
}

/// Reports the line of a command that no backslash continues, although its next line is an option or has the same indentation, or it is
/// one of several variables of the command. Another line of the command has a backslash: the output of `--help` also lists options.
fn broken_command(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let lines = lines_of(fence, source);
    let is_continued = |line: &str| line.ends_with('\\');
    let is_option = |line: &str| {
        let option = line.trim_start().strip_prefix("--");
        line.starts_with(' ') && option.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let is_whole = |line: &str| {
        let ends = |sign| line.ends_with(sign);
        !line.is_empty()
            && line.contains(|c: char| c.is_alphanumeric())
            && !line.trim_start().starts_with('#')
            && !['|', '(', '&', ',', '^', '`'].into_iter().any(ends)
    };
    (1..lines.len()).find_map(|next| {
        let ((start, line), (_, option)) = (lines[next - 1], lines[next]);
        let is_in_command = next > 1 && is_continued(lines[next - 2].1) || is_continued(option);
        // Without a command, variables don't reach the one below.
        let is_of_variables = || {
            let before = next.checked_sub(2).map_or("", |before| lines[before].1);
            is_assignment(line)
                && is_assignment(before.trim_end_matches('\\').trim_end())
                && is_continued(before)
        };
        // The lines of a command are deeper than its first.
        let is_beside = || {
            let first = (0..next - 1).rev().take_while(|at| is_continued(lines[*at].1)).last();
            let depth = indent(line);
            let is_quoted = ['\'', '"'].iter().any(|quote| line.matches(*quote).count() % 2 == 1);
            let is_below = |first: usize| {
                let first = lines[first].1;
                // A command that occurs in the block, also after another one.
                let name = option.split_whitespace().next();
                let is_command = lines[..next].iter().any(|(_, it)| it.split_whitespace().next() == name);
                depth > indent(first) && depth == indent(option) && !is_command
            };
            !is_quoted && first.is_some_and(is_below)
        };
        // The output of `--help` lists options, too.
        let has_options = || {
            let begins = line.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '$');
            begins && line.contains(" --") && !line.contains(['[', '<']) && !line.ends_with("--help")
        };
        let is_part = is_option(option) && (is_in_command || has_options())
            || !option.is_empty() && (is_of_variables() || is_beside());
        (is_part && is_whole(line) && !is_continued(line)).then(|| {
            let content = line.trim_start();
            let message =
                "the command continues on the line below, but no `\\` is at the end of this one".to_string();
            let span = start + line.len() - content.len()..start + line.len();
            let has_comment = line.contains("\\ #") || line.contains("\\  #");
            let help = if has_comment {
                "remove the comment after the `\\`"
            } else {
                "add ` \\` at the end of the line"
            };
            Mistake::misread(span, message, help)
        })
    })
}

/// Reports an option that begins with a dash instead of hyphens: `–name`, which a word processor wrote.
fn dash(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    let (at, sign) = code.match_indices(['–', '—']).find(|(at, sign)| {
        let is_option = code[at + sign.len()..].starts_with(|c: char| c.is_ascii_alphabetic());
        code[..*at].ends_with(' ') && is_option
    })?;
    let end = at + code[at..].find(char::is_whitespace).unwrap_or(code.len() - at);
    let written = &code[at..end];
    let message = format!("{} begins with a dash instead of hyphens, so it is no option", quoted(written));
    let start = fence.code.start + at;
    let help = format!("use {}", quoted(&written.replacen(sign, "--", 1)));
    Some(Mistake::misread(start..start + written.len(), message, help))
}

/// Reports a path in a command that occurs once on the page, and another one several times: the name of its file differs only in signs or
/// case, or the name of one of its folders by a letter.
fn misspelled_path(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    /// Minimum number of times that the page has the other path.
    const SEVERAL: usize = 2;
    let code = &source.text[fence.code.clone()];
    let is_in_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let has_ending = |name: &str| {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        (1..=5).contains(&ending.len()) && ending.starts_with(char::is_alphabetic)
    };
    let is_file = |name: &str| name.contains(['-', '_']) && has_ending(name);
    let is_path = |path: &&str| path.contains('/') || is_file(path);
    let body = &source.text[source.body..];
    let mut all: Option<Vec<&str>> = None;
    let position = |part: &str| part.as_ptr() as usize - code.as_ptr() as usize;
    // `\nlamp` in a text begins with an escape, and a host is before `//`.
    let is_whole = |path: &&str| !code[..position(path)].ends_with('\\') && !path.starts_with("//");
    let paths = code.split(|c| !is_in_path(c)).filter(is_path).filter(is_whole);
    paths.into_iter().find_map(|path| {
        let all = all.get_or_insert_with(|| body.split(|c| !is_in_path(c)).filter(is_path).collect());
        let count = |is_it: &dyn Fn(&str) -> bool| all.iter().filter(|it| is_it(it)).count();
        let is_meant = |own: &dyn Fn(&str) -> bool, other: &dyn Fn(&str) -> bool| {
            count(own) == 1 && count(other) >= SEVERAL
        };
        let name = site_path::file_name(path);
        let is_name = |it: &str, name: &str| site_path::file_name(it) == name;
        let mut names = all.iter().map(|it| site_path::file_name(it)).filter(|_| is_file(name));
        let like = names.find(|it| *it != name && it.len() == name.len() && letters(it).eq(letters(name)));
        let like = like.filter(|like| is_meant(&|it| is_name(it, name), &|it| is_name(it, like)));
        let in_folder = || {
            let (other, length) = all.iter().find_map(|it| Some((*it, differing_folder(path, it)?)))?;
            let (folder, meant) = (&path[..=path.len() - length], &other[..=other.len() - length]);
            is_meant(&|it| it.starts_with(folder), &|it| it.starts_with(meant)).then_some((path, other))
        };
        let (written, meant) = like.map(|like| (name, like)).or_else(in_folder)?;
        let start = fence.code.start + position(written);
        let message = format!(
            "only this command has {}, and the page has {} elsewhere",
            quoted(written),
            quoted(meant)
        );
        let help = format!("did you mean {}?", quoted(meant));
        Some(Mistake::value(start..start + written.len(), message, help))
    })
}

/// Returns the length of what follows the only folder in which two paths differ, by one letter. It begins with a `/`.
fn differing_folder(path: &str, other: &str) -> Option<usize> {
    /// Minimum number of letters of the folder.
    const SHORTEST: usize = 5;
    let count = |path: &str| path.matches('/').count();
    if path.len().abs_diff(other.len()) > 1 || count(path) != count(other) {
        return None;
    }
    let same = path.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
    let rest = &path[path.len() - same..];
    let rest = &rest[rest.find('/')?..];
    let folder = |path: &'_ str| {
        path[..path.len() - rest.len()]
            .rsplit_once('/')
            .map(|(before, it)| (before.to_string(), it.to_string()))
    };
    let ((before, one), (others, other)) = (folder(path)?, folder(other)?);
    let are_words = [&one, &other].iter().all(|it| it.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_slip = before == others && are_words && one.len().min(other.len()) >= SHORTEST;
    let has_rest = rest.contains(|c: char| c.is_ascii_alphabetic());
    (is_slip && has_rest && distance_within(&one, &other, 1) == Some(1)).then_some(rest.len())
}

/// Reports a color without quotes in YAML, which is a comment: `background: #f39c12`.
fn color(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    code.match_indices(": #").find_map(|(at, sign)| {
        let value = code[at + sign.len() - 1..].split_whitespace().next()?;
        let is_color =
            matches!(value.len(), 4 | 7) && value[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
        let key = code[..at].lines().next_back().unwrap_or_default();
        (is_color && !key.contains('#')).then(|| {
            let start = fence.code.start + at + sign.len() - 1;
            let message = format!("`{value}` is a comment in YAML, so the key has no value");
            Mistake::misread(start..start + value.len(), message, format!("quote it: `\"{value}\"`"))
        })
    })
}

/// Whether a line only sets a variable: `NAME=value`.
fn is_assignment(line: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit())
    };
    line.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.contains(' '))
}

/// The names at the start of diagrams: <https://mermaid.js.org/intro/syntax-reference.html>.
#[rustfmt::skip]
const DIAGRAMS: &[&str] = &[
    "C4Component", "C4Container", "C4Context", "C4Deployment", "C4Dynamic", "architecture-beta", "block-beta", "classDiagram",
    "erDiagram", "flowchart", "gantt", "gitGraph", "graph", "journey", "kanban", "mindmap", "packet-beta", "pie",
    "quadrantChart", "radar-beta", "requirementDiagram", "sankey-beta", "sequenceDiagram", "stateDiagram", "stateDiagram-v2",
    "timeline", "treemap-beta", "xychart-beta", "zenuml",
];

/// Reports a diagram that doesn't begin with the name of a kind, but nearly.
fn misspelled_diagram(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let lines = lines_of(fence, source);
    let (at, line) =
        lines.iter().find(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with("%%"))?;
    let name = line.split_whitespace().next()?.trim_end_matches([':', ';']);
    let meant = misspelled(name, DIAGRAMS.iter().copied()).filter(|_| !DIAGRAMS.contains(&name))?;
    let start = at + line.find(name)?;
    let message = format!("there is no kind of diagram `{name}`, so readers see an error");
    Some(Mistake::value(start..start + name.len(), message, format!("did you mean `{meant}`?")))
}

/// Reports a class of a diagram that it doesn't define, next to others: <https://mermaid.js.org/syntax/flowchart.html#classes>.
fn undefined_class(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let code = &source.text[fence.code.clone()];
    let lists = code
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("classDef ")?.split_whitespace().next());
    let defined: Vec<&str> = lists.flat_map(|names| names.split(',')).collect();
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    code.match_indices(":::").filter(|_| !defined.is_empty()).find_map(|(at, sign)| {
        let start = at + sign.len();
        let name = code[start..].split(|c| !is_in_name(c)).next().unwrap_or_default();
        // An arrow may follow: `a:::lamp-->b`.
        let name = name.split("--").next().filter(|name| !name.is_empty())?.trim_end_matches('-');
        (!defined.contains(&name)).then(|| {
            let message =
                format!("the diagram doesn't define the class `{name}`, so readers don't see its style");
            let help = match nearest(name, defined.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of `{}`", defined.join("`, `")),
            };
            let start = fence.code.start + start;
            Mistake::value(start..start + name.len(), message, help)
        })
    })
}

/// Reports a line of JSON without a comma, if a key with the same indentation follows it or the end of its table, or an object follows
/// another one. Other lines of the block have one.
fn missing_comma(fence: &CodeFence<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let is_key = |line: &str| line.trim_start().starts_with('"') && line.contains("\":");
    let lines = lines_of(fence, source);
    // Comments are no values.
    if lines.iter().any(|(_, line)| line.contains("// ")) {
        return None;
    }
    let depth = lines.iter().filter(|(_, line)| !line.is_empty()).map(|(_, line)| indent(line)).min()?;
    let mut missing = lines.windows(2).filter(|pair| {
        let (line, next) = (pair[0].1, pair[1].1);
        let is_value = line.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '}' | ']'));
        // Without indentation, they are several documents.
        let is_object = line.trim() == "}" && next.trim() == "{" && indent(line) > depth;
        let is_end = matches!(line.trim(), "}" | "]") && is_key(next);
        // A word in place of the value describes it.
        let is_text = |line: &str| {
            let value = line.rsplit_once("\":").map_or("", |(_, value)| value.trim());
            value.starts_with(|c: char| c.is_ascii_alphabetic())
                && !matches!(value, "true" | "false" | "null")
        };
        let is_pair = is_value && is_key(line) && is_key(next) && !is_text(line);
        (is_pair || is_object || is_end) && indent(line) == indent(next)
    });
    let [(start, line), _] = missing.next().filter(|_| missing.next().is_none())? else { return None };
    let has_others = lines.iter().any(|(_, it)| it.ends_with(','));
    has_others.then(|| {
        let span = start + indent(line)..start + line.len();
        let message = "no comma is between this value and the next one, so the JSON is invalid".to_string();
        Mistake::misread(span, message, "add `,` at the end of the line")
    })
}
