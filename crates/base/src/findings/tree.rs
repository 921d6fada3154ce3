//! Rules for files, file names, and symbolic links.

use super::Rule;
use super::Severity::{Error, Warning};

pub(super) const OUTSIDE_SYMLINK: Rule = Rule {
    summary: "symbolic link points outside the site",
    why: "Following the link would make the site depend on your machine, and a contributor could use it to publish any file. Stepkin doesn't follow it.",
    example: "static/keys -> /etc/ssl",
    instead: "static/keys/, a folder with copies of the files",
    fix: "Copy the files into the site, or allow the target with `follow` under `[source]` in `stepkin.toml`.",
    ..Rule::new("outside-symlink", Error)
};

pub(super) const BROKEN_SYMLINK: Rule = Rule {
    summary: "symbolic link is broken or points back to itself",
    why: "The file or folder that the link points to is missing from the site.",
    example: "content/quickstart/web/install.md -> ../ios/instal.md",
    instead: "content/quickstart/web/install.md -> ../ios/install.md",
    fix: "Point the link to an existing file or folder, or remove it.",
    ..Rule::new("broken-symlink", Error)
};

pub(super) const SECRET_FILE: Rule = Rule {
    summary: "file looks like a secret and is not published",
    why: "A published password or private key is no longer secret. Stepkin doesn't publish the file.",
    example: "static/.env, static/id_rsa, or a `.pem` file that contains a private key",
    fix: "Move the file out of the site. If it has been published before, replace the password or key.",
    ..Rule::new("secret-file", Warning)
};

pub(super) const UNREAD_PAGE: Rule = Rule {
    summary: "page is ignored because of its file extension",
    why: "The page is missing from the site.",
    example: "content/install.mdx, content/notes.markdown, content/INSTALL.MD",
    instead: "content/install.md, content/notes.md",
    fix: "Rename the file so that it ends in `.md`. If it is a download, move it to `static`. In the repository of another generator, set `kind` and `content` under `[source]`.",
    ..Rule::new("unread-page", Warning)
};

pub(super) const UNREACHABLE_PAGE: Rule = Rule {
    summary: "page is not in the navigation and nothing links to it",
    why: "The page is published, but readers can't find it. This rule applies only to sites of other generators; Stepkin's own navigation includes every page.",
    example: "docs/export.md, which is neither in the `nav` of mkdocs.yml nor linked from a page that is",
    fix: "Add the page to the navigation, link to it, or hide it on purpose: `unlisted: true` (Docusaurus), `not_in_nav` (MkDocs), `srcExclude` (VitePress), or `draft: true` (Starlight).",
    ..Rule::new("unreachable-page", Warning)
};

pub(super) const SPECIAL_FILE: Rule = Rule {
    summary: "pipe, socket, or device file is skipped",
    why: "Reading a pipe, socket, or device could block forever, and there is nothing to publish.",
    example: "static/socket, created by a server that ran in the folder",
    fix: "Remove it.",
    ..Rule::new("special-file", Warning)
};

pub(super) const CONFUSABLE_NAMES: Rule = Rule {
    summary: "file names differ only in case or Unicode encoding",
    why: "On macOS and Windows, these names refer to the same file, so one file overwrites the other.",
    example: "content/quickstart/web/Install.md\ncontent/quickstart/web/install.md",
    instead: "content/quickstart/web/install.md",
    fix: "Rename one of the files, or delete it if it is a duplicate.",
    ..Rule::new("confusable-names", Warning)
};

pub(super) const INVALID_DATA: Rule = Rule {
    summary: "configuration or list of pages is not valid JSON, YAML, or TOML",
    why: "The generator stops, or ignores the file. This rule applies only to sites of other generators.",
    example: "{\"pages\": [\"install\", \"connect\",]}",
    instead: "{\"pages\": [\"install\", \"connect\"]}",
    fix: "Correct the file at this place, or right before it.",
    ..Rule::new("invalid-data", Error)
};
