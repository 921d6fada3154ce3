//! Commands that run again after each save.

use std::fs::File;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::SiteTest;
use crate::support::server::eventually;

/// A running command and its output. It ends when this value is dropped.
struct Following {
    child: Child,
    said: PathBuf,
}

impl Following {
    fn start(site: &SiteTest, arguments: &[&str]) -> Self {
        let said = site.path("said.log");
        let both = File::create(&said).expect("a file");
        let mut command = site.command(arguments);
        command.stdout(both.try_clone().expect("another handle")).stderr(both);
        Self { child: command.spawn().expect("the program starts"), said }
    }

    fn said(&self) -> String {
        std::fs::read_to_string(&self.said).expect("a file")
    }

    /// Waits until its output contains a text this many times.
    #[track_caller]
    fn says(&self, text: &str, times: usize) {
        eventually(
            || self.said(),
            |said| said.matches(text).count() == times,
            &format!("not {times} `{text}`"),
        );
    }

    /// A shell that runs this in the background ignores `SIGINT`, so another signal ends it.
    fn ended(mut self) -> ExitStatus {
        kill_process(Pid::from_child(&self.child), Signal::TERM).expect("it runs");
        self.child.wait().expect("our own child")
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn page(text: &str) -> String {
    format!("---\ntitle: A\n---\n\n{text}\n")
}

#[test]
fn a_check_that_watches_reports_after_each_save() {
    let site = SiteTest::empty().edit("content/a.md", page("[x](/nowhere/)"));
    let check = Following::start(&site, &["check", "--watch"]);
    check.says("1 error in 1 page", 1);
    site.write("content/a.md", page("Fine."));
    check.says("content/a.md\n", 1);
    check.says("no problems found in 1 page", 1);
    // An error that prevents reading the site is printed, and the command continues.
    site.write("stepkin.toml", "titel = 'x'\n");
    check.says("error: stepkin.toml:1:1: unknown key `titel`", 1);
    site.write("stepkin.toml", "title = 'x'\n");
    check.says("no problems found in 1 page", 2);
    site.write("content/b.md", page("[x](/gone/)"));
    check.says("1 error, 1 warning in 2 pages", 1);
    std::fs::remove_file(site.path("content/b.md")).expect("it is there");
    check.says("content/b.md\n", 2);
    check.says("no problems found in 1 page", 3);
    assert_eq!(check.ended().signal(), Some(15));
}

#[test]
fn a_new_file_is_read_once_it_is_complete() {
    let site = SiteTest::empty().edit("content/a.md", page("[x](/b/)"));
    let check = Following::start(&site, &["check", "--watch"]);
    check.says("error[missing-page]", 1);
    // Temporary files of an editor aren't reported.
    site.write("content/.b.md.swp", "of an editor");
    // Half of the file is on disk long enough to be detected.
    let mut new = File::create(site.path("content/b.md")).expect("a file");
    new.write_all(b"---\ntitle: B\n").expect("room");
    std::thread::sleep(Duration::from_millis(300));
    new.write_all(b"---\n\nText.\n").expect("room");
    drop(new);
    check.says("no problems found in 2 pages", 1);
    // A hard link to an existing file is also a new file, without a write event.
    site.write("other.md", page("[x](/gone/)"));
    std::fs::hard_link(site.path("other.md"), site.path("content/c.md")).expect("another name");
    check.says("1 error, 1 warning in 3 pages", 1);
    assert_eq!(check.said().matches("content/b.md\n").count(), 1);
    assert!(!check.said().contains("unclosed-front-matter"), "{}", check.said());
    assert!(!check.said().contains(".swp"), "{}", check.said());
}

#[test]
fn a_build_that_watches_publishes_each_save_and_keeps_the_last_good_site() {
    let site = SiteTest::empty().edit("content/a.md", page("One."));
    let build = Following::start(&site, &["build", "--watch"]);
    build.says("built 1 page ", 1);
    let published = || std::fs::read_to_string(site.path("dist/a/index.html")).unwrap_or_default();
    site.write("content/a.md", page("Two."));
    build.says("content/a.md: built 1 page ", 1);
    assert!(published().contains("Two."));
    site.write("content/a.md", "---\ntitle: [x\n---\n");
    build.says("content/a.md: build failed: 1 error to fix first", 1);
    assert!(published().contains("Two."));
    site.write("content/a.md", page("Three."));
    build.says("content/a.md: built 1 page ", 2);
    assert!(published().contains("Three."));
    assert_eq!(build.ended().signal(), Some(15));
}

#[test]
fn endless_commands_reject_options_that_end() {
    let site = SiteTest::empty().edit("content/a.md", page("One."));
    for arguments in [
        &["check", "--watch", "--fix"][..],
        &["check", "--watch", "--list-links"],
        &["build", "--watch", "--timings"],
    ] {
        site.run(arguments).exits(2).says("cannot be used with");
    }
}
