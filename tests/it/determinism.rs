//! The same sources give the same bytes: with any number of threads, in any folder, language and time zone, whenever
//! the sources were saved.

use std::fs::File;
use std::time::{Duration, SystemTime};

use crate::support::{Run, SiteTest, Tree, check_same_tree, fixtures, program, tree};
use walkdir::WalkDir;

/// Fixtures that can be built, in order.
pub(crate) fn sites() -> Vec<String> {
    let refused = ["address-conflict", "invalid-front-matter", "invalid-utf8", "template-error"];
    fixtures().into_iter().filter(|name| !refused.contains(&name.as_str())).collect()
}

/// What may differ between two machines.
struct Machine {
    jobs: &'static str,
    language: &'static str,
    time_zone: &'static str,
    /// When the sources were saved, from now. The test can't change the clock, but programs would compare it with them.
    years: u64,
    /// A folder for the site. Temporary folders already have different names; this one may also be much longer.
    folder: &'static str,
}

const FIRST: Machine = Machine { jobs: "1", language: "C", time_zone: "UTC", years: 0, folder: "" };
/// Each value differs from the first machine's, so one comparison covers all of them.
const OTHERS: [Machine; 2] = [
    Machine {
        jobs: "2",
        language: "tr_TR.UTF-8",
        time_zone: "Pacific/Kiritimati",
        years: 10,
        folder: "site",
    },
    Machine {
        jobs: "8",
        language: "de_DE.UTF-8",
        time_zone: "America/St_Johns",
        years: 1,
        folder: "a folder with blanks/and/content/web/über",
    },
];

/// Builds and checks a fresh copy of a fixture, addressed from another folder. Returns its output and its findings.
fn build(name: &str, machine: &Machine) -> (Tree, String) {
    let site = SiteTest::fixture(name);
    let saved = SystemTime::now() + Duration::from_secs(machine.years * 365 * 24 * 3600);
    let files = WalkDir::new(site.root()).into_iter().filter_map(Result::ok);
    for file in files.filter(|file| machine.years > 0 && file.file_type().is_file()) {
        let file = File::options().write(true).open(file.path()).expect("ours");
        file.set_modified(saved).expect("our own file");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join(machine.folder);
    std::fs::create_dir_all(&folder).expect("a folder of our own");
    let root = folder.join("root");
    std::fs::rename(site.root(), &root).expect("the same file system");
    let run = |arguments: &[&str]| {
        let mut command = program();
        command.current_dir("/").args(arguments).arg("--root").arg(&root);
        command.env("LC_ALL", machine.language).env("LANG", machine.language).env("TZ", machine.time_zone);
        Run::of(&mut command)
    };
    run(&["build", "--jobs", machine.jobs]).exits(0);
    let report = run(&["check", "--format", "json"]).stdout;
    (tree(&root.join("dist")), report)
}

#[test]
fn nothing_of_the_machine_shows() {
    for name in sites() {
        let (expected, expected_report) = build(&name, &FIRST);
        assert!(expected.len() > 3, "{name} contains more than that");
        let names: Vec<&String> =
            expected.iter().filter(|(_, bytes)| contains(bytes, "/tmp")).map(|(name, _)| name).collect();
        assert!(names.is_empty(), "{names:?} contain the folder of the author");
        for machine in &OTHERS {
            let (output, report) = build(&name, machine);
            let machine = machine.language;
            check_same_tree(&output, &expected, &format!("{name}, {machine}"));
            assert_eq!(report, expected_report, "{name}, {machine}");
        }
    }
}

#[test]
fn how_the_root_is_written_does_not_show() {
    // Pages directly in the root, next to those in `content/`.
    let site = SiteTest::rootless()
        .edit("one.md", "# One\n\n[Two](two.md), [no](three.md)\n")
        .edit("two.md", "# Two\n");
    for site in [site, SiteTest::fixture("links")] {
        let (root, name) = (site.root().display().to_string(), site.names_in_root());
        let check = |root: &str| {
            let mut command = program();
            command.current_dir(site.root()).args([
                "check",
                "--format",
                "json",
                "--no-cache",
                "--root",
                root,
            ]);
            Run::of(&mut command).exits(1).stdout
        };
        let expected = check(&root);
        let forms = [".", "./", "././/", &format!("{root}/"), &format!("{root}//"), &format!("{root}/.")];
        for form in forms {
            assert_eq!(check(form), expected, "{form} of {name:?}");
        }
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
