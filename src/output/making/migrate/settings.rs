//! The configuration of a migrated site.

use input::config::Config;
use input::source::Text;
use site::work::Work;

/// The list of addresses that other programs publish.
pub(super) const ROUTES: &str = "routes.txt";

/// Returns `stepkin.toml`, with tables of families at the end.
pub(super) fn text(old: &Work, families: &str) -> String {
    let config = &old.project.site.config;
    let mut text = String::new();
    if let Some(title) = &config.title {
        text.extend([format!("title = {}\n", quoted(title))]);
    }
    text.extend([format!("base_url = {}\n", quoted(&config.base_url))]);
    text.extend([format!("language = {}\n", quoted(&config.language))]);
    let before = old.project.sources.config.as_ref().map(Text::text).unwrap_or_default();
    let kept = kept(&before);
    let needs_routes =
        !old.project.sources.repository.all_routes().is_empty() && config.check.routes.is_none();
    let routes = format!("routes = {}\n", quoted(ROUTES));
    let kept = if config.check.routes.is_some() { with_routes(&kept, &routes) } else { kept };
    if let Some((before, after)) = kept.split_once("[check]\n").filter(|_| needs_routes) {
        text.extend([format!("{before}[check]\n{routes}{after}")]);
    } else {
        text.push_str(&kept);
        if needs_routes {
            text.extend([format!("\n[check]\n{routes}")]);
        }
    }
    // In the generator's configuration, they are on.
    if config.math.enabled && !kept.contains("[math]") {
        text.push_str("\n[math]\nenabled = true\n");
    }
    text.push_str(&no_tutorials(old, config));
    text + families
}

/// Returns the previous configuration without the settings that are written again: source folders, families, and the
/// first lines.
fn kept(before: &str) -> String {
    let mut table = String::new();
    let mut kept = String::new();
    for line in before.lines() {
        let bare = line.trim();
        if bare.starts_with('[') {
            table =
                bare.trim_start_matches('[').split([']', '.']).next().unwrap_or_default().trim().to_string();
        }
        let key = bare.split('=').next().unwrap_or_default().trim();
        let is_anew = match table.as_str() {
            "" => matches!(key, "title" | "base_url" | "language"),
            table => matches!(table, "source" | "family"),
        };
        if !is_anew {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Replaces the file name of the list of routes.
fn with_routes(kept: &str, routes: &str) -> String {
    let is_routes = |line: &str| line.split('=').next().is_some_and(|key| key.trim() == "routes");
    kept.split_inclusive('\n').map(|line| if is_routes(line) { routes } else { line }).collect()
}

/// Returns the current paths of folders that are configured not to be tutorials.
fn no_tutorials(old: &Work, config: &Config) -> String {
    let table = |root: &toml::Spanned<String>| {
        let folder = input::config::folder(root.get_ref());
        let address = old.project.site.repository.address(&format!("{folder}/page.md"), None, None).parent();
        format!("\n[[family]]\nroot = {}\ntutorial = false\n", quoted(address.as_str().trim_matches('/')))
    };
    config.families.no_tutorials.iter().map(table).collect()
}

/// Writes a text as TOML.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
