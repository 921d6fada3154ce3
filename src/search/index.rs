//! One index, made by pagefind in memory.

#[cfg(feature = "search")]
use std::io;

use super::indexes::Files;
use crate::address::Address;
#[cfg(feature = "search")]
use crate::error::Error;
use crate::error::Result;

/// A page as pagefind reads it.
#[derive(Debug)]
#[cfg_attr(not(feature = "search"), expect(dead_code, reason = "only pagefind reads it"))]
pub(super) struct Page {
    pub(super) address: Address,
    pub(super) html: String,
}

/// Indexes pages, which have to come in the order of their addresses. Only one index of a site carries the
/// reader: a script, its worker, and the program that looks words up.
#[cfg(feature = "search")]
pub(super) fn make(pages: Vec<Page>, with_reader: bool) -> Result<Files> {
    // Nothing here waits for anything but its own work; pagefind speaks of the future all the same.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(Error::io("start threads for", "search"))?;
    let files = runtime.block_on(async {
        let mut index = pagefind::api::PagefindIndex::new(None)?;
        for Page { address, html } in pages {
            index.add_html_file(None, Some(crate::address::encode(address.as_str())), html).await?;
        }
        index.get_files().await
    });
    let files = files.map_err(io::Error::other).map_err(Error::io("index", "search"))?;
    let named =
        files.into_iter().filter_map(|file| Some((file.filename.to_str()?.to_string(), file.contents)));
    let needed = named.filter(|(name, _)| is_index(name) || with_reader && is_reader(name));
    Ok(needed.map(|(name, bytes)| (name, bytes.into())).collect())
}

/// A site has no search where this program was made without.
#[cfg(not(feature = "search"))]
pub(super) fn make(_: Vec<Page>, _: bool) -> Result<Files> {
    unreachable!("the configuration is made to say that there is no search")
}

/// Whether an index could have a file of that name, so that others need not be asked.
pub(super) fn may_hold(name: &str) -> bool {
    is_index(name) || is_reader(name)
}

fn is_index(name: &str) -> bool {
    let named = |extension| name.ends_with(extension);
    name == "pagefind-entry.json"
        || [".pf_meta", ".pf_index", ".pf_filter", ".pf_fragment"].into_iter().any(named)
}

/// Pagefind gives its own pages, styles and playground too, which this site does not use.
fn is_reader(name: &str) -> bool {
    matches!(name, "pagefind.js" | "pagefind-worker.js") || name.ends_with(".pagefind")
}
