//! One function for each kind of difference.

use std::cell::OnceCell;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Version;
use super::findings::{
    Findings, MOST_PLACES, Spot, TableLack, Variants, Wordings, changed, changes, changes_alone, first_line,
    ranked, rounded, said, verb, versions, way,
};
use super::gather::Lacking;
use super::names::{has_other_numbers, other_name, without_names};
use super::rank::{RankKind, rank, rank_of};
use base::diagnostic::{Code, Diagnostic, count, list};
use base::hash::HashSet;
use base::index::IndexVec;
use base::platforms::is_platform_name;
use base::quoted::quoted;
use base::sort::StableSort as _;
use base::sorted::{SortedMap, SortedSet};
use markup::markdown::CodeBlock;
use site::content::Platform;
use site::family::VersionIx;
use site::family::outline::{
    Block, BlockIx, Cell, NoteIx, Outline, SectionIx, SettingIx, TableColumn, TableIx,
};
use site::family::words::{Change, Label, WordList};

impl Findings<'_, '_> {
    pub(super) fn all(mut self) -> Vec<Diagnostic> {
        let mut found = self.headings();
        found.extend(self.settings());
        found.extend(self.columns());
        found.extend(self.cells());
        found.extend(self.images());
        found.extend(self.notes());
        found.extend(self.code());
        found.extend(self.lost_lines());
        found.extend(self.wording());
        found
    }

    fn headings(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let name = move |version: VersionIx, item: SectionIx| {
            outlines[version].sections[item].title.shown.to_string()
        };
        let groups = self.groups(Code::MissingSection, |comparison| &comparison.sections, name);
        let mut found = Vec::new();
        // The subsections of a missing section aren't reported.
        let mut lacking: Vec<Lacking<SectionIx>> =
            groups.iter().flat_map(|group| group.lacking.clone()).map(|it| self.with_others(it)).collect();
        lacking.stable_sort_by(|a, b| a.with.cmp(&b.with));
        let level = |(version, section): (VersionIx, SectionIx)| {
            section.heading().map(|heading| outlines[version].page.headings[heading].level)
        };
        let mut kept: Vec<(Lacking<SectionIx>, usize)> = Vec::new();
        for it in lacking {
            let belongs = kept.last().is_some_and(|(parent, inside)| {
                let (above, here) = (parent.with[0], it.with[0]);
                parent.without == it.without
                    && parent.with.iter().map(|item| item.0).eq(it.with.iter().map(|item| item.0))
                    && here.1 == above.1 + *inside + 1
                    && level(here) > level(above)
            });
            match kept.last_mut().filter(|_| belongs) {
                Some((_, inside)) => *inside += 1,
                None => kept.push((it, 0)),
            }
        }
        for (it, inside) in kept {
            let (version, section) = it.with[0];
            let title = &outlines[version].sections[section].title.shown;
            let more = match inside {
                0 => String::new(),
                1 => " with the section in it".to_string(),
                more => format!(" with the {more} sections in it"),
            };
            let spot = |&(version, section): &(VersionIx, SectionIx)| {
                (version, outlines[version].sections[section].span.clone())
            };
            // Its location would be after the last preceding section that the other version also contains.
            let before = self.before(version, section);
            let (at, problem) = self.lacking(
                Code::MissingSection,
                &it,
                &format!("the section `{title}`{more}"),
                title,
                spot,
                before,
            );
            let named =
                said(&it.with, |&(version, section)| outlines[version].sections[section].title.words());
            found.push(self.at(at, self.with_values(problem.data("heading", &**title), &[named])));
        }
        let words = move |&(version, section): &(VersionIx, SectionIx)| {
            outlines[version].sections[section].title.words()
        };
        let spot = move |&(version, section): &(VersionIx, SectionIx)| {
            (version, outlines[version].sections[section].span.clone())
        };
        let variants = groups.into_iter().map(|group| group.variants).filter(|variants| !variants.is_empty());
        for alike in Self::alike(variants, |item| Some(words(item))) {
            let last = alike[0][alike[0].len() - 1][0];
            if last.1 == SectionIx::TOP && self.titles_name_platforms(&alike[0]) {
                continue;
            }
            let kind = if last.1 == SectionIx::TOP { "title" } else { "heading" };
            let what = format!("the {kind} {}", quoted(&words(&last).shown));
            let mut finding = self.texts(Code::Wording, &alike, &what, words, spot);
            let data = &mut Arc::make_mut(&mut finding.problem).data;
            data.insert("heading".into(), words(&last).shown.clone().into());
            data.insert("heading_of".into(), if kind == "title" { "page" } else { "section" }.into());
            found.push(finding);
        }
        found
    }

    /// Adds the versions that contain a section but weren't compared with those that lack it, in a family that was found by names.
    fn with_others(&self, mut it: Lacking<SectionIx>) -> Lacking<SectionIx> {
        let (version, section) = it.with[0];
        let title = &self.outlines[version].sections[section].title;
        let others = self.outlines.indexed().filter(|(other, _)| {
            !it.without.contains(other) && !it.with.iter().any(|(version, _)| version == other)
        });
        // A title that occurs several times belongs to several sections.
        let only = |outline: &Outline<'_>| -> Option<SectionIx> {
            let mut same = outline.sections.indexed().skip(1).filter(|(_, it)| it.title.is_same(title));
            let (first, _) = same.next()?;
            same.next().is_none().then_some(first)
        };
        if !self.step.family.is_by_key || only(&self.outlines[version]).is_none() {
            return it;
        }
        let same = others.filter_map(|(other, outline)| Some((other, only(outline)?)));
        let same: Vec<(VersionIx, SectionIx)> = same.collect();
        it.with.extend(same);
        it.with.stable_sort();
        it
    }

    fn settings(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let name =
            move |version: VersionIx, item: SettingIx| outlines[version].settings[item].name().shown.clone();
        let groups = self.groups(Code::MissingSetting, |comparison| &comparison.settings, name);
        // One finding for all settings of a table that the same platforms lack.
        let mut causes: SortedMap<TableLack, Vec<Lacking<SettingIx>>> = SortedMap::new();
        for it in groups.into_iter().flat_map(|group| group.lacking) {
            let tables =
                it.with.iter().map(|&(version, item)| (version, outlines[version].settings[item].table));
            causes.entry((tables.collect(), it.without.clone())).or_default().push(it);
        }
        let mut found = Vec::new();
        for ((tables, without), settings) in causes {
            let names: Vec<String> = settings.iter().map(|it| name(it.with[0].0, it.with[0].1)).collect();
            let what = match names.len() {
                1 => format!("the setting `{}`", names[0]),
                2 | 3 => format!(
                    "the settings {}",
                    list(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
                ),
                more => format!("{more} settings, from `{}` to `{}`", names[0], names[more - 1]),
            };
            let spot = |&(version, item): &(VersionIx, SettingIx)| {
                (version, outlines[version].settings[item].span.clone())
            };
            let counterpart = self.counterpart_table(tables[0], &without);
            let (at, problem) =
                self.lacking(Code::MissingSetting, &settings[0], &what, &names[0], spot, counterpart);
            let more: Vec<Spot> =
                settings[1..].iter().take(MOST_PLACES).map(|it| spot(&it.with[0])).collect();
            let more = more.into_iter().map(|spot| (spot, "and this one".to_string()));
            found.push(self.at(at, self.relate(problem.data("settings", names), more)));
        }
        found
    }

    /// For versions that lack settings of a table, returns their table, or the section that would contain it.
    fn counterpart_table(&self, (version, table): (VersionIx, TableIx), without: &[VersionIx]) -> Vec<Spot> {
        let section = self.outlines[version].tables[table].section;
        let mut spots = self.before(version, section + 1);
        for spot in spots.iter_mut().filter(|spot| without.contains(&spot.0)) {
            let other = spot.0;
            let pairs = self.comparison(version, other, |it| it.tables.clone());
            if let Some((_, found)) = pairs.iter().find(|(here, _)| *here == table) {
                spot.1 = first_line(&self.outlines[other].tables[*found].span, &self.text(other));
            }
        }
        spots
    }

    fn columns(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let title = move |version: VersionIx, TableColumn { table, column }: TableColumn| {
            outlines[version].tables[table].columns[column].title.shown.to_string()
        };
        let groups = self.groups(Code::SettingValue, |comparison| &comparison.columns, title);
        let mut found = Vec::new();
        for mut it in groups.into_iter().flat_map(|group| group.lacking) {
            let (version, item) = it.with[0];
            it.without.retain(|other| !self.is_column_in_rows((version, item), *other));
            if it.without.is_empty() {
                continue;
            }
            let column = title(version, item);
            let spot = |&(version, TableColumn { table, .. }): &(VersionIx, TableColumn)| {
                (version, first_line(&outlines[version].tables[table].span, &self.text(version)))
            };
            let table = (version, item.table);
            let settings: Vec<String> = outlines[version]
                .settings
                .iter()
                .filter(|setting| setting.table == item.table)
                .map(|setting| setting.name().shown.clone())
                .collect();
            let counterpart = self.counterpart_table(table, &it.without);
            let what = format!("the column `{column}` in this settings table");
            let (at, problem) = self.lacking(Code::SettingValue, &it, &what, &column, spot, counterpart);
            found.push(self.at(at, problem.data("column", column.as_str()).data("settings", settings)));
        }
        found
    }

    fn cells(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let mut found = Vec::new();
        for code in [Code::SettingValue, Code::SettingDescription] {
            let name = move |version: VersionIx, Cell { setting, .. }: Cell| {
                outlines[version].settings[setting].name().shown.clone()
            };
            let groups = self.groups(code, |comparison| &comparison.cells, name);
            let column = |&(version, Cell { setting, column }): &(VersionIx, Cell)| -> String {
                let table = outlines[version].settings[setting].table;
                outlines[version].tables[table]
                    .columns
                    .get(column)
                    .map_or(String::new(), |column| column.title.shown.to_string())
            };
            // One finding for all settings that differ in the same way.
            let mut causes: SortedMap<(String, CellWay), Vec<Variants<Cell>>> = SortedMap::new();
            for group in groups.into_iter().filter(|group| !group.variants.is_empty()) {
                let classes = ranked(group.variants, |item| self.cell(item));
                let title = column(&classes[0][0]);
                let (version, Cell { setting, column }) = classes[0][0];
                let table = &outlines[version].tables[outlines[version].settings[setting].table];
                let is_description = table.describes(column);
                if is_description != (code == Code::SettingDescription)
                    || is_description && self.differ_in_columns(&classes)
                {
                    continue;
                }
                let way = self.cell_way(code, &classes);
                causes.entry((title, way)).or_default().push(classes);
            }
            for ((column, way), cells) in causes {
                found.push(self.cell_finding(code, &column, &way, &cells));
            }
        }
        found
    }

    /// Whether the rows of another version contain the words of a column in other columns, in a family that was found by names.
    fn is_column_in_rows(&self, (version, item): (VersionIx, TableColumn), other: VersionIx) -> bool {
        let pairs = self.comparison(version, other, |it| {
            it.settings.same.iter().chain(&it.settings.differing).copied().collect()
        });
        let settings = &self.outlines[version].settings;
        let mut of_table = pairs.into_iter().filter(|(one, _)| settings[*one].table == item.table).peekable();
        let is_in_row = |(one, there): (SettingIx, SettingIx)| {
            let cell = settings[one].cells.get(item.column).map_or("", |cell| &cell.words().shown);
            are_words_of(cell, &self.row((other, there)))
        };
        self.step.family.is_by_key && of_table.peek().is_some() && of_table.all(is_in_row)
    }

    /// Whether two descriptions differ only in words that are in another column of the other version: `**Required.** The key`.
    fn differ_in_columns(&self, classes: &[Vec<(VersionIx, Cell)>]) -> bool {
        let [one, other] = classes else { return false };
        let (one, other) = (one[0], other[0]);
        let Some((from, to)) = self.cell(&one).zip(self.cell(&other)) else { return false };
        let rows = [one, other].map(|(version, cell)| self.row((version, cell.setting)));
        self.step.family.is_by_key
            && changes_alone(from, to).iter().all(|(change, text)| match change {
                Change::Removed => are_words_of(text, &rows[1]),
                Change::Added => are_words_of(text, &rows[0]),
                Change::Kept => true,
            })
    }

    /// Returns the cells of a setting.
    fn row(&self, (version, setting): (VersionIx, SettingIx)) -> String {
        let cells = self.outlines[version].settings[setting].cells.iter();
        cells.map(|cell| cell.words().shown.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Returns how the cells of a setting differ.
    fn cell_way(&self, code: Code, classes: &[Vec<(VersionIx, Cell)>]) -> CellWay {
        let who = classes.iter().map(|class| versions(class)).collect();
        let is_empty = |class: &Vec<(VersionIx, Cell)>| self.cell(&class[0]).is_none_or(WordList::is_empty);
        match classes {
            [one, other] if is_empty(one) || is_empty(other) => CellWay::Empty(who, is_empty(other)),
            _ if code == Code::SettingDescription => {
                let (who, changes) = way(classes, |item| self.cell(item));
                CellWay::Changes(who, changes)
            }
            _ => {
                let shown = |class: &Vec<(VersionIx, Cell)>| {
                    self.cell(&class[0]).map_or(String::new(), |cell| cell.shown.clone())
                };
                CellWay::Values(who, classes.iter().map(shown).collect())
            }
        }
    }

    fn cell(&self, &(version, Cell { setting, column }): &(VersionIx, Cell)) -> Option<&WordList> {
        self.outlines[version].settings[setting].cells.get(column).map(Label::words)
    }

    fn cell_finding(&self, code: Code, column: &str, way: &CellWay, cells: &[Variants<Cell>]) -> Diagnostic {
        let name = |variants: &Variants<Cell>| {
            let (version, Cell { setting, .. }) = variants[0][0];
            self.outlines[version].settings[setting].name().shown.clone()
        };
        let names: Vec<String> = cells.iter().map(name).collect();
        let said: Vec<Wordings> = cells
            .iter()
            .map(|variants| {
                let value = |class: &Vec<(VersionIx, Cell)>| {
                    self.cell(&class[0]).map_or(String::new(), |cell| cell.shown.clone())
                };
                variants.iter().map(|class| (value(class), versions(class))).collect()
            })
            .collect();
        let message = self.cell_message(code, way, &names, &said[0]);
        let last = cells[0].last().expect("variants are two or more");
        let spot = |&(version, Cell { setting, .. }): &(VersionIx, Cell)| {
            (version, self.outlines[version].settings[setting].span.clone())
        };
        let versions: Vec<VersionIx> = said[0].iter().flat_map(|value| value.1.clone()).collect();
        let problem = self
            .problem(code, spot(&last[0]), message, &names[0])
            .data("settings", names.clone())
            .data("column", column);
        // Values that are the same everywhere are shown once.
        let places = if said.iter().all(|it| *it == said[0]) { &said[..1] } else { &said[..] };
        let problem = self.with_values(problem, places);
        let kind = if code == Code::SettingValue { RankKind::Value } else { RankKind::Description };
        let none = WordList::none();
        let first = self.cell(&cells[0][0][0]).unwrap_or(&none);
        let last_cell = self.cell(&last[0]).unwrap_or(&none);
        let problem = match kind {
            RankKind::Value => {
                problem.data("similarity", rounded(first.similarity(last_cell))).data("rank", rank(kind))
            }
            _ => changed(problem, first, last_cell).data("rank", rank_of(kind, first, last_cell)),
        };
        let hint = match code {
            Code::SettingValue => {
                "use the same value, or list the values as synonyms in stepkin.toml under `[drift] values`"
            }
            _ => "align the descriptions, or allow the difference with `drift:` in the front matter",
        };
        let problem = problem.help(format!("{hint}{}", self.ended(&versions, code, &names[0])));
        let others =
            cells[0].iter().rev().skip(1).map(|class| (spot(&class[0]), "compare with this".to_string()));
        let more = cells[1..].iter().map(|variants| {
            let item = &variants.last().expect("variants are two or more")[0];
            (spot(item), "and here".to_string())
        });
        let places: Vec<_> = others.chain(more.take(MOST_PLACES)).collect();
        self.relate(problem, places.into_iter()).at(&self.step.versions[last[0].0].document.path)
    }

    fn cell_message(&self, code: Code, way: &CellWay, names: &[String], said: &Wordings) -> String {
        let what = match names {
            [name] => format!("the setting `{name}`"),
            several => count(several.len(), "setting"),
        };
        let (first, last) = (&said[0].1, &said[said.len() - 1].1);
        match (way, code) {
            (CellWay::Empty(_, true), Code::SettingDescription) => {
                format!(
                    "{} {}n't describe {what}, and {} {}",
                    self.names(last),
                    verb(last.len(), "do"),
                    self.names(first),
                    verb(first.len(), "do")
                )
            }
            (CellWay::Empty(_, false), Code::SettingDescription) => {
                format!(
                    "only {} {} {what}: {} {}n't",
                    self.names(last),
                    verb(last.len(), "describe"),
                    self.names(first),
                    verb(first.len(), "do")
                )
            }
            (_, Code::SettingDescription) => self.who_differs("describe", &what, said),
            (CellWay::Empty(_, true), _) if names.len() > 1 => {
                format!(
                    "{} {} nothing where {} {} a value ({what})",
                    self.names(last),
                    verb(last.len(), "write"),
                    self.names(first),
                    verb(first.len(), "write")
                )
            }
            (CellWay::Empty(_, false), _) if names.len() > 1 => {
                format!(
                    "{} {} a value where {} {} nothing ({what})",
                    self.names(last),
                    verb(last.len(), "write"),
                    self.names(first),
                    verb(first.len(), "write")
                )
            }
            _ => match names {
                [name] => format!("setting `{name}`: {}", self.who_writes(said)),
                _ => format!("{} ({what})", self.who_writes(said)),
            },
        }
    }

    fn images(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let name = move |version: VersionIx, item: SectionIx| {
            outlines[version].sections[item].title.shown.to_string()
        };
        let groups = self.groups(Code::ImageCount, |comparison| &comparison.images, name);
        let mut found = Vec::new();
        for group in groups {
            let count = |item: &(VersionIx, SectionIx)| outlines[item.0].sections[item.1].images.len();
            let mut classes = group.variants;
            classes.stable_sort_by_key(|class| {
                (std::cmp::Reverse(class.len()), std::cmp::Reverse(count(&class[0])))
            });
            let last = classes.last().expect("variants are two or more")[0];
            let counts: Vec<String> = classes
                .iter()
                .map(|class| format!("{} on {}", count(&class[0]), self.names(&versions(class))))
                .collect();
            let place = match last.1 {
                SectionIx::TOP => "the text above the first heading".to_string(),
                _ => format!("the section `{}`", name(last.0, last.1)),
            };
            let message = format!("{place} has a different number of images: {}", counts.join(", "));
            let spot = |&(version, section): &(VersionIx, SectionIx)| {
                let section = &outlines[version].sections[section];
                (version, section.images.last().unwrap_or(&section.span).clone())
            };
            let all: Vec<VersionIx> = classes.iter().flat_map(|class| versions(class)).collect();
            let values: Vec<Value> = classes
                .iter()
                .map(|class| json!({ "value": count(&class[0]), "platforms": self.ids(&versions(class)) }))
                .collect();
            let problem = self
                .problem(Code::ImageCount, spot(&last), message, &name(last.0, last.1))
                .data("heading", name(last.0, last.1))
                .data("values", values)
                .data("rank", rank(RankKind::Sample))
                .help(format!(
                    "add the missing image, or allow the difference with `drift:` in the front matter{}",
                    self.ended(&all, Code::ImageCount, &name(last.0, last.1))
                ));
            let others = classes
                .iter()
                .rev()
                .skip(1)
                .map(|class| (spot(&class[0]), format!("{} here", count(&class[0]))));
            found.push(self.relate(problem, others).at(&self.step.versions[last.0].document.path));
        }
        found
    }

    fn notes(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let name =
            move |version: VersionIx, item: NoteIx| outlines[version].notes()[item].words.shown.clone();
        let groups = self.groups(Code::MissingNote, |comparison| &comparison.notes, name);
        let mut found = Vec::new();
        let spot = |&(version, note): &(VersionIx, NoteIx)| {
            (version, first_line(&outlines[version].notes()[note].span, &self.text(version)))
        };
        for group in groups {
            for it in &group.lacking {
                let (version, note) = it.with[0];
                let text = name(version, note);
                let before = self.before(version, outlines[version].notes()[note].section + 1);
                let what = format!("the note {}", quoted(&text));
                let (at, mut problem) = self.lacking(Code::MissingNote, it, &what, &text, spot, before);
                if it.without.iter().all(|&other| self.is_said_in(other, it.with[0])) {
                    let (have, others) = (self.names(&versions(&it.with)), self.names(&it.without));
                    let contain = verb(it.without.len(), "contain");
                    problem.message = format!(
                        "{others} {contain} the text of a note on {have} without the note: {}",
                        quoted(&text)
                    );
                    let ended = self.ended(&it.without, Code::MissingNote, &text);
                    problem.help = Some(format!(
                        "use a note on every platform, or allow the difference with `drift:` in the front matter{ended}"
                    ));
                }
                let heading = self.heading(version, outlines[version].notes()[note].section);
                let texts = said(&it.with, |&(version, note)| &outlines[version].notes()[note].words);
                found.push(self.at(at, self.with_values(problem.data("heading", heading), &[texts])));
            }
            if !group.variants.is_empty() {
                let kind = |item: &(VersionIx, NoteIx)| outlines[item.0].notes()[item.1].kind.class();
                let mut classes = group.variants.clone();
                classes.stable_sort_by_key(|class| (std::cmp::Reverse(class.len()), kind(&class[0])));
                let last = classes.last().expect("variants are two or more")[0];
                let kinds: Vec<String> = classes
                    .iter()
                    .map(|class| format!("`{}` on {}", kind(&class[0]), self.names(&versions(class))))
                    .collect();
                let values: Vec<Value> = classes
                    .iter()
                    .map(|class| json!({ "value": kind(&class[0]), "platforms": self.ids(&versions(class)) }))
                    .collect();
                let problem = self
                    .problem(
                        Code::Wording,
                        spot(&last),
                        format!("the kind of the note differs: {}", list(&kinds)),
                        &name(last.0, last.1),
                    )
                    .data("values", values)
                    .data("rank", rank(RankKind::Note))
                    .help(
                        "use the same kind, or allow the difference with `drift:` in the front matter"
                            .to_string(),
                    );
                let others = classes
                    .iter()
                    .rev()
                    .skip(1)
                    .map(|class| (spot(&class[0]), "compare with this".to_string()));
                found.push(self.relate(problem, others).at(&self.step.versions[last.0].document.path));
            }
        }
        found
    }

    /// Whether another version contains the complete text of a note outside matching notes.
    fn is_said_in(&self, other: VersionIx, (version, note): (VersionIx, NoteIx)) -> bool {
        let has = self.comparison(version, other, |it| [&it.blocks.same[..], &it.blocks.differing].concat());
        let blocks = self.outlines[version].blocks().indexed();
        let mut of_note = blocks.filter(|(_, block)| block.note == Some(note)).map(|(at, _)| at).peekable();
        of_note.peek().is_some() && of_note.all(|block| has.iter().any(|pair| pair.0 == block))
    }

    fn code(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let name = move |version: VersionIx, item: SectionIx| {
            outlines[version].sections[item].title.shown.to_string()
        };
        let groups = self.groups(Code::MissingCode, |comparison| &comparison.code, name);
        let mut found = Vec::new();
        for mut it in groups.into_iter().flat_map(|group| group.lacking) {
            let (version, section) = it.with[0];
            let title = name(version, section);
            // Authors who begin with a heading have the code below it.
            if section == SectionIx::TOP && self.step.family.is_by_key {
                let has_first = |version: &VersionIx| {
                    let mut sections = outlines[*version].sections.indices().skip(1);
                    sections.next().is_some_and(|first| !outlines[*version].samples(first).is_empty())
                };
                it.without.retain(|version| !has_first(version));
            }
            if it.without.is_empty() {
                continue;
            }
            let spot = |&(version, section): &(VersionIx, SectionIx)| {
                (version, outlines[version].samples(section)[0].clone())
            };
            let before = self.before(version, section + 1);
            let what = match section {
                SectionIx::TOP => "code above the first heading".to_string(),
                _ => format!("code in the section `{title}`"),
            };
            let (at, problem) = self.lacking(Code::MissingCode, &it, &what, &title, spot, before);
            found.push(self.at(at, problem.data("heading", title.as_str())));
        }
        found
    }

    /// Finds code that lacks lines of code that is the same in all other versions.
    fn lost_lines(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let mut found = Vec::new();
        for (version, outline) in outlines.indexed() {
            for section in outline.sections.indices() {
                let own: Vec<&CodeBlock> = outline.code_of(section).collect();
                let others = outlines.indices().filter(|other| *other != version && !own.is_empty());
                let same = others.filter_map(|other| {
                    let pairs = self.comparison(version, other, |it| {
                        it.sections.same.iter().chain(&it.sections.differing).copied().collect()
                    });
                    let (_, there) = pairs.into_iter().find(|(here, _)| *here == section)?;
                    let code: Vec<&CodeBlock> = outlines[other].code_of(there).collect();
                    (code.len() == own.len()).then_some((other, code))
                });
                let same: Vec<(VersionIx, Vec<&CodeBlock>)> = same.collect();
                for (at, block) in own.iter().enumerate() {
                    let with: Vec<(VersionIx, &CodeBlock)> =
                        same.iter().map(|(other, code)| (*other, code[at])).collect();
                    let title = outline.sections[section].title.shown.to_string();
                    let lost = lost_line(block, &with);
                    if let Some(line) =
                        lost.filter(|_| !self.accepted.covers(version, Code::MissingCode, &title))
                    {
                        found.push(self.lost_line((version, block), &with, (line, &title)));
                    }
                }
            }
        }
        found
    }

    fn lost_line(
        &self,
        (version, block): (VersionIx, &CodeBlock),
        with: &[(VersionIx, &CodeBlock)],
        (line, title): (&str, &str),
    ) -> Diagnostic {
        let it =
            Lacking { with: with.iter().map(|(other, _)| (*other, ())).collect(), without: vec![version] };
        let spot = |(other, ()): &(VersionIx, ())| {
            let (_, block) = with.iter().find(|(it, _)| it == other).expect("it is one of them");
            (*other, block.span.clone())
        };
        let what = format!("the line {} of this code", quoted(line));
        let here = vec![(version, block.span.clone())];
        let (at, problem) = self.lacking(Code::MissingCode, &it, &what, title, spot, here);
        self.at(at, problem.data("heading", title).data(LINE, line).as_warning())
    }

    fn wording(&mut self) -> Vec<Diagnostic> {
        let outlines = self.outlines;
        let name =
            move |version: VersionIx, item: BlockIx| outlines[version].blocks()[item].words.shown.clone();
        // Of a row, the first cell is enough.
        let named = move |version: VersionIx, item: BlockIx| {
            let text = &outlines[version].blocks()[item];
            let cell = || text.words.shown.split(" | ").find(|cell| !cell.trim().is_empty());
            match text.is_row.then(cell).flatten() {
                Some(cell) => format!("the row {}", quoted(cell)),
                None => quoted(&text.words.shown),
            }
        };
        let groups = self.groups(Code::Wording, |comparison| &comparison.blocks, name);
        let spot = |&(version, block): &(VersionIx, BlockIx)| {
            (version, outlines[version].blocks()[block].span.clone())
        };
        let mut found = Vec::new();
        // Adjacent texts that are missing on the same platforms have one cause.
        let says_something = |it: &Lacking<BlockIx>| {
            let (version, block) = it.with[0];
            !self.is_name_of_platform(&outlines[version].blocks()[block].words.shown)
        };
        let lacking = groups.iter().flat_map(|group| group.lacking.iter().filter(|it| says_something(it)));
        let rows = OnceCell::new();
        let lacking = lacking.cloned().map(|it| self.without_row(it, &rows));
        let mut lacking: Vec<Lacking<BlockIx>> = lacking.filter(|it| !it.without.is_empty()).collect();
        lacking.stable_sort_by(|a, b| (&a.without, &a.with).cmp(&(&b.without, &b.with)));
        let mut runs: Vec<Vec<Lacking<BlockIx>>> = Vec::new();
        for it in lacking {
            let follows = runs.last().and_then(|run| run.last()).is_some_and(|last| {
                let next = last.with.iter().map(|&(version, block)| (version, block + 1));
                let section =
                    |(version, block): (VersionIx, BlockIx)| outlines[version].blocks()[block].section;
                last.without == it.without
                    && next.eq(it.with.iter().copied())
                    && section(last.with[0]) == section(it.with[0])
            });
            match runs.last_mut().filter(|_| follows) {
                Some(run) => run.push(it),
                None => runs.push(vec![it]),
            }
        }
        for run in runs {
            let (version, block) = run[0].with[0];
            let section = outlines[version].blocks()[block].section;
            let text: Vec<String> = run.iter().map(|it| name(it.with[0].0, it.with[0].1)).collect();
            let text = text.join(" ");
            let more = if run.len() > 1 {
                format!(" and {} more", count(run.len() - 1, "text"))
            } else {
                String::new()
            };
            let what = format!("{}{more}", named(version, block));
            let before = self.before(version, section + 1);
            let (at, problem) = self.lacking(Code::Wording, &run[0], &what, &text, spot, before);
            let last = run.last().map_or((version, block), |it| it.with[0]);
            let whole: Vec<(VersionIx, WordList)> = (run[0].with.iter().enumerate())
                .map(|(index, item)| {
                    let mut whole = WordList::default();
                    for it in &run {
                        whole.push(&outlines[item.0].blocks()[it.with[index].1].words);
                    }
                    (item.0, whole)
                })
                .collect();
            let mut problem = self
                .with_values(problem, &[said(&whole, |item| &item.1)])
                .data("heading", self.heading(version, section))
                .data("similarity", 0.0)
                .data("changes", changes(&[(Change::Added, text.clone())]));
            if at == version {
                problem.span.end = spot(&last).1.end;
            }
            found.push(self.at(at, problem));
        }
        let words = move |&(version, block): &(VersionIx, BlockIx)| &outlines[version].blocks()[block].words;
        let variants = groups.into_iter().map(|group| group.variants);
        let mut variants: Vec<_> = variants.filter(|it| !it.is_empty()).collect();
        variants.retain(|it| {
            let other = self.other_name(it);
            let is_usual = || !self.has_other_numbers(it) && self.differ_in_code(it);
            let is_kept = other.is_none() && !is_usual() && !self.differ_in_columns_of_rows(it);
            found.extend(other);
            is_kept
        });
        for alike in Self::alike(variants.into_iter(), |item| Some(words(item))) {
            let last = alike[0][alike[0].len() - 1][0];
            let is_note = alike[0]
                .iter()
                .flatten()
                .all(|&(version, block)| outlines[version].blocks()[block].note.is_some());
            let text = named(last.0, last.1);
            let what = if is_note { format!("the note {text}") } else { text };
            let finding = self.texts(Code::Wording, &alike, &what, words, spot);
            found.push(if self.has_other_numbers(&alike[0]) { marked(finding) } else { finding });
        }
        found
    }
}

impl Findings<'_, '_> {
    /// Leaves out the versions that contain a row with the same first cell, whose other cells have nothing in common, in a family that
    /// was found by names. `rows` are the first cells of each version.
    fn without_row(
        &self,
        mut it: Lacking<BlockIx>,
        rows: &OnceCell<IndexVec<VersionIx, HashSet<String>>>,
    ) -> Lacking<BlockIx> {
        let (version, block) = it.with[0];
        let name = |block: &Block| {
            let cell = block.words.shown.split(" | ").next().unwrap_or_default().trim();
            (block.is_row && !cell.is_empty()).then(|| cell.to_lowercase())
        };
        let row = name(&self.outlines[version].blocks()[block]).filter(|_| self.step.family.is_by_key);
        if let Some(row) = row {
            let names = |outline: &Outline<'_>| outline.blocks().iter().filter_map(name).collect();
            let rows = rows.get_or_init(|| self.outlines.iter().map(names).collect());
            it.without.retain(|other| !rows[*other].contains(&row));
        }
        it
    }

    /// Whether most titles contain the name of their platform, so that each has its own.
    fn titles_name_platforms(&self, variants: &Variants<SectionIx>) -> bool {
        let names = |&&(version, _): &&(VersionIx, SectionIx)| {
            let Version { place, document, .. } = &self.step.versions[version];
            let title = document.title.as_str();
            self.step.family.platforms[place.platform].is_named_in(title) || is_platform_name(title)
        };
        let all = variants.iter().flatten().count();
        self.step.family.is_by_key && 2 * variants.iter().flatten().filter(names).count() >= all
    }

    /// Whether a text is only a platform's name, such as a link to another platform, or contains no letters.
    fn is_name_of_platform(&self, text: &str) -> bool {
        // A link is shown with its target.
        let text = text.split(" → ").next().unwrap_or_default().replace("&nbsp;", " ");
        let is_name = |platform: &Platform| {
            [&platform.name, &platform.id]
                .into_iter()
                .chain(&platform.words)
                .any(|it| it.eq_ignore_ascii_case(text.trim()))
        };
        self.step.family.is_by_key
            && (!text.contains(char::is_alphanumeric)
                || is_platform_name(text.trim())
                || self.step.family.platforms.iter().any(is_name))
    }

    /// Whether rows differ only in columns that some tables don't have, in a family that was found by names.
    fn differ_in_columns_of_rows(&self, variants: &Variants<BlockIx>) -> bool {
        let rows = variants.iter().flatten().map(|&(version, block)| &self.outlines[version].blocks()[block]);
        let cells = |block: &Block| -> Vec<String> {
            block.words.shown.split(" | ").map(|cell| cell.trim().to_lowercase()).collect()
        };
        let mut rows: Vec<Vec<String>> = rows.filter(|block| block.is_row).map(cells).collect();
        rows.stable_sort_by_key(Vec::len);
        let is_part = |one: &[String], other: &[String]| one.iter().all(|cell| other.contains(cell));
        self.step.family.is_by_key
            && rows.len() == variants.iter().flatten().count()
            && rows.first().map(Vec::len) < rows.last().map(Vec::len)
            && rows.windows(2).all(|pair| is_part(&pair[0], &pair[1]))
    }

    /// Whether one platform's text differs from that of several others in numbers only.
    fn has_other_numbers(&self, variants: &Variants<BlockIx>) -> bool {
        let family = self.step.family;
        let may_be = family.is_by_key && !family.is_within_pages;
        match &variants[..] {
            [many, one] | [one, many] if may_be && many.len() > 1 && one.len() == 1 => {
                has_other_numbers(family, self.shown(one[0]), self.shown(many[0]))
            }
            _ => false,
        }
    }

    fn shown(&self, (version, block): (VersionIx, BlockIx)) -> &str {
        &self.outlines[version].blocks()[block].words.shown
    }

    /// Returns the finding for a text in which one platform has another name than all others.
    fn other_name(&self, variants: &Variants<BlockIx>) -> Option<Diagnostic> {
        let family = self.step.family;
        if !family.is_by_key || family.is_within_pages {
            return None;
        }
        let mut alone = variants.iter().filter(|class| class.len() == 1).flatten();
        let (one, others, (name, usual)) = alone.find_map(|&one| {
            let others: Vec<_> = variants.iter().flatten().copied().filter(|it| *it != one).collect();
            let texts: Vec<&str> = others.iter().map(|it| self.shown(*it)).collect();
            let names = other_name(family, self.shown(one), &texts, &self.text(one.0))?;
            Some((one, others, names))
        })?;
        let (own, versions) = (vec![one.0], versions(&others));
        let (who, whom) = (self.names(&own), self.names(&versions));
        let message = format!("{who} has {} where {whom} have {}", quoted(name), quoted(usual));
        let span = self.outlines[one.0].blocks()[one.1].span.clone();
        let at = self.text(one.0).get(span.clone())?.find(name).map(|at| span.start + at)?;
        let problem = self.problem(Code::Wording, (one.0, at..at + name.len()), message, self.shown(one));
        let values = vec![(usual.to_string(), versions), (name.to_string(), own)];
        let problem = self.with_values(problem, &[values]).data(FORGOTTEN, true);
        let help = format!("did you mean {}? this page has it elsewhere", quoted(usual));
        let place = |&(version, block): &(VersionIx, BlockIx)| {
            (version, self.outlines[version].blocks()[block].span.clone())
        };
        let places = others.iter().take(1).map(|it| (place(it), "compare with this".to_string()));
        let problem = self.relate(problem.help(help), places);
        Some(self.at(one.0, problem))
    }

    /// Whether texts differ only in code and names because each language has its own. If all platforms use the same
    /// language, authors set an `order`, and the code is compared.
    fn differ_in_code(&self, variants: &Variants<BlockIx>) -> bool {
        let bare = |&(version, block): &(VersionIx, BlockIx)| {
            let text = self.text(version);
            let text = text.get(self.outlines[version].blocks()[block].span.clone()).unwrap_or_default();
            without_names(self.step.family, &without_code(text))
        };
        let mut texts = variants.iter().flatten().map(bare);
        let first = texts.next();
        self.step.family.is_by_key && texts.all(|text| Some(text) == first)
    }
}

/// The data of findings about a text that was probably forgotten.
pub(super) const FORGOTTEN: &str = "forgotten";

fn marked(mut finding: Diagnostic) -> Diagnostic {
    Arc::make_mut(&mut finding.problem).data.insert(FORGOTTEN.into(), true.into());
    finding
}

/// The data of findings about a lost line of code.
pub(super) const LINE: &str = "line";

/// Returns the first line that code lacks, if at least two others are equal and contain nothing else in addition but two more.
fn lost_line<'c>(block: &CodeBlock, others: &[(VersionIx, &'c CodeBlock)]) -> Option<&'c str> {
    const MOST: usize = 3;
    let [(_, first), (_, second), ..] = others else { return None };
    let lines =
        |code: &'_ CodeBlock| code.code.lines().map(str::trim).filter(|line| !line.is_empty()).count();
    let is_more = (1..=MOST).contains(&lines(first).checked_sub(lines(block))?) && lines(block) > 0;
    let are_same = second.code == first.code && others.iter().all(|(_, other)| other.code == first.code);
    if !is_more || !are_same || first.language != block.language {
        return None;
    }
    let mut own = block.code.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let theirs = first.code.lines().map(str::trim).filter(|line| !line.is_empty());
    let lost: Vec<&str> = theirs.filter(|line| own.next_if_eq(line).is_none()).collect();
    lost.first().copied().filter(|_| own.peek().is_none())
}

/// Whether another text contains all words of a text.
fn are_words_of(text: &str, other: &str) -> bool {
    let words = |text: &str| -> SortedSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    words(text).is_subset(&words(other))
}

/// Removes code in backticks and targets of links from a text.
fn without_code(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        bare.push_str(if at % 2 == 0 { part } else { "`" });
    }
    let mut words = String::with_capacity(bare.len());
    for (at, part) in bare.split("](").enumerate() {
        // The text before the first one isn't a target.
        words.push_str(if at == 0 { part } else { part.split_once(')').map_or(part, |(_, rest)| rest) });
    }
    words
}

/// How the cells of a setting differ. Settings that differ in the same way are one finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CellWay {
    /// By platform, and whether the cell of the last of these is empty.
    Empty(Vec<Vec<VersionIx>>, bool),
    Values(Vec<Vec<VersionIx>>, Vec<String>),
    Changes(Vec<Vec<VersionIx>>, Vec<(Change, String)>),
}
