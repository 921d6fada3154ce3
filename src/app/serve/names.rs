//! The host names that requests may use.

use std::net::IpAddr;

/// A page elsewhere whose host name was changed to this machine's address (DNS rebinding) must not read the site.
/// Therefore only names that nobody else can assign to a machine are accepted, and those that were allowed.
#[derive(Debug)]
pub(super) struct HostNames(Vec<String>);

impl HostNames {
    /// `host` is the address on which the server listens, and `allowed` are more names or addresses.
    pub(super) fn new(host: &str, allowed: &[String]) -> Self {
        let all = allowed.iter().map(String::as_str).chain([host]);
        Self(all.map(|name| without_brackets(name).to_ascii_lowercase()).collect())
    }

    /// Whether the value of a `Host` header, a name with an optional port, is allowed. `reached` is the address of
    /// this machine that received the request.
    pub(super) fn hold(&self, host: &str, reached: Option<IpAddr>) -> bool {
        is_own(host, reached) || self.0.contains(&name_of(host))
    }
}

/// Whether the value of a `Host` header is an address or name that only this machine can have from the client's point
/// of view.
pub(super) fn is_own(host: &str, reached: Option<IpAddr>) -> bool {
    let name = name_of(host);
    match name.parse::<IpAddr>() {
        // An address identifies a machine, and DNS can't change it.
        Ok(ip) => reached.is_some_and(|reached| ip == reached || ip.is_loopback() && reached.is_loopback()),
        Err(_) => name == "localhost" || name.ends_with(".localhost"),
    }
}

/// Returns the name or address in a `Host` header, without its port.
fn name_of(host: &str) -> String {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.to_ascii_lowercase()
}

fn without_brackets(name: &str) -> &str {
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &HostNames, reached: &str, hosts: &str, expected: bool) {
        let reached = reached.parse().ok();
        for host in hosts.split(' ') {
            assert_eq!(names.hold(host, reached), expected, "{host} at {reached:?}");
        }
    }

    #[test]
    fn own_names_are_those_that_nobody_else_can_have() {
        let names = HostNames::new("127.0.0.1", &[]);
        check(
            &names,
            "127.0.0.1",
            "localhost LOCALHOST:4400 127.0.0.1 127.0.0.1:80 127.1.2.3 [::1]:80 a.localhost",
            true,
        );
        check(
            &names,
            "127.0.0.1",
            "evillocalhost localhost.evil.example 10.0.0.1 [::2] 0.0.0.0 docs.test  :80",
            false,
        );
    }

    #[test]
    fn on_a_network_its_own_address_and_allowed_names_are_answered_to() {
        let names =
            HostNames::new("0.0.0.0", &["Docs.test".into(), "192.168.7.7".into(), "[fd00::1]".into()]);
        let all = "10.0.0.1:4400 localhost docs.test DOCS.TEST:80 192.168.7.7:1 [fd00::1]:4400";
        check(&names, "10.0.0.1", all, true);
        check(
            &names,
            "10.0.0.1",
            "10.0.0.2 127.0.0.1 evil.example docs.test.evil.example xdocs.test fd00::1",
            false,
        );
        let names = HostNames::new("my-machine", &[]);
        check(&names, "10.0.0.1", "my-machine:4400 My-Machine", true);
        check(&names, "10.0.0.1", "my-machine.example", false);
    }
}
