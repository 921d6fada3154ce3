//! Steps that platforms call differently.

use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use base::diagnostic::Code;
use base::site_path::SitePath;
use input::source::{Sources, Text};

#[test]
fn a_step_under_another_name_is_known_by_its_headings_and_doubted() {
    let pages = [
        ("web/pair", "---\ntitle: Pair\norder: 1\n---\n## Open it\n## Hold it near\n## Wait\n"),
        ("ios/join", "---\ntitle: Join\norder: 4\n---\n## Open it\n## Hold it near\n## Ready\n"),
        ("web/end", "---\ntitle: End\norder: 2\n---\n"),
        ("ios/end", "---\ntitle: End\norder: 5\n---\n"),
    ];
    let mut sources = Sources::default();
    for (path, text) in pages {
        let path: SitePath = format!("content/tour/{path}.md").as_str().into();
        sources.pages.insert(path.clone(), Text::new(path, text.into()));
    }
    let (work, report) = pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads");
    let pair = work.project.families.rows(0.into()).iter().find(|row| row.steps.iter().all(Option::is_some));
    assert!(pair.is_some() && work.project.families.rows(0.into()).len() == 2);
    let doubts = report.iter().filter(|it| it.problem.code == Code::AmbiguousStep);
    assert_eq!(doubts.map(|it| it.file.as_str()).collect::<Vec<_>>(), ["content/tour/ios/join.md"]);
}
