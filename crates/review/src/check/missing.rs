//! Creates the findings about missing targets: the cause, and help that suggests existing targets.

use percent_encoding::percent_decode_str;

use super::lookup::{Lookup, exactly};
use super::unread::{left_out, why_left_out};
use super::written::{end_of, written};
use super::{Subject, slips};
use base::address::Address;
use base::diagnostic::{Code, Problem, distance_within, nearest};
use base::items::only;
use base::site_path;
use input::conventions::UnreadLinks;
use markup::markdown::{Reference, ReferenceKind};
use site::content::{DocumentId, bare_title};
use site::plan::{Artifact, Destination, anchor, take_apart};

/// The data of findings about images that exist relative to the folder of all pages.
pub(super) const ROOT: &str = "root";

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
            .or_else(|| {
                slips::of_missing(self.subject, self.reference).filter(|_| !self.is_file(self.target()))
            })
            .or_else(|| self.unread())
            .or_else(|| self.left_out())
            .or_else(|| self.renamed())
            .or_else(|| self.named_by_its_folder())
            .or_else(|| self.without_its_route())
            .or_else(|| self.without_its_file())
            .or_else(|| self.with_another_ending())
            .or_else(|| self.without_first_slash())
            .or_else(|| self.one_folder_off())
            .or_else(|| self.title())
            .or_else(|| self.own_anchor())
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
        // `usage/index.html` isn't another case of `/usage/`.
        let differs = |path: &str, actual: &Address| {
            let path = path.strip_suffix("index.html").unwrap_or(path);
            actual.as_page() != Address::new(path).as_page()
        };
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

    /// Reports a page whose file exists, but the configuration or the list of pages leaves it out.
    fn left_out(&self) -> Option<Problem> {
        let (code, what) = kind(self.reference, self.path);
        let project = &self.lookup.work.project;
        let repository = &project.site.repository;
        let written = percent_decode_str(self.written_path()).decode_utf8_lossy();
        let file = repository.path_from(self.subject.document.path.as_str(), &written);
        let below = file.as_deref().and_then(|file| repository.below_content(file));
        let file = below.into_iter().chain(self.meanings()).find_map(|path| left_out(project, path));
        let file = file.filter(|_| code == Code::MissingPage)?;
        let message = format!("{what} `{}` isn't published", self.reference.target);
        Some(self.finding(code, message).help(why_left_out(project, &file)))
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
        let repository = self.subject.resolver.repository;
        // Readers of the repository see the file, and an unknown program may publish it.
        let may_be_file = repository.is_guessed() || !repository.convention.has_generator();
        let problem = if may_be_file { problem.data(slips::MAY_BE_FILE, true) } else { problem };
        // An unknown program may resolve it from the root of the repository.
        let is_known = path.starts_with(['.', '/']) || !repository.is_guessed();
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
        let problem = if is_image { problem.data(ROOT, slashed.as_str()) } else { problem };
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
        let resolved = |path: &str| self.resolved(path).filter(|to| self.has_name_of(to));
        let mut others = others.into_iter().filter_map(|other| Some((resolved(&other.0)?, other)));
        let (to, (meant, way)) = others.next()?;
        let message = format!("`{target}` {way}");
        Some(self.leading_like(&meant, self.finding(Code::MalformedLink, message), &to, ""))
    }

    /// Whether the repository contains the target as a file that isn't published.
    fn is_source(&self) -> bool {
        self.is_file(self.target())
    }

    /// Whether a target leads to a file of the repository.
    fn is_file(&self, target: &str) -> bool {
        let Self { lookup, subject, .. } = self;
        let sources = &lookup.work.project.sources;
        let path = percent_decode_str(take_apart(target).path).decode_utf8_lossy();
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
        let help = help.or_else(|| self.source_above()).or_else(|| self.label());
        self.finding(code, message).help(help)
    }

    /// Suggests a file of the repository, to which the target leads from the folder above.
    fn source_above(&self) -> Option<String> {
        let target = self.target();
        let up = format!("../{}", target.strip_prefix("./").unwrap_or(target));
        // A generator doesn't publish what is above its pages.
        let convention = self.subject.resolver.repository.convention;
        let is_shown = convention.links_to_sources || !convention.has_generator();
        let is_relative = !target.starts_with('/') && !target.contains("://") && !self.is_way_up();
        (is_shown && is_relative && self.is_file(&up)).then(|| format!("did you mean `{up}`?"))
    }

    /// Reports the name of an anchor on its own page without the `#`.
    fn own_anchor(&self) -> Option<Problem> {
        let target = self.target();
        let is_anchor = self.lookup.anchors(self.subject.id).iter().any(|anchor| anchor.id == target);
        let problem = self.finding(Code::MissingPage, format!("page `{target}` doesn't exist"));
        is_anchor.then(|| {
            let meant = format!("#{target}");
            let problem = problem.help(format!("did you mean `{meant}`?"));
            exactly(problem, self.subject, self.reference, meant)
        })
    }

    /// Suggests a label of a Sphinx site, to which a target without an extension may refer:
    /// <https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html>.
    fn label(&self) -> Option<String> {
        let target = self.target().to_lowercase();
        let labels = || self.lookup.shared.labels.iter().map(String::as_str);
        let longer = labels().filter(|label| label.starts_with(&target));
        let longer = only(longer);
        let meant = nearest(&target, labels()).or(longer)?;
        Some(format!("did you mean `{meant}`?"))
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
        // In other generators, a path may be relative to the folder of the page's address.
        let address = &self.subject.document.address;
        let is_relative = !self.subject.resolver.repository.is_ours() && !self.target().starts_with('/');
        let around = is_relative.then(|| format!("{}{}", address.parent(), self.written_path()));
        let paths = self.meanings().map(str::to_string).chain(rooted).chain(in_folder).chain(around);
        let near = paths.filter_map(|path| {
            // Files of pages with the addresses of folders.
            let endings = ["/index.html", ".mdx", ".md"];
            let page = endings.iter().find_map(|ending| path.strip_suffix(ending));
            let path = page.map_or(path.clone(), |page| format!("{page}/"));
            let path = Address::new(&path).as_str().to_string();
            self.lookup.nearest(&path, code, self.subject)
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
    // `area.htmll`, too.
    let is_of_page =
        |it: &str| matches!(it, "md" | "mdx" | "markdown") || distance_within(it, "html", 1).is_some();
    match (reference.kind, extension) {
        (ReferenceKind::Image, _) => (Code::MissingImage, "image"),
        (ReferenceKind::File, _) => (Code::MissingFile, "file"),
        (ReferenceKind::Link, Some(it)) if it.chars().all(char::is_alphanumeric) && !is_of_page(it) => {
            (Code::MissingFile, "file")
        }
        (ReferenceKind::Link, _) => (Code::MissingPage, "page"),
    }
}
