//! One source told for several platforms, against the real program.

mod support;

use support::SiteTest;

#[test]
fn pages_of_the_same_text_are_told_in_their_own_words() {
    let site = SiteTest::fixture("one-source").build();
    for (platform, name) in [("web", "Web"), ("ios", "iOS"), ("android", "Android")] {
        site.page(&format!("/tour/{platform}/more/"))
            .shows(&format!("<h1>Go on with {name}</h1>"))
            .shows(&format!("href=\"/tour/{platform}/start/\""));
    }
    site.page("/tour/web/start/")
        .shows("Get Acme for Web with <code>@acme/web</code>; its name in a text is {package}.")
        .shows("Told here.")
        .lacks("Not told here")
        .lacks(":::");
    site.page("/").shows("<title>Learn Acme</title>").shows("Everyone reads this.").shows("leaves {package}");
}

#[test]
fn without_a_table_of_variables_no_text_is_expanded() {
    let site = SiteTest::fixture("one-source").remove("stepkin.toml").build();
    site.page("/tour/web/more/").shows("Go on with {platform.name}");
}

#[test]
fn a_value_for_a_mistyped_platform_is_refused() {
    let site = SiteTest::fixture("one-source")
        .edit("stepkin.toml", "[variables]\npackage = { web = \"a\", andriod = \"b\" }\n");
    let said = site.run(&["check"]).exits(2).stderr.clone();
    assert!(
        said.contains("the variable `package` has a value for `andriod`, which is no platform"),
        "{said}"
    );
    assert!(said.contains("did you mean `android`?"), "{said}");
}

#[test]
fn fix_never_writes_over_a_variable() {
    let page = "---\ntitle: T\norder: 1\n---\n\nYou {word} and wonâ€™t go to [a](/Tour/{platform.id}/b/).\n";
    let site = SiteTest::empty()
        .edit("stepkin.toml", "[variables]\nword = \"canâ€™t\"\n")
        .edit("content/tour/web/a.md", page)
        .edit("content/tour/web/b.md", "---\ntitle: B\norder: 2\n---\n")
        .edit("content/tour/ios/a.md", "---\ntitle: T\norder: 1\n---\n");
    let found: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
    assert_eq!(found.iter().filter(|code| *code == "mojibake").count(), 2, "{found:?}");
    site.run(&["fix"]).exits(0);
    assert_eq!(site.text("content/tour/web/a.md"), page.replace("wonâ€™t", "won’t"));
}
