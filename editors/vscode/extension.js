// Starts the language server, and shows a preview next to the editor.
"use strict";

const { spawn } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
let preview;

const setting = (name) => vscode.workspace.getConfiguration("stepkin").get(name);

async function start() {
  const args = setting("drift") ? ["lsp"] : ["lsp", "--no-drift"];
  const program = { command: setting("path"), args };
  const documents = [{ language: "markdown" }, { language: "mdx" }, { pattern: "**/stepkin.toml" }].map((it) => ({ scheme: "file", ...it }));
  client = new LanguageClient("stepkin", "Stepkin", program, { documentSelector: documents });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Stepkin failed to start: ${error.message}. Install Stepkin, or set \`stepkin.path\` to its location.`);
  }
}

async function restart() {
  await client?.stop().catch(() => {});
  await start();
}

/** Returns the URL of the cursor's section, such as `/tour/web/install/#first`, or nothing if the page isn't published. */
async function address({ document, selection }) {
  const position = client.code2ProtocolConverter.asPosition(selection.active);
  const params = { command: "stepkin.address", arguments: [{ uri: document.uri.toString(), position }] };
  return client.sendRequest("workspace/executeCommand", params);
}

/** Runs `stepkin serve` in a folder, and shows the site in a panel. */
class Preview {
  constructor(folder) {
    this.panel = vscode.window.createWebviewPanel("stepkin", "Stepkin", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true });
    this.server = spawn(setting("path"), ["serve", "--port", "0", "--root", folder]);
    this.server.on("error", (error) => vscode.window.showErrorMessage(`The preview failed to start: ${error.message}`));
    this.server.stdout.once("data", (line) => {
      this.origin = new URL(String(line).trim().split(" ").pop()).origin;
      this.follow(vscode.window.activeTextEditor);
    });
    this.panel.onDidDispose(() => {
      this.server.kill();
      preview = undefined;
    });
  }

  async follow(editor) {
    if (!this.origin || !editor) return;
    const path = await address(editor).catch(() => undefined);
    if (!path || path === this.path) return;
    this.path = path;
    const url = this.origin + path;
    const policy = `default-src 'none'; frame-src ${this.origin}; style-src 'unsafe-inline'`;
    const style = "html, body, iframe { width: 100%; height: 100%; margin: 0; padding: 0; border: 0; background: #fff }";
    this.panel.webview.html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style><iframe src="${url}"></iframe>`;
  }
}

function showPreview() {
  const editor = vscode.window.activeTextEditor;
  const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
  if (!folder) return vscode.window.showInformationMessage("Open a page of a Stepkin site first.");
  preview ??= new Preview(folder.uri.fsPath);
  preview.panel.reveal(undefined, true);
  return preview.follow(editor);
}

/** Asks for a name, as F2 does; that renames on all platforms. */
async function renameHere() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const uri = editor.document.uri.toString();
  const position = client.code2ProtocolConverter.asPosition(editor.selection.active);
  try {
    const { placeholder } = await client.sendRequest("textDocument/prepareRename", { textDocument: { uri }, position });
    const newName = await vscode.window.showInputBox({ value: placeholder, prompt: "New name on this platform" });
    if (!newName || newName === placeholder) return;
    const params = { command: "stepkin.renameOne", arguments: [{ uri, position, newName }] };
    await client.sendRequest("workspace/executeCommand", params);
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("stepkin.preview", showPreview),
    vscode.commands.registerCommand("stepkin.renameHere", renameHere),
    vscode.commands.registerCommand("stepkin.restart", restart),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => preview?.follow(textEditor)),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("stepkin") && restart()),
  );
  await start();
}

async function deactivate() {
  preview?.panel.dispose();
  await client?.stop();
}

module.exports = { activate, deactivate };
