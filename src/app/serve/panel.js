// What is wrong with the open page: a button in its corner, and the findings in a dialog over the page.

const own = (name) => new URL(name, import.meta.url);
const page = new URLSearchParams({ page: location.pathname });
// Of this tab: whether the findings of this page were open before it was loaded again, and what was told last.
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

// What is on the server's own pages needs no second place.
const isOwnPage = document.getElementById("stepkin-page") !== null;
if (!isOwnPage) document.body.append(host);

/** Says how many findings there are; nothing while that is not known. */
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
  const html = answer?.ok ? await answer.text() : "<h2 id=\"title\">On this page</h2><p>The server does not answer.</p>";
  // What has the focus stays where nothing changes.
  if (content.shown !== html) content.innerHTML = content.shown = html;
  if (dialog.open) return;
  sessionStorage.setItem(opened, "");
  dialog.showModal();
}

button.addEventListener("click", show);
close.addEventListener("click", () => dialog.close());
// Its content fills it, so that a click on the dialog itself is one beside it, or on its edge.
dialog.addEventListener("click", ({ target, clientX, clientY }) => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
  if (target === dialog && isBeside) dialog.close();
});
dialog.addEventListener("close", () => sessionStorage.removeItem(opened));
// The keys of the page are not for the dialog.
host.addEventListener("keydown", (event) => event.stopPropagation());

/** Has findings mended. The page is loaded again when the file has changed. */
async function mend(mender) {
  mender.disabled = true;
  const body = JSON.stringify(mender.dataset.mends.split(" "));
  const headers = { "content-type": "application/json" };
  const answer = await fetch(own("mend"), { method: "POST", headers, body }).catch(() => null);
  if (answer?.ok) {
    mender.textContent = "Mended";
    return;
  }
  mender.disabled = false;
  mender.parentElement.querySelector("[role=alert]")?.remove();
  const why = document.createElement("span");
  why.setAttribute("role", "alert");
  why.textContent = answer ? await answer.text() : "The server does not answer.";
  mender.after(why);
}

for (const { shadowRoot } of document.querySelectorAll("stepkin-findings")) {
  shadowRoot?.addEventListener("click", ({ target }) => {
    const mender = target.closest("[data-mends]");
    if (mender) mend(mender);
    // The way back leads to where one was.
    if (target.closest("a")?.pathname.endsWith("/_stepkin/findings")) {
      sessionStorage.setItem(`stepkin-scroll:${location.pathname}`, String(scrollY));
    }
  });
}
