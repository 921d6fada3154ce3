//! Text that almost has the form of a construct.

use super::source::{PageSource, SourceLine};
use super::{DETACHED, IMAGES, Mistake};
use base::diagnostic::distance_within;
use base::quoted::quoted;
use input::conventions::{Syntax, SyntaxRule};

/// A form of text in a line, and the rule by which it is a mistake.
struct Mark {
    rule: SyntaxRule,
    find: fn(&SourceLine<'_>, &PageSource<'_>) -> Option<Mistake>,
}

const MARKS: &[Mark] = &[
    Mark { rule: SyntaxRule::Tasks, find: task },
    Mark { rule: SyntaxRule::Definitions, find: definition },
    Mark { rule: SyntaxRule::Definitions, find: lost_definition },
    Mark { rule: SyntaxRule::Attributes, find: apart_attributes },
    Mark { rule: SyntaxRule::Attributes, find: keys },
    Mark { rule: SyntaxRule::Icons, find: icon },
    Mark { rule: SyntaxRule::Icons, find: icon_set },
    Mark { rule: SyntaxRule::Roles, find: apart_role },
    Mark { rule: SyntaxRule::Roles, find: rst_role },
    Mark { rule: SyntaxRule::Substitutions, find: rst_substitution },
    Mark { rule: SyntaxRule::AsideTitles, find: aside_title },
    Mark { rule: SyntaxRule::DirectiveNames, find: apart_name },
    Mark { rule: SyntaxRule::Contents, find: contents },
    Mark { rule: SyntaxRule::IncludeComments, find: include_comment },
    Mark { rule: SyntaxRule::VueOutputs, find: output },
    Mark { rule: SyntaxRule::Formulas, find: formula },
    Mark { rule: SyntaxRule::ContentsOfList, find: contents_in_item },
    Mark { rule: SyntaxRule::DetachedAttributes, find: detached_attributes },
    Mark { rule: SyntaxRule::DetachedAttributes, find: open_attributes },
    Mark { rule: SyntaxRule::ComponentsInMdx, find: import_in_markdown },
    Mark { rule: SyntaxRule::HeadingsWithoutBraces, find: braces_in_heading },
    Mark { rule: SyntaxRule::ReadmeIsIndex, find: readme_page },
];

pub(super) fn mistakes(source: &PageSource<'_>, lines: &[SourceLine<'_>]) -> Vec<Mistake> {
    let mut finds: Vec<_> =
        MARKS.iter().filter(|mark| source.rules.contains(&mark.rule)).map(|mark| mark.find).collect();
    // These generators have other notes.
    let has_other_notes = [Syntax::Indented, Syntax::Myst].iter().any(|it| source.syntax.contains(it));
    if source.rules.contains(&SyntaxRule::Alerts)
        || source.shown.contains("> [!")
        || source.shown.contains("> [") && !has_other_notes
    {
        finds.push(incomplete_alert);
    }
    if [">`_", "[http", "|http"].iter().any(|sign| source.text.contains(sign)) {
        finds.push(link_of_other_markup);
    }
    finds.push(image_link);
    finds.push(entity);
    let lines = lines.iter().filter(|line| !line.text.is_empty());
    lines.flat_map(|line| finds.iter().filter_map(move |find| find(line, source))).collect()
}

/// `- [] text` or `- [x ] text` in a list with boxes: <https://github.github.com/gfm/#task-list-items-extension->.
fn task(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let rest = line.text.trim_start();
    let box_at = rest.strip_prefix(['-', '*', '+'])?;
    let at = line.indent() + rest.len() - box_at.trim_start().len();
    let sign = ["[] ", "[x ] ", "[ x] ", "[X ] ", "[  ] "]
        .iter()
        .find(|sign| line.text[at..].starts_with(**sign))?;
    let sign = sign.trim_end();
    let has_boxes = ["- [ ] ", "- [x] ", "* [ ] ", "* [x] "].iter().any(|it| source.shown.contains(it));
    has_boxes.then(|| {
        let message = format!("`{sign}` is not a box, so readers see it as text");
        let meant = if sign.contains(['x', 'X']) { "use `[x]`" } else { "use `[ ]`" };
        Mistake::misread(line.place(at..at + sign.len()), message, meant)
    })
}

/// `:Text` after a term, if the page has other definitions: <https://michelf.ca/projects/php-markdown/extra/#def-list>.
fn definition(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let text = line.text.strip_prefix(':')?;
    let is_text = text.starts_with(|c: char| c.is_alphabetic()) && !text.contains(':');
    let begins = |it: &str| it.starts_with(": ") || it.starts_with(":\t");
    // A blank line may be between a term and its definition.
    let before = match line.before {
        "" => source.text[..line.start]
            .trim_end()
            .lines()
            .next_back()
            .unwrap_or_default()
            .trim_start_matches('`'),
        before => before,
    };
    let is_after_term = !before.is_empty() && !before.starts_with([':', '#', '|', '`', '-', '<', '!', '=']);
    let has_others = || source.lines().any(|it| begins(it.text));
    (is_text && is_after_term && has_others()).then(|| {
        let message = "no space follows the `:`, so readers see text instead of a definition".to_string();
        Mistake::misread(line.place(0..1), message, "use `:   ` before the definition")
    })
}

/// A term and a line without `: `, between terms with definitions.
fn lost_definition(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let begins = |it: &str| it.starts_with(": ") || it.starts_with(":\t");
    let is_text = |it: &str| it.starts_with(|c: char| c.is_alphanumeric());
    if !is_text(line.text) || line.before.is_empty() {
        return None;
    }
    let (mut above, mut below) =
        (source.text[..line.start].lines().rev(), source.text[line.end..].lines().skip(1));
    let term = above.next()?;
    let is_pair = is_text(term.trim_start_matches(['`', '*'])) && above.next()?.trim().is_empty();
    let is_definition_above = begins(above.find(|it| !it.trim().is_empty())?);
    let is_last = below.next()?.trim().is_empty();
    let is_term_below = below.find(|it| !it.trim().is_empty()).is_some_and(|it| !begins(it));
    let is_between = is_definition_above && is_term_below && begins(below.next()?);
    (is_pair && is_last && is_between).then(|| {
        let message = "no `:` is before this line, so readers see a paragraph instead of a definition like those around it";
        Mistake::misread(line.content(), message.to_string(), "use `: ` before it")
    })
}

/// `[text](target) { .class }`: <https://python-markdown.github.io/extensions/attr_list/#inline>.
fn apart_attributes(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let at = [") {", "] {"].iter().find_map(|it| line.text.find(it))? + 2;
    let list = &line.text[at..];
    let end = list.find('}')? + 1;
    let inside = list[1..end - 1].trim_start_matches([':', ' ']);
    let is_value = |it: &str| {
        let name = it.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let are_attributes =
        inside.starts_with(['.', '#']) || inside.split_whitespace().next().is_some_and(is_value);
    let is_list = are_attributes && !inside.contains(['{', '(', ')']);
    let is_link = line.text[..at].contains("](") || line.text[..at].contains("][");
    (is_list && is_link).then(|| {
        let message = format!("a space separates {} from the link, so readers see it", quoted(&list[..end]));
        Mistake::misread(line.place(at..at + end), message, "remove the space before it")
    })
}

/// `++tab+` and `++ctrl+tab+` on a page with other keys: <https://facelessuser.github.io/pymdown-extensions/extensions/keys/>.
fn keys(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    const FEWEST: usize = 4;
    /// Keys that are pressed with others.
    const MODIFIERS: [&str; 7] = ["alt", "cmd", "command", "ctrl", "meta", "option", "shift"];
    let is_key = |c: char| c.is_ascii_alphanumeric() || c == '-';
    line.text.match_indices('+').find_map(|(start, _)| {
        let rest = &line.text[start..];
        let written = &rest[..rest.find(|c| !is_key(c) && c != '+').unwrap_or(rest.len())];
        let names = written.trim_matches('+');
        let opened = written.len() - written.trim_start_matches('+').len();
        let closed = written.len() - opened - names.len();
        let is_first = !line.text[..start].ends_with(|c| is_key(c) || c == '+');
        // A quoted name is another key.
        let is_last = !rest[written.len()..].starts_with(['"', '\'', '&']);
        let is_one = !names.is_empty() && !names.contains("++") && is_last;
        let is_half = matches!((opened, closed), (2, 1) | (1, 2)) && is_first && is_one;
        let is_modified = names.split_once('+').is_some_and(|(first, _)| MODIFIERS.contains(&first));
        (is_half && (is_modified || source.shown.matches("++").count() >= FEWEST)).then(|| {
            let message = format!("`{written}` lacks a plus, so readers see text instead of a key");
            let place = line.place(start..start + written.len());
            Mistake::misread(place, message, format!("use `++{names}++`"))
        })
    })
}

/// `:octicon-star-16:`, whose first word is nearly a set:
/// <https://squidfunk.github.io/mkdocs-material/reference/icons-emojis/>.
fn icon_set(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    const SETS: [&str; 4] = ["fontawesome", "material", "octicons", "simple"];
    line.text.match_indices(':').find_map(|(at, _)| {
        let rest = &line.text[at + 1..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?];
        let set = name.split_once('-')?.0;
        let is_near = |it: &&&str| distance_within(set, it, 1) == Some(1);
        let meant = SETS.iter().find(is_near).filter(|_| rest[name.len()..].starts_with(':'))?;
        let is_word = line.text[..at].ends_with(|c: char| c.is_alphanumeric() || c == ':');
        (!is_word).then(|| {
            let message = format!("no icon has the name `:{name}:`, so readers see it");
            let help = format!("did you mean `:{}:`?", name.replacen(set, meant, 1));
            Mistake::misread(line.place(at..at + name.len() + 2), message, help)
        })
    })
}

/// `:fontawesome-github:` and `:octicons-star:`, whose names need a set or a size:
/// <https://squidfunk.github.io/mkdocs-material/reference/icons-emojis/>.
fn icon(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let found = line.text.match_indices(":fontawesome-").chain(line.text.match_indices(":octicons-"));
    found.into_iter().find_map(|(at, sign)| {
        let rest = &line.text[at + sign.len()..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?];
        let is_known = match sign {
            ":octicons-" => ["-12", "-16", "-24", "-48", "-96"].iter().any(|size| name.ends_with(size)),
            _ => ["brands-", "regular-", "solid-"].iter().any(|set| name.starts_with(set)),
        };
        let end = at + sign.len() + name.len() + 1;
        let help = match sign {
            ":octicons-" => format!("use its size: `:octicons-{name}-16:`"),
            _ => format!("use its set: `:fontawesome-brands-{name}:`, or `regular` or `solid`"),
        };
        let is_icon = rest[name.len()..].starts_with(':') && !is_known && !name.is_empty();
        let message = || format!("no icon has the name `{}`, so readers see it", &line.text[at..end]);
        is_icon.then(|| Mistake::misread(line.place(at..end), message(), help))
    })
}

/// `` {ref} `label` `` and `{ref}'label'`: <https://myst-parser.readthedocs.io/en/latest/syntax/roles-and-directives.html>.
fn apart_role(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let quoted = line.text.match_indices('}').find_map(|(end, _)| {
        let open = line.text[..end].rfind('{')?;
        let (name, rest) = (&line.text[open + 1..end], &line.text[end + 1..]);
        let close = match rest.chars().next()? {
            '‘' => '’',
            '“' => '”',
            mark => Some(mark).filter(|mark| matches!(mark, '\'' | '"'))?,
        };
        let length = rest.char_indices().skip(1).find(|(_, c)| *c == close)?.0 + close.len_utf8();
        RST_ROLES.contains(&name).then(|| {
            let written = &rest[..length];
            let message =
                format!("the text of the role `{{{name}}}` is in quotation marks, so readers see it");
            let inside = written.trim_matches(['\'', '"', '‘', '’', '“', '”']);
            Mistake::misread(line.place(open..end + 1 + length), message, format!("use {{{name}}}`{inside}`"))
        })
    });
    let apart = || {
        line.text.match_indices("} ").find_map(|(end, _)| {
            let open = line.text[..end].rfind('{')?;
            let name = &line.text[open + 1..end];
            let is_name =
                !name.is_empty() && name.bytes().all(|it| it.is_ascii_lowercase() || b"-:".contains(&it));
            let is_before_code = source.text[line.start + end + 2..].starts_with('`');
            let is_apart = !line.text[..open].ends_with(['{', '$', '\\', '`', ':', '~']);
            (is_name && is_before_code && is_apart).then(|| {
                let message = format!("a space follows the role `{{{name}}}`, so readers see it");
                Mistake::misread(line.place(open..end + 1), message, "remove the space")
            })
        })
    };
    quoted.or_else(apart)
}

/// Roles of Sphinx and docutils in reStructuredText that link or format:
/// <https://www.sphinx-doc.org/en/master/usage/restructuredtext/roles.html>.
pub(super) const RST_ROLES: [&str; 22] = [
    "any",
    "attr",
    "class",
    "code",
    "command",
    "data",
    "doc",
    "download",
    "envvar",
    "exc",
    "file",
    "func",
    "guilabel",
    "kbd",
    "math",
    "menuselection",
    "meth",
    "mod",
    "numref",
    "option",
    "ref",
    "term",
];

/// `` :ref:`label` ``, which is reStructuredText: <https://myst-parser.readthedocs.io/en/latest/syntax/roles-and-directives.html>.
fn rst_role(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let name_at = |end: usize| {
        let open = line.text[..end].rfind(':')?;
        let name = &line.text[open + 1..end];
        let is_known =
            RST_ROLES.contains(&name) || name.strip_prefix("py:").is_some_and(|it| RST_ROLES.contains(&it));
        let is_apart = !line.text[..open].ends_with(|it: char| it.is_alphanumeric() || "`:{".contains(it));
        (is_known && is_apart).then_some((open, name))
    };
    line.text.match_indices(':').find_map(|(end, _)| {
        let (open, name) = name_at(end).filter(|_| source.text[line.start + end + 1..].starts_with('`'))?;
        let message = format!("`:{name}:` is a role of reStructuredText, so readers see it");
        let found = Mistake::misread(line.place(open..end + 1), message, format!("use `{{{name}}}`"));
        Some(found).filter(|_| !is_in_rst(line, source))
    })
}

/// Whether a line is in a container of reStructuredText.
fn is_in_rst(line: &SourceLine<'_>, source: &PageSource<'_>) -> bool {
    let around = source.shown[..line.start].rfind("\n:::");
    around.is_some_and(|at| source.shown[at..].starts_with("\n:::{eval-rst}"))
}

/// `` `text <target>`_ `` of reStructuredText, `[target text]` of `MediaWiki`, and `[text|target]` of Jira:
/// <https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#embedded-uris-and-aliases>.
fn link_of_other_markup(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let raw = &source.text[line.start..line.end];
    let of_rst = || {
        let end = raw.find(">`_")?;
        let open = raw[..end].rfind('`')?;
        let (text, target) = raw[open + 1..end].split_once(" <")?;
        let end = end + 3 + usize::from(raw[end + 3..].starts_with('_'));
        (!raw[..open].ends_with(['`', ':', '}'])).then_some((open..end, text, target, "reStructuredText"))
    };
    let in_brackets = || {
        let open = line.text.match_indices('[').find(|(at, _)| {
            let inside = line.text[at + 1..].split(']').next().unwrap_or_default();
            inside.starts_with("http") && inside.contains(' ') || inside.contains("|http")
        })?;
        let (open, end) = (open.0, open.0 + line.text[open.0..].find(']')? + 1);
        let inside = &raw[open + 1..end - 1];
        let is_alone = !line.text[..open].ends_with([']', '!', '\\', '['])
            && !raw[end..].starts_with(['(', '[', ':', ']']);
        let (text, target, language) = match (inside.split_once('|'), inside.split_once(' ')) {
            (Some((text, target)), _) => (text, target, "Jira"),
            (None, Some((target, text))) => (text, target, "MediaWiki"),
            _ => return None,
        };
        let is_address =
            target.contains("://") && !target.contains(char::is_whitespace) && !text.contains("://");
        (is_alone && is_address).then_some((open..end, text, target, language))
    };
    let (place, text, target, language) =
        of_rst().or_else(in_brackets).filter(|_| !is_in_rst(line, source))?;
    let message = format!("this is a link of {language}, so readers see its marks");
    Some(Mistake::misread(line.place(place), message, format!("use `[{}]({target})`", text.trim())))
}

/// `|release|`: <https://www.sphinx-doc.org/en/master/usage/restructuredtext/roles.html#default-substitutions>.
fn rst_substitution(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    ["|release|", "|version|", "|today|"].iter().find_map(|it| {
        let at = line.text.find(it).filter(|_| line.text.matches('|').count() == 2)?;
        let message = format!("MyST doesn't replace `{it}`, so readers see it");
        let help = format!("use `{{{{ {} }}}}`, with a value in `myst_substitutions`", it.trim_matches('|'));
        Some(Mistake::misread(line.place(at..at + it.len()), message, help))
    })
}

/// `::: tip`: <https://docusaurus.io/docs/markdown-features/admonitions>, <https://github.com/micromark/micromark-extension-directive#syntax>.
fn apart_name(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let rest = line.text.trim_start().strip_prefix(":::")?.trim_start_matches(':');
    let name = rest.trim_start().split(['[', ' ']).next().unwrap_or_default();
    let is_name = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    (rest.starts_with(' ') && is_name).then(|| {
        let message = "a space follows the colons, so readers see text instead of an aside".to_string();
        Mistake::misread(line.content(), message, format!("use `:::{}`", rest.trim()))
    })
}

/// `:::tip Title`: <https://starlight.astro.build/guides/authoring-content/#custom-aside-titles>.
fn aside_title(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let rest = line.text.trim_start().strip_prefix(":::")?.trim_start_matches(':');
    let (name, title) = rest.trim_end().split_once(' ')?;
    let is_aside = ["note", "tip", "caution", "danger"].contains(&name);
    if is_aside && title.starts_with('[') && title.ends_with(']') {
        let message = "a space precedes the title, so readers see text instead of an aside".to_string();
        return Some(Mistake::misread(line.content(), message, format!("use `:::{name}{title}`")));
    }
    let is_title = title.starts_with(char::is_alphabetic);
    (is_aside && is_title).then(|| {
        let message = "the title isn't in brackets, so readers see text instead of an aside".to_string();
        Mistake::misread(line.content(), message, format!("use `:::{name}[{title}]`"))
    })
}

/// `[toc]`: <https://vitepress.dev/guide/markdown#table-of-contents>.
fn contents(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    (line.text.trim().eq_ignore_ascii_case("[toc]")).then(|| {
        let message = format!("`{}` is not a table of contents, so readers see it", line.text.trim());
        Mistake::misread(line.content(), message, "use `[[toc]]`")
    })
}

/// `<!--@include file-->`: <https://vitepress.dev/guide/markdown#markdown-file-inclusion>.
fn include_comment(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let inside = line.text.trim_start().strip_prefix("<!--")?.trim_start().strip_prefix('@')?;
    let (word, rest) = inside.split_at(inside.find(|c: char| !c.is_ascii_alphabetic())?);
    let message = match word {
        "include" if rest.starts_with(' ') => {
            "a comment without `:` after `@include` includes nothing".into()
        }
        "include" => return None,
        word if rest.starts_with(':') && distance_within(word, "include", 2).is_some() => {
            format!("the comment `@{word}` includes nothing")
        }
        _ => return None,
    };
    Some(Mistake::misread(line.content(), message, "use `<!--@include: file-->`"))
}

/// Names that JavaScript defines in templates: <https://vuejs.org/guide/essentials/template-syntax.html#restricted-globals-access>.
const GLOBALS: [&str; 12] = [
    "Array", "Boolean", "Date", "Intl", "JSON", "Math", "Number", "Object", "String", "false", "null", "true",
];

/// `{{ .Values.name }}`, which isn't JavaScript: <https://vitepress.dev/guide/using-vue#escaping>.
fn output(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let at = line.text.find("{{")?;
    let inside = line.text[at + 2..].split("}}").next()?.trim_start();
    let is_of_helm = inside.starts_with(['.', '#', '/', '%'])
        || ["include ", "range ", "end ", "template "].iter().any(|it| inside.starts_with(it));
    let is_raw = source.shown.contains("v-pre");
    let end = at + line.text[at..].find("}}")? + 2;
    let written = quoted(&line.text[at..end]);
    // A page without a script or a loop defines no names.
    let name = inside.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let after = inside[name.len()..].trim_start();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (after.starts_with('.') || after.starts_with("}}") || after.is_empty());
    let defines = ["<script", "v-for", "v-slot", "#default"].iter().any(|it| source.text.contains(it));
    let is_unknown = is_name && !defines && !GLOBALS.contains(&name);
    let message = match () {
        () if inside.starts_with("}}") || inside.is_empty() => format!("Vue shows nothing for {written}"),
        () if is_of_helm => format!("Vue stops at {written}, which is not JavaScript"),
        () if is_unknown => format!("no script of the page defines `{name}`, so readers don't see {written}"),
        () => return None,
    };
    let help = "write it as code, or put `::: v-pre` around it";
    (!is_raw).then(|| Mistake::misread(line.place(at..end), message, help))
}

/// The alerts of GitHub.
const ALERTS: [&str; 5] = ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"];

/// `> [NOTE]` or `> [!NOTE`. `[NOTE]` may be a link to a label.
fn incomplete_alert(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let written = line.text.trim_start().strip_prefix('>')?.trim();
    let name = written.trim_matches(|c| "[](){}!\\".contains(c));
    let is_first = !line.before.trim_start().starts_with('>');
    let is_complete = written.strip_prefix("[!").is_some_and(|rest| rest.strip_suffix(']') == Some(name));
    let is_slip = ALERTS.contains(&name) && written != name && !is_complete;
    (is_first && is_slip && !source.text.contains(&format!("[{name}]:"))).then(|| {
        let message = format!("{} is not an alert, so readers see a quote", quoted(written));
        Mistake::misread(line.content(), message, format!("use `> [!{name}]`"))
    })
}

/// `&nbsp` without its semicolon: <https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references>.
fn entity(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    const NAMES: [&str; 5] = ["hellip", "mdash", "nbsp", "ndash", "rarr"];
    line.text.match_indices('&').find_map(|(at, _)| {
        let name = NAMES.iter().find(|name| line.text[at + 1..].starts_with(**name))?;
        let end = at + 1 + name.len();
        let is_open = !line.text[end..].starts_with([';', '=']);
        let is_in_url = line.text[..at]
            .rsplit(char::is_whitespace)
            .next()
            .is_some_and(|it| it.contains("://") || it.contains('?'));
        (is_open && !is_in_url).then(|| {
            let message = format!("`&{name}` has no semicolon, so readers see it");
            Mistake::misread(line.place(at..end), message, format!("use `&{name};`"))
        })
    })
}

/// `[The lamp](lamp.png)` alone in a paragraph.
fn image_link(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let text = line.text.trim().strip_prefix('[')?;
    let (label, target) = text.strip_suffix(')')?.split_once("](")?;
    let path = target.split([' ', '?', '#']).next().unwrap_or_default();
    let is_image = IMAGES.iter().any(|it| path.to_lowercase().ends_with(it)) && !path.contains("://");
    let next = source.text.get(line.end..).unwrap_or_default().trim_start_matches('\r').strip_prefix('\n');
    // The image may be a large one, of which the page shows another.
    let asks =
        |word: &str| ["click", "download", "full", "here", "larger", "open", "see", "view"].contains(&word);
    let is_link = label.to_lowercase().split_whitespace().any(asks);
    let is_blank = |it: &str| it.trim().is_empty() || it.trim().starts_with('<');
    let is_alone = !is_link
        && is_blank(line.before)
        && next.is_none_or(|it| is_blank(it.lines().next().unwrap_or_default()));
    (is_image && is_alone && !label.contains(['[', ']']) && !target.contains(['(', ')'])).then(|| {
        let message =
            "a link to an image is alone in its paragraph, so readers don't see the image".to_string();
        Mistake::misread(line.content(), message, format!("did you mean `!{}`?", line.text.trim()))
    })
}

/// `\(x\)` if other formulas have two backslashes, and `\\(x\)`: <https://rust-lang.github.io/mdBook/format/mathjax.html>.
fn formula(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let single = |sign: &str| {
        let mut all = line.text.match_indices(sign);
        all.find(|(at, _)| !line.text[..*at].ends_with('\\')).map(|(at, _)| at)
    };
    let (open, close) = match (single("\\("), single("\\)")) {
        (Some(open), Some(close)) => (open, close),
        (Some(open), None) => (open, line.text.find("\\\\)")?),
        (None, Some(close)) => (line.text[..close].rfind("\\\\(")?, close),
        (None, None) => return None,
    };
    let has_others = ["\\\\(", "\\\\["].iter().any(|it| source.shown.contains(it));
    (open < close && has_others).then(|| {
        let message = "Markdown removes this backslash, so readers see parentheses instead of a formula";
        Mistake::misread(line.place(open..close + 2), message.to_string(), "use `\\\\(` and `\\\\)`")
    })
}

/// `1. TOC {:toc}`: <https://kramdown.gettalong.org/converter/html.html#toc>.
fn contents_in_item(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let at = line.text.find("{:toc}")?;
    let is_item =
        line.text.trim_start().starts_with(|c: char| matches!(c, '-' | '*' | '+') || c.is_ascii_digit());
    let is_after_text =
        !line.text[..at].trim_matches(|c: char| " .-*+".contains(c) || c.is_ascii_digit()).is_empty();
    (is_item && is_after_text).then(|| {
        let message = "`{:toc}` is in the line of the item, so readers see it".to_string();
        Mistake::misread(line.place(at..at + 6), message, "move it to a line of its own below the item")
    })
}

/// `{: .class }` between blank lines, which applies to the block below it: <https://kramdown.gettalong.org/syntax.html#block-ials>. On a
/// site that writes such lists directly below their blocks, the block above it is meant.
fn detached_attributes(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let inside = line.text.trim().strip_prefix("{:")?.strip_suffix('}')?;
    let is_list = inside.trim_start().starts_with(['.', '#']);
    let above = source.text[source.body..line.start].lines().next_back();
    let below = source.text.get(line.end + 1..).and_then(|rest| rest.lines().next());
    let is_blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
    let is_apart = is_blank(above) && is_blank(below) && line.start > source.body;
    (is_list && is_apart).then(|| {
        let message = format!(
            "{} doesn't apply to the block above it, because a blank line is between them",
            quoted(line.text.trim())
        );
        let help = "remove the blank line between it and its block";
        Mistake { data: Some((DETACHED, String::new())), ..Mistake::misread(line.content(), message, help) }
    })
}

/// `{: .class` without its brace.
fn open_attributes(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let inside = line.text.trim().strip_prefix("{:")?;
    let is_list = inside.trim_start().starts_with(['.', '#']) && !inside.contains('}');
    is_list.then(|| {
        let message = format!("{} has no `}}`, so readers see it", quoted(line.text.trim()));
        Mistake::misread(line.content(), message, "add `}` at its end")
    })
}

/// `import { Aside } from '…'` in Markdown: <https://starlight.astro.build/components/using-components/>.
fn import_in_markdown(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let is_import =
        line.text.starts_with("import ") && (line.text.contains(" from '") || line.text.contains(" from \""));
    let is_first = !source.shown[source.body..line.start].contains("\nimport ");
    (is_import && is_first && !source.is_compiled).then(|| {
        let message =
            "a page with the extension `.md` has no components, so readers see this line".to_string();
        Mistake::misread(line.content(), message, "rename the page: its extension is `.mdx`")
    })
}

/// `## Heading {#id}` in MDX, in which braces contain JavaScript: <https://mdxjs.com/docs/what-is-mdx/>.
fn braces_in_heading(line: &SourceLine<'_>, source: &PageSource<'_>) -> Option<Mistake> {
    let at = line.text.find(" {#").filter(|_| line.text.starts_with('#') && source.is_compiled)? + 1;
    let end = at + line.text[at..].find('}')? + 1;
    let written = &line.text[at..end];
    let message = format!("MDX stops at {}, because braces contain JavaScript", quoted(written));
    Some(Mistake::misread(
        line.place(at..end),
        message,
        "remove it, or use the form of the generator: `[#id]`",
    ))
}

/// `[text](README.html)`: <https://rust-lang.github.io/mdBook/format/configuration/preprocessors.html>.
fn readme_page(line: &SourceLine<'_>, _: &PageSource<'_>) -> Option<Mistake> {
    let at = line.text.find("README.html")?;
    let is_own = line.text[..at].rfind("](").is_some_and(|open| !line.text[open..at].contains("://"));
    is_own.then(|| {
        let message = "the page of a `README.md` is `index.html`, so this link leads nowhere".to_string();
        Mistake::misread(
            line.place(at..at + "README.html".len()),
            message,
            "use `README.md`, which mdBook replaces",
        )
    })
}
