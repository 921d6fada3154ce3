//! Tests `stepkin publish` with folders, and with real S3 and Azure servers that the tests start.
//!
//! `STEPKIN_MOTO`, `STEPKIN_RCLONE` and `STEPKIN_AZURITE` specify the servers' programs, and `STEPKIN_AZURE` a Python
//! with Azure's library. Without them, those tests print a note and do nothing. `./test` has all of them. Between the
//! program and its server is a proxy that records requests and can simulate failures.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::support::schema::Closed;
use crate::support::{Run, SiteTest, Tree, check_same_tree, tree};

const JOURNAL: &str = ".stepkin-publish.json";
const MANIFEST: &str = ".stepkin-manifest.json";
/// The folder of the previous version.
const BEFORE: &str = ".stepkin-before/";
const SECRET: &str = "do-not-print-this";

/// A site with a few pages, a stylesheet, and names with special characters in URLs. Another `version` changes the
/// stylesheet and therefore every page, and has an additional page.
fn site(version: usize) -> SiteTest {
    let site = SiteTest::empty()
        .edit("content/index.md", "---\ntitle: Home\n---\nText.\n")
        .edit(&format!("content/only-{version}.md"), "---\ntitle: One version\n---\nText.\n")
        .edit("static/_stepkin/site.css", format!("body {{ margin: {version}px }}\n"))
        .edit("static/a b+c%41 äöü/100% (1).txt", "x")
        .edit("static/empty.txt", "");
    site.write(
        "stepkin.toml",
        "base_url = \"https://example.com/docs/\"\n[search]\nenabled = false\n[publish]\nmarkdown = false\n",
    );
    site.build()
}

/// Like [`site`], with a target `test`.
fn site_for(version: usize, endpoint: &str) -> SiteTest {
    let site = site(version);
    let config = site.text("stepkin.toml");
    let target = format!("[publish.to.test]\nurl = \"s3://bucket/a prefix/\"\nendpoint = \"{endpoint}\"\n");
    site.edit("stepkin.toml", config + &target)
}

fn command(site: &SiteTest, arguments: &[&str]) -> Command {
    let mut command = site.command(&["publish"]);
    command.args(arguments).env("AWS_ACCESS_KEY_ID", "AKIATESTTESTTEST").env("AWS_SECRET_ACCESS_KEY", SECRET);
    command
}

#[track_caller]
fn publish(site: &SiteTest, arguments: &[&str]) -> Run {
    let run = Run::of(&mut command(site, arguments));
    for said in [&run.stdout, &run.stderr] {
        assert!(!said.contains(SECRET) && !said.contains("AKIATEST"), "{said}");
    }
    run
}

fn without_journal(mut tree: Tree) -> Tree {
    tree.remove(JOURNAL);
    tree
}

#[test]
fn a_target_folder_has_the_files_of_the_output() {
    let (site, target) = (site(1), tempfile::tempdir().expect("a folder"));
    let url = format!("file://{}", target.path().display());
    let held = || without_journal(tree(target.path()));

    publish(&site, &[&url]).exits(2).says("--no-lock");
    let dry = publish(&site, &[&url, "--no-lock", "--dry-run"]).exits(0);
    assert!(dry.stdout.contains("upload index.html\n") && dry.stderr.starts_with("would upload"), "{dry:?}");
    assert!(held().is_empty());
    publish(&site, &[&url, "--no-lock"]).exits(0);
    check_same_tree(&held(), &site.output(), "first");
    publish(&site, &[&url, "--no-lock"]).exits(0).says("is up to date");

    // Another version: the old page is deleted immediately, and files that pages load stay.
    let before = site.output();
    let site =
        site.remove("content/only-1.md").edit("static/_stepkin/site.css", "body { margin: 9px }\n").build();
    let run = publish(&site, &[&url, "--no-lock", "--json"]).exits(0);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let schema = Closed::of(&site.run(&["schema", "publish"]).exits(0).stdout);
    assert!(schema.wrong(&json).is_empty(), "{:?}", schema.wrong(&json));
    assert_eq!(json["deleted"], serde_json::json!(["only-1/index.html"]));
    let urls = json["urls"].as_array().expect("a list");
    assert!(urls.contains(&"https://example.com/docs/only-1/".into()), "{urls:?}");
    let mut held_now = held();
    for kept in json["kept"].as_array().expect("a list") {
        let path = kept.as_str().expect("a path");
        assert_eq!(held_now.remove(path).as_ref(), before.get(path), "{path}");
    }
    assert!(json["kept"].to_string().contains("_stepkin/site."), "{json}");
    check_same_tree(&held_now, &site.output(), "second");

    // `keep` may be shorter, and its format is checked.
    let config = site.text("stepkin.toml");
    let keep = |keep: &str, more: &str| {
        site.write(
            "stepkin.toml",
            format!("{config}[publish.to.here]\nurl = \"{url}\"\nkeep = \"{keep}\"\n{more}"),
        );
    };
    keep("long", "");
    publish(&site, &["here"]).exits(2).says("use a value such as `7 days`");
    keep("0 s", "max_deletes = 1\n");
    publish(&site, &["her"]).exits(2).says("did you mean `here`?");
    publish(&site, &["here", "--no-lock"]).exits(0);
    check_same_tree(&held(), &site.output(), "what was kept is deleted");

    // A mistake that would empty the target is detected.
    let site = site.remove("static/a b+c%41 äöü/100% (1).txt").remove("static/empty.txt").build();
    publish(&site, &["here", "--no-lock"]).exits(2).says("more than `max_deletes = 1`");
    assert!(held().contains_key("empty.txt"));
    publish(&site, &["here", "--no-lock", "--force-delete"]).exits(0);
    check_same_tree(&held(), &site.output(), "deleted on purpose");
}

#[test]
fn the_previous_site_is_restored() {
    let (site, target) = (site(1), tempfile::tempdir().expect("a folder"));
    let config = site.text("stepkin.toml");
    let to = |more: &str| {
        let url = target.path().display();
        site.write(
            "stepkin.toml",
            format!("{config}[publish.to.here]\nurl = \"file://{url}\"\nkeep = \"0 s\"\n{more}"),
        );
    };
    let run = |more: &[&str]| publish(&site, &[&["here", "--no-lock"], more].concat());
    let kept =
        || -> Tree { tree(target.path()).into_iter().filter(|(path, _)| path.starts_with(BEFORE)).collect() };
    let held = || -> Tree {
        without_journal(tree(target.path()))
            .into_iter()
            .filter(|(path, _)| !path.starts_with(BEFORE))
            .collect()
    };
    let build = |margin: usize| {
        site.write("static/_stepkin/site.css", format!("body {{ margin: {margin}px }}\n"));
        site.write(&format!("static/only-{margin}.txt"), "x");
        site.run(&["build"]).exits(0);
        site.output()
    };

    // Nothing is stored unless it is enabled.
    to("");
    let first = build(1);
    run(&[]).exits(0);
    run(&["--rollback"]).exits(2).says("it has no previous version").says("`rollback = true`");
    to("rollback = true\n");
    run(&[]).exits(0).says("is up to date");
    assert!(kept().is_empty());

    let second = build(2);
    run(&[]).exits(0);
    check_same_tree(&held(), &second, "second");
    let of_first = kept();
    run(&[]).exits(0).says("is up to date");
    assert_eq!(kept(), of_first, "what is kept is that of another site");
    let dry = run(&["--rollback", "--dry-run"]).exits(0);
    assert!(dry.stdout.contains("delete only-2.txt\n") && dry.stderr.contains("would restore"), "{dry:?}");
    check_same_tree(&held(), &second, "dry");
    // It doesn't need the output of a build, and can be undone.
    run(&["--rollback", "--output", "dist"]).exits(2).says("cannot be used with");
    std::fs::remove_dir_all(site.path("dist")).expect("it is there");
    for (expected, context) in [(&first, "put back"), (&second, "undone"), (&first, "put back again")] {
        run(&["--rollback"]).exits(0).says("restored ");
        check_same_tree(&held(), expected, context);
    }

    // The stored version isn't trusted, and nothing changes before all of it is downloaded.
    let build_third = build(3);
    run(&[]).exits(0);
    for (name, bytes) in kept().into_iter().filter(|(name, _)| !name.ends_with(".json")) {
        let spoilt = [&b"x"[..], &bytes].concat();
        std::fs::write(target.path().join(&name), spoilt).expect("a file");
        run(&["--rollback"]).exits(2).says("is missing in the previous version; build and publish instead");
        std::fs::write(target.path().join(&name), &bytes).expect("a file");
    }
    check_same_tree(&held(), &build_third, "nothing was changed");
    let manifest = target.path().join(BEFORE).join("manifest.json");
    let text = std::fs::read_to_string(&manifest).expect("it is kept");
    for hostile in
        [text.replace("only-1.txt", "../only-1.txt"), text.replace("only-1.txt", JOURNAL), "{".into()]
    {
        assert_ne!(hostile, text);
        std::fs::write(&manifest, hostile).expect("a file");
        run(&["--rollback"]).exits(2).says("manifest.json` is damaged");
    }
    std::fs::write(&manifest, text).expect("a file");
    run(&["--rollback"]).exits(0);
    check_same_tree(&held(), &first, "put back after all");

    // Sites can't publish files there, and nothing stays there when it is disabled.
    site.write("static/.stepkin-before/x.txt", "x");
    site.run(&["build"]).exits(0);
    run(&[]).exits(2).says("Stepkin uses this name for its own file");
    std::fs::remove_dir_all(site.path("static/.stepkin-before")).expect("it is there");
    to("");
    build(4);
    run(&[]).exits(0);
    assert!(kept().is_empty());
}

#[test]
fn files_of_others_are_not_touched() {
    let (site, target) = (site(1), tempfile::tempdir().expect("a folder"));
    let url = format!("file://{}", target.path().display());
    std::fs::write(target.path().join("theirs.txt"), "theirs").expect("a file");
    publish(&site, &[&url, "--no-lock"]).exits(2).says("--overwrite");
    publish(&site, &[&url, "--no-lock", "--overwrite"]).exits(0);
    publish(&site, &[&url, "--no-lock"]).exits(0);
    let mut held = without_journal(tree(target.path()));
    assert_eq!(held.remove("theirs.txt").as_deref(), Some(&b"theirs"[..]));
    check_same_tree(&held, &site.output(), "beside");
}

#[test]
fn an_output_that_was_changed_is_not_published() {
    let (site, target) = (site(1), tempfile::tempdir().expect("a folder"));
    let url = format!("file://{}", target.path().display());
    site.write("dist/index.html", "minified");
    publish(&site, &[&url, "--no-lock"]).exits(2).says("dist/index.html`: it changed after the build");
    assert!(tree(target.path()).is_empty());
    let site = SiteTest::empty().edit("stepkin.toml", "");
    publish(&site, &[&url, "--no-lock"]).exits(2).says("run `stepkin build` first");
}

#[test]
fn a_manifest_that_nobody_can_trust_ends_the_run() {
    let site = site(1);
    let file = |path: &str| format!("{{\"version\": 2, \"files\": [{{\"path\": \"{path}\"}}]}}");
    for hostile in
        [file("../../etc/passwd"), file("/etc/passwd"), file(JOURNAL), "[".repeat(100_000), "{}".into()]
    {
        let target = tempfile::tempdir().expect("a folder");
        std::fs::write(target.path().join(MANIFEST), &hostile).expect("a file");
        let url = format!("file://{}", target.path().display());
        publish(&site, &[&url, "--no-lock"]).exits(2).says("is damaged or from another Stepkin version");
        assert_eq!(tree(target.path()).len(), 1);
    }
    let target = tempfile::tempdir().expect("a folder");
    let large = std::fs::File::create(target.path().join(MANIFEST)).expect("a file");
    large.set_len(300 << 20).expect("a file with a hole");
    let url = format!("file://{}", target.path().display());
    publish(&site, &[&url, "--no-lock"]).exits(2).says("larger than 256 MiB");
}

#[test]
fn targets_that_cannot_be_are_explained() {
    let site = site(1);
    for (target, why) in [
        ("nowhere", "add `[publish.to.nowhere]`"),
        ("ftp://host/x", "use `s3://bucket/prefix/`"),
        ("s3://", "use `s3://bucket/prefix/`"),
        ("s3://bucket/a/../b", "use `s3://bucket/prefix/`"),
        ("s3://user:do-not-print-this@bucket/", "set credentials in the environment"),
        ("file://host/x", "absolute path"),
        ("file:///dev/null/folder", "cannot make `/dev/null/folder`"),
    ] {
        publish(&site, &[target, "--no-lock"]).exits(2).says(why);
    }
}

#[test]
fn a_folder_that_does_not_exist_is_made() {
    let site = site(1);
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("www/docs");
    let url = format!("file://{}", target.display());
    publish(&site, &[&url, "--no-lock", "--dry-run"]).exits(0).says("would upload");
    assert!(!target.exists(), "nothing is written by a dry run");
    publish(&site, &[&url, "--no-lock"]).exits(0);
    assert!(target.join(MANIFEST).is_file());
}

#[test]
fn missing_credentials_are_named() {
    let site = site(1);
    // Behaves like a network in which machines have no role.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            _ = client.read(&mut [0; 4096]);
            _ = client.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    let failed = |target: &str, more: &[(&str, &str)]| {
        let mut command = command(&site, &[target, "--no-lock"]);
        for (name, _) in std::env::vars_os() {
            if ["AWS_", "AZURE_", "GOOGLE_"].iter().any(|ours| name.to_string_lossy().starts_with(ours)) {
                command.env_remove(name);
            }
        }
        command
            .env_remove("AWS_ACCESS_KEY_ID")
            .env_remove("AWS_SECRET_ACCESS_KEY")
            .envs(more.iter().copied());
        Run::of(&mut command).exits(2)
    };
    let metadata = format!("http://{address}");
    failed("s3://bucket/", &[("AWS_METADATA_ENDPOINT", &metadata)])
        .says("using the role of this machine")
        .says("no credentials in the environment: set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or run on");
    failed("s3://bucket/", &[("AWS_ACCESS_KEY_ID", "not-all-of-it")])
        .says("; set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`");
    failed("az://container/", &[]).says("; set `AZURE_STORAGE_ACCOUNT_NAME` and `AZURE_STORAGE_ACCOUNT_KEY`");
}

/// An S3 server with an empty bucket.
struct Server {
    process: Child,
    address: String,
    /// The content of the server, if it is on disk.
    folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

impl Server {
    fn moto() -> Option<Self> {
        Self::start("STEPKIN_MOTO", |program, port, _| {
            Command::new(program).args(["-H", "127.0.0.1", "-p", port]).spawn_quietly()
        })
    }

    fn rclone() -> Option<Self> {
        Self::start("STEPKIN_RCLONE", |program, port, folder| {
            let address = format!("127.0.0.1:{port}");
            let mut command = Command::new(program);
            command.args([
                "serve",
                "s3",
                "--addr",
                &address,
                "--auth-key",
                &format!("AKIATESTTESTTEST,{SECRET}"),
            ]);
            std::fs::create_dir(folder.join("bucket")).expect("a folder");
            command.arg(folder).spawn_quietly()
        })
    }

    fn start(variable: &str, start: impl Fn(&str, &str, &std::path::Path) -> Child) -> Option<Self> {
        let Ok(program) = std::env::var(variable) else {
            eprintln!("nothing is tried with this server: `{variable}` doesn't name its program");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = free.local_addr().expect("it is bound").to_string();
        drop(free);
        let process = start(&program, address.rsplit(':').next().expect("a port"), folder.path());
        let server = Self { process, address, folder };
        let begun = Instant::now();
        while TcpStream::connect(&server.address).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60), "`{program}` doesn't start");
            std::thread::sleep(Duration::from_millis(50));
        }
        server.request("PUT", "/bucket", b"");
        Some(server)
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the status, head and body of a response. The server checks the access key but not the signature.
    fn request(&self, method: &str, path: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).expect("a server");
        let who = "AWS4-HMAC-SHA256 Credential=AKIA/20270101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0";
        let head =
            format!("Host: {}\r\nAuthorization: {who}\r\nContent-Length: {}", self.address, body.len());
        write!(stream, "{method} {path} HTTP/1.0\r\n{head}\r\n\r\n").expect("a server");
        stream.write_all(body).expect("a server");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head, answer[end + 4..].to_vec())
    }

    /// Downloads every file of the target.
    fn held(&self) -> Tree {
        let (_, _, list) = self.request("GET", "/bucket?list-type=2", b"");
        let list = String::from_utf8(list).expect("XML is UTF-8");
        let keys = list.split("<Key>").skip(1).filter_map(|rest| Some(rest.split_once("</Key>")?.0));
        let read = |key: &str| {
            let path = key.strip_prefix("a prefix/").expect("everything is below the prefix");
            let (status, _, body) = self.request("GET", &format!("/bucket/{}", encoded(key)), b"");
            assert_eq!(status, 200, "{key}");
            (path.to_string(), body)
        };
        keys.map(read).collect()
    }

    /// Checks that every page finds the styles and scripts that it loads.
    #[track_caller]
    fn check_pages(&self, context: &str) {
        let held = self.held();
        for (path, page) in held.iter().filter(|(path, _)| path.ends_with(".html")) {
            let page = String::from_utf8_lossy(page);
            for loaded in page.split("/docs/_stepkin/").skip(1) {
                let name: String = loaded.chars().take_while(|c| !"\"' ?>),".contains(*c)).collect();
                let loaded = format!("_stepkin/{name}");
                assert!(
                    held.contains_key(&loaded),
                    "{context}: `{path}` loads `{loaded}`, which is not there"
                );
            }
        }
    }
}

fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    path.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, others @ ..] = rest {
        let digits = others.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) =
            digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%')
        {
            bytes.push(byte);
            rest = &others[2..];
        } else {
            bytes.push(*first);
            rest = others;
        }
    }
    String::from_utf8(bytes).expect("names are UTF-8")
}

trait SpawnQuietly {
    fn spawn_quietly(&mut self) -> Child;
}

impl SpawnQuietly for Command {
    fn spawn_quietly(&mut self) -> Child {
        self.stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    }
}

/// The behavior of a proxy in addition to forwarding requests.
#[derive(Clone, Copy, Default)]
struct Manner {
    /// Every nth request gets this status instead.
    refused: Option<(usize, u16)>,
    /// After this many writes, nothing is forwarded before [`Proxy::go_on`].
    most_writes: Option<usize>,
}

/// A proxy between the program and a server.
struct Proxy {
    address: String,
    shared: Arc<Shared>,
}

struct Shared {
    server: String,
    manner: Manner,
    requests: AtomicUsize,
    /// `PUT index.html`, in the order of responses.
    writes: Mutex<Vec<String>>,
    counts: Mutex<Counts>,
    changed: Condvar,
}

#[derive(Default)]
struct Counts {
    /// Writes that were forwarded or are waiting.
    begun: usize,
    /// Writes to which the store has responded.
    answered: usize,
    /// Whether waiting writes may continue.
    go_on: bool,
}

impl Proxy {
    fn start(server: &Server, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound").to_string();
        let shared = Arc::new(Shared {
            server: server.address.clone(),
            manner,
            requests: AtomicUsize::new(0),
            writes: Mutex::default(),
            counts: Mutex::default(),
            changed: Condvar::new(),
        });
        let passing = shared.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let passing = passing.clone();
                std::thread::spawn(move || passing.pass(stream));
            }
        });
        Self { address, shared }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn writes(&self) -> Vec<String> {
        self.shared.writes.lock().expect("no thread panics").clone()
    }

    /// Waits until one write is held back and the store has responded to all earlier ones, or until the program has
    /// ended, and returns its status in that case. Without these responses, a write of a killed run could arrive
    /// after those of the next run.
    fn wait(&self, program: &mut Child) -> Option<i32> {
        let most = self.shared.manner.most_writes.expect("it stops");
        loop {
            let counts = self.shared.counts.lock().expect("no thread panics");
            if counts.begun > most && counts.answered == most {
                return None;
            }
            drop(counts);
            if let Some(status) = program.try_wait().expect("a program of ours") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn go_on(&self) {
        self.shared.counts.lock().expect("no thread panics").go_on = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    /// Forwards a request and its response.
    fn pass(&self, mut client: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(client.try_clone().ok()?);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let field = |name: &str| {
            let line = head.lines().find(|line| line.to_lowercase().starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_string())
        };
        let mut body = vec![0; field("content-length").and_then(|length| length.parse().ok()).unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        let mut words = head.split(' ');
        let (method, path) = (words.next()?.to_string(), words.next()?.to_string());

        let number = self.requests.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some((_, status)) = self.manner.refused.filter(|(each, _)| number.is_multiple_of(*each)) {
            let answer =
                format!("HTTP/1.1 {status} Not Now\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            return client.write_all(answer.as_bytes()).ok();
        }
        let is_write = method != "GET";
        if is_write {
            let mut counts = self.counts.lock().expect("no thread panics");
            counts.begun += 1;
            let place = counts.begun;
            while self.manner.most_writes.is_some_and(|most| place > most) && !counts.go_on {
                counts = self.changed.wait(counts).expect("no thread panics");
            }
        }
        let mut server = TcpStream::connect(&self.server).ok()?;
        let lines = head.trim_end().lines().filter(|line| !line.to_lowercase().starts_with("connection:"));
        let head = lines.collect::<Vec<_>>().join("\r\n");
        server.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).ok()?;
        server.write_all(&body).ok()?;
        let mut answer = Vec::new();
        server.read_to_end(&mut answer).ok()?;
        if is_write {
            let body = String::from_utf8_lossy(&body).into_owned();
            let deleted =
                body.split("<Key>").skip(1).filter_map(|rest| Some(rest.split_once("</Key>")?.0.to_string()));
            let named: Vec<String> = match method.as_str() {
                "POST" => deleted.collect(),
                _ => vec![decoded(path.split('?').next()?.strip_prefix("/bucket/")?)],
            };
            let method = if method == "POST" { "DELETE" } else { &method };
            let named = named.iter().map(|key| format!("{method} {}", key.trim_start_matches("a prefix/")));
            self.writes.lock().expect("no thread panics").extend(named);
            self.counts.lock().expect("no thread panics").answered += 1;
        }
        client.write_all(&answer).ok()
    }
}

/// Returns the paths with different content in two outputs.
fn changed(before: &Tree, after: &Tree) -> BTreeSet<String> {
    let is_new = |(path, bytes): &(&String, &Vec<u8>)| before.get(*path) != Some(*bytes) && *path != MANIFEST;
    after.iter().filter(is_new).map(|(path, _)| path.clone()).collect()
}

#[test]
fn a_bucket_has_the_files_of_the_output() {
    let Some(server) = Server::moto() else { return };
    let first = site_for(1, &server.url());
    publish(&first, &["test"]).exits(0);
    check_same_tree(&without_journal(server.held()), &first.output(), "first publication");
    for (path, expected) in [
        ("index.html", ["text/html; charset=utf-8", "public, no-cache"]),
        ("empty.txt", ["text/plain; charset=utf-8", "public, no-cache"]),
    ] {
        let (_, head, _) =
            server.request("HEAD", &format!("/bucket/{}", encoded(&format!("a prefix/{path}"))), b"");
        for expected in expected {
            assert!(head.to_lowercase().contains(expected), "{path}: no {expected} in {head}");
        }
    }
    let style =
        server.held().into_keys().find(|path| path.starts_with("_stepkin/site.")).expect("a stylesheet");
    let (_, head, _) =
        server.request("HEAD", &format!("/bucket/{}", encoded(&format!("a prefix/{style}"))), b"");
    assert!(head.contains("public, max-age=31536000, immutable"), "{head}");

    let proxy = Proxy::start(&server, Manner::default());
    let again = site_for(1, &proxy.url());
    publish(&again, &["test"]).exits(0).says("is up to date");
    assert_eq!(proxy.writes(), [""; 0], "a second run writes nothing");

    let before = again.output();
    let second = site_for(2, &proxy.url());
    publish(&second, &["test"]).exits(0);
    let writes = proxy.writes();
    let puts: BTreeSet<String> =
        writes.iter().filter_map(|write| write.strip_prefix("PUT ")).map(str::to_string).collect();
    let mut expected = changed(&before, &second.output());
    expected.extend([JOURNAL.to_string(), MANIFEST.to_string()]);
    assert_eq!(puts, expected, "an edit puts what has changed");

    let place = |wanted: &str| writes.iter().position(|write| write.contains(wanted)).expect("it is written");
    let last = |wanted: &str| writes.iter().rposition(|write| write.contains(wanted)).expect("it is written");
    let order = [
        place(JOURNAL),
        place("_stepkin/site."),
        place("only-2/index.html"),
        place("PUT index.html"),
        place("sitemap.xml"),
        place(MANIFEST),
        place("DELETE only-1/index.html"),
        last(JOURNAL),
    ];
    assert!(order.is_sorted(), "{order:?}\n{writes:#?}");
    assert!(
        !writes[place(MANIFEST)..].iter().any(|write| write.starts_with("PUT") && write.ends_with(".html"))
    );
}

/// The key of every Azurite, which isn't secret.
const AZURITE_KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// Creates a container, or downloads all of its content into a folder, with Azure's own library.
const AZURE: &str = r#"
import os, sys
from azure.storage.blob import BlobServiceClient
service = BlobServiceClient(sys.argv[1], credential={"account_name": "devstoreaccount1", "account_key": sys.argv[2]})
if len(sys.argv) == 3:
    service.create_container("docs")
    sys.exit()
container = service.get_container_client("docs")
for blob in container.list_blobs():
    path = os.path.join(sys.argv[3], blob.name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(container.download_blob(blob.name).readall())
    print(blob.name, blob.content_settings.content_type, blob.content_settings.cache_control, sep="|")
"#;

#[test]
fn an_azure_container_has_the_files_of_the_output() {
    let Ok(python) = std::env::var("STEPKIN_AZURE") else { return };
    let server = Server::start("STEPKIN_AZURITE", |program, port, folder| {
        let mut command = Command::new(program);
        command.args(["--skipApiVersionCheck", "--blobPort", port, "--location"]).arg(folder);
        command.spawn_quietly()
    });
    let Some(server) = server else { return };
    let account = format!("{}/devstoreaccount1", server.url());
    let azure = |more: &[&str]| {
        let output = Command::new(&python)
            .args(["-c", AZURE, &account, AZURITE_KEY])
            .args(more)
            .output()
            .expect("Python");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("names are UTF-8")
    };
    azure(&[]);
    let held = || {
        let folder = tempfile::tempdir().expect("a folder");
        let said = azure(&[folder.path().to_str().expect("it is UTF-8")]);
        let held = without_journal(tree(&folder.path().join("a prefix")));
        let site: Tree = held.into_iter().filter(|(path, _)| !path.starts_with(BEFORE)).collect();
        (site, said)
    };
    let publish = |site: &SiteTest, arguments: &[&str]| {
        let mut command = command(site, &[&["azure"], arguments].concat());
        command.env("AZURE_STORAGE_ACCOUNT_NAME", "devstoreaccount1");
        let run = Run::of(command.env("AZURE_STORAGE_ACCOUNT_KEY", AZURITE_KEY)).exits(0);
        assert!(!format!("{run:?}").contains(AZURITE_KEY), "{run:?}");
        run
    };
    let sites = [1, 2].map(site);
    for site in &sites {
        let target = format!(
            "[publish.to.azure]\nurl = \"az://docs/a prefix/\"\nendpoint = \"{account}\"\nkeep = \"0 s\"\nrollback = true\n"
        );
        site.write("stepkin.toml", site.text("stepkin.toml") + &target);
        // It supports conditions, so several runs may publish.
        publish(site, &[]);
        publish(site, &[]).says("is up to date");
    }
    let (second, said) = held();
    check_same_tree(&second, &sites[1].output(), "second");
    assert!(said.contains("a prefix/index.html|text/html; charset=utf-8|public, no-cache\n"), "{said}");
    publish(&sites[1], &["--rollback"]);
    check_same_tree(&held().0, &sites[0].output(), "put back");
}

/// Publishes two sites, and restores the first.
#[track_caller]
fn check_put_back(server: &Server, more: &[&str], held: impl Fn() -> Tree) {
    let held = || -> Tree {
        without_journal(held()).into_iter().filter(|(path, _)| !path.starts_with(BEFORE)).collect()
    };
    let run =
        |site: &SiteTest, arguments: &[&str]| publish(site, &[&["test"], more, arguments].concat()).exits(0);
    let sites = [1, 2].map(|version| site_for(version, &server.url()));
    for site in &sites {
        let config = site.text("stepkin.toml");
        site.write("stepkin.toml", config + "keep = \"0 s\"\nrollback = true\n");
        run(site, &[]);
    }
    check_same_tree(&held(), &sites[1].output(), "second");
    run(&sites[1], &["--rollback"]);
    check_same_tree(&held(), &sites[0].output(), "put back");
}

#[test]
fn a_bucket_has_its_previous_content_again() {
    let Some(server) = Server::moto() else { return };
    check_put_back(&server, &[], || server.held());
    let (_, head, _) = server.request("HEAD", &format!("/bucket/{}", encoded("a prefix/index.html")), b"");
    assert!(head.to_lowercase().contains("text/html; charset=utf-8"), "{head}");
}

#[test]
fn a_large_file_is_put_in_parts() {
    let Some(server) = Server::moto() else { return };
    let proxy = Proxy::start(&server, Manner::default());
    let bytes: Vec<u8> = (0u32..6_000_000).flat_map(u32::to_le_bytes).collect();
    let site = site_for(1, &proxy.url());
    std::fs::write(site.path("static/film.mp4"), &bytes).expect("a file");
    site.run(&["build"]).exits(0);
    publish(&site, &["test"]).exits(0);
    assert_eq!(server.held().get("film.mp4"), Some(&bytes));
    let (_, head, _) = server.request("HEAD", &format!("/bucket/{}", encoded("a prefix/film.mp4")), b"");
    assert!(head.contains("video/mp4") && head.contains("public, no-cache"), "{head}");
    let parts = proxy.writes().iter().filter(|write| *write == "PUT film.mp4").count();
    assert_eq!(parts, 3, "24 MB by 8 MiB");
    publish(&site, &["test"]).exits(0).says("is up to date");

    // It is also stored and restored in parts.
    site.write("stepkin.toml", site.text("stepkin.toml") + "keep = \"0 s\"\nrollback = true\n");
    std::fs::remove_file(site.path("static/film.mp4")).expect("it is there");
    site.run(&["build"]).exits(0);
    publish(&site, &["test"]).exits(0);
    assert_eq!(server.held().get("film.mp4"), None);
    publish(&site, &["test", "--rollback"]).exits(0);
    assert_eq!(server.held().get("film.mp4"), Some(&bytes));
}

#[test]
fn one_of_two_publishers_wins_and_the_other_names_it() {
    let Some(server) = Server::moto() else { return };
    let proxy = Proxy::start(&server, Manner { most_writes: Some(5), ..Manner::default() });
    let (slow, fast) = (site_for(1, &proxy.url()), site_for(2, &server.url()));
    let mut running =
        command(&slow, &["test"]).env("USER", "ada").stderr(Stdio::piped()).spawn().expect("it starts");
    assert_eq!(proxy.wait(&mut running), None, "it goes on");
    publish(&fast, &["test"]).exits(2).says("`ada@").says("is publishing to it");
    publish(&fast, &["test", "--take-over"]).exits(0);
    proxy.go_on();
    let ended = running.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.code() == Some(2) && said.contains("another run published to it"), "{said}");
    // The next run corrects the files that the other run has uploaded in the meantime.
    let held: Tree = server.held();
    assert_eq!(held.get(MANIFEST), fast.output().get(MANIFEST));
    server.check_pages("after two");
}

#[test]
fn a_request_to_a_busy_server_is_repeated() {
    let Some(server) = Server::moto() else { return };
    for status in [503, 429] {
        let proxy = Proxy::start(&server, Manner { refused: Some((3, status)), ..Manner::default() });
        let site = site_for(usize::from(status), &proxy.url());
        publish(&site, &["test"]).exits(0);
        let held = server.held();
        for (path, bytes) in site.output() {
            assert_eq!(held.get(&path), Some(&bytes), "{path}");
        }
    }
    let refusing = Proxy::start(&server, Manner { refused: Some((1, 403)), ..Manner::default() });
    publish(&site_for(1, &refusing.url()), &["test"]).exits(2).says("the store responds with 403");
}

#[test]
fn a_run_that_is_killed_harms_no_page() {
    let Some(server) = Server::moto() else { return };
    check_kills(&server, false);
}

#[test]
fn a_run_that_is_killed_can_be_undone() {
    let Some(server) = Server::moto() else { return };
    check_kills(&server, true);
}

/// Publishes two sites alternately, each time killed after one more write and started again. With `rollback`, the
/// killed run is undone in between.
#[track_caller]
fn check_kills(server: &Server, rollback: bool) {
    publish(&site_for(0, &server.url()), &["test"]).exits(0);
    let versions = [site_for(1, &server.url()), site_for(2, &server.url())];
    for site in &versions {
        site.write("stepkin.toml", site.text("stepkin.toml") + &format!("rollback = {rollback}\n"));
    }
    let check_held = |site: &SiteTest, context: &str| {
        server.check_pages(context);
        let held = server.held();
        for (path, bytes) in site.output() {
            assert_eq!(held.get(&path), Some(&bytes), "{path} {context}");
        }
    };
    let target = |site: &SiteTest, url: &str| {
        let config = site
            .text("stepkin.toml")
            .lines()
            .filter(|line| !line.starts_with("endpoint"))
            .fold(String::new(), |text, line| text + line + "\n");
        site.write("stepkin.toml", format!("{config}endpoint = \"{url}\"\n"));
    };
    // An odd step also alternates the sites. A run that stores replaced files writes three times as often.
    for most in (0..).step_by(if rollback { 3 } else { 1 }) {
        let site = &versions[most % 2];
        let proxy = Proxy::start(server, Manner { most_writes: Some(most), ..Manner::default() });
        target(site, &proxy.url());
        let mut running = command(site, &["test"]).spawn_quietly();
        let status = proxy.wait(&mut running);
        running.kill().expect("it is ours");
        running.wait().expect("it ends");
        server.check_pages(&format!("killed after {most} writes"));
        target(site, &server.url());
        let is_of_site = |write: &String| !write.contains(JOURNAL) && !write.contains(BEFORE);
        if rollback && most > 1 && proxy.writes().iter().any(is_of_site) {
            publish(site, &["test", "--take-over", "--rollback"]).exits(0);
            check_held(&versions[(most + 1) % 2], &format!("after {most} writes, undone"));
        }
        publish(site, &["test", "--take-over"]).exits(0);
        check_held(site, &format!("after {most} writes and another run"));
        if status.is_some() {
            assert!(status == Some(0) && most > 7, "{status:?} after {most} writes");
            return;
        }
    }
}

#[test]
fn a_store_without_conditions_is_used_by_one_alone() {
    let Some(server) = Server::rclone() else { return };
    let site = site_for(1, &server.url());
    publish(&site, &["test"]).exits(2).says("it doesn't support conditional writes").says("--no-lock");
    publish(&site, &["test", "--no-lock"]).exits(0);
    publish(&site, &["test", "--no-lock"]).exits(0).says("is up to date");
    check_put_back(&server, &["--no-lock"], || tree(&server.folder.path().join("bucket/a prefix")));
}
