//! `unify` merges several pages into one, and readers see the same as before.

use crate::support::{SiteTest, check_same_tree};

fn page(name: &str, filter: &str, order: u32) -> String {
    format!(
        "---\ntitle: Step {order}. Connect\norder: {order}\n---\n\n## Create it\n\n1. Open the hub.\n\n2. Select **{name}**, as in \
         ![{name}](/images/{name}.png).\n\n:::note\nWait a minute.\n:::\n\n| Setting | Value |\n| --- | --- |\n| Status | Active \
         |\n{filter}| Batch | Off |\n\n3. Click **Save**.\n\n```js\nconnect()\n\nsend()\n```\n\nSee [the log](#create-it).\n"
    )
}

fn site(config: &str) -> SiteTest {
    let other = "---\ntitle: Start\norder: 1\n---\nHello.\n";
    let mut site = SiteTest::empty().edit("stepkin.toml", config);
    for (id, name, filter) in
        [("web", "Web", ""), ("ios", "iOS", "| Filter | On |\n"), ("android", "Android", "")]
    {
        site = site
            .edit(&format!("content/tour/{id}/start.md"), other)
            .edit(&format!("content/tour/{id}/connect/index.md"), page(name, filter, 2))
            .edit(&format!("static/images/{name}.png"), "x");
    }
    site
}

#[test]
fn readers_see_the_same_page() {
    for config in ["", "[variables]\n"] {
        let site = site(config).build();
        let before = site.output();
        let shown = site.run(&["unify", "tour", "connect", "--dry-run"]).exits(0).stdout;
        site.run(&["unify", "tour", "connect"]).exits(0).says(
            "created `content/tour/_shared/connect/index.md` (Web, iOS, Android); removed `content/tour/web/connect/index.md`, `",
        );
        let shared = site.text("content/tour/_shared/connect/index.md");
        assert_eq!(shared, shown);
        assert!(shared.contains(":::platform ios\n| Filter | On |\n:::\n"), "{shared}");
        assert_eq!(shared.matches("Wait a minute.").count(), 1);
        assert_eq!(shared.contains("{platform.name}"), !config.is_empty(), "{shared}");
        assert!(!site.path("content/tour/web/connect").exists());
        let site = site.build();
        check_same_tree(&site.output(), &before, config);
        assert!(site.run(&["drift"]).exits(0).stdout.starts_with("no problems found"));
    }
}

#[test]
fn translations_are_unified_with_their_original() {
    let config = "[languages.de]\nfolder = 'content/de'\n[languages.fr]\nfolder = 'content/fr'\n";
    let mut site = site(config).edit("content/de/index.md", "---\ntitle: Start\n---\n");
    for (id, name, filter) in
        [("web", "Web", ""), ("ios", "iOS", "| Filter | On |\n"), ("android", "Android", "")]
    {
        let german = page(name, filter, 2).replace("Create it", "Anlegen").replace("#create-it", "#anlegen");
        let french = page(name, filter, 2).replace("Create it", "Créer").replace("#create-it", "#créer");
        site = site.edit(&format!("content/de/tour/{id}/connect/index.md"), german);
        if id != "ios" {
            site = site.edit(&format!("content/fr/tour/{id}/connect/index.md"), french);
        }
    }
    let site = site.edit("content/index.md", "---\ntitle: Home\n---\n").build();
    let before = site.text("dist/de/tour/ios/connect/index.html");
    site.run(&["unify", "tour", "connect"])
        .exits(0)
        .says("created `content/de/tour/_shared/connect/index.md`, its translation; removed 3 pages")
        .says("Français: unify `content/fr/tour/web/connect/index.md` and `content/fr/tour/android/connect/index.md` by hand: the others aren't translated");
    let shared = site.text("content/de/tour/_shared/connect/index.md");
    assert!(
        shared.contains("## Anlegen") && shared.contains(":::platform ios\n| Filter | On |\n:::\n"),
        "{shared}"
    );
    assert!(!site.path("content/de/tour/web/connect").exists());
    let site = site.build();
    assert!(site.text("dist/de/tour/ios/connect/index.html") == before, "the translation changed");
}

#[test]
fn steps_that_cannot_be_merged_are_reported() {
    let refused = |site: &SiteTest, step: &str, why: &str| {
        let run = site.run(&["unify", "tour", step]);
        assert!(run.status == Some(2) && run.stderr.contains(why), "{}", run.stderr);
    };
    let site = site("");
    refused(&site, "conect", "did you mean `connect`?");
    site.run(&["unify", "tour", "start"]).exits(0);
    refused(&site, "start", "is already shared by several platforms");
    refused(&site, "connect", "Web has no other page of its own");
    assert!(site.path("content/tour/web/connect/index.md").exists());
    let site = self::site("").edit("content/tour/ios/connect/index.md", page("iOS", "", 3));
    refused(&site, "connect", "in the front matter of its pages differs");
    let site = self::site("")
        .edit("content/tour/ios/connect/index.md", "---\ntitle: Step 2. Connect\norder: 2\n---\nOther.\n");
    refused(&site, "connect", "share only 0 % of their lines");
}
