//! Rules for links and images.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const MISSING_PAGE: Rule = Rule {
    summary: "link to a page that doesn't exist",
    why: "Readers who follow the link get an error page.",
    example: "[Install](/quickstart/web/instal/)",
    instead: "[Install](/quickstart/web/install/)",
    fix: "Link to an existing page. If another program builds the page, add its URL to the file that `routes` under `[check]` refers to. If the page is on another site, update its link map with `stepkin maps update`.",
    is_fixable: true,
    ..Rule::new("missing-page", Error)
};

pub(super) const MISSING_ANCHOR: Rule = Rule {
    summary: "link to an anchor that doesn't exist",
    why: "The link goes to the top of the page instead of the section.",
    example: "[Keys](/quickstart/web/install/#kyes)",
    instead: "[Keys](/quickstart/web/install/#keys)",
    fix: "Use the ID of a heading or setting on that page.",
    ..Rule::new("missing-anchor", Error)
};

pub(super) const MISSING_FILE: Rule = Rule {
    summary: "link to a file, or import of a module, that doesn't exist",
    why: "Readers can't download or load the file, and a bundler stops at the import of a missing module.",
    example: "[Manual](/files/manaul.pdf)",
    instead: "[Manual](/files/manual.pdf)",
    fix: "Add the file to `static`, or correct its name.",
    ..Rule::new("missing-file", Error)
};

pub(super) const MISSING_IMAGE: Rule = Rule {
    summary: "image file doesn't exist",
    why: "Readers see a broken image.",
    example: "![The form](/images/login-butten.png)",
    instead: "![The form](/images/login-button.png)",
    fix: "Add the image to `static`, or correct its name.",
    ..Rule::new("missing-image", Error)
};

pub(super) const WRONG_CASE: Rule = Rule {
    summary: "link or image path doesn't match the case of the file name",
    why: "The link works on your computer but fails on most web servers, which are case-sensitive.",
    example: "![The form](/images/Login.PNG)",
    instead: "![The form](/images/login.png)",
    fix: "Use the exact name of the file.",
    is_fixable: true,
    ..Rule::new("wrong-case", Error)
};

pub(super) const EMPTY_LINK: Rule = Rule {
    summary: "link or image has no target",
    why: "The link goes nowhere, or the image is blank.",
    example: "[JSON reference]()",
    instead: "[JSON reference](/reference/json/)",
    fix: "Add a target, or remove the link or image.",
    ..Rule::new("empty-link", Error)
};

pub(super) const MALFORMED_LINK: Rule = Rule {
    summary: "link or image target is not a valid path or URL",
    why: "The browser looks for a different URL than the one you meant.",
    example: "[SDK](developers/sdk/)\n[Docs](www.example.com)\n[Mail](me@example.com)\n[Log](C:\\Users\\me\\log.txt)",
    instead: "[SDK](/developers/sdk/)\n[Docs](https://www.example.com)\n[Mail](mailto:me@example.com)\n[Log](/files/log.txt)",
    fix: "Start links within this site with `/` or `../`, other sites with `https://`, and email addresses with `mailto:`. Put labels of definitions in square brackets. Move local files to `static/`.",
    is_fixable: true,
    ..Rule::new("malformed-link", Error)
};

pub(super) const UNSAFE_LINK: Rule = Rule {
    summary: "link or redirect would run a script",
    why: "Following the link would run code in the reader's browser, on your site. Stepkin publishes the page without the link.",
    example: "[Log in](javascript:login())",
    instead: "[Log in](/login/)",
    fix: "Link to a page or file.",
    ..Rule::new("unsafe-link", Error)
};

pub(super) const MOVED_PAGE: Rule = Rule {
    summary: "link to a page that has moved",
    why: "Readers are redirected, which is slower and works only as long as the redirect exists.",
    example: "[Install](/old/install/)",
    instead: "[Install](/install/)",
    fix: "Use the new URL.",
    is_fixable: true,
    ..Rule::new("moved-page", Warning)
};

pub(super) const ABSOLUTE_INTERNAL_LINK: Rule = Rule {
    summary: "absolute link to a page on this site",
    why: "The link leaves a preview or copy of the site, and breaks if the domain changes.",
    example: "[Install](https://docs.example.com/install/)",
    instead: "[Install](/install/)",
    fix: "Use the path only: `/install/`.",
    ..Rule::new("absolute-internal-link", Info)
};

pub(super) const OPEN_REGION: Rule = Rule {
    summary: "links to a folder in which the repository publishes no file",
    why: "Another program or repository may publish these pages, so Stepkin can't check whether the links work.",
    example: "four links such as [Color](/api/color/), and no folder `api`",
    fix: "Add `/api/*` to the file that `routes` under `[check]` refers to, or set the content folder under `[source]`.",
    ..Rule::new("open-region", Info)
};

pub(super) const CROSS_PLATFORM_LINK: Rule = Rule {
    summary: "link to another platform's version of a step",
    why: "Readers of one platform end up on a page for another and continue there.",
    example: "[step 3](/quickstart/web/connect/), on an Android page",
    instead: "[step 3](/quickstart/android/connect/)",
    fix: "Link to the page for the same platform. If the link is intended, mention the other platform in the link text.",
    ..Rule::new("cross-platform-link", Warning)
};

pub(super) const DEAD_LINK: Rule = Rule {
    summary: "external link is broken",
    why: "Readers get an error page on another site.",
    example: "[Guide](https://example.com/gone), with `check --external`",
    fix: "Update or remove the link.",
    ..Rule::new("dead-link", Error)
};

pub(super) const UNVERIFIED_LINK: Rule = Rule {
    summary: "external link could not be checked",
    why: "After a timeout or a refusal, it is unknown whether the link works in a browser.",
    example: "a host that answers automated requests with 403, with `check --external`",
    fix: "Open the link in a browser. If the host always blocks automated requests, add it to `[[check.ignore]]`.",
    ..Rule::new("unverified-link", Info)
};

pub(super) const UNUSABLE_MAP: Rule = Rule {
    summary: "link map is missing, outdated, or unreadable",
    why: "Stepkin can't check links to that site.",
    example: "[[check.site]]\nurl = \"https://sdk.example.com/\"\nmap = \"maps/sdk.json\" # no such file",
    fix: "Download the map with `stepkin maps update`.",
    ..Rule::new("unusable-map", Warning)
};

pub(super) const REDIRECT_LOOP: Rule = Rule {
    summary: "redirects form a loop",
    why: "Browsers stop with an error.",
    example: "a.md: `redirect: /b/`\nb.md: `redirect: /a/`",
    instead: "a.md: `redirect: /c/`\nb.md: `redirect: /c/`",
    fix: "Point the redirect to a page.",
    ..Rule::new("redirect-loop", Error)
};

pub(super) const INVALID_IMAGE: Rule = Rule {
    summary: "image is damaged or doesn't match its file extension",
    why: "Some browsers and tools refuse to show the file.",
    example: "photo.png that contains a JPEG",
    instead: "photo.jpg",
    fix: "Save the image again, or change the file extension to match its format.",
    ..Rule::new("invalid-image", Warning)
};

pub(super) const MISSING_ALT: Rule = Rule {
    summary: "image has no alt text",
    why: "Screen readers and search engines can't describe the image.",
    example: "![](/images/login.png)",
    instead: "![The login form](/images/login.png)",
    fix: "Describe the image. For a decorative image, use `<img alt=\"\">`.",
    ..Rule::new("missing-alt", Info)
};

pub(super) const OTHER_PLATFORM_IMAGE: Rule = Rule {
    summary: "image belongs to another platform",
    why: "Readers see a screenshot of another platform.",
    example: "![Inputs](/images/web/inputs.png), on an Android page",
    instead: "![Inputs](/images/android/inputs.png)",
    fix: "Use a screenshot of this platform.",
    ..Rule::new("other-platform-image", Warning)
};

pub(super) const UNUSED_IMAGE: Rule = Rule {
    summary: "image is not used on any page",
    why: "The image is published but never shown.",
    example: "static/images/old.png, which no page uses",
    fix: "Delete the image, or use it on a page.",
    ..Rule::new("unused-image", Info)
};

pub(super) const DUPLICATE_IMAGE: Rule = Rule {
    summary: "the same image is stored in several files",
    why: "Readers download the same image several times, and updates miss the copies.",
    example: "web/connect.png and ios/connect.png with the same bytes",
    instead: "_shared/connect.png",
    fix: "Keep one copy and use it on every page.",
    ..Rule::new("duplicate-image", Info)
};

pub(super) const AVIF_UNAVAILABLE: Rule = Rule {
    summary: "AVIF is enabled but this build of Stepkin can't encode it",
    why: "Stepkin publishes WebP only, so the output differs from a build with AVIF support.",
    example: "[images]\navif = true",
    fix: "Reinstall Stepkin with `--features avif`, or remove `avif = true`.",
    ..Rule::new("avif-unavailable", Warning)
};
