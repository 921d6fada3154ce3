//! Pages are parsed only if something needs them.

use crate::output::cache::Cache;
use crate::output::pipeline::{self, Options};
use crate::output::render::{self, Rendering};
use base::site_path::SitePath;
use input::source::{Sources, Text};

fn parsed(work: &Rendering) -> Vec<&str> {
    let parsed = work.project.site.documents.iter().filter(|document| work.pages.holds(document));
    parsed.map(|document| document.address.as_str()).collect()
}

#[test]
fn a_page_is_answered_without_parsing_others_than_its_siblings_and_the_steps_that_follow() {
    let mut sources = Sources::default();
    for page in ["tour/web/a", "tour/web/b", "tour/ios/a", "tour/ios/b", "other"] {
        let path = SitePath::from(format!("content/{page}.md"));
        let order = if page.ends_with('a') { 1 } else { 2 };
        let text = format!("---\ntitle: Step {order}\norder: {order}\n---\n\n[b](/tour/web/b/) {page}\n");
        sources.pages.insert(path.clone(), Text::new(path, text.into_bytes()));
    }
    let (work, report) = pipeline::plan(sources, &Options::default(), &Cache::default()).expect("it loads");
    assert!(report.is_empty() && parsed(&work).is_empty(), "{:?}", parsed(&work));
    let (address, artifact) = work
        .project
        .plan
        .artifacts()
        .find(|(address, _)| address.as_str() == "/tour/web/a/")
        .expect("a page");
    render::artifact(&work, address, artifact).expect("built-in templates");
    assert_eq!(parsed(&work), ["/tour/ios/a/", "/tour/web/a/", "/tour/web/b/"]);
}
