//! `mv` moves files without breaking links.

use std::collections::BTreeMap;
use std::process::Command;

use crate::support::{Dice, Finding, SiteTest, Tree};

/// An image of two by one pixels.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x01\x08\x02\0\0\0";

fn story() -> SiteTest {
    let mut site = SiteTest::empty()
        .edit("stepkin.toml", "image = \"/images/lamp.png\"\n")
        .edit("static/images/lamp.png", PICTURE)
        .edit("static/images/lamp.dark.png", PICTURE)
        .edit("content/index.md", "---\ntitle: Home\ncover: /images/lamp.png\n---\n\n[Lamp](tour/web/install.md#plug-in) <a href='/guide/'>it</a>\n")
        .edit("content/guide.md", "---\ntitle: Guide\nredirect: tour/web/install.md\n---\n");
    for platform in ["web", "ios"] {
        let install = "---\ntitle: Install\norder: 1\n---\n\n## Plug in\n\n![Lamp](/images/lamp.png) [on](../use/) [again](use.md)\n";
        let used = "---\ntitle: Use\norder: 2\n---\n\nBack to [it][i], or <a href=\"../install/#plug-in\">there</a>.\n\n[i]: install.md\n";
        site = site
            .edit(&format!("content/tour/{platform}/install.md"), install)
            .edit(&format!("content/tour/{platform}/use.md"), used);
    }
    site
}

#[test]
fn a_page_moves_with_all_links_to_it() {
    let site = story();
    let before = tree(&site);
    let patch = site.run(&["mv", "content/tour/web/install.md", "content/tour/web/set-up.md", "--dry-run"]);
    let patch = patch.exits(0).says("would move `content/tour/web/install.md`").stdout;
    assert_eq!(tree(&site), before, "--dry-run writes nothing");
    site.run_in("content/tour", &["mv", "web/install.md", "web/set-up.md"]).exits(0);
    assert!(site.text("content/index.md").contains("[Lamp](tour/web/set-up.md#plug-in) <a href='/guide/'>"));
    let used = site.text("content/tour/web/use.md");
    assert!(used.contains("<a href=\"../set-up/#plug-in\">") && used.ends_with("[i]: set-up.md\n"), "{used}");
    assert!(site.text("content/guide.md").contains("redirect: tour/web/set-up.md\n"));
    let page = site.text("content/tour/web/set-up.md");
    assert!(page.contains("order: 1\naliases: [/tour/web/install/]\n---\n"), "{page}");
    let site = site.build();
    site.page("/tour/web/install/").shows("/tour/web/set-up/");
    // The patch gives the same result.
    let patched = story().edit("a.patch", &patch);
    let run =
        Command::new("git").args(["apply", "a.patch"]).current_dir(patched.root()).output().expect("git");
    assert!(run.status.success(), "{}\n{patch}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(content(&patched), content(&site));
    // And back: its own URL isn't an alias.
    site.run(&["mv", "content/tour/web/set-up.md", "content/tour/web/install.md"]).exits(0);
    let page = site.text("content/tour/web/install.md");
    assert!(page.contains("aliases: [/tour/web/set-up/]\n"), "{page}");
}

#[test]
fn links_behind_code_of_a_file_are_rewritten() {
    let page = "---\ntitle: Code\n---\n\n[a longer way](tour/web/install.md)\n\n```js file=\"code/a.js\"\n```\n\n```js\nlet b;\n```\n";
    let site = story().edit("code/a.js", "let a;\n").edit("content/code.md", page);
    site.run(&["mv", "content/tour/web/install.md", "content/tour/web/i.md"]).exits(0);
    assert_eq!(site.text("content/code.md"), page.replace("install.md", "i.md"));
}

#[test]
fn a_step_moves_on_all_platforms_and_a_picture_with_its_dark_version() {
    let site = story();
    site.git("2026-01-01", &["init", "-q"]);
    site.git("2026-01-01", &["add", "-A"]);
    site.git("2026-01-01", &["commit", "-qm", "a"]);
    site.run(&["mv", "--all-platforms", "content/tour/web/install.md", "content/tour/web/set-up.md"])
        .exits(0);
    site.run(&["mv", "static/images/lamp.png", "content/tour/light.png"]).exits(0);
    for platform in ["web", "ios"] {
        let page = site.text(&format!("content/tour/{platform}/set-up.md"));
        assert!(page.contains("![Lamp](/tour/light.png) [on](../use/) [again](use.md)"), "{page}");
    }
    assert!(site.path("content/tour/light.dark.png").exists());
    assert!(site.text("content/index.md").contains("cover: /tour/light.png\n"));
    assert_eq!(site.text("stepkin.toml"), "image = \"/tour/light.png\"\n");
    // The guide redirects readers, before and after.
    assert!(site.findings().iter().all(|it| it.code == "moved-page"), "{:?}", site.findings());
    let status =
        Command::new("git").args(["status", "--short"]).current_dir(site.root()).output().expect("git");
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(status.contains("R  static/images/lamp.png -> content/tour/light.png"), "{status}");
}

#[test]
fn a_section_is_titled_and_links_to_it_follow() {
    let links = "---\ntitle: Links\n---\n\n[a](/tour/web/install/#plug-in) [b](tour/web/install.md#plug%2Din) [c](/tour/ios/install/#plug-in)\n\n\
                 <a href=\"/guide/#plug-in\">d</a> [e](/jump/) [f][f] [g](tour/web/install/#none)\n\n[f]: tour/web/install.md#plug-in-1\n";
    let install = "---\ntitle: Install\norder: 1\n---\n\n## Plug in ##\n\n[here](#plug-in)\n\nPlug in\n-------\n\nÄ [there](?a#plug-in-1)\n";
    let site = story()
        .edit("content/links.md", links)
        .edit("content/jump.md", "---\ntitle: Jump\nredirect: /tour/web/install/#plug-in\n---\n")
        .edit("content/tour/web/install.md", install);
    let findings = |site: &SiteTest| -> Vec<String> {
        site.findings().iter().map(|it| format!("{} {}", it.file, it.code)).collect()
    };
    let (before, files) = (findings(&site), tree(&site));
    let page = "content/tour/web/install.md#plug-in";
    let patch = site.run(&["mv", page, "Über `it`", "--dry-run"]).exits(0);
    let patch = patch.says("would rename section `content/tour/web/install.md#plug-in` to `#über-it`").stdout;
    assert_eq!(tree(&site), files, "--dry-run writes nothing");
    site.run(&["mv", page, "Über `it`"]).exits(0);
    let expected = install.replacen("Plug in", "Über `it`", 1).replace("(#plug-in)", "(#über-it)");
    assert_eq!(site.text("content/tour/web/install.md"), expected.replace("?a#plug-in-1", "?a#plug-in"));
    let expected = links
        .replace("web/install/#plug-in)", "web/install/#über-it)")
        .replace("#plug%2Din", "#%C3%BCber-it")
        .replace("/guide/#plug-in", "/guide/#über-it")
        .replace("#plug-in-1", "#plug-in");
    assert_eq!(site.text("content/links.md"), expected);
    assert!(site.text("content/jump.md").contains("redirect: /tour/web/install/#über-it\n"));
    assert!(site.text("content/index.md").contains("(tour/web/install.md#über-it)"));
    assert_eq!(findings(&site), before);
    // An explicit anchor stays, and so do links.
    let kept = site.text("content/links.md");
    site.run(&["mv", "content/tour/web/install.md#über-it", "In {#über-it}"]).exits(0);
    site.run(&["mv", "content/tour/web/install.md#über-it", "Plugged"])
        .exits(0)
        .says("renamed section `content/tour/web/install.md#über-it`\n");
    assert!(site.text("content/tour/web/install.md").contains("## Plugged {#über-it}\n"));
    assert_eq!(site.text("content/links.md"), kept);
    // The patch matches the changes of the run.
    assert!(patch.contains("+## Über `it` ##\n"), "{patch}");
}

#[test]
fn a_section_is_titled_on_all_platforms_that_title_it_the_same() {
    let site = story();
    // The same section, identified by its text alone, because Android uses another title.
    let android = site.text("content/tour/web/install.md").replace("Plug in", "Plug the lamp in");
    let site = site
        .edit("content/tour/android/install.md", &android)
        .edit("content/tour/android/use.md", "---\ntitle: Use\norder: 2\n---\n\nUse it.\n");
    site.run(&["mv", "--all-platforms", "content/tour/web/install.md#plug-in", "Put in"])
        .exits(0)
        .says("renamed section `content/tour/ios/install.md#plug-in` to `#put-in`");
    for platform in ["web", "ios"] {
        assert!(site.text(&format!("content/tour/{platform}/install.md")).contains("## Put in\n"));
        assert!(site.text(&format!("content/tour/{platform}/use.md")).contains("../install/#put-in"));
    }
    assert_eq!(site.text("content/tour/android/install.md"), android);
}

#[test]
fn a_section_that_cannot_be_titled_says_why() {
    let raw = "---\ntitle: Raw\n---\n\n## See [it](/guide/)\n\n<h2 id=\"x\">Raw</h2>\n";
    let site = story().edit("content/raw.md", raw);
    let before = tree(&site);
    for (old, title, why) in [
        ("content/tour/web/install.md#plug-on", "A", "no heading has this anchor; did you mean `#plug-in`?"),
        ("content/tour/web/install.md#plug-in", " ", "a title must be one line of text"),
        ("content/tour/web/install.md#plug-in", "A\n\n## B", "a title must be one line of text"),
        ("content/tour/web/install.md#plug-in", "<!-- a -->", "readers would see an empty title"),
        ("content/raw.md#see-it", "A", "links in `content/raw.md` would have other targets"),
        ("content/none.md#a", "A", "the file or folder doesn't exist"),
        ("static/images/lamp.png#a", "A", "it is not a page of the site"),
    ] {
        let run = site.run(&["mv", old, title]);
        assert!(run.status == Some(2) && run.stderr.contains(why), "{old}: {}", run.stderr);
    }
    assert_eq!(tree(&site), before);
}

#[test]
fn failed_moves_change_nothing_and_are_explained() {
    let site = story().build();
    let before = tree(&site);
    for (old, new, why) in [
        ("content/none.md", "content/b.md", "the file or folder doesn't exist"),
        ("content/guide.md", "content/index.md", "already exists; choose another path"),
        ("content/guide.md", "content/guide", "would not be a page; pages are in `content` and end in `.md`"),
        ("content/guide.md", "../guide.md", "it is not in the site"),
        ("content/tour", "content/tour/web/x", "it would move into itself"),
        ("content", "pages", "contains the sources of the site"),
        ("dist/index.html", "dist/b.html", "it is a build output; move its source and build again"),
        ("stepkin.toml", "b.toml", "it is not a page, image, or other file of the site"),
        ("static/images/lamp.png", "lamp.png", "would not be published"),
    ] {
        let run = site.run(&["mv", old, new]);
        assert!(run.status == Some(2) && run.stderr.contains(why), "{old}: {}", run.stderr);
    }
    assert_eq!(tree(&site), before);
    let other = SiteTest::rootless().edit("docs/a.md", "# A\n").edit("mkdocs.yml", "site_name: A\n");
    other.run(&["mv", "docs/a.md", "docs/b.md"]).exits(2).says("`stepkin mv` needs a Stepkin site");
}

#[test]
fn lists_in_the_configuration_follow_moved_files() {
    let config = "[[family]]\nlayout = \"docs/{platform}/{step}\"\nsteps = [\n  \"plan\",\n  'use',\n]\n\n\
                  [[family]]\nroot = \"old/web\"\ntutorial = false\n";
    let mut site = SiteTest::empty().edit("stepkin.toml", config).edit("content/old/web/a.md", "# A\n");
    for platform in ["web", "ios"] {
        for step in ["use", "plan"] {
            let page = format!("---\ntitle: To {step}\n---\n\nWe {step} it.\n");
            site = site.edit(&format!("content/docs/{platform}/{step}.md"), page);
        }
    }
    let order =
        |site: &SiteTest| site.run(&["export", "family"]).exits(0).stdout.matches("\"to-use\"").count();
    let before = order(&site);
    site.run(&["mv", "content/docs/web/plan.md", "content/docs/web/first.md"]).exits(0);
    assert!(
        site.text("stepkin.toml").contains("  \"plan\",\n  \"first\",\n  'use',\n"),
        "{}",
        site.text("stepkin.toml")
    );
    site.run(&["mv", "content/docs/ios/plan.md", "content/docs/ios/first.md"]).exits(0);
    site.run(&["mv", "--all-platforms", "content/docs/web/use.md", "content/docs/web/last.md"]).exits(0);
    site.run(&["mv", "content/docs", "content/guide"]).exits(0);
    site.run(&["mv", "content/old/web", "content/older/web"]).exits(0);
    let config = config.replace("docs/", "guide/").replace("'use'", "'last'").replace("old/web", "older/web");
    assert_eq!(site.text("stepkin.toml"), config.replace("\"plan\"", "\"first\""));
    assert_eq!(order(&site), before);
    assert!(!site.path("content/old").exists(), "a folder that is emptied is removed");
}

#[test]
fn letters_of_other_languages_stay_as_their_author_writes_them() {
    let links = "---\ntitle: Links\n---\n\n[a](/größe/) [b](gr%C3%B6%C3%9Fe.md) [c](größe.md?ä#ü)\n";
    let site =
        story().edit("content/größe.md", "---\ntitle: Size\n---\n\nText.\n").edit("content/links.md", links);
    site.run(&["mv", "content/größe.md", "content/maß.md"]).exits(0);
    let expected = links.replace("größe", "maß").replace("gr%C3%B6%C3%9Fe", "ma%C3%9F");
    assert_eq!(site.text("content/links.md"), expected);
}

#[test]
fn a_write_that_fails_leaves_all_as_it_was() {
    // A name so long that no temporary file can be created next to it, and the last file to be written.
    let long = format!("content/{}.md", "z".repeat(240));
    let site = story().edit(&long, "---\ntitle: Z\n---\n\n[Lamp](tour/web/install.md)\n");
    let before = tree(&site);
    let run = site.run(&["mv", "content/tour/web/install.md", "content/new/deep/set-up.md"]);
    assert!(run.status == Some(2) && run.stderr.contains("cannot write"), "{}", run.stderr);
    assert_eq!(tree(&site), before);
    assert!(!site.path("content/new").exists());
}

/// Every file except for the output.
fn tree(site: &SiteTest) -> Tree {
    let mut all = crate::support::tree(&site.root());
    all.retain(|path, _| !path.starts_with(".stepkin") && !path.starts_with(".git/"));
    all
}

fn content(site: &SiteTest) -> Tree {
    crate::support::tree(&site.path("content"))
}

/// Declares the family, so that it is one whatever the names of its pages are.
const CONFIG: &str = "[[family]]\nid = \"tour\"\n[[family.platform]]\nid = \"web\"\nroot = \"tour/web\"\n[[family.platform]]\nid = \"ios\"\nroot = \"tour/ios\"\n";

/// A small site whose pages link to each other in every form.
struct Random {
    site: SiteTest,
    /// Pages and images, relative to the root.
    files: Vec<String>,
}

impl Random {
    fn new(dice: &mut Dice) -> Self {
        let mut files = vec!["content/index.md".to_string()];
        for platform in ["web", "ios"] {
            for step in ["plan", "install", "use", "remove"] {
                let is_folder = dice.below(3) == 0;
                let end = if is_folder { "/index.md" } else { ".md" };
                files.push(format!("content/tour/{platform}/{step}{end}"));
                if is_folder {
                    files.push(format!("content/tour/{platform}/{step}/of-{platform}-{step}.png"));
                }
            }
        }
        files.extend(["guide/start.md", "guide/deep/more.md", "about.md"].map(|it| format!("content/{it}")));
        files.extend(["a.png", "b c.png", "deep/é.png"].map(|it| format!("static/images/{it}")));
        let site = SiteTest::empty().edit("stepkin.toml", CONFIG);
        for (at, file) in files.iter().enumerate() {
            if file.ends_with(".png") {
                // All are different.
                site.write(file, [PICTURE, &[0, 0, 0, u8::try_from(at).expect("few")]].concat());
            } else {
                site.write(file, page(file, &files, at, dice));
            }
        }
        Self { site, files }
    }

    /// The current path of each page.
    fn pages(&self) -> impl Iterator<Item = &String> {
        self.files.iter().filter(|file| file.ends_with(".md"))
    }
}

fn address(file: &str) -> String {
    let below = file.split_once('/').expect("a folder").1;
    match below.strip_suffix("index.md").or_else(|| below.strip_suffix(".md")) {
        Some("") => "/".into(),
        Some(page) => format!("/{}/", page.trim_end_matches('/')),
        None => format!("/{below}"),
    }
}

fn relative(from: &str, to: &str) -> String {
    let up = from.matches('/').count();
    let same = from.split('/').zip(to.split('/')).take_while(|(a, b)| a == b).count().min(up);
    format!("{}{}", "../".repeat(up - same), to.split('/').skip(same).collect::<Vec<_>>().join("/"))
}

fn page(file: &str, files: &[String], at: usize, dice: &mut Dice) -> String {
    let name = address(file).trim_matches('/').rsplit('/').next().map_or("home".to_string(), str::to_string);
    // The identity of a step doesn't depend on the name of its file.
    let step = if file.contains("/tour/") { format!("step: {name}\n") } else { String::new() };
    let mut text = format!("---\ntitle: \"The {name}\"\norder: {at}\n{step}---\n\n## Part\n\nText {at}.\n\n");
    let mut definitions = String::new();
    for number in 0..=dice.below(6) {
        let other = dice.pick(files).clone();
        let is_page = other.ends_with(".md");
        let there = address(&other);
        let target = match dice.below(4) {
            0 => there,
            1 if is_page && other != "content/index.md" => there.trim_end_matches('/').to_string(),
            2 => relative(&address(file), &there),
            _ if is_page => relative(file, &other),
            _ => there,
        };
        let target = target.replace(' ', "%20");
        let target = if target.is_empty() { "./".to_string() } else { target };
        let fragment = if is_page && dice.below(2) == 0 { "#part" } else { "" };
        let mark = if is_page { "" } else { "!" };
        let piece = match dice.below(4) {
            0 => {
                let definition = format!("[r{number}]: {target}{fragment}\n");
                definitions.push_str(&definition);
                format!("{mark}[A{number}][r{number}]\n\n")
            }
            1 if is_page => format!("<a href=\"{target}{fragment}\">B</a>\n\n"),
            1 => format!("<img src='{target}' alt=\"B\">\n\n"),
            2 => format!("- {mark}[C](<{target}{fragment}> \"said\")\n\n"),
            _ => format!("{mark}[D]({target}{fragment})\n\n"),
        };
        text.push_str(&piece);
    }
    if dice.below(5) == 0 {
        text.push_str("[gone](/gone/) [no](#none)\n\n");
    }
    text + &definitions
}

/// Number of findings of each rule in each file.
type Counts = BTreeMap<(String, String), usize>;

fn findings(site: &SiteTest) -> Counts {
    let mut all = Counts::new();
    // An image that another platform's finding suggests by its name isn't unused, which depends on names.
    let by_name = |it: &Finding| it.code == "unused-image" && it.file.contains("/tour/");
    for finding in site.findings().into_iter().filter(|it| !by_name(it)) {
        *all.entry((finding.file, finding.code)).or_default() += 1;
    }
    all
}

/// Returns the old and the new path of each file or folder in a list of moves.
fn listed(moves: &str, verb: &str) -> Vec<(String, String)> {
    let pair = |line: &str| {
        let mut names = line.strip_prefix(verb)?.split('`').skip(1).step_by(2).map(str::to_string);
        Some((names.next()?, names.next()?))
    };
    moves.lines().filter_map(pair).collect()
}

/// Returns where a file is after the moves.
fn moved_to(path: &str, moves: &[(String, String)]) -> String {
    let renamed = |(old, new): &(String, String)| {
        let rest = path.strip_prefix(old.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{new}{rest}"))
    };
    moves.iter().find_map(renamed).unwrap_or_else(|| path.to_string())
}

const MOVES: usize = 200;

#[test]
fn after_random_moves_links_have_the_same_targets() {
    let mut dice = Dice(0x5eed);
    let (mut moved, mut refused) = (0, 0);
    while moved < MOVES {
        let mut random = Random::new(&mut dice);
        let mut former: BTreeMap<String, String> = BTreeMap::new();
        let mut found = findings(&random.site);
        for round in 0..8 {
            let old = match dice.below(4) {
                0 => (*dice.pick(&[
                    "content/guide",
                    "content/guide/deep",
                    "static/images",
                    "static/images/deep",
                    "content/tour/web/use",
                ]))
                .to_string(),
                _ => dice.pick(&random.files).clone(),
            };
            let folder = old.rsplit_once('/').expect("a folder").0.to_string();
            let folder = match dice.below(3) {
                0 if !folder.contains("tour") => {
                    format!("{}/x{round}", folder.split('/').next().expect("one"))
                }
                1 if !folder.contains("tour") => format!("{folder}/y{round}"),
                _ => folder,
            };
            let ending = [".md", ".png"].into_iter().find(|ending| old.ends_with(ending)).unwrap_or("");
            let new = format!("{folder}/n{round}{ending}");
            let site = &random.site;
            let before = tree(site);
            let all = if old.contains("/tour/") && ending == ".md" && dice.below(2) == 0 {
                "--all-platforms"
            } else {
                "--root=."
            };
            let announced = (round % 4 == 0).then(|| {
                let run = site.run(&["mv", &old, &new, all, "--dry-run"]);
                assert_eq!(tree(site), before, "a dry run of {old} to {new}");
                listed(&run.stderr, "would move ")
            });
            let run = site.run(&["mv", &old, &new, all]);
            if run.status != Some(0) {
                assert_eq!(run.status, Some(2), "{}", run.stderr);
                assert_eq!(tree(site), before, "{old} to {new}: {}", run.stderr);
                refused += 1;
                continue;
            }
            moved += 1;
            let done = listed(&run.stderr, "moved ");
            if let Some(announced) = announced {
                assert_eq!(announced, done, "{old} to {new}");
            }
            let present = |path: &str| moved_to(path, &done);
            found = found.into_iter().map(|((file, code), count)| ((present(&file), code), count)).collect();
            assert_eq!(findings(site), found, "{old} to {new}\n{}", site.run(&["check"]).stdout);
            for file in random.pages() {
                let (was, is) = (address(file), address(&present(file)));
                for led in former.values_mut().filter(|led| **led == was) {
                    led.clone_from(&is);
                }
                if was != is {
                    former.insert(was, is.clone());
                }
                former.remove(&is);
            }
            random.files = random.files.iter().map(|file| present(file)).collect();
        }
        let site = random.site.build();
        for (old, new) in former {
            site.page(&old).shows(&format!("url={new}\""));
        }
    }
    assert!(refused < moved / 4, "{refused} refused, {moved} moved");
}

/// A tutorial whose pages are translated in a folder, and a page whose translation has a suffix.
fn translated() -> SiteTest {
    let mut site = SiteTest::empty()
        .edit("content/index.md", "---\ntitle: Home\n---\n\n[Guide](guide.md)\n")
        .edit(
            "content/guide.md",
            "---\ntitle: Guide\n---\n\n[Install](tour/web/install.md#first) ![A](pictures/a.png)\n",
        )
        .edit(
            "content/guide.de.md",
            "---\ntitle: Leitfaden\n---\n\n[Einrichten](tour/web/install.md#erst) ![A](pictures/a.png)\n",
        )
        .edit("content/pictures/a.png", PICTURE)
        .edit("content/de/pictures/a.png", PICTURE)
        .edit("content/de/index.md", "---\ntitle: Start\n---\n\n[Leitfaden](/guide/)\n");
    for platform in ["web", "ios"] {
        let page = |title: &str, order: u32, rest: &str| {
            format!("---\ntitle: {title}\norder: {order}\n---\n\n{rest}\n")
        };
        site = site
            .edit(
                &format!("content/tour/{platform}/install.md"),
                page("Install", 1, "## First\n\n[On](use.md)"),
            )
            .edit(&format!("content/tour/{platform}/use.md"), page("Use", 2, "[Back](install.md)"))
            .edit(
                &format!("content/de/tour/{platform}/install.md"),
                page("Einrichten", 1, "## Erst\n\n[Weiter](use.md)"),
            );
    }
    site
}

#[test]
fn translations_move_with_their_originals() {
    let site = translated();
    site.run(&["mv", "--all-platforms", "content/tour/web/install.md", "content/tour/web/set-up.md"])
        .exits(0)
        .says("moved `content/de/tour/ios/install.md` to `content/de/tour/ios/set-up.md`");
    site.run(&["mv", "content/guide.md", "content/help/guide.md"])
        .exits(0)
        .says("moved `content/guide.de.md` to `content/help/guide.de.md`");
    site.run(&["mv", "content/pictures", "content/images"])
        .exits(0)
        .says("moved `content/de/pictures/a.png` to `content/de/images/a.png`");
    let guide = site.text("content/help/guide.de.md");
    assert!(guide.contains("[Einrichten](../tour/web/set-up.md#erst) ![A](../images/a.png)"), "{guide}");
    assert!(guide.contains("aliases: [/guide/]\n"), "{guide}");
    assert!(site.text("content/de/index.md").contains("[Leitfaden](/help/guide/)"));
    // A page that only the original has links to the translation.
    assert!(site.text("content/tour/ios/use.md").contains("[Back](set-up.md)"));
    let orphans =
        site.findings().iter().filter(|it| format!("{it:?}").contains("translation-orphan")).count();
    assert_eq!(orphans, 0);
    let site = site.build();
    site.page("/de/tour/web/install/").shows("/de/tour/web/set-up/");
    site.page("/de/guide/").shows("/de/help/guide/");
    // The folder of a tutorial, and a section of a translation.
    site.run(&["mv", "content/tour", "content/trip"])
        .exits(0)
        .says("moved `content/de/tour/web/set-up.md` to `content/de/trip/web/set-up.md`");
    site.run(&["mv", "content/de/trip/web/set-up.md#erst", "Zuerst"]).exits(0);
    let guide = site.text("content/help/guide.de.md");
    assert!(guide.contains("(../trip/web/set-up.md#zuerst)"), "{guide}");
    assert!(site.text("content/help/guide.md").contains("(../trip/web/set-up.md#first)"));
    // Without its original, a translation stays where it is.
    site.run(&["mv", "content/de/trip/web/set-up.md", "content/de/trip/web/go.md"])
        .exits(2)
        .says("it is the translation of `content/trip/web/set-up.md`; move that page, and all translations move with it");
}

#[test]
fn commands_that_write_pages_of_a_tutorial_use_the_original() {
    let site = translated();
    let said = site.run(&["new", "tour", "plan", "--after", "install"]).exits(0).stderr;
    assert!(said.contains("created `content/tour/web/plan.md`") && !said.contains("content/de"), "{said}");
    site.run(&["unify", "tour", "use", "--force"]).exits(0).says("removed `content/tour/web/use.md`");
    let settings = site.run(&["export", "family"]).exits(0).stdout;
    assert!(!settings.contains("/de/"), "{settings}");
    // Platforms are compared in one language.
    let all = site.run(&["drift"]).exits(0);
    assert!(
        format!("{}{}", all.stdout, all.stderr).contains("1 family: Tour for Web, iOS (3 steps)"),
        "{all:?}"
    );
}
