//! Many short texts in one string, stored and read together, each accessed by its position.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    all: String,
    /// The end of each text.
    ends: Vec<u32>,
}

impl Texts {
    pub fn push(&mut self, text: &str) {
        self.all.push_str(text);
        // Texts beyond this limit are read back as empty.
        self.ends.push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
    }

    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the size of all texts in bytes.
    pub fn size(&self) -> usize {
        self.all.len()
    }

    /// Returns the text, or an empty one if the position doesn't exist.
    pub fn get(&self, at: usize) -> &str {
        let start =
            at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&start| start as usize);
        let end = self.ends.get(at).map_or(0, |&end| end as usize);
        self.all.get(start..end).unwrap_or_default()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        (0..self.count()).map(|at| self.get(at))
    }

    /// Returns the position of a text. The texts must be sorted.
    pub fn find(&self, text: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).cmp(text) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl<'t> FromIterator<&'t str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'t str>>(texts: I) -> Self {
        let mut all = Self::default();
        for text in texts {
            all.push(text);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_by_its_position_and_a_position_by_its_text() {
        let texts: Texts = ["", "a", "b\0c", "é"].into_iter().collect();
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["", "a", "b\0c", "é"]);
        assert_eq!(texts.get(4), "");
        for (at, text) in texts.iter().enumerate() {
            assert_eq!(texts.find(text), Some(at));
        }
        assert_eq!(texts.find("b"), None);
    }
}
