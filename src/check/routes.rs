//! Addresses that exist but are built elsewhere.

use std::collections::HashSet;

use crate::content::Address;

/// The addresses of a routes file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routes {
    known: HashSet<Address>,
}

impl Routes {
    /// Reads `/x/` or `/x/ -> /y/`, one a line; blank lines and those that start with `#` say nothing.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let known = lines.map(|line| Address::new(line.split("->").next().unwrap_or(line).trim()).as_page());
        Self { known: known.collect() }
    }

    /// Whether something stands at a decoded path; the final slash does not matter.
    pub fn contains(&self, path: &str) -> bool {
        !self.known.is_empty() && self.known.contains(&Address::new(path).as_page())
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
    }
}
