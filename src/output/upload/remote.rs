//! A target, whose files are read, uploaded and deleted by their path on the site.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{
    Attribute, Attributes, BackoffConfig, ClientOptions, Error as StoreError, GetOptions, ObjectStore,
    ObjectStoreExt, PutMode, PutMultipartOptions, PutOptions, RetryConfig, UpdateVersion,
};

use tempfile::TempDir;

use super::http::{Connector, causes};
use super::{AT_ONCE, MOST_BYTES};
use crate::output::publish::{self, Fingerprint};
use base::error::{Error, Result};
use input::config::Target;
use site::plan;

/// Size above which files are uploaded in parts, in bytes.
const LARGEST_WHOLE: u64 = 16 * 1024 * 1024;
/// Size of a part in bytes. Stores require at least 5 MiB, and at most 10,000 parts.
const PART: u64 = 8 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct Remote {
    store: Box<dyn ObjectStore>,
    /// Empty, or with a final `/`.
    prefix: String,
    /// The target as written, with a final `/`.
    url: String,
    /// A folder contains files without headers.
    is_folder: bool,
    /// The environment variables for credentials if none of them is set. In that case, the machine must have a role.
    lacks: Option<&'static str>,
    /// The folder that replaces a missing one.
    _stand_in: Option<TempDir>,
}

/// How credentials are set in the environment.
struct Credentials {
    /// Prefixes of variables, of which one is set.
    names: &'static [&'static str],
    /// The variables to set, as text.
    variables: &'static str,
}

impl Credentials {
    /// Returns the credentials for stores of a scheme, or `None` if the scheme needs none.
    fn of(scheme: &str) -> Option<Self> {
        let (names, variables): (&[&str], _) = match scheme {
            "s3" => (
                &["AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_"],
                "`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
            ),
            "gs" => (&["GOOGLE_"], "`GOOGLE_SERVICE_ACCOUNT` to the path of the account's key"),
            "az" => (
                &["AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_SAS", "AZURE_CLIENT_", "AZURE_FEDERATED_"],
                "`AZURE_STORAGE_ACCOUNT_NAME` and `AZURE_STORAGE_ACCOUNT_KEY`",
            ),
            _ => return None,
        };
        Some(Self { names, variables })
    }

    /// Whether the environment contains any.
    fn are_there(&self) -> bool {
        std::env::vars_os().any(|(name, value)| {
            let is_one = |name: &str| self.names.iter().any(|begin| name.starts_with(begin));
            !value.is_empty() && name.to_str().is_some_and(is_one)
        })
    }
}

/// The condition for writing a file.
#[derive(Clone, Debug)]
pub(super) enum WriteCondition {
    None,
    /// The file doesn't exist.
    New,
    /// The file is the version that was last read or written.
    Same(UpdateVersion),
}

/// The result of a write.
#[derive(Debug)]
pub(super) enum WriteResult {
    Done(UpdateVersion),
    /// The condition wasn't met.
    Refused,
    /// The store doesn't support such conditions.
    Unconditional,
}

/// How to handle a missing target folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folders {
    Make,
    /// Use an empty temporary folder instead.
    StandIn,
}

impl Folders {
    fn of(self, folder: &Path) -> Result<Option<TempDir>> {
        match self {
            _ if folder.is_dir() => Ok(None),
            Self::Make => std::fs::create_dir_all(folder).map_err(Error::io("make", folder)).map(|()| None),
            Self::StandIn => tempfile::tempdir().map_err(Error::io("make", &std::env::temp_dir())).map(Some),
        }
    }
}

impl Remote {
    /// Opens a target without sending a request.
    ///
    /// # Errors
    ///
    /// If the URL isn't that of a supported store, or the environment contains no credentials.
    pub(super) fn open(target: &Target, folders: Folders) -> Result<Self> {
        let unusable =
            |why: &str| Error::usage(format!("cannot publish to `{}`: {why}", masked(&target.url)));
        let forms = "use `s3://bucket/prefix/`, `gs://bucket/prefix/`, `az://container/prefix/`, or `file:///folder/`";
        let (scheme, rest) = target.url.split_once("://").ok_or_else(|| unusable(forms))?;
        if rest.contains(['?', '#', '@']) {
            return Err(unusable("it contains `?`, `#`, or `@`; set credentials in the environment"));
        }
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_matches('/');
        let url = format!("{scheme}://{}/", rest.trim_end_matches('/'));
        if scheme != "file" && bucket.is_empty() || !prefix.is_empty() && !publish::is_plain(prefix) {
            return Err(unusable(forms));
        }
        let is_folder = scheme == "file";
        if is_folder && (!bucket.is_empty() || prefix.is_empty()) {
            return Err(unusable("use `file:///` and the absolute path of a directory"));
        }
        // A missing folder is an empty target, as a prefix in a bucket is.
        let made = if is_folder { folders.of(Path::new(&format!("/{prefix}")))? } else { None };
        let at = made.as_ref().map_or(prefix.to_string(), |it| it.path().display().to_string());
        let store = store(scheme, bucket, at.trim_matches('/'), target.endpoint.as_deref());
        let credentials = Credentials::of(scheme);
        let incomplete = |error| {
            let advice =
                credentials.as_ref().map_or_else(String::new, |it| format!("; set {}", it.variables));
            unusable(&format!("{}{advice}", said(&error)))
        };
        let store = store.map_err(incomplete)?.ok_or_else(|| unusable(forms))?;
        let prefix = if is_folder || prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let lacks = lacks_credentials(target);
        Ok(Self { store, prefix, url, is_folder, lacks, _stand_in: made })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Returns a file with its version, or `None` if it doesn't exist.
    ///
    /// # Errors
    ///
    /// If the store doesn't respond, or the file is larger than any of our files.
    pub(super) async fn read(&self, path: &str) -> Result<Option<(Vec<u8>, UpdateVersion)>> {
        let failed = |error| self.error("read", path, &error);
        let found = match self.store.get(&self.key(path)?).await {
            Ok(found) => found,
            Err(StoreError::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if found.meta.size > MOST_BYTES {
            let most = MOST_BYTES / 1024 / 1024;
            return Err(Error::usage(format!(
                "cannot read `{}{path}`: it is larger than {most} MiB, so Stepkin didn't write it",
                self.url
            )));
        }
        let version = UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
        Ok(Some((found.bytes().await.map_err(failed)?.to_vec(), version)))
    }

    /// Writes a file.
    pub(super) async fn write(
        &self,
        path: &str,
        bytes: Vec<u8>,
        condition: &WriteCondition,
    ) -> Result<WriteResult> {
        let mode = match condition {
            WriteCondition::None => PutMode::Overwrite,
            WriteCondition::New => PutMode::Create,
            WriteCondition::Same(version) => PutMode::Update(version.clone()),
        };
        let options = PutOptions { mode, attributes: self.attributes(path), ..PutOptions::default() };
        match self.store.put_opts(&self.key(path)?, bytes.into(), options).await {
            Ok(put) => Ok(WriteResult::Done(put.into())),
            Err(StoreError::AlreadyExists { .. } | StoreError::Precondition { .. }) => {
                Ok(WriteResult::Refused)
            }
            // The file with the expected version no longer exists.
            Err(StoreError::NotFound { .. }) if matches!(condition, WriteCondition::Same(_)) => {
                Ok(WriteResult::Refused)
            }
            Err(StoreError::NotImplemented { .. } | StoreError::NotSupported { .. }) => {
                Ok(WriteResult::Unconditional)
            }
            Err(error) => Err(self.error("write", path, &error)),
        }
    }

    /// Uploads a file from disk. Returns whether it has this content. A file with another content isn't uploaded.
    pub(super) async fn put(&self, path: &str, disk: &Path, content: Fingerprint) -> Result<bool> {
        let unreadable = || Error::io("read", disk);
        if content.size > LARGEST_WHOLE {
            return self.put_parts(path, File::open(disk).map_err(unreadable())?, disk, content).await;
        }
        let bytes = std::fs::read(disk).map_err(unreadable())?;
        let is_content = Fingerprint::of(&bytes) == content;
        if is_content {
            self.write(path, bytes, &WriteCondition::None).await?;
        }
        Ok(is_content)
    }

    /// Uploads a large file, of which only a part is in memory.
    async fn put_parts(&self, path: &str, mut file: File, disk: &Path, content: Fingerprint) -> Result<bool> {
        let failed = |error| self.error("write", path, &error);
        let options = PutMultipartOptions { attributes: self.attributes(path), ..Default::default() };
        let mut upload = self.store.put_multipart_opts(&self.key(path)?, options).await.map_err(failed)?;
        let sent = async {
            let mut hasher = blake3::Hasher::new();
            loop {
                let mut part = Vec::new();
                let read = (&mut file).take(PART).read_to_end(&mut part).map_err(Error::io("read", disk))?;
                if read == 0 {
                    break;
                }
                hasher.update(&part);
                upload.put_part(part.into()).await.map_err(failed)?;
            }
            Ok(Fingerprint::found_by(&hasher) == content)
        };
        match sent.await {
            Ok(true) => upload.complete().await.map(|_| true).map_err(failed),
            unsent => {
                // The original error is more important than a failure to abort.
                _ = upload.abort().await;
                unsent
            }
        }
    }

    /// Downloads a content in the target to a file on disk, in parts. Returns whether it is that content.
    pub(super) async fn fetch(&self, path: &str, disk: &Path, content: Fingerprint) -> Result<bool> {
        if let Some(folder) = disk.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        }
        let mut file = File::create(disk).map_err(Error::io("create", disk))?;
        let mut hasher = blake3::Hasher::new();
        while hasher.count() < content.size {
            let piece = hasher.count()..content.size.min(hasher.count() + PART);
            // Some stores respond differently if a part is the complete file.
            let range = (content.size > PART).then(|| piece.into());
            let options = GetOptions { range, ..GetOptions::default() };
            let failed = |error| self.error("read", path, &error);
            let found = match self.store.get_opts(&self.key(path)?, options).await {
                Ok(found) if found.meta.size == content.size => found.bytes().await.map_err(failed)?,
                Ok(_) | Err(StoreError::NotFound { .. }) => return Ok(false),
                Err(error) => return Err(failed(error)),
            };
            if found.is_empty() {
                break;
            }
            hasher.update(&found);
            file.write_all(&found).map_err(Error::io("write", disk))?;
        }
        Ok(Fingerprint::found_by(&hasher) == content)
    }

    /// Whether a file exists.
    pub(super) async fn has(&self, path: &str) -> Result<bool> {
        match self.store.head(&self.key(path)?).await {
            Ok(_) => Ok(true),
            Err(StoreError::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.error("look at", path, &error)),
        }
    }

    /// Copies a file in the target, if it exists.
    pub(super) async fn copy(&self, from: &str, to: &str) -> Result<()> {
        match self.store.copy(&self.key(from)?, &self.key(to)?).await {
            // It was deleted by hand.
            Ok(()) | Err(StoreError::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error("copy", from, &error)),
        }
    }

    /// Deletes a file, if it exists.
    pub(super) async fn delete(&self, path: &str) -> Result<()> {
        match self.store.delete(&self.key(path)?).await {
            Ok(()) | Err(StoreError::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error("delete", path, &error)),
        }
    }

    /// Whether the target contains nothing.
    pub(super) async fn is_empty(&self) -> Result<bool> {
        let prefix = Key::parse(&self.prefix).ok().filter(|_| !self.prefix.is_empty());
        let listed = self.store.list_with_delimiter(prefix.as_ref()).await;
        let listed = listed.map_err(|error| self.error("list", "", &error))?;
        Ok(listed.objects.is_empty() && listed.common_prefixes.is_empty())
    }

    fn key(&self, path: &str) -> Result<Key> {
        let key = Key::parse(format!("{}{path}", self.prefix)).ok();
        key.ok_or_else(|| Error::usage(format!("cannot publish `{path}`: the store doesn't allow this name")))
    }

    /// Returns the headers with which a file is served.
    fn attributes(&self, path: &str) -> Attributes {
        let mut attributes = Attributes::new();
        if !self.is_folder {
            // Browsers revalidate a file that may have other content tomorrow.
            let caching = if plan::is_named_by_content(path) {
                "public, max-age=31536000, immutable"
            } else {
                "public, no-cache"
            };
            attributes.insert(Attribute::ContentType, publish::media_type(path).into());
            attributes.insert(Attribute::CacheControl, caching.into());
        }
        attributes
    }

    fn error(&self, verb: &'static str, path: &str, error: &StoreError) -> Error {
        let advice = self.lacks.map_or_else(String::new, |variables| {
            format!("; no credentials in the environment: set {variables}, or run on a machine with a role")
        });
        Error::usage(format!("cannot {verb} `{}{path}`: {}{advice}", self.url, said(error)))
    }
}

/// Returns the environment variables for a target's credentials, as text, if none of them is set.
pub(super) fn lacks_credentials(target: &Target) -> Option<&'static str> {
    let (scheme, _) = target.url.split_once("://")?;
    let credentials = Credentials::of(scheme)?;
    (!credentials.are_there()).then_some(credentials.variables)
}

/// Returns the store for a URL, or `None` if the scheme isn't supported.
fn store(
    scheme: &str,
    bucket: &str,
    prefix: &str,
    endpoint: Option<&str>,
) -> object_store::Result<Option<Box<dyn ObjectStore>>> {
    let is_plain_http = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
    let options = ClientOptions::new().with_allow_http(is_plain_http);
    let connector = Connector { connections: AT_ONCE };
    Ok(Some(match scheme {
        "s3" => {
            let mut store = AmazonS3Builder::from_env().with_bucket_name(bucket).with_client_options(options);
            store = store.with_retry(retries()).with_http_connector(connector);
            if let Some(endpoint) = endpoint {
                store = store.with_endpoint(endpoint);
            }
            Box::new(store.build()?)
        }
        "gs" => {
            let mut store = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
            store = store.with_client_options(options).with_retry(retries()).with_http_connector(connector);
            if let Some(endpoint) = endpoint {
                store = store.with_base_url(endpoint);
            }
            Box::new(store.build()?)
        }
        "az" => {
            let mut store = MicrosoftAzureBuilder::from_env().with_container_name(bucket);
            store = store.with_client_options(options).with_retry(retries()).with_http_connector(connector);
            if let Some(endpoint) = endpoint {
                store = store.with_endpoint(endpoint.to_string());
            }
            Box::new(store.build()?)
        }
        "file" => {
            Box::new(LocalFileSystem::new_with_prefix(format!("/{prefix}"))?.with_automatic_cleanup(true))
        }
        _ => return Ok(None),
    }))
}

/// Returns how often a request is repeated after an overload or server error (429, 5xx), and with which pauses: half
/// a minute in total.
fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(10),
            base: 2.0,
        },
        max_retries: 8,
        retry_timeout: Duration::from_secs(120),
    }
}

/// Returns a short text for a store's error, without secrets.
fn said(error: &StoreError) -> String {
    /// Maximum length, because some servers respond with complete pages.
    const MOST: usize = 300;
    let text = causes(error);
    let text = match text.split_once("status code: ") {
        // `403 Forbidden: <Error><Code>…</Code><Message>…</Message>…`, twice. The rest may repeat the request.
        Some((_, answer)) => {
            let status = answer.split([':', '<']).next().unwrap_or_default().trim();
            let inner = |name: &str| {
                let (_, rest) = answer.split_once(&format!("<{name}>"))?;
                Some(rest.split_once('<')?.0.to_string())
            };
            let more: Vec<String> = ["Code", "Message"].into_iter().filter_map(inner).collect();
            let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(": ")) };
            format!("the store responds with {status}{more}")
        }
        None => text,
    };
    let text = masked(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Removes the credentials in the environment, and the user and password in URLs, from a text.
fn masked(text: &str) -> String {
    /// Minimum length of a secret. Shorter texts are parts of ordinary words.
    const SHORTEST: usize = 6;
    const OURS: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];
    const SECRET: [&str; 5] = ["KEY", "SECRET", "TOKEN", "SAS", "PASSWORD"];
    let mut text = text.to_string();
    for (name, value) in std::env::vars_os() {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
        let is_secret =
            OURS.iter().any(|ours| name.starts_with(ours)) && SECRET.iter().any(|word| name.contains(word));
        if is_secret && value.len() >= SHORTEST {
            text = text.replace(value, "***");
        }
    }
    match text.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?.1))) {
        Some((scheme, rest)) if !scheme.contains(' ') => format!("{scheme}://***@{rest}"),
        _ => text,
    }
}
