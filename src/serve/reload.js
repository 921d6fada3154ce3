// Shows the new version of the page as soon as there is one, where the reader was.
const place = `stepkin-scroll:${location.pathname}`;
const kept = sessionStorage.getItem(place);
if (kept !== null) {
  sessionStorage.removeItem(place);
  addEventListener("load", () => scrollTo(0, Number(kept)));
}

// The version that this page shows; a newer one may have come while it was loaded.
const shown = new URL(import.meta.url).search.slice(1);

new EventSource(`${base}/_stepkin/events`).onmessage = (message) => {
  const state = JSON.parse(message.data);
  if (shown !== state.version) {
    sessionStorage.setItem(place, String(scrollY));
    location.reload();
    return;
  }
  tell(state);
};

// A link to what is wrong, in a corner of the page.
function tell(state) {
  document.getElementById("stepkin-findings")?.remove();
  if (!state.text || location.pathname.endsWith("/_stepkin/findings")) return;
  const link = document.createElement("a");
  link.id = "stepkin-findings";
  link.href = `${base}/_stepkin/findings`;
  link.textContent = state.text;
  link.style.cssText = "position:fixed;inset-block-end:1rem;inset-inline-end:1rem;z-index:99;padding:.5rem .9rem;"
    + `border-radius:2rem;font:600 .9rem system-ui;text-decoration:none;color:#fff;background:${state.failed ? "#b3261e" : "#7a4d00"}`;
  document.body.append(link);
}
