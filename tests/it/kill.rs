//! A build that is killed leaves the old site or the new one, and the next build works.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{SiteTest, Tree, check_same_tree};

const PAGES: usize = 300;
const KILLS: u32 = 200;

/// Writes one of two versions of the site; a third of the pages is the same in both.
fn write(site: &SiteTest, version: &str) {
    for page in 0..PAGES {
        let said = if page.is_multiple_of(3) { "both" } else { version };
        let text = format!("---\ntitle: Page {page}\n---\n\nVersion {said}.\n");
        site.write(&format!("content/part-{}/page-{page}.md", page % 10), text);
    }
    for known in ["one", "two"] {
        let _ = std::fs::remove_file(site.path(&format!("content/only-{known}.md")));
    }
    site.write(&format!("content/only-{version}.md"), "---\ntitle: Only here\n---\n");
}

fn time_of_build(site: &SiteTest) -> Duration {
    let start = Instant::now();
    site.run(&["build"]).exits(0);
    start.elapsed()
}

#[test]
fn a_killed_build_leaves_the_old_site_or_the_new_one() {
    let site = SiteTest::empty();
    let versions = ["one", "two"];
    let [one, two]: [Tree; 2] = versions.map(|version| {
        write(&site, version);
        site.run(&["build"]).exits(0);
        site.output()
    });
    assert_ne!(one, two);
    assert!(one.len() > PAGES);

    // How long a build takes here that has something to write.
    write(&site, "one");
    let mut whole = time_of_build(&site);

    let (mut old, mut new, mut littered) = (0, 0, 0);
    let mut stands = "one";
    for round in 0..KILLS {
        let wanted = if stands == "one" { "two" } else { "one" };
        write(&site, wanted);
        let mut command = site.command(&["build"]);
        let mut build =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        // Instants spread over a whole build and a little more, in no order: multiples of the golden ratio.
        let part = (f64::from(round) * 0.618_033_988_749_895).fract();
        thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * 1.1 * part));
        // SIGKILL, on the systems that have it.
        build.kill().expect("it is ours");
        build.wait().expect("it ends");

        let found = site.output();
        let (before, after) = if wanted == "two" { (&one, &two) } else { (&two, &one) };
        if found == *after {
            new += 1;
            stands = wanted;
        } else {
            check_same_tree(&found, before, &format!("round {round}, killed after {part:.2} of a build"));
            old += 1;
        }
        littered += usize::from(site.names_in_root().iter().any(|name| name.contains(".stepkin-")));
        // Every tenth time the next build is let through; otherwise a killed run follows a killed run.
        if round % 10 == 9 {
            // Measured anew, as other work may share the machine.
            whole = time_of_build(&site).max(whole / 2);
            check_same_tree(&site.output(), after, &format!("round {round}, the next build"));
            assert_eq!(site.names_in_root(), [".stepkin", "content", "dist"], "round {round}");
            stands = wanted;
        }
    }
    assert!(old > 0 && new > 0, "{old} kills came before and {new} after the exchange");
    assert!(littered > 0, "no kill came while a stage stood beside the output");
}
