//! `pages.json`: pages, steps, anchors and redirects of a Stepkin site, in the format of `pages.schema.json`.

use std::cell::RefCell;
use std::io;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Contents, LinkMap, MOST_ENTRIES, MapPage, MapRedirect, Unusable};

/// Name of the file. Its paths are relative to its folder.
pub const NAME: &str = "pages.json";

/// Its schema, among the program's built-in files.
pub const SCHEMA: &str = "pages.schema.json";

/// Increased when a field is renamed or removed. New fields don't change it.
const VERSION: u64 = 1;

#[derive(Serialize)]
struct Written<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: u64,
    title: &'a str,
    #[serde(serialize_with = "in_turn")]
    pages: RefCell<&'a mut dyn Iterator<Item = MapPage>>,
    redirects: &'a [MapRedirect],
}

/// Writes the map as one JSON object and a line end. `schema` is the URL of its schema.
pub fn write(contents: Contents<'_>, schema: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let Contents { title, pages, redirects } = contents;
    let (title, pages, redirects) = (title.as_str(), RefCell::new(pages), redirects.as_slice());
    serde_json::to_writer(&mut *out, &Written { schema, version: VERSION, title, pages, redirects })?;
    out.write_all(b"\n")
}

fn in_turn<S: Serializer>(
    pages: &RefCell<&mut dyn Iterator<Item = MapPage>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(&mut **pages.borrow_mut())
}

/// The fields that identify a `pages.json`.
#[derive(Deserialize)]
struct Head {
    version: Option<u64>,
}

#[derive(Deserialize)]
struct Map {
    pages: LimitedList<ListedPage>,
    #[serde(default)]
    redirects: LimitedList<MapRedirect>,
}

#[derive(Deserialize)]
struct ListedPage {
    path: String,
    anchors: Option<LimitedList<String>>,
}

pub(super) fn read(bytes: &[u8], map: &mut LinkMap) -> Result<(), Unusable> {
    let unusable = |error: serde_json::Error| match error.classify() {
        serde_json::error::Category::Eof => Unusable::cut(),
        _ if error.to_string().starts_with(TOO_MANY) => Unusable::too_large(),
        _ => Unusable::with_help(
            format!("is not a valid `{NAME}`: {error}"),
            "use the `pages.json` of that site",
        ),
    };
    let Head { version } = serde_json::from_slice(bytes).map_err(unusable)?;
    match version {
        Some(VERSION) => {}
        Some(version) => {
            return Err(Unusable::new(format!("is a `{NAME}` with version {version} instead of {VERSION}")));
        }
        None => {
            return Err(Unusable::with_help(
                format!("is not a valid `{NAME}`: it has no `version`"),
                "use the `pages.json` of that site",
            ));
        }
    }
    let Map { pages, redirects } = serde_json::from_slice(bytes).map_err(unusable)?;
    for ListedPage { path, anchors } in pages.0 {
        map.add_listed(&path, anchors.map(|anchors| anchors.0))?;
    }
    for MapRedirect { from, to } in redirects.0 {
        map.add_redirect(&from, &to)?;
    }
    Ok(())
}

/// A list within the maximum length of a map.
struct LimitedList<T>(Vec<T>);

/// Start of the error for a list that is too long.
const TOO_MANY: &str = "too many entries";

impl<T> Default for LimitedList<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for LimitedList<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
            type Value = LimitedList<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<LimitedList<T>, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = list.next_element()? {
                    if all.len() == MOST_ENTRIES {
                        return Err(A::Error::custom(TOO_MANY));
                    }
                    all.push(entry);
                }
                Ok(LimitedList(all))
            }
        }

        from.deserialize_seq(List(std::marker::PhantomData))
    }
}
