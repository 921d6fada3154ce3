//! Lines of code that several places have with one version, and a single place with another: `lamp 1.2.2` next to `lamp 1.2.3`.
//!
//! Nothing says which of them is right, or whether the other one is meant, so this is only information.

use std::ops::Range;

use base::diagnostic::{Code, Diagnostic, Problem};
use base::fences::code_lines;
use base::hash::HashMap;
use site::content::DocumentId;
use site::project::Project;

/// Minimum number of lines with the usual version.
const FEWEST: usize = 3;

/// Minimum number of words of a line besides the version.
const FEWEST_WORDS: usize = 2;

/// Parts of the paths of pages about several versions.
const ABOUT_VERSIONS: [&str; 8] =
    ["announce", "blog", "chang", "histor", "migrat", "release", "upgrad", "version"];

/// A version in a line, which is known without it.
struct Version<'t> {
    written: &'t str,
    /// Number of lines.
    count: usize,
    /// The first line.
    page: DocumentId,
    place: Range<usize>,
}

/// Reports the only other versions on a site of another generator.
pub(super) fn versions(project: &Project) -> Vec<Diagnostic> {
    if project.site.repository.is_ours() {
        return Vec::new();
    }
    let is_about_versions = |path: &str| {
        let path = path.to_ascii_lowercase();
        let is_version = |part: &str| part.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
        ABOUT_VERSIONS.iter().any(|it| path.contains(it)) || path.split('/').any(is_version)
    };
    let documents = project.site.documents.indexed();
    let documents = documents.filter(|(_, document)| !is_about_versions(document.path.as_str()));
    let texts: Vec<_> = documents.map(|(id, document)| (id, document, document.unwrapped_text())).collect();
    let mut lines: HashMap<String, Vec<Version<'_>>> = HashMap::default();
    for (id, document, text) in &texts {
        for (at, line) in code_lines(&text[document.body..]) {
            let line = line.trim_end();
            let Some(place) = only_version(line) else { continue };
            let (before, after) = (&line[..place.start], &line[place.end..]);
            let words = [before, after].into_iter().flat_map(|it| it.split(|c: char| !c.is_alphabetic()));
            if words.filter(|word| word.len() > 1).count() < FEWEST_WORDS {
                continue;
            }
            let versions = lines.entry(format!("{}\0{after}", before.trim_start())).or_default();
            let (written, at) = (&line[place.clone()], document.body + at);
            let place = at + place.start..at + place.end;
            match versions.iter_mut().find(|it| it.written == written) {
                Some(known) => known.count += 1,
                None => versions.push(Version { written, count: 1, page: *id, place }),
            }
        }
    }
    let finding = |versions: Vec<Version<'_>>| {
        let [one, other] = <[_; 2]>::try_from(versions).ok()?;
        let (usual, odd) = if one.count > other.count { (one, other) } else { (other, one) };
        if odd.count > 1 || usual.count < FEWEST {
            return None;
        }
        let Version { written, count, .. } = usual;
        let message =
            format!("only this line has `{}`, and {count} others have `{written}` in it", odd.written);
        let problem = Problem::new(Code::UnusualValue, odd.place, message).as_advice();
        let problem = problem.help(format!("use `{written}` if that is meant"));
        Some(problem.at(&project.site.document(odd.page).path))
    };
    lines.into_values().filter_map(finding).collect()
}

/// Returns the place of the only version in a line: three numbers, two after a `v`, or any after `@v`.
fn only_version(line: &str) -> Option<Range<usize>> {
    let bytes = line.as_bytes();
    let (mut found, mut at) = (None, 0);
    while at < bytes.len() {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|byte| is_part(**byte)).count();
        let word = line[at..end].trim_end_matches('.');
        let number = word.strip_prefix('v').unwrap_or(word);
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        // `/v1/` is a part of an address.
        let least = match &line[..at] {
            _ if number.len() == word.len() => 3,
            before if before.ends_with('@') => 1,
            _ => 2,
        };
        if number.split('.').all(is_number) && number.split('.').count() >= least {
            if found.is_some() {
                return None;
            }
            found = Some(at..at + word.len());
        }
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_three_numbers_or_a_letter() {
        let of = |line: &str| only_version(line).map(|place| line[place].to_string());
        assert_eq!(of("lamp 1.2.3 is on").as_deref(), Some("1.2.3"));
        assert_eq!(of("uses: oil/lamp@v4").as_deref(), Some("v4"));
        assert_eq!(of("lamp v0.1 is on").as_deref(), Some("v0.1"));
        assert_eq!(of("get /api/v1/lamp"), None);
        assert_eq!(of("rgba(1, 2, 0.5)"), None);
        assert_eq!(of("from 1.2.3 to 1.2.4"), None);
        assert_eq!(of("lamp1.2.3"), None);
    }
}
