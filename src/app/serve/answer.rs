//! Responds to requests.

use std::borrow::Cow;
use std::io::SeekFrom;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, Response, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;
use tokio_util::io::ReaderStream;

use super::findings::FindingsView;
use super::names::is_own;
use super::pages::{EVENTS, FINDINGS, FIX, PANEL, PANEL_SCRIPT, PANEL_STYLE, RELOAD, Viewer, below_base};
use super::range::{RangeRequest, requested};
use super::{Live, ReceivingAddress, Server, fixing, pages};
use crate::output::publish::media_type;
use crate::output::render;
use crate::output::search;
use base::address::Address;
use base::diagnostic::Diagnostic;
use input::source::Sources;
use site::plan::{Artifact, Content};
use site::work::Work;

pub(super) async fn answer(server: &Server, request: &Parts, body: Body) -> Response<Body> {
    if !is_for_us(server, request) {
        return text(StatusCode::FORBIDDEN, "this server accepts requests only for its own host names\n");
    }
    if request.method == Method::POST && server.watches {
        let base = server.live.borrow().work.project.site.config.base_path().to_string();
        if below_base(request.uri.path(), &base) == Some(FIX) {
            return fix(server, request, body).await;
        }
    }
    if !matches!(request.method, Method::GET | Method::HEAD) {
        let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are supported\n");
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let live = server.live.borrow().clone();
    let base = &live.work.project.site.config.base_path().to_string();
    let Some(path) = below_base(request.uri.path(), base) else {
        return redirect(&format!("{base}/"));
    };
    // Earlier versions of pages are also shown without watching.
    if path == PANEL_STYLE {
        return fixed("text/css; charset=utf-8", include_str!("panel.css"));
    }
    if server.watches {
        let script = "text/javascript; charset=utf-8";
        // The requesting page.
        let page = parameter(request, "page").unwrap_or_default();
        let viewer = Viewer { path: &page, may_fix: may_fix(request) };
        match path {
            EVENTS => return events(server, page),
            RELOAD => return fixed(script, include_str!("reload.js")),
            PANEL_SCRIPT => return fixed(script, include_str!("panel.js")),
            PANEL => {
                let live = pages::in_language(&checked(server).await, &page);
                return html(request, StatusCode::OK, pages::panel(&live, viewer));
            }
            FINDINGS => {
                return html(request, StatusCode::OK, pages::findings(&checked(server).await, viewer));
            }
            _ => {}
        }
    }
    // Hosts do the same for a folder.
    let mut languages = live.work.translations().iter();
    if languages.any(|work| work.project.site.config.language_path == path) {
        return redirect(&format!("{base}{path}/"));
    }
    let live = live.in_language(path);
    let path = path.strip_prefix(&live.work.project.site.config.language_path).unwrap_or(path);
    page(server, &live, request, path).await
}

/// Fixes the findings in the request body, for one of this server's pages. Other pages can't send this request,
/// because their `Origin` differs, and browsers ask for permission before sending JSON.
async fn fix(server: &Server, request: &Parts, body: Body) -> Response<Body> {
    let has_origin = request.headers.contains_key(header::ORIGIN);
    let is_json = request.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !may_fix(request) || !has_origin || !is_json {
        return text(StatusCode::FORBIDDEN, "only this server's pages on this machine can fix files\n");
    }
    let body = axum::body::to_bytes(body, fixing::MOST).await.unwrap_or_default();
    let Ok(ids) = serde_json::from_slice::<Vec<String>>(&body) else {
        return text(StatusCode::BAD_REQUEST, "the body is not a list of findings\n");
    };
    let live = checked(server).await;
    // Files are read and written.
    let fixed = tokio::task::spawn_blocking(move || {
        let sources = &live.latest().project.sources;
        fixing::fix(&live, &ids).map_err(|refusal| refusal.response(sources))
    });
    match fixed.await {
        Ok(Ok(count)) => text(StatusCode::OK, &format!("{count}\n")),
        Ok(Err((status, why))) => text(status, &why),
        Err(_) => text(StatusCode::INTERNAL_SERVER_ERROR, "the findings could not be fixed\n"),
    }
}

/// Whether the client may have files fixed: it runs on this machine and uses its own name for it.
fn may_fix(request: &Parts) -> bool {
    let host = request.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let reached = reached(request);
    reached.is_some_and(|reached| reached.is_loopback()) && host.is_some_and(|host| is_own(host, reached))
}

/// Returns the address of this machine that received a request.
fn reached(request: &Parts) -> Option<IpAddr> {
    request.extensions.get::<ConnectInfo<ReceivingAddress>>().and_then(|reached| reached.0.0)
}

/// Returns the value of a query parameter.
fn parameter(request: &Parts, name: &str) -> Option<String> {
    let pairs = request.uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.into_iter().find(|(known, _)| *known == name)?;
    Some(percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned())
}

/// Returns the site after the last saved version was checked.
async fn checked(server: &Server) -> Live {
    let mut live = server.live.clone();
    // The sender exists as long as the process.
    let checked = live.wait_for(|live| live.is_checked).await.map(|live| live.clone());
    checked.unwrap_or_else(|_| server.live.borrow().clone())
}

/// Whether a request uses a name of this server, and comes from one of its pages. See
/// [`HostNames`](super::names::HostNames).
fn is_for_us(server: &Server, request: &Parts) -> bool {
    let reached = reached(request);
    let is_own_name = |host: &str| server.names.hold(host, reached);
    let value = |name: HeaderName| request.headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = value(header::HOST).is_some_and(is_own_name);
    let origin = value(header::ORIGIN).is_none_or(|origin| {
        let from = origin.split_once("://");
        from.is_some_and(|(_, host)| Some(host) == value(header::HOST) && is_own_name(host))
    });
    host && origin
}

/// Responds with the artifact at a path.
async fn page(server: &Server, live: &Live, request: &Parts, path: &str) -> Response<Body> {
    let decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
    let work = &live.work;
    let address = Address::new(&decoded);
    let is_there = |address: &Address| !work.project.plan.is_shared(address);
    let artifact = work.project.plan.get(&address).filter(|_| address.as_str() == decoded);
    if let Some(artifact) = artifact.filter(|_| is_there(&address)) {
        let status = if *artifact == Artifact::NotFound { StatusCode::NOT_FOUND } else { StatusCode::OK };
        return artifact_answer(server, live, request, status, address.clone(), artifact.clone()).await;
    }
    if let Some(found) = work.project.plan.find(&decoded).filter(|found| is_there(found)) {
        let query = request.uri.query().map_or(String::new(), |query| format!("?{query}"));
        return redirect(&format!("{}{query}", work.project.resolver().url(found)));
    }
    if let Some((latest, finding)) = unreadable(live, &address) {
        return failed(server, live, request, &latest.project.sources, finding);
    }
    if search::may_be_at(&decoded) {
        return search_file(server, live, request, address).await;
    }
    let missing = Address::new("/404.html");
    match work.project.plan.get(&missing).cloned() {
        Some(artifact) => {
            artifact_answer(server, live, request, StatusCode::NOT_FOUND, missing, artifact).await
        }
        None => text(StatusCode::NOT_FOUND, "nothing found at this URL\n"),
    }
}

/// Returns why a saved page has no version that can be shown.
fn unreadable<'a>(live: &'a Live, address: &Address) -> Option<(&'a Work, &'a Diagnostic)> {
    let latest = live.latest.as_ref()?;
    let finding = live.outdated.missing(latest, latest.project.plan.get(address)?)?;
    Some((latest, finding))
}

/// Responds with a file of the search, which is generated on request.
async fn search_file(server: &Server, live: &Live, request: &Parts, address: Address) -> Response<Body> {
    let (work, cache) = (live.work.clone(), server.cache.clone());
    let path = address.output_path();
    match tokio::task::spawn_blocking(move || search::find(&work, cache.stored_search(), &address)).await {
        Ok(Some(bytes)) => bytes_answer(request, StatusCode::OK, &path, bytes.to_vec().into()),
        Ok(None) => text(StatusCode::NOT_FOUND, "the search has no such file\n"),
        Err(_) => text(StatusCode::INTERNAL_SERVER_ERROR, "the pages could not be searched\n"),
    }
}

async fn artifact_answer(
    server: &Server,
    live: &Live,
    request: &Parts,
    status: StatusCode,
    address: Address,
    artifact: Artifact,
) -> Response<Body> {
    let work = live.work.clone();
    let path = address.output_path();
    let reason = live.reason(&artifact);
    let shown = artifact.document();
    // Rendering uses the processor, so it runs on another thread.
    let rendered = tokio::task::spawn_blocking(move || render::artifact(&work, &address, &artifact)).await;
    let content = match rendered {
        Ok(Ok(content)) => content,
        Ok(Err(diagnostic)) => return failed(server, live, request, &live.work.project.sources, &diagnostic),
        Err(_) => return text(StatusCode::INTERNAL_SERVER_ERROR, "the page could not be rendered\n"),
    };
    match content {
        Content::File(disk) => file(request, &path, disk).await,
        Content::Bytes(bytes) if is_html(&path) && (server.watches || reason.is_some()) => {
            let mut page = String::from_utf8_lossy(&bytes).into_owned();
            if let Some(id) = shown {
                page = pages::with_left_out(&page, live, id);
            }
            if let Some(reason) = reason {
                page = pages::with_notice(&page, live, &reason, viewer(request));
            }
            if server.watches {
                page = pages::with_reload(&page, live);
            }
            bytes_answer(request, status, &path, page.into_bytes().into())
        }
        Content::Bytes(bytes) => bytes_answer(request, status, &path, bytes),
    }
}

/// Responds with a finding in place of a page. `sources` are the files of the finding.
fn failed(
    server: &Server,
    live: &Live,
    request: &Parts,
    sources: &Sources,
    diagnostic: &Diagnostic,
) -> Response<Body> {
    let shower = FindingsView { sources, ..pages::shower(live, viewer(request)) };
    let page = pages::failure(live, shower, diagnostic, viewer(request));
    let page = if server.watches { pages::with_reload(&page, live) } else { page };
    html(request, StatusCode::INTERNAL_SERVER_ERROR, page)
}

/// Returns the viewer of a page.
fn viewer(request: &Parts) -> Viewer<'_> {
    Viewer { path: request.uri.path(), may_fix: may_fix(request) }
}

fn is_html(path: &str) -> bool {
    path.ends_with(".html")
}

fn html(request: &Parts, status: StatusCode, page: String) -> Response<Body> {
    bytes_answer(request, status, "page.html", page.into_bytes().into())
}

fn bytes_answer(
    request: &Parts,
    status: StatusCode,
    path: &str,
    bytes: Cow<'static, [u8]>,
) -> Response<Body> {
    let tag = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..32]);
    if status == StatusCode::OK && is_known(&request.headers, &tag) {
        return not_modified(&tag);
    }
    let size = bytes.len() as u64;
    let range = requested_range(&request.headers, size, &tag);
    let part = match (&range, status) {
        (RangeRequest::Unsatisfiable, StatusCode::OK) => return unsatisfiable(size),
        (RangeRequest::Part(part), StatusCode::OK) => Some(part.clone()),
        _ => None,
    };
    let body = match &part {
        Some(part) => bytes[index(part.start)..index(part.end)].to_vec(),
        None => bytes.into_owned(),
    };
    let mut response = with_headers(status, path, &tag, part.as_ref().map(|part| (part.clone(), size)));
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    // A HEAD response has the same headers and no body, which hyper removes.
    *response.body_mut() = Body::from(body);
    response
}

fn index(offset: u64) -> usize {
    usize::try_from(offset).expect("it is below the length of a slice")
}

/// Responds with a file of the site, streamed from disk, because it may be a large video.
async fn file(request: &Parts, path: &str, disk: PathBuf) -> Response<Body> {
    match try_file(request, path, &disk).await {
        Ok(response) => response,
        Err(error) => {
            let message = format!("cannot read `{path}`: {error}\n");
            text(StatusCode::INTERNAL_SERVER_ERROR, &message)
        }
    }
}

async fn try_file(request: &Parts, path: &str, disk: &Path) -> std::io::Result<Response<Body>> {
    let mut file = tokio::fs::File::open(disk).await?;
    let metadata = file.metadata().await?;
    let size = metadata.len();
    let modified = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let tag = format!("\"{size:x}-{:x}\"", modified.as_nanos());
    if is_known(&request.headers, &tag) {
        return Ok(not_modified(&tag));
    }
    let part = match requested_range(&request.headers, size, &tag) {
        RangeRequest::Unsatisfiable => return Ok(unsatisfiable(size)),
        RangeRequest::Part(part) => Some(part),
        RangeRequest::Whole => None,
    };
    let whole = part.clone().unwrap_or(0..size);
    file.seek(SeekFrom::Start(whole.start)).await?;
    let length = whole.end - whole.start;
    let mut response = with_headers(StatusCode::OK, path, &tag, part.map(|part| (part, size)));
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    *response.body_mut() = Body::from_stream(ReaderStream::new(file.take(length)));
    Ok(response)
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| {
        known.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
    })
}

fn requested_range(headers: &HeaderMap, size: u64, tag: &str) -> RangeRequest {
    let value = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    // A range of a newer version is useless for the client.
    if value(header::IF_RANGE).is_some_and(|known| known != tag) {
        return RangeRequest::Whole;
    }
    requested(value(header::RANGE), size)
}

fn with_headers(
    status: StatusCode,
    path: &str,
    tag: &str,
    part: Option<(std::ops::Range<u64>, u64)>,
) -> Response<Body> {
    let status = if part.is_some() { StatusCode::PARTIAL_CONTENT } else { status };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    set(&mut response, header::CONTENT_TYPE, &media_type(path));
    set(&mut response, header::ETAG, tag);
    set(&mut response, header::ACCEPT_RANGES, "bytes");
    if let Some((part, size)) = part {
        set(&mut response, header::CONTENT_RANGE, &format!("bytes {}-{}/{size}", part.start, part.end - 1));
    }
    common(response)
}

fn not_modified(tag: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    set(&mut response, header::ETAG, tag);
    common(response)
}

fn unsatisfiable(size: u64) -> Response<Body> {
    let mut response = text(StatusCode::RANGE_NOT_SATISFIABLE, "the file has no such part\n");
    set(&mut response, header::CONTENT_RANGE, &format!("bytes */{size}"));
    response
}

fn text(status: StatusCode, message: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(message.to_string()));
    *response.status_mut() = status;
    set(&mut response, header::CONTENT_TYPE, "text/plain; charset=utf-8");
    common(response)
}

/// Responds with a built-in text.
fn fixed(media_type: &str, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    set(&mut response, header::CONTENT_TYPE, media_type);
    common(response)
}

/// Temporary, because browsers would remember a permanent redirect after the page has moved.
fn redirect(to: &str) -> Response<Body> {
    let mut response = text(StatusCode::FOUND, "");
    set(&mut response, header::LOCATION, to);
    response
}

/// Adds the headers of every response: no guessing of types, and revalidation of cached copies.
fn common(mut response: Response<Body>) -> Response<Body> {
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(&mut response, header::CACHE_CONTROL, "no-cache");
    response
}

/// Values are created here, or from percent-encoded addresses.
fn set(response: &mut Response<Body>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Sends the current version to the page at a path, now and whenever it changes.
fn events(server: &Server, path: String) -> Response<Body> {
    let states = WatchStream::new(server.live.clone());
    let event =
        move |live: Live| Event::default().data(pages::state(&pages::in_language(&live, &path), &path));
    let stream = states.map(move |live| Ok::<_, std::convert::Infallible>(event(live)));
    common(Sse::new(stream).keep_alive(KeepAlive::default()).into_response())
}
