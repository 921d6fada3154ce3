//! External links, checked against a local server.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::support::SiteTest;

/// A server with a specific response for each path, which records its requests.
struct Host {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Host {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound").to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let seen = seen.clone();
                std::thread::spawn(move || answer(stream, &seen));
            }
        });
        Self { address, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn times(&self, question: &str) -> usize {
        self.asked.lock().expect("no thread panics").iter().filter(|asked| *asked == question).count()
    }
}

fn answer(mut stream: TcpStream, seen: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().expect("a socket")).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let question = format!("{method} {path}");
    let before = {
        let mut seen = seen.lock().expect("no thread panics");
        seen.push(question.clone());
        seen.iter().filter(|asked| asked.ends_with(path)).count() - 1
    };
    let reply = match (method, path) {
        ("HEAD", "/no-head") => "405 Method Not Allowed\r\n",
        (_, "/moved") => "301 Moved Permanently\r\nLocation: /ok\r\n",
        (_, "/moved-to-nothing") => "302 Found\r\nLocation: /gone\r\n",
        (_, "/circle") => "302 Found\r\nLocation: /circle\r\n",
        (_, "/flaky") if before == 0 => "503 Service Unavailable\r\nRetry-After: 0\r\n",
        (_, "/refused") => "403 Forbidden\r\n",
        (_, "/gone") => "404 Not Found\r\n",
        _ => "200 OK\r\n",
    };
    // The client may have closed the connection.
    _ = write!(stream, "HTTP/1.1 {reply}Content-Length: 0\r\nConnection: close\r\n\r\n");
}

fn site(host: &Host, paths: &[&str]) -> SiteTest {
    let links: String =
        paths.iter().map(|path| format!("[x]({})\n\n", host.url(path))).collect::<Vec<_>>().concat();
    SiteTest::empty().edit("content/index.md", format!("---\ntitle: Home\n---\n{links}"))
}

#[test]
fn dead_links_are_distinguished_from_living_ones() {
    let host = Host::start();
    let site = site(
        &host,
        &[
            "/ok",
            "/ok#part",
            "/no-head",
            "/moved",
            "/flaky",
            "/gone",
            "/moved-to-nothing",
            "/circle",
            "/refused",
        ],
    );
    let run = site.run(&["check", "--external", "--allow-private", "--format", "json"]).exits(1);
    let found: Vec<String> = run
        .json()
        .iter()
        .map(|it| format!("{} {}", it["line"], it["code"].as_str().expect("a code")))
        .collect();
    assert_eq!(
        found,
        ["14 dead-link", "16 dead-link", "18 dead-link", "20 unverified-link"],
        "{}",
        run.stdout
    );
    assert_eq!(
        (host.times("HEAD /ok"), host.times("GET /ok")),
        (2, 0),
        "once for the link, once for the redirect"
    );
    assert_eq!(host.times("GET /no-head"), 1);
}

#[test]
fn answers_are_remembered_and_doubts_are_not() {
    let host = Host::start();
    let site = site(&host, &["/ok", "/gone", "/refused"]);
    for _ in 0..2 {
        site.run(&["check", "--external", "--allow-private"]).exits(1);
    }
    assert_eq!((host.times("HEAD /ok"), host.times("HEAD /gone"), host.times("HEAD /refused")), (1, 1, 2));
    site.write(".stepkin/external-links.json", "damaged");
    site.run(&["check", "--external", "--allow-private"]).exits(1);
    assert_eq!(host.times("HEAD /ok"), 2);
}

#[test]
fn addresses_in_this_network_are_not_requested() {
    let host = Host::start();
    let site = site(&host, &["/gone"]);
    let run = site.run(&["check", "--external"]).exits(0);
    assert!(run.stdout.contains("is a private or local address"), "{}", run.stdout);
    assert!(host.asked.lock().expect("no thread panics").is_empty());
}

#[test]
fn no_host_is_requested_without_the_option() {
    let host = Host::start();
    site(&host, &["/gone"]).run(&["check"]).exits(0);
    assert!(host.asked.lock().expect("no thread panics").is_empty());
}

#[test]
fn links_are_listed_for_other_tools() {
    let site = SiteTest::empty().edit(
        "content/index.md",
        "---\ntitle: Home\n---\n[a](https://example.org/a#b) [c](/c/) <a href='HTTP://example.org/'>d</a> [m](mailto:a@example.org)\n",
    );
    let run = site.run(&["check", "--list-links"]).exits(0);
    assert_eq!(
        run.stdout,
        "content/index.md:4:5\thttps://example.org/a\ncontent/index.md:4:48\tHTTP://example.org/\n"
    );
}
