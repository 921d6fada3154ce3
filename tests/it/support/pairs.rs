//! Measures how well differences in wording are distinguished from differences in spelling: precision and recall on
//! hand-written pairs.

use std::collections::BTreeSet;

use serde::Deserialize;
use stepkin::base::site_path::SitePath;
use stepkin::input::source::{Sources, Text};
use stepkin::output::cache::Cache;
use stepkin::output::pipeline::{self, Options};
use stepkin::review::drift::{self, Scope};
use stepkin::site::memo::Memo;

#[derive(Deserialize)]
struct Pairs {
    pair: Vec<Pair>,
}

#[derive(Clone, Deserialize)]
struct Pair {
    a: Edition,
    b: Edition,
    differs: bool,
    why: String,
}

#[derive(Clone, Deserialize)]
struct Edition {
    platform: String,
    text: String,
}

/// The result.
pub(crate) struct Measured {
    pub(crate) pairs: usize,
    /// Share of reported pairs that differ.
    pub(crate) precision: f64,
    /// Share of differing pairs that are reported.
    pub(crate) recall: f64,
    /// The wrong results, one per line.
    pub(crate) mistakes: Vec<String>,
}

/// Makes every pair a step of a separate family, and finds which are reported.
pub(crate) fn measure() -> Measured {
    let text = include_str!("../../../benches/wording.toml");
    let Pairs { pair: pairs } = toml::from_str(text).expect("pairs are valid TOML");
    let mut sources = Sources::default();
    for (index, pair) in pairs.iter().enumerate() {
        for version in [&pair.a, &pair.b] {
            let path = format!("content/pair-{index}/{}/step.md", version.platform);
            let page = format!("---\ntitle: Step\norder: 1\n---\n\n{}\n", version.text);
            let path: SitePath = path.as_str().into();
            sources.pages.insert(path.clone(), Text::new(path, page.into_bytes()));
        }
    }
    let (work, _) = pipeline::plan(sources, &Options::default(), &Cache::default()).expect("a site");
    let scope = Scope::everything(jiff::civil::date(2026, 1, 1));
    let reported: BTreeSet<String> = drift::find(&work, &scope, &Memo::default())
        .iter()
        .filter_map(|finding| Some(finding.problem.data["family"].as_str()?.to_string()))
        .collect();
    let is_reported = |index: usize| reported.contains(&format!("pair-{index}"));
    let count = |differs: bool, found: bool| {
        let fits = |(index, pair): &(usize, &Pair)| pair.differs == differs && is_reported(*index) == found;
        u32::try_from(pairs.iter().enumerate().filter(fits).count()).expect("a few")
    };
    let (hits, noise, misses) = (count(true, true), count(false, true), count(true, false));
    let wrong = pairs.iter().enumerate().filter(|(index, pair)| pair.differs != is_reported(*index));
    Measured {
        pairs: pairs.len(),
        precision: f64::from(hits) / f64::from(hits + noise),
        recall: f64::from(hits) / f64::from(hits + misses),
        mistakes: wrong
            .map(|(_, pair)| {
                let what = if pair.differs { "missed" } else { "noise" };
                format!("{what}: {}\n  {}\n  {}", pair.why, pair.a.text, pair.b.text)
            })
            .collect(),
    }
}
