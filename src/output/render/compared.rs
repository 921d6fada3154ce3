//! Renders the steps of `compare.html`.
//!
//! A long tutorial has ten thousand cells. Writing them here takes a small part of the time that a template needs. A
//! site with its own `compare.html` also gets their data.

use std::fmt::{self, Display, Formatter, Write as _};

use super::compare::views::{
    CauseView, CellView, ComparedStepView, DescriptionView, HeadingView, LackingPlatform, SettingView,
    TableView, TitleView, ValueView, VersionView,
};
use super::templates::escape_parts;
use input::words::{Word, Words};

/// Returns all steps. `has_settings` is set if any of them contains settings.
pub(super) fn html(steps: &[ComparedStepView], has_settings: bool, words: &Words) -> String {
    let mut html = String::new();
    for step in steps {
        let written = Compared { step, has_settings, words }.write(&mut html);
        written.expect("a String takes everything");
    }
    html
}

/// A text that is escaped as in templates.
struct Text<'a>(&'a str);

impl Display for Text<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        escape_parts(self.0, |part| out.write_str(part))
    }
}

/// A step under construction.
struct Compared<'a> {
    step: &'a ComparedStepView,
    has_settings: bool,
    words: &'a Words,
}

impl Compared<'_> {
    fn write(&self, html: &mut String) -> fmt::Result {
        let ComparedStepView { id, title, versions, missing, causes, tables, headings, .. } = self.step;
        let (id, title) = (Text(id), Text(title));
        let differs = if missing.is_empty() { "" } else { " data-differs" };
        write!(html, "\n<section class=\"compared\" id=\"{id}\" aria-label=\"{title}\"{differs}>")?;
        write!(html, "\n<h2><a href=\"#{id}\">{title}</a></h2>\n<ul class=\"chips\">")?;
        for VersionView { id, name, colour, url, .. } in versions {
            let (id, name, url) = (Text(id), Text(name), Text(url));
            write!(
                html,
                "\n<li data-platform=\"{id}\" data-colour=\"{colour}\"><a class=\"chip\" href=\"{url}\">{name}<span class=\"unseen\">: {title}</span></a></li>"
            )?;
        }
        if !missing.is_empty() {
            let name = |it: &LackingPlatform| {
                format!("<span data-platform=\"{}\">{}</span>", Text(&it.id), Text(&it.name))
            };
            let names: String = missing.iter().map(name).collect();
            let missing = self.words.say(Word::NotOn, &[("platforms", &names)]);
            write!(html, "\n<li class=\"gap\">{missing}</li>")?;
        }
        html.push_str("\n</ul>");
        causes.iter().try_for_each(|cause| self.cause(cause, html))?;
        for (number, table) in (1..).zip(tables) {
            let number = if tables.len() > 1 { format!(" ({number})") } else { String::new() };
            self.table(table, &number, html)?;
        }
        if !headings.is_empty() {
            self.headings(html)?;
        }
        html.push_str("\n</section>");
        Ok(())
    }

    /// Returns the text of a cell, or the word for an empty one.
    fn said<'s>(&'s self, text: &'s str) -> Text<'s> {
        Text(if text.is_empty() { self.words.get(Word::Empty) } else { text })
    }

    fn cause(&self, cause: &CauseView, html: &mut String) -> fmt::Result {
        html.push_str("\n<p class=\"cause\">");
        for (position, value) in cause.values.iter().enumerate() {
            let odd = if value.differs { " class=\"odd\"" } else { "" };
            let text = format!("<b{odd}>{}</b>", self.said(&value.text));
            let platforms = value.platforms.join(", ");
            let slots: [(&str, &dyn Display); 2] = [("value", &text), ("platforms", &Text(&platforms))];
            html.push_str(if position > 0 { "; " } else { "" });
            html.push_str(&self.words.say(Word::ValueOn, &slots));
        }
        write!(html, ", {}.</p>", Text(&self.words.count(Word::InSettings, cause.settings)))
    }

    /// `number` identifies the table in its step.
    fn table(&self, table: &TableView, number: &str, html: &mut String) -> fmt::Result {
        let (title, step) = (Text(&table.title), Text(&self.step.title));
        write!(
            html,
            "\n<section class=\"table side\" tabindex=\"0\" aria-label=\"{title}: {step}{number}\">\n<table>"
        )?;
        write!(html, "\n<thead><tr><th scope=\"col\">{title}</th>")?;
        self.names(html)?;
        html.push_str("</tr></thead>");
        table.rows.iter().try_for_each(|row| self.setting(row, html))?;
        html.push_str("\n</table>\n</section>");
        Ok(())
    }

    /// Writes the names of the platforms above their columns.
    fn names(&self, html: &mut String) -> fmt::Result {
        self.step.versions.iter().try_for_each(|VersionView { id, name, .. }| {
            write!(html, "<th scope=\"col\" data-platform=\"{}\">{}</th>", Text(id), Text(name))
        })
    }

    fn setting(&self, row: &SettingView, html: &mut String) -> fmt::Result {
        begin_row(&row.id, row.differs, html)?;
        write!(html, "<th scope=\"row\"><a href=\"#{}\">{}</a>", Text(&row.id), Text(&row.name))?;
        if let Some(label) = &row.label {
            write!(html, " <small class=\"mark\">{}</small>", Text(label))?;
        }
        html.push_str("</th>");
        for (version, cell) in self.step.versions.iter().zip(&row.cells) {
            match cell {
                Some(cell) => self.cell(row, version, cell, html)?,
                None => lacking(version, row.is_rare, html)?,
            }
        }
        html.push_str("</tr>");
        if !row.descriptions.is_empty() {
            self.descriptions(row, html)?;
        }
        html.push_str("\n</tbody>");
        Ok(())
    }

    fn cell(
        &self,
        row: &SettingView,
        version: &VersionView,
        cell: &CellView,
        html: &mut String,
    ) -> fmt::Result {
        let (class, url) = (cell.class, Text(&cell.url));
        write!(html, "\n<td data-platform=\"{}\" data-class=\"{class}\"", Text(&version.id))?;
        html.push_str(if row.is_rare { " class=\"odd\"" } else { "" });
        write!(html, "><span class=\"who\">{}</span>", Text(&version.name))?;
        for ValueView { title, text, differs } in &cell.values {
            write!(html, "\n<span class=\"value{}\">", if *differs { " odd" } else { "" })?;
            if let Some(title) = title.as_ref().filter(|title| !title.is_empty()) {
                write!(html, "<small>{}</small> ", Text(title))?;
            }
            write!(html, "<a href=\"{url}\">{}</a>", self.said(text))?;
            self.differs(*differs, html)?;
            html.push_str("</span>");
        }
        if cell.values.is_empty() {
            write!(html, " <a href=\"{url}\">{}</a>", Text(&row.name))?;
        }
        html.push_str("</td>");
        Ok(())
    }

    /// Writes a text for a difference that is otherwise only visual.
    fn differs(&self, differs: bool, html: &mut String) -> fmt::Result {
        if !differs {
            return Ok(());
        }
        write!(html, "<span class=\"unseen\"> {}</span>", Text(self.words.get(Word::Differs)))
    }

    fn descriptions(&self, row: &SettingView, html: &mut String) -> fmt::Result {
        write!(html, "\n<tr class=\"why\"><td colspan=\"{}\">", self.step.versions.len() + 1)?;
        for DescriptionView { title, texts } in &row.descriptions {
            let (title, name) = (Text(title), Text(&row.name));
            write!(
                html,
                "\n<details><summary>{title}<span class=\"unseen\">: {name}</span></summary>\n<dl>"
            )?;
            for text in texts {
                let platforms = text.platforms.join(", ");
                write!(html, "\n<dt>{}</dt><dd>{}</dd>", Text(&platforms), self.said(&text.text))?;
            }
            html.push_str("\n</dl></details>");
        }
        html.push_str("</td></tr>");
        Ok(())
    }

    fn headings(&self, html: &mut String) -> fmt::Result {
        let ComparedStepView { title, versions, headings, tally, .. } = self.step;
        let words = self.words;
        let is_open = tally.differing_headings > 0 || !self.has_settings;
        write!(html, "\n<details class=\"headings\"{}>", if is_open { " open" } else { "" })?;
        write!(html, "\n<summary>{}", Text(&words.count(Word::CountHeadings, headings.len())))?;
        if tally.differing_headings > 0 {
            let differing = words.count(Word::CountDiffering, tally.differing_headings);
            write!(html, ", {}", Text(&differing))?;
        } else if versions.len() > 1 {
            write!(html, ", {}", Text(words.get(Word::AllTheSame)))?;
        }
        let name = Text(words.get(Word::Headings));
        write!(
            html,
            "</summary>\n<section class=\"table side\" tabindex=\"0\" aria-label=\"{name}: {}\">\n<table>\n<thead><tr><th scope=\"col\">{name}</th>",
            Text(title)
        )?;
        self.names(html)?;
        html.push_str("</tr></thead>");
        headings.iter().try_for_each(|row| self.heading(row, html))?;
        html.push_str("\n</table>\n</section>\n</details>");
        Ok(())
    }

    fn heading(&self, row: &HeadingView, html: &mut String) -> fmt::Result {
        begin_row(&row.id, row.differs, html)?;
        let cells = || row.cells.iter().flatten();
        let named = cells().find(|cell| !cell.differs).or_else(|| cells().next());
        let (title, shown) = named.map_or(("", None), |cell| (cell.text.as_str(), Some(cell.class)));
        write!(
            html,
            "<th scope=\"row\" class=\"level-{}\"><a href=\"#{}\">{}</a></th>",
            row.level,
            Text(&row.id),
            Text(title)
        )?;
        for (version, cell) in self.step.versions.iter().zip(&row.cells) {
            let Some(TitleView { text, url, differs, class }) = cell else {
                lacking(version, row.is_rare, html)?;
                continue;
            };
            let (platform, name) = (Text(&version.id), Text(&version.name));
            let odd = if *differs || row.is_rare { " class=\"odd\"" } else { "" };
            // The name of the row has the text already.
            let same = if shown == Some(*class) { " class=\"same\"" } else { "" };
            write!(
                html,
                "\n<td data-platform=\"{platform}\" data-class=\"{class}\"{odd}><span class=\"who\">{name}</span> <a{same} href=\"{}\"><span>{}</span></a>",
                Text(url),
                Text(text)
            )?;
            self.differs(*differs, html)?;
            html.push_str("</td>");
        }
        html.push_str("</tr>\n</tbody>");
        Ok(())
    }
}

fn begin_row(id: &str, differs: bool, html: &mut String) -> fmt::Result {
    let differs = if differs { " data-differs" } else { "" };
    write!(html, "\n<tbody id=\"{}\" data-row{differs}>\n<tr>", Text(id))
}

/// Writes the cell of a platform that lacks an item. It is highlighted unless the others are.
fn lacking(version: &VersionView, is_rare: bool, html: &mut String) -> fmt::Result {
    let VersionView { id, name, lacks, .. } = version;
    let odd = if is_rare { "" } else { " odd" };
    let (id, name, lacks) = (Text(id), Text(name), Text(lacks));
    write!(
        html,
        "\n<td data-platform=\"{id}\" class=\"none{odd}\"><span class=\"who\">{name}</span> <span class=\"unseen\">{lacks}</span></td>"
    )
}
