//! What the README says of the program is what the program does.

use stepkin::diagnostic::Code;

#[test]
fn the_readme_lists_every_finding() {
    let readme = include_str!("../../README.md");
    let row = |code: &Code| format!("| `{code}` | {} | {} |\n", code.severity().name(), code.rule().summary);
    let table: String = Code::ALL.iter().map(row).collect();
    assert!(readme.contains(&table), "README.md wants this table:\n{table}");
}
