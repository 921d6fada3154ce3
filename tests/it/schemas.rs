//! The schemas describe exactly what the program reads and writes.

use std::fs;

use gray_matter::Matter;
use gray_matter::engine::YAML;
use serde_json::Value;
use stepkin::input::config;

use crate::support::schema::Closed;
use crate::support::{SiteTest, fixtures};

fn schema(name: &str) -> String {
    SiteTest::empty().run(&["schema", name]).exits(0).stdout.clone()
}

/// Checks that the schema and the program agree on a configuration.
#[track_caller]
fn check_configuration(schema: &Closed, text: &str, is_good: bool) {
    let value: Value = toml::from_str(text).expect("TOML");
    assert_eq!(config::parse(text).is_ok(), is_good, "the program, of {text}");
    let wrong = schema.wrong(&value);
    assert_eq!(wrong.is_empty(), is_good, "the schema, of {text}: {wrong:#?}");
}

#[test]
fn configuration_keys_are_in_the_schema() {
    let schema = Closed::of(&schema("config"));
    for name in fixtures() {
        let site = SiteTest::fixture(&name);
        if site.path("stepkin.toml").is_file() {
            check_configuration(&schema, &site.text("stepkin.toml"), true);
        }
    }
    for good in [
        "",
        "title = \"Docs\"\nhosts = [\"docs.example.com\"]\nimage = \"/a.png\"",
        "[variables]\nversion = \"4.2\"\nname = { web = \"npm\", ios = \"pod\" }",
        "[[family]]\nlayout = \"docs/{platform}/{step}\"\nsteps = [\"install\"]\n[[family.platform]]\nid = \"web\"\nwords = [\"browser\"]",
        "[[family]]\nroot = \"developers/sdk\"\ntutorial = false",
        "[check]\nfail_on = \"warning\"\n[check.severity]\norphan-image = \"off\"\n[[check.ignore]]\ncode = \"missing-page\"\nfile = \"old/**\"\nreason = \"it goes\"",
        "[source]\nkind = \"hugo\"\nstatic = [\"a\", \"b\"]",
    ] {
        check_configuration(&schema, good, true);
    }
    for bad in [
        "titel = \"Docs\"",
        "title = 3",
        "hosts = \"docs.example.com\"",
        "[variables]\nversion = 4",
        "[check]\nfail_on = \"warn\"",
        "[check.severity]\nno-such-code = \"off\"",
        "[check.severity]\norphan-image = \"loud\"",
        "[check.severity]\naddress-conflict = \"off\"",
        "[[check.ignore]]\ncode = \"missing-page\"",
        "[[check.ignore]]\ncode = \"mising-page\"\nreason = \"it goes\"",
        "[[family]]\nid = \"a\"\nplatforms = []",
        "[source]\nkind = \"gatsby\"",
        "[search]\nenabled = \"yes\"",
    ] {
        check_configuration(&schema, bad, false);
    }
}

/// Checks that the schema and the program agree on the front matter of a page.
#[track_caller]
fn check_front_matter(schema: &Closed, front: &str, is_good: bool) {
    let page = format!("---\n{front}\n---\n\nText.\n");
    let value: Value = Matter::<YAML>::new().parse(&page).expect("YAML").data.unwrap_or(Value::Null);
    let wrong = schema.wrong(&value);
    assert_eq!(wrong.is_empty(), is_good, "the schema, of {front}: {wrong:#?}");
    let site = SiteTest::empty().edit("content/page.md", page);
    let found =
        site.run(&["check", "--format", "json", "--select", "invalid-front-matter,invalid-suppression"]);
    assert_eq!(found.stdout.is_empty(), is_good, "the program, of {front}: {}", found.stdout);
}

#[test]
fn front_matter_keys_are_in_the_schema() {
    let schema = Closed::of(&schema("front-matter"));
    for good in [
        "title: Install\norder: 2.5\nduration: 10",
        "title: 4.2\nstep: install\nslug: set-up\ndescription:",
        "title: A\naliases: /old/\nplatforms: [web, ios]\ndraft: true",
        "title: A\naliases:\n  - /old/\n  - /older/",
        "title: A\ndrift: {allow: [setting-value, missing-setting: Log level], reason: why, until: 2027-01-31}",
        "title: A\ndrift:\n  - allow: wording\n    reason: why",
    ] {
        check_front_matter(&schema, good, true);
    }
    for bad in [
        "title: [A, B]",
        "title: A\norder: first",
        "title: A\ndraft: perhaps",
        "title: A\nduration: {minutes: 3}",
        "title: A\ndrift: {allow: [setting-value]}",
        "title: A\ndrift: {allow: [no-such-code], reason: why}",
        "title: A\ndrift: {allow: [wording], reason: why, because: why}",
    ] {
        check_front_matter(&schema, bad, false);
    }
}

#[test]
fn findings_are_as_their_schema_says() {
    let schema = Closed::of(&schema("finding"));
    let mut count = 0;
    for name in ["links", "images", "drift", "invalid-front-matter", "markup"] {
        let site = SiteTest::fixture(name);
        for line in site.run(&["check", "--drift", "--format", "json"]).stdout.lines() {
            let wrong = schema.wrong(&serde_json::from_str(line).expect("JSON"));
            assert!(wrong.is_empty(), "{line}: {wrong:#?}");
            count += 1;
        }
    }
    assert!(count > 50, "{count} findings");
}

#[test]
fn published_schemas_are_printed_too() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/static/_stepkin");
    for name in ["settings", "family", "pages"] {
        let published = fs::read_to_string(format!("{folder}/{name}.schema.json")).expect("a schema");
        assert_eq!(schema(name), published);
    }
}

#[test]
fn a_new_site_names_the_schema_of_its_configuration() {
    let place = SiteTest::empty();
    place.run(&["init", "site"]).exits(0);
    assert!(place.text("site/stepkin.toml").starts_with("#:schema ./stepkin.schema.json\n"));
    assert_eq!(place.text("site/stepkin.schema.json"), schema("config"));
    check_configuration(&Closed::of(&schema("config")), &place.text("site/stepkin.toml"), true);
}
