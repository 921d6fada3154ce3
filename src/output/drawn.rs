//! Images that programs of the configuration draw: runs the programs, and stores what they print.
//!
//! A program reads a text from standard input, and prints an image. It is never run without
//! [`Options::draw`](super::pipeline::Options::draw). An image is stored by a hash of its text and its command, so each is drawn
//! once. Its bytes depend on the program, so they are the same on every machine only if the program is.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::diagnostic::visible;
use base::store::{Flush, Key, Store, Table, lock};

/// Time limit for one image. Mermaid starts a browser for each.
const LIMIT: Duration = Duration::from_secs(60);

/// Maximum size of an image in bytes.
const MOST_BYTES: u64 = 8 << 20;

/// Maximum length of a program's message in a finding, in characters.
const MOST_SAID: usize = 200;

/// The images by key, from earlier runs and from this one.
#[derive(Debug, Default)]
pub struct Drawn {
    stored: Table<Arc<[u8]>>,
    /// What this run has used. An image that can't be drawn isn't tried again.
    used: Mutex<HashMap<Key, DrawResult>>,
}

/// An image, or why it can't be drawn.
pub(super) type DrawResult = Result<Arc<[u8]>, NotDrawn>;

/// Why an image can't be drawn.
#[derive(Clone, Debug)]
pub(super) enum NotDrawn {
    /// The program can't be started, which has the same cause for all of its images.
    Program(String),
    Image(String),
}

/// A command with the format of its images.
pub(super) struct Program<'a> {
    /// The program and its arguments.
    pub(super) arguments: &'a [&'a str],
    /// The name of the format.
    pub(super) format: &'static str,
    /// Returns an image as it is published, or `None` if the bytes aren't one.
    pub(super) image: fn(Vec<u8>) -> Option<Vec<u8>>,
}

impl Drawn {
    pub fn of(store: &Store) -> Self {
        Self { stored: store.table("diagrams"), used: Mutex::default() }
    }

    /// Returns an image, which `draw` draws unless it is stored.
    pub(super) fn get_or_draw(&self, key: &Key, draw: &dyn Fn() -> Result<Vec<u8>, NotDrawn>) -> DrawResult {
        if let Some(known) = lock(&self.used).get(key) {
            return known.clone();
        }
        let known = self.stored.get(key);
        let is_new = known.is_none();
        let drawn = known.map_or_else(|| draw().map(Arc::from), Ok);
        if let (true, Ok(image)) = (is_new, &drawn) {
            self.stored.put(*key, image.clone());
        }
        lock(&self.used).insert(*key, drawn.clone());
        drawn
    }

    /// Returns an image that was drawn.
    pub fn bytes(&self, key: &Key) -> Option<Arc<[u8]>> {
        lock(&self.used).get(key)?.clone().ok()
    }

    /// Copies an image into `other`.
    pub fn copy(&self, key: &Key, other: &Self) {
        self.stored.copy(key, &other.stored);
    }

    pub fn table(&self) -> &(dyn Flush + Sync) {
        &self.stored
    }
}

impl Program<'_> {
    /// Runs the program in `root`, where a path to it begins.
    pub(super) fn run(&self, root: &Path, input: &str) -> Result<Vec<u8>, NotDrawn> {
        let name = self.arguments[0];
        let program = Path::new(name);
        let is_path = program.components().count() > 1;
        let program = if is_path { root.join(program) } else { program.to_path_buf() };
        let mut command = Command::new(program);
        command.args(&self.arguments[1..]).current_dir(root);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| NotDrawn::Program(cause(&error)))?;
        let printed = print(&mut child, input.to_string());
        // This has no effect on a program that has ended.
        _ = child.kill();
        let status = child.wait().map_err(|error| NotDrawn::Program(cause(&error)))?;
        let Some((printed, complaint)) = printed else {
            let text = format!("`{name}` needs more than {} seconds", LIMIT.as_secs());
            return Err(NotDrawn::Image(text));
        };
        match (self.image)(printed) {
            Some(image) if status.success() || complaint.is_empty() => Ok(image),
            _ if complaint.is_empty() => {
                Err(NotDrawn::Image(format!("`{name}` prints no {} image", self.format)))
            }
            _ => Err(NotDrawn::Image(format!("`{name}`: {complaint}"))),
        }
    }
}

/// Returns what a program prints for an input, and the most important line of its complaints. Returns `None` at the time limit.
///
/// The threads are not awaited, because another program that it started may keep its output open.
fn print(child: &mut Child, input: String) -> Option<(Vec<u8>, String)> {
    let (stdin, stdout, stderr) = (child.stdin.take()?, child.stdout.take()?, child.stderr.take()?);
    std::thread::spawn(move || {
        let mut stdin = stdin;
        // A program that doesn't read its input complains about it.
        _ = stdin.write_all(input.as_bytes());
    });
    let (printed, complained) = (reader(stdout), reader(stderr));
    let printed = printed.recv_timeout(LIMIT).ok()?;
    let complained = complained.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    let complained = String::from_utf8_lossy(&complained);
    let lines = || complained.lines().map(str::trim).filter(|line| !line.is_empty());
    let worst = lines().find(|line| line.to_lowercase().contains("error")).or_else(|| lines().next());
    let said = worst.unwrap_or_default().chars().take(MOST_SAID).collect();
    Some((printed, visible(said)))
}

fn reader(from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if from.take(MOST_BYTES).read_to_end(&mut bytes).is_ok() {
            // After the time limit, the receiver is gone.
            _ = send.send(bytes);
        }
    });
    receive
}

fn cause(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it isn't installed".into(),
        io::ErrorKind::PermissionDenied => "it isn't executable".into(),
        _ => error.to_string(),
    }
}
