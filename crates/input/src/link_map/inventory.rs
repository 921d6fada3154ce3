//! Version 2 of Sphinx's inventory, `objects.inv`: a header of four lines, and a zlib-compressed line for each name.
//!
//! A line contains `name domain:role priority uri title`. A `$` at the end of the URI, and the title `-`, stand for
//! the name. Source: `sphinx.util.inventory` in Sphinx 9.0.

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::{Anchor, AnchorList, Contents, LinkMap, MOST_BYTES, MapPage, Unusable, one_line};
use base::address::encode;

/// Name of the file. Its URIs are relative to its folder.
pub const NAME: &str = "objects.inv";

/// The first bytes of every inventory.
pub(super) const BEGINNING: &[u8] = b"# Sphinx inventory version ";

const VERSION: &[u8] = b"2";

/// The role of pages. Sphinx's inventories contain all pages.
const PAGE: &str = "std:doc";

const PLACE: &str = "std:label";

/// Number of bytes that are compressed at a time.
const PIECE: usize = 1 << 16;

/// Writes an inventory: each page's path as a document, and its step and anchors as labels.
pub fn write(Contents { title, pages, .. }: Contents<'_>) -> Vec<u8> {
    let project = one_line(&title);
    let header = format!(
        "# Sphinx inventory version 2\n# Project: {project}\n# Version: \n\
         # The remainder of this file is compressed using zlib.\n"
    );
    // Fast compression gives a third more bytes in a tenth of the time, which matters because every edit writes the
    // file again.
    let mut packed = ZlibEncoder::new(header.into_bytes(), Compression::fast());
    let mut lines = String::new();
    for page in pages {
        write_page(&page, &mut lines);
        if lines.len() > PIECE {
            packed.write_all(lines.as_bytes()).expect("a Vec takes everything");
            lines.clear();
        }
    }
    packed.write_all(lines.as_bytes()).and_then(|()| packed.finish()).expect("a Vec takes everything")
}

fn write_page(page: &MapPage, lines: &mut String) {
    let MapPage { path, title, step, anchors } = page;
    let document = path.trim_end_matches('/');
    let document = name(if document.is_empty() { "index" } else { document });
    // The URI is the path with this anchor, whose ID is percent-encoded. A `$` at its end would stand for the name.
    let mut line = |name: [&str; 3], role: &str, anchor: [&str; 2], title: Option<&str>| {
        let [sign, id] = anchor;
        let end = if id.is_empty() { path.as_str() } else { id };
        let (start, end) = end.strip_suffix('$').map_or((end, ""), |start| (start, "%24"));
        let before = if id.is_empty() { "" } else { path.as_str() };
        let title = title.map(one_line).filter(|title| !title.is_empty());
        let title = title.as_deref().unwrap_or("-");
        let [page, mark, place] = name;
        for piece in [page, mark, place, " ", role, " -1 ", before, sign, start, end, " ", title, "\n"] {
            lines.push_str(piece);
        }
    };
    line([&document, "", ""], PAGE, ["", ""], Some(title));
    if let Some(step) = step {
        line([&name(step), "", ""], PLACE, ["", ""], Some(title));
    }
    let anchors = anchors.iter().flat_map(AnchorList::iter);
    for Anchor { id, title } in anchors.filter(|anchor| !anchor.id.is_empty()) {
        line([&document, "#", &name(id)], PLACE, ["#", &encode(id)], title);
    }
}

/// Makes a name unambiguous in a line.
fn name(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_whitespace) {
        text.split_whitespace().collect::<Vec<_>>().join("%20").into()
    } else {
        text.into()
    }
}

pub(super) fn read(bytes: &[u8], map: &mut LinkMap) -> Result<(), Unusable> {
    let mut parts = bytes.trim_ascii_start().splitn(5, |byte| *byte == b'\n');
    let mut line = || parts.next().ok_or_else(Unusable::cut);
    let version = line()?.trim_ascii_end();
    if version.strip_prefix(BEGINNING) != Some(VERSION) {
        return Err(Unusable::new(
            "is an inventory with an unsupported version; only version 2 is supported",
        ));
    }
    let (_project, _version) = (line()?, line()?);
    if !line()?.windows(4).any(|part| part == b"zlib") {
        return Err(Unusable::new("is an inventory with an unsupported compression; only zlib is supported"));
    }
    let mut lines = Vec::new();
    let read = ZlibDecoder::new(line()?).take(MOST_BYTES + 1).read_to_end(&mut lines);
    if read.map_err(|_| Unusable::cut())? as u64 > MOST_BYTES {
        return Err(Unusable::too_large());
    }
    let lines = std::str::from_utf8(&lines).map_err(|_| Unusable::new("is not UTF-8"))?;
    // Inventories that list only code don't list pages.
    map.has_all_pages = false;
    // Headings without a label aren't listed.
    map.has_all_anchors = false;
    for Entry { name, role, uri } in lines.lines().filter_map(entry) {
        map.has_all_pages |= role == PAGE;
        match uri.strip_suffix('$') {
            Some(start) => map.add(&format!("{start}{name}"))?,
            None => map.add(uri)?,
        }
    }
    Ok(())
}

struct Entry<'l> {
    name: &'l str,
    role: &'l str,
    uri: &'l str,
}

/// Splits a line. A name may contain spaces, so it ends before the first role with a priority.
fn entry(line: &str) -> Option<Entry<'_>> {
    let line = line.trim_end();
    let mut from = line.find(char::is_whitespace)?;
    loop {
        let (name, rest) = line.split_at(from);
        let (role, behind) = word(rest)?;
        let (priority, after) = word(behind)?;
        let digits = priority.strip_prefix('-').unwrap_or(priority);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && role.contains(':') && !name.is_empty() {
            // One space, then the URI, which is empty for the page at the site's root.
            let mut rest = after.chars();
            rest.next()?;
            let uri = rest.as_str().split(char::is_whitespace).next().unwrap_or_default();
            return Some(Entry { name, role, uri });
        }
        from = line.len() - behind.len();
    }
}

/// Returns the next word and the rest.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}
