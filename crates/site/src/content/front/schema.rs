//! The JSON Schema of front matter, for editors.

use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use base::diagnostic::Code;
use input::conventions::{Meaning, OUR_KEYS};

/// Returns the JSON Schema of a page's front matter. Authors' own keys are allowed.
pub fn schema() -> Schema {
    let properties: Map<String, Value> =
        OUR_KEYS.iter().map(|(name, meaning)| ((*name).to_string(), of(*meaning))).collect();
    json_schema!({
        "title": "FrontMatter",
        "description": "Front matter of a page. Templates can use other keys as `page.extra.KEY`.",
        "type": "object",
        "properties": properties,
    })
}

/// Returns the schema of a key's value. A key without a value counts as missing.
fn of(meaning: Meaning) -> Value {
    let text = |description: &str| json!({ "description": description, "type": ["string", "number", "boolean", "null"] });
    let number = |description: &str| json!({ "description": description, "type": ["number", "null"] });
    let yes = |description: &str| json!({ "description": description, "type": ["boolean", "null"] });
    let texts = |description: &str| {
        let texts = json!({ "type": "array", "items": { "type": "string" } });
        json!({ "description": description, "anyOf": [{ "type": ["string", "null"] }, texts] })
    };
    match meaning {
        Meaning::Title => text("Title of the page."),
        Meaning::Order => number("Position among the platform's steps; decimals fit in between."),
        Meaning::Description => text("Description for search engines and link previews."),
        Meaning::Step => text("Name of the step, if slug and title differ between platforms."),
        Meaning::Slug => text("Last segment of the URL, instead of the file name."),
        Meaning::Address => text("URL relative to the site's root."),
        Meaning::Id => text("Last segment of the URL, if there is no slug."),
        Meaning::Aliases => texts("Old URLs, which redirect to this page."),
        Meaning::Redirect => text("URL to which readers are redirected."),
        Meaning::Draft => yes("Whether the page is published only with `--drafts`, and shown by `serve`."),
        Meaning::Published => yes("`false` for a draft."),
        Meaning::Rendered => yes("`false` for a page that is not published."),
        Meaning::Platforms => texts("Platforms of a shared page."),
        Meaning::Duration => number("Minutes."),
        Meaning::Drift => drift(),
    }
}

fn drift() -> Value {
    let codes = || Code::ALL.iter().filter(|code| code.rule().is_drift).flat_map(|code| code.names());
    let about =
        json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] });
    let named: Map<String, Value> = codes().map(|code| (code.to_string(), about.clone())).collect();
    let entry = json!({ "anyOf": [
        { "enum": codes().collect::<Vec<_>>() },
        { "type": "object", "properties": named, "additionalProperties": false },
    ] });
    let acceptance = json!({
        "type": "object",
        "properties": {
            "allow": {
                "description": "A rule, or rules with the settings, headings, or words that they are about.",
                "anyOf": [entry, { "type": "array", "items": entry }],
            },
            "reason": { "description": "Why.", "type": "string", "minLength": 1 },
            "until": { "description": "Last day, such as `2027-01-31`.", "type": "string", "format": "date" },
        },
        "required": ["allow", "reason"],
        "additionalProperties": false,
    });
    json!({
        "description": "Intentional differences from other platforms.",
        "anyOf": [acceptance, { "type": "array", "items": acceptance }, { "type": "null" }],
    })
}
