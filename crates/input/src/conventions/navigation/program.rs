//! Lists of pages in JavaScript and TypeScript.
//!
//! The program isn't run. It is parsed as texts and names in brackets, and names are resolved in the same file. If a
//! name is defined elsewhere, the pages that the list leaves out are unknown.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::Kind;
use super::super::targets::{NamedTarget, TargetKind, is_from_root};
use super::super::values::{is_name_byte, literal, without_comments};
use super::{Extent, PageList};

/// A part of a program.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Node<'t> {
    Text(&'t str),
    Name(&'t str),
    /// The content of square brackets.
    List(Vec<Keyed<'t>>),
    /// The content of other brackets.
    Table(Vec<Keyed<'t>>),
    /// A text that is computed.
    Made,
}

/// A value with its key, if it is in a table.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Keyed<'t> {
    key: Option<&'t str>,
    node: Node<'t>,
}

/// Maximum nesting of brackets.
const DEEPEST: usize = 64;

/// Words that aren't names of values.
const KEYWORDS: &[&str] = &["return", "true", "false", "null", "undefined", "as", "satisfies", "const"];

/// Keys of group names.
const LABELS: &[&str] = &["label", "text", "group", "tab"];

/// Keys of group members.
const ITEMS: &[&str] = &["items", "children", "pages"];

/// Keys of folders whose pages are all listed.
const FOLDERS: &[&str] = &["dirName", "directory"];

/// Keys of texts that are neither pages nor groups.
const OTHERS: &[&str] =
    &["type", "className", "title", "description", "icon", "iconName", "badge", "variant", "base"];

pub(super) fn list(kind: Kind, text: &str) -> PageList {
    let program = without_comments(text);
    let Some(nodes) = nodes(&program) else { return PageList::default() };
    let is_computed = [".map(", ".flatMap(", ".filter(", ".reduce(", ".forEach(", ".concat("]
        .iter()
        .any(|call| program.contains(call));
    let mut reading = Reading {
        kind,
        program: &program,
        is_computed,
        table: None,
        set: set_names(&nodes),
        followed: HashSet::new(),
        list: PageList::default(),
    };
    // VuePress generates the sidebars of the other pages.
    reading.list.extent = if kind == Kind::Vuepress { Extent::Unknown } else { Extent::Whole };
    if matches!(kind, Kind::Docusaurus | Kind::Mdx) {
        reading.read(exported(&nodes), "", false);
        // Data files contain more than the list, and pages may be found in other ways.
        if kind == Kind::Mdx {
            reading.list.extent = Extent::Unknown;
        }
    } else {
        let mut sidebars = Vec::new();
        find_lists("sidebar", &nodes, &mut sidebars);
        if kind != Kind::Vuepress {
            reading.extent_by_keys(&sidebars);
        }
        for sidebar in sidebars {
            reading.read(std::slice::from_ref(sidebar), "", false);
        }
        // Links in the header aren't part of the reading order.
        let mut above = Vec::new();
        find_lists("nav", &nodes, &mut above);
        let list = std::mem::take(&mut reading.list);
        for nav in above {
            reading.read(std::slice::from_ref(nav), "", false);
        }
        let of_nav = std::mem::replace(&mut reading.list, list).named;
        reading.list.named.extend(of_nav);
    }
    reading.list
}

/// Parses a program. Returns `None` if brackets aren't closed or are nested too deeply.
fn nodes(program: &str) -> Option<Vec<Keyed<'_>>> {
    struct Level<'t> {
        /// The key before the bracket.
        key: Option<&'t str>,
        bracket: u8,
        nodes: Vec<Keyed<'t>>,
        current: Option<&'t str>,
        /// Whether a key may follow.
        is_start: bool,
    }
    let level = |key, bracket| Level { key, bracket, nodes: Vec::new(), current: None, is_start: true };
    let mut open = vec![level(None, b'(')];
    let mut at = 0;
    while let Some(byte) = program.as_bytes().get(at) {
        let rest = &program[at..];
        let depth = open.len();
        let Some(top) = open.last_mut() else { break };
        let word = match byte {
            b'"' | b'\'' | b'`' => literal(rest).map(|end| (end, &rest[1..end - 1])),
            byte if is_name_byte(*byte) => {
                let end = rest.bytes().position(|byte| !is_name_byte(byte)).unwrap_or(rest.len());
                Some((end, &rest[..end]))
            }
            _ => None,
        };
        if let Some((length, word)) = word {
            let is_key = top.bracket == b'{' && top.is_start && rest[length..].trim_start().starts_with(':');
            let node = match byte {
                _ if is_key => None,
                b'`' if word.contains("${") => Some(Node::Made),
                b'"' | b'\'' | b'`' => Some(Node::Text(word)),
                byte if byte.is_ascii_digit() => None,
                // A name alone is shorthand for a key with the value of the same name.
                _ => Some(Node::Name(word)),
            };
            if is_key {
                top.current = Some(word);
            }
            let key = top.current;
            top.nodes.extend(node.map(|node| Keyed { key, node }));
            top.is_start = false;
            at += length;
            continue;
        }
        match byte {
            b'{' | b'[' | b'(' if depth == DEEPEST => return None,
            b'{' | b'[' | b'(' => {
                let key = top.current;
                top.is_start = false;
                open.push(level(key, *byte));
            }
            b'}' | b']' | b')' if depth > 1 => {
                let closed = open.pop();
                if let (Some(Level { key, bracket, nodes, .. }), Some(top)) = (closed, open.last_mut()) {
                    let node = if bracket == b'[' { Node::List(nodes) } else { Node::Table(nodes) };
                    top.nodes.push(Keyed { key, node });
                }
            }
            b',' | b';' => (top.current, top.is_start) = (None, true),
            _ => {}
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    let whole = open.pop()?;
    open.is_empty().then_some(whole.nodes)
}

/// Whether a node begins a statement.
fn begins(node: &Keyed<'_>) -> bool {
    matches!(node.node, Node::Name("const" | "let" | "var" | "function" | "export" | "module" | "import"))
}

/// Returns the value of each name that the file defines.
fn set_names<'n, 't>(nodes: &'n [Keyed<'t>]) -> HashMap<&'t str, &'n [Keyed<'t>]> {
    let mut set = HashMap::new();
    for (at, pair) in nodes.windows(2).enumerate() {
        if let (Node::Name("const" | "let" | "var" | "function"), Node::Name(name)) =
            (&pair[0].node, &pair[1].node)
        {
            set.entry(*name).or_insert_with(|| statement(&nodes[at + 2..]));
        }
    }
    set
}

/// Returns the nodes before the next statement.
fn statement<'n, 't>(nodes: &'n [Keyed<'t>]) -> &'n [Keyed<'t>] {
    &nodes[..nodes.iter().position(begins).unwrap_or(nodes.len())]
}

/// Returns the part of a program that is exported, or all of it if nothing is, as in JSON.
fn exported<'n, 't>(nodes: &'n [Keyed<'t>]) -> &'n [Keyed<'t>] {
    let after = nodes.windows(2).rposition(|pair| {
        matches!(
            (&pair[0].node, &pair[1].node),
            (Node::Name("module"), Node::Name("exports")) | (Node::Name("export"), Node::Name("default"))
        )
    });
    after.map_or(nodes, |at| statement(&nodes[at + 2..]))
}

/// Collects the values of a key at any depth.
fn find_lists<'n, 't>(key: &str, nodes: &'n [Keyed<'t>], found: &mut Vec<&'n Keyed<'t>>) {
    for node in nodes {
        match &node.node {
            Node::Name(name) if *name == key => found.push(node),
            _ if node.key == Some(key) => found.push(node),
            Node::List(nodes) | Node::Table(nodes) => find_lists(key, nodes, found),
            Node::Text(_) | Node::Name(_) | Node::Made => {}
        }
    }
}

struct Reading<'n, 't> {
    kind: Kind,
    program: &'t str,
    /// Whether texts in lists may be modified before they become names of pages.
    is_computed: bool,
    /// The `type` of the current table.
    table: Option<&'t str>,
    set: HashMap<&'t str, &'n [Keyed<'t>]>,
    /// Names that were resolved. Each one is resolved once.
    followed: HashSet<&'t str>,
    list: PageList,
}

impl<'n, 't> Reading<'n, 't> {
    /// Handles sidebars that are keyed by address: each leaves out only pages under its address.
    fn extent_by_keys(&mut self, sidebars: &[&Keyed<'t>]) {
        let mut keys = Vec::new();
        for sidebar in sidebars {
            let Node::Table(nodes) = &sidebar.node else { continue };
            keys.extend(nodes.iter().filter_map(|node| node.key).filter(|key| key.starts_with('/')));
        }
        if !keys.is_empty() {
            let folder = |key: &&str| format!("/{}/", key.trim_matches('/')).replace("//", "/");
            self.list.extent = Extent::Below(keys.iter().map(folder).collect());
        }
    }

    fn read(&mut self, nodes: &'n [Keyed<'t>], base: &str, is_listed: bool) {
        let mut is_type = false;
        for Keyed { key, node } in nodes {
            // A type expression: `sidebars satisfies SidebarsConfig`.
            if std::mem::replace(&mut is_type, matches!(node, Node::Name("as" | "satisfies"))) {
                continue;
            }
            let is = |keys: &[&str]| key.is_some_and(|key| keys.contains(&key));
            match node {
                Node::Text(text) if is(FOLDERS) => self.list.push_folder(&bare(text)),
                Node::Text(text) if !is(LABELS) && !is(OTHERS) && may_be_path(text) => {
                    self.note(text, *key, base, is_listed);
                    let is_below = is(&["link"]) || self.kind == Kind::Vuepress && !text.starts_with('/');
                    let path = if base.is_empty() || !is_below {
                        bare(text)
                    } else {
                        bare(&format!("{}/{}", base.trim_end_matches('/'), bare(text)))
                    };
                    self.list.push(&path);
                }
                Node::Name(name) if !KEYWORDS.contains(name) => self.follow(name, base, is_listed),
                Node::List(nodes) if self.kind == Kind::Vuepress => {
                    self.sidebar(nodes, *key, base, is_listed);
                }
                Node::List(nodes) => {
                    self.repeated(nodes);
                    self.read(nodes, base, true);
                }
                Node::Table(nodes) => self.table(nodes, base, key.is_none() && is_listed),
                Node::Made => self.list.extent = Extent::Unknown,
                Node::Text(_) | Node::Name(_) => {}
            }
        }
    }

    /// Reads a list of `VuePress`. Its pages may be relative to the address of the sidebar, and have a text after the link:
    /// <https://v1.vuepress.vuejs.org/theme/default-theme-config.html#sidebar>.
    fn sidebar(&mut self, nodes: &'n [Keyed<'t>], key: Option<&'t str>, base: &str, is_listed: bool) {
        let base = key.filter(|key| key.starts_with('/')).unwrap_or(base);
        if let ([Keyed { node: Node::Text(_), .. }, Keyed { node: Node::Text(_), .. }], true, None) =
            (nodes, is_listed, key)
        {
            return self.read(&nodes[..1], base, true);
        }
        for node in nodes {
            match node.node {
                // The page of the folder.
                Node::Text("") if node.key.is_none() && !base.is_empty() => self.list.push(&bare(base)),
                _ => self.read(std::slice::from_ref(node), base, true),
            }
        }
    }

    /// Records the pages of entries that equal an earlier one in the same list.
    fn repeated(&mut self, nodes: &[Keyed<'t>]) {
        let mut seen = HashSet::new();
        for node in nodes.iter().filter(|it| !seen.insert(*it)) {
            if let Some(page) = page_in(node) {
                let start = page.as_ptr() as usize - self.program.as_ptr() as usize;
                self.list.repeated.push(NamedTarget {
                    names: TargetKind::Page,
                    target: page.to_string(),
                    span: start..start + page.len(),
                });
            }
        }
    }

    /// Records the target that a text is known to be.
    fn note(&mut self, text: &'t str, key: Option<&str>, base: &str, is_listed: bool) {
        let names = match (self.kind, key, self.table) {
            (Kind::Docusaurus | Kind::Starlight, None, _) if is_listed && !self.is_computed => {
                TargetKind::Page
            }
            (Kind::Docusaurus, Some("id"), Some("doc" | "ref")) | (Kind::Starlight, Some("slug"), _) => {
                TargetKind::Page
            }
            (Kind::Docusaurus, Some("href"), Some("link"))
            | (Kind::Starlight | Kind::Vitepress | Kind::Vuepress, Some("link"), _) => TargetKind::Link,
            (Kind::Vuepress, None, _) if is_listed && !self.is_computed => TargetKind::Link,
            _ => return,
        };
        let start = text.as_ptr() as usize - self.program.as_ptr() as usize;
        let span = start..start + text.len();
        let is_based = match self.kind {
            Kind::Vitepress => !base.is_empty(),
            // Themes may also have a key that is put before names.
            Kind::Vuepress => {
                key.is_none() && !text.starts_with(['/', '.']) && !self.program.contains("prefix")
            }
            _ => false,
        };
        let target = if is_based {
            format!("/{}/{}", base.trim_matches('/'), text.trim_start_matches('/')).replace("//", "/")
        } else {
            text.to_string()
        };
        if self.is_whole(&span, key) && (names == TargetKind::Page || is_from_root(&target)) {
            self.list.named.push(NamedTarget { names, target, span });
        }
    }

    /// Whether a text is the complete value of a key or list item, rather than part of an expression.
    fn is_whole(&self, span: &Range<usize>, key: Option<&str>) -> bool {
        let before = self.program[..span.start - 1].trim_end();
        let after = self.program[span.end + 1..].trim_start();
        let is_begun = match (key, before.strip_suffix(':')) {
            (Some(key), Some(before)) => before.trim_end().trim_end_matches(['"', '\'']).ends_with(key),
            (None, None) => before.ends_with(['[', ',']),
            _ => false,
        };
        is_begun && (after.is_empty() || after.starts_with([',', ']', '}']))
    }

    fn follow(&mut self, name: &'t str, base: &str, is_listed: bool) {
        match self.set.get(name) {
            None => self.list.extent = Extent::Unknown,
            Some(nodes) if self.followed.insert(name) => {
                let nodes = *nodes;
                // Next to a value, names are parts of its type.
                let is_value = |node: &Keyed<'_>| !matches!(node.node, Node::Name(_));
                let values = nodes.iter().filter(|node| is_value(node)).count();
                for node in nodes.iter().filter(|node| values == 0 || is_value(node)) {
                    self.read(std::slice::from_ref(node), base, is_listed);
                }
            }
            Some(_) => {}
        }
    }

    /// Reads a table. `is_listed` is set if it is in a list.
    fn table(&mut self, nodes: &'n [Keyed<'t>], base: &str, is_listed: bool) {
        let text = |keys: &[&str]| {
            nodes.iter().find_map(|it| match it.node {
                Node::Text(text) if it.key.is_some_and(|key| keys.contains(&key)) => Some(text),
                _ => None,
            })
        };
        let base = text(&["base"]).unwrap_or(base);
        let start = self.list.pages.len();
        let is_shorthand = |it: &Keyed<'_>| it.key.is_some() && matches!(it.node, Node::List(_));
        // Shorthand for a category: `{'Get started': ['a', 'b']}`.
        if is_listed && !nodes.is_empty() && nodes.iter().all(is_shorthand) {
            for node in nodes {
                let start = self.list.pages.len();
                self.read(std::slice::from_ref(node), base, false);
                self.list.name(node.key.unwrap_or_default(), start);
            }
            return;
        }
        let is_items = |it: &Keyed<'_>| it.key.is_some_and(|key| ITEMS.contains(&key));
        let around = std::mem::replace(&mut self.table, text(&["type"]));
        self.read(nodes, base, false);
        self.table = around;
        let title = text(&["title"]).filter(|_| self.kind == Kind::Vuepress);
        if let Some(label) = text(LABELS).or(title).filter(|_| nodes.iter().any(is_items)) {
            self.list.name(label, start);
        }
    }
}

/// Returns the first path in an entry of a list.
fn page_in<'t>(Keyed { key, node }: &Keyed<'t>) -> Option<&'t str> {
    match node {
        Node::Text(text) => {
            let is_page = !key.is_some_and(|key| LABELS.contains(&key) || OTHERS.contains(&key));
            Some(*text).filter(|text| is_page && may_be_path(text))
        }
        Node::List(nodes) | Node::Table(nodes) => nodes.iter().find_map(page_in),
        Node::Name(_) | Node::Made => None,
    }
}

fn may_be_path(text: &str) -> bool {
    !text.is_empty() && !text.contains([' ', '{', '$', '\n']) && !text.contains("://")
}

fn bare(path: &str) -> String {
    path.trim_matches('/').to_string()
}
