//! Checks whether links to other hosts work.
//!
//! In: URLs. Out: a [`Verdict`] for each, or with [`fetch`] the content. Hosts are checked in parallel, with one
//! request to each at a time. Recent results are stored in a file next to the site's cache. Addresses of this machine
//! and its network are skipped unless they are allowed, because a page could make the checker send requests to hosts
//! that its author can't reach.

use std::net::{IpAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use ureq::Agent;
use ureq::http::{Response, Uri};

use base::error::{Error, Result};
use base::progress::{self, Task};
use base::site_path;
use base::sorted::{SortedMap, SortedSet};

/// Settings for requests.
#[derive(Clone, Debug)]
pub struct ExternalOptions {
    /// Also request addresses of this machine and its network.
    pub private: bool,
    /// Time limit for each URL, including redirects.
    pub timeout: Duration,
    /// Number of retries after a temporary failure.
    pub retries: u32,
    /// Pause before the first retry. It doubles with each further one.
    pub pause: Duration,
    /// How long a result is reused.
    pub max_age: Duration,
    /// File that stores the results.
    pub memory: Option<PathBuf>,
}

impl Default for ExternalOptions {
    fn default() -> Self {
        Self {
            private: false,
            timeout: Duration::from_secs(15),
            retries: 2,
            pause: Duration::from_secs(1),
            max_age: Duration::from_secs(24 * 60 * 60),
            memory: None,
        }
    }
}

/// Result for a URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Alive,
    /// The host responds that the page doesn't exist, or the host doesn't exist.
    Dead(String),
    /// No reliable response: a timeout, a refusal, or a server error.
    Unknown(String),
}

/// Maximum number of redirects to follow. Browsers stop after twenty.
const MOST_REDIRECTS: usize = 10;
/// Maximum pause. Servers may request a longer one than a check can wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Number of hosts that are checked in parallel.
const THREADS: usize = 16;

/// Requests every URL once. Fragments are not sent, and equal URLs count as one.
///
/// # Errors
///
/// If the results can't be stored.
pub fn verify(urls: &SortedSet<String>, settings: &ExternalOptions) -> Result<SortedMap<String, Verdict>> {
    let mut memory = settings.memory.as_deref().map(Memory::read).unwrap_or_default();
    memory.forget_older_than(settings.max_age);
    let mut hosts: SortedMap<String, Vec<&String>> = SortedMap::new();
    for url in urls.iter().filter(|url| !memory.answers.contains_key(*url)) {
        hosts.entry(host_of(url)).or_default().push(url);
    }
    let _running = progress::begin(Task::Links, hosts.values().map(Vec::len).sum());
    let waiting: Mutex<Vec<Vec<&String>>> = Mutex::new(hosts.into_values().collect());
    let answered = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let asker = Requester { agent: agent(settings.timeout), settings };
                while let Some(urls) = take(&waiting) {
                    for url in urls {
                        let verdict = asker.ask(url);
                        progress::step(Task::Links, 1);
                        answered
                            .lock()
                            .expect("nothing panics while it is held")
                            .push((url.clone(), verdict));
                    }
                }
            });
        }
    });
    let now = seconds_now();
    for (url, verdict) in answered.into_inner().expect("every thread has ended") {
        memory.answers.insert(url, Answer { asked: now, verdict });
    }
    if let Some(path) = &settings.memory {
        memory.write(path)?;
    }
    let wanted = memory.answers.into_iter().filter(|(url, _)| urls.contains(url));
    Ok(wanted.map(|(url, answer)| (url, answer.verdict)).collect())
}

/// Result of fetching a URL.
#[derive(Debug)]
pub enum Fetched {
    Bytes(Vec<u8>),
    /// Why the file can't be fetched, as the rest of a sentence that begins with it.
    Nothing(String),
}

/// Fetches a file of at most `most` bytes.
pub fn fetch(url: &str, settings: &ExternalOptions, most: u64) -> Fetched {
    let asker = Requester { agent: agent(settings.timeout), settings };
    let answer = asker.again(|| asker.bytes(url, most));
    answer.map_or_else(Fetched::Nothing, Fetched::Bytes)
}

fn take<T>(waiting: &Mutex<Vec<T>>) -> Option<T> {
    waiting.lock().expect("nothing panics while it is held").pop()
}

fn host_of(url: &str) -> String {
    url.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_lowercase)).unwrap_or_default()
}

fn agent(timeout: Duration) -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(timeout))
        .http_status_as_error(false)
        // Each redirect is checked here, because it may point to an address that must not be requested.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("stepkin/", env!("CARGO_PKG_VERSION")));
    config.build().into()
}

struct Requester<'a> {
    agent: Agent,
    settings: &'a ExternalOptions,
}

/// The result of one request.
enum RequestResult {
    Verdict(Verdict),
    /// A temporary failure, with the pause that the server requests.
    Later(String, Option<Duration>),
}

impl Requester<'_> {
    fn ask(&self, url: &str) -> Verdict {
        let asked = self.again(|| match self.follow(url, |url| self.question(url)).map(|it| judge(&it)) {
            Ok(said) | Err(said) => match said {
                RequestResult::Verdict(verdict) => Ok(verdict),
                later @ RequestResult::Later(..) => Err(later),
            },
        });
        asked.unwrap_or_else(Verdict::Unknown)
    }

    /// Returns the content of a file.
    fn bytes(&self, url: &str, most: u64) -> std::result::Result<Vec<u8>, RequestResult> {
        let mut response =
            self.follow(url, |url| self.agent.get(url).call().map_err(|error| fault(&error)))?;
        match judge(&response) {
            RequestResult::Verdict(Verdict::Alive) => {}
            said => return Err(said),
        }
        let read = response.body_mut().with_config().limit(most).read_to_vec();
        read.map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(_) => {
                RequestResult::Verdict(Verdict::Dead(format!("it is larger than {} MiB", most >> 20)))
            }
            other => fault(&other),
        })
    }

    /// Retries after temporary failures. Returns permanent failures, and the last temporary one.
    fn again<T>(
        &self,
        try_once: impl Fn() -> std::result::Result<T, RequestResult>,
    ) -> std::result::Result<T, String> {
        let mut pause = self.settings.pause;
        for attempt in 0.. {
            match try_once() {
                Ok(made) => return Ok(made),
                Err(RequestResult::Verdict(Verdict::Dead(reason) | Verdict::Unknown(reason))) => {
                    return Err(reason);
                }
                Err(RequestResult::Verdict(Verdict::Alive)) => return Err("it has no content".into()),
                Err(RequestResult::Later(reason, _)) if attempt >= self.settings.retries => {
                    return Err(reason);
                }
                Err(RequestResult::Later(_, wanted)) => {
                    std::thread::sleep(wanted.unwrap_or(pause).min(LONGEST_PAUSE));
                    pause *= 2;
                }
            }
        }
        unreachable!("the loop ends with the last attempt")
    }

    /// Sends a request and follows redirects.
    fn follow(
        &self,
        url: &str,
        question: impl Fn(&str) -> std::result::Result<Response<ureq::Body>, RequestResult>,
    ) -> std::result::Result<Response<ureq::Body>, RequestResult> {
        let mut url = url.to_string();
        for _ in 0..=MOST_REDIRECTS {
            if let Some(verdict) = self.refused(&url) {
                return Err(RequestResult::Verdict(verdict));
            }
            let response = question(&url)?;
            match redirect(&url, &response) {
                Some(next) => url = next,
                None => return Ok(response),
            }
        }
        Err(RequestResult::Verdict(Verdict::Dead(format!("more than {MOST_REDIRECTS} redirects"))))
    }

    /// Sends a HEAD request, or GET if the server doesn't support HEAD.
    fn question(&self, url: &str) -> std::result::Result<Response<ureq::Body>, RequestResult> {
        let head = self.agent.head(url).call();
        match head {
            Ok(response) if !matches!(response.status().as_u16(), 400..=499 | 501) => Ok(response),
            // Servers reject HEAD requests in many different ways.
            _ => self.agent.get(url).call().map_err(|error| fault(&error)),
        }
    }

    /// Returns why a URL must not be requested.
    fn refused(&self, url: &str) -> Option<Verdict> {
        let Ok(uri) = url.parse::<Uri>() else { return Some(Verdict::Dead("it is not a URL".into())) };
        let host = uri.host()?.trim_matches(['[', ']']).to_string();
        let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
        let Ok(addresses) = (host.as_str(), port).to_socket_addrs() else {
            return Some(Verdict::Dead(format!("the host `{host}` doesn't exist")));
        };
        let is_inside =
            !self.settings.private && addresses.into_iter().any(|address| is_private(address.ip()));
        is_inside.then(|| Verdict::Unknown(format!("`{host}` is a private or local address")))
    }
}

fn fault(error: &ureq::Error) -> RequestResult {
    match error {
        ureq::Error::HostNotFound => RequestResult::Verdict(Verdict::Dead("the host doesn't exist".into())),
        ureq::Error::BadUri(_) => RequestResult::Verdict(Verdict::Dead("it is not a URL".into())),
        other => RequestResult::Later(other.to_string(), None),
    }
}

/// Returns the absolute target of a redirect.
fn redirect(url: &str, response: &Response<ureq::Body>) -> Option<String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let to = response.headers().get("location")?.to_str().ok()?;
    if to.contains("://") {
        return Some(to.to_string());
    }
    let uri = url.parse::<Uri>().ok()?;
    let origin = format!("{}://{}", uri.scheme_str()?, uri.authority()?);
    Some(match to.strip_prefix("//") {
        Some(rest) => format!("{}://{rest}", uri.scheme_str()?),
        None if to.starts_with('/') => format!("{origin}{to}"),
        None => format!("{origin}{}/{to}", site_path::parent(uri.path())),
    })
}

fn judge(response: &Response<ureq::Body>) -> RequestResult {
    let status = response.status();
    match status.as_u16() {
        200..=299 => RequestResult::Verdict(Verdict::Alive),
        404 | 410 => RequestResult::Verdict(Verdict::Dead(format!("the host responds with {status}"))),
        429 | 500 | 502..=504 => {
            RequestResult::Later(format!("the host responds with {status}"), retry_after(response))
        }
        _ => RequestResult::Verdict(Verdict::Unknown(format!("the host responds with {status}"))),
    }
}

/// Parses seconds or a date: RFC 9110, section 10.2.3.
fn retry_after(response: &Response<ureq::Body>) -> Option<Duration> {
    let wanted = response.headers().get("retry-after")?.to_str().ok()?.trim();
    match wanted.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => httpdate::parse_http_date(wanted).ok()?.duration_since(SystemTime::now()).ok(),
    }
}

/// Whether an address is not on the public Internet: RFC 6890, including IPv6.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [first, second, ..] = ip.octets();
            ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_unspecified()
                || ip.is_broadcast()
                || ip.is_multicast()
                || first == 0
                || first == 100 && (64..128).contains(&second)
        }
        IpAddr::V6(ip) => {
            if let Some(ip) = ip.to_ipv4_mapped() {
                return is_private(IpAddr::V4(ip));
            }
            let first = ip.segments()[0];
            ip.is_loopback()
                || ip.is_unspecified()
                || ip.is_multicast()
                || first & 0xfe00 == 0xfc00
                || first & 0xffc0 == 0xfe80
        }
    }
}

/// Results of earlier runs.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Memory {
    answers: SortedMap<String, Answer>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    /// When the URL was requested, in seconds since 1970.
    asked: u64,
    verdict: Verdict,
}

impl Memory {
    /// Reads the results. Unreadable ones are dropped.
    fn read(path: &Path) -> Self {
        std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Only successes and permanent failures are worth storing, because temporary failures are checked again.
    fn forget_older_than(&mut self, age: Duration) {
        let oldest = seconds_now().saturating_sub(age.as_secs());
        self.answers
            .retain(|_, answer| answer.asked >= oldest && !matches!(answer.verdict, Verdict::Unknown(_)));
    }

    fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_vec_pretty(self).expect("texts and numbers are valid JSON");
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(Error::io("make", folder))?;
        let beside = path.with_extension(format!("{}.tmp", std::process::id()));
        std::fs::write(&beside, text)
            .and_then(|()| std::fs::rename(&beside, path))
            .map_err(Error::io("write", path))
    }
}

fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_networks_are_distinguished_from_public_ones() {
        for ip in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.1.1",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(is_private(ip.parse().expect("an address")), "{ip}");
        }
        for ip in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"] {
            assert!(!is_private(ip.parse().expect("an address")), "{ip}");
        }
    }
}
