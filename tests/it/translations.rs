//! Translations: how they are detected, which are outdated, and the findings about them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::SiteTest;

/// A page of the original with two sections.
fn original(name: &str) -> String {
    format!(
        "---\ntitle: {name}\n---\n\nThe {name} page explains how to begin.\n\n## Install {{#install}}\n\nInstall the package of {name} first.\n\n\
         ```sh\nget {name} --version 1 # in the shell\n```\n\n## Next {{#next}}\n\nRead [more](more.md) when it works.\n"
    )
}

/// Its translation, with the same structure.
fn translation(name: &str) -> String {
    format!(
        "---\ntitle: {name} JA\n---\n\n{name} のはじめかた。\n\n## 導入 {{#install}}\n\n先に {name} を入れる。\n\n\
         ```sh\nget {name} --version 1 # シェルで\n```\n\n## 次 {{#next}}\n\n動いたら [詳細](more.md) を読む。\n"
    )
}

const NAMES: [&str; 8] = ["words", "code", "links", "same", "added", "followed", "removed", "front"];

fn en(name: &str) -> String {
    format!("content/en/{name}.md")
}

fn ja(name: &str) -> String {
    format!("content/ja/{name}.md")
}

/// A site whose originals have changed as their names describe. Every page was translated before the change, and a
/// mechanical commit touched all translations after it.
fn history(with_pins: bool) -> SiteTest {
    let site = SiteTest::empty();
    for name in NAMES.into_iter().chain(["more"]) {
        site.write(&en(name), original(name));
    }
    site.git("2025-01-01", &["init", "--quiet", "--initial-branch=main"]);
    let commit = |day: &str, text: &str| {
        site.git(day, &["add", "."]);
        site.git(day, &["commit", "--quiet", "-m", text]);
    };
    commit("2025-01-01", "originals");
    for name in NAMES {
        site.write(&ja(name), translation(name));
    }
    commit("2025-02-01", "translations");
    let mut site = site;
    if with_pins {
        for name in NAMES {
            site.run(&["translations", "pin", &ja(name)]).exits(0);
        }
        site.git("2025-02-02", &["add", "."]);
        site.git("2025-02-02", &["commit", "--quiet", "-m", "pins"]);
    }
    site = site
        .replace(&en("words"), "explains how to begin", "shows where to start")
        .replace(&en("code"), "--version 1", "--version 2")
        .replace(&en("links"), "more.md", "words.md")
        .replace(&en("added"), "## Next", "## Check {#check}\n\nRun it once to see that it works.\n\n## Next")
        .replace(&en("followed"), "--version 1", "--version 2")
        .replace(&en("removed"), "## Next {#next}\n\nRead [more](more.md) when it works.\n", "")
        .replace(&en("front"), "title: front", "title: front\ndescription: new");
    site.git("2025-03-01", &["commit", "--quiet", "-am", "changes"]);
    for name in NAMES {
        site = site.replace(&ja(name), "title: ", "weight: 1\ntitle: ");
    }
    site = site.replace(&ja("followed"), "--version 1", "--version 2");
    site.git("2025-04-01", &["commit", "--quiet", "-am", "weights"]);
    site
}

fn drift(site: &SiteTest, arguments: &[&str]) -> Vec<Value> {
    let run = site.run(&[&["drift", "--format", "json"], arguments].concat());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("a finding")).collect()
}

fn of_code<'a>(findings: &'a [Value], code: &str) -> BTreeMap<&'a str, &'a Value> {
    let found = findings.iter().filter(|it| it["code"] == code);
    found.map(|it| (it["file"].as_str().expect("a file"), it)).collect()
}

/// Each page is outdated exactly by the changes of its original since it was translated.
#[test]
fn a_translation_lags_by_what_changed_in_its_original() {
    for with_pins in [true, false] {
        let site = history(with_pins);
        let findings = drift(&site, &[]);
        let behind = of_code(&findings, "translation-behind");
        let shown: Vec<String> = behind
            .values()
            .map(|it| {
                let sections = it["data"]["sections"].as_array().expect("sections");
                let section = |it: &Value| {
                    format!("{} {}", it["heading"].as_str().unwrap(), it["change"].as_str().unwrap())
                };
                let sections: Vec<String> = sections.iter().map(section).collect();
                let file = it["file"].as_str().unwrap().trim_start_matches("content/ja/");
                format!("{file} {}: {}", it["severity"].as_str().unwrap(), sections.join(", "))
            })
            .collect();
        assert_eq!(
            shown,
            [
                "added.md warning: Check added",
                "code.md info: 導入 code",
                "links.md info: 次 links",
                "removed.md warning: 次 removed",
                "words.md warning:  words",
            ],
            "{with_pins}"
        );
        let words = &behind["content/ja/words.md"]["data"];
        assert_eq!(words["base"]["by"], if with_pins { "pin" } else { "history" });
        assert_eq!(words["sections"][0]["commits"][0]["day"], "2025-03-01");
        assert_eq!(words["language"], "ja");
        assert_eq!(words["original"], "content/en/words.md");
        let changes = words["sections"][0]["changes"].as_str().expect("changes");
        assert!(changes.contains("[-explains how-]{+shows where+} to [-begin.-]{+start.+}"), "{changes}");
        let code = of_code(&findings, "translation-code");
        assert_eq!(code.keys().copied().collect::<Vec<_>>(), ["content/ja/code.md"]);
        let missing = of_code(&findings, "translation-missing");
        assert!(
            missing["content/en/more.md"]["message"].as_str().unwrap().contains("1 of 9 pages"),
            "{missing:?}"
        );
        // Results are cached, and stay the same.
        assert_eq!(drift(&site, &[]), findings);
    }
}

#[test]
fn code_is_carried_over_and_comments_stay_translated() {
    let site = history(false);
    site.run(&["fix", "--select", "translation-code"]).exits(0);
    assert!(site.text(&ja("code")).contains("get code --version 2 # in the shell\n"));
    let before = site.text(&ja("code"));
    site.run(&["fix", "--select", "translation-code"]).exits(0);
    assert_eq!(site.text(&ja("code")), before);
    assert!(!of_code(&drift(&site, &[]), "translation-behind").contains_key("content/ja/code.md"));
}

#[test]
fn a_range_of_commits_shows_what_translations_did_not_follow() {
    let site = history(false);
    let findings = drift(&site, &["--since", "HEAD~2"]);
    let behind = of_code(&findings, "translation-behind");
    let files = ["added", "code", "links", "removed", "words"].map(ja);
    assert_eq!(behind.keys().copied().collect::<Vec<_>>(), files.each_ref().map(String::as_str));
    let site = site.replace(&en("same"), "Install the package", "Get the package");
    site.git("2025-05-01", &["commit", "--quiet", "-am", "one word"]);
    let findings = drift(&site, &["--since", "HEAD~1"]);
    let behind = of_code(&findings, "translation-behind");
    assert_eq!(behind.keys().copied().collect::<Vec<_>>(), ["content/ja/same.md"]);
    assert_eq!(behind["content/ja/same.md"]["data"]["base"]["by"], "since");
}

#[test]
fn the_table_counts_pages_and_words() {
    let site = history(true);
    let run = site.run(&["translations", "--json"]);
    let line: Value = serde_json::from_str(&run.stdout).expect("one language");
    let counts = ["pages", "current", "behind", "missing"].map(|key| line[key].as_u64().expect("a number"));
    assert_eq!(counts, [8, 3, 5, 1], "{line}");
    let todo = site.run(&["translations", "ja", "--todo"]).exits(0).stdout;
    assert!(todo.contains("content/ja/more.md: new, from content/en/more.md"), "{todo}");
    let refused = site.run(&["translations", "pin", &ja("code")]);
    assert!(refused.status == Some(2) && refused.stderr.contains("translation-code"), "{}", refused.stderr);
    site.run(&["translations", "pin", &ja("words")]).exits(0);
    assert!(!of_code(&drift(&site, &[]), "translation-behind").contains_key("content/ja/words.md"));
    site.run(&["translations", "xx"]).exits(2).says("unknown language `xx`");
}

#[test]
fn pins_that_cannot_be_used_are_reported_and_the_history_counts() {
    let pin =
        |page: &str, pin: &str| page.replacen("---\n", &format!("---\ndefault_lang_commit: {pin}\n"), 1);
    let site = history(false);
    let words = pin(&site.text(&ja("words")), "1234567890");
    let code = pin(&site.text(&ja("code")), "soon");
    let more = pin(&site.text(&en("more")), "1234567890");
    let site = site.edit(&ja("words"), words).edit(&ja("code"), code).edit(&en("more"), more);
    let findings = site.findings();
    let pins: Vec<_> =
        findings.iter().filter(|it| it.code == "translation-pin").map(|it| it.message.as_str()).collect();
    assert_eq!(
        pins,
        ["a pin on a page of the original", "`soon` is no commit", "there is no commit `1234567890`"]
    );
    let findings = drift(&site, &[]);
    assert_eq!(
        of_code(&findings, "translation-behind")["content/ja/words.md"]["data"]["base"]["by"],
        "history"
    );
}

#[test]
fn an_orphan_names_where_its_original_went() {
    let site = history(false);
    site.git("2025-05-01", &["mv", "content/en/same.md", "content/en/other.md"]);
    site.git("2025-05-01", &["commit", "--quiet", "-m", "move"]);
    let findings = site.findings();
    let orphan = findings.iter().find(|it| it.code == "translation-orphan").expect("an orphan");
    assert_eq!(
        (orphan.file.as_str(), orphan.message.as_str()),
        ("content/ja/same.md", "the original of this page moved to `content/en/other.md`")
    );
}

#[test]
fn findings_are_accepted_in_comments_and_only_one_language_is_compared() {
    let site = history(false);
    let comment = "\n<!-- stepkin: allow translation-behind: on purpose -->\n\n";
    let words = site.text(&ja("words")).replacen("---\n\n", &format!("---\n{comment}"), 1);
    let site = site.edit(&ja("words"), words);
    let findings = drift(&site, &["--language", "ja"]);
    assert!(!of_code(&findings, "translation-behind").contains_key("content/ja/words.md"), "{findings:?}");
    site.run(&["drift", "--language", "fr"]).exits(2).says("unknown language `fr`");
}

#[test]
fn a_shallow_clone_and_a_folder_without_git_show_no_lag() {
    let site = history(false);
    let clone = SiteTest::rootless();
    let from = format!("file://{}", site.root().display());
    clone.git("2025-05-01", &["clone", "--quiet", "--depth=1", &from, "."]);
    let plain = site.copy_of(&["content"]);
    for site in [clone, plain] {
        let findings = drift(&site, &[]);
        assert!(of_code(&findings, "translation-behind").is_empty());
        assert_eq!(of_code(&findings, "translation-structure").len(), 2);
        let run = site.run(&["translations"]).exits(0);
        assert!(run.stderr.contains("git doesn't have the complete history"), "{}", run.stderr);
    }
}

#[test]
fn wrong_languages_in_the_configuration_are_errors_with_their_place() {
    for (config, expected) in [
        ("[languages.xx]\nname = 'x'\n", "stepkin.toml:1:12: `xx` is no known language"),
        ("[languages]\ndefautl = 'en'\n", "stepkin.toml:2:1: `defautl` is no known language"),
        (
            "[languages.ja]\nfolder = 'content/nowhere'\n",
            "stepkin.toml:2:10: there is no folder `content/nowhere`",
        ),
        (
            "[languages]\ndefault = 'ja'\n[languages.ja]\nfolder = 'content/ja'\n",
            "stepkin.toml:2:11: `ja` is the language of the original",
        ),
        ("[languages.pt-BR]\n[languages.pt_BR]\n", "stepkin.toml:2:12: `pt_BR` is the language `pt-BR`"),
        ("[languages]\nrequire = ['fr']\n", "stepkin.toml:2:12: the site has no translation into `fr`"),
    ] {
        let site = SiteTest::empty()
            .edit("content/en/a.md", "# A\n")
            .edit("content/ja/a.md", "# A\n")
            .edit("stepkin.toml", config);
        site.run(&["check"]).exits(2).says(expected);
    }
}

#[test]
fn a_repository_names_its_languages_in_the_first_line() {
    let same = "## Same\n\nThese are more than a dozen words that nobody has translated into another language yet, it seems.\n";
    let site = SiteTest::empty()
        .edit("content/en/a.md", original("a"))
        .edit("content/en/b.md", original("b") + same)
        .edit("content/en/a.de.md", translation("a"))
        .edit("content/pt_BR/a.md", translation("a"))
        .edit("content/pt_BR/b.md", translation("b") + same);
    let expected = "read as a Stepkin site: content/en/ (English), and 2 translations: Português (BR) 2 pages, Deutsch 1 page";
    site.run(&["drift"]).exits(0).says(expected);
    let findings = drift(&site, &[]);
    let same = of_code(&findings, "untranslated-section");
    assert_eq!(same.keys().copied().collect::<Vec<_>>(), ["content/pt_BR/b.md"]);
    assert_eq!(same["content/pt_BR/b.md"]["line"], 18);
}
