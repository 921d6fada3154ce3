//! A warning if a built site exceeds the limits of common hosts.

use std::cmp::Reverse;

use crate::app::cli::count;
use crate::output::making::weight::{Sum, Weight};
use base::diagnostic::{size, visible};
use base::sort::StableSort as _;
use site::plan::Extra;

/// Limits of a host.
struct Bounds {
    files: usize,
    /// Bytes of one file.
    file: u64,
    /// Bytes of all files.
    site: u64,
}

/// Lowest limits of common hosts, as of November 2026.
///
/// - Files, and bytes of one: Cloudflare Pages on its free plan, <https://developers.cloudflare.com/pages/platform/limits/>.
///   GitLab Pages allows 200,000 files, Netlify any number, with at most 54,000 in one directory.
/// - Bytes of all: GitHub Pages, <https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits>;
///   GitLab Pages has the same limit.
const HOSTS: Bounds = Bounds { files: 20_000, file: 25 << 20, site: 1_000_000_000 };

/// Maximum number of settings to suggest.
const MOST_NAMED: usize = 3;

/// Returns the exceeded limits and the settings that help, or `None` if there are none.
pub(super) fn word(weight: &Weight) -> Option<String> {
    word_for(weight, &HOSTS)
}

fn word_for(weight: &Weight, bounds: &Bounds) -> Option<String> {
    let Sum { files, bytes } = weight.all;
    let (many, heavy) = (files > bounds.files, bytes > bounds.site);
    let large = weight.largest.as_ref().filter(|(_, bytes, _)| *bytes > bounds.file);
    let mut found = Vec::new();
    if many {
        found.push(format!("{} (Cloudflare Pages: {})", count(files, "file"), bounds.files));
    }
    if heavy {
        found.push(format!("{} (GitHub and GitLab Pages: {})", size(bytes), size(bounds.site)));
    }
    if let Some((path, bytes, _)) = large {
        let (path, bytes, most) = (visible(path.clone()), size(*bytes), size(bounds.file));
        found.push(format!("{bytes} in `{path}` (Cloudflare Pages: {most} per file)"));
    }
    if found.is_empty() {
        return None;
    }
    let of_large = large.and_then(|(_, _, extra)| *extra);
    let mut extras: Vec<(Extra, Sum)> = weight.extras.iter().map(|(extra, sum)| (*extra, *sum)).collect();
    extras.retain(|(extra, _)| many || heavy || of_large == Some(*extra));
    extras.stable_sort_by_key(|(_, sum)| Reverse(if many { sum.files as u64 } else { sum.bytes }));
    let switches = extras.iter().take(MOST_NAMED).map(|(extra, sum)| {
        format!("`{}` removes {}, {}", extra.switch(), count(sum.files, "file"), size(sum.bytes))
    });
    let switches: Vec<String> = switches.collect();
    let advice = if switches.is_empty() { String::new() } else { format!("; {}", switches.join("; ")) };
    Some(format!("over the limits of some hosts: {}{advice}", found.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, u64, Option<Extra>); 7] = [
        ("index.html", 4_000, None),
        ("a/index.html", 4_000, None),
        ("index.md", 1_000, Some(Extra::Markdown)),
        ("a/index.md", 1_000, Some(Extra::Markdown)),
        ("a/print/index.html", 3_000, Some(Extra::Print)),
        ("a/family.json", 900, Some(Extra::Data)),
        ("film.mp4", 2_000_000, None),
    ];

    #[track_caller]
    fn check(bounds: &Bounds, expected: Option<&str>) {
        assert_eq!(word_for(&Weight::of(FILES.into_iter()), bounds).as_deref(), expected);
    }

    #[test]
    fn exceeded_limits_are_listed_with_settings_that_help() {
        let all = Bounds { files: 7, file: 2_000_000, site: 2_013_900 };
        check(&all, None);
        check(
            &Bounds { files: 6, ..all },
            Some(
                "over the limits of some hosts: 7 files (Cloudflare Pages: 6); `[publish] markdown = false` removes 2 files, \
                 2 kB; `[publish] print = false` removes 1 file, 3 kB; `[publish] data = false` removes 1 file, 900 bytes",
            ),
        );
        check(
            &Bounds { site: 1_500_000, ..all },
            Some(
                "over the limits of some hosts: 2.0 MB (GitHub and GitLab Pages: 1.5 MB); `[publish] print = false` removes \
                 1 file, 3 kB; `[publish] markdown = false` removes 2 files, 2 kB; `[publish] data = false` removes \
                 1 file, 900 bytes",
            ),
        );
        // The lists don't exclude any files of the site.
        check(
            &Bounds { file: 1_900_000, ..all },
            Some("over the limits of some hosts: 2.0 MB in `film.mp4` (Cloudflare Pages: 1.9 MB per file)"),
        );
        let text = Weight::of([("llms-full.txt", 9_000, Some(Extra::Markdown))].into_iter());
        assert_eq!(
            word_for(&text, &Bounds { file: 8_000, ..all }).as_deref(),
            Some(
                "over the limits of some hosts: 9 kB in `llms-full.txt` (Cloudflare Pages: 8 kB per file); \
                 `[publish] markdown = false` removes 1 file, 9 kB"
            )
        );
    }
}
