//! Names of folders without a page, from files of their generator: named groups in lists of pages, and files about
//! their folder.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::documents::Order;
use super::order::place_in_lists;
use super::{Document, DocumentId};
use base::address::Address;
use base::hash::HashMap;
use base::index::IndexVec;
use base::site_path;
use input::conventions::{PageList, without_number};

/// Names and descriptions of folders, by address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    names: HashMap<Address, String>,
    descriptions: HashMap<Address, String>,
}

impl Labels {
    pub(super) fn of(documents: &IndexVec<DocumentId, Arc<Document>>, order: Order<'_>) -> Self {
        let Order { repository, navigation, .. } = order;
        let mut labels = Self::default();
        if !navigation.list.groups.is_empty() {
            let places = place_in_lists(navigation);
            let listed = documents
                .iter()
                .filter_map(|document| Some((places.of(document, repository)?, &document.address)));
            labels.names = of_groups(&navigation.list, listed.collect());
        }
        for (folder, said) in &navigation.folders {
            let address = repository.address(&format!("{folder}/page.md"), None, None).parent();
            if let Some(label) = &said.label {
                labels.names.entry(address.clone()).or_insert_with(|| label.clone());
            }
            labels.descriptions.extend(said.description.clone().map(|text| (address, text)));
        }
        if !navigation.names.is_empty() {
            labels.translate(documents, order);
        }
        labels
    }

    /// Adds the translated names of folders that have no other name than that of the folder.
    fn translate(&mut self, documents: &IndexVec<DocumentId, Arc<Document>>, order: Order<'_>) {
        for document in documents {
            let below = document.below();
            for (end, _) in below.match_indices('/') {
                let folder = &below[..end];
                let name = without_number(site_path::file_name(folder)).1;
                if let Some(name) = order.navigation.names.get(name) {
                    let address = order.repository.address(&format!("{folder}/page.md"), None, None).parent();
                    self.names.entry(address).or_insert_with(|| name.clone());
                }
            }
        }
    }

    /// Returns the name of a folder.
    pub fn name(&self, folder: &Address) -> Option<&str> {
        self.names.get(folder).map(String::as_str)
    }

    /// Returns the description of a folder.
    pub fn description(&self, folder: &Address) -> Option<&str> {
        self.descriptions.get(folder).map(String::as_str)
    }
}

/// Names folders after groups: each group names the nearest folder that contains its pages, if the list contains no
/// other pages of that folder. If nested groups have the same pages, the outer one names the parent folder. `listed`
/// are the pages by position.
fn of_groups(list: &PageList, mut listed: Vec<(usize, &Address)>) -> HashMap<Address, String> {
    listed.sort_unstable();
    let mut counts: HashMap<Address, usize> = HashMap::default();
    for (_, address) in &listed {
        for folder in std::iter::once((*address).clone()).chain(address.above()) {
            *counts.entry(folder).or_default() += 1;
        }
    }
    let mut names = HashMap::default();
    for group in &list.groups {
        let start = listed.partition_point(|(place, _)| *place < group.pages.start);
        let end = listed.partition_point(|(place, _)| *place < group.pages.end);
        let pages = &listed[start..end];
        let Some(mut folder) = around(pages, &counts) else { continue };
        // All pages are in the root, which has the name of the site.
        while folder.as_str() != "/" && counts.get(&folder) == Some(&pages.len()) {
            if let Entry::Vacant(vacant) = names.entry(folder.clone()) {
                vacant.insert(group.label.clone());
                break;
            }
            folder = folder.parent();
        }
    }
    names
}

/// Returns the nearest folder that contains the pages. A page that has pages under it is in its own folder.
fn around(pages: &[(usize, &Address)], counts: &HashMap<Address, usize>) -> Option<Address> {
    let folder_of = |address: &Address| match counts.get(address) {
        Some(count) if *count > 1 => address.clone(),
        _ => address.parent(),
    };
    let (first, others) = pages.split_first()?;
    let mut folder = folder_of(first.1);
    for (_, address) in others {
        while !address.as_str().starts_with(folder.as_str()) {
            folder = folder.parent();
        }
    }
    Some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::conventions::Group;

    /// Checks the names of folders from a list of pages, whose groups are given by their first and last page.
    #[track_caller]
    fn check(pages: &[&str], groups: &[(&str, usize, usize)], expected: &[(&str, &str)]) {
        let addresses: Vec<Address> = pages.iter().map(|page| Address::new(page)).collect();
        let group = |(label, first, last): &(&str, usize, usize)| Group {
            label: (*label).to_string(),
            pages: *first..last + 1,
        };
        let list = PageList { groups: groups.iter().map(group).collect(), ..PageList::default() };
        let names = of_groups(&list, addresses.iter().enumerate().collect());
        let mut names: Vec<(&str, &str)> = names.iter().map(|(at, name)| (at.as_str(), &**name)).collect();
        names.sort_unstable();
        assert_eq!(names, expected);
    }

    #[test]
    fn a_group_names_the_folder_that_it_has_all_of() {
        let pages = ["/ios/", "/ios/start/", "/ios/ui/home/", "/ios/ui/chat/", "/web/"];
        check(&pages, &[("Shake UI", 2, 3)], &[("/ios/ui/", "Shake UI")]);
        check(&pages, &[("Get started", 1, 2)], &[]);
        check(&pages, &[("Apple", 0, 3)], &[("/ios/", "Apple")]);
        check(&pages, &[("All", 0, 4)], &[]);
        check(&pages, &[("Home", 2, 2)], &[]);
    }

    #[test]
    fn groups_within_each_other_name_folders_within_each_other() {
        let pages = ["/a/b/x/", "/a/b/y/", "/c/"];
        check(&pages, &[("Inner", 0, 1), ("Outer", 0, 1)], &[("/a/", "Outer"), ("/a/b/", "Inner")]);
        check(
            &pages,
            &[("Inner", 0, 1), ("Middle", 0, 1), ("Outer", 0, 1)],
            &[("/a/", "Middle"), ("/a/b/", "Inner")],
        );
    }
}
