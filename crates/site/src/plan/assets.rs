//! The addresses of the files that pages load from `/_stepkin/`.
//!
//! Built-in styles and scripts, and files of the site that replace them, have a hash of their content in their names,
//! so that browsers may cache them forever. So have smaller versions of images. Schemas keep their well-known names,
//! and so do all other files that a site adds there, because they may refer to each other.

use super::Rendition;
use crate::built_in::BuiltIn;
use base::address::Address;

/// The folder of these files.
pub(super) const FOLDER: &str = "/_stepkin/";

/// Number of digits of the hash, enough to distinguish versions of one file.
const DIGITS: usize = 10;
/// The same for smaller versions of images. It is larger because there may be many, and all names must differ.
const PICTURE_DIGITS: usize = 32;

/// Returns the address of the file with this name: `/_stepkin/site.0123456789.css`.
pub(super) fn address(name: &str, hash: &blake3::Hash, built_in: BuiltIn) -> Address {
    if built_in.has(name) && !name.ends_with(".json") {
        address_by_content(name, hash)
    } else {
        Address::new(&format!("{FOLDER}{name}"))
    }
}

/// Returns the address of a file that is published under a name with the hash of its content.
pub(super) fn address_by_content(name: &str, hash: &blake3::Hash) -> Address {
    let digits = &hash.to_hex()[..DIGITS];
    match name.rsplit_once('.') {
        Some((stem, extension)) => Address::new(&format!("{FOLDER}{stem}.{digits}.{extension}")),
        None => Address::new(&format!("{FOLDER}{name}.{digits}")),
    }
}

/// Returns the address of a smaller image: `/_stepkin/pictures/0123456789abcdef0123456789abcdef.webp`.
pub(super) fn address_of_rendition(rendition: &Rendition) -> Address {
    let digits = &blake3::Hash::from(rendition.hash).to_hex()[..PICTURE_DIGITS];
    Address::new(&format!("{FOLDER}pictures/{digits}.{}", rendition.format.name()))
}

/// Whether the file name in a path contains a hash of the content, so that the content at this path never changes.
pub fn is_named_by_content(path: &str) -> bool {
    let is_hash = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let Some(name) = path.strip_prefix(FOLDER.trim_start_matches('/')) else { return false };
    let Some((stem, _)) = name.rsplit_once('.') else { return false };
    if let Some(hash) = stem.strip_prefix("pictures/") {
        return is_hash(hash, PICTURE_DIGITS);
    }
    let own = stem.rsplit_once('.').filter(|(_, hash)| is_hash(hash, DIGITS));
    own.is_some_and(|(own, _)| !own.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &[(&str, &[u8])] =
        &[("site.css", b""), ("search-loader.js", b""), ("settings.schema.json", b"")];

    #[track_caller]
    fn check(name: &str, expected: &str) {
        let built_in = BuiltIn { published: PUBLISHED, ..BuiltIn::default() };
        let hash = blake3::hash(b"");
        assert!(hash.to_hex().starts_with("af1349b9f5"));
        assert_eq!(address(name, &hash, built_in).as_str(), expected);
        assert_eq!(is_named_by_content(&expected[1..]), expected.contains("af1349b9f5"));
    }

    #[test]
    fn own_styles_and_scripts_are_named_by_their_content() {
        check("site.css", "/_stepkin/site.af1349b9f5.css");
        check("search-loader.js", "/_stepkin/search-loader.af1349b9f5.js");
    }

    #[test]
    fn files_named_by_their_content_are_known_by_the_name() {
        for (path, expected) in [
            ("_stepkin/site.af1349b9f5.css", true),
            ("_stepkin/pictures/0123456789abcdef0123456789abcdef.webp", true),
            ("_stepkin/pictures/0123456789.webp", false),
            ("_stepkin/search/0123456789.json", false),
            ("_stepkin/fonts/own.af1349b9f5.woff2", false),
            ("images/site.af1349b9f5.css", false),
            ("_stepkin/site.AF1349B9F5.css", false),
        ] {
            assert_eq!(is_named_by_content(path), expected, "{path}");
        }
    }

    #[test]
    fn all_other_files_keep_their_names() {
        check("settings.schema.json", "/_stepkin/settings.schema.json");
        check("fonts/own.woff2", "/_stepkin/fonts/own.woff2");
        check("own.css", "/_stepkin/own.css");
    }
}
