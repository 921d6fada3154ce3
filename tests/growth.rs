//! Tests the growth of parsing, checking and comparing: a page of four times the size takes at most 4.6 times the
//! instructions.
//!
//! Times are unreliable on a busy machine, so instructions are counted: this program runs itself under callgrind,
//! once for each processor, and each run processes its share of the pieces. Callgrind writes a file for each page.
//!
//! `STEPKIN_GROWTH=20000` sets the size of the small page in bytes, and the large one then has 80,000 bytes. That
//! takes ten times as long, because the program isn't optimized here, and callgrind makes it many times slower. To
//! select pieces, run `cargo test --test growth -- '<aside>'`.

use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use stepkin::Scope;
use stepkin::base::site_path::SitePath;
use stepkin::input::conventions::Syntax;
use stepkin::input::dialect::Dialect;
use stepkin::input::source::{Sources, Text};
use stepkin::markup::markdown;
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::{self, Options};
use stepkin::review::drift;

/// The beginnings of all constructs, both blocks and inline.
const PIECES: &[&str] = &[
    "[",
    "![",
    "[a](b",
    "[a]: b\n",
    "[a][",
    "[^1]",
    "[^1]: a\n\n",
    "*a ",
    "**a",
    "_",
    "a*_",
    "~~",
    "~a",
    "`",
    "`a``b",
    "\\",
    "&#",
    "&amp",
    "&",
    "<",
    "<a ",
    "<a href=",
    "<a href=\"/x/\" style=\"float:left\"><< Previous</a>\n",
    "</a",
    "<!--",
    "<!-- a -->",
    "<?",
    "<![CDATA[",
    "<div>\n\n",
    "<select><option>",
    "<script>\n\n",
    "<aside>\n\n",
    "<aside>a</aside>",
    "<tabs><tab label=a>",
    "</aside>",
    "<img src=/b.png>",
    "<x>",
    "a<br>\n",
    ":::note\n\n",
    ":::note\na\n:::\n\n",
    ":::platform ios\n\n",
    "{",
    "{% ",
    "{platform.name}",
    "> ",
    "> [!NOTE]\n> a\n\n",
    "- ",
    "- [ ] a\n",
    "1. ",
    "  - a\n",
    "| a ",
    "| a | b |\n|-|-|\n| c | d |\n",
    "|-",
    "```\n",
    "~~~\t\n",
    "    a\n\n",
    "# 1.1 a\n",
    "a\n===\n",
    "---\n",
    "www.",
    "http://",
    "<http://a.b>",
    "a@b.c ",
    "<<<<<<< HEAD\n",
    "!!! note\n",
    "wonâ€™t ",
    "the the ",
    "see step 9. ",
    "\0",
    "\r",
    "a ",
    "a\n",
    "é",
    "<!-- stepkin: allow missing-alt: a -->\n\n",
    KEY,
    SETTING,
    "import a from 'b'\n",
    "import {",
    "export const a = [\n",
    "<Tabs>\n",
    "<foo a={",
    "<Foo/> ",
    "<Foo>a</Foo> ",
    "</Foo>",
    "{'a'} ",
    "{a",
    "{`",
    "{/* ",
    ":::details\n",
    "::: code-group\n",
    "{{< a >}} ",
    "{{< a",
    "{{< tab >}}",
    "{{< highlight go >}}",
    "{{</* a",
    "{% if a %}",
    "{% else %}",
    "{% raw %}",
    "{% a",
    "{{ a",
    "{{ a }}",
    "{: .note}\n",
    "{: .a",
    "{::comment}",
    "!!! note\n    ",
    "=== \"a\"\n\n    b\n\n",
    "/// note\n",
    "++a",
    ":material-a",
    "--8<--\n",
    "--8<-- \"a\"\n",
    "{{#include a}} ",
    "{{#include a",
    "<script>\n",
];

/// Syntaxes of other tools that may occur together on a page.
const DIALECTS: [&[Syntax]; 4] = [
    &[Syntax::Mdx, Syntax::Directives],
    &[Syntax::Shortcodes, Syntax::Mdbook],
    &[Syntax::Liquid, Syntax::Kramdown],
    &[Syntax::Indented, Syntax::Directives, Syntax::Vue, Syntax::Snippets],
];

/// Replaced with front matter keys with different names.
const KEY: &str = "key: v\n";

/// Repeated with different names in each row, on two platforms whose names of settings differ slightly.
const SETTING: &str = "| setting | value |\n";

/// Size of the small page in bytes. The large one is four times as large. Excessive growth shows at any size that is
/// several times that of an empty site, and counting takes longer for larger pages.
const SMALL: usize = 1_200;

/// Maximum ratio for a page of four times the size: slightly more than four, as for sorting. With 4.6, pages of this size show the
/// same quadratic growth as pages of 2,000 bytes with 5, in 0.6 of the time.
const MOST: f64 = 4.6;

/// Number of instructions by which two counts of one page may differ, because other threads finish in one of them or
/// in the next.
const NOISE: f64 = 1e6;

/// Set for runs that process pages instead of counting, to their share: `0/2` is the first share of two.
const SHARE: &str = "STEPKIN_GROWTH_SHARE";

fn main() -> ExitCode {
    if let Ok(share) = std::env::var(SHARE) {
        read_pages(&share);
        return ExitCode::SUCCESS;
    }
    if pieces("0/1").count() == 0 {
        return close(0, 0, 0);
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("not tried: growth is counted with valgrind, which is not installed");
        return close(0, 0, PIECES.len());
    }
    let mut failed = 0;
    for (piece, small, large) in measure() {
        let is_too_much = large > MOST * small + NOISE;
        failed += usize::from(is_too_much);
        let mark = if is_too_much { "  TOO MUCH" } else { "" };
        println!("{:5.2} times {:8.2} million instructions: {piece:?}{mark}", large / small, small / 1e6);
    }
    close(pieces("0/1").count() - failed, failed, 0)
}

/// Prints the result in the format of cargo's tests.
fn close(passed: usize, failed: usize, ignored: usize) -> ExitCode {
    let result = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {result}. {passed} passed; {failed} failed; {ignored} ignored");
    ExitCode::from(u8::from(failed > 0))
}

/// Returns each piece with the instructions for its small and its large page.
fn measure() -> Vec<(&'static str, f64, f64)> {
    let folder = tempfile::tempdir().expect("a folder for the counts");
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let shares: Vec<String> = (0..all).map(|number| format!("{number}/{all}")).collect();
    let started: Vec<Child> = shares.iter().map(|share| start(share, folder.path())).collect();
    for mut child in started {
        assert!(child.wait().expect("it was started").success(), "valgrind failed");
    }
    let grown = |share: &String| {
        let counts = counts(share, folder.path());
        // The instructions for an empty page don't grow. The first page includes one-time initialization.
        let empty = counts[1];
        let pairs = counts[2..].chunks_exact(2).map(|pair| (pair[0] - empty, pair[1] - empty));
        let grown: Vec<_> =
            pieces(share).zip(pairs).map(|(piece, (small, large))| (piece, small, large)).collect();
        assert_eq!(grown.len(), pieces(share).count(), "a count for each page");
        grown
    };
    shares.iter().flat_map(grown).collect()
}

/// Starts to count the instructions for a share of the pieces.
fn start(share: &str, folder: &Path) -> Child {
    Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet", "--dump-before=*growth_probe*"])
        .arg(format!("--callgrind-out-file={}", counts_file(share, folder)))
        .arg(std::env::current_exe().expect("a program has a path"))
        .args(asked())
        .env(SHARE, share)
        .env("RAYON_NUM_THREADS", "1")
        .spawn()
        .expect("valgrind was there")
}

fn counts_file(share: &str, folder: &Path) -> String {
    folder.join(share.replace('/', "-")).display().to_string()
}

/// Returns the instructions for every page of a share, in order.
fn counts(share: &str, folder: &Path) -> Vec<f64> {
    let file = counts_file(share, folder);
    // The first file contains the instructions before the first page.
    let files = (2..).map_while(|number| std::fs::read_to_string(format!("{file}.{number}")).ok());
    let total =
        |file: String| file.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    files.map(|file| total(file).expect("callgrind writes a total")).collect()
}

/// Returns the pieces of a share: every second one if there are two, so that shares take about the same time.
fn pieces(share: &str) -> impl Iterator<Item = &'static str> {
    let numbers =
        share.split_once('/').and_then(|(number, all)| Some((number.parse().ok()?, all.parse().ok()?)));
    let (number, all) = numbers.expect("a share is two numbers");
    let asked: Vec<String> = asked().collect();
    let is_asked = move |piece: &&str| {
        asked.is_empty() || asked.iter().any(|word| word == "growth" || piece.contains(word.as_str()))
    };
    PIECES.iter().copied().filter(is_asked).skip(number).step_by(all)
}

/// Returns the names of tests, or parts of pieces, that were passed to cargo.
fn asked() -> impl Iterator<Item = String> {
    std::env::args().skip(1).filter(|argument| !argument.starts_with('-'))
}

/// Processes every page of a share: one with code and an empty one, and then the small and the large page of each
/// piece.
fn read_pages(share: &str) {
    let small =
        std::env::var("STEPKIN_GROWTH").map_or(SMALL, |size| size.parse().expect("a number of bytes"));
    // One-time data such as the highlighter's grammars is created for the first page.
    let one = |text: &str| vec![("content/page.md", text.to_string())];
    let mut sites = vec![one("```swift\na\n```\n"), one("")];
    sites.extend(pieces(share).flat_map(|piece| [site(piece, small), site(piece, 4 * small)]));
    // A count ends when the next begins.
    sites.push(one(""));
    sites.into_iter().for_each(growth_probe);
}

/// Paths of pages with their texts.
type Pages = Vec<(&'static str, String)>;

/// Returns a page of about this size, or one for each platform if platforms are compared. Front matter keys and
/// settings have unique names.
fn site(piece: &str, size: usize) -> Pages {
    let times = size / piece.len();
    let table = |name: &str| -> String {
        let rows = (0..times).map(|number| format!("| Send {number} {name} | on |\n"));
        ["# Step\n\n| Setting | Value |\n| --- | --- |\n".to_string()].into_iter().chain(rows).collect()
    };
    match piece {
        KEY => {
            let keys: Vec<String> = (0..times).map(|number| format!("k{number}: v\n")).collect();
            vec![("content/page.md", format!("---\n{}---\n", keys.concat()))]
        }
        SETTING => vec![
            ("content/tour/web/step.md", table("catalog")),
            ("content/tour/ios/step.md", table("catalogue")),
        ],
        _ => vec![("content/page.md", piece.repeat(times))],
    }
}

/// Translates pages from other tools, and parses, checks and compares a site of them. Callgrind begins a count at
/// every call.
#[inline(never)]
fn growth_probe(pages: Pages) {
    let mut sources = Sources::default();
    for (path, text) in pages {
        for syntax in DIALECTS {
            let dialect = Dialect { syntax, ..Dialect::default() };
            std::hint::black_box(markdown::translate(&text, 0, &dialect));
        }
        let path: SitePath = path.into();
        sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
    }
    let (options, cache) = (Options::default(), Cache::default());
    let (work, found) = pipeline::plan(sources, &options, &cache).expect("no configuration to be wrong");
    std::hint::black_box(pipeline::check(&work, &options, &cache, found, None)).expect("nothing to read");
    let today = "2027-01-31".parse().expect("a day");
    std::hint::black_box(drift::find(&work, &Scope::everything(today), &cache.memo));
}
