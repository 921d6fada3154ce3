//! Images as WebP, and the HTML for images, frames and tables.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::support::server::Server;
use crate::support::{SiteTest, Tree, check_same_tree};
use crate::warm::served;

/// Returns a PNG of this size that looks like a screenshot: boxes in several colors, with a gradient so that it has
/// many colors.
fn screenshot(width: u32, height: u32, seed: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_filter(png::Filter::NoFilter);
    let pixel = |at: u32| {
        let (x, y) = (at % width, at / width);
        let part =
            |by: u32| u8::try_from(((x / by * 31 + y / 9 * 17 + seed) ^ ((x + y) / 5)) % 256).expect("less");
        [part(7), part(11), part(23)]
    };
    let pixels: Vec<u8> = (0..width * height).flat_map(pixel).collect();
    encoder.write_header().expect("memory").write_image_data(&pixels).expect("memory");
    file
}

/// A site with two screenshots, one of them with a dark version, and a small drawing.
fn site() -> SiteTest {
    let page = "---\ntitle: Guide\n---\n\nText.\n\n![](/images/wide.png)\n\n![Two](/images/two.png \"Both\")\n\n\
                ![Small](/images/small.png)\n";
    SiteTest::empty()
        .edit("content/guide.md", page)
        .edit("static/images/wide.png", screenshot(900, 60, 1))
        .edit("static/images/two.png", screenshot(700, 60, 2))
        .edit("static/images/two.dark.png", screenshot(700, 60, 3))
        .edit("static/images/small.png", screenshot(20, 10, 4))
}

/// Returns the published smaller versions by name, with their size.
fn renditions(site: &SiteTest, output: &str) -> Vec<(String, u64)> {
    let Ok(entries) = fs::read_dir(site.path(&format!("{output}/_stepkin/pictures"))) else {
        return Vec::new();
    };
    let mut found: Vec<_> = entries
        .map(|entry| entry.expect("ours"))
        .map(|entry| {
            (entry.file_name().to_string_lossy().into_owned(), entry.metadata().expect("ours").len())
        })
        .collect();
    found.sort();
    found
}

/// Returns the tags of a page's images.
fn pictures(html: &str) -> String {
    let start = html.find("<figure>").expect("a figure");
    html[start..html.rfind("</figure>").expect("its end")].replace("</figure>\n", "\n")
}

#[test]
fn pages_refer_to_smaller_versions_of_screenshots() {
    let site = site().build();
    let html = site.text("dist/guide/index.html");
    let made = renditions(&site, "dist");
    assert_eq!(made.len(), 4, "{made:?}");
    let original =
        |name: &str| fs::metadata(site.path(&format!("dist/images/{name}"))).expect("published").len();
    for (name, size) in &made {
        assert!(*size < original("wide.png").min(original("two.png")), "{name}");
        assert_eq!(html.matches(&format!("/_stepkin/pictures/{name}")).count(), 1, "{name}");
    }
    let mut shown = pictures(&html);
    for (name, _) in &made {
        shown = shown.replace(&format!("/_stepkin/pictures/{name}"), "IT");
    }
    let expected = "<figure><a href=\"/images/wide.png\" aria-label=\"Enlarge image\">\
        <picture><source type=\"image/webp\" srcset=\"IT 748w, IT 900w\" sizes=\"min(748px, 100vw - 2rem, 1050vh)\">\
        <img src=\"/images/wide.png\" width=\"900\" height=\"60\" alt=\"\" /></picture></a>\n\
        <figure><a href=\"/images/two.png\">\
        <picture><source type=\"image/webp\" srcset=\"IT 700w\" sizes=\"min(700px, 100vw - 2rem, 817vh)\">\
        <img src=\"/images/two.png\" class=\"on-light\" width=\"700\" height=\"60\" loading=\"lazy\" alt=\"Two\" title=\"Both\" /></picture>\
        <picture><source type=\"image/webp\" srcset=\"IT 700w\" sizes=\"min(700px, 100vw - 2rem, 817vh)\">\
        <img src=\"/images/two.dark.png\" class=\"on-dark\" width=\"700\" height=\"60\" loading=\"lazy\" alt=\"Two\" title=\"Both\" /></picture></a>\
        <figcaption>Both</figcaption>\n\
        <figure><a href=\"/images/small.png\">\
        <img src=\"/images/small.png\" width=\"20\" height=\"10\" loading=\"lazy\" alt=\"Small\" /></a>";
    assert_eq!(shown, expected);
    let orphans = site.findings().into_iter().filter(|finding| finding.code == "unused-image").count();
    assert_eq!(orphans, 0, "a version for dark colours is shown");
}

#[test]
fn only_changed_images_are_encoded_again() {
    let site = site();
    let made = |site: &SiteTest| {
        thread::sleep(Duration::from_millis(60));
        let said = site.run(&["build", "--timings"]).exits(0).stderr;
        let row =
            said.lines().find(|line| line.starts_with("pictures ")).expect("a row of its own").to_string();
        row.split_whitespace().skip(1).map(|number| number.parse().expect("a number")).collect::<Vec<usize>>()
    };
    assert_eq!(made(&site), [0, 3]);
    let first = renditions(&site, "dist");
    site.write("content/other.md", "---\ntitle: Other\n---\n\nText.\n");
    assert_eq!(made(&site), [3, 0]);
    site.write("static/images/wide.png", screenshot(900, 60, 9));
    assert_eq!(made(&site), [2, 1]);
    let second = renditions(&site, "dist");
    assert_eq!(first.iter().filter(|it| second.contains(it)).count(), 2, "{first:?} {second:?}");
    // Into another folder with the cache, without the cache, and after deleting the smaller versions.
    site.run(&["build", "--output", "kept"]).exits(0);
    site.run(&["build", "--output", "clean", "--no-cache"]).exits(0);
    fs::remove_file(site.path(".stepkin/renditions.index")).expect("kept");
    site.run(&["build", "--output", "lost"]).exits(0);
    for output in ["kept", "clean", "lost"] {
        assert_eq!(renditions(&site, output), second, "{output}");
        let bytes =
            |output: &str, name: &str| fs::read(site.path(&format!("{output}/_stepkin/pictures/{name}")));
        for (name, _) in &second {
            assert_eq!(bytes(output, name).expect("there"), bytes("dist", name).expect("there"), "{name}");
        }
    }
}

#[test]
fn a_site_can_disable_smaller_images_and_a_check_creates_none() {
    let site = site();
    site.run(&["check"]);
    assert!(!site.path(".stepkin/pictures.index").exists());
    let site = site.edit("stepkin.toml", "[images]\nenabled = false\n").build();
    assert_eq!(renditions(&site, "dist"), []);
    site.page("/guide/")
        .lacks("<picture>")
        .shows("<img src=\"/images/wide.png\" width=\"900\" height=\"60\" alt=\"\" />");
    assert!(!site.path(".stepkin/pictures.index").exists());
}

/// The only difference between a served and a published site: its pages show the original files.
#[test]
fn a_server_shows_the_files_themselves_and_all_else_as_it_is_built() {
    let site = site();
    for platform in ["web", "ios"] {
        let step = "---\ntitle: Look\norder: 1\n---\n\n1. Do it.\n\n   ![](/images/wide.png)\n\n## More\n\n![Two](/images/two.png)\n";
        site.write(&format!("content/garden/{platform}/look.md"), step);
    }
    let site = site.build();
    let server = Server::start(&site.root(), &[]);
    let is_published = |name: &str| !name.starts_with('.') && !name.starts_with("_stepkin/pictures/");
    let (same, smaller): (Tree, Tree) = site
        .output()
        .into_iter()
        .filter(|(name, _)| !name.starts_with('.'))
        .partition(|(name, _)| is_published(name));
    assert_eq!(smaller.len(), 4);
    for name in smaller.keys() {
        assert_eq!(server.get(&format!("/{name}")).status, 404, "{name}");
    }
    let shown = served(&server, "", &same);
    let mut differing = Vec::new();
    let originals = same.into_iter().map(|(name, bytes)| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if !text.contains("<picture>") {
            return (name, bytes);
        }
        differing.push(name.clone());
        (name, without_pictures(&text).into_bytes())
    });
    check_same_tree(&shown, &originals.collect(), "served");
    for page in ["garden/ios/look", "garden/web/look", "garden/web/print", "guide"] {
        assert!(differing.contains(&format!("{page}/index.html")), "{page}: {differing:?}");
    }
}

/// Returns a page without its smaller images.
fn without_pictures(html: &str) -> String {
    let mut rest = html;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("<picture>") {
        out.push_str(before);
        let image = after.find("<img").expect("it is in each");
        let (shown, next) = after[image..].split_once("</picture>").expect("each ends");
        out.push_str(shown);
        rest = next;
    }
    out + rest
}

#[test]
fn a_picture_without_text_is_enlarged_by_the_number_of_its_instruction() {
    let page = "---\ntitle: Guide\n---\n\n![](/images/two.png)\n\n3. Three\n\n4. Four\n\n   ![](/images/two.png)\n\n   - Deep\n\n     ![](/images/two.png)\n\n   1. Deeper\n\n      ![](/images/two.png)\n\n   ![Said](/images/two.png)\n\n- No number\n\n  ![](/images/two.png)\n";
    let site = site().edit("content/guide.md", page).build();
    let html = site.text("dist/guide/index.html");
    let links = html.split("<a href=\"/images/two.png\"").skip(1);
    let names: Vec<&str> = links.map(|link| link.split_once('>').expect("its end").0.trim()).collect();
    let expected = ["", " of instruction 4", " of instruction 4", " of instruction 1", "-", ""];
    let expected = expected.map(|rest| match rest {
        "-" => String::new(),
        rest => format!("aria-label=\"Enlarge image{rest}\""),
    });
    assert_eq!(names, expected);
    let site = site.edit("stepkin.toml", "language = \"de\"\n").build();
    site.page("/guide/").shows("aria-label=\"Bild zu Anweisung 4 vergrößern\"");
}

#[test]
#[cfg(not(feature = "avif"))]
fn a_program_without_avif_says_so_and_publishes_webp() {
    let site = site().build();
    let before = renditions(&site, "dist");
    let site = site.edit("stepkin.toml", "[images]\navif = true\n").build();
    assert_eq!(renditions(&site, "dist"), before);
    let said = |site: &SiteTest| {
        let found = site.findings().into_iter().filter(|finding| finding.code == "avif-unavailable");
        found.map(|finding| (finding.file, finding.line, finding.help)).collect::<Vec<_>>()
    };
    let help = "install Stepkin with `--features avif`, or remove the line";
    assert_eq!(said(&site), [("stepkin.toml".to_string(), 2, Some(help.to_string()))]);
    for quiet in ["avif = true\nenabled = false", "avif = false"] {
        site.write("stepkin.toml", format!("[images]\n{quiet}\n"));
        assert_eq!(said(&site), [], "{quiet}");
    }
}

#[test]
#[cfg(feature = "avif")]
fn avif_comes_before_webp_in_the_same_widths_and_is_smaller() {
    let site = site().build();
    let webp = renditions(&site, "dist");
    let site = site.edit("stepkin.toml", "[images]\navif = true\n");
    // Existing WebP versions aren't created again.
    let said = site.run(&["build", "--timings"]).exits(0).stderr;
    let row = said.lines().find(|line| line.starts_with("pictures ")).expect("a row of its own");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["pictures", "3", "3"]);
    let all = renditions(&site, "dist");
    let (avif, rest): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|(name, _)| name.ends_with(".avif"));
    assert_eq!((avif.len(), &rest), (4, &webp), "each picture that has smaller versions has one as AVIF");
    let html = site.text("dist/guide/index.html");
    let size_of = |address: &str| {
        let name = address.trim_start_matches("/_stepkin/pictures/");
        all.iter().find(|(known, _)| known == name).expect("it is published").1
    };
    let pictures: Vec<&str> = html.split("<picture>").skip(1).collect();
    assert_eq!(pictures.len(), 3);
    for picture in pictures {
        let set = |format: &str| -> Vec<(u64, String)> {
            let opening = format!("<source type=\"image/{format}\" srcset=\"");
            let Some((_, after)) = picture.split_once(&opening) else { return Vec::new() };
            let versions = after.split_once('"').expect("its end").0.split(", ");
            let version = |it: &str| {
                let (address, width) = it.split_once(' ').expect("a width");
                (size_of(address), width.to_string())
            };
            versions.map(version).collect()
        };
        let (avif, webp) = (set("avif"), set("webp"));
        assert!(picture.find("image/avif") < picture.find("image/webp"));
        assert!(avif.is_empty() || avif.len() == webp.len(), "{avif:?} {webp:?}");
        for ((small, width), (large, other)) in avif.iter().zip(&webp) {
            assert!(width == other && small < large, "{avif:?} {webp:?}");
        }
    }
    assert!(site.findings().iter().all(|finding| finding.code != "avif-unavailable"));
    // Without the cache, after deleting the versions, and on one thread.
    site.run(&["build", "--output", "clean", "--no-cache"]).exits(0);
    fs::remove_file(site.path(".stepkin/renditions.index")).expect("kept");
    site.run(&["build", "--output", "lost"]).exits(0);
    for output in ["clean", "lost"] {
        for (name, _) in &all {
            let bytes = |output: &str| fs::read(site.path(&format!("{output}/_stepkin/pictures/{name}")));
            assert_eq!(bytes(output).expect("there"), bytes("dist").expect("there"), "{name}");
        }
    }
    // And without it again.
    let site = site.edit("stepkin.toml", "").build();
    assert_eq!(renditions(&site, "dist"), webp);
}

#[test]
fn pictures_that_cannot_be_read_are_published_as_they_are() {
    let whole = screenshot(400, 60, 5);
    let mut named = whole[..whole.len() / 2].to_vec();
    named.resize(whole.len(), 0);
    let site = site().edit("static/images/wide.png", &named).build();
    assert_eq!(renditions(&site, "dist").len(), 2);
    assert_eq!(fs::read(site.path("dist/images/wide.png")).expect("published"), named);
    site.page("/guide/").shows("<img src=\"/images/wide.png\" width=\"400\" height=\"60\" alt=\"\" />");
}

#[test]
fn raw_html_gets_missing_tags() {
    let page = "---\ntitle: Guide\n---\n\n## Watch it\n\n\
        <iframe width=\"640\" src=\"//www.youtube.com/embed/abc?rel=0\" allowfullscreen></iframe>\n\n\
        <iframe src=\"//example.com/map\"></iframe>\n\n\
        <iframe src=\"https://example.com/x\" title=\"Mine\" loading=\"eager\"></iframe>\n\n\
        <img src=\"/images/two.png\"> <img alt=\"\" width=\"350\" src='/images/two.png'> <img src=/images/two.png width=50%>\n\n\
        <table><tr><td><table><tr><td>x</td></tr></table></td></tr></table>\n";
    let site = site().edit("content/raw.md", page).build();
    site.page("/raw/")
        .shows(
            "<a class=\"video\" href=\"https://www.youtube.com/watch?v=abc\" \
             data-frame=\"https://www.youtube.com/embed/abc?rel=0\"><span>Play the video</span> Watch it</a>\n",
        )
        .shows("<iframe title=\"Watch it\" loading=\"lazy\" src=\"https://example.com/map\"></iframe>")
        .shows("<iframe src=\"https://example.com/x\" title=\"Mine\" loading=\"eager\"></iframe>")
        .shows("<img width=\"700\" height=\"60\" src=\"/images/two.png\">")
        .shows("<img height=\"30\" loading=\"lazy\" alt=\"\" width=\"350\" src='/images/two.png'>")
        .shows("<img loading=\"lazy\" src=\"/images/two.png\" width=50%>")
        .shows("<table tabindex=\"0\"><tr><td><table><tr>");
}
