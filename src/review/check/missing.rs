//! Creates the findings about missing targets: the cause, and help that suggests existing targets.

use percent_encoding::percent_decode_str;

use super::lookup::{Lookup, exactly};
use super::written::{end_of, written};
use super::{Subject, slips};
use crate::site::content::{DocumentId, bare_title};
use crate::site::plan::{Artifact, Destination, anchor, take_apart};
use base::address::Address;
use base::diagnostic::{Code, Problem, nearest};
use base::site_path;
use input::conventions::UnreadLinks;
use markup::markdown::{Reference, ReferenceKind};

/// Returns the finding for a target that isn't there.
pub(super) fn missing(reference: &Reference) -> Problem {
    let (code, what) = kind(reference, take_apart(&reference.target).path);
    let message = format!("{what} `{}` doesn't exist", reference.target);
    Problem::new(code, reference.span.clone(), message).target(&reference.target)
}

/// A missing target.
pub(super) struct Missing<'a, 'w> {
    pub(super) lookup: &'a Lookup<'w>,
    pub(super) subject: &'a Subject<'a>,
    pub(super) reference: &'a Reference,
    /// Its decoded meaning.
    pub(super) path: &'a str,
    /// Its meaning relative to the page's file.
    pub(super) other: Option<&'a str>,
}

impl Missing<'_, '_> {
    /// Returns the finding for the most certain cause.
    pub(super) fn problem(&self) -> Problem {
        self.in_other_case()
            .or_else(|| slips::of_missing(self.subject, self.reference))
            .or_else(|| self.unread())
            .or_else(|| self.renamed())
            .or_else(|| self.named_by_its_folder())
            .or_else(|| self.without_its_route())
            .or_else(|| self.without_its_file())
            .or_else(|| self.with_another_ending())
            .or_else(|| self.without_first_slash())
            .or_else(|| self.one_folder_off())
            .or_else(|| self.title())
            .unwrap_or_else(|| self.unknown())
    }

    fn target(&self) -> &str {
        self.reference.target.trim()
    }

    /// Returns the target's path as written.
    fn written_path(&self) -> &str {
        take_apart(self.target()).path
    }

    /// Returns the possible meanings of the target.
    fn meanings(&self) -> impl Iterator<Item = &str> {
        [Some(self.path), self.other].into_iter().flatten()
    }

    fn finding(&self, code: Code, message: String) -> Problem {
        Problem::new(code, self.reference.span.clone(), message).target(&self.reference.target)
    }

    /// Adds the help that suggests an address, and the edit that writes it.
    fn leading_to(&self, problem: Problem, to: &Address, why: &str) -> Problem {
        self.leading_like(self.target(), problem, to, why)
    }

    /// The same, in the form of another target.
    fn leading_like(&self, target: &str, problem: Problem, to: &Address, why: &str) -> Problem {
        let Self { lookup, subject, reference, .. } = self;
        subject.proposes(to);
        let end = self.end_at(to);
        let meant = written(lookup.work, subject, target, to, &end);
        if end != end_of(self.target()) {
            return problem.help(self.without_its_anchor(&meant, to, &end));
        }
        let problem = problem.help(format!("{}{why}", subject.help(reference, &meant, to)));
        exactly(problem, subject, reference, meant)
    }

    /// Returns the replacement if the page at an address lacks the target's anchor.
    fn without_its_anchor(&self, meant: &str, to: &Address, end: &str) -> String {
        let wanted = take_apart(self.target()).fragment.and_then(anchor).unwrap_or_default();
        let help =
            if end.contains('#') { format!("did you mean `{meant}`?") } else { format!("use `{meant}`") };
        format!("`{to}` has no anchor `{wanted}`: {help}")
    }

    /// Returns the address of a replacement.
    fn resolved(&self, target: &str) -> Option<Address> {
        match self.subject.resolver.resolve(self.subject.document, target) {
            Destination::Here(here) if *here.address != self.subject.document.address => {
                Some(here.address.clone())
            }
            _ => None,
        }
    }

    fn in_other_case(&self) -> Option<Problem> {
        // The file next to the page may not be published, but nothing differs from itself.
        let (project, page) = (&self.lookup.work.project, self.subject.document.path.as_str());
        let written = percent_decode_str(self.written_path()).decode_utf8_lossy();
        let file = project.site.repository.path_from(page, &written);
        if file.is_some_and(|file| project.sources.has_file(&file)) {
            return None;
        }
        let differs = |path: &str, actual: &Address| actual.as_page() != Address::new(path).as_page();
        let is_meant = |actual: &&Address| self.has_name_of(actual);
        let in_case = |path| {
            self.subject.map.find_ignoring_case(path).filter(|actual| differs(path, actual)).filter(is_meant)
        };
        // Only the file extension in lower case makes it a page.
        let in_lower_case = || {
            let (stem, ending) = take_apart(self.target()).path.rsplit_once('.')?;
            let lower = ending.to_ascii_lowercase();
            (lower != ending).then(|| self.resolved(&format!("{stem}.{lower}")))?
        };
        let actual = in_lower_case().or_else(|| self.meanings().find_map(in_case).cloned())?;
        let message = format!("`{}` doesn't match the case of `{actual}`", self.reference.target);
        let problem = self.finding(Code::WrongCase, message);
        Some(self.leading_to(problem, &actual, "; most web servers are case-sensitive"))
    }

    /// Whether the page or file at an address has the name of the target's file in another case. `API.md` isn't
    /// `api/README.md`.
    fn has_name_of(&self, actual: &Address) -> bool {
        let name = |path: &str| site_path::file_name(path).to_lowercase();
        let wanted = name(self.written_path());
        let Some((stem, _)) = wanted.split_once(".m") else { return true };
        let Some(page) = self.lookup.work.project.plan.get(actual).and_then(Artifact::document) else {
            return name(actual.as_str()) == wanted;
        };
        let file = name(self.lookup.work.project.site.document(page).path.as_str());
        // Number prefixes aren't part of an address.
        file.rsplit_once('.').is_some_and(|(file, _)| file.ends_with(stem))
    }

    fn renamed(&self) -> Option<Problem> {
        let former = |path| self.lookup.former(&Address::new(path).as_page());
        let present = self.meanings().find_map(former)?;
        let (code, what) = kind(self.reference, self.path);
        let message = format!("{what} `{}` no longer exists", self.reference.target);
        let problem = self.finding(code, message).data("moved_to", present.as_str());
        let mut problem = self.leading_to(problem, present, "");
        problem.help = problem.help.map(|help| format!("it was renamed; {help}"));
        Some(problem)
    }

    /// Reports a page whose file exists but isn't read.
    fn unread(&self) -> Option<Problem> {
        let (code, what) = kind(self.reference, self.path);
        let help = self.meanings().find_map(|path| self.lookup.unread(path));
        let help = help.filter(|_| code == Code::MissingPage)?;
        let is_draft = self.meanings().any(|path| self.lookup.is_draft(path));
        let why = if is_draft { "is a draft, which readers can't see" } else { "doesn't exist" };
        let message = format!("{what} `{}` {why}", self.reference.target);
        Some(self.finding(code, message).help(help))
    }

    /// Returns the folders of sources, relative to the root.
    fn folders(&self) -> Vec<&str> {
        self.lookup.work.project.sources.repository.folders()
    }

    /// Reports paths such as `content/tour/web/install.md` and `/static/images/shot.png`.
    fn named_by_its_folder(&self) -> Option<Problem> {
        let path = self.written_path();
        let (folder, below) = path.trim_start_matches(['.', '/']).split_once('/')?;
        let folders = self.folders();
        let folder = folders.into_iter().find(|known| *known == folder)?;
        let to = self.resolved(&format!("/{below}"))?;
        let message =
            format!("`{}` includes `{folder}`, which is not part of the URL", self.reference.target);
        let problem = self.leading_to(self.finding(Code::MalformedLink, message), &to, "");
        // An unknown program may resolve it from the root of the repository.
        let is_known = path.starts_with(['.', '/']) || !self.subject.resolver.repository.is_guessed();
        Some(if is_known { problem } else { Problem { edits: Vec::new(), ..problem.as_warning() } })
    }

    /// Reports `/install` if the generator publishes its pages at `/docs/install`.
    fn without_its_route(&self) -> Option<Problem> {
        let (path, route) = (self.written_path(), &self.subject.resolver.repository.content.at);
        let is_address = path.starts_with('/') && !route.is_empty();
        let to = is_address.then(|| self.resolved(&format!("/{route}{path}")))??;
        let message = format!("`{}` lacks `/{route}`, where the pages are published", self.reference.target);
        Some(self.leading_to(self.finding(Code::MalformedLink, message), &to, ""))
    }

    /// Reports `install` and `/install.md` if the generator reads only `install.md`.
    fn without_its_file(&self) -> Option<Problem> {
        let path = self.written_path();
        let is_read = self.subject.resolver.repository.unread_links == UnreadLinks::None;
        let bare = path.trim_end_matches('/').trim_end_matches(".html").trim_end_matches(".md");
        if is_read || bare.is_empty() || self.target().contains("://") {
            return None;
        }
        let file = if bare.starts_with('/') { bare.to_string() } else { format!("{bare}.md") };
        let to = self.resolved(&file).filter(Address::is_page)?;
        let message = format!("page `{}` doesn't exist", self.reference.target);
        let why = "; only the path of a file becomes the address of its page";
        Some(self.leading_like("page.md", self.finding(Code::MissingPage, message), &to, why))
    }

    /// Reports `install.html` and `install.mdx` if `install.md` exists.
    fn with_another_ending(&self) -> Option<Problem> {
        const ENDINGS: [&str; 4] = [".html", ".htm", ".mdx", ".markdown"];
        let path = self.written_path();
        let bare = ENDINGS.iter().find_map(|ending| path.strip_suffix(ending))?;
        let to = self.resolved(bare).filter(Address::is_page)?;
        let (code, what) = kind(self.reference, self.path);
        let message = format!("{what} `{}` doesn't exist", self.reference.target);
        Some(self.leading_to(self.finding(code, message), &to, "; pages are published as folders"))
    }

    fn without_first_slash(&self) -> Option<Problem> {
        let target = self.target();
        if target.starts_with(['/', '.']) || target.contains("://") {
            return None;
        }
        let slashed = format!("/{target}");
        let to = self.resolved(&slashed)?;
        let message = if self.subject.resolver.repository.has_known_root() {
            format!("`{target}` is relative to this page because it doesn't start with `/`")
        } else {
            format!("`{target}` is relative to this page, not to the folder of all pages")
        };
        let problem = self.finding(Code::MalformedLink, message);
        // Some programs publish all pages and images in one folder.
        let is_image = self.reference.kind == ReferenceKind::Image;
        let problem = if is_image { problem.data("root", slashed.as_str()) } else { problem };
        // A link to a file is relative wherever it is read.
        let form = if target.contains(".md") { target } else { &slashed };
        Some(self.leading_like(form, problem, &to, ""))
    }

    /// Reports one `../` too few or too many.
    fn one_folder_off(&self) -> Option<Problem> {
        let target = self.target();
        if target.starts_with('/') || target.contains("://") || self.is_way_up() || self.is_source() {
            return None;
        }
        let up = format!("../{}", target.strip_prefix("./").unwrap_or(target));
        let down = target.strip_prefix("../").map(|down| (down.to_string(), "has one `../` too many"));
        let others = [Some((up, "is one `../` short")), down].into_iter().flatten();
        let mut others = others.into_iter().filter_map(|other| Some((self.resolved(&other.0)?, other)));
        let (to, (meant, way)) = others.next()?;
        let message = format!("`{target}` {way}");
        Some(self.leading_like(&meant, self.finding(Code::MalformedLink, message), &to, ""))
    }

    /// Whether the repository contains the target as a file that isn't published.
    fn is_source(&self) -> bool {
        let Self { lookup, subject, .. } = self;
        let sources = &lookup.work.project.sources;
        let path = percent_decode_str(take_apart(self.target()).path).decode_utf8_lossy();
        let file = sources.repository.path_from(subject.document.path.as_str(), &path);
        file.is_some_and(|file| sources.has_file(&file))
    }

    /// Reports `Connect%20your%20app` if it is the title of a page.
    fn title(&self) -> Option<Problem> {
        let path = self.written_path();
        // A name of several words isn't a path.
        let words = percent_decode_str(path).decode_utf8_lossy();
        if self.reference.kind != ReferenceKind::Link || path.contains('/') || !words.contains(' ') {
            return None;
        }
        let page = self.page_called(&words)?;
        let to = &self.lookup.work.project.site.document(page).address;
        let message = format!("`{}` is the title of a page, not its path", self.reference.target);
        Some(self.leading_like("page.md", self.finding(Code::MissingPage, message), to, ""))
    }

    /// Returns the page with a title: the one next to this page, or the only one.
    fn page_called(&self, title: &str) -> Option<DocumentId> {
        let site = &self.lookup.work.project.site;
        let called = self.lookup.titled(self.subject, &bare_title(title));
        let folder = self.subject.document.address.parent();
        let beside: Vec<DocumentId> =
            called.iter().copied().filter(|&id| site.document(id).address.parent() == folder).collect();
        match (beside.as_slice(), called) {
            ([only], _) | (_, [only]) => Some(*only),
            _ => None,
        }
    }

    fn unknown(&self) -> Problem {
        let (code, what) = kind(self.reference, self.path);
        let message = format!("{what} `{}` doesn't exist", self.reference.target);
        let help = self.near(code).map(|near| {
            self.subject.proposes(&near);
            let (work, target) = (self.lookup.work, self.target());
            let meant = written(work, self.subject, target, &near, &self.end_at(&near));
            format!("did you mean `{meant}`?")
        });
        let help = help.or_else(|| self.added().filter(|_| code == Code::MissingImage));
        self.finding(code, message).help(help)
    }

    /// Suggests where the file belongs.
    fn added(&self) -> Option<String> {
        let repository = self.subject.resolver.repository;
        let folder = repository.statics.first().filter(|_| repository.is_ours())?;
        self.target().starts_with('/').then(|| format!("add the file as `{}{}`", folder.path, self.path))
    }

    /// Whether it contains only folders above the page, or leaves them.
    fn is_way_up(&self) -> bool {
        let path = self.written_path();
        let up = path.split('/').take_while(|part| matches!(*part, "." | "..")).filter(|part| *part == "..");
        let depth = self.subject.document.address.as_str().trim_matches('/').split('/').count();
        up.count() > depth || path.split('/').all(|part| matches!(part, "" | "." | ".."))
    }

    /// Returns the address most similar to the possible meanings of the target.
    fn near(&self, code: Code) -> Option<Address> {
        if self.is_way_up() {
            return None;
        }
        let rooted = (!self.target().starts_with(['/', '.'])).then(|| format!("/{}", self.written_path()));
        let below = self.written_path().trim_start_matches('/').split_once('/');
        let in_folder =
            below.filter(|(folder, _)| self.folders().contains(folder)).map(|(_, below)| format!("/{below}"));
        let paths = self.meanings().map(str::to_string).chain(rooted).chain(in_folder);
        let near = paths.filter_map(|path| {
            // Files of pages with the addresses of folders.
            let page = path.strip_suffix("/index.html").or_else(|| path.strip_suffix(".md"));
            let path = page.map_or(path.clone(), |page| format!("{page}/"));
            let path = Address::new(&path).as_str().to_string();
            let near = self.lookup.nearest(&path, code, self.subject)?;
            // A link from a page to itself is never intended.
            (near.1 != self.subject.document.address.as_str()).then_some(near)
        });
        near.min_by_key(|(distance, _)| *distance).map(|(_, near)| Address::new(&near))
    }

    /// Returns the query and fragment of the target, without a fragment that the page at an address lacks.
    fn end_at(&self, to: &Address) -> String {
        let end = end_of(self.target());
        let Some((query, fragment)) = end.split_once('#') else { return end.to_string() };
        let page = self.subject.looked_at(to).and_then(Artifact::document);
        let (Some(wanted), Some(id)) = (anchor(fragment), page) else { return end.to_string() };
        if self.lookup.anchor(id, &wanted).is_some() {
            return end.to_string();
        }
        let known = self.lookup.anchors(id).iter().map(|anchor| anchor.id.as_str());
        nearest(&wanted, known).map_or_else(|| query.to_string(), |near| format!("{query}#{near}"))
    }
}

/// Returns the kind of the missing target.
pub(super) fn kind(reference: &Reference, path: &str) -> (Code, &'static str) {
    let address = Address::new(path);
    let name = address.last_segment().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension).filter(|_| !address.is_page());
    match (reference.kind, extension) {
        (ReferenceKind::Image, _) => (Code::MissingImage, "image"),
        (ReferenceKind::File, _) => (Code::MissingFile, "file"),
        (ReferenceKind::Link, None | Some("html" | "htm" | "md" | "mdx" | "markdown")) => {
            (Code::MissingPage, "page")
        }
        (ReferenceKind::Link, Some(extension)) if extension.chars().all(char::is_alphanumeric) => {
            (Code::MissingFile, "file")
        }
        (ReferenceKind::Link, Some(_)) => (Code::MissingPage, "page"),
    }
}

#[cfg(test)]
mod tests {

    use crate::output::cache::Cache;
    use crate::output::pipeline::{self, Options};
    use crate::review::fix;
    use base::diagnostic::Diagnostic;
    use base::site_path::SitePath;
    use input::source::{Asset, PassedOver, SkipReason, Sources, Text};

    /// The page that contains the link.
    const PAGE: &str = "content/tour/web/install.md";

    fn findings(config: &str, body: &str) -> (String, Vec<Diagnostic>) {
        let mut sources = Sources::default();
        sources.config = Some(Text::new("stepkin.toml".into(), config.into()));
        let written = format!("---\ntitle: Install\norder: 1\n---\n{body}\n");
        for (path, text) in [
            (PAGE, written.as_str()),
            ("content/index.md", "---\ntitle: Home\n---\n"),
            (
                "content/tour/web/connect.md",
                "---\ntitle: Step 2. Connect your app\norder: 2\n---\n## Add it\n",
            ),
            ("content/tour/web/more/index.md", "---\ntitle: More\norder: 3\nslug: rest\n---\n"),
            ("content/tour/ios/install.md", "---\ntitle: Install\norder: 1\n---\n"),
            ("content/tour/ios/connect.md", "---\ntitle: Step 2. Connect your app\norder: 2\n---\n"),
            ("content/plain.md", "---\ntitle: Plain\n---\n"),
            ("content/gone.md", "---\ntitle: Gone\nredirect: /nope/\n---\n"),
        ] {
            let path: SitePath = path.into();
            sources.pages.insert(path.clone(), Text::new(path, text.into()));
        }
        let wide: SitePath = "content/tour/web/utf-16.md".into();
        sources.pages.insert(wide.clone(), Text::new(wide, b"\xff\xfea\0".to_vec()));
        for (path, reason) in [
            ("content/tour/web/connext.mdx", SkipReason::PageByOtherName),
            ("content/tour/web/_conect-2.md", SkipReason::Private),
            ("content/guides/_index.md", SkipReason::Private),
            ("content/_drafts", SkipReason::Private),
        ] {
            sources.passed_over.push(PassedOver { path: path.into(), reason });
        }
        for path in ["static/images/shot.png", "content/tour/web/near.png", "static/api/index.html"] {
            let asset = Asset { path: path.into(), size: 1, picture: None, hash: None };
            sources.assets.insert(path.into(), asset);
        }
        let (options, cache) = (Options::default(), Cache::default());
        let (work, found) = pipeline::plan(sources, &options, &cache).expect("it loads");
        let report = pipeline::check(&work, &options, &cache, found, None).expect("nothing to read");
        let skipped = ["unused-image", "missing-alt"];
        let found = report
            .into_iter()
            .filter(|it| it.file == PAGE.into() && !skipped.contains(&it.problem.code.name()));
        (written, found.collect())
    }

    /// Checks the finding for a link with its help, and the link after `fix`. Empty if the link stays.
    #[track_caller]
    fn check(link: &str, message: &str, help: &str, fixed: &str) {
        check_with("", link, message, help, fixed);
    }

    #[track_caller]
    fn check_with(config: &str, link: &str, message: &str, help: &str, fixed: &str) {
        let (text, found) = findings(config, link);
        let said: Vec<String> = found
            .iter()
            .map(|it| {
                let Diagnostic { problem, .. } = it;
                format!(
                    "{}: {} | {}",
                    problem.code,
                    problem.message,
                    problem.help.as_deref().unwrap_or_default()
                )
            })
            .collect();
        assert_eq!(said, [format!("{message} | {help}")], "{link}");
        let result = fix::apply(&text, &found).text;
        let body = result.rsplit("---\n").next().unwrap_or_default().trim();
        assert_eq!(body, if fixed.is_empty() { link } else { fixed }, "{link}");
        if !fixed.is_empty() {
            let (_, again) = findings(config, body);
            assert!(again.is_empty(), "{body}: {again:?}");
        }
    }

    #[track_caller]
    fn check_silent(config: &str, link: &str) {
        let (_, found) = findings(config, link);
        assert!(found.is_empty(), "{link}: {found:?}");
    }

    #[test]
    fn a_fix_is_written_in_the_style_of_the_author() {
        let case = "; most web servers are case-sensitive";
        for (wrong, right) in [
            ("Connect.md", "connect.md"),
            ("Connect.md#add-it", "connect.md#add-it"),
            ("./Connect.md", "./connect.md"),
            ("../web/Connect.md", "connect.md"),
            ("../Connect/", "../connect/"),
            ("../Connect", "../connect"),
            ("/tour/web/Connect", "/tour/web/connect"),
            ("/tour/web/Connect/?x#add-it", "/tour/web/connect/?x#add-it"),
            ("/tour/web/Connect.md", "/tour/web/connect.md"),
        ] {
            let message = format!("wrong-case: `{wrong}` doesn't match the case of `/tour/web/connect/`");
            let help = format!("use `{right}`{case}");
            check(&format!("[x]({wrong})"), &message, &help, &format!("[x]({right})"));
        }
        for (wrong, right) in [
            ("conect.md", "connect.md"),
            ("conect.md#add-it", "connect.md#add-it"),
            ("conect.md#ad-it", "connect.md#add-it"),
            ("conect.md#nothing-like-it", "connect.md"),
            ("../conect/", "../connect/"),
            ("../conect", "../connect"),
            ("/tour/web/conect/", "/tour/web/connect/"),
            ("/tour/web/conect.md", "/tour/web/connect.md"),
            ("content/tour/web/conect.md", "connect.md"),
            ("/content/tour/web/conect.md", "/tour/web/connect.md"),
            ("tour/web/conect/", "../connect/"),
        ] {
            let message = format!("missing-page: page `{wrong}` doesn't exist");
            check(&format!("[x]({wrong})"), &message, &format!("did you mean `{right}`?"), "");
        }
        check(
            "![x](/images/shott.png)",
            "missing-image: image `/images/shott.png` doesn't exist",
            "did you mean `/images/shot.png`?",
            "",
        );
        check(
            "![x](neer.png)",
            "missing-image: image `neer.png` doesn't exist",
            "did you mean `near.png`?",
            "",
        );
    }

    #[test]
    fn the_cause_is_named_where_the_target_has_it() {
        for (wrong, cause, right) in [
            (
                "me@example.com",
                "`me@example.com` is an email address without `mailto:`",
                "mailto:me@example.com",
            ),
            (
                "www.example.com/x",
                "`www.example.com/x` has no scheme, so it is a path on this site",
                "https://www.example.com/x",
            ),
            ("htps://example.com/x", "`htps:` is not a known URL scheme", "https://example.com/x"),
            (
                "https:/example.com/x",
                "`https:/example.com/x` is missing a `/` after its scheme",
                "https://example.com/x",
            ),
            ("htps:/example.com/x", "`htps:` is not a known URL scheme", "https://example.com/x"),
            ("mailt:me@example.com", "`mailt:` is not a known URL scheme", "mailto:me@example.com"),
            (
                "https//example.com",
                "`https//example.com` is missing the `:` after its scheme",
                "https://example.com",
            ),
            ("..\\near.png", "`..\\near.png` uses `\\`; URLs use `/`", "../near.png"),
            (
                "tour/web/connect/",
                "`tour/web/connect/` is relative to this page because it doesn't start with `/`",
                "/tour/web/connect/",
            ),
            ("web/connect.md", "`web/connect.md` is one `../` short", "../web/connect.md"),
            ("../../web/connect.md", "`../../web/connect.md` has one `../` too many", "../web/connect.md"),
            (
                "content/tour/web/connect.md",
                "`content/tour/web/connect.md` includes `content`, which is not part of the URL",
                "connect.md",
            ),
            (
                "/content/tour/web/connect.md#add-it",
                "`/content/tour/web/connect.md#add-it` includes `content`, which is not part of the URL",
                "/tour/web/connect.md#add-it",
            ),
        ] {
            let message = format!("malformed-link: {cause}");
            check(&format!("[x]({wrong})"), &message, &format!("use `{right}`"), &format!("[x]({right})"));
        }
        check(
            "![x](/static/images/shot.png)",
            "malformed-link: `/static/images/shot.png` includes `static`, which is not part of the URL",
            "use `/images/shot.png`",
            "![x](/images/shot.png)",
        );
        check(
            "![x](images\\shot.png)",
            "malformed-link: `images\\shot.png` uses `\\`; URLs use `/`",
            "use `/images/shot.png`",
            "![x](/images/shot.png)",
        );
        check(
            "![x](C:\\Users\\me\\shot.png)",
            "malformed-link: `C:\\Users\\me\\shot.png` is a path on your computer",
            "move the file to `static/images/` and use `/images/shot.png`",
            "",
        );
        check(
            "[x](file:///home/me/a.pdf)",
            "malformed-link: `file:///home/me/a.pdf` is a path on your computer",
            "move the file to `static/files/` and use `/files/a.pdf`",
            "",
        );
    }

    #[test]
    fn a_page_is_known_by_another_ending_and_by_its_title() {
        let folder = "; pages are published as folders";
        for (wrong, right) in [
            ("connect.html", "connect.md"),
            ("connect.html#add-it", "connect.md#add-it"),
            ("connect.mdx", "connect.md"),
            ("/tour/web/connect.html", "/tour/web/connect/"),
        ] {
            let message = format!("missing-page: page `{wrong}` doesn't exist");
            let help = format!("use `{right}`{folder}");
            check(&format!("[x]({wrong})"), &message, &help, &format!("[x]({right})"));
        }
        check(
            "[x](Connect%20your%20app)",
            "missing-page: `Connect%20your%20app` is the title of a page, not its path",
            "use `connect.md`",
            "[x](connect.md)",
        );
    }

    #[test]
    fn a_page_that_is_not_read_is_named() {
        for (wrong, help) in [
            (
                "connext.mdx",
                "`content/tour/web/connext.mdx` is that page, but Stepkin ignores it; rename it to `connext.md`",
            ),
            (
                "/tour/web/connext/",
                "`content/tour/web/connext.mdx` is that page, but Stepkin ignores it; rename it to `connext.md`",
            ),
            (
                "conect-2.md",
                "`content/tour/web/_conect-2.md` is that page, but Stepkin ignores it because its name starts with `_`",
            ),
            (
                "/guides/#x",
                "`content/guides/_index.md` is that page, but Stepkin ignores it because its name starts with `_`",
            ),
            (
                "utf-16.md",
                "`content/tour/web/utf-16.md` is that page, but it can't be read; save it as UTF-8",
            ),
            ("/_drafts/a/b.md", "Stepkin ignores `content/_drafts` because its name starts with `_`"),
        ] {
            let message = format!("missing-page: page `{wrong}` doesn't exist");
            check(&format!("[x]({wrong})"), &message, help, "");
        }
    }

    #[test]
    fn a_fix_has_the_requested_anchor_or_says_that_it_does_not() {
        let missing = |wrong: &str| format!("missing-page: page `{wrong}` doesn't exist");
        let lacks = "`/tour/web/connect/` has no anchor";
        check(
            "[x](connect.html#ad-it)",
            &missing("connect.html#ad-it"),
            &format!("{lacks} `ad-it`: did you mean `connect.md#add-it`?"),
            "",
        );
        check(
            "[x](connect.html#nothing-like-it)",
            &missing("connect.html#nothing-like-it"),
            &format!("{lacks} `nothing-like-it`: use `connect.md`"),
            "",
        );
    }

    #[test]
    fn proposed_links_keep_the_file_of_a_folder() {
        check(
            "[x](/tour/web/conect/index.html)",
            "missing-page: page `/tour/web/conect/index.html` doesn't exist",
            "did you mean `/tour/web/connect/index.html`?",
            "",
        );
    }

    #[test]
    fn no_host_is_proposed_for_a_picture() {
        let message = "missing-image: image `www.example.com/a.png` doesn't exist";
        check("![x](www.example.com/a.png)", message, "", "");
    }

    #[test]
    fn dissimilar_targets_are_not_suggested() {
        for wrong in [
            "/tour/ios/conect-2/",
            "../android/conect/",
            "/tour/web/cone/",
            "../../../../x/",
            "../../../../../tour/web/conect/",
            "near-png",
            // A title of one word counts like any other name.
            "More",
        ] {
            check(&format!("[x]({wrong})"), &format!("missing-page: page `{wrong}` doesn't exist"), "", "");
        }
    }

    #[test]
    fn nothing_is_reported_or_proposed_without_need() {
        for link in [
            "[x](vscode:extension/foo)",
            "[x](geo:1,2)",
            "[x](htps:pricing)",
            "[x](myapp:open)",
            "[x](skype:x?call)",
            "[x](more/index.md)",
            "[x](../rest/)",
            "[x](/api/)",
            "[x](/api/index.html#x)",
            "[x](ftp://example.com)",
            "[x](vscode://file/x)",
            "[x](#)",
            // The redirect is wrong.
            "[x](/gone/)",
        ] {
            check_silent("", link);
        }
        let config = "base_url = 'https://x.com/docs/'";
        for link in [
            "[x](https://x.com/pricing)",
            "[x](https://x.com)",
            "[x](https://x.com/docsy/)",
            "[x](/docs/tour/web/connect/)",
            "![x](/docs/images/shot.png)",
        ] {
            check_silent(config, link);
        }
        check_with(
            config,
            "[x](/docs/tour/web/conect/)",
            "missing-page: page `/docs/tour/web/conect/` doesn't exist",
            "did you mean `/docs/tour/web/connect/`?",
            "",
        );
        check_with(
            config,
            "[x](https://x.com/docs/tour/web/conect/)",
            "missing-page: page `https://x.com/docs/tour/web/conect/` doesn't exist",
            "did you mean `https://x.com/docs/tour/web/connect/`?",
            "",
        );
        let message = "missing-page: page `nothing-like-any.md` doesn't exist";
        check("[x](nothing-like-any.md)", message, "", "");
    }
}
