//! The data for programs matches the pages and the published schemas.

use crate::support::schema::Closed;
use crate::support::{SiteTest, json};
use serde_json::Value;

/// Three platforms: one lacks a step, and one has a different heading and value.
fn site() -> SiteTest {
    let page =
        |title: &str, order: u8, body: &str| format!("---\ntitle: {title}\norder: {order}\n---\n\n{body}");
    SiteTest::empty()
        .edit("content/tour/web/plan.md", page("Plan", 1, "## Read `this`\n\nText.\n"))
        .edit(
            "content/tour/web/install.md",
            page(
                "Install it",
                2,
                "## 2.1 Set it up\n\n| Setting | Value | Why |\n| --- | --- | --- |\n\
                 | `level` | **High**, \"a \\| b\" | See [there](/tour/web/plan/) |\n| Mode | | It's wonâ€™t |\n\n\
                 ## 2.2 Only here\n\n| Option | Value |\n|-|-|\n| Über | =1+1 |\n",
            ),
        )
        .edit(
            "content/tour/ios/install.md",
            page(
                "Install it",
                1,
                "## 1.1 Set it up\n\n| Setting | Value | Why |\n| --- | --- | --- |\n| `level` | Low | Less |\n",
            ),
        )
}

/// Checks that `data` matches `schema` without additional fields.
#[track_caller]
fn check_schema(site: &SiteTest, data: &str, schema: &str) {
    let schema = Closed::of(&site.text(&format!("dist/_stepkin/{schema}")));
    let wrong = schema.wrong(&json(&site.text(data)));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn data_is_as_its_schema_says() {
    let site = site().edit("content/plain.md", "# A page of no family\n").build();
    check_schema(&site, "dist/tour/settings.json", "settings.schema.json");
    check_schema(&site, "dist/tour/family.json", "family.schema.json");
    let broken = json(&site.text("dist/tour/family.json").replace("\"version\":1", "\"version\":\"1\""));
    let schema = json(&site.text("dist/_stepkin/family.schema.json"));
    assert!(!jsonschema::is_valid(&schema, &broken), "a schema that allows everything says nothing");
}

#[test]
fn settings_are_given_as_written_and_as_text() {
    let site = site().build();
    let data = json(&site.text("dist/tour/settings.json"));
    let found: Vec<String> = data["settings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|setting| {
            let cell = |column: &Value| format!("{}={}", column["written"], column["text"]).replace('"', "");
            let cells: Vec<String> =
                setting["columns"].as_array().expect("a list").iter().map(cell).collect();
            let name = |key: &str| setting[key].as_str().expect("a text").to_string();
            let section = setting["section"]["id"].as_str().unwrap_or("-");
            format!(
                "{} {} {section} {} {}",
                name("platform"),
                name("step"),
                name("address"),
                cells.join(" | ")
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            r"web install 21-set-it-up /tour/web/install/#setting-level `level`=level | **High**, \a \\| b\=High, \a | b\ | See [there](/tour/web/plan/)=See there",
            "web install 21-set-it-up /tour/web/install/#setting-mode Mode=Mode | = | It's wonâ€™t=It's won’t",
            "web install 22-only-here /tour/web/install/#setting-%C3%BCber Über=Über | =1+1==1+1",
            "ios install 11-set-it-up /tour/ios/install/#setting-level `level`=level | Low=Low | Less=Less",
        ]
    );
}

#[test]
fn a_spreadsheet_has_a_row_for_each_setting_and_columns_for_each_title() {
    let site = site().build();
    let text = site.text("dist/tour/settings.csv");
    assert_eq!(text.matches("\r\n").count(), 5, "RFC 4180 ends lines so: {text:?}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers().expect("a header").iter().map(str::to_string).collect();
    assert_eq!(header[8..], ["Value", "Value (as written)", "Why", "Why (as written)"].map(str::to_string));
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.expect("as wide as the header").iter().map(str::to_string).collect())
        .collect();
    assert_eq!(
        rows[0],
        [
            "tour",
            "web",
            "install",
            "Install it",
            "2.1 Set it up",
            "level",
            "`level`",
            "/tour/web/install/#setting-level",
            "High, \"a | b\"",
            "**High**, \"a \\| b\"",
            "See there",
            "See [there](/tour/web/plan/)",
        ]
    );
    assert_eq!(rows[2][10..], ["", ""], "a table without this column");
    assert_eq!(rows[2][8..10], ["'=1+1", "'=1+1"], "text, and no formula");
    let settings = json(&site.text("dist/tour/settings.json"));
    assert_eq!(settings["settings"][2]["columns"][1]["written"], "=1+1", "no spreadsheet reads JSON");
}

#[test]
fn a_family_lists_its_steps_and_its_gaps() {
    let site = site().build();
    let family = json(&site.text("dist/tour/family.json"));
    let [plan, install] = &family["steps"].as_array().expect("a list")[..] else {
        panic!("two steps: {family}")
    };
    assert_eq!(plan["missing"], json(r#"["ios"]"#));
    assert_eq!(plan["tellings"][0]["siblings"], json(r#"{"ios":null}"#));
    let web = &install["tellings"][0];
    assert_eq!(web["siblings"], json(r#"{"ios":"/tour/ios/install/"}"#));
    assert_eq!(web["sections"][0]["siblings"], json(r#"{"ios":"11-set-it-up"}"#));
    assert_eq!(web["sections"][1]["siblings"], json(r#"{"ios":null}"#));
    assert_eq!(install["tellings"][1]["sections"][0]["siblings"], json(r#"{"web":"21-set-it-up"}"#));
}

#[test]
fn places_are_urls_where_the_host_is_known() {
    let site = site().edit("stepkin.toml", "base_url = \"https://docs.example.com/sub/\"").build();
    let settings = json(&site.text("dist/tour/settings.json"));
    assert_eq!(settings["$schema"], "https://docs.example.com/sub/_stepkin/settings.schema.json");
    let address = &settings["settings"][0]["address"];
    assert_eq!(address, "https://docs.example.com/sub/tour/web/install/#setting-level");
}

#[test]
fn export_prints_the_published_data() {
    let site = site().build();
    for (arguments, file) in [
        (&["export", "settings", "tour"][..], "settings.json"),
        (&["export", "settings", "--format", "csv"], "settings.csv"),
        (&["export", "family", "tour"], "family.json"),
    ] {
        let run = site.run(arguments).exits(0);
        assert_eq!((run.stdout, run.stderr), (site.text(&format!("dist/tour/{file}")), String::new()));
    }
    let run = site.run(&["export", "family", "tour", "--output", "family.json"]).exits(0);
    assert_eq!(run.stdout, "");
    assert_eq!(site.text("family.json"), site.text("dist/tour/family.json"));
}

#[test]
fn export_takes_all_families_where_none_is_named() {
    let other = "---\ntitle: Other\norder: 1\n---\n\n| Key | Default |\n|-|-|\n| a | b |\n";
    let site = site().edit("content/z/web/a.md", other).edit("content/z/ios/a.md", other);
    let all = json(&site.run(&["export", "settings"]).exits(0).stdout);
    let ids: Vec<&str> =
        all.as_array().expect("a list").iter().filter_map(|it| it["family"].as_str()).collect();
    assert_eq!(ids, ["tour", "z"]);
    let csv = site.run(&["export", "settings", "--format", "csv"]).exits(0).stdout;
    assert!(csv.starts_with("family,") && csv.contains("\r\nz,ios,a,"), "{csv}");
    assert!(csv.lines().next().is_some_and(|line| line.ends_with(",Default,Default (as written)")), "{csv}");
}

#[test]
fn failed_exports_are_reported() {
    let site = site();
    site.run(&["export", "settings", "tuor"]).exits(2).says("unknown family `tuor`; did you mean `tour`?");
    site.run(&["export", "settings", "xylophone"]).exits(2).says("available: `tour`");
    site.run(&["export", "family", "--format", "csv"]).exits(2).says("cannot export `family` as CSV");
    SiteTest::empty().edit("stepkin.toml", "").run(&["export", "family", "tour"]).exits(2).says("no family");
}
