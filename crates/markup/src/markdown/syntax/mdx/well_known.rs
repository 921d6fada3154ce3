//! Components with well-known names.

/// The component around code blocks that are tabs: <https://www.mintlify.com/docs/components/code-groups>.
pub(in crate::markdown::syntax) const CODE_GROUP: &str = "CodeGroup";

/// A well-known component.
pub(super) enum WellKnown {
    Tabs,
    Tab,
    Note,
    Details,
    Image,
    Link,
    Card,
    /// Code blocks as tabs.
    CodeGroup,
    Video,
    /// Only the content between its tags.
    Plain,
    /// No content for readers.
    Nothing,
}

/// Returns the component with this name.
pub(super) fn well_known(name: &str) -> Option<WellKnown> {
    Some(match name {
        "Tabs" | "CodeTabs" | "TabGroup" | "TabList" => WellKnown::Tabs,
        "TabItem" | "Tab" | "Tabs.Tab" | "TabPanel" => WellKnown::Tab,
        "Admonition" | "Callout" | "Alert" | "Aside" | "Note" | "Tip" | "Info" | "Warning" | "Caution"
        | "Danger" | "Important" | "Check" | "Hint" | "Success" => WellKnown::Note,
        "Details" | "Accordion" | "Collapse" | "Collapsible" | "Expandable" | "Expander" | "Spoiler" => {
            WellKnown::Details
        }
        "Image" | "Img" | "ThemedImage" | "Zoom" | "Screenshot" | "IdealImage" | "Picture" => {
            WellKnown::Image
        }
        "Link" | "NavLink" => WellKnown::Link,
        "Card" | "LinkCard" | "Button" | "LinkButton" | "DocCard" | "Step" => WellKnown::Card,
        CODE_GROUP => WellKnown::CodeGroup,
        "YouTube" | "YouTubeEmbed" | "Youtube" | "LiteYouTubeEmbed" => WellKnown::Video,
        "Fragment" | "React.Fragment" | "Steps" | "CardGroup" | "CardGrid" | "Columns" | "Column" | "Col"
        | "Row" | "AccordionGroup" | "FileTree" | "Frame" | "BrowserWindow" | "Highlight" | "Badge"
        | "Stepper" => WellKnown::Plain,
        "Head" | "DocCardList" | "Icon" | "Spacer" | "TOCInline" => WellKnown::Nothing,
        _ => return None,
    })
}

/// Whether a component is a tab or a set of tabs.
pub(in crate::markdown::syntax) fn is_tab(name: &str) -> bool {
    matches!(well_known(name), Some(WellKnown::Tabs | WellKnown::Tab))
}
