//! Reading small repositories of all kinds without a Stepkin configuration, with one test case for each rule.

use std::fmt::Write as _;

use serde_json::Value;
use stepkin::base::diagnostic::{Code, Diagnostic, Report, Severity};
use stepkin::{Cache, Options};

use crate::support::SiteTest;
use crate::support::cases::cases;

/// A repository with some files. Each case contains the first line of `check`, and pages with links that must
/// resolve.
fn repository(files: &[(&str, &str)]) -> SiteTest {
    files.iter().fold(SiteTest::rootless(), |site, (path, text)| site.edit(path, text))
}

/// Adds five MDX pages whose extensions and texts don't matter for the rules.
fn pages(folder: &str) -> Vec<(String, String)> {
    (1..=5)
        .map(|number| (format!("{folder}page-{number}.mdx"), format!("---\ntitle: Page {number}\n---\n")))
        .collect()
}

#[test]
fn one_of_several_sites_is_chosen() {
    let books = repository(&[
        ("one/book.toml", ""),
        ("one/src/a.md", "# A\n"),
        ("two/book.toml", ""),
        ("two/src/SUMMARY.md", "# S\n\n- [A](a.md)\n"),
        ("two/src/a.md", "# A\n"),
    ]);
    books.run(&["build"]).exits(2).says("`one` (an mdBook), `two` (an mdBook)").says("-C one");
    books.run(&["check", "--baseline", "known.json"]).exits(2).says("-C one");
    books.run(&["check", "--root", "one"]).exits(0);
}

#[test]
fn the_only_line_with_another_version_is_information() {
    let page = |version: &str| format!("# Lamp\n\n```sh\nlamp fill oil=={version}\n```\n");
    let (usual, other) = (page("1.2.3"), page("1.2.2"));
    let files = [(".vitepress/config.js", "export default {}"), ("a.md", &*usual), ("b.md", &*usual)];
    let site = repository(&files).edit("c.md", &usual).edit("d.md", &other);
    site.run(&["check", "--all"])
        .exits(0)
        .reports("only this line has `1.2.2`, and 3 others have `1.2.3` in it");
    let changes = site.edit("changes/d.md", &other).remove("d.md");
    let all = changes.run(&["check", "--all"]).exits(0);
    assert!(!all.stdout.contains("1.2.2"), "{}", all.stdout);
}

#[test]
fn several_sites_are_checked() {
    let books = repository(&[
        ("one/book.toml", ""),
        ("one/src/SUMMARY.md", "# S\n\n- [A](a.md)\n"),
        ("one/src/a.md", "# A\n\n[x](lost.md)\n"),
        ("two/book.toml", ""),
        ("two/src/SUMMARY.md", "# S\n\n- [A](a.md)\n"),
        ("two/src/a.md", "# A\n\n[x](gone.md)\n\n# Same\n\n[y]: a.md\n[y]: b.md\n"),
    ]);
    let all = books.run(&["check"]).exits(1);
    all.reports("site 1 of 2: one/").reports("site 2 of 2: two/").reports("--> two/src/a.md:3:5");
    let findings = books.run(&["check", "--format", "json"]).exits(1).stdout;
    let findings = findings.lines().map(|line| serde_json::from_str(line).expect("an object"));
    let places: Vec<String> = findings
        .filter(|finding: &serde_json::Value| finding["severity"] == "error")
        .map(|it| format!("{}:{}:{}", it["file"], it["line"], it["column"]))
        .collect();
    assert_eq!(places, ["\"one/src/a.md\":3:5", "\"two/src/a.md\":3:5"]);
    // Paths select sites and pages.
    let one = books.run(&["check", "one/src"]).exits(1).reports("site 1 of 1: one/").reports("lost.md");
    assert!(!one.stdout.contains("gone.md"), "{}", one.stdout);
    books.write("README.md", "# R\n");
    books.run(&["check", "README.md"]).exits(2).says("choose one with -C");
    // A site that can't be read doesn't hide the others.
    books.write("one/book.toml", "[book\n");
    books.run(&["check", "--format", "junit"]).reports("two/src/a.md");
    books.write("one/book.toml", "");
    books.write("one/src/a.md", "# A\n");
    books.write("two/src/a.md", "# A\n");
    books.run(&["check"]).exits(0);
}

#[test]
fn sites_that_are_versions_of_one_another_are_compared() {
    let both = "# Fill\n\nOpen the lid slowly.\n\n## Close\n\nTurn the lid until it clicks.\n";
    let one = "# Fill\n\nOpen the lid slowly.\n";
    let site = |folder: &str, kind: &str| (format!("{folder}/{kind}"), String::new());
    let drift = |names: [&str; 2], kind: &str, pages: &str| {
        let page = |name: &str, text: &str| (format!("docs/{name}/{pages}fill.md"), text.to_string());
        let index = |name: &str| (format!("docs/{name}/{pages}index.md"), "# Lamps\n".to_string());
        let files = [
            index(names[0]),
            index(names[1]),
            site(&format!("docs/{}", names[0]), kind),
            site(&format!("docs/{}", names[1]), kind),
            page(names[0], both),
            page(names[1], one),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        repository(&files).run(&["drift"])
    };
    drift(["rust", "cpp"], "book.toml", "src/").exits(0).says("1 family").reports("`Close`");
    drift(["en", "zh_CN"], "mkdocs.yml", "docs/").exits(0).says("1 translation").reports("`Close`");
    drift(["admin", "user"], "book.toml", "src/").exits(2).says("choose one with -C");
    drift(["rust", "en"], "book.toml", "src/").exits(2).says("choose one with -C");
}

#[test]
fn pages_in_another_format_are_counted() {
    let site = repository(&[("docs/a.rst", "A\n=\n"), ("docs/b.rst", "B\n=\n")]);
    site.run(&["check"]).exits(2).says("has 2 reStructuredText pages, which Stepkin doesn't read");
}

#[test]
fn nothing_read_is_a_failure() {
    let site = repository(&[
        ("docusaurus.config.js", "module.exports = { baseUrl: '/' }"),
        (".gitmodules", "[submodule \"docs\"]\n\tpath = docs\n\turl = https://example.com/d.git\n"),
    ]);
    std::fs::create_dir(site.root().join("docs")).expect("a new folder");
    site.run(&["check"]).exits(2).says("`docs` is a missing submodule; run `git submodule update --init`");
}

/// Other programs also have folders with the name of ours.
#[test]
fn a_site_has_pages() {
    let program =
        repository(&[("content/adaptor.go", "package content\n"), ("docs/a.md", "# A\n\n[b](b.md)\n")]);
    program.run(&["check"]).exits(1).says("read as folders of Markdown files: docs/");
    program.run(&["check", "-C", "docs"]).exits(1).says("read as folders of Markdown files: this folder");
    let empty = repository(&[("stepkin.toml", ""), ("content/a.txt", "A")]);
    empty.run(&["check"]).exits(2).says("no pages found").says("add the first one as `content/index.md`");
    let misnamed = repository(&[("stepkin.toml", ""), ("content/a.mdx", "# A\n")]);
    misnamed.run(&["check"]).exits(0).reports("rename it to `a.md`");
}

/// The root of the repository may be above the folder that is checked.
#[test]
fn a_fix_in_folders_of_markdown_files_is_the_path_from_file_to_file() {
    let page = |target: &str| format!("# A\n\n[x]({target})\n");
    for (target, file, fixed) in [
        ("./b.md", "b.md", "../b.md"),
        ("b/readme.md", "b/readme.md", "../b/readme.md"),
        ("c/b.md", "c/b.md", "../c/b.md"),
        ("/B.md", "b.md", "../b.md"),
    ] {
        let site = repository(&[("docs/a/a.md", &page(target)), (&format!("docs/{file}"), "# B\n")]);
        site.run(&["fix"]).exits(0);
        assert_eq!(site.text("docs/a/a.md"), page(fixed), "{target}");
        site.run(&["check", "--select", "missing-page,malformed-link,wrong-case"]).exits(0);
    }
}

#[test]
fn pages_are_counted_in_all_languages() {
    let config = "site_name: A\nplugins:\n  - i18n:\n      docs_structure: folder\n      languages:\n        - locale: en\n          default: true\n        - locale: fr\n";
    let site = repository(&[
        ("mkdocs.yml", config),
        ("docs/en/index.md", "# A\n"),
        ("docs/en/b.md", "# B\n"),
        ("docs/fr/index.md", "# A\n"),
    ]);
    site.run(&["check"]).exits(0).says("3 pages\n").reports("in 3 pages");
}

#[test]
fn a_long_report_begins_with_an_example_of_each_rule() {
    let mut text = "---\ntitle: A\n---\n\nThe the end.\n".to_string();
    (0..40).for_each(|number| _ = writeln!(text, "\n[x](/gone-{number}/)"));
    let site = SiteTest::empty().edit("content/a.md", &text);
    let run = site.run(&["check"]).exits(1);
    let shown = |code: &str| run.stdout.matches(&format!("[{code}]:")).count();
    assert_eq!((shown("missing-page"), shown("doubled-word")), (9, 1), "{}", run.stdout);
    assert!(run.stdout.starts_with("error[missing-page]"), "{}", run.stdout);
    run.reports("31 more of `missing-page` in 1 file").reports("showing 10 examples of 41 findings");
    let all = site.run(&["check", "--all"]).exits(1);
    assert_eq!(all.stdout.matches("[missing-page]:").count(), 40);
}

/// Jekyll doesn't change root-relative links, so authors write the base path. Docusaurus adds it.
#[test]
fn a_link_to_the_own_host_is_left_alone_and_its_fix_has_the_base_path_that_authors_write() {
    let page = ("docs/b.md", "# B\n\nRead [this](https://x.example/docs/a/).\n");
    let jekyll =
        ("_config.yml", "url: https://x.example\nbaseurl: /docs\ncollections:\n  docs:\n    output: true\n");
    let docusaurus = (
        "docusaurus.config.js",
        "module.exports = { url: 'https://x.example', baseUrl: '/docs/', presets: [['classic', { docs: { routeBasePath: '/' } }]] };",
    );
    for (files, fix) in [
        ([jekyll, ("a.md", "# A\n"), ("b.md", page.1)], "`/docs/a/`"),
        ([docusaurus, ("docs/a.md", "# A\n"), page], "`/a/`"),
    ] {
        let site = repository(&files);
        let run = site.run(&["check", "--format", "human", "--select", "absolute-internal-link"]);
        assert!(run.stdout.contains(&format!("use {fix}, which works")), "{}{}", run.stdout, run.stderr);
        let fixed = site.run(&["fix", "--dry-run"]);
        assert!(!fixed.stdout.contains("x.example"), "{}", fixed.stdout);
    }
}

#[test]
fn paths_outside_of_the_site_are_said() {
    let site = repository(&[("mkdocs.yml", "site_name: A\n"), ("docs/a.md", TEXT), ("README.md", "# A\n")]);
    let said = "nothing of the site is in `README.md`: read as an MkDocs site: docs/";
    site.run(&["check", "README.md"]).exits(0).says(said);
    assert!(!site.run(&["check", "docs/a.md"]).stderr.contains("nothing of the site"));
}

#[test]
fn a_redirect_to_nothing_is_found_where_it_is_written() {
    let lines = "# moved\n/old/ /page-1\n/older /pgae-1 301\n/gone /old\n/no /nothing 404\n/* /page-9 200\n";
    let pages = pages("src/pages/");
    let pages = pages.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let files = [("next.config.mjs", "export default {}"), ("public/_redirects", lines)];
    let files: Vec<_> = pages.chain(files).collect();
    let run = repository(&files).run(&["check", "--format", "json"]);
    let errors: Vec<&str> =
        run.stdout.lines().filter(|line| line.contains("\"severity\":\"error\"")).collect();
    assert_eq!(errors.len(), 1, "{}", run.stdout);
    let finding = errors[0];
    assert!(
        finding.contains("the redirect from `/older` points to `/pgae-1`, which doesn't exist"),
        "{finding}"
    );
    assert!(finding.contains("did you mean `/page-1/`?") && finding.contains("\"line\":3"), "{finding}");
}

const TEXT: &str = "---\ntitle: A\n---\n\n## Part\n";
const IMAGE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

/// Returns the findings that `check` prints.
fn report(site: &SiteTest) -> Report {
    stepkin::check(&site.root(), &Options::default(), &Cache::default()).expect("it is read").report
}

/// Checks each repository in `reading.txt`: the first lines, and the messages of all errors and open regions.
#[test]
fn each_cause_opens_its_region_and_no_other() {
    let mut wrong = Vec::new();
    for case in cases(include_str!("reading.txt")) {
        let site = case.site();
        if !case.says.is_empty() {
            let said = site.run(&["check"]).stderr;
            if !said.starts_with(&case.says) {
                wrong.push(format!("{}: {said} and not {}", case.name, case.says));
            }
        }
        let found = report(&site);
        let is_meant =
            |it: &&Diagnostic| it.severity == Severity::Error || it.problem.code == Code::OpenRegion;
        let mut messages: Vec<&str> =
            found.iter().filter(is_meant).map(|it| it.problem.message.as_str()).collect();
        messages.sort_unstable();
        if messages != case.expected {
            wrong.push(format!("{}: {messages:#?} and not {:#?}", case.name, case.expected));
        }
        let open = |report: &Report| -> Vec<Diagnostic> {
            report.iter().filter(|it| it.problem.code == Code::OpenRegion).cloned().collect()
        };
        let lines = |it: Diagnostic| -> Vec<String> {
            let help = it.problem.help.clone().unwrap_or_default();
            help.split('`').filter(|it| it.starts_with('/')).map(str::to_string).collect()
        };
        // The suggestion for each region resolves it.
        let routes: Vec<String> = open(&found).into_iter().flat_map(lines).collect();
        if open(&found).is_empty() {
            continue;
        }
        let site = site
            .edit("routes.txt", routes.join("\n"))
            .edit("stepkin.toml", "[check]\nroutes = 'routes.txt'\n");
        let open: Vec<String> = open(&report(&site)).iter().map(|it| it.problem.message.clone()).collect();
        let elsewhere = [
            "not a known path alias",
            "that Git ignores",
            "above the root",
            "contain a path",
            "linked anchors",
            "has such a heading",
            "unlike any URL",
        ];
        let is_settled_elsewhere = |it: &String| elsewhere.iter().any(|cause| it.contains(cause));
        if !open.iter().all(is_settled_elsewhere) {
            wrong.push(format!("{}: not settled by {routes:?}: {open:#?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_an_unknown_generator_may_read_is_not_said_to_be_text() {
    let site = repository(&[(".eleventy.js", ""), ("a.md", "# A\n\n{% include 'b.md' %}\n")]);
    let found = report(&site);
    let messages: Vec<&str> = found.iter().map(|it| it.problem.message.as_str()).collect();
    assert_eq!(
        messages,
        ["`{% include 'b.md' %}` is a Liquid tag: Eleventy may read it, and Stepkin doesn't"]
    );
}

#[test]
fn an_included_file_one_folder_higher_is_suggested() {
    let config = ("docs/conf.py", "extensions = ['myst_parser']\n");
    let page = ("docs/index.md", "# A\n\n```{include} AUTHORS.md\n```\n");
    let found = report(&repository(&[config, page, ("AUTHORS.md", "Ann\n")]));
    let help: Vec<&str> = found.iter().filter_map(|it| it.problem.help.as_deref()).collect();
    assert_eq!(help, ["did you mean `../AUTHORS.md`?"]);
}

#[test]
fn a_missing_folder_of_includes_is_one_finding() {
    let page = |number: usize| format!("# A\n\n--8<-- \"shown/{number}.txt\"\n");
    let pages = (1..=5).map(|number| (format!("docs/{number}.md"), page(number)));
    let config = ("mkdocs.yml".to_string(), "markdown_extensions: [pymdownx.snippets]\n".to_string());
    let files: Vec<(String, String)> = pages.chain([config]).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let messages = |site: &SiteTest| -> Vec<String> {
        report(site).iter().map(|it| it.problem.message.clone()).collect()
    };
    let site = repository(&files);
    assert_eq!(messages(&site), ["5 pages include files of `shown/`, which this repository doesn't contain"]);
    let others = messages(&site.edit("shown/other.txt", "a"));
    assert!(others.iter().all(|it| !it.contains("doesn't contain")), "{others:?}");
}

#[test]
fn a_value_that_differs_by_one_letter_from_the_one_of_other_pages_is_a_slip() {
    let page = |key: &str, value: &str| {
        format!("---\ntitle: A\n{key}: {value}\n---\n\n## Part\n\nA long day ends here.\n")
    };
    let site = (0..5).fold(repository(&[("_config.yml", "title: A\n")]), |site, number| {
        let site = site.edit(&format!("more/p{number}.md"), page("parent", "\"Installation\""));
        site.edit(&format!("more/t{number}.md"), page("version", "Version 12"))
    });
    let site = site
        .edit("slip.md", page("parent", "\"Instalation\""))
        .edit("plural.md", page("parent", "Installations"))
        .edit("capital.md", page("parent", "installation"))
        .edit("other.md", page("category", "Instalation"))
        .edit("digit.md", page("version", "Version 13"));
    let findings = site.run(&["check", "--format", "json", "--only", "unusual-value"]).json();
    let [finding] = findings.as_slice() else { panic!("{findings:#?}") };
    assert_eq!(finding["message"], "only this page has `Instalation`, and 5 pages have `Installation`");
    assert_eq!(
        (&finding["line"], &finding["column"], &finding["end_column"]),
        (&3.into(), &10.into(), &21.into())
    );
    assert_eq!(finding["help"], "did you mean `Installation`?");
}

#[test]
fn images_from_the_folder_of_all_pages_are_one_finding_on_several_pages() {
    let of_pages = |count: usize| {
        let site = repository(&[("assets/a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")]);
        let site = (0..count).fold(site, |site, number| {
            site.edit(&format!("pages/p{number}.md"), "# Lamp\n\n![A lamp](assets/a.svg)\n")
        });
        let findings = site.run(&["check", "--format", "json"]).json();
        let of = |it: &serde_json::Value| format!("{}: {}", it["severity"], it["message"]).replace('"', "");
        findings.iter().map(of).collect::<Vec<_>>()
    };
    let (alone, others) =
        ("`assets/a.svg` is relative to this page, not to the folder of all pages", "in 4 pages are");
    assert_eq!(of_pages(3), vec![format!("warning: {alone}"); 3]);
    let [folded] = &of_pages(4)[..] else { panic!("one finding") };
    assert!(folded.starts_with("info: 4 images") && folded.contains(others), "{folded}");
}

/// A repository of an unknown generator, whose root follows only from its links: six pages in `at`, and one that
/// links to all of them with the prefix `base`.
fn unknown(at: &str, base: &str) -> SiteTest {
    let links: Vec<String> = (1..=6)
        .map(|number| format!("[x]({base}/guide/p{number}) [x]({base}/guide/p{number}#part)"))
        .collect();
    let links = links.join(
        "
",
    );
    let site = (1..=6).fold(repository(&[("README.md", "# R\n")]), |site, number| {
        site.edit(&format!("{at}/guide/p{number}.md"), TEXT)
    });
    let images: String = ["a", "b", "c", "d"].map(|name| format!("![x]({base}/img/{name}.svg)\n")).concat();
    let site = ["a", "b", "c", "d"]
        .iter()
        .fold(site, |site, name| site.edit(&format!("theme/files/img/{name}.svg"), IMAGE));
    site.edit(
        &format!("{at}/start.md"),
        format!("{TEXT}\n{links}\n{images}[x]({base}/guide/p7) [x]({base}/img/e.svg)\n"),
    )
}

#[test]
fn the_links_of_a_site_show_where_its_root_is() {
    for (at, base, said) in [
        ("website/text", "", "website/text/ (12 of 12 links lead there)"),
        ("website/text", "/help", "website/text/, base path /help/ (12 of 12 links lead there)"),
        ("docs", "/docs", "docs/, base path /docs/ (12 of 12 links lead there)"),
    ] {
        let site = unknown(at, base);
        let run = site.run(&["check", "--format", "human"]);
        assert!(
            run.stderr.starts_with(&format!(
                "read as folders of Markdown files: {said}; `README.md` isn't among its pages, so it isn't checked\n"
            )),
            "{}",
            run.stderr
        );
        let found: Vec<&str> = run
            .stdout
            .lines()
            .filter(|it| it.starts_with("error") || it.starts_with("warning[missing"))
            .collect();
        let wrong = [format!("`{base}/guide/p7` doesn't exist"), format!("`{base}/img/e.svg` doesn't exist")];
        assert!(found.len() == 2 && wrong.iter().all(|it| run.stdout.contains(it)), "{}", run.stdout);
        let verbose = site.run(&["check", "--verbose", "--format", "human"]).stderr.clone();
        assert!(verbose.contains("static files: theme/files/, 4 of 4 links lead there"), "{verbose}");
        // The same with the cache of the last run, and with the file that `init` writes.
        let again = || {
            let run = site.run(&["check", "--format", "json"]);
            let lines = run.stdout.lines().filter(|it| it.contains("\"error\"") || it.contains("missing-"));
            lines.map(str::to_string).collect::<Vec<_>>()
        };
        let before = again();
        assert_eq!(before, again());
        site.run(&["init"]).exits(0);
        assert_eq!(before, again(), "{}", site.text("stepkin.toml"));
        let run = site.run(&["check", "--format", "human"]);
        let said = format!("read as folders of Markdown files: {said}\n");
        assert!(run.stderr.starts_with(&said), "{}{}", run.stderr, site.text("stepkin.toml"));
        site.run(&["init"]).exits(2).says("it already contains a `stepkin.toml`");
    }
    // Few links prove nothing.
    let site = unknown("website/text", "")
        .edit("website/text/start.md", format!("{TEXT}\n[x](/guide/p1) [x](/guide/p2)\n"));
    assert!(!site.run(&["check"]).stderr.contains("lead there"));
}

#[test]
fn a_site_of_a_known_generator_gets_a_configuration_with_its_kind_alone() {
    let site = repository(&[("mkdocs.yml", "site_name: A\n"), ("docs/a.md", TEXT)]);
    site.run(&["init"]).exits(0);
    assert!(
        site.text("stepkin.toml").ends_with("[source]\nkind = \"mkdocs\"\n"),
        "{}",
        site.text("stepkin.toml")
    );
    site.run(&["check"]).exits(0);
    let site = repository(&[("web/mkdocs.yml", "site_name: A\n"), ("web/docs/a.md", TEXT)]);
    site.run(&["init"]).exits(2).says("stepkin init ./web");
}

#[test]
fn files_that_front_matter_lists_are_part_of_a_page() {
    let site = SiteTest::rootless();
    site.write("_config.yml", "title: Lamps\n");
    site.write("ios.md", "---\ntitle: iOS\nsections:\n- \"common/start.md\"\n- ios/pair.md\nnext: [other.md]\n---\n\n[start](#start)\n");
    site.write("other.md", "---\ntitle: Other\n---\n\n[pair](/ios#pair) [none](/ios#none)\n");
    site.write("_includes/common/start.md", "# Start\n\nText.\n");
    site.write("_includes/ios/pair.md", "# Pair\n\n[start](#start) [gone](#gone)\n");
    let run = site.run(&["check", "--format", "json"]);
    let found = run.json();
    let anchors = found.iter().filter(|it| it["code"] == "missing-anchor");
    let anchors: Vec<_> = anchors.map(|it| (&it["file"], &it["line"], &it["target"])).collect();
    assert_eq!(
        format!("{anchors:?}"),
        "[(String(\"_includes/ios/pair.md\"), Number(3), String(\"#gone\")), (String(\"other.md\"), Number(5), String(\"/ios#none\"))]",
        "{found:#?}"
    );
}

#[test]
fn constructs_of_many_pages_belong_to_the_site() {
    let alerts = |count: usize| {
        let page = |number: usize| {
            (format!("docs/p{number}.mdx"), format!("---\ntitle: P{number}\n---\n\n> [!QUIZ]\n> Why?\n"))
        };
        let pages = (0..count)
            .map(page)
            .chain([("next.config.js".into(), "export default {}".into())])
            .chain(pages("docs/more/"));
        let pages: Vec<(String, String)> = pages.collect();
        let files: Vec<(&str, &str)> =
            pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let said = repository(&files).run(&["check", "--format", "json"]).stdout.clone();
        let warnings = said.matches(r#""code":"unknown-alert","severity":"warning""#).count();
        (warnings, said.matches(r#""code":"unknown-alert","severity":"info""#).count())
    };
    assert_eq!(alerts(3), (3, 0));
    assert_eq!(alerts(4), (0, 1));
}

#[test]
fn references_to_many_undefined_labels_are_one_finding() {
    let undefined = |name: &str, config: &str, labels: usize| {
        let page = |number: usize| {
            let links: Vec<String> =
                (0..labels).map(|label| format!("See [it][label-{number}-{label}].")).collect();
            let links = links.join(" ");
            (format!("docs/p{number}.md"), format!("---\ntitle: P{number}\n---\n\n{links}\n"))
        };
        let pages: Vec<(String, String)> = (0..4).map(page).collect();
        let files = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain([(name, config)]);
        let said = repository(&files.collect::<Vec<_>>()).run(&["check", "--format", "json"]).stdout.clone();
        said.matches("undefined-reference").count()
    };
    assert_eq!(undefined("a.txt", "", 4), 16);
    assert_eq!(undefined("a.txt", "", 5), 1);
    assert_eq!(undefined("mkdocs.yml", "site_name: A\n", 5), 20);
}

#[test]
fn a_list_with_mostly_missing_pages_is_one_finding() {
    let found = |missing: usize, at: &str| {
        let items: Vec<String> = ["'/'", "'/b'"]
            .into_iter()
            .map(str::to_string)
            .chain((0..missing).map(|it| format!("'{at}none{it}'")))
            .collect();
        let config = format!("module.exports = {{ themeConfig: {{ sidebar: [{}] }} }}", items.join(", "));
        let site = repository(&[
            ("docs/.vuepress/config.js", &config),
            ("docs/README.md", TEXT),
            ("docs/b.md", "---\ntitle: B\n---\n"),
        ]);
        let run = site.run(&["check", "--format", "json"]);
        let all = run.json();
        let named = all.iter().filter(|it| it["file"] == "docs/.vuepress/config.js");
        named.map(|it| format!("{} {}", it["severity"], it["message"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(found(1, "/"), ["error page `/none0` doesn't exist"]);
    assert_eq!(found(1, ""), ["error page `/none0` doesn't exist"]);
    assert_eq!(found(2, "/"), ["info 2 of 4 targets in this file don't exist: page `/none0` doesn't exist"]);
}

#[test]
fn a_directive_without_its_end_is_found_before_the_next_one() {
    let text = "---\ntitle: A\n---\n\n```{code-block} sh\na\n\n```{code-block} js\nb\n```\n";
    let site = repository(&[("docs/conf.py", "extensions = ['myst_parser']\n"), ("docs/a.md", text)]);
    let said = site.run(&["check", "--format", "human"]).exits(0).stdout;
    assert!(
        said.contains("the code block contains the line ```{code-block} js, so it may end too late"),
        "{said}"
    );
    assert!(said.contains("help: add a line with ``` after the code"), "{said}");
}

#[test]
fn a_repository_says_which_folders_it_leaves_out() {
    let first_line = |pages: &[&str]| {
        let files: Vec<(&str, &str)> = pages.iter().map(|page| (*page, TEXT)).collect();
        repository(&files).run(&["check"]).stderr.lines().next().unwrap_or_default().to_string()
    };
    let read = "read as folders of Markdown files: docs/";
    assert_eq!(first_line(&["docs/a.md", "docs/b.md", "notes/a.md", "more/b.md"]), read);
    assert_eq!(
        first_line(&["a.md", "tests/fixtures/a.md", "tests/README.md"]),
        "read as folders of Markdown files: this folder; `tests/` isn't read: set `content` under `[source]`, or use -C"
    );
    assert_eq!(first_line(&["tests/fixtures/a.md"]), "read as folders of Markdown files: this folder");
    let mut pages = vec!["docs/a.md", "docs/b.md"];
    for (file, said) in [
        ("README.md", "`README.md` isn't among its pages, so it isn't checked"),
        ("CHANGES.md", "`README.md` and `CHANGES.md` aren't among its pages, so they aren't checked"),
        ("notes.md", "`README.md`, `CHANGES.md` and 1 more aren't among its pages, so they aren't checked"),
    ] {
        pages.push(file);
        assert_eq!(first_line(&pages), format!("{read}; {said}"));
    }
    assert_eq!(
        first_line(&["docs/a.md", "guide/a.md", "guide/b.md"]),
        format!("{read}; `guide/` isn't read: set `content` under `[source]`, or use -C")
    );
    assert_eq!(
        first_line(&["docs/a.md", "a/a.md", "b/a.md", "b/b.md"]),
        format!("{read}; `b/`, `a/` aren't read: set `content` under `[source]`, or use -C")
    );
}

#[test]
fn headings_may_number_the_steps_of_their_page() {
    let page = |body: &str| format!("---\ntitle: A\nweight: 1\n---\n\n## 1.1 Begin\n\n{body}\n");
    let dangling = |body: &str| {
        let (web, ios) = (page(body), page(""));
        let files = [
            ("hugo.toml", "baseURL = '/'\n"),
            ("content/web/a.md", web.as_str()),
            ("content/ios/a.md", ios.as_str()),
        ];
        repository(&files)
            .run(&["check", "--format", "json"])
            .stdout
            .matches("dangling-step-reference")
            .count()
    };
    assert_eq!(dangling("### Step 7: Add it\n\nAfter step 7, rest."), 0);
    assert_eq!(dangling("After step 7, rest."), 1);
}

#[test]
fn an_unclosed_link_is_found_in_any_line_that_is_looked_at() {
    for (length, count) in [(398, 1), (399, 1), (400, 1), (401, 0)] {
        let after = format!("<p1.md{}", " x".repeat(length / 2 - 3) + if length % 2 == 0 { "" } else { "y" });
        assert_eq!(after.len(), length);
        let text = format!("---\ntitle: A\n---\n\n[x]({after}\nNext line.\n");
        let site =
            repository(&[("mkdocs.yml", "site_name: A\n"), ("docs/a.md", &text), ("docs/p1.md", TEXT)]);
        let run = site.run(&["check", "--format", "json"]);
        assert_eq!(run.stdout.matches("link-as-text").count(), count, "{length}: {}", run.stdout);
    }
}

#[test]
fn a_shortcode_with_a_template_is_known_whatever_others_are_called() {
    let site = repository(&[
        ("hugo.toml", "baseURL = 'https://a.example/'\n"),
        ("layouts/shortcodes/load.html", "x"),
        ("layouts/shortcodes/loads.html", "x"),
        ("content/_index.md", "---\ntitle: A\n---\n\n{{< load a >}} {{< loads b >}} {{< loda c >}}\n"),
    ]);
    let run = site.run(&["check", "--format", "json", "--only", "unknown-directive"]);
    let messages: Vec<String> = run.json().iter().map(|it| it["message"].to_string()).collect();
    assert_eq!(messages, ["\"unknown shortcode `loda`\""]);
}

#[test]
fn tags_that_frame_text_for_a_program_are_one_finding() {
    let prompt = |name: &str| format!("# A\n\n<{name}>\n\nText\n\n</{name}>\n\n<{name}>\nText\n</{name}>\n");
    let site = repository(&[("a.md", &prompt("step")), ("b.md", &prompt("role"))])
        .edit("c.md", "# C\n\na <bar> d\n");
    let run = site.run(&["check", "--format", "json", "--only", "unknown-element"]);
    let said =
        |it: &Value| format!("{}: {}", it["severity"].as_str().unwrap(), it["message"].as_str().unwrap());
    let messages: Vec<String> = run.json().iter().map(said).collect();
    let expected = [
        "info: `<step>` is not an HTML element, and 2 pages contain 4 such pairs of tags",
        "warning: `<bar>` is not an HTML element, so browsers hide it",
    ];
    assert_eq!(messages, expected);
}

/// The messages of `check` in a repository.
fn said(site: &SiteTest) -> Vec<String> {
    let findings = site.run(&["check", "--format", "json"]).json();
    let warned = findings.iter().filter(|it| it["severity"] != "info" && it["code"] != "duplicate-title");
    let said = |it: &serde_json::Value| {
        format!("{}: {}", it["file"].as_str().expect("a path"), it["message"].as_str().expect("a text"))
    };
    warned.map(said).collect()
}

#[test]
fn an_extension_that_the_configuration_lacks_is_reported_once() {
    let page = "# A\n\n!!! note\n\n    Take care.\n";
    let site = ["a", "b", "c"].into_iter().fold(SiteTest::empty(), |site, name| {
        site.edit(&format!("docs/{name}.md"), format!("{page}\n{name}\n"))
    });
    let site = site.edit("mkdocs.yml", "site_name: Lamp\nmarkdown_extensions: [tables]\n");
    let message = "docs/a.md: `!!! note` is text, because `markdown_extensions` doesn't contain `admonition`; 2 other pages need it";
    assert_eq!(said(&site), [message]);
}

#[test]
fn what_nearly_all_pages_do_shows_what_a_page_does_wrong() {
    let page = |order: &str, parts: &str| {
        format!("---\ntitle: A\nnav: {order}\n---\n\n<Include src=\"_parts/key\" />\n\n{parts}\n")
    };
    let of_platform = |name: &str| page("1", &format!("<If sdk=\"{name}\">\n\nTurn it on.\n\n</If>"));
    let site = (0..10).fold(SiteTest::empty(), |site, number| {
        site.edit(&format!("docs/p{number}.mdx"), of_platform(if number < 5 { "nuxt" } else { "astro" }))
    });
    let site = site
        .edit("docs/_parts/key.mdx", "Copy the key.\n")
        .edit("docs/order.mdx", page("1,5", ""))
        .edit("docs/near.mdx", of_platform("nuxtjs"))
        .edit("docs/other.mdx", of_platform("fastify"))
        .edit("docs/case.mdx", page("1", "import LampList from '@lamp/parts';\n\n<LampLIST />"))
        .edit("docs/empty.mdx", page("1\ncontents:\ndepth: 2", ""))
        .edit("docs/one.mdx", page("1\ncontents:\n  depth: 2", ""))
        .edit("docs/two.mdx", page("1\ncontents:\n  depth: 3", ""))
        .edit("docs/three.mdx", page("1\ncontents:\n  depth: 3", ""))
        .edit("docs/four.mdx", page("1\ncontents:\n  depth: 3", ""))
        .edit("docs/lost.mdx", page("2", "<Include src=\"_parts/kye\" />"));
    let expected = [
        "docs/case.mdx: unknown component `LampLIST`",
        "docs/empty.mdx: `depth` is next to the empty key `contents`, and in it on 4 other pages",
        "docs/lost.mdx: an included file doesn't exist: `_parts/kye`",
        "docs/near.mdx: only this page has `nuxtjs`, and 5 pages have `nuxt`",
        "docs/order.mdx: `nav` is a text, and a number on 19 other pages",
    ];
    assert_eq!(said(&site), expected);
    // Among many that don't exist, one more shows nothing.
    let site = (0..4).fold(site, |site, number| {
        site.edit(&format!("docs/l{number}.mdx"), page("1", &format!("<Include src=\"_parts/l{number}\" />")))
    });
    let said = said(&site);
    let order = "docs/order.mdx: `nav` is a text, and a number on 23 other pages";
    assert_eq!(said, [expected[0], expected[1], expected[3], order]);
}

#[test]
fn a_link_to_a_preview_or_to_the_original_of_a_translated_page_leads_readers_away() {
    let links = |text: &str| format!("---\ntitle: A\n---\n\n## Part\n\n{text}\n");
    let own = "[a](/de/guides/a/) [b](/de/guides/b/) [c](/de/guides/a/#part) [d](/de/guides/b/#part)";
    let site = SiteTest::empty()
        .edit("astro.config.mjs", "export default defineConfig({ site: 'https://lamp.example', integrations: [starlight({ title: 'Lamp', defaultLocale: 'root', locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } } })] })\n")
        .edit("src/content/docs/guides/a.md", links("[b](http://localhost:4321/guides/b/) [c](http://localhost:4321/) [d](http://localhost:4321/own/app/)"))
        .edit("src/content/docs/guides/b.md", links("Text."))
        .edit("src/content/docs/guides/only.md", links("Text."))
        .edit("src/content/docs/de/guides/a.md", links(&format!("{own} [x](/guides/b/) [y](/guides/only/)")))
        .edit("src/content/docs/de/guides/b.md", links("[x](/guides/a/) [y](/guides/a/#part)"));
    let expected = [
        "src/content/docs/de/guides/a.md: `/guides/b/` leads to another language, although this one has the page",
        "src/content/docs/guides/a.md: `http://localhost:4321/guides/b/` is a page on the author's computer",
    ];
    assert_eq!(said(&site), expected);
}

#[test]
fn a_compiler_resolves_the_names_of_items() {
    let page = "# A\n\nA [`Lamp`], an [`Oil`], [`B`], [`C`], or [a module](./lamp/index.html).\n\n\
                [`B`]: https://b.example\n[`C`]: https://c.example\n";
    let program = "#![doc = include_str!(\"docs/a.md\")]\n";
    let site = repository(&[("Cargo.toml", ""), ("src/lib.rs", program), ("src/docs/a.md", page)]);
    let found = site.run(&["check", "--format", "json"]).exits(0);
    found
        .reports(r#""code":"undefined-reference","severity":"info""#)
        .reports(r#""code":"missing-page","severity":"info""#);
}
