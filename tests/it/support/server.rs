//! The development server, with requests over a real socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that ends when this is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
}

/// A response: status, headers in lower case, body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Server {
    /// Serves the site at `root` on a free port.
    pub(crate) fn start(root: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stepkin"));
        command.args(["serve", "--port", "0", "--root"]).arg(root).args(arguments);
        Self::of(&mut command)
    }

    /// Waits until a serving command prints its URL.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("it is piped"))
            .read_line(&mut line)
            .expect("the address comes first");
        let address = line
            .trim()
            .trim_start_matches("serving at http://")
            .split('/')
            .next()
            .unwrap_or_default()
            .to_string();
        Self { process, address }
    }

    /// Sends a request. `headers` are lines.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str]) -> Answer {
        self.send(method, path, headers, "")
    }

    /// Sends a request with a body.
    pub(crate) fn post(&self, path: &str, headers: &[&str], body: &str) -> Answer {
        let length = format!("Content-Length: {}", body.len());
        self.send("POST", path, &[headers, &[&*length]].concat(), body)
    }

    fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let host = if headers.iter().any(|header| header.starts_with("Host:")) {
            String::new()
        } else {
            format!("Host: {}\r\n", self.address)
        };
        let headers = [headers, &["Connection: close", "", ""]].concat().join("\r\n");
        write!(stream, "{method} {path} HTTP/1.1\r\n{host}{headers}{body}").expect("it listens");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("headers end");
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let mut lines = head.lines();
        let status =
            lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status line");
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_string()))
            .collect();
        Answer { status, headers, body: answer[end + 4..].to_vec() }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[])
    }

    /// Repeats a request until the response contains `wanted`, because a save is not detected immediately.
    #[track_caller]
    pub(crate) fn shows(&self, path: &str, wanted: &str) {
        let text = || self.get(path).text();
        eventually(text, |text| text.contains(wanted), &format!("{path} never showed {wanted}"));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Repeats `look` until the result is as expected.
#[track_caller]
pub(crate) fn eventually<T>(look: impl Fn() -> T, is_right: impl Fn(&T) -> bool, otherwise: &str) -> T
where
    T: std::fmt::Display,
{
    let start = Instant::now();
    loop {
        let seen = look();
        if is_right(&seen) {
            return seen;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{otherwise}:\n{seen}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
