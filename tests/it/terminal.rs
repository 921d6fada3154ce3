//! Tests commands on a terminal: a pseudo-terminal whose other end the test controls.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::support::SiteTest;
use crate::support::server::eventually;

/// A command that runs on a terminal.
pub(crate) struct Terminal {
    keyboard: File,
    /// Keeps the terminal open after the command has ended.
    line: File,
    screen: Arc<Mutex<Vec<u8>>>,
    child: Child,
}

impl Terminal {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self::start_with(command, ("TERM", "xterm"))
    }

    /// The same with an additional variable.
    fn start_with(command: &mut Command, (name, value): (&str, &str)) -> Self {
        let ours: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).expect("it is ours");
        unlockpt(&ours).expect("it is ours");
        let path = ptsname(&ours, Vec::new()).expect("it has a name");
        let path = std::ffi::OsStr::from_bytes(path.as_bytes());
        let line = OpenOptions::new().read(true).write(true).open(path).expect("its other end");
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&line, size).expect("it has a size");
        let end = || line.try_clone().expect("another handle");
        command.stdin(end()).stdout(end()).stderr(end());
        command.env_remove("CI").env_remove("GITHUB_ACTIONS").env_remove("NO_COLOR");
        command.env("TERM", "xterm").env(name, value);
        let child = command.spawn().expect("the program starts");
        let keyboard = File::from(ours);
        let screen = Arc::new(Mutex::new(Vec::new()));
        let (mut shown, kept) = (keyboard.try_clone().expect("another handle"), screen.clone());
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(read @ 1..) = shown.read(&mut part) {
                kept.lock().expect("no test fails with it").extend_from_slice(&part[..read]);
            }
        });
        Self { keyboard, line, screen, child }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("somebody reads");
    }

    /// Returns all output.
    pub(crate) fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().expect("no test fails with it")).into_owned()
    }

    #[track_caller]
    pub(crate) fn shows(&self, text: &str) {
        eventually(|| self.screen(), |screen| screen.contains(text), &format!("never `{text}`"));
    }

    /// Whether it collects lines and echoes input, as terminals do by default.
    fn is_as_usual(&self) -> bool {
        let modes = tcgetattr(&self.line).expect("it is open").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    pub(crate) fn send(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).expect("it runs");
    }

    pub(crate) fn ends(&mut self) -> ExitStatus {
        self.child.wait().expect("our own child")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn site() -> SiteTest {
    SiteTest::empty().edit("content/a.md", "---\ntitle: A\n---\n\n[x](/nowhere/)\n")
}

#[test]
fn keys_open_the_browser_print_findings_and_quit() {
    let site = site();
    site.write_program("bin/xdg-open", "#!/bin/sh\necho \"$1\" > \"$OPENED\"\n");
    let opened = site.path("opened");
    let mut serve = site.command(&["serve", "--port", "0"]);
    let path = std::env::var("PATH").unwrap_or_default();
    serve.env("PATH", format!("{}:{path}", site.path("bin").display())).env("OPENED", &opened);
    let mut terminal = Terminal::start(&mut serve);
    terminal.shows("press o to open the browser, c to list problems, q to quit");
    eventually(|| terminal.is_as_usual(), |usual| !usual, "keys are not handed over at once");
    terminal.press("o");
    let look = || std::fs::read_to_string(&opened).unwrap_or_default();
    let url = eventually(look, |url| url.ends_with('\n'), "no browser is opened");
    assert!(terminal.screen().contains(url.trim()), "{url}");
    terminal.press("C");
    terminal.shows("content/a.md:5:5");
    terminal.shows("1 error in 1 page");
    terminal.press("xq");
    assert_eq!(terminal.ends().code(), Some(0));
    assert!(terminal.is_as_usual());
    assert!(!terminal.screen().contains("xq"), "what is typed is not shown: {}", terminal.screen());
}

#[test]
fn however_serving_ends_the_terminal_is_as_before() {
    let site = site();
    for (signal, code) in [(Signal::INT, Some(0)), (Signal::TERM, None), (Signal::HUP, None)] {
        let mut terminal = Terminal::start(&mut site.command(&["serve", "--port", "0"]));
        terminal.shows("press o");
        eventually(|| terminal.is_as_usual(), |usual| !usual, "keys are not handed over at once");
        terminal.send(signal);
        assert_eq!(terminal.ends().code(), code, "{signal:?}");
        assert!(terminal.is_as_usual(), "{signal:?}");
    }
}

#[test]
fn a_server_without_requests_prints_nothing() {
    let site = site();
    let terminal = Terminal::start(&mut site.command(&["serve", "--no-watch", "--port", "0"]));
    terminal.shows("http://127.0.0.1:");
    terminal.shows("1 error");
    assert!(terminal.is_as_usual() && !terminal.screen().contains("press o"), "{}", terminal.screen());
}

/// A host that takes more than a second for its only response.
#[cfg(feature = "external")]
fn slow_host() -> String {
    let host = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = host.local_addr().expect("it listens");
    std::thread::spawn(move || {
        for stream in host.incoming() {
            let mut stream = stream.expect("a question");
            std::thread::sleep(std::time::Duration::from_millis(1200));
            // The client may have closed the connection.
            _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    format!("http://{address}/")
}

#[cfg(feature = "external")]
#[test]
fn long_tasks_show_their_progress() {
    let (line, host) = ("checking external links, 0 of 1", slow_host());
    let site = SiteTest::empty();
    // Results are cached, so each run requests another URL.
    let runs = std::cell::Cell::new(0);
    let check = |more: &[&str]| {
        runs.set(runs.get() + 1);
        site.write("content/a.md", format!("---\ntitle: A\n---\n\n[x]({host}{})\n", runs.get()));
        let arguments = ["check", "--external", "--allow-private", "--no-cache"];
        site.command(&[&arguments, more].concat())
    };
    let mut terminal = Terminal::start(&mut check(&[]));
    terminal.shows(line);
    terminal.shows("no problems found in 1 page");
    assert_eq!(terminal.ends().code(), Some(0));
    // The progress line is cleared before other output.
    let screen = terminal.screen();
    let last = screen.rfind("checking external").expect("it was shown");
    assert!(screen[last..].contains("\u{1b}[2K"), "{screen:?}");
    for (more, variable) in [(&["-q"][..], ("TERM", "xterm")), (&[], ("CI", "true")), (&[], ("TERM", "dumb"))]
    {
        let mut terminal = Terminal::start_with(&mut check(more), variable);
        assert_eq!(terminal.ends().code(), Some(0));
        terminal.shows("no problems found in 1 page");
        assert!(!terminal.screen().contains("checking external"), "{variable:?} {:?}", terminal.screen());
    }
    let run = crate::support::Run::of(&mut check(&[])).exits(0);
    assert!(!run.stderr.contains("checking external"), "{}", run.stderr);
}
