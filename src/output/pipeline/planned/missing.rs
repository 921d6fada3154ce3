//! Findings about links that lead nowhere, and the links that `fix` writes instead.

use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use base::diagnostic::Diagnostic;
use base::site_path::SitePath;
use input::source::{Asset, PassedOver, SkipReason, Sources, Text};
use review::fix;

/// The page that contains the link.
const PAGE: &str = "content/tour/web/install.md";

fn findings(config: &str, body: &str) -> (String, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    sources.config = Some(Text::new("stepkin.toml".into(), config.into()));
    let written = format!("---\ntitle: Install\norder: 1\n---\n{body}\n");
    for (path, text) in [
        (PAGE, written.as_str()),
        ("content/index.md", "---\ntitle: Home\n---\n"),
        ("content/tour/web/connect.md", "---\ntitle: Step 2. Connect your app\norder: 2\n---\n## Add it\n"),
        ("content/tour/web/more/index.md", "---\ntitle: More\norder: 3\nslug: rest\n---\n"),
        ("content/tour/ios/install.md", "---\ntitle: Install\norder: 1\n---\n"),
        ("content/tour/ios/connect.md", "---\ntitle: Step 2. Connect your app\norder: 2\n---\n## On iOS\n"),
        ("content/plain.md", "---\ntitle: Plain\n---\n"),
        ("content/gone.md", "---\ntitle: Gone\nredirect: /nope/\n---\n## Moved away\n"),
    ] {
        let path: SitePath = path.into();
        sources.pages.insert(path.clone(), Text::new(path, text.into()));
    }
    let wide: SitePath = "content/tour/web/utf-16.md".into();
    sources.pages.insert(wide.clone(), Text::new(wide, b"\xff\xfea\0".to_vec()));
    for (path, reason) in [
        ("content/tour/web/connext.mdx", SkipReason::PageByOtherName),
        ("content/tour/web/_conect-2.md", SkipReason::Private),
        ("content/guides/_index.md", SkipReason::Private),
        ("content/_drafts", SkipReason::Private),
    ] {
        sources.passed_over.push(PassedOver { path: path.into(), reason });
    }
    for path in ["static/images/shot.png", "content/tour/web/near.png", "static/api/index.html"] {
        let asset = Asset { path: path.into(), size: 1, picture: None, hash: None };
        sources.assets.insert(path.into(), asset);
    }
    let (options, cache) = (Options::default(), Cache::default());
    let (work, found) = pipeline::plan(sources, &options, &cache).expect("it loads");
    let report = pipeline::check(&work, &options, &cache, found, None).expect("nothing to read");
    let skipped = ["unused-image", "missing-alt"];
    let found =
        report.into_iter().filter(|it| it.file == PAGE.into() && !skipped.contains(&it.problem.code.name()));
    (written, found.collect())
}

/// Checks the finding for a link with its help, and the link after `fix`. Empty if the link stays.
#[track_caller]
fn check(link: &str, message: &str, help: &str, fixed: &str) {
    check_with("", link, message, help, fixed);
}

#[track_caller]
fn check_with(config: &str, link: &str, message: &str, help: &str, fixed: &str) {
    let (text, found) = findings(config, link);
    let said: Vec<String> = found
        .iter()
        .map(|it| {
            let Diagnostic { problem, .. } = it;
            format!("{}: {} | {}", problem.code, problem.message, problem.help.as_deref().unwrap_or_default())
        })
        .collect();
    assert_eq!(said, [format!("{message} | {help}")], "{link}");
    let result = fix::apply(&text, &found).text;
    let body = result.rsplit("---\n").next().unwrap_or_default().trim();
    assert_eq!(body, if fixed.is_empty() { link } else { fixed }, "{link}");
    if !fixed.is_empty() {
        let (_, again) = findings(config, body);
        assert!(again.is_empty(), "{body}: {again:?}");
    }
}

#[track_caller]
fn check_silent(config: &str, link: &str) {
    let (_, found) = findings(config, link);
    assert!(found.is_empty(), "{link}: {found:?}");
}

#[test]
fn a_fix_is_written_in_the_style_of_the_author() {
    let case = "; most web servers are case-sensitive";
    for (wrong, right) in [
        ("Connect.md", "connect.md"),
        ("Connect.md#add-it", "connect.md#add-it"),
        ("./Connect.md", "./connect.md"),
        ("../web/Connect.md", "connect.md"),
        ("../Connect/", "../connect/"),
        ("../Connect", "../connect"),
        ("/tour/web/Connect", "/tour/web/connect"),
        ("/tour/web/Connect/?x#add-it", "/tour/web/connect/?x#add-it"),
        ("/tour/web/Connect.md", "/tour/web/connect.md"),
    ] {
        let message = format!("wrong-case: `{wrong}` doesn't match the case of `/tour/web/connect/`");
        let help = format!("use `{right}`{case}");
        check(&format!("[x]({wrong})"), &message, &help, &format!("[x]({right})"));
    }
    for (wrong, right) in [
        ("conect.md", "connect.md"),
        ("conect.md#add-it", "connect.md#add-it"),
        ("conect.md#ad-it", "connect.md#add-it"),
        ("conect.md#nothing-like-it", "connect.md"),
        ("../conect/", "../connect/"),
        ("../conect", "../connect"),
        ("/tour/web/conect/", "/tour/web/connect/"),
        ("/tour/web/conect.md", "/tour/web/connect.md"),
        ("content/tour/web/conect.md", "connect.md"),
        ("/content/tour/web/conect.md", "/tour/web/connect.md"),
        ("tour/web/conect/", "../connect/"),
    ] {
        let message = format!("missing-page: page `{wrong}` doesn't exist");
        check(&format!("[x]({wrong})"), &message, &format!("did you mean `{right}`?"), "");
    }
    check(
        "![x](/images/shott.png)",
        "missing-image: image `/images/shott.png` doesn't exist",
        "did you mean `/images/shot.png`?",
        "",
    );
    check("![x](neer.png)", "missing-image: image `neer.png` doesn't exist", "did you mean `near.png`?", "");
}

#[test]
fn the_cause_is_named_where_the_target_has_it() {
    for (wrong, cause, right) in [
        ("me@example.com", "`me@example.com` is an email address without `mailto:`", "mailto:me@example.com"),
        (
            "www.example.com/x",
            "`www.example.com/x` has no scheme, so it is a path on this site",
            "https://www.example.com/x",
        ),
        ("htps://example.com/x", "`htps:` is not a known URL scheme", "https://example.com/x"),
        (
            "https:/example.com/x",
            "`https:/example.com/x` is missing a `/` after its scheme",
            "https://example.com/x",
        ),
        ("htps:/example.com/x", "`htps:` is not a known URL scheme", "https://example.com/x"),
        ("mailt:me@example.com", "`mailt:` is not a known URL scheme", "mailto:me@example.com"),
        (
            "https//example.com",
            "`https//example.com` is missing the `:` after its scheme",
            "https://example.com",
        ),
        ("..\\near.png", "`..\\near.png` uses `\\`; URLs use `/`", "../near.png"),
        (
            "tour/web/connect/",
            "`tour/web/connect/` is relative to this page because it doesn't start with `/`",
            "/tour/web/connect/",
        ),
        ("web/connect.md", "`web/connect.md` is one `../` short", "../web/connect.md"),
        ("../../web/connect.md", "`../../web/connect.md` has one `../` too many", "../web/connect.md"),
        (
            "content/tour/web/connect.md",
            "`content/tour/web/connect.md` includes `content`, which is not part of the URL",
            "connect.md",
        ),
        (
            "/content/tour/web/connect.md#add-it",
            "`/content/tour/web/connect.md#add-it` includes `content`, which is not part of the URL",
            "/tour/web/connect.md#add-it",
        ),
    ] {
        let message = format!("malformed-link: {cause}");
        check(&format!("[x]({wrong})"), &message, &format!("use `{right}`"), &format!("[x]({right})"));
    }
    check(
        "![x](/static/images/shot.png)",
        "malformed-link: `/static/images/shot.png` includes `static`, which is not part of the URL",
        "use `/images/shot.png`",
        "![x](/images/shot.png)",
    );
    check(
        "![x](images\\shot.png)",
        "malformed-link: `images\\shot.png` uses `\\`; URLs use `/`",
        "use `/images/shot.png`",
        "![x](/images/shot.png)",
    );
    check(
        "![x](C:\\Users\\me\\shot.png)",
        "malformed-link: `C:\\Users\\me\\shot.png` is a path on your computer",
        "move the file to `static/images/` and use `/images/shot.png`",
        "",
    );
    check(
        "[x](file:///home/me/a.pdf)",
        "malformed-link: `file:///home/me/a.pdf` is a path on your computer",
        "move the file to `static/files/` and use `/files/a.pdf`",
        "",
    );
}

#[test]
fn a_page_is_known_by_another_ending_and_by_its_title() {
    let folder = "; pages are published as folders";
    for (wrong, right) in [
        ("connect.html", "connect.md"),
        ("connect.html#add-it", "connect.md#add-it"),
        ("connect.mdx", "connect.md"),
        ("/tour/web/connect.html", "/tour/web/connect/"),
    ] {
        let message = format!("missing-page: page `{wrong}` doesn't exist");
        let help = format!("use `{right}`{folder}");
        check(&format!("[x]({wrong})"), &message, &help, &format!("[x]({right})"));
    }
    check(
        "[x](Connect%20your%20app)",
        "missing-page: `Connect%20your%20app` is the title of a page, not its path",
        "use `connect.md`",
        "[x](connect.md)",
    );
}

#[test]
fn a_page_that_is_not_read_is_named() {
    for (wrong, help) in [
        (
            "connext.mdx",
            "`content/tour/web/connext.mdx` is that page, but Stepkin ignores it; rename it to `connext.md`",
        ),
        (
            "/tour/web/connext/",
            "`content/tour/web/connext.mdx` is that page, but Stepkin ignores it; rename it to `connext.md`",
        ),
        (
            "conect-2.md",
            "`content/tour/web/_conect-2.md` is that page, but Stepkin ignores it because its name starts with `_`",
        ),
        (
            "/guides/#x",
            "`content/guides/_index.md` is that page, but Stepkin ignores it because its name starts with `_`",
        ),
        ("utf-16.md", "`content/tour/web/utf-16.md` is that page, but it can't be read; save it as UTF-8"),
        ("/_drafts/a/b.md", "Stepkin ignores `content/_drafts` because its name starts with `_`"),
    ] {
        let message = format!("missing-page: page `{wrong}` doesn't exist");
        check(&format!("[x]({wrong})"), &message, help, "");
    }
}

#[test]
fn the_only_page_with_an_anchor_is_named_unless_it_is_of_another_platform() {
    let missing = |id: &str| format!("missing-anchor: `/plain/` has no anchor `{id}`");
    check("[x](/plain/#add-it)", &missing("add-it"), "`/tour/web/connect/` has this anchor", "");
    check("[x](/plain/#on-ios)", &missing("on-ios"), "", "");
    // A redirect shows nothing.
    check("[x](/plain/#moved-away)", &missing("moved-away"), "", "");
}

#[test]
fn a_fix_has_the_requested_anchor_or_says_that_it_does_not() {
    let missing = |wrong: &str| format!("missing-page: page `{wrong}` doesn't exist");
    let lacks = "`/tour/web/connect/` has no anchor";
    check(
        "[x](connect.html#ad-it)",
        &missing("connect.html#ad-it"),
        &format!("{lacks} `ad-it`: did you mean `connect.md#add-it`?"),
        "",
    );
    check(
        "[x](connect.html#nothing-like-it)",
        &missing("connect.html#nothing-like-it"),
        &format!("{lacks} `nothing-like-it`: use `connect.md`"),
        "",
    );
}

#[test]
fn proposed_links_keep_the_file_of_a_folder() {
    check(
        "[x](/tour/web/conect/index.html)",
        "missing-page: page `/tour/web/conect/index.html` doesn't exist",
        "did you mean `/tour/web/connect/index.html`?",
        "",
    );
}

#[test]
fn no_host_is_proposed_for_a_picture() {
    let message = "missing-image: image `www.example.com/a.png` doesn't exist";
    check("![x](www.example.com/a.png)", message, "", "");
}

#[test]
fn dissimilar_targets_are_not_suggested() {
    for wrong in [
        "/tour/ios/conect-2/",
        "../android/conect/",
        "/tour/web/cone/",
        "../../../../x/",
        "../../../../../tour/web/conect/",
        "near-png",
        // A title of one word counts like any other name.
        "More",
    ] {
        check(&format!("[x]({wrong})"), &format!("missing-page: page `{wrong}` doesn't exist"), "", "");
    }
}

#[test]
fn nothing_is_reported_or_proposed_without_need() {
    for link in [
        "[x](vscode:extension/foo)",
        "[x](geo:1,2)",
        "[x](htps:pricing)",
        "[x](myapp:open)",
        "[x](skype:x?call)",
        "[x](more/index.md)",
        "[x](../rest/)",
        "[x](/api/)",
        "[x](/api/index.html#x)",
        "[x](ftp://example.com)",
        "[x](vscode://file/x)",
        "[x](#)",
        // The redirect is wrong.
        "[x](/gone/)",
    ] {
        check_silent("", link);
    }
    let config = "base_url = 'https://x.com/docs/'";
    for link in [
        "[x](https://x.com/pricing)",
        "[x](https://x.com)",
        "[x](https://x.com/docsy/)",
        "[x](/docs/tour/web/connect/)",
        "![x](/docs/images/shot.png)",
    ] {
        check_silent(config, link);
    }
    check_with(
        config,
        "[x](/docs/tour/web/conect/)",
        "missing-page: page `/docs/tour/web/conect/` doesn't exist",
        "did you mean `/docs/tour/web/connect/`?",
        "",
    );
    check_with(
        config,
        "[x](https://x.com/docs/tour/web/conect/)",
        "missing-page: page `https://x.com/docs/tour/web/conect/` doesn't exist",
        "did you mean `https://x.com/docs/tour/web/connect/`?",
        "",
    );
    let message = "missing-page: page `nothing-like-any.md` doesn't exist";
    check("[x](nothing-like-any.md)", message, "", "");
}
