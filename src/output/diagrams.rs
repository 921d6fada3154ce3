//! Draws diagrams: code blocks in a language for which the configuration has a command.
//!
//! In: the pages of a planned site. Out: the images that exist, for the plan, and findings on those that can't be drawn. As for
//! [smaller images](super::pictures), the plan contains their addresses, so they are drawn before it is made.
//!
//! A command reads the text of a block from standard input, and prints an SVG image. It is never run without
//! [`Options::diagrams`](super::pipeline::Options::diagrams). An image is stored by a hash of its text and its command, so
//! each is drawn once. Its bytes depend on the program, so they are the same on every machine only if the program is.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rayon::prelude::*;

use crate::base::diagnostic::{Code, Problem, Report, Reported, visible};
use crate::base::progress::{self, Task};
use crate::base::sorted::SortedMap;
use crate::base::store::{Flush, Key, Store, Table, lock};
use crate::base::timings::{Stage, part};
use crate::input::config::DiagramCommand;
use crate::input::source::Dimensions;
use crate::markup::markdown::CodeBlock;
use crate::site::content::{Document, DocumentId, Site};
use crate::site::pages::Pages;
use crate::site::plan::{Diagram, Diagrams, diagrams};

/// Time limit for one diagram. Mermaid starts a browser for each.
const LIMIT: Duration = Duration::from_secs(60);

/// Maximum size of an image in bytes.
const MOST_BYTES: u64 = 8 << 20;

/// Maximum length of a program's message in a finding, in characters.
const MOST_SAID: usize = 200;

/// The images of diagrams by [`Diagram::key`], from earlier runs and from this one.
#[derive(Debug, Default)]
pub struct Drawn {
    stored: Table<Arc<[u8]>>,
    /// What this run has used. A diagram that can't be drawn isn't tried again.
    used: Mutex<HashMap<Key, DrawResult>>,
}

/// An image, or why it can't be drawn.
type DrawResult = Result<Arc<[u8]>, Failure>;

/// Why a diagram can't be drawn.
#[derive(Clone, Debug)]
enum Failure {
    /// The program can't be started, which has the same cause for all of its diagrams.
    Program(String),
    Diagram(String),
}

/// An image to be drawn.
struct Drawing<'a> {
    name: &'a str,
    command: &'a DiagramCommand,
    is_dark: bool,
    block: &'a CodeBlock,
    document: &'a Document,
}

impl Drawn {
    pub fn of(store: &Store) -> Self {
        Self { stored: store.table("diagrams"), used: Mutex::default() }
    }

    /// Draws the diagrams of all pages that aren't stored yet.
    pub fn draw(&self, site: &Site, pages: &Pages, root: &Path) -> Reported<Diagrams> {
        let _part = part(Stage::Pictures);
        let all = drawings(site, pages);
        let _running = progress::begin(Task::Pictures, all.len());
        all.par_iter().for_each(|(key, drawing)| {
            self.draw_one(key, drawing, root);
            progress::step(Task::Pictures, 1);
        });
        let used = lock(&self.used);
        let (mut diagrams, mut report) = (Diagrams::new(), Report::default());
        let mut missing: SortedMap<&str, (&Drawing<'_>, &str, usize)> = SortedMap::new();
        for (key, drawing) in &all {
            match &used[key] {
                Ok(svg) => {
                    let (hash, dimensions) =
                        (*blake3::hash(svg).as_bytes(), size(&String::from_utf8_lossy(svg)));
                    _ = diagrams.insert(diagrams::address(key), Diagram { key: *key, hash, dimensions });
                }
                // Usually, both versions fail for the same reason.
                Err(_) if drawing.is_dark && used[&drawing.key(false)].is_err() => {}
                Err(Failure::Program(cause)) => {
                    missing.entry(drawing.name).or_insert((drawing, cause, 0)).2 += 1;
                }
                Err(Failure::Diagram(cause)) => {
                    let version = if drawing.is_dark { "the dark version of " } else { "" };
                    let message = format!("{version}this diagram can't be drawn: {cause}");
                    report.push(drawing.problem(message, "correct it; readers see its source".into()));
                }
            }
        }
        for (name, (drawing, cause, count)) in &missing {
            let program = &drawing.command.command[0];
            let message =
                format!("`{program}`, the program of `[diagrams.{name}]`, can't be started: {cause}");
            let those = if *count == 1 { "1 diagram".to_string() } else { format!("{count} diagrams") };
            let help = format!("install it, or change `command`; readers see the source of {those}");
            report.push(drawing.problem(message, help));
        }
        (diagrams, report.sorted())
    }

    fn draw_one(&self, key: &Key, drawing: &Drawing<'_>, root: &Path) {
        if lock(&self.used).contains_key(key) {
            return;
        }
        let known = self.stored.get(key);
        let is_new = known.is_none();
        let drawn = known.map_or_else(|| drawing.run(root).map(Arc::from), Ok);
        if let (true, Ok(svg)) = (is_new, &drawn) {
            self.stored.put(*key, svg.clone());
        }
        lock(&self.used).insert(*key, drawn);
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

/// Lists the images of all pages, each with the first block that shows it. Only pages with the name of a language are parsed.
fn drawings<'a>(site: &'a Site, pages: &'a Pages) -> Vec<(Key, Drawing<'a>)> {
    let commands = &site.config.diagrams;
    let may_have_some = |document: &Document| {
        let text = document.text();
        !document.dialect.parts.is_empty() || commands.keys().any(|name| text.contains(name.as_str()))
    };
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    let ids: Vec<DocumentId> = site.documents.indices().collect();
    let found: Vec<DocumentId> = ids.into_par_iter().filter(|&id| may_have_some(site.document(id))).collect();
    for id in found {
        for block in &pages[id].code {
            let Some((name, command)) = commands.get_key_value(&block.language) else { continue };
            for is_dark in [false, true] {
                let key = diagrams::key(command, is_dark, &block.code).filter(|key| seen.insert(*key));
                let document = site.document(id);
                all.extend(key.map(|key| (key, Drawing { name, command, is_dark, block, document })));
            }
        }
    }
    all
}

impl Drawing<'_> {
    fn key(&self, is_dark: bool) -> Key {
        diagrams::key(self.command, is_dark, &self.block.code).expect("those with a dark version are listed")
    }

    fn problem(&self, message: String, help: String) -> crate::base::diagnostic::Diagnostic {
        let problem = Problem::new(Code::BrokenDiagram, self.block.span.clone(), message).help(help);
        problem.at(&self.document.path)
    }

    /// Runs the command. A path to its program begins at the site's root.
    fn run(&self, root: &Path) -> Result<Vec<u8>, Failure> {
        let arguments = self.command.arguments(self.is_dark).expect("those with a dark version are listed");
        let program = Path::new(arguments[0]);
        let is_path = program.components().count() > 1;
        let program = if is_path { root.join(program) } else { program.to_path_buf() };
        let mut command = Command::new(program);
        command.args(&arguments[1..]).current_dir(root);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| Failure::Program(cause(&error)))?;
        let printed = print(&mut child, self.block.code.clone());
        // This has no effect on a program that has ended.
        _ = child.kill();
        let status = child.wait().map_err(|error| Failure::Program(cause(&error)))?;
        let name = arguments[0];
        let Some((printed, complaint)) = printed else {
            let text = format!("`{name}` needs more than {} seconds", LIMIT.as_secs());
            return Err(Failure::Diagram(text));
        };
        let svg = String::from_utf8(printed).ok().filter(|text| text.contains("<svg"));
        match svg {
            Some(svg) if status.success() || complaint.is_empty() => Ok(sized(svg).into_bytes()),
            _ if complaint.is_empty() => Err(Failure::Diagram(format!("`{name}` prints no SVG image"))),
            _ => Err(Failure::Diagram(format!("`{name}`: {complaint}"))),
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

/// An attribute of the first `<svg>` tag: its value, and its range with the space before it.
struct Attribute<'t> {
    name: &'t str,
    value: &'t str,
    range: std::ops::Range<usize>,
}

/// Returns the attributes of the first `<svg>` tag, and the position after its name.
fn attributes(svg: &str) -> (usize, Vec<Attribute<'_>>) {
    let start = svg.find("<svg").map_or(svg.len(), |start| start + "<svg".len());
    let (mut at, mut found) = (start, Vec::new());
    loop {
        let rest = &svg[at..];
        let begin = at + rest.len() - rest.trim_start().len();
        let Some((name, after)) = svg[begin..].split_once('=') else { break };
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let Some(quote) = quote.filter(|_| !name.contains(['<', '>'])) else { break };
        let Some(length) = after[1..].find(quote) else { break };
        let end = begin + name.len() + 1 + 1 + length + 1;
        found.push(Attribute { name: name.trim_end(), value: &after[1..=length], range: at..end });
        at = end;
    }
    (start, found)
}

/// Parses a length in CSS pixels, or points.
fn length(value: &str) -> Option<f64> {
    let value = value.trim();
    let (number, scale) = match value.strip_suffix("pt") {
        Some(points) => (points, 4.0 / 3.0),
        None => (value.strip_suffix("px").unwrap_or(value), 1.0),
    };
    number.parse::<f64>().ok().map(|number| number * scale).filter(|length| (1.0..=32_000.0).contains(length))
}

/// Returns the size of an image, by its width and height, or else by its view box.
fn size(svg: &str) -> Option<Dimensions> {
    let (_, attributes) = attributes(svg);
    let value = |name: &str| attributes.iter().find(|it| it.name == name).map(|it| it.value);
    let of_box = || {
        let sides: Vec<&str> = value("viewBox")?.split([' ', ',']).filter(|side| !side.is_empty()).collect();
        Some((length(sides.get(2)?)?, length(sides.get(3)?)?))
    };
    let (width, height) = match (value("width").and_then(length), value("height").and_then(length)) {
        (Some(width), Some(height)) => (width, height),
        _ => of_box()?,
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "lengths are at least 1 and small"
    )]
    let whole = |length: f64| length.ceil() as usize;
    Some(Dimensions { width: whole(width), height: whole(height) })
}

/// Returns an image with its size in pixels. Without it, browsers show an image on its own page at any size.
fn sized(svg: String) -> String {
    let (start, attributes) = attributes(&svg);
    let is_length = |it: &&Attribute<'_>| matches!(it.name, "width" | "height");
    let lengths: Vec<_> = attributes.iter().filter(is_length).collect();
    let is_sized = lengths.len() == 2 && lengths.iter().all(|it| length(it.value).is_some());
    let Some(Dimensions { width, height }) = size(&svg).filter(|_| !is_sized) else { return svg };
    let mut text = format!("{} width=\"{width}\" height=\"{height}\"", &svg[..start]);
    let mut at = start;
    for Attribute { range, .. } in lengths {
        text.push_str(&svg[at..range.start]);
        at = range.end;
    }
    text + &svg[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the size of an image, and its text with that size.
    #[track_caller]
    fn check(svg: &str, expected: Option<(usize, usize)>, text: &str) {
        assert_eq!(size(svg).map(|size| (size.width, size.height)), expected, "{svg}");
        assert_eq!(sized(svg.to_string()), text, "{svg}");
    }

    #[test]
    fn an_image_has_a_size_in_pixels() {
        for (svg, size) in [
            (
                "<?xml version='1.0'?>\n<svg width=\"62pt\" height=\"204pt\"\n viewBox=\"0 0 62 204\">",
                Some((83, 272)),
            ),
            ("<svg height='4.5' width='3px'>", Some((3, 5))),
            ("<svg>", None),
            ("<svg><rect width=\"3\" height=\"4\"/></svg>", None),
            ("<svg viewBox=\"0 0\">", None),
            ("<svg width=\"3", None),
            ("", None),
        ] {
            check(svg, size, svg);
        }
        check(
            "<svg id=\"a\" width=\"100%\" class='b' viewBox=\"0 0 494.7 174\">",
            Some((495, 174)),
            "<svg width=\"495\" height=\"174\" id=\"a\" class='b' viewBox=\"0 0 494.7 174\">",
        );
        check(
            "<svg\n viewBox='-4,-4,10,20'\n height='auto'><a/>",
            Some((10, 20)),
            "<svg width=\"10\" height=\"20\"\n viewBox='-4,-4,10,20'><a/>",
        );
    }
}
