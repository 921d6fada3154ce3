//! Files embedded in the program. `build.rs` generates the lists.

use site::built_in::BuiltIn;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The files that a plan gives addresses.
pub(crate) const BUILT_IN: BuiltIn =
    BuiltIn { originals: ASSETS, published: PUBLISHED, page_scripts: PAGE_SCRIPTS, page_script: PAGE_SCRIPT };
