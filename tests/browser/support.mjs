// Shared by the browser tests: a built site, a server for it, and Debian's Chromium.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

/** The sample site, a site with features that the sample doesn't use, and one whose platforms differ. */
export const root = resolve(import.meta.dirname, "../..");
export const everything = join(import.meta.dirname, "site");
export const differing = join(import.meta.dirname, "family");
export const binary = process.env.STEPKIN_BIN ?? join(root, "target/debug/stepkin");

const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".webp": "image/webp", ".svg": "image/svg+xml", ".xml": "text/xml", ".json": "application/json", ".csv": "text/csv" };

// On a CI server, sites with errors are still built.
delete process.env.CI;

/** The strictest policy for serving a site: every style and script is a separate file. */
const strict = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'";

/** The policy that the manual recommends. */
export const searching = `${strict.replace("script-src 'self'", "script-src 'self' 'inline-speculation-rules'")}; connect-src 'self'`;

/** A new folder, which is deleted after the tests. */
export async function folder() {
  const folder = await mkdtemp(join(tmpdir(), "stepkin-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Builds the site in `from` into a new folder. */
export async function build(from, ...options) {
  const output = join(await folder(), "site");
  await promisify(execFile)(binary, ["build", "--root", from, "--output", output, ...options]);
  return output;
}

/** A plain web server for a built site, with a content security policy or a base path. `prefetched` lists the URLs that browsers requested in advance. */
export async function serveFolder(folder, { policy, below = "" } = {}) {
  const prefetched = [];
  const server = createServer(async (request, response) => {
    if (request.headers["sec-purpose"]?.startsWith("prefetch")) prefetched.push(request.url);
    const asked = decodeURIComponent(new URL(request.url, "http://x").pathname);
    let path = join(folder, asked.startsWith(below) ? asked.slice(below.length) : "outside");
    let status = 200;
    if (asked.endsWith("/")) path = join(path, "index.html");
    if (!(await stat(path).catch(() => null))?.isFile()) [status, path] = [404, join(folder, "404.html")];
    const type = types[extname(path)] ?? "application/octet-stream";
    response.writeHead(status, { "content-type": type, "content-security-policy": policy ?? strict });
    response.end(await readFile(path));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  // A failing test leaves its server running, which must not prevent the tests from ending.
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}`, folder, prefetched, close: () => server.close() };
}

/** `stepkin serve` for a copy of a site. */
export async function serveWatching(from) {
  const site = await folder();
  // The sample site is a repository with many other files.
  for (const part of ["content", "code", "static", "templates", "stepkin.toml"]) {
    await cp(join(from, part), join(site, part), { recursive: true }).catch(({ code }) => assert.equal(code, "ENOENT"));
  }
  const child = spawn(binary, ["serve", "--port", "0", "--root", site], { stdio: ["ignore", "pipe", "ignore"] });
  const line = await new Promise((found) => createInterface(child.stdout).once("line", found));
  const url = line.split(" ").pop();
  const close = () => child.kill();
  return { url: url.replace(/\/$/, ""), site, close };
}

/** Installed typefaces that differ in width and height. */
export async function typefaces() {
  const { stdout } = await promisify(execFile)("fc-list", [":", "family"]);
  const installed = new Set(stdout.split("\n").flatMap((line) => line.split(",")));
  const known = ["DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Sans Narrow", "Liberation Serif", "Noto Sans", "Noto Serif"];
  return known.filter((name) => installed.has(name));
}

/** A browser that shows all text in one typeface. */
export async function launchWith(typeface) {
  const file = join(await folder(), "fonts.conf");
  await writeFile(file, `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">${process.env.FONTCONFIG_FILE ?? "/etc/fonts/fonts.conf"}</include>
  <match target="pattern"><edit name="family" mode="assign" binding="strong"><string>${typeface}</string></edit></match>
</fontconfig>
`);
  return chromium.launch({ ...settings(), env: { ...process.env, FONTCONFIG_FILE: file } });
}

export function launch(...more) {
  return chromium.launch(settings(...more));
}

function settings(...more) {
  return {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
      "--no-first-run", "--disable-quic", "--disable-sync", "--no-zygote", ...more,
    ],
  };
}

/** A browser, and what `start` serves, for all tests in a file. Both exist when the first test runs. */
export function visiting(start) {
  const visit = {};
  before(async () => {
    visit.server = await start();
    visit.browser = await launch();
  });
  after(async () => {
    await visit.browser?.close();
    await visit.server?.close();
  });
  return visit;
}

/** All sites, built and served: the pages in `kinds`. */
export async function serveAll() {
  const built = await Promise.all([build(root), build(everything, "--drafts"), build(differing)]);
  // On a missing page, the search suggests similar ones.
  const [sample, everythingServed, family] = await Promise.all(built.map((folder) => serveFolder(folder, { policy: searching })));
  const servers = { sample, everything: everythingServed, family };
  return {
    url: ({ site, path }) => servers[site].url + path,
    close: () => Object.values(servers).forEach((server) => server.close()),
  };
}

const sample = (path) => ({ site: "sample", path });
const other = (path) => ({ site: "everything", path });
const family = (path) => ({ site: "family", path });

/** Every kind of page, with an example. */
export const kinds = {
  home: sample("/"),
  plain: sample("/about/"),
  overview: sample("/developers/quickstart/"),
  "step with settings": sample("/developers/quickstart/ios/create-connection/"),
  "step with code": sample("/developers/quickstart/android/track-events/"),
  "step of one platform": sample("/developers/quickstart/android/testing/"),
  "not found": sample("/nowhere/"),
  "every kind of block": other("/tour/web/everything/"),
  "empty step": other("/tour/ios/everything/"),
  draft: other("/tour/web/later/"),
  print: sample("/developers/quickstart/ios/print/"),
  "overview with gaps": other("/tour/"),
  "overview with missing steps": family("/tour/"),
  comparison: sample("/developers/quickstart/compare/"),
  "comparison with gaps": family("/tour/compare/"),
  redirect: other("/tour/ios/before/"),
};

/** Keeps a redirect page open, so that it can be inspected. */
export async function hold(page) {
  await page.route("**/before/", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/<meta http-equiv="refresh"[^>]*>/, "");
    await route.fulfill({ response, body });
  });
}

/** Makes a browser block storage for pages that are opened from now on, as strict settings do. */
export async function refuseStorage(page) {
  await page.addInitScript(() => {
    const refuse = () => { throw new DOMException("The operation is insecure.", "SecurityError"); };
    Object.defineProperty(window, "localStorage", { get: refuse });
  });
}
