//! Parses code line by line with the grammars' tables as syntect does, with the same operations on scopes in the same
//! order.
//!
//! Syntect searches for each pattern of a context in the rest of the line. Here, a chain of contexts shows which
//! patterns may match at a position, and only those are tried there. Patterns without a filter are searched for, as
//! in syntect, whose parser (`parsing/parser.rs`) is the source of every rule without another reference.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use onig::{MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};

use super::chain::{Chain, Item, Link, OTHER, Way, range};
use super::line::Line;
use super::record;
use super::tables::{Clear, Context, Exact, Groups as Known, Operation, Pattern, Span, Tables};

/// The grammars and their derived data, created on first use, for all threads.
pub(super) struct Grammars {
    pub tables: Tables<'static>,
    /// In the order of the tables. `None` if Oniguruma rejects a regex.
    regexes: Vec<OnceLock<Option<Regex>>>,
    /// The chain of each single context.
    chains: Vec<OnceLock<Box<Chain>>>,
    /// Other chains.
    mixed: RwLock<HashMap<Box<[Link]>, Arc<Chain>>>,
}

/// Maximum number of these chains. Beyond it, they are dropped. Grammars have a few dozen, and nesting adds more.
const MOST_MIXED: usize = 512;

pub(super) static GRAMMARS: LazyLock<Grammars> = LazyLock::new(|| {
    let tables: Tables<'static> = record::read(include_bytes!("../data/grammars.tables"));
    Grammars {
        regexes: tables.regexes.iter().map(|_| OnceLock::new()).collect(),
        chains: tables.contexts.iter().map(|_| OnceLock::new()).collect(),
        mixed: RwLock::default(),
        tables,
    }
});

/// A change of the stack of scopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    Push(u16),
    Pop(usize),
    Clear(Clear),
    Restore,
}

/// Maximum depth. Beyond it, syntect's rules depend on earlier operations in the line.
const DEEPEST: usize = 100;

/// Maximum number of matches at one position without progress. Beyond it, the grammar is in a loop.
const MOST_STANDING: usize = 1_000;

/// Why a line can't be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Syntect may parse it differently.
    Uncertain,
    /// The grammar is in a loop, in which syntect would also never finish.
    Endless,
}

/// The texts of a match's groups.
type Captures = Arc<[Option<Box<str>>]>;

/// The ranges of a match's groups, beginning with the complete match.
type Groups = Vec<Option<(usize, usize)>>;

/// Everything except its text on which the parsing of a line depends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    stack: Vec<Level>,
    is_first_line: bool,
    /// The levels from which on prototypes added by a pattern count, if not all of them do.
    prototype_starts: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Level {
    context: u32,
    /// Contexts that precede it and all levels above it.
    prototypes: Vec<u32>,
    /// The captures of the pattern that led here, if one of the contexts refers to them.
    captures: Option<Captures>,
}

impl State {
    pub(super) fn new(context: u32) -> Self {
        let start = Level { context, prototypes: Vec::new(), captures: None };
        Self { stack: vec![start], is_first_line: true, prototype_starts: Vec::new() }
    }

    /// Returns the approximate size in bytes.
    pub(super) fn size(&self) -> usize {
        64 * (1 + self.stack.len())
    }
}

/// The next matching pattern. Its groups are in the machine.
struct NextMatch {
    item: Item,
    start: usize,
    end: usize,
}

enum Next {
    Nothing,
    /// It would pop the context that was pushed at the same position.
    Loop,
    Pattern(NextMatch),
}

/// The data that a thread needs to parse lines.
#[derive(Default)]
pub(super) struct Machine {
    region: Region,
    line: Line,
    /// The next match in the line of patterns that are searched for, by number.
    searched: HashMap<u32, Option<Groups>>,
    /// Continues if the stack is too deep, without pushing more.
    is_rough: bool,
    /// Regexes with inserted captures.
    filled: HashMap<(u16, Captures), Option<Regex>>,
    /// Items without a match at the position of their first search.
    dead: Vec<usize>,
    /// The groups of the matching pattern. Empty if they aren't used.
    groups: Groups,
    /// The changes at groups, before they are sorted.
    of_groups: Vec<((usize, usize), Change)>,
}

/// Maximum number. Beyond it, they are dropped.
const MOST_FILLED: usize = 128;

impl Machine {
    /// Returns a machine that only determines whether a grammar finishes on code that is nested too deeply.
    pub(super) fn rough() -> Self {
        Self { is_rough: true, ..Self::default() }
    }

    /// Parses a line with its line end, and appends its changes of scopes, each with its position.
    pub(super) fn read(
        &mut self,
        state: &mut State,
        line: &str,
        changes: &mut Vec<(usize, Change)>,
    ) -> Result<(), Stop> {
        let tables = &GRAMMARS.tables;
        self.line.read(line);
        self.searched.clear();
        if std::mem::take(&mut state.is_first_line) {
            let context = &tables.contexts[state.top()?.context as usize];
            let first = tables.scope_lists[range(context.meta_content_scope)].first();
            changes.extend(first.map(|scope| (0, Change::Push(*scope))));
        }
        let mut at = 0;
        // Position of a push without progress, and depth of the stack at that time.
        let mut pushed = None;
        let mut chain = None;
        // Number of matches since the last progress.
        let mut standing = 0;
        loop {
            if state.stack.len() >= DEEPEST && !self.is_rough {
                return Err(Stop::Uncertain);
            }
            let may_loop = pushed == Some((at, state.stack.len()));
            let starts = state.prototype_starts.len();
            let depth = state.stack.len();
            while state.prototype_starts.pop_if(|start| *start >= depth).is_some() {}
            if state.prototype_starts.len() != starts {
                chain = None;
            }
            let here = match &chain {
                Some(chain) => chain,
                None => chain.insert(GRAMMARS.chain(state)?),
            };
            let found = match self.next(state, here, line, at, may_loop)? {
                Next::Nothing => return Ok(()),
                Next::Loop => match line[at..].char_indices().nth(1) {
                    Some((letter, _)) => {
                        at += letter;
                        continue;
                    }
                    None => return Ok(()),
                },
                Next::Pattern(found) => found,
            };
            if found.end <= at && found.item.operation == Operation::Push {
                pushed = Some((found.end, state.stack.len() + 1));
            }
            standing = if found.end > at { 0 } else { standing + 1 };
            if standing > MOST_STANDING {
                return Err(Stop::Endless);
            }
            at = found.end;
            if here.links[found.item.link].is_with_prototype {
                state.prototype_starts.push(state.stack.len());
                chain = None;
            }
            if found.item.operation != Operation::None {
                chain = None;
            }
            self.follow(state, line, &found, changes)?;
        }
    }

    /// Returns the pattern that matches first from `at` on. If several match at one position, the first one in the
    /// chain is returned.
    fn next(
        &mut self,
        state: &State,
        chain: &Chain,
        line: &str,
        at: usize,
        may_loop: bool,
    ) -> Result<Next, Stop> {
        let is_deep = state.stack.len() >= DEEPEST;
        let is_out = |item: &Item| is_deep && item.operation == Operation::Push;
        let loops = |item: &Item, end: usize| may_loop && end <= at && item.operation == Operation::Pop;
        let mut has_loop = false;
        let mut far: Option<(usize, usize, Groups)> = None;
        for &position in chain.searched.iter().filter(|position| !is_out(&chain.items[**position])) {
            let item = &chain.items[position];
            let Some(groups) = self.search(item, state, chain, line, at)? else { continue };
            let (start, end) = whole(&groups).ok_or(Stop::Uncertain)?;
            if loops(item, end) {
                has_loop = true;
            } else if far.as_ref().is_none_or(|(_, nearest, _)| start < *nearest) {
                far = Some((position, start, groups));
            }
        }
        let last = far.as_ref().map_or(line.len(), |(_, start, _)| *start);
        let all_groups = state.top()?.prototypes.iter().any(|context| uses_captures(*context));
        let words = &GRAMMARS.tables.words;
        self.dead.clear();
        for place in at..=last {
            if has_loop && place > at {
                break;
            }
            let (before, symbol) = (self.line.before(place), self.line.symbol(place));
            if !chain.may_begin(before, symbol) || symbol == OTHER && !line.is_char_boundary(place) {
                continue;
            }
            let mut asked = None;
            for way in chain.at(self.line.place(place, before)) {
                let way = &chain.ways[way];
                let item = &chain.items[way.item];
                if far.as_ref().is_some_and(|(first, start, _)| place == *start && way.item > *first) {
                    break;
                }
                if asked == Some(way.item)
                    || is_out(item)
                    || !self.line.has_all(way.required, place)
                    || way.words.length > 0 && !self.line.has_word(&words[range(way.words)], place)
                    || self.dead.contains(&way.item)
                {
                    continue;
                }
                asked = Some(way.item);
                let Some(end) = self.end(way, item, line, place, item.has_groups || all_groups)? else {
                    continue;
                };
                if end == place && item.operation == Operation::None {
                    self.dead.push(way.item);
                } else if loops(item, end) {
                    has_loop = true;
                } else {
                    return Ok(Next::Pattern(NextMatch { item: *item, start: place, end }));
                }
            }
        }
        Ok(match far {
            Some((position, start, groups)) if !has_loop || start == at => {
                let end = whole(&groups).map_or(start, |(_, end)| end);
                self.groups = groups;
                Next::Pattern(NextMatch { item: chain.items[position], start, end })
            }
            _ if has_loop => Next::Loop,
            _ => Next::Nothing,
        })
    }

    /// Returns the end of the match of a pattern at a position at which one of its ways may begin. Its groups are
    /// stored if they are needed.
    fn end(
        &mut self,
        way: &Way,
        item: &Item,
        line: &str,
        place: usize,
        needs_groups: bool,
    ) -> Result<Option<usize>, Stop> {
        self.groups.clear();
        let exact = way.exact.filter(|exact| !needs_groups || exact.groups != Known::Unknown);
        let Some(Exact { length, groups: known }) = exact else {
            let end = self.ask(item, line, place, needs_groups)?;
            if needs_groups && end.is_some() {
                self.groups.extend(groups(&self.region));
            }
            return Ok(end);
        };
        let end = place + usize::from(length);
        let count = if known == Known::Whole { 2 } else { 1 };
        self.groups.extend((0..count).map(|_| Some((place, end))));
        Ok(Some(end))
    }

    /// Returns the end of the match of a pattern at a position.
    fn ask(&mut self, item: &Item, line: &str, at: usize, groups: bool) -> Result<Option<usize>, Stop> {
        let regex = GRAMMARS.regex(item.regex)?;
        let region = groups.then_some(&mut self.region);
        let none = SearchOptions::SEARCH_OPTION_NONE;
        let found = regex.match_with_param(line, at, none, region, MatchParam::default());
        // An error means that a limit was reached, which syntect counts for the complete search.
        found.map(|length| length.map(|length| at + length)).map_err(|_| Stop::Uncertain)
    }

    /// Returns the next match of a pattern without a filter. As in syntect, a pattern that isn't found in a line
    /// isn't searched for again in that line.
    fn search(
        &mut self,
        item: &Item,
        state: &State,
        chain: &Chain,
        line: &str,
        at: usize,
    ) -> Result<Option<Groups>, Stop> {
        match self.searched.get(&item.pattern) {
            Some(None) => return Ok(None),
            Some(Some(groups)) if whole(groups).is_some_and(|(start, _)| start >= at) => {
                return Ok(Some(groups.clone()));
            }
            _ => {}
        }
        let refers = GRAMMARS.tables.patterns[item.pattern as usize].refers;
        let (none, param) = (SearchOptions::SEARCH_OPTION_NONE, MatchParam::default());
        let (to, region) = (line.len(), Some(&mut self.region));
        let captures = if refers { state.captures(item.link, chain) } else { None };
        let found = match captures {
            Some(captures) => filled(&mut self.filled, item.regex, captures)?
                .search_with_param(line, at, to, none, region, param),
            None => GRAMMARS.regex(item.regex)?.search_with_param(line, at, to, none, region, param),
        };
        let groups = matches!(found, Ok(Some(_))).then(|| groups(&self.region).collect::<Groups>());
        let is_empty = |groups: &Groups| whole(groups).is_none_or(|(start, end)| start == end);
        let does_nothing = item.operation == Operation::None && groups.as_ref().is_some_and(is_empty);
        if does_nothing {
            return Ok(None);
        }
        if captures.is_none() {
            self.searched.insert(item.pattern, groups.clone());
        }
        Ok(groups)
    }
}

/// A chain of one context or of several.
enum InUse {
    Alone(&'static Chain),
    Mixed(Arc<Chain>),
}

impl Deref for InUse {
    type Target = Chain;

    fn deref(&self) -> &Chain {
        match self {
            Self::Alone(chain) => chain,
            Self::Mixed(chain) => chain,
        }
    }
}

impl Grammars {
    fn regex(&self, number: u16) -> Result<&Regex, Stop> {
        let number = usize::from(number);
        let regex = self.regexes[number].get_or_init(|| compiled(self.tables.regexes[number]));
        regex.as_ref().ok_or(Stop::Uncertain)
    }

    /// Returns the chain for the top of a stack: prototypes that patterns added, from the bottom to the top, the
    /// prototype of the top's grammar, and the context itself.
    fn chain(&'static self, state: &State) -> Result<InUse, Stop> {
        let top = state.top()?.context;
        let own = || {
            let prototype = self.tables.contexts[top as usize].prototype;
            let contexts = prototype.into_iter().chain([top]);
            contexts.map(|context| Link { context, is_with_prototype: false })
        };
        if state.in_front().next().is_none() {
            let new = || Box::new(Chain::new(&self.tables, &own().collect::<Vec<_>>()));
            return Ok(InUse::Alone(self.chains[top as usize].get_or_init(new)));
        }
        let in_front = state.in_front().map(|(_, context)| Link { context, is_with_prototype: true });
        let links: Box<[Link]> = in_front.chain(own()).collect();
        let known = self.mixed.read().unwrap_or_else(PoisonError::into_inner).get(&links).cloned();
        Ok(InUse::Mixed(known.unwrap_or_else(|| {
            let chain = Arc::new(Chain::new(&self.tables, &links));
            let mut mixed = self.mixed.write().unwrap_or_else(PoisonError::into_inner);
            if mixed.len() >= MOST_MIXED {
                mixed.clear();
            }
            mixed.entry(links).or_insert(chain).clone()
        })))
    }
}

impl State {
    fn top(&self) -> Result<&Level, Stop> {
        self.stack.last().ok_or(Stop::Uncertain)
    }

    /// Returns the contexts that patterns added before others, each with its level.
    fn in_front(&self) -> impl Iterator<Item = (&Level, u32)> {
        let from = self.prototype_starts.last().copied().unwrap_or(0);
        let levels = self.stack.get(from..).unwrap_or_default().iter();
        levels.flat_map(|level| level.prototypes.iter().map(move |context| (level, *context)))
    }

    /// Returns the captures to which the patterns of a chain's link may refer. The last link is the top of the stack.
    /// The link before it may be its prototype, which has no captures.
    fn captures(&self, link: usize, chain: &Chain) -> Option<&Captures> {
        let is_last = link + 1 == chain.links.len();
        let level =
            if is_last { self.stack.last() } else { self.in_front().nth(link).map(|(level, _)| level) };
        level?.captures.as_ref()
    }
}

impl Machine {
    /// Performs the operation of a pattern.
    fn follow(
        &mut self,
        state: &mut State,
        line: &str,
        found: &NextMatch,
        changes: &mut Vec<(usize, Change)>,
    ) -> Result<(), Stop> {
        let tables = &GRAMMARS.tables;
        let pattern = &tables.patterns[found.item.pattern as usize];
        let context = &tables.contexts[state.top()?.context as usize];
        before_token(context, pattern, found.start, changes);
        changes.extend(scopes(pattern.scopes).map(|scope| (found.start, Change::Push(scope))));
        self.of_groups(pattern, changes);
        pop(pattern.scopes.length, found.end, changes);
        behind_token(context, pattern, found.end, changes);
        let kept = match pattern.operation {
            Operation::None => return Ok(()),
            Operation::Pop | Operation::Set => state.stack.pop(),
            Operation::Push => None,
        };
        // Prototypes stay if a context replaces another.
        let mut kept = kept.map(|level| level.prototypes).unwrap_or_default();
        let targets = &tables.targets[range(pattern.targets)];
        for (position, &context) in targets.iter().enumerate() {
            let mut prototypes = std::mem::take(&mut kept);
            if position + 1 == targets.len() {
                prototypes.extend(pattern.with_prototype);
            }
            let uses = uses_captures(context) || prototypes.iter().any(|context| uses_captures(*context));
            let text =
                |group: &Option<(usize, usize)>| group.map(|(start, end)| Box::from(&line[start..end]));
            let captures = uses.then(|| self.groups.iter().map(text).collect());
            state.stack.push(Level { context, prototypes, captures });
        }
        Ok(())
    }

    /// Adds the scopes of groups, beginning with the outer ones.
    fn of_groups(&mut self, pattern: &Pattern, changes: &mut Vec<(usize, Change)>) {
        let captures = &GRAMMARS.tables.captures[range(pattern.captures)];
        if captures.is_empty() {
            return;
        }
        self.of_groups.clear();
        for capture in captures {
            let group = self.groups.get(usize::from(capture.group)).copied().flatten();
            let Some((start, end)) = group.filter(|(start, end)| start < end) else { continue };
            // Ends come first, then the longest ranges.
            let key = (start, usize::MAX - (end - start));
            self.of_groups.extend(scopes(capture.scopes).map(|scope| (key, Change::Push(scope))));
            self.of_groups.push(((end, 0), Change::Pop(usize::from(capture.scopes.length))));
        }
        self.of_groups.sort_by_key(|(key, _)| *key);
        changes.extend(self.of_groups.drain(..).map(|((at, _), change)| (at, change)));
    }
}

/// Adds the scopes of pushed contexts, which begin with the token that leads there.
fn before_token(context: &Context, pattern: &Pattern, at: usize, changes: &mut Vec<(usize, Change)>) {
    let tables = &GRAMMARS.tables;
    match pattern.operation {
        Operation::None => {}
        Operation::Pop => pop(context.meta_content_scope.length, at, changes),
        Operation::Push | Operation::Set => {
            let is_set = pattern.operation == Operation::Set;
            if is_set && context.clear_scopes.is_some() {
                changes.push((at, Change::Restore));
            }
            for &target in &tables.targets[range(pattern.targets)] {
                let target = &tables.contexts[target as usize];
                let clear = target.clear_scopes.filter(|_| !is_set);
                changes.extend(clear.map(|clear| (at, Change::Clear(clear))));
                changes.extend(scopes(target.meta_scope).map(|scope| (at, Change::Push(scope))));
            }
        }
    }
}

fn behind_token(context: &Context, pattern: &Pattern, at: usize, changes: &mut Vec<(usize, Change)>) {
    let tables = &GRAMMARS.tables;
    let is_set = match pattern.operation {
        Operation::None => return,
        Operation::Pop => {
            pop(context.meta_scope.length, at, changes);
            if context.clear_scopes.is_some() {
                changes.push((at, Change::Restore));
            }
            return;
        }
        Operation::Push => false,
        Operation::Set => true,
    };
    let targets = &tables.targets[range(pattern.targets)];
    let targets = || targets.iter().map(|target| &tables.contexts[*target as usize]);
    let of_context = context.meta_scope.length + context.meta_content_scope.length;
    let pushes_again = is_set && of_context > 0
        || targets().any(|to| to.meta_content_scope.length > 0 || is_set && to.clear_scopes.is_some());
    if !pushes_again {
        return;
    }
    // The scopes of the contexts are pushed again, so that each is followed by those of its content.
    let of_targets: u16 = targets().map(|to| to.meta_scope.length).sum();
    pop(of_targets + if is_set { of_context } else { 0 }, at, changes);
    for to in targets() {
        let clear = to.clear_scopes.filter(|_| is_set);
        changes.extend(clear.map(|clear| (at, Change::Clear(clear))));
        let all = scopes(to.meta_scope).chain(scopes(to.meta_content_scope));
        changes.extend(all.map(|scope| (at, Change::Push(scope))));
    }
}

fn pop(count: u16, at: usize, changes: &mut Vec<(usize, Change)>) {
    if count > 0 {
        changes.push((at, Change::Pop(usize::from(count))));
    }
}

fn scopes(span: Span) -> impl Iterator<Item = u16> {
    GRAMMARS.tables.scope_lists[range(span)].iter().copied()
}

fn uses_captures(context: u32) -> bool {
    GRAMMARS.tables.contexts[context as usize].uses_captures
}

fn groups(region: &Region) -> impl Iterator<Item = Option<(usize, usize)>> {
    (0..region.len()).map(|group| region.pos(group))
}

fn whole(groups: &Groups) -> Option<(usize, usize)> {
    groups.first().copied().flatten()
}

fn compiled(regex: &str) -> Option<Regex> {
    // Same as in syntect.
    Regex::with_options(regex, RegexOptions::REGEX_OPTION_CAPTURE_GROUP, Syntax::default()).ok()
}

/// Returns a regex with inserted captures, compiled on first use.
fn filled<'r>(
    known: &'r mut HashMap<(u16, Captures), Option<Regex>>,
    regex: u16,
    captures: &Captures,
) -> Result<&'r Regex, Stop> {
    if known.len() > MOST_FILLED {
        known.clear();
    }
    let new = || compiled(&with_captures(GRAMMARS.tables.regexes[usize::from(regex)], captures));
    known.entry((regex, captures.clone())).or_insert_with(new).as_ref().ok_or(Stop::Uncertain)
}

/// Replaces `\1` and similar references in a regex with the texts of groups.
fn with_captures(regex: &str, captures: &[Option<Box<str>>]) -> String {
    let mut filled = String::with_capacity(regex.len());
    let mut letters = regex.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            filled.push(letter);
            continue;
        }
        match letters.next() {
            Some(digit @ '0'..='9') => {
                let group = captures.get(digit as usize - '0' as usize).and_then(Option::as_ref);
                filled.extend(group.map(|text| regex_syntax::escape(text)));
            }
            Some(other) => filled.extend(['\\', other]),
            None => filled.push('\\'),
        }
    }
    filled
}
