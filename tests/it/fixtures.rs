//! Every fixture site contains its expected findings, and `check` reports exactly these.
//!
//! An expectation is on the line before the finding: `<!-- expect: missing-image -->`, or `# expect: duplicate-order`
//! in front matter. Several are separated by commas. `<!-- expect-file: … -->` is for its file, whatever the line.
//! Expectations that a file can't contain are in `expected.txt` next to `content`, as `file: rule` or `file:line:
//! rule`. Sites with names that begin with `drift` are checked with `--drift`. A site without expectations has no
//! findings.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use crate::support::{Finding, SiteTest, checked, fixtures};
use stepkin::base::diagnostic::Code;
use stepkin::markup::markdown;
use stepkin::output::{pipeline, render};
use stepkin::site::content::Document;
use stepkin::site::pages::Detail;
use stepkin::{Cache, Options};
use walkdir::WalkDir;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Expectation {
    file: String,
    /// `None` for the complete file.
    line: Option<usize>,
    code: String,
}

impl Expectation {
    fn is_met_by(&self, finding: &Finding) -> bool {
        self.code == finding.code
            && self.file == finding.file
            && self.line.is_none_or(|line| line == finding.line)
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.code),
            None => write!(f, "{}: {}", self.file, self.code),
        }
    }
}

/// Returns the expectations in the files of the site at `root`.
fn expectations(root: &Path) -> Vec<Expectation> {
    let mut expectations = Vec::new();
    for entry in WalkDir::new(root).sort_by_file_name() {
        let entry = entry.expect("a fixture");
        if !entry.file_type().is_file() {
            continue;
        }
        let file = entry.path().strip_prefix(root).expect("it is below").to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&std::fs::read(entry.path()).expect("a fixture")).into_owned();
        if file == "expected.txt" {
            expectations.extend(text.lines().map(listed));
        } else {
            expectations.extend(written(&file, &text));
        }
    }
    expectations
}

/// Parses a line of `expected.txt`.
fn listed(line: &str) -> Expectation {
    let (place, code) = line.rsplit_once(": ").unwrap_or_else(|| panic!("`{line}` is no expectation"));
    let (file, line) = match place.split_once(':') {
        Some((file, line)) => (file, Some(line.parse().expect("a line"))),
        None => (place, None),
    };
    Expectation { file: file.to_string(), line, code: code.to_string() }
}

/// Returns the expectations in a file. Adjacent ones all apply to the line after the last.
fn written(file: &str, text: &str) -> Vec<Expectation> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for (index, line) in lines.iter().enumerate() {
        if let Some(codes) = codes_after("expect-file:", line) {
            found.extend(codes.map(|code| Expectation { file: file.into(), line: None, code }));
        } else if let Some(codes) = codes_after("expect:", line) {
            let below =
                lines[index..].iter().take_while(|line| codes_after("expect:", line).is_some()).count();
            let line = Some(index + below + 1);
            found.extend(codes.map(|code| Expectation { file: file.into(), line, code }));
        }
    }
    found
}

fn codes_after<'a>(word: &str, line: &'a str) -> Option<impl Iterator<Item = String> + use<'a>> {
    let in_markup = line.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    let comment = in_markup.or_else(|| line.strip_prefix('#'))?;
    let codes = comment.trim().strip_prefix(word)?;
    Some(codes.split(',').map(|code| code.trim().to_string()))
}

/// Returns the differences between expected and actual findings, one per line.
fn complaints(mut expected: Vec<Expectation>, findings: &[Finding]) -> Vec<String> {
    let mut complaints = Vec::new();
    let known: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    for stale in expected.iter().filter(|expectation| !known.contains(expectation.code.as_str())) {
        complaints.push(format!("stale: no finding is called so any more: {stale}"));
    }
    expected.retain(|expectation| known.contains(expectation.code.as_str()));
    // Those with a line come first, so that one for the complete file doesn't match their finding.
    expected.sort_by_key(|expectation| expectation.line.is_none());
    for finding in findings {
        if let Some(met) = expected.iter().position(|expectation| expectation.is_met_by(finding)) {
            expected.remove(met);
        } else {
            let Finding { file, line, code, message, .. } = finding;
            complaints.push(format!("extra: {file}:{line}: {code}: {message}"));
        }
    }
    complaints.extend(expected.iter().map(|expectation| format!("absent: {expectation}")));
    complaints
}

#[test]
fn check_finds_the_expected_findings_of_every_fixture() {
    let mut complaints_by_site = Vec::new();
    for name in fixtures() {
        let site = SiteTest::fixture(&name);
        let expected = expectations(&site.root());
        let findings = if name.starts_with("drift") { site.drift() } else { site.findings() };
        let said = complaints(expected, &findings);
        complaints_by_site.extend(said.into_iter().map(|complaint| format!("{name}: {complaint}")));
    }
    assert!(complaints_by_site.is_empty(), "\n{}", complaints_by_site.join("\n"));
}

#[test]
fn every_code_has_a_fixture() {
    let expected = fixtures().into_iter().flat_map(|name| expectations(&SiteTest::fixture(&name).root()));
    let covered: BTreeSet<String> = expected.map(|expectation| expectation.code).collect();
    // Baselines, other sites, history and compile-time features are not part of a site, and not every system supports
    // every file name. `tests/it/reports.rs`, `external.rs`, `drift.rs`, `translations.rs`, `tree.rs`,
    // `pictures.rs`, `diagrams.rs`, `cards.rs`, `reading.rs` and `syntaxes.rs` test them.
    let tested_by_others = [
        Code::StaleBaseline,
        Code::DeadLink,
        Code::UnverifiedLink,
        Code::UnfollowedChange,
        Code::SpecialFile,
        Code::ConfusableNames,
        Code::AvifUnavailable,
        Code::BrokenDiagram,
        Code::BrokenCard,
        Code::UnusualValue,
        Code::InvalidData,
        Code::TranslationBehind,
        Code::TranslationCode,
        Code::TranslationStructure,
        Code::UntranslatedSection,
        Code::TranslationMissing,
        Code::TranslationPin,
    ];
    let is_tested = |code: &&Code| tested_by_others.contains(*code) || covered.contains(code.name());
    let bare: Vec<&str> = Code::ALL.iter().filter(|code| !is_tested(code)).map(|code| code.name()).collect();
    assert!(bare.is_empty(), "no fixture expects {bare:?}");
}

#[test]
fn rules_with_automatic_fixes_are_marked() {
    let mut fixed = BTreeSet::new();
    for name in fixtures() {
        let options = Options { history: true, ..Options::default() };
        let found = stepkin::check(&SiteTest::fixture(&name).root(), &options, &Cache::default());
        let findings = found.iter().flat_map(|found| found.report.iter());
        fixed.extend(findings.filter(|finding| finding.is_fixable()).map(|finding| finding.problem.code));
    }
    // It needs a history: `translations.rs` tests it.
    fixed.insert(Code::TranslationCode);
    assert_eq!(fixed, stepkin::review::fix::codes().into_iter().collect());
}

/// The comparison is also tested, because a fixture that can't fail shows nothing.
#[test]
fn extra_absent_and_stale_expectations_are_reported() {
    let page = "<!-- expect: missing-page -->\nx\n<!-- expect: mojibake, mojibake -->\n<!-- expect: missing-file -->\ny\n<!-- expect-file: long-gone -->\n";
    let finding = |line, code: &str| Finding {
        file: "a.md".into(),
        line,
        code: code.into(),
        target: None,
        message: "m".into(),
        help: None,
    };
    let findings = [finding(2, "missing-page"), finding(5, "mojibake"), finding(6, "missing-image")];
    assert_eq!(
        complaints(written("a.md", page), &findings),
        [
            "stale: no finding is called so any more: a.md: long-gone",
            "extra: a.md:6: missing-image: m",
            "absent: a.md:5: mojibake",
            "absent: a.md:5: missing-file",
        ]
    );
}

/// Files with byte order marks, Windows line ends and the like: possibly with findings, but all published.
#[test]
fn doubtful_front_matter_is_built() {
    let site = SiteTest::fixture("front-matter").build();
    for (address, title) in [
        ("/unclosed/", "Never closed"),
        ("/after-a-mark/", "After a byte order mark"),
        ("/after-a-blank-line/", "After a blank line"),
        ("/unknown-key/", "Unknown key"),
        ("/no-title/", "No title"),
        ("/no-front-matter/", "Its heading names it"),
        ("/every-key/", "Every key: known"),
        ("/windows/", "Windows line ends"),
        ("/trailing-blanks/", "Trailing blanks"),
        ("/no-end-of-line/", "No end of line"),
    ] {
        site.page(address).shows_once("<h1").shows(&format!("<title>{title} · ")).lacks("---");
    }
    site.page("/unclosed/").shows("The text is not lost.");
    site.page("/old/").shows("/every-key/");
}

#[test]
fn build_blockers_keep_the_old_site() {
    for (name, first) in [
        ("invalid-front-matter", "invalid-front-matter"),
        ("invalid-utf8", "invalid-utf8"),
        ("address-conflict", "address-conflict"),
        ("template-error", "template-error"),
    ] {
        let site = SiteTest::fixture(name);
        site.run(&["build"]).exits(1).reports(first).says("build failed");
        assert!(!site.path("dist").exists(), "{name}");
    }
}

/// A check parses pages without their HTML. Its findings, and the pages that such a site still renders, are those of
/// a build.
#[test]
fn a_site_that_is_parsed_without_html_has_the_same_findings_and_renders_the_same() {
    let mut pages = 0;
    for name in fixtures() {
        let site = SiteTest::fixture(&name);
        let Ok(sources) = pipeline::read(&site.root(), &Cache::default()) else { continue };
        let analyzed = |parts| {
            let options = Options { parts, ..Options::default() };
            checked(sources.clone(), &options, &Cache::default()).ok()
        };
        let (whole, without_html) = (analyzed(Detail::Whole), analyzed(Detail::WithoutHtml));
        let (Some((whole, found)), Some((work, also_found))) = (whole, without_html) else { continue };
        assert_eq!(found, also_found, "{name}");
        for document in &whole.project.site.documents {
            let Document { body, edition, dialect, .. } = &**document;
            let text = document.text();
            let page = markdown::parse(&text, *body, edition, dialect);
            let without_html = markdown::parse_without_html(&text, *body, edition, dialect);
            assert_eq!(page.page, without_html, "{name}: {}", document.path);
            pages += 1;
        }
        for (address, artifact) in whole.project.plan.artifacts().filter(|(address, _)| address.is_page()) {
            let made = render::artifact(&whole, address, artifact);
            assert_eq!(made, render::artifact(&work, address, artifact), "{name}: {address}");
        }
    }
    assert!(pages > 300, "{pages}");
}
