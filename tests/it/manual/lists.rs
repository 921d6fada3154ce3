//! The lists of the manual, generated or compared with the program.
//!
//! - The text between `<!-- made: NAME -->` and `<!-- end -->` is generated.
//! - `<!-- rows: NAME -->` precedes a hand-written table whose first column is compared with the program.
//! - `<!-- headings: NAME -->` precedes hand-written sections whose headings are compared with the program.

use std::collections::BTreeSet;

use clap::Arg;
use serde_json::Value;
use stepkin::base::diagnostic::{Code, Rule};
use stepkin::base::platforms;

use crate::support::SiteTest;

/// Names of all generated lists.
pub(super) fn names() -> BTreeSet<String> {
    let groups = Code::GROUPS.iter().map(|(group, _)| format!("findings: {group}"));
    let others =
        ["commands", "options of every command", "formats", "findings", "platforms", "templates", "editors"]
            .map(str::to_string);
    groups.chain(others).chain(SCHEMAS.iter().flat_map(|schema| tables_of(schema))).collect()
}

/// Schemas whose keys are listed.
const SCHEMAS: [&str; 4] = ["config", "front-matter", "finding", "publish"];

/// Returns a page with up-to-date lists, and adds the names of the lists to `made`.
pub(super) fn renewed(text: &str, made: &mut BTreeSet<String>) -> String {
    const END: &str = "<!-- end -->";
    let mut pieces = text.split("<!-- made: ");
    let mut renewed = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (name, rest) = piece.split_once(" -->").expect("a comment is closed");
        let (_, rest) = rest.split_once(END).unwrap_or_else(|| panic!("`{name}` has no end"));
        renewed.extend(["<!-- made: ", name, " -->\n\n", &list(name), "\n", END, rest]);
        made.insert(name.to_string());
    }
    renewed
}

fn list(name: &str) -> String {
    match name {
        "commands" => commands(),
        "options of every command" => {
            let command = stepkin::app::cli::commands();
            options(command.get_arguments().filter(|arg| arg.is_global_set()))
        }
        "formats" => formats(),
        "findings" => findings(),
        "platforms" => platforms(),
        "templates" => templates(),
        "editors" => editors(),
        _ if name.starts_with("keys: ") => keys(name),
        _ => {
            let group = name.strip_prefix("findings: ");
            let group = Code::GROUPS.iter().find(|(title, _)| group == Some(title));
            let (_, codes) = group.unwrap_or_else(|| panic!("no list is called `{name}`"));
            codes.iter().map(|code| finding(*code)).collect::<Vec<_>>().join("\n")
        }
    }
}

fn commands() -> String {
    let mut program = stepkin::app::cli::commands();
    program.build();
    let own = |command: &clap::Command| {
        options(command.get_arguments().filter(|arg| !arg.is_global_set() && arg.get_id() != "help"))
    };
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut chapters = Vec::new();
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ");
        let options = own(command);
        chapters.push(format!("## {name}\n\n{}.\n\n```text\n{usage}\n```\n\n{options}", about(command)));
        for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
            chapters.push(format!("### {name} {}\n\n{}.\n\n{}", part.get_name(), about(part), own(part)));
        }
    }
    chapters.join("\n")
}

/// Returns a table of options and arguments, or an empty string if there are none.
fn options<'a>(options: impl Iterator<Item = &'a Arg>) -> String {
    let rows: String = options.filter(|arg| !arg.is_hide_set()).map(option).collect();
    if rows.is_empty() { String::new() } else { format!("| option | description |\n| --- | --- |\n{rows}") }
}

fn option(arg: &Arg) -> String {
    let values: Vec<String> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_string()).collect();
    let takes_value = arg.get_action().takes_values();
    let value = match (takes_value, values.is_empty()) {
        (false, _) => String::new(),
        (true, false) => values.join("\\|"),
        (true, true) => arg
            .get_value_names()
            .map_or(String::new(), |names| names.iter().map(ToString::to_string).collect()),
    };
    let long = arg.get_long().map(|long| format!("--{long}"));
    let short = arg.get_short().map(|short| format!("-{short}"));
    let names: Vec<String> = [short, long].into_iter().flatten().collect();
    let written = if names.is_empty() { value } else { format!("{} {value}", names.join(", ")) };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.replace('\n', " ").replace('|', "\\|");
    format!("| `{}` | {help} |\n", written.trim())
}

fn formats() -> String {
    let program = stepkin::app::cli::commands();
    let check = program.find_subcommand("check").expect("a command");
    let format = check.get_arguments().find(|arg| arg.get_id() == "format").expect("an option");
    let row = |value: &clap::builder::PossibleValue| {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        format!("| `{}` | {help} |\n", value.get_name())
    };
    let rows: String = format.get_possible_values().iter().map(row).collect();
    format!("| `--format` | output |\n| --- | --- |\n{rows}")
}

/// Returns the file name of a group's page: its title in lower case with `-` for spaces.
fn page_of(group: &str) -> String {
    group.to_lowercase().replace([' ', ','], "-").replace("--", "-") + ".md"
}

fn findings() -> String {
    let group = |(title, codes): &(&str, &[Code])| {
        let row = |code: &Code| {
            let Rule { name, severity, summary, is_fixable, .. } = code.rule();
            let fixable = if *is_fixable { "yes" } else { "" };
            format!(
                "| [`{name}`]({}#{name}) | {} | {fixable} | {summary} |\n",
                page_of(title),
                severity.name()
            )
        };
        let rows: String = codes.iter().map(row).collect();
        format!(
            "## {title}\n\n| rule | severity | automatic fix | summary |\n| --- | --- | --- | --- |\n{rows}"
        )
    };
    Code::GROUPS.iter().map(group).collect::<Vec<_>>().join("\n")
}

fn finding(code: Code) -> String {
    let rule = code.rule();
    format!("## {}\n\n{}", rule.name, rule.as_markdown())
}

fn platforms() -> String {
    let row = |id: &str| format!("| `{id}` | {} |\n", platforms::display_name(id));
    let rows: String = platforms::known_ids().map(row).collect();
    format!("| folder | name |\n| --- | --- |\n{rows}")
}

/// Returns the output of `stepkin schema`.
fn schema(name: &str) -> Value {
    let run = SiteTest::empty().run(&["schema", name]).exits(0);
    serde_json::from_str(&run.stdout).expect("a schema is JSON")
}

/// Follows references, and of several alternatives returns the one with keys.
fn resolved<'s>(part: &'s Value, schema: &'s Value) -> &'s Value {
    if let Some(name) = part["$ref"].as_str() {
        return resolved(schema.pointer(name.trim_start_matches('#')).expect("what is referred to"), schema);
    }
    let choices = part["anyOf"].as_array().into_iter().flatten().map(|choice| resolved(choice, schema));
    choices.into_iter().find(|choice| choice["properties"].is_object()).unwrap_or(part)
}

/// Returns the names of a schema's lists: its own keys, and each table in it, such as `[check]`, `[[check.ignore]]`, and
/// `[publish.to.NAME]`.
fn tables_of(name: &str) -> Vec<String> {
    fn walk(path: &str, part: &Value, schema: &Value, names: &mut Vec<String>) {
        for (key, value) in part["properties"].as_object().into_iter().flatten() {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let table = resolved(value, schema);
            let entry = resolved(&table["items"], schema);
            let of_any_name = resolved(&table["additionalProperties"], schema);
            for (table, path, name) in [
                (table, path.clone(), format!("[{path}]")),
                (entry, path.clone(), format!("[[{path}]]")),
                (of_any_name, format!("{path}.NAME"), format!("[{path}.NAME]")),
            ] {
                let keys = table["properties"].as_object().into_iter().flatten();
                // Rules have a separate list.
                if keys.clone().any(|(key, _)| Code::named(key).is_none()) {
                    names.push(name);
                    walk(&path, table, schema, names);
                }
            }
        }
    }
    let schema = schema(name);
    let mut names = Vec::new();
    walk("", &schema, &schema, &mut names);
    let tables = names.into_iter().map(|table| format!("keys: {name} {table}"));
    std::iter::once(format!("keys: {name}")).chain(tables).collect()
}

/// Returns a table of the keys of a schema, or of a table in it.
fn keys(list: &str) -> String {
    let mut words = list.split(' ').skip(1);
    let schema = schema(words.next().unwrap_or_default());
    let mut part = &schema;
    for key in
        words.next().unwrap_or_default().trim_matches(['[', ']']).split('.').filter(|key| !key.is_empty())
    {
        part = match key {
            "NAME" => resolved(&part["additionalProperties"], &schema),
            _ => resolved(&part["properties"][key], &schema),
        };
        if part["items"].is_object() {
            part = resolved(&part["items"], &schema);
        }
    }
    let row = |(key, value): (&String, &Value)| {
        let description =
            [value, resolved(value, &schema)].into_iter().find_map(|it| it["description"].as_str());
        let description = description.unwrap_or_else(|| panic!("`{key}` of {list} has no description"));
        let default = match &value["default"] {
            Value::Bool(value) => format!("; default: `{value}`"),
            Value::String(value) => format!("; default: `{value}`"),
            _ => String::new(),
        };
        let kinds: BTreeSet<String> = kinds(value, &schema).into_iter().collect();
        let kinds = kinds.into_iter().collect::<Vec<_>>().join(" or ");
        let description = description.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
        format!("| `{key}` | {kinds} | {}{default} |\n", description.trim_end_matches('.'))
    };
    let rows: String = part["properties"].as_object().expect("a table").iter().map(row).collect();
    format!("| key | value | description |\n| --- | --- | --- |\n{rows}")
}

/// Returns the possible types or values of a key.
fn kinds(value: &Value, schema: &Value) -> Vec<String> {
    if let Some(name) = value["$ref"].as_str() {
        return kinds(schema.pointer(name.trim_start_matches('#')).expect("what is referred to"), schema);
    }
    if let Some(choices) = value["anyOf"].as_array().or_else(|| value["oneOf"].as_array()) {
        return choices.iter().flat_map(|choice| kinds(choice, schema)).collect();
    }
    if let Some(values) = value["enum"].as_array() {
        let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        return if values.iter().all(|value| Code::named(value).is_some()) {
            vec!["rule".to_string()]
        } else {
            values.iter().map(|value| format!("`{value}`")).collect()
        };
    }
    if let Some(value) = value["const"].as_str() {
        return vec![format!("`{value}`")];
    }
    let types = value["type"].as_array().cloned().unwrap_or_else(|| vec![value["type"].clone()]);
    let types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
    let kind = |name: &str| match name {
        // Text keys also accept numbers and booleans.
        _ if types.contains(&"string") => "text",
        "boolean" => "`true` or `false`",
        "integer" | "number" => "number",
        "array" => "list",
        "object" => "table",
        _ => "",
    };
    let kinds: BTreeSet<&str> = types.iter().map(|name| kind(name)).filter(|kind| !kind.is_empty()).collect();
    kinds.into_iter().map(str::to_string).collect()
}

/// Returns the editors' README from its table on.
fn editors() -> String {
    let text = include_str!("../../../editors/README.md");
    text[text.find("| in the editor |").expect("the table of what editors do")..].to_string()
}

fn templates() -> String {
    let run = SiteTest::empty().run(&["theme", "list"]);
    let row = |line: &str| {
        let (name, purpose) = line.strip_prefix("templates/")?.split_once(' ')?;
        (!name.starts_with("words/")).then(|| format!("| `{name}` | {} |\n", purpose.trim()))
    };
    let rows: String = run.stdout.lines().filter_map(row).collect();
    format!("| template | description |\n| --- | --- |\n{rows}")
}

/// Tables that are compared with the program.
pub(super) const TABLES: &[&str] = &["kinds", "fields of the manifest", "templates", "style"];

/// Returns the tables and sections of a page by name, with the names in their first column or headings.
pub(super) fn tables(text: &str) -> Vec<(String, Vec<String>)> {
    fn in_code(text: &str) -> impl Iterator<Item = String> {
        text.split('`').skip(1).step_by(2).map(str::to_string)
    }
    let row = |line: &&str| line.starts_with('|');
    let table = |(name, rest): (&str, &str)| {
        let rows = rest.lines().skip_while(|line| !row(line)).take_while(row).skip(2);
        (name.to_string(), rows.filter_map(|row| row.split('|').nth(1)).flat_map(in_code).collect())
    };
    let chapters = |(name, rest): (&str, &str)| {
        let headings = rest.lines().filter(|line| line.starts_with("## "));
        (name.to_string(), headings.flat_map(in_code).collect())
    };
    let behind = |mark: &str| -> Vec<(&str, &str)> {
        text.split(mark).skip(1).map(|piece| piece.split_once(" -->").expect("a comment is closed")).collect()
    };
    let tables = behind("<!-- rows: ").into_iter().map(table);
    tables.chain(behind("<!-- headings: ").into_iter().map(chapters)).collect()
}

/// Returns the names that a table must contain. `site` has been built.
pub(super) fn known(table: &str, site: &SiteTest) -> Vec<String> {
    let json = |text: &str| -> serde_json::Value { serde_json::from_str(text).expect("JSON") };
    let fields = |value: &serde_json::Value| value.as_object().expect("an object").keys().cloned().collect();
    match table {
        "kinds" => kinds_of_repositories(),
        "fields of the manifest" => {
            let manifest = json(&site.text("dist/.stepkin-manifest.json"));
            fields(&manifest["files"][0])
        }
        "templates" => {
            let run = site.run(&["theme", "list"]);
            let names = run.stdout.lines().filter_map(|line| line.split_whitespace().next());
            let templates = names.filter_map(|name| name.strip_prefix("templates/"));
            templates.filter(|name| !name.starts_with("words/")).map(str::to_string).collect()
        }
        "style" => {
            let style = include_str!("../../../static/_stepkin/site.css");
            let (_, rest) = style.split_once(":root {").expect("tokens come first");
            let (tokens, _) = rest.split_once('}').expect("a rule is closed");
            let names = tokens.lines().filter_map(|line| line.trim().split_once(':'));
            names.map(|(name, _)| name.to_string()).filter(|name| name.starts_with("--")).collect()
        }
        _ => panic!("no table is called `{table}`"),
    }
}

/// Returns the values that the message about an unknown value lists.
fn kinds_of_repositories() -> Vec<String> {
    let invalid = stepkin::input::config::parse("[source]\nkind = 'zzz'").expect_err("`zzz` is unknown");
    let help = invalid.help.expect("all kinds are listed");
    help.split('`').skip(1).step_by(2).map(str::to_string).collect()
}
