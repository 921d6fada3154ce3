//! Sends the object store's requests with the program's HTTP client.
//!
//! `object_store` is compiled without a client, so that the program contains only one. A request waits on a separate
//! thread, and its response is read completely, because responses to an upload are lists, manifests or empty.

use std::error::Error;
use std::future::Future;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::time::Duration;

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use ureq::http::{Request, Response};
use ureq::{Agent, AsSendBody, Body, RequestExt};

use super::MOST_BYTES;

/// Time limit for a response to begin, and for the next bytes of a request or response.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time limit for connecting.
const REACH: Duration = Duration::from_secs(10);

/// The same for the machine's metadata service, which provides its role. If there is none, nothing responds.
const REACH_ROLE: Duration = Duration::from_secs(2);

/// Creates the client.
#[derive(Debug)]
pub(super) struct Connector {
    /// Maximum number of concurrent requests.
    pub(super) connections: usize,
}

#[derive(Debug)]
struct Client(Agent);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // Credentials are sent only to the store's own URL.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_recv_response(Some(PATIENCE))
            .max_idle_connections(self.connections)
            .max_idle_connections_per_host(self.connections)
            .user_agent(concat!("stepkin/", env!("CARGO_PKG_VERSION")));
        Ok(HttpClient::new(Client(config.build().into())))
    }
}

impl HttpService for Client {
    fn call<'a, 'b>(
        &'a self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        let agent = self.0.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let is_of_machine = parts.uri.host().is_some_and(is_of_machine);
            let reach = if is_of_machine { REACH_ROLE } else { REACH };
            let body = HttpResponseBody::new(body).bytes().await?;
            let waiting = tokio::task::spawn_blocking(move || {
                // A GET with a body is no request that servers understand.
                let answer = if body.is_empty() && !matches!(parts.method.as_str(), "PUT" | "POST") {
                    within(reach, &agent, Request::from_parts(parts, ()))
                } else {
                    within(reach, &agent, Request::from_parts(parts, &body[..]))
                };
                let (parts, mut body) = answer?.into_parts();
                let bytes = body.with_config().limit(MOST_BYTES).read_to_vec()?;
                Ok(HttpResponse::from_parts(parts, bytes.into()))
            });
            let answer = waiting.await.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
            answer.map_err(|error: ureq::Error| {
                // A missing service isn't requested again.
                let kind = if is_of_machine { HttpErrorKind::Unknown } else { kind(&error) };
                HttpError::new(kind, error)
            })
        })
    }
}

/// Sends a request with a time limit for connecting.
fn within<B: AsSendBody>(
    reach: Duration,
    agent: &Agent,
    request: Request<B>,
) -> Result<Response<Body>, ureq::Error> {
    request.with_agent(agent).configure().timeout_connect(Some(reach)).run()
}

/// Whether a host is a link-local address (RFC 3927), which clouds use for metadata services.
fn is_of_machine(host: &str) -> bool {
    host.parse().is_ok_and(|address: Ipv4Addr| address.is_link_local())
}

/// Returns the kind of an error, which determines whether a request is repeated.
fn kind(error: &ureq::Error) -> HttpErrorKind {
    match error {
        ureq::Error::Timeout(_) => HttpErrorKind::Timeout,
        ureq::Error::ConnectionFailed => HttpErrorKind::Connect,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            HttpErrorKind::Connect
        }
        // The connection was closed before or during the response.
        ureq::Error::Io(_) | ureq::Error::Protocol(_) => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    }
}

/// Returns the texts of an error and of its causes, in this order.
pub(super) fn causes(error: &(dyn Error + 'static)) -> String {
    let mut texts = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Most include the text of their cause.
        if !texts.iter().any(|said| said.contains(&text)) {
            texts.push(text);
        }
        cause = error.source();
    }
    texts.join(": ")
}
