//! What every finding means: why it matters, what it looks like, and how to mend it.

use crate::diagnostic::Code;

/// A page of `stepkin explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Why it matters to readers or authors.
    pub why: &'static str,
    /// What is found, as it stands in a file.
    pub example: &'static str,
    /// How to mend it, as the rest of a sentence.
    pub cure: &'static str,
}

/// The explanation of a code.
#[expect(clippy::too_many_lines, reason = "one arm for each code")]
pub fn of(code: Code) -> Explanation {
    let (why, example, cure) = match code {
        Code::InvalidUtf8 => (
            "Pages are UTF-8 everywhere else; a single foreign byte shows as a damaged letter, and tools disagree from there on.",
            "caf\\xe9 saved as ISO 8859-1",
            "save the file as UTF-8; rename a file whose name is not UTF-8.",
        ),
        Code::FrontMatterInvalid => (
            "Title and order are lost, so the page cannot take its place among the steps.",
            "---\ntitle: Step 1: install\norder: two\n---",
            "quote a value that holds a colon or begins with a sign of YAML, and write numbers as numbers: `title: \"Step 1: install\"`, `order: 2`. Anchors and aliases, a key that is there twice, more than 64 KiB and more than 16 levels are refused; TOML between `+++` is written as YAML by `fix`.",
        ),
        Code::AddressConflict => (
            "Two sources would be written to one place, and readers would see only one of them.",
            "content/install.md and content/install/index.md",
            "move or rename one of them, or give a page another `slug`.",
        ),
        Code::TemplateError => (
            "Every page of that kind would be missing.",
            "{% if page.title %}<h1>{{ page.titel }}</h1>",
            "mend the template at the place named; README.md lists what each template is given.",
        ),
        Code::OutsideSymlink => (
            "What a site is made from would depend on the machine, and a link in a contribution could publish any file of it; so the link is not followed.",
            "static/keys -> /etc/ssl",
            "copy what is needed into the site, or allow the target in stepkin.toml with `follow` below `[source]`.",
        ),
        Code::BrokenSymlink => (
            "What the link stands for is missing on the site.",
            "content/quickstart/web/install.md -> ../ios/instal.md",
            "let the link lead to a file or folder of the site, or remove it.",
        ),
        Code::SecretFile => (
            "Once published, a password or a private key is known to everybody; so the file is left out.",
            "static/.env, static/id_rsa, a `.pem` file that holds a private key",
            "move the file out of the site; where it was published before, replace the password or key in it.",
        ),
        Code::UnreadPage => (
            "Its text is missing on the site, and published raw it would help nobody.",
            "content/install.mdx, content/notes.markdown, content/INSTALL.MD",
            "rename it, so that it ends in `.md`; a file to be downloaded as it is belongs into `static`.",
        ),
        Code::SpecialFile => (
            "Reading it could wait for ever, and there is nothing to publish; so it is left out.",
            "static/socket, made by a server that was started in the folder",
            "remove it.",
        ),
        Code::ConfusableNames => (
            "On systems that take the names for one, such as macOS and Windows, one of the files replaces the other.",
            "content/quickstart/web/Install.md and content/quickstart/web/install.md",
            "rename one of them, or remove it if it is the same.",
        ),
        Code::FrontMatterUnclosed => (
            "Other tools take the whole page for front matter, or none of it.",
            "---\ntitle: Install\n\nText.",
            "close the block with a line of `---` after the last key.",
        ),
        Code::FrontMatterShadowed => (
            "Most tools see front matter only at the first byte of the file, and show it as text otherwise.",
            "(blank line)\n---\ntitle: Install\n---",
            "remove what stands before the first `---`.",
        ),
        Code::MissingWord => (
            "Readers meet a few English words on pages in another language.",
            "language = \"fr\"",
            "translate what is named, in `templates/words/fr.toml`: `stepkin theme eject words/en.toml` writes out the English words, and the file is renamed to `fr.toml`.",
        ),
        Code::UnknownKey => (
            "A mistyped key, or another generator's, does nothing, silently.",
            "titel: Install, or sidebar_position: 1",
            "write the key that is meant. Keys that resemble none of this program are your own: templates see them as `page.extra.KEY`.",
        ),
        Code::MissingTitle => (
            "Navigation, search and the browser's tab have nothing to show but the file's name.",
            "---\norder: 2\n---",
            "add `title:`, or open the text with a heading: `# Install`.",
        ),
        Code::MissingOrder => (
            "The step comes last, whatever its place in the tutorial.",
            "---\ntitle: Install\n---",
            "add `order:` with its place among the steps.",
        ),
        Code::DuplicateOrder => (
            "Which of the two comes first is decided by their paths.",
            "order: 3 in two pages of one platform",
            "give one of them another number; `3.5` comes between 3 and 4.",
        ),
        Code::OrderGap => (
            "A missing number is often a page that was lost. Numbers that leave room behind every step, as 10, 20, 30 or 1, 3, 5, miss none.",
            "orders 1, 2 and 4",
            "renumber the steps, or find the page.",
        ),
        Code::UnknownPlatform => (
            "Readers of the platform that was meant never see the text, or see what is not for them.",
            ":::platform andriod\nTap **Allow**.\n:::",
            "write the platform as its folder is called; on a page of no family, take the two marker lines away.",
        ),
        Code::UndefinedVariable => (
            "Readers of this platform see the name in braces instead of the word.",
            "{package} with [variables] package = { web = \"@acme/web\" } on a page for iOS",
            "give the variable a value for the platform in stepkin.toml, or put the text into a `:::platform` block.",
        ),
        Code::UnusedSharedPage => (
            "Its text is kept up, and nobody reads it.",
            "content/quickstart/_shared/install.md where every platform has an install.md of its own",
            "remove it, or the pages that stand in its place; `_shared` belongs beside the folders of a family's platforms.",
        ),
        Code::LonePlatform => (
            "Its readers cannot switch to the other platforms, and nobody sees where it differs.",
            "content/quickstart/{web,ios}/ and content/tutorials/android/",
            "gather it in with `[[family]]` in stepkin.toml, or move the folder.",
        ),
        Code::StepIdentity => (
            "Readers who switch platforms may land on another step, and the comparison would compare strangers.",
            "web/connect/ “Connect” at order 3, ios/connect/ “Pair a device” at order 5",
            "write the same `step:` on both pages if they tell the same step, and different ones if not.",
        ),
        Code::MissingStep => (
            "Readers of that platform do not learn of it, or learn it elsewhere.",
            "android/testing/ stands alone: web and ios have no such step",
            "write the step, or accept the difference on the pages that have it: `drift: {allow: [missing-step], reason: …}`.",
        ),
        Code::MissingSetting => (
            "Either the setting does not exist there, or nobody documented it.",
            "| Send Profile Change Events | Check | … | on Android only",
            "add the setting, or accept it: `drift: {allow: [{missing-setting: Send Profile Change Events}], reason: …}`.",
        ),
        Code::SettingValue => (
            "Readers of one platform are told to set something else, or see another word on their screen.",
            "web: | Send events | Check |   ios: | Send events | Enabled |",
            "write the same value; declare spellings that mean the same in `[drift] values`; or accept it with `drift:`.",
        ),
        Code::SettingDescription => (
            "One of the two was changed, and the other may be out of date.",
            "web: deprecated since 4.2   ios: the former description",
            "bring the descriptions together, or accept it with `drift:`.",
        ),
        Code::MissingHeading => (
            "What the section says is missing there, or cannot be found and linked.",
            "`## Check your filters` on web and ios, not on android",
            "write the section, or accept the difference with `drift:`.",
        ),
        Code::ImageCount => (
            "A screenshot was added or removed on one platform only.",
            "three screenshots on web, two on ios, in the same section",
            "add the picture, or accept the difference with `drift:`.",
        ),
        Code::NoteMissing => (
            "Readers of one platform are not told, or not warned.",
            "`<aside>It may take five minutes.</aside>` on web only",
            "add the note, or accept the difference with `drift:`.",
        ),
        Code::CodeMissing => (
            "Readers of one platform have nothing to copy.",
            "a Kotlin sample on android, none in the section on ios",
            "add the code, or accept the difference with `drift:`.",
        ),
        Code::Wording => (
            "A correction or an explanation reached some of the platforms only.",
            "web: may take up to 5 minutes   ios: may take up to 10 minutes",
            "say the same, declare words that mean the same in `[drift] words`, or accept the difference with `drift:`.",
        ),
        Code::UnfollowedChange => (
            "A change that holds for every platform reached one of them; `stepkin drift --since REVISION` lists where to look.",
            "the description of a setting, changed on web since the last release and not on ios",
            "change the places named too, if it holds there.",
        ),
        Code::MissingPage => (
            "Readers who follow the link meet an error page.",
            "[Install](/quickstart/web/instal/)",
            "write the address of a page that exists; list addresses that are built elsewhere in the file of `[check] routes`.",
        ),
        Code::MissingAnchor => (
            "The link leads to the top of the page instead of the place it promises.",
            "[Keys](/quickstart/web/install/#kyes)",
            "write the id of a heading or setting of that page.",
        ),
        Code::MissingFile => (
            "The download or script is not there.",
            "[Manual](/files/manual.pdf)",
            "add the file to `static`, or correct its name.",
        ),
        Code::MissingImage => (
            "Readers see a broken picture.",
            "![The form](/images/login-butten.png)",
            "add the image to `static`, or correct its name.",
        ),
        Code::WrongCase => (
            "It works on the author's machine, and fails on most web servers.",
            "![The form](/images/Login.PNG) for /images/login.png",
            "write the name as the file has it.",
        ),
        Code::EmptyTarget => (
            "The link leads nowhere, or the image shows nothing.",
            "[JSON reference]()",
            "write the address, or take the markup away.",
        ),
        Code::MalformedTarget => (
            "The browser looks for another address than the one that is meant.",
            "[SDK](developers/sdk/), [Docs](www.example.com), [Mail](me@example.com), [Log](C:\\Users\\me\\log.txt)",
            "begin with a slash for this site, with `https://` for another, with `mailto:` for a mail address; put files of yours into `static/`.",
        ),
        Code::UnsafeTarget => (
            "Whoever follows it runs what its author wrote there, on your site and with a reader's rights; the page is published without it.",
            "[Log in](javascript:login()), redirect: \"data:text/html,…\"",
            "write the address of a page or a file.",
        ),
        Code::MovedPage => (
            "Readers are sent on for as long as the redirect stands, and wait twice.",
            "[Install](/former/install/)",
            "write the present address.",
        ),
        Code::OwnHostLink => (
            "It leaves a preview or a copy of the site for the published one, and breaks when the host changes.",
            "[Install](https://docs.example.com/install/)",
            "write the address alone: `/install/`.",
        ),
        Code::LeavesPlatform => (
            "A reader on Android suddenly reads about the web, and goes on there.",
            "on an Android page: [step 3](/quickstart/web/connect/)",
            "link to the page of the same platform, or name the other platform in the link's text.",
        ),
        Code::DeadLink => (
            "Readers meet an error page on another site.",
            "[Guide](https://example.com/gone), with `check --external`",
            "link to where it went, or take the link away.",
        ),
        Code::UnverifiedLink => (
            "A time-out or a refusal says nothing of what a reader's browser would meet.",
            "a host that answers 403 to programs, with `check --external`",
            "open it in a browser; add it to `[[check.ignore]]` if the host never answers programs.",
        ),
        Code::RedirectLoop => (
            "Browsers give up with an error.",
            "a.md: redirect: /b/ and b.md: redirect: /a/",
            "let the redirect lead to a page.",
        ),
        Code::BrokenImage => (
            "Some browsers and tools refuse a file whose content is not what its name says.",
            "photo.png that holds a JPEG",
            "save it in the format of its name, or rename it.",
        ),
        Code::MissingAlt => (
            "Readers who do not see the image, and search engines, learn nothing of it.",
            "![](/images/login.png)",
            "say what the image shows; `<img alt=\"\">` says that it only decorates.",
        ),
        Code::OtherPlatformImage => (
            "The picture shows another platform's screen.",
            "on an Android page: ![Inputs](/images/web/inputs.png)",
            "show this platform's screen.",
        ),
        Code::OrphanImage => {
            ("It is published and downloaded for nobody.", "static/images/old.png", "remove it, or show it.")
        }
        Code::DuplicateImage => (
            "Readers load the same picture again, and an update misses the copies.",
            "web/connect.png and ios/connect.png with the same bytes",
            "keep one, and let every page show that.",
        ),
        Code::HandWrittenNav => (
            "It repeats what the order says, and goes wrong when a step is added, renamed or moved.",
            "<a href=\"/web/connect/\" style=\"float:right\">Next >> Connect</a>",
            "remove it: every page has generated navigation.",
        ),
        Code::NavWrongTarget => (
            "\"Next\" skips a step or leads back.",
            "Next >> on step 2 that leads to step 4",
            "remove the link: the page shows a generated one.",
        ),
        Code::NavStaleLabel => (
            "The link promises a page that is called otherwise.",
            "Next >> Data planning, for a page titled Create a data plan",
            "remove the link: the page shows a generated one.",
        ),
        Code::NavMissingLink => (
            "A reader who follows the links ends before the tutorial does.",
            "« Previous alone, on a page with a step after it",
            "remove the links: the page shows generated ones.",
        ),
        Code::TitleNumber => (
            "Readers look for the step that was left out.",
            "titles Step 1, Step 2, Step 4 at orders 2, 3, 4",
            "renumber the title, or give the page its place with `order`.",
        ),
        Code::DuplicateSectionNumber => (
            "\"See 1.3\" has two answers.",
            "## 1.3 Initialize and ## 1.3 Insert your key",
            "renumber the sections.",
        ),
        Code::ForeignSectionNumber => (
            "The section looks as if it belonged to another step.",
            "## 5.2 on the page of step 4",
            "number it after its step.",
        ),
        Code::DanglingStepReference => (
            "Readers look for a step that does not exist.",
            "If you come from step 7.3, where there is none",
            "write the number the step has now, or better, link to it.",
        ),
        Code::SplitList => (
            "Other tools show two lists and may count from 1 again; here it is one list.",
            "1. One\n\n![Shot](/a.png)\n\n2. Two",
            "indent what stands between by three columns.",
        ),
        Code::UnbalancedAside => (
            "Other tools let the note swallow the rest of the page.",
            "<aside>\n    A note.\n\nText.",
            "close the note with `</aside>` or `:::`.",
        ),
        Code::UnknownDirective => (
            "Its text is shown without the box, the tabs or the columns that the other tool makes of it.",
            ":::code-group\n\n…\n\n:::",
            "write a note (`:::note`), `<tabs>` or Markdown; the lines with colons are left out of the page.",
        ),
        Code::AsideCodeTrap => (
            "CommonMark ends raw HTML at a blank line, and takes what is indented after it for code.",
            "<aside>\n    One.\n\n    Two.\n</aside>",
            "indent less than four columns, or open the note with `:::note`.",
        ),
        Code::UnknownElement => (
            "Browsers show nothing of it: a placeholder vanishes.",
            "Set it to <unset>.",
            "put it in backquotes: `` `<unset>` ``.",
        ),
        Code::UnclosedElement => (
            "Browsers go on until something closes it, and would show the rest of the page in it, or not at all.",
            "<div class=\"box\">\n\nText.\n\nThe page ends here.",
            "write the end tag, in the same note, item or page; end a comment with `-->`. Until then it ends with the block that it begins in.",
        ),
        Code::StrayEndTag => (
            "The element that it should end begins elsewhere or not at all, so the page looks otherwise than meant.",
            "Text.\n\n</div>",
            "remove it, or write the opening tag before what it encloses.",
        ),
        Code::MisplacedElement => (
            "Such a tag would change the whole page or the place that its links lead to, so it is left out.",
            "<base href=\"https://example.com/\">",
            "remove it; what belongs to every page goes into a template.",
        ),
        Code::UnclosedFence => (
            "Everything after it is shown as code, to the end of the page or of what the block is in.",
            "```sh\nnpm install\n\nThe page goes on.",
            "close it with a line of as many marks: three backticks after three.",
        ),
        Code::FenceInHtml => (
            "Markdown begins again after a blank line; before that, browsers see the marks and run the lines together.",
            "<div>\n```sh\nnpm install\n```\n</div>",
            "leave a blank line between the tag and the fence, and one after it.",
        ),
        Code::BrokenTable => (
            "Without that line the rows are a paragraph full of pipes.",
            "| Name | Value |\n| a | b |",
            "write a line such as `|---|---|` below the header, with one cell for each of its columns.",
        ),
        Code::LostCells => (
            "Cells that no column holds are left out: what they say is nowhere on the page.",
            "| Name | Value |\n| --- | --- |\n| a | b | c |",
            "give every row one cell for each column, and write a pipe inside a cell as `\\|`.",
        ),
        Code::ShortRow => (
            "Markdown adds empty cells at the end, which is not always where one is missing.",
            "| Name | Value |\n| --- | --- |\n| a |",
            "give the row one cell for each column. Write `short-row = \"info\"` below `[check.severity]` to have such rows reported.",
        ),
        Code::DuplicateId => (
            "Links find only the first of the two.",
            "## Keys {#keys} and <a id=\"keys\"></a>",
            "give one of them another id.",
        ),
        Code::SecondTitle => (
            "A page has one title, which readers with a screen reader look for; other headings of its level are shown at level 2.",
            "# Before you begin, on a page with a `title:`",
            "make it `## Before you begin`, and the headings below it one level deeper.",
        ),
        Code::HeadingJump => (
            "Screen readers take the missing level for a lost section.",
            "## Keys followed by #### Copy",
            "use the next level.",
        ),
        Code::MissingLine => (
            "Lines were added or taken away after they were counted, so readers are shown the wrong ones, or none.",
            "```kotlin {3,12}",
            "count the lines again, from 1 at the first line of the block.",
        ),
        Code::UnknownLanguage => {
            ("The block stays plain.", "```kotln", "write the name of a known language, or `text`.")
        }
        Code::OversizedCode => (
            "Highlighting it would hold the build up, so it stays plain.",
            "a minified script on one line",
            "break the line, show less of it, or write `text`.",
        ),
        Code::MergeConflict => (
            "Readers see both versions of the text, and the lines that git put around them.",
            "<<<<<<< HEAD\nOpen the app.\n=======\nStart the app.\n>>>>>>> main",
            "keep the lines that are meant, and remove the three that git wrote.",
        ),
        Code::LinkAsText => (
            "Readers see brackets and an address, and no link or picture: a target ends at a blank, nothing may stand between `]` and `(`, and the text comes first.",
            "![Shot](/images/my shot.png), [Guide] (https://example.com), (Guide)[guide.md]",
            "write a blank in a target as `%20`, a heading's id as it is, and links as `[text](target)`.",
        ),
        Code::UndefinedReference => (
            "Readers see the brackets, and no link.",
            "See the [guide][guide].",
            "define the label on a line of its own, `[guide]: /guide/`, or write the address: `[guide](/guide/)`.",
        ),
        Code::HeadingAsText => (
            "Readers see `##` in front of a line of text; the heading is missing from the contents, and nothing can link to it.",
            "##Connect the app",
            "write a blank behind the signs: `## Connect the app`.",
        ),
        Code::UnknownAlert => (
            "Readers see a quote that begins with `[!DANGER]`, and no note.",
            "> [!DANGER]\n> This deletes everything.",
            "write one of `[!NOTE]`, `[!TIP]`, `[!IMPORTANT]`, `[!WARNING]` and `[!CAUTION]`, alone on the first line of a quote.",
        ),
        Code::TypographicQuotes => (
            "HTML takes the quotes for a part of the value, so a link leads nowhere and a class is another one.",
            "<a href=”connect.md”>",
            "write `\"` before and after the value.",
        ),
        Code::ForeignSyntax => (
            "Pages are Markdown and HTML. What another tool would replace, readers see as it is written, or not at all.",
            "{{< alert >}}, {% include a.html %}, <TabItem value=\"a\">, !!! note, [[page]]",
            "write it in Markdown or HTML, as the finding says; put it in backquotes where readers are meant to see it.",
        ),
        Code::Mojibake => (
            "Readers see `wonâ€™t` in other tools; here it is repaired on the page.",
            "You wonâ€™t",
            "write the letters that are meant, and save as UTF-8.",
        ),
        Code::DoubledWord => (
            "It is a slip of the keyboard that readers stumble over.",
            "Open the the dashboard.",
            "remove one of them.",
        ),
        Code::InvisibleCharacter => (
            "It breaks searching, and code that is copied with it.",
            "a zero-width space before a function's name",
            "remove it.",
        ),
        Code::OtherPlatformWord => (
            "The sentence was copied from another platform's page and not adapted.",
            "on an Android page: Select **iOS** from the list.",
            "write what holds for this platform.",
        ),
        Code::InvalidSuppression => (
            "A suppression that cannot be understood is not heeded.",
            "<!-- stepkin: allow missing-alt -->",
            "name a known code, and say why: `<!-- stepkin: allow missing-alt: decorative -->`.",
        ),
        Code::UnusedSuppression => (
            "It would hide the next finding of its kind, which nobody has looked at.",
            "<!-- stepkin: allow missing-alt: decorative --> before an image that has a text",
            "remove it.",
        ),
        Code::StaleBaseline => (
            "What is mended should stay mended; while the entry stands, the finding could come back unseen.",
            "a baseline entry for a link that was repaired",
            "write the baseline anew with `--write-baseline`.",
        ),
    };
    Explanation { why, example, cure }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_sentences() {
        for code in Code::ALL {
            let Explanation { why, example, cure } = of(*code);
            assert!(why.ends_with('.') && cure.ends_with('.') && !example.is_empty(), "{code}");
        }
    }
}
