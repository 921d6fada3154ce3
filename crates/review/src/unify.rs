//! Merges the versions of a step into one source.
//!
//! In: a step whose versions are nearly identical. Out: [`Unified`], a shared page with `:::platform` blocks for the
//! differences. The result is verified: for every platform, the shared page parses to the same page as the one it
//! replaces.

use std::ops::Range;
use std::sync::Arc;

use similar::DiffOp;

use crate::drift::Step;
use base::diff;
use base::index::IndexVec;
use base::site_path::{self, SHARED, SitePath};
use base::sorted::SortedSet;
use markup::edition::Edition;
use markup::markdown::{self, Page};
use site::content::{Document, Platform};
use site::family::VersionIx;
use site::work::Work;

/// A single source for several pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Unified {
    pub path: SitePath,
    pub text: String,
    /// The pages that it replaces.
    pub replaced: Vec<SitePath>,
    /// The share of lines that all pages have, from 0 to 1.
    pub shared: f64,
}

/// A piece of a page, with the versions that contain it.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    text: String,
    of: SortedSet<VersionIx>,
}

/// Merges the versions of a step.
///
/// # Errors
///
/// Why it can't be done, as a phrase.
pub fn unify(work: &Work, step: &Step<'_>) -> Result<Unified, String> {
    let documents: IndexVec<VersionIx, &Document> =
        step.versions.iter().map(|version| version.document).collect();
    let platforms: IndexVec<VersionIx, &Platform> =
        step.versions.iter().map(|version| work.project.site.platform_of(version.place)).collect();
    if documents.len() < 2 {
        return Err("only one platform has it".into());
    }
    if let Some(shared) = documents.iter().find(|document| document.is_shared()) {
        return Err(format!("`{}` is already shared by several platforms", shared.path));
    }
    let path = shared_path(&documents, &platforms)?;
    if let Some(platform) = platforms.iter().find(|platform| is_last(work, step, platform)) {
        return Err(format!(
            "{} has no other page of its own, so its folder would no longer count as a platform; declare the \
             family's platforms with their `root` in stepkin.toml first",
            platform.name
        ));
    }
    let fold = |text: &str, at: VersionIx| fold(text, platforms[at], &documents[at].edition);
    let front = front_matter(step, &documents, &fold)?;
    let texts: Vec<_> = documents.iter().map(|document| document.text()).collect();
    let bodies: IndexVec<VersionIx, Vec<&str>> =
        documents.iter().zip(&texts).map(|(document, text)| pieces(&text[document.body..])).collect();
    let merged = merge(&bodies, &fold);
    let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
    let of_all = merged.iter().filter(|piece| piece.of.len() == documents.len());
    let common = documents.len() * of_all.map(|piece| lines(&piece.text)).sum::<usize>();
    let all: usize = bodies.iter().flatten().map(|piece| lines(piece)).sum();
    let ids: IndexVec<VersionIx, &str> = platforms.iter().map(|platform| platform.id.as_str()).collect();
    let text = format!("---\n{front}---\n{}", body(&merged, &ids));
    for (document, platform) in documents.iter().zip(&platforms) {
        if !is_same_page(&text, document) {
            return Err(format!("the page for {} would change", platform.name));
        }
    }
    let replaced = documents.iter().map(|document| document.path.clone()).collect();
    #[expect(clippy::cast_precision_loss, reason = "pages have fewer than 2^52 lines")]
    let shared = common as f64 / all.max(1) as f64;
    Ok(Unified { path, text, replaced, shared })
}

/// Whether a platform would no longer be detected without this page, because platforms are detected by their pages.
fn is_last(work: &Work, step: &Step<'_>, platform: &Platform) -> bool {
    let families =
        work.project.site.config.families.declared.iter().filter(|family| family.id == step.family.id);
    let is_said = families
        .flat_map(|family| &family.platforms)
        .any(|said| *said.id.get_ref() == platform.id && said.root.is_some());
    let own = platform.steps.iter().map(|&id| work.project.site.document(id));
    !is_said && own.filter(|page| !page.is_shared() && page.front.order.is_some()).count() <= 1
}

/// Returns `content/tour/_shared/connect.md` for `content/tour/web/connect.md` and its siblings.
fn shared_path(
    documents: &IndexVec<VersionIx, &Document>,
    platforms: &IndexVec<VersionIx, &Platform>,
) -> Result<SitePath, String> {
    let first = VersionIx::from(0);
    let parent = |platform: &Platform| site_path::parent(&platform.root).to_string();
    let folder = parent(platforms[first]);
    if let Some(other) = platforms.iter().find(|platform| parent(platform) != folder) {
        let (one, other) = (&platforms[first].root, &other.root);
        return Err(format!("the folders of its platforms have different parents: `{one}` and `{other}`"));
    }
    if let Some(at) =
        documents.indices().find(|&at| !site_path::is_inside(documents[at].below(), &platforms[at].root))
    {
        return Err(format!("{} has no separate folder", platforms[at].name));
    }
    let below = |at: VersionIx| {
        let path = documents[at].below();
        path.strip_prefix(platforms[at].root.as_str()).unwrap_or(path).trim_start_matches('/')
    };
    let address = |at: VersionIx| below(at).trim_end_matches(".md").trim_end_matches("/index").to_string();
    if let Some(other) = documents.indices().find(|&at| address(at) != address(first)) {
        return Err(format!("its pages have different names: `{}` and `{}`", below(first), below(other)));
    }
    let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let document = documents[first];
    let content = document.path.as_str().strip_suffix(document.below()).unwrap_or_default();
    Ok(format!("{content}{folder}{SHARED}/{}", below(first)).into())
}

/// Returns the common front matter of all pages, without accepted differences.
fn front_matter(
    step: &Step<'_>,
    documents: &IndexVec<VersionIx, &Document>,
    fold: &dyn Fn(&str, VersionIx) -> String,
) -> Result<String, String> {
    let entries = |at: VersionIx| -> Vec<(String, String)> {
        let document = documents[at];
        let block = &document.text()[..document.body];
        let mut entries: Vec<(String, String)> = Vec::new();
        for line in
            block.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with("---"))
        {
            let is_key = line.starts_with(|c: char| c.is_alphanumeric() || c == '"' || c == '\'');
            if let Some((_, value)) = entries.last_mut().filter(|_| !is_key) {
                value.extend(["\n", line]);
            } else {
                let (key, value) = line.split_once(':').unwrap_or((line, ""));
                entries.push((key.trim().to_string(), value.to_string()));
            }
        }
        entries.retain(|(key, _)| key != "drift");
        entries
    };
    let mut front = String::new();
    let first = VersionIx::from(0);
    for (key, value) in &entries(first) {
        let values: IndexVec<VersionIx, Option<String>> = (documents.indices())
            .map(|at| entries(at).into_iter().find(|(it, _)| it == key).map(|(_, value)| value))
            .collect();
        if values.iter().all(|other| other.as_ref() == Some(value)) {
            front.extend([key.as_str(), ":", value.as_str(), "\n"]);
            continue;
        }
        let folded = fold(value, first);
        let agrees = |(at, other): (VersionIx, &Option<String>)| {
            other.as_ref().is_some_and(|it| fold(it, at) == folded)
        };
        if !values.indexed().all(agrees) {
            return Err(format!("`{key}` in the front matter of its pages differs"));
        }
        front.extend([key.as_str(), ":", &folded, "\n"]);
    }
    let keys = |at: VersionIx| entries(at).into_iter().map(|(key, _)| key).collect::<SortedSet<_>>();
    if let Some(key) = documents.indices().find_map(|at| keys(at).difference(&keys(first)).next().cloned()) {
        return Err(format!("only some of its pages have `{key}` in their front matter"));
    }
    if documents.len() < step.family.platforms.len() {
        let ids: Vec<&str> = step
            .versions
            .iter()
            .map(|version| step.family.platforms[version.place.platform].id.as_str())
            .collect();
        front.extend(["platforms: [", &ids.join(", "), "]\n"]);
    }
    Ok(front)
}

/// Replaces the platform's name and ID with variables if these are enabled, so that versions are equal.
fn fold(text: &str, platform: &Platform, edition: &Edition) -> String {
    if !edition.words.contains_key("platform.name") {
        return text.to_string();
    }
    let named = replace_word(text, &platform.name, "{platform.name}");
    if platform.id == platform.name { named } else { replace_word(&named, &platform.id, "{platform.id}") }
}

/// Replaces a word, also between the hyphens and slashes of a URL.
fn replace_word(text: &str, word: &str, by: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut start = 0;
    for (at, _) in text.match_indices(word) {
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !"_.{}".contains(c));
        let end = at + word.len();
        let after = text[end..].chars().next();
        let stops = after == Some('.') && !text[end + 1..].starts_with(char::is_alphanumeric);
        if at >= start && is_edge(text[..at].chars().next_back()) && (stops || is_edge(after)) {
            replaced.push_str(&text[start..at]);
            replaced.push_str(by);
            start = end;
        }
    }
    replaced + &text[start..]
}

/// Splits a body where blocks can be inserted: at blank lines and between the rows of tables. Fenced code, notes and
/// blocks stay complete.
fn pieces(body: &str) -> Vec<&str> {
    let is_long = |whole: &Range<usize>| body[whole.clone()].trim_end().contains('\n');
    let mut wholes = markdown::wholes(body).into_iter().filter(is_long).peekable();
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in body.split_inclusive('\n') {
        let text = line.trim();
        let end = at + line.len();
        while wholes.next_if(|whole| whole.end <= at).is_some() {}
        let whole = wholes.peek().filter(|whole| whole.start < end);
        let is_alone = whole.is_none() && (text.is_empty() || text.starts_with('|'));
        if (is_alone || whole.is_some_and(|whole| whole.start >= at)) && start < at {
            pieces.push(&body[start..at]);
            start = at;
        }
        if is_alone || whole.is_some_and(|whole| whole.end <= end) {
            pieces.push(&body[start..end]);
            start = end;
        }
        at = end;
    }
    if start < body.len() {
        pieces.push(&body[start..]);
    }
    pieces
}

/// Merges the pieces of all bodies, in an order that preserves that of each.
fn merge(bodies: &IndexVec<VersionIx, Vec<&str>>, fold: &dyn Fn(&str, VersionIx) -> String) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::new();
    for (at, body) in bodies.indexed() {
        let ours: Vec<String> = body.iter().map(|text| fold(text, at)).collect();
        let known: Vec<&str> = merged.iter().map(|piece| piece.text.as_str()).collect();
        let found: Vec<&str> = ours.iter().map(String::as_str).collect();
        let operations = diff::anchored_operations(&known, &found);
        let mut next = Vec::with_capacity(merged.len());
        for operation in operations {
            let (old, new) = (operation.old_range(), operation.new_range());
            if matches!(operation, DiffOp::Equal { .. }) {
                next.extend(merged[old].iter().cloned().map(|mut piece| {
                    piece.of.insert(at);
                    piece
                }));
            } else {
                next.extend_from_slice(&merged[old]);
                next.extend(
                    ours[new].iter().map(|text| Piece { text: text.clone(), of: SortedSet::from([at]) }),
                );
            }
        }
        merged = next;
    }
    merged
}

/// Returns the shared body, with blocks around the content of some platforms.
fn body(merged: &[Piece], platforms: &IndexVec<VersionIx, &str>) -> String {
    let mut body = String::new();
    for run in merged.chunk_by(|one, next| one.of == next.of) {
        let text: String = run.iter().map(|piece| piece.text.as_str()).collect();
        if run[0].of.len() == platforms.len() {
            body.push_str(&text);
            continue;
        }
        let names: Vec<&str> = run[0].of.iter().map(|&at| platforms[at]).collect();
        let most = text.lines().map(|line| line.trim().chars().take_while(|c| *c == ':').count()).max();
        let colons = ":".repeat((most.unwrap_or(0) + 1).max(3));
        if !body.is_empty() && !body.ends_with('\n') {
            body.push('\n');
        }
        let end = if text.ends_with('\n') { "" } else { "\n" };
        body.extend([colons.as_str(), "platform ", &names.join(" "), "\n", &text, end, &colons, "\n"]);
    }
    body
}

/// Whether a shared text gives the same page for a platform as its own page: the same HTML, links, code and settings.
fn is_same_page(text: &str, document: &Document) -> bool {
    let own = markdown::parse(&document.text(), document.body, &document.edition, &document.dialect);
    let body = text.match_indices("\n---\n").next().map_or(0, |(at, mark)| at + mark.len());
    let shared = markdown::parse(text, body, &Arc::clone(&document.edition), &document.dialect);
    let targets = |page: &Page| -> Vec<(String, Option<String>)> {
        page.references.iter().map(|it| (it.target.clone(), it.text.clone())).collect()
    };
    let code = |page: &Page| -> Vec<(String, String)> {
        page.code.iter().map(|it| (it.language.clone(), it.code.clone())).collect()
    };
    own.body == shared.body && targets(&own) == targets(&shared) && code(&own) == code(&shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bodies: &[&str], expected: &str) {
        let cut: IndexVec<VersionIx, Vec<&str>> = bodies.iter().map(|body| pieces(body)).collect();
        let merged = merge(&cut, &|text, _| text.to_string());
        let platforms = ["web", "ios", "android"].into_iter().take(bodies.len()).collect();
        assert_eq!(body(&merged, &platforms), expected);
        for (at, original) in bodies.iter().enumerate() {
            let own: String = merged
                .iter()
                .filter(|piece| piece.of.contains(&VersionIx::from(at)))
                .map(|piece| piece.text.as_str())
                .collect();
            assert_eq!(own, *original);
        }
    }

    #[test]
    fn common_text_is_written_once() {
        check(&["A\n\nB\n", "A\n\nB\n"], "A\n\nB\n");
        check(&["A\n\nB\n", "A\n\nC\n"], "A\n\n:::platform web\nB\n:::\n:::platform ios\nC\n:::\n");
        check(&["A\n\nB\n\nC\n", "A\n\nC\n", "A\n\nB\n\nC\n"], "A\n\n:::platform web android\nB\n\n:::\nC\n");
    }

    #[test]
    fn rows_of_a_table_differ_alone_and_fences_stay_complete() {
        let table = |row: &str| format!("| S | V |\n| --- | --- |\n| a | 1 |\n{row}| c | 3 |\n");
        let with = table("| b | 2 |\n");
        check(
            &[&with, &table("")],
            "| S | V |\n| --- | --- |\n| a | 1 |\n:::platform web\n| b | 2 |\n:::\n| c | 3 |\n",
        );
        check(
            &["```js\na\n\nb\n```\n", "```js\na\n\nc\n```\n"],
            ":::platform web\n```js\na\n\nb\n```\n:::\n:::platform ios\n```js\na\n\nc\n```\n:::\n",
        );
        check(&[":::note\nA\n\nB\n:::\n", ""], "::::platform web\n:::note\nA\n\nB\n:::\n::::\n");
    }

    #[test]
    fn names_become_variables_where_they_are_words() {
        for (text, expected) in [
            ("Open the iOS app.", "Open the {platform.name} app."),
            ("See iOS.", "See {platform.name}."),
            ("iOSish, TiOS, iOS.md", "iOSish, TiOS, iOS.md"),
        ] {
            assert_eq!(replace_word(text, "iOS", "{platform.name}"), expected);
        }
    }
}
