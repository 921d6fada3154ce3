//! Draws diagrams: code blocks in a language for which the configuration has a command.
//!
//! In: the pages of a planned site. Out: the images that exist, for the plan, and findings on those that can't be drawn. As for
//! [smaller images](super::pictures), the plan contains their addresses, so they are drawn before it is made.
//!
//! A command reads the text of a block, and prints an SVG image: see [`Drawn`].

use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;

use super::drawn::{Drawn, NotDrawn, Program};
use base::diagnostic::{Code, Problem, Report, Reported};
use base::progress::{self, Task};
use base::sorted::SortedMap;
use base::store::Key;
use base::timings::{Stage, part};
use input::config::DiagramCommand;
use input::source::Dimensions;
use markup::markdown::CodeBlock;
use site::content::{Document, DocumentId, Site};
use site::pages::Pages;
use site::plan::{Drawing, Drawings, drawings};

/// An image to be drawn.
struct Diagram<'a> {
    name: &'a str,
    command: &'a DiagramCommand,
    is_dark: bool,
    block: &'a CodeBlock,
    document: &'a Document,
}

/// Draws the diagrams of all pages that aren't stored yet.
pub(super) fn draw(site: &Site, pages: &Pages, root: &Path, drawn: &Drawn) -> Reported<Drawings> {
    let _part = part(Stage::Pictures);
    let all = diagrams(site, pages);
    let _running = progress::begin(Task::Pictures, all.len());
    let draw = |(key, diagram): &(Key, Diagram<'_>)| {
        let result = drawn.get_or_draw(key, &|| diagram.run(root));
        progress::step(Task::Pictures, 1);
        result
    };
    let results: Vec<_> = all.par_iter().map(draw).collect();
    let failed: HashSet<&Key> =
        all.iter().zip(&results).filter(|(_, result)| result.is_err()).map(|((key, _), _)| key).collect();
    let (mut images, mut report) = (Drawings::new(), Report::default());
    let mut missing: SortedMap<&str, (&Diagram<'_>, &str, usize)> = SortedMap::new();
    for ((key, diagram), result) in all.iter().zip(&results) {
        match result {
            Ok(svg) => {
                let dimensions = size(&String::from_utf8_lossy(svg));
                let hash = *blake3::hash(svg).as_bytes();
                _ = images.insert(drawings::diagram(key), Drawing { key: *key, hash, dimensions });
            }
            // Usually, both versions fail for the same reason.
            Err(_) if diagram.is_dark && failed.contains(&diagram.key(false)) => {}
            Err(NotDrawn::Program(cause)) => {
                missing.entry(diagram.name).or_insert((diagram, cause, 0)).2 += 1;
            }
            Err(NotDrawn::Image(cause)) => {
                let version = if diagram.is_dark { "the dark version of " } else { "" };
                let message = format!("{version}this diagram can't be drawn: {cause}");
                report.push(diagram.problem(message, "correct it; readers see its source".into()));
            }
        }
    }
    for (name, (diagram, cause, count)) in &missing {
        let program = &diagram.command.command[0];
        let message = format!("`{program}`, the program of `[diagrams.{name}]`, can't be started: {cause}");
        let those = if *count == 1 { "1 diagram".to_string() } else { format!("{count} diagrams") };
        let help = format!("install it, or change `command`; readers see the source of {those}");
        report.push(diagram.problem(message, help));
    }
    (images, report.sorted())
}

/// Lists the images of all pages, each with the first block that shows it. Only pages with the name of a language are parsed.
fn diagrams<'a>(site: &'a Site, pages: &'a Pages) -> Vec<(Key, Diagram<'a>)> {
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
                let key =
                    drawings::diagram_key(command, is_dark, &block.code).filter(|key| seen.insert(*key));
                let document = site.document(id);
                all.extend(key.map(|key| (key, Diagram { name, command, is_dark, block, document })));
            }
        }
    }
    all
}

impl Diagram<'_> {
    fn key(&self, is_dark: bool) -> Key {
        drawings::diagram_key(self.command, is_dark, &self.block.code)
            .expect("those with a dark version are listed")
    }

    fn problem(&self, message: String, help: String) -> base::diagnostic::Diagnostic {
        let problem = Problem::new(Code::BrokenDiagram, self.block.span.clone(), message).help(help);
        problem.at(&self.document.path)
    }

    fn run(&self, root: &Path) -> Result<Vec<u8>, NotDrawn> {
        let arguments = self.command.arguments(self.is_dark).expect("those with a dark version are listed");
        Program { arguments: &arguments, format: "SVG", image }.run(root, &self.block.code)
    }
}

/// Returns an SVG image with its size.
fn image(printed: Vec<u8>) -> Option<Vec<u8>> {
    let svg = String::from_utf8(printed).ok().filter(|text| text.contains("<svg"))?;
    Some(sized(svg).into_bytes())
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
