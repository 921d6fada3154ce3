//! Components with well-known names.

/// A well-known component.
pub(super) enum Known {
    Tabs,
    Tab,
    Note,
    Details,
    Image,
    Link,
    Card,
    Video,
    /// Only the content between its tags.
    Plain,
    /// No content for readers.
    Nothing,
}

/// Returns the component with this name.
pub(super) fn known(name: &str) -> Option<Known> {
    Some(match name {
        "Tabs" | "CodeTabs" | "TabGroup" | "TabList" => Known::Tabs,
        "TabItem" | "Tab" | "Tabs.Tab" | "TabPanel" => Known::Tab,
        "Admonition" | "Callout" | "Alert" | "Aside" | "Note" | "Tip" | "Info" | "Warning" | "Caution"
        | "Danger" | "Important" | "Check" | "Hint" | "Success" => Known::Note,
        "Details" | "Accordion" | "Collapse" | "Collapsible" | "Expandable" | "Expander" | "Spoiler" => {
            Known::Details
        }
        "Image" | "Img" | "ThemedImage" | "Zoom" | "Screenshot" | "IdealImage" | "Picture" => Known::Image,
        "Link" | "NavLink" => Known::Link,
        "Card" | "LinkCard" | "Button" | "LinkButton" | "DocCard" => Known::Card,
        "YouTube" | "YouTubeEmbed" | "Youtube" | "LiteYouTubeEmbed" => Known::Video,
        "Fragment" | "React.Fragment" | "Steps" | "CardGroup" | "CardGrid" | "Columns" | "Column" | "Col"
        | "Row" | "AccordionGroup" | "FileTree" | "Frame" | "BrowserWindow" | "Highlight" | "Badge"
        | "Stepper" => Known::Plain,
        "Head" | "DocCardList" | "Icon" | "Spacer" | "TOCInline" => Known::Nothing,
        _ => return None,
    })
}

/// Whether a component is a tab or a set of tabs.
pub(in crate::markup::markdown::syntax) fn is_tab(name: &str) -> bool {
    matches!(known(name), Some(Known::Tabs | Known::Tab))
}
