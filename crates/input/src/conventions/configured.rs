//! Values in configurations and data that the generator can't use: names that it doesn't know, files that don't exist, and keys in
//! another form. Each is closed by the generator's documentation, so that no theme or plugin adds others.

use std::ops::Range;

use super::docusaurus::categories;
use super::options;
use super::targets::{SettingSlip, SlipKind, is_mintlify};
use super::tree::within;
use super::values::{JsValues, PlacedText, Values, folder, literal, placed_texts};
use super::{FileTree, Kind, Repository};
use base::diagnostic::nearest;
use base::items::only;
use base::quoted::quoted;
use base::site_path;
use base::sorted::{SortedMap, SortedSet};

/// Returns the files with mistakes, each with them.
pub(super) fn slips(tree: &dyn FileTree, repository: &Repository) -> Vec<(String, Vec<SettingSlip>)> {
    let site = &repository.site;
    let config = repository.config(tree);
    let navigation = || {
        let file = repository.navigation.clone()?;
        tree.peek(&file).map(|text| (file, text))
    };
    let of_one = |found: Option<(String, String)>, slips: &dyn Fn(&str, &str) -> Vec<SettingSlip>| {
        found.into_iter().map(|(file, text)| (file.clone(), slips(&file, &text))).collect::<Vec<_>>()
    };
    match repository.kind() {
        Kind::Mkdocs => of_one(config, &|file, text| of_mkdocs(tree, repository, &placed_texts(file, text))),
        Kind::Mdbook => [
            of_one(navigation(), &|_, text| chapters(text)),
            of_one(config, &|file, text| {
                let named = |it: &PlacedText| {
                    it.keys.iter().any(|key| key == "additional-css" || key == "additional-js")
                };
                let (texts, url) = (placed_texts(file, text), "edit-url-template");
                let template = texts.iter().find(|it| it.key() == url && !it.text.contains("{path}"));
                let template = template.map(|it| {
                    let message = format!("the `{url}` lacks `{{path}}`, so each page has the same link");
                    wrong(
                        it.span.clone(),
                        message,
                        "write `{path}` where the path of the page's file belongs",
                    )
                });
                let files = texts.iter().filter(|it| named(it) && !exists(tree, &[site], &it.text));
                let files: Vec<_> = files.cloned().map(missing_file).collect();
                files.into_iter().chain(template).collect()
            }),
        ]
        .concat(),
        Kind::Sphinx => {
            let content = &repository.content.path;
            let listed = config.iter().filter_map(|(_, text)| listed_redirects(tree, content, text));
            let listed: Vec<_> = listed.collect();
            let own = of_one(config, &|_, text| {
                [of_sphinx(tree, content, text), redirects_of_sphinx(tree, content, text)].concat()
            });
            own.into_iter().chain(listed).collect()
        }
        Kind::Jekyll => of_one(config, &|file, text| types_of_jekyll(file, text)),
        Kind::Hugo => {
            let menus = of_one(config, &|file, text| parents_of_menus(&placed_texts(file, text)));
            menus.into_iter().chain(bundles(tree, &repository.content.path)).collect()
        }
        Kind::Vitepress => of_one(navigation(), &|_, text| of_vitepress(text)),
        Kind::Starlight => of_one(navigation(), &|_, text| of_starlight(tree, site, text)),
        Kind::Docusaurus => of_docusaurus(tree, repository),
        Kind::Mdx => match navigation().filter(|(file, _)| is_mintlify(site_path::file_name(file))) {
            Some(found) => of_one(Some(found), &|file, text| of_mintlify(file, text)),
            None => separators(tree, &repository.content.path),
        },
        _ => Vec::new(),
    }
}

/// Returns mistakes in texts of any data file or configuration: URLs with one slash, and names whose code isn't closed.
pub(super) fn texts(file: &str, text: &str) -> Vec<SettingSlip> {
    let schemes = text.match_indices(":/").filter_map(|(at, sign)| {
        let start = text[..at].rfind(['"', '\''])? + 1;
        let rest = &text[at + sign.len()..];
        let end = at + sign.len() + rest.find(['"', '\'', '\n'])?;
        let is_web = matches!(&text[start..at], "http" | "https") && !rest.starts_with(['/', '"', '\'']);
        let url = &text[start..end];
        let message = format!("{} is missing a `/` after its scheme", quoted(url));
        is_web.then(|| wrong(start..end, message, format!("use `{}`", url.replacen(":/", "://", 1))))
    });
    let has_code = text.contains('`') && (file.ends_with(".json") || file.ends_with(".jsonc"));
    let names = if has_code { placed_texts(file, text) } else { Vec::new() };
    let names = names.into_iter().filter(|it| it.text.matches('`').count() == 1);
    let names = names.map(|it| {
        let message = format!("the code in {} isn't closed", quoted(&it.text));
        wrong(it.span, message, "add the other backtick, or remove it")
    });
    schemes.chain(names).collect()
}

fn wrong(span: Range<usize>, message: String, help: impl Into<String>) -> SettingSlip {
    SettingSlip { kind: SlipKind::Wrong { message, help: help.into() }, span }
}

fn missing_file(it: PlacedText) -> SettingSlip {
    SettingSlip { kind: SlipKind::MissingFile { path: it.text }, span: it.span }
}

/// Whether a file or folder exists in one of the folders. URLs and templates aren't looked up.
fn exists(tree: &dyn FileTree, folders: &[&String], path: &str) -> bool {
    if path.contains("://")
        || path.starts_with("//")
        || path.contains(['{', '$', '*', '!'])
        || path.is_empty()
    {
        return true;
    }
    let bare =
        path.split(['?', '#']).next().unwrap_or_default().trim_start_matches("./").trim_start_matches('/');
    folders.iter().any(|place| {
        let Some(file) = site_path::below_root(&format!("{place}/{bare}")) else { return true };
        let parent = site_path::parent(&file);
        tree.is_folder(&file) || tree.names(parent).iter().any(|name| name == site_path::file_name(&file))
    })
}

/// <https://www.mkdocs.org/user-guide/configuration/>, <https://github.com/mkdocs/mkdocs-redirects>.
fn of_mkdocs(tree: &dyn FileTree, repository: &Repository, texts: &[PlacedText]) -> Vec<SettingSlip> {
    /// What precedes the branch in the URL of a file.
    const FORMS: [&str; 5] = ["blob", "edit", "raw", "src", "tree"];
    let value = |wanted: &[&str]| texts.iter().find(|it| it.keys == wanted).map(|it| folder(&it.text));
    let pages = value(&["docs_dir"]).unwrap_or_else(|| "docs".to_string());
    let theme = value(&["theme", "custom_dir"]).unwrap_or_else(|| pages.clone());
    let (docs, theme) = (within(&repository.site, &pages), within(&repository.site, &theme));
    let named = texts.iter().filter(|it| {
        let keys: Vec<&str> = it.keys.iter().map(String::as_str).filter(|key| !key.is_empty()).collect();
        let places: &[&String] = match keys[..] {
            ["extra_css" | "extra_javascript"]
            | ["extra_javascript", "path"]
            | ["theme", "logo" | "favicon"] => &[&docs, &theme],
            ["theme", "custom_dir"] | ["hooks"] => &[&repository.site],
            _ => return false,
        };
        !exists(tree, places, &it.text)
    });
    // <https://www.mkdocs.org/user-guide/configuration/#edit_uri>: `edit/BRANCH/FOLDER/`.
    let edit = texts.iter().find(|it| it.keys == ["edit_uri"]).and_then(|it| {
        let mut parts = it.text.trim_matches('/').split('/').skip_while(|part| !FORMS.contains(part));
        let (_form, _branch) = (parts.next()?, parts.next()?);
        let written = parts.collect::<Vec<_>>().join("/");
        let is_other = !written.is_empty() && !format!("/{written}").ends_with(&format!("/{pages}"));
        let message = format!("edit links lead to `{written}`, and the pages are in `{docs}`");
        let start = it.span.end - (it.text.len() - it.text.rfind(&written)?);
        is_other.then(|| wrong(start..start + written.len(), message, format!("use `{docs}`")))
    });
    let redirects = texts.iter().filter(|it| it.keys.iter().any(|key| key == "redirect_maps"));
    let is_file = |key: &str| [".md", ".markdown", ".ipynb"].iter().any(|ending| key.ends_with(ending));
    let sources = redirects.filter(|it| !is_file(it.key())).map(|it| {
        let message =
            format!("a redirect from `{}` isn't written, because that is no Markdown file", it.key());
        wrong(it.span.clone(), message, format!("use the old file: `{}.md`", it.key().trim_end_matches('/')))
    });
    let named = named.map(|it| {
        missing_file(PlacedText { keys: Vec::new(), text: it.text.clone(), span: it.span.clone() })
    });
    named.chain(sources).chain(edit).collect()
}

/// Files that `conf.py` names: <https://www.sphinx-doc.org/en/master/usage/configuration.html>.
fn of_sphinx(tree: &dyn FileTree, content: &str, text: &str) -> Vec<SettingSlip> {
    let statics: Vec<String> =
        super::sphinx::texts(text, "html_static_path").iter().map(|path| within(content, path)).collect();
    let at_root = content.to_string();
    let of_pages = [&at_root];
    let statics: Vec<&String> = statics.iter().collect();
    let names = [
        ("html_css_files", &statics[..]),
        ("html_js_files", &statics[..]),
        ("html_logo", &of_pages[..]),
        ("html_favicon", &of_pages[..]),
    ];
    // A call may join paths.
    let is_literal = |name: &str| {
        let mut values =
            text.lines().filter_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='));
        values.all(|value| !value.contains('('))
    };
    let found = names.into_iter().filter(|(name, _)| is_literal(name)).flat_map(|(name, places)| {
        let files = super::sphinx::texts(text, name).into_iter();
        files.filter(move |file| !places.is_empty() && file.contains('.') && !exists(tree, places, file))
    });
    // <https://www.sphinx-doc.org/en/master/extdev/appapi.html#sphinx.application.Sphinx.add_css_file>
    let calls = ["add_css_file(", "add_js_file("].into_iter().flat_map(|call| text.match_indices(call));
    let added = calls.filter_map(|(at, call)| {
        let argument = text[at + call.len()..].trim_start();
        literal(argument).map(|length| argument[1..length - 1].to_string())
    });
    let is_missing = |file: &String| !statics.is_empty() && !exists(tree, &statics, file);
    let placed = found.chain(added.filter(is_missing)).filter_map(|file| {
        let start = text.find(&file)?;
        Some(missing_file(PlacedText { keys: Vec::new(), span: start..start + file.len(), text: file }))
    });
    placed.chain(joined_texts(text)).collect()
}

/// Names in a list that Python joins, because there is no comma between them.
fn joined_texts(text: &str) -> Vec<SettingSlip> {
    let is_name = |it: &str| {
        let name = it.trim_matches(['"', '\'']);
        name.len() > 1 && name.len() + 2 == it.len() && !name.contains(char::is_whitespace)
    };
    let starts = text.match_indices(" = [").map(|(at, sign)| at + sign.len());
    let lists = starts.map(|start| start..start + super::sphinx::end_of_list(&text[start - 1..]) - 1);
    let of_list = |list: Range<usize>| {
        let (mut at, mut last, mut found) = (list.start, None, Vec::new());
        while let Some(next) = text[at..list.end].find(['"', '\'', '#']).map(|next| at + next) {
            if text[next..].starts_with('#') {
                at = text[next..list.end].find('\n').map_or(list.end, |length| next + length);
                continue;
            }
            let Some(length) = literal(&text[next..list.end]) else { break };
            let written = &text[next..next + length];
            if let Some((before, end)) = last.replace((written, next + length))
                && text[end..next].trim().is_empty()
                && is_name(before)
                && is_name(written)
            {
                let message =
                    format!("Python joins {before} and {written}, because there is no comma between them");
                found.push(wrong(next..next + length, message, "add the comma"));
            }
            at = next + length;
        }
        found
    };
    lists.flat_map(of_list).collect()
}

/// Types in `defaults`: <https://jekyllrb.com/docs/configuration/front-matter-defaults/>.
fn types_of_jekyll(file: &str, text: &str) -> Vec<SettingSlip> {
    let config = Values::of(file, text);
    let known = config.names("collections").into_iter().chain(["pages", "posts", "drafts"].map(String::from));
    let known: Vec<String> = known.collect();
    let types = placed_texts(file, text).into_iter().filter(|it| {
        let keys: Vec<&str> = it.keys.iter().map(String::as_str).filter(|key| !key.is_empty()).collect();
        keys == ["defaults", "scope", "type"] && !it.text.is_empty()
    });
    let unknown = types.filter(|it| !known.contains(&it.text)).map(|it| {
        let message = format!("no collection has the name `{}`, so these values have no effect", it.text);
        let near = nearest(&it.text, known.iter().map(String::as_str));
        let help = near.map_or_else(
            || format!("use one of `{}`", known.join("`, `")),
            |near| format!("did you mean `{near}`?"),
        );
        wrong(it.span, message, help)
    });
    unknown.collect()
}

/// Parents in menus: <https://gohugo.io/content-management/menus/#nested-menu>.
fn parents_of_menus(texts: &[PlacedText]) -> Vec<SettingSlip> {
    let is_of_menu = |it: &&PlacedText| it.keys.iter().any(|key| key == "menu" || key == "menus");
    let of_menus: Vec<&PlacedText> = texts.iter().filter(is_of_menu).collect();
    let has = |parent: &str| {
        let mut entries = of_menus.iter().filter(|it| matches!(it.key(), "identifier" | "name"));
        entries.any(|it| it.text == parent)
    };
    let unknown = of_menus.iter().filter(|it| it.key() == "parent" && !has(&it.text)).map(|it| {
        let message = format!("no entry of the menu has the identifier `{}`", it.text);
        let names = of_menus.iter().filter(|it| it.key() == "identifier").map(|it| it.text.as_str());
        let near = nearest(&it.text, names.clone());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("use one of `{}`", names.collect::<Vec<_>>().join("`, `")),
        };
        wrong(it.span.clone(), message, help)
    });
    // The pages of a site may be entries, too.
    if of_menus.iter().any(|it| it.key() == "identifier") { unknown.collect() } else { Vec::new() }
}

/// <https://vitepress.dev/reference/default-theme-config>, <https://vitepress.dev/guide/i18n>.
fn of_vitepress(text: &str) -> Vec<SettingSlip> {
    let config = JsValues::of(text);
    let mut found = options::misspelled(text, options::VITEPRESS);
    let providers = config.tables("search").filter_map(|it| it.value("provider"));
    for provider in providers.filter(|it| !["local", "algolia"].contains(&it.as_str())) {
        let message = format!("`{provider}` is no provider of a search, so the site has none");
        found.extend(quoted_in(text, &provider).map(|span| wrong(span, message, "use `local` or `algolia`")));
    }
    // <https://vitepress.dev/reference/default-theme-edit-link>
    let patterns = config.tables("editLink").filter_map(|it| it.value("pattern"));
    for pattern in patterns.filter(|it| it.contains("://") && !it.contains(":path")) {
        let message = "the pattern has no `:path`, so all pages have the same link to edit them".to_string();
        let span = quoted_in(text, &pattern);
        found.extend(span.map(|span| wrong(span, message, "add `:path` in the place of the file's path")));
    }
    for key in config.tables("locales").next().map(|locales| locales.keys()).unwrap_or_default() {
        if key.starts_with('/') || key.ends_with('/') {
            let name = key.trim_matches('/').to_string();
            let message = format!("no page is in the language `{key}`, because a key has no slashes");
            found.extend(quoted_in(text, &key).map(|span| wrong(span, message, format!("use `{name}`"))));
        }
    }
    let children = text.match_indices("children").find(|(at, name)| {
        let after = text[at + name.len()..].trim_start().strip_prefix(':').map(str::trim_start);
        let is_key = text[..*at].trim_end_matches(['"', '\'']).ends_with([' ', '\n', '{', ',', '\t']);
        is_key && after.is_some_and(|it| it.starts_with('['))
    });
    if let Some((at, name)) = children.filter(|_| text.contains("sidebar") && !text.contains(".children")) {
        let message = "VitePress doesn't read `children`, so the group is empty".to_string();
        found.push(wrong(at..at + name.len(), message, "use `items`"));
    }
    found
}

/// Returns the range of a text in quotes.
fn quoted_in(text: &str, wanted: &str) -> Option<Range<usize>> {
    let found = text.match_indices(wanted).find(|(at, _)| {
        let after = &text[at + wanted.len()..];
        text[..*at].ends_with(['"', '\'', '`']) && after.starts_with(['"', '\'', '`'])
    });
    found.map(|(at, _)| at..at + wanted.len())
}

/// <https://starlight.astro.build/reference/configuration/>.
fn of_starlight(tree: &dyn FileTree, site: &str, text: &str) -> Vec<SettingSlip> {
    let config = JsValues::of(text);
    let mut found = Vec::new();
    let key = |name: &str| {
        text.match_indices(name).map(|(at, _)| at).find(|at| {
            let is_key = text[..*at].trim_end().ends_with(['{', ',']);
            is_key && text[at + name.len()..].trim_start().starts_with(':')
        })
    };
    let package = tree.peek(&within(site, "package.json")).unwrap_or_default();
    // A list since 0.33.
    let is_new =
        minor_version(&package, "@astrojs/starlight").is_some_and(|(major, minor)| major > 0 || minor >= 33);
    if let Some(at) = key("social").filter(|_| {
        is_new && config.tables("social").next().is_some_and(|it| !it.keys().contains(&"icon".to_string()))
    }) && text[at..].split_once(':').is_some_and(|(_, value)| value.trim_start().starts_with('{'))
    {
        let message = "`social` is a list since Starlight 0.33, so the build stops".to_string();
        let help = "use `[{ icon: 'github', label: 'GitHub', href: '…' }]`";
        found.push(wrong(at..at + "social".len(), message, help));
    }
    // Options of Astro itself.
    let call = text.find("starlight(").map(|at| at + "starlight".len());
    let inside = call.and_then(|at| Some(at..at + in_parentheses(&text[at..])?));
    for name in ["redirects", "base", "site", "output", "trailingSlash"] {
        let at = key(name).filter(|at| inside.as_ref().is_some_and(|it| it.contains(at)));
        let is_outermost = |at: &usize| depth(&text[inside.as_ref().map_or(0, |it| it.start)..*at]) == 2;
        if let Some(at) = at.filter(is_outermost) {
            let message = format!("Starlight has no option `{name}`, so the build stops");
            found.push(wrong(
                at..at + name.len(),
                message,
                "move it out of `starlight(…)`: it is an option of Astro",
            ));
        }
    }
    let tags: Vec<String> = config.texts_of("lang").into_iter().map(|(tag, _)| tag).collect();
    for written in config.tables("translations").flat_map(|it| it.keys()) {
        let meant = tags.iter().find(|tag| tag.eq_ignore_ascii_case(&written) && **tag != written);
        if let Some(meant) = meant.filter(|_| !tags.contains(&written)) {
            let message = format!("no language has the tag `{written}`, so the label isn't translated");
            let span = quoted_in(text, &written);
            found.extend(span.map(|span| wrong(span, message, format!("did you mean `{meant}`?"))));
        }
    }
    found
}

/// Returns the length of an expression in parentheses.
fn in_parentheses(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// Returns the number of open brackets at the end of a text.
fn depth(text: &str) -> i32 {
    text.bytes().map(|byte| i32::from(b"({[".contains(&byte)) - i32::from(b")}]".contains(&byte))).sum()
}

/// Returns the first two numbers of a package's version.
fn minor_version(package: &str, name: &str) -> Option<(u32, u32)> {
    let rest = package.split_once(&format!("\"{name}\""))?.1;
    let version = rest.split('"').nth(1)?.trim_start_matches(['^', '~', '>', '=', 'v', ' ']);
    let mut numbers = version.split('.').map(|it| it.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Files of categories and versions: <https://docusaurus.io/docs/sidebar/autogenerated#category-item-metadata>,
/// <https://docusaurus.io/docs/versioning>.
fn of_docusaurus(tree: &dyn FileTree, repository: &Repository) -> Vec<(String, Vec<SettingSlip>)> {
    const TYPES: [&str; 2] = ["doc", "generated-index"];
    const KEYS: [&str; 9] = [
        "className",
        "collapsed",
        "collapsible",
        "customProps",
        "description",
        "key",
        "label",
        "link",
        "position",
    ];
    let content = &repository.content.path;
    let of_categories = categories(tree, content).into_iter().map(|(file, text)| {
        let texts = placed_texts(&file, &text);
        let first = |it: &PlacedText| it.keys.first().cloned().unwrap_or_default();
        let keys = texts.iter().filter(|it| !KEYS.contains(&&*first(it))).map(|it| {
            let name = first(it);
            let help = match nearest(&name, KEYS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of `{}`", KEYS.join("`, `")),
            };
            wrong(
                it.span.clone(),
                format!("a category can't have the key `{name}`, so the build stops"),
                help,
            )
        });
        let keys: Vec<SettingSlip> = keys.collect();
        let types = texts.into_iter().filter(|it| it.keys == ["link", "type"]);
        let unknown = types.filter(|it| !TYPES.contains(&it.text.as_str())).map(|it| {
            let message = format!("a link can't have the type `{}`, so the build stops", it.text);
            wrong(it.span, message, "use `doc` or `generated-index`")
        });
        (file.clone(), unknown.chain(keys).collect::<Vec<_>>())
    });
    let versions = within(&repository.site, "versions.json");
    let has_versions = tree.is_folder(&within(&repository.site, "versioned_docs"));
    let of_versions = tree.peek(&versions).filter(|_| has_versions).map(|text| {
        let listed = placed_texts("versions.json", &text).into_iter();
        let folder =
            |it: &PlacedText| within(&repository.site, &format!("versioned_docs/version-{}", it.text));
        let listed: Vec<PlacedText> = listed.collect();
        let folders = tree.names(&within(&repository.site, "versioned_docs")).into_iter();
        let of_folders: Vec<String> =
            folders.filter_map(|name| Some(name.strip_prefix("version-")?.to_string())).collect();
        let is_listed = |version: &str| listed.iter().any(|it| it.text == version);
        let others = of_folders.iter().filter(|version| !is_listed(version));
        // The only folder of no version is meant.
        let meant = only(others);
        let missing = listed.iter().filter(|it| !tree.is_folder(&folder(it))).map(|it| {
            let message =
                format!("the version `{}` has no folder `{}`, so the build stops", it.text, folder(it));
            let help = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "add the folder, or remove the version".to_string(),
            };
            wrong(it.span.clone(), message, help)
        });
        (versions.clone(), missing.collect::<Vec<_>>())
    });
    let listed = tree.peek(&versions).unwrap_or_default();
    let of_config = repository.config(tree).map(|(file, text)| {
        let versions = unlisted_versions(&text, &listed);
        (file, [versions, options::misspelled(&text, options::DOCUSAURUS)].concat())
    });
    let sidebars = repository.navigation.as_ref().and_then(|file| Some((file.clone(), tree.peek(file)?)));
    let of_sidebars = sidebars.map(|(file, text)| {
        // A sidebar belongs to one of several sets of pages.
        let sets = [content].into_iter().chain(repository.sets.iter().map(|it| &it.path));
        let sets: Vec<&String> = sets.collect();
        let folders = JsValues::of(&text).texts_of("dirName").into_iter();
        let missing = folders.filter(|(folder, _)| !exists(tree, &sets, folder));
        let missing = missing.map(|(folder, span)| {
            let message = format!("`{folder}` is no folder of pages, so the build stops");
            wrong(span, message, format!("use the path of a folder in `{content}`"))
        });
        (file, missing.collect::<Vec<_>>())
    });
    of_categories.chain(of_versions).chain(of_config).chain(of_sidebars).collect()
}

/// Returns the versions with options that `versions.json` doesn't list. Without any that it lists, they belong to another plugin:
/// <https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#configuration>.
fn unlisted_versions(config: &str, listed: &str) -> Vec<SettingSlip> {
    let listed: Vec<String> = placed_texts("versions.json", listed).into_iter().map(|it| it.text).collect();
    let is_known = |name: &String| name == "current" || listed.contains(name);
    let of_table = |table: JsValues| {
        let unknown = table.keys().into_iter().filter(|name| !is_known(name));
        let found = unknown.filter_map(|name| {
            let start = config.match_indices(&name).map(|(at, _)| at);
            let start = start.filter(|at| config[..*at].ends_with(['"', '\''])).last()?;
            let message = format!("`versions.json` doesn't list the version `{name}`, so the build stops");
            let help = match nearest(&name, listed.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of `{}`", listed.join("`, `")),
            };
            Some(wrong(start..start + name.len(), message, help))
        });
        found.collect::<Vec<_>>()
    };
    let has_banner =
        |table: &JsValues| ["banner", "label", "badge"].iter().any(|key| table.value(key).is_some());
    let tables: Vec<JsValues> = JsValues::of(config).tables("versions").filter(has_banner).collect();
    if listed.is_empty() || tables.len() != 1 {
        Vec::new()
    } else {
        tables.into_iter().flat_map(of_table).collect()
    }
}

/// <https://www.mintlify.com/docs/organize/settings>, <https://www.mintlify.com/docs/organize/navigation>.
fn of_mintlify(file: &str, text: &str) -> Vec<SettingSlip> {
    #[rustfmt::skip]
    const THEMES: [&str; 10] = [
        "almond", "aspen", "linden", "luma", "maple", "mint", "palm", "prism", "sequoia", "willow",
    ];
    let config = Values::of(file, text);
    let texts = placed_texts(file, text);
    let mut found = Vec::new();
    for it in &texts {
        let keys: Vec<&str> = it.keys.iter().map(String::as_str).filter(|key| !key.is_empty()).collect();
        let bare = it.text.strip_suffix(".mdx").or_else(|| it.text.strip_suffix(".md"));
        match (&keys[..], bare) {
            (["theme"], _) if file.ends_with("docs.json") && !THEMES.contains(&it.text.as_str()) => {
                let message = format!("`{}` is no theme", it.text);
                found.push(wrong(it.span.clone(), message, format!("use one of `{}`", THEMES.join("`, `"))));
            }
            ([.., "pages"], Some(bare)) => {
                let message = format!(
                    "the navigation has no page `{}`, because a page has no extension there",
                    it.text
                );
                found.push(wrong(it.span.clone(), message, format!("use `{bare}`")));
            }
            _ => {}
        }
    }
    let lacks = |it: &&serde_json::Value| it.get("source").is_none() || it.get("destination").is_none();
    if let Some(redirect) = config.list_at("redirects").into_iter().flatten().find(lacks) {
        let first = redirect
            .as_object()
            .and_then(|it| it.keys().find(|key| *key != "source" && *key != "destination"));
        let from = text.find("\"redirects\"").unwrap_or(0);
        let span = first.and_then(|key| {
            let at = from + text[from..].find(&format!("\"{key}\""))? + 1;
            Some(at..at + key.len())
        });
        let message = "the redirect has no `source` or no `destination`".to_string();
        found.extend(span.map(|span| wrong(span, message, "use these two keys")));
    }
    found
}

/// Separators without their end in lists of Fumadocs: <https://fumadocs.dev/docs/headless/page-conventions#pages>.
fn separators(tree: &dyn FileTree, content: &str) -> Vec<(String, Vec<SettingSlip>)> {
    let lists = tree.files(content).into_iter().filter(|file| site_path::file_name(file) == "meta.json");
    let of_list = |file: String| {
        let file = within(content, &file);
        let texts = placed_texts("meta.json", &tree.peek(&file)?);
        let is_open =
            |it: &PlacedText| it.text.starts_with("---") && it.text.len() > 3 && !it.text.ends_with("---");
        let open = texts.into_iter().filter(is_open).map(|it| {
            let message = format!("{} has no `---` at its end, so the navigation lacks it", quoted(&it.text));
            wrong(it.span.clone(), message, format!("use `{}---`", it.text))
        });
        Some((file, open.collect::<Vec<_>>()))
    };
    lists.filter_map(of_list).collect()
}

/// Chapters after the last unnumbered one: <https://rust-lang.github.io/mdBook/format/summary.html#structure>.
fn chapters(text: &str) -> Vec<SettingSlip> {
    let (mut start, mut has_list, mut is_after) = (0, false, false);
    for line in text.split_inclusive('\n') {
        let place = start..start + line.trim_end().len();
        start += line.len();
        let is_item = line.trim_start().starts_with(['-', '*']) && line.contains("](");
        if is_item && is_after {
            let message = "mdBook stops here, because an unnumbered chapter is above this list".to_string();
            return vec![wrong(place, message, "move the unnumbered chapter to the end")];
        }
        let is_apart = line.trim_start().starts_with(['-', '*']) && line.contains("] (");
        if is_apart {
            let message = "mdBook stops here, because the item is no link: a space is before `(`".to_string();
            return vec![wrong(place, message, "remove the space")];
        }
        has_list |= is_item;
        is_after |= has_list && line.starts_with('[');
    }
    Vec::new()
}

/// Folders whose `index.md` makes all other pages its resources: <https://gohugo.io/content-management/page-bundles/>.
fn bundles(tree: &dyn FileTree, content: &str) -> Vec<(String, Vec<SettingSlip>)> {
    let files: Vec<String> = tree.files(content).into_iter().filter(|file| file.ends_with(".md")).collect();
    let indices = files.iter().filter(|file| site_path::file_name(file) == "index.md");
    let of_index = |file: &String| {
        let folder = site_path::parent(file);
        let is_beside = |it: &&String| {
            let name = site_path::file_name(it);
            site_path::parent(it) == folder && !name.starts_with("index.") && !name.starts_with('_')
        };
        let file = within(content, file);
        let text = tree.peek(&file).filter(|text| !text.contains("headless"))?;
        let has_title = |it: &&String| {
            let page = tree.peek(&within(content, it)).unwrap_or_default();
            Values::of_page(&page).value("title").is_some()
        };
        let lost: Vec<&str> =
            files.iter().filter(is_beside).filter(has_title).map(|it| site_path::file_name(it)).collect();
        let first = lost.first()?;
        let others = match lost.len() - 1 {
            0 => String::new(),
            1 => " and one other".to_string(),
            more => format!(" and {more} others"),
        };
        let message = format!(
            "`index.md` makes the folder a leaf bundle, so Hugo publishes no page for `{first}`{others}"
        );
        let end = text.lines().next().map_or(0, str::len);
        Some((file, vec![wrong(0..end, message, "rename it to `_index.md`")]))
    };
    indices.filter_map(of_index).collect()
}

/// Redirects of `sphinxext-rediraffe` and `sphinx-reredirects`, whose targets are documents and relative addresses:
/// <https://sphinxext-rediraffe.readthedocs.io/>, <https://documatt.com/sphinx-reredirects/usage/>.
fn redirects_of_sphinx(tree: &dyn FileTree, content: &str, text: &str) -> Vec<SettingSlip> {
    let table = |name: &str| {
        let start = text.match_indices(name).find_map(|(at, _)| {
            let is_first = at == 0 || text[..at].ends_with('\n');
            let value = text[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
            (is_first && value.starts_with('{')).then(|| text.len() - value.len())
        })?;
        Some(start..start + text[start..].find('}')?)
    };
    let mut found = Vec::new();
    for name in ["rediraffe_redirects", "redirects"] {
        let Some(place) = table(name) else { continue };
        // One redirect may lead to another.
        let redirected: SortedSet<&str> =
            quoted_pairs(text, place.clone()).map(|(from, ..)| without_ending(from)).collect();
        let mut lost = Vec::new();
        for (from, to, at) in quoted_pairs(text, place) {
            let path = to.split(['#', '?']).next().unwrap_or_default();
            // Targets of `redirects` are relative to the address of the old document.
            let document = match name {
                "redirects" => {
                    let written = path.strip_suffix(".html").filter(|it| !it.contains(':'));
                    let Some(written) = written else { continue };
                    let folder = if written.starts_with('/') { "" } else { site_path::parent(from) };
                    site_path::below_root(&format!("{folder}/{written}"))
                }
                _ => Some(without_ending(path).to_string()),
            };
            let is_lost = |it: &String| !redirected.contains(&**it) && !is_document(tree, content, it);
            lost.extend(
                document.filter(|it| !path.contains("://") && is_lost(it)).map(|it| (it, (from, to, at))),
            );
        }
        found.extend(lost_redirects(tree, content, lost));
    }
    found
}

/// The redirects of `sphinxext-rediraffe` in a file, one per line: `"old.md" "new.md"`.
fn listed_redirects(tree: &dyn FileTree, content: &str, text: &str) -> Option<(String, Vec<SettingSlip>)> {
    let name = super::sphinx::texts(text, "rediraffe_redirects").into_iter().next()?;
    let file = within(content, &name);
    let text = tree.peek(&file)?;
    let is_lost = |to: &str| !to.contains("://") && !is_document(tree, content, without_ending(to));
    let lost = quoted_pairs(&text, 0..text.len()).filter(|(_, to, _)| is_lost(to));
    let lost = lost.map(|it| (without_ending(it.1).to_string(), it)).collect();
    Some((file, lost_redirects(tree, content, lost)))
}

/// Returns the lines with two quoted texts, and the position of the second.
fn quoted_pairs(text: &str, place: Range<usize>) -> impl Iterator<Item = (&str, &str, usize)> {
    let mut start = place.start;
    text[place].split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let texts: Vec<&str> = line.split(['"', '\'']).skip(1).step_by(2).collect();
        let [from, to] = texts[..] else { return None };
        Some((from, to, at + line.rfind(to)?)).filter(|_| !line.trim_start().starts_with('#'))
    })
}

fn without_ending(path: &str) -> &str {
    let endings = [".md", ".rst", ".ipynb"];
    endings.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

/// Whether a document exists. In the built site, its page may be the index of a folder, and static files have a folder of their own.
fn is_document(tree: &dyn FileTree, content: &str, document: &str) -> bool {
    let document = document
        .strip_suffix("/index")
        .filter(|it| !tree.is_folder(&within(content, it)))
        .unwrap_or(document);
    if document.starts_with("_static/") {
        return true;
    }
    let files = ["md", "rst", "ipynb", "txt"].map(|ending| format!("{document}.{ending}"));
    document.is_empty() || files.iter().any(|file| exists(tree, &[&content.to_string()], file))
}

/// Returns the findings for redirects to documents that don't exist: an old path, a new one, and the position of the latter. An
/// extension writes a folder that isn't here and that several lead to.
fn lost_redirects(
    tree: &dyn FileTree,
    content: &str,
    lost: Vec<(String, (&str, &str, usize))>,
) -> Vec<SettingSlip> {
    let folder = |document: &str| site_path::parent(document).to_string();
    let mut counts: SortedMap<String, usize> = SortedMap::new();
    for (document, _) in &lost {
        *counts.entry(folder(document)).or_default() += 1;
    }
    let is_written = |folder: &str| counts[folder] > 1 && !tree.is_folder(&within(content, folder));
    let files = if lost.is_empty() { Vec::new() } else { tree.files(content) };
    let found = lost.into_iter().filter(|(document, _)| !is_written(&folder(document)));
    let slip = |(from, to, at): (&str, &str, usize)| {
        let message = format!("the redirect from `{from}` leads to `{to}`, which doesn't exist");
        let near = nearest(to, files.iter().map(String::as_str));
        let near = near.map(|near| format!("did you mean `{near}`?"));
        wrong(at..at + to.len(), message, near.unwrap_or_else(|| "use the path of a document".to_string()))
    };
    found.map(|(_, redirect)| slip(redirect)).collect()
}
