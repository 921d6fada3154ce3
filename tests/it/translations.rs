//! Translations: how they are detected, which are outdated, and the findings about them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{SiteTest, json};

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
    site.commit("2025-01-01");
    for name in NAMES {
        site.write(&ja(name), translation(name));
    }
    site.commit("2025-02-01");
    let mut site = site;
    if with_pins {
        for name in NAMES {
            site.run(&["translations", "pin", &ja(name)]).exits(0);
        }
        site.commit("2025-02-02");
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
    run.exits(0).json()
}

fn of_code<'a>(findings: &'a [Value], code: &str) -> BTreeMap<&'a str, &'a Value> {
    let found = findings.iter().filter(|it| it["code"] == code);
    found.map(|it| (it["file"].as_str().expect("a file"), it)).collect()
}

/// Each page is outdated exactly by the changes of its original since it was translated.
#[test]
fn a_translation_lags_by_the_changes_of_its_original() {
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
fn names_that_differ_in_a_number_are_different_pages() {
    let mut site = SiteTest::empty();
    for name in ["01-part", "02-part", "03-part"] {
        site = site.edit(&en(name), original(name)).edit(&ja(name), translation(name));
    }
    assert_eq!(drift(&site, &[]), Vec::<Value>::new());
    let codes: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
    assert!(!codes.iter().any(|code| code.contains("translation")), "{codes:?}");
}

/// Nine originals in two folders, of which languages have some.
#[test]
fn languages_that_lack_the_same_pages_are_one_finding() {
    let mut site = SiteTest::empty();
    let pages = ["a", "b", "c", "d", "e", "f"].map(String::from).into_iter();
    let all: Vec<String> = pages.chain(["ref/x", "ref/y", "ref/z"].map(String::from)).collect();
    for page in &all {
        site = site.edit(&en(page), original(page));
    }
    let of = |language: &str, pages: &[String]| -> Vec<(String, String)> {
        pages.iter().map(|page| (format!("content/{language}/{page}.md"), translation(page))).collect()
    };
    let languages = [("ja", 5), ("ko", 5), ("fr", 2), ("it", 2)];
    for (path, text) in languages.iter().flat_map(|(language, count)| of(language, &all[..*count])) {
        site = site.edit(&path, text);
    }
    let found = drift(&site, &[]);
    let messages: Vec<&str> = found.iter().filter_map(|it| it["message"].as_str()).collect();
    let missing = "1 of 6 pages in `content/en` isn't translated into 日本語 and 한국어";
    let none = "none of the 3 pages in `content/en/ref` is translated into any language";
    let partial = "2 languages have fewer than half of the 9 pages: Français (2) and Italiano (2)";
    assert_eq!(messages, [partial, missing, none]);
    let found = drift(&site, &["--language", "fr"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["message"], "Français has 2 of the 9 pages");
    // A page in British English may be the same as the American one.
    let word = "Sampling reduces the data that your app sends to the server by a constant factor.\n";
    let british = site.edit(&en("same"), word).edit("content/en-GB/same.md", word);
    let british = british.edit("content/en-GB/a.md", original("a")).edit("content/ja/same.md", word);
    let untranslated = drift(&british, &[]);
    let untranslated: Vec<&str> = of_code(&untranslated, "untranslated-section").keys().copied().collect();
    assert_eq!(untranslated, ["content/ja/same.md"]);
    // Nor is a text that is the same in several languages reported for each.
    let both = drift(&british.edit("content/ko/same.md", word), &[]);
    let [found] = &of_code(&both, "untranslated-section").into_values().collect::<Vec<_>>()[..] else {
        panic!("{both:?}");
    };
    let message = found["message"].as_str().expect("a text");
    assert!(
        message.ends_with("word for word the original's in 2 translations: 日本語 and 한국어"),
        "{message}"
    );
}

/// Without the history of the original, the same difference in several languages shows that the original was changed.
#[test]
fn other_code_in_several_languages_is_a_change_of_the_original() {
    let page = |title: &str, name: &str, line: &str| {
        format!("# {title}\n\n## {title} 2\n\n`{name}`\n\n```sh\n{line}\nlamp on\n```\n")
    };
    let mut site = SiteTest::empty();
    let all = [
        ("en", page("Fill", "steps.js", "lamp fill --oil 2")),
        ("ja", page("入れる", "program.js", "lamp fill --oil 1 # 入れる")),
        ("ko", page("채우기", "program.js", "lamp fill --oil 2")),
        ("fr", page("Remplir", "etapes.js", "lamp fill --oil 2")),
    ];
    for (language, text) in &all {
        for name in ["a", "b"] {
            site = site.edit(&format!("content/{language}/{name}.md"), text);
        }
    }
    let found = drift(&site, &[]);
    let messages: Vec<&str> = found.iter().filter_map(|it| it["message"].as_str()).collect();
    let name = "`steps.js` of the original is `program.js` in 2 translations: 日本語 and 한국어";
    let line = "`lamp fill --oil 2` of the original is `lamp fill --oil 1`";
    assert_eq!(messages, [line, name, line, name]);
    for (language, text) in [("ja", &all[0].1), ("ko", &all[2].1)] {
        for name in ["a", "b"] {
            site = site.edit(&format!("content/{language}/{name}.md"), text);
        }
    }
    assert_eq!(of_code(&drift(&site, &[]), "translation-code").len(), 0);
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
fn a_range_of_commits_shows_changes_that_translations_did_not_follow() {
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
    let line = &site.run(&["translations", "--json"]).json()[0];
    let counts = ["pages", "current", "behind", "missing"].map(|key| line[key].as_u64().expect("a number"));
    assert_eq!(counts, [8, 3, 5, 1], "{line}");
    let todo = site.run(&["translations", "ja", "--todo"]).exits(0).stdout;
    assert!(todo.contains("content/ja/more.md: new, from content/en/more.md"), "{todo}");
    let first = todo.lines().next().unwrap_or_default();
    assert!(first.contains(" words   6 links  content/ja/more.md"), "{todo}");
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
    let mut site = history(false);
    // Two commits whose IDs begin with the same characters.
    for message in ["9310", "13039"] {
        let who = "A <a@example.com> 0 +0000";
        let tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let commit = format!("tree {tree}\nauthor {who}\ncommitter {who}\n\n{message}\n");
        site = site.edit("commit", commit);
        site.git("2025-05-01", &["hash-object", "-t", "commit", "-w", "commit"]);
    }
    let same = pin(&site.text(&ja("same")), "fb3acec");
    let site = site.remove("commit").edit(&ja("same"), same);
    let words = pin(&site.text(&ja("words")), "1234567890");
    let code = pin(&site.text(&ja("code")), "soon");
    let more = pin(&site.text(&en("more")), "1234567890");
    let site = site.edit(&ja("words"), words).edit(&ja("code"), code).edit(&en("more"), more);
    let findings = site.findings();
    let pins: Vec<_> =
        findings.iter().filter(|it| it.code == "translation-pin").map(|it| it.message.as_str()).collect();
    assert_eq!(
        pins,
        [
            "a pin on a page of the original",
            "`soon` is no commit",
            "several commits begin with `fb3acec`",
            "there is no commit `1234567890`"
        ]
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

/// Changes of a page after its translation.
struct Course {
    name: &'static str,
    /// In the original, on the first day, and on the second.
    original: [fn(&str) -> String; 2],
    /// In the translation, on the second day.
    translation: fn(&str) -> String,
    /// The sections that the translation doesn't follow.
    behind: &'static [&'static str],
}

/// Courses with their truth, which the commits and texts alone have to show.
fn courses() -> Vec<Course> {
    fn same(text: &str) -> String {
        text.to_string()
    }
    fn word(text: &str) -> String {
        text.replace("Install the package", "Install the signed package of your system")
    }
    fn spelling(text: &str) -> String {
        text.replace("explains how", "explain how")
    }
    fn rewritten(text: &str) -> String {
        text.replace(
            "first.",
            "before anything else, because every other step of this page needs a package that works.",
        )
    }
    fn link(text: &str) -> String {
        text.replace("more.md", "words.md")
    }
    fn code(text: &str) -> String {
        text.replace("--version 1", "--version 2")
    }
    fn section(text: &str) -> String {
        format!("{text}\n## Stop {{#stop}}\n\nStop it with one command.\n")
    }
    fn reflow(text: &str) -> String {
        text.replace("explains how to", "explains\nhow to").replace("## Next {#next}", "Next {#next}\n----")
    }
    fn front(text: &str) -> String {
        text.replacen("title:", "weight: 2\ntitle:", 1)
    }
    fn followed(text: &str) -> String {
        text.replace("を入れる", "の署名つきパッケージを入れる")
    }
    let course = |name, original, translation, behind| Course { name, original, translation, behind };
    vec![
        course("same", [same, same], same, &[]),
        course("front", [front, front], front, &[]),
        course("reflow", [reflow, same], same, &[]),
        course("words", [word, same], same, &["導入"]),
        course("words-touched", [word, same], front, &["導入"]),
        course("words-followed", [word, same], followed, &[]),
        course("words-late", [same, word], followed, &["導入"]),
        course("code", [code, same], same, &["導入"]),
        course("code-followed", [code, same], code, &[]),
        course("links", [link, same], same, &[]),
        // A small change, and new links in both: the translator saw that nothing is to be translated.
        course("spelling", [spelling, link], link, &[]),
        course("spelling-alone", [spelling, same], front, &[""]),
        // A change of links in all languages doesn't show that new sentences were translated.
        course("rewritten", [rewritten, link], link, &["導入"]),
        course("added", [section, same], same, &["Stop"]),
        course("added-touched", [section, link], link, &["Stop"]),
    ]
}

/// The judge: over pages with each course, with pins and without, which pages lag and in which sections.
#[test]
fn lagging_pages_are_found_with_and_without_pins() {
    for with_pins in [true, false] {
        let site = SiteTest::empty();
        site.git("2025-01-01", &["init", "--quiet", "--initial-branch=main"]);
        for course in courses() {
            site.write(&en(course.name), original(course.name));
        }
        site.write(&en("more"), original("more"));
        let first = site.commit("2025-01-01");
        for course in courses() {
            site.write(&ja(course.name), translation(course.name));
        }
        site.commit("2025-02-01");
        for course in courses() {
            site.write(&en(course.name), course.original[0](&original(course.name)));
        }
        let second = site.commit("2025-03-01");
        for course in courses() {
            let one = course.original[0](&original(course.name));
            site.write(&en(course.name), course.original[1](&one));
            let text = (course.translation)(&translation(course.name));
            // The pin of a translator who followed the changes.
            let follows_all = course.behind.is_empty();
            let late = course.name == "words-late";
            let pin = if follows_all || late { &second } else { &first };
            let pin =
                if with_pins { format!("---\ndefault_lang_commit: {pin}\n") } else { "---\n".to_string() };
            site.write(&ja(course.name), text.replacen("---\n", &pin, 1));
        }
        site.commit("2025-04-01");
        let findings = drift(&site, &[]);
        let behind = of_code(&findings, "translation-behind");
        let (mut right, mut wrong, mut lost) = (0, Vec::new(), Vec::new());
        for course in courses() {
            let file = ja(course.name);
            let sections =
                behind.get(file.as_str()).map(|it| it["data"]["sections"].as_array().expect("a list"));
            let is_text = |it: &&Value| it["change"] != "links";
            let named = sections
                .into_iter()
                .flatten()
                .filter(is_text)
                .map(|it| it["heading"].as_str().expect("a text"));
            let named: Vec<&str> = named.collect();
            let of_page = |section: &str| format!("{}: {section}", course.name);
            right += named.iter().filter(|it| course.behind.contains(it)).count();
            wrong.extend(named.iter().filter(|it| !course.behind.contains(it)).map(|it| of_page(it)));
            lost.extend(course.behind.iter().filter(|it| !named.contains(it)).map(|it| of_page(it)));
        }
        // A translation of the same day as the second change looks as if it followed it.
        let unknowable: &[&str] = if with_pins { &[] } else { &["words-late: 導入"] };
        assert_eq!(
            (wrong, lost.iter().map(String::as_str).collect::<Vec<_>>()),
            (Vec::new(), unknowable.to_vec()),
            "{with_pins}"
        );
        assert_eq!(right, 8 - unknowable.len());
        let warned = ["links", "reflow", "front", "same", "code"].map(ja);
        let is_warning =
            |file: &String| behind.get(file.as_str()).is_some_and(|it| it["severity"] == "warning");
        assert_eq!(warned.iter().filter(|it| is_warning(it)).count(), 0, "{behind:?}");
    }
}

#[test]
fn links_images_and_numbers_are_carried_over_and_the_pin_moves() {
    let site = SiteTest::empty();
    let english = "---\ntitle: A\n---\n\n## Run {#run}\n\nSee [b](b.md). ![One](/images/one.png)\n\n| Name | Size |\n| --- | --- |\n| Node | 18 |\n";
    let japanese = "---\ntitle: あ\n---\n\n## 実行 {#run}\n\n[び](b.md) ![一](/images/one.png)\n\n| 名前 | 大きさ |\n| --- | --- |\n| Node | 18 |\n";
    for name in ["a", "more", "b"] {
        site.write(&en(name), english);
        site.write(&ja(name), japanese);
    }
    site.git("2025-01-01", &["init", "--quiet", "--initial-branch=main"]);
    site.commit("2025-01-01");
    for name in ["a", "more", "b"] {
        site.run(&["translations", "pin", &ja(name)]).exits(0);
    }
    site.commit("2025-01-02");
    let new = english.replace("b.md", "more.md#run").replace("one.png", "two.png").replace("| 18", "| 20");
    site.write(&en("a"), &new);
    site.write(&en("more"), new.replace("Run", "Start"));
    site.commit("2025-02-01");
    let old = site.text(&ja("a"));
    let patch =
        site.run(&["fix", "--select", "translation-code,translation-link", "--dry-run"]).exits(0).stdout;
    assert!(patch.contains("+| Node | 20 |") && site.text(&ja("a")) == old, "{patch}");
    let run = site.run(&["fix", "--only", "translation-code,translation-link"]).exits(0);
    assert!(run.stderr.contains("fixed 6 problems in 2 files"), "{}", run.stderr);
    assert!(run.stderr.contains("moved the pins of 1 page"), "{}", run.stderr);
    let body = |text: &str| text.split("---\n").last().expect("a body").to_string();
    let expected =
        japanese.replace("b.md", "more.md#run").replace("one.png", "two.png").replace("| 18", "| 20");
    for name in ["a", "more"] {
        assert_eq!(body(&site.text(&ja(name))), body(&expected));
    }
    let (a, more) = (site.text(&ja("a")), site.text(&ja("more")));
    assert_ne!(
        a.lines().find(|it| it.contains("default_lang")),
        old.lines().find(|it| it.contains("default_lang"))
    );
    let findings = drift(&site, &[]);
    let behind = of_code(&findings, "translation-behind");
    assert_eq!(behind.keys().copied().collect::<Vec<_>>(), ["content/ja/more.md"]);
    site.run(&["fix", "--select", "translation-code,translation-link"]).exits(0).says("fixed 0 problems");
    assert_eq!((site.text(&ja("a")), site.text(&ja("more"))), (a, more));
}

#[test]
fn a_translation_begins_as_a_pinned_copy() {
    let site = history(false);
    let run = site.run(&["new", "--language", "ja", &en("more"), "--dry-run"]).exits(0);
    assert!(run.stdout.contains("+++ b/content/ja/more.md"), "{}", run.stdout);
    site.run(&["new", "--language", "ja", &en("more")]).exits(0).says("created `content/ja/more.md`");
    let head = site.run_git(&["log", "-1", "--format=%H", "--", &en("more")]);
    let pin = format!("default_lang_commit: {}\n---\n", head.trim());
    assert_eq!(site.text(&ja("more")), site.text(&en("more")).replacen("\n---\n", &format!("\n{pin}"), 1));
    site.write("stepkin.toml", "title = \"A\"\n");
    for (page, language, expected) in [
        (en("more"), "ja", "`content/ja/more.md` is its translation"),
        (ja("same"), "ja", "it is a translation of `content/en/same.md`; use that page"),
        (en("none"), "ja", "cannot read `content/en/none.md`"),
        ("stepkin.toml".to_string(), "ja", "the site has no such page"),
        (en("more"), "xx", "unknown language `xx`"),
    ] {
        site.run(&["new", "--language", language, &page]).exits(2).says(expected);
    }
    // A new language is declared.
    site.run(&["new", "--language", "fr", &en("more"), "--dry-run"]).exits(0);
    assert_eq!(site.text("stepkin.toml"), "title = \"A\"\n");
    site.run(&["new", "--language", "fr", &en("more")]).exits(0).says("created `content/fr/more.md`");
    assert_eq!(site.text("stepkin.toml"), "title = \"A\"\n\n[languages.fr]\nfolder = \"content/fr\"\n");
    assert!(site.text("content/fr/more.md").contains(&pin));
    let run = site.run(&["translations"]).exits(0);
    assert!(run.stdout.contains("fr"), "{}", run.stdout);
    // A page that no commit has can't be pinned.
    site.write(&en("fresh"), original("fresh"));
    site.run(&["new", "--language", "ja", &en("fresh")]).exits(0).says("has no pin");
    assert_eq!(site.text(&ja("fresh")), original("fresh"));
}

#[test]
fn a_lock_shows_which_sections_changed_without_a_history() {
    let site = history(false);
    let copy = site.copy_of(&["content"]);
    copy.run(&["translations", "pin", "--lock", "--anyway", &ja("words"), &ja("code"), &ja("same")]).exits(0);
    let lock = copy.text("translations.lock");
    let copy = copy.replace(&en("words"), "Install the package", "Get the package").replace(
        &en("code"),
        "--version 2",
        "--version 3",
    );
    let findings = drift(&copy, &[]);
    let behind = of_code(&findings, "translation-behind");
    let shown: Vec<_> =
        behind.values().map(|it| (it["message"].as_str().unwrap(), &it["data"]["base"]["by"])).collect();
    assert_eq!(
        shown,
        [
            ("日本語 is behind the original in 1 section: `導入` (code)", &Value::from("lock")),
            ("日本語 is behind the original in 1 section: `導入` (words)", &Value::from("lock")),
        ]
    );
    copy.run(&["translations", "pin", "--lock", &ja("words")]).exits(0);
    assert!(!of_code(&drift(&copy, &[]), "translation-behind").contains_key("content/ja/words.md"));
    let same = |text: &str| {
        text.split("content/ja/same.md:").nth(1).map(|it| it.lines().take(4).collect::<Vec<_>>().join("\n"))
    };
    assert_eq!(same(&lock), same(&copy.text("translations.lock")));
    let broken = copy.edit("translations.lock", "<<<<<<< HEAD\n");
    broken.run(&["drift"]).exits(2).says("translations.lock:1:1: this is no page");
}

fn output(site: &SiteTest, arguments: &[&str]) -> Value {
    json(&site.run(arguments).stdout)
}

/// Each line of the work list, by its task.
fn tasks(site: &SiteTest, arguments: &[&str]) -> BTreeMap<String, Value> {
    let tasks = site.run(&[&["drift", "--todo", "--json"], arguments].concat()).exits(0).json();
    tasks.into_iter().map(|it| (it["task"].as_str().expect("a name").to_string(), it)).collect()
}

#[test]
fn a_task_is_done_when_each_section_was_written_and_nothing_else_changed() {
    let site = history(true);
    let all = tasks(&site, &[]);
    let names = ["added", "code", "links", "more", "removed", "words"].map(ja);
    assert_eq!(all.keys().map(String::as_str).collect::<Vec<_>>(), names.each_ref().map(String::as_str));
    let words = &all["content/ja/words.md"]["sections"][0];
    assert_eq!((&words["change"], &words["write"]["line"]), (&"words".into(), &1.into()));
    assert!(words["original"]["text"].as_str().expect("a text").contains("shows where to start"));
    let added = &all["content/ja/added.md"]["sections"][0];
    assert_eq!((&added["keep"]["id"], &added["keep"]["level"]), (&"check".into(), &2.into()));
    let code = &all["content/ja/code.md"]["sections"][0];
    assert!(code["keep"]["code"][0].as_str().expect("code").contains("--version 2"), "{code}");
    assert_eq!(all["content/ja/more.md"]["create"], "stepkin new --language ja content/en/more.md");
    for name in &names {
        assert_eq!(all[name]["verify"], format!("stepkin verify {name}"));
        let run = site.run(&["verify", name]).exits(1);
        assert!(run.stdout.starts_with(name.as_str()), "{name}: {}", run.stdout);
    }
    site.run(&["verify", "content/ja/nothing.md"]).exits(2).says("no task `content/ja/nothing.md`");
    // Nothing was written: a pin alone is no translation.
    site.run(&["translations", "pin", &ja("words")]).exits(0);
    assert!(
        site.run(&["verify", &ja("words")])
            .exits(1)
            .stdout
            .contains("the introduction has the same words as before")
    );
    let site = site.replace(&ja("words"), "のはじめかた", "をはじめるところ");
    site.run(&["verify", &ja("words")]).exits(0).says("done: content/ja/words.md");
    // Code, links, and IDs must stay.
    let site = site.replace(&ja("added"), "## 次", "## 確認\n\n一度動かす。\n\n## 次");
    site.run(&["translations", "pin", &ja("added")]).exits(0);
    assert!(
        site.run(&["verify", &ja("added")])
            .exits(1)
            .stdout
            .contains("`確認` needs the ID of the original: `{#check}`")
    );
    let site = site.replace(&ja("added"), "## 確認", "## 確認 {#check}");
    site.run(&["verify", &ja("added")]).exits(0);
    let site = site.replace(&ja("code"), "--version 1", "--version 3");
    assert!(
        site.run(&["verify", &ja("code")])
            .exits(1)
            .stdout
            .contains("lacks this code of the original: `get code --version 2")
    );
    let site = site.replace(&ja("code"), "--version 3", "--version 2");
    assert!(site.run(&["verify", &ja("code")]).exits(0).stdout.is_empty());
    let site = site.replace(&ja("links"), "more.md", "words.md");
    site.run(&["verify", &ja("links")]).exits(0);
    // A new page has to be written as a whole.
    site.run(&["new", "--language", "ja", &en("more")]).exits(0);
    assert!(site.run(&["verify", &ja("more")]).exits(1).stdout.contains("is word for word the original's"));
    let head =
        site.text(&ja("more")).lines().find(|it| it.starts_with("default_lang")).expect("a pin").to_string();
    let site = site.edit(&ja("more"), translation("more").replacen("---\n", &format!("---\n{head}\n"), 1));
    site.run(&["verify", &ja("more")]).exits(0);
    let left = tasks(&site, &[]);
    assert_eq!(left.keys().map(String::as_str).collect::<Vec<_>>(), ["content/ja/removed.md"]);
}

#[test]
fn a_difference_between_platforms_is_a_task_too() {
    let page = |region: &str| {
        format!("# Connect\n\n## Create a key\n\n| Setting | Value |\n| --- | --- |\n| Region | {region} |\n")
    };
    let mut site = SiteTest::empty();
    for (platform, region) in [("web", "EU"), ("ios", "EU"), ("android", "US")] {
        site = site
            .edit(&format!("content/tour/{platform}/connect.md"), page(region))
            .edit(&format!("content/tour/{platform}/finish.md"), "# Finish\n\nIt is all done now.\n");
    }
    let all = tasks(&site, &[]);
    let (name, task) = all.iter().next().expect("a task");
    assert_eq!((all.len(), task["rule"].as_str()), (1, Some("setting-value")), "{all:?}");
    assert_eq!(task["verify"], format!("stepkin verify {name}"));
    assert!(site.run(&["verify", name]).exits(1).stdout.starts_with(task["file"].as_str().expect("a file")));
    let site = site.replace("content/tour/android/connect.md", "US", "EU");
    site.run(&["verify", name]).exits(0).says("done");
}

/// GitHub refuses a complete review with a comment outside of the changed lines.
#[test]
fn a_review_has_its_comments_in_changed_lines_only() {
    let site = history(false);
    site.git("2025-05-01", &["checkout", "--quiet", "-b", "change"]);
    let site = site.replace(&en("same"), "Install the package", "Get the package").replace(
        &en("front"),
        "--version 1",
        "--version 9",
    );
    // A translation that the pull request touches as well, at the block whose code is old.
    let site = site.replace(&ja("front"), "先に front を入れる", "先に  front を入れる");
    site.git("2025-05-01", &["commit", "--quiet", "-am", "change"]);
    let review = output(&site, &["drift", "--since", "main", "--format", "review"]);
    assert_eq!(review["event"], "COMMENT");
    let comments = review["comments"].as_array().expect("a list");
    let shown: Vec<String> = comments
        .iter()
        .map(|it| format!("{}:{} {}", it["path"].as_str().unwrap(), it["line"], it["side"].as_str().unwrap()))
        .collect();
    assert!(shown.contains(&"content/en/same.md:7 RIGHT".to_string()), "{review:#}");
    let at_original = comments.iter().find(|it| it["path"] == "content/en/same.md").expect("a comment");
    assert!(
        at_original["body"].as_str().unwrap().starts_with("`content/ja/same.md:8`: 日本語 is behind"),
        "{at_original}"
    );
    let own = comments.iter().find(|it| {
        it["path"] == "content/ja/front.md" && it["body"].as_str().unwrap().contains("suggestion")
    });
    let body = own.expect("a suggestion")["body"].as_str().unwrap().to_string();
    assert!(body.contains("suggestion\nget front --version 9 # in the shell\n"), "{body}");
    let diff = site.run_git(&["diff", "--unified=3", "main...change"]);
    for comment in comments {
        let path = format!("+++ b/{}", comment["path"].as_str().unwrap());
        assert!(diff.contains(&path), "{comment}");
    }
    site.run(&["drift", "--format", "review"]).exits(2).says("add `--since <REVISION>`");
    site.run(&["check", "--format", "review"]).exits(2).says("use `stepkin drift --since <REVISION>`");
}

/// The nine rules in the formats that other programs read, in baselines, and in exceptions.
#[test]
fn findings_about_translations_are_reported_and_accepted_as_others_are() {
    let site = history(false);
    let same = "\n## Same {#same}\n\nThese are more than a dozen words that nobody has translated into another language yet, it seems.\n";
    let site =
        site.edit(&en("copied"), original("copied") + same).edit(&ja("copied"), translation("copied") + same);
    let site = site.edit(&ja("orphan"), translation("orphan")).edit(&en("same.ja"), translation("same"));
    let linked = translation("linked").replace("(more.md)", "(../en/words.md)");
    let pinned = linked.replacen("---\n", "---\ndefault_lang_commit: 1234567890\n", 1);
    let site = site.edit(&en("linked"), original("linked")).edit(&ja("linked"), pinned);
    let short = translation("short").split("## 次").next().expect("a text").to_string();
    let site = site.edit(&en("short"), original("short")).edit(&ja("short"), short);
    let rules = [
        "duplicate-translation",
        "translation-behind",
        "translation-code",
        "translation-link",
        "translation-missing",
        "translation-orphan",
        "translation-pin",
        "translation-structure",
        "untranslated-section",
    ];
    let of_translations = |site: &SiteTest, more: &[&str]| {
        let run = site.run(&[&["check", "--drift", "--format", "json"], more].concat());
        let mut codes: Vec<String> =
            run.json().iter().map(|it| it["code"].as_str().unwrap().to_string()).collect();
        codes.retain(|code| rules.contains(&code.as_str()));
        codes.sort_unstable();
        codes
    };
    let mut found = of_translations(&site, &[]);
    found.dedup();
    assert_eq!(found, rules);
    let log = output(&site, &["check", "--drift", "--format", "sarif"]);
    let scan = &log["runs"][0];
    let list = |value: &Value, key: &str| -> Vec<String> {
        value
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| it[key].as_str().expect("a text").to_string())
            .collect()
    };
    for rule in rules {
        assert!(list(&scan["tool"]["driver"]["rules"], "id").contains(&rule.to_string()), "{rule}");
        assert!(list(&scan["results"], "ruleId").contains(&rule.to_string()), "{rule}");
    }
    for format in ["gitlab", "markdown", "junit", "github"] {
        let run = site.run(&["check", "--drift", "--fail-on", "info", "--format", format]);
        assert!(run.stdout.contains("translation-behind"), "{format}: {}", run.stdout);
    }
    // A baseline records them, and a new one is reported.
    site.run(&["check", "--drift", "--write-baseline", "known.json"]);
    assert_eq!(of_translations(&site, &["--baseline", "known.json"]), [""; 0]);
    let site = site.replace(&en("followed"), "Install the package", "Get the package");
    assert_eq!(of_translations(&site, &["--baseline", "known.json"]), ["translation-behind"]);
    // A comment accepts each, one that is no longer needed is reported.
    let comment = "<!-- stepkin: allow translation-behind: on purpose -->";
    let words = site.text(&ja("words")).replacen("---\n\n", &format!("---\n\n{comment}\n\n"), 1);
    let front = site.text(&ja("front")).replacen("---\n\n", &format!("---\n\n{comment}\n\n"), 1);
    let site = site.edit(&ja("words"), words).edit(&ja("front"), front);
    let run = site.run(&["check", "--drift", "--format", "json"]);
    let unused: Vec<&str> = run.stdout.lines().filter(|it| it.contains("\"unused-suppression\"")).collect();
    assert!(unused.len() == 1 && unused[0].contains("content/ja/front.md"), "{unused:?}");
    let behind: Vec<&str> = run.stdout.lines().filter(|it| it.contains("\"translation-behind\"")).collect();
    assert!(!behind.iter().any(|it| it.contains("\"file\":\"content/ja/words.md\"")), "{behind:?}");
}

/// `serve` answers before git would.
#[cfg(unix)]
#[test]
fn the_server_never_waits_for_git() {
    use std::time::{Duration, Instant};

    let site = history(true);
    // Where the repository is, git always says at once; its history takes long.
    let script =
        "#!/bin/sh\ncase \"$*\" in *rev-parse*) PATH=${PATH#*:} exec git \"$@\";; esac\nexec sleep 120\n";
    site.write_program("tools/git", script);
    let path = format!("{}:{}", site.path("tools").display(), std::env::var("PATH").unwrap_or_default());
    let start = Instant::now();
    let mut command = site.command(&["serve", "--port", "0"]);
    let server = crate::support::server::Server::of(command.env("PATH", path));
    let answer = server.ask("GET", "/ja/words/", &[]);
    assert!(answer.status == 200 && answer.text().contains("のはじめかた"), "{}", answer.status);
    // Far less than the git that never answers, on a busy machine as well.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn the_state_of_all_languages_is_a_page() {
    let site = history(true);
    site.run(&["translations", "--html", "state.html"]).exits(0).says("wrote the state of all translations");
    let page = site.text("state.html");
    for expected in [
        "<td class=\"number\">8</td><td class=\"number\">3</td><td class=\"number\">5</td><td class=\"number\">1</td>",
        "<code>content/ja/words.md</code>",
        "<del>explains how</del><ins>shows where</ins>",
        "since <time datetime=\"2025-03-01\">2025-03-01</time>",
        "<code>content/en/more.md</code>",
    ] {
        assert!(page.contains(expected), "no `{expected}` in {page}");
    }
}

/// A site with two translated pages in one commit.
fn translated() -> SiteTest {
    let site = SiteTest::empty();
    site.git("2025-01-01", &["init", "--quiet", "--initial-branch=main"]);
    for name in ["a", "b"] {
        site.write(&en(name), original(name));
        site.write(&ja(name), translation(name));
    }
    site.commit("2025-01-01");
    site
}

/// The sections behind and the source of the base, of each page.
fn lags(site: &SiteTest) -> BTreeMap<String, String> {
    let findings = drift(site, &[]);
    let behind = of_code(&findings, "translation-behind");
    let shown = |it: &Value| {
        let sections = it["data"]["sections"].as_array().expect("a list").iter();
        let sections: Vec<String> = sections
            .map(|it| format!("{} {}", it["heading"].as_str().unwrap(), it["change"].as_str().unwrap()))
            .collect();
        format!("{}: {}", it["data"]["base"]["by"].as_str().unwrap(), sections.join(", "))
    };
    behind.into_iter().map(|(file, it)| (file.to_string(), shown(it))).collect()
}

fn with_pin(text: &str, pin: &str) -> String {
    text.replacen("---\n", &format!("---\ndefault_lang_commit: {pin}\n"), 1)
}

#[test]
fn a_pin_may_be_abbreviated_or_of_another_branch() {
    let site = translated();
    let first = site.run_git(&["rev-parse", "HEAD"]);
    let site = site.replace(&en("a"), "Install the package", "Get the package");
    site.commit("2025-02-01");
    site.git("2025-02-02", &["checkout", "--quiet", "-b", "other"]);
    let other = site.commit("2025-02-02");
    site.git("2025-02-03", &["checkout", "--quiet", "main"]);
    site.write(&ja("a"), with_pin(&translation("a"), &first[..7]));
    site.write(&ja("b"), with_pin(&translation("b"), &other));
    site.commit("2025-02-04");
    assert_eq!(lags(&site), BTreeMap::from([(ja("a"), "pin: 導入 words".to_string())]));
    let findings = site.findings();
    let pins: Vec<_> = findings.iter().filter(|it| it.code == "translation-pin").collect();
    assert_eq!(pins.len(), 1, "{pins:?}");
    assert_eq!(
        (&*pins[0].file, &*pins[0].message),
        ("content/ja/b.md", &*format!("commit `{other}` isn't in the present history"))
    );
    // Six characters are too few for git.
    let site = site.edit(&ja("a"), with_pin(&translation("a"), &first[..6]));
    let messages: Vec<String> = site.findings().into_iter().map(|it| it.message).collect();
    assert!(messages.contains(&format!("`{}` is no commit", &first[..6])), "{messages:?}");
}

#[test]
fn an_original_is_followed_through_its_names() {
    for (pinned_before_the_move, expected) in [(true, "pin: 導入 words"), (false, "pin: 導入 words")] {
        let site = translated();
        let mut pin = site.run_git(&["rev-parse", "HEAD"]).trim().to_string();
        site.git("2025-02-01", &["mv", &en("a"), &en("c")]);
        site.git("2025-02-01", &["mv", &ja("a"), &ja("c")]);
        let moved = site.commit("2025-02-01");
        if !pinned_before_the_move {
            pin = moved;
        }
        site.write(&ja("c"), with_pin(&translation("a"), &pin));
        site.commit("2025-02-02");
        assert_eq!(lags(&site), BTreeMap::new());
        let site = site.replace(&en("c"), "Install the package", "Get the package");
        site.commit("2025-02-03");
        assert_eq!(lags(&site), BTreeMap::from([(ja("c"), expected.to_string())]));
    }
}

#[test]
fn an_original_that_was_split_lacks_a_section_and_gains_a_page() {
    let site = translated();
    let site = site.replace(&en("a"), "## Next {#next}\n\nRead [more](more.md) when it works.\n", "");
    let site = site.edit(&en("next"), "---\ntitle: Next\n---\n\nRead [more](more.md) when it works.\n");
    site.commit("2025-02-01");
    assert_eq!(lags(&site), BTreeMap::from([(ja("a"), "history: 次 removed".to_string())]));
    let findings = drift(&site, &[]);
    let missing = of_code(&findings, "translation-missing");
    assert_eq!(missing.keys().copied().collect::<Vec<_>>(), ["content/en/next.md"]);
}

#[test]
fn a_translation_that_is_older_than_its_original_begins_with_it() {
    let site = translated();
    site.write(&ja("c"), translation("c"));
    site.commit("2025-02-01");
    site.write(&en("c"), original("c"));
    site.commit("2025-03-01");
    assert_eq!(lags(&site), BTreeMap::new());
    let site = site.replace(&en("c"), "Install the package", "Get the package");
    site.commit("2025-04-01");
    assert_eq!(lags(&site), BTreeMap::from([(ja("c"), "history: 導入 words".to_string())]));
}

#[test]
fn invisible_changes_are_no_lag() {
    let site = translated();
    let windows =
        original("a").replace('\n', "\r\n").replace("explains how to begin", "explains how\r\nto begin");
    // The order of steps and notes for authors differ between languages.
    let other = original("b")
        .replace("title: b", "title: b\norder: 7")
        .replace("## Next", "<!-- later -->\n\n## Next");
    let site = site.edit(&en("a"), windows).edit(&en("b"), other);
    site.commit("2025-02-01");
    assert_eq!(lags(&site), BTreeMap::new());
    site.run(&["translations", "pin", &ja("a")]).exits(0);
    assert_eq!(site.findings().iter().filter(|it| it.code.starts_with("translation")).count(), 0);
}

#[test]
fn partial_pages_and_single_pages_are_no_translations() {
    let site = translated();
    let site = site.edit("content/ja/_part.md", "A part.\n").edit("content/fr/a.md", translation("a"));
    let run = site.run(&["translations"]).exits(0);
    let rows: Vec<&str> =
        run.stdout.lines().skip(1).map(|line| line.split("  ").next().unwrap_or_default()).collect();
    // One page in a folder may be about something else.
    assert_eq!(rows, ["ja"], "{}", run.stdout);
    assert!(of_code(&drift(&site, &[]), "translation-orphan").is_empty());
    let site = site.edit("stepkin.toml", "[languages.fr]\nfolder = \"content/fr\"\n");
    let run = site.run(&["translations", "--json"]).exits(0);
    let expected = "{\"behind\":0,\"current\":1,\"language\":\"fr\",\"missing\":1,\"pages\":1";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn a_section_that_several_languages_lack_is_one_finding() {
    let title = "---\ntitle: T\norder: 1\n---\n\n";
    let mut site = SiteTest::empty().edit(
        &en("a"),
        format!("{title}## Start\n\nRun `a`.\n\n## For R\n\nUse R here.\n\n## End\n\nRun `b`.\n"),
    );
    site = site.edit(&en("b"), original("b"));
    for language in ["de", "ja", "ko"] {
        let text = format!("{title}## Eins\n\nNun `a`.\n\n## Zwei\n\nNun `b`.\n");
        site = site.edit(&format!("content/{language}/a.md"), text);
        site = site.edit(&format!("content/{language}/b.md"), translation("b"));
    }
    let messages = |site: &SiteTest| -> Vec<String> {
        let found = drift(site, &[]);
        of_code(&found, "translation-structure")
            .values()
            .map(|it| it["message"].as_str().expect("a text").to_string())
            .collect()
    };
    let expected = "`For R` of the original is missing in 3 translations: Deutsch, 日本語 and 한국어";
    assert_eq!(messages(&site), [expected]);
    // One of the pages accepts that.
    let german = "content/de/a.md";
    let comment = format!("{title}<!-- stepkin: allow-file translation-structure: on purpose -->\n\n");
    let text = site.text(german).replace(title, &comment);
    let site = site.edit(german, text);
    assert_eq!(messages(&site), ["`For R` of the original is missing in 2 translations: 日本語 and 한국어"]);
}

#[test]
fn sections_of_a_page_that_are_not_translated_are_one_finding() {
    let text = "Turn the lamp on, and wait until it is warm, which takes a minute or two.";
    let page =
        |start: &str| format!("---\ntitle: T\n---\n\n{start}\n\n## One\n\n{text}\n\n## Two\n\n{text}\n");
    let mut site = SiteTest::empty().edit(&en("a"), page("Start.")).edit(&en("b"), original("b"));
    site = site.edit(&ja("a"), page("始め。")).edit(&ja("b"), translation("b"));
    let found = drift(&site, &[]);
    let found = of_code(&found, "untranslated-section");
    let messages: Vec<&str> = found.values().filter_map(|it| it["message"].as_str()).collect();
    assert_eq!(messages, ["`One` and `Two` are word for word the original's"]);
}

#[test]
fn a_translation_may_have_another_ending() {
    let config = "module.exports = {\n  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },\n  presets: [['classic', { docs: {} }]],\n};\n";
    let folder = "i18n/de/docusaurus-plugin-content-docs/current";
    let site = SiteTest::rootless()
        .edit("docusaurus.config.js", config)
        .edit("docs/a.md", original("a"))
        .edit(&format!("{folder}/a.mdx"), translation("a"));
    let run = site.run(&["translations", "--json"]).exits(0);
    let expected = "{\"behind\":0,\"current\":1,\"language\":\"de\",\"missing\":0,\"pages\":1";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn sixty_languages_are_found_and_counted() {
    const TAGS: &str = "aa ab af ak am ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cv cy da de \
        dv dz ee el eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu ha he hi ho hr ht hu hy hz ia";
    let site = translated();
    for tag in TAGS.split_whitespace() {
        for name in ["a", "b"] {
            site.write(&format!("content/{tag}/{name}.md"), translation(name));
        }
    }
    site.commit("2025-02-01");
    let site = site.replace(&en("a"), "Install the package", "Get the package");
    site.commit("2025-03-01");
    let count = TAGS.split_whitespace().count() + 1;
    assert_eq!(lags(&site).len(), count);
    let run = site.run(&["drift"]).exits(0);
    assert!(run.stderr.contains(&format!("{count} translations:")), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("and {} more", count - 12)), "{}", run.stderr);
}
