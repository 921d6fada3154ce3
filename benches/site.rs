//! Measures each stage on generated pages: three platforms, and a table, a note, a list and a code block on each
//! page, all different.
//!
//! `cargo bench` prints the medians. Quote ratios within one run, because seconds depend on the machine.

use std::fmt::Write as _;

use stepkin::base::diagnostic::Report;
use stepkin::base::site_path::SitePath;
use stepkin::input::config::Config;
use stepkin::input::dialect::Dialect;
use stepkin::input::source::{Sources, Text};
use stepkin::markup::edition::Edition;
use stepkin::markup::markdown;
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::{self, Options};
use stepkin::output::render::{self, Rendering};
use stepkin::output::unit::{self, Share, UnitTables};
use stepkin::review::check::Evidence;
use stepkin::site::built_in::BuiltIn;
use stepkin::site::content::{self, Openings, Selection};
use stepkin::site::family;
use stepkin::site::memo::Memo;
use stepkin::site::plan;
use stepkin::site::plan::{ByPicture, Drawings};

fn main() {
    divan::main();
}

/// Returns a page of about 3 kB.
fn page(platform: &str, step: usize) -> String {
    let mut page =
        format!("---\ntitle: Step {step}. Do thing {step}\norder: {step}\n---\n\nOn {platform}.\n\n");
    for section in 1..=3 {
        write!(page, "## {step}.{section} Section {section}\n\n").expect("a String takes everything");
        for item in 1..=4 {
            write!(page, "{item}. Click **Thing {item}** of [{step}](/tour/{platform}/step-{step}/#section-{section}).\n\n")
                .expect("a String takes everything");
        }
        page.push_str(
            "<aside>\n    Mind the *gap*.\n</aside>\n\n| Setting | Value | Why |\n| --- | --- | --- |\n",
        );
        for row in 1..=6 {
            writeln!(page, "| Setting {row} | {step} | Because `{section}` |")
                .expect("a String takes everything");
        }
        let code = format!(
            "let thing{step} = Thing(name: \"{platform}\", number: {section}) // made\nthing{step}.start()\n"
        );
        write!(page, "\n~~~swift\n{code}~~~\n\n").expect("a String takes everything");
    }
    page
}

fn sources(steps: usize) -> Sources {
    let mut sources = Sources::default();
    for platform in ["web", "ios", "android"] {
        for step in 1..=steps {
            let path: SitePath = format!("content/tour/{platform}/step-{step}.md").as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, page(platform, step).into_bytes()));
        }
    }
    sources
}

#[divan::bench]
fn parse_one_page(bencher: divan::Bencher<'_, '_>) {
    let page = page("ios", 4);
    bencher.bench(|| markdown::parse(&page, 45, &Edition::default(), &Dialect::default()));
}

fn work(steps: usize) -> Rendering {
    pipeline::plan(sources(steps), &Options::default(), &Cache::default()).expect("it loads").0
}

#[divan::bench(args = [10, 100])]
fn load(bencher: divan::Bencher<'_, '_>, steps: usize) {
    let sources = sources(steps);
    bencher.bench(|| {
        content::load(&sources, Config::default(), Selection::default(), &Openings::default())
            .expect("it loads")
    });
}

#[divan::bench(args = [10, 100])]
fn align(bencher: divan::Bencher<'_, '_>, steps: usize) {
    let work = work(steps);
    bencher.bench(|| family::align(&work.project.site, &work.pages, &Memo::default(), 0));
}

#[divan::bench(args = [10, 100])]
fn lay_out(bencher: divan::Bencher<'_, '_>, steps: usize) {
    let work = work(steps);
    let (site, sources) = (&work.project.site, &work.project.sources);
    let (renditions, drawings) = (ByPicture::default(), Drawings::default());
    bencher.bench(|| plan::plan(site, sources, (&renditions, &drawings), BuiltIn::default(), &|_| false));
}

#[divan::bench(args = [10, 100])]
fn check_every_page(bencher: divan::Bencher<'_, '_>, steps: usize) {
    let work = work(steps);
    bencher.bench(|| {
        unit::read(&work, &Evidence::default(), &UnitTables::default(), &Share::All, None)
            .join(Report::default(), std::iter::empty())
    });
}

#[divan::bench(args = [10, 100])]
fn analyze(bencher: divan::Bencher<'_, '_>, steps: usize) {
    bencher.with_inputs(|| (sources(steps), Cache::default())).bench_values(|(sources, cache)| {
        let (work, found) = pipeline::plan(sources, &Options::default(), &cache).expect("no configuration");
        pipeline::check(&work, &Options::default(), &cache, found, None).expect("nothing to read")
    });
}

/// On one thread, with highlighted code: the cost of a page that is rendered again.
#[divan::bench(args = [10, 100])]
fn render_every_page(bencher: divan::Bencher<'_, '_>, steps: usize) {
    let work = work(steps);
    let render_all = || {
        let pages = work
            .project
            .plan
            .artifacts()
            .filter_map(|(address, artifact)| render::artifact(&work, address, artifact).ok());
        pages.count()
    };
    render_all();
    bencher.bench(render_all);
}

/// Sample code by language.
const CODE: &[(&str, &str)] = &[
    ("javascript", include_str!("../code/web/products.js")),
    ("json", include_str!("../code/corner-shop-plan.json")),
    ("kotlin", include_str!("../code/android/ProductViewModel.kt")),
    ("swift", include_str!("../code/ios/ProductModel.swift")),
    ("typescript", include_str!("../code/web/checkout.ts")),
];

fn code(language: &str) -> &'static str {
    CODE.iter().find(|(name, _)| *name == language).expect("it is listed").1
}

/// Highlighted lines are cached, so each line has a different number each time.
#[divan::bench(args = CODE.iter().map(|(language, _)| *language))]
fn highlight_new_lines(bencher: divan::Bencher<'_, '_>, language: &str) {
    let mut number = 0;
    let new = || {
        number += 1;
        let mark = format!(" {number}\n");
        code(language).replace('\n', &mark)
    };
    let bencher =
        bencher.with_inputs(new).input_counter(|code: &String| divan::counter::BytesCount::of_str(code));
    bencher.bench_local_values(|code| stepkin_highlight::highlight(language, &code));
}

#[divan::bench]
fn highlight_known_lines(bencher: divan::Bencher<'_, '_>) {
    bencher.bench(|| stepkin_highlight::highlight("swift", code("swift")));
}
