//! Sitemaps by sitemaps.org: the URLs of pages without anchors.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;

use super::{LinkMap, Unusable};

pub(super) fn read(bytes: &[u8], map: &mut LinkMap) -> Result<(), Unusable> {
    let text = std::str::from_utf8(bytes).map_err(|_| Unusable::new("is not UTF-8"))?;
    let mut reader = Reader::from_str(text.trim_start());
    let mut is_sitemap = false;
    // The URL of the page that is being read.
    let mut url: Option<String> = None;
    loop {
        let event = reader.read_event().map_err(|_| Unusable::cut())?;
        match event {
            Event::Start(start) if !is_sitemap => match start.local_name().as_ref() {
                b"urlset" => is_sitemap = true,
                b"sitemapindex" => {
                    return Err(Unusable::with_help(
                        "is a sitemap index, which contains no pages",
                        "use one of the sitemaps in it, or another map of that site",
                    ));
                }
                _ => {
                    return Err(Unusable::with_help(
                        "is XML or HTML, but not a sitemap",
                        "use the map of that site: `pages.json`, `objects.inv`, or `sitemap.xml`",
                    ));
                }
            },
            Event::Start(start) if start.local_name().as_ref() == b"loc" => url = Some(String::new()),
            Event::End(end) if end.local_name().as_ref() == b"loc" => {
                if let Some(url) = url.take() {
                    map.add(url.trim())?;
                }
            }
            Event::End(end) if end.local_name().as_ref() == b"urlset" => return Ok(()),
            Event::Text(text) => push(&mut url, text.decode().ok().as_deref()),
            Event::CData(text) => push(&mut url, text.decode().ok().as_deref()),
            Event::GeneralRef(entity) => {
                let letter = entity.resolve_char_ref().ok().flatten().map(String::from);
                let named = || entity.decode().ok().and_then(|name| resolve_predefined_entity(&name));
                push(&mut url, letter.as_deref().or_else(named));
            }
            Event::Eof => return Err(Unusable::cut()),
            _ => {}
        }
    }
}

fn push(url: &mut Option<String>, more: Option<&str>) {
    if let (Some(url), Some(more)) = (url, more) {
        url.push_str(more);
    }
}
