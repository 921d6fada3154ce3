//! Addresses that exist and are built by other programs.

use std::collections::BTreeMap;

use crate::address::Address;

/// The addresses of a routes file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routes {
    /// With where a redirect leads.
    known: BTreeMap<Address, Option<String>>,
    /// Of folders, everything below exists, and they themselves.
    folders: Vec<Address>,
}

impl Routes {
    /// Reads `/x/`, `/x/*` or `/x/ -> /y/`, one a line; blank lines and those that start with `#` are skipped.
    pub fn parse(text: &str) -> Self {
        let mut folders = Vec::new();
        let mut known = BTreeMap::new();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            match (line.split_once("->"), line.strip_suffix('*')) {
                (Some((from, to)), _) => {
                    known.insert(Address::new(from.trim()).as_page(), Some(to.trim().to_string()));
                }
                (None, Some(folder)) => folders.push(Address::new(folder).as_page()),
                (None, None) => _ = known.insert(Address::new(line).as_page(), None),
            }
        }
        Self { known, folders }
    }

    /// Whether something is at a decoded path; the final slash does not matter.
    pub fn contains(&self, path: &str) -> bool {
        let address = Address::new(path).as_page();
        let is_below = |folder: &Address| address.as_str().starts_with(folder.as_str());
        self.known.contains_key(&address) || self.folders.iter().any(is_below)
    }

    /// Where a path is redirected to.
    pub fn redirect(&self, path: &str) -> Option<&str> {
        self.known.get(&Address::new(path).as_page())?.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_addresses_and_redirects() {
        let routes = Routes::parse("# built by the SDK repository\n/sdk/web/\n\n/old/ -> /sdk/web/\n");
        assert!(routes.contains("/sdk/web") && routes.contains("/old/"));
        assert!(!routes.contains("/sdk/"));
        let routes = Routes::parse("/api/*\n");
        assert!(routes.contains("/api") && routes.contains("/api/v1/x") && !routes.contains("/apis/"));
        let routes = Routes::parse("# built by the SDK repository\n/sdk/web/\n\n/old/ -> /sdk/web/\n");
        assert_eq!((routes.redirect("/old"), routes.redirect("/sdk/web/")), (Some("/sdk/web/"), None));
    }
}
