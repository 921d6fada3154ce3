//! Necessary differences between platforms that `drift` leaves out in families that are found by the names of folders
//! and files.

use crate::support::SiteTest;

/// A family for iOS, Android and Flutter with one page each and three shared ones. Each text is a platform's.
fn family(texts: [&str; 3]) -> SiteTest {
    let site = SiteTest::rootless();
    site.write(
        "docusaurus.config.js",
        "module.exports = { presets: [['classic', { docs: { routeBasePath: '/' } }]] }",
    );
    for (platform, text) in ["ios", "android", "flutter"].into_iter().zip(texts) {
        for step in ["pair", "dim", "reset"] {
            let page = format!("# {step} a lamp\n\nEvery lamp that you {step} says so.\n");
            site.write(&format!("docs/{platform}/{step}.md"), page);
        }
        if !text.is_empty() {
            site.write(&format!("docs/{platform}/install.md"), format!("# Install\n\n{text}\n"));
        }
    }
    site
}

#[track_caller]
fn check(texts: [&str; 3], expected: &[&str]) {
    let found = family(texts).run(&["drift", "--format", "json"]).json();
    let messages: Vec<&str> = found.iter().filter_map(|it| it["message"].as_str()).collect();
    assert_eq!(messages, expected, "{texts:?}");
}

#[test]
fn names_that_a_platform_needs_are_no_difference() {
    check(
        [
            "The app is at `ios/App.swift` now.",
            "The app is at `app/App.kt` now.",
            "The app is at `lib/app.dart` now.",
        ],
        &[],
    );
    check(
        [
            "Open it on port 8080 of your desk.",
            "Open it on port 3000 of your desk.",
            "Open it on port 80 of your desk.",
        ],
        &[],
    );
    check(
        [
            "We recommend using CocoaPods to add the package.",
            "We recommend using Gradle to add the package.",
            "We recommend using Pub to add the package.",
        ],
        &[],
    );
    // Words at the start of a sentence aren't names.
    check(
        [
            "The lamp must be near you to pair.",
            "The lamp must be near you to pair.",
            "The lamp must be far from you to pair.",
        ],
        &["Flutter words `The lamp must be far from you to pair.` differently from iOS and Android"],
    );
}

#[test]
fn common_items_are_missing_and_unique_ones_are_extra() {
    let shared = "Take the lamp out of its box.\n\n## Charge it\n\nIt takes an hour.";
    check(
        [shared, shared, "Take the lamp out of its box."],
        &["Flutter lacks the section `Charge it`, which iOS and Android have"],
    );
    let own = "Take the lamp out of its box.\n\n## Sign it\n\nEach store wants a certificate.\n\n## Notarize it\n\nA server looks at it.";
    let texts = [own, "Take the lamp out of its box.", "Take the lamp out of its box."];
    check(
        texts,
        &["content that only one platform has: iOS (2 sections), such as `Sign it` and `Notarize it`"],
    );
}

#[test]
fn texts_in_words_of_their_own_are_not_compared_word_by_word() {
    check(
        [
            "Hold the lamp near the phone until it blinks twice.",
            "Hold the lamp near the phone and wait for a sound.",
            "Hold the lamp near the phone while you count to ten.",
        ],
        &[],
    );
}

#[test]
fn a_word_more_on_one_platform_is_no_difference() {
    let text = "Log the errors of each lamp to a file.";
    let other = |from: &str, to: &str| text.replace(from, to);
    check([text, text, &other("a file", "a local file")], &[]);
    check([&other("errors", "network errors"), text, text], &[]);
    // Another word, another thing in a list, and a number may have been forgotten.
    let differs = "differently from iOS and Android";
    for (from, to) in [("errors", "colors"), ("errors", "errors and colors"), ("a file", "2 files")] {
        let other = other(from, to);
        check([text, text, &other], &[&format!("Flutter words `{other}` {differs}")]);
    }
}

#[test]
fn a_component_may_show_code() {
    let open = "## Open it\n\nRun this command in the folder of your app to open the lamp.\n\n";
    let with = |more: &str| format!("{open}{more}");
    let code = with("```sh\nlamp open\n```");
    check([&code, &code, &with("<Sample file=\"open.sh\" />")], &[]);
    let lacks = "Flutter lacks code in the section `Open it`, which iOS and Android have";
    check([&code, &code, open.trim_end()], &[lacks]);
}

#[test]
fn a_step_about_another_platform_is_not_lacking() {
    let site = family(["Text.", "Text.", "Text."])
        .edit("docs/android/watch.md", "# Lamps on Android Wear\n\nText.\n");
    assert_eq!(site.run(&["drift", "--format", "json"]).stdout, "");
    let site = site.edit("docs/android/watch.md", "# Lamps on a watch\n\nText.\n");
    let found = site.run(&["drift", "--format", "json"]).exits(0).json();
    assert_eq!(found[0]["message"], "content that only one platform has: Android (1 step), such as `watch`");
    assert!(site.run(&["drift"]).exits(0).stdout.contains("Android: has 1 step of its own"));
}

#[test]
fn reference_pages_are_not_the_same_step_by_their_template() {
    let page = |title: &str| {
        format!(
            "# {title}\n\n## Purpose\n\nIt is of use.\n\n## Parameters\n\nNone.\n\n## Usage\n\nCall it.\n"
        )
    };
    let site = family(["", "", ""])
        .edit("docs/ios/paywall.md", page("Paywall"))
        .edit("docs/android/user.md", page("User"));
    let found: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
    assert!(!found.iter().any(|code| code == "ambiguous-step"), "{found:?}");
    let page = |title: &str| format!("# {title}\n\n## Choose an oil\n\nAny.\n\n## Trim the wick\n\nShort.\n");
    let site = site
        .edit("docs/ios/paywall.md", page("Oil of a lamp"))
        .edit("docs/android/user.md", page("Lamp wick"));
    let found: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
    assert!(found.iter().any(|code| code == "ambiguous-step"), "{found:?}");
}

#[test]
fn texts_that_describe_their_platform_with_its_names_are_no_difference() {
    check(
        [
            "Call `Lamp.pair()` in the delegate when your view has loaded, and pass it the key.",
            "Call `Lamps.connect()` in the activity when your screen was created, and pass it the key.",
            "Call `Lamp.pair()` in the delegate when your view has loaded, and pass it the key.",
        ],
        &[],
    );
    // The same words in another order, and other apostrophes, have the same meaning.
    let text = "You can also dim a lamp; don’t wait.";
    check([text, "You also can dim a lamp; don't wait.", text], &[]);
}

#[test]
fn texts_about_another_platform_are_not_missing() {
    let text = "Open the cover before you pair it.";
    let about_ios = format!("{text}\n\nOn iOS, the phone asks you to allow Bluetooth first.");
    check([&about_ios, text, &about_ios], &[]);
    let general = format!("{text}\n\nThe phone asks you to allow Bluetooth first.");
    check(
        [&general, text, &general],
        &["Android lacks `The phone asks you to allow Bluetooth first.`, which iOS and Flutter have"],
    );
    // A label isn't content.
    let label = format!("{text}\n\nMicrophone access");
    check([&label, text, &label], &[]);
}

#[test]
fn reference_pages_are_not_paired_by_the_headings_that_all_have() {
    let site = family(["", "", ""]);
    let page = |title: &str, step: &str| {
        format!(
            "# {title}\n\n## Turning it on\n\n{step}\n\n## Turning it off\n\n{step}\n\n## Limits\n\n{step}\n"
        )
    };
    site.write("docs/ios/show-lamp.md", page("Show a lamp", "It shows it."));
    site.write("docs/android/fade-colors.md", page("Fade colors", "It fades."));
    let codes = |site: &SiteTest| {
        let found = site.run(&["drift", "--format", "json"]).stdout;
        found.lines().filter(|line| line.contains("\"ambiguous-step\"")).count()
    };
    assert_eq!(codes(&site), 0);
    site.write("docs/android/lamp-display.md", page("Display", "It shows it."));
    assert_eq!(codes(&site), 1);
}

#[test]
fn a_missing_step_is_shown_where_it_is_with_the_page_that_may_be_the_same() {
    let site = family(["", "", ""]);
    for platform in ["ios", "flutter"] {
        site.write(&format!("docs/{platform}/group-lamps.md"), "# Group lamps\n\nPut them into one group.\n");
    }
    site.write("docs/android/lamp-groups.md", "# Lamps in groups\n\nA group has several of them.\n");
    let found = site.run(&["drift", "--format", "json"]).json();
    let missing = |without: &str| {
        let is_it = |it: &&serde_json::Value| {
            it["code"] == "missing-step" && it["data"]["platforms_without"] == serde_json::json!([without])
        };
        found.iter().find(is_it).unwrap_or_else(|| panic!("{found:#?}"))
    };
    let android = missing("android");
    assert_eq!(android["file"], "docs/ios/group-lamps.md");
    let labels: Vec<_> =
        android["related"].as_array().expect("places").iter().map(|it| &it["label"]).collect();
    assert_eq!(labels, ["Flutter has it here", "may be the same step under another name"]);
    let help = android["help"].as_str().expect("help");
    assert!(
        help.contains("if `docs/android/lamp-groups.md` is that step, add `step: group-lamps` to both pages"),
        "{help}"
    );
    // The suggested help works.
    for page in ["docs/ios/group-lamps.md", "docs/flutter/group-lamps.md", "docs/android/lamp-groups.md"] {
        let text = site.text(page);
        site.write(page, format!("---\nstep: group-lamps\n---\n\n{text}"));
    }
    let again = site.run(&["drift", "--format", "json"]).stdout;
    assert!(!again.contains("missing-step"), "{again}");
    // One page may be several in a folder with its name.
    let site = family(["", "", ""]);
    for page in
        ["ios/installation", "flutter/installation", "android/install/from-source", "android/install/by-hand"]
    {
        site.write(&format!("docs/{page}.md"), "# Set it up\n\nRead on.\n");
    }
    let found = site.run(&["drift", "--format", "json"]).json();
    let said = found.iter().map(|it| it["related"].to_string());
    assert!(said.into_iter().any(|it| it.contains("may be the same")), "{found:#?}");
}

#[test]
fn what_a_page_may_say_in_another_way_comes_last_and_headings_are_free() {
    let all = "Take the lamp out of its box.\n\n## Charge it\n\nIt takes an hour.\n\n## New group of lamps\n\nChoose a name \
               for every room that the lamps light up.\n\n## Dim it\n\nTurn it.\n\nEvening lamps glow orange while the cable \
               charges their battery.";
    let other = "Take the lamp out of its box, whose cable charges the battery. Evening lamps glow orange.\n\n## Group of lamps\n\n\
                 Choose a name for every room that the lamps light up.\n\n## Dim it\n\nTurn it.";
    let order = |texts: [&str; 3]| -> Vec<(String, bool)> {
        let found = family(texts).run(&["drift", "--format", "json"]).json();
        let is_last = |it: &serde_json::Value| it["data"]["rank"].as_u64() >= Some(10_000);
        found.iter().map(|it| (it["message"].as_str().unwrap_or_default().to_string(), is_last(it))).collect()
    };
    let section = "Flutter lacks the section `Charge it`, which iOS and Android have".to_string();
    let text = "Flutter lacks `Evening lamps glow orange while the cable charges their…`, which iOS and Android have"
        .to_string();
    let expected = [(section, true), (text, true)];
    assert_eq!(order([all, all, other]), expected);
    // Another heading is no difference, except for its status.
    let silent = other.replace(", whose cable charges the battery. Evening lamps glow orange", "");
    assert_eq!(order([all, all, &silent]), expected);
    let beta = silent.replace("## Group of lamps", "## Group of lamps (beta)");
    let first = &order([all, all, &beta])[0];
    assert_eq!(
        *first,
        ("Flutter words the heading `Group of lamps (beta)` differently from iOS and Android".into(), false)
    );
}

#[test]
fn a_copied_name_comes_first_and_what_a_comment_hides_is_left_out() {
    let open = |name: &str, rest: &str| {
        format!(
            "Testing the lamp library of {name} takes {rest}.\n\n## Colors of the night\n\nEvery lamp has a red light."
        )
    };
    let pages = [open("iOS", "a minute"), open("iOS", "some time"), open("Flutter", "a minute")];
    let [ios, android, flutter] = pages.each_ref().map(String::as_str);
    let without = flutter.split("\n\n##").next().unwrap_or_default();
    check(
        [ios, android, without],
        &[
            "Android words `Testing the lamp library of iOS takes some time.` differently from iOS and Flutter",
            "Flutter lacks the section `Colors of the night`, which iOS and Android have",
        ],
    );
    let text = "## Colors of the night\n\nEvery lamp has a dim red light for the night.";
    check([text, text, &format!("<!-- {} -->\n\nText.", text.replace('\n', " "))], &[]);
    check(
        [text, text, "Text."],
        &["Flutter lacks the section `Colors of the night`, which iOS and Android have"],
    );
}

#[test]
fn a_step_whose_titles_name_their_platforms_is_missing_on_others() {
    let site = family(["", "", ""]);
    for (platform, name) in [("ios", "iOS"), ("android", "Android")] {
        site.write(
            &format!("docs/{platform}/sign-in.md"),
            format!("# Sign in for {name}\n\nType your name.\n"),
        );
    }
    site.write("docs/ios/certificate.md", "# A certificate for iOS\n\nIts store wants one.\n");
    let found = site.run(&["drift", "--format", "json"]).json();
    let messages: Vec<&str> = found.iter().filter_map(|it| it["message"].as_str()).collect();
    assert_eq!(messages, ["Flutter lacks the step `Sign in`, which iOS and Android have"]);
}

#[test]
fn a_sentence_that_one_of_four_platforms_lacks_is_missing_with_names_and_links() {
    let site = family(["", "", ""]);
    let sentence = "Turn the ring of the lamp until it glows.";
    let more = format!("{sentence} [The Lamp SDK examples](https://example.com) show how others use it.");
    let texts = [("ios", &*more), ("android", &*more), ("web", &*more), ("flutter", sentence)];
    for (platform, text) in texts {
        site.write(&format!("docs/{platform}/glow.md"), format!("# Glow\n\n{text}\n"));
        site.write(&format!("docs/{platform}/dim.md"), "# dim a lamp\n\nEvery lamp that you dim says so.\n");
    }
    let wording = |site: &SiteTest| -> Vec<String> {
        let found = site.run(&["drift", "--format", "json"]).json();
        let of_rule = found.iter().filter(|it| it["code"] == "wording");
        of_rule.filter_map(|it| it["message"].as_str().map(String::from)).collect()
    };
    let expected =
        "Flutter words `Turn the ring of the lamp until it glows.` differently from Web, iOS and Android";
    assert_eq!(wording(&site), [expected]);
    // What only one platform has may be about that platform.
    for platform in ["android", "web"] {
        site.write(&format!("docs/{platform}/glow.md"), format!("# Glow\n\n{sentence}\n"));
    }
    assert_eq!(wording(&site), Vec::<String>::new());
}

/// Writes a page for each platform, and three pages that all have.
fn with_pages(pages: &[(&str, &str)]) -> SiteTest {
    let site = family(["", "", ""]);
    for (platform, text) in pages {
        for step in ["pair", "dim", "reset"] {
            let page = format!("# {step} a lamp\n\nEvery lamp that you {step} says so.\n");
            site.write(&format!("docs/{platform}/{step}.md"), page);
        }
        site.write(&format!("docs/{platform}/install.md"), format!("# Install\n\n{text}\n"));
    }
    site
}

#[track_caller]
fn check_pages(pages: &[(&str, &str)], expected: &[&str]) {
    let found = with_pages(pages).run(&["drift", "--format", "json"]).json();
    let messages: Vec<&str> = found.iter().filter_map(|it| it["message"].as_str()).collect();
    assert_eq!(messages, expected, "{pages:?}");
}

#[test]
fn a_page_that_is_not_written_lacks_what_the_others_have() {
    let part = |name: &str| format!("## {name}\n\nThe lamp does this when you {name} it.\n\n");
    let full: String = ["Charge", "Hang up", "Dim slowly", "Clean", "Recycle"].map(part).concat();
    check_pages(
        &[("ios", &full), ("android", &full), ("flutter", "We are still writing this page.")],
        &[
            "Flutter lacks the sections `Charge`, `Hang up`, `Dim slowly` and 2 more, which iOS and Android have",
        ],
    );
}

#[test]
fn a_section_of_half_of_the_platforms_is_a_difference() {
    let (short, long) = ("Hang the lamp up.", "Hang the lamp up.\n\n## Charge it\n\nIt takes an hour.");
    check_pages(
        &[("ios", long), ("android", long), ("flutter", short), ("web", short)],
        &["only iOS and Android have the section `Charge it`: Web and Flutter don't"],
    );
}

#[test]
fn tabs_of_two_languages_are_no_content_of_a_platform() {
    let tab = |code: &str| format!("## Charge\n\nCall {code} first.\n\n## Dim\n\nThen {code} again.\n\n");
    let twice = tab("this") + &tab("that one");
    check_pages(&[("ios", &tab("this")), ("android", &twice), ("flutter", &tab("this"))], &[]);
}

#[test]
fn settings_differ_by_language_and_say_the_same_in_other_columns() {
    let table = |head: &str, cells: &str| {
        format!("| Setting | {head} |\n|---|{}\n| glow | {cells} |", "---|".repeat(head.split('|').count()))
    };
    let with = |none: &str, kind: &str| {
        table("Type | Default | Description", &format!("{kind} | {none} | How it glows."))
    };
    check_pages(
        &[
            ("ios", &with("`nil`", "`Color`")),
            ("android", &with("`null`", "`Int`")),
            ("flutter", &with("`null`", "`int`")),
        ],
        &[],
    );
    let all = table("Default | Description", "required | How it glows.");
    let other = table("Description", "**Required.** How it glows.");
    check_pages(&[("ios", &all), ("android", &all), ("flutter", &other)], &[]);
    let other = table("Description", "How it glows.");
    check_pages(
        &[("ios", &all), ("android", &all), ("flutter", &other)],
        &["Flutter lacks the column `Default` in this settings table, which iOS and Android have"],
    );
}

#[test]
fn a_row_is_there_whatever_its_other_cells_say() {
    let row = |name: &str, cells: &str| format!("| {name} | {cells} |\n");
    let table = |rows: &[String]| format!("| Method | What it does |\n|---|---|\n{}", rows.concat());
    let all = table(&[row("`dim`", "Dims the lamp slowly."), row("`hang`", "Counts the hooks in the wall.")]);
    let other = table(&[row("`dim`", "Own.")]);
    check_pages(
        &[("ios", &all), ("android", &all), ("flutter", &other)],
        &["Flutter lacks the row `hang`, which iOS and Android have"],
    );
}

#[test]
fn two_platforms_describe_their_own_classes() {
    let text = |class: &str, end: &str| {
        format!("The `{class}` pairs each lamp of the room with the hub that you chose{end}.")
    };
    let (ios, android) = (text("LampDelegate", ""), text("LampListener", " and then with every other hub"));
    let site = with_pages(&[("ios", &ios), ("android", &android)]);
    std::fs::remove_dir_all(site.root().join("docs/flutter")).expect("a folder");
    let found = site.run(&["drift", "--format", "json"]).json();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn what_is_written_or_placed_in_another_way_is_no_difference() {
    // Names of settings in the style of each language.
    let table = |names: [&str; 2]| {
        let rows = names.map(|name| format!("| `{name}` | on | It is on. |\n"));
        format!("| Setting | Value | Description |\n|---|---|---|\n{}", rows.concat())
    };
    let (snake, camel) = (table(["glow_color", "dim_time"]), table(["glowColor", "dimTime"]));
    check_pages(&[("ios", &camel), ("android", &camel), ("flutter", &snake)], &[]);
    // A heading that repeats the title of its page.
    let text = "Take the lamp out of its box.";
    let repeated = format!("## Install\n\n{text}");
    check_pages(&[("ios", &repeated), ("android", &repeated), ("flutter", text)], &[]);
    // A column more.
    let rows = |head: &str, end: &str| {
        let row = |name: &str| format!("| {name} | Says which lamp of the room glows. |{end}\n");
        let line = "---|".repeat(head.split('|').count() - 2);
        format!("{head}\n|{line}\n{}{}", row("lamp"), row("room"))
    };
    let (short, long) = (rows("| Method | Meaning |", ""), rows("| Method | Meaning | Automatic |", " No |"));
    check_pages(&[("ios", &short), ("android", &short), ("flutter", &long)], &[]);
    // A word for the platform.
    let text = |kind: &str| format!("Here's an example of the lamp in a {kind} app of your own:");
    let (ios, android, flutter) = (text("SwiftUI iOS"), text("native Android"), text("Flutter"));
    check_pages(&[("ios", &ios), ("android", &android), ("flutter", &flutter)], &[]);
}

#[test]
fn what_only_one_of_two_platforms_has_is_named_above_the_findings() {
    let more = "Hang the lamp up.\n\n## Reset it\n\nPress the button for ten seconds.";
    let site = with_pages(&[("ios", more), ("android", "Hang the lamp up.")]);
    std::fs::remove_dir_all(site.root().join("docs/flutter")).expect("a folder");
    let human = site.run(&["drift"]).exits(0).stdout;
    assert!(human.starts_with("iOS: has a section of its own: `Reset it`\n"), "{human}");
}
