//! Files embedded in the program. `build.rs` generates the lists.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
