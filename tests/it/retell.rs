//! A site in which one page was brought up to date is the site that is planned anew.

use std::sync::Arc;

use crate::support::{SiteTest, fixtures};
use stepkin::cache::Cache;
use stepkin::diagnostic::{Code, Report};
use stepkin::pipeline::{self, Options};
use stepkin::publish::Content;
use stepkin::render::{self, Walk};
use stepkin::source::{self, Sources, Text};

/// What is written below a page's text: nothing that matters elsewhere, and everything that might.
const ADDITIONS: [&str; 4] = [
    "\nMore.\n",
    "\n## 9.9 Another section\n\n[Up](#99-another-section) and [away](/nowhere/)\n",
    "\n| Setting | Value |\n| --- | --- |\n| Depth | 4 |\n\n```swift\nlet x = 1\n```\n",
    "\n![](/images/none.png)\n\n<aside>\n\n> [!TIP]\n> Open.\n",
];

fn plan(sources: Sources) -> (Walk, Report) {
    plan_with(&Arc::new(Cache::default()), sources)
}

fn plan_with(cache: &Arc<Cache>, sources: Sources) -> (Walk, Report) {
    pipeline::rehearsed_plan(sources, &Options::default(), cache).expect("it loads")
}

/// What stands at every address, and all findings.
fn told(walk: &Walk, found: Report) -> (Vec<(String, Content)>, Report) {
    let content = walk.plan.artifacts().map(|(address, artifact)| {
        let content = render::artifact(walk, address, artifact).expect("built-in templates");
        (address.to_string(), content)
    });
    (content.collect(), pipeline::verify(walk, &Options::default(), found, None).expect("it can be checked"))
}

#[test]
fn a_page_brought_up_to_date_is_a_page_planned_anew() {
    let (mut retold, mut refused) = (0, 0);
    for fixture in fixtures() {
        let site = SiteTest::fixture(&fixture);
        let mut sources = source::read(&site.root()).expect("a fixture");
        if !sources.templates.is_empty() {
            continue;
        }
        let paths: Vec<_> = sources.pages.keys().cloned().collect();
        for (path, addition) in paths.iter().zip(ADDITIONS.iter().cycle()) {
            let (mut walk, found) = plan(sources.clone());
            let text =
                Text::new(path.clone(), format!("{}{addition}", sources.pages[path].text()).into_bytes());
            sources.pages.insert(path.clone(), text.clone());
            let Some((family, report)) = walk.retell(text) else {
                refused += 1;
                continue;
            };
            retold += 1;
            let doubts = |found: Report| found.into_iter().filter(|it| it.problem.code == Code::StepIdentity);
            let kept = found.into_iter().filter(|it| it.problem.code != Code::StepIdentity);
            let (fresh, fresh_found) = plan(sources.clone());
            // Of one family the report is that of all: fixtures have one, or their others have no doubts.
            assert_eq!(
                report.iter().len(),
                doubts(fresh_found.clone()).count(),
                "{fixture} {path} {family:?}"
            );
            let (content, findings) = told(&walk, kept.chain(report).collect());
            let (expected, expected_findings) = told(&fresh, fresh_found);
            assert_eq!(content, expected, "{fixture} {path}");
            assert_eq!(findings, expected_findings, "{fixture} {path}");
        }
    }
    assert!(retold > 50 && refused > 0, "{retold} retold, {refused} refused");
}

#[test]
fn what_was_compared_before_does_not_stay() {
    let page = |value: &str| {
        format!("---\ntitle: Sow\norder: 1\n---\n\n| Setting | Value |\n| --- | --- |\n| Depth | {value} |\n")
    };
    let site = SiteTest::empty()
        .edit("content/garden/web/sow.md", page("4 cm"))
        .edit("content/garden/ios/sow.md", page("4 cm"));
    let (mut walk, found) = plan(source::read(&site.root()).expect("our own site"));
    let (before, _) = told(&walk, found);
    let text = Text::new("content/garden/web/sow.md".into(), page("5 cm").into_bytes());
    let (_, report) = walk.retell(text).expect("the body alone has changed");
    let (after, _) = told(&walk, report);
    let site = site.edit("content/garden/web/sow.md", page("5 cm"));
    let (fresh, found) = plan(source::read(&site.root()).expect("our own site"));
    assert_eq!(after, told(&fresh, found).0);
    let ios = |told: &[(String, Content)]| told.iter().find(|it| it.0 == "/garden/ios/sow/").cloned();
    assert_ne!(ios(&before), ios(&after), "the other platform's page tells of the difference");
}

#[test]
fn what_changes_more_than_the_body_is_planned_anew() {
    let site = SiteTest::fixture("three-steps");
    let (mut walk, _) = plan(source::read(&site.root()).expect("a fixture"));
    let path: source::SitePath = "content/garden/web/sow.md".into();
    let old = walk.sources.pages[&path].text().to_string();
    for (what, new) in [
        ("title", old.replace("title: Sow", "title: Sew")),
        ("order", old.replace("order: 2", "order: 3")),
        ("no title", old.replace("title:", "name:")),
        ("no front matter", old.replacen("---", "", 1)),
        ("a blank before it", format!("\n{old}")),
    ] {
        let text = Text::new(path.clone(), new.into_bytes());
        assert!(walk.retell(text).is_none(), "{what}");
    }
    assert!(walk.retell(Text::new(path, vec![0xff])).is_none(), "no text");
    let new = Text::new("content/garden/web/new.md".into(), old.into_bytes());
    assert!(walk.retell(new).is_none(), "a new page");
}

/// A server plans the site with one cache as long as it runs.
#[test]
fn what_was_planned_before_does_not_show() {
    let cache = Arc::new(Cache::default());
    let site = SiteTest::fixture("three-steps");
    let first = source::read(&site.root()).expect("a fixture");
    let path: source::SitePath = "content/garden/web/sow.md".into();
    let old = first.pages[&path].text().to_string();
    let edits = [
        old.clone(),
        old.replace("title: Sow", "title: Sew {"),
        old.replace("order: 2", "order: 30"),
        old.replace("order: 2", "order: 2\nslug: seed"),
        old.replace("order: 2", "order: 2\ndraft: true"),
        old.replace("title:", "name:"),
        old.clone(),
    ];
    for edit in edits {
        let mut sources = first.clone();
        sources.pages.insert(path.clone(), Text::new(path.clone(), edit.clone().into_bytes()));
        let (walk, found) = plan_with(&cache, sources.clone());
        let (alone, found_alone) = plan(sources);
        assert_eq!(told(&walk, found), told(&alone, found_alone), "{edit}");
    }
    let mut sources = first.clone();
    sources.pages.remove(&path);
    let (walk, found) = plan_with(&cache, sources.clone());
    let (alone, found_alone) = plan(sources);
    assert_eq!(told(&walk, found), told(&alone, found_alone), "the page is gone");
}
