//! Every message and its help, as the fixtures cause them. Read the snapshot as a user would.

use std::collections::BTreeSet;

use crate::support::{SiteTest, fixtures};

#[test]
fn messages_read_well() {
    let mut said = BTreeSet::new();
    for name in fixtures() {
        let site = SiteTest::fixture(&name);
        let found = if name.starts_with("drift") { site.drift() } else { site.findings() };
        for finding in found {
            let (code, message) = (finding.code, finding.message);
            let first = message.chars().next().expect("a message");
            let is_name = ["Web ", "Web, ", "Android "].iter().any(|name| message.starts_with(name));
            assert!(
                (is_name || !first.is_uppercase()) && !message.ends_with('.') && !message.contains('\n'),
                "{code}: {message}"
            );
            let help = finding.help.map_or(String::new(), |help| format!("\n    {help}"));
            said.insert(format!("{code}: {message}{help}"));
        }
    }
    insta::assert_snapshot!(said.into_iter().collect::<Vec<_>>().join("\n"));
}
