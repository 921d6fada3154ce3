//! Finds the topics of the steps and sections that platforms lack. If a text doesn't mention such a topic, the cause is
//! the same, and it is reported once.

use super::names::{TextToken, only_words, tokens};
use base::diagnostic::{Code, Diagnostic, Problem, texts_in};
use base::sorted::{SortedMap, SortedSet};
use site::content::Family;
use site::family::name_words;

/// Number of missing sections with a word from which on it is a topic.
const SECTIONS: usize = 2;

/// For each platform, the words of the steps and sections that it lacks.
pub(super) struct Topics(SortedMap<String, SortedSet<String>>);

impl Topics {
    pub(super) fn of(family: &Family, found: &[Diagnostic]) -> Self {
        let mut counts: SortedMap<(&str, String), usize> = SortedMap::new();
        for finding in found {
            let data = &finding.problem.data;
            let (titles, count): (Vec<String>, usize) = match finding.problem.code {
                Code::MissingStep => (
                    texts_in(data.get("steps")).iter().map(|step| step.replace(['/', '-'], " ")).collect(),
                    SECTIONS,
                ),
                Code::MissingSection => (finding.problem.target.iter().cloned().collect(), 1),
                _ => continue,
            };
            let topics = |title: &String| {
                let words = name_words("", title).into_iter().collect::<Vec<_>>().join(" ");
                only_words(&tokens(family, &words))
            };
            let topics: SortedSet<String> = titles.iter().flat_map(topics).collect();
            for platform in texts_in(data.get("platforms_without")) {
                for topic in &topics {
                    *counts.entry((platform, topic.clone())).or_default() += count;
                }
            }
        }
        let mut topics: SortedMap<String, SortedSet<String>> = SortedMap::new();
        for ((platform, topic), _) in counts.into_iter().filter(|(_, count)| *count >= SECTIONS) {
            topics.entry(platform.to_string()).or_default().insert(topic);
        }
        Self(topics)
    }

    /// Whether these platforms lack what the words are about.
    fn lack(&self, platforms: &[&str], words: &[String]) -> bool {
        let lacks = |platform: &&str| {
            self.0.get(*platform).is_some_and(|topics| words.iter().all(|word| topics.contains(word)))
        };
        !words.is_empty() && platforms.iter().all(lacks)
    }

    /// Whether a text that platforms lack is about a topic that they don't have: most of its words are.
    pub(super) fn explain_missing(&self, family: &Family, problem: &Problem) -> bool {
        let without = texts_in(problem.data.get("platforms_without"));
        let Some(text) =
            problem.target.as_deref().filter(|_| problem.code == Code::Wording && !without.is_empty())
        else {
            return false;
        };
        let words = only_words(&tokens(family, text));
        let of_topic = words.iter().filter(|word| self.lack(&without, std::slice::from_ref(*word))).count();
        2 * of_topic >= words.len() && of_topic > 0
    }

    /// Whether the words that only one of two texts has are about topics that the platforms of the other don't have.
    pub(super) fn explain(&self, sides: [&[TextToken]; 2], platforms: [&[&str]; 2]) -> bool {
        let words = sides.map(only_words);
        match (&words[0][..], &words[1][..]) {
            ([], added) => self.lack(platforms[0], added),
            (removed, []) => self.lack(platforms[1], removed),
            _ => false,
        }
    }
}
