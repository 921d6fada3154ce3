// Shows the findings on the open page: a button in the corner, and a dialog with the findings.

const own = (name) => new URL(name, import.meta.url);
const page = new URLSearchParams({ page: location.pathname });
// For this tab: whether the findings were open before the page was reloaded, and what was last announced.
const opened = `stepkin-open:${location.pathname}`;
const told = "stepkin-told";

const host = Object.assign(document.createElement("stepkin-findings"), { id: "stepkin-corner", lang: "en", dir: "ltr" });
const corner = host.attachShadow({ mode: "open" });
corner.innerHTML = `<link rel="stylesheet" href="${own("panel.css")}">
<p class="unseen" role="status"></p>
<button class="corner" type="button" aria-haspopup="dialog" hidden></button>
<dialog aria-labelledby="title">
<button class="close" type="button">Close</button>
<div></div>
</dialog>`;
const [status, button, dialog, close, content] = ["[role=status]", ".corner", "dialog", ".close", "dialog div"]
  .map((selector) => corner.querySelector(selector));

// The server's own pages already show the findings.
const isOwnPage = document.getElementById("stepkin-page") !== null;
if (!isOwnPage) document.body.append(host);

/** Shows the number of findings, or nothing while it is unknown. */
export function tell({ text, failed }) {
  if (text === null || isOwnPage) return;
  button.hidden = text === "";
  button.textContent = text;
  button.classList.toggle("failed", failed);
  if (text !== (sessionStorage.getItem(told) ?? "")) status.textContent = text || "Nothing to report any more";
  sessionStorage.setItem(told, text);
  if (dialog.open || sessionStorage.getItem(opened) !== null) show();
}

async function show() {
  const answer = await fetch(own(`panel?${page}`)).catch(() => null);
  const html = answer?.ok ? await answer.text() : "<h2 id=\"title\">On this page</h2><p>The server doesn't answer.</p>";
  // The focus stays if nothing changes.
  if (content.shown !== html) content.innerHTML = content.shown = html;
  if (dialog.open) return;
  sessionStorage.setItem(opened, "");
  dialog.showModal();
}

button.addEventListener("click", show);
close.addEventListener("click", () => dialog.close());
// The content fills the dialog, so a click on the dialog itself is outside the content or on the edge.
dialog.addEventListener("click", ({ target, clientX, clientY }) => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
  if (target === dialog && isBeside) dialog.close();
});
dialog.addEventListener("close", () => sessionStorage.removeItem(opened));
// The page's keyboard shortcuts don't apply in the dialog.
host.addEventListener("keydown", (event) => event.stopPropagation());

/** Requests fixes for findings. The page is reloaded when the file has changed. */
async function fix(button) {
  button.disabled = true;
  const body = JSON.stringify(button.dataset.fixes.split(" "));
  const headers = { "content-type": "application/json" };
  const answer = await fetch(own("fix"), { method: "POST", headers, body }).catch(() => null);
  if (answer?.ok) {
    button.textContent = "Fixed";
    return;
  }
  button.disabled = false;
  button.parentElement.querySelector("[role=alert]")?.remove();
  const why = document.createElement("span");
  why.setAttribute("role", "alert");
  why.textContent = answer ? await answer.text() : "The server doesn't answer.";
  button.after(why);
}

for (const { shadowRoot } of document.querySelectorAll("stepkin-findings")) {
  shadowRoot?.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-fixes]");
    if (button) fix(button);
    // The link back leads to the previous page.
    if (target.closest("a")?.pathname.endsWith("/_stepkin/findings")) {
      sessionStorage.setItem(`stepkin-scroll:${location.pathname}`, String(scrollY));
    }
  });
}
