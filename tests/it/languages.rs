//! Languages: a site that is published in several, each with its own pages, navigation, search and lists.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::server::Server;
use crate::support::{Dice, SiteTest, check_same_tree};
use crate::warm::served;

const CONFIG: &str = "title = 'Docs'\nbase_url = 'https://docs.example.com/sdk/'\n";

fn step(title: &str, order: u32, rest: &str) -> String {
    format!("---\ntitle: {title}\norder: {order}\n---\n\n{rest}\n")
}

/// A tutorial for two platforms and two other pages. German has all but one page, and Arabic has the home page and one step.
fn site() -> SiteTest {
    let install = "Install it. ![Logo](/logo.svg)\n\n## First {#first}\n\nText, and [the guide](/guide/).\n\n## Second\n\nMore text.";
    let german = "Installieren Sie es. ![Logo](/logo.svg)\n\n## Zuerst {#first}\n\nText, und [der Leitfaden](/guide/).\n\n## Danach\n\nMehr.";
    let mut site = SiteTest::empty()
        .edit("stepkin.toml", CONFIG)
        .edit("static/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .edit("content/index.md", "---\ntitle: Home\n---\n\nWelcome.\n")
        .edit("content/guide.md", "---\ntitle: Guide\n---\n\nThe guide. [Install](tour/web/install.md)\n")
        .edit("content/de/index.md", "---\ntitle: Start\n---\n\nWillkommen.\n")
        .edit(
            "content/de/guide.md",
            "---\ntitle: Leitfaden\n---\n\nDer Leitfaden. [Einrichten](tour/web/install.md)\n",
        )
        .edit("content/ar/index.md", "---\ntitle: البداية\n---\n\nمرحبا.\n")
        .edit(
            "content/ar/tour/web/install.md",
            step("تثبيت", 1, "نص.\n\n## أولا {#first}\n\nنص.\n\n## ثانيا\n\nنص."),
        );
    for platform in ["web", "ios"] {
        site = site
            .edit(&format!("content/tour/{platform}/install.md"), step("Install", 1, install))
            .edit(
                &format!("content/tour/{platform}/use.md"),
                step("Use", 2, "Use it. Go [back](install.md)."),
            )
            .edit(&format!("content/de/tour/{platform}/install.md"), step("Einrichten", 1, german));
    }
    site.edit("content/de/tour/web/use.md", step("Verwenden", 7, "Verwenden Sie es. [Zurück](install.md)."))
}

#[test]
fn each_language_has_its_own_pages_below_its_path() {
    let site = site().build();
    site.page("/tour/web/install/")
        .shows("<html lang=\"en\" dir=\"ltr\"")
        .shows("<link rel=\"canonical\" href=\"https://docs.example.com/sdk/tour/web/install/\">")
        .shows("hreflang=\"en\" href=\"https://docs.example.com/sdk/tour/web/install/\"")
        .shows("hreflang=\"de\" href=\"https://docs.example.com/sdk/de/tour/web/install/\"")
        .shows("hreflang=\"x-default\" href=\"https://docs.example.com/sdk/tour/web/install/\"")
        .shows("<meta property=\"og:locale\" content=\"en\">")
        .shows("<a href=\"/sdk/de/tour/web/install/\" lang=\"de\" dir=\"ltr\" hreflang=\"de\" data-sections=\"second#danach\">Deutsch</a>")
        .shows("src=\"/sdk/logo.svg\"");
    site.page("/de/tour/web/install/")
        .shows("<html lang=\"de\" dir=\"ltr\"")
        .shows("<link rel=\"canonical\" href=\"https://docs.example.com/sdk/de/tour/web/install/\">")
        .shows("hreflang=\"en\" href=\"https://docs.example.com/sdk/tour/web/install/\"")
        .shows("hreflang=\"ar\" href=\"https://docs.example.com/sdk/ar/tour/web/install/\"")
        .shows("<a href=\"/sdk/tour/web/install/\" lang=\"en\" dir=\"ltr\" hreflang=\"en\" data-sections=\"danach#second\">English</a>")
        .shows("<a href=\"/sdk/de/guide/\">der Leitfaden</a>")
        .shows("<a rel=\"next\" href=\"/sdk/de/tour/web/use/\"><small>Weiter</small> Verwenden</a>")
        .shows("<a href=\"/sdk/de/tour/ios/install/\"")
        .shows("src=\"/sdk/logo.svg\"");
    site.page("/de/").shows("Willkommen.").shows("<a href=\"/sdk/de/guide/\">Leitfaden</a>");
    site.page("/ar/tour/web/install/").shows("<html lang=\"ar\" dir=\"rtl\"");
    assert!(site.text("dist/de/404.html").contains("<html lang=\"de\""));
}

#[test]
fn each_language_has_a_feed_of_its_own_pages() {
    let site = site().edit("stepkin.toml", format!("{CONFIG}[publish]\nfeed = true\n"));
    site.git("2026-03-01", &["init", "--quiet"]);
    site.commit("2026-03-01");
    let site = site.build();
    site.page("/de/guide/").shows("type=\"application/atom+xml\" title=\"Docs\" href=\"/sdk/de/feed.xml\">");
    let feed = site.text("dist/de/feed.xml");
    assert!(feed.contains("xml:lang=\"de\""), "{feed}");
    assert!(feed.contains("<id>https://docs.example.com/sdk/de/feed.xml</id>"), "{feed}");
    assert!(
        feed.contains(
            "<title>Verwenden (Web)</title>\n<id>https://docs.example.com/sdk/de/tour/web/use/</id>"
        )
    );
    // It isn't translated.
    assert!(!feed.contains("/tour/ios/use/"), "{feed}");
    assert!(site.text("dist/feed.xml").contains("<id>https://docs.example.com/sdk/tour/ios/use/</id>"));
}

#[test]
fn a_page_without_a_translation_is_there_in_the_language_of_the_original() {
    let site = site().build();
    site.page("/de/tour/ios/use/")
        .shows("<html lang=\"de\" dir=\"ltr\"")
        .shows("<article lang=\"en\" dir=\"ltr\">")
        .shows("Diese Seite ist noch nicht übersetzt. Sprache des Textes: English.")
        .shows("<link rel=\"canonical\" href=\"https://docs.example.com/sdk/tour/ios/use/\">")
        .lacks("rel=\"alternate\" hreflang")
        // The page that it links to is translated.
        .shows("Go <a href=\"/sdk/de/tour/ios/install/\">back</a>")
        .shows("<a rel=\"prev\" href=\"/sdk/de/tour/ios/install/\"><small>Zurück</small> Einrichten</a>");
    let sitemap = site.text("dist/de/sitemap.xml");
    assert!(sitemap.contains("<loc>https://docs.example.com/sdk/de/tour/web/use/</loc>"), "{sitemap}");
    assert!(!sitemap.contains("<loc>https://docs.example.com/sdk/de/tour/ios/use/"), "{sitemap}");
    assert!(
        sitemap.contains(
            "<xhtml:link rel=\"alternate\" hreflang=\"ar\" href=\"https://docs.example.com/sdk/ar/\"/>"
        ),
        "{sitemap}"
    );
    let robots = site.text("dist/robots.txt");
    for path in ["", "de/", "ar/"] {
        assert!(
            robots.contains(&format!("Sitemap: https://docs.example.com/sdk/{path}sitemap.xml\n")),
            "{robots}"
        );
    }
    let files = site.output();
    let found = |part: &str| {
        files.iter().any(|(path, bytes)| {
            path.starts_with("de/")
                && path.contains("_search/")
                && String::from_utf8_lossy(bytes).contains(part)
        })
    };
    assert!(found("Verwenden Sie es") && !found("Use it"), "the search has what is translated");
    let llms = site.text("dist/de/llms.txt");
    assert!(llms.contains("/sdk/de/tour/web/use/index.md") && !llms.contains("/tour/ios/use/"), "{llms}");
    // Files that are the same in all languages are there once.
    let own: Vec<&String> = files.keys().filter(|path| path.starts_with("de/")).collect();
    assert!(!own.iter().any(|path| path.ends_with(".css") && !path.contains("search")), "{own:?}");
    assert!(!own.iter().any(|path| path.ends_with("logo.svg") || path.ends_with("robots.txt")), "{own:?}");
}

#[test]
fn links_to_other_languages_are_there_both_ways() {
    let site = site().build();
    let mut links: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, bytes) in site.output().iter().filter(|(path, _)| path.ends_with("index.html")) {
        let html = String::from_utf8_lossy(bytes);
        let url =
            format!("https://docs.example.com/sdk/{}", path.strip_suffix("index.html").expect("it has it"));
        let alternates = html.split("<link rel=\"alternate\" hreflang=\"").skip(1);
        let alternates = alternates.filter_map(|part| part.split_once("href=\"")?.1.split('"').next());
        let alternates: BTreeSet<String> = alternates.map(str::to_string).collect();
        assert!(alternates.is_empty() || alternates.contains(&url), "{url}: {alternates:?}");
        links.insert(url, alternates);
    }
    assert!(links.values().flatten().count() > 10);
    for (from, to) in &links {
        for to in to {
            assert!(links.get(to).is_some_and(|back| back.contains(from)), "{to} has no link to {from}");
        }
    }
}

#[test]
fn a_page_that_a_language_lacks_can_be_a_link_or_nothing() {
    let with = |fallback: &str| {
        let config = format!("{CONFIG}[languages]\nfallback = '{fallback}'\n");
        let site = site().edit("stepkin.toml", config);
        site.replace("content/tour/ios/use.md", "title: Use", "title: Use\naliases: [/old/]").build()
    };
    let link = with("link");
    assert!(!link.path("dist/de/tour/ios/use/index.html").exists());
    link.page("/de/tour/ios/install/").shows("<a rel=\"next\" href=\"/sdk/tour/ios/use/\">");
    assert!(link.path("dist/old/index.html").exists() && !link.path("dist/de/old/index.html").exists());
    let none = with("none");
    assert!(!none.path("dist/de/tour/ios/use/index.html").exists());
    none.page("/de/tour/ios/install/").lacks("Use</a>");
}

#[test]
fn a_translation_is_checked_within_its_language_and_a_missing_page_is_no_finding() {
    let site = site()
        .edit(
            "content/de/guide.md",
            "---\ntitle: Leitfaden\n---\n\n[x](/nirgends/) [y](/tour/ios/use/) [z](/ar/)\n",
        )
        .edit("content/guide.md", "---\ntitle: Guide\n---\n\n[German](/de/guide/)\n");
    let found: Vec<String> = site.findings().iter().map(|it| format!("{it:?}")).collect();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("content/de/guide.md") && found[0].contains("nirgends"), "{found:#?}");
    let site = site.replace("content/de/guide.md", "[x](/nirgends/)", "").build();
    site.page("/guide/").shows("<a href=\"/sdk/de/guide/\">German</a>");
    site.page("/de/guide/").shows("<a href=\"/sdk/de/tour/ios/use/\">y</a> <a href=\"/sdk/ar/\">z</a>");
}

#[test]
fn a_folder_of_the_original_is_no_part_of_its_urls_and_a_path_to_a_file_stays_in_the_language() {
    let site = SiteTest::empty()
        .edit("content/en/index.md", "---\ntitle: Home\n---\n\n[a](deep/a.md) ![Pot](pot.svg)\n")
        .edit("content/en/deep/a.md", "---\ntitle: A\n---\n\nText.\n")
        .edit("content/en/pot.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .edit(
            "content/ja/index.md",
            "---\ntitle: ホーム\n---\n\n[a](../en/deep/a.md) ![鍋](pot.svg) ![鍋](../en/pot.svg)\n",
        )
        .edit("content/ja/deep/a.md", "---\ntitle: あ\n---\n\n![鍋](own.svg)\n")
        .edit("content/ja/deep/own.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" lang=\"ja\"/>")
        .build();
    site.page("/").shows("<a href=\"/deep/a/\">a</a>").shows("src=\"/pot.svg\"");
    site.page("/ja/").shows("<a href=\"/ja/deep/a/\">a</a> <img src=\"/pot.svg\"");
    site.page("/ja/deep/a/").shows("src=\"/ja/deep/own.svg\"");
    assert!(site.path("dist/ja/deep/own.svg").exists() && !site.path("dist/deep/own.svg").exists());
}

#[test]
fn the_served_site_equals_the_built_site() {
    let site = site().build();
    let server = Server::start(&site.root(), &["--no-watch"]);
    for path in site.output().keys().filter(|path| !path.starts_with('.')) {
        let built = site.output()[path].clone();
        let answer = server.get(&format!("/sdk/{}", path.strip_suffix("index.html").unwrap_or(path)));
        assert!(answer.status == 200 || path.ends_with("404.html"), "{path}: {}", answer.status);
        assert!(answer.body == built, "{path}");
    }
    assert_eq!(server.get("/sdk/de").header("location"), "/sdk/de/");
    assert_eq!(server.get("/sdk/de/logo.svg").status, 404);
}

#[test]
fn an_edit_renders_only_the_pages_that_show_it() {
    let mut site = site().build();
    let edits = [
        ("content/de/guide.md", "Der Leitfaden.", "Ein Leitfaden."),
        ("content/guide.md", "The guide.", "A guide."),
        ("content/tour/ios/use.md", "Use it.", "Use it now."),
        ("content/ar/tour/web/install.md", "{#first}", "{#one}"),
        ("content/de/guide.md", "title: Leitfaden", "title: Der Leitfaden"),
        ("stepkin.toml", "/sdk/'\n", "/sdk/'\n[languages]\nfallback = 'link'\n"),
    ];
    for (path, old, new) in edits {
        site = site.replace(path, old, new).build();
        let fresh = site.fresh_copy(&["stepkin.toml", "content", "static"]).build();
        check_same_tree(&site.output(), &fresh.output(), path);
    }
    site = site.edit("content/de/tour/ios/use.md", step("Verwenden", 2, "Neu.")).build();
    let fresh = site.fresh_copy(&["stepkin.toml", "content", "static"]).build();
    check_same_tree(&site.output(), &fresh.output(), "a new translation");
}

/// One random change: a page of a language is written, changed, or removed.
fn edited(site: SiteTest, dice: &mut Dice) -> SiteTest {
    let language = *dice.pick(&["", "", "de/", "ar/", "fr/"]);
    let page = *dice.pick(&[
        "guide",
        "other",
        "tour/web/install",
        "tour/ios/install",
        "tour/ios/use",
        "tour/web/more",
    ]);
    let path = format!("content/{language}{page}.md");
    let is_needed = language.is_empty() && page.contains("install");
    if dice.below(4) == 0 && !is_needed {
        return if site.path(&path).exists() { site.remove(&path) } else { site };
    }
    let number = dice.below(3);
    let slug = if dice.below(5) == 0 { format!("slug: other-{number}\n") } else { String::new() };
    let link =
        *dice.pick(&["[x](/guide/)", "![x](/logo.svg)", "## More\n\n[x](install.md)", "[x](/de/guide/)"]);
    site.edit(
        &path,
        format!(
            "---\ntitle: {page} {language}{number}\norder: {number}\n{slug}---\n\n## A {number}\n\n{link}\n"
        ),
    )
}

#[test]
fn after_any_edits_a_build_is_the_same_as_one_from_scratch() {
    for seed in 1..=3 {
        let (mut site, mut dice) = (site().build(), Dice(seed));
        for step in 0..4 {
            for _ in 0..=dice.below(2) {
                site = edited(site, &mut dice);
            }
            site = site.build();
            let fresh = site.fresh_copy(&["stepkin.toml", "content", "static"]).build();
            check_same_tree(&site.output(), &fresh.output(), &format!("seed {seed}, step {step}"));
        }
    }
}

/// A site whose English steps on the web changed after they were translated.
fn lagging() -> SiteTest {
    let site = site();
    site.git("2025-01-01", &["init", "--quiet", "--initial-branch=main"]);
    let commit = |site: &SiteTest, day: &str| {
        site.git(day, &["add", "content", "static", "stepkin.toml"]);
        site.git(day, &["commit", "--quiet", "-m", "pages"]);
    };
    commit(&site, "2025-01-01");
    let site = site
        .replace("content/tour/web/install.md", "More text.", "Much more text.\n\n## Third\n\nThe end of it.")
        .replace("content/guide.md", "The guide.", "The long guide.");
    commit(&site, "2025-03-01");
    site
}

#[test]
fn a_translation_that_is_behind_has_a_notice_at_the_page_and_at_each_section() {
    let site = lagging().build();
    let notice = "<p class=\"untranslated\">2 Abschnitte des Originals wurden seit dieser Übersetzung geändert. \
         (<time datetime=\"2025-03-01\">2025-03-01</time>) \
         <a href=\"/sdk/tour/web/install/\" hreflang=\"en\">Original lesen</a></p>";
    site.page("/de/tour/web/install/")
        .shows_once(notice)
        .shows_once(
            "<h2 id=\"danach\">Danach</h2>\n<p class=\"outdated\"><a href=\"/sdk/tour/web/install/#second\" \
             hreflang=\"en\">Dieser Abschnitt wurde im Original geändert</a></p>\n\
             <p class=\"outdated\"><a href=\"/sdk/tour/web/install/#third\" hreflang=\"en\">Neuer Abschnitt im \
             Original: Third</a></p>",
        )
        .shows("<h2 id=\"first\">Zuerst</h2>\n<p>Text");
    // The only text of this page is above its first heading.
    site.page("/de/guide/").shows("1 Abschnitt des Originals").lacks("class=\"outdated\"");
    for current in ["/tour/web/install/", "/de/tour/ios/install/", "/ar/tour/ios/install/", "/ar/guide/"] {
        site.page(current).lacks("class=\"outdated\"").lacks("datetime=\"2025-03-01\"");
    }
    // The files are the same as in a build from scratch: after an edit, a commit, and a pin.
    let mut site = site.replace("content/tour/web/install.md", "Text, and", "New text, and").build();
    site.page("/de/tour/web/install/").shows("3 Abschnitte").shows("#first\" hreflang=\"en\">Dieser");
    let is_as_new = |site: &SiteTest, context: &str| {
        let fresh = site.fresh_copy(&["stepkin.toml", "content", "static", ".git"]).build();
        check_same_tree(&site.output(), &fresh.output(), context);
    };
    is_as_new(&site, "an edit");
    site.git("2025-04-01", &["commit", "--quiet", "-am", "pages"]);
    site = site.build();
    is_as_new(&site, "a commit");
    site.run(&["translations", "pin", "--anyway", "content/de/guide.md", "content/de/tour/web/install.md"])
        .exits(0);
    site = site.build();
    site.page("/de/guide/").lacks("untranslated");
    site.page("/de/tour/web/install/").lacks("outdated");
    is_as_new(&site, "a pin");
    // A lock file is enough to know it.
    site = site.replace("content/guide.md", "The long guide.", "The short guide.");
    site.run(&["translations", "pin", "--lock", "content/de/guide.md"]).exits(0);
    site = site.build();
    site.page("/de/guide/").lacks("untranslated");
}

#[test]
fn without_history_or_if_it_is_not_wanted_there_is_no_notice() {
    let build = |site: &SiteTest, folder: &str| site.run_in(folder, &["build"]).exits(0).stderr;
    let warning = "warning: outdated translations have no notice because";
    let site = lagging();
    assert!(!build(&site, ".").contains(warning));
    site.git(
        "2025-03-01",
        &["clone", "--quiet", "--depth", "1", &format!("file://{}", site.root().display()), "shallow"],
    );
    let said = build(&site, "shallow");
    assert_eq!(said.matches(warning).count(), 1, "{said}");
    assert!(said.contains("Git has only the last commits; run `git fetch --unshallow`"), "{said}");
    assert!(!site.text("shallow/dist/de/guide/index.html").contains("untranslated"));
    let site = site.edit("stepkin.toml", format!("{CONFIG}[languages]\nbanner = false\n")).build();
    site.page("/de/guide/").lacks("untranslated");
    let bare = self::site();
    let said = build(&bare, ".");
    assert_eq!(said.matches(warning).count(), 1, "{said}");
    assert!(said.contains("the site isn't committed to Git; commit it"), "{said}");
    // A site in one language doesn't need the history.
    let one = SiteTest::empty().edit("content/index.md", "---\ntitle: Home\n---\n");
    assert!(!build(&one, ".").contains(warning));
}

#[test]
fn a_served_translation_has_the_notices_of_a_build() {
    let mut site = lagging().build();
    let server = Server::start(&site.root(), &["--watch"]);
    let is_as_built = |site: &SiteTest| {
        let mut built = site.output();
        built.retain(|path, _| path.ends_with("index.html"));
        check_same_tree(&served(&server, "/sdk", &built), &built, "served");
    };
    server.shows("/sdk/de/guide/", "1 Abschnitt des Originals");
    is_as_built(&site);
    site = site.replace("content/tour/web/install.md", "Text, and", "New text, and").build();
    server.shows("/sdk/de/tour/web/install/", "3 Abschnitte des Originals");
    is_as_built(&site);
}

#[test]
fn the_state_of_all_translations_is_published_on_request() {
    let site = lagging();
    assert!(!site.run(&["build"]).exits(0).stderr.contains("error"));
    assert!(!site.path("dist/_translations/index.html").exists());
    let mut site =
        site.edit("stepkin.toml", format!("{CONFIG}[languages]\nstatus = true\nbanner = false\n")).build();
    let shown = [
        "<h2 id=\"de\" lang=\"de\"",
        "<code>content/de/tour/web/install.md</code> <span class=\"soft\">2 sections, since <time datetime=\"2025-03-01\">",
        "<del>More</del><ins>Much more</ins> text.",
        "<code>content/tour/ios/use.md</code>",
    ];
    for expected in shown {
        site.page("/_translations/").shows(expected);
    }
    site.page("/_translations/").lacks("As of");
    site.page("/de/guide/").lacks("untranslated");
    assert!(!site.path("dist/de/_translations").exists());
    let lists = ["sitemap.xml", "llms.txt"].map(|file| site.text(&format!("dist/{file}")));
    assert!(lists.iter().all(|list| !list.contains("_translations")), "{lists:?}");
    let server = Server::start(&site.root(), &["--watch"]);
    let built = |site: &SiteTest| site.text("dist/_translations/index.html");
    server.shows("/sdk/_translations/", "2 sections, since");
    // Only the words of a page that is missing in German change.
    site = site.replace("content/tour/ios/use.md", "Use it.", "Use it as you like.").build();
    let is_as_new = |site: &SiteTest, context: &str| {
        let files = ["stepkin.toml", "content", "static", ".git", "translations.lock"];
        let fresh = site.fresh_copy(&files).build();
        check_same_tree(&site.output(), &fresh.output(), context);
    };
    site.write("translations.lock", "");
    is_as_new(&site, "another number of words");
    server.shows("/sdk/_translations/", "<code>content/tour/ios/use.md</code> <span class=\"soft\">7 words");
    let answer = server.get("/sdk/_translations/").text();
    let (start, end) = (built(&site), "</body>");
    assert!(answer.starts_with(start.split(end).next().expect("a page")), "{answer}");
    // Only a file next to the pages changes.
    site.page("/_translations/").shows("content/de/guide.md");
    site.run(&["translations", "pin", "--lock", "content/de/guide.md"]).exits(0);
    site = site.build();
    site.page("/_translations/").lacks("content/de/guide.md");
    is_as_new(&site, "a lock");
}

#[test]
fn old_urls_of_translated_pages_are_in_all_lists_of_redirects() {
    let mut site = site()
        .replace("content/de/guide.md", "title: Leitfaden", "title: Leitfaden\naliases: [/anleitung/]")
        .build();
    let lists = |site: &SiteTest| (site.text("dist/_redirects"), site.text("dist/redirects.json"));
    let (hosts, json) = lists(&site);
    assert_eq!(hosts, "/sdk/de/anleitung/ /sdk/de/guide/ 301\n");
    assert!(json.contains("\"from\": \"/sdk/de/anleitung/\""), "{json}");
    site.page("/de/anleitung/").shows("url=/sdk/de/guide/");
    assert!(!site.path("dist/de/_redirects").exists());
    // A page that is only shown in the original's language has no old URLs there.
    site = site
        .replace("content/tour/ios/use.md", "title: Use", "title: Use\naliases: [/old/]")
        .replace("content/de/guide.md", "/anleitung/", "/hilfe/")
        .build();
    assert_eq!(lists(&site).0, "/sdk/old/ /sdk/tour/ios/use/ 301\n/sdk/de/hilfe/ /sdk/de/guide/ 301\n");
    let fresh = site.fresh_copy(&["stepkin.toml", "content", "static"]).build();
    check_same_tree(&site.output(), &fresh.output(), "other old URLs");
}

#[test]
fn without_fallback_a_family_has_only_the_translated_steps_and_platforms() {
    let site = site().edit("stepkin.toml", format!("{CONFIG}[languages]\nfallback = 'none'\n")).build();
    // German has one step on iOS and two on the web.
    site.page("/de/tour/ios/install/").shows("data-platform=\"ios\"").lacks("rel=\"next\"");
    site.page("/de/tour/web/install/").shows("<a rel=\"next\" href=\"/sdk/de/tour/web/use/\">");
    site.page("/de/tour/web/use/")
        .shows("<a href=\"/sdk/de/tour/#platform-ios-without-use\" class=\"dot missing\">iOS");
    let pages: Vec<String> = site.output().into_keys().filter(|path| path.ends_with("index.html")).collect();
    let of = |language: &str| pages.iter().filter(|path| path.starts_with(language)).count();
    assert!(!pages.contains(&"de/tour/ios/use/index.html".to_string()), "{pages:?}");
    // Arabic has the home page, and one page for one platform, which is no family.
    assert_eq!(of("ar/"), 2, "{pages:?}");
    let missing = site.findings().iter().filter(|it| format!("{it:?}").contains("content/ar")).count();
    assert_eq!(missing, 0);
}

/// The number of pages that a build parsed, of code blocks that it highlighted, and of files that it rendered.
fn made(site: &SiteTest, cache: &str) -> [usize; 3] {
    let said = site.run(&["build", "--timings", "--jobs", "1", "--cache", cache]).exits(0).stderr;
    ["pages", "blocks", "outputs"].map(|kind| {
        let row = said.lines().find(|line| line.starts_with(kind)).unwrap_or_else(|| panic!("{said}"));
        row.split_whitespace().nth(2).and_then(|number| number.parse().ok()).expect("a number")
    })
}

#[test]
fn pages_without_a_translation_are_only_rendered() {
    // Such a text depends on the platform, and the columns of its table on the language.
    let text = |number: u32| {
        format!(
            "With a {{tool}}.\n\n```js\nconst key = {number};\n```\n\n| Setting | Default | Description |\n| --- | --- | --- |\n\
             | `key` | `{number}` | The key. |\n"
        )
    };
    let mut site = SiteTest::empty()
        .edit("stepkin.toml", format!("{CONFIG}[variables]\ntool = 'spoon'\n"))
        .edit("content/index.md", "---\ntitle: Home\n---\n");
    for number in 0..6 {
        for platform in ["web", "ios"] {
            let path = format!("content/tour/{platform}/step-{number}.md");
            site = site.edit(&path, step(&format!("Step {number}"), 1 + number, &text(2 * number)));
        }
        site = site.edit(
            &format!("content/page-{number}.md"),
            format!("---\ntitle: Page {number}\n---\n\n{}", text(2 * number + 1)),
        );
    }
    let [pages, blocks, outputs] = made(&site, "one");
    assert_eq!((pages, blocks), (19, 12));
    let translation = |title: &str| step(title, 1, &text(100));
    let site = site
        .edit("content/de/tour/web/step-0.md", translation("Schritt"))
        .edit("content/de/page-0.md", translation("Seite"))
        .edit("content/ja/tour/web/step-0.md", translation("ステップ"))
        .edit("content/ja/page-0.md", translation("ページ"));
    let [of_three, blocks_of_three, outputs_of_three] = made(&site, "three");
    // The four translations, and their code.
    assert_eq!((of_three, blocks_of_three), (pages + 4, blocks + 1));
    assert!(outputs_of_three > 2 * outputs, "{outputs_of_three} files instead of {outputs}");
}
