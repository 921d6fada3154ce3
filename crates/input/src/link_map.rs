//! Link maps: the pages and anchors of a site, for other sites that link to it.
//!
//! In: the bytes of a published map. Out: a [`LinkMap`] with the pages of that site. Three formats are supported and
//! recognized by their content: `pages.json`, which Stepkin sites publish ([`pages`]), Sphinx's inventory
//! ([`inventory`]), and sitemaps. The first two are also written, from [`Contents`].
//!
//! A map comes from another site, so it isn't trusted. Its size and number of entries are limited, URLs outside its
//! site are ignored, and a map that can't be read completely is [`Unusable`].

pub mod inventory;
pub mod pages;
mod sitemap;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize, Serializer};

use base::address::Address;
use base::diagnostic::nearest;

/// Maximum size of a map in bytes, both compressed and uncompressed. A map of 100,000 pages with ten anchors each has
/// half of it.
pub const MOST_BYTES: u64 = 64 << 20;

/// Maximum number of pages, anchors and redirects in a map. The map of Python's documentation has 18,000.
const MOST_ENTRIES: usize = 2_000_000;

/// Characters that end a URL in Markdown, since a fix may write redirect targets into a page.
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'\'')
    .add(b'(')
    .add(b')')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The pages of a site, for its map.
#[expect(missing_debug_implementations, reason = "formatting an iterator would consume it")]
pub struct Contents<'a> {
    pub title: String,
    /// Each is written before the next one is made.
    pub pages: &'a mut dyn Iterator<Item = MapPage>,
    pub redirects: Vec<MapRedirect>,
}

/// A page that other sites may link to.
#[derive(Clone, Debug, Serialize)]
pub struct MapPage {
    /// Path relative to the site, as in a URL: `tour/web/install/`. Empty for the home page.
    pub path: String,
    pub title: String,
    /// The page's step, as `family/step@platform`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// All anchors in the order of the page, or `None` if they aren't listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchors: Option<AnchorList>,
}

/// The anchors of a page, one per line: the ID, and for a heading a tab and its title.
#[derive(Clone, Debug)]
pub struct AnchorList(Arc<str>);

/// A location on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor<'a> {
    pub id: &'a str,
    /// Its text, if it is a heading.
    pub title: Option<&'a str>,
}

impl AnchorList {
    /// Reads a list that was written before.
    pub fn of_text(text: Arc<str>) -> Self {
        Self(text)
    }

    /// Makes a list. Titles are written on one line. IDs that contain line ends or tabs are left out, because no link leads to
    /// them.
    pub fn of<'a>(anchors: impl Iterator<Item = Anchor<'a>>) -> Self {
        let mut lines = String::new();
        for Anchor { id, title } in anchors.filter(|anchor| !anchor.id.contains(['\n', '\t'])) {
            lines.push_str(id);
            if let Some(title) = title {
                lines.push('\t');
                lines.push_str(&one_line(title));
            }
            lines.push('\n');
        }
        Self(lines.into())
    }

    pub fn text(&self) -> &Arc<str> {
        &self.0
    }

    pub fn iter(&self) -> impl Iterator<Item = Anchor<'_>> {
        self.0.lines().map(|line| match line.split_once('\t') {
            Some((id, title)) => Anchor { id, title: Some(title) },
            None => Anchor { id: line, title: None },
        })
    }
}

/// Returns a text with one space between its words.
fn one_line(text: &str) -> Cow<'_, str> {
    // Fast path: nearly all names are plain.
    let is_gap = |pair: &[u8]| pair[0] == b' ' && pair[1] == b' ';
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if is_plain && text.trim() == text && !text.as_bytes().windows(2).any(is_gap) {
        text.into()
    } else {
        text.split_whitespace().collect::<Vec<_>>().join(" ").into()
    }
}

/// Only the IDs.
impl Serialize for AnchorList {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(|anchor| anchor.id))
    }
}

/// A redirect from an old URL.
#[derive(Debug, Serialize, Deserialize)]
pub struct MapRedirect {
    /// In the form of [`MapPage::path`].
    pub from: String,
    /// In the same form, possibly with a query and an anchor, or the URL of another site.
    pub to: String,
}

/// The URL of a site, with which links to it begin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SiteUrl {
    /// With a final slash.
    url: String,
    /// In lower case, with the port if there is one.
    host: String,
    /// Unchanged, from the slash after the host to the last slash.
    path: String,
}

/// A path in a site, split into its parts.
struct SplitPath<'t> {
    /// Normalized, with a final slash, so that URLs with and without it are equal.
    key: Address,
    /// Unchanged.
    path: &'t str,
    /// The query, from `?` to `#`.
    query: &'t str,
    /// The fragment after `#`, as written.
    fragment: Option<&'t str>,
}

/// The pages of a site, by address.
#[derive(Debug)]
pub struct LinkMap {
    url: SiteUrl,
    pages: BTreeMap<Address, MapEntry>,
    redirects: BTreeMap<Address, String>,
    entries: usize,
    /// Whether pages that aren't listed don't exist.
    has_all_pages: bool,
    /// Whether anchors that aren't listed don't exist, on pages with listed anchors.
    has_all_anchors: bool,
}

/// An entry for a page.
#[derive(Debug)]
struct MapEntry {
    path: String,
    /// The anchors, or `None` if they are unknown.
    anchors: Option<BTreeSet<String>>,
}

/// The result of looking up a URL.
#[derive(Debug, PartialEq, Eq)]
pub enum MapAnswer<'m> {
    /// It exists.
    There,
    /// The site redirects to this URL.
    Moved(String),
    NoPage,
    /// The page exists without this anchor. Unless the map has `all` anchors, the anchor may still exist.
    NoAnchor {
        known: &'m BTreeSet<String>,
        all: bool,
    },
    /// Maps don't list URLs of this kind.
    Nothing,
}

/// Why a map can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The rest of a sentence that begins with the map.
    pub cause: String,
    /// How to fix it, if downloading the map again doesn't help.
    pub help: Option<&'static str>,
}

impl Unusable {
    fn new(cause: impl Into<String>) -> Self {
        Self { cause: cause.into(), help: None }
    }

    fn with_help(cause: impl Into<String>, help: &'static str) -> Self {
        Self { cause: cause.into(), help: Some(help) }
    }

    fn cut() -> Self {
        Self::new("is cut off or damaged")
    }

    fn too_large() -> Self {
        Self::with_help(
            format!("is larger than {} MiB or has more than {MOST_ENTRIES} entries", MOST_BYTES >> 20),
            "use a map for a part of that site, with the `url` of that part",
        )
    }
}

/// Reads the map of the site at `url`.
///
/// # Errors
///
/// If the map can't be used.
pub fn read(bytes: &[u8], url: &SiteUrl) -> Result<LinkMap, Unusable> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Unusable::too_large());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let begins = |start: &[u8]| bytes.trim_ascii_start().starts_with(start);
    let mut map = LinkMap {
        url: url.clone(),
        pages: BTreeMap::new(),
        redirects: BTreeMap::new(),
        entries: 0,
        has_all_pages: true,
        has_all_anchors: true,
    };
    match () {
        () if bytes.is_empty() => return Err(Unusable::new("is empty")),
        () if begins(inventory::BEGINNING) => inventory::read(bytes, &mut map)?,
        () if begins(b"{") => pages::read(bytes, &mut map)?,
        () if begins(b"<") => sitemap::read(bytes, &mut map)?,
        () if begins(b"\x1f\x8b") => {
            return Err(Unusable::with_help("is compressed with gzip", "decompress it with `gunzip`"));
        }
        () => {
            return Err(Unusable::with_help(
                "is not a `pages.json`, Sphinx inventory, or sitemap",
                "download one of these from that site",
            ));
        }
    }
    if map.pages.is_empty() {
        return Err(Unusable::with_help(
            format!("contains no page under `{}`", url.as_str()),
            "set `url` to the site of the map",
        ));
    }
    Ok(map)
}

/// Returns the record of a download: the date and the source.
pub fn record(day: Date, from: &str) -> String {
    format!("{day} {from}\n")
}

/// Returns the date of a download from its [`record`].
pub fn fetched(record: &[u8]) -> Option<Date> {
    std::str::from_utf8(record).ok()?.split_whitespace().next()?.parse().ok()
}

impl LinkMap {
    /// Looks up a URL. Returns `None` if it belongs to another site.
    pub fn look(&self, target: &str) -> Option<MapAnswer<'_>> {
        let below = self.url.below(target)?;
        if let Some(page) = self.pages.get(&below.key) {
            return Some(page.anchor(below.fragment, self.has_all_anchors));
        }
        let moved = || {
            let to = self.redirects.get(&below.key)?;
            let (to, rest) = (self.url.join(to), [below.query, &anchor_of(below.fragment)].concat());
            Some(MapAnswer::Moved(if to.contains(['?', '#']) { to } else { to + &rest }))
        };
        let is_missing = self.has_all_pages && is_of_page(&below.key);
        let unmoved = if is_missing { MapAnswer::NoPage } else { MapAnswer::Nothing };
        Some(moved().unwrap_or(unmoved))
    }

    /// Returns the page that a wrong URL most likely means: the only page with this name, with or without `.html`, or
    /// else the page with the most similar path.
    pub fn nearest(&self, target: &str) -> Option<String> {
        let wanted = self.url.below(target)?.key;
        let name = |key: &Address| key.last_segment().map(|it| it.trim_end_matches(".html").to_string());
        let wanted_name = name(&wanted);
        let mut same = self.pages.iter().filter(|(key, _)| name(key) == wanted_name);
        let near = match (same.next(), same.next()) {
            (Some((_, only)), None) => only,
            _ => self.pages.get(nearest(wanted.as_str(), self.pages.keys().map(Address::as_str))?)?,
        };
        Some(self.url.join(&near.path))
    }

    /// Returns the URLs of all pages, sorted by path.
    pub fn pages(&self) -> impl Iterator<Item = String> {
        self.pages.values().map(|page| self.url.join(&page.path))
    }

    /// Adds a page by its path or URL. An anchor is added to the page. URLs outside the site are ignored.
    fn add(&mut self, path: &str) -> Result<(), Unusable> {
        let below = self.url.below_or_relative(path);
        let anchor = below.as_ref().and_then(|below| below.fragment).map(decoded);
        self.add_listed(path, anchor.map(|anchor| vec![anchor]))
    }

    /// Adds a page by its path or URL, with some of its anchors, decoded.
    fn add_listed(&mut self, path: &str, anchors: Option<Vec<String>>) -> Result<(), Unusable> {
        self.count(1 + anchors.as_ref().map_or(0, Vec::len))?;
        if let Some(below) = self.url.below_or_relative(path) {
            let page = || MapEntry { path: below.path.to_string(), anchors: None };
            let page = self.pages.entry(below.key).or_insert_with(page);
            if let Some(anchors) = anchors {
                page.anchors.get_or_insert_default().extend(anchors);
            }
        }
        Ok(())
    }

    /// Adds a redirect by its old path.
    fn add_redirect(&mut self, from: &str, to: &str) -> Result<(), Unusable> {
        self.count(1)?;
        if let Some(below) = self.url.below_or_relative(from) {
            self.redirects.insert(below.key, utf8_percent_encode(to, UNSAFE).to_string());
        }
        Ok(())
    }

    fn count(&mut self, entries: usize) -> Result<(), Unusable> {
        self.entries += entries;
        if self.entries > MOST_ENTRIES { Err(Unusable::too_large()) } else { Ok(()) }
    }
}

impl MapEntry {
    fn anchor(&self, wanted: Option<&str>, all: bool) -> MapAnswer<'_> {
        // Browsers define the first two on every page. Fragments that begin with a path or a special character are
        // for a page's script.
        let is_for_others = |raw: &str| raw.is_empty() || raw == "top" || raw.starts_with(['!', '/']);
        match (wanted.filter(|raw| !is_for_others(raw)), &self.anchors) {
            (Some(raw), Some(known)) if !known.contains(raw) && !known.contains(&decoded(raw)) => {
                MapAnswer::NoAnchor { known, all }
            }
            _ => MapAnswer::There,
        }
    }
}

/// The message, with the help on a second line.
impl TryFrom<String> for SiteUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, Self::Error> {
        Self::parse(&url).ok_or_else(|| {
            format!(
                "`{url}` is not the URL of a site\nuse an absolute URL without `?` and `#`, such as \
                 `https://docs.example.com/`"
            )
        })
    }
}

impl SiteUrl {
    /// Returns `None` unless this is an http or https URL without a query or fragment.
    pub fn parse(url: &str) -> Option<Self> {
        let (host, path) = host_and_path(url)?;
        let is_plain = !host.is_empty() && !url.contains(['?', '#', ' ', '"', '<', '>', '\\']);
        let slash = if path.ends_with('/') { "" } else { "/" };
        is_plain.then(|| Self {
            url: format!("{url}{slash}"),
            host: host.to_ascii_lowercase(),
            path: format!("{path}{slash}"),
        })
    }

    /// Returns the URL with a final slash.
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Whether a URL belongs to this site.
    pub fn has(&self, target: &str) -> bool {
        self.below(target).is_some()
    }

    /// Returns the URL of a path on this site. An absolute URL stays.
    pub fn join(&self, path: &str) -> String {
        if host_and_path(path).is_some() { path.to_string() } else { format!("{}{path}", self.url) }
    }

    /// Returns the part of a URL in this site. `http` and `https` count as equal.
    fn below<'t>(&self, target: &'t str) -> Option<SplitPath<'t>> {
        let (host, rest) = host_and_path(target.trim())?;
        if !host.eq_ignore_ascii_case(&self.host) {
            return None;
        }
        let rest = match rest.strip_prefix(self.path.as_str()) {
            Some(rest) => rest,
            None => {
                rest.strip_prefix(self.path.trim_end_matches('/')).filter(|rest| begins_with_end(rest))?
            }
        };
        SplitPath::new(rest)
    }

    fn below_or_relative<'t>(&self, path: &'t str) -> Option<SplitPath<'t>> {
        match host_and_path(path) {
            Some(_) => self.below(path),
            None if path.starts_with('/') => None,
            None => SplitPath::new(path),
        }
    }
}

impl<'t> SplitPath<'t> {
    /// Returns `None` if the path leaves the site.
    fn new(rest: &'t str) -> Option<Self> {
        let (rest, fragment) = match rest.split_once('#') {
            // The part after `:~:` is for the browser.
            Some((rest, fragment)) => (rest, fragment.split(":~:").next()),
            None => (rest, None),
        };
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let decoded = decoded(path);
        let mut depth = 0_usize;
        for segment in decoded.split('/') {
            match segment {
                "" | "." => {}
                ".." => depth = depth.checked_sub(1)?,
                _ => depth += 1,
            }
        }
        let page = decoded.strip_suffix("index.html").filter(|rest| rest.is_empty() || rest.ends_with('/'));
        let key = Address::new(page.unwrap_or(&decoded)).as_page();
        Some(Self { key, path, query, fragment })
    }
}

/// Splits an http or https URL into its host and the rest.
fn host_and_path(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web.then(|| rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len())))
}

fn begins_with_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['?', '#'])
}

/// Whether maps list URLs of this kind. They don't list files, or folders such as `_static` and `_modules`, in which
/// tools publish files that aren't authors' pages.
fn is_of_page(key: &Address) -> bool {
    let path = key.as_str().trim_matches('/');
    let is_page = match path.rsplit('/').next().and_then(|name| name.rsplit_once('.')) {
        Some((_, ending)) => ["html", "htm"].contains(&ending.to_ascii_lowercase().as_str()),
        None => true,
    };
    is_page && !path.split('/').any(|segment| segment.starts_with('_'))
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn anchor_of(fragment: Option<&str>) -> String {
    fragment.map_or_else(String::new, |fragment| format!("#{fragment}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use proptest::prelude::*;

    use super::*;

    const URL: &str = "https://docs.example.org/guide/";

    fn url() -> SiteUrl {
        SiteUrl::parse(URL).expect("a URL")
    }

    fn map(bytes: &[u8]) -> LinkMap {
        read(bytes, &url()).expect("a map")
    }

    /// Returns an inventory as other tools write it.
    fn inventory_of(lines: &[u8]) -> Vec<u8> {
        let header = b"# Sphinx inventory version 2\n# Project: x\n# Version: 1\n# compressed using zlib.\n";
        let mut packed = ZlibEncoder::new(header.to_vec(), Compression::best());
        packed.write_all(lines).and_then(|()| packed.finish()).expect("in memory")
    }

    fn pages_json(rest: &str) -> Vec<u8> {
        format!(r#"{{"version":1,"title":"x",{rest}}}"#).into_bytes()
    }

    /// Returns the result for a URL as one word.
    fn said(map: &LinkMap, target: &str) -> String {
        match map.look(target) {
            None => "other site".into(),
            Some(MapAnswer::There) => "there".into(),
            Some(MapAnswer::Moved(to)) => format!("moved to {to}"),
            Some(MapAnswer::NoPage) => "no page".into(),
            Some(MapAnswer::NoAnchor { all: true, .. }) => "no anchor".into(),
            Some(MapAnswer::NoAnchor { all: false, .. }) => "no known anchor".into(),
            Some(MapAnswer::Nothing) => "nothing".into(),
        }
    }

    #[track_caller]
    fn check(map: &LinkMap, cases: &[(&str, &str)]) {
        for (target, expected) in cases {
            let target = target.replace('^', URL);
            assert_eq!(said(map, &target), expected.replace('^', URL), "{target}");
        }
    }

    #[track_caller]
    fn check_unusable(bytes: &[u8], cause: &str) {
        let unusable = read(bytes, &url()).expect_err(cause);
        assert!(unusable.cause.contains(cause), "{unusable:?} doesn't say `{cause}`");
    }

    #[test]
    fn maps_of_stepkin_sites_are_complete() {
        let map = map(&pages_json(
            r#""pages":[{"path":"","title":"Home","anchors":[]},
                {"path":"tour/%C3%BCber/","title":"x","step":"tour/a@web","anchors":["keys","caf\u00e9"]},
                {"path":"tour/print/","title":"x"},{"path":"../out/","title":"x"}],
                "redirects":[{"from":"old/","to":"tour/%C3%BCber/"},{"from":"keys/","to":"tour/%C3%BCber/#keys"},
                {"from":"far/","to":"https://example.com/a)b"}]"#,
        ));
        check(
            &map,
            &[
                ("^", "there"),
                ("https://docs.example.org/guide", "there"),
                ("https://docs.example.org/guide#top", "there"),
                ("HTTP://Docs.Example.org/guide/index.html?x=1", "there"),
                ("https://docs.example.org/guides/", "other site"),
                ("https://docs.example.org/", "other site"),
                ("https://docs.example.org:8080/guide/", "other site"),
                ("mailto:a@docs.example.org", "other site"),
                ("^tour/über/#keys", "there"),
                ("^tour/%c3%bcber#caf%C3%A9", "there"),
                ("^tour/./x/../%C3%BCber/index.html#café", "there"),
                ("^tour/über/#kyes", "no anchor"),
                ("^tour/über/#!/route", "there"),
                ("^tour/über/#keys:~:text=Set", "there"),
                ("^#x", "no anchor"),
                ("^tour/print/#x", "there"),
                ("^tour/", "no page"),
                ("^out/", "no page"),
                ("^../out/", "other site"),
                ("^tour/gone.html", "no page"),
                ("^files/manual.pdf", "nothing"),
                ("^_modules/os.html", "nothing"),
                ("^old/?a=1#keys", "moved to ^tour/%C3%BCber/?a=1#keys"),
                ("^keys#x", "moved to ^tour/%C3%BCber/#keys"),
                ("^far/", "moved to https://example.com/a%29b"),
            ],
        );
        assert_eq!(map.pages().next().as_deref(), Some(URL));
    }

    #[test]
    fn an_inventory_says_nothing_for_certain_of_anchors() {
        let map = map(&inventory_of(
            b"index std:doc -1  Home\nusage std:doc -1 usage.html Usage\nos.path py:module 0 api.html#module-$ -\n\
              a b std:label -1 usage.html#a-b A: b -1 c\nx: 5 std:label 99999999999999999999 usage.html#x -\n\
              no colon -1 gone.html -\nstd:label\n\n../../etc std:doc -1 ../../etc/passwd -\nroot std:doc -1 /root.html -\n",
        ));
        check(
            &map,
            &[
                ("^index.html", "there"),
                ("^usage.html#a-b", "there"),
                ("^usage.html#x", "there"),
                ("^usage.html#first-steps", "no known anchor"),
                ("^api.html#module-os.path", "there"),
                ("^usage", "no page"),
                ("^gone.html", "no page"),
                ("^root.html", "no page"),
                ("^etc/passwd.html", "no page"),
            ],
        );
        let names_alone = inventory_of(b"os.path py:module 0 api.html#$ -\n");
        check(&super::read(&names_alone, &url()).expect("a map"), &[("^usage.html", "nothing")]);
    }

    #[test]
    fn a_sitemap_does_not_list_anchors() {
        let map = map("<?xml version='1.0'?>\n<!-- <loc>x</loc> --><s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'>\
            <s:url><s:loc> https://docs.example.org/guide/a&amp;b&#47; </s:loc></s:url>\
            <url><loc><![CDATA[http://docs.example.org/guide/c]]></loc><lastmod>2026-01-01</lastmod></url>\
            <url><loc>https://example.com/d/</loc></url></s:urlset>"
            .as_bytes());
        check(
            &map,
            &[("^a&b/#x", "there"), ("^c/", "there"), ("^d/", "no page"), ("^2026-01-01", "no page")],
        );
    }

    #[test]
    fn invalid_maps_are_reported() {
        let good = inventory_of(b"index std:doc -1  Home\n");
        check_unusable(b"", "is empty");
        check_unusable(&good[..good.len() - 8], "cut off");
        check_unusable(&good[..40], "cut off");
        check_unusable(b"# Sphinx inventory version 1\n# Project: x\n# Version: 1\n", "only version 2");
        check_unusable(b"# Sphinx inventory version 2\na\nb\nplain\nindex std:doc -1 x -\n", "only zlib");
        check_unusable(&inventory_of(b"\xff std:doc -1 x -\n"), "not UTF-8");
        check_unusable(&inventory_of(b""), "contains no page");
        check_unusable(b"\x1f\x8b\x08", "gzip");
        check_unusable(b"{\"version\":1,\"pages\":[{\"path\":\"a/\"", "cut off");
        check_unusable(b"{\"version\":2}", "with version 2");
        check_unusable(b"{\"version\":99999999999999999999999}", "is not a valid `pages.json`");
        check_unusable(b"{\"name\":\"package\"}", "no `version`");
        check_unusable(&pages_json(r#""pages":[{"path":5}]"#), "is not a valid `pages.json`");
        check_unusable(&pages_json(r#""pages":[{"path":"../a/"}]"#), "contains no page");
        check_unusable(&b"{\"a\":".repeat(9999), "cut off");
        check_unusable(&b"{\"version\":".repeat(9999), "is not a valid `pages.json`");
        check_unusable(b"<!DOCTYPE html><html><body>Sign in</body></html>", "not a sitemap");
        check_unusable(
            b"<sitemapindex><sitemap><loc>https://docs.example.org/a.xml</loc></sitemap>",
            "sitemap index",
        );
        check_unusable(b"<urlset><url><loc>https://docs.example.org/guide/</loc></url>", "cut off");
        check_unusable(
            b"<urlset><url><loc>https://docs.example.org/g\xff/</loc></url></urlset>",
            "not UTF-8",
        );
        check_unusable(
            b"<urlset><url><loc>https://other.example.org/</loc></url></urlset>",
            "contains no page",
        );
        check_unusable("pages: 1".as_bytes(), "is not a `pages.json`");
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let bomb = inventory_of(&vec![b'\n'; usize::try_from(MOST_BYTES).expect("64 bits") + 1]);
        assert!(bomb.len() < 1 << 20);
        check_unusable(&bomb, "is larger than 64 MiB");
        check_unusable(
            &pages_json(&format!(
                r#""pages":[{{"path":"a","anchors":[{}""]}}]"#,
                "\"\",".repeat(MOST_ENTRIES)
            )),
            "has more than",
        );
    }

    #[test]
    fn urls_of_sites_are_over_http() {
        for url in ["https://a.example", "http://a.example:80/b/"] {
            assert!(SiteUrl::parse(url).is_some(), "{url}");
        }
        for url in [
            "",
            "/a/",
            "a.example",
            "ftp://a.example/",
            "https://",
            "https:///a",
            "https://a/?b",
            "https://a/#b",
        ] {
            assert!(SiteUrl::parse(url).is_none(), "{url}");
        }
    }

    fn some_pages() -> impl Strategy<Value = Vec<MapPage>> {
        let anchor = ("[a-zäß$%#? -]{1,6}", proptest::option::of("[a-z \n-]{0,6}"));
        let anchors = proptest::collection::vec(anchor, 0..4);
        let page =
            ("[a-z0-9äß$%.: -]{1,6}/", "[a-z \n]{0,6}", proptest::option::of("[a-z/ @]{1,6}"), anchors);
        let page = page.prop_map(|(path, title, step, anchors)| MapPage {
            path: base::address::encode(Address::new(&path).as_str().trim_start_matches('/')),
            title,
            step,
            anchors: Some(AnchorList::of(
                anchors.iter().map(|(id, title)| Anchor { id, title: title.as_deref() }),
            )),
        });
        proptest::collection::vec(page, 1..5)
    }

    proptest! {
            #[test]
            fn what_is_written_is_read(pages in some_pages()) {
                let mut listed = (pages.clone().into_iter(), pages.clone().into_iter());
                let contents = |pages| Contents { title: "A\nsite".into(), pages, redirects: Vec::new() };
                let mut json = Vec::new();
                pages::write(contents(&mut listed.0), "s", &mut json).expect("in memory");
                for bytes in [json, inventory::write(contents(&mut listed.1))] {
                    let map = map(&bytes);
                    for page in &pages {
                        let url = format!("{URL}{}", page.path);
                        prop_assert_eq!(said(&map, &url), "there");
                        for anchor in page.anchors.iter().flat_map(AnchorList::iter) {
                            let url = format!("{url}#{}", base::address::encode(anchor.id));
                            prop_assert_eq!(said(&map, &url), "there", "{}", url);
                        }
    let other = said(&map, &format!("{url}#other"));
                        let has_anchors = page.anchors.iter().any(|anchors| anchors.iter().next().is_some());
                        prop_assert!(other.ends_with("anchor") || !has_anchors, "{}", other);
                    }
                    prop_assert!(map.pages().count() <= pages.len());
                }
            }

            #[test]
            fn nothing_breaks_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0..200_usize, with in any::<u8>()) {
                _ = read(&bytes, &url());
                _ = read(&inventory_of(&bytes), &url());
                let mut damaged = inventory_of(b"index std:doc -1  Home\nusage std:doc -1 usage.html#$ Usage\n");
                let at = at % damaged.len();
                damaged[at] = with;
                _ = read(&damaged, &url());
                _ = read(&damaged[..at], &url());
            }
        }
}
