//! The options of generators whose configuration is JavaScript.
//!
//! A plugin may have any other option, so only a name that differs by a letter from a known one is misspelled.

use super::targets::{SettingSlip, SlipKind};
use super::values::JsValues;
use base::diagnostic::{distance_within, is_plural};

/// <https://docusaurus.io/docs/api/docusaurus-config>, <https://docusaurus.io/docs/api/themes/configuration>,
/// <https://docusaurus.io/docs/api/plugins>.
#[rustfmt::skip]
pub(super) const DOCUSAURUS: &[&str] = &[
    "activeBasePath", "activeBaseRegex", "additionalLanguages", "admonitions", "algolia", "anchors", "announcementBar",
    "archiveBasePath", "authorsMapPath", "backgroundColor", "baseUrl", "baseUrlIssueBanner", "blogDescription", "blogSidebarCount",
    "blogSidebarTitle", "blogTitle", "breadcrumbs", "className", "clientModules", "colorMode", "contextualSearch", "copyright",
    "customCss", "customFields", "darkTheme", "defaultLanguage", "defaultLocale", "defaultMode", "deploymentBranch", "disableSwitch",
    "disableVersioning", "docsPluginId", "dropdownItemsAfter", "dropdownItemsBefore", "editCurrentVersion", "editLocalizedFiles",
    "editUrl", "exclude", "favicon", "feedOptions", "footer", "future", "githubHost", "githubPort", "headTags", "hideOnScroll",
    "include", "includeCurrentVersion", "isCloseable", "lastVersion", "localeConfigs", "locales", "magicComments", "markdown",
    "maxHeadingLevel", "mermaid", "metadata", "minHeadingLevel", "navbar", "noIndex", "numberPrefixParser", "onBrokenAnchors",
    "onBrokenLinks", "onBrokenMarkdownLinks", "onDuplicateRoutes", "onlyIncludeVersions", "organizationName", "plugins", "position",
    "postsPerPage", "presets", "projectName", "readingTime", "redirects", "rehypePlugins", "remarkPlugins",
    "respectPrefersColorScheme", "routeBasePath", "scripts", "searchPagePath", "searchParameters", "showLastUpdateAuthor",
    "showLastUpdateTime", "showReadingTime", "sidebarCollapsed", "sidebarCollapsible", "sidebarId", "sidebarItemsGenerator",
    "sidebarPath", "ssrTemplate", "staticDirectories", "storage", "stylesheets", "tableOfContents", "tagline", "tagsBasePath",
    "themeConfig", "themes", "titleDelimiter", "trackingID", "trailingSlash", "truncateMarker", "versions",
];

/// <https://vitepress.dev/reference/site-config>, <https://vitepress.dev/reference/default-theme-config>.
#[rustfmt::skip]
pub(super) const VITEPRESS: &[&str] = &[
    "activeMatch", "algolia", "appearance", "assetsDir", "buildEnd", "cacheDir", "carbonAds", "cleanUrls", "codeTransformers",
    "collapsed", "container", "copyright", "darkModeSwitchLabel", "darkModeSwitchTitle", "description", "docFooter", "editLink",
    "externalLinkIcon", "footer", "i18nRouting", "ignoreDeadLinks", "langMenuLabel", "languageAlias", "lastUpdated",
    "lightModeSwitchTitle", "lineNumbers", "locales", "markdown", "message", "metaChunk", "options", "outline", "pattern",
    "postRender", "provider", "returnToTopLabel", "rewrites", "sidebar", "sidebarMenuLabel", "sitemap", "siteTitle",
    "skipToContentLabel", "socialLinks", "srcExclude", "themeConfig", "titleTemplate", "transformHead", "transformHtml",
    "transformPageData", "translations",
];

/// Minimum length of a name, and of one in its plural.
const SHORTEST: usize = 6;
const SHORTEST_PLURAL: usize = 10;

/// Returns the misspelled options of a configuration.
pub(super) fn misspelled(text: &str, known: &[&'static str]) -> Vec<SettingSlip> {
    let is_meant = |name: &str, option: &str| {
        let shortest = if is_plural(name, option) { SHORTEST_PLURAL } else { SHORTEST };
        option.len() >= shortest && distance_within(name, option, 1).is_some()
    };
    let unknown =
        JsValues::of(text).key_places().into_iter().filter(|span| !known.contains(&&text[span.clone()]));
    let slip = |span: std::ops::Range<usize>| {
        let name = &text[span.clone()];
        let meant = Some(known.iter().find(|option| is_meant(name, option))?.to_string());
        Some(SettingSlip { kind: SlipKind::Unknown { noun: "option", name: name.to_string(), meant }, span })
    };
    unknown.filter_map(slip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_may_be_one_letter_off() {
        let text = "const config = {\n  onBrokenLink: 'throw', // sidebrPath: 1\n  'sidebrPath': 'a', redirect: 1,\n  editUrl: 2, mine: 3\n};\n";
        let found = misspelled(text, DOCUSAURUS).into_iter().map(|it| match it.kind {
            SlipKind::Unknown { name, meant, .. } => (name, meant.unwrap_or_default()),
            other => unreachable!("{other:?}"),
        });
        let expected = [("onBrokenLink", "onBrokenLinks"), ("sidebrPath", "sidebarPath")];
        assert!(found.eq(expected.map(|(name, meant)| (name.to_string(), meant.to_string()))));
    }
}
