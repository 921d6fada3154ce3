//! Turns URLs in running text into links, as GitHub does.
//!
//! Implements GFM, "Autolinks (extension)": `www.example.com`, `https://example.com` and `me@example.com`, with its
//! rules for punctuation and parentheses after them. Where the specification is open, this follows `cmark-gfm`: a
//! scheme may follow any character except a letter, and a host after a scheme needs no dot. In addition, full stops,
//! quotes and brackets outside ASCII end a URL, and so does an unmatched `]` or `}`. `icon@2x.png` is a file,
//! `git@example.com:a/b` is a repository, and `xmpp:` isn't a scheme.

use std::ops::Range;

use memchr::memmem;
use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::tree::Item;

/// A URL in a text.
#[derive(Debug)]
struct Autolink<'a> {
    span: Range<usize>,
    kind: LinkType,
    /// The text that is added before the URL to make it absolute.
    prefix: &'static str,
    /// The visible text, in parts with their ranges.
    shown: Vec<(CowStr<'a>, Range<usize>)>,
}

impl<'a> Autolink<'a> {
    /// Returns the target of the link.
    fn target(&self) -> CowStr<'a> {
        match &*self.shown {
            [(whole, _)] if self.prefix.is_empty() => whole.clone(),
            parts => {
                let parts = parts.iter().map(|(part, _)| &**part);
                [self.prefix].into_iter().chain(parts).collect::<String>().into()
            }
        }
    }
}

/// Returns the items of `text` with bare URLs as links.
pub(in crate::markdown) fn link<'a>(items: Vec<Item<'a>>, text: &'a str) -> Vec<Item<'a>> {
    let signs = signs(text);
    if signs.is_empty() {
        return items;
    }
    let found = find(&items, text, &signs);
    if found.is_empty() { items } else { with_links(items, text, &found) }
}

/// Returns the ranges of `www.`, `://` and `@` in order, which mark possible URLs.
fn signs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let of = |sign: &'static str| memmem::find_iter(bytes, sign).map(move |at| at..at + sign.len());
    let mut signs: Vec<_> = of("www.").chain(of("://")).chain(of("@")).collect();
    signs.sort_unstable_by_key(|sign| sign.start);
    signs
}

/// Returns every URL in the running text of `items`, in order.
fn find<'a>(items: &[Item<'a>], text: &'a str, signs: &[Range<usize>]) -> Vec<Autolink<'a>> {
    let mut found: Vec<Autolink<'a>> = Vec::new();
    let mut quiet = Quiet::default();
    // The text without markup up to here.
    let mut plain = 0..0;
    // The marks after the current position.
    let mut signs = signs;
    for (at, item) in items.iter().enumerate() {
        quiet.pass(item);
        let Item::Event(Event::Text(written), range) = item else { continue };
        while let Some((_, after)) = signs.split_first().filter(|(sign, _)| sign.start < range.start) {
            signs = after;
        }
        let touches = plain.end == range.start;
        let has_signs = signs.first().is_some_and(|sign| sign.end <= range.end);
        let is_as_written = (touches || has_signs) && text.get(range.clone()) == Some(written);
        plain = if touches && is_as_written { plain.start..range.end } else { range.clone() };
        if !has_signs || !is_as_written || quiet.is_quiet() {
            continue;
        }
        for sign in signs.iter().take_while(|sign| sign.end <= range.end) {
            let from = found.last().map_or(plain.start, |last| last.span.end.max(plain.start));
            let address = address(items, at, text, from, sign.start);
            found.extend(address.filter(|it| it.span.start >= from));
        }
    }
    found
}

/// Returns the URL with the mark at `sign`, in the item at `at`. It doesn't begin before `from`.
fn address<'a>(
    items: &[Item<'a>],
    at: usize,
    text: &'a str,
    from: usize,
    sign: usize,
) -> Option<Autolink<'a>> {
    if sign < from {
        return None;
    }
    let (start, kind, prefix, end) = match text.as_bytes()[sign] {
        b'w' => {
            let before = text[..sign].chars().next_back();
            let is_free = before.is_none_or(|c| c.is_whitespace() || "*_~(".contains(c));
            let end = is_free.then(|| domain(text, sign, Dots::Needed)).flatten()?;
            (sign, LinkType::Autolink, "http://", end)
        }
        b':' => {
            let name = text[from..sign].bytes().rev().take_while(u8::is_ascii_alphabetic).count();
            let scheme = text[sign - name..sign].to_ascii_lowercase();
            let end = SCHEMES.contains(&scheme.as_str()).then(|| domain(text, sign + 3, Dots::Free))??;
            (sign - name, LinkType::Autolink, "", end)
        }
        _ => return email(text, from, sign, items, at),
    };
    let mut limit = running_end(items, at, text, start);
    if end > limit {
        return None;
    }
    let mut end = trimmed(text, start, limit);
    // Emphasis that ends after the URL isn't part of it.
    while let Some(emphasis) = emphasis_around(&items[at..], end) {
        limit = emphasis;
        end = trimmed(text, start, limit);
    }
    let shown = shown(&items[at..], text, start..end);
    Some(Autolink { span: start..end, kind, prefix, shown })
}

const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// Whether a host needs a dot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    Needed,
    Free,
}

/// Maximum length of a domain name in bytes.
const LONGEST_DOMAIN: usize = 253;

/// Returns the end of the valid domain at `start`: "segments of alphanumeric characters, underscores and hyphens
/// separated by periods", without an underscore in the last two.
fn domain(text: &str, start: usize, dots: Dots) -> Option<usize> {
    let is_in_domain = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let letters = text[start..].chars().take_while(is_in_domain).take(LONGEST_DOMAIN + 1);
    let mut length: usize = letters.map(char::len_utf8).sum();
    // A full stop after the host ends the sentence.
    length = text[start..start + length].trim_end_matches('.').len();
    let name = &text[start..start + length];
    if name.len() > LONGEST_DOMAIN || !name.starts_with(char::is_alphanumeric) {
        return None;
    }
    let mut last = name.rsplit('.').take(2);
    let is_valid = !last.any(|segment| segment.contains('_'));
    (is_valid && (dots == Dots::Free || name.contains('.'))).then_some(start + length)
}

/// Returns the email address around the `@` at `sign`.
fn email<'a>(text: &'a str, from: usize, sign: usize, items: &[Item<'a>], at: usize) -> Option<Autolink<'a>> {
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"._+-".contains(byte);
    let name = text.as_bytes()[from..sign].iter().rev().take_while(|byte| is_in_name(byte)).count();
    let is_in_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let host = text.as_bytes()[sign + 1..].iter().take_while(|byte| is_in_host(byte)).count();
    let host = text[sign + 1..sign + 1 + host].trim_end_matches('.');
    let (_, top) = host.rsplit_once('.')?;
    let is_top = !top.is_empty() && top.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_file = FILE_ENDINGS.iter().any(|ending| top.eq_ignore_ascii_case(ending));
    let mut start = sign - name;
    let end = sign + 1 + host.len();
    if name == 0 || !is_top || is_file {
        return None;
    }
    // A backslash splits the name.
    if start == from && text[..from].ends_with('\\') {
        return None;
    }
    // After a slash, it is a part of a URL or package name. Before a colon, it is a part of a repository.
    let is_path = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || "/~".contains(c));
    if text[..start].ends_with(['/', '@'])
        || text[end..].starts_with('@')
        || text[end..].strip_prefix(':').is_some_and(is_path)
        || end > running_end(items, at, text, sign)
    {
        return None;
    }
    let has_scheme = start >= from + MAILTO.len() && text[..start].ends_with(MAILTO);
    start -= if has_scheme { MAILTO.len() } else { 0 };
    let kind = if has_scheme { LinkType::Autolink } else { LinkType::Email };
    Some(Autolink { span: start..end, kind, prefix: "", shown: vec![(text[start..end].into(), start..end)] })
}

const MAILTO: &str = "mailto:";

/// Images for high-resolution screens have names such as `icon@2x.png`.
const FILE_ENDINGS: [&str; 8] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "pdf"];

/// Returns the maximum end of a URL at `start` in the item at `at`: a space, `<`, or markup that extends beyond it.
/// Emphasis inside is part of the URL: `_a_` in `https://example.com/_a_/b`.
fn running_end(items: &[Item<'_>], at: usize, text: &str, start: usize) -> usize {
    let length = text[start..].find(|c: char| c.is_whitespace() || c == '<').unwrap_or(text.len() - start);
    let raw_end = start + length;
    let mut end = start;
    let mut open: Vec<usize> = Vec::new();
    for item in &items[at..] {
        if end >= raw_end && open.is_empty() {
            break;
        }
        match item {
            Item::Event(Event::Text(_), range) => end = range.end,
            Item::Event(Event::Start(tag), range) if is_emphasis(tag) && range.end <= raw_end => {
                open.push(range.end);
                end = range.start;
            }
            Item::Event(Event::End(_), _) if !open.is_empty() => end = open.pop().unwrap_or(end),
            _ => break,
        }
    }
    end.min(raw_end)
}

/// Returns the start of the emphasis around `end`, among those that begin in `items`.
fn emphasis_around(items: &[Item<'_>], end: usize) -> Option<usize> {
    let events = items.iter().map_while(|item| match item {
        Item::Event(event, range) if range.start < end => Some((event, range)),
        _ => None,
    });
    let around = events.filter(|(event, range)| match event {
        Event::Start(tag) => is_emphasis(tag) && end < range.end,
        _ => false,
    });
    around.map(|(_, range)| range.start).next()
}

fn is_emphasis(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
}

fn is_emphasis_end(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough)
}

/// Characters that end a sentence or a remark, but not a URL. The first ten are those of the specification.
const PUNCTUATION: &str = "?!.,:*_~'\"。、，：；！？”’»…）」』】";

/// Returns the end of a URL without the punctuation, brackets and entities after it.
fn trimmed(text: &str, start: usize, end: usize) -> usize {
    let mut address = &text[start..end];
    let mut surplus = [('(', ')'), ('[', ']'), ('{', '}')].map(|(open, close)| {
        let count = |wanted| address.bytes().filter(|byte| char::from(*byte) == wanted).count();
        (close, count(close).saturating_sub(count(open)))
    });
    while let Some(last) = address.chars().next_back() {
        let bare = &address[..address.len() - last.len_utf8()];
        address = match last {
            _ if PUNCTUATION.contains(last) => bare,
            ')' | ']' | '}' => match surplus.iter_mut().find(|(close, count)| *close == last && *count > 0) {
                Some((_, count)) => {
                    *count -= 1;
                    bare
                }
                None => break,
            },
            // A text like an entity isn't part of the URL.
            ';' => {
                match bare.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '#').strip_suffix('&')
                {
                    Some(before) if !bare.ends_with('&') => before,
                    _ => bare,
                }
            }
            _ => break,
        };
    }
    start + address.len()
}

/// Tracks text in links, images and code, written as Markdown or HTML, in which URLs aren't linked.
#[derive(Debug, Default)]
struct Quiet {
    /// Number of open links, images and code blocks.
    marked: usize,
    /// Number of open elements in the paragraph and in blocks of HTML.
    inline: usize,
    block: usize,
    in_html_block: bool,
}

impl Quiet {
    fn is_quiet(&self) -> bool {
        self.marked + self.inline + self.block > 0
    }

    fn pass(&mut self, item: &Item<'_>) {
        match item {
            Item::Event(Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)), _) => {
                self.marked += 1;
            }
            Item::Event(Event::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock), _) => {
                self.marked = self.marked.saturating_sub(1);
            }
            Item::Event(Event::Start(Tag::HtmlBlock), _) => self.in_html_block = true,
            Item::Event(Event::End(TagEnd::HtmlBlock), _) => self.in_html_block = false,
            Item::Event(Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell), _) => {
                self.inline = 0;
            }
            Item::Html { html, .. } => {
                let open = if self.in_html_block { &mut self.block } else { &mut self.inline };
                pass_tags(html, open);
            }
            _ => {}
        }
    }
}

/// Elements in which a URL isn't linked, or is already a link.
const QUIET: [&str; 10] = ["a", "code", "pre", "kbd", "samp", "var", "script", "style", "textarea", "button"];

/// Counts the tags that a piece of HTML opens and closes.
fn pass_tags(html: &str, open: &mut usize) {
    for at in memchr::memchr_iter(b'<', html.as_bytes()) {
        let tag = &html[at + 1..];
        let (closes, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let name = &tag[..tag.bytes().take_while(u8::is_ascii_alphanumeric).count()];
        if QUIET.iter().any(|known| name.eq_ignore_ascii_case(known)) {
            *open = if closes { open.saturating_sub(1) } else { *open + 1 };
        }
    }
}

/// Returns the items with links for the URLs.
fn with_links<'a>(items: Vec<Item<'a>>, text: &'a str, found: &[Autolink<'a>]) -> Vec<Item<'a>> {
    let mut linked = Vec::with_capacity(items.len() + 3 * found.len());
    let mut next = 0;
    for item in items {
        let (event, range) = match item {
            Item::Event(event, range) => (event, range),
            other => {
                linked.push(other);
                continue;
            }
        };
        while found.get(next).is_some_and(|it| it.span.end <= range.start) {
            next += 1;
        }
        let around = found.get(next).filter(|it| it.span.start < range.end);
        match (&event, around) {
            (Event::Text(_), Some(_)) => cut(&event, range, text, &found[next..], &mut linked),
            (Event::Start(tag), Some(it)) if is_emphasis(tag) && holds(&it.span, &range) => {}
            (Event::End(tag), Some(it)) if is_emphasis_end(*tag) && holds(&it.span, &range) => {}
            _ => linked.push(Item::Event(event, range)),
        }
    }
    linked
}

fn holds(whole: &Range<usize>, part: &Range<usize>) -> bool {
    whole.start <= part.start && part.end <= whole.end
}

/// Writes a text that contains URLs or parts of them: each as a link where it begins.
fn cut<'a>(
    event: &Event<'a>,
    range: Range<usize>,
    text: &'a str,
    found: &[Autolink<'a>],
    linked: &mut Vec<Item<'a>>,
) {
    let mut at = range.start;
    for it @ Autolink { span, kind, shown, .. } in found {
        if span.start >= range.end {
            break;
        }
        if at < span.start {
            linked.push(Item::Event(Event::Text(text[at..span.start].into()), at..span.start));
        }
        if span.start >= range.start {
            let tag = Tag::Link { link_type: *kind, dest_url: it.target(), title: "".into(), id: "".into() };
            linked.push(Item::Event(Event::Start(tag), span.clone()));
            linked.extend(
                shown.iter().map(|(part, place)| Item::Event(Event::Text(part.clone()), place.clone())),
            );
            linked.push(Item::Event(Event::End(TagEnd::Link), span.clone()));
        }
        at = span.end.min(range.end);
    }
    if at == range.start {
        linked.push(Item::Event(event.clone(), range));
    } else if at < range.end {
        linked.push(Item::Event(Event::Text(text[at..range.end].into()), at..range.end));
    }
}

/// Returns the visible text of the URL at `span`: without backslashes, and with decoded entities. It begins in the
/// first of `items`.
fn shown<'a>(items: &[Item<'a>], text: &'a str, span: Range<usize>) -> Vec<(CowStr<'a>, Range<usize>)> {
    let as_written = |part: Range<usize>| Some((CowStr::from(text.get(part.clone())?), part));
    if memchr::memchr2(b'\\', b'&', &text.as_bytes()[span.clone()]).is_none() {
        return as_written(span).into_iter().collect();
    }
    let mut shown = Vec::new();
    let mut at = span.start;
    for item in items {
        let Item::Event(Event::Text(written), range) = item else { continue };
        if range.start >= span.end {
            break;
        }
        shown.extend(as_written(at..range.start).filter(|(between, _)| &**between != "\\"));
        let part = range.start.max(span.start)..range.end.min(span.end);
        if text.get(range.clone()) == Some(written) {
            shown.extend(as_written(part));
        } else {
            shown.push((written.clone(), part));
        }
        at = range.end;
    }
    shown.extend(as_written(at..span.end));
    shown.retain(|(part, _)| !part.is_empty());
    shown
}

#[cfg(test)]
mod tests {
    use crate::edition::Edition;
    use crate::markdown::read::parse_ours as parse;

    /// Checks the links of a page: their targets and their source text.
    #[track_caller]
    fn check(markdown: &str, expected: &[(&str, &str)]) {
        let page = parse(markdown, 0, &Edition::default());
        let links: Vec<_> =
            page.references.iter().map(|link| (link.target.as_str(), &markdown[link.span.clone()])).collect();
        assert_eq!(links, expected, "{markdown}");
    }

    /// Checks the examples of GFM, "Autolinks (extension)".
    #[test]
    fn addresses_are_links_as_the_specification_shows() {
        check("www.commonmark.org", &[("http://www.commonmark.org", "www.commonmark.org")]);
        check(
            "Visit www.commonmark.org/help for more information.",
            &[("http://www.commonmark.org/help", "www.commonmark.org/help")],
        );
        check(
            "Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.",
            &[
                ("http://www.commonmark.org", "www.commonmark.org"),
                ("http://www.commonmark.org/a.b", "www.commonmark.org/a.b"),
            ],
        );
        let business = "www.google.com/search?q=Markup+(business)";
        let url = format!("http://{business}");
        check(
            &format!("{business}\n\n{business}))\n\n({business})\n\n({business}"),
            &[(&url, business), (&url, business), (&url, business), (&url, business)],
        );
        check(
            "www.google.com/search?q=(business))+ok",
            &[("http://www.google.com/search?q=(business))+ok", "www.google.com/search?q=(business))+ok")],
        );
        check(
            "www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;",
            &[
                (
                    "http://www.google.com/search?q=commonmark&hl=en",
                    "www.google.com/search?q=commonmark&hl=en",
                ),
                ("http://www.google.com/search?q=commonmark", "www.google.com/search?q=commonmark"),
            ],
        );
        check("www.commonmark.org/he<lp", &[("http://www.commonmark.org/he", "www.commonmark.org/he")]);
        let encrypted = "https://encrypted.google.com/search?q=Markup+(business)";
        check(
            &format!("http://commonmark.org\n\n(Visit {encrypted})"),
            &[("http://commonmark.org", "http://commonmark.org"), (encrypted, encrypted)],
        );
        check("foo@bar.baz", &[("mailto:foo@bar.baz", "foo@bar.baz")]);
        check(
            "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
            &[("mailto:hello+xyz@mail.example", "hello+xyz@mail.example")],
        );
        let mail = ("mailto:a.b-c_d@a.b", "a.b-c_d@a.b");
        check("a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_", &[mail, mail]);
        let mail = ("mailto:a.b-c_d@a.b", "mailto:a.b-c_d@a.b");
        check("mailto:a.b-c_d@a.b\n\nmailto:a.b-c_d@a.b/\n\nmailto:a.b-c_d@a.b-", &[mail, mail]);
    }

    #[test]
    fn markup_around_an_address_is_not_part_of_it() {
        for markdown in [
            "**https://e.org/a_b**",
            "*https://e.org/a_b*!",
            "~~https://e.org/a_b~~",
            "“https://e.org/a_b”",
            "[https://e.org/a_b]",
            "{\"url\": \"https://e.org/a_b\"}}",
        ] {
            check(markdown, &[("https://e.org/a_b", "https://e.org/a_b")]);
        }
        check("https://e.org/_a_/b c", &[("https://e.org/_a_/b", "https://e.org/_a_/b")]);
        check("https://e.org/_a_/**b** c", &[("https://e.org/_a_/", "https://e.org/_a_/")]);
        check("https://e.org/*a b* c", &[("https://e.org/", "https://e.org/")]);
        check("https://e.org/a\\_b?c&amp;d", &[("https://e.org/a_b?c&d", "https://e.org/a\\_b?c&amp;d")]);
        check("見よhttps://e.org/a。次", &[("https://e.org/a。次", "https://e.org/a。次")]);
        check("(https://e.org/a)。", &[("https://e.org/a", "https://e.org/a")]);
        check("http://localhost:3000/", &[("http://localhost:3000/", "http://localhost:3000/")]);
        check("| a |\n|-|\n| https://e.org |\n", &[("https://e.org", "https://e.org")]);
        check("## https://e.org\n", &[("https://e.org", "https://e.org")]);
    }

    #[test]
    fn a_host_is_as_long_as_hosts_may_be() {
        let host = |length: usize| format!("{}.org", "a".repeat(length - 4));
        let url = format!("https://{}", host(253));
        check(&url, &[(&url, &url)]);
        check(&format!("https://{}", host(254)), &[]);
        check(&format!("https://{}", host(400)), &[]);
    }

    #[test]
    fn a_backslash_divides_an_address() {
        check("a\\@b.example", &[]);
        check("a\\_b@c.example", &[]);
    }

    #[test]
    fn a_url_in_a_link_or_code_is_unchanged() {
        check("[https://e.org](/x) <https://e.org>", &[("/x", "/x"), ("https://e.org", "<https://e.org>")]);
        check("`www.e.org` ![www.e.org](/x)\n\n    www.e.org\n", &[("/x", "/x")]);
        check("<a href=\"/x\">**https://e.org**</a> <code>www.e.org</code>", &[("/x", "/x")]);
        check("<a id=\"x\"></a> www.e.org", &[("http://www.e.org", "www.e.org")]);
        for markdown in [
            "xwww.e.org",
            "www.",
            "www.a_b.org",
            "http://",
            "https://your_host.org/x",
            "xhttp://e.org",
            "a://b.org",
            "icon@2x.png",
            "npm i a@1.2.3 @scope/b@1.0.0 @e.org",
            "git@e.org:a/b.git",
            "@me",
            "a@b",
        ] {
            check(markdown, &[]);
        }
    }

    #[test]
    fn a_page_of_openings_takes_linear_time() {
        for opening in
            ["www.", "http://", "_www.", "a@", "a@b.", "https://e.org/(", "https://e.org/_a_", "www.a_"]
        {
            parse(&opening.repeat(5_000), 0, &Edition::default());
        }
    }
}
