//! The images of diagrams, as the plan lists them. `output::diagrams` has them drawn before the plan is made.

use crate::base::address::Address;
use crate::base::sorted::SortedMap;
use crate::base::store::{Key, add};
use crate::input::config::DiagramCommand;
use crate::input::source::Dimensions;

/// The image of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Hash of the command and the text of the block.
    pub key: Key,
    /// BLAKE3 of its content.
    pub hash: Key,
    pub dimensions: Option<Dimensions>,
}

/// The images that were drawn.
pub type Diagrams = SortedMap<Address, Diagram>;

/// Number of digits in the names of images.
const DIGITS: usize = 32;

/// Returns the key of a diagram, a hash of the text and the command that draws it. Returns `None` if there is no dark version.
pub(crate) fn key(command: &DiagramCommand, is_dark: bool, code: &str) -> Option<Key> {
    let mut hasher = blake3::Hasher::new_derive_key("stepkin diagram");
    for argument in command.arguments(is_dark)? {
        add(argument, &mut hasher);
    }
    hasher.update(code.as_bytes());
    Some(*hasher.finalize().as_bytes())
}

/// Returns the address of the image with a key. It isn't in `/_stepkin/`, whose files browsers may cache forever, because
/// another version of the program may draw another image.
pub(crate) fn address(key: &Key) -> Address {
    Address::new(&format!("/_diagrams/{}.svg", &blake3::Hash::from(*key).to_hex()[..DIGITS]))
}
