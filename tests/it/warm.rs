//! Any sequence of edits gives the same site, however it is built. A build into an existing output with a cache
//! equals a build into a new one without a cache, whatever happened to the cache or the output in the meantime. A
//! server that has seen all edits responds the same. A check has the same findings with and without the cache, and
//! the server shows the same findings.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::support::server::{Server, eventually};
use crate::support::{Dice, Run, SiteTest, Tree, check_same_tree, tree};

const PLATFORMS: [&str; 3] = ["web", "ios", "android"];
const STEPS: [&str; 4] = ["plan", "sow", "water", "reap"];
const EDITS: usize = 100;
/// YAML treats the second colon as a key inside a text.
const BROKEN: &str = "title: a: ";

/// The content of a shared page: words and blocks, so that each platform has a different text.
const SHARED: &str = "---\ntitle: Rest on {platform.name}\norder: 5\n---\n\n[Start](../plan/)\n\n:::platform not web\nPut it away.\n:::\n\n![Picture](/images/{platform.id}.png)\n";
/// Outside the family, with references to all of its content.
const GUIDE: &str = "---\ntitle: Guide\n---\n\n[Water](/garden/ios/water/#31-do-it), [plan](/garden/web/plan/#do-it), [all](/garden/compare/#water), [who](/garden/#ios), [up](/more/), ![Bean](/images/ios.png)\n\n## Do it\n\n<a href=\"/garden/web/sow/\">Next » Step 2. sow</a>\n";
const DAYS: &str =
    "last_change = true\nbase_url = \"https://e.org/\"\n[search]\nenabled = false\n[publish]\nfeed = true\n";
const GERMAN: &str = "language = \"de\"\n[check.severity]\nmissing-page = \"info\"\n";
const VARIABLES: &str = "[variables]\nseed = { web = \"pea\", ios = \"bean\", android = \"leek\" }\n";

/// A step of another family. It refers to things that appear and disappear: pages by file and by URL, redirects,
/// titles, images, and missing pages that resemble existing ones.
const COOK: &str = "---\ntitle: Cook\norder: 1\n---\n\n[By its file](/garden/web/sow.md), [beside](../../garden/ios/plan.md), \
    [former](/older/#do-it), [redirect](/old/), [deep](/more/deep/page/), [no slash](/more), [file](/notes.txt), [slip](/gide/), \
    [case](/Guide/), [called](Our%20garden), [all](/garden/print/), [new](/garden/web/moved-7/)\n\n![Other case](/images/WEB.png)\n\n\
    <a href=\"/garden/ios/water/\">Next » Step 3. water</a>\n";

/// A small family with three platforms of four steps each and two shared ones, another family, and a page.
fn garden() -> SiteTest {
    let site = SiteTest::empty();
    for platform in PLATFORMS {
        for (step, order) in STEPS.iter().zip(1..) {
            let text = step_page(platform, step, order, &format!("{order}.1 Do it"), 1);
            site.write(&format!("content/garden/{platform}/{step}.md"), text);
        }
        site.write(&format!("static/images/{platform}.png"), "no real picture");
    }
    site.write("content/guide.md", GUIDE);
    for platform in ["web", "ios"] {
        site.write(&format!("content/kitchen/{platform}/cook.md"), COOK);
    }
    site.write("content/garden/_shared/rest.md", SHARED);
    site.write("content/garden/_shared/store/index.md", SHARED);
    site.write("stepkin.toml", VARIABLES);
    site
}

/// The garden, in German too: some pages in a folder, one next to the original, and all others only in the original's language. The
/// original of one step on the web has changed since.
fn translated_garden() -> SiteTest {
    let site = garden();
    for (platform, step, order) in [("web", "plan", 1), ("web", "sow", 2), ("ios", "plan", 1)] {
        let text =
            step_page(platform, step, order, &format!("{order}.1 Machen"), 1).replace("Text of", "Von");
        site.write(&format!("content/de/garden/{platform}/{step}.md"), text);
    }
    site.write("content/guide.de.md", GUIDE.replace("title: Guide", "title: Leitfaden"));
    commit(&site, "2025-12-01");
    let sow = "content/garden/web/sow.md";
    site.write(sow, site.text(sow).replace("Text of sow", "Much more text of sow"));
    site
}

/// Edits the translations, and the originals of some.
fn edit_translation(site: &SiteTest, dice: &mut Dice, round: usize) -> String {
    let (platform, order) = (dice.pick(&PLATFORMS), dice.below(STEPS.len()) + 1);
    let step = STEPS[order - 1];
    let original = format!("content/garden/{platform}/{step}.md");
    match dice.below(6) {
        0 | 1 => {
            let page = format!("content/de/garden/{platform}/{step}.md");
            toggle(site, &page, &step_page(platform, step, order, &format!("3.{order} Machen"), 2))
        }
        2 => toggle(site, "content/guide.de.md", "---\ntitle: Leitfaden\n---\n\n[Plan](/garden/web/plan/)\n"),
        3 => {
            let fallback = dice.pick(&["page", "link", "none"]);
            site.write(
                "stepkin.toml",
                format!("[languages]\nfallback = '{fallback}'\nstatus = true\n# {round}\n"),
            );
            format!("stepkin.toml has the fallback {fallback}")
        }
        _ if site.path(&original).exists() => {
            site.write(&original, site.text(&original).replace("Text", &format!("Text {round}")));
            if dice.below(2) == 0 {
                commit(site, &format!("2026-02-{:02}", round % 28 + 1));
            }
            format!("words of {original}")
        }
        _ => toggle(site, "content/de/index.md", "---\ntitle: Start\n---\n\nWillkommen.\n"),
    }
}

/// A step in its initial form, which refers to section `3.{section}`.
fn step_page(platform: &str, step: &str, order: usize, heading: &str, section: usize) -> String {
    format!(
        "---\ntitle: Step {order}. {step}\norder: {order}\n---\n\nText of {step}, see section 3.{section}.\n\n## {heading}\n\n[Next](/garden/{platform}/reap/), [how](/guide/#do-it)\n\n![Picture](/images/{platform}.png)\n\n```swift\nlet {step} = {order}\n```\n"
    )
}

/// Applies a random edit, and returns its description.
fn edit(site: &SiteTest, dice: &mut Dice, round: usize) -> String {
    if site.path("content/de").exists() && dice.below(3) == 0 {
        return edit_translation(site, dice, round);
    }
    match dice.below(6) {
        0..=2 => edit_page(site, dice, round),
        3 => edit_opening(site, dice),
        _ => edit_around(site, dice, round),
    }
}

/// Edits an existing page.
fn edit_page(site: &SiteTest, dice: &mut Dice, round: usize) -> String {
    let pages = files(site, "content", ".md");
    let page = dice.pick(&pages).clone();
    let text = site.text(&page);
    let number = dice.below(9) + 1;
    let (front, body) = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
        Some((front, body)) => (front.to_string(), body.to_string()),
        None => (String::new(), text.clone()),
    };
    let with_key = |key: &str, value: &str| {
        let kept = front.lines().filter(|line| !line.starts_with(&format!("{key}:")));
        let lines: Vec<&str> = kept.collect();
        format!("---\n{}\n{key}: {value}\n---\n{body}", lines.join("\n"))
    };
    match dice.below(16) {
        0 | 1 => {
            site.write(&page, format!("{text}\nMore in round {round}.\n"));
            format!("text of {page}")
        }
        2 => {
            replace_with_same_size(site, &page, dice);
            format!("{page} replaced by another of its size")
        }
        3 => {
            let old = modified(site, &page);
            site.write(&page, text.replace("Text", "Test"));
            set_modified(site, &page, old);
            format!("text of {page}, with the time it had")
        }
        4 => {
            site.write(&page, with_key("title", &format!("Round {round}")));
            format!("title of {page}")
        }
        5 => {
            site.write(&page, with_key("order", &number.to_string()));
            format!("order {number} of {page}")
        }
        6 => {
            site.write(&page, with_key("slug", &format!("slug-{round}")));
            format!("slug of {page}")
        }
        7 if pages.len() > 4 => {
            std::fs::remove_file(site.path(&page)).expect("a page");
            format!("{page} removed")
        }
        8 => {
            let platform = dice.pick(&PLATFORMS);
            let to = format!("content/garden/{platform}/moved-{round}.md");
            fs::create_dir_all(site.path(&format!("content/garden/{platform}"))).expect("a folder of ours");
            std::fs::rename(site.path(&page), site.path(&to)).expect("a page");
            format!("{page} moved to {to}")
        }
        9 => {
            site.write(&page, format!("{text}\n<aside>\n    A note of round {round}.\n</aside>\n"));
            format!("note in {page}")
        }
        10 => {
            site.write(&page, text.replacen("title: ", BROKEN, 1));
            format!("front matter of {page} broken")
        }
        11..=13 => {
            // A page to which others refer is restored, with the same heading or another, and refers to others.
            let (platform, order) = (dice.pick(&PLATFORMS), dice.below(STEPS.len()) + 1);
            let step = STEPS[order - 1];
            let page = format!("content/garden/{platform}/{step}.md");
            let heading = format!("3.{} {}", dice.below(6) + 1, dice.pick(&["Do it", "Skip!"]));
            site.write(&page, step_page(platform, step, order, &heading, dice.below(6) + 1));
            format!("{page} again, with {heading:?}")
        }
        14 => {
            let heading = dice.pick(&["Do it", "Skip!"]);
            site.write("content/guide.md", GUIDE.replace("Do it", heading));
            format!("guide again, with {heading:?}")
        }
        _ => {
            let platform = dice.pick(&PLATFORMS);
            site.write(
                &page,
                format!(
                    "{text}\n:::platform {platform}\nRound {round} of {{seed}}, {{platform.name}}.\n:::\n"
                ),
            );
            format!("block for {platform} in {page}")
        }
    }
}

/// Edits the start of a page, or all of it.
fn edit_opening(site: &SiteTest, dice: &mut Dice) -> String {
    let page = dice.pick(&files(site, "content", ".md")).clone();
    let text = site.text(&page);
    let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let front = front.map_or("", |(front, _)| front);
    match dice.below(4) {
        0 => {
            // The line that closes the front matter is added and removed, and so are keys.
            let opening = dice.pick(&[
                "---\ntitle: Open\norder: 2\n\nText.\n",
                "---\ntitle: Open\n\nText.\n---\n",
                "---\ntitle: A\n---",
            ]);
            site.write(&page, opening);
            format!("{page} is {opening:?}")
        }
        1 => {
            let more = dice.pick(&["extra\n", "---\n", "\n---\n\nMore.\n"]);
            site.write(&page, format!("{text}{more}"));
            format!("{more:?} at the end of {page}")
        }
        2 => {
            // Whether two pages are the same step may depend on their words.
            let words = dice.pick(&[
                "",
                "Dig the earth over, and water what grows in it every day until evening comes.\n",
            ]);
            site.write(&page, format!("---\n{front}\n---\n{words}"));
            format!("all of {page} is {words:?}")
        }
        _ => {
            let before = site.text(&page);
            site.write(&page, format!("{text}\nOnly for a moment.\n"));
            site.write(&page, before);
            format!("an edit of {page} that was undone")
        }
    }
}

/// Edits anything else: adds or removes pages, images and templates, changes the configuration, or commits.
fn edit_around(site: &SiteTest, dice: &mut Dice, round: usize) -> String {
    match dice.below(16) {
        13 => {
            let (from, to) = ("content/garden/android", "content/garden/kotlin");
            let (from, to) = if site.path(from).exists() { (from, to) } else { (to, from) };
            _ = fs::rename(site.path(from), site.path(to));
            format!("{from} moved to {to}")
        }
        14 => toggle(
            site,
            "content/old.md",
            "---\ntitle: Old\nredirect: /guide/\naliases: [/older/, /garden/former/]\n---\n",
        ),
        15 => toggle(site, "static/notes.txt", "Beside the pages.\n"),
        0 => {
            let (platform, number) = (dice.pick(&PLATFORMS), dice.below(9) + 1);
            let new = format!("content/garden/{platform}/new-{round}.md");
            site.write(&new, format!("---\ntitle: New {round}\norder: {number}.5\n---\n\nNew.\n"));
            format!("new {new}")
        }
        1 => {
            let image = format!("static/images/{}.png", dice.pick(&PLATFORMS));
            if site.path(&image).exists() {
                std::fs::remove_file(site.path(&image)).expect("an image");
            } else {
                site.write(&image, format!("picture {round}"));
            }
            format!("{image} added or removed")
        }
        2 => toggle(
            site,
            "templates/step.html",
            "{% extends \"base.html\" %}{% block layout %}own {{ body | safe }}{% endblock %}",
        ),
        3 => toggle(site, "content/index.md", "---\ntitle: Home\n---\n\nWelcome.\n"),
        4 => {
            let shared = dice.pick(&["rest.md", "store/index.md", "more.md"]);
            toggle(site, &format!("content/garden/_shared/{shared}"), SHARED)
        }
        5 => {
            let own = format!("content/garden/{}/rest.md", dice.pick(&PLATFORMS));
            toggle(site, &own, "---\ntitle: Own rest\norder: 5\n---\n\nIts own.\n")
        }
        6 => {
            let site_of = dice.pick(&[
                VARIABLES,
                "",
                "title = \"Garden\"\nbase_url = \"https://e.org/docs/\"\n[publish]\nfeed = true\n",
                DAYS,
                GERMAN,
            ]);
            site.write("stepkin.toml", format!("{site_of}\n# {round}\n"));
            format!("stepkin.toml is {site_of:?}")
        }
        7 => toggle(
            site,
            "content/garden/index.md",
            "---\ntitle: Our garden\ndescription: Peas\n---\n\nDig in.\n",
        ),
        8 => {
            // Pages whose parents are shown.
            site.write("content/more/deep/page.md", "---\ntitle: Deep\n---\nSee [up](/more/).\n");
            toggle(site, "content/more.md", &format!("---\ntitle: More {round}\n---\nMore.\n"))
        }
        9 => {
            commit(site, &format!("2026-01-{:02}", round % 28 + 1));
            "a commit".to_string()
        }
        10 => toggle(site, "templates/words/en.toml", "next = \"Onwards\"\n"),
        11 => toggle(site, "static/_stepkin/site.css", &format!("body {{ order: {round} }}\n")),
        _ => toggle(site, "stepkin.toml", "[variables]\nseed = \"oat\"\n"),
    }
}

/// Commits everything to git, so that pages have a date of their last change.
fn commit(site: &SiteTest, day: &str) {
    site.git(day, &["init", "--quiet"]);
    site.git(day, &["add", "content"]);
    site.git(day, &["commit", "--quiet", "--allow-empty", "-m", "x"]);
}

fn toggle(site: &SiteTest, file: &str, text: &str) -> String {
    if site.path(file).exists() {
        std::fs::remove_file(site.path(file)).expect("our own file");
        format!("{file} removed")
    } else {
        site.write(file, text);
        format!("{file} added")
    }
}

/// Replaces a file with another text of the same length and the same time, in one step. Sometimes the clock is also
/// set back.
fn replace_with_same_size(site: &SiteTest, page: &str, dice: &mut Dice) {
    let (text, old) = (site.text(page), modified(site, page));
    let back = Duration::from_secs(3600 * u64::try_from(dice.below(2)).expect("small"));
    site.write("beside", text.replace("Do it", "Skip!"));
    set_modified(site, "beside", old - back);
    fs::rename(site.path("beside"), site.path(page)).expect("a page");
}

fn modified(site: &SiteTest, file: &str) -> SystemTime {
    fs::metadata(site.path(file)).and_then(|metadata| metadata.modified()).expect("a file of ours")
}

fn set_modified(site: &SiteTest, file: &str, time: SystemTime) {
    let file = File::options().write(true).open(site.path(file)).expect("a file of ours");
    file.set_modified(time).expect("a time that exists");
}

/// Something other than an edit that may happen between two builds, with its description. Often nothing.
fn mishap(site: &SiteTest, dice: &mut Dice) -> String {
    let kept = files(site, ".stepkin", "");
    match dice.below(12) {
        0 => {
            // A page of the output is edited by hand, so its content isn't the site's.
            let pages = files(site, "dist", ".html");
            let page = dice.pick(&pages);
            let text = site.text(page);
            site.write(page, text.replace("<html", "<HTML"));
            format!(", {page} edited")
        }
        1 => {
            let pages = files(site, "dist", ".html");
            let page = dice.pick(&pages);
            fs::remove_file(site.path(page)).expect("a page");
            format!(", {page} deleted")
        }
        2 | 3 if !kept.is_empty() => {
            let file = dice.pick(&kept);
            let mut bytes = fs::read(site.path(file)).expect("a file of the cache");
            let at = dice.below(bytes.len().max(1));
            match dice.below(3) {
                0 => bytes.truncate(at),
                1 => bytes.iter_mut().skip(at).take(9).for_each(|byte| *byte ^= 0x55),
                _ => bytes = b"something else".to_vec(),
            }
            fs::write(site.path(file), bytes).expect("a file of the cache");
            format!(", {file} damaged")
        }
        4 => {
            _ = fs::remove_dir_all(site.path(".stepkin"));
            ", no cache".to_string()
        }
        5 => {
            let mut build = site
                .command(&["build"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            std::thread::sleep(Duration::from_micros(500 * u64::try_from(dice.below(60)).expect("small")));
            build.kill().expect("it is ours");
            build.wait().expect("it ends");
            ", after a build that was killed".to_string()
        }
        6 => {
            let other = site
                .command(&["build"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            site.run(&["build", "--output", "other"]);
            other.wait_with_output().expect("it ends");
            _ = fs::remove_dir_all(site.path("other"));
            ", after two builds at once".to_string()
        }
        7 => {
            site.run(&["check"]);
            ", after a check".to_string()
        }
        8 => {
            // As in CI: the same files, all with new times and inodes.
            for folder in [".stepkin", "dist"] {
                let copy = site.copy_of(&[folder]);
                _ = fs::remove_dir_all(site.path(folder));
                site.take(&copy, folder);
            }
            ", cache and output restored from copies".to_string()
        }
        _ => String::new(),
    }
}

fn files(site: &SiteTest, folder: &str, ending: &str) -> Vec<String> {
    let names = tree(&site.path(folder)).into_keys().map(|name| format!("{folder}/{name}"));
    names.filter(|name| name.ends_with(ending)).collect()
}

/// Fixes what prevents the build: front matter that an edit broke, and pages with the address of another page, which
/// the refused build lists.
fn fix(site: &SiteTest, refused: &Run) {
    for line in refused.stdout.lines() {
        let Some(place) = line.trim().strip_prefix("--> ") else { continue };
        let file = place.split(':').next().unwrap_or(place);
        let text = site.text(file);
        if text.contains(BROKEN) {
            site.write(file, text.replace(BROKEN, "title: "));
        } else {
            std::fs::remove_file(site.path(file)).expect("a page");
        }
    }
}

/// Compares the findings of a check with and without the cache, and of the server.
#[track_caller]
fn check_findings(site: &SiteTest, server: &Server, story: &str) {
    let warm = site.run(&["check", "--format", "json"]);
    let clean = site.run(&["check", "--format", "json", "--no-cache"]);
    let only = |one: &Run, other: &Run| {
        one.stdout.lines().filter(|line| !other.stdout.contains(line)).collect::<Vec<_>>().join("\n")
    };
    let differs = || format!("kept alone:\n{}\nmissing:\n{}", only(&warm, &clean), only(&clean, &warm));
    assert!(warm.stdout == clean.stdout, "{story}: {}", differs());
    assert_eq!(warm.status, clean.status, "{story}");
    let expected = clean.stdout.lines().fold(String::new(), |list, line| list + &listed(line));
    let address = format!("{}/_stepkin/findings", base_path(site));
    let shown = || findings(&server.get(&address).text());
    let what = format!("{story}: the server doesn't find\n{expected}\nbut");
    eventually(shown, |shown| *shown == expected, &what);
}

/// Converts a finding of `check --format json` to the text in the server's list.
fn listed(line: &str) -> String {
    let finding: Value = serde_json::from_str(line).expect("a line of JSON");
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_string();
    let place = if text("file").ends_with(".png") {
        text("file")
    } else {
        format!("{}:{}:{}", text("file"), finding["line"], finding["column"])
    };
    let help = finding["help"].as_str().map_or(String::new(), |help| format!("{help}\n"));
    // Text in backticks is code there.
    format!("{}: {} {}\n{place}\n{help}\n", text("severity"), text("message"), text("code")).replace('`', "")
}

/// Returns the server's list of findings without tags and quoted lines.
fn findings(page: &str) -> String {
    let mut list = String::new();
    for item in page.split("<li class").skip(1).filter_map(|item| item.split("</li>").next()) {
        let (before, after) = item.split_once("<pre>").unwrap_or((item, ""));
        let after = after.split_once("</pre>").map_or(after, |(_, after)| after);
        let paragraphs = [before, after].concat().replace("</strong>", "</strong>:");
        // Other locations have a label.
        let wanted = ["what\">", "place\"><code>", "help\">"];
        let said = paragraphs.split("<p class=\"").skip(1);
        for paragraph in said.filter(|it| wanted.iter().any(|start| it.starts_with(start))) {
            let text = paragraph.split_once('>').map_or(paragraph, |(_, text)| text);
            let text = text.split("</p>").next().unwrap_or_default();
            let text = text
                .split('<')
                .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
                .collect::<String>();
            let text = text
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
            writeln!(list, "{text}").expect("a String takes everything");
        }
        list.push('\n');
    }
    list
}

/// Returns the base path of the site from the configuration.
fn base_path(site: &SiteTest) -> &'static str {
    let config = fs::read_to_string(site.path("stepkin.toml")).unwrap_or_default();
    if config.contains("https://e.org/docs/") { "/docs" } else { "" }
}

/// Returns the server's response at each address in `expected`, without the script that it adds to pages.
pub(crate) fn served(server: &Server, base: &str, expected: &Tree) -> Tree {
    let opening = format!("<script type=\"module\" src=\"{base}/_stepkin/reload.js?");
    let without_script = |page: String| match page.find(&opening) {
        Some(start) => {
            let end = page[start..].find('\n').map_or(page.len(), |end| start + end + 1);
            format!("{}{}", &page[..start], &page[end..])
        }
        None => page,
    };
    let answer = |name: &String| {
        let address = match name.strip_suffix("index.html") {
            Some(folder) => format!("{base}/{folder}"),
            None => format!("{base}/{name}"),
        };
        let answer = server.get(&address);
        let body =
            if name.ends_with(".html") { without_script(answer.text()).into_bytes() } else { answer.body };
        (name.clone(), body)
    };
    expected.keys().map(answer).collect()
}

/// Waits until the server shows the built site.
#[track_caller]
fn check_served(site: &SiteTest, server: &Server, built: &Tree, story: &str) {
    check_served_at(base_path(site), server, built, story);
}

/// Waits until the server shows the built site at a base path.
#[track_caller]
pub(crate) fn check_served_at(base: &str, server: &Server, built: &Tree, story: &str) {
    // Files that publishing adds aren't served.
    let is_shown = |name: &String| !name.starts_with('.');
    let built: Tree = built
        .iter()
        .filter(|(name, _)| is_shown(name))
        .map(|(name, bytes)| (name.clone(), bytes.clone()))
        .collect();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if served(server, base, &built) == built {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    check_same_tree(&served(server, base, &built), &built, story);
}

/// Returns a build's number of findings, without its duration.
fn counts(run: &Run) -> Option<&str> {
    run.stderr.lines().find(|line| line.contains("stepkin check"))
}

#[test]
fn built_again_and_served_equals_a_clean_build() {
    check_edits(&garden(), 20_240_131, EDITS);
}

/// Different edits than above, so that two tests can run in parallel.
#[test]
fn built_again_and_served_is_the_same_after_other_edits() {
    check_edits(&garden(), 20_261_123, EDITS);
}

#[test]
fn built_again_and_served_is_the_same_in_several_languages() {
    check_edits(&translated_garden(), 20_261_125, EDITS / 2);
}

#[track_caller]
fn check_edits(site: &SiteTest, seed: u64, edits: usize) {
    site.run(&["build"]).exits(0);
    let server = Server::start(&site.root(), &["--watch"]);
    let mut dice = Dice(seed);
    let mut refused = 0;
    for round in 0..edits {
        let story = format!("round {round}, {}", edit(site, &mut dice, round));
        let story = format!("{story}{}", mishap(site, &mut dice));
        let before = site.output();
        let warm = site.run(&["build"]);
        let clean = site.run(&["build", "--no-cache", "--output", "clean"]);
        assert_eq!(warm.status, clean.status, "{story}:\n{}{}", warm.stdout, warm.stderr);
        assert_eq!(counts(&warm), counts(&clean), "{story}");
        check_findings(site, &server, &story);
        match warm.status {
            Some(0) => {
                let clean = tree(&site.path("clean"));
                check_same_tree(&site.output(), &clean, &story);
                check_served(site, &server, &clean, &story);
                std::fs::remove_dir_all(site.path("clean")).expect("our own folder");
            }
            Some(1) => {
                refused += 1;
                check_same_tree(&site.output(), &before, &story);
                assert!(!site.path("clean").exists(), "{story}");
                assert_eq!(warm.stdout, clean.stdout, "{story}");
                // Others stay, so that several builds in a row are refused.
                if dice.below(3) > 0 {
                    fix(site, &warm);
                }
            }
            status => panic!("{story}: {status:?}\n{}", warm.stderr),
        }
        if warm.status == Some(0) {
            let names = site.names_in_root();
            assert!(names.iter().all(|name| !name.contains(".stepkin-")), "{story} leaves {names:?}");
            site.run(&["build"]).says("nothing changed");
        }
    }
    assert!((edits / 25..edits / 3).contains(&refused), "{refused} of {edits} edits were refused");
}

/// Relative links differ in a text with all pages.
#[test]
fn links_from_pages_are_right_in_lists_after_an_edit() {
    let site = SiteTest::fixture("platforms");
    site.run(&["build", "--relative"]).exits(0);
    let edited = "content/tour/web/start.md";
    site.write(edited, site.text(edited) + "\nMore.\n");
    site.run(&["build", "--relative"]).exits(0);
    site.run(&["build", "--relative", "--no-cache", "--output", "fresh"]).exits(0);
    check_same_tree(&site.output(), &tree(&site.path("fresh")), "after an edit");
}
