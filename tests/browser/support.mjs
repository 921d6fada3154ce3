// What the browser tests share: a built site, a server over it, and Debian's Chromium.
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

export const root = resolve(import.meta.dirname, "../..");
const binary = process.env.STEPKIN_BIN ?? join(root, "target/debug/stepkin");

const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".xml": "text/xml" };

/** Builds the site in `from` into a new folder. */
export async function build(from, ...options) {
  const output = join(await mkdtemp(join(tmpdir(), "stepkin-")), "site");
  await promisify(execFile)(binary, ["build", "--root", from, "--output", output, ...options]);
  return output;
}

/** A web server as plain as they come, over a built site. */
export async function serveFolder(folder) {
  const server = createServer(async (request, response) => {
    let path = join(folder, decodeURIComponent(new URL(request.url, "http://x").pathname));
    let status = 200;
    if (request.url.endsWith("/")) path = join(path, "index.html");
    if (!(await stat(path).catch(() => null))?.isFile()) [status, path] = [404, join(folder, "404.html")];
    response.writeHead(status, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    response.end(await readFile(path));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** `stepkin serve --watch` over a copy of a site. */
export async function serveWatching(from) {
  const site = await mkdtemp(join(tmpdir(), "stepkin-"));
  await cp(from, site, { recursive: true });
  const process = spawn(binary, ["serve", "--watch", "--port", "0", "--root", site], { stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise((found) => createInterface(process.stdout).once("line", found));
  const close = async () => {
    process.kill();
    await rm(site, { recursive: true, force: true });
  };
  return { url: url.replace(/\/$/, ""), site, close };
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
      "--no-first-run", "--disable-quic", "--disable-sync",
    ],
  });
}

/** Every kind of page that the sample site has, with a page of that kind. */
export const kinds = {
  home: "/",
  plain: "/about/",
  overview: "/developers/quickstart/",
  "step with settings": "/developers/quickstart/ios/create-connection/",
  "step with code": "/developers/quickstart/android/track-events/",
  "step of one platform": "/developers/quickstart/android/testing/",
  "not found": "/nowhere/",
};
