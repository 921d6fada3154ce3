//! Every message and its cure, as the fixtures bring them about: read the snapshot as a user would.

mod support;

use std::collections::BTreeSet;

use support::{SiteTest, fixtures};

#[test]
fn messages_read_well() {
    let mut said = BTreeSet::new();
    for name in fixtures() {
        for finding in SiteTest::fixture(&name).findings() {
            let (code, message) = (finding.code, finding.message);
            let first = message.chars().next().expect("a message");
            assert!(
                !first.is_uppercase() && !message.ends_with('.') && !message.contains('\n'),
                "{code}: {message}"
            );
            let help = finding.help.map_or(String::new(), |help| format!("\n    {help}"));
            said.insert(format!("{code}: {message}{help}"));
        }
    }
    insta::assert_snapshot!(said.into_iter().collect::<Vec<_>>().join("\n"));
}
