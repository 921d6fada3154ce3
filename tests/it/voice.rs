//! Texts for readers and the help of commands are written in plain English: they don't contain the words that the style guide
//! replaces.

use std::fs;
use std::path::Path;

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
    let words = prose(text);
    let is_in = |avoided: &str| {
        let avoided: Vec<&str> = avoided.split(' ').collect();
        words.windows(avoided.len()).any(|window| window == avoided)
    };
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

#[test]
fn words_in_code_and_in_generated_parts_are_not_prose() {
    let text = "A *blank*\n`told` [x](told.md)\n\n```sh\ntold\n```\n<!-- made: x -->\ntold\n<!-- end -->\nSo many.\n";
    assert_eq!(prose(text), ["a", "blank", "x", "so", "many"]);
}
