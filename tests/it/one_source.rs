//! Shared pages for several platforms, with the real program.

use crate::support::SiteTest;

#[test]
fn pages_of_the_same_text_have_the_words_of_their_platform() {
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
        said.contains(
            "stepkin.toml:2:1: the variable `package` has a value for `andriod`, which is not a platform"
        ),
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

#[test]
fn a_shared_page_is_there_for_every_platform_without_its_own() {
    let site = SiteTest::fixture("shared-pages").build();
    for (root, name, shown, hidden) in [
        ("/tour/web", "Web", "In the browser.", "On the phone."),
        ("/tour/ios", "iOS", "On the phone.", "In the browser."),
        ("/elsewhere/android", "Android", "On the phone.", "In the browser."),
    ] {
        site.page(&format!("{root}/connect/"))
            .shows(&format!("<h1>Connect on {name}</h1>"))
            .shows(shown)
            .lacks(hidden)
            .shows(&format!("href=\"{root}/start/\">the start"))
            .shows(&format!("href=\"{root}/verify/\">the proof"));
    }
    site.page("/tour/web/verify/").shows("<p>Done.</p>");
    site.page("/elsewhere/android/verify/").shows("Done on Android.");
    let output = site.output();
    let published = |path: &str| output.contains_key(path);
    assert!(published("tour/ios/phones/index.html") && !published("tour/web/phones/index.html"));
    assert!(output.keys().all(|path| !path.contains("shared") && !path.contains("private")), "{output:?}");
}

#[test]
fn an_old_url_redirects_to_one_platform() {
    let site = SiteTest::fixture("shared-pages").build();
    site.page("/tour/ios/former/").shows("url=/tour/ios/connect/");
    site.page("/elsewhere/android/former/").shows("url=/elsewhere/android/connect/");
    site.page("/former/").shows("url=/tour/web/connect/");
}

#[test]
fn templates_know_the_file_of_a_page() {
    let template = "{% extends \"base.html\" %}{% block layout %}edit {{ page.source }}{% endblock %}";
    let site = SiteTest::fixture("shared-pages").edit("templates/step.html", template).build();
    site.page("/tour/ios/verify/").shows("edit content/tour/_shared/verify/index.md");
    site.page("/tour/ios/start/").shows("edit content/tour/ios/start.md");
}

#[test]
fn fix_edits_a_shared_page_for_all_its_platforms() {
    let start = "---\ntitle: Start\norder: 1\n---\n";
    let shared = "---\ntitle: End\norder: 2\n---\n\nYou wonâ€™t [a](/Tour/web/start/) [b](../Start/).\n\n<a href=\"../start/\"><< Previous</a>\n";
    let site = SiteTest::empty()
        .edit("content/tour/web/start.md", start)
        .edit("content/tour/ios/start.md", start)
        .edit("content/tour/_shared/end.md", shared);
    let run = site.run(&["fix"]).exits(0);
    assert!(run.stderr.contains("fixed 3 problems in 1 file"), "{}", run.stderr);
    // A relative link has another target on each platform, so there is more than one way to fix it.
    let fixed = "---\ntitle: End\norder: 2\n---\n\nYou won’t [a](/tour/web/start/) [b](../Start/).\n\n";
    assert_eq!(site.text("content/tour/_shared/end.md"), fixed);
}

#[test]
fn links_of_a_shared_page_are_listed_once() {
    let site = SiteTest::fixture("shared-pages");
    site.write("content/tour/_shared/more.md", "---\ntitle: More\norder: 9\n---\n[x](https://e.org/)\n");
    let run = site.run(&["check", "--list-links"]).exits(0);
    assert_eq!(run.stdout, "content/tour/_shared/more.md:5:5\thttps://e.org/\n");
}

#[test]
fn a_shared_page_that_was_renamed_is_found_in_gits_history() {
    let start = "---\ntitle: Start\norder: 1\n---\n\n[Old](../old/)\n";
    let site = SiteTest::empty()
        .edit("content/tour/web/start.md", start)
        .edit("content/tour/ios/start.md", start)
        .edit(
            "content/tour/_shared/old.md",
            "---\ntitle: Old\norder: 2\n---\n\nText enough to know it by.\n",
        );
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
        let mut command = std::process::Command::new("git");
        let ran = command.current_dir(site.root()).args(identity).args(arguments).output().expect("git runs");
        assert!(ran.status.success(), "{ran:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    git(&["mv", "content/tour/_shared/old.md", "content/tour/_shared/new.md"]);
    git(&["commit", "-qam", "two"]);
    let help: Vec<String> = site.findings().into_iter().filter_map(|finding| finding.help).collect();
    assert_eq!(help, ["it was renamed; use `../new/`"; 2]);
}
