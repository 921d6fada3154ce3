//! Reads objects of git, one after the other, in one process.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base::error::{Error, Result};

/// A running `git cat-file --batch`, whose paths begin at the site's root. It ends when it is dropped.
#[derive(Debug)]
pub struct ObjectReader {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// The object that a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitObject {
    Content {
        id: String,
        bytes: Vec<u8>,
    },
    Missing,
    /// Several objects begin with the abbreviated name.
    Ambiguous,
}

impl ObjectReader {
    /// # Errors
    ///
    /// If git can't be started.
    pub fn open(root: &Path) -> Result<Self> {
        let mut child = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Error::io("run", "git"))?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Self { child, input, output })
    }

    /// Returns the object with a name, such as `1a2b3c4`, or `1a2b3c4:./content/a.md`.
    ///
    /// # Errors
    ///
    /// If git ended or its answer can't be read.
    pub fn read(&mut self, name: &str) -> Result<GitObject> {
        self.ask(name).map_err(Error::io("read", format!("git object {name}")))
    }

    fn ask(&mut self, name: &str) -> io::Result<GitObject> {
        // A line end would be a second question.
        if name.contains(['\n', '\r', '\0']) {
            return Ok(GitObject::Missing);
        }
        let input = self.input.as_mut().expect("it is there until the reader is dropped");
        writeln!(input, "{name}")?;
        input.flush()?;
        let mut header = String::new();
        if self.output.read_line(&mut header)? == 0 {
            return Err(io::Error::other("git ended"));
        }
        let header = header.trim_end();
        if header.ends_with(" missing") {
            return Ok(GitObject::Missing);
        }
        if header.ends_with(" ambiguous") {
            return Ok(GitObject::Ambiguous);
        }
        // `ID blob SIZE`, the content, and a line end.
        let mut words = header.split(' ');
        let (id, size) = (words.next().unwrap_or_default().to_string(), words.nth(1));
        let size: usize = size
            .and_then(|size| size.parse().ok())
            .ok_or_else(|| io::Error::other(format!("Git reports: {header}")))?;
        let mut bytes = vec![0; size + 1];
        self.output.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(GitObject::Content { id, bytes })
    }
}

impl Drop for ObjectReader {
    fn drop(&mut self) {
        // Git ends with its input.
        self.input = None;
        _ = self.child.wait();
    }
}
