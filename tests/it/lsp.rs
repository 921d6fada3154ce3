//! Tests the language server over standard input and output of the real program.

#![expect(clippy::needless_pass_by_value, reason = "values are made for the call")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::support::{SiteTest, Tree, tree};

/// An editor with one open folder.
struct Editor {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    site: SiteTest,
    requests: i64,
    /// The last findings of each file, by its path relative to the folder.
    told: BTreeMap<String, Vec<Value>>,
    /// Requests of the server.
    asked: Vec<Value>,
    versions: i64,
}

const WEB: &str = "---\ntitle: Connect\norder: 1\n---\n\nGo to the [last step](finish.md#all-done).\n\n## Create a key\n\n\
    | Setting | Value |\n| --- | --- |\n| Name | `a` |\n| Region | EU |\n";
const IOS: &str = "---\ntitle: Connect\norder: 1\n---\n\nTap it.\n\n## Create a key {#key}\n\n\
    | Setting | Value |\n| --- | --- |\n| Region | US |\n| Name | `a` |\n";
const FINISH: &str = "---\ntitle: Finish\norder: 2\n---\n\n## All done\n\nBack to [the start](connect.md).\n";

impl Editor {
    fn open(files: &[(&str, &str)], capabilities: Value) -> Self {
        let site = files.iter().fold(SiteTest::rootless(), |site, (path, text)| site.edit(path, text));
        let mut child = Command::new(env!("CARGO_BIN_EXE_stepkin"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("it is piped")));
        let (told, asked) = (BTreeMap::new(), Vec::new());
        let mut editor = Self { child, to, from, site, requests: 0, told, asked, versions: 0 };
        let folder = json!([{ "uri": editor.uri(""), "name": "site" }]);
        let params = json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folder });
        editor.request("initialize", params);
        editor.notify("initialized", json!({}));
        // The initial findings are sent before any response.
        editor.request("workspace/symbol", json!({ "query": "nothing has this name" }));
        editor
    }

    /// With the tour above.
    fn on_a_tour() -> Self {
        let finish = ("content/tour/ios/finish.md", FINISH);
        Self::open(
            &[
                ("content/tour/web/connect.md", WEB),
                ("content/tour/web/finish.md", FINISH),
                ("content/tour/ios/connect.md", IOS),
                finish,
            ],
            json!({}),
        )
    }

    fn uri(&self, path: &str) -> String {
        let root = self.site.root().canonicalize().expect("it is there");
        format!("file://{}", root.join(path).display()).trim_end_matches('/').to_string()
    }

    fn path(&self, uri: &Value) -> String {
        uri.as_str().expect("a URI").trim_start_matches(&self.uri("")).trim_start_matches('/').to_string()
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let to = self.to.as_mut().expect("it is open");
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        to.flush().expect("it listens");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line).expect("it answers");
            assert!(!line.is_empty(), "it ended");
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.from.read_exact(&mut text).expect("it answers");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["method"].is_null() && message["id"] == id {
                return message;
            }
            self.take(message);
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Waits for the findings of a changed file. The next response comes after all of them.
    fn settle(&mut self, path: &str) {
        loop {
            let message = self.receive();
            if self.take(message).as_deref() == Some(path) {
                break;
            }
        }
        self.request("workspace/symbol", json!({ "query": "nothing has this name" }));
    }

    /// Handles a message that isn't a response, and returns the file that it is about.
    fn take(&mut self, message: Value) -> Option<String> {
        if message["method"] != "textDocument/publishDiagnostics" {
            self.asked.push(message);
            return None;
        }
        let file = self.path(&message["params"]["uri"]);
        let found = message["params"]["diagnostics"].as_array().expect("a list").clone();
        self.told.insert(file.clone(), found);
        Some(file)
    }

    fn edit(&mut self, path: &str, text: &str) {
        self.versions += 1;
        let document = json!({ "uri": self.uri(path), "languageId": "markdown", "version": self.versions, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.settle(path);
    }

    fn change(&mut self, path: &str, changes: Value) {
        self.versions += 1;
        let document = json!({ "uri": self.uri(path), "version": self.versions });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        self.settle(path);
    }

    fn close(&mut self, path: &str) {
        let document = json!({ "uri": self.uri(path) });
        self.notify("textDocument/didClose", json!({ "textDocument": document }));
        self.settle(path);
    }

    /// Returns `rule line:character` for every finding in a file.
    fn codes(&self, path: &str) -> Vec<String> {
        let found = self.told.get(path).cloned().unwrap_or_default();
        let said = |it: &Value| {
            let start = &it["range"]["start"];
            format!("{} {}:{}", it["code"].as_str().unwrap_or("-"), start["line"], start["character"])
        };
        found.iter().map(said).collect()
    }

    fn at(&self, path: &str, line: u32, character: u32) -> Value {
        json!({ "textDocument": { "uri": self.uri(path) }, "position": { "line": line, "character": character } })
    }

    /// Returns `path line:character` for every location in a response.
    fn places(&self, answer: &Value) -> Vec<String> {
        let place = |it: &Value| {
            let start = &it["range"]["start"];
            format!("{} {}:{}", self.path(&it["uri"]), start["line"], start["character"])
        };
        answer.as_array().expect("a list").iter().map(place).collect()
    }

    fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        drop(self.to.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

const CONNECT: &str = "content/tour/web/connect.md";
const SIBLING: &str = "content/tour/ios/connect.md";

#[test]
fn diagnostics_follow_the_open_text() {
    let mut editor = Editor::on_a_tour();
    assert!(editor.told.contains_key(SIBLING), "drift is told: {:?}", editor.told);
    assert_eq!(editor.codes(CONNECT).iter().filter(|it| it.starts_with("missing")).count(), 0);
    let broken = WEB.replace("finish.md#all-done", "finnish.md");
    editor.edit(CONNECT, &broken);
    assert!(editor.codes(CONNECT).contains(&"missing-page 5:22".to_string()), "{:?}", editor.codes(CONNECT));
    // Two letters are removed again.
    let range = json!({ "start": { "line": 5, "character": 25 }, "end": { "line": 5, "character": 26 } });
    editor.change(CONNECT, json!([{ "range": range, "text": "" }]));
    assert!(
        !editor.codes(CONNECT).iter().any(|it| it.starts_with("missing-page")),
        "{:?}",
        editor.codes(CONNECT)
    );
    editor.change(CONNECT, json!([{ "text": broken }]));
    assert!(editor.codes(CONNECT).contains(&"missing-page 5:22".to_string()));
    editor.close(CONNECT);
    assert!(
        !editor.codes(CONNECT).iter().any(|it| it.starts_with("missing-page")),
        "{:?}",
        editor.codes(CONNECT)
    );
    editor.end();
}

#[test]
fn positions_are_in_the_units_of_the_editor() {
    let text = "---\ntitle: A\n---\n\n\u{1f600}\u{e4} [x](/gone/)\n";
    for (encodings, character) in [(json!(["utf-16"]), 8), (json!(["utf-8", "utf-16"]), 11), (Value::Null, 8)]
    {
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        let editor = Editor::open(&[("content/a.md", text)], capabilities);
        assert_eq!(editor.codes("content/a.md"), [format!("missing-page 4:{character}")]);
        editor.end();
    }
}

#[test]
fn the_same_step_section_and_setting_are_one_key_away() {
    let mut editor = Editor::on_a_tour();
    for (line, character, expected) in [
        // The title, the heading, the setting `Region`, and the link.
        (1, 0, "content/tour/ios/connect.md 1:7"),
        (7, 4, "content/tour/ios/connect.md 7:0"),
        (12, 4, "content/tour/ios/connect.md 11:0"),
        (5, 25, "content/tour/web/finish.md 5:0"),
        (5, 14, "content/tour/web/finish.md 5:0"),
    ] {
        let answer = editor.request("textDocument/definition", editor.at(CONNECT, line, character));
        assert_eq!(editor.places(&answer), [expected], "{line}:{character}");
    }
    let answer = editor.request("textDocument/implementation", editor.at(CONNECT, 5, 25));
    assert_eq!(editor.places(&answer), ["content/tour/ios/connect.md 1:7"]);
    let mut params = editor.at("content/tour/web/finish.md", 5, 4);
    params["context"] = json!({ "includeDeclaration": false });
    let answer = editor.request("textDocument/references", params);
    assert_eq!(editor.places(&answer), ["content/tour/web/connect.md 5:22"]);
    editor.end();
}

#[test]
fn texts_of_other_platforms_are_shown_on_hover() {
    let mut editor = Editor::on_a_tour();
    let mut hover = |line, character| {
        let answer = editor.request("textDocument/hover", editor.at(CONNECT, line, character));
        answer["contents"]["value"].as_str().unwrap_or_default().to_string()
    };
    assert_eq!(hover(12, 4), "**Region**\n\n| | Value |\n| --- | --- |\n| Web | EU |\n| iOS | US |\n");
    assert_eq!(hover(5, 25), "Finish (`content/tour/web/finish.md`)");
    assert_eq!(hover(7, 5), "- iOS: Create a key {#key} (`content/tour/ios/connect.md`)\n");
    let lenses =
        editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": editor.uri(CONNECT) } }));
    let title = lenses[0]["command"]["title"].as_str().expect("a title");
    assert!(title.starts_with("iOS differs in "), "{title}");
    let command = &lenses[0]["command"];
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    editor.request("workspace/executeCommand", params);
    editor.request("workspace/symbol", json!({ "query": "nothing has this name" }));
    let shown: Vec<String> = editor
        .asked
        .iter()
        .filter(|it| it["method"] == "window/showDocument")
        .map(|it| editor.path(&it["params"]["uri"]))
        .collect();
    assert_eq!(shown, [SIBLING]);
    editor.end();
}

#[test]
fn a_translation_shows_the_changes_of_its_original() {
    let original = "---\ntitle: A\n---\n\nStart here.\n\n## Install {#install}\n\nInstall the package first.\n\n## Use {#use}\n\nUse it.\n";
    let now = original.replace("the package", "the signed package");
    let japanese = "---\ntitle: あ\n---\n\nここから。\n\n## 導入 {#install}\n\n先に入れる。\n\n## 使う {#use}\n\n使う。\n";
    let (en, ja) = ("content/en/a.md", "content/ja/a.md");
    let others = [("content/en/b.md", original), ("content/ja/b.md", japanese)];
    let mut editor = Editor::open(&[&[(en, &*now), (ja, japanese)], &others[..]].concat(), json!({}));
    editor.site.git("2025-03-01", &["init", "--quiet"]);
    editor.site.write(en, original);
    editor.site.commit("2025-03-01");
    editor.site.write(en, &now);
    editor.site.commit("2025-03-01");
    let mut hover = |line, character| {
        let answer = editor.request("textDocument/hover", editor.at(ja, line, character));
        answer["contents"]["value"].as_str().unwrap_or_default().to_string()
    };
    let section = "```markdown\n## Install {#install}\n\nInstall the signed package first.\n```\n";
    let changes = "Install Install the {+signed+} package first.";
    assert_eq!(
        hover(6, 4),
        format!("`content/en/a.md`, line 7: words changed since 2025-03-01\n\n{changes}\n\n{section}")
    );
    assert!(
        hover(10, 4).starts_with("`content/en/a.md`, line 11: no change to follow\n\n```markdown\n## Use"),
        "{}",
        hover(10, 4)
    );
    let mut lenses = |path: &str| -> Vec<String> {
        let params = json!({ "textDocument": { "uri": editor.uri(path) } });
        let lenses = editor.request("textDocument/codeLens", params);
        let title = |it: &Value| {
            format!("{} {}", it["range"]["start"]["line"], it["command"]["title"].as_str().unwrap())
        };
        lenses.as_array().expect("a list").iter().map(title).collect()
    };
    assert_eq!(lenses(ja), ["0 1 section behind", "6 words changed since 2025-03-01"]);
    assert_eq!(lenses("content/ja/b.md"), [""; 0]);
    assert_eq!(lenses(en), [""; 0]);
    editor.end();
}

#[test]
fn a_place_has_an_address_for_a_preview() {
    let mut editor = Editor::on_a_tour();
    let web = "/tour/web/connect/";
    for (line, anchor) in [(1, ""), (8, "#create-a-key"), (12, "#setting-region")] {
        let argument = json!({ "uri": editor.uri(CONNECT), "position": { "line": line, "character": 1 } });
        let params = json!({ "command": "stepkin.address", "arguments": [argument] });
        assert_eq!(editor.request("workspace/executeCommand", params), format!("{web}{anchor}"));
    }
    editor.end();
}

/// If Neovim is installed, as `./test` does.
#[test]
fn neovim_shows_a_finding_fixes_it_and_opens_the_sibling() {
    if Command::new("nvim").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("not tried: nvim is not installed");
        return;
    }
    let damaged = WEB.replace("Go to the [last step](finish.md#all-done).", "It wonâ€™t work.");
    let site = SiteTest::rootless().edit(CONNECT, damaged).edit(SIBLING, IOS);
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-c"])
        .arg(format!("luafile {}/tests/editors/neovim.lua", env!("CARGO_MANIFEST_DIR")))
        // If the script fails, the editor doesn't exit.
        .args(["-c", "cquit"])
        .env("STEPKIN_BIN", env!("CARGO_BIN_EXE_stepkin"))
        .env("STEPKIN_SITE", site.root().canonicalize().expect("it is there"))
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn completions_are_suggested() {
    let mut editor = Editor::on_a_tour();
    let mut labels = |line: &str| {
        let text = format!("{WEB}\n{line}");
        editor.edit(CONNECT, &text);
        let (number, character) = (text.lines().count() - 1, line.chars().count());
        let at = editor.at(CONNECT, u32::try_from(number).unwrap(), u32::try_from(character).unwrap());
        let answer = editor.request("textDocument/completion", at);
        let items = answer.as_array().cloned().unwrap_or_default();
        items.iter().map(|it| it["label"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(labels("See [x](").first().map(String::as_str), Some("../ios/connect.md"));
    assert!(labels("See [x](fi").contains(&"finish.md".to_string()));
    assert_eq!(labels("See [x](finish.md#"), ["all-done"]);
    assert_eq!(labels(":::platform i"), ["web", "ios"]);
    assert!(labels("```sw").contains(&"swift".to_string()));
    assert_eq!(labels("Nothing here"), [""; 0]);
    editor.end();
}

#[test]
fn findings_are_fixed_and_accepted_from_the_editor() {
    let text = "---\ntitle: A\n---\n\nIt wonâ€™t work, [x](/gone/).\n";
    let mut editor = Editor::open(&[("content/a.md", text)], json!({}));
    let actions = |editor: &mut Editor, only: Value| {
        let range = json!({ "start": { "line": 4, "character": 0 }, "end": { "line": 4, "character": 40 } });
        let context = json!({ "diagnostics": [], "only": only });
        let document = json!({ "uri": editor.uri("content/a.md") });
        editor.request(
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": context }),
        )
    };
    let all = actions(&mut editor, Value::Null);
    let titles: Vec<&str> = all.as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(
        titles,
        [
            "replace it with `’`; pages show it repaired",
            "Suppress `mojibake` here with a reason",
            "Suppress `missing-page` here with a reason",
            "Apply this fix"
        ]
    );
    let fix_all = actions(&mut editor, json!(["source.fixAll"]));
    assert_eq!(fix_all.as_array().unwrap().len(), 1);
    let edit = &fix_all[0]["edit"]["changes"][editor.uri("content/a.md")][0];
    assert_eq!(
        (edit["newText"].as_str(), edit["range"]["start"]["character"].as_u64()),
        (Some("’"), Some(6))
    );
    let accepted = &all[2]["edit"]["changes"][editor.uri("content/a.md")][0];
    assert_eq!(accepted["newText"], "<!-- stepkin: allow missing-page: reason -->\n");
    assert_eq!(accepted["range"]["start"], json!({ "line": 4, "character": 0 }));
    editor.end();
}

#[test]
fn outlines_folds_and_names_of_the_whole_site() {
    let mut editor = Editor::on_a_tour();
    let document = json!({ "textDocument": { "uri": editor.uri(CONNECT) } });
    let symbols = editor.request("textDocument/documentSymbol", document.clone());
    assert_eq!(symbols[0]["name"], "Create a key");
    let settings: Vec<&Value> =
        symbols[0]["children"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(settings, ["Name", "Region"]);
    let folds = editor.request("textDocument/foldingRange", document);
    let folds: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["startLine"].as_u64().unwrap(), it["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(folds, [(0, 3), (7, 12)]);
    let found = editor.request("workspace/symbol", json!({ "query": "reg" }));
    let found: Vec<String> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["name"], it["containerName"]))
        .collect();
    assert_eq!(found, ["\"Region\" \"iOS\"", "\"Region\" \"Web\""]);
    editor.end();
}

#[test]
fn a_configuration_that_cannot_be_used_is_one_finding() {
    let mut editor = Editor::open(
        &[("content/a.md", "---\ntitle: A\n---\n"), ("stepkin.toml", "title = 'x'\n")],
        json!({}),
    );
    assert!(editor.told.values().all(Vec::is_empty));
    editor.edit("stepkin.toml", "title = 'x'\nhosts = 5\n");
    assert_eq!(editor.codes("stepkin.toml"), ["- 1:8"]);
    editor.change("stepkin.toml", json!([{ "text": "title = 'y'\n" }]));
    assert_eq!(editor.codes("stepkin.toml"), [""; 0]);
    editor.end();
}

/// Capabilities of an editor that renames files.
fn renaming() -> Value {
    json!({ "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["rename"] } } })
}

/// A step on three platforms, and pages that link to it.
const THREE: &[(&str, &str)] = &[
    (
        "content/tour/web/plan.md",
        "---\ntitle: Plan\norder: 1\n---\n\n## Äpfel zählen\n\nEins. [Weiter](use.md#the-end)\n",
    ),
    (
        "content/tour/ios/plan.md",
        "---\ntitle: Plan\norder: 1\n---\n\n## Äpfel zählen\n\nZwei. [Weiter](../use/)\n",
    ),
    ("content/tour/android/plan/index.md", "---\ntitle: Plan\norder: 1\n---\n\n## Äpfel zählen\n\nDrei.\n"),
    (
        "content/tour/web/use.md",
        "---\ntitle: Use\norder: 2\n---\n\n## The end\n\n[Zurück](plan.md#äpfel-zählen)\n",
    ),
    (
        "content/tour/ios/use.md",
        "---\ntitle: Use\norder: 2\n---\n\n## The end\n\n[Zurück](/tour/ios/plan/#%C3%A4pfel-z%C3%A4hlen)\n",
    ),
    (
        "content/tour/android/use.md",
        "---\ntitle: Use\norder: 2\n---\n\n## The end\n\n[Zurück](plan/index.md)\n",
    ),
    (
        "content/index.md",
        "---\ntitle: Home\n---\n\n😀 [Web](tour/web/plan.md#äpfel-zählen) und [iOS](/tour/ios/plan/)\n",
    ),
];

impl Editor {
    /// Applies an edit as an editor does: one operation after the other.
    fn make(&self, edit: &Value) {
        for operation in edit["documentChanges"].as_array().expect("a list") {
            let file = |uri: &Value| {
                let path = self.path(uri);
                self.site.path(&percent_decode_str(&path).decode_utf8().expect("UTF-8"))
            };
            if operation["kind"] == "rename" {
                let to = file(&operation["newUri"]);
                std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder is made");
                std::fs::rename(file(&operation["oldUri"]), to).expect("it is renamed");
                continue;
            }
            let path = file(&operation["textDocument"]["uri"]);
            let mut text = std::fs::read_to_string(&path).expect("it is there");
            let offset = |text: &str, at: &Value| {
                let number =
                    |name: &str| usize::try_from(at[name].as_u64().expect("a number")).expect("small");
                let line: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
                let mut left = number("character");
                let letters = text[line..].chars().take_while(|letter| {
                    let is_before = left > 0;
                    left = left.saturating_sub(letter.len_utf16());
                    is_before
                });
                line + letters.map(char::len_utf8).sum::<usize>()
            };
            for it in operation["edits"].as_array().expect("a list").iter().rev() {
                let span = offset(&text, &it["range"]["start"])..offset(&text, &it["range"]["end"]);
                text.replace_range(span, it["newText"].as_str().expect("a text"));
            }
            std::fs::write(&path, text).expect("it is written");
        }
    }

    fn tree(&self) -> Tree {
        let mut tree = tree(&self.site.root());
        tree.retain(|path, _| !path.starts_with(".stepkin"));
        tree
    }

    fn rename(&mut self, (path, line, character): (&str, u32, u32), name: &str) -> Value {
        let mut params = self.at(path, line, character);
        params["newName"] = json!(name);
        self.request("textDocument/rename", params)
    }
}

/// Returns the site above after `stepkin mv`.
fn moved(arguments: &[&str]) -> Tree {
    moved_in(THREE, arguments)
}

/// Returns a site after `stepkin mv`.
fn moved_in(site: &[(&str, &str)], arguments: &[&str]) -> Tree {
    let editor = Editor::open(site, json!({}));
    editor.site.run(&[&["mv"], arguments].concat()).exits(0);
    let tree = editor.tree();
    editor.end();
    tree
}

#[test]
fn renaming_affects_all_platforms_like_mv() {
    let page = "content/tour/web/plan.md";
    let (heading, link, front) = ((page, 5, 5), ("content/index.md", 4, 15), (page, 1, 3));
    let fragment = ("content/index.md", 4, 27);
    let all = "--all-platforms";
    for (place, old, name, arguments) in [
        (
            heading,
            "Äpfel zählen",
            "Birnen zählen",
            [all, "content/tour/web/plan.md#äpfel-zählen", "Birnen zählen"],
        ),
        (fragment, "Äpfel zählen", "Birnen", [all, "content/tour/web/plan.md#äpfel-zählen", "Birnen"]),
        (front, "plan.md", "größe.md", [all, page, "content/tour/web/größe.md"]),
        (link, "plan.md", "first/set-up", [all, page, "content/tour/web/first/set-up.md"]),
    ] {
        let mut editor = Editor::open(THREE, renaming());
        let before = editor.tree();
        let prepared = editor.request("textDocument/prepareRename", editor.at(place.0, place.1, place.2));
        assert_eq!(prepared["placeholder"], old, "{place:?}");
        let edit = editor.rename(place, name);
        assert_eq!(editor.tree(), before, "it is for the editor to write");
        editor.make(&edit);
        assert_eq!(editor.tree(), moved(&arguments), "{place:?}: {edit}");
        editor.end();
    }
}

#[test]
fn translations_are_renamed_with_their_original_and_keep_their_own_titles() {
    let (page, german) = ("content/tour/web/plan.md", "content/de/tour/web/plan.md");
    let site = [
        THREE,
        &[
            (german, "---\ntitle: Planen\norder: 1\n---\n\n## Zählen\n\nEins. [Weiter](use.md)\n"),
            (
                "content/de/tour/web/use.md",
                "---\ntitle: Nutzen\norder: 2\n---\n\n## Ende\n\n[Zurück](plan.md#zählen)\n",
            ),
        ],
    ]
    .concat();
    for (place, name, arguments) in [
        ((page, 1, 3), "first", ["--all-platforms", page, "content/tour/web/first.md"]),
        ((german, 5, 5), "Abzählen", ["--all-platforms", "content/de/tour/web/plan.md#zählen", "Abzählen"]),
    ] {
        let mut editor = Editor::open(&site, renaming());
        let edit = editor.rename(place, name);
        editor.make(&edit);
        assert_eq!(editor.tree(), moved_in(&site, &arguments), "{place:?}: {edit}");
        editor.end();
    }
    let mut editor = Editor::open(&site, renaming());
    let (old, new) = (editor.uri(page), editor.uri("content/tour/web/first.md"));
    let files = json!({ "files": [{ "oldUri": old, "newUri": new }] });
    let edit = editor.request("workspace/willRenameFiles", files);
    editor.make(&edit);
    editor.site.rename(page, "content/tour/web/first.md");
    assert_eq!(editor.tree(), moved_in(&site, &[page, "content/tour/web/first.md"]));
    let answer = editor.answer("textDocument/rename", {
        let mut params = editor.at(german, 1, 3);
        params["newName"] = json!("erst");
        params
    });
    assert!(answer["error"]["message"].as_str().is_some(), "{answer}");
    editor.end();
}

#[test]
fn renaming_is_of_the_text_that_is_open_and_says_its_version() {
    let mut editor = Editor::open(THREE, renaming());
    let text = THREE[6].1.replace("und", "oder [Android](/tour/android/plan/#äpfel-zählen)");
    editor.edit("content/index.md", &text);
    editor.site.write("content/index.md", &text);
    let edit = editor.rename(("content/tour/web/plan.md", 5, 5), "Birnen");
    let of = |path: &str| {
        let uri = json!(editor.uri(path));
        let operations = edit["documentChanges"].as_array().expect("a list");
        operations.iter().find(|it| it["textDocument"]["uri"] == uri).cloned().expect("it changes")
    };
    let home = of("content/index.md");
    assert_eq!(home["textDocument"]["version"], 1);
    assert_eq!(of("content/tour/ios/plan.md")["textDocument"]["version"], Value::Null);
    // No more than the differences.
    let spans: Vec<(u64, u64)> = home["edits"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            let at = |end: &str| it["range"][end]["character"].as_u64().expect("a number");
            (at("start"), at("end"))
        })
        .collect();
    assert_eq!(spans.len(), 1, "{home}");
    editor.make(&edit);
    assert_eq!(editor.site.text("content/index.md"), text.replace("äpfel-zählen", "birnen"));
    editor.end();
}

#[test]
fn one_platform_alone_is_renamed_by_a_command() {
    let mut editor = Editor::open(THREE, renaming());
    let mut argument = editor.at("content/tour/web/plan.md", 1, 1);
    argument["uri"] = argument["textDocument"]["uri"].take();
    argument["newName"] = json!("start");
    let params = json!({ "command": "stepkin.renameOne", "arguments": [argument] });
    editor.request("workspace/executeCommand", params);
    editor.request("workspace/symbol", json!({ "query": "nothing has this name" }));
    let asked =
        editor.asked.iter().find(|it| it["method"] == "workspace/applyEdit").expect("an edit is asked for");
    editor.make(&asked["params"]["edit"]);
    assert_eq!(editor.tree(), moved(&["content/tour/web/plan.md", "content/tour/web/start.md"]));
    editor.end();
}

#[test]
fn files_that_the_editor_renames_keep_their_links() {
    let renamed = |editor: &mut Editor, old: &str, new: &str| {
        let files = json!([{ "oldUri": editor.uri(old), "newUri": editor.uri(new) }]);
        editor.request("workspace/willRenameFiles", json!({ "files": files }))
    };
    for (old, new) in [
        ("content/tour/web/plan.md", "content/tour/web/start.md"),
        ("content/tour/android/plan", "content/tour/android/start"),
    ] {
        let mut editor = Editor::open(THREE, renaming());
        let edit = renamed(&mut editor, old, new);
        editor.make(&edit);
        editor.site.rename(old, new);
        assert_eq!(editor.tree(), moved(&[old, new]), "{edit}");
        editor.end();
    }
    let mut editor = Editor::open(THREE, renaming());
    assert_eq!(renamed(&mut editor, "notes/a.md", "notes/b.md"), Value::Null, "it is no file of the site");
    editor.end();
}

#[test]
fn failed_renames_are_explained() {
    let mut editor = Editor::open(THREE, json!({}));
    let page = "content/tour/web/plan.md";
    for (line, character, name, why) in [
        (7, 2, "a", "move the cursor to a heading, a link, an image, or the front matter"),
        (5, 4, " ", "a title must be one line of text"),
        (1, 1, "use", "`content/tour/web/use.md` already exists; choose another path"),
        (1, 1, "../../../../a", "`../../../../a` is outside the site"),
        (
            1,
            1,
            "start",
            "this editor can't rename files for a language server; run `stepkin mv content/tour/",
        ),
    ] {
        let mut params = editor.at(page, line, character);
        params["newName"] = json!(name);
        let answer = editor.answer("textDocument/rename", params);
        let said = answer["error"]["message"].as_str().unwrap_or_default().to_string();
        assert!(said.contains(why), "{line}:{character}: {answer}");
    }
    // A title doesn't require renaming a file.
    let edit = editor.rename((page, 5, 4), "Birnen");
    assert!(edit["changes"][editor.uri(page)].is_array(), "{edit}");
    editor.end();
}

/// Returns the findings of `check --drift` by file, as `rule line:character`.
fn checked(site: &SiteTest) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for it in site.run(&["check", "--drift", "--no-cache", "--format", "json"]).json() {
        let (line, column) = (it["line"].as_u64().unwrap_or(1), it["column"].as_u64().unwrap_or(1));
        let said = format!("{} {}:{}", it["code"].as_str().expect("a code"), line - 1, column - 1);
        found.entry(it["file"].as_str().expect("a file").to_string()).or_default().push(said);
    }
    found
}

#[test]
fn after_any_edits_the_editor_shows_the_findings_of_check() {
    #[rustfmt::skip] // A list of texts reads better in paragraphs.
    const PIECES: [&str; 14] = [
        "[x](finish.md)", "[y](gone.md) ", "## Create a key\n", "\n\n", "| Name | `b` |\n", "the the ",
        "---\n", "title: B\n", ":::platform ios\n", ":::\n", "![](/no.png)", "```\n", "<aside>", "wait ",
    ];
    const TRANSLATION: &str = "content/de/tour/web/connect.md";
    let german = WEB.replace("Connect", "Verbinden").replace("Create a key", "Einen Schlüssel anlegen");
    let mut texts: BTreeMap<&str, String> =
        [(CONNECT, WEB.to_string()), (SIBLING, IOS.to_string()), (TRANSLATION, german)].into();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let finish = [("content/tour/web/finish.md", FINISH), ("content/tour/ios/finish.md", FINISH)];
    let mut editor = Editor::open(&[&files, &finish[..]].concat(), json!({}));
    for path in [CONNECT, SIBLING, TRANSLATION] {
        let text = texts[path].clone();
        editor.edit(path, &text);
    }
    // The same on every run: a linear congruential generator.
    let mut state = 7_usize;
    let mut next = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    for round in 0..24 {
        let path = [CONNECT, SIBLING, TRANSLATION][next(3)];
        let text = texts.get_mut(path).expect("it is one of both");
        let lines: Vec<&str> = text.split('\n').collect();
        let (line, other) = (next(lines.len()), next(lines.len()));
        let (start, end) = (line.min(other), line.max(other).min(line.min(other) + 1));
        let piece = PIECES[next(PIECES.len())];
        let before: usize = lines[..start].iter().map(|line| line.len() + 1).sum();
        let after: usize = lines[..end].iter().map(|line| line.len() + 1).sum();
        text.replace_range(before..after, piece);
        let text = text.clone();
        let range =
            json!({ "start": { "line": start, "character": 0 }, "end": { "line": end, "character": 0 } });
        editor.change(path, json!([{ "range": range, "text": piece }]));
        editor.site.write(path, &text);
        let expected = checked(&editor.site);
        let told: BTreeMap<String, Vec<String>> =
            editor.told.keys().map(|file| (file.clone(), editor.codes(file))).collect();
        for file in expected.keys().chain(told.keys()) {
            let sorted = |found: Option<&Vec<String>>| {
                let mut found = found.cloned().unwrap_or_default();
                found.sort();
                found
            };
            assert_eq!(sorted(told.get(file)), sorted(expected.get(file)), "round {round}: {file}\n{text}");
        }
    }
    editor.end();
}

#[test]
fn files_that_other_programs_write_are_read_again() {
    let mut editor = Editor::on_a_tour();
    editor.site.write(CONNECT, WEB.replace("finish.md#all-done", "/gone/"));
    let change = json!({ "changes": [{ "uri": editor.uri(CONNECT), "type": 2 }] });
    editor.notify("workspace/didChangeWatchedFiles", change);
    editor.settle(CONNECT);
    assert!(editor.codes(CONNECT).contains(&"missing-page 5:22".to_string()), "{:?}", editor.codes(CONNECT));
    let strange = editor.answer("textDocument/strange", json!({}));
    assert_eq!(strange["error"]["code"], -32601);
    editor.end();
}
