//! All texts are in plain English: the manual, the READMEs, the help of commands, rules, messages, the interface, and comments
//! don't contain the words and phrases that the style guide replaces.

use std::fs;
use std::path::Path;

use stepkin::base::diagnostic::Code;
use walkdir::WalkDir;

/// Words and phrases to avoid, each with its replacement.
const AVOIDED: &[(&str, &str)] = &[
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("cure", "fix"),
    ("cures", "fixes"),
    ("anew", "again"),
    ("telling", "describe, version"),
    ("tellings", "versions"),
    ("tells", "describes"),
    ("told", "described, written"),
    ("tell", "describe"),
    ("story", "content"),
    ("stories", "content"),
    ("so many", "N, that many"),
    ("whoever", "you, anyone"),
    ("stands", "is, appears"),
    ("beside", "next to"),
    ("blank", "space"),
    ("blanks", "spaces"),
    ("typed by hand", "hand-written"),
    ("asked for", "requested"),
    ("former address", "old URL"),
    ("former addresses", "old URLs"),
    ("is called", "is named"),
    ("picture", "image"),
    ("pictures", "images"),
    ("all the same", "still"),
    ("colour", "color"),
    ("colours", "colors"),
    ("recognised", "recognized"),
    ("licence", "license"),
    ("lies", "is"),
    ("goes on", "continues"),
    ("go on with", "continue with"),
    ("former", "old, earlier"),
    ("in vain", "without success"),
    ("anybody", "you, readers"),
    ("somebody", "someone, a reader"),
    ("makes of", "creates from"),
    ("made of", "created from"),
    ("taken for", "treated as"),
    ("takes for", "treats as"),
    ("believed", "trusted"),
    ("speaks", "describes, supports"),
    ("by what", "by which"),
    ("what is right", "name the thing"),
    ("what is kept", "the cache"),
    ("what was made", "name the result"),
    ("what was found", "the findings"),
    ("what is found", "the findings"),
    ("what differs", "differences"),
    ("what has one right answer", "problems with only one solution"),
];

/// Phrases in which an avoided word has its literal meaning.
const LITERAL: &[&str] =
    &["blank line", "blank lines", "is blank", "stands for", "is called with", "is called once"];

/// Beginnings of comments that paraphrase a noun.
const PARAPHRASES: &[&str] = &[
    "What is ",
    "What was ",
    "What has ",
    "What a ",
    "What the ",
    "By what ",
    "Of what ",
    "So many ",
    "Whether what ",
];

/// The words of a text in lower case, without code, comments, generated parts, and link targets.
fn prose(text: &str) -> Vec<String> {
    let mut prose = String::new();
    let (mut fence, mut is_generated) = (None, false);
    for line in text.lines() {
        let bare = line.trim_start();
        let ticks = bare.len() - bare.trim_start_matches('`').len();
        is_generated = (is_generated || bare.starts_with("<!-- made: ")) && !bare.starts_with("<!-- end -->");
        match fence {
            Some(open) if ticks >= open => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            None if !is_generated && !bare.starts_with("<!--") => {
                let outside = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
                prose.extend([&*outside, "\n"]);
            }
            _ => {}
        }
    }
    let targets = prose.split("](").enumerate().map(|(at, piece)| match piece.split_once(')') {
        Some((_, rest)) if at > 0 => rest,
        _ => piece,
    });
    let prose = targets.collect::<Vec<_>>().join(" ").to_lowercase();
    let words = prose.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '\'' | '/' | '.' | '_'));
    words.map(|word| word.trim_matches(['.', '\'']).to_string()).filter(|word| !word.is_empty()).collect()
}

#[test]
fn readers_texts_avoid_the_words_of_the_style_guide() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manual = WalkDir::new(root.join("content/manual")).sort_by_file_name().into_iter();
    let manual = manual.map(|entry| entry.expect("the manual").into_path());
    let pages = manual.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let others = [
        "README.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "BENCHMARKS.md",
        "packaging/README.md",
        "editors/README.md",
        "editors/vscode/README.md",
        "content/index.md",
        "content/about.md",
    ];
    let text = |path: &Path| fs::read_to_string(path).expect("a text of this repository");
    let paths = pages.chain(others.map(|name| root.join(name)));
    let found: Vec<String> =
        paths.flat_map(|path| avoided(&path.display().to_string(), &text(&path))).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Returns a line for each avoided word in a text.
fn avoided(name: &str, text: &str) -> Vec<String> {
    let mut words = format!(" {} ", prose(text).join(" "));
    for literal in LITERAL {
        words = words.replace(&format!(" {literal} "), " ");
    }
    let is_in = |avoided: &str| words.contains(&format!(" {avoided} "));
    let found = AVOIDED.iter().filter(|(avoided, _)| is_in(avoided));
    found.map(|(avoided, instead)| format!("{name}: `{avoided}`, use: {instead}")).collect()
}

#[test]
fn the_help_of_commands_avoids_the_words_of_the_style_guide() {
    let mut program = stepkin::app::cli::commands();
    program.build();
    let (mut left, mut found, mut count) = (vec![program], Vec::new(), 0);
    while let Some(mut command) = left.pop() {
        left.extend(command.get_subcommands().cloned());
        let help = command.render_long_help().to_string();
        found.extend(avoided(&format!("{} --help", command.get_name()), &help));
        // Summaries are imperatives without a full stop, and so are options.
        let abouts =
            command.get_about().into_iter().chain(command.get_arguments().filter_map(clap::Arg::get_help));
        let ended = abouts.map(ToString::to_string).filter(|text| text.ends_with('.'));
        found.extend(ended.map(|text| format!("{}: full stop in `{text}`", command.get_name())));
        count += 1;
    }
    assert!(count > 20, "{count} commands");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Returns the comments of a source file, one paragraph per line.
fn comments(text: &str) -> String {
    let mut comments = String::new();
    for line in text.lines() {
        let bare = line.trim_start();
        let marks = ["///", "//!", "//", "/**", "/*", "* ", "{#-", "{#"];
        let Some(comment) = marks.iter().find_map(|mark| bare.strip_prefix(mark)) else {
            comments.push('\n');
            continue;
        };
        let comment = comment.trim().trim_end_matches(['*', '/', '-', '#', '}']).trim_end();
        comments.extend([comment, if comment.is_empty() { "\n" } else { " " }]);
    }
    comments
}

#[test]
fn comments_avoid_the_words_of_the_style_guide() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates", "tests/it", "benches", "static/_stepkin", "templates"];
    let files = folders.iter().flat_map(|folder| WalkDir::new(root.join(folder)).sort_by_file_name());
    let files = files.map(|entry| entry.expect("the sources").into_path());
    let has_comments = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("rs" | "js" | "css" | "html"))
    };
    let (mut found, mut count) = (Vec::new(), 0);
    // This file lists the words.
    for path in files.filter(|path| has_comments(path) && !path.ends_with("tests/it/voice.rs")) {
        let name = path.strip_prefix(root).expect("a path in the root").display().to_string();
        let text = comments(&fs::read_to_string(&path).expect("a source file"));
        count += text.lines().filter(|line| !line.is_empty()).count();
        found.extend(text.lines().flat_map(|line| avoided(&name, line)));
        let paraphrases = text.lines().filter(|line| PARAPHRASES.iter().any(|start| line.starts_with(start)));
        found.extend(paraphrases.map(|line| format!("{name}: `{line}`, name the thing")));
    }
    assert!(count > 5000, "{count} comments");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn rules_messages_and_the_interface_avoid_the_words_of_the_style_guide() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |path: &str| fs::read_to_string(root.join(path)).expect("a text of this repository");
    let mut found = Vec::new();
    for code in Code::ALL {
        let rule = code.rule();
        for text in [rule.summary, rule.why, rule.fix] {
            found.extend(avoided(code.name(), text));
        }
        assert!(
            rule.summary.chars().count() <= 70 && !rule.summary.ends_with('.'),
            "{code}: {}",
            rule.summary
        );
    }
    let messages = text("tests/it/snapshots/it__messages__messages_read_well.snap");
    found.extend(messages.lines().flat_map(|line| avoided("message", line)));
    // Keys and lists of words for the search aren't shown.
    let words = text("crates/input/words/en.toml");
    let shown = words.lines().filter(|line| line.contains(" = ") && !line.starts_with('#'));
    found.extend(
        shown.flat_map(|line| {
            avoided("crates/input/words/en.toml", line.split_once(" = ").expect("a text").1)
        }),
    );
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn avoided_words_are_found_unless_they_are_literal() {
    let said = |text: &str| avoided("x", text);
    assert_eq!(said("It tells the story."), ["x: `tells`, use: describes", "x: `story`, use: content"]);
    assert_eq!(said("A blank line stands for a break, and `told` is called once."), [""; 0]);
    assert_eq!(comments("/// What is\n/// kept.\nfn a() {}\n// Next\n"), "What is kept. \nNext ");
}

#[test]
fn words_in_code_and_in_generated_parts_are_not_prose() {
    let text = "A *blank*\n`told` [x](told.md)\n\n```sh\ntold\n```\n<!-- made: x -->\ntold\n<!-- end -->\nSo many.\n";
    assert_eq!(prose(text), ["a", "blank", "x", "so", "many"]);
}
