//! Platforms by the names of their folders.

use crate::address::words;

/// Names by which pages call a platform beside its own.
const ALSO_CALLED: &[(&str, &[&str])] = &[
    ("web", &["JS Web", "Web JS", "JavaScript"]),
    ("javascript", &["JS", "JS Web"]),
    ("ios", &["iOS Swift"]),
    ("node", &["Node"]),
    ("nodejs", &["Node"]),
    ("golang", &["Golang"]),
    ("dotnet", &["dotnet", "C#"]),
    ("cli", &["CLI"]),
];

/// Folder names that say "platform", with the name readers know, in the order switchers show them.
const PLATFORMS: &[(&str, &str)] = &[
    ("web", "Web"),
    ("javascript", "JavaScript"),
    ("typescript", "TypeScript"),
    ("react", "React"),
    ("ios", "iOS"),
    ("swift", "Swift"),
    ("objective-c", "Objective-C"),
    ("android", "Android"),
    ("kotlin", "Kotlin"),
    ("java", "Java"),
    ("macos", "macOS"),
    ("tvos", "tvOS"),
    ("watchos", "watchOS"),
    ("visionos", "visionOS"),
    ("windows", "Windows"),
    ("linux", "Linux"),
    ("desktop", "Desktop"),
    ("mobile", "Mobile"),
    ("flutter", "Flutter"),
    ("react-native", "React Native"),
    ("expo", "Expo"),
    ("xamarin", "Xamarin"),
    ("maui", ".NET MAUI"),
    ("cordova", "Cordova"),
    ("ionic", "Ionic"),
    ("electron", "Electron"),
    ("unity", "Unity"),
    ("unreal", "Unreal Engine"),
    ("roku", "Roku"),
    ("fire-tv", "Fire TV"),
    ("node", "Node.js"),
    ("nodejs", "Node.js"),
    ("deno", "Deno"),
    ("bun", "Bun"),
    ("python", "Python"),
    ("ruby", "Ruby"),
    ("php", "PHP"),
    ("go", "Go"),
    ("golang", "Go"),
    ("rust", "Rust"),
    ("dotnet", ".NET"),
    ("csharp", "C#"),
    ("cpp", "C++"),
    ("elixir", "Elixir"),
    ("scala", "Scala"),
    ("dart", "Dart"),
    ("server", "Server"),
    ("cli", "Command line"),
    ("rest", "REST"),
    ("http", "HTTP"),
    ("curl", "curl"),
    ("graphql", "GraphQL"),
];

/// The ids of all platforms that have a name here.
pub(super) fn known_ids<'a>() -> impl Iterator<Item = &'a str> {
    PLATFORMS.iter().map(|(id, _)| *id)
}

/// Names by which pages call a platform beside its own.
pub(super) fn also_called(id: &str) -> &'static [&'static str] {
    ALSO_CALLED.iter().find(|(known, _)| *known == id).map_or(&[], |(_, words)| words)
}

fn known(name: &str) -> Option<usize> {
    PLATFORMS.iter().position(|(id, _)| id.eq_ignore_ascii_case(name))
}

/// Whether a folder of this name is a platform's.
pub(super) fn is_platform(name: &str) -> bool {
    known(name).is_some()
}

/// The place among the platforms that switchers show; unknown ones come last.
pub(super) fn rank(id: &str) -> usize {
    known(id).unwrap_or(PLATFORMS.len())
}

/// The name that readers know.
pub(super) fn display_name(id: &str) -> String {
    known(id).map_or_else(|| words(id), |index| PLATFORMS[index].1.to_string())
}

/// The platform that a name is one slip away from. Short names are near to too many words.
pub(super) fn nearly_a_platform(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 5;
    let name = name.to_lowercase();
    let length = name.chars().count();
    let is_near = |id: &&str| id.len() >= SHORTEST && id.len().abs_diff(length) <= 1;
    let mut ids = PLATFORMS.iter().map(|(id, _)| *id).filter(is_near);
    ids.find(|id| *id != name && strsim::damerau_levenshtein(id, &name) == 1).filter(|_| !is_platform(&name))
}
