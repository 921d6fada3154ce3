//! Recognizes platforms by the names of folders.

use std::sync::LazyLock;

use crate::address::words;

/// Alternative names of platforms that pages use.
const ALSO_CALLED: &[(&str, &[&str])] = &[
    ("web", &["JS Web", "Web JS", "JavaScript"]),
    ("javascript", &["JS", "JS Web"]),
    ("ios", &["iOS Swift"]),
    ("node", &["Node"]),
    ("nodejs", &["Node"]),
    ("golang", &["Golang"]),
    ("dotnet", &["dotnet", "C#"]),
    ("cli", &["CLI"]),
    ("js", &["JS", "JS Web"]),
    ("ts", &["TS"]),
    ("py", &["Py"]),
    ("kmp", &["KMP"]),
    ("kotlin-multiplatform", &["KMP"]),
    ("objc", &["ObjC"]),
    ("c-sharp", &["CSharp"]),
];

/// Folder names of platforms with the names that readers know, in the order of the platform switcher.
const PLATFORMS: &[(&str, &str)] = &[
    ("web", "Web"),
    ("web-sdk", "Web SDK"),
    ("browser", "Browser"),
    ("javascript", "JavaScript"),
    ("js", "JavaScript"),
    ("typescript", "TypeScript"),
    ("ts", "TypeScript"),
    ("react", "React"),
    ("vue", "Vue"),
    ("angular", "Angular"),
    ("svelte", "Svelte"),
    ("nextjs", "Next.js"),
    ("nuxt", "Nuxt"),
    ("remix", "Remix"),
    ("astro", "Astro"),
    ("solidjs", "SolidJS"),
    ("ios", "iOS"),
    ("swift", "Swift"),
    ("swiftui", "SwiftUI"),
    ("objective-c", "Objective-C"),
    ("objc", "Objective-C"),
    ("objectivec", "Objective-C"),
    ("android", "Android"),
    ("kotlin", "Kotlin"),
    ("kotlin-multiplatform", "Kotlin Multiplatform"),
    ("kmp", "Kotlin Multiplatform"),
    ("jetpack-compose", "Jetpack Compose"),
    ("java", "Java"),
    ("spring", "Spring"),
    ("spring-boot", "Spring Boot"),
    ("macos", "macOS"),
    ("catalyst", "Mac Catalyst"),
    ("ipados", "iPadOS"),
    ("tvos", "tvOS"),
    ("watchos", "watchOS"),
    ("visionos", "visionOS"),
    ("windows", "Windows"),
    ("linux", "Linux"),
    ("desktop", "Desktop"),
    ("mobile", "Mobile"),
    ("flutter", "Flutter"),
    ("react-native", "React Native"),
    ("rn", "React Native"),
    ("reactnative", "React Native"),
    ("expo", "Expo"),
    ("xamarin", "Xamarin"),
    ("maui", ".NET MAUI"),
    ("cordova", "Cordova"),
    ("ionic", "Ionic"),
    ("capacitor", "Capacitor"),
    ("nativescript", "NativeScript"),
    ("electron", "Electron"),
    ("tauri", "Tauri"),
    ("unity", "Unity"),
    ("unreal", "Unreal Engine"),
    ("godot", "Godot"),
    ("roku", "Roku"),
    ("fire-tv", "Fire TV"),
    ("android-tv", "Android TV"),
    ("apple-tv", "Apple TV"),
    ("wear-os", "Wear OS"),
    ("harmonyos", "HarmonyOS"),
    ("tizen", "Tizen"),
    ("webos", "webOS"),
    ("playstation", "PlayStation"),
    ("xbox", "Xbox"),
    ("node", "Node.js"),
    ("nodejs", "Node.js"),
    ("express", "Express"),
    ("nestjs", "NestJS"),
    ("deno", "Deno"),
    ("bun", "Bun"),
    ("python", "Python"),
    ("py", "Python"),
    ("django", "Django"),
    ("flask", "Flask"),
    ("fastapi", "FastAPI"),
    ("ruby", "Ruby"),
    ("rails", "Ruby on Rails"),
    ("php", "PHP"),
    ("laravel", "Laravel"),
    ("symfony", "Symfony"),
    ("go", "Go"),
    ("golang", "Go"),
    ("rust", "Rust"),
    ("dotnet", ".NET"),
    ("aspnet", "ASP.NET"),
    ("aspnetcore", "ASP.NET Core"),
    ("blazor", "Blazor"),
    ("csharp", "C#"),
    ("c-sharp", "C#"),
    ("fsharp", "F#"),
    ("cpp", "C++"),
    ("c", "C"),
    ("elixir", "Elixir"),
    ("scala", "Scala"),
    ("dart", "Dart"),
    ("server", "Server"),
    ("cli", "Command line"),
    ("rest", "REST"),
    ("http", "HTTP"),
    ("curl", "curl"),
    ("graphql", "GraphQL"),
    ("chrome-extension", "Chrome extension"),
    ("browser-extension", "Browser extension"),
    ("firefox-extension", "Firefox extension"),
    ("safari-extension", "Safari extension"),
    ("erlang", "Erlang"),
    ("clojure", "Clojure"),
    ("haskell", "Haskell"),
    ("ocaml", "OCaml"),
    ("julia", "Julia"),
    ("perl", "Perl"),
    ("lua", "Lua"),
    ("r", "R"),
    ("zig", "Zig"),
    ("nim", "Nim"),
    ("crystal", "Crystal"),
    ("groovy", "Groovy"),
    ("bash", "Bash"),
    ("powershell", "PowerShell"),
    ("sap", "SAP"),
    ("wordpress", "WordPress"),
    ("shopify", "Shopify"),
    ("woocommerce", "WooCommerce"),
    ("magento", "Magento"),
    ("salesforce", "Salesforce"),
];

/// Platforms in a browser.
#[rustfmt::skip]
const IN_BROWSERS: &[&str] = &[
    "web", "web-sdk", "browser", "javascript", "js", "typescript", "ts", "react", "vue", "angular", "svelte",
    "nextjs", "nuxt", "remix", "astro", "solidjs", "chrome-extension", "browser-extension",
    "firefox-extension", "safari-extension",
];

/// Platforms on devices. All others run on servers and computers.
#[rustfmt::skip]
const ON_DEVICES: &[&str] = &[
    "ios", "swift", "swiftui", "objective-c", "objc", "objectivec", "android", "kotlin",
    "kotlin-multiplatform", "kmp", "jetpack-compose", "ipados", "tvos", "watchos", "visionos", "mobile",
    "flutter", "react-native", "reactnative", "rn", "expo", "xamarin", "maui", "cordova", "ionic", "capacitor",
    "nativescript", "unity",
];

/// The surroundings of a platform, on which its features depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    Browser,
    Device,
    Computer,
}

impl Surroundings {
    /// Returns those of the platform with an ID.
    pub fn of(id: &str) -> Self {
        match () {
            () if IN_BROWSERS.contains(&id) => Self::Browser,
            () if ON_DEVICES.contains(&id) => Self::Device,
            () => Self::Computer,
        }
    }
}

/// Names of folders and pages that appear next to platforms but aren't platforms, whatever pages they contain.
const OF_ANYTHING: &[&str] = &[
    "api",
    "advanced",
    "backend",
    "basics",
    "blog",
    "changelog",
    "common",
    "concepts",
    "configuration",
    "examples",
    "faq",
    "frontend",
    "general",
    "getting-started",
    "guide",
    "guides",
    "help",
    "images",
    "includes",
    "install",
    "installation",
    "introduction",
    "legacy",
    "migration",
    "other",
    "others",
    "overview",
    "quickstart",
    "reference",
    "release-notes",
    "releases",
    "shared",
    "start",
    "support",
    "troubleshooting",
    "tutorial",
    "tutorials",
];

/// Whether a name doesn't describe a platform although it appears next to platforms: a common part of documentation,
/// a version, or a language such as `en` or `pt-br`.
pub fn is_said_of_anything(name: &str) -> bool {
    if name.starts_with(['_', '.']) {
        return true;
    }
    let name = folded(name);
    let bare = name.trim_start_matches('v');
    let is_version = bare.starts_with(|c: char| c.is_ascii_digit());
    let parts: Vec<&str> = name.split('-').collect();
    let is_language =
        parts[0].len() == 2 && parts.len() <= 2 && parts.iter().all(|part| (2..=4).contains(&part.len()));
    is_version || is_language || OF_ANYTHING.contains(&name.as_str())
}

/// Normalizes a name as in these lists.
fn folded(name: &str) -> String {
    name.to_lowercase().replace(['_', ' '], "-")
}

/// Returns the IDs of all known platforms.
pub fn known_ids<'a>() -> impl Iterator<Item = &'a str> {
    PLATFORMS.iter().map(|(id, _)| *id)
}

/// Returns the alternative names that pages use for a platform.
pub fn also_called(id: &str) -> &'static [&'static str] {
    ALSO_CALLED.iter().find(|(known, _)| *known == id).map_or(&[], |(_, words)| words)
}

fn known(name: &str) -> Option<usize> {
    let is_it = |id: &str| {
        let same = |(a, b): (u8, u8)| a == b.to_ascii_lowercase() || (a == b'-' && matches!(b, b'_' | b' '));
        id.len() == name.len() && id.bytes().zip(name.bytes()).all(same)
    };
    PLATFORMS.iter().position(|(id, _)| is_it(id))
}

/// Whether a folder with this name is a platform.
pub fn is_platform(name: &str) -> bool {
    known(name).is_some()
}

/// Returns the position in the platform switcher. Unknown platforms come last.
pub fn rank(id: &str) -> usize {
    known(id).unwrap_or(PLATFORMS.len())
}

/// Returns the name that readers know.
pub fn display_name(id: &str) -> String {
    known(id).map_or_else(|| words(id), |index| PLATFORMS[index].1.to_string())
}

/// Returns the platform whose ID or name this text is, ignoring case: `react-native` for `React Native`.
pub fn id_named(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let is_called = |(id, name): &&(&str, &str)| {
        name.eq_ignore_ascii_case(text) || also_called(id).iter().any(|it| it.eq_ignore_ascii_case(text))
    };
    let at = known(text).or_else(|| PLATFORMS.iter().position(|it| is_called(&it)));
    // If several IDs have the same name, the first one is returned.
    let (_, name) = PLATFORMS[at?];
    PLATFORMS.iter().find(|(_, other)| *other == name).map(|(id, _)| *id)
}

/// Frameworks whose apps run on other platforms, so that their pages mention these platforms.
const RUN_ON_OTHERS: &[&str] = &[
    "flutter",
    "react-native",
    "rn",
    "reactnative",
    "react",
    "expo",
    "xamarin",
    "maui",
    "cordova",
    "ionic",
    "capacitor",
    "unity",
    "unreal",
    "kmp",
    "kotlin-multiplatform",
    "electron",
    "dart",
];

/// Platforms on which apps of these frameworks run, and their languages.
const RUN_BELOW: &[&str] = &[
    "ios",
    "android",
    "web",
    "macos",
    "windows",
    "linux",
    "tvos",
    "watchos",
    "visionos",
    "swift",
    "kotlin",
    "java",
    "objective-c",
    "objc",
    "javascript",
    "react-native",
    "rn",
    "reactnative",
    "desktop",
    "mobile",
];

/// Frameworks and languages, each with what it is built on.
const BUILT_ON: [(&str, &str); 11] = [
    ("gatsby", "react"),
    ("kotlin", "java"),
    ("nest", "express"),
    ("nestjs", "express"),
    ("next", "react"),
    ("nextjs", "react"),
    ("nuxt", "vue"),
    ("preact", "react"),
    ("remix", "react"),
    ("sveltekit", "svelte"),
    ("typescript", "javascript"),
];

/// Whether pages for one platform normally mention the other.
pub fn runs_on(id: &str, other: &str) -> bool {
    let (id, other) = (&*folded(id), &*folded(other));
    let has = |id: &str, word: &str| id.split('-').any(|it| it == word);
    RUN_ON_OTHERS.contains(&id) && RUN_BELOW.contains(&other)
        || BUILT_ON.iter().any(|(built, on)| has(id, built) && has(other, on))
}

/// Suffixes after the name of a platform.
const MAY_FOLLOW: [&str; 6] = ["", " sdk", " docs", " guide", " app", " apps"];

/// Whether a text is this name, ignoring case and a suffix.
pub fn is_called(text: &str, name: &str) -> bool {
    let text = text.trim();
    let Some((start, end)) = text.split_at_checked(name.len()) else { return false };
    start.eq_ignore_ascii_case(name) && MAY_FOLLOW.iter().any(|it| it.eq_ignore_ascii_case(end))
}

/// Whether readers recognize a text as the name of a platform: `iOS`, `React Native docs`.
pub fn is_platform_name(text: &str) -> bool {
    /// Length of the longest name with its suffix, in bytes.
    const LONGEST: usize = 40;
    /// All names by length.
    static NAMES: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
        let also = ALSO_CALLED.iter().flat_map(|(_, names)| *names);
        let mut by_length = vec![Vec::new(); LONGEST + 1];
        for name in PLATFORMS.iter().flat_map(|(id, name)| [id, name]).chain(also) {
            if let Some(names) = by_length.get_mut(name.len()) {
                names.push(*name);
            }
        }
        by_length
    });
    let text = text.trim();
    let Some(last) = text.bytes().last().filter(|_| text.len() <= LONGEST) else { return false };
    let is_name = |name: &str| {
        let first = name.bytes().next().map(|byte| byte.to_ascii_lowercase());
        let begins_so = |known: &&str| known.bytes().next().map(|byte| byte.to_ascii_lowercase()) == first;
        let names = NAMES.get(name.len()).into_iter().flatten().copied();
        names.filter(begins_so).any(|known| known.eq_ignore_ascii_case(name))
    };
    // Fast path: few texts end with one of these bytes.
    let may_end = |end: &&str| end.bytes().last().is_none_or(|byte| byte == last.to_ascii_lowercase());
    MAY_FOLLOW.into_iter().filter(may_end).any(|end| {
        let cut = text.len().checked_sub(end.len()).and_then(|at| text.split_at_checked(at));
        cut.is_some_and(|(name, rest)| rest.eq_ignore_ascii_case(end) && is_name(name))
    })
}

/// Whether a text contains two links named like platforms, or one and a mention of platforms. Such a text may be a
/// platform switcher.
pub fn names_links(text: &str) -> bool {
    let bytes = text.as_bytes();
    if memchr::memchr2(b'[', b'<', bytes).is_none() {
        return false;
    }
    let by_markdown = memchr::memmem::find_iter(bytes, "](").filter_map(|end| label_before(text, end, b'['));
    let by_html = memchr::memmem::find_iter(bytes, "</a").filter_map(|end| label_before(text, end, b'>'));
    let is_name = |label: &&str| is_platform_name(label);
    let most = by_markdown.filter(is_name).take(2).count().max(by_html.filter(is_name).take(2).count());
    let says = |words: &str| memchr::memmem::find(bytes, words.as_bytes()).is_some();
    most == 2 || most == 1 && (says("latform") || says("ther languages"))
}

/// Returns the text between the last `open`, an ASCII character, and `end`.
fn label_before(text: &str, end: usize, open: u8) -> Option<&str> {
    /// Length of the longest platform name in bytes, with room for spaces.
    const LONGEST_NAME: usize = 60;
    let first = end.saturating_sub(LONGEST_NAME);
    let at = memchr::memrchr(open, &text.as_bytes()[first..end])?;
    Some(&text[first + at + 1..end])
}

/// Returns the platform whose ID differs from the name by one typing mistake. Short names are excluded because they
/// resemble too many words.
pub fn nearly_a_platform(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 5;
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let mut ids = PLATFORMS.iter().map(|(id, _)| *id).filter(|id| id.len() >= SHORTEST);
    let near = ids.find(|id| is_one_slip(id, &name))?;
    (!is_platform(&name.iter().collect::<String>())).then_some(near)
}

/// Whether the distance of an ID and a name is 1 in the sense of [`strsim::damerau_levenshtein`]: one character
/// added, removed or replaced, or two swapped. IDs are ASCII.
fn is_one_slip(id: &str, name: &[char]) -> bool {
    if id.len().abs_diff(name.len()) > 1 {
        return false;
    }
    let is_same = |(one, other): &(&u8, &char)| char::from(**one) == **other;
    let id = id.as_bytes();
    let before = id.iter().zip(name).take_while(is_same).count();
    let (id, name) = (&id[before..], &name[before..]);
    let after = id.iter().rev().zip(name.iter().rev()).take_while(is_same).count();
    match (&id[..id.len() - after], &name[..name.len() - after]) {
        ([], [_]) | ([_], [] | [_]) => true,
        ([one, other], [first, second]) => is_same(&(one, second)) && is_same(&(other, first)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_is_recognized_in_any_spelling_and_listed_once() {
        for (name, shown) in
            [("iOS", "iOS"), ("react_native", "React Native"), ("React Native", "React Native")]
        {
            assert!(is_platform(name));
            assert_eq!(display_name(name), shown);
        }
        let ids: crate::sorted::SortedSet<&str> = known_ids().collect();
        assert_eq!(ids.len(), PLATFORMS.len());
        assert!(ids.iter().all(|id| folded(id) == **id && !OF_ANYTHING.contains(id)));
    }

    #[test]
    fn one_slip_is_what_strsim_counts() {
        let names = [
            "swift", "swfit", "swit", "swiift", "swaft", "switf", "wsitf", "swif", "swifty", "s", "",
            "sswift", "swiftt",
        ];
        for id in ["swift", "kotlin", "swiftui"] {
            for name in names {
                let letters: Vec<char> = name.chars().collect();
                assert_eq!(
                    is_one_slip(id, &letters),
                    strsim::damerau_levenshtein(id, name) == 1,
                    "{id} {name}"
                );
            }
        }
    }

    #[test]
    fn platform_names_are_known_with_their_suffixes() {
        for text in
            ["iOS", " react native DOCS ", "C++", "Node", "objective-c app", "Ruby on Rails guide", ".NET"]
        {
            assert!(is_platform_name(text), "{text}");
        }
        for text in
            ["", " ", "sdk", "iOS/Android", "iOSsdk", "the iOS", "iOS documents", "[iOS]", "ios sdk docs"]
        {
            assert!(!is_platform_name(text), "{text}");
        }
    }

    #[test]
    fn languages_of_people_and_versions_are_no_platforms() {
        for name in ["en", "ja", "pt-BR", "zh-cn", "zh-hans", "v2", "2.0", "_includes", "overview", "Other"] {
            assert!(is_said_of_anything(name), "{name}");
        }
        for name in ["app-builders", "kmp", "sdk", "my-platform", "vision"] {
            assert!(!is_said_of_anything(name), "{name}");
        }
    }
}
