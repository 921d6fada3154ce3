//! The baseline: recorded findings that are not reported again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::format::fingerprints;
use base::diagnostic::{Code, Diagnostic, Problem, Report, Severity};
use base::error::{Error, Result};
use base::site_path::SitePath;
use base::sort::StableSort as _;
use base::write as files;
use input::config::Level;
use input::source::Sources;

/// Version of the file format. Others are refused.
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    version: u32,
    /// Sorted by file, then as reported.
    findings: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Doesn't depend on line numbers, so that findings may move.
    fingerprint: String,
    code: String,
    file: String,
    /// For readers of the file; not compared.
    message: String,
}

/// Records all findings, except those that block every build.
pub(super) fn write(path: &Path, report: &Report, sources: &Sources) -> Result<()> {
    let entry = |(diagnostic, fingerprint): (&Diagnostic, String)| Entry {
        fingerprint,
        code: diagnostic.problem.code.name().to_string(),
        file: diagnostic.file.to_string(),
        message: diagnostic.problem.message.clone(),
    };
    let marked = report.iter().zip(fingerprints(report, sources));
    let findings = marked.filter(|(diagnostic, _)| !diagnostic.blocks_build()).map(entry).collect();
    let mut text = serde_json::to_string_pretty(&Baseline { version: VERSION, findings })
        .expect("texts and numbers are valid JSON");
    text.push('\n');
    files::replace(path, text.as_bytes())
}

/// Removes recorded findings from a report, and reports entries that match none. Entries for files that the run is not
/// about, by `is_wanted`, are ignored. `level` is the configured severity of stale entries.
pub(super) fn apply(
    path: &Path,
    report: Report,
    sources: &Sources,
    is_wanted: impl Fn(&SitePath) -> bool,
    level: Option<Level>,
) -> Result<Report> {
    let text = std::fs::read_to_string(path).map_err(Error::io("read", path))?;
    let baseline: Baseline = serde_json::from_str(&text).map_err(|error| {
        Error::usage(format!(
            "cannot read `{}` as a baseline: {error}; create it again with --write-baseline",
            path.display()
        ))
    })?;
    if baseline.version != VERSION {
        let text = format!(
            "cannot read `{}`: it has version {}, but this version of Stepkin reads version {VERSION}",
            path.display(),
            baseline.version
        );
        return Err(Error::usage(text));
    }
    let mut known: HashMap<&str, &Entry> =
        baseline.findings.iter().map(|entry| (entry.fingerprint.as_str(), entry)).collect();
    let marks = fingerprints(&report, sources);
    let fresh = report.into_iter().zip(marks).filter(|(diagnostic, mark)| {
        // Errors that block the build can't be in a baseline, even if it is edited by hand.
        diagnostic.blocks_build() || known.remove(mark.as_str()).is_none()
    });
    let mut kept: Report = fresh.map(|(diagnostic, _)| diagnostic).collect();
    let file = shown(path, sources);
    let severity = match level {
        Some(Level::Off) => return Ok(kept.sorted()),
        Some(Level::Info) | None => Severity::Info,
        Some(Level::Warning) => Severity::Warning,
        Some(Level::Error) => Severity::Error,
    };
    let mut stale: Vec<&Entry> = known.into_values().collect();
    stale.stable_sort_by_key(|entry| (&entry.file, &entry.fingerprint));
    for entry in stale {
        if is_wanted(&entry.file.as_str().into()) {
            let code = Code::named(&entry.code).map_or(entry.code.as_str(), |code| code.name());
            let message = format!("`{code}` in `{}` no longer occurs: {}", entry.file, entry.message);
            let help = "update the baseline with --write-baseline".to_string();
            let finding = Problem::new(Code::StaleBaseline, 0..0, message).help(help).at(&file);
            kept.push(Diagnostic { severity, ..finding });
        }
    }
    Ok(kept.sorted())
}

/// Returns the baseline's path for reports: relative to the site root if it is in the site, or else as given. Absolute paths
/// are reduced to the file name, which reveals nothing about the machine.
fn shown(path: &Path, sources: &Sources) -> SitePath {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let below = real(path).strip_prefix(real(&sources.root)).map(PathBuf::from);
    let shown = match below {
        Ok(below) => below,
        Err(_) if path.is_absolute() => path.file_name().map_or_else(PathBuf::new, PathBuf::from),
        Err(_) => path.to_path_buf(),
    };
    shown.to_string_lossy().as_ref().into()
}
