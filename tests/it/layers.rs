//! The program has seven rooms: no room uses a later one, and files don't use each other in cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// A module by its path, which starts with its room: `["base", "store", "table"]`.
type Module = Vec<String>;

/// The modules of the program, each with the modules that it uses.
struct House {
    /// The rooms in the order of `lib.rs`.
    rooms: Vec<String>,
    uses: BTreeMap<Module, BTreeSet<Module>>,
}

/// Returns the code of a file without its tests and comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.find("//").map_or(line, |comment| &line[..comment]));
    lines.collect::<Vec<_>>().join("\n")
}

/// Collects the paths in a tree of `use`: `a::{b, c::d}` gives `a::b` and `a::c::d`.
fn flatten(tree: &str, before: &[&str], paths: &mut Vec<Module>) {
    let owned = |end: &str| before.iter().copied().chain(end.split("::")).map(str::to_string).collect();
    let Some((prefix, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        return paths.push(owned(path));
    };
    let prefix: Vec<&str> = before.iter().copied().chain(prefix.trim_end_matches("::").split("::")).collect();
    let (mut depth, mut start) = (0, 0);
    let group = &group[..group.rfind('}').unwrap_or_else(|| panic!("a group that ends: {tree}"))];
    for (at, letter) in group.char_indices().chain([(group.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let item = group[start..at].trim();
                if !item.is_empty() {
                    flatten(item, &prefix, paths);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// Whether a text is `pub` or `pub(…)`, and nothing else.
fn is_visibility(text: &str) -> bool {
    text == "pub" || text.starts_with("pub(") && text.find(')') == Some(text.len() - 1)
}

/// Returns every path of the crate in some code, in `use` and elsewhere, as written.
fn paths(code: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        match statement.trim_start().trim_start_matches(['}', '\n', ' ']).split_once("use ") {
            // Texts contain the word too, and names in braces after it.
            Some((before, tree))
                if tree.starts_with(char::is_alphabetic)
                    && (before.trim().is_empty() || is_visibility(before.trim())) =>
            {
                let tree = tree.trim_end_matches(';').split_whitespace().collect::<Vec<_>>().join(" ");
                flatten(&tree, &[], &mut paths);
            }
            _ => rest.push_str(statement),
        }
    }
    for start in ["crate::", "super::", "self::", "base::", "input::", "markup::", "site::", "review::"] {
        for (at, _) in rest.match_indices(start) {
            if !rest[..at].ends_with(|before: char| before.is_alphanumeric() || "_:$".contains(before)) {
                let path = rest[at..].split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next();
                paths.push(path.unwrap_or_default().split("::").map(str::to_string).collect());
            }
        }
    }
    paths
}

/// The rooms that are separate crates.
const CRATES: [&str; 5] = ["base", "input", "markup", "site", "review"];

/// Returns a path that starts with its room, or `None` for a path in another project's crate.
fn absolute(path: &[String], module: &[String]) -> Option<Module> {
    let own = CRATES.iter().position(|name| *name == module[0]);
    let room = &module[..usize::from(own.is_some())];
    let first = path.first()?.as_str();
    // A module may have the name of a crate that this one can't use.
    let is_crate = CRATES[..own.unwrap_or(CRATES.len())].contains(&first);
    let mut base = match first {
        "crate" => room.to_vec(),
        "self" | "super" => module.to_vec(),
        _ if is_crate => vec![first.to_string()],
        _ => return None,
    };
    let mut path = path.iter().skip(usize::from(first != "super")).peekable();
    while path.next_if(|part| *part == "super").is_some() {
        base.pop();
    }
    base.extend(path.cloned());
    Some(base)
}

impl House {
    fn read() -> Self {
        let texts: BTreeMap<Module, String> = sources()
            .map(|(module, file)| (module, code(&std::fs::read_to_string(&file).expect("a file"))))
            .collect();
        let rooms = |library: &str| {
            let rooms = texts[&vec![library.to_string()]].lines();
            let room = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_string());
            rooms.filter_map(room).collect::<Vec<_>>()
        };
        let rooms = CRATES.into_iter().map(str::to_string).chain(rooms("lib")).collect();
        let modules = texts.iter().filter(|(module, _)| !["lib", "main"].contains(&module[0].as_str()));
        let mut named = BTreeMap::new();
        for (module, text) in modules {
            let absolute = paths(text).into_iter().filter_map(|path| absolute(&path, module));
            named.insert(module.clone(), absolute.collect::<Vec<_>>());
        }
        let used = |module: &Module| {
            let found = named[module].iter().filter_map(|path| definer(path, &named, 0));
            found.filter(|other| other != module).collect()
        };
        Self { rooms, uses: named.keys().map(|module| (module.clone(), used(module))).collect() }
    }

    fn room(&self, module: &Module) -> usize {
        self.rooms.iter().position(|room| *room == module[0]).expect("a room of `lib.rs`")
    }

    /// Returns the files that a file uses. Uses between a module and its submodules don't count.
    fn neighbors<'h>(&'h self, module: &'h Module) -> impl Iterator<Item = &'h Module> {
        self.uses[module].iter().filter(move |other| !module.starts_with(other) && !other.starts_with(module))
    }

    /// Returns the files of a cycle that contains a file, each with the others that it uses. Empty if there is none.
    fn circle(&self, from: &Module) -> Vec<String> {
        let reach = |start: &Module| {
            let (mut seen, mut next) = (BTreeSet::new(), vec![start.clone()]);
            while let Some(module) = next.pop() {
                next.extend(self.neighbors(&module).filter(|other| seen.insert((*other).clone())).cloned());
            }
            seen
        };
        let forward = reach(from);
        if !forward.contains(from) {
            return Vec::new();
        }
        let members: BTreeSet<Module> = forward.into_iter().filter(|it| reach(it).contains(from)).collect();
        let line = |module: &Module| {
            let uses = self.neighbors(module).filter(|other| members.contains(*other));
            format!("{} -> {}", module.join("/"), uses.map(|it| it.join("/")).collect::<Vec<_>>().join(", "))
        };
        members.iter().map(line).collect()
    }
}

/// Returns the module that defines a path: the longest module in it, or the one from which it is re-exported.
fn definer(path: &[String], named: &BTreeMap<Module, Vec<Module>>, depth: usize) -> Option<Module> {
    let module = (1..=path.len()).rev().map(|end| path[..end].to_vec()).find(|it| named.contains_key(it))?;
    let Some(name) = path.get(module.len()).filter(|_| depth < 4) else { return Some(module) };
    let is_handed_on =
        |it: &&Module| it.len() > module.len() + 1 && it.starts_with(&module) && it.last() == Some(name);
    match named[&module].iter().find(is_handed_on) {
        Some(from) => definer(from, named, depth + 1),
        None => Some(module),
    }
}

/// Returns the files of the program with their modules.
fn sources() -> impl Iterator<Item = (Module, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = [(None, root.join("src"))];
    let crates = CRATES.map(|name| (Some(name), root.join("crates").join(name).join("src")));
    program.into_iter().chain(crates).flat_map(|(room, source)| {
        let files = WalkDir::new(&source).into_iter().map(|entry| entry.expect("a file").into_path());
        let code = files.filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
        let named = code.map(|file| {
            let path = file.strip_prefix(&source).expect("it is below").with_extension("");
            let parts = path.iter().map(|part| part.to_str().expect("a plain name"));
            let parts = parts.filter(|part| room.is_none() || *part != "lib");
            (room.into_iter().chain(parts).map(str::to_string).collect(), file)
        });
        named.collect::<Vec<_>>()
    })
}

#[test]
fn no_room_uses_one_below_it() {
    let house = House::read();
    let arrows = house.uses.iter().flat_map(|(module, uses)| uses.iter().map(move |other| (module, other)));
    assert!(house.rooms.len() <= 7 && arrows.clone().count() > 1000, "{:?}", house.rooms);
    let wrong: Vec<_> = arrows.filter(|(module, other)| house.room(other) > house.room(module)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let house = House::read();
    let circles: BTreeSet<Vec<String>> = house.uses.keys().map(|module| house.circle(module)).collect();
    let circles: Vec<_> = circles.into_iter().filter(|circle| !circle.is_empty()).collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

/// Each command has its own `Arguments`.
const SHARED_NAMES: [&str; 1] = ["Arguments"];

#[test]
fn no_two_public_types_share_a_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, file) in sources() {
        let text = std::fs::read_to_string(&file).expect("a file");
        for line in code(&text).lines().map(str::trim_start).filter(|line| line.starts_with("pub")) {
            let mut words = line
                .split([' ', '<', ';', '{', '(', ':'])
                .skip_while(|word| !["struct", "enum", "type", "trait"].contains(word));
            if let (Some(_), Some(name)) = (words.next(), words.next()) {
                places.entry(name.to_string()).or_default().push(file.display().to_string());
            }
        }
    }
    assert!(places.len() > 300, "{} types", places.len());
    places.retain(|name, places| places.len() > 1 && !SHARED_NAMES.contains(&name.as_str()));
    assert!(places.is_empty(), "{places:#?}");
}

/// Fails for code that contains one of these texts, outside the module `except`.
fn check_no_code_has(texts: &[&str], except: &str, instead: &str) {
    let except: Vec<&str> = except.split('/').collect();
    for (_, path) in sources().filter(|(module, path)| {
        !module.iter().map(String::as_str).collect::<Vec<_>>().starts_with(&except)
            && !path.ends_with("tests.rs")
    }) {
        let text = std::fs::read_to_string(&path).expect("sources are readable");
        let is_whole =
            |line: &str, at: usize| !line[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let has =
            |line: &str| texts.iter().any(|it| line.match_indices(it).any(|(at, _)| is_whole(line, at)));
        let line = code(&text).lines().position(has);
        assert_eq!(line, None, "{instead} in line {line:?} of {}, counted from 0", path.display());
    }
}

/// Each list that the standard library sorts stably adds two thousand instructions to compile.
#[test]
fn lists_are_sorted_by_the_sort_that_is_compiled_once() {
    check_no_code_has(&["sort()", "sort_by_key(", "sort_by_cached_key("], "base/sort", "use `StableSort`");
}

/// A generator's differences are columns of its convention.
#[test]
fn only_conventions_know_which_generator_it_is() {
    let conventions = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/input/src/conventions.rs"),
    );
    let conventions = conventions.expect("sources are readable");
    let arms = conventions.lines().filter(|line| line.ends_with("::CONVENTION,"));
    let kinds: Vec<String> = arms
        .filter_map(|arm| Some(format!("Kind::{}", arm.trim().strip_prefix("Self::")?.split_once(' ')?.0)))
        .collect();
    assert!(kinds.len() > 12, "{kinds:?}");
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    check_no_code_has(&kinds, "input", "use a column of `Convention`");
}

#[test]
fn the_store_uses_only_hashes_and_sorting_and_nothing_uses_the_command_line() {
    let house = House::read();
    let starts = |module: &Module, path: &[&str]| module.iter().zip(path).all(|(one, two)| one == two);
    for (module, uses) in &house.uses {
        for other in uses {
            let store = starts(module, &["base", "store"]) && !starts(other, &["base", "store"]);
            let allowed = starts(other, &["base", "hash"]) || starts(other, &["base", "sort"]);
            assert!(!store || allowed, "{module:?} uses {other:?}");
            let cli = starts(other, &["app", "cli"]) && other.len() > 1;
            assert!(!cli || starts(module, &["app", "cli"]), "{module:?} uses {other:?}");
        }
    }
}
