//! The images that programs draw, as the plan lists them: those of diagrams, and cards. `output::diagrams` and `output::cards` have
//! them drawn before the plan is made.

use base::address::Address;
use base::sorted::SortedMap;
use base::store::{Key, add};
use input::config::DiagramCommand;
use input::source::Dimensions;

/// An image that a program drew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Hash of the command and its input.
    pub key: Key,
    /// BLAKE3 of its content.
    pub hash: Key,
    pub dimensions: Option<Dimensions>,
}

/// The images that were drawn.
pub type Drawings = SortedMap<Address, Drawing>;

/// Number of digits in the names of diagrams.
const DIGITS: usize = 32;

/// Returns the key of a diagram. Returns `None` if there is no dark version.
pub fn diagram_key(command: &DiagramCommand, is_dark: bool, code: &str) -> Option<Key> {
    Some(key("stepkin diagram", &command.arguments(is_dark)?, code))
}

/// Returns the address of the diagram with a key. It isn't in `/_stepkin/`, whose files browsers may cache forever, because
/// another version of the program may draw another image.
pub fn diagram(key: &Key) -> Address {
    Address::new(&format!("/_diagrams/{}.svg", &blake3::Hash::from(*key).to_hex()[..DIGITS]))
}

/// Returns the key of a card, from its image as SVG and the command that converts it.
pub fn card_key(command: &[&str], svg: &str) -> Key {
    key("stepkin card", command, svg)
}

/// Returns a hash of a command and its input. `kind` separates the kinds of images.
fn key(kind: &str, command: &[&str], input: &str) -> Key {
    let mut hasher = blake3::Hasher::new_derive_key(kind);
    for argument in command {
        add(argument, &mut hasher);
    }
    hasher.update(input.as_bytes());
    *hasher.finalize().as_bytes()
}

/// Returns the address of a page's card. It stays the same when the card changes, so that the page does.
pub fn card(page: &Address) -> Address {
    Address::new(&format!("/_cards{}.png", page.as_str().trim_end_matches('/')))
}
