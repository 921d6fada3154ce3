// Lighthouse's four scores for a step page of the sample site on a phone. It isn't a test, because a busy machine
// affects the first score. Run it where Lighthouse is installed: `npm install --no-save lighthouse@12`.
import { launch, root, build, serveFolder } from "./support.mjs";
import lighthouse from "lighthouse";

const page = process.argv[2] ?? "/developers/quickstart/ios/create-connection/";
const port = 9333;
// Lighthouse requests robots.txt from the page.
const policy = "default-src 'none'; style-src 'self'; script-src 'self' 'inline-speculation-rules'; img-src 'self'; connect-src 'self'";
const server = await serveFolder(await build(root, "--base-url", "https://docs.example.com/"), { policy });
const browser = await launch(`--remote-debugging-port=${port}`);
try {
  const { lhr } = await lighthouse(server.url + page, { port, formFactor: "mobile", logLevel: "error" });
  for (const { title, score } of Object.values(lhr.categories)) console.log(`${title}: ${Math.round(score * 100)}`);
  for (const { id, title, score, scoreDisplayMode } of Object.values(lhr.audits)) {
    if (score !== null && score < 1 && scoreDisplayMode !== "informative") console.log(`  below: ${id}: ${title}`);
  }
} finally {
  await browser.close();
  server.close();
}
