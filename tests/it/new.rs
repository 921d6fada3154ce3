//! `new` adds a step on all platforms.

use crate::support::SiteTest;

fn tour(step: impl Fn(&str, &str, usize) -> (String, String)) -> SiteTest {
    let mut site = SiteTest::empty();
    for platform in ["web", "ios", "android"] {
        for (at, name) in ["plan", "install", "use"].into_iter().enumerate() {
            let (path, text) = step(platform, name, at);
            site = site.edit(&format!("content/{path}"), text);
        }
    }
    site
}

fn ordered() -> SiteTest {
    tour(|platform, name, at| {
        let text = format!("---\ntitle: To {name}\norder: {} # said\n---\n\nThis is to {name}.\n", at + 1);
        (format!("tour/{platform}/{name}.md"), text)
    })
}

fn findings(site: &SiteTest) -> Vec<String> {
    let run = site.run(&["check", "--drift", "--format", "json"]);
    // A new page isn't translated yet.
    let lines = run.stdout.lines().filter(|line| !line.contains("translation-missing"));
    lines.map(str::to_string).collect()
}

#[test]
fn a_step_is_added_on_all_platforms() {
    let site = ordered();
    let before = findings(&site);
    let patch = site.run(&["new", "tour", "set-up", "--after", "install", "--dry-run"]).exits(0);
    let patch = patch.says("would create `content/tour/android/set-up.md`").stdout;
    assert!(!site.path("content/tour/web/set-up.md").exists());
    site.run(&["new", "tour", "set-up", "--after", "install"])
        .exits(0)
        .says("created `content/tour/web/set-up.md`");
    for platform in ["web", "ios", "android"] {
        let text = |name: &str| site.text(&format!("content/tour/{platform}/{name}.md"));
        assert_eq!(text("set-up"), "---\ntitle: Set up\norder: 3\n---\n\n");
        assert!(text("install").contains("order: 2 # said\n"));
        assert!(text("use").contains("order: 4 # said\n"));
    }
    assert_eq!(findings(&site), before);
    let patched = ordered().edit("a.patch", &patch);
    let run = std::process::Command::new("git")
        .args(["apply", "a.patch"])
        .current_dir(patched.root())
        .output()
        .expect("git");
    assert!(run.status.success(), "{}\n{patch}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(crate::support::tree(&patched.path("content")), crate::support::tree(&site.path("content")));
    // Existing files aren't overwritten.
    let again = site.run(&["new", "tour", "set-up"]).exits(2);
    assert!(again.stderr.contains("already exists; choose another name"), "{}", again.stderr);
    // If there is a gap, later steps aren't renumbered.
    let used = site.text("content/tour/web/use.md").replace("order: 4", "order: 9");
    let site = site.edit("content/tour/web/use.md", &used);
    site.run(&["new", "tour", "try", "--after", "set-up", "--platform", "web"]).exits(0);
    assert!(site.text("content/tour/web/try.md").contains("order: 4\n"));
    assert_eq!(site.text("content/tour/web/use.md"), used);
    site.run(&["new", "tour", "remove", "--title", "Remove: all of it"]).exits(0);
    assert_eq!(
        site.text("content/tour/ios/remove.md"),
        "---\ntitle: \"Remove: all of it\"\norder: 5\n---\n\n"
    );
}

#[test]
fn numbers_in_titles_count_on() {
    let site = tour(|platform, name, at| {
        let quote = if platform == "ios" { "\"" } else { "" };
        let text = format!(
            "---\norder: {}\ntitle: {quote}Step {at}. To {name}{quote}\n---\n\nThis is to {name}.\n",
            at + 1
        );
        (format!("tour/{platform}/{name}.md"), text)
    });
    assert_eq!(findings(&site), [""; 0]);
    site.run(&["new", "tour", "set-up", "--after", "install"]).exits(0);
    assert_eq!(findings(&site), [""; 0]);
    assert_eq!(site.text("content/tour/web/set-up.md"), "---\ntitle: Step 2. Set up\norder: 3\n---\n\n");
    assert!(site.text("content/tour/web/use.md").starts_with("---\norder: 4\ntitle: Step 3. To use\n---\n"));
    assert!(
        site.text("content/tour/ios/use.md").starts_with("---\norder: 4\ntitle: \"Step 3. To use\"\n---\n")
    );
}

#[test]
fn a_step_is_written_as_the_others_are() {
    // Folders with number prefixes, and titles in the text.
    let site = tour(|platform, name, at| {
        let path = format!("tour/{platform}/0{}-{name}/index.md", at + 1);
        (path, format!("# To {name}\n\nThis is to {name}, [on](../03-use/index.md).\n"))
    });
    // Its translations are renumbered, too.
    let german = |name: &str| format!("content/de/tour/web/{name}/index.md");
    let site = site
        .edit(&german("03-use"), "# Nutzen\n\nSo.\n")
        .edit(&german("01-plan"), "# Planen\n\n[Weiter](../03-use/index.md)\n");
    let before = findings(&site).len();
    site.run(&["new", "tour", "set-up", "--after", "02-install"]).exits(0);
    assert!(site.text(&german("04-use")).ends_with("# Nutzen\n\nSo.\n"));
    assert_eq!(site.text(&german("01-plan")), "# Planen\n\n[Weiter](../04-use/index.md)\n");
    for platform in ["web", "ios", "android"] {
        assert_eq!(site.text(&format!("content/tour/{platform}/03-set-up/index.md")), "# Set up\n");
        assert!(site.text(&format!("content/tour/{platform}/04-use/index.md")).contains("This is to use"));
        assert!(
            site.text(&format!("content/tour/{platform}/01-plan/index.md"))
                .contains("[on](../04-use/index.md)")
        );
    }
    assert_eq!(findings(&site).len(), before);
    // A folder for each step, with a page for each platform.
    let site = tour(|platform, name, _| {
        (format!("tour/{name}/{platform}.md"), format!("---\ntitle: To {name}\n---\n\nThis is to {name}.\n"))
    });
    site.run(&["new", "tour", "wrap-up"]).exits(0);
    assert!(site.path("content/tour/wrap-up/android.md").exists());
    // A list of steps.
    let config = "[[family]]\nid = \"tour\"\nsteps = [\"plan\", \"install\", \"use\"]\n";
    let site = tour(|platform, name, _| {
        (format!("tour/{platform}/{name}.md"), format!("---\ntitle: To {name}\n---\n\nThis is to {name}.\n"))
    });
    let site = site.edit("stepkin.toml", config);
    site.run(&["new", "tour", "set-up", "--after", "plan"]).exits(0);
    assert_eq!(site.text("stepkin.toml"), config.replace("\"plan\"", "\"plan\", \"set-up\""));
}

#[test]
fn a_step_is_added_on_some_platforms() {
    let site = ordered();
    site.run(&["new", "tour", "sign", "--platform", "ios", "--platform", "android", "--after", "To install"])
        .exits(0);
    assert!(
        site.path("content/tour/ios/sign.md").exists() && !site.path("content/tour/web/sign.md").exists()
    );
    assert!(site.text("content/tour/web/use.md").contains("order: 3"));
    // A platform may lack the previous step.
    site.run(&["new", "tour", "test", "--after", "sign"]).exits(0);
    assert!(site.text("content/tour/web/test.md").contains("order: 3\n"));
    assert!(site.text("content/tour/ios/test.md").contains("order: 4\n"));
}

#[test]
fn a_step_that_cannot_be_added_says_why() {
    let site = ordered();
    let before = crate::support::tree(&site.path("content"));
    for (arguments, why) in [
        (&["tuor", "a"][..], "unknown family `tuor`; did you mean `tour`?"),
        (&["tour", "a", "--after", "instal"], "did you mean `install`?"),
        (&["tour", "a", "--platform", "windows"], "unknown platform `windows`"),
        (&["tour", "Set Up!"], "use the page name without an extension, such as `set-up`"),
        (&["tour", "../a"], "use the page name without an extension"),
        (&["tour", "use"], "`content/tour/web/use.md` already exists; choose another name"),
    ] {
        let run = site.run(&[&["new"], arguments].concat());
        assert!(run.status == Some(2) && run.stderr.contains(why), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(crate::support::tree(&site.path("content")), before);
    // Only names determine the order.
    let site = tour(|platform, name, _| {
        (format!("tour/{platform}/{name}.md"), format!("# To {name}\n\nThis is to {name}.\n"))
    });
    let run = site.run(&["new", "tour", "zip", "--after", "install"]).exits(2);
    assert!(run.stderr.contains("because steps are sorted by name"), "{}", run.stderr);
}
