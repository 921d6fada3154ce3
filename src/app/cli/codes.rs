//! Rules that the command line selects.

use base::diagnostic::{Code, nearest};
use base::error::{Error, Result};

/// Returns the rule with this name.
pub(super) fn named(name: &str) -> Result<Code> {
    Code::named(name).ok_or_else(|| {
        let near = nearest(name, Code::ALL.iter().map(|code| code.name()));
        let hint = near.map_or_else(
            || "run `stepkin explain --list` to list all rules".into(),
            |near| format!("did you mean `{near}`?"),
        );
        Error::usage(format!("unknown rule `{name}`; {hint}"))
    })
}

/// Rules that a run is limited to.
#[derive(Debug, clap::Args)]
pub(super) struct CodeArguments {
    /// Use only these rules (comma-separated)
    #[arg(long, alias = "only", value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Don't use these rules (comma-separated)
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
}

/// Selected rules.
#[derive(Debug)]
pub(super) struct Chosen {
    /// All rules if empty.
    pub(super) selected: Vec<Code>,
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

    /// Selected rules that are off by default.
    pub(super) fn asked_for(&self) -> Vec<Code> {
        self.selected.iter().copied().filter(|code| code.rule().is_off).collect()
    }
}
