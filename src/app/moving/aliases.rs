//! Old URLs in the front matter of a page.

use super::refused;
use base::address::Address;
use base::error::Result;
use base::site_path::SitePath;
use base::sorted::SortedSet;

/// The old and the new addresses of a page.
pub(super) struct MovedPage {
    /// Start of its body.
    body: usize,
    pub(super) gone: SortedSet<Address>,
    pub(super) present: SortedSet<Address>,
}

impl MovedPage {
    pub(super) fn new(body: usize) -> Self {
        Self { body, gone: SortedSet::new(), present: SortedSet::new() }
    }

    /// Adds the addresses that no longer exist to the aliases, and removes those that the page itself has. The front
    /// matter may have grown, so its end is searched for again.
    pub(super) fn noted(&self, path: &SitePath, text: &str) -> Result<String> {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        if self.body <= mark {
            let items: Vec<String> = self.gone.iter().map(quoted).collect();
            let front =
                format!("---{line_end}aliases: [{}]{line_end}---{line_end}{line_end}", items.join(", "));
            return Ok(format!("{}{front}{}", &text[..mark], &text[mark..]));
        }
        let by_hand = || {
            let listed: Vec<&str> = self.gone.iter().map(Address::as_str).collect();
            let why = format!(
                "its front matter can't be edited automatically; add `aliases: [{}]` to it first",
                listed.join(", ")
            );
            refused(path, &why)
        };
        let block = block(text, mark).ok_or_else(by_hand)?;
        let lines: Vec<&str> = text[block.clone()].split_inclusive('\n').collect();
        let Some(key) = lines.iter().position(|line| line.starts_with("aliases:")) else {
            let items: Vec<String> = self.gone.iter().map(quoted).collect();
            let line = format!("aliases: [{}]{line_end}", items.join(", "));
            return Ok(format!("{}{line}{}", &text[..block.end], &text[block.end..]));
        };
        let entry = entry(&lines[key..]).ok_or_else(by_hand)?;
        let start = block.start + lines[..key].iter().map(|line| line.len()).sum::<usize>();
        let end = start + lines[key..key + entry.lines].iter().map(|line| line.len()).sum::<usize>();
        let own = |item: &str| self.present.contains(&Address::new(bare(item)).as_page());
        let mut items: Vec<String> =
            entry.items.iter().filter(|item| !own(item)).map(|item| (*item).to_string()).collect();
        let is_there = |items: &[String], address: &Address| {
            items.iter().any(|item| Address::new(bare(item)).as_page() == *address)
        };
        for address in &self.gone {
            if !is_there(&items, address) {
                items.push(quoted(address));
            }
        }
        let written = match entry.indent {
            Some(indent) => {
                let lines = items.iter().map(|item| format!("{indent}- {item}{line_end}"));
                format!("aliases:{line_end}{}", lines.collect::<String>())
            }
            None => format!("aliases: [{}]{line_end}", items.join(", ")),
        };
        Ok(format!("{}{written}{}", &text[..start], &text[end..]))
    }
}

/// Returns the range between the two fences.
fn block(text: &str, mark: usize) -> Option<std::ops::Range<usize>> {
    let mut at = mark;
    let mut start = None;
    for line in text[mark..].split_inclusive('\n') {
        let is_fence = line.trim_end() == "---";
        match start {
            None if is_fence => start = Some(at + line.len()),
            None if line.trim().is_empty() => {}
            None => return None,
            Some(start) if is_fence => return Some(start..at),
            Some(_) => {}
        }
        at += line.len();
    }
    None
}

/// The value of `aliases`.
struct Entry<'t> {
    lines: usize,
    /// Original text, including quotes.
    items: Vec<&'t str>,
    /// The text before the dash of a list in lines, or `None` for a list in brackets.
    indent: Option<&'t str>,
}

/// Parses the lines that begin with the key. Returns `None` for an unsupported form.
fn entry<'t>(lines: &[&'t str]) -> Option<Entry<'t>> {
    let value = lines.first()?.strip_prefix("aliases:")?.trim();
    let is_plain = |item: &str| !item.contains([',', '#', '{', '[', ']', '|', '>', '&', '*', '\\']);
    if let Some(inner) = value.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        let items: Vec<&str> = inner.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
        return items.iter().all(|item| is_plain(item)).then_some(Entry { lines: 1, items, indent: None });
    }
    if !value.is_empty() {
        let goes_on = lines.get(1).is_some_and(|line| line.starts_with([' ', '\t']));
        return (is_plain(value) && !goes_on).then(|| Entry { lines: 1, items: vec![value], indent: None });
    }
    let is_item = |line: &&&str| line.trim_start().starts_with("- ");
    let listed: Vec<&str> = lines[1..].iter().take_while(is_item).copied().collect();
    let next = lines.get(listed.len() + 1);
    let first = *listed.first()?;
    if next.is_some_and(|line| line.starts_with([' ', '\t', '#'])) {
        return None;
    }
    let indent = &first[..first.len() - first.trim_start().len()];
    let items: Vec<&str> = listed.iter().map(|line| line.trim_start()[2..].trim()).collect();
    let is_known = items.iter().all(|item| is_plain(item));
    is_known.then_some(Entry { lines: listed.len() + 1, items, indent: Some(indent) })
}

fn bare(item: &str) -> &str {
    item.trim_matches(['"', '\''])
}

/// Writes an address as YAML.
fn quoted(address: &Address) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/-_.~".contains(c);
    if address.as_str().chars().all(is_plain) {
        address.to_string()
    } else {
        format!("\"{}\"", address.as_str().replace('\\', "\\\\").replace('"', "\\\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut former = MovedPage::new(if text.starts_with("---") { 4 } else { 0 });
        former.gone.insert(Address::new("/a/"));
        former.present.insert(Address::new("/b/"));
        assert_eq!(former.noted(&"a.md".into(), text).expect("it can be written"), expected);
    }

    #[test]
    fn a_former_address_is_noted_as_the_author_writes_them() {
        check("Text\n", "---\naliases: [/a/]\n---\n\nText\n");
        check("---\ntitle: A\n---\nText\n", "---\ntitle: A\naliases: [/a/]\n---\nText\n");
        check("---\r\ntitle: A\r\n---\r\n", "---\r\ntitle: A\r\naliases: [/a/]\r\n---\r\n");
        check("---\naliases: [/x/, '/b']\norder: 1\n---\n", "---\naliases: [/x/, /a/]\norder: 1\n---\n");
        check("---\naliases: /x/\n---\n", "---\naliases: [/x/, /a/]\n---\n");
        check("---\naliases:\n  - /x/\n  - /b/\n---\n", "---\naliases:\n  - /x/\n  - /a/\n---\n");
        check("---\naliases: [/a/]\n---\n", "---\naliases: [/a/]\n---\n");
    }

    #[test]
    fn unknown_front_matter_is_not_changed() {
        for value in ["[/x/,\n  /y/]", "|\n  /x/", "# none\n  - /x/"] {
            let mut former = MovedPage::new(4);
            former.gone.insert(Address::new("/a/"));
            assert!(
                former.noted(&"a.md".into(), &format!("---\naliases: {value}\n---\n")).is_err(),
                "{value}"
            );
        }
    }
}
