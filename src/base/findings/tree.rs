//! Files and links of the tree.

use super::Rule;
use super::Severity::{Error, Warning};

pub(super) const OUTSIDE_SYMLINK: Rule = Rule {
    summary: "a symbolic link leads out of the site",
    why: "What a site is made from would depend on the machine, and a link in a contribution could publish any file of it; so the link is not followed.",
    example: "static/keys -> /etc/ssl",
    cure: "copy what is needed into the site, or allow the target in stepkin.toml with `follow` below `[source]`.",
    ..Rule::new("outside-symlink", Error)
};

pub(super) const BROKEN_SYMLINK: Rule = Rule {
    summary: "a symbolic link leads to nothing, or back to where it is",
    why: "What the link stands for is missing on the site.",
    example: "content/quickstart/web/install.md -> ../ios/instal.md",
    cure: "let the link lead to a file or folder of the site, or remove it.",
    ..Rule::new("broken-symlink", Error)
};

pub(super) const SECRET_FILE: Rule = Rule {
    summary: "a file to be published looks like a secret",
    why: "Once published, a password or a private key is known to everybody; so the file is left out.",
    example: "static/.env, static/id_rsa, a `.pem` file that holds a private key",
    cure: "move the file out of the site; where it was published before, replace the password or key in it.",
    ..Rule::new("secret-file", Warning)
};

pub(super) const UNREAD_PAGE: Rule = Rule {
    summary: "pages are not read because their names do not end as pages of the site do",
    why: "Its text is missing on the site, and published raw it would help nobody.",
    example: "content/install.mdx, content/notes.markdown, content/INSTALL.MD",
    cure: "rename it, so that it ends in `.md`; a file to be downloaded as it is belongs into `static`. In the repository of another generator, set `kind` and `content` in `[source]`.",
    ..Rule::new("unread-page", Warning)
};

pub(super) const UNREACHABLE_PAGE: Rule = Rule {
    summary: "the generator's list leaves out a page that nothing links to",
    why: "It is published, and readers of the site never find it. Sites of Stepkin have no such pages: what is made of folders leads to each.",
    example: "docs/export.md, where `nav` of mkdocs.yml has no `export.md` and no page that is in it links there",
    cure: "add it to the list, link to it from a page that readers find, or leave it out on purpose: by `unlisted: true` in Docusaurus, `not_in_nav` in MkDocs, `srcExclude` in VitePress, `draft: true` in Starlight.",
    ..Rule::new("unreachable-page", Warning)
};

pub(super) const SPECIAL_FILE: Rule = Rule {
    summary: "a pipe, a socket or a device is among the files",
    why: "Reading it could wait for ever, and there is nothing to publish; so it is left out.",
    example: "static/socket, made by a server that was started in the folder",
    cure: "remove it.",
    ..Rule::new("special-file", Warning)
};

pub(super) const CONFUSABLE_NAMES: Rule = Rule {
    summary: "names differ only in case or in the encoding of their letters",
    why: "On systems that take the names for one, such as macOS and Windows, one of the files replaces the other.",
    example: "content/quickstart/web/Install.md and content/quickstart/web/install.md",
    cure: "rename one of them, or remove it if it is the same.",
    ..Rule::new("confusable-names", Warning)
};
