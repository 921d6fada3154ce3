//! Videos in frames.

use crate::markdown::html::Start;

/// A video in a frame.
#[derive(Debug, PartialEq)]
pub(super) struct Video {
    /// URL that the frame loads.
    pub(super) frame: String,
    /// URL of the page with the video.
    pub(super) page: String,
}

/// Returns the video in a `youtube.com` or `vimeo.com` frame.
pub(super) fn video(tag: &Start) -> Option<Video> {
    let source = tag.attributes.get("src").filter(|_| tag.name == "iframe")?.trim();
    let (_, rest) =
        source.split_once("//").filter(|(scheme, _)| matches!(*scheme, "" | "http:" | "https:"))?;
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = place.split_once('/')?;
    let is_id =
        |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    let id = |folder: &str| path.strip_prefix(folder).filter(|id| is_id(id));
    let page = match host.strip_prefix("www.").unwrap_or(host) {
        "youtube.com" | "youtube-nocookie.com" => {
            // It shows a list, set by its query.
            let id = id("embed/").filter(|id| *id != "videoseries")?;
            format!("https://www.youtube.com/watch?v={id}")
        }
        "player.vimeo.com" => format!("https://vimeo.com/{}", id("video/")?),
        _ => return None,
    };
    let query = if query.is_empty() { String::new() } else { format!("?{query}") };
    Some(Video { frame: format!("https://{host}/{path}{query}"), page })
}

/// Whether a URL that the page loads has no protocol.
pub(super) fn lacks_protocol(tag: &Start, target: &str) -> bool {
    target.starts_with("//") && !matches!(tag.name.as_str(), "a" | "area" | "link")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: Option<(&str, &str)>) {
        let attributes = [("src".to_string(), source.to_string())].into();
        let tag = Start {
            name: "iframe".into(),
            span: 0..0,
            is_self_closing: false,
            is_http_equiv: false,
            named: Vec::new(),
            attributes,
        };
        let video = video(&tag);
        let found = video.as_ref().map(|video| (video.frame.as_str(), video.page.as_str()));
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn videos_are_known_by_their_addresses() {
        check(
            "//www.youtube.com/embed/a_b-1?start=3",
            Some(("https://www.youtube.com/embed/a_b-1?start=3", "https://www.youtube.com/watch?v=a_b-1")),
        );
        check(
            "https://player.vimeo.com/video/12",
            Some(("https://player.vimeo.com/video/12", "https://vimeo.com/12")),
        );
        for other in [
            "https://www.youtube.com/embed/videoseries?list=1",
            "https://www.youtube.com/embed/",
            "https://www.youtube.com/embed/a/b",
            "https://example.com/embed/a",
            "javascript://youtube.com/embed/a",
            "/embed/a",
        ] {
            check(other, None);
        }
    }
}
