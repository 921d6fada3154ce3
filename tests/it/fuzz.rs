//! Random sites: lines and blocks of fixtures and of a list of fragments are combined into pages, front matter,
//! `stepkin.toml` and templates. They are read, checked, rendered and fixed without violating any guarantee.
//!
//! `STEPKIN_FUZZ=20000` sets the number of sites, and `STEPKIN_FUZZ_SEED=7` selects others than those of every run.

use std::fmt::Write as _;
use std::process::Stdio;

use serde_json::Value;
use stepkin::base::diagnostic::Report;
use stepkin::input::source::{self, Sources};
use stepkin::markup::markdown;
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::Options;
use stepkin::output::render::{self, Rendering};

use crate::laws::PIECES;
use crate::support::{Dice, SiteTest, checked, fixtures};

/// Number of sites in a run, and how many of them the complete program processes.
const SITES: usize = 160;
const EVERY: usize = 8;

/// Maximum time for parsing a page, in seconds of its thread, so that other programs don't count. A page with
/// quadratic cost takes far longer.
const MOST_SECONDS: i64 = 1;

/// Fragments of front matter, configuration and templates that can break when they are combined.
#[rustfmt::skip] // A list of texts reads better in paragraphs.
const FRAGMENTS: &[&str] = &[
    "title: a: b", "title: [", "title: \"open", "order: 1e999", "order: -0", "order: 99999999999999999999",
    "slug: ../../x", "slug: \"\\0\"", "redirect: \"javascript:alert(1)\"", "redirect: /a/",
    "aliases: [/a/, /a/, '']", "a: &a [x, x]\nb: [*a, *a]", "platforms: [web, 1]", "draft: maybe",
    "drift: {allow: [wording], reason: '', until: 2026-13-01}", "\tkey: x", "+++\ntitle = 'x'\n+++",
    "base_url = \"https://e.org/docs/\"", "language = \"de\"", "hosts = [\"e.org\"]",
    "[variables]\nword = { web = \"x\", ios = \"y\" }", "[check.severity]\nmissing-page = \"info\"",
    "[[check.ignore]]\npath = \"**\"\nreason = \"x\"", "[[family]]\nid = \"tour\"",
    "[search]\nenabled = false", "[publish]\ncompare = false", "[nonsense", "{{ page.title }}",
    "{{ nothing.at.all }}", "{% for x in y %}", "{% endfor %}", "{% include \"../x\" %}",
    "{% extends \"base.html\" %}", "{{ body | safe }}", "{{ body | unknown }}", "<<<<<<< HEAD", "=======",
    ">>>>>>> other", "![Shot](/images/my shot.png)", "[x](C:\\y.png)", "[x](java\tscript:alert(1))",
    "[guide][guide]", "{{< x >}}", "{% x %}", "!!! note", "import X from 'y'", "<Tabs>", "www.example.com",
    "a@example.com",
];

#[test]
fn spliced_text_is_read_checked_rendered_and_fixed() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let sites = setting("STEPKIN_FUZZ").unwrap_or(SITES);
    let mut dice = Dice(0x5eed + u64::try_from(setting("STEPKIN_FUZZ_SEED").unwrap_or(0)).expect("64 bits"));
    let fixtures = fixtures();
    let lines = lines_of(&fixtures);
    let (mut planned, mut fixed) = (0, 0);
    for number in 0..sites {
        let site = SiteTest::fixture(dice.pick::<String>(&fixtures));
        let mut story = format!("site {number}\n");
        for _ in 0..=dice.below(6) {
            splice(&site, &lines, &mut dice, &mut story);
        }
        // Shown when the test fails.
        eprintln!("{story}");
        planned += usize::from(check_in_process(&site, &story));
        if number % EVERY == 0 {
            fixed += usize::from(check_program(&site, &story));
        }
    }
    // An invalid configuration ends a run, so some sites aren't planned.
    assert!(2 * planned > sites, "{planned} of {sites} sites were planned");
    assert!(fixed > 0 || sites < SITES, "nothing was fixed");
}

/// Returns every line and block of the fixtures' pages, templates and configurations.
fn lines_of(fixtures: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for fixture in fixtures {
        let site = SiteTest::fixture(fixture);
        for file in text_files(&site) {
            let Ok(text) = std::fs::read_to_string(site.path(&file)) else { continue };
            lines.extend(text.lines().filter(|line| line.len() < 500).map(str::to_string));
            lines.extend(text.split("\n\n").filter(|block| block.len() < 2000).map(str::to_string));
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

fn text_files(site: &SiteTest) -> Vec<String> {
    let names = crate::support::tree(&site.root()).into_keys();
    names.filter(|name| [".md", ".toml", ".html"].iter().any(|ending| name.ends_with(ending))).collect()
}

/// Inserts text into a file, or removes some.
fn splice(site: &SiteTest, lines: &[String], dice: &mut Dice, story: &mut String) {
    let mut files = text_files(site);
    // There are few configurations and templates, so each site may get one.
    files.extend(["stepkin.toml", "templates/step.html", "templates/page.html"].map(String::from));
    let pages: Vec<String> = files.iter().filter(|file| file.ends_with(".md")).cloned().collect();
    let file = if dice.below(8) > 0 && !pages.is_empty() { dice.pick(&pages) } else { dice.pick(&files) };
    let text = std::fs::read(site.path(file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut at = *dice.pick(&starts);
    if dice.below(4) == 0 {
        at = dice.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
    }
    let (what, end) = match dice.below(10) {
        0 => (String::new(), starts.iter().copied().find(|&start| start > at).unwrap_or(text.len())),
        1..=3 => (format!("{}\n", dice.pick(lines)), at),
        4 | 5 => (dice.pick(PIECES).to_string(), at),
        6 => (dice.pick(PIECES).repeat(dice.below(60) + 2), at),
        7 => (format!("\n\n{}\n\n", dice.pick(lines)), at),
        _ => (format!("{}\n", dice.pick(FRAGMENTS)), at),
    };
    writeln!(story, "{file}:{at}..{end}: {what:?}").expect("a String takes everything");
    site.write(file, [&text[..at], &what, &text[end..]].concat());
}

fn analyzed(sources: &Sources, cache: &Cache) -> Option<(Rendering, Report)> {
    checked(sources.clone(), &Options::default(), cache).ok()
}

/// Parses, checks and renders twice, the second time with the cache of the first. Returns whether the site could be
/// planned.
fn check_in_process(site: &SiteTest, story: &str) -> bool {
    let sources = source::read(&site.root()).expect("the site can be read");
    for (path, text) in &sources.pages {
        let before = thread_seconds();
        markdown::parse(
            &text.text(),
            0,
            &stepkin::markup::edition::Edition::default(),
            &stepkin::input::dialect::Dialect::default(),
        );
        assert!(thread_seconds() - before <= MOST_SECONDS, "{story}: {path} takes more than a second");
    }
    let cache = Cache::default();
    let Some((work, report)) = analyzed(&sources, &cache) else { return false };
    for diagnostic in &report {
        let Some(text) = sources.text(&diagnostic.file) else { continue };
        let text = text.text();
        let places = diagnostic.problem.edits.iter().map(|edit| &edit.span).chain([&diagnostic.problem.span]);
        for span in places {
            assert!(text.get(span.clone()).is_some(), "{story}: {span:?} of {diagnostic:?}");
        }
    }
    let (again, warm) = analyzed(&sources, &cache).expect("it could be planned before");
    assert_eq!(warm, report, "{story}");
    for (address, artifact) in work.project.plan.artifacts() {
        let made = render::artifact(&work, address, artifact);
        assert_eq!(made, render::artifact(&again, address, artifact), "{story}: {address}");
    }
    true
}

/// Returns the processor time of this thread in seconds.
fn thread_seconds() -> i64 {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).tv_sec
}

/// Checks the guarantees for reports and patches. Returns whether anything was fixable.
fn check_program(site: &SiteTest, story: &str) -> bool {
    let json = site.run(&["check", "--format", "json"]);
    assert!(matches!(json.status, Some(0..=2)), "{story}: {}", json.stderr);
    assert!(!json.stderr.contains("panicked"), "{story}: {}", json.stderr);
    if json.status == Some(2) {
        return false;
    }
    for line in json.stdout.lines() {
        let finding: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{story}: {error}"));
        assert!(
            finding["line"].as_u64() > Some(0) && finding["column"].as_u64() > Some(0),
            "{story}: {line}"
        );
    }
    assert_eq!(site.run(&["check", "--format", "json"]).stdout, json.stdout, "{story}");
    assert_eq!(site.run(&["check", "--format", "json", "--no-cache"]).stdout, json.stdout, "{story}");
    let sarif: Value =
        serde_json::from_str(&site.run(&["check", "--format", "sarif"]).stdout).expect("SARIF is JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(json.stdout.lines().count()));
    check_xml(&site.run(&["check", "--format", "junit"]).stdout, story);
    check_fix(site, story)
}

#[track_caller]
fn check_xml(text: &str, story: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => return,
            Ok(quick_xml::events::Event::Text(text)) => {
                let text = text.decode().expect("UTF-8");
                assert!(text.chars().all(is_xml), "{story}: {text:?}");
            }
            Ok(_) => {}
            Err(error) => panic!("{story}: {error} at {}", reader.error_position()),
        }
    }
}

/// XML 1.0, section 2.2.
fn is_xml(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Checks that the patch applies, and that a few runs fix everything fixable. Returns whether there was anything.
fn check_fix(site: &SiteTest, story: &str) -> bool {
    let patch = site.run(&["fix", "--dry-run"]).exits(0);
    if !patch.stdout.is_empty() {
        site.git("2026-01-01", &["init", "--quiet"]);
        let mut git = std::process::Command::new("git");
        git.current_dir(site.root()).args(["apply", "--check", "--whitespace=nowarn", "-"]);
        let mut git = git.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("git starts");
        let input = git.stdin.take().expect("it is piped");
        std::io::Write::write_all(&mut { input }, patch.stdout.as_bytes()).expect("git reads");
        let ended = git.wait_with_output().expect("git ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{story}: {said}\n{}", patch.stdout);
    }
    for _ in 0..5 {
        let run = site.run(&["fix"]);
        if run.stderr.contains("fixed 0 problems") {
            return !patch.stdout.is_empty();
        }
    }
    panic!("{story}: fix doesn't settle");
}
