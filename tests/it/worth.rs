//! What `drift` leaves out in families that are found by the names of their folders: what must differ by platform.

use crate::support::SiteTest;

/// A family for iOS, Android and Flutter with a page and three shared ones; each text is a platform's.
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
    let found = family(texts).run(&["drift", "--format", "json"]).stdout;
    let found: Vec<serde_json::Value> =
        found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
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
    // Words of a sentence are no names.
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
fn what_most_have_is_lacking_and_what_one_has_is_its_own() {
    let shared = "Take the lamp out of its box.\n\n## Charge it\n\nIt takes an hour.";
    check(
        [shared, shared, "Take the lamp out of its box."],
        &["Flutter lacks the section `Charge it`, which iOS and Android have"],
    );
    let own = "Take the lamp out of its box.\n\n## Sign it\n\nEach store wants a certificate.\n\n## Notarize it\n\nA server looks at it.";
    check(
        [own, "Take the lamp out of its box.", "Take the lamp out of its box."],
        &["only iOS has 2 sections of its own, such as `Sign it` and `Notarize it`"],
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
fn a_step_about_another_platform_is_not_lacking() {
    let site = family(["Text.", "Text.", "Text."])
        .edit("docs/android/watch.md", "# Lamps on Android Wear\n\nText.\n");
    assert_eq!(site.run(&["drift", "--format", "json"]).stdout, "");
    let site = site.edit("docs/android/watch.md", "# Lamps on a watch\n\nText.\n");
    site.run(&["drift"]).exits(0).reports("only Android has the step `Lamps on a watch`");
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
    assert!(!found.iter().any(|code| code == "step-identity"), "{found:?}");
    let page = |title: &str| format!("# {title}\n\n## Choose an oil\n\nAny.\n\n## Trim the wick\n\nShort.\n");
    let site = site.edit("docs/ios/paywall.md", page("Oil")).edit("docs/android/user.md", page("Wick"));
    let found: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
    assert!(found.iter().any(|code| code == "step-identity"), "{found:?}");
}
