//! Codes of findings that are named on the command line.

use crate::base::diagnostic::{Code, nearest};
use crate::base::error::{Error, Result};

/// The code of this name.
pub(super) fn named(name: &str) -> Result<Code> {
    Code::named(name).ok_or_else(|| {
        let near = nearest(name, Code::ALL.iter().map(|code| code.name()));
        let hint = near.map_or_else(
            || "`stepkin explain --list` shows all".into(),
            |near| format!("did you mean `{near}`?"),
        );
        Error::usage(format!("`{name}` is no code of a finding: {hint}"))
    })
}

/// Which findings a run is about, by their codes.
#[derive(Debug, clap::Args)]
pub(super) struct CodeArguments {
    /// Report only findings with these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    select: Vec<String>,
    /// Leave out findings with these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    ignore: Vec<String>,
}

/// The codes that are chosen.
#[derive(Debug)]
pub(super) struct Chosen {
    /// All where none is named.
    selected: Vec<Code>,
    ignored: Vec<Code>,
}

impl CodeArguments {
    pub(super) fn chosen(&self) -> Result<Chosen> {
        let codes = |names: &[String]| names.iter().map(|name| named(name)).collect::<Result<Vec<_>>>();
        Ok(Chosen { selected: codes(&self.select)?, ignored: codes(&self.ignore)? })
    }
}

impl Chosen {
    pub(super) fn has(&self, code: Code) -> bool {
        (self.selected.is_empty() || self.selected.contains(&code)) && !self.ignored.contains(&code)
    }

    /// Those that are reported only where somebody asks for them.
    pub(super) fn asked_for(&self) -> Vec<Code> {
        self.selected.iter().copied().filter(|code| code.rule().is_off).collect()
    }
}
