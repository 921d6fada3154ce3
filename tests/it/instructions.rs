//! The cost of three small runs: a cold build, a build after an edit, and a check. And of a build in two languages.
//!
//! Times are unreliable on a busy machine, so instructions are counted with valgrind on one thread. Each run may take
//! a tenth more than `benches/instructions.toml` contains, which is edited by hand. Two counts of one program differ
//! by less than a thousandth.
//!
//! `./test` runs this test separately because it takes a minute.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::support::SiteTest;

/// Maximum ratio to the recorded count.
const MOST: f64 = 1.1;

/// Minimum ratio. Below it, the recorded count is outdated, so that an increase of two tenths would pass.
const LEAST: f64 = 0.9;

/// Maximum ratio of a build in two languages to one in one language.
const MOST_OF_TWO_LANGUAGES: f64 = 2.1;

/// In millions of instructions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    cold: f64,
    edit: f64,
    check: f64,
}

#[test]
#[ignore = "takes a minute; `./test` runs it"]
fn no_run_takes_a_tenth_more_than_is_written() {
    let is_installed = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !cfg!(target_arch = "x86_64") || !is_installed {
        println!("left out: what is written was counted with valgrind on x86-64");
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.toml");
    let written = std::fs::read_to_string(path).expect("the file of this test");
    let written: Counts = toml::from_str(&written).expect("three numbers");

    let site = site();
    let cold = count(&site, &["build", "--jobs", "1"]);
    let site = site.replace(EDITED, "Open the console", "Open the new console");
    let edit = count(&site, &["build", "--jobs", "1"]);
    let check = count(&site, &["check", "--no-cache"]);

    let mut too_many = String::new();
    for (run, now, before) in
        [("cold", cold, written.cold), ("edit", edit, written.edit), ("check", check, written.check)]
    {
        let said = format!(
            "{run}: {now:.1} million instructions, {:.3} of the {before} that are written",
            now / before
        );
        println!("{said}");
        if now > MOST * before {
            writeln!(too_many, "{said}").expect("a String takes everything");
        } else if now < LEAST * before {
            println!("  write the lower number into `benches/instructions.toml`");
        }
    }
    let translated = count(&translated_site(), &["build", "--jobs", "1"]);
    let said =
        format!("two languages: {translated:.1} million instructions, {:.3} of one", translated / cold);
    println!("{said}");
    if translated > MOST_OF_TWO_LANGUAGES * cold {
        writeln!(too_many, "{said}").expect("a String takes everything");
    }
    assert!(too_many.is_empty(), "{too_many}`CONTRIBUTING.md` says what to do");
}

const EDITED: &str = "content/tour/web/02-part.md";

/// A tutorial of eight steps for three platforms, with the usual content of pages. With fewer pages, startup would
/// take most of the instructions.
fn site() -> SiteTest {
    let mut site = SiteTest::empty().edit("stepkin.toml", "title = 'Manual'\n[highlight]\nenabled = false\n");
    for platform in ["web", "ios", "android"] {
        for number in 1..=8 {
            site = site.edit(&format!("content/tour/{platform}/{number:02}-part.md"), page(platform, number));
        }
    }
    site
}

/// The same tutorial in two languages, with a history, which shows that no translation is behind.
fn translated_site() -> SiteTest {
    let mut site = site();
    for platform in ["web", "ios", "android"] {
        for number in 1..=8 {
            let path = format!("tour/{platform}/{number:02}-part.md");
            site = site.edit(&format!("content/de/{path}"), page(platform, number));
        }
    }
    site.git("2026-01-01", &["init", "--quiet"]);
    site.git("2026-01-01", &["add", "content", "stepkin.toml"]);
    site.git("2026-01-01", &["commit", "--quiet", "-m", "pages"]);
    site
}

fn page(platform: &str, number: usize) -> String {
    let mut page = format!(
        "---\ntitle: Part {number}\norder: {number}\n---\n\
        Open the console of {platform}, and read [where to begin](../01-part/#settings) again. It has *all*\n\
        that is asked for, with `key = {number}` and <kbd>Enter</kbd>.\n\n\
        ## {number}.1 What to do\n\n\
        1. Choose **Settings > Keys**.\n2. Name the key `{platform}-{number}`:\n   - for tests\n   - for readers\n\n\
        ```js\nconst key = read('{platform}', {number});\nsend(key);\n```\n\n\
        3. Send it, then see [the table](#settings).\n\n\
        <aside>\n    A key that was sent is never shown again.\n</aside>\n\n\
        ## Settings\n\n| Setting | Value | Description |\n| --- | --- | --- |\n"
    );
    for row in 1..=8 {
        let value = row * number;
        writeln!(
            page,
            "| Limit {row} | {value} | How many keys a reader of {platform} may send in {row} minutes. |"
        )
        .expect("a String takes everything");
    }
    page
}

/// Returns the instructions of a run, in millions.
fn count(site: &SiteTest, arguments: &[&str]) -> f64 {
    let counts = site.path("../counts");
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=../counts"]);
    command.arg(env!("CARGO_BIN_EXE_stepkin")).args(arguments).current_dir(site.root());
    // The user's variables must not matter, and this one sets the number of threads of a check.
    command.env_clear().env("PATH", "/usr/bin:/bin").env("RAYON_NUM_THREADS", "1");
    let run = command.output().expect("valgrind is installed");
    let said = [run.stdout, run.stderr].concat();
    assert!(run.status.success(), "`{}` failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&said));
    let counted = std::fs::read_to_string(counts).expect("valgrind has counted");
    let summary = counted.lines().find_map(|line| line.strip_prefix("summary: "));
    let all: f64 = summary.and_then(|all| all.trim().parse().ok()).expect("a number");
    all / 1e6
}
