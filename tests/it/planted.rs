//! Mistakes of many kinds, added one at a time to small sites of other generators. Each is found, and without them
//! there are no findings.

use std::path::Path;

use stepkin::base::diagnostic::Severity;
use stepkin::{Cache, CheckedSite, Options, check};

use crate::support::cases::cases;

/// Returns the findings of a site: severity, file, line, and message.
fn found(root: &Path) -> Vec<(Severity, String)> {
    let CheckedSite { report, work } =
        check(root, &Options::default(), &Cache::default()).expect("a site that is read");
    let said = |it: &stepkin::base::diagnostic::Diagnostic| {
        let text =
            work.project.sources.text(&it.file).map(|text| text.text().into_owned()).unwrap_or_default();
        let at = it.problem.span.start.min(text.len());
        let line = text[..at].matches('\n').count() + 1;
        (it.severity, format!("{}:{line}: {}: {}", it.file, it.problem.code, it.problem.message))
    };
    report.iter().map(said).collect()
}

/// Checks each site in `planted.txt`: without a mistake, and with each.
#[test]
fn slips_in_sites_of_other_generators_are_found() {
    let mut silent = Vec::new();
    let (mut planted, mut reported) = (0, 0);
    for case in cases(include_str!("planted.txt")) {
        let (name, site) = (case.name, case.site());
        assert_eq!(found(&site.root()), [], "{name}: nothing is wrong with this site");
        for (file, right, wrong) in &case.slips {
            let text = site.text(file);
            assert_eq!(text.matches(right).count(), 1, "{name}: `{right}` is once in {file}");
            site.write(file, text.replace(right, wrong));
            let found = found(&site.root());
            planted += 1;
            // The problem is reported at its file, and as more than advice.
            let is_of_file = |(severity, said): &(Severity, String)| {
                *severity >= Severity::Warning && said.starts_with(&format!("{file}:"))
            };
            if found.iter().any(is_of_file) {
                reported += 1;
            } else {
                silent.push(format!("{name}: `{wrong}` in {file}: {found:?}"));
            }
            site.write(file, text);
        }
    }
    assert!(planted >= 40, "{planted}");
    assert_eq!((reported, silent), (planted, Vec::<String>::new()));
}
