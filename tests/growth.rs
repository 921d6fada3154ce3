//! The growth of reading, checking and comparing: a page of four times the size takes at most five times the instructions.
//!
//! Time says little on a busy machine, so instructions are counted: this program runs itself under callgrind, once for
//! each processor, and each takes its share of the pieces. Callgrind writes a file for each page that is read.
//!
//! `STEPKIN_GROWTH=20000` makes the small page that large, and the large one 80,000 bytes. That takes ten times as
//! long: the program is not optimized here, and callgrind makes it many times slower. A part of a piece can be asked
//! for: `cargo test --test growth -- '<aside>'`.

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

/// Openings of every construct, blocks and inline.
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
    "++a",
    ":material-a",
    "--8<--\n",
    "--8<-- \"a\"\n",
    "{{#include a}} ",
    "{{#include a",
    "<script>\n",
];

/// Syntax of other tools that a page may have together.
const DIALECTS: [&[Syntax]; 4] = [
    &[Syntax::Mdx, Syntax::Directives],
    &[Syntax::Shortcodes, Syntax::Mdbook],
    &[Syntax::Liquid, Syntax::Kramdown],
    &[Syntax::Indented, Syntax::Directives, Syntax::Vue, Syntax::Snippets],
];

/// Replaced by keys of front matter, each with another name.
const KEY: &str = "key: v\n";

/// Repeated with other names in each row, on two platforms that call each setting a little differently.
const SETTING: &str = "| setting | value |\n";

/// Bytes of the small page; the large one has four times as many. What grows faster than its page shows at any size that is some
/// times that of an empty site, and the count takes as long as the pages are large.
const SMALL: usize = 2_000;

/// What a page of four times the size may take: a little more than four times as much, as sorting does.
const MOST: f64 = 5.0;

/// Instructions by which two counts of one page differ: other threads end their work in one of them or in the next.
const NOISE: f64 = 1e6;

/// Says to the program that it is to read pages and not to count, and which: `0/2` is the first share of two.
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

/// Says what came out in the words that cargo's tests have for it.
fn close(passed: usize, failed: usize, ignored: usize) -> ExitCode {
    let result = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {result}. {passed} passed; {failed} failed; {ignored} ignored");
    ExitCode::from(u8::from(failed > 0))
}

/// Each piece, and the instructions that the small page of it takes, and the large one.
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
        // What an empty page takes does not grow. The first page is for what is made once.
        let empty = counts[1];
        let pairs = counts[2..].chunks_exact(2).map(|pair| (pair[0] - empty, pair[1] - empty));
        let grown: Vec<_> =
            pieces(share).zip(pairs).map(|(piece, (small, large))| (piece, small, large)).collect();
        assert_eq!(grown.len(), pieces(share).count(), "a count for each page");
        grown
    };
    shares.iter().flat_map(grown).collect()
}

/// Starts to count what a share of the pieces takes.
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

/// The instructions of every page of a share, in their order.
fn counts(share: &str, folder: &Path) -> Vec<f64> {
    let file = counts_file(share, folder);
    // The first file holds what came before the first page.
    let files = (2..).map_while(|number| std::fs::read_to_string(format!("{file}.{number}")).ok());
    let total =
        |file: String| file.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    files.map(|file| total(file).expect("callgrind writes a total")).collect()
}

/// The pieces of a share: every second one where there are two, so that shares take about the same time.
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

/// Names of tests, or parts of pieces, that were given to cargo.
fn asked() -> impl Iterator<Item = String> {
    std::env::args().skip(1).filter(|argument| !argument.starts_with('-'))
}

/// Every page of a share: one with code and an empty one, then each piece small and large.
fn read_pages(share: &str) {
    let small =
        std::env::var("STEPKIN_GROWTH").map_or(SMALL, |size| size.parse().expect("a number of bytes"));
    // What is made once, like the grammars of the highlighter, is made for the first page.
    let one = |text: &str| vec![("content/page.md", text.to_string())];
    let mut sites = vec![one("```swift\na\n```\n"), one("")];
    sites.extend(pieces(share).flat_map(|piece| [site(piece, small), site(piece, 4 * small)]));
    // A count ends where the next begins.
    sites.push(one(""));
    sites.into_iter().for_each(growth_probe);
}

/// Paths of pages with their texts.
type Pages = Vec<(&'static str, String)>;

/// A page of about so many bytes, and where platforms are compared, one for each. Keys of front matter and settings have
/// names of their own.
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

/// Translates pages from other tools, and reads, checks and compares a site of them. Callgrind begins a count wherever this
/// is called.
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
