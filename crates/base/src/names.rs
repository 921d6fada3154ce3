//! Titles for folders and files without a title, made from the words of their names.

use crate::hash::{HashMap, HashSet};
use crate::platforms::display_name;
use crate::platforms::is_platform;
use crate::site_path;

/// Words with unusual capitals, by their lower-case form.
const SPELLED: &[&str] = &[
    "AI",
    "API",
    "APIs",
    "AWS",
    "CDN",
    "CI",
    "CLI",
    "CPU",
    "CSS",
    "CSV",
    "DNS",
    "FAQ",
    "FAQs",
    "GCP",
    "GDPR",
    "GPU",
    "HTML",
    "HTTP",
    "HTTPS",
    "ID",
    "IDs",
    "IDE",
    "IoT",
    "IP",
    "JSON",
    "JWT",
    "LLM",
    "MCP",
    "NPM",
    "OAuth",
    "OIDC",
    "OpenAPI",
    "OS",
    "PDF",
    "QR",
    "RBAC",
    "RPC",
    "SAML",
    "SDK",
    "SDKs",
    "SEO",
    "SMS",
    "SQL",
    "SSH",
    "SSL",
    "SSO",
    "TLS",
    "UI",
    "URL",
    "URLs",
    "USB",
    "UX",
    "VPN",
    "XML",
    "YAML",
    "GitHub",
    "GitLab",
    "PostgreSQL",
    "MySQL",
    "MongoDB",
    "macOS",
    "iPadOS",
    "iOS",
    "Android",
    "JavaScript",
    "TypeScript",
    "GraphQL",
    "gRPC",
    "WebSocket",
    "WebSockets",
    "DevOps",
    "TestFlight",
    "StoreKit",
];

/// Platforms whose names are everyday words, so that they are not capitalized inside other names.
const EVERYDAY: &[&str] = &[
    "web",
    "browser",
    "express",
    "node",
    "go",
    "r",
    "c",
    "rest",
    "server",
    "desktop",
    "mobile",
    "expo",
    "bun",
    "remix",
    "crystal",
    "spring",
    "cli",
    "http",
    "js",
    "ts",
    "py",
    "dart",
    "swift",
    "unity",
    "electron",
    "capacitor",
];

/// Words before a platform's name in file names with reversed order: `sdk-react-native`.
const KINDS: &[&str] = &["sdk", "api", "quickstart", "tutorial", "guide", "reference"];

/// Turns a hyphenated name into a title: `sdk-react-native` becomes `React Native SDK`.
pub fn of_segment(segment: &str) -> String {
    let spaced = segment.replace(['-', '_'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if let [kind, platform @ ..] = &words[..]
        && KINDS.contains(&&*kind.to_lowercase())
        && is_platform(&platform.join("-"))
    {
        return format!("{} {}", display_name(&platform.join("-")), spelled(kind).unwrap_or(kind));
    }
    // The name contains no separators.
    if words.is_empty() {
        return segment.to_string();
    }
    let mut title = String::with_capacity(segment.len());
    let mut rest = &words[..];
    while let Some((first, others)) = rest.split_first() {
        let platform = (1..=2.min(rest.len())).rev().find_map(|count| {
            let name = rest[..count].join("-").to_lowercase();
            let is_alone = words.len() == count && name != "cli";
            let is_name = is_platform(&name) && (is_alone || !EVERYDAY.contains(&&*name));
            is_name.then(|| (display_name(&name), &rest[count..]))
        });
        let (word, after) = match (platform, spelled(first)) {
            (_, Some(word)) => (word.to_string(), others),
            (Some((name, after)), None) => (name, after),
            (None, None) if title.is_empty() => (capital(first), others),
            (None, None) => ((*first).to_string(), others),
        };
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(&word);
        rest = after;
    }
    title
}

/// Separator between the title of a parent and that of a page.
const IN: &str = " › ";

/// Adds the title of the parent before a title.
pub fn within(above: &str, title: &str) -> String {
    format!("{above}{IN}{title}")
}

/// One of several things in a list.
#[derive(Clone, Debug)]
pub struct Namesake<T> {
    pub of: T,
    pub title: String,
    /// Titles of its ancestors, the nearest first.
    pub above: Vec<String>,
    /// Its unique path.
    pub path: String,
}

/// Returns names for the entries of a list that share their title with another entry. Names are unique within the
/// list. `namesake` is only called with the positions of these entries, because most lists have none.
pub fn distinct_names<T: Copy>(titles: &[&str], namesake: impl Fn(usize) -> Namesake<T>) -> Vec<(T, String)> {
    let mut by_title: HashMap<&str, Vec<usize>> = HashMap::default();
    for (at, title) in titles.iter().enumerate() {
        by_title.entry(title).or_default().push(at);
    }
    if by_title.len() == titles.len() {
        return Vec::new();
    }
    let alone = by_title.iter().filter(|(_, places)| places.len() == 1);
    let mut taken: HashSet<String> = alone.map(|(title, _)| (*title).to_string()).collect();
    let mut names = Vec::new();
    for (at, title) in titles.iter().enumerate() {
        let places = &by_title[title];
        if places.len() > 1 && places[0] == at {
            names.extend(unique_names_besides(places.iter().map(|&at| namesake(at)).collect(), &mut taken));
        }
    }
    names
}

/// Same as [`distinct_names`], for existing entries.
pub fn distinct_names_in<T: Copy>(listed: &[Namesake<T>]) -> Vec<(T, String)> {
    let titles: Vec<&str> = listed.iter().map(|it| it.title.as_str()).collect();
    distinct_names(&titles, |at| listed[at].clone())
}

/// Returns unique names for pages with the same title. A name consists of the title, preceded by the title of the
/// nearest ancestor that none of the other pages has. If there is no such ancestor, it is preceded by the last part
/// of the path, or else by the titles of all ancestors. A page without ancestors keeps its title.
pub fn unique_names<T: Copy>(pages: Vec<Namesake<T>>) -> Vec<(T, String)> {
    unique_names_besides(pages, &mut HashSet::default())
}

fn unique_names_besides<T: Copy>(
    mut pages: Vec<Namesake<T>>,
    taken: &mut HashSet<String>,
) -> Vec<(T, String)> {
    let mut names = Vec::new();
    let deepest = pages.iter().map(|page| page.above.len()).max().unwrap_or(0);
    for height in 0..deepest {
        name_by(&mut pages, |page| page.above.get(height).cloned(), taken, &mut names);
    }
    let own = |page: &Namesake<T>| {
        let own = of_segment(site_path::file_name(page.path.trim_end_matches('/')));
        (!own.is_empty() && !own.eq_ignore_ascii_case(&page.title)).then_some(own)
    };
    if deepest > 0 && pages.len() > 1 || pages.iter().all(|page| page.above.is_empty()) {
        name_by(&mut pages, own, taken, &mut names);
    }
    for page in pages {
        let above = page.above.iter().rev().cloned();
        let name = above.chain([page.title.clone()]).collect::<Vec<_>>().join(IN);
        let is_new = taken.insert(name.clone());
        let name = if is_new { name } else { format!("{name} ({})", page.path) };
        if name != page.title {
            names.push((page.of, name));
        }
    }
    names
}

/// Names the pages for which `part` is unique, and removes them from `pages`.
fn name_by<T: Copy>(
    pages: &mut Vec<Namesake<T>>,
    part: impl Fn(&Namesake<T>) -> Option<String>,
    taken: &mut HashSet<String>,
    names: &mut Vec<(T, String)>,
) {
    let mut count: HashMap<String, usize> = HashMap::default();
    for part in pages.iter().filter_map(&part) {
        *count.entry(part).or_default() += 1;
    }
    pages.retain(|page| {
        let Some(part) = part(page).filter(|part| count[part] == 1) else { return true };
        let name = within(&part, &page.title);
        let is_new = taken.insert(name.clone());
        if is_new {
            names.push((page.of, name));
        }
        !is_new
    });
}

/// Returns a title preceded by the name of its folder, unless the title already contains the words of that name.
pub fn in_folder(folder: &str, title: &str) -> String {
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    if words(folder).is_subset(&words(title)) { title.to_string() } else { within(folder, title) }
}

fn spelled(word: &str) -> Option<&'static str> {
    SPELLED.iter().find(|known| known.eq_ignore_ascii_case(word)).copied()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_readers_know_them() {
        for (segment, expected) in [
            ("create-connection", "Create connection"),
            ("sdk-react-native", "React Native SDK"),
            ("quickstart-java", "Java quickstart"),
            ("sdk", "SDK"),
            ("sdk-guides", "SDK guides"),
            ("shake-ui", "Shake UI"),
            ("api_v2", "API v2"),
            ("faq", "FAQ"),
            ("ios", "iOS"),
            ("using-react-native", "Using React Native"),
            ("go", "Go"),
            ("let-it-go", "Let it go"),
            ("releasing-ios-app", "Releasing iOS app"),
            ("rest-and-web", "Rest and web"),
            ("cli", "CLI"),
            ("GettingStarted", "GettingStarted"),
            ("über_uns", "Über uns"),
            ("-", "-"),
        ] {
            assert_eq!(of_segment(segment), expected);
        }
    }

    /// Checks the unique names of pages with the same title. Each page is given by its ancestors, the nearest first.
    #[track_caller]
    fn check_names(pages: &[&[&str]], expected: &[&str]) {
        let namesake = |(of, above): (usize, &&[&str])| {
            let above = above.iter().map(|it| (*it).to_string()).collect();
            Namesake { of, title: "T".into(), above, path: format!("/{of}/t/") }
        };
        let told: HashMap<usize, String> =
            unique_names(pages.iter().enumerate().map(namesake).collect()).into_iter().collect();
        let names = (0..pages.len()).map(|at| told.get(&at).map_or("T", |name| name));
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_nearest_folder_that_distinguishes_pages_comes_first() {
        check_names(&[&["Braze"], &["Adjust"]], &["Braze › T", "Adjust › T"]);
        check_names(&[&["X", "A"], &["X", "B"], &["Y", "A"]], &["A › T", "B › T", "Y › T"]);
        check_names(&[&[], &["Braze"]], &["T", "Braze › T"]);
        check_names(&[&["X", "A"], &["A"]], &["X › T", "A › T"]);
        check_names(
            &[&["X", "A", "P"], &["Y", "A", "Q"], &["X", "B", "P"], &["Y", "B", "Q"]],
            &["P › A › X › T", "Q › A › Y › T", "P › B › X › T", "Q › B › Y › T"],
        );
        check_names(&[&["X"], &["X"]], &["X › T", "X › T (/1/t/)"]);
        check_names(&[&[], &[]], &["T", "T (/1/t/)"]);
    }

    #[test]
    fn entries_of_one_list_have_names_of_their_own() {
        let listed = |entries: &[(&str, &[&str], &str)]| -> Vec<String> {
            let titles: Vec<&str> = entries.iter().map(|entry| entry.0).collect();
            let namesake = |at: usize| {
                let (title, above, path) = entries[at];
                Namesake {
                    of: at,
                    title: title.to_string(),
                    above: above.iter().map(|it| (*it).to_string()).collect(),
                    path: path.to_string(),
                }
            };
            let names: HashMap<usize, String> = distinct_names(&titles, namesake).into_iter().collect();
            let of = |(at, it): (usize, &(&str, &[&str], &str))| {
                names.get(&at).map_or(it.0, |name| name).to_string()
            };
            entries.iter().enumerate().map(of).collect()
        };
        assert_eq!(
            listed(&[
                ("Profile API", &[], "/d/users/"),
                ("Profile API", &[], "/d/profile-api/"),
                ("Other", &[], "/d/o/")
            ]),
            ["Users › Profile API", "Profile API", "Other"]
        );
        assert_eq!(
            listed(&[("A › T", &[], "/x/"), ("T", &["A"], "/a/t/"), ("T", &["B"], "/b/t/")]),
            ["A › T", "A › T (/a/t/)", "B › T"]
        );
    }

    #[test]
    fn a_folder_is_in_front_of_a_title_that_lacks_its_words() {
        assert_eq!(in_folder("Abakus", "Event"), "Abakus › Event");
        assert_eq!(in_folder("Install", "Install the SDK"), "Install the SDK");
        assert_eq!(in_folder("Event", "Event"), "Event");
    }
}
