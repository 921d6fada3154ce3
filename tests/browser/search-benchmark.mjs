// Runs the questions in `tests/data/questions.json`, and the same with Pagefind on the same HTML. Run it by hand.
// BENCHMARKS.md contains the results.
//
//     node tests/browser/search-benchmark.mjs FOLDER [PAGEFIND]
//
// FOLDER contains the sites that the questions name, and PAGEFIND is the folder in which Pagefind was installed.
import { execFile } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { asking, questions } from "./asking.mjs";
import { build, folder, root } from "./support.mjs";

const [sites, pagefind] = process.argv.slice(2);
const run = promisify(execFile);

/** Pages that repeat others, which Stepkin's search leaves out. */
const REPEATED = ["print", "compare"];

/** Asks Pagefind, as `asking` does. Its files are compressed already, except scripts and JSON. */
async function askingPagefind(built) {
  const site = join(await folder(), "site");
  await cp(built, site, { recursive: true, filter: (path) => !REPEATED.some((name) => path.endsWith(`/${name}`)) });
  await run("npx", ["pagefind", "--site", site, "--root-selector", "main"], { cwd: pagefind });
  let bytes = 0, requests = 0;
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const body = await readFile(join(site, name)).catch(() => undefined);
    if (!body) return response.writeHead(404).end();
    bytes += /\.(js|json)$/.test(name) ? gzipSync(body).length : body.length;
    requests++;
    response.end(body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  server.unref();
  const script = await readFile(join(site, "pagefind/pagefind.js"), "utf8");
  const plain = globalThis.fetch;
  const fetched = (url, options) => plain(`${url}`.startsWith("/") ? `http://127.0.0.1:${server.address().port}${url}` : url, options);
  const page = { querySelector: () => ({ getAttribute: () => "en" }), currentScript: null };
  let asked = 0;
  return async (question) => {
    Object.assign(globalThis, { fetch: fetched, document: page, location: new URL("http://127.0.0.1/") });
    [bytes, requests] = [gzipSync(script).length, 1];
    // A separate module instance for each question, so that nothing is loaded before.
    const module = join(site, `pagefind-${asked++}.mjs`);
    await writeFile(module, script);
    const { options, init, search } = await import(module);
    await options({ basePath: "/pagefind/", baseUrl: "/" });
    await init();
    const { results } = await search(question);
    const pages = await Promise.all(results.slice(0, 8).map((result) => result.data()));
    await rm(module);
    return { urls: pages.map(({ url }) => url.replace(/^\/|index\.html$/g, "")), bytes, requests };
  };
}

/** How many questions are answered by the first result and by the first three, and the size of the files loaded for an answer. */
async function measure(ask, asked) {
  const answers = [];
  for (const [question, answer] of Object.entries(asked)) {
    const { urls, bytes, requests } = await ask(question);
    const place = urls.findIndex((url) => new RegExp(answer).test(url));
    answers.push({ place, bytes, requests });
    if (place < 0 || place > 2) console.error(`  not among the first three: ${question}`);
  }
  const middle = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
  const bytes = answers.map((answer) => answer.bytes);
  const kilobytes = (bytes) => Math.round(bytes / 1000);
  return [
    answers.filter(({ place }) => place === 0).length, answers.filter(({ place }) => place >= 0 && place < 3).length, answers.length,
    kilobytes(middle(bytes)), kilobytes(Math.max(...bytes)), middle(answers.map(({ requests }) => requests)),
  ];
}

console.log("| site | search | first | first three | of | kB, median | kB, most | requests |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const [name, asked] of Object.entries(questions)) {
  let from = root;
  if (name !== "manual") {
    from = join(await folder(), name);
    await cp(join(sites, name), from, { recursive: true });
  }
  const built = await build(from, "--no-strict");
  const searches = { Stepkin: await asking(built), ...(pagefind && { Pagefind: await askingPagefind(built) }) };
  for (const [search, ask] of Object.entries(searches)) {
    console.error(`${name}, ${search}`);
    console.log(`| ${[name, search, ...(await measure(ask, asked))].join(" | ")} |`);
  }
}
