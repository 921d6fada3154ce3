// Shows the new version of the page as soon as it exists, at the same scroll position.
import { tell } from "./panel.js";

const place = `stepkin-scroll:${location.pathname}`;
const kept = sessionStorage.getItem(place);
if (kept !== null) {
  sessionStorage.removeItem(place);
  addEventListener("load", () => scrollTo(0, Number(kept)));
}

// The version of this page. A newer one may have appeared while it was loading.
const shown = new URL(import.meta.url).search.slice(1);

const page = new URLSearchParams({ page: location.pathname });
new EventSource(new URL(`events?${page}`, import.meta.url)).onmessage = (message) => {
  const state = JSON.parse(message.data);
  if (shown !== state.version) {
    sessionStorage.setItem(place, String(scrollY));
    location.reload();
    return;
  }
  tell(state);
};
