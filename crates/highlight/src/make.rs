//! Generates the files in `data/` from the grammars of the languages that tutorials show.

mod filter;

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::path::Path;
use std::{env, fs};

use serde::Serialize;
use syntect::parsing::syntax_definition::{
    Context as Definition, ContextReference, MatchOperation, MatchPattern, Pattern as Part, SyntaxDefinition,
};
use syntect::parsing::{ClearAmount, Scope, SyntaxSet, SyntaxSetBuilder};

use self::filter::Sets;
use crate::tables::{
    CODE_AGAIN, Capture, Clear, Context, Filter, Grammar, NO_CLASS, Operation, Pattern, Set, Span, Step,
    Tables, longer, word_bit,
};
use crate::{classes, record};

/// The grammars to ship, by two-face's names. Grammars that they embed are included. Those that tutorials don't show
/// (logs, system files, editor output) would only make the dump larger and slower to load.
#[rustfmt::skip] // A list of names reads better in paragraphs.
const GRAMMARS: &[&str] = &[
    "AWK", "Batch File", "Bourne Again Shell (bash)", "C", "C#", "C++", "CMake", "CSS", "Clojure",
    "CoffeeScript", "Crystal", "D", "Dart", "Diff", "Dockerfile", "DotENV", "Elixir", "Elm", "Erlang", "F#",
    "Fish", "GLSL", "Git Ignore", "Go", "Gomod", "GraphQL", "Graphviz (DOT)", "Groovy", "HTML",
    "HTTP Request and Response", "Haskell", "INI", "JSON", "Java", "Java Properties", "JavaScript",
    "JavaScript (Babel)", "Jinja2", "JQ", "Julia", "Kotlin", "LaTeX", "Less", "Lisp", "Lua", "Makefile",
    "Markdown", "Nim", "Nix", "OCaml", "Objective-C", "Objective-C++", "PHP", "Pascal", "Perl",
    "Plain Text", "PowerShell", "Protocol Buffer", "Puppet", "PureScript", "Python", "R", "Racket",
    "Regular Expression", "Requirements.txt", "Ruby", "Rust", "SCSS", "SQL", "Sass", "Scala", "Solidity",
    "Stylus", "Svelte", "Swift", "TOML", "TeX", "Terraform", "TypeScript", "TypeScriptReact", "VimL",
    "Vue Component", "WGSL", "XML", "YAML", "Zig", "nginx", "reStructuredText",
];

/// Returns the files in `data/`, by name.
fn files() -> [(&'static str, Vec<u8>); 4] {
    let all = two_face::syntax::extra_newlines().into_builder();
    let included = with_embedded(all.syntaxes());
    // Grammars refer to each other by position, so omitted ones are replaced by empty ones.
    let mut lean = SyntaxSetBuilder::new();
    for (position, grammar) in all.syntaxes().iter().enumerate() {
        lean.add(if included.contains(&position) { grammar.clone() } else { empty(grammar) });
    }
    let lean = lean.build();
    let flat = Flattened::of(&lean);
    let (tables, scopes) = (record::written(&flat.tables()), flat.scopes.values.join("\n"));
    // syntect writes uncompressed dumps only to files.
    let file = tempfile::NamedTempFile::new().expect("there is a folder for temporary files");
    syntect::dumps::dump_to_uncompressed_file(&lean, file.path()).expect("it is writable");
    let dump = fs::read(file.path()).expect("it was just written");
    let tokens = tokens(&lean).into_bytes();
    [
        ("grammars.tables", tables),
        ("scopes.txt", scopes.into()),
        ("grammars.bin", dump),
        ("tokens.rs", tokens),
    ]
}

#[test]
fn the_data_is_made_from_the_grammars() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    for (name, made) in files() {
        let file = folder.join(name);
        if env::var_os("STEPKIN_RENEW").is_some() {
            fs::write(&file, made).expect("the folder is ours");
        } else {
            let is_same = fs::read(&file).is_ok_and(|checked_in| checked_in == made);
            assert!(
                is_same,
                "data/{name} differs from the grammars: see `Where the tables come from` in lib.rs"
            );
        }
    }
}

/// Returns the positions of [`GRAMMARS`] and all that they embed.
fn with_embedded(all: &[SyntaxDefinition]) -> BTreeSet<usize> {
    let position = |name: &str| {
        let found = all.iter().position(|grammar| grammar.name == name);
        found.unwrap_or_else(|| panic!("two-face has no grammar `{name}`"))
    };
    let mut kept = BTreeSet::new();
    let mut waiting: Vec<usize> = GRAMMARS.iter().map(|name| position(name)).collect();
    while let Some(position) = waiting.pop() {
        if kept.insert(position) {
            // The positions are private in syntect, but its serialized form contains them.
            let definition = serde_json::to_value(&all[position]).expect("a definition is plain data");
            embedded_in(&definition, &mut waiting);
        }
    }
    kept
}

fn embedded_in(value: &serde_json::Value, found: &mut Vec<usize>) {
    match value {
        serde_json::Value::Object(fields) => {
            let position = fields.get("syntax_index").and_then(serde_json::Value::as_u64);
            found.extend(position.and_then(|position| usize::try_from(position).ok()));
            fields.values().for_each(|value| embedded_in(value, found));
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| embedded_in(value, found)),
        _ => {}
    }
}

fn empty(grammar: &SyntaxDefinition) -> SyntaxDefinition {
    SyntaxDefinition {
        name: grammar.name.clone(),
        file_extensions: Vec::new(),
        scope: grammar.scope,
        first_line_match: None,
        hidden: true,
        variables: HashMap::new(),
        contexts: HashMap::from([("main".to_string(), Definition::new(false))]),
    }
}

/// Returns the sorted lower-case names of grammars as a Rust list, so that lookups don't load the tables.
fn tokens(grammars: &SyntaxSet) -> String {
    let visible = grammars.syntaxes().iter().filter(|grammar| !grammar.hidden);
    let tokens: BTreeSet<String> = visible
        .flat_map(|grammar| grammar.file_extensions.iter().chain([&grammar.name]))
        .map(|token| token.to_lowercase())
        .collect();
    format!("&{:#?}\n", tokens.into_iter().collect::<Vec<_>>())
}

/// Distinct values by number.
struct Numbered<T> {
    values: Vec<T>,
    numbers: HashMap<T, u16>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { values: Vec::new(), numbers: HashMap::new() }
    }

    fn number(&mut self, value: &T) -> u16 {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        let number = u16::try_from(self.values.len()).expect("there are some thousands");
        self.values.push(value.clone());
        self.numbers.insert(value.clone(), number);
        number
    }
}

/// The grammars before they are converted to tables.
struct Flattened {
    grammars: Vec<SyntaxDefinition>,
    /// The number of each grammar's first context.
    firsts: Vec<u32>,
    scopes: Numbered<String>,
    regexes: Numbered<String>,
    sets: Numbered<Set>,
    words: Vec<u64>,
    ways: Vec<Span>,
    filters: Vec<Filter>,
    contexts: Vec<Context>,
    patterns: Vec<Pattern>,
    steps: Vec<Step>,
    scope_lists: Vec<u16>,
    captures: Vec<Capture>,
    targets: Vec<u32>,
}

impl Flattened {
    fn of(set: &SyntaxSet) -> Self {
        let grammars = set.clone().into_builder().syntaxes().to_vec();
        let mut firsts = Vec::new();
        let mut count = 0;
        for grammar in &grammars {
            firsts.push(count);
            count += number(grammar.contexts.len());
        }
        let mut flat = Self {
            grammars: Vec::new(),
            firsts,
            scopes: Numbered::new(),
            regexes: Numbered::new(),
            sets: Numbered::new(),
            words: Vec::new(),
            ways: Vec::new(),
            filters: Vec::new(),
            contexts: Vec::new(),
            patterns: Vec::new(),
            steps: Vec::new(),
            scope_lists: Vec::new(),
            captures: Vec::new(),
            targets: Vec::new(),
        };
        for grammar in &grammars {
            for (_, context) in sorted(grammar) {
                let context = flat.context(context);
                flat.contexts.push(context);
            }
        }
        flat.grammars = grammars;
        flat
    }

    fn tables(&self) -> Tables<'_> {
        let shown = self.grammars.iter().zip(&self.firsts).filter(|(grammar, _)| !grammar.hidden);
        let grammars = shown.filter_map(|(grammar, first)| {
            // The context at the start of a file. Omitted grammars have none.
            let start = sorted(grammar).iter().position(|(name, _)| *name == "__start")?;
            let endings = grammar.file_extensions.iter().map(String::as_str).collect();
            Some(Grammar { name: &grammar.name, endings, start: first + number(start) })
        });
        Tables {
            grammars: grammars.collect(),
            classes: self.scopes.values.iter().map(|scope| class(scope)).collect(),
            contexts: self.contexts.clone(),
            patterns: self.patterns.clone(),
            regexes: self.regexes.values.iter().map(String::as_str).collect(),
            ways: self.ways.clone(),
            filters: self.filters.clone(),
            sets: self.sets.values.clone(),
            words: self.words.clone(),
            steps: self.steps.clone(),
            scope_lists: self.scope_lists.clone(),
            captures: self.captures.clone(),
            targets: self.targets.clone(),
        }
    }

    fn context(&mut self, context: &Definition) -> Context {
        let mut steps = Vec::new();
        for part in &context.patterns {
            match part {
                Part::Match(pattern) => {
                    let pattern = self.pattern(pattern);
                    steps.push(Step::Match(number(self.patterns.len())));
                    self.patterns.push(pattern);
                }
                // Syntect skips includes that it can't find.
                Part::Include(to) => steps.extend(self.target(to).map(Step::Include)),
            }
        }
        Context {
            meta_scope: self.scope_list(&context.meta_scope),
            meta_content_scope: self.scope_list(&context.meta_content_scope),
            clear_scopes: context.clear_scopes.map(|amount| match amount {
                ClearAmount::TopN(count) => Clear::Top(u16::try_from(count).expect("a few")),
                ClearAmount::All => Clear::All,
            }),
            prototype: context.prototype.as_ref().map(|id| self.position(id)),
            uses_captures: context.uses_backrefs,
            steps: pooled(&mut self.steps, steps),
        }
    }

    fn pattern(&mut self, pattern: &MatchPattern) -> Pattern {
        let (operation, targets) = match &pattern.operation {
            MatchOperation::None => (Operation::None, &[][..]),
            MatchOperation::Pop => (Operation::Pop, &[][..]),
            MatchOperation::Push(targets) => (Operation::Push, &targets[..]),
            MatchOperation::Set(targets) => (Operation::Set, &targets[..]),
        };
        let found = |to: &ContextReference| self.target(to).expect("the grammar that it leads to is shipped");
        let targets: Vec<u32> = targets.iter().map(found).collect();
        let with_prototype = pattern.with_prototype.as_ref().map(found);
        let captures: Vec<Capture> = pattern
            .captures
            .iter()
            .flatten()
            .map(|(group, scopes)| Capture {
                group: u16::try_from(*group).expect("a few"),
                scopes: self.scope_list(scopes),
            })
            .collect();
        Pattern {
            regex: self.regex(pattern.regex.regex_str()),
            refers: pattern.has_captures,
            scopes: self.scope_list(&pattern.scope),
            captures: pooled(&mut self.captures, captures),
            operation,
            targets: pooled(&mut self.targets, targets),
            with_prototype,
        }
    }

    fn regex(&mut self, regex: &str) -> u16 {
        let number = self.regexes.number(&regex.to_string());
        if usize::from(number) == self.ways.len() {
            let (sets, words) = (&mut self.sets, &mut self.words);
            let mut number = |set: Set| sets.number(&set);
            let mut filter = |sets: Sets| Filter {
                before: number(sets.before),
                first: sets.first.map(&mut number),
                next: sets.next.map(&mut number),
                behind_word: number(sets.behind_word),
                behind_blanks: number(sets.behind_blanks),
                required: number(sets.required),
                exact: sets.exact,
                words: pooled(words, word_bits(&sets.words)),
            };
            let ways = filter::ways(regex).unwrap_or_default();
            let ways = pooled(&mut self.filters, ways.into_iter().map(&mut filter).collect());
            self.ways.push(ways);
        }
        number
    }

    fn scope_list(&mut self, scopes: &[Scope]) -> Span {
        let numbers = scopes.iter().map(|scope| self.scopes.number(&scope.build_string())).collect();
        pooled(&mut self.scope_lists, numbers)
    }

    fn target(&self, to: &ContextReference) -> Option<u32> {
        to.id().ok().map(|id| self.position(&id))
    }

    /// Syntect numbers the contexts of a grammar by name. Its numbers are private, but its serialized form contains
    /// them.
    fn position(&self, id: &impl Serialize) -> u32 {
        let id = serde_json::to_value(id).expect("it is plain data");
        let field = |name: &str| usize::try_from(id[name].as_u64().expect("it is a number")).expect("a few");
        self.firsts[field("syntax_index")] + number(field("context_index"))
    }
}

/// Returns the contexts of a grammar in syntect's order.
fn sorted(grammar: &SyntaxDefinition) -> Vec<(&str, &Definition)> {
    let mut contexts: Vec<_> =
        grammar.contexts.iter().map(|(name, context)| (name.as_str(), context)).collect();
    contexts.sort_unstable_by_key(|(name, _)| *name);
    contexts
}

fn pooled<T>(pool: &mut Vec<T>, values: Vec<T>) -> Span {
    let span = Span { start: number(pool.len()), length: u16::try_from(values.len()).expect("a few") };
    pool.extend(values);
    span
}

/// Uses enough bits that most of them are zero.
fn word_bits(words: &BTreeSet<Vec<u8>>) -> Vec<u64> {
    if words.is_empty() {
        return Vec::new();
    }
    let mut bits = vec![0; (words.len() * 8).next_power_of_two().max(64) / 64];
    for word in words {
        let key = word.iter().fold(0, |key, letter| longer(key, *letter));
        let bit = word_bit(key, bits.len() * 64);
        bits[bit / 64] |= 1 << (bit % 64);
    }
    bits
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("there are some thousands")
}

fn class(scope: &str) -> u8 {
    if classes::is_code_again(scope) {
        return CODE_AGAIN;
    }
    let position = classes::position(scope);
    position.map_or(NO_CLASS, |position| u8::try_from(position + 2).expect("there are a few classes"))
}
