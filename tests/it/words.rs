//! The words of the interface in the language of the site.

use std::collections::BTreeMap;

use stepkin::input::words::{Phrase, Words};

use crate::support::{SiteTest, tree};

/// A site with every kind of page, whose texts contain only the letter `ж`.
fn wordless(language: &str) -> SiteTest {
    let step = "---\ntitle: Ж 1\norder: 1\nduration: 2\n---\n\n\
                > [!TIP]\n> Ж\n\n:::warning Ж\nЖ\n:::\n\n- [x] Ж\n- [ ] Ж[^1]\n\n[^1]: Ж\n\n\
                ## Ж Ж\n\n| | Ж |\n| - | - |\n| Ж | Ж |\n\n## ЖЖ\n\n```\n1\n```\n";
    let settings = |value: &str| {
        format!(
            "{step}\n| Ж setting | Ж | Description |\n| - | - | - |\n| Ж | {value} | |\n| ЖЖ | 3 | Ж{value} |\n"
        )
    };
    let config = format!(
        "language = \"{language}\"\nedit_url = \"https://e.org/{{path}}\"\n[[family]]\nid = \"t\"\ntitle = \"Ж\"\n\
         [[family.platform]]\nid = \"ios\"\nname = \"Ж1\"\n[[family.platform]]\nid = \"web\"\nname = \"Ж2\"\n"
    );
    SiteTest::empty()
        .edit("stepkin.toml", config)
        .edit("content/t/ios/a.md", settings("1"))
        .edit("content/t/web/a.md", settings("2"))
        .edit("content/t/web/b.md", "---\ntitle: ЖЖ\norder: 2\ndraft: true\naliases: [/old/]\n---\n\nЖ\n")
        .edit("content/ж.md", "---\ntitle: ЖЖЖ\n---\n\nЖ\n")
}

/// Returns what readers see or hear on a page: texts, and attributes with texts.
fn said_on(html: &str) -> Vec<String> {
    let mut said = Vec::new();
    let mut is_script = false;
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        is_script = tag.starts_with("script") || tag.starts_with("style");
        // The names of keys are printed on them.
        if !is_script && tag != "kbd" {
            said.push(text.trim().to_string());
        }
        let names = ["aria-label", "placeholder", "title", "alt", "data-"];
        for piece in tag.split("=\"").zip(tag.split("=\"").skip(1)) {
            let name = piece.0.rsplit(' ').next().unwrap_or_default();
            let value = piece.1.split('"').next().unwrap_or_default();
            if names.iter().any(|known| name.starts_with(known)) && !is_for_programs(name) {
                said.push(value.to_string());
            }
        }
    }
    assert!(!is_script);
    said.retain(|text| !text.is_empty());
    said
}

/// Whether an attribute contains an ID or URL.
fn is_for_programs(name: &str) -> bool {
    [
        "data-platform",
        "data-family",
        "data-kind",
        "data-step",
        "data-group",
        "data-count",
        "data-name",
        "data-opens",
        "data-progress",
        "data-resume",
        "data-colour",
        "data-tally",
        "data-minutes",
        "data-n",
        "data-class",
        "data-copies",
        "aria-labelledby",
        "data-script",
        "data-style",
        "data-sections",
        "data-texts",
    ]
    .iter()
    .any(|known| name.starts_with(known))
}

/// A language in which every word is in brackets, so that text outside them doesn't come from the words.
fn bracketed() -> String {
    let words = serde_json::to_value(Words::default()).expect("words are plain data");
    let words: BTreeMap<String, Phrase> = serde_json::from_value(words).expect("and come back");
    let bracket = |key: &str, text: &str| {
        let slots: Vec<&str> =
            text.split_inclusive('}').filter_map(|part| part.find('{').map(|at| &part[at..])).collect();
        format!("⟦{key}⟧{}", slots.join("⟦⟧"))
    };
    let line = |(key, said): (String, Phrase)| match said {
        Phrase::Always(text) => format!("{key} = {:?}\n", bracket(&key, &text)),
        Phrase::Counted(forms) => {
            let other = bracket(&key, &forms.other);
            format!(
                "{key} = {{ one = {:?}, other = {other:?} }}\n",
                bracket(&key, &forms.one.expect("English"))
            )
        }
        // Tables of settings must still be recognized.
        Phrase::Several(texts) if key.ends_with("_columns") => format!("{key} = {texts:?}\n"),
        Phrase::Several(_) => format!("{key} = [{:?}]\n", bracket(&key, "")),
    };
    words.into_iter().map(line).collect()
}

#[test]
fn every_word_that_pages_say_is_in_the_file_of_words() {
    let site = wordless("x-brackets").edit("templates/words/x-brackets.toml", bracketed());
    site.run(&["build", "--drafts"]).exits(0);
    let mut pages = 0;
    for (name, bytes) in tree(&site.path("dist")) {
        if !name.ends_with(".html") {
            continue;
        }
        pages += 1;
        for said in said_on(&String::from_utf8_lossy(&bytes)) {
            let outside: String =
                said.split('⟦').map(|part| part.split_once('⟧').map_or(part, |(_, rest)| rest)).collect();
            let outside = [
                "{count}",
                "{shown}",
                "{done}",
                "{title}",
                "{platform}",
                "{words}",
                "Description",
                "setting",
                "{}",
            ]
            .iter()
            .fold(outside, |text, slot| text.replace(slot, ""));
            assert!(!outside.chars().any(|c| c.is_ascii_alphabetic()), "{name} says `{said}`");
        }
    }
    assert!(pages >= 10, "{pages} pages");
}

#[test]
fn a_site_in_german_has_german_words() {
    let site = wordless("de-AT");
    site.run(&["build", "--drafts", "--strict"]).exits(0);
    site.page("/t/web/a/")
        .shows("<html lang=\"de-AT\" dir=\"ltr\"")
        .shows("Zum Inhalt springen")
        .shows("<p class=\"note-label\">Tipp</p>")
        .shows("<p class=\"note-label\">Warnung: Ж</p>")
        .shows("etwa 2 Minuten")
        .shows("Auf dieser Seite");
    site.page("/t/").shows("nicht auf ").shows(">2 Schritte<").shows(">1 Schritt<");
    site.page("/t/compare/").shows("<b>2</b> <span>Einstellungen").shows("Plattformen nebeneinander");
    assert!(site.text("dist/llms.txt").contains("Weitere Seiten"));
}

/// Checks that a site in a language has no findings, the attributes of its pages, and texts of a step and of the overview.
#[track_caller]
fn check_shipped(language: &str, html: &str, step: &[&str], overview: &[&str]) {
    let site = wordless(language);
    site.run(&["build", "--drafts", "--strict"]).exits(0);
    let page = site.page("/t/web/a/").shows(&format!("<html lang=\"{language}\" {html}"));
    step.iter().fold(page, |page, text| page.shows(text));
    overview.iter().fold(site.page("/t/"), |page, text| page.shows(text));
}

#[test]
fn sites_in_shipped_languages_have_their_words() {
    check_shipped("uk", "dir=\"ltr\"", &["Порада", "близько 2 хвилин"], &[">2 кроки<", ">1 крок<"]);
    check_shipped("zh-CN", "dir=\"ltr\"", &["提示", "约 2 分钟"], &[">2 个步骤<", ">1 个步骤<"]);
    check_shipped("ar-EG", "dir=\"rtl\"", &["نصيحة", "دقيقتان تقريبًا"], &[">خطوتان<", ">خطوة واحدة<"]);
}

#[test]
fn missing_texts_are_english_and_reported() {
    let site = wordless("fa").edit("templates/words/fa.toml", "next = \"بعدی\"\nnexxt = \"x\"\n");
    let found: Vec<_> = site.findings().into_iter().filter(|it| it.file.starts_with("templates")).collect();
    let codes: Vec<(&str, usize)> = found.iter().map(|it| (it.code.as_str(), it.line)).collect();
    assert_eq!(codes, [("missing-word", 1), ("unknown-key", 2)]);
    site.run(&["build", "--drafts"]).exits(0);
    site.page("/t/web/a/")
        .shows("lang=\"fa\" dir=\"rtl\"")
        .shows("<small>بعدی</small>")
        .shows("Skip to content");
    let site = wordless("sv").build();
    let at: Vec<_> = site.findings().into_iter().filter(|it| it.code == "missing-word").collect();
    assert_eq!((at.len(), at[0].file.as_str(), at[0].line), (1, "stepkin.toml", 1));
}

#[test]
fn a_template_of_the_site_has_words_of_its_own() {
    let site = SiteTest::empty()
        .edit("content/index.md", "---\ntitle: A\n---\n")
        .edit(
            "templates/words/en.toml",
            "cheers = { one = \"{count} cheer for {who}\", other = \"{count} cheers for {who}\" }\n",
        )
        .edit(
            "templates/home.html",
            "{{ words.cheers | say(count=1, who=\"<us>\") }}, {{ words.cheers | say(count=3, who=\"all\") }}",
        );
    assert_eq!(site.findings(), []);
    let site = site.build();
    site.page("/").shows("1 cheer for &lt;us&gt;, 3 cheers for all");
    let site = site.edit("templates/home.html", "{{ words.cheers | say(who=\"all\") }}");
    site.run(&["build"]).exits(1).reports("template-error");
}

/// Checks the texts for numbers in a language with these forms of a word, and the findings about the forms.
#[track_caller]
fn check_forms(language: &str, forms: &str, numbers: &[u64], expected: &str, found: &[&str]) {
    let said: Vec<String> =
        numbers.iter().map(|number| format!("{{{{ words.days | say(count={number}) }}}}")).collect();
    let site = SiteTest::empty()
        .edit("stepkin.toml", format!("language = \"{language}\"\n"))
        .edit("content/index.md", "---\ntitle: A\n---\n")
        .edit(&format!("templates/words/{language}.toml"), format!("days = {forms}\n"))
        .edit("templates/home.html", format!("{}{{{{ words.days | forms | safe }}}}", said.join(",")));
    let about_forms = |message: &String| message.contains("`days`");
    let messages: Vec<String> =
        site.findings().into_iter().map(|it| it.message).filter(about_forms).collect();
    assert_eq!(messages, found);
    site.build().page("/").shows(expected);
}

#[test]
fn numbers_have_the_forms_of_the_language() {
    check_forms(
        "pl",
        "{ one = \"dzień\", few = \"dni\", many = \"dni wiele\", other = \"dnia\" }",
        &[0, 1, 2, 5, 12, 22],
        "dni wiele,dzień,dni,dni wiele,dni wiele,dni data-few=\"dni\"",
        &[],
    );
    check_forms(
        "ar",
        "{ zero = \"Z\", one = \"O\", two = \"T\", few = \"F\", many = \"M\", other = \"X\" }",
        &[0, 1, 2, 3, 10, 11, 99, 100, 103],
        "Z,O,T,F,F,M,M,X,F data-few=\"F\"",
        &[],
    );
    check_forms("ja", "{ other = \"日\" }", &[0, 1, 2], "日,日,日 data-other=\"日\"", &[]);
    // A word that doesn't change with its number is a text.
    check_forms("sv", "{ one = \"dag\", other = \"dagar\" }", &[0, 1, 2], "dagar,dag,dagar ", &[]);
}

#[test]
fn a_form_that_a_language_has_and_a_word_lacks_is_reported() {
    check_forms(
        "pl",
        "{ one = \"O\", other = \"X\" }",
        &[1, 2, 5],
        "O,X,X ",
        &["the word `days` lacks plural forms of `pl`: `few`, `many`"],
    );
    check_forms("fr", "{ one = \"O\", other = \"X\" }", &[0, 1, 2], "O,O,X ", &[]);
}

#[test]
fn in_a_line_from_right_to_left_slots_and_english_stand_apart() {
    let site = wordless("fa").edit("templates/words/fa.toml", "step_number = \"گام {number}\"\n");
    let site = site.edit("templates/home.html", "{{ words.step_number | say(number=1) }}|{{ words.next }}");
    site.run(&["build", "--drafts"]).exits(0);
    site.page("/").shows("گام \u{2068}1\u{2069}|\u{2066}Next\u{2069}");
}

/// A tutorial in German on two platforms with different settings.
fn german() -> SiteTest {
    let step = |value: &str, purpose: &str| {
        format!(
            "---\ntitle: Verbindung\norder: 1\n---\n\n## Angaben\n\n| Verbindungseinstellung | Wert | Beschreibung |\n\
             | - | - | - |\n| Stapelweise senden | {value} | {purpose} |\n| Ziel | Server | Wohin gesendet wird |\n"
        )
    };
    SiteTest::empty()
        .edit("stepkin.toml", "language = \"de\"\n")
        .edit("content/t/ios/a.md", step("an", "Schont den Akku"))
        .edit("content/t/web/a.md", step("aus", "Schont das Netz"))
}

#[test]
fn tables_of_settings_are_known_by_the_words_of_the_language() {
    let site = german();
    let codes: Vec<String> = site.findings().into_iter().map(|it| it.code).collect();
    assert_eq!(codes, [] as [&str; 0]);
    let site = site.build();
    site.page("/t/web/a/").shows("class=\"table settings\"").shows("<tr id=\"setting-stapelweise-senden\">");
    site.page("/t/compare/").shows("<b>1</b> <span>Einstellung verschieden").shows("<summary>Beschreibung<");
    let settings = site.text("dist/t/settings.json");
    assert!(settings.contains("\"Stapelweise senden\"") && settings.contains("Wohin"), "{settings}");
    assert!(site.text("dist/t/settings.csv").contains("Beschreibung"));
}

#[test]
fn pages_are_parsed_again_if_the_words_for_tables_change() {
    let shows = |site: &SiteTest, is_known: bool| {
        let page = site.text("dist/t/web/a/index.html");
        assert_eq!(page.contains("setting-stapelweise"), is_known);
    };
    let site = german().build();
    shows(&site, true);
    let site = site.edit("templates/words/de.toml", "setting_columns = [\"Schalter\"]\n").build();
    shows(&site, false);
    let site = site.edit("templates/words/de.toml", "setting_columns = [\"verbindung*\"]\n").build();
    shows(&site, true);
    let site = site.edit("stepkin.toml", "").build();
    shows(&site, false);
}

#[test]
fn a_word_of_another_kind_is_reported() {
    let site = german().edit(
        "templates/words/de.toml",
        "setting_columns = \"Einstellung\"\nnext = [\"Weiter\"]\ncount_steps = \"{count} Schritte\"\n",
    );
    let found: Vec<(String, usize)> = site.findings().into_iter().map(|it| (it.code, it.line)).collect();
    let expected = [("template-error", 1), ("template-error", 2), ("missing-word", 3)];
    assert_eq!(found, expected.map(|(code, line)| (code.to_string(), line)));
}
