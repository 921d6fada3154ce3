//! Groups of names, each of which several places use: attributes, values, icons, ports.
//!
//! A name with one use that resembles one with several uses is misspelled.

use std::ops::Range;

use super::marks::RST_ROLES;
use super::source::{CodeFence, PageSource};
use crate::check::words::exchanged;
use crate::check::{is_slip, nearest_language};
use base::diagnostic::{Code, Diagnostic, Problem, distance_within, is_plural, misspelled};
use base::lines::placed;
use base::quoted::quoted;
use base::site_path;
use base::sorted::SortedMap;
use input::conventions::{Convention, Syntax, SyntaxRule};
use markup::markdown::ElementTag;
use site::content::Document;
use stepkin_highlight::Language;

/// Minimum number of uses of the name that is meant.
const FEWEST: usize = 5;

/// Minimum length of a name with two exchanged letters.
const SHORTEST: usize = 3;

/// Maximum number of different names of a group.
pub(super) const MOST_NAMES: usize = 100;
const MOST_LABELS: usize = 2000;

/// Attributes of HTML that differ by a letter from another one: <https://html.spec.whatwg.org/multipage/obsolete.html>.
const ALIKE: [&str; 3] = ["hspace", "valign", "vspace"];

/// A text in a page.
pub(super) type UsePlace<'p> = (&'p Document, Range<usize>);

/// The names of a group, or other sets of uses, each with the number of uses and the first place.
pub(super) type Counts<'p, N> = SortedMap<N, (usize, UsePlace<'p>)>;

/// Names of one kind, for one purpose.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameGroup {
    /// The attributes of an element.
    Attribute { element: String },
    /// The values of an attribute.
    Value { element: String, attribute: String },
    /// The values of a condition, such as the platform of `<If sdk="nuxtjs">`.
    Condition { element: String, attribute: String },
    /// Names in double braces, also in code.
    Output,
    /// Names between colons.
    Emoji,
    /// Names of icons between colons: <https://squidfunk.github.io/mkdocs-material/reference/icons-emojis/>.
    Icon,
    /// Commands of programs in comments.
    Comment,
    /// The named arguments of a shortcode.
    Argument { shortcode: String },
    /// The roles of Sphinx.
    Role,
    /// The languages of code blocks.
    Language,
    /// The attributes of code blocks: `title` in `title="lamp.py"`.
    Meta,
    /// The classes in lists of attributes: `note` in `{: .note}`.
    Class,
    /// The labels of tabs, by which sets of tabs follow each other.
    Tab,
    /// The ports of the reader's own computer.
    Port,
    /// Repositories, such as `github.com/owner/name`.
    Repository,
    /// Names of objects and anchors that a plugin of `MkDocs` links: <https://mkdocstrings.github.io/autorefs/>.
    Label,
    /// The first words after a program's name in shell code.
    Subcommand { program: String },
}

impl NameGroup {
    /// Returns the parts of a finding: its code, the place with a name, the kind of the name, and how names are shown.
    fn terms(&self) -> (Code, String, String, fn(&str) -> String) {
        let as_written = |name: &str| quoted(name);
        let between_colons = |name: &str| format!("`:{name}:`");
        let here = || "this place".to_string();
        match self {
            Self::Attribute { element } => {
                (Code::UnknownKey, format!("this `<{element}>`"), "the attribute ".into(), as_written)
            }
            Self::Value { element, attribute } => {
                (Code::UnusualValue, format!("this `<{element}>`"), format!("the `{attribute}` "), as_written)
            }
            Self::Condition { .. } => (Code::UnusualValue, "this page".into(), String::new(), as_written),
            Self::Output => (Code::UnusualValue, here(), String::new(), |name| format!("`{{{{{name}}}}}`")),
            Self::Emoji => (Code::UnusualValue, here(), String::new(), between_colons),
            Self::Icon => (Code::UnusualValue, here(), "the icon ".into(), between_colons),
            Self::Comment => (Code::UnusualValue, "this comment".into(), "the command ".into(), as_written),
            Self::Argument { shortcode } => {
                (Code::UnknownKey, format!("this `{shortcode}`"), "the argument ".into(), as_written)
            }
            Self::Role => (Code::UnknownDirective, here(), "the role ".into(), as_written),
            Self::Language => {
                (Code::UnknownLanguage, "this code block".into(), "the language ".into(), as_written)
            }
            Self::Meta => (Code::UnusualValue, "this code block".into(), "the attribute ".into(), as_written),
            Self::Class => (Code::UnusualValue, here(), "the class ".into(), as_written),
            Self::Tab => (Code::UnusualValue, "this tab".into(), "the label ".into(), as_written),
            Self::Port => (Code::UnusualValue, here(), "the port ".into(), as_written),
            Self::Repository => (Code::UnusualValue, here(), String::new(), as_written),
            Self::Label => (Code::UnusualValue, here(), "the label ".into(), as_written),
            Self::Subcommand { program } => {
                (Code::UnusualValue, here(), format!("the command `{program}` with "), as_written)
            }
        }
    }

    /// Returns the minimum number of uses of the name that is meant, and the maximum number of names. A site rarely has an icon twice, and
    /// the labels of two sets of tabs are equal if they follow each other.
    fn limits(&self) -> (usize, usize) {
        match self {
            Self::Icon => (1, usize::MAX),
            Self::Tab => (1, MOST_NAMES),
            Self::Output => (FEWEST - 2, MOST_NAMES),
            // One that is defined counts twice.
            Self::Label => (2, MOST_LABELS),
            _ => (FEWEST, MOST_NAMES),
        }
    }

    /// Whether names with other digits mean something else.
    fn has_numbers(&self) -> bool {
        matches!(self, Self::Icon | Self::Port | Self::Repository)
    }

    /// Returns the name among some that a rare one means.
    pub(super) fn meant<'n>(&self, name: &str, uses: &SortedMap<&'n str, usize>) -> Option<&'n str> {
        let shared: Vec<&str> = uses.keys().copied().filter(|it| *it != name).collect();
        let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
        let names = || shared.iter().copied().filter(|it| !self.has_numbers() || digits(it) == digits(name));
        let has_case =
            *self == Self::Tab || matches!(self, Self::Attribute { element } if is_component(element));
        let is_other_case = |it: &&str| has_case && it.eq_ignore_ascii_case(name);
        let is_swapped = |it: &&str| name.len() >= SHORTEST && exchanged(name, it).is_some();
        if let Self::Condition { .. } = self {
            let is_longer = |it: &&str| has_ending(name, it) || has_ending(it, name);
            return names()
                .find(is_longer)
                .or_else(|| names().find(is_swapped))
                .or_else(|| misspelled(name, names()));
        }
        // A letter more at the start or end of a word makes another one: `mount`, `umount`.
        let is_extended = |it: &str| {
            let (long, short) = if name.len() > it.len() { (name, it) } else { (it, name) };
            let start = long.bytes().zip(short.bytes()).take_while(|(one, other)| one == other).count();
            let is_apart = |letter: Option<u8>| letter.is_none_or(|it| !it.is_ascii_alphanumeric());
            let before = start.checked_sub(1).and_then(|at| long.as_bytes().get(at).copied());
            long.len() != short.len() && (is_apart(before) || start + 1 == long.len())
        };
        if *self == Self::Label {
            let has_one_more =
                |it: &str| name.len().abs_diff(it.len()) == 1 && distance_within(name, it, 1) == Some(1);
            let is_long = name.len() > SHORTEST;
            return names().find(|it| is_swapped(it) || is_long && has_one_more(it) && !is_extended(it));
        }
        // Other digits are another number.
        if *self == Self::Port {
            return shared.iter().copied().find(is_swapped);
        }
        // Labels that differ by a letter may be in a row: `Option A`.
        if *self == Self::Tab {
            let is_frequent = |it: &&str| uses[it] >= FEWEST && is_swapped(it);
            return names().find(is_other_case).or_else(|| names().find(is_frequent));
        }
        // Arguments and commands aren't words with a plural.
        let has_no_plural = matches!(self, Self::Argument { .. } | Self::Comment);
        // Each role is defined, so a short one is a typing mistake, too.
        let is_role = *self == Self::Role && name.len() >= SHORTEST;
        let is_near = |it: &&str| it.len() > SHORTEST && distance_within(name, it, 1) == Some(1);
        let near = names().find(is_other_case).or_else(|| names().find(is_swapped));
        // `docker image` and `docker images` are two commands.
        let is_command = |it: &str| matches!(self, Self::Subcommand { .. }) && uses[it] >= 2 * FEWEST;
        let near =
            near.or_else(|| names().find(|it| (has_no_plural || is_command(it)) && is_plural(name, it)));
        let near = near.or_else(|| names().find(|it| is_role && is_near(it)));
        let is_command = matches!(self, Self::Subcommand { .. });
        // Another first letter is another name: `cg-field`, `tg-field`.
        let is_word =
            |it: &&str| it.bytes().next() == name.bytes().next() && !(is_command && is_extended(it));
        let meant = near.or_else(|| misspelled(name, names()).filter(is_word))?;
        // Each page reports misspelled roles of Sphinx itself.
        let is_reported = name.len() > SHORTEST && RST_ROLES.contains(&meant);
        let is_known = *self == Self::Role && (is_reported || RST_ROLES.contains(&name));
        let is_same = !has_case && meant.eq_ignore_ascii_case(name);
        (!is_known && !is_same).then_some(meant)
    }
}

/// The names of all groups of a site.
#[derive(Default)]
pub(super) struct NameCounts<'p>(SortedMap<NameGroup, Counts<'p, String>>);

impl<'p> NameCounts<'p> {
    /// Counts a use of a name.
    fn add(&mut self, group: NameGroup, name: &str, place: UsePlace<'p>) {
        let (_, most) = group.limits();
        count(self.0.entry(group).or_default(), name.to_string(), place, most);
    }

    /// Counts the names in a text, also in its code.
    pub(super) fn add_text(&mut self, document: &'p Document, text: &str, convention: &Convention) {
        let body = document.body;
        let mut add = |group: NameGroup, (name, place): (&str, Range<usize>)| {
            self.add(group, name, (document, place));
        };
        outputs(text, body).for_each(|it| add(NameGroup::Output, it));
        commands(text, body).for_each(|it| add(NameGroup::Comment, it));
        ports(text).for_each(|it| add(NameGroup::Port, it));
        // A page may be about its own repository.
        let own = site_path::stem(document.below());
        let is_other = |(name, _): &(&str, Range<usize>)| !name.ends_with(&format!("/{own}"));
        repositories(text).filter(is_other).for_each(|it| add(NameGroup::Repository, it));
        if convention.has(Syntax::Shortcodes) {
            for (shortcode, name, place) in arguments(text, body) {
                add(NameGroup::Argument { shortcode: shortcode.to_string() }, (name, place));
            }
        }
        if convention.rules.contains(&SyntaxRule::Directives) {
            roles(text, body).for_each(|it| add(NameGroup::Role, it));
            tabs(text, body).for_each(|it| add(NameGroup::Tab, it));
        }
        if convention.has(Syntax::Indented) {
            indented_tabs(text, body).for_each(|it| add(NameGroup::Tab, it));
            for (name, place, is_defined) in labels(text, body) {
                add(NameGroup::Label, (name, place.clone()));
                if is_defined {
                    add(NameGroup::Label, (name, place));
                }
            }
        }
        if convention.rules.contains(&SyntaxRule::Icons) {
            icons(text).for_each(|it| add(NameGroup::Icon, it));
        }
    }

    /// Counts the languages and emoji of a page.
    pub(super) fn add_source(&mut self, document: &'p Document, source: &PageSource<'_>) {
        for fence in source.fences.iter().filter(|fence| is_language(fence.language)) {
            let place = fence.language_in(source.text);
            self.add(NameGroup::Language, fence.language, (document, place));
        }
        for (name, place) in source.fences.iter().flat_map(|fence| meta(source.text, fence)) {
            self.add(NameGroup::Meta, name, (document, place));
        }
        for fence in &source.fences {
            for (program, name, place) in subcommands(source.text, fence) {
                self.add(NameGroup::Subcommand { program: program.to_string() }, name, (document, place));
            }
        }
        for line in source.lines() {
            for (name, place) in classes(line.text) {
                self.add(NameGroup::Class, name, (document, line.place(place)));
            }
        }
        if !source.rules.contains(&SyntaxRule::Icons) {
            for line in source.lines() {
                for (name, place) in emojis(line.text) {
                    self.add(NameGroup::Emoji, name, (document, line.place(place)));
                }
            }
        }
    }

    /// Counts the values of conditions on a page. Numbers count its elements.
    pub(super) fn add_conditions(&mut self, document: &'p Document) {
        let mut values: Vec<(&str, &str, &str)> = Vec::new();
        for it in &document.conditions {
            values.extend(it.values.iter().map(|value| (&*it.element, &*it.attribute, &**value)));
        }
        values.sort_unstable();
        values.dedup();
        let text = document.text();
        for (element, attribute, value) in values {
            let quoted = || ['"', '\''].iter().find_map(|quote| text.find(&format!("{quote}{value}{quote}")));
            let start = if value.contains(|c: char| c.is_ascii_digit()) { None } else { quoted() };
            if let Some(start) = start.map(|start| start + 1) {
                let (element, attribute) = (element.to_string(), attribute.to_string());
                let group = NameGroup::Condition { element, attribute };
                self.add(group, value, (document, start..start + value.len()));
            }
        }
    }

    /// Counts the attributes of an element, and their values.
    pub(super) fn add_tag(&mut self, document: &'p Document, tag: &ElementTag<'_>) {
        let element = || tag.name.to_string();
        for (name, place) in tag.names().filter(|(name, _)| !ALIKE.contains(name)) {
            self.add(NameGroup::Attribute { element: element() }, name, (document, place));
        }
        for (name, value, place) in tag.texts().filter(|(_, value, _)| is_name(value)) {
            let group = NameGroup::Value { element: element(), attribute: name.to_string() };
            self.add(group, value.trim(), (document, place));
        }
    }

    pub(super) fn remove(&mut self, group: &NameGroup) {
        self.0.remove(group);
    }

    /// Whether several places have a name in double braces.
    pub(super) fn is_output(&self, name: &str) -> bool {
        let outputs = self.0.get(&NameGroup::Output);
        outputs.and_then(|it| it.get(name)).is_some_and(|(uses, _)| *uses > 1)
    }

    /// Returns findings for names with one use that resemble one with several.
    pub(super) fn findings(&self) -> impl Iterator<Item = Diagnostic> {
        self.0.iter().flat_map(|(group, counts)| rare(group, counts))
    }
}

fn rare(group: &NameGroup, counts: &Counts<'_, String>) -> Vec<Diagnostic> {
    let (fewest, most) = group.limits();
    let shared = counts.iter().filter(|(_, (uses, _))| *uses >= fewest && counts.len() <= most);
    let shared: SortedMap<&str, usize> = shared.map(|(name, (uses, _))| (name.as_str(), *uses)).collect();
    let slip = |(name, (_, (document, place))): (&String, &(usize, UsePlace<'_>))| {
        let meant = group.meant(name, &shared)?;
        // Of two labels that occur once, the second is wrong.
        let (_, (other, first)) = &counts[meant];
        let is_first = (&document.path, place.start) < (&other.path, first.start);
        if *group == NameGroup::Tab && shared[meant] == 1 && is_first {
            return None;
        }
        let (code, place_name, what, quoted) = group.terms();
        let (name, meant, others) = (quoted(name), quoted(meant), shared[meant]);
        let have = match group {
            _ if others == 1 => "another one has".to_string(),
            NameGroup::Condition { .. } => format!("{others} pages have"),
            _ => format!("{others} have"),
        };
        let message = format!("only {place_name} has {what}{name}, and {have} {meant}");
        let problem = Problem::new(code, place.clone(), message).help(format!("did you mean {meant}?"));
        Some(problem.at(&document.path))
    };
    counts.iter().filter(|(_, (uses, _))| *uses == 1).filter_map(slip).collect()
}

/// Counts a use of a name. Of more than `most` names, only the first ones are counted.
pub(super) fn count<'p, N: Ord>(counts: &mut Counts<'p, N>, name: N, place: UsePlace<'p>, most: usize) {
    if let Some((uses, _)) = counts.get_mut(&name) {
        *uses += 1;
    } else if counts.len() <= most {
        counts.insert(name, (1, place));
    }
}

/// Whether a name is another one with an ending such as `js`.
fn has_ending(long: &str, short: &str) -> bool {
    const LONGEST: usize = 3;
    let ending = long.strip_prefix(short).unwrap_or_default();
    (1..=LONGEST).contains(&ending.len()) && ending.bytes().all(|it| it.is_ascii_lowercase())
}

pub(super) fn is_component(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Returns the names alone in double braces, each with its range: `{{api_key}}`, `{{#VERSION}}`.
fn outputs(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    let opens = memchr::memmem::find_iter(&text.as_bytes()[body..], b"{{").map(move |at| body + at + 2);
    opens.filter_map(|open| {
        let start = open + usize::from(text[open..].starts_with('#'));
        let rest = &text[start..];
        let name = &rest[..rest.bytes().position(|it| !it.is_ascii_alphanumeric() && it != b'_')?];
        let is_whole = !name.is_empty() && rest[name.len()..].starts_with("}}");
        is_whole.then(|| (name, start..start + name.len()))
    })
}

/// Returns the ports of addresses such as `localhost:8080`, each with its range.
fn ports(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    /// The numbers from 1,000 on.
    const LENGTHS: std::ops::RangeInclusive<usize> = 4..=5;
    memchr::memmem::find_iter(text.as_bytes(), b"localhost:").filter_map(|at| {
        let start = at + "localhost:".len();
        let length = text[start..].bytes().take_while(u8::is_ascii_digit).count();
        LENGTHS.contains(&length).then(|| (&text[start..start + length], start..start + length))
    })
}

/// Returns the repositories of addresses and of paths in code, each with its range.
fn repositories(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    const HOSTS: [&str; 3] = ["github.com/", "gitlab.com/", "bitbucket.org/"];
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    HOSTS.iter().flat_map(move |host| {
        memchr::memmem::find_iter(text.as_bytes(), host).filter_map(move |at| {
            let (owner, rest) = text[at + host.len()..].split_once('/')?;
            let name = rest.split(|c| !is_in_name(c)).next()?.trim_end_matches('.').trim_end_matches(".git");
            let end = at + host.len() + owner.len() + 1 + name.len();
            let is_whole = !owner.is_empty() && !name.is_empty() && owner.chars().all(is_in_name);
            is_whole.then(|| (&text[at..end], at..end))
        })
    })
}

/// Returns the roles, each with its range: `` {abbr}`text` ``.
fn roles(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    let ends = memchr::memmem::find_iter(&text.as_bytes()[body..], b"}`").map(move |at| body + at);
    ends.filter_map(move |end| {
        let start = body + text[body..end].rfind('{')? + 1;
        let name = &text[start..end];
        let is_name = !name.is_empty() && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'-');
        let is_apart = !text[..start - 1].ends_with(['`', '{', '$']);
        (is_name && is_apart).then_some((name, start..end))
    })
}

/// Returns the labels of tabs, each with its range: `Linux` in `{group-tab} Linux`.
fn tabs(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    const NAMES: [&str; 3] = ["{tab", "{group-tab", "{tab-item"];
    let ends = memchr::memmem::find_iter(&text.as_bytes()[body..], b"} ").map(move |at| body + at);
    ends.filter_map(move |end| {
        let is_tab = NAMES.iter().any(|name| text[..end].ends_with(name));
        let label = text[end + 2..].lines().next().filter(|_| is_tab)?;
        let start = end + 2 + label.len() - label.trim_start().len();
        Some((label.trim(), start..start + label.trim().len()))
    })
}

/// Returns the labels of the tabs of pymdownx, each with its range: `Linux` in `=== "Linux"` and `/// tab | Linux`.
fn indented_tabs(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    const SIGNS: [(&str, &str); 2] = [("=== \"", "\""), ("/// tab | ", "")];
    SIGNS.iter().flat_map(move |(open, close)| {
        let starts = memchr::memmem::find_iter(&text.as_bytes()[body..], open).map(move |at| body + at);
        starts.filter_map(move |at| {
            let before = text[..at].trim_end_matches([' ', '\t']);
            let is_first = before.is_empty() || before.ends_with('\n');
            let start = at + open.len();
            let label = text[start..].lines().next()?.trim_end().strip_suffix(close).filter(|_| is_first)?;
            Some((label, start..start + label.len()))
        })
    })
}

/// Returns the labels of links without a definition on the page, and those that the page defines, with their ranges: `lamp.oil` in
/// `[Oil][lamp.oil]` and `::: lamp.oil`, `oil` in `[](){#oil}`.
fn labels(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>, bool)> {
    const SIGNS: [(&str, char, bool); 3] = [("][", ']', false), ("::: ", '\n', true), ("[](){#", '}', true)];
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    SIGNS.iter().flat_map(move |(open, close, is_defined)| {
        let starts = memchr::memmem::find_iter(&text.as_bytes()[body..], open).map(move |at| body + at);
        starts.filter_map(move |at| {
            let start = at + open.len();
            let name = text[start..].split(*close).next()?.trim_end();
            let is_name = name.contains(['.', '-', '_']) && name.chars().all(is_in_name);
            // Pages define the labels of other links.
            let is_own = !is_defined && is_name && text.contains(&format!("[{name}]: "));
            (is_name && !is_own).then(|| (name, start..start + name.len(), *is_defined))
        })
    })
}

/// Returns the programs of a shell's lines, each with the word after it, and that word's range.
fn subcommands<'t>(
    text: &'t str,
    fence: &CodeFence<'_>,
) -> impl Iterator<Item = (&'t str, &'t str, Range<usize>)> {
    const SHELLS: [&str; 6] = ["bash", "console", "sh", "shell", "terminal", "zsh"];
    let code = if SHELLS.contains(&fence.language) {
        fence.code.clone()
    } else {
        fence.code.start..fence.code.start
    };
    placed(&text[code.clone()], code.start).filter_map(|(at, line)| {
        let command = line.trim_start().trim_start_matches(['$', '%', '>']).trim_start();
        let (program, rest) = command.split_once(' ')?;
        let name = rest.split_ascii_whitespace().next()?;
        let is_word = |it: &str| {
            it.starts_with(|c: char| c.is_ascii_lowercase())
                && it.bytes().all(|it| it.is_ascii_lowercase() || it == b'-')
        };
        let start =
            at + (line.len() - command.len()) + program.len() + 1 + (rest.len() - rest.trim_start().len());
        (is_word(program) && is_word(name)).then(|| (program, name, start..start + name.len()))
    })
}

/// Returns the attributes of a code block, each with its range: `title` in `title="lamp.py"`.
fn meta<'t>(text: &'t str, fence: &CodeFence<'_>) -> impl Iterator<Item = (&'t str, Range<usize>)> {
    let (start, info) = (fence.info.start, &text[fence.info.clone()]);
    info.match_indices("=\"").filter_map(move |(at, _)| {
        let name = info[..at].rsplit(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_').next()?;
        (!name.is_empty()).then(|| (name, start + at - name.len()..start + at))
    })
}

/// Returns the classes in the lists of attributes of a line, each with its range.
fn classes(line: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let lists = line.split('{').skip(1).filter_map(|rest| {
        let list = rest.split_once('}')?.0;
        let list = list.strip_prefix(':').unwrap_or(list);
        let start = list.as_ptr() as usize - line.as_ptr() as usize;
        list.trim_start().starts_with(['.', '#']).then_some((start, list))
    });
    lists.flat_map(|(start, list)| {
        let names = list.match_indices('.').filter_map(move |(at, _)| {
            let name = list[at + 1..].split([' ', '}', '=']).next()?;
            let is_first = list[..at].is_empty() || list[..at].ends_with(' ');
            (is_first && !name.is_empty()).then(|| (name, start + at + 1..start + at + 1 + name.len()))
        });
        names.collect::<Vec<_>>()
    })
}

/// Returns the names of icons, each with its range: `:material-lamp:`.
fn icons(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    const SETS: [&str; 4] = ["fontawesome-", "material-", "octicons-", "simple-"];
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let mut start = 0;
    text.split(':').filter_map(move |name| {
        let place = start..start + name.len();
        start = place.end + 1;
        let is_icon = SETS.iter().any(|set| name.starts_with(set)) && name.bytes().all(is_part);
        is_icon.then_some((name, place))
    })
}

/// Whether a code block names a language that the highlighter doesn't know and doesn't report.
fn is_language(name: &str) -> bool {
    let is_reported = || nearest_language(name).is_some_and(|near| is_slip(near, name));
    name.bytes().all(|it| it.is_ascii_lowercase())
        && stepkin_highlight::language(name) == Language::Unknown
        && !is_reported()
}

/// Returns the commands with a `:` or `-` that begin comments, each with its range: `md:version` in `<!-- md:version 1.2 -->`.
fn commands(text: &str, body: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    let opens = memchr::memmem::find_iter(&text.as_bytes()[body..], b"<!--").map(move |at| body + at + 4);
    opens.filter_map(|after| {
        let start = after + text[after..].len() - text[after..].trim_start_matches(' ').len();
        let is_in_name = |c: char| c.is_ascii_lowercase() || c == ':' || c == '-';
        let name = text[start..].split(|c| !is_in_name(c)).next()?.trim_end_matches('-');
        name.trim_matches(':').contains([':', '-']).then(|| (name, start..start + name.len()))
    })
}

/// Returns the named arguments of shortcodes, each with that of the shortcode and its range: `filter` in
/// `{{< img src="a.png" filter="b" >}}`.
fn arguments(text: &str, body: usize) -> impl Iterator<Item = (&str, &str, Range<usize>)> {
    let opens = memchr::memmem::find_iter(&text.as_bytes()[body..], b"{{").map(move |at| body + at + 2);
    let shortcodes = opens.filter_map(|start| {
        let end = start + text[start..].find("}}")?;
        let inside = text[start..end].strip_prefix(['<', '%'])?;
        let name = inside.split_ascii_whitespace().next().filter(|name| !name.starts_with('/'))?;
        Some((name, start..end))
    });
    shortcodes.flat_map(move |(shortcode, place)| {
        let (start, inside) = (place.start, &text[place]);
        inside.match_indices(['=']).filter_map(move |(at, _)| {
            let name = inside[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').next()?;
            let is_value = inside[at + 1..].starts_with(['"', '`']) && !name.is_empty();
            let from = start + at - name.len();
            is_value.then(|| (shortcode, name, from..start + at))
        })
    })
}

/// Returns the names between colons in a line, each with its range: `:white_check_mark:`.
fn emojis(line: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    line.match_indices(':').filter_map(|(at, _)| {
        let name = &line[at + 1..at + 1 + line[at + 1..].find(':')?];
        let is_name = !name.is_empty()
            && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
        let is_apart = !line[..at].ends_with(|it: char| it.is_alphanumeric() || it == ':');
        (is_name && is_apart).then(|| (name, at + 1..at + 1 + name.len()))
    })
}

/// Whether a value is a name of something that several elements share.
fn is_name(value: &str) -> bool {
    let is_in_name = |c: char| c.is_alphabetic() || matches!(c, '-' | '_' | ' ');
    !value.is_empty() && value.chars().all(is_in_name)
}
