//! IDs of the tasks that `drift --todo` prints and `verify` checks.

use std::collections::HashMap;
use std::fmt;

use base::diagnostic::{Code, Diagnostic, Report};

/// Number of hexadecimal digits of the hash in a task.
const DIGITS: usize = 8;

/// ID of a difference, which stays the same when lines move: its rule, its file, and a hash of its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TaskId {
    code: Code,
    file: String,
    hash: String,
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.code, self.file, self.hash)
    }
}

impl TaskId {
    /// Returns the task of this name; `None` for a path.
    pub(super) fn parsed(text: &str) -> Option<Self> {
        let (code, rest) = text.split_once(':')?;
        let (file, hash) = rest.rsplit_once(':')?;
        let is_hash = hash.len() == DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = Code::named(code).filter(|_| is_hash)?;
        Some(Self { code, file: file.to_string(), hash: hash.to_string() })
    }

    fn hash(finding: &Diagnostic, count: usize) -> String {
        let problem = &finding.problem;
        let of_data = |name: &str| problem.data.get(name).map(ToString::to_string).unwrap_or_default();
        let mut hasher = blake3::Hasher::new();
        let target = problem.target.clone().unwrap_or_default();
        for part in [
            target,
            of_data("step"),
            of_data("heading"),
            of_data("settings"),
            of_data("platforms_without"),
            count.to_string(),
        ] {
            hasher.update(part.as_bytes());
            hasher.update(b"\0");
        }
        hasher.finalize().to_hex()[..DIGITS].to_string()
    }
}

/// Returns the tasks of all findings of a report, in the same order.
pub(super) fn ids(report: &Report) -> Vec<TaskId> {
    let mut seen: HashMap<(Code, String, String), usize> = HashMap::new();
    let task = |finding: &Diagnostic| {
        let (code, file) = (finding.problem.code, finding.file.to_string());
        let count = seen.entry((code, file.clone(), TaskId::hash(finding, 0))).or_default();
        let hash = TaskId::hash(finding, *count);
        *count += 1;
        TaskId { code, file, hash }
    };
    report.iter().map(task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::diagnostic::Problem;

    #[test]
    fn a_task_is_named_and_found_again() {
        let finding = |at: usize| Problem::new(Code::MissingStep, at..at, "x").at(&"content/a:b.md".into());
        let tasks = ids(&[finding(1), finding(2)].into_iter().collect());
        assert_ne!(tasks[0], tasks[1]);
        let moved = ids(&[finding(5), finding(6)].into_iter().collect());
        assert_eq!(tasks, moved);
        for task in tasks {
            assert_eq!(TaskId::parsed(&task.to_string()), Some(task));
        }
        assert_eq!(TaskId::parsed("content/ja/a.md"), None);
        assert_eq!(TaskId::parsed("missing-step:content/a.md:12"), None);
    }
}
