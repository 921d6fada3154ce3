//! Key presses while a command runs in a terminal.
//!
//! Meanwhile the terminal passes on each key immediately and without echo. Its state is restored when the process ends, also
//! by a panic or a signal that can be caught.

use std::io::{self, IsTerminal};
use std::panic;
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

/// How often a background process checks whether it is in the foreground again.
const BACKGROUND: Duration = Duration::from_millis(300);

/// Guard: restores the terminal when dropped.
#[derive(Debug)]
pub(super) struct Keys {
    before: Termios,
}

impl Drop for Keys {
    fn drop(&mut self) {
        set(&self.before);
    }
}

/// Calls `press` with each key, on a separate thread. Returns `None` if standard input or standard error is not a terminal, or
/// if the process is in the background.
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
    // From here on the guard restores the terminal, and the hook if a panic aborts the process.
    let keys = Keys { before: before.clone() };
    let (hook, restored) = (panic::take_hook(), before.clone());
    panic::set_hook(Box::new(move |panic| {
        set(&restored);
        hook(panic);
    }));
    set(&at_once);
    std::thread::spawn(move || heed(signals, &before, &at_once));
    std::thread::spawn(move || hear(press));
    Some(keys)
}

/// Restores the terminal before a signal ends or stops the process.
fn heed(mut signals: Signals, before: &Termios, at_once: &Termios) {
    for signal in signals.forever() {
        match signal {
            SIGCONT => set(at_once),
            // The server handles this signal.
            SIGINT => set(before),
            signal => {
                set(before);
                // It can't fail for these signals.
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
        // In the background, reading would stop this process.
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

/// Sets the terminal if this process is in the foreground.
fn set(termios: &Termios) {
    if is_in_foreground() {
        // Fails only if the terminal is closed.
        _ = tcsetattr(io::stdin(), OptionalActions::Now, termios);
    }
}

/// Whether this process is in the foreground, or the terminal has no foreground process.
fn is_in_foreground() -> bool {
    tcgetpgrp(io::stdin()).map_or(true, |group| group == getpgrp())
}
