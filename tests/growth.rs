//! Tests the growth of parsing, checking and comparing: a page of four times the size takes at most 4.6 times the
//! instructions.
//!
//! Times are unreliable on a busy machine, so instructions are counted: this program runs itself under callgrind,
//! once for each processor, and each run processes its share of the pieces. Callgrind writes a file for each page.
//!
//! Counting is seventy times slower than running, so most pieces are excluded first by their processor time. For that,
//! pages are larger, and so is a quadratic part of the time. Whatever isn't clearly linear there is counted.
//!
//! `STEPKIN_GROWTH=20000` counts all pieces, and sets the size of the small page in bytes; the large one then has 80,000
//! bytes. That takes ten times as long, because the program isn't optimized here. To select pieces, run
//! `cargo test --test growth -- '<aside>'`, which also counts them all.

use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use stepkin::Scope;
use stepkin::base::site_path::SitePath;
use stepkin::input::conventions::{HtmlInMdx, Syntax};
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

/// Pages whose processor time is measured are larger than counted ones by this factor.
const TIMES_LARGER: usize = 4;

/// How often each time is measured. The shortest time is used.
const ROUNDS: usize = 3;

/// Ratio of processor times above which a piece is counted: a little more than four, because times differ.
const SUSPICIOUS: f64 = 4.25;

/// Set for runs that process pages under callgrind, to the numbers of their pieces.
const COUNTED: &str = "STEPKIN_GROWTH_COUNTED";

/// Set for runs that measure processor times, to the numbers of their pieces.
const TIMED: &str = "STEPKIN_GROWTH_TIMED";

fn main() -> ExitCode {
    if let Some(pieces) = listed(COUNTED) {
        read_pages(&pieces);
        return ExitCode::SUCCESS;
    }
    if let Some(pieces) = listed(TIMED) {
        pieces.iter().filter(|&&piece| is_suspicious(PIECES[piece])).for_each(|piece| println!("{piece}"));
        return ExitCode::SUCCESS;
    }
    let all = requested();
    if all.is_empty() {
        return close(0, 0, 0);
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("not tried: growth is counted with valgrind, which is not installed");
        return close(0, 0, PIECES.len());
    }
    let counted = if all.len() < PIECES.len() || size_from_environment().is_some() {
        all.clone()
    } else {
        suspicious(&all)
    };
    let mut failed = 0;
    for (piece, small, large) in measure(&counted) {
        let is_too_much = large > MOST * small + NOISE;
        failed += usize::from(is_too_much);
        let mark = if is_too_much { "  TOO MUCH" } else { "" };
        println!("{:5.2} times {:8.2} million instructions: {piece:?}{mark}", large / small, small / 1e6);
    }
    println!("{} of {} pieces counted", counted.len(), all.len());
    close(all.len() - failed, failed, 0)
}

/// Prints the result in the format of cargo's tests.
fn close(passed: usize, failed: usize, ignored: usize) -> ExitCode {
    let result = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {result}. {passed} passed; {failed} failed; {ignored} ignored");
    ExitCode::from(u8::from(failed > 0))
}

/// Returns the pieces that aren't clearly linear by their processor time, in order.
fn suspicious(pieces: &[usize]) -> Vec<usize> {
    let itself = || Command::new(std::env::current_exe().expect("a program has a path"));
    let started = shares(pieces).into_iter().map(|share| start(itself(), TIMED, &share));
    let started: Vec<Child> = started.collect();
    let found = started.into_iter().flat_map(|child| {
        let output = child.wait_with_output().expect("it was started");
        assert!(output.status.success(), "times cannot be measured");
        let numbers = String::from_utf8(output.stdout).expect("it prints numbers");
        numbers.lines().map(|number| number.parse().expect("a number")).collect::<Vec<usize>>()
    });
    let mut found: Vec<usize> = found.collect();
    found.sort_unstable();
    found
}

/// Measures the processor time of pages that are larger than counted ones.
fn is_suspicious(piece: &str) -> bool {
    // The time for an empty page doesn't grow.
    let sites = [0, TIMES_LARGER * SMALL, 4 * TIMES_LARGER * SMALL].map(|size| site(piece, size));
    let mut shortest = [f64::MAX; 3];
    for _ in 0..ROUNDS {
        for (site, shortest) in sites.iter().zip(&mut shortest) {
            let start = processor_time();
            growth_probe(site.clone());
            *shortest = shortest.min(processor_time() - start);
        }
    }
    let [empty, small, large] = shortest;
    large - empty > SUSPICIOUS * (small - empty)
}

/// Returns the processor time of this process in seconds.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("it isn't negative").as_secs_f64()
}

/// Returns each piece with the instructions for its small and its large page.
fn measure(pieces: &[usize]) -> Vec<(&'static str, f64, f64)> {
    let folder = tempfile::tempdir().expect("a folder for the counts");
    let file = |number: usize| folder.path().join(number.to_string()).display().to_string();
    let shares = shares(pieces);
    let started = shares.iter().enumerate().map(|(number, share)| {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args(["--tool=callgrind", "--quiet", "--dump-before=*growth_probe*"])
            .arg(format!("--callgrind-out-file={}", file(number)))
            .arg(std::env::current_exe().expect("a program has a path"));
        start(valgrind, COUNTED, share)
    });
    let started: Vec<Child> = started.collect();
    for mut child in started {
        assert!(child.wait().expect("it was started").success(), "valgrind failed");
    }
    let grown = |(number, share): (usize, &Vec<usize>)| {
        let counts = counts(&file(number));
        // The instructions for an empty page don't grow. The first page includes one-time initialization.
        let empty = counts[1];
        let pairs = counts[2..].chunks_exact(2).map(|pair| (pair[0] - empty, pair[1] - empty));
        let grown: Vec<_> =
            share.iter().zip(pairs).map(|(&piece, (small, large))| (PIECES[piece], small, large)).collect();
        assert_eq!(grown.len(), share.len(), "a count for each page");
        grown
    };
    shares.iter().enumerate().flat_map(grown).collect()
}

/// Starts a run with a share of the pieces.
fn start(mut command: Command, task: &str, share: &[usize]) -> Child {
    let numbers: Vec<String> = share.iter().map(ToString::to_string).collect();
    command
        .env(task, numbers.join(" "))
        .env("RAYON_NUM_THREADS", "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started")
}

/// Returns the instructions for every page of a share, in order.
fn counts(file: &str) -> Vec<f64> {
    // The first file contains the instructions before the first page.
    let files = (2..).map_while(|number| std::fs::read_to_string(format!("{file}.{number}")).ok());
    let total =
        |file: String| file.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    files.map(|file| total(file).expect("callgrind writes a total")).collect()
}

/// Returns a share of pieces for each processor: every second one if there are two, so that shares take about the same time.
fn shares(pieces: &[usize]) -> Vec<Vec<usize>> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |first: usize| pieces.iter().copied().skip(first).step_by(processors).collect();
    (0..processors.min(pieces.len())).map(share).collect()
}

/// Returns the numbers in an environment variable, if it is set.
fn listed(name: &str) -> Option<Vec<usize>> {
    let numbers = std::env::var(name).ok()?;
    Some(numbers.split_whitespace().map(|number| number.parse().expect("a number")).collect())
}

/// Returns the numbers of the pieces that contain a word that was passed to cargo, or of all.
fn requested() -> Vec<usize> {
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_requested = |piece: &str| {
        words.is_empty() || words.iter().any(|word| word == "growth" || piece.contains(word.as_str()))
    };
    (0..PIECES.len()).filter(|&number| is_requested(PIECES[number])).collect()
}

/// Returns the size of the small page in bytes, if it is set.
fn size_from_environment() -> Option<usize> {
    Some(std::env::var("STEPKIN_GROWTH").ok()?.parse().expect("a number of bytes"))
}

/// Processes the pages of pieces: one with code and an empty one, and then the small and the large page of each piece.
fn read_pages(pieces: &[usize]) {
    let small = size_from_environment().unwrap_or(SMALL);
    // One-time data such as the highlighter's grammars is created for the first page.
    let one = |text: &str| vec![("content/page.md", text.to_string())];
    let mut sites = vec![one("```swift\na\n```\n"), one("")];
    sites.extend(pieces.iter().flat_map(|&piece| [small, 4 * small].map(|size| site(PIECES[piece], size))));
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
            let dialect = Dialect { syntax, html: HtmlInMdx::None, ..Dialect::default() };
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
