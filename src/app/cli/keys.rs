//! Keys that a command acts on while it runs at a terminal.
//!
//! Meanwhile the terminal hands over each key at once, and does not show it. However the process ends, by a panic or a
//! signal too, the terminal is then as it was before; what cannot be caught is for the shell to set right.

use std::io::{self, IsTerminal};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{read, retry_on_intr};
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// How often a process in the background looks whether it has the terminal again.
const BACKGROUND: Duration = Duration::from_millis(300);

/// As long as it lives, keys are heard.
#[derive(Debug)]
pub(super) struct Keys {
    before: Termios,
}

impl Drop for Keys {
    fn drop(&mut self) {
        set(&self.before);
    }
}

/// Calls `press` with each key from now on, on a thread of its own. `None` where no keys can be heard or nobody sees what
/// they do: standard input or standard error is no terminal, or the process is in the background.
pub(super) fn listen(press: impl FnMut(char) + Send + 'static) -> Option<Keys> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() || !is_in_foreground() {
        return None;
    }
    let before = tcgetattr(io::stdin()).ok()?;
    let mut at_once = before.clone();
    at_once.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
    at_once.special_codes[SpecialCodeIndex::VMIN] = 1;
    at_once.special_codes[SpecialCodeIndex::VTIME] = 0;
    let signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT]).ok()?;
    // From here on the terminal is set back, whatever happens.
    let keys = Keys { before: before.clone() };
    set(&at_once);
    std::thread::spawn(move || heed(signals, &before, &at_once));
    std::thread::spawn(move || hear(press));
    Some(keys)
}

/// Sets the terminal back before a signal ends or stops the process.
fn heed(mut signals: Signals, before: &Termios, at_once: &Termios) {
    for signal in signals.forever() {
        match signal {
            SIGCONT => set(at_once),
            // The server ends by itself.
            SIGINT => set(before),
            signal => {
                set(before);
                // It cannot fail for these.
                _ = emulate_default_handler(signal);
            }
        }
    }
}

/// Reads keys until there are no more.
fn hear(mut press: impl FnMut(char)) {
    let stdin = io::stdin();
    let mut key = [0];
    loop {
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        if retry_on_intr(|| poll(&mut ready, None)).is_err() {
            return;
        }
        // Keys are another program's then, and reading would stop this one.
        if !is_in_foreground() {
            std::thread::sleep(BACKGROUND);
            continue;
        }
        match retry_on_intr(|| read(&stdin, &mut key)) {
            Ok(1) => press(char::from(key[0]).to_ascii_lowercase()),
            _ => return,
        }
    }
}

/// Sets the terminal, where it is this process's to set.
fn set(termios: &Termios) {
    if is_in_foreground() {
        // A terminal that is gone needs nothing.
        _ = tcsetattr(io::stdin(), OptionalActions::Now, termios);
    }
}

/// Whether the terminal is this process's; one that is nobody's is taken for its own.
fn is_in_foreground() -> bool {
    tcgetpgrp(io::stdin()).map_or(true, |group| group == getpgrp())
}
