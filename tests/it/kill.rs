//! A killed build leaves the old site or the new one, and the next build works.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{SiteTest, Tree, check_same_tree};

const PAGES: usize = 100;
const KILLS: u32 = 200;

/// Writes one of two versions of the site, which share a third of their pages.
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

    // The duration of a build that writes something.
    write(&site, "one");
    let mut whole = time_of_build(&site);

    let (mut old, mut new, mut littered) = (0, 0, 0);
    let mut published = "one";
    for round in 0..KILLS {
        let wanted = if published == "one" { "two" } else { "one" };
        write(&site, wanted);
        let mut command = site.command(&["build"]);
        let mut build =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        // Moments distributed over slightly more than a complete build, in random order: multiples of the golden
        // ratio.
        let part = (f64::from(round) * 0.618_033_988_749_895).fract();
        thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * 1.1 * part));
        // SIGKILL, on systems that support it.
        build.kill().expect("it is ours");
        build.wait().expect("it ends");

        let found = site.output();
        let (before, after) = if wanted == "two" { (&one, &two) } else { (&two, &one) };
        if found == *after {
            new += 1;
            published = wanted;
        } else {
            check_same_tree(&found, before, &format!("round {round}, killed after {part:.2} of a build"));
            old += 1;
        }
        littered += usize::from(site.names_in_root().iter().any(|name| name.contains(".stepkin-")));
        // Every tenth time, the next build completes. Otherwise, a killed run follows a killed run.
        if round % 10 == 9 {
            // Measured again, because other programs may share the machine.
            whole = time_of_build(&site).max(whole / 2);
            check_same_tree(&site.output(), after, &format!("round {round}, the next build"));
            assert_eq!(site.names_in_root(), [".stepkin", "content", "dist"], "round {round}");
            published = wanted;
        }
    }
    assert!(old > 0 && new > 0, "{old} kills came before and {new} after the exchange");
    assert!(littered > 0, "no kill came while a stage was beside the output");
}

/// Signals that ask a build to end, and how a shell reports them.
#[test]
fn a_terminated_build_removes_its_files_first() {
    let site = SiteTest::empty();
    write(&site, "one");
    let stage = site.path(".dist.stepkin-stage");
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let mut caught = 0;
        for round in 0..20 {
            let version = if round % 2 == 0 { "two" } else { "one" };
            write(&site, version);
            // A shell's background job ignores interrupts, and so would every process that it starts.
            let mut command = Command::new("env");
            command.args([&format!("--default-signal={name}"), env!("CARGO_BIN_EXE_stepkin")]);
            command.args(["build", "--no-cache", "--jobs", "1"]).current_dir(site.root());
            let mut build =
                command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
            while !stage.exists() && build.try_wait().expect("it is ours").is_none() {
                thread::sleep(Duration::from_micros(200));
            }
            let is_half_made = stage.exists();
            let id = build.id().to_string();
            Command::new("kill").args([&format!("-{name}"), &id]).status().expect("a system has it");
            let output = build.wait_with_output().expect("it ends");
            assert!(!stage.exists(), "{name} leaves its stage behind");
            // It may have been finished already.
            if is_half_made && output.status.code().is_none() {
                assert_eq!(output.status.signal(), Some(number));
                assert_eq!(String::from_utf8_lossy(&output.stderr), "");
                caught += 1;
            }
            if caught == 3 {
                break;
            }
        }
        assert_eq!(caught, 3, "{name} was never in time");
    }
    // The next one publishes the requested version.
    write(&site, "one");
    site.run(&["build"]).exits(0);
    assert!(site.path("dist/only-one/index.html").exists());
}

/// A program that is started with `nohup` continues after a hangup.
#[test]
#[cfg(target_os = "linux")]
fn a_hangup_that_is_to_be_ignored_is_ignored() {
    let site = SiteTest::empty();
    write(&site, "one");
    let story = format!(
        "trap '' HUP; {} build --no-cache & sleep 0.05; kill -HUP $!; wait $!",
        env!("CARGO_BIN_EXE_stepkin")
    );
    let mut shell = Command::new("sh");
    let output = shell.current_dir(site.root()).args(["-c", &story]).output().expect("a system has it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(site.path("dist/only-one/index.html").exists());
}
