//! Runs the three commands of the README literally on the sample site.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use crate::support::program;

/// The command behind `cargo run -- …`, on the sample site. Cargo would compile packages again that tests share with
/// other features.
fn run(command: &str) -> Command {
    let (_, arguments) = command.split_once(" -- ").expect("a command of cargo's");
    let mut stepkin = program();
    stepkin.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments.split(' '));
    stepkin
}

/// The result of `cargo run -- build`, run once for all tests, because a first build creates smaller versions of all
/// images.
pub(crate) fn built() -> &'static Output {
    static OUTPUT: LazyLock<Output> = LazyLock::new(|| run("cargo run -- build").output().expect("it runs"));
    &OUTPUT
}

#[test]
fn cargo_run_build_builds_the_sample_site() {
    let output = built();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let page =
        concat!(env!("CARGO_MANIFEST_DIR"), "/dist/developers/quickstart/ios/create-connection/index.html");
    let page = std::fs::read_to_string(page).expect("the page is there");
    assert!(page.contains("<h1>Create a connection</h1>"));
    assert!(!said.contains("error"), "{said}");
}

#[test]
fn cargo_run_check_finds_nothing_in_the_sample_site() {
    let output = run("cargo run -- check").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with("no problems found in "), "{said}");
}

#[test]
fn cargo_run_serve_watch_shows_the_sample_site() {
    let mut server =
        run("cargo run -- serve").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
    let mut line = String::new();
    let stdout = server.stdout.as_mut().expect("it is piped");
    BufReader::new(stdout).read_line(&mut line).expect("the address comes first");
    let address = line.trim().trim_start_matches("serving at http://").trim_end_matches('/').to_string();
    let mut stream = TcpStream::connect(&address).expect("it answers");
    let path = "/developers/quickstart/web/create-connection/";
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
        .expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers with text");
    let interrupted = Command::new("kill").args(["-INT", &server.id().to_string()]).status();
    let ended = server.wait().expect("it ends");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("Create a connection") && answer.contains("reload.js"));
    assert!(interrupted.is_ok() && ended.code().is_none_or(|code| code == 0 || code == 130));
}
