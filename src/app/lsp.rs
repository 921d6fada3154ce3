//! The Language Server Protocol 3.17, for editors.
//!
//! In: messages of one editor, each answered before the next is read. Out: responses, and findings when they change.
//! Texts that are open in the editor replace the files on disk, so results refer to the text that the author sees.
//! Findings come from the same stages as those of `check` and `drift`.
//!
//! A site is planned on request, and checked when no message is waiting.

mod actions;
mod completion;
mod diagnostics;
mod hover;
mod lens;
mod navigation;
mod position;
mod rename;
mod site;
mod symbols;
mod translated;
mod uri;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    ApplyWorkspaceEdit, CodeActionRequest, CodeLensRequest, Completion, DocumentSymbolRequest,
    ExecuteCommand, FoldingRangeRequest, GotoDefinition, GotoImplementation, HoverRequest,
    PrepareRenameRequest, References, RegisterCapability, Rename, Request as _, ShowDocument,
    WillRenameFiles, WorkspaceSymbolRequest,
};
use lsp_types::{
    ApplyWorkspaceEditParams, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, DidChangeTextDocumentParams, DocumentSymbolResponse, ExecuteCommandOptions,
    FileOperationFilter, FileOperationPattern, FileOperationRegistrationOptions,
    FoldingRangeProviderCapability, GotoDefinitionResponse, Hover, HoverContents, HoverProviderCapability,
    ImplementationProviderCapability, InitializeParams, InitializeResult, Location, MarkupContent,
    MarkupKind, OneOf, Position, PrepareRenameResponse, PublishDiagnosticsParams, RenameOptions, SaveOptions,
    ServerCapabilities, ServerInfo, ShowDocumentParams, TextDocumentContentChangeEvent,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri, WorkDoneProgressOptions, WorkspaceEdit,
    WorkspaceFileOperationsServerCapabilities, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities, WorkspaceSymbolResponse,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::diagnostics::SentFindings;
use self::navigation::{FilePosition, PagePosition};
use self::position::{Encoding, Lines};
use self::rename::{Abilities, Platforms, RENAME_ONE, RenameTarget};
use self::site::{EditorSite, Open, document_in};
use self::translated::Translated;
use crate::app::moving::{self, Move};
use crate::output::pipeline::Options;
use crate::output::render::Rendering;
use base::error::{Error, Result};
use base::site_path::{CONFIG, SitePath};
use base::sorted::{SortedMap, SortedSet};
use base::write;
use input::source;

/// The command that shows a location. Its argument is a `Location`.
const SHOW: &str = "stepkin.show";
/// The command that returns the URL of a location on the site, such as `/tour/web/install/#first`, for a preview. Its
/// argument is a `{ uri, position }`.
const ADDRESS: &str = "stepkin.address";

/// Serves one editor over standard input and output until it exits.
///
/// # Errors
///
/// If the editor doesn't follow the protocol.
pub fn run(options: &Options) -> Result<()> {
    let (connection, threads) = Connection::stdio();
    serve(&connection, options)?;
    // The writing thread ends when all senders are dropped.
    drop(connection);
    threads.join().map_err(Error::io("answer", "standard output"))
}

/// Like [`run`], over any connection.
///
/// # Errors
///
/// See [`run`].
pub fn serve(connection: &Connection, options: &Options) -> Result<()> {
    let wrong = |error: lsp_server::ProtocolError| {
        Error::usage(format!("cannot communicate with the editor: {error}"))
    };
    let (id, params) = connection.initialize_start().map_err(wrong)?;
    let params: InitializeParams = serde_json::from_value(params)
        .map_err(|error| Error::usage(format!("cannot read the capabilities of the editor: {error}")))?;
    let encoding = Encoding::among(
        params.capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref()),
    );
    let said = InitializeResult {
        capabilities: capabilities(encoding),
        server_info: Some(ServerInfo {
            name: "stepkin".to_string(),
            version: Some(env!("CARGO_PKG_VERSION").to_string()),
        }),
    };
    connection.initialize_finish(id, json!(said)).map_err(wrong)?;
    let mut server = Server::new(connection, encoding, options, &params);
    server.ask_for_files(&params);
    server.run().map_err(wrong)
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![lsp_types::CodeActionKind::QUICKFIX, actions::FIX_ALL]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["(", "/", "#", "{", ":", " "].map(String::from).to_vec()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [SHOW, ADDRESS, RENAME_ONE].map(String::from).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: Some(WorkspaceFileOperationsServerCapabilities {
                will_rename: Some(any_file()),
                ..WorkspaceFileOperationsServerCapabilities::default()
            }),
        }),
        ..ServerCapabilities::default()
    }
}

/// Matches files and folders with any name, because images are moved like pages.
fn any_file() -> FileOperationRegistrationOptions {
    let pattern = FileOperationPattern { glob: "**/*".to_string(), matches: None, options: None };
    let filter = FileOperationFilter { scheme: Some("file".to_string()), pattern };
    FileOperationRegistrationOptions { filters: vec![filter] }
}

/// The state of one editor.
struct Server<'c> {
    connection: &'c Connection,
    encoding: Encoding,
    abilities: Abilities,
    options: &'c Options,
    /// The sites that contain the editor's folders and files, by root.
    sites: SortedMap<PathBuf, OpenSite>,
    requests: i32,
}

/// A site, and the findings that the editor has received.
struct OpenSite {
    site: EditorSite,
    /// The files with findings.
    told: SortedMap<SitePath, SentFindings>,
}

/// The result of a request. `Err` is shown in the editor.
type Answer = std::result::Result<Value, String>;

impl<'c> Server<'c> {
    fn new(
        connection: &'c Connection,
        encoding: Encoding,
        options: &'c Options,
        params: &InitializeParams,
    ) -> Self {
        let abilities = Abilities::of(&params.capabilities);
        let mut server =
            Self { connection, encoding, abilities, options, sites: SortedMap::new(), requests: 0 };
        let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
        #[expect(deprecated, reason = "older editors send only this field")]
        let root = params.root_uri.iter().filter(|_| params.workspace_folders.is_none());
        for folder in folders.chain(root).filter_map(uri::path_of) {
            server.add(&folder);
        }
        server
    }

    /// Adds the site that contains a file or folder, if there is one.
    fn add(&mut self, path: &Path) -> Option<&mut OpenSite> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let known = path.ancestors().find(|folder| self.sites.contains_key(*folder));
        let root = known.or_else(|| path.ancestors().find(|folder| source::is_site(folder)))?.to_path_buf();
        let options = self.options;
        let open = || OpenSite { site: EditorSite::at(root.clone(), options), told: SortedMap::new() };
        Some(self.sites.entry(root.clone()).or_insert_with(open))
    }

    /// Returns the site of a file, and its path there.
    fn site_of(&mut self, uri: &Uri) -> Option<(&mut OpenSite, SitePath)> {
        let file = uri::path_of(uri)?;
        let parent = file.parent()?.canonicalize().ok()?;
        let file = parent.join(file.file_name()?);
        let opened = self.add(&file)?;
        let path = opened.site.path_of(&file)?;
        Some((opened, path))
    }

    /// Requests notifications about files that other programs change, if the editor supports it.
    fn ask_for_files(&mut self, params: &InitializeParams) {
        let can = params.capabilities.workspace.as_ref().and_then(|it| it.did_change_watched_files.as_ref());
        if can.and_then(|can| can.dynamic_registration) != Some(true) {
            return;
        }
        let registration = json!({ "registrations": [{
            "id": "files",
            "method": DidChangeWatchedFiles::METHOD,
            "registerOptions": { "watchers": [{ "globPattern": "**/*" }] },
        }] });
        self.request(RegisterCapability::METHOD, registration);
    }

    fn request(&mut self, method: &str, params: Value) {
        self.requests += 1;
        self.send(Request::new(RequestId::from(self.requests), method.to_string(), params).into());
    }

    /// If the editor has exited, the message is lost, and no more messages arrive.
    fn send(&self, message: Message) {
        _ = self.connection.sender.send(message);
    }

    fn run(&mut self) -> std::result::Result<(), lsp_server::ProtocolError> {
        self.publish_diagnostics();
        while let Ok(message) = self.connection.receiver.recv() {
            let mut next = Some(message);
            while let Some(message) = next {
                match message {
                    Message::Request(request) => {
                        if self.connection.handle_shutdown(&request)? {
                            return Ok(());
                        }
                        let response = self.answer(request);
                        self.send(response.into());
                    }
                    Message::Notification(notification) => self.take(notification),
                    // Responses to the server's requests don't matter.
                    Message::Response(_) => {}
                }
                next = self.connection.receiver.try_recv().ok();
            }
            self.publish_diagnostics();
        }
        Ok(())
    }

    /// Handles changes by the author or another program. Unreadable parameters are ignored, as the protocol requires.
    fn take(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(params) = read::<lsp_types::DidOpenTextDocumentParams>(params) else { return };
                let document = params.text_document;
                if let Some((opened, path)) = self.site_of(&document.uri) {
                    let open = Open { text: document.text, version: document.version };
                    opened.site.edit(path, Some(open));
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(params) = read::<DidChangeTextDocumentParams>(params) {
                    self.change(params);
                }
            }
            DidCloseTextDocument::METHOD => {
                let Some(params) = read::<lsp_types::DidCloseTextDocumentParams>(params) else { return };
                if let Some((opened, path)) = self.site_of(&params.text_document.uri) {
                    let file = opened.site.root.join(path.as_str());
                    opened.site.edit(path, None);
                    opened.site.refresh(&[file]);
                }
            }
            DidSaveTextDocument::METHOD => {
                let Some(params) = read::<lsp_types::DidSaveTextDocumentParams>(params) else { return };
                self.refresh([params.text_document.uri]);
            }
            DidChangeWatchedFiles::METHOD => {
                let Some(params) = read::<lsp_types::DidChangeWatchedFilesParams>(params) else { return };
                self.refresh(params.changes.into_iter().map(|change| change.uri));
            }
            DidChangeWorkspaceFolders::METHOD => {
                let Some(params) = read::<lsp_types::DidChangeWorkspaceFoldersParams>(params) else { return };
                for folder in params.event.added.iter().filter_map(|folder| uri::path_of(&folder.uri)) {
                    self.add(&folder);
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let encoding = self.encoding;
        let Some((opened, path)) = self.site_of(&params.text_document.uri) else { return };
        let Some(mut text) = opened.site.open_text(&path).map(str::to_string) else { return };
        for TextDocumentContentChangeEvent { range, text: new, .. } in params.content_changes {
            match range {
                Some(range) => {
                    let span = Lines::of(&text, encoding).span(range);
                    text.replace_range(span, &new);
                }
                None => text = new,
            }
        }
        opened.site.edit(path, Some(Open { text, version: params.text_document.version }));
    }

    fn refresh(&mut self, changed: impl IntoIterator<Item = Uri>) {
        let mut by_site: SortedMap<PathBuf, SortedSet<PathBuf>> = SortedMap::new();
        for uri in changed {
            if let Some((opened, path)) = self.site_of(&uri) {
                let root = opened.site.root.clone();
                by_site.entry(root.clone()).or_default().insert(root.join(path.as_str()));
            }
        }
        for (root, files) in by_site {
            if let Some(opened) = self.sites.get_mut(&root) {
                opened.site.refresh(&files.into_iter().collect::<Vec<_>>());
            }
        }
    }

    /// Sends the findings of each site that changed: for each changed file, and for others with different findings
    /// than before.
    fn publish_diagnostics(&mut self) {
        let Self { connection, encoding, sites, .. } = self;
        for OpenSite { site, told } in sites.values_mut() {
            let Some(changed) = site.news() else { continue };
            let work = site.work();
            let found = match site.report() {
                Ok(report) => diagnostics::by_file(report),
                Err(failure) => {
                    SortedMap::from([(CONFIG.into(), SentFindings::Failure(failure.to_string()))])
                }
            };
            let is_other = |file: &&SitePath| {
                let now = found.get(*file);
                now != told.get(*file) || now.is_some_and(|now| now.points_into(&changed))
            };
            let no_more = told.keys().filter(|file| !found.contains_key(*file));
            let others = found.keys().filter(is_other).chain(no_more);
            let sources = work.as_ref().map(|work| &*work.project.sources);
            for file in changed.iter().chain(others).collect::<SortedSet<_>>() {
                let Some(uri) = uri::of_path(&site.root.join(file.as_str())) else { continue };
                let shown = found.get(file).map(|told| told.shown(sources, *encoding));
                let diagnostics = shown.unwrap_or_default();
                let version = site.open(file).map(|open| open.version);
                let params = PublishDiagnosticsParams { uri, diagnostics, version };
                let notification = Notification::new(PublishDiagnostics::METHOD.to_string(), params);
                _ = connection.sender.send(notification.into());
            }
            *told = found;
        }
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            CodeActionRequest::METHOD => self.actions(params),
            CodeLensRequest::METHOD => self.lenses(params),
            Completion::METHOD => self.completion(params),
            DocumentSymbolRequest::METHOD => self.symbols(params),
            ExecuteCommand::METHOD => self.execute(params),
            FoldingRangeRequest::METHOD => self.folds(params),
            GotoDefinition::METHOD => self.places(params, Self::definition),
            GotoImplementation::METHOD => self.places(params, Self::siblings),
            HoverRequest::METHOD => self.hover(params),
            PrepareRenameRequest::METHOD => self.prepare_rename(params),
            References::METHOD => self.references(params),
            Rename::METHOD => self.rename(params),
            WillRenameFiles::METHOD => self.will_rename(params),
            WorkspaceSymbolRequest::METHOD => self.search(params),
            _ => {
                let said = format!("unknown method `{method}`");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, said);
            }
        };
        match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(said) => Response::new_err(id, ErrorCode::InvalidParams as i32, said),
        }
    }

    /// Returns the file of a request, or `None` for a file outside sites, or on a site that can't be planned.
    fn file(&mut self, uri: &Uri) -> Option<File<'_>> {
        let encoding = self.encoding;
        let (opened, path) = self.site_of(uri)?;
        let work = opened.site.work_with(&path)?;
        let text = opened.site.open_text(&path).map(str::to_string);
        let text = text.or_else(|| Some(work.project.sources.text(&path)?.text().into_owned()))?;
        Some(File { site: &mut opened.site, work, path, text, encoding })
    }

    fn actions(&mut self, params: Value) -> Answer {
        let params: lsp_types::CodeActionParams = parse_params(params)?;
        let Some(file) = self.file(&params.text_document.uri) else { return Ok(Value::Null) };
        let File { site, work, path, text, encoding } = file;
        let body = document_in(&work, &path).map(|id| work.project.site.document(id).body);
        let Ok(report) = site.report() else { return Ok(Value::Null) };
        let lines = Lines::of(&text, encoding);
        Ok(json!(actions::of(&params, (&path, &text, body), &lines, report)))
    }

    fn lenses(&mut self, params: Value) -> Answer {
        let params: lsp_types::CodeLensParams = parse_params(params)?;
        let Some(file) = self.file(&params.text_document.uri) else { return Ok(Value::Null) };
        let Ok(report) = file.site.report() else { return Ok(Value::Null) };
        let mut lenses = lens::of(&file.work, &file.path, report, file.encoding);
        if let Some((pair, state)) = file.site.translation(&file.work, &file.path) {
            let translated = Translated { work: &file.work, pair: &pair, state: &state };
            lenses.extend(translated.lenses(&file.path, &file.text, file.encoding));
        }
        Ok(json!(lenses))
    }

    fn completion(&mut self, params: Value) -> Answer {
        let params: lsp_types::CompletionParams = parse_params(params)?;
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let Some(file) = self.file(&text_document.uri) else { return Ok(Value::Null) };
        let lines = Lines::of(&file.text, file.encoding);
        let at = lines.offset(position);
        Ok(json!(completion::at(&file.work, &file.path, &file.text, at, &lines)))
    }

    fn symbols(&mut self, params: Value) -> Answer {
        let params: lsp_types::DocumentSymbolParams = parse_params(params)?;
        let Some(file) = self.file(&params.text_document.uri) else { return Ok(Value::Null) };
        let lines = Lines::of(&file.text, file.encoding);
        let symbols = symbols::of_page(&file.work, &file.path, &file.text, &lines);
        Ok(json!(DocumentSymbolResponse::Nested(symbols)))
    }

    fn folds(&mut self, params: Value) -> Answer {
        let params: lsp_types::FoldingRangeParams = parse_params(params)?;
        let Some(file) = self.file(&params.text_document.uri) else { return Ok(Value::Null) };
        let lines = Lines::of(&file.text, file.encoding);
        Ok(json!(symbols::folds(&file.work, &file.path, &file.text, &lines)))
    }

    fn search(&mut self, params: Value) -> Answer {
        let params: lsp_types::WorkspaceSymbolParams = parse_params(params)?;
        let encoding = self.encoding;
        let works = self.sites.values_mut().filter_map(|opened| opened.site.work());
        let of_site = |work: Arc<Rendering>| -> Vec<_> {
            work.languages().flat_map(|work| symbols::of_site(work, &params.query, encoding)).collect()
        };
        let found = works.flat_map(of_site).collect();
        Ok(json!(WorkspaceSymbolResponse::Flat(found)))
    }

    fn hover(&mut self, params: Value) -> Answer {
        let params: lsp_types::HoverParams = parse_params(params)?;
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let Some(file) = self.file(&text_document.uri) else { return Ok(Value::Null) };
        let at = Lines::of(&file.text, file.encoding).offset(position);
        let text = hover::at(&file.work, &file.path, &file.text, at).or_else(|| {
            let (pair, state) = file.site.translation(&file.work, &file.path)?;
            Translated { work: &file.work, pair: &pair, state: &state }.hover(at)
        });
        let hover = text.map(|value| Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
            range: None,
        });
        Ok(json!(hover))
    }

    fn references(&mut self, params: Value) -> Answer {
        let params: lsp_types::ReferenceParams = parse_params(params)?;
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let Some(file) = self.file(&text_document.uri) else { return Ok(Value::Null) };
        let at = Lines::of(&file.text, file.encoding).offset(position);
        let targets = navigation::references(&file.work, &file.path, &file.text, at);
        Ok(json!(file.locations(targets)))
    }

    /// Returns the target of a link. Elsewhere, returns the same part on the other platforms.
    fn definition(file: &File<'_>, at: usize) -> Vec<FilePosition> {
        let Some(id) = document_in(&file.work, &file.path) else { return Vec::new() };
        match navigation::reference_at(&file.work.pages[id], &file.text, at) {
            Some(reference) => navigation::target_of(&file.work, id, reference).into_iter().collect(),
            None => Self::siblings(file, at),
        }
    }

    /// Returns the same part on the other platforms.
    fn siblings(file: &File<'_>, at: usize) -> Vec<FilePosition> {
        let Some(id) = document_in(&file.work, &file.path) else { return Vec::new() };
        let part = PagePosition::at(&file.work.pages[id], at);
        navigation::siblings(&file.work, id, part).into_iter().map(|(_, target)| target).collect()
    }

    fn places(&mut self, params: Value, of: fn(&File<'_>, usize) -> Vec<FilePosition>) -> Answer {
        let TextDocumentPositionParams { text_document, position } = parse_params(params)?;
        let Some(file) = self.file(&text_document.uri) else { return Ok(Value::Null) };
        let at = Lines::of(&file.text, file.encoding).offset(position);
        let targets = of(&file, at);
        Ok(json!(GotoDefinitionResponse::Array(file.locations(targets))))
    }

    fn execute(&mut self, params: Value) -> Answer {
        let params: lsp_types::ExecuteCommandParams = parse_params(params)?;
        let argument = params.arguments.into_iter().next().unwrap_or_default();
        match params.command.as_str() {
            SHOW => {
                let Location { uri, range } = parse_params(argument)?;
                let selection = Some(range);
                let shown = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection };
                self.request(ShowDocument::METHOD, json!(shown));
                Ok(Value::Null)
            }
            ADDRESS => self.address(argument),
            RENAME_ONE => self.rename_one(argument),
            other => Err(format!(
                "unknown command `{other}`; the commands are `{SHOW}`, `{ADDRESS}`, and `{RENAME_ONE}`"
            )),
        }
    }

    fn address(&mut self, params: Value) -> Answer {
        let AtPlace { uri, position } = parse_params(params)?;
        let Some(file) = self.file(&uri) else { return Ok(Value::Null) };
        let at = Lines::of(&file.text, file.encoding).offset(position);
        Ok(json!(navigation::url_of(&file.work, &file.path, at)))
    }

    fn prepare_rename(&mut self, params: Value) -> Answer {
        let TextDocumentPositionParams { text_document, position } = parse_params(params)?;
        let Some(mut file) = self.file(&text_document.uri) else { return Ok(Value::Null) };
        let (_, named) = file.named(position)?;
        let range = Lines::of(&file.text, file.encoding).range(&named.span);
        Ok(json!(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: named.name }))
    }

    fn rename(&mut self, params: Value) -> Answer {
        let params: lsp_types::RenameParams = parse_params(params)?;
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let edit = self.renamed(&text_document.uri, position, &params.new_name, Platforms::All)?;
        Ok(json!(edit))
    }

    /// Asks the editor to make the edit, because editors don't apply the result of a command.
    fn rename_one(&mut self, params: Value) -> Answer {
        let RenameOne { uri, position, new_name } = parse_params(params)?;
        if let Some(edit) = self.renamed(&uri, position, &new_name, Platforms::One)? {
            let label = Some(format!("Rename to {new_name}"));
            self.request(ApplyWorkspaceEdit::METHOD, json!(ApplyWorkspaceEditParams { label, edit }));
        }
        Ok(Value::Null)
    }

    fn renamed(
        &mut self,
        uri: &Uri,
        position: Position,
        name: &str,
        platforms: Platforms,
    ) -> std::result::Result<Option<WorkspaceEdit>, String> {
        let abilities = self.abilities;
        let Some(mut file) = self.file(uri) else { return Ok(None) };
        let (work, named) = file.named(position)?;
        let changes = rename::changes(file.site, &work, &named, name, platforms)?;
        rename::for_editor(&changes, file.site, file.encoding, abilities).map(Some)
    }

    /// Returns the edits for files that the editor is about to rename.
    fn will_rename(&mut self, params: Value) -> Answer {
        let params: lsp_types::RenameFilesParams = parse_params(params)?;
        let mut by_site: SortedMap<PathBuf, Vec<Move>> = SortedMap::new();
        for it in params.files {
            let uri =
                |uri: &str| Uri::from_str(uri).map_err(|error| format!("`{uri}` is not a URI: {error}"));
            let (old, new) = (uri(&it.old_uri)?, uri(&it.new_uri)?);
            let Some((opened, from)) = self.site_of(&old) else { continue };
            let real = uri::path_of(&new).map(|file| write::resolved(&file));
            // A file that leaves the site counts as deleted, and findings report links to it.
            let Some(to) = real.and_then(|file| opened.site.path_of(&file)) else { continue };
            by_site.entry(opened.site.root.clone()).or_default().push(Move { from, to });
        }
        let mut edit: Option<WorkspaceEdit> = None;
        let (encoding, abilities) = (self.encoding, self.abilities);
        for (root, renames) in by_site {
            let Some(OpenSite { site, .. }) = self.sites.get_mut(&root) else { continue };
            let work = site.work_now()?;
            let requested = rename::of_the_site(&work, renames);
            if requested.is_empty() || !work.project.site.repository.is_ours() {
                continue;
            }
            let changes = moving::plan(&work, requested.clone(), site.options());
            let mut changes = changes.map_err(|error| error.said_below(&root))?;
            // The editor renames these files itself.
            changes.renames.retain(|it| !requested.contains(it));
            let of_site = rename::for_editor(&changes, site, encoding, abilities)?;
            edit = Some(match edit {
                Some(edit) => rename::joined(edit, of_site),
                None => of_site,
            });
        }
        Ok(json!(edit))
    }
}

/// Argument of [`RENAME_ONE`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RenameOne {
    uri: Uri,
    position: Position,
    new_name: String,
}

/// Argument of [`ADDRESS`].
#[derive(Deserialize)]
struct AtPlace {
    uri: Uri,
    position: Position,
}

/// A file of a site, as the author sees it.
struct File<'s> {
    site: &'s mut EditorSite,
    work: Arc<Rendering>,
    path: SitePath,
    text: String,
    encoding: Encoding,
}

impl File<'_> {
    /// Returns the item to rename at a location, on the current site.
    fn named(&mut self, position: Position) -> std::result::Result<(Arc<Rendering>, RenameTarget), String> {
        let work = self.site.work_now()?;
        let work = work.translation_with(&self.path).unwrap_or(&work).clone();
        let repository = &work.project.site.repository;
        if !repository.is_ours() {
            let kind = repository.name();
            return Err(format!("this is {kind}; Stepkin updates links only in Stepkin sites"));
        }
        let at = Lines::of(&self.text, self.encoding).offset(position);
        let named = rename::at(&work, &self.path, &self.text, at)?;
        Ok((work, named))
    }

    fn locations(&self, targets: Vec<FilePosition>) -> Vec<Location> {
        targets.into_iter().filter_map(|target| target.location(&self.work, self.encoding)).collect()
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

fn parse_params<T: DeserializeOwned>(params: Value) -> std::result::Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}
