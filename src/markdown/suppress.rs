//! Comments that accept a finding on purpose: `<!-- stepkin: allow missing-alt: decorative -->`.

use std::ops::Range;

use pulldown_cmark::Event;

use super::blocks::{Blocks, Item};
use super::{Page, Suppression};

/// Notes the suppressions of a fragment and its notes. Each covers what follows it, to the end of the next
/// block; `allow-file` covers the file.
pub(super) fn collect(blocks: &Blocks<'_>, page: &mut Page) {
    let mut open: Vec<usize> = Vec::new();
    for item in &blocks.items {
        let block = match item {
            Item::Html { html, map } => {
                let place = map.range(0..html.len());
                match read(html) {
                    Some(read) => {
                        let covers = if read.whole_file { 0..usize::MAX } else { place.end..usize::MAX };
                        let Read { codes, reason, whole_file } = read;
                        if !whole_file {
                            open.push(page.suppressions.len());
                        }
                        page.suppressions.push(Suppression { codes, reason, covers, span: place });
                        continue;
                    }
                    None if html.trim().is_empty() => continue,
                    None => place,
                }
            }
            Item::Note { note, body } => {
                close(&mut open, &note.span, page);
                collect(body, page);
                continue;
            }
            // Blocks of raw HTML are items of their own.
            Item::Event(Event::Start(pulldown_cmark::Tag::HtmlBlock) | Event::End(_), _) | Item::Nothing => {
                continue;
            }
            Item::Event(_, range) => blocks.map.range(range.clone()),
        };
        close(&mut open, &block, page);
    }
}

fn close(open: &mut Vec<usize>, block: &Range<usize>, page: &mut Page) {
    for suppression in open.drain(..) {
        page.suppressions[suppression].covers.end = block.end;
    }
}

struct Read {
    codes: Vec<String>,
    reason: String,
    whole_file: bool,
}

/// Reads one comment: the codes, separated by commas, then a colon and the reason.
fn read(html: &str) -> Option<Read> {
    let inside = html.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let rest = inside.strip_prefix("stepkin:")?.trim_start();
    let (whole_file, rest) = match rest.strip_prefix("allow-file") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix("allow")?),
    };
    let (codes, reason) = rest.split_once(':').unwrap_or((rest, ""));
    let codes =
        codes.split([',', ' ', '\n', '\t']).filter(|code| !code.is_empty()).map(str::to_string).collect();
    Some(Read { codes, reason: reason.trim().to_string(), whole_file })
}
