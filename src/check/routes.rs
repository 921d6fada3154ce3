//! Addresses that exist and are built by other programs.

use std::collections::BTreeMap;

use crate::address::Address;

/// The addresses of a routes file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routes {
    /// With where a redirect leads.
    known: BTreeMap<Address, Option<String>>,
}

impl Routes {
    /// Reads `/x/` or `/x/ -> /y/`, one a line; blank lines and those that start with `#` are skipped.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let known = lines.map(|line| match line.split_once("->") {
            Some((from, to)) => (Address::new(from.trim()).as_page(), Some(to.trim().to_string())),
            None => (Address::new(line).as_page(), None),
        });
        Self { known: known.collect() }
    }

    /// Whether something is at a decoded path; the final slash does not matter.
    pub fn contains(&self, path: &str) -> bool {
        self.known.contains_key(&Address::new(path).as_page())
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
        assert_eq!((routes.redirect("/old"), routes.redirect("/sdk/web/")), (Some("/sdk/web/"), None));
    }
}
