//! The properties of each kind of artifact. Whatever depends on the kind is decided here, so a new kind is described
//! once.

use serde::{Deserialize, Serialize};

use super::{Artifact, Data, Form, ListScope, NodeIx, Sitemap};
use crate::content::{DocumentId, FamilyId, PlatformIx};
use base::address::Address;
use base::site_path::SitePath;

/// The properties of an artifact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts<'a> {
    /// Its template. For a page, the templates for steps and for other pages.
    pub templates: &'static [&'static str],
    pub audience: Audience,
    pub class: Class,
    /// The page whose text it shows.
    pub text: Option<DocumentId>,
    pub origin: Origin<'a>,
    /// The anchors in addition to those of the text.
    pub anchors: Option<MadeAnchors>,
    /// Whether readers find it in the search.
    pub is_searched: bool,
    /// Whether a Markdown version is published next to it.
    pub has_twin: bool,
}

/// The readers of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// A page for readers, which also shows its parent pages.
    Readers,
    /// A page that readers don't find, but that authors may link to.
    Links,
    /// A file for programs, or for readers at an address without content.
    Programs,
}

/// The class of a published file, for hosts that cache it and programs that upload it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// An HTML page for readers.
    Page,
    /// An HTML page that redirects readers.
    Redirect,
    /// A page as Markdown.
    Text,
    /// Data for programs: about families, for crawlers, and for hosts.
    Data,
    /// Data of the search.
    Search,
    /// A built-in file: a script, a style, a schema.
    Program,
    /// A file of the site, unchanged, a smaller version of an image, or one that a program drew.
    Asset,
}

/// A part of a site that the configuration can disable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extra {
    Compare,
    Print,
    Markdown,
    Data,
    Maps,
    Search,
    Renditions,
}

impl Extra {
    /// Returns the setting in `stepkin.toml` that disables it.
    pub fn switch(self) -> &'static str {
        match self {
            Self::Compare => "[publish] compare = false",
            Self::Print => "[publish] print = false",
            Self::Markdown => "[publish] markdown = false",
            Self::Data => "[publish] data = false",
            Self::Maps => "[publish] maps = false",
            Self::Search => "[search] enabled = false",
            Self::Renditions => "[images] enabled = false",
        }
    }
}

/// The source of an artifact's content, in addition to the site's configuration, templates, words and addresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin<'a> {
    /// A page. For a step, also its family.
    Document(DocumentId),
    /// The pages of a family.
    Family(FamilyId),
    /// The tree in a folder.
    Folder(NodeIx),
    /// The source of the artifact at another address.
    As(&'a Address),
    /// All pages.
    Everything,
    /// The titles and anchors of all pages.
    Anchors,
    /// A file of the site, unchanged.
    File(&'a SitePath),
    /// A smaller version of an image, or one that a program drew. The artifact identifies its content.
    Rendition,
    /// A built-in file.
    Program(&'static [u8]),
}

/// Anchors that don't come from the text of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeAnchors {
    Overview {
        family: FamilyId,
    },
    Compare {
        family: FamilyId,
    },
    Print {
        family: FamilyId,
        platform: PlatformIx,
    },
    /// No anchors.
    Folder,
}

impl Facts<'_> {
    /// Returns the page that an author edits to change it.
    pub fn written(&self) -> Option<DocumentId> {
        match self.origin {
            Origin::Document(id) => Some(id),
            _ => self.text,
        }
    }
}

impl Artifact {
    /// Returns the properties of this artifact.
    pub fn facts(&self) -> Facts<'_> {
        type Templates = &'static [&'static str];
        let page = |templates: Templates, origin, text| Facts {
            templates,
            audience: Audience::Readers,
            class: self.class(),
            text,
            origin,
            anchors: None,
            is_searched: true,
            has_twin: true,
        };
        let other = |templates: Templates, audience, origin| Facts {
            templates,
            audience,
            class: self.class(),
            text: None,
            origin,
            anchors: None,
            is_searched: false,
            has_twin: false,
        };
        let programs = |origin| other(&[], Audience::Programs, origin);
        match self {
            Self::Page(id) => page(&["step.html", "page.html"], Origin::Document(*id), Some(*id)),
            Self::Home(id) => page(&["home.html"], Origin::Everything, *id),
            Self::Overview { family, page: id } => Facts {
                anchors: Some(MadeAnchors::Overview { family: *family }),
                ..page(&["overview.html"], Origin::Family(*family), *id)
            },
            Self::Folder(ix) => Facts {
                anchors: Some(MadeAnchors::Folder),
                ..page(&["section.html"], Origin::Folder(*ix), None)
            },
            // Its content also exists as data next to it, and on the pages that it compares.
            Self::Compare { family } => Facts {
                anchors: Some(MadeAnchors::Compare { family: *family }),
                is_searched: false,
                has_twin: false,
                ..page(&["compare.html"], Origin::Family(*family), None)
            },
            Self::Print { family, platform } => Facts {
                anchors: Some(MadeAnchors::Print { family: *family, platform: *platform }),
                ..other(&["print.html"], Audience::Links, Origin::Family(*family))
            },
            Self::Redirect { from, .. } => {
                other(&["redirect.html"], Audience::Links, Origin::Document(*from))
            }
            Self::NotFound => other(&["404.html"], Audience::Programs, Origin::Everything),
            Self::Sitemap(Sitemap::Part { .. }) => {
                other(&["sitemap.xml"], Audience::Programs, Origin::Everything)
            }
            Self::Sitemap(Sitemap::Index { .. }) => {
                other(&["sitemap-index.xml"], Audience::Programs, Origin::Everything)
            }
            Self::Feed => other(&["feed.xml"], Audience::Programs, Origin::Everything),
            Self::Data { family, data: Data::Family | Data::Settings }
            | Self::Spreadsheet { family }
            | Self::Llms(ListScope::Platform { family, .. })
            | Self::LlmsFull(ListScope::Platform { family, .. }) => programs(Origin::Family(*family)),
            Self::Twin(page) | Self::LlmsBelow(page) => programs(Origin::As(page)),
            Self::Llms(ListScope::Site)
            | Self::LlmsFull(ListScope::Site)
            | Self::Redirects
            | Self::RedirectsJson
            | Self::Robots
            | Self::LookStyle
            | Self::OwnStyle => programs(Origin::Everything),
            Self::Translations => other(&["translations.html"], Audience::Links, Origin::Everything),
            Self::LinkMap(_) => programs(Origin::Anchors),
            Self::Asset(path) => other(&[], Audience::Links, Origin::File(path)),
            Self::Rendition { .. } | Self::Drawing { .. } => programs(Origin::Rendition),
            Self::Builtin(bytes) => programs(Origin::Program(bytes)),
        }
    }

    /// Returns the optional part of the site to which it belongs.
    pub fn extra(&self) -> Option<Extra> {
        match self {
            Self::Compare { .. } => Some(Extra::Compare),
            Self::Print { .. } => Some(Extra::Print),
            Self::Twin(_) | Self::Llms(_) | Self::LlmsBelow(_) | Self::LlmsFull(_) => Some(Extra::Markdown),
            Self::Data { .. } | Self::Spreadsheet { .. } => Some(Extra::Data),
            Self::LinkMap(_) => Some(Extra::Maps),
            Self::Rendition { .. } => Some(Extra::Renditions),
            Self::Page(_)
            | Self::Home(_)
            | Self::Overview { .. }
            | Self::Folder(_)
            | Self::NotFound
            | Self::Sitemap(_)
            | Self::Feed
            | Self::Translations
            | Self::Robots
            | Self::Redirects
            | Self::RedirectsJson
            | Self::Redirect { .. }
            | Self::Asset(_)
            | Self::Drawing { .. }
            | Self::LookStyle
            | Self::OwnStyle
            | Self::Builtin(_) => None,
        }
    }

    /// Returns the kind of the artifact, for hashes.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Page(_) => "page",
            Self::Home(_) => "home",
            Self::Overview { .. } => "overview",
            Self::Folder(_) => "folder",
            Self::Compare { .. } => "compare",
            Self::Data { data: Data::Settings, .. } => "settings",
            Self::Data { data: Data::Family, .. } => "family",
            Self::Spreadsheet { .. } => "spreadsheet",
            Self::Print { .. } => "print",
            Self::NotFound => "not-found",
            Self::Sitemap(_) => "sitemap",
            Self::Feed => "feed",
            Self::Translations => "translations",
            Self::LinkMap(Form::Pages) => "pages-json",
            Self::LinkMap(Form::Inventory) => "inventory",
            Self::Twin(_) => "twin",
            Self::Llms(_) | Self::LlmsBelow(_) => "llms",
            Self::LlmsFull(_) => "llms-full",
            Self::Robots => "robots",
            Self::Redirects => "redirects",
            Self::RedirectsJson => "redirects-json",
            Self::Redirect { .. } => "redirect",
            Self::Asset(_) => "asset",
            Self::Rendition { .. } => "rendition",
            Self::Drawing { .. } => "drawing",
            Self::LookStyle => "look",
            Self::OwnStyle => "own-style",
            Self::Builtin(_) => "builtin",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Page(_)
            | Self::Home(_)
            | Self::Overview { .. }
            | Self::Folder(_)
            | Self::Compare { .. }
            | Self::Print { .. }
            | Self::Translations
            | Self::NotFound => Class::Page,
            Self::Redirect { .. } => Class::Redirect,
            Self::Twin(_) | Self::Llms(_) | Self::LlmsBelow(_) | Self::LlmsFull(_) => Class::Text,
            Self::Data { .. }
            | Self::Spreadsheet { .. }
            | Self::Sitemap(_)
            | Self::Feed
            | Self::LinkMap(_)
            | Self::Robots
            | Self::Redirects
            | Self::RedirectsJson => Class::Data,
            Self::Builtin(_) | Self::LookStyle | Self::OwnStyle => Class::Program,
            Self::Asset(_) | Self::Rendition { .. } | Self::Drawing { .. } => Class::Asset,
        }
    }
}
