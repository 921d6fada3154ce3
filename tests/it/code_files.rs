//! Code that pages include from files: the shown part, and the effects of edits.

use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::Duration;

use crate::support::{SiteTest, check_same_tree, server::Server};

const CODE: &str = "\
// #region start
ferry.start();
// #endregion start

// #region stop
ferry.stop();
// #endregion stop
";

/// Files that are saved within this time may have the same stamp.
const SETTLED: Duration = Duration::from_millis(20);

fn site() -> SiteTest {
    let step = |title: &str, order: u8, region: &str| {
        let fence = format!("```js file=\"code/app.js\" region=\"{region}\"\n```\n");
        format!("---\ntitle: {title}\norder: {order}\n---\n\nText.\n\n{fence}")
    };
    SiteTest::empty()
        .edit("content/tour/web/start.md", step("Start", 1, "start"))
        .edit("content/tour/web/stop.md", step("Stop", 2, "stop"))
        .edit("content/tour/ios/start.md", "---\ntitle: Start\norder: 1\n---\n\nText.\n")
        .edit("content/tour/ios/stop.md", "---\ntitle: Stop\norder: 2\n---\n\nText.\n")
        .edit("code/app.js", CODE)
}

#[track_caller]
fn check_as_from_nothing(site: &SiteTest, context: &str) {
    let names = site.names_in_root();
    let names: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !matches!(*name, "dist" | ".stepkin")).collect();
    check_same_tree(&site.output(), &site.fresh_copy(&names).build().output(), context);
}

fn codes(site: &SiteTest) -> Vec<String> {
    site.findings().into_iter().map(|finding| finding.code).collect()
}

#[test]
fn readers_and_programs_see_the_code_as_if_it_were_written_there() {
    let site = site().build();
    let shown = site.page("/tour/web/start/");
    let shown = shown.shows("<figcaption>app.js</figcaption>").lacks("region").lacks("stop();");
    shown.shows("ferry").shows("start").lacks("code/app.js");
    let written = "```js title=\"app.js\"\nferry.start();\n```\n";
    for file in ["dist/tour/web/start/index.md", "dist/llms-full.txt"] {
        let text = site.text(file);
        assert!(text.contains(written), "{file}: {text}");
    }
    assert!(!site.path("dist/code").exists() && !site.path("dist/app.js").exists());
}

#[test]
fn an_edit_of_a_file_changes_the_pages_that_show_it() {
    let site = site().build();
    let before = site.output();
    thread::sleep(SETTLED);
    let site = site.replace("code/app.js", "ferry.stop();", "ferry.halt();").build();
    site.page("/tour/web/stop/").shows("halt").lacks("stop();");
    check_as_from_nothing(&site, "after an edit of a file");
    let changed: BTreeSet<String> = site
        .output()
        .into_iter()
        .filter(|(path, bytes)| before.get(path) != Some(bytes))
        .map(|(path, _)| path)
        .collect();
    let pages: Vec<&String> = changed.iter().filter(|path| path.ends_with("index.html")).collect();
    assert_eq!(pages, ["tour/web/print/index.html", "tour/web/stop/index.html"]);
    // A moved region is found by the next check, and the other page is unchanged.
    thread::sleep(SETTLED);
    let site = site.replace("code/app.js", "#region start", "#region begin");
    assert_eq!(codes(&site), ["missing-code-part"]);
    // A missing file, and one that is restored, without other changes.
    let text = site.text("code/app.js").replace("begin", "start");
    let site = site.remove("code/app.js");
    assert_eq!(codes(&site), ["missing-code-file"; 2]);
    site.run(&["build"]);
    thread::sleep(SETTLED);
    site.write("code/app.js", text);
    assert_eq!(codes(&site), [""; 0]);
    let site = site.build();
    site.page("/tour/web/start/").shows("ferry");
    check_as_from_nothing(&site, "after a file came back");
}

#[test]
fn a_save_of_a_file_is_served() {
    let site = site();
    let server = Server::start(&site.root(), &["--watch"]);
    let page = "/tour/web/stop/";
    server.shows(page, "stop");
    let site = site.replace("code/app.js", "ferry.stop", "ferry.halt");
    server.shows(page, "halt");
    // A file in a folder that doesn't exist yet.
    let site = site.replace("content/tour/web/stop.md", "code/app.js", "code/more/app.js");
    server.shows(page, "<code class=\"language-js\"></code>");
    site.write("code/more/app.js", CODE.replace("stop();", "rest();"));
    server.shows(page, "rest");
    drop(site);
}

#[test]
fn outside_and_secret_files_are_not_read() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("a.js"), "outside();").expect("our own");
    let fence = |file: &str| format!("```js file=\"{file}\"\n```\n\n");
    let files = [
        "../a.js",
        "code/link.js",
        ".env",
        ".git/config",
        "code/env.js",
        "dist/robots.txt",
        "code",
        "code/none.js",
        "code/key.pem",
    ];
    let page: String = files.into_iter().map(fence).collect();
    let site = SiteTest::empty()
        .edit("content/page.md", format!("---\ntitle: Page\n---\n\nText.\n\n{page}"))
        .edit("code/app.js", "app();\n")
        .edit("code/key.pem", "-----BEGIN PRIVATE KEY-----\n")
        .edit(".git/config", "[core]\n")
        .edit(".env", "KEY=one\n");
    std::os::unix::fs::symlink(outside.path().join("a.js"), site.path("code/link.js")).expect("our own");
    std::os::unix::fs::symlink("../.env", site.path("code/env.js")).expect("our own");
    site.run(&["build"]);
    assert_eq!(codes(&site), vec!["missing-code-file"; files.len()]);
    site.page("/page/").lacks("outside()").lacks("KEY=").lacks("PRIVATE");
}
