//! The value of `--shard`.

use std::str::FromStr;

use crate::output::unit::Share;

/// `I/N`: the shard I of N.
#[derive(Clone, Debug)]
pub(super) struct Shard(pub(super) Share);

/// Maximum number of shards.
const MOST: usize = 1000;

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(at, of)| Some((at.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((at, of)) if (1..=of).contains(&at) && of <= MOST => {
                Ok(Self(Share::Shard { at: at - 1, of }))
            }
            _ => Err(format!("use I/N, from 1/N to N/N, with N up to {MOST}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(usize, usize)>) {
        let share = text.parse::<Shard>().ok().map(|shard| shard.0);
        assert_eq!(share, expected.map(|(at, of)| Share::Shard { at, of }), "{text}");
    }

    #[test]
    fn shards_count_from_one() {
        check("1/4", Some((0, 4)));
        check("4/4", Some((3, 4)));
        check("1/1", Some((0, 1)));
        for wrong in ["0/4", "5/4", "1/0", "0/0", "-1/4", "1", "1/", "/4", "1/4/4", "1/1001", "one/two", ""] {
            check(wrong, None);
        }
    }
}
