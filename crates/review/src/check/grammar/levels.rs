//! Items of lists between two levels: their indentation is that of no item before them.

use super::Mistake;
use super::source::SourceLine;
use base::list_item::ListItem;

/// Reports items that belong to the outer list, although they are indented nearly as far as the nested items before them:
/// <https://spec.commonmark.org/0.31.2/#list-items>.
pub(super) fn mistakes(lines: &[SourceLine<'_>]) -> Vec<Mistake> {
    // The last item of each level.
    let mut levels: Vec<ListItem<'_>> = Vec::new();
    let mut found = Vec::new();
    for line in lines {
        let Some(item) = ListItem::of(line.text).filter(|it| !line.text[..it.indent].contains('\t')) else {
            // After a blank line, other text ends the items that don't contain it.
            if !line.text.is_empty() && line.before.is_empty() {
                levels.retain(|it| it.column <= line.indent());
            }
            continue;
        };
        let nested = levels.iter().find(|it| it.indent > item.indent).copied();
        levels.retain(|it| it.indent <= item.indent);
        match (levels.last(), nested) {
            (Some(outer), Some(nested))
                if outer.indent < item.indent
                    && item.indent < outer.column
                    && nested.indent >= outer.column
                    && nested.indent - item.indent < item.indent - outer.indent =>
            {
                let message = "this item is in the outer list, unlike the items before it".to_string();
                let help = format!("indent it by {} spaces", nested.indent);
                found.push(Mistake::misread(line.content(), message, help));
                levels.push(nested);
            }
            (Some(outer), _) if outer.indent == item.indent => {}
            _ => levels.push(item),
        }
    }
    found
}
