//! Draws cards: images of pages for social networks.
//!
//! In: the pages of a planned site, and its templates. Out: the images that exist, for the plan, and findings. `card.svg` is
//! filled for each page with its own text, and a program converts it to PNG: see [`Drawn`].

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use super::drawn::{Drawn, NotDrawn, Program};
use super::render::{Theme, bare_title};
use base::address::Address;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported};
use base::progress::{self, Task};
use base::site_path::CONFIG;
use base::sorted::SortedMap;
use base::timings::{Stage, part};
use input::config::{Cards, Config};
use input::source::Dimensions;
use input::words::{Word, Words, direction};
use markup::markdown::repair;
use site::content::{Document, DocumentId, Site};
use site::plan::{Drawing, Drawings, drawings};

/// Width of texts in pixels: that of the image without its margins.
const WIDTH: f64 = 1040.0;

/// Font sizes of titles in pixels, each with the number of lines that fit.
const SIZES: [(u32, usize); 3] = [(80, 2), (68, 3), (56, 4)];

/// Font size of other texts in pixels.
const SMALL: f64 = 32.0;

/// Width of the position in the tutorial, with the space in front of it, in pixels.
const PLACE_WIDTH: f64 = 240.0;

/// Start of a PNG image, up to its width, and its end.
const PNG_START: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
const PNG_END: &[u8] = b"IEND\xae\x42\x60\x82";

/// `card.svg`
#[derive(Debug, Serialize)]
struct CardView {
    page: PageView,
    site: SiteView,
    /// The title in lines, and their font size in pixels.
    lines: Vec<String>,
    size: u32,
    accent: String,
    /// The tutorial and the platform, for a step only.
    subject: Option<String>,
    place: usize,
    /// Number of steps, 0 for a page that is none.
    steps: usize,
}

#[derive(Debug, Serialize)]
struct PageView {
    title: String,
    description: Option<String>,
}

#[derive(Debug, Serialize)]
struct SiteView {
    title: String,
    language: String,
    direction: &'static str,
}

/// Draws the cards of all pages that aren't stored yet.
pub(super) fn draw(
    site: &Site,
    cards: &Cards,
    (theme, words): (&Theme, &Words),
    (root, drawn): (&Path, &Drawn),
) -> Reported<Drawings> {
    let _part = part(Stage::Pictures);
    let problem = |message: String, help: String| {
        Problem::new(Code::BrokenCard, cards.command.span(), message).help(help).at(&CONFIG.into())
    };
    if site.config.origin().is_none() {
        let message = "cards need the site's URL with its host, because social networks load them from there";
        let help = "set `base_url`, such as `https://docs.example.com/`, or pass `--base-url`";
        return (Drawings::new(), Report::from_iter([problem(message.into(), help.into())]));
    }
    let ids: Vec<DocumentId> =
        site.documents.indexed().filter(|(_, document)| has_card(document)).map(|(id, _)| id).collect();
    let arguments: Vec<&str> = cards.command.get_ref().iter().map(String::as_str).collect();
    let program = Program { arguments: &arguments, format: "PNG", image };
    let _running = progress::begin(Task::Pictures, ids.len());
    let one = |id: &DocumentId| {
        let svg = theme.filled("card.svg", &view(site, *id, words)).map_err(Broken::Template)?;
        let key = drawings::card_key(&arguments, &svg);
        let result = drawn.get_or_draw(&key, &|| program.run(root, &svg));
        progress::step(Task::Pictures, 1);
        let png = result.map_err(Broken::Image)?;
        Ok(Drawing { key, hash: *blake3::hash(&png).as_bytes(), dimensions: size(&png) })
    };
    let results: Vec<Result<Drawing, Broken>> = ids.par_iter().map(one).collect();
    let (mut images, mut report) = (Drawings::new(), Report::default());
    // The same cause is one finding, with the first page and the number of pages.
    let mut broken: SortedMap<String, (&Document, usize)> = SortedMap::new();
    let mut invalid: Option<Diagnostic> = None;
    for (id, result) in ids.iter().zip(results) {
        let document = site.document(*id);
        let cause = match result {
            Ok(drawing) => {
                _ = images.insert(drawings::card(&document.address), drawing);
                continue;
            }
            Err(Broken::Template(error)) => {
                invalid.get_or_insert(error);
                continue;
            }
            Err(Broken::Image(NotDrawn::Program(cause))) => {
                format!("`{}` can't be started: {cause}", arguments[0])
            }
            Err(Broken::Image(NotDrawn::Image(cause))) => cause,
        };
        broken.entry(cause).or_insert((document, 0)).1 += 1;
    }
    report.extend(invalid);
    for (cause, (document, pages)) in &broken {
        let those = match pages {
            1 => format!("the card of `{}`", document.path),
            _ => format!("the cards of `{}` and {} more", document.path, pages - 1),
        };
        let help = "install the program, or change `command`; it reads an SVG image from standard input and prints PNG";
        report.push(problem(format!("{those} can't be drawn: {cause}"), help.into()));
    }
    (images, report)
}

/// Fills the template for a step and for another page. Returns the first error.
pub(super) fn check(site: &Site, theme: &Theme, words: &Words) -> Option<Diagnostic> {
    let first = |is_step: bool| {
        site.documents
            .indices()
            .find(|&id| site.place(id).is_some() == is_step && has_card(site.document(id)))
    };
    let both = [first(true), first(false)];
    both.into_iter().flatten().find_map(|id| theme.filled("card.svg", &view(site, id, words)).err())
}

/// Why a page has no card.
enum Broken {
    Template(Diagnostic),
    Image(NotDrawn),
}

/// Whether a page has a card. A page without a translation is shared as the original.
fn has_card(document: &Document) -> bool {
    document.front.redirect.is_none() && document.foreign.is_none()
}

fn view(site: &Site, id: DocumentId, words: &Words) -> CardView {
    let (config, document) = (&site.config, site.document(id));
    let title = repair(&document.title);
    let place = site.place(id);
    let title = text(if place.is_some() { bare_title(&title, words) } else { &title });
    let (lines, font_size) = title_lines(&title);
    let subject = place.map(|place| {
        let (family, platform) = (site.family_of(place), site.platform_of(place));
        fitted(&text(&format!("{} · {}", family.title, platform.name)), (WIDTH - PLACE_WIDTH) / SMALL)
    });
    CardView {
        lines,
        size: font_size,
        subject,
        accent: accent(config),
        place: place.map_or(0, |place| usize::from(place.step) + 1),
        steps: place.map_or(0, |place| site.platform_of(place).steps.len()),
        page: PageView { title, description: document.front.description.as_deref().map(text) },
        site: SiteView {
            title: fitted(&text(&site_title(site, words)), WIDTH / SMALL),
            language: config.language.clone(),
            direction: direction(&config.language),
        },
    }
}

fn site_title(site: &Site, words: &Words) -> String {
    let home = || site.documents.iter().find(|document| document.address == Address::new("/"));
    let of_home = || home().map(|document| document.title.clone());
    site.config.title.clone().or_else(of_home).unwrap_or_else(|| words.get(Word::Tutorials).into())
}

fn accent(config: &Config) -> String {
    config.look.light_accent().to_string()
}

/// Returns a text in one line, without characters that XML can't contain.
fn text(text: &str) -> String {
    let is_allowed = |c: char| matches!(c, ' '..='\u{fffd}' | '\u{10000}'..);
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().filter(|&c| is_allowed(c)));
    }
    out
}

/// Breaks a title into lines of similar length, in the largest font in which it fits. The program has its own fonts, so the
/// widths are those of a wide one.
fn title_lines(title: &str) -> (Vec<String>, u32) {
    for (size, most) in SIZES {
        let width = WIDTH / f64::from(size);
        let lines = broken(title, width);
        if lines.len() <= most {
            return (balanced(title, lines, width), size);
        }
    }
    let (size, most) = SIZES[SIZES.len() - 1];
    let width = WIDTH / f64::from(size);
    let mut lines = broken(title, width);
    lines.truncate(most);
    if let Some(last) = lines.last_mut() {
        *last = fitted(&format!("{last} {}", "…".repeat(99)), width);
    }
    (lines, size)
}

/// Returns the lines of a title at the smallest width that needs no more of them.
fn balanced(title: &str, lines: Vec<String>, width: f64) -> Vec<String> {
    let (mut best, mut narrower) = (lines, width - 0.5);
    while narrower > width / 2.0 {
        let lines = broken(title, narrower);
        if lines.len() > best.len() {
            break;
        }
        (best, narrower) = (lines, narrower - 0.5);
    }
    best
}

/// Breaks a text into lines with a maximum width, at spaces and between ideographs. A longer word is broken anywhere.
fn broken(text: &str, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut line, mut used) = (0, 0.0);
    for (word, has_space) in words_of(text) {
        let space = if has_space && used > 0.0 { width_of(' ') } else { 0.0 };
        let length: f64 = word.chars().map(width_of).sum();
        if used > 0.0 && used + space + length > width {
            lines.push(String::new());
            (line, used) = (line + 1, 0.0);
        } else if space > 0.0 {
            lines[line].push(' ');
            used += space;
        }
        for c in word.chars() {
            let length = width_of(c);
            if used > 0.0 && length > 0.0 && used + length > width {
                lines.push(String::new());
                (line, used) = (line + 1, 0.0);
            }
            lines[line].push(c);
            used += length;
        }
    }
    lines
}

/// Returns the parts of a text that stay together, each with whether a space is in front.
fn words_of(text: &str) -> Vec<(String, bool)> {
    let mut words: Vec<(String, bool)> = Vec::new();
    let (mut has_space, mut is_open) = (false, false);
    for c in text.chars() {
        if c == ' ' {
            (has_space, is_open) = (true, false);
            continue;
        }
        let stays = !has_space && !words.is_empty() && (is_closing(c) || is_open && !is_ideograph(c));
        if stays {
            words.last_mut().expect("it isn't empty").0.push(c);
        } else {
            words.push((c.to_string(), has_space));
        }
        has_space = false;
        is_open = !is_ideograph(c);
    }
    words
}

/// Returns a text that is cut at the end if it is wider.
fn fitted(text: &str, width: f64) -> String {
    let total: f64 = text.chars().map(width_of).sum();
    if total <= width {
        return text.to_string();
    }
    let mut used = width_of('…');
    let fits = |c: &char| {
        used += width_of(*c);
        used <= width
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}…", start.trim_end_matches([' ', '…', ',', '·']))
}

/// Whether lines may be broken around a character: ideographs and kana.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{ff01}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a line can't begin with a character.
fn is_closing(c: char) -> bool {
    "、。」』）】〉》〕！？：；，．・ー々ゃゅょっャュョッ".contains(c)
}

/// Returns the width of a character in a bold font, as a share of its size.
fn width_of(c: char) -> f64 {
    match c {
        _ if is_invisible(c) => 0.0,
        ' ' | 'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.36,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '/' | '-' | '·' => 0.48,
        _ if is_ideograph(c) || is_wide(c) => 1.0,
        'A'..='Z' => 0.77,
        '\0'..='\u{2ff}' => 0.68,
        '\u{300}'..='\u{10ff}' => 0.72,
        _ => 0.8,
    }
}

/// Whether a character is drawn on top of the one in front of it, or not at all.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}')
}

/// Whether a character in a line of letters is as wide as it is high.
fn is_wide(c: char) -> bool {
    matches!(c, 'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—')
        || matches!(c, '\u{1100}'..='\u{115f}' | '\u{ac00}'..='\u{d7a3}' | '\u{1f300}'..='\u{1faff}')
}

/// Returns a PNG image if it is complete.
fn image(printed: Vec<u8>) -> Option<Vec<u8>> {
    (size(&printed).is_some() && printed.ends_with(PNG_END)).then_some(printed)
}

/// Returns the size of a PNG image, which its header contains.
fn size(png: &[u8]) -> Option<Dimensions> {
    let sides = png.strip_prefix(PNG_START)?.first_chunk::<8>()?;
    let side = |at: usize| {
        let bytes = sides[at..at + 4].try_into().expect("four bytes");
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    Some(Dimensions { width: side(0)?, height: side(4)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the lines of a title, and their font size.
    #[track_caller]
    fn check(title: &str, size: u32, lines: &str) {
        let (found, font) = title_lines(title);
        assert_eq!((found.join("|").as_str(), font), (lines, size));
    }

    #[test]
    fn a_title_is_broken_into_lines_of_similar_length() {
        check("Install", 80, "Install");
        check("Create a connection to the shop", 80, "Create a connection|to the shop");
        check(
            "Send the first event of a customer from your server to the shop",
            68,
            "Send the first event of|a customer from your|server to the shop",
        );
        check("", 80, "");
    }

    #[test]
    fn a_long_title_is_cut() {
        let (lines, size) = title_lines(&"many words ".repeat(30));
        assert_eq!((lines.len(), size), (4, 56));
        assert!(lines[3].ends_with('…') && !lines[3].ends_with(" …"), "{lines:?}");
        let (lines, _) = title_lines(&"x".repeat(300));
        assert_eq!(lines.len(), 4, "a word without spaces is broken");
        assert!(lines.iter().all(|line| line.chars().count() < 30), "{lines:?}");
    }

    #[test]
    fn ideographs_are_broken_anywhere_but_in_front_of_punctuation() {
        check("创建连接", 80, "创建连接");
        check("一二三四五六七八九十一二。四", 80, "一二三四五六七|八九十一二。四");
        assert_eq!(broken("一二三。四", 3.0), ["一二", "三。四"]);
        assert_eq!(broken("用SDK连接", 3.5), ["用SDK", "连接"]);
    }

    #[test]
    fn a_text_has_one_line_of_a_width() {
        assert_eq!(text("a\n b\u{0}\u{b}c"), "a b c");
        assert_eq!(fitted("Corner Shop", 30.0), "Corner Shop");
        assert_eq!(fitted("Corner Shop", 5.5), "Corner…");
    }

    #[test]
    fn an_image_is_complete() {
        let png = [PNG_START, &[0, 0, 4, 176, 0, 0, 2, 118, 8, 6], PNG_END].concat();
        assert_eq!(size(&png), Some(Dimensions { width: 1200, height: 630 }));
        assert!(image(png.clone()).is_some());
        assert!(image(png[..png.len() - 1].to_vec()).is_none(), "cut off");
        assert!(image(b"<svg>".to_vec()).is_none());
    }
}
