// What a reader has done: steps, numbered instructions, settings. Kept in the browser and sent nowhere.

{
  const { family, step } = document.documentElement.dataset;
  const entries = (value) => (value && typeof value === "object" ? Object.entries(value) : []);
  const steps = [...document.querySelectorAll(":is(li, tr)[data-step]")];

  /** Takes what was kept, or what a file holds, for what it should be; everything else in it is left out. */
  function sound(value) {
    const told = entries(value).map(([family, told]) => {
      const steps = entries(told?.steps).map(([name, it]) => {
        const items = Array.isArray(it?.items) ? it.items.filter((item) => typeof item === "string") : [];
        return [name, { done: it?.done === true, items }];
      });
      const { url, title } = told?.next ?? {};
      const isPlace = typeof title === "string" && typeof url === "string" && /^\/(?![/\\])/.test(url);
      return [family, { steps: Object.fromEntries(steps), next: isPlace ? { url, title } : undefined }];
    });
    return Object.fromEntries(told);
  }

  /** By family: its steps by name, each with what is ticked, and where to go on. */
  let progress = sound(stepkin.kept("progress"));
  const told = () => (progress[family] ??= { steps: {} });
  const known = (name) => (told().steps[name] ??= { done: false, items: [] });

  /** The boxes to tick, by what they are called on all platforms: a setting by its name, an instruction by section and place. */
  function boxes() {
    const first = document.querySelector(".platforms :is([aria-current], [data-sections])");
    const elsewhere = stepkin.sections(first);
    const [boxes, taken] = [new Map(), new Set()];
    let [section, place] = ["", 0];
    for (const part of document.querySelectorAll(".prose > :is(h1, h2, h3, h4, h5, h6)[id], .prose > ol > li, .settings tbody tr[id]")) {
      if (part.matches("li, tr")) {
        const text = (part.querySelector("th, p") ?? part).textContent.trim();
        const box = stepkin.made("tick", text.slice(0, 120));
        if (!box) break;
        (part.querySelector("th") ?? part).prepend(box);
        boxes.set(part.id || `${section}/${(place += 1)}`, box);
      } else {
        const name = elsewhere.get(part.id);
        // Sections that only this platform has lead to the one above them: that name is taken.
        [section, place] = [name && !taken.has(name) ? name : part.id, 0];
        taken.add(section);
      }
    }
    return boxes;
  }

  const ticks = step ? boxes() : new Map();
  const done = document.querySelector(".finish [name=done]");

  /** Says in words and by a mark what is true of a step in a list. */
  function mark(place, name, isTrue) {
    const link = place.querySelector("a, th");
    const words = stepkin.made(name);
    if (!words || place.hasAttribute(`data-${name}`) === isTrue) return;
    place.toggleAttribute(`data-${name}`, isTrue);
    if (isTrue) link.append(words);
    else link.querySelector(".marked").remove();
  }

  function count(name, number) {
    const place = document.querySelector(`[data-count=${name}]`);
    if (!place) return;
    place.textContent = number;
    place.closest(".tally").hidden = number === 0;
  }

  function show() {
    const next = progress[family]?.next?.url;
    const isDone = (place) => progress[family]?.steps[place.dataset.step]?.done === true;
    for (const place of steps) {
      const link = place.querySelector("a");
      mark(place, "done", isDone(place));
      mark(place, "next", Boolean(step) && !link.ariaCurrent && link.pathname === next);
    }
    count("steps", steps.filter(isDone).length);
    for (const place of document.querySelectorAll("[data-resume]")) {
      const to = progress[place.dataset.resume]?.next;
      place.firstElementChild.hidden = !to;
      const link = place.querySelector("a");
      if (to) [link.href, link.textContent] = [to.url, to.title];
    }
    if (!step) return;
    const { items, done: isStepDone } = known(step);
    for (const [name, box] of ticks) box.checked = items.includes(name);
    if (done) done.checked = isStepDone;
    count("all", ticks.size);
    document.querySelector("[data-count=ticked]")?.replaceChildren(`${[...ticks.values()].filter((box) => box.checked).length}`);
  }

  /** Notes where to go on: with the first step from this one on that is not done, or else the first of all. */
  function keep() {
    if (step) {
      const here = steps.findIndex((place) => place.dataset.step === step);
      const open = [...steps.slice(here), ...steps].find((place) => !known(place.dataset.step).done);
      const link = open?.querySelector("a");
      const title = link?.firstChild.textContent;
      told().next = link && { url: link.pathname, title };
    }
    stepkin.keep("progress", progress);
    show();
  }

  /** Another tab, or this page while it was away, may know more. */
  function recall() {
    const kept = stepkin.kept("progress");
    if (kept) progress = sound(kept);
    show();
  }

  function toggle(name, isTicked) {
    const it = known(step);
    it.items = it.items.filter((item) => item !== name).concat(isTicked ? name : []);
    // A step is done when the last of it is, and no longer when something of it is not.
    it.done = isTicked ? it.done || [...ticks.keys()].every((item) => it.items.includes(item)) : false;
    keep();
  }

  for (const [name, box] of ticks) box.addEventListener("change", () => toggle(name, box.checked));
  done?.addEventListener("change", () => {
    known(step).done = done.checked;
    keep();
  });

  /** What the dialog that saves and clears needs, which is loaded when it is first opened. */
  stepkin.progress = {
    all: () => progress,
    sound,
    replace(value) {
      progress = value;
      keep();
    },
  };

  stepkin.onKept("progress", recall);
  addEventListener("pageshow", ({ persisted }) => persisted && recall());
  if (step) keep();
  else show();
}
