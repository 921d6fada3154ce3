//! Small repositories in a text file, each with the expected findings.
//!
//! ```text
//! book.toml: the text of each file with this ending that has none
//!
//! # the name of a repository
//! book.toml
//! src/b.md: a text, in which `\n` ends a line
//! src/page-{3}.md: the text of three pages, in which `{number}` is the number of the page
//! > src/a.md: the text of a page after its first heading
//! = the first line of `check`
//! - an expected finding
//! ~ src/b.md: a text of this file => a mistake in its place
//! ```

use super::SiteTest;

/// A repository.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    files: Vec<(String, String)>,
    /// The start of standard error.
    pub(crate) says: String,
    /// Mistakes: file, text, and the wrong text.
    pub(crate) slips: Vec<(&'static str, String, String)>,
    /// Sorted.
    pub(crate) expected: Vec<&'static str>,
}

/// Reads the repositories in a text.
pub(crate) fn cases(text: &'static str) -> Vec<Case> {
    let (defaults, cases) = text.split_once("\n# ").expect("a repository");
    let defaults: Vec<_> = defaults.lines().filter_map(|line| line.split_once(": ")).collect();
    cases.split("\n# ").map(|case| Case::read(case, &defaults)).collect()
}

impl Case {
    fn read(text: &'static str, defaults: &[(&str, &str)]) -> Self {
        let mut lines = text.lines().filter(|line| !line.is_empty());
        let name = lines.next().expect("a name");
        let (mut files, mut says, mut slips, mut expected) =
            (Vec::new(), String::new(), Vec::new(), Vec::new());
        for line in lines {
            if let Some(finding) = line.strip_prefix("- ") {
                expected.push(finding);
                continue;
            }
            if let Some(said) = line.strip_prefix("= ") {
                says = format!("{says}{said}\n");
                continue;
            }
            if let Some((file, slip)) = line.strip_prefix("~ ").and_then(|slip| slip.split_once(": ")) {
                let (right, wrong) = slip.split_once(" =>").expect("a mistake");
                slips.push((file, unescaped(right), unescaped(wrong.strip_prefix(' ').unwrap_or_default())));
                continue;
            }
            let file = line.strip_prefix("> ").unwrap_or(line);
            let (path, text) = file.split_once(':').map_or((file, None), |(path, text)| (path, Some(text)));
            let text = text.map(|text| unescaped(text.trim_start()));
            let default = || {
                let default = defaults.iter().find(|(ending, _)| path.ends_with(ending));
                unescaped(default.unwrap_or_else(|| panic!("{name}: `{path}` has no text")).1)
            };
            let text = match text {
                Some(text) if file != line => format!("{}\n{text}\n", default()),
                text => text.unwrap_or_else(default),
            };
            match path.split_once('{').map(|(start, rest)| (start, rest.split_once('}').expect("its end"))) {
                Some((start, (count, end))) => {
                    let count: usize = count.parse().expect("a number");
                    let text = |number: usize| text.replace("{number}", &number.to_string());
                    files.extend((1..=count).map(|number| (format!("{start}{number}{end}"), text(number))));
                }
                None => files.push((path.to_string(), text)),
            }
        }
        expected.sort_unstable();
        // The number of pages is the start of a line.
        if says.ends_with(" pages\n") {
            says = says.trim_end().to_string();
        }
        Self { name, files, says, slips, expected }
    }

    pub(crate) fn site(&self) -> SiteTest {
        self.site_in("")
    }

    /// Returns the repository in a folder of another one, whose path ends with a slash.
    pub(crate) fn site_in(&self, folder: &str) -> SiteTest {
        let add =
            |site: SiteTest, (path, text): &(String, String)| site.edit(&format!("{folder}{path}"), text);
        self.files.iter().fold(SiteTest::rootless(), add)
    }
}

fn unescaped(text: &str) -> String {
    let signs =
        [("\\n", "\n"), ("\\t", "\t"), ("\\u200b", "\u{200b}"), ("\\u3000", "\u{3000}"), ("\0", "\\")];
    signs.iter().fold(text.replace("\\\\", "\0"), |text, (written, sign)| text.replace(written, sign))
}
