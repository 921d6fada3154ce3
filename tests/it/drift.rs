//! `drift` reports differences between platforms by cause, and nothing if they match.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Run, SiteTest};
use jiff::civil::date;
use proptest::prelude::*;
use serde_json::Value;
use stepkin::base::diagnostic::{Code, Report};
use stepkin::base::site_path::SitePath;
use stepkin::input::source::{Sources, Text};
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::{self, Options};
use stepkin::review::drift::{self, Scope};
use stepkin::site::memo::Memo;

/// A finding of `drift --format json`.
fn findings(site: &SiteTest, arguments: &[&str]) -> Vec<Value> {
    let run = site.run(&[&["drift", "--format", "json"], arguments].concat());
    run.exits(0).json()
}

fn of_code<'a>(findings: &'a [Value], code: &str) -> Vec<&'a Value> {
    findings.iter().filter(|finding| finding["code"] == code).collect()
}

#[test]
fn a_difference_is_reported_once_with_all_its_places() {
    let site = SiteTest::fixture("drift");
    let found = findings(&site, &[]);
    let [value] = of_code(&found, "setting-value")[..] else { panic!("{found:#?}") };
    let data = &value["data"];
    assert_eq!(data["family"], "tour");
    assert_eq!(data["step"], "connect");
    assert_eq!(data["column"], "Value");
    assert_eq!(data["settings"], serde_json::json!(["Send events", "Send views"]));
    assert_eq!(
        data["values"],
        serde_json::json!([
            { "value": "Check", "platforms": ["web", "android"] },
            { "value": "Enabled", "platforms": ["ios"] },
        ])
    );
    assert_eq!(value["file"], "content/tour/ios/connect.md");
    assert_eq!(value["message"], "iOS writes `Enabled` where Web and Android write `Check` (2 settings)");

    let [setting] = of_code(&found, "missing-setting")[..] else { panic!("{found:#?}") };
    assert_eq!(setting["data"]["settings"], serde_json::json!(["Send profiles"]));
    assert_eq!(setting["data"]["platforms_with"], serde_json::json!(["android"]));
    assert_eq!(setting["data"]["platforms_without"], serde_json::json!(["web", "ios"]));

    let wording = of_code(&found, "wording");
    let hour = wording.iter().find(|it| it["data"]["step"] == "connect").expect("the hour is found");
    assert_eq!(hour["data"]["similarity"], 0.71);
    let removed: Vec<_> = hour["data"]["changes"].as_array().expect("changes").iter().collect();
    assert_eq!(removed[1]["removed"], "a minute.");
    assert_eq!(removed[2]["added"], "an hour.");

    let human = site.run(&["drift"]).exits(0).stdout;
    assert!(human.contains("reach the hub within [-a minute.-]{+an hour.+}"), "{human}");
}

#[test]
fn a_family_and_a_step_can_be_picked_and_findings_can_fail() {
    let site = SiteTest::fixture("drift");
    assert!(findings(&site, &["tour", "--step", "verify"]).is_empty());
    assert!(!findings(&site, &["tour", "--step", "connect"]).is_empty());
    site.run(&["drift", "--step", "testing", "--fail-on", "warning"]).exits(1);
    site.run(&["drift", "--step", "testing", "--fail-on", "error"]).exits(0);
}

#[test]
fn a_family_or_a_step_that_is_not_there_is_a_usage_error() {
    let site = SiteTest::fixture("drift");
    site.run(&["drift", "tuor"]).exits(2).says("unknown family `tuor`; did you mean `tour`?");
    site.run(&["drift", "xylophone"]).exits(2).says("unknown family `xylophone`; available: `tour`");
    for arguments in [&["drift", "--step"][..], &["drift", "tour", "--step"], &["unify", "tour"]] {
        let run = |step| site.run(&[arguments, &[step]].concat()).exits(2);
        run("conect").says("unknown step `conect`; did you mean `connect`?");
        run("xylophone").says("unknown step `xylophone`; available: `connect`, `verify`, `testing`, `pair`");
    }
    let site = SiteTest::empty().edit("content/page.md", "---\ntitle: A page\n---\n");
    for arguments in
        [&["drift"][..], &["drift", "tour"], &["unify", "tour", "plan"], &["export", "family", "tour"]]
    {
        site.run(arguments).exits(2).says("no family");
    }
}

/// Returns a site with these pages of the family `tour`: `platform/step`, order and body.
fn tour(pages: &[(&str, u32, &str)]) -> SiteTest {
    pages.iter().fold(SiteTest::empty(), |site, (path, order, body)| {
        let slug = path.rsplit('/').next().unwrap_or_default();
        let page = format!("---\ntitle: The {slug}\norder: {order}\n---\n\n{body}\n");
        site.edit(&format!("content/tour/{path}.md"), page)
    })
}

/// Returns lines with the numbers from 1 to `count`.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (1..=count).map(|at| line(at) + "\n").collect()
}

fn messages(found: &[Value]) -> Vec<&str> {
    found.iter().map(|it| it["message"].as_str().expect("a message")).collect()
}

/// Returns pages of a family without `order`: path and body.
fn unordered(pages: &[(&str, &str)]) -> SiteTest {
    pages.iter().fold(SiteTest::empty(), |site, (path, body)| {
        let page = format!("---\ntitle: A page\n---\n\n{body}\n");
        site.edit(&format!("content/{path}.md"), page)
    })
}

#[test]
fn a_report_begins_with_a_line_for_each_platform() {
    let site = SiteTest::fixture("layout-sections");
    let human = site.run(&["drift"]).exits(0).stdout;
    assert!(human.starts_with("Web: lacks 1 of the 4 steps that other platforms have\n\n"), "{human}");
    let human = SiteTest::fixture("drift").run(&["drift"]).exits(0).stdout;
    let lines: Vec<&str> = human.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        lines,
        [
            "iOS: 1 setting differs, 2 texts differ",
            "Android: lacks 1 of the 3 steps that other platforms have, has 1 step that no other platform has, 2 settings differ, 1 note differs, \
             1 section differs, 2 images or code samples differ",
        ],
        "{human}"
    );
    let same = unordered(&[("ios/a", "Text."), ("web/a", "Text.")]);
    assert!(!same.run(&["drift"]).exits(0).stdout.contains("iOS"));
}

#[test]
fn sections_with_pages_of_the_same_title_are_never_taken_for_each_other() {
    let site = unordered(&[
        ("ios/a", "Text."),
        ("ios/users/overview", "A user has a name."),
        ("web/a", "Text."),
        ("web/crashes/overview", "A crash has a trace."),
    ]);
    let found = findings(&site, &[]);
    assert_eq!(of_code(&found, "wording"), Vec::<&Value>::new());
    let steps: BTreeSet<&str> =
        of_code(&found, "missing-step").iter().filter_map(|it| it["data"]["step"].as_str()).collect();
    assert_eq!(steps, BTreeSet::from(["crashes/overview", "users/overview"]));
    assert_eq!(findings(&site, &["--step", "users/overview"]).len(), 1);
}

#[test]
fn where_languages_differ_code_and_release_notes_do_not() {
    let text = |name: &str, other: &str, more: &str| {
        format!("Call `{name}` before you send [events](../{other}.md), and wait.\n\n{more}\n")
    };
    let site = |ios: &str, go: &str| {
        unordered(&[
            ("ios/a", &text("isReady", "b", ios)),
            ("ios/b", "Text."),
            ("ios/releases", "Version 2 has a new screen."),
            ("go/a", &text("IsReady()", "c", go)),
            ("go/b", "Text."),
            ("go/c", "Text."),
            ("go/releases", "Version 7 is faster."),
        ])
    };
    let same = site("- Go\n- [iOS](a.md)\n", "- iOS\n");
    assert_eq!(of_code(&findings(&same, &[]), "wording"), Vec::<&Value>::new());
    let differing = site("Wait for five minutes.", "Wait for ten minutes.");
    assert_eq!(of_code(&findings(&differing, &[]), "wording").len(), 1);
}

/// Compares pages of a family without `order`, each after the same beginning. `pages` has `platform/step` and the rest.
#[track_caller]
fn check_unordered(pages: &[(&str, &str)], expected: &[&str]) {
    let all: Vec<(&str, String)> = pages
        .iter()
        .map(|(path, rest)| {
            (*path, format!("Install the library before you begin.\n\nThen start your app once.\n\n{rest}"))
        })
        .collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(path, text)| (*path, text.as_str())).collect();
    assert_eq!(messages(&findings(&unordered(&all), &[])), expected);
}

const KEY: &str = "## Get a key\n\nOpen the dashboard and copy the key of your project.\n";
const WAIT: &str = "## Wait\n\nIt takes some time until the first event is shown in the list.\n";

#[test]
fn a_gap_that_other_content_fills_is_none() {
    let own = "## Sign in\n\nCall the server with the address and the password of a user.\n";
    let lacks = "Web lacks the section `Get a key`, which iOS and Android have";
    check_unordered(&[("ios/a", KEY), ("android/a", KEY), ("web/a", "")], &[lacks]);
    check_unordered(&[("ios/a", KEY), ("web/a", own)], &[]);
    // A few words don't fill it, and a section that most platforms have is replaced only by one with a similar title.
    check_unordered(&[("ios/a", KEY), ("android/a", KEY), ("web/a", "## Go\n")], &[lacks]);
    check_unordered(&[("ios/a", KEY), ("android/a", KEY), ("web/a", own)], &[lacks]);
    let akin = own.replace("Sign in", "Key of the server");
    check_unordered(&[("ios/a", KEY), ("android/a", KEY), ("web/a", &akin)], &[]);
    // A heading that repeats the title of the page isn't a section that others lack.
    let titled = |end: &str| format!("---\ntitle: Get a key\n---\n\n{end}");
    check_unordered(&[("ios/a", &titled(KEY)), ("android/a", &titled(KEY)), ("web/a", &titled(own))], &[]);
    check_unordered(
        &[("ios/a", KEY), ("android/a", KEY), ("go/a", KEY), ("web/a", own)],
        &["Web lacks the section `Get a key`, which iOS, Android and Go have"],
    );
    let (text, other) =
        ("Choose a region that is near to your users.", "Name the file of your certificate now.");
    let lacks = "Web lacks `Choose a region that is near to your users.`, which iOS and Android have";
    check_unordered(&[("ios/a", text), ("android/a", text), ("web/a", "")], &[lacks]);
    check_unordered(&[("ios/a", text), ("android/a", text), ("web/a", other)], &[]);
    let lacks = "Web lacks `Choose a region that is near to your users.`, which iOS, Android and Go have";
    check_unordered(&[("ios/a", text), ("android/a", text), ("go/a", text), ("web/a", other)], &[lacks]);
}

#[test]
fn content_at_another_place_of_a_page_is_not_missing() {
    // In another order, in a longer paragraph, and in a section below.
    let [one, other] =
        ["Choose a region that is near to your users.", "Save the file in the folder of the app."];
    let later = "## Later\n\nThis is for the next day.\n";
    let both = format!("{one}\n\n{other}\n\n{later}");
    let same = |web: &str| check_unordered(&[("ios/a", &both), ("android/a", &both), ("web/a", web)], &[]);
    same(&format!("{other}\n\n{one}\n\n{later}"));
    same(&format!("Before it. {one} {other}\n\n{later}"));
    same(&format!("{other}\n\n{later}\n- {one}\n"));
    // Other words in another section are a difference in words.
    let reworded = format!("{later}\nChoose a region that is far from your users.\n");
    let text = format!("{one}\n\n{later}");
    check_unordered(
        &[("ios/a", &text), ("android/a", &text), ("web/a", &reworded)],
        &["Web words `Choose a region that is far from your users.` differently from iOS and Android"],
    );
    // A section at another level and in other forms of the words.
    let sections = format!("## Keys\n\n### Removing a key\n\n{one}\n");
    let other = format!("## Keys\n\n## Remove keys\n\n{one}\n");
    check_unordered(&[("ios/a", &sections), ("android/a", &sections), ("web/a", &other)], &[]);
    // One of two equal texts is missing.
    let twice =
        "## On\n\nPress the button for five seconds.\n\n## Off\n\nPress the button for five seconds.\n";
    let single = "## On\n\nPress the button for five seconds.\n\n## Off\n";
    check_unordered(
        &[("ios/a", twice), ("android/a", twice), ("web/a", single)],
        &["Web lacks `Press the button for five seconds.`, which iOS and Android have"],
    );
}

#[test]
fn missing_parts_of_a_page_are_one_finding() {
    let both = format!("{KEY}\n## Middle\n\nText of both.\n\n{WAIT}");
    let neither = "## Middle\n\nText of both.\n";
    check_unordered(
        &[("ios/a", &both), ("android/a", &both), ("web/a", neither)],
        &["Web lacks the sections `Get a key` and `Wait`, which iOS and Android have"],
    );
    let [one, other] =
        ["Choose a region that is near to your users.", "Save the file in the folder of the app."];
    let texts = format!("{one}\n\n## Middle\n\nText of both.\n\n{other}\n");
    check_unordered(
        &[("ios/a", &texts), ("android/a", &texts), ("web/a", neither)],
        &[&format!("Web lacks 2 texts that iOS and Android have, such as `{one}` and `{other}`")],
    );
}

#[test]
fn pages_with_little_in_common_are_not_compared() {
    let lines = |from: usize| lines(9, |at| format!("## Part {}\n\nWord{} follows.\n", at + from, at + from));
    let site = unordered(&[
        ("ios/a", &lines(0)),
        ("web/a", &lines(20)),
        ("ios/b", "Wait for 5 minutes now."),
        ("web/b", "Wait for 7 minutes now."),
    ]);
    assert_eq!(messages(&findings(&site, &[])), ["Web words `Wait for 7 minutes now.` differently from iOS"]);
}

#[test]
fn content_of_few_platforms_is_counted_and_a_finding_only_for_programs() {
    let site = unordered(&[
        ("ios/a", &format!("Text.\n\n{KEY}")),
        ("android/a", "Text."),
        ("web/a", "Text."),
        ("web/b", "Text."),
    ]);
    let message = "content that only a few platforms have: Web (1 step) and iOS (1 section), such as `Get a key` and `b`";
    assert_eq!(messages(&findings(&site, &[])), [message]);
    for command in [&["drift"][..], &["check", "--drift"]] {
        let human =
            |more: &[&str]| site.run(&[command, &["--format", "human"], more].concat()).stdout.clone();
        assert!(!human(&[]).contains(message) && !human(&["--all"]).contains(message), "{command:?}");
    }
    let human = site.run(&["drift"]).exits(0).stdout;
    assert!(
        human.contains("Web: has 1 step of its own\niOS: has a section of its own: `Get a key`"),
        "{human}"
    );
}

#[test]
fn names_and_other_words_for_the_same_make_no_difference_between_platforms() {
    let same = |ios: &str, web: &str| check_unordered(&[("ios/a", ios), ("web/a", web)], &[]);
    same(
        "Next, call the method `loadAll()` at the end of the file, and wait until the list is shown.",
        "Next, call `LoadEverything` at the end of the file, and wait until the list is shown.",
    );
    same(
        "This tutorial shows how you add a list of all events to your app in iOS.",
        "This tutorial shows how you add a list of all events to your app with Vite.",
    );
    same(
        "The method will raise an error if the signature of the request is not valid for the key.",
        "The method will throw an error if the signature of the request is not valid for the key.",
    );
    same(
        "You may also want to see the following example of how the first event is sent to the server.",
        "You might want to see the example of how our first event is sent to the server.",
    );
    // Of two platforms, none is known to be outdated.
    same(
        "The extension is set to be send audio to the main app.",
        "The extension is set to send audio to the main app.",
    );
    same(
        "The page is there and need not be created by you.",
        "The page is there and need not be recreated by you.",
    );
    let differs = |ios: &str, web: &str| {
        let message = format!("Web words `{web}` differently from iOS");
        check_unordered(&[("ios/a", ios), ("web/a", web)], &[&message]);
    };
    differs(
        "Wait 15 minutes until the first event is shown.",
        "Wait 5 minutes until the first event is shown.",
    );
    // Most platforms agree in a word.
    let raise = "The method will raise an error if the signature is not valid.";
    let throw = "The method will throw an error if the signature is not valid.";
    check_unordered(
        &[("ios/a", raise), ("android/a", raise), ("web/a", throw)],
        &[&format!("Web words `{}…` differently from iOS and Android", &throw[..54])],
    );
}

#[test]
fn a_number_or_a_name_that_only_one_of_several_platforms_has_was_forgotten() {
    let three = |web: &str, others: &str, expected: &[&str]| {
        check_unordered(&[("ios/a", others), ("android/a", others), ("web/a", web)], expected);
    };
    let [old, new] = ["It runs on Lampos 10.14 (Dusk) or above.", "It runs on Lampos 11 (Dawn) or above."];
    three(old, new, &[&format!("Web words `{old}` differently from iOS and Android")]);
    check_unordered(&[("ios/a", new), ("web/a", old)], &[]);
    // Each platform has its own version.
    three("It needs the lamp in version 2.1 or higher.", "It needs the lamp in version 3.0 or higher.", &[]);
    // A name that the page has in another way, and one that is the platform's.
    let returns = |name: &str, code: &str| {
        format!(
            "The call returns a `{name}` for the lamp.\n\n```proto\nrpc On (Lamp) returns ({code})\n```\n"
        )
    };
    let others = returns("LampReply", "LampReply");
    three(
        &returns("LampResponse", "LampReply"),
        &others,
        &["Web has `LampResponse` where iOS and Android have `LampReply`"],
    );
    three(&returns("LampResponse", "LampResponse"), &others, &[]);
}

#[test]
fn a_sentence_below_the_same_heading_with_most_of_its_words_is_not_missed() {
    let section = |text: &str| format!("## Start it\n\nOpen the lamp and wait for a moment.\n\n{text}\n");
    let others = section("From another terminal, switch the lamp:");
    let web = section("From a different terminal, compile and switch on a lamp to see the output:");
    check_unordered(&[("ios/a", &others), ("android/a", &others), ("web/a", &web)], &[]);
    let web = section("");
    check_unordered(
        &[("ios/a", &others), ("android/a", &others), ("web/a", &web)],
        &["Web lacks `From another terminal, switch the lamp:`, which iOS and Android have"],
    );
}

#[test]
fn contents_counts_and_sentences_of_another_paragraph_are_no_differences() {
    let section = "## Start it\n\nOpen the lamp.\n\n## Stop it\n\nClose the lamp.\n\n";
    let contents = format!("## Contents\n\n1. [Start it](#start-it)\n2. [Stop it](#stop-it)\n\n{section}");
    let other = contents.replace("Contents", "Table of contents").replace("1. [", "1. 4.1. [");
    check_unordered(&[("ios/a", &contents), ("android/a", &contents), ("web/a", section)], &[]);
    check_unordered(&[("ios/a", &contents), ("android/a", &contents), ("web/a", &other)], &[]);
    let ways = |number: &str, end: &str| {
        format!("## Build it\n\nThe program supports {number} formats of packages{end}\n\n- One\n")
    };
    check_unordered(&[("ios/a", &ways("two", ":")), ("web/a", &ways("three", ":"))], &[]);
    let text = ways("two", ".");
    check_unordered(
        &[("ios/a", &text), ("android/a", &text), ("web/a", &ways("three", "."))],
        &["Web words `The program supports three formats of packages.` differently from iOS and Android"],
    );
    let path = "The option is the path of the file. ";
    let whole = format!("## Path\n\n{path}Change directories into this new folder.\n\nThen go on.\n");
    let divided = format!("## Path\n\n{path}\n\nThen go on. Change directories into this new folder.\n");
    let lacking = format!("## Path\n\n{path}\n\nThen go on.\n");
    let pages = |web: &str| -> Vec<Value> {
        let pages = [("ios/a", &*whole), ("android/a", &*whole), ("go/a", &*whole), ("web/a", web)];
        findings(&unordered(&pages), &[])
    };
    assert_eq!(messages(&pages(&divided)), Vec::<&str>::new());
    assert_eq!(pages(&lacking).len(), 1);
    // Spaces between Chinese words and names don't matter.
    let spaced = "## 部署\n\n通过 sls 命令进行部署，并可以添加 debug 参数查看部署过程中的信息。\n";
    check_unordered(
        &[("ios/a", spaced), ("android/a", spaced), ("web/a", &spaced.replace("sls ", "sls"))],
        &[],
    );
}

#[test]
fn several_steps_that_one_of_two_platforms_has_are_its_own() {
    let pages = ["a", "b", "c", "d"].map(|name| (format!("ios/{name}"), "Open the lamp with the switch."));
    let mut pages: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (&**path, *text)).collect();
    pages.extend([("web/a", "Open the lamp with the switch."), ("web/b", "Open the lamp with the switch.")]);
    let lacks = "Web has 2 of the 4 steps that iOS has: it lacks the steps `A page` and `A page`";
    assert_eq!(messages(&findings(&unordered(&pages), &[])), [lacks]);
    pages.extend([("ios/e", "Open the lamp with the switch."), ("ios/f", "Open the lamp with the switch.")]);
    let own = "content that only one platform has: iOS (4 steps), such as `c`";
    assert_eq!(messages(&findings(&unordered(&pages), &[])), [own]);
}

#[test]
fn a_step_is_not_missing_if_the_platform_has_a_page_of_its_name() {
    let build =
        "Run the command that builds the lamp, read each error, correct the cause, and build it again.";
    let review =
        "Open the change, read every line of it twice, and write a comment about each mistake in there.";
    let other =
        "Questions about memory, threads, templates, undefined behavior, headers, compilers, and linkers.";
    let platforms = ["swift", "rust", "go", "cpp"];
    let builds = platforms.map(|it| (format!("agents/{it}-build"), build));
    let reviews = platforms[..3].iter().map(|it| (format!("agents/{it}-review"), review));
    let mut pages: Vec<(String, &str)> = builds.into_iter().chain(reviews).collect();
    let found = |pages: &[(String, &str)]| {
        let pages: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let found = findings(&unordered(&pages), &[]);
        messages(&found).iter().filter(|it| it.contains("lacks the step")).count()
    };
    assert_eq!(found(&pages), 1);
    pages.push(("agents/cpp-review".to_string(), other));
    assert_eq!(found(&pages), 0);
}

#[test]
fn code_above_the_first_heading_is_not_missed_on_a_page_that_begins_with_one() {
    let code = "```sh\nlamp open\n```\n";
    let (above, below) = (format!("{code}\n## More\n"), format!("## How to open it\n\n{code}\n## More\n"));
    let own = "content that only one platform has: Web (1 section), such as `How to open it`";
    check_unordered(&[("ios/a", &above), ("android/a", &above), ("web/a", &below)], &[own]);
    check_unordered(
        &[("ios/a", &above), ("android/a", &above), ("web/a", "## More\n")],
        &["Web lacks code above the first heading, which iOS and Android have"],
    );
}

#[test]
fn code_with_a_heading_of_its_own_is_not_missed() {
    let open = "## Open it\n\nRun this command in the folder of your app to open the lamp.\n\n";
    let code = "```sh\nlamp open\n```\n";
    let (ios, web) = (format!("{open}{code}"), format!("{open}#### Command\n\n{code}"));
    let own = "content that only one platform has: Web (1 section), such as `Command`";
    check_unordered(&[("ios/a", &ios), ("android/a", &ios), ("web/a", &web)], &[own]);
    check_unordered(
        &[("ios/a", &ios), ("android/a", &ios), ("web/a", open)],
        &["Web lacks code in the section `Open it`, which iOS and Android have"],
    );
}

#[test]
fn code_that_each_platform_has_is_not_missed() {
    let code = "## getAuth()\n\nReturns the user of a request.\n";
    check_unordered(&[("ios/a", code), ("android/a", code), ("web/a", "")], &[]);
    let named = |name: &str| format!("Open the file {name} in your editor and add the key.");
    let (ios, android) = (named("`App.swift`"), named("`App.kt`"));
    check_unordered(&[("ios/a", &ios), ("android/a", &android), ("web/a", "")], &[]);
    let (ios, android) = ("## Set it up on iOS\n\nText one.\n", "## Set it up on Android\n\nText one.\n");
    check_unordered(&[("ios/a", ios), ("android/a", android), ("web/a", "")], &[]);
}

#[test]
fn a_part_missing_on_a_platform_is_reported_once() {
    let crashes = "## Report crashes\n\nSwitch it on.\n\n## See a crash\n\nOpen the list.\n";
    let page = |sentence: &str, rest: &str| {
        format!("{sentence}\n\n- A list of all events\n- Crashes of the app\n\n{rest}")
    };
    let (with, without) =
        ("All reports of users and crashes are sent to you.", "All reports of users are sent to you.");
    let all = page(with, crashes);
    let other = format!("{without}\n\n- A list of all events\n");
    check_unordered(
        &[("ios/a", &all), ("android/a", &all), ("web/a", &other)],
        &["Web lacks the sections `Report crashes` and `See a crash`, which iOS and Android have"],
    );
    // Without the sections, nothing explains it.
    let (all, other) = (page(with, ""), format!("{without}\n\n- A list of all events\n"));
    let found = findings(&unordered(&[("ios/a", &all), ("android/a", &all), ("web/a", &other)]), &[]);
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn another_term_is_one_finding() {
    let text = |term: &str| {
        format!(
            "Your {term} needs a key before it can answer you.\n\nStart the {term} with this command in your terminal.\n\n\
             Then ask the {term} about the weather in your town.\n"
        )
    };
    let (bot, agent) = (text("chatbot"), text("agent"));
    check_unordered(
        &[("ios/a", &bot), ("android/a", &bot), ("web/a", &agent)],
        &[
            "Web words `Your agent needs a key before it can answer you.` differently from iOS and Android, and 2 other texts in the same way",
        ],
    );
    let more =
        |term: &str, other: &str| format!("{}\nThe {other} of the {term} is kept for an hour.\n", text(term));
    let (bot, agent) = (more("chatbot", "answer"), more("agent", "response"));
    let again =
        |text: &str, other: &str| format!("{text}\nAn {other} is short.\n\nEach {other} costs money.\n");
    let (bot, agent) = (again(&bot, "answer"), again(&agent, "response"));
    check_unordered(
        &[("ios/a", &bot), ("android/a", &bot), ("web/a", &agent)],
        &["Web uses `response` instead of `answer` and `agent` instead of `chatbot` (6 texts)"],
    );
}

#[test]
fn a_screenshot_that_most_platforms_have_is_missed_on_the_others() {
    let images = |number: usize| lines(number, |at| format!("![Screen {at}](/images/list{at}.svg)\n"));
    let (two, one) = (images(2), images(1));
    let section = "the text above the first heading has a different number of images";
    check_unordered(
        &[("ios/a", &two), ("android/a", &two), ("web/a", &one)],
        &[&format!("{section}: 2 on iOS and Android, 1 on Web")],
    );
    check_unordered(&[("ios/a", &one), ("android/a", &one), ("web/a", &two)], &[]);
    check_unordered(&[("ios/a", &one), ("web/a", &two)], &[]);
}

#[test]
fn a_step_that_few_platforms_have_is_not_missed_on_the_others() {
    let page = |path| (path, "Text.");
    let platforms = ["ios/a", "android/a", "web/a", "go/a"].map(page);
    let of = |more: &[&'static str]| {
        let site = unordered(&[&platforms[..], &more.iter().copied().map(page).collect::<Vec<_>>()].concat());
        let found: Vec<Value> =
            findings(&site, &[]).into_iter().filter(|it| it["data"]["own"].is_null()).collect();
        messages(&found).into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(of(&["ios/b", "android/b"]), Vec::<String>::new());
    assert_eq!(
        of(&["ios/b", "android/b", "web/b"]),
        ["Go lacks the step `A page`, which Web, iOS and Android have"]
    );
}

#[test]
fn a_long_report_begins_with_the_most_important_differences() {
    let body = |minutes: &dyn Fn(usize) -> usize| {
        lines(12, |at| {
            format!("Wait {} minutes until the event number {at} of the list is shown.\n", minutes(at))
        })
    };
    let site = unordered(&[("ios/a", &body(&|at| at)), ("web/a", &body(&|at| 30 + at * at))]);
    let human = site.run(&["drift"]).exits(0).stdout;
    assert_eq!(human.matches("\ninfo[wording]: ").count(), 10, "{human}");
    assert!(human.lines().count() < 60, "{human}");
    for part in [
        "\n  content/web/a.md:5\n  content/ios/a.md:5\n  = Wait [-1-] {+31+} minutes until the event number…\n\n",
        "the first 10 of 12 differences, the most important ones: add `--all` to list them",
    ] {
        assert!(human.contains(part), "no {part} in {human}");
    }
    assert_eq!(site.run(&["drift", "--all"]).exits(0).stdout.matches("\ninfo[wording]: ").count(), 12);
}

#[test]
fn lists_of_steps_have_a_heading_for_each_section() {
    let site = SiteTest::fixture("layout-sections").build();
    let page = site.page("/docs/ios/users/overview/");
    page.shows("<p class=\"section\">Users</p>\n<ol start=\"4\">").shows("<p class=\"section\">Events</p>");
    site.page("/docs/").shows("<h3>Users</h3>");
    site.page("/docs/compare/").shows("colspan=\"4\">Users</th>");
}

#[test]
fn steps_that_a_platform_lacks_are_one_finding_for_it() {
    let steps = ["plan", "install", "connect", "verify", "ship"];
    let mut pages: Vec<(String, u32)> = Vec::new();
    for (order, step) in (1..).zip(steps) {
        pages.extend(["web", "ios", "android"].map(|platform| (format!("{platform}/{step}"), order)));
    }
    pages.push(("xamarin/install".to_string(), 2));
    pages.push(("web/cache".to_string(), 6));
    pages.push(("web/debug".to_string(), 7));
    let pages: Vec<(&str, u32, &str)> =
        pages.iter().map(|(path, order)| (path.as_str(), *order, "Text.")).collect();
    let site = tour(&pages);
    let found = findings(&site, &["--step", "plan"]);
    assert_eq!(messages(&found), ["Xamarin lacks the step `The plan`, which Web, iOS and Android have"]);
    let found = findings(&site, &[]);
    assert_eq!(
        messages(&found),
        [
            "only Web has the steps `The cache` and `The debug`: iOS, Android and Xamarin don't",
            "Xamarin has 1 of the 5 steps that others have: it lacks the steps `The plan`, `The connect`, `The verify` and 1 more",
        ]
    );
    let xamarin = &found[1];
    assert_eq!(xamarin["file"], "content/tour/web/plan.md", "a page that has the step");
    assert_eq!(xamarin["data"]["steps"], serde_json::json!(["plan", "connect", "verify", "ship"]));
    assert_eq!(xamarin["data"]["platforms_without"], serde_json::json!(["xamarin"]));
    assert_eq!(xamarin["related"].as_array().map(Vec::len), Some(10), "of twelve pages");
    // The page of the finding isn't repeated.
    assert_eq!(found[0]["file"], "content/tour/web/cache.md");
    let others = found[0]["related"].as_array().expect("places");
    assert_eq!(others.iter().map(|it| &it["file"]).collect::<Vec<_>>(), ["content/tour/web/debug.md"]);
    // The suggested help works.
    let help = xamarin["help"].as_str().expect("help");
    assert!(help.contains("`file = \"content/tour/web/plan.md\"`"), "{help}");
    let ignore = "[[check.ignore]]\ncode = \"missing-step\"\nfile = \"content/tour/web/plan.md\"\nreason = \"later\"\n";
    let accepted = site.edit("stepkin.toml", ignore);
    assert_eq!(findings(&accepted, &[]).len(), 1);
    let accept = "drift: {allow: [missing-step], reason: only the browser has one}\n---\n\nText.\n";
    let site = accepted.replace("content/tour/web/cache.md", "---\n\nText.\n", accept);
    assert_eq!(
        messages(&findings(&site, &[])),
        ["only Web has the step `The debug`: iOS, Android and Xamarin don't"]
    );
    let page = site.run(&["drift", "--html", "report.html"]).exits(0);
    assert!(page.stderr.contains("wrote 1 difference to `report.html`"), "{}", page.stderr);
}

#[test]
fn steps_that_a_platform_alone_has_do_not_count_for_what_it_lacks() {
    let site = tour(&[
        ("web/a", 1, ""),
        ("web/b", 2, ""),
        ("web/c", 3, ""),
        ("ios/a", 1, ""),
        ("ios/d", 4, "It is another one."),
    ]);
    let found = findings(&site, &[]);
    let lacks = "iOS has 1 of the 3 steps that Web has: it lacks the steps `The b` and `The c`";
    assert!(messages(&found).contains(&lacks), "{found:#?}");
    // An acceptance that has ended is mentioned.
    let accept = "order: 2\ndrift: {allow: [missing-step], reason: later, until: 2001-01-31}\n";
    let site = site.replace("content/tour/web/b.md", "order: 2\n", accept);
    let found = findings(&site, &[]);
    let help = found.iter().find(|it| it["message"] == lacks).and_then(|it| it["help"].as_str());
    assert!(help.is_some_and(|help| help.ends_with("; it was allowed until 2001-01-31")), "{help:?}");
}

#[test]
fn the_report_shows_findings_about_several_steps() {
    let site = tour(&[("web/a", 1, ""), ("web/b", 2, ""), ("web/c", 3, ""), ("ios/a", 1, "")]);
    site.run(&["drift", "--html", "report.html"]).exits(0);
    let html = site.text("report.html");
    for part in [
        "<section class=\"group\" id=\"tour-steps\">\n<h3>Steps <small>1 difference</small></h3>",
        "iOS has 1 of the 3 steps that Web has",
    ] {
        assert!(html.contains(part), "no {part} in {html}");
    }
}

#[test]
fn a_note_that_both_have_in_other_words_is_one_finding() {
    let note = |text: &str| format!("> [!NOTE]\n> {text}\n\n");
    let ours = note("Building iOS apps is beyond this tutorial: see the documentation of Apple for it.");
    let theirs = note("Building web apps is beyond this tutorial: see the documentation of React for it.");
    let apart = [
        ("web/a", 1, format!("## One\n\nText.\n\n## Two\n\n{theirs}")),
        ("ios/a", 1, format!("## One\n\n{ours}Text.\n\n## Two\n")),
    ];
    let pages: Vec<_> = apart.iter().map(|(path, order, body)| (*path, *order, body.as_str())).collect();
    let found = findings(&tour(&pages), &[]);
    let [only] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(
        only["message"],
        "Web words the note `Building web apps is beyond this tutorial: see the…` differently from iOS"
    );
    // Two with different texts are two findings.
    let other = note("Your key is secret.");
    let apart =
        [("web/a", 1, format!("## One\n\n{other}Text.\n")), ("ios/a", 1, format!("## One\n\n{ours}Text.\n"))];
    let pages: Vec<_> = apart.iter().map(|(path, order, body)| (*path, *order, body.as_str())).collect();
    assert_eq!(of_code(&findings(&tour(&pages), &[]), "missing-note").len(), 2);
}

#[test]
fn a_note_that_is_missing_in_several_steps_is_one_finding() {
    let note = |text: &str| format!("## One\n\nText.\n\n> [!NOTE]\n> {text}\n");
    let (key, other) = (note("Your key is secret."), note("It may take an hour."));
    let bare = "## One\n\nText.\n";
    let twice = format!("{key}\n## Two\n\nMore.\n\n> [!NOTE]\n> Your key is secret.\n");
    let bare_twice = format!("{bare}\n## Two\n\nMore.\n");
    let site = tour(&[
        ("web/a", 1, &key),
        ("web/b", 2, &twice),
        ("web/c", 3, &other),
        ("ios/a", 1, bare),
        ("ios/b", 2, &bare_twice),
        ("ios/c", 3, bare),
        ("android/a", 1, bare),
        ("android/b", 2, &bare_twice),
        ("android/c", 3, bare),
    ]);
    let found = findings(&site, &[]);
    assert_eq!(
        messages(&found),
        [
            "only Web has the note `Your key is secret.`: iOS and Android don't (3 places)",
            "only Web has the note `It may take an hour.`: iOS and Android don't",
        ]
    );
    let first = &found[0];
    assert_eq!(first["file"], "content/tour/web/a.md");
    assert_eq!(first["data"]["steps"], serde_json::json!(["a", "b"]));
    assert!(first["data"]["step"].is_null());
    let places = first["related"].as_array().expect("places").iter();
    let more: Vec<_> = places.filter(|it| it["label"] == "and here").map(|it| &it["line"]).collect();
    assert_eq!(more, [10, 17]);
    // With `--step`, it is only about that step.
    let found = findings(&site, &["--step", "b"]);
    assert_eq!(found[0]["data"]["step"], "b");
    assert_eq!(found.len(), 1);
    // Notes that other platforms lack, or that are accepted, aren't part of it.
    let site = site.edit("content/tour/ios/b.md", format!("---\ntitle: The b\norder: 2\n---\n\n{twice}"));
    assert_eq!(of_code(&findings(&site, &[]), "missing-note").len(), 3);
    let accept = "order: 1\ndrift: {allow: [missing-note], reason: own}\n";
    let site = site.replace("content/tour/web/a.md", "order: 1\n", accept);
    let found = findings(&site, &[]);
    assert_eq!(
        messages(&found)[0],
        "Android lacks the note `Your key is secret.`, which Web and iOS have (2 places)"
    );
}

#[test]
fn a_missing_section_includes_only_those_in_it() {
    let web = "## One\n\nA.\n\n## Two\n\nB.\n\n### In two\n\nC.\n\n## Three\n\nD.\n";
    let found = findings(&tour(&[("web/a", 1, web), ("ios/a", 1, "## One\n\nA.\n")]), &[]);
    let sections = of_code(&found, "missing-section");
    let names: Vec<&Value> = sections.iter().map(|it| &it["data"]["heading"]).collect();
    assert_eq!(names, ["Two", "Three"], "{found:#?}");
}

#[test]
fn notes_that_begin_alike_are_two() {
    let note = |end: &str| {
        format!(
            "> [!NOTE]\n> Your key is secret, so keep it for yourself and never put it into a file {end}.\n"
        )
    };
    let (page, script) = (note("of the page"), note("of a script"));
    let site = tour(&[("web/a", 1, &page), ("web/b", 2, &script), ("ios/a", 1, ""), ("ios/b", 2, "")]);
    assert_eq!(of_code(&findings(&site, &[]), "missing-note").len(), 2);
}

#[test]
fn a_note_that_the_others_have_as_plain_text_is_reported_as_such() {
    let note = "## One\n\n> [!NOTE]\n> Your key is secret, so keep it for yourself.\n";
    let text = "## One\n\nYour key is secret, so keep it for yourself.\n";
    let found = findings(&tour(&[("web/a", 1, text), ("ios/a", 1, note), ("android/a", 1, text)]), &[]);
    assert_eq!(
        messages(&found),
        [
            "Web and Android contain the text of a note on iOS without the note: `Your key is secret, so keep it for yourself.`"
        ]
    );
    assert!(found[0]["help"].as_str().is_some_and(|help| help.starts_with("use a note on every platform")));
}

#[test]
fn a_difference_that_many_places_repeat_is_one_finding() {
    let rows = |value: &dyn Fn(usize) -> String, app: &str| -> String {
        let row =
            |at| format!("| Option {at} | {} | Whether part {at} is sent from the {app}. |\n", value(at));
        let table = "| Setting | Value | Description |\n| --- | --- | --- |\n";
        format!("{table}{}\n", (1..=20).map(row).collect::<String>())
    };
    let text = |app: &str| -> String {
        lines(5, |at| format!("{at}. Open the {app} and choose the entry number {at} of it."))
    };
    let web = rows(&|at| format!("{at}00"), "page") + &text("page");
    let ios = rows(&|_| String::new(), "screen") + &text("screen");
    let found = findings(&tour(&[("web/a", 1, &web), ("ios/a", 1, &ios)]), &[]);
    assert_eq!(
        messages(&found),
        [
            "iOS describes 20 settings differently from Web",
            "iOS words `Open the screen and choose the entry number 1 of it.` differently from Web, and 4 other texts in the same way",
            "iOS writes nothing where Web writes a value (20 settings)",
        ]
    );
    assert_eq!(found[1]["data"]["more"].as_array().map(Vec::len), Some(4));
    assert_eq!(found[0]["data"]["settings"].as_array().map(Vec::len), Some(20));
    assert_eq!(
        found[0]["related"].as_array().map(Vec::len),
        Some(11),
        "the other, and the first of those more"
    );
}

#[test]
fn a_value_that_only_one_platform_writes_is_one_finding_for_all_settings() {
    let page = |value: &str| {
        let row = |at| format!("| Option {at} | {value} | Whether part {at} is sent. |\n");
        let rows: String = (1..=2).map(row).collect();
        format!("| Setting | Value | Description |\n| --- | --- | --- |\n{rows}")
    };
    let (written, empty) = (page("on"), page(""));
    let site = tour(&[("web/a", 1, &empty), ("ios/a", 1, &written), ("android/a", 1, &empty)]);
    let expected = ["iOS writes a value where Web and Android write nothing (2 settings)"];
    assert_eq!(messages(&findings(&site, &[])), expected);
}

#[test]
fn the_smallest_differences_come_first() {
    let body = |wait: &str, key: &str, value: &str, why: &str, text: &str, rest: &str| {
        format!(
            "Wait for {wait} minutes until the events are there.\n\nOpen the {key} of your new project now.\n\n\
             | Setting | Value | Description |\n| --- | --- | --- |\n| Status | {value} | {why} |\n\n{text}\n\n{rest}"
        )
    };
    let web = body(
        "5",
        "key",
        "On",
        "Sends all.",
        "Choose a filter from the long list at the left, and save it.",
        "## More\n\nText.\n",
    );
    let ios = body(
        "15",
        "token",
        "Off",
        "Nothing is kept.",
        "Choose a filter from the short menu, and then go on with it.",
        "",
    );
    let site = tour(&[("web/a", 1, &web), ("ios/a", 1, &ios), ("web/b", 2, "")]);
    let found = findings(&site, &[]);
    let codes: Vec<&str> = found.iter().map(|it| it["code"].as_str().expect("a code")).collect();
    assert_eq!(
        codes,
        [
            "wording",
            "wording",
            "setting-value",
            "wording",
            "setting-description",
            "missing-section",
            "missing-step"
        ]
    );
    assert!(messages(&found)[0].contains("Wait for"), "a number comes before a word: {found:#?}");
    let ranks: Vec<u64> = found.iter().map(|it| it["data"]["rank"].as_u64().expect("a rank")).collect();
    assert!(ranks.is_sorted() && ranks[0] == 1 && ranks[1] == 501, "{ranks:?}");
    let check = site.run(&["check", "--drift", "--format", "json"]).stdout;
    let ranked = check.lines().filter(|line| line.contains("\"rank\":")).count();
    assert_eq!(ranked, found.len(), "{check}");
}

#[test]
fn rules_of_english_are_not_used_for_other_languages() {
    let site =
        tour(&[("web/a", 1, "Das Wasser kann an die Karte."), ("ios/a", 1, "Das Waser kann a die Karte.")]);
    assert!(findings(&site, &[]).is_empty());
    let site = site.edit("stepkin.toml", "language = \"de-AT\"\n");
    assert_eq!(findings(&site, &[]).len(), 1);
}

#[test]
fn declared_equivalents_are_not_differences() {
    let site = SiteTest::fixture("drift").edit("stepkin.toml", "[drift]\nvalues = [['Check', 'Enabled']]\n");
    assert!(of_code(&findings(&site, &[]), "setting-value").is_empty());
    let site =
        SiteTest::fixture("drift").edit("stepkin.toml", "[drift]\nwords = [['a minute', 'an hour']]\n");
    assert!(of_code(&findings(&site, &["--step", "connect"]), "wording").is_empty());
}

#[test]
fn a_difference_is_accepted_on_the_page_that_differs_until_its_day() {
    let accept = |drift: &str| {
        let path = "content/tour/ios/connect.md";
        let order = format!("order: 1\ndrift: {drift}\n");
        findings(&SiteTest::fixture("drift").replace(path, "order: 1\n", &order), &["--step", "connect"])
    };
    let values = |found: &[Value]| of_code(found, "setting-value").len();
    assert_eq!(values(&accept("{allow: [setting-value], reason: its screen says so}")), 0);
    assert_eq!(values(&accept("{allow: [setting-value], reason: later, until: 2999-01-31}")), 0);
    // With a name, only that setting is accepted.
    let found = accept("{allow: [{setting-value: Send views}], reason: its screen says so}");
    let [value] = of_code(&found, "setting-value")[..] else { panic!("{found:#?}") };
    assert_eq!(value["data"]["settings"], serde_json::json!(["Send events"]));
    // It ends.
    let found = accept("{allow: [setting-value], reason: for now, until: 2001-01-31}");
    let [value] = of_code(&found, "setting-value")[..] else { panic!("{found:#?}") };
    assert!(value["help"].as_str().expect("help").ends_with("; it was allowed until 2001-01-31"));
    // An unused acceptance is reported.
    let found = accept("{allow: [missing-step], reason: it has them all}");
    assert_eq!(of_code(&found, "unused-suppression").len(), 1);
    // Another platform's difference stays.
    let found = accept("{allow: [setting-description], reason: own words}");
    assert_eq!(of_code(&found, "setting-description").len(), 1);
}

/// A difference that is accepted until a date is accepted on that date.
#[test]
fn an_acceptance_ends_after_its_day() {
    let until = "order: 1\ndrift: {allow: [setting-value], reason: for now, until: 2027-01-31}\n";
    let site = SiteTest::fixture("drift").replace("content/tour/ios/connect.md", "order: 1\n", until);
    let sources = stepkin::input::source::read(&site.root()).expect("a fixture");
    let (work, _) = pipeline::plan(sources, &Options::default(), &Cache::default()).expect("a fixture");
    let codes = |today| {
        let step = Some("connect".to_string());
        let report = drift::find(&work, &Scope { step, ..Scope::everything(today) }, &Memo::default());
        let count = |code| report.iter().filter(|it| it.problem.code == code).count();
        (count(Code::SettingValue), count(Code::UnusedSuppression))
    };
    assert_eq!(codes(date(2027, 1, 30)), (0, 0));
    assert_eq!(codes(date(2027, 1, 31)), (0, 0));
    assert_eq!(codes(date(2027, 2, 1)), (1, 0));
    // An unnecessary acceptance is reported as long as it is valid.
    let site = site.replace("content/tour/ios/connect.md", "[setting-value]", "[missing-step]");
    let sources = stepkin::input::source::read(&site.root()).expect("a fixture");
    let (work, _) = pipeline::plan(sources, &Options::default(), &Cache::default()).expect("a fixture");
    let unused = |today| {
        let found = drift::find(&work, &Scope::everything(today), &Memo::default());
        found.iter().filter(|it| it.problem.code == Code::UnusedSuppression).count()
    };
    assert_eq!([date(2027, 1, 31), date(2027, 2, 1)].map(unused), [1, 0]);
}

#[test]
fn an_acceptance_that_cannot_be_read_is_reported_by_check() {
    for (drift, message) in [
        ("{allow: [setting-valeu], reason: x}", "`setting-valeu` is not a `drift` rule"),
        ("{allow: [setting-value]}", "`drift` is ignored because it has no reason"),
        ("{allow: [setting-value], reason: x, until: soon}", "`until` is `soon`, which is not a date"),
        ("{alow: [setting-value], reason: x}", "`drift` has no key `alow`"),
        ("yes", "`drift` needs `allow`, `reason`, and optionally `until`"),
    ] {
        let order = format!("order: 2\ndrift: {drift}\n");
        let site = SiteTest::fixture("drift").replace("content/tour/ios/verify.md", "order: 2\n", &order);
        let run = site.run(&["check", "content/tour/ios/verify.md"]);
        assert!(run.stdout.contains(message), "{}", run.stdout);
    }
}

#[test]
fn the_report_is_one_self_contained_page() {
    let site = SiteTest::fixture("drift");
    let run = site.run(&["drift", "--html", "report.html"]).exits(0);
    assert!(run.stdout.is_empty() && run.stderr.contains("differences to `report.html`"), "{}", run.stderr);
    let html = site.text("report.html");
    for part in [
        "<td class=\"missing\"><span aria-hidden=\"true\">·</span><span class=\"unseen\">missing</span></td>",
        "<td class=\"agrees\"><span aria-hidden=\"true\">=</span>",
        "<td class=\"differs\">",
        "<del>a minute.</del> <ins>an hour.</ins>",
        "iOS writes “Enabled” where Web and Android write “Check” (2 settings)",
        "<code>content/tour/ios/connect.md:13</code>",
    ] {
        assert!(html.contains(part), "no {part} in {html}");
    }
    for outside in ["src=", "<link", "http://", "https://"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

/// Returns the drift of a site with these pages: `platform/step` and body.
fn drift_of(pages: &[(String, String)]) -> Report {
    let mut sources = Sources::default();
    for (path, body) in pages {
        let path: SitePath = format!("content/tour/{path}.md").as_str().into();
        let text = format!("---\ntitle: One\norder: 1\n---\n\n{body}");
        sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
    }
    let cache = Cache::default();
    let (work, _) = pipeline::plan(sources, &Options::default(), &cache).expect("a site in memory");
    drift::find(&work, &Scope::everything(date(2026, 1, 1)), &cache.memo)
}

/// The facts of findings about pairs of platforms: rule, the pair, and the differing words, in order.
type Facts = BTreeMap<(Code, String, String), Vec<String>>;

fn facts(report: &Report) -> Facts {
    let mut facts = Facts::new();
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|it| it.as_str()).map(str::to_string).collect()
    };
    for finding in report {
        let data = &finding.problem.data;
        let values: Vec<(String, Vec<String>)> = data
            .get("values")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(|value| {
                (value["value"].to_string().trim_matches('"').to_string(), texts(&value["platforms"]))
            })
            .collect();
        let mut note = |a: &str, b: &str, about: String| {
            let words = about.split_whitespace().map(str::to_string);
            facts.entry((finding.problem.code, a.to_string(), b.to_string())).or_default().extend(words);
        };
        if let (Some(with), Some(without)) = (data.get("platforms_with"), data.get("platforms_without")) {
            let settings = data.get("settings").map(texts).unwrap_or_default().join(" ");
            for a in texts(with) {
                // The text of this platform, if findings contain it.
                let said: Vec<&str> = values
                    .iter()
                    .filter(|value| value.1.contains(&a))
                    .map(|value| value.0.as_str())
                    .collect();
                for b in texts(without) {
                    note(&a, &b, format!("{} {settings}", said.join(" ")));
                }
            }
        } else {
            for (a_value, a) in values.iter().flat_map(|value| value.1.iter().map(|it| (&value.0, it))) {
                for (b_value, b) in values.iter().flat_map(|value| value.1.iter().map(|it| (&value.0, it))) {
                    if a_value != b_value {
                        // Settings with the same values are one or several findings, depending on other platforms.
                        let named = |setting: String| format!("{setting}={a_value}").replace(' ', "_");
                        let settings = data.get("settings").map(texts).unwrap_or_default();
                        if settings.is_empty() {
                            note(a, b, a_value.clone());
                        } else {
                            for setting in settings {
                                note(a, b, named(setting));
                            }
                        }
                    }
                }
            }
        }
    }
    for ((code, ..), words) in &mut facts {
        words.sort();
        // A finding lists settings by name. The number of rows with one name depends on its other settings.
        if *code == Code::MissingSetting {
            words.dedup();
        }
    }
    facts
}

/// A version: sections with texts, a settings table, notes and code, from few pieces so that versions share some.
fn version() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["hub", "event", "screen", "key", "filter", "queue", "order"]);
    let sentence = prop::collection::vec(word, 3..7).prop_map(|words| format!("Send {}.", words.join(" ")));
    let row =
        (prop::sample::select(vec!["Status", "Batch", "Views"]), prop::sample::select(vec!["On", "Off"]));
    let table = prop::collection::btree_map(
        Just(()).prop_flat_map(move |()| row.clone()).prop_map(|row| row.0),
        prop::sample::select(vec!["On", "Off"]),
        1..3,
    )
    .prop_map(|rows| {
        let rows: Vec<String> = rows.iter().map(|(name, value)| format!("| {name} | {value} |")).collect();
        format!("| Setting | Value |\n| --- | --- |\n{}\n", rows.join("\n"))
    });
    let block = prop_oneof![
        5 => sentence.clone(),
        1 => table,
        1 => sentence.clone().prop_map(|text| format!("<aside>{text}</aside>")),
        1 => Just("```js\nrun()\n```".to_string()),
    ];
    let title = prop::sample::select(vec!["Install it", "Connect the hub", "Filter events", "Read the log"]);
    let section = (title, prop::collection::vec(block, 0..4))
        .prop_map(|(title, blocks)| format!("## {title}\n\n{}\n\n", blocks.join("\n\n")));
    prop::collection::vec(section, 0..4).prop_map(|sections| {
        // Pages don't contain repeated titles here.
        let mut seen = BTreeSet::new();
        sections
            .into_iter()
            .filter(|it| seen.insert(it.lines().next().map(str::to_string)))
            .collect::<String>()
    })
}

fn pages(versions: &[(&str, &String)]) -> Vec<(String, String)> {
    versions.iter().map(|(platform, text)| (format!("{platform}/one"), (*text).clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_page_does_not_differ_from_itself(one in version()) {
        let report = drift_of(&pages(&[("web", &one), ("ios", &one), ("android", &one)]));
        prop_assert!(report.is_empty(), "{report:#?}");
    }

    #[test]
    fn swapped_platforms_swap_the_report(one in version(), other in version()) {
        let swap = |name: &str| match name { "web" => "ios", "ios" => "web", name => name }.to_string();
        let there = drift_of(&pages(&[("web", &one), ("ios", &other)]));
        let back = drift_of(&pages(&[("web", &other), ("ios", &one)]));
        let swapped: Facts = facts(&back).into_iter().map(|((code, a, b), it)| ((code, swap(&a), swap(&b)), it)).collect();
        prop_assert_eq!(facts(&there), swapped);
        let places = |report: &Report, name: &dyn Fn(&str) -> String| -> Vec<(Code, String)> {
            let platform = |file: &str| name(file.split('/').nth(2).expect("content/tour/platform/step.md"));
            let mut places: Vec<_> =
                report.iter().map(|it| (it.problem.code, platform(it.file.as_str()))).collect();
            places.sort();
            places
        };
        prop_assert_eq!(places(&there, &str::to_string), places(&back, &swap));
    }

    #[test]
    fn another_platform_changes_nothing_among_the_others(one in version(), two in version(), three in version()) {
        let without = facts(&drift_of(&pages(&[("web", &one), ("android", &two)])));
        let mut with = facts(&drift_of(&pages(&[("web", &one), ("ios", &three), ("android", &two)])));
        with.retain(|(_, a, b), _| a != "ios" && b != "ios");
        prop_assert_eq!(without, with);
    }

    #[test]
    fn numbers_of_headings_make_no_difference(one in version(), other in version()) {
        let numbered = |chapter: usize| {
            let lines = one.lines().enumerate().map(|(at, line)| match line.strip_prefix("## ") {
                Some(title) => format!("## {chapter}.{at} {title}\n"),
                None => format!("{line}\n"),
            });
            lines.collect::<String>()
        };
        let facts_of = |chapter| facts(&drift_of(&pages(&[("web", &numbered(chapter)), ("ios", &other)])));
        prop_assert_eq!(facts_of(1), facts_of(7));
        prop_assert_eq!(facts_of(1), facts(&drift_of(&pages(&[("web", &one), ("ios", &other)]))));
    }
}

/// A repository of the fixture with these commits: each entry is a date and an edit to a file.
fn repository(commits: &[(&str, &str, &str, &str)]) -> SiteTest {
    let mut site = SiteTest::fixture("drift");
    site.git("2024-01-01", &["init", "--quiet"]);
    site.commit("2024-01-01");
    for &(day, path, old, new) in commits {
        site = site.replace(path, old, new);
        site.commit(day);
    }
    site
}

const WEB: &str = "content/tour/web/connect.md";
const IOS: &str = "content/tour/ios/connect.md";
const ACTIVE: &str = "Whether events are forwarded.";

#[test]
fn a_change_on_one_platform_lists_the_locations_on_others() {
    let site =
        repository(&[]).replace(WEB, ACTIVE, "Deprecated.").replace(WEB, "Choose what to", "Say what to");
    let found = findings(&site, &["--diff"]);
    let messages: Vec<&str> = found.iter().map(|it| it["message"].as_str().expect("a message")).collect();
    assert_eq!(
        messages,
        [
            "Web changed `Say what to leave out.` since the last commit, but iOS didn't change",
            "Web changed `Description` of the setting `Status` since the last commit, but iOS and Android didn't change",
        ]
    );
    let places: Vec<(&str, u64)> = found[1]["related"]
        .as_array()
        .expect("places")
        .iter()
        .map(|place| (place["file"].as_str().expect("a file"), place["line"].as_u64().expect("a line")))
        .collect();
    assert_eq!(places, [(IOS, 12), ("content/tour/android/connect.md", 12)]);
    // A change that was followed isn't reported.
    let site = site.replace(IOS, ACTIVE, "Deprecated.").replace(IOS, "Choose what to", "Say what to");
    let found = findings(&site, &["--since", "HEAD"]);
    let left: Vec<(&Value, &Value)> =
        found.iter().map(|it| (&it["data"]["platforms_with"][0], &it["data"]["platforms_without"])).collect();
    let android = serde_json::json!(["android"]);
    assert_eq!(left, [(&"ios".into(), &android), (&"web".into(), &android)]);
}

#[test]
fn removals_are_reported_where_others_still_have_the_text() {
    let site = repository(&[]).replace(WEB, "<aside>It may take five minutes.</aside>\n", "");
    let found = findings(&site, &["--diff"]);
    let [only] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(
        only["message"],
        "Web removed the note `It may take five minutes.` since the last commit, but iOS didn't change"
    );
    assert_eq!(only["related"][0]["line"], 16);
}

/// Returns a repository of pages in the form of [`tour`].
fn repository_of(pages: &[(&str, u32, &str)]) -> SiteTest {
    let site = tour(pages);
    site.git("2024-01-01", &["init", "--quiet"]);
    commit(site, "2024-01-01")
}

fn commit(site: SiteTest, day: &str) -> SiteTest {
    site.commit(day);
    site
}

#[test]
fn changes_are_one_finding_per_cause() {
    let rows = |value: &str| -> String {
        let rows = lines(6, |at| format!("| Option {at} | {value} |"));
        format!("| Setting | Value |\n| --- | --- |\n{rows}\n")
    };
    let text = |app: &str| -> String {
        lines(4, |at| format!("{at}. Open the {app} and choose the entry number {at} of it."))
    };
    let before = format!("{}{}", rows("On"), text("page"));
    let site = repository_of(&[("web/a", 1, &before), ("ios/a", 1, &before)]);
    let after = format!(
        "{}| More | 1 |\n| Most | 2 |\n\n{}",
        rows("Off").trim_end().to_string() + "\n",
        text("window")
    );
    let more = "\n## New\n\nText.\n\n### Inner\n\nText.\n";
    let page = format!("---\ntitle: The a\norder: 1\n---\n\n{after}{more}");
    let site = site.edit("content/tour/web/a.md", page);
    let new = |step: &str, order: u32| format!("---\ntitle: The {step}\norder: {order}\n---\n");
    let site = site.edit("content/tour/web/b.md", new("b", 2)).edit("content/tour/web/c.md", new("c", 3));
    let found = findings(&site, &["--since", "HEAD"]);
    assert_eq!(
        messages(&found),
        [
            "Web changed `Open the window and choose the entry number 1 of it.` and 3 other texts in the same way since `HEAD`, but iOS didn't change",
            "Web changed `Value` of the settings `Option 1`, `Option 2`, `Option 3` and 3 more since `HEAD`, but iOS didn't change",
            "Web added the settings `More` and `Most` since `HEAD`, but iOS didn't change",
            "Web added the section `New` and 1 section more since `HEAD`, but iOS didn't change",
            "the steps `The b` and `The c` are new on Web since `HEAD`; there are none on iOS",
        ]
    );
}

#[test]
fn code_that_changed_is_reported_where_siblings_show_the_same_code() {
    let body = |code: &str| format!("## Use it\n\nCall it.\n\n```js\n{code}\n```\n");
    let (old, swift) = (body("hub.start()"), body("Hub.shared.start()"));
    let site = repository_of(&[("web/a", 1, &old), ("ios/a", 1, &swift), ("android/a", 1, &old)]);
    let site = site.replace("content/tour/web/a.md", "hub.start()", "hub.start(true)");
    let found = findings(&site, &["--diff"]);
    assert_eq!(
        messages(&found),
        ["Web changed the code in `Use it` since the last commit, but Android didn't change"]
    );
    let site = site.replace("content/tour/android/a.md", "hub.start()", "hub.start(true)");
    assert!(findings(&site, &["--diff"]).is_empty());
}

#[test]
fn a_page_that_was_renamed_is_not_new() {
    let body = "Open the log.\n\nWait for five minutes, until all is there.\n";
    let site = repository_of(&[("web/a", 1, body), ("ios/a", 1, body), ("web/b", 2, ""), ("ios/b", 2, "")]);
    let page = site.text("content/tour/web/a.md");
    site.git("2024-01-02", &["mv", "content/tour/web/a.md", "content/tour/web/z.md"]);
    let site = site.edit("content/tour/web/z.md", page.replace("five", "ten"));
    let found = findings(&site, &["--diff"]);
    assert_eq!(
        messages(&found),
        [
            "Web changed `Wait for ten minutes, until all is there.` since the last commit, but iOS didn't change"
        ]
    );
}

/// Returns when each difference appeared and disappeared, and its message.
fn lasting(history: &Run) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("now").to_string();
    let lasting = |it: &Value| {
        (format!("{} {}", text(&it["appeared"]["date"]), text(&it["gone"]["date"])), text(&it["message"]))
    };
    history.json().iter().map(lasting).collect()
}

#[test]
fn history_follows_renames_and_no_difference_ends_with_a_new_platform() {
    let text = |wait: &str| format!("Wait for {wait} minutes, until all of it is there.\n");
    let (web, ios) = (text("five"), text("ten"));
    let site = repository_of(&[("web/a", 1, &web), ("ios/a", 1, &ios), ("web/z", 2, ""), ("ios/z", 2, "")]);
    // Renames of a page, a platform's folder and the family's folder, and a platform that joins the minority.
    site.git("2024-02-01", &["mv", "content/tour/web/a.md", "content/tour/web/c.md"]);
    let site = commit(site, "2024-02-01");
    site.git("2024-03-01", &["mv", "content/tour/web", "content/tour/javascript"]);
    let site = commit(site, "2024-03-01");
    site.git("2024-04-01", &["mv", "content/tour", "content/trip"]);
    let site = commit(site, "2024-04-01");
    let android = format!("---\ntitle: The a\norder: 1\n---\n\n{ios}");
    let site = commit(site.edit("content/trip/android/a.md", android), "2024-05-01");
    // The text is edited, and still differs.
    let site = commit(site.replace("content/trip/ios/a.md", "until all of it", "until it"), "2024-06-01");
    let run = site.run(&["drift", "trip", "--history", "--format", "json"]).exits(0);
    let mut lasting = lasting(&run);
    lasting.retain(|(_, message)| message.contains("Wait for"));
    // The difference begins with the first two platforms, whichever platform joins.
    assert_eq!(
        lasting.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(),
        ["2024-01-01 now"],
        "{lasting:#?}"
    );
}

#[test]
fn history_has_a_difference_once_whichever_side_a_new_platform_joins() {
    let text = |wait: &str| format!("Wait for {wait} minutes, until all of it is there.\n");
    let note = "> [!NOTE]\n> Your key is secret.\n";
    let (web, ios) = (text("five") + "\n" + note, text("ten"));
    let pages = [("web/a", 1, &web), ("ios/a", 1, &ios)];
    let site = repository_of(&pages.map(|(path, order, body)| (path, order, body.as_str())));
    let page = |body: &str| format!("---\ntitle: The a\norder: 1\n---\n\n{body}");
    // A platform joins each side. The first one precedes the others in alphabetical order.
    let site = commit(site.edit("content/tour/android/a.md", page(&web)), "2024-02-01");
    let site = commit(site.edit("content/tour/xamarin/a.md", page(&ios)), "2024-03-01");
    let lasting = |site: &SiteTest| lasting(&site.run(&["drift", "--history", "--format", "json"]).exits(0));
    let found = lasting(&site);
    let days: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(days, ["2024-01-01 now", "2024-01-01 now"], "{found:#?}");
    // Only the requested differences.
    let more = site.edit("content/other/web/a.md", page(&web)).edit("content/other/ios/a.md", page(&ios));
    let site = commit(more, "2024-03-02");
    assert_eq!(lasting(&site).len(), 2 + 2);
    let run = site.run(&["drift", "tour", "--history", "--format", "json"]).exits(0);
    assert_eq!(run.stdout.lines().count(), 2, "{}", run.stdout);
    std::fs::remove_dir_all(site.root().join("content/other")).expect("it was written");
    // When one side follows, the difference ends once.
    let site = commit(site.edit("content/tour/ios/a.md", page(&web)), "2024-04-01");
    let site = commit(site.edit("content/tour/xamarin/a.md", page(&web)), "2024-04-02");
    let found = lasting(&site);
    let over = found.iter().filter(|it| it.0 == "2024-01-01 2024-04-01").count();
    assert_eq!(over, 2, "{found:#?}");
    assert!(found.iter().all(|it| !it.0.ends_with("now")), "{found:#?}");
}

#[test]
fn history_has_a_day_for_each_part_and_a_new_text_is_a_new_difference() {
    let table = |rows: &[&str]| {
        let rows = lines(rows.len(), |at| format!("| {} | On |", rows[at - 1]));
        format!("| Setting | Value |\n| --- | --- |\n{rows}")
    };
    let text = |web: &str| format!("{web}\n\n");
    let web = text("Wait for five minutes, until all is there.") + &table(&["One", "Two"]);
    let ios = text("Wait for ten minutes, until all is there.") + &table(&["One"]);
    let site = repository_of(&[("web/a", 1, &web), ("ios/a", 1, &ios)]);
    let page = "content/tour/web/a.md";
    let site = commit(site.replace(page, "| Two | On |", "| Two | On |\n| Three | On |"), "2024-02-01");
    let site = site.replace(page, "Wait for five minutes, until all is there", "Open a red door slowly");
    let ios = "content/tour/ios/a.md";
    let site = commit(
        site.replace(ios, "Wait for ten minutes, until all is there", "Open a blue door slowly"),
        "2024-03-01",
    );
    let lasting = site.run(&["drift", "--history", "--format", "json"]).exits(0).json();
    let days = |code: &str| -> Vec<(&Value, &Value)> {
        let of_code = lasting.iter().filter(|it| it["code"] == code);
        of_code.map(|it| (&it["appeared"]["date"], &it["gone"]["date"])).collect()
    };
    let (first, second, third) = ("2024-01-01".into(), "2024-02-01".into(), "2024-03-01".into());
    assert_eq!(days("missing-setting"), [(&first, &Value::Null), (&second, &Value::Null)], "{lasting:#?}");
    assert_eq!(days("wording"), [(&first, &third), (&third, &Value::Null)], "{lasting:#?}");
}

#[test]
fn changes_in_two_locations_are_two_findings() {
    let before = "## One\n\nText.\n\n## Two\n\nMore.\n";
    let site = repository_of(&[("web/a", 1, before), ("ios/a", 1, before)]);
    let page = "content/tour/web/a.md";
    let one = site.replace(page, "Text.\n", "Text.\n\nOpen the door.\n");
    let site = one.replace(page, "\nMore.", "\nClose the window.\n\nMore.");
    let found = findings(&site, &["--diff"]);
    assert_eq!(found.len(), 2, "{:?}", messages(&found));
    let lines: Vec<&Value> = found.iter().map(|it| &it["related"][0]["line"]).collect();
    assert_eq!(lines, [6, 10], "the sections of the other");
    // A section isn't part of the previous one if its heading has a higher level.
    let site = site.replace(page, "\nOpen the door.\n", "\n### Inner\n\nA.\n\n## New\n\nB.\n");
    let found = findings(&site, &["--diff"]);
    let added = messages(&found).into_iter().filter(|it| it.contains("added the section")).count();
    assert_eq!(added, 2, "{:?}", messages(&found));
}

#[test]
fn code_that_is_added_is_a_change_until_it_is_committed() {
    let page = |code: &str| format!("## Use it\n\nCall it.\n\n```js\n{code}\n```\n");
    let site = repository_of(&[("web/a", 1, &page("hub.start()")), ("ios/a", 1, &page("hub.start()"))]);
    let more = "hub.start()\n```\n\n```js\nhub.stop()";
    let site = site.replace("content/tour/web/a.md", "hub.start()", more);
    assert_eq!(
        messages(&findings(&site, &["--diff"])),
        ["Web changed the code in `Use it` since the last commit, but iOS didn't change"]
    );
    let site = commit(site, "2024-02-01");
    let site = site.replace("content/tour/web/a.md", "Call it.", "Call it now.");
    let messages_now = findings(&site, &["--diff"]);
    assert!(messages(&messages_now).iter().all(|it| !it.contains("the code")), "{messages_now:#?}");
}

#[test]
fn one_change_in_several_places_is_read_as_early_as_the_smallest() {
    let page = |key: &str| {
        format!(
            "| Setting | Description |\n|-|-|\n| Alpha | The {key}. |\n| Beta | Open the left panel and copy the {key} into the file. |\n"
        )
    };
    let site = repository_of(&[("web/a", 1, &page("red key")), ("ios/a", 1, &page("red key"))]);
    let site = site.replace("content/tour/web/a.md", "The red key", "The blue key");
    let site = site.replace("content/tour/web/a.md", "the red key", "the blue key");
    let found = findings(&site, &["--diff"]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["data"]["settings"], serde_json::json!(["Alpha", "Beta"]));
    assert_eq!(found[0]["data"]["rank"], 501, "in the longer text one word of many is another");
}

#[test]
fn a_revision_that_git_does_not_know_is_a_usage_error() {
    let site = repository(&[]);
    assert_eq!(site.run(&["drift", "--since", "no-such-tag"]).status, Some(2));
    assert_eq!(site.run(&["drift", "--since", "--output=x"]).status, Some(2));
    let run = SiteTest::fixture("drift").run(&["drift", "--history"]);
    assert!(run.status == Some(2) && run.stderr.contains("cannot read the history"), "{}", run.stderr);
}

#[test]
fn history_has_the_day_a_difference_appeared_and_how_long_it_lasted() {
    let site =
        repository(&[("2024-02-01", WEB, ACTIVE, "Deprecated."), ("2024-09-03", IOS, ACTIVE, "Deprecated.")]);
    let all = site.run(&["drift", "--history", "--format", "json"]).exits(0).json();
    let about_status = |it: &&Value| it["data"]["settings"] == serde_json::json!(["Status"]);
    let lasted: Vec<(&str, &str, i64)> = all
        .iter()
        .filter(about_status)
        .map(|it| {
            let gone = it["gone"]["date"].as_str().unwrap_or("now");
            (it["appeared"]["date"].as_str().expect("a day"), gone, it["days"].as_i64().expect("days"))
        })
        .collect();
    // Web and iOS for 215 days, and Web and Android to the current date, because iOS followed Android.
    assert!(lasted.contains(&("2024-02-01", "2024-09-03", 215)), "{lasted:?}");
    let now: Vec<&str> = lasted.iter().filter(|it| it.1 == "now").map(|it| it.0).collect();
    assert_eq!(now, ["2024-02-01"]);
    let said = site.run(&["drift", "--history"]).exits(0).stdout;
    assert!(said.contains("to 2024-09-03"), "{said}");
    assert!(
        said.trim_end().lines().last().is_some_and(|line| line.contains(" differences in 3 commits, ")),
        "{said}"
    );
}

#[test]
fn a_line_of_code_that_all_other_platforms_have_is_missed() {
    let code = |lines: &str| format!("## Add platforms\n\nRun these commands now:\n\n```sh\n{lines}\n```\n");
    let [whole, short, other] =
        ["lamp add ios\nlamp add android", "lamp add ios", "lamp add ios\nlamp add web"].map(code);
    let lacks = "Web lacks the line `lamp add android` of this code, which iOS and Android have";
    check_unordered(&[("ios/a", &whole), ("android/a", &whole), ("web/a", &short)], &[lacks]);
    // Other code is the platform's own, and of two platforms, one may need more.
    check_unordered(&[("ios/a", &whole), ("android/a", &whole), ("web/a", &other)], &[]);
    check_unordered(&[("ios/a", &whole), ("android/a", &other), ("web/a", &short)], &[]);
    check_unordered(&[("ios/a", &whole), ("web/a", &short)], &[]);
}
