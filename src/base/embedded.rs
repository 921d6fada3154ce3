//! What the program carries in itself; `build.rs` writes the lists.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
