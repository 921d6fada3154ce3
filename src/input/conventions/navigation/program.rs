//! Lists of pages in JavaScript and TypeScript.
//!
//! The program is not run. It is read as texts and names within brackets, and a name is followed to where the same file sets it.
//! Where a name is set elsewhere, what the list leaves out is not known.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::Kind;
use super::super::targets::{NamedTarget, Names, is_from_root};
use super::super::values::{is_name_byte, literal, without_comments};
use super::{Extent, PageList};

/// What a program has at one place.
#[derive(Debug)]
enum Node<'t> {
    Text(&'t str),
    Name(&'t str),
    /// What is within square brackets.
    List(Vec<Keyed<'t>>),
    /// What is within others.
    Table(Vec<Keyed<'t>>),
    /// A text that is put together.
    Made,
}

/// A value, with its key in a table.
#[derive(Debug)]
struct Keyed<'t> {
    key: Option<&'t str>,
    node: Node<'t>,
}

/// Brackets within each other.
const DEEPEST: usize = 64;

/// Words that are no names of values.
const KEYWORDS: &[&str] = &["return", "true", "false", "null", "undefined", "as", "satisfies", "const"];

/// Keys whose texts are names of groups.
const LABELS: &[&str] = &["label", "text", "group", "tab"];

/// Keys of what is in a group.
const ITEMS: &[&str] = &["items", "children", "pages"];

/// Keys whose texts are names of folders of which all pages are listed.
const FOLDERS: &[&str] = &["dirName", "directory"];

/// Keys whose texts are neither pages nor groups.
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
    reading.list.extent = Extent::Whole;
    if matches!(kind, Kind::Docusaurus | Kind::Mdx) {
        reading.read(exported(&nodes), "", false);
        // Files of data hold more than the list, and pages may be found in other ways.
        if kind == Kind::Mdx {
            reading.list.extent = Extent::Unknown;
        }
    } else {
        let mut sidebars = Vec::new();
        find_lists("sidebar", &nodes, &mut sidebars);
        reading.extent_by_keys(&sidebars);
        for sidebar in sidebars {
            reading.read(std::slice::from_ref(sidebar), "", false);
        }
        // The links above every page are in no order of reading.
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

/// Takes a program apart; `None` where brackets never close, or are too many within each other.
fn nodes(program: &str) -> Option<Vec<Keyed<'_>>> {
    struct Level<'t> {
        /// Of the brackets themselves.
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
                // A name alone is a key, and its own value.
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

/// The words that begin a statement.
fn begins(node: &Keyed<'_>) -> bool {
    matches!(node.node, Node::Name("const" | "let" | "var" | "function" | "export" | "module" | "import"))
}

/// What each name is set to by the file itself.
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

/// What is before the next statement.
fn statement<'n, 't>(nodes: &'n [Keyed<'t>]) -> &'n [Keyed<'t>] {
    &nodes[..nodes.iter().position(begins).unwrap_or(nodes.len())]
}

/// What a file of a program gives to others; all of it where that is not said, as in JSON.
fn exported<'n, 't>(nodes: &'n [Keyed<'t>]) -> &'n [Keyed<'t>] {
    let after = nodes.windows(2).rposition(|pair| {
        matches!(
            (&pair[0].node, &pair[1].node),
            (Node::Name("module"), Node::Name("exports")) | (Node::Name("export"), Node::Name("default"))
        )
    });
    after.map_or(nodes, |at| statement(&nodes[at + 2..]))
}

/// The values of a key, wherever they are.
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
    /// Whether texts in lists may be changed before they are names of pages.
    is_computed: bool,
    /// What the table is that is read, as its `type` says.
    table: Option<&'t str>,
    set: HashMap<&'t str, &'n [Keyed<'t>]>,
    /// Names that were followed, each once.
    followed: HashSet<&'t str>,
    list: PageList,
}

impl<'n, 't> Reading<'n, 't> {
    /// Sidebars that are each for the pages below an address leave out only what is there.
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
            // `sidebars satisfies SidebarsConfig`
            if std::mem::replace(&mut is_type, matches!(node, Node::Name("as" | "satisfies"))) {
                continue;
            }
            let is = |keys: &[&str]| key.is_some_and(|key| keys.contains(&key));
            match node {
                Node::Text(text) if is(FOLDERS) => self.list.push_folder(&bare(text)),
                Node::Text(text) if !is(LABELS) && !is(OTHERS) && may_be_path(text) => {
                    self.note(text, *key, base, is_listed);
                    let path = if base.is_empty() || !is(&["link"]) {
                        bare(text)
                    } else {
                        bare(&format!("{}/{}", base.trim_end_matches('/'), bare(text)))
                    };
                    self.list.push(&path);
                }
                Node::Name(name) if !KEYWORDS.contains(name) => self.follow(name, base, is_listed),
                Node::List(nodes) => self.read(nodes, base, true),
                Node::Table(nodes) => self.table(nodes, base, key.is_none() && is_listed),
                Node::Made => self.list.extent = Extent::Unknown,
                Node::Text(_) | Node::Name(_) => {}
            }
        }
    }

    /// Takes in what a text is known to name.
    fn note(&mut self, text: &'t str, key: Option<&str>, base: &str, is_listed: bool) {
        let names = match (self.kind, key, self.table) {
            (Kind::Docusaurus | Kind::Starlight, None, _) if is_listed && !self.is_computed => Names::Page,
            (Kind::Docusaurus, Some("id"), Some("doc" | "ref")) | (Kind::Starlight, Some("slug"), _) => {
                Names::Page
            }
            (Kind::Docusaurus, Some("href"), Some("link"))
            | (Kind::Starlight | Kind::Vitepress, Some("link"), _) => Names::Link,
            _ => return,
        };
        let start = text.as_ptr() as usize - self.program.as_ptr() as usize;
        let span = start..start + text.len();
        let is_based = self.kind == Kind::Vitepress && !base.is_empty();
        let target = if is_based {
            format!("/{}/{}", base.trim_matches('/'), text.trim_start_matches('/'))
        } else {
            text.to_string()
        };
        if self.is_whole(&span, key) && (names == Names::Page || is_from_root(&target)) {
            self.list.named.push(NamedTarget { names, target, span });
        }
    }

    /// Whether a text is the whole value of its key, or of a place in a list, and no part of an expression.
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
                // Beside a value, names are those of its type.
                let is_value = |node: &Keyed<'_>| !matches!(node.node, Node::Name(_));
                let values = nodes.iter().filter(|node| is_value(node)).count();
                for node in nodes.iter().filter(|node| values == 0 || is_value(node)) {
                    self.read(std::slice::from_ref(node), base, is_listed);
                }
            }
            Some(_) => {}
        }
    }

    /// Reads a table; `is_listed` says that it is in a list.
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
        // `{'Get started': ['a', 'b']}`
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
        if let Some(label) = text(LABELS).filter(|_| nodes.iter().any(is_items)) {
            self.list.name(label, start);
        }
    }
}

fn may_be_path(text: &str) -> bool {
    !text.is_empty() && !text.contains([' ', '{', '$', '\n']) && !text.contains("://")
}

fn bare(path: &str) -> String {
    path.trim_matches('/').to_string()
}
