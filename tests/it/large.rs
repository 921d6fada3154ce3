//! A site with more text than fits into memory, in several batches, gives the same results as one that is completely
//! in memory.

use std::fmt::Write as _;
use std::fs;

use stepkin::base::diagnostic::Report;
use stepkin::input::source;
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::{self, Options};
use stepkin::output::render;
use stepkin::output::unit::Units;
use stepkin::site::plan::Content;

use crate::support::SiteTest;

/// Pages of text in addition to the families.
const BOOKS: usize = 6;
const FAMILIES: usize = 24;

/// 24 families of 21 steps that link to steps and sections of other families, with 18 MB of text.
fn large() -> SiteTest {
    let site = SiteTest::empty();
    for family in 0..FAMILIES {
        let other = (family + 17) % FAMILIES;
        for (step, platform) in (0..21).flat_map(|step| ["web", "ios"].map(|platform| (step, platform))) {
            // Some sections and steps don't exist.
            let text = format!(
                "---\ntitle: Step {step}\norder: {step}\n---\n\n## {step}.1 Set\n\n\
                 [There](/family-{other}/{platform}/step-{step}/#{step}1-set), [up](/family-{other}/web/step-{family}/#no), \
                 [all](/family-{other}/compare/#step-{step})\n\n| Setting | Value |\n| --- | --- |\n| Depth | {family} {platform} |\n"
            );
            site.write(&format!("content/family-{family:02}/{platform}/step-{step}.md"), text);
        }
    }
    for book in 0..BOOKS {
        let mut text = String::from("---\ntitle: Book\n---\n");
        for line in 0..40_000 {
            if line % 400 == 0 {
                write!(text, "\n## Chapter {line}\n\n").expect("a String takes everything");
            }
            writeln!(
                text,
                "Line {line} of book {book} leads on to what the next one says of it, and so to the end."
            )
            .expect("a String takes everything");
        }
        site.write(&format!("content/book-{book}.md"), text);
    }
    site.write("stepkin.toml", "[search]\nenabled = false\n");
    site
}

#[test]
fn batches_give_the_same_site() {
    let site = large();
    let cache = Cache::default();
    let (work, found) =
        pipeline::plan(source::read(&site.root()).expect("a site"), &Options::default(), &cache)
            .expect("it loads");
    let batches = Units::of(&work.project).batches();
    assert!(batches.len() > 2, "{}", batches.len());
    let text: usize = work.project.site.documents.iter().map(|document| document.size()).sum();
    assert!(text > 16 << 20, "{text}");

    let cold = site.run(&["build"]).exits(0);
    let check = |what: &str| {
        for (address, artifact) in work.project.plan.artifacts() {
            let Content::Bytes(expected) = render::artifact(&work, address, artifact).expect("our templates")
            else {
                continue;
            };
            let path = format!("dist/{}", address.output_path());
            assert!(fs::read(site.path(&path)).expect("it is published") == *expected, "{what}: {path}");
        }
    };
    check("cold");
    let report = pipeline::check(&work, &Options::default(), &cache, found, None).expect("it can be checked");
    let counts = format!(
        "{} errors",
        report.iter().filter(|it| it.severity == stepkin::base::diagnostic::Severity::Error).count()
    );
    assert!(cold.stderr.contains(&counts) && !Report::is_empty(&report), "{counts} {}", cold.stderr);

    // Only one file is read again.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let (page, old) = ("content/family-07/ios/step-3.md", site.text("content/family-07/ios/step-3.md"));
    site.write(page, format!("{old}\nMore.\n"));
    site.run(&["build"]).exits(0);
    site.write(page, old);
    site.run(&["build"]).exits(0);
    check("warm");
    let warm = site.run(&["check", "--format", "json"]).exits(1);
    let clean = site.run(&["check", "--format", "json", "--no-cache"]).exits(1);
    assert!(warm.stdout == clean.stdout);
}
