//! Tests the development server over a real socket.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Deref;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::support::SiteTest;
use crate::support::server::{Answer, Server, eventually};

/// A server for a small site. Both are removed when this is dropped.
struct Served {
    server: Server,
    site: SiteTest,
}

impl Served {
    fn start(arguments: &[&str]) -> Self {
        let site = SiteTest::rootless()
            .edit(START, "---\ntitle: Start\norder: 1\n---\nHello web.\n")
            .edit("content/tour/ios/start.md", "---\ntitle: Start\norder: 1\n---\nHello iOS.\n")
            .edit("static/data.bin", "0123456789");
        Self::over(site, arguments)
    }

    fn over(site: SiteTest, arguments: &[&str]) -> Self {
        Self { server: Server::start(&site.root(), arguments), site }
    }

    fn edit(&self, path: &str, text: &str) {
        self.site.write(path, text);
    }
}

impl Deref for Served {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

const START: &str = "content/tour/web/start.md";

/// Returns the URL of the style sheet that a page loads.
fn style_of(page: &Answer) -> String {
    let text = page.text();
    let (_, rest) = text.split_once("<link rel=\"stylesheet\" href=\"").expect("pages have a style");
    rest.split('"').next().unwrap_or_default().to_string()
}

#[test]
fn existing_pages_files_and_missing_targets() {
    let server = Served::start(&["--no-watch"]);
    let page = server.get("/tour/web/start/");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("access-control-allow-origin"), "");
    assert!(page.text().contains("Hello web.") && page.text().contains("/tour/ios/start/"));
    assert!(!page.text().contains("reload.js"), "with --no-watch nothing is added to a page");

    let style = server.get(&style_of(&page));
    assert_eq!((style.status, style.header("content-type")), (200, "text/css; charset=utf-8"));
    assert_eq!(server.get("/robots.txt").header("content-type"), "text/plain; charset=utf-8");

    let missing = server.get("/nowhere/");
    assert_eq!((missing.status, missing.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(missing.text().contains("Page not found"));
    assert_eq!(server.get("/404.html").status, 404);

    for unslashed in ["/tour/web/start", "/tour/web/start/index.html", "//tour/web/start/"] {
        let answer = server.get(&format!("{unslashed}?a=b"));
        assert_eq!((answer.status, answer.header("location")), (302, "/tour/web/start/?a=b"), "{unslashed}");
    }
}

#[test]
fn a_head_has_the_headers_and_no_body() {
    let server = Served::start(&[]);
    let (get, head) = (server.get("/data.bin"), server.ask("HEAD", "/data.bin", &[]));
    assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, "10", 0));
    assert_eq!(get.header("etag"), head.header("etag"));
    let post = server.ask("POST", "/data.bin", &["Content-Length: 0"]);
    assert_eq!((post.status, post.header("allow")), (405, "GET, HEAD"));
}

#[test]
fn cached_responses_are_not_sent_again() {
    let server = Served::start(&[]);
    let style = style_of(&server.get("/tour/web/start/"));
    for path in ["/tour/web/start/", "/data.bin", &style] {
        let tag = server.get(path).header("etag").to_string();
        let again = server.ask("GET", path, &[&format!("If-None-Match: \"x\", {tag}")]);
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(server.ask("GET", path, &["If-None-Match: \"x\""]).status, 200, "{path}");
    }
}

#[test]
fn parts_of_files_are_answered() {
    let server = Served::start(&[]);
    let part = server.ask("GET", "/data.bin", &["Range: bytes=2-4"]);
    assert_eq!(
        (part.status, part.text().as_str(), part.header("content-range")),
        (206, "234", "bytes 2-4/10")
    );
    assert_eq!(server.ask("GET", "/data.bin", &["Range: bytes=-2"]).text(), "89");
    let beyond = server.ask("GET", "/data.bin", &["Range: bytes=99-"]);
    assert_eq!((beyond.status, beyond.header("content-range")), (416, "bytes */10"));
    let stale = server.ask("GET", "/data.bin", &["Range: bytes=2-4", "If-Range: \"other\""]);
    assert_eq!((stale.status, stale.text().as_str()), (200, "0123456789"));
}

#[test]
fn only_requests_to_its_own_name_are_answered() {
    let server = Served::start(&[]);
    let port = server.address.rsplit(':').next().expect("a port").to_string();
    for host in
        ["evil.example", "evillocalhost", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", ""]
    {
        assert_eq!(server.ask("GET", "/", &[&format!("Host: {host}:{port}")]).status, 403, "{host}");
    }
    assert_eq!(server.ask("GET", "/", &[&format!("Host: localhost:{port}")]).status, 200);
    assert_eq!(server.ask("GET", "/", &["Origin: http://evil.example"]).status, 403);
    assert_eq!(server.ask("GET", "/", &["Origin: null"]).status, 403);
    assert_eq!(server.ask("GET", "/", &[&format!("Origin: http://{}", server.address)]).status, 200);
}

#[test]
fn on_a_network_only_allowed_names_are_answered_to() {
    let server =
        Served::start(&["--host", "0.0.0.0", "--allow-host", "docs.test", "--allow-host", "10.9.8.7"]);
    let port = server.address.rsplit(':').next().expect("a port").to_string();
    let status = |host: &str| server.ask("GET", "/", &[&format!("Host: {host}:{port}")]).status;
    for host in ["127.0.0.1", "localhost", "docs.test", "Docs.Test", "10.9.8.7"] {
        assert_eq!(status(host), 200, "{host}");
    }
    for host in ["evil.example", "xdocs.test", "10.9.8.6"] {
        assert_eq!(status(host), 403, "{host}");
    }
}

#[test]
fn a_name_of_this_machine_can_be_listened_at() {
    let server = Served::start(&["--host", "localhost"]);
    let port = server.address.rsplit(':').next().expect("a port").to_string();
    assert_eq!(server.ask("GET", "/", &[&format!("Host: localhost:{port}")]).status, 200);
}

#[test]
fn serving_to_the_network_prints_a_warning() {
    for (host, expected) in [("0.0.0.0", true), ("127.0.0.1", false), ("localhost", false)] {
        let site = SiteTest::rootless().edit("content/a.md", "---\ntitle: A\n---\n");
        let (_, said) = speaking(&site, &["--host", host]);
        let said = std::fs::read_to_string(said).expect("a file");
        assert_eq!(
            said.contains("others on your network can read this site, including drafts"),
            expected,
            "{said}"
        );
    }
}

#[test]
fn no_request_reaches_the_file_system() {
    let server = Served::start(&[]);
    server.edit("secret.txt", "secret");
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/tour/../../secret.txt",
        "/secret.txt",
        "/static/data.bin",
        "/content/tour/web/start.md",
        "/data.bin%00",
        "/%5c..%5csecret.txt",
    ] {
        let answer = server.get(path);
        assert!(matches!(answer.status, 302 | 400 | 404), "{path}: {}", answer.status);
        assert!(!answer.text().contains("secret"), "{path}");
    }
}

#[test]
fn a_base_path_is_the_path_of_the_site() {
    let site = SiteTest::rootless()
        .edit("stepkin.toml", "base_url = 'https://e.org/docs/'")
        .edit("content/index.md", "---\ntitle: Home\n---\n[a](/a/)\n")
        .edit("content/a.md", "---\ntitle: A\n---\n");
    let server = Served::over(site, &[]);
    assert_eq!(server.get("/").header("location"), "/docs/");
    assert!(server.get("/docs/").text().contains("href=\"/docs/a/\""));
    assert_eq!(server.get("/docs/a/").status, 200);
    assert_eq!(server.get("/docs/a").header("location"), "/docs/a/");
}

#[test]
fn a_busy_port_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("it is bound").port().to_string();
    let site = SiteTest::rootless().edit("content/index.md", "");
    let run = site.run(&["serve", "--port", &port]).exits(2);
    run.says(&format!("cannot listen on `127.0.0.1:{port}`"));
}

#[test]
fn saved_changes_are_shown() {
    let server = Served::start(&["--watch"]);
    let page = "/tour/web/start/";
    assert!(server.get(page).text().contains("/_stepkin/reload.js"));
    assert_eq!(server.get("/_stepkin/reload.js").header("content-type"), "text/javascript; charset=utf-8");

    server.edit(START, "---\ntitle: Start\norder: 1\n---\nSaved once.\n");
    server.shows(page, "Saved once.");
    // A title appears in the navigation of every page of its platform.
    server.edit("content/tour/web/more.md", "---\ntitle: More of it\norder: 2\n---\n");
    server.shows(page, "More of it");
    server.site.delete("content/tour/web/more.md");
    server.shows("/tour/web/more/", "Page not found");
    // A folder that didn't exist when the server started.
    server.edit("templates/404.html", "Gone fishing");
    server.shows("/tour/web/more/", "Gone fishing");
    server.edit("content/new/deep/page.md", "---\ntitle: Deep\n---\nDeep text\n");
    server.shows("/new/deep/page/", "Deep text");
}

#[test]
fn a_commit_changes_the_dates_that_pages_show() {
    let site = SiteTest::empty();
    site.write("stepkin.toml", "last_change = true\n");
    site.write(START, "---\ntitle: Start\norder: 1\n---\nHello.\n");
    site.git("2026-01-02", &["init", "--quiet"]);
    let server = Server::start(&site.root(), &["--watch"]);
    assert!(!server.get("/tour/web/start/").text().contains("2026-01-02"));
    site.git("2026-01-02", &["add", "content"]);
    site.git("2026-01-02", &["commit", "--quiet", "-m", "x"]);
    server.shows("/tour/web/start/", "2026-01-02");
}

#[test]
fn a_shared_page_that_is_saved_is_shown_on_every_platform() {
    let server = Served::start(&["--watch"]);
    for text in ["Made.", "Saved.", "Saved again."] {
        server.edit("content/tour/_shared/end.md", &format!("---\ntitle: End\norder: 2\n---\n{text}\n"));
        server.shows("/tour/web/end/", text);
        server.shows("/tour/ios/end/", text);
    }
    server.edit("stepkin.toml", "[variables]\nfruit = { web = \"fig\", ios = \"plum\" }\n");
    server.edit("content/tour/_shared/end.md", "---\ntitle: End\norder: 2\n---\nA {fruit}.\n");
    server.shows("/tour/web/end/", "A fig.");
    server.edit("stepkin.toml", "[variables]\nfruit = { web = \"kiwi\", ios = \"plum\" }\n");
    server.shows("/tour/web/end/", "A kiwi.");
    server.shows("/tour/ios/end/", "A plum.");
    // A page replaces the generated one, and is removed again.
    server.edit("content/tour/ios/end.md", "---\ntitle: End\norder: 2\n---\nOur own.\n");
    server.shows("/tour/ios/end/", "Our own.");
    server.site.delete("content/tour/ios/end.md");
    server.shows("/tour/ios/end/", "A plum.");
}

#[test]
fn an_editor_that_saves_by_renaming_is_seen() {
    let server = Served::start(&["--watch"]);
    server.edit("content/tour/web/.start.md.swp", "---\ntitle: Start\norder: 1\n---\nRenamed.\n");
    server.site.rename("content/tour/web/.start.md.swp", START);
    server.shows("/tour/web/start/", "Renamed.");
}

#[test]
fn the_last_good_site_stays_up_while_findings_are_shown() {
    let server = Served::start(&["--watch"]);
    let (page, findings) = ("/tour/web/start/", "/_stepkin/findings");
    server.shows(findings, "No problems found.");

    server.edit("stepkin.toml", "titel = '<b>'");
    server.shows(findings, "unknown key `titel`");
    assert!(server.get(page).text().contains("Hello web."));
    server.edit("stepkin.toml", "title = 'Named'");
    server.shows(page, "Named");

    server.edit(START, "---\ntitle: <b>: x: y\n---\nBroken front matter.\n");
    server.shows(findings, "content/tour/web/start.md:2:8");
    let said = server.get(findings).text();
    assert!(said.contains("&lt;b&gt;") && !said.contains("<b>"), "what is shown is escaped: {said}");
    assert!(server.get(page).text().contains("Hello web."));
    server.edit(START, "---\ntitle: Start\norder: 1\n---\n[x](/nowhere/)\n");
    server.shows(page, "/nowhere/");
    server.shows(findings, "page <code>/nowhere/</code> doesn");

    server.edit("templates/step.html", "{% if %}");
    server.shows(findings, "template-error");
    assert!(server.get(page).text().contains("<h1>Start</h1>"));
}

#[test]
fn a_closing_line_that_is_written_at_last_is_seen() {
    let server = Served::start(&["--watch"]);
    server.edit(START, "---\ntitle: Start\norder: 1\n\nText.\n");
    server.shows("/_stepkin/findings", "unclosed-front-matter");
    server.edit(START, "---\ntitle: Start\norder: 1\n---\n\nText.\n");
    server.shows("/_stepkin/findings", "No problems found.");
    assert!(!server.get("/tour/web/start/").text().contains("<hr"));
}

#[test]
fn a_closing_line_that_is_one_no_more_is_seen() {
    let server = Served::start(&["--watch"]);
    server.edit(START, "---\ntitle: Start\norder: 1\n---");
    server.shows("/_stepkin/findings", "No problems found.");
    server.edit(START, "---\ntitle: Start\norder: 1\n---extra");
    server.shows("/_stepkin/findings", "unclosed-front-matter");
    server.shows("/tour/web/start/", "---extra");
}

#[test]
fn pages_that_read_alike_no_more_are_no_family() {
    let site = SiteTest::rootless();
    let alike = "Dig the earth over and water what grows in it every day until evening comes at last.";
    let other =
        "Open settings, choose an account, press enter, confirm twice, restart your phone afterwards.";
    for (platform, title) in [("web", "Begin"), ("ios", "Start")] {
        let text = format!("---\ntitle: {title}\norder: 1\n---\n{alike}\n");
        site.write(&format!("content/tour/{platform}/one.md"), text);
    }
    let server = Served::over(site, &["--watch"]);
    assert_eq!(server.get("/tour/compare/").status, 200);
    server.edit("content/tour/ios/one.md", &format!("---\ntitle: Start\norder: 1\n---\n{other}\n"));
    server.shows("/tour/ios/one/", "Open settings");
    assert_eq!(server.get("/tour/compare/").status, 404);
    // They list each other as pages of one folder, and aren't the same step.
    assert!(!server.get("/tour/web/one/").text().contains("class=\"platforms\""));
}

#[test]
fn a_page_that_cannot_be_read_keeps_its_last_version_and_stops_no_other() {
    let server = Served::start(&["--watch"]);
    let page = |platform: &str, text: &str| {
        let path = format!("content/tour/{platform}/start.md");
        server.edit(&path, &format!("---\ntitle: Start\norder: 1\n---\n{text}\n"));
    };
    // A page that is being written for the first time.
    server.edit("content/tour/web/new.md", "---\ntitle: \"Unfini");
    server.shows("/tour/web/new/", "content/tour/web/new.md");
    page("ios", "Second iOS.");
    server.shows("/tour/ios/start/", "Second iOS.");
    assert!(!server.get("/tour/ios/start/").text().contains("stepkin-outdated"));
    // A page that had a valid version.
    server.edit(START, "---\ntitle: [<b>\n---\nBroken.\n");
    server.shows("/tour/web/start/", "This page is outdated");
    let old = server.get("/tour/web/start/").text();
    assert!(old.contains("Hello web.") && old.contains("content/tour/web/start.md:2:"), "{old}");
    page("ios", "Third iOS.");
    server.shows("/tour/ios/start/", "Third iOS.");
    assert!(server.get("/tour/web/start/").text().contains("This page is outdated"));
    page("web", "Fixed.");
    server.shows("/tour/web/start/", "Fixed.");
    assert!(!server.get("/tour/web/start/").text().contains("This page is outdated"));
    server.edit("content/tour/web/new.md", "---\ntitle: Finished\norder: 2\n---\nNew text.\n");
    server.shows("/tour/web/new/", "New text.");
}

#[test]
fn a_contested_address_stays_with_its_first_file() {
    let server = Served::start(&["--watch"]);
    server.edit("content/other.md", "---\ntitle: Other\nslug: other\n---\nOther text.\n");
    server.shows("/other/", "Other text.");
    server.edit("content/another.md", "---\ntitle: Another\nslug: other\n---\nAnother text.\n");
    server.shows("/_stepkin/findings", "address-conflict");
    assert!(server.get("/other/").text().contains("Other text."));
    server.edit(START, "---\ntitle: Start\norder: 1\n---\nStill shown.\n");
    server.shows("/tour/web/start/", "Still shown.");
}

#[test]
fn a_template_or_configuration_that_fails_stops_no_page() {
    let server = Served::start(&["--watch"]);
    server.edit("templates/step.html", "Mine: {{ body | safe }}");
    server.shows("/tour/web/start/", "Mine:");
    server.edit("templates/step.html", "{% if %}");
    server.shows("/tour/web/start/", "This page is outdated");
    server.edit(START, "---\ntitle: Start\norder: 1\n---\nNew text.\n");
    server.shows("/tour/web/start/", "New text.");
    let page = server.get("/tour/web/start/").text();
    assert!(page.contains("Mine:") && page.contains("templates/step.html:1:"), "{page}");
    server.site.delete("templates/step.html");
    server.edit("stepkin.toml", "titel = 'x'");
    server.shows("/tour/web/start/", "unknown key");
    server.edit(START, "---\ntitle: Start\norder: 1\n---\nNewer text.\n");
    server.shows("/tour/web/start/", "Newer text.");
    server.edit("stepkin.toml", "title = 'Named'");
    server.shows("/tour/web/start/", "Named");
    assert!(!server.get("/tour/web/start/").text().contains("This page is outdated"));
}

#[test]
fn a_site_that_cannot_be_published_is_served_from_the_beginning() {
    let site = SiteTest::rootless()
        .edit("content/index.md", "---\ntitle: Home\n---\nWelcome.\n")
        .edit("content/half.md", "---\ntitle: [x\n---\nHalf.\n");
    let server = Served::over(site, &["--watch"]);
    assert!(server.get("/").text().contains("Welcome."));
    assert!(server.get("/half/").text().contains("content/half.md:2:"));
    server.edit("content/half.md", "---\ntitle: Half\n---\nWhole.\n");
    server.shows("/half/", "Whole.");
}

#[test]
fn a_tree_that_cannot_be_read_is_named_below_its_root_and_seen_again() {
    let server = Served::start(&["--watch"]);
    server.site.rename("content", "aside");
    server.shows("/tour/web/start/", "This page is outdated");
    let findings = server.get("/_stepkin/findings").text();
    assert!(!findings.contains(&server.site.root().display().to_string()), "{findings}");
    server.site.rename("aside", "content");
    server.edit(START, "---\ntitle: Start\norder: 1\n---\nBack again.\n");
    server.shows("/tour/web/start/", "Back again.");
}

/// The system's limits can be lowered for one process if users may create namespaces.
#[test]
fn without_inotify_watches_files_are_polled() {
    let site = SiteTest::rootless().edit(START, "---\ntitle: Start\norder: 1\n---\nHello.\n");
    for limit in ["max_inotify_watches", "max_inotify_instances"] {
        let serve = format!("echo 0 > /proc/sys/user/{limit} && exec \"$0\" serve --port 0 --root \"$1\"");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "sh", "-c", &serve, env!("CARGO_BIN_EXE_stepkin")]);
        let may = Command::new("unshare").args(["--user", "--map-root-user", "true"]).output();
        if !may.is_ok_and(|output| output.status.success()) {
            eprintln!("not tried: no namespaces for users here");
            return;
        }
        let file = std::fs::File::create(site.path("said")).expect("a file of ours");
        let server = Server::of(command.arg(site.root()).stderr(file));
        site.write(START, format!("---\ntitle: Start\norder: 1\n---\nAfter {limit}.\n"));
        server.shows("/tour/web/start/", &format!("After {limit}."));
        let said = site.text("said");
        assert!(said.contains("limit for file watches is reached") && said.contains("fs.inotify."), "{said}");
    }
}

#[test]
fn open_pages_are_notified_of_every_version() {
    let server = Served::start(&["--watch"]);
    let mut stream = TcpStream::connect(&server.address).expect("it listens");
    let page = "page=%2Ftour%2Fweb%2Fstart%2F";
    let request = format!("GET /_stepkin/events?{page} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut next = || lines.find(|line| line.starts_with("data: ")).expect("the stream stays open");
    // The version that an open page gets, and the one with which its script is loaded.
    let version = |told: &str| {
        let told: serde_json::Value = serde_json::from_str(told.trim_start_matches("data: ")).expect("JSON");
        told["version"].as_str().expect("a version").to_string()
    };
    // Again after the site has been checked.
    let first = version(&next());
    assert_eq!(version(&next()), first);
    assert!(server.get("/tour/web/start/").text().contains(&format!("/_stepkin/reload.js?{first}\"")));
    server.edit(START, "---\ntitle: Start\norder: 1\n---\n[x](/nowhere/)\n");
    // First the new version, then its findings.
    let told = next();
    let second = version(&told);
    assert_ne!(second, first);
    let told = if told.contains("1 error here") { told } else { next() };
    assert!(version(&told) == second && told.contains("1 error here"), "{told}");
}

/// Returns the identifiers with which a page requests fixes for its findings.
fn fixes_on(page: &str) -> Vec<String> {
    page.split("data-fixes=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap_or_default().into())
        .collect()
}

#[test]
fn a_page_shows_its_findings_with_highlights_and_fixes() {
    let server = Served::start(&["--watch"]);
    let panel = |path: &str| format!("/_stepkin/panel?page={path}");
    server.edit(START, "---\ntitle: Start\norder: 1\n---\n\n1 < 2 [x](/nowhere/).\n");
    let (start, other) = (panel("%2Ftour%2Fweb%2Fstart%2F"), panel("/tour/ios/start/"));
    server.shows(&start, "[x](<mark>/nowhere/</mark>)");
    let shown = server.get(&start).text();
    assert!(shown.contains("<code>content/tour/web/start.md:6:11</code>"), "{shown}");
    assert!(shown.contains("<span data-line=\"6\">1 &lt; 2 [x](<mark>"), "{shown}");
    assert!(shown.contains("href=\"/_stepkin/findings?page=%2Ftour%2Fweb%2Fstart%2F\""), "{shown}");
    assert!(!shown.contains("Open in the editor"), "no editor is named");
    let shown = server.get(&other).text();
    assert!(shown.contains("No problems found.") && !shown.contains("/nowhere/"), "{shown}");
    // All of them, with links to their page and back.
    let all = server.get("/_stepkin/findings?page=%2Ftour%2Fios%2Fstart%2F").text();
    assert!(all.contains("<a href=\"/tour/ios/start/\">Back to the page</a>"), "{all}");
    assert!(
        all.contains("<a href=\"/tour/web/start/\">/tour/web/start/</a>") && all.contains("/nowhere/"),
        "{all}"
    );
    let all = server.get("/_stepkin/findings?page=//evil.example/").text();
    assert!(!all.contains("href=\"//evil.example"), "{all}");

    server.edit("stepkin.toml", "[serve]\neditor = 'vscode'\n");
    let file = server.site.path(START).canonicalize().expect("it is there");
    server.shows(&start, &format!("href=\"vscode://file{}:6:11\"", file.display()));
}

#[test]
fn only_pages_of_this_server_on_this_machine_have_findings_fixed() {
    let server = Served::start(&["--watch", "--host", "0.0.0.0", "--allow-host", "docs.test"]);
    let (port, page) =
        (server.address.rsplit(':').next().expect("a port"), "/_stepkin/panel?page=/tour/web/start/");
    let broken = "---\ntitle: Start\norder: 1\n---\nCafÃ© and [x](/nowhere/)\n";
    server.edit(START, broken);
    let local = format!("Host: 127.0.0.1:{port}");
    let look = |host: &str| server.ask("GET", page, &[host]).text();
    eventually(|| look(&local), |page| page.contains("data-fixes"), "nothing to fix");
    let ids = serde_json::to_string(&fixes_on(&look(&local))).expect("JSON");
    assert!(!look("Host: docs.test").contains("data-fixes"), "others get no button");

    let ask = |headers: &[&str], body: &str| server.post("/_stepkin/fix", headers, body).status;
    let (json, origin) = ("Content-Type: application/json", format!("Origin: http://127.0.0.1:{port}"));
    let evil = format!("Origin: http://evil.example:{port}");
    for headers in [
        &[&*local, json][..],
        &[&*local, json, &evil],
        &[&*local, json, "Origin: null"],
        &[&*local, &origin],
        &[&*local, &origin, "Content-Type: text/plain"],
        &["Host: docs.test", json, "Origin: http://docs.test"],
        &["Host: evil.example", json, "Origin: http://evil.example"],
    ] {
        assert_eq!(ask(headers, &ids), 403, "{headers:?}");
    }
    let headers = [&*local, &*origin, json];
    for (body, status) in [("", 400), ("{}", 400), ("[]", 409), ("[\"0123456789abcdef\"]", 409)] {
        assert_eq!(ask(&headers, body), status, "{body}");
    }
    let text = || server.site.text(START);
    assert_eq!(text(), broken);
    assert_eq!(ask(&headers, &ids), 200);
    assert_eq!(text(), broken.replace("CafÃ©", "Café"));
    // The fixed finding is gone, and the link without an automatic fix stays.
    eventually(|| look(&local), |page| !page.contains("data-fixes"), "it is fixed");
    assert!(look(&local).contains("/nowhere/"));
    assert_eq!(ask(&headers, &ids), 409);
}

#[test]
fn without_watching_nothing_is_fixed() {
    let server = Served::start(&["--no-watch"]);
    let origin = format!("Origin: http://{}", server.address);
    let answer = server.post("/_stepkin/fix", &[&origin, "Content-Type: application/json"], "[]");
    assert_eq!(answer.status, 405);
}

#[test]
fn the_search_index_is_served_from_memory_and_follows_edits() {
    let server = Served::start(&["--watch"]);
    let catalogue = server.get("/_stepkin/search/catalogue.json");
    assert_eq!(
        (catalogue.status, catalogue.header("content-type")),
        (200, "application/json; charset=utf-8")
    );
    assert!(catalogue.text().contains("\"tour/_search/web/1.json\""), "{}", catalogue.text());
    let entry = "/tour/_search/web/1.json";
    let before = server.get(entry).text();
    assert_eq!(server.get("/tour/_search/web/2.json").status, 404);
    assert_eq!(server.get("/_stepkin/search/nothing").status, 404);
    server.edit(START, "---\ntitle: Start\norder: 1\n---\nHello again.\n");
    server.shows("/tour/web/start/", "Hello again.");
    assert_ne!(server.get(entry).text(), before);
    assert!(server.site.path("content").is_dir() && !server.site.path("dist").exists());
}

/// A server whose output is written to a file.
fn speaking(site: &SiteTest, arguments: &[&str]) -> (Server, PathBuf) {
    let said = site.path("said.log");
    let mut command = site.command(&[&["serve", "--port", "0"], arguments].concat());
    command.stderr(std::fs::File::create(&said).expect("a file"));
    (Server::of(&mut command), said)
}

/// Returns the printed lines, without times.
fn lines(said: &PathBuf) -> String {
    let text = std::fs::read_to_string(said).expect("a file");
    let without_time = |line: &str| match line.split_once(" in ") {
        Some((before, after)) => {
            format!("{before}{}\n", after.split_once(" ms").map_or("", |(_, rest)| rest))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(without_time).collect()
}

#[test]
fn each_save_is_a_line() {
    let site = SiteTest::rootless();
    let page = |text: &str| site.write("content/a.md", format!("---\ntitle: A\n---\n{text}\n"));
    page("[x](/gone/)");
    let (_server, said) = speaking(&site, &[]);
    let mut expected = "1 error; run `stepkin check` to see it\n".to_string();
    let mut hears = |line: &str| {
        expected.push_str(line);
        eventually(|| lines(&said), |said| *said == expected, &format!("no `{line}`"));
    };
    hears("");
    page("Moved down.\n\n[x](/gone/)");
    hears("content/a.md updated\n");
    page("The the end. [x](/gone/) [y](/nowhere/)");
    hears("content/a.md updated (+1 error: missing-page, +1 warning: doubled-word)\n");
    page("The end.");
    hears("content/a.md updated (-2 errors: missing-page, -1 warning: doubled-word)\n");
    site.write("stepkin.toml", "titel = 'A'\n");
    eventually(
        || lines(&said),
        |said| said.contains("\nstepkin.toml updated; stepkin.toml:1:1: unknown key `titel`\n"),
        "nothing of the failure",
    );
}

#[test]
fn a_quiet_server_does_not_report_saves() {
    let site = SiteTest::rootless().edit("content/a.md", "---\ntitle: A\n---\n[x](/gone/)\n");
    let (server, said) = speaking(&site, &["--watch", "-q"]);
    server.shows("/_stepkin/findings", "/gone/");
    site.write("content/a.md", "---\ntitle: A\n---\n[x](/nowhere/)\n");
    server.shows("/_stepkin/findings", "/nowhere/");
    assert_eq!(lines(&said), "");
}
