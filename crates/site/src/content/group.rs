//! Groups pages into tutorials and platforms.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::documents::{Documents, Order, bare_title, below, folders_of_no_tutorials};
use super::family::{Family, Platform};
use super::found::{self, FoundFamily, FoundPlatform, PlatformPage};
use super::key::{StepKey, segments};
use super::labels::Labels;
use super::none::{self, NoFamily};
use super::order;
use crate::content::{Document, DocumentId, FamilyId, PlatformOf, editions};
use base::address::{Address, slug_of};
use base::diagnostic::{Code, Diagnostic, Problem, Report, Reported, nearest};
use base::hash::{HashMap, HashSet};
use base::index::IndexVec;
use base::names::{self, Namesake};
use base::platforms::{also_called, display_name, is_platform, nearly_a_platform, rank};
use base::site_path::{self, SitePath, join};
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use base::store::lock;
use base::timings::{Stage, part};
use input::config::{self, Config, Invalid};
use input::words::ColumnWords;
use markup::edition::Edition;
use markup::markdown::repair;

/// The families of a site.
pub(super) struct Grouping {
    pub(super) families: IndexVec<FamilyId, Family>,
    /// Pages whose texts were compared to find the families.
    pub(super) compared: SortedSet<SitePath>,
    /// Why there are no families.
    pub(super) none_because: Option<NoFamily>,
}

/// Finds the families of a site: first those in `config`, then those that folders show.
///
/// # Errors
///
/// If a configured folder, layout or step has no pages.
pub(super) fn families(
    documents: &IndexVec<DocumentId, Arc<Document>>,
    config: &Config,
    order: Order<'_>,
    labels: &Labels,
) -> Result<Reported<Grouping>, Invalid> {
    let documents = &Documents::new(documents, config, order);
    no_tutorials_exist(config, documents)?;
    let mut groups = found_groups(documents, config);
    for family in &config.families.declared {
        merge(&mut groups, family, documents)?;
    }
    // Only words matter here.
    let of_everyone = editions::of_everyone(config, &ColumnWords::default(), &Arc::default());
    let mut families: Vec<Family> = groups
        .into_iter()
        .filter(|group| !group.platforms.is_empty())
        .map(|group| group.into_family(documents, labels, &of_everyone))
        .collect();
    families.stable_sort_by(|a, b| (&a.address, &a.id).cmp(&(&b.address, &b.id)));
    name_apart(&mut families, documents, labels);
    let lone = lone_platforms(documents, &families, config);
    let mut report: Report = lone.chain(misnamed_platforms(documents, &families, config)).collect();
    let none_because = families.is_empty().then(|| none::reason(documents, config)).flatten();
    report.extend(none_because.iter().filter_map(|reason| none::finding(reason, documents)));
    let compared = std::mem::take(&mut *lock(&documents.compared));
    Ok((Grouping { families: families.into(), compared, none_because }, report))
}

/// A family under construction.
#[derive(Debug)]
struct Group {
    id: String,
    title: Option<String>,
    /// The folder of the overview's address, or `None` if another family uses it.
    folder: Option<String>,
    platforms: Vec<Platform>,
    /// Whether a list sets the order of its steps.
    is_listed: bool,
}

/// A platform with shared pages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlatformFolder {
    pub(super) id: String,
    /// Its folder in `content/`.
    pub(super) root: String,
}

/// Returns, for every folder that contains platform folders of a family, the platforms that use its shared pages,
/// wherever their own folders are. `documents` are the pages of the platforms themselves.
///
/// Families are determined only by folders here, because whether two platforms share a tutorial depends on their
/// steps, and these depend on shared pages.
pub(super) fn platforms_of_shared(
    documents: &[Arc<Document>],
    config: &Config,
    order: Order<'_>,
) -> SortedMap<String, Vec<PlatformFolder>> {
    let mut by_folder: SortedMap<String, SortedMap<String, String>> = SortedMap::new();
    let all = documents.to_vec().into();
    let documents_by_path = Documents::new(&all, config, order);
    for family in found_by_name(&documents_by_path, config) {
        let folders = family.platforms.into_iter().filter(|it| site_path::parent(&it.root) == family.folder);
        let platforms = folders.map(|platform| (platform.name.to_lowercase(), platform.root));
        by_folder.insert(family.folder.clone(), platforms.collect());
    }
    for (parent, names) in folders_of_platforms(documents, config) {
        let platforms = names.into_iter().map(|name| (name.to_lowercase(), join(parent, name)));
        by_folder.entry(parent.to_string()).or_default().extend(platforms);
    }
    for family in &config.families.declared {
        let found = by_folder.iter().filter(|(folder, _)| family_id(folder) == family.id);
        let mut platforms: SortedMap<String, String> = found.flat_map(|(_, it)| it.clone()).collect();
        let layout = family.layout.as_ref().filter(|layout| layout.get_ref().has_platform_folders());
        // A layout that matches no page is reported where families are created.
        let laid_out = layout.and_then(|layout| laid_out(layout, family, &documents_by_path).ok());
        let laid_out = laid_out.into_iter().flat_map(|found| found.platforms);
        platforms.extend(laid_out.map(|it| (it.name.to_lowercase(), it.root)));
        let said = family.platforms.iter().filter_map(|it| {
            let root = config::folder(it.root.as_ref()?.get_ref());
            Some((it.id.get_ref().to_lowercase(), root.to_string()))
        });
        platforms.extend(said);
        let parents: SortedSet<String> =
            platforms.values().map(|root| site_path::parent(root).to_string()).collect();
        for parent in parents {
            by_folder.entry(parent).or_default().extend(platforms.clone());
        }
    }
    let listed = |platforms: SortedMap<String, String>| {
        let mut platforms: Vec<PlatformFolder> =
            platforms.into_iter().map(|(id, root)| PlatformFolder { id, root }).collect();
        platforms.stable_sort_by_key(|platform| rank(&platform.id));
        platforms
    };
    by_folder.into_iter().map(|(folder, platforms)| (folder, listed(platforms))).collect()
}

/// Returns folders with at least two subfolders that are named after platforms and contain ordered pages.
fn folders_of_platforms<'a>(
    documents: &'a [Arc<Document>],
    config: &Config,
) -> SortedMap<&'a str, SortedSet<&'a str>> {
    let mut folders: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
    for (parent, name) in folders_of_steps(documents, config) {
        folders.entry(parent).or_default().insert(name);
    }
    folders.retain(|_, names| names.len() >= 2);
    folders
}

/// Returns the families that folders show. Subfolders with different tutorials are separate families.
fn found_groups(documents: &Documents<'_>, config: &Config) -> Vec<Group> {
    let of_folder = |(parent, names): (&str, SortedSet<&str>)| {
        let _part = part(Stage::Load);
        let platforms =
            names.into_iter().map(|name| platform(name, &join(parent, name), None, documents)).collect();
        let tutorials = tutorials(platforms, documents).into_iter().filter(|platforms| platforms.len() >= 2);
        let group = |(index, platforms): (usize, Vec<Platform>)| {
            let id = family_id(parent);
            let id = if index == 0 { id } else { slug_of(&format!("{id}-{}", platforms[0].id)) };
            let folder = (index == 0).then(|| parent.to_string());
            Group { id, title: None, folder, platforms, is_listed: false }
        };
        tutorials.enumerate().map(group).collect::<Vec<_>>()
    };
    // In other repositories, `order` doesn't identify families.
    let is_ours = documents.repository().is_ours();
    let by_order = if is_ours { folders_of_platforms(documents, config) } else { SortedMap::new() };
    let mut groups: Vec<Group> = by_order.into_vec().into_par_iter().flat_map_iter(of_folder).collect();
    let mut folders: SortedSet<String> = groups.iter().filter_map(|group| group.folder.clone()).collect();
    for family in found_by_name(documents, config) {
        let FoundFamily { folder, platforms } = family;
        let platforms = platforms.into_iter().map(|it| platform_of_pages(it, None, documents));
        let mut platforms: Vec<Platform> = platforms.collect();
        platforms.stable_sort_by_key(|platform| rank(&platform.id));
        let id = config::id_of_folder(&folder);
        let folder = folders.insert(folder.clone()).then_some(folder);
        groups.push(Group { id, title: None, folder, platforms, is_listed: false });
    }
    unique_ids(&mut groups);
    groups
}

/// Returns the families that names show, among pages outside other families.
fn found_by_name(documents: &Documents<'_>, config: &Config) -> Vec<FoundFamily> {
    let roots = folders_of_no_tutorials(config);
    let is_out = |id: DocumentId| roots.iter().any(|root| below(&documents[id]).starts_with(root));
    found::families(documents, &is_out)
}

/// Returns the ID of a family that was found by its folder.
fn family_id(folder: &str) -> String {
    slug_of(folder.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("tutorial"))
}

/// Returns the folders that are named after platforms and contain pages with `order`, each with its parent. Adjacent
/// pages mostly have the same folders, which are then returned once. Folders that are configured not to be tutorials
/// are left out.
fn folders_of_steps<'a>(
    documents: &'a [Arc<Document>],
    config: &Config,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let no_tutorials = folders_of_no_tutorials(config);
    let ordered = documents.iter().filter(|document| document.front.order.is_some());
    let folders = ordered.filter_map(|document| {
        let path = below(document);
        Some(&path[..=path.rfind('/')?])
    });
    let mut last = "";
    let new = folders.filter(move |folder| std::mem::replace(&mut last, folder) != *folder);
    let of_tutorials = new.filter(move |folder| !no_tutorials.iter().any(|root| folder.starts_with(root)));
    of_tutorials.flat_map(platform_folders)
}

/// Returns every folder in a path that is named after a platform, with its parent.
fn platform_folders(path: &str) -> impl Iterator<Item = (&str, &str)> {
    path.match_indices('/').filter_map(|(end, _)| {
        let folder = &path[..end];
        let (parent, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        is_platform(name).then_some((parent, name))
    })
}

/// Groups platforms that share at least half of the smaller one's steps, larger groups first.
fn tutorials(platforms: Vec<Platform>, documents: &Documents<'_>) -> Vec<Vec<Platform>> {
    let mut tutorials: Vec<Vec<Platform>> = Vec::new();
    for platform in platforms {
        let same = tutorials.iter().position(|tutorial| {
            tutorial.iter().any(|other| {
                let shared = shared_steps(&platform, other, documents);
                2 * shared >= platform.steps.len().min(other.steps.len())
            })
        });
        match same {
            Some(index) => tutorials[index].push(platform),
            None => tutorials.push(vec![platform]),
        }
    }
    for tutorial in &mut tutorials {
        tutorial.stable_sort_by_key(|platform| rank(&platform.id));
    }
    tutorials.stable_sort_by_key(|tutorial| {
        let steps = tutorial.iter().map(|platform| platform.steps.len()).max();
        (std::cmp::Reverse(steps), rank(&tutorial[0].id))
    });
    tutorials
}

/// Counts the steps that both platforms contain: the same slug, and either the same title, or the same order and
/// mostly the same words.
fn shared_steps(one: &Platform, other: &Platform, documents: &Documents<'_>) -> usize {
    type Step<'a> = (&'a Document, Option<&'a str>);
    let same_step = |(a, slug_a): &Step<'_>, (b, slug_b): &Step<'_>| {
        let same_title = || bare_title(&a.title) == bare_title(&b.title);
        let said = a.front.step.is_some() && a.front.step == b.front.step;
        let same_order = a.front.order == b.front.order;
        said || (slug_a == slug_b && (same_title() || (same_order && documents.read_alike(a, b))))
    };
    let steps = |platform: &Platform| -> Vec<Step<'_>> {
        let documents = platform.steps.iter().map(|&id| &*documents[id]);
        documents.map(|document| (document, document.address.last_segment())).collect()
    };
    let others = steps(other);
    steps(one).iter().filter(|a| others.iter().any(|b| same_step(a, b))).count()
}

/// Merges the configuration of a family into the detected groups.
fn merge(
    groups: &mut Vec<Group>,
    family: &config::FamilyConfig,
    documents: &Documents<'_>,
) -> Result<(), Invalid> {
    let at = groups.iter().position(|group| group.id == family.id);
    let mut group = match at {
        Some(at) => groups.remove(at),
        None => Group {
            id: family.id.clone(),
            title: None,
            folder: None,
            platforms: Vec::new(),
            is_listed: false,
        },
    };
    if let Some(layout) = &family.layout {
        let FoundFamily { folder, platforms } = laid_out(layout, family, documents)?;
        let platforms = platforms.into_iter().map(|found| platform_of_pages(found, None, documents));
        (group.folder, group.platforms) = (Some(folder), platforms.collect());
        let pages: HashSet<DocumentId> =
            group.platforms.iter().flat_map(|it| it.steps.iter().copied()).collect();
        for other in &mut *groups {
            other.platforms.retain(|known| !known.steps.iter().any(|step| pages.contains(step)));
        }
    }
    for said in &family.platforms {
        let id = said.id.get_ref();
        let found = group.platforms.iter().position(|platform| platform.id == *id);
        let root = match (&said.root, found) {
            (Some(root), _) => config::folder(root.get_ref()).to_string(),
            (None, Some(found)) => group.platforms[found].root.clone(),
            (None, None) => {
                let message = format!("platform `{id}` of the family `{}` has no folder", family.id);
                let help = "add `root` with its folder in `content`".to_string();
                return Err(Invalid { span: said.id.span(), message, help: Some(help) });
            }
        };
        let mut platform = match (found, &said.root) {
            // Its pages need not be in a separate folder.
            (Some(found), None) => {
                let known = group.platforms.remove(found);
                Platform { name: said.name.clone().unwrap_or_else(|| known.name.clone()), ..known }
            }
            _ => platform(id, &root, said.name.as_deref(), documents),
        };
        platform.words.extend(said.words.iter().cloned());
        if platform.steps.is_empty() {
            return Err(no_pages(&root, said.root.as_ref().unwrap_or(&said.id).span(), documents));
        }
        // A folder belongs to the family that configures it.
        for other in groups.iter_mut().chain([&mut group]) {
            other.platforms.retain(|known| known.root != root && (other.id != family.id || known.id != *id));
        }
        group.platforms.push(platform);
    }
    order_as_said(&mut group, family)?;
    groups.retain(|group| group.platforms.len() >= 2 || group.folder.is_none());
    let order =
        |platform: &Platform| family.platforms.iter().position(|said| *said.id.get_ref() == platform.id);
    let all_said = group.platforms.iter().all(|platform| order(platform).is_some());
    group
        .platforms
        .stable_sort_by_key(|platform| if all_said { order(platform) } else { Some(rank(&platform.id)) });
    group.title.clone_from(&family.title);
    if group.folder.is_none() {
        group.folder = group.platforms.first().and_then(|first| free_folder(&first.root, groups));
    }
    groups.push(group);
    Ok(())
}

/// Returns the pages of a family with a configured layout.
fn laid_out(
    layout: &toml::Spanned<config::Layout>,
    family: &config::FamilyConfig,
    documents: &Documents<'_>,
) -> Result<FoundFamily, Invalid> {
    let said = layout.get_ref();
    let folder = said.folder();
    let folder = documents.order.repository.content.below(&folder).unwrap_or(&folder).to_string();
    let mut found: SortedMap<String, Vec<PlatformPage>> = SortedMap::new();
    for (id, document) in documents.indexed().filter(|(_, document)| document.front.redirect.is_none()) {
        let fits = |path: &str| {
            let names = segments(path);
            let is_folders_page = names.len() < path.split('/').count();
            let fit = said.fit(&names, is_folders_page)?;
            let rest = fit.rest.join("/") + if is_folders_page { "/index" } else { "" };
            Some((fit.platform.to_string(), rest))
        };
        // Relative to the folder of pages, or to the root.
        if let Some((platform, rest)) = fits(below(document)).or_else(|| fits(document.path.as_str())) {
            let key = StepKey::new(&rest, document, documents.repository());
            found.entry(platform).or_default().push(PlatformPage { id, rest, key });
        }
    }
    let is_said = |name: &str| family.platforms.iter().any(|it| it.id.get_ref().eq_ignore_ascii_case(name));
    let known: Vec<String> =
        found.keys().filter(|name| is_platform(name) || is_said(name)).cloned().collect();
    let others = found::siblings(&known, &found);
    // If no name is a known platform, the layout makes all of them platforms.
    if !known.is_empty() {
        found.retain(|name, _| known.contains(name) || others.contains(name));
    }
    if found.is_empty() {
        let message = format!("no page matches the layout `{}`", said.text);
        let help = "use folders in `content` or in the root, such as `docs/{platform}/{section}/{step}`";
        return Err(Invalid { span: layout.span(), message, help: Some(help.to_string()) });
    }
    let platform = |(name, pages): (String, _)| FoundPlatform { root: join(&folder, &name), name, pages };
    Ok(FoundFamily { platforms: found.into_iter().map(platform).collect(), folder })
}

/// Sorts the steps of a family in the configured order, if there is one.
fn order_as_said(group: &mut Group, family: &config::FamilyConfig) -> Result<(), Invalid> {
    if family.steps.is_empty() {
        return Ok(());
    }
    let keys: SortedSet<&str> =
        group.platforms.iter().flat_map(|platform| &platform.keys).map(StepKey::as_str).collect();
    if let Some(step) =
        family.steps.iter().find(|step| !keys.contains(order::name_in_list(step.get_ref()).as_str()))
    {
        let message = format!("no platform of the family `{}` has the step `{}`", family.id, step.get_ref());
        let help = match nearest(step.get_ref(), keys.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use the path without the platform, such as `users/identify`".to_string(),
        };
        return Err(Invalid { span: step.span(), message, help: Some(help) });
    }
    let list: Vec<&String> = family.steps.iter().map(toml::Spanned::get_ref).collect();
    for platform in &mut group.platforms {
        let keys = std::mem::take(&mut platform.keys);
        let mut steps: Vec<_> = platform.steps.iter().copied().zip(keys).collect();
        order::order_by_list(&mut steps, |(_, key)| vec![key.to_string()], &list);
        let (steps, keys): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
        (platform.steps, platform.keys) = (steps.into(), keys.into());
    }
    group.is_listed = true;
    Ok(())
}

/// Returns the parent of a platform's folder, unless it contains another family's overview.
fn free_folder(root: &str, groups: &[Group]) -> Option<String> {
    let parent = site_path::parent(root);
    groups.iter().all(|group| group.folder.as_deref() != Some(parent)).then(|| parent.to_string())
}

/// Returns, for each document, the platform whose folder contains it.
pub(super) fn platforms_of_documents(
    documents: &[Arc<Document>],
    families: &IndexVec<FamilyId, Family>,
) -> IndexVec<DocumentId, Option<PlatformOf>> {
    let mut by_root: HashMap<&str, PlatformOf> = HashMap::default();
    for (family, its) in families.indexed() {
        let platforms = its.platforms.indexed();
        by_root.extend(platforms.map(|(platform, it)| (it.root.as_str(), PlatformOf { family, platform })));
    }
    let platform_of = |document: &Document| {
        let path = below(document);
        path.rmatch_indices('/').find_map(|(end, _)| by_root.get(&path[..end]).copied())
    };
    let mut platforms: IndexVec<DocumentId, _> =
        documents.iter().map(|document| platform_of(document)).collect();
    for (family, its) in families.indexed() {
        for (platform, its) in its.platforms.indexed() {
            for &step in &its.steps {
                platforms[step] = Some(PlatformOf { family, platform });
            }
        }
    }
    platforms
}

/// Returns the error for a configured folder without pages, at `span`.
fn no_pages(root: &str, span: Range<usize>, documents: &[Arc<Document>]) -> Invalid {
    let message = format!("`content/{root}` contains no pages");
    let help = match nearest_folder(root, documents) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "use a folder with pages, or remove the entry".to_string(),
    };
    Invalid { span, message, help: Some(help) }
}

/// Returns the folder with pages that `root` most likely means.
fn nearest_folder<'a>(root: &str, documents: &'a [Arc<Document>]) -> Option<&'a str> {
    let folders_of = |document| {
        let path = below(document);
        path.match_indices('/').map(move |(end, _)| &path[..end])
    };
    let folders: SortedSet<&str> = documents.iter().flat_map(|document| folders_of(document)).collect();
    nearest(root, folders)
}

/// Checks that folders that are configured not to be tutorials contain pages, because otherwise another folder was
/// meant.
fn no_tutorials_exist(config: &Config, documents: &Documents<'_>) -> Result<(), Invalid> {
    let has_none =
        |root: &&toml::Spanned<String>| documents.below(config::folder(root.get_ref())).next().is_none();
    let root = config.families.no_tutorials.iter().find(has_none);
    root.map_or(Ok(()), |root| Err(no_pages(config::folder(root.get_ref()), root.span(), documents)))
}

impl Group {
    /// Converts the group. A family whose name comes from a page has that page's title.
    fn into_family(self, documents: &Documents<'_>, labels: &Labels, edition: &Edition) -> Family {
        let Self { id, title, folder, platforms, is_listed } = self;
        let has_order =
            |platform: &Platform| platform.steps.iter().any(|&id| documents[id].front.order.is_some());
        let is_by_key = !documents.repository().is_ours() || is_listed || !platforms.iter().any(has_order);
        let is_whole_site = is_by_key && folder.as_deref().is_some_and(config::is_documentation_folder);
        let parent = || platforms[0].address.parent();
        let beside = || Address::new(&format!("{}{id}/", parent()));
        let address = folder.map_or_else(beside, |folder| documents.address_of(&folder));
        let by_folder = || names::of_segment(address.last_segment().unwrap_or(&id));
        let own_title = || {
            documents.at(&address).map_or_else(
                || labels.name(&address).map_or_else(by_folder, str::to_string),
                |page| edition.expand(&page.title).into_owned(),
            )
        };
        let of_site = || is_whole_site.then(|| documents.site_title.clone());
        let title = title.or_else(of_site).unwrap_or_else(own_title);
        Family {
            name: title.clone(),
            title,
            id,
            address,
            platforms: platforms.into(),
            is_by_key,
            is_within_pages: false,
        }
    }
}

/// Gives families with the same title unique names.
fn name_apart(families: &mut [Family], documents: &Documents<'_>, labels: &Labels) {
    let mut by_title: SortedMap<&str, Vec<usize>> = SortedMap::new();
    for (at, family) in families.iter().enumerate() {
        by_title.entry(&family.title).or_default().push(at);
    }
    let called = |folder: &Address| {
        if let Some(page) = documents.at(folder) {
            return repair(&page.title).into_owned();
        }
        let label = labels.name(folder).map(str::to_string);
        label.unwrap_or_else(|| folder.last_segment().map_or_else(String::new, names::of_segment))
    };
    let above = |address: &Address| {
        let folders = address.above().filter(|folder| folder.as_str() != "/");
        folders.map(|folder| called(&folder)).collect()
    };
    let namesake = |&at: &usize| Namesake {
        of: at,
        title: families[at].title.clone(),
        above: above(&families[at].address),
        path: families[at].address.to_string(),
    };
    let several = by_title.into_values().filter(|families| families.len() > 1);
    let names: Vec<(usize, String)> =
        several.flat_map(|several| names::unique_names(several.iter().map(namesake).collect())).collect();
    for (at, name) in names {
        families[at].name = name;
    }
}

fn unique_ids(groups: &mut [Group]) {
    let mut seen: SortedMap<String, usize> = SortedMap::new();
    for group in groups {
        let count = seen.entry(group.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            group.id = format!("{}-{count}", group.id);
        }
    }
}

/// Returns the platform in the folder `root`, with its pages in reading order.
fn platform(name: &str, root: &str, shown: Option<&str>, documents: &Documents<'_>) -> Platform {
    // The folder's own page introduces the platform. It is a step only if it has an `order`.
    let is_step = |document: &Document| {
        document.front.redirect.is_none()
            && (document.front.order.is_some()
                || !documents.repository().is_ours()
                || below(document) != join(root, "index.md"))
    };
    let steps = documents.below(root).filter(|&id| is_step(&documents[id]));
    let page = |id: DocumentId| {
        let document = &documents[id];
        let rest = below(document)[root.len()..].trim_start_matches('/').to_string();
        PlatformPage { id, key: StepKey::new(&rest, document, documents.repository()), rest }
    };
    let pages = steps.map(page).collect();
    platform_of_pages(
        FoundPlatform { name: name.to_string(), root: root.to_string(), pages },
        shown,
        documents,
    )
}

/// Returns the platform with these pages.
fn platform_of_pages(found: FoundPlatform, shown: Option<&str>, documents: &Documents<'_>) -> Platform {
    let FoundPlatform { name, root, mut pages } = found;
    // Its name may show a platform, but nobody reads it.
    pages.retain(|page| documents[page.id].front.redirect.is_none());
    let Order { repository, navigation, .. } = documents.order;
    order::sort(&mut pages, &root, documents, repository, navigation);
    let id = name.to_lowercase();
    let name = shown.map_or_else(|| display_name(&id), str::to_string);
    let words = also_called(&id).iter().map(|word| (*word).to_string()).collect();
    let (steps, keys): (Vec<_>, Vec<_>) = pages.into_iter().map(|page| (page.id, page.key)).unzip();
    let address = documents.address_of(&root);
    Platform { id, name, root, address, steps: steps.into(), keys: keys.into(), words }
}

/// Reports platform folders outside every family that contain steps of one, and suggests adding them.
fn lone_platforms<'a>(
    documents: &'a Documents<'_>,
    families: &'a [Family],
    config: &Config,
) -> impl Iterator<Item = Diagnostic> {
    // `order` marks pages as steps only in Stepkin sites.
    let families = if documents.repository().is_ours() { families } else { &[] };
    let platforms = families.iter().flat_map(|family| &family.platforms);
    let taken: HashSet<&str> = platforms.map(|platform| platform.root.as_str()).collect();
    let mut roots: SortedMap<String, &str> = SortedMap::new();
    for (parent, name) in folders_of_steps(documents, config) {
        roots.entry(join(parent, name)).or_insert(name);
    }
    roots.into_iter().filter(move |(root, _)| !taken.contains(root.as_str())).filter_map(move |(root, name)| {
        let lone = platform(name, &root, None, documents);
        let family = families.iter().filter(|family| !family.is_by_key).find(|family| {
            family.platforms.iter().all(|platform| platform.id != lone.id)
                && family.platforms.iter().any(|platform| shared_steps(&lone, platform, documents) > 0)
        })?;
        let first = &documents[*lone.steps.first()?];
        let message = format!("`content/{root}` contains steps of the family `{}`, but isn't part of it", family.id);
        let help = format!(
            "add it in stepkin.toml: [[family]] id = \"{}\" [[family.platform]] id = \"{}\" root = \"{root}\"; \
             or, if it isn't a tutorial: [[family]] root = \"{root}\" tutorial = false",
            family.id, lone.id
        );
        let problem = Problem::new(Code::LonePlatform, first.top(), message).help(help);
        Some(problem.data("family", family.id.as_str()).data("root", root).at(&first.path))
    })
}

/// Reports folders next to those of a family that contain its steps and have a name like a platform's.
fn misnamed_platforms<'a>(
    documents: &'a Documents<'_>,
    families: &'a [Family],
    config: &'a Config,
) -> impl Iterator<Item = Diagnostic> {
    families.iter().flat_map(move |family| {
        let parents: SortedSet<&str> =
            family.platforms.iter().map(|platform| site_path::parent(&platform.root)).collect();
        let is_step = |document: &Document| family.is_by_key || document.front.order.is_some();
        let folders = parents.into_iter().flat_map(|parent| folders_in(documents, parent, is_step));
        let folders: SortedSet<(&str, &str)> = folders.collect();
        let misnamed = folders.into_iter().filter_map(|(parent, name)| {
            let meant = nearly_a_platform(name)?;
            let folder = join(parent, name);
            let is_taken = family.platforms.iter().any(|known| known.id == meant || known.root == folder)
                || config.families.no_tutorials.iter().any(|root| config::folder(root.get_ref()) == folder);
            let lone = platform(name, &folder, None, documents);
            let shares = |known: &Platform| {
                if family.is_by_key {
                    lone.keys.iter().any(|key| !key.as_str().is_empty() && known.keys.contains(key))
                } else {
                    shared_steps(&lone, known, documents) > 0
                }
            };
            let has_steps = family.platforms.iter().any(shares);
            let first = &documents[*lone.steps.first()?];
            (!is_taken && has_steps).then(|| misnamed(family, &folder, meant, first))
        });
        misnamed.collect::<Vec<_>>()
    })
}

fn misnamed(family: &Family, folder: &str, meant: &str, first: &Document) -> Diagnostic {
    let message = format!(
        "`content/{folder}` contains steps of the family `{}`, but isn't named after a platform",
        family.id
    );
    let help = format!("did you mean `{meant}`? rename the folder");
    let problem = Problem::new(Code::LonePlatform, first.top(), message).help(help);
    problem.data("family", family.id.as_str()).data("root", folder).at(&first.path)
}

/// Returns the folders in `parent` that contain such pages, each with its parent.
fn folders_in<'a>(
    documents: &'a Documents<'_>,
    parent: &'a str,
    is_step: impl Fn(&Document) -> bool,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let ids: Vec<DocumentId> =
        if parent.is_empty() { documents.indices().collect() } else { documents.below(parent).collect() };
    let steps = ids.into_iter().filter(move |&id| is_step(&documents[id]));
    steps.filter_map(move |id| {
        let below = below(&documents[id]).strip_prefix(parent)?.trim_start_matches('/');
        Some((parent, below.split_once('/')?.0))
    })
}
