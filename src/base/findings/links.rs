//! Links and images.

use super::Rule;
use super::Severity::{Error, Info, Warning};

pub(super) const MISSING_PAGE: Rule = Rule {
    summary: "a link leads to a page that does not exist",
    why: "Readers who follow the link meet an error page.",
    example: "[Install](/quickstart/web/instal/)",
    cure: "write the address of a page that exists; list addresses that are built elsewhere in the file of `[check] routes`; fetch the map of another site again with `stepkin maps update`.",
    is_mended: true,
    ..Rule::new("missing-page", Error)
};

pub(super) const MISSING_ANCHOR: Rule = Rule {
    summary: "a link leads to a place that its page does not have",
    why: "The link leads to the top of the page instead of the place it promises.",
    example: "[Keys](/quickstart/web/install/#kyes)",
    cure: "write the id of a heading or setting of that page.",
    ..Rule::new("missing-anchor", Error)
};

pub(super) const MISSING_FILE: Rule = Rule {
    summary: "a link or element names a file that does not exist",
    why: "The download or script is not there.",
    example: "[Manual](/files/manual.pdf)",
    cure: "add the file to `static`, or correct its name.",
    ..Rule::new("missing-file", Error)
};

pub(super) const MISSING_IMAGE: Rule = Rule {
    summary: "an image does not exist",
    why: "Readers see a broken picture.",
    example: "![The form](/images/login-butten.png)",
    cure: "add the image to `static`, or correct its name.",
    ..Rule::new("missing-image", Error)
};

pub(super) const WRONG_CASE: Rule = Rule {
    summary: "a target differs in case from what exists",
    why: "It works on the author's machine, and fails on most web servers.",
    example: "![The form](/images/Login.PNG) for /images/login.png",
    cure: "write the name as the file has it.",
    is_mended: true,
    ..Rule::new("wrong-case", Error)
};

pub(super) const EMPTY_TARGET: Rule = Rule {
    summary: "a link or image names nothing",
    why: "The link leads nowhere, or the image shows nothing.",
    example: "[JSON reference]()",
    cure: "write the address, or take the markup away.",
    ..Rule::new("empty-target", Error)
};

pub(super) const MALFORMED_TARGET: Rule = Rule {
    summary: "a target is no address: it lacks its first slash, its scheme or a `../`, or is a path of one computer",
    why: "The browser looks for another address than the one that is meant.",
    example: "[SDK](developers/sdk/), [Docs](www.example.com), [Mail](me@example.com), [Log](C:\\Users\\me\\log.txt)",
    cure: "begin with a slash for this site, with `https://` for another, with `mailto:` for a mail address; put files of yours into `static/`.",
    is_mended: true,
    ..Rule::new("malformed-target", Error)
};

pub(super) const UNSAFE_TARGET: Rule = Rule {
    summary: "a link or redirect would run a program in the reader's browser",
    why: "Whoever follows it runs what its author wrote there, on your site and with a reader's rights; the page is published without it.",
    example: "[Log in](javascript:login()), redirect: \"data:text/html,…\"",
    cure: "write the address of a page or a file.",
    ..Rule::new("unsafe-target", Error)
};

pub(super) const MOVED_PAGE: Rule = Rule {
    summary: "a link leads to a former address",
    why: "Readers are sent on for as long as the redirect stands, and wait twice.",
    example: "[Install](/former/install/)",
    cure: "write the present address.",
    is_mended: true,
    ..Rule::new("moved-page", Warning)
};

pub(super) const OWN_HOST_LINK: Rule = Rule {
    summary: "a link writes out the site's own host",
    why: "It leaves a preview or a copy of the site for the published one, and breaks when the host changes.",
    example: "[Install](https://docs.example.com/install/)",
    cure: "write the address alone: `/install/`.",
    ..Rule::new("own-host-link", Info)
};

pub(super) const OPEN_REGION: Rule = Rule {
    summary: "links to a folder where no file of the repository is published",
    why: "Another program or repository may publish these pages, so Stepkin cannot tell whether the links work.",
    example: "four links such as [Color](/api/color/), and no folder `api`",
    cure: "add `/api/*` to the file set as `routes` in `[check]`, or set the source folder in `[source]`.",
    ..Rule::new("open-region", Info)
};

pub(super) const LEAVES_PLATFORM: Rule = Rule {
    summary: "a link leads to another platform's page of the same step",
    why: "A reader on Android suddenly reads about the web, and goes on there.",
    example: "on an Android page: [step 3](/quickstart/web/connect/)",
    cure: "link to the page of the same platform, or name the other platform in the link's text.",
    ..Rule::new("leaves-platform", Warning)
};

pub(super) const DEAD_LINK: Rule = Rule {
    summary: "another site has nothing at a link's address",
    why: "Readers meet an error page on another site.",
    example: "[Guide](https://example.com/gone), with `check --external`",
    cure: "link to where it went, or take the link away.",
    ..Rule::new("dead-link", Error)
};

pub(super) const UNVERIFIED_LINK: Rule = Rule {
    summary: "another site gave no answer that could be trusted",
    why: "A time-out or a refusal says nothing of what a reader's browser would meet.",
    example: "a host that answers 403 to programs, with `check --external`",
    cure: "open it in a browser; add it to `[[check.ignore]]` if the host never answers programs.",
    ..Rule::new("unverified-link", Info)
};

pub(super) const UNUSABLE_MAP: Rule = Rule {
    summary: "the map of another site is missing, too old, or cannot be read",
    why: "Links to that site are not checked by it.",
    example: "[[check.site]] url = \"https://sdk.example.com/\", map = \"maps/sdk.json\", with no such file",
    cure: "fetch it with `stepkin maps update`.",
    ..Rule::new("unusable-map", Warning)
};

pub(super) const REDIRECT_LOOP: Rule = Rule {
    summary: "redirects lead back to where they began",
    why: "Browsers give up with an error.",
    example: "a.md: redirect: /b/ and b.md: redirect: /a/",
    cure: "let the redirect lead to a page.",
    ..Rule::new("redirect-loop", Error)
};

pub(super) const BROKEN_IMAGE: Rule = Rule {
    summary: "an image file does not hold what its name says",
    why: "Some browsers and tools refuse a file whose content is not what its name says.",
    example: "photo.png that holds a JPEG",
    cure: "save it in the format of its name, or rename it.",
    ..Rule::new("broken-image", Warning)
};

pub(super) const MISSING_ALT: Rule = Rule {
    summary: "an image has no alternative text",
    why: "Readers who do not see the image, and search engines, learn nothing of it.",
    example: "![](/images/login.png)",
    cure: "say what the image shows; `<img alt=\"\">` says that it only decorates.",
    ..Rule::new("missing-alt", Info)
};

pub(super) const OTHER_PLATFORM_IMAGE: Rule = Rule {
    summary: "a page shows another platform's image",
    why: "The picture shows another platform's screen.",
    example: "on an Android page: ![Inputs](/images/web/inputs.png)",
    cure: "show this platform's screen.",
    ..Rule::new("other-platform-image", Warning)
};

pub(super) const ORPHAN_IMAGE: Rule = Rule {
    summary: "no page shows an image",
    why: "It is published and downloaded for nobody.",
    example: "static/images/old.png",
    cure: "remove it, or show it.",
    ..Rule::new("orphan-image", Info)
};

pub(super) const DUPLICATE_IMAGE: Rule = Rule {
    summary: "several files hold the same image",
    why: "Readers load the same picture again, and an update misses the copies.",
    example: "web/connect.png and ios/connect.png with the same bytes",
    cure: "keep one, and let every page show that.",
    ..Rule::new("duplicate-image", Info)
};

pub(super) const AVIF_UNAVAILABLE: Rule = Rule {
    summary: "stepkin.toml asks for AVIF, and this program is compiled without its encoder",
    why: "Pictures are published as WebP alone, and the same sources make another site than with a program that has the encoder.",
    example: "avif = true below `[images]`",
    cure: "compile the program with `cargo install stepkin --features avif`, or take the line out.",
    ..Rule::new("avif-unavailable", Warning)
};
