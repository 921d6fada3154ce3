// Remembers finished steps, instructions, and settings in the browser. Sends nothing to a server.

{
  const { family, step } = document.documentElement.dataset;
  const entries = (value) => (value && typeof value === "object" ? Object.entries(value) : []);
  /** Returns a step for its element in a list. The title of a section may precede the step's title, to distinguish equal titles. */
  const stepAt = (place) => {
    const link = place.querySelector("a");
    const { step: name, minutes } = place.dataset;
    return { place, link, name, minutes, title: link.lastChild.textContent };
  };
  const shown = [...document.querySelectorAll("li[data-step]")].map(stepAt);
  /** All steps of the platform. If a page shows only a part of a long list, they are unknown before `complete`. */
  let all = document.querySelector("[data-steps]") ? [] : shown;
  const whole = (number) => (Number.isInteger(number) && number >= 0 ? number : undefined);

  /** Validates stored data or the content of a file. Anything unexpected is left out. */
  function sound(value) {
    const told = entries(value).map(([family, told]) => {
      const steps = entries(told?.steps).map(([name, it]) => {
        const items = Array.isArray(it?.items) ? it.items.filter((item) => typeof item === "string") : [];
        return [name, { done: it?.done === true, items }];
      });
      const { url, title, done, count } = told?.next ?? {};
      const isPlace = typeof title === "string" && typeof url === "string" && /^\/(?![/\\])/.test(url);
      const next = isPlace ? { url, title, done: whole(done), count: whole(count) } : undefined;
      return [family, { steps: Object.fromEntries(steps), next }];
    });
    return Object.fromEntries(told);
  }

  /** By family: its steps by name with their ticked boxes, and the step at which to continue. */
  let progress = sound(stepkin.kept("progress"));
  const told = () => (progress[family] ??= { steps: {} });
  const known = (name) => (told().steps[name] ??= { done: false, items: [] });
  const isDone = (name) => progress[family]?.steps[name]?.done === true;

  /** Returns the steps in an author's list by item, or nothing unless each item begins with a link to a step. */
  const paths = new Map(shown.map(({ link, name }) => [link.pathname, name]));
  function stepsOf(list) {
    const items = [...list.children].map((item) => [item, paths.get((item.querySelector("p") ?? item).firstChild?.pathname)]);
    return items.every(([, name]) => name && name !== step) ? items : [];
  }

  /** The boxes to tick, by names that are the same on all platforms: settings by name, instructions by section and position. */
  function boxes() {
    const first = document.querySelector(".platforms :is([aria-current], [data-sections])");
    const elsewhere = stepkin.sections(first);
    const [boxes, taken] = [new Map(), new Set()];
    let [section, place] = ["", 0];
    for (const part of document.querySelectorAll(".prose > :is(h1, h2, h3, h4, h5, h6)[id], .prose > ol > li, .settings tbody tr[id]")) {
      if (part.matches("li, tr")) {
        const isItem = part.matches("li");
        const target = isItem ? part : part.querySelector("th");
        const text = ((isItem && part.querySelector(":scope > p")) || target).textContent.trim().split("\n")[0];
        const box = stepkin.made("tick", text.slice(0, 120));
        if (!box) break;
        target.prepend(box);
        const of = wholeSteps.get(part);
        if (of) others.set(box, of);
        else boxes.set(part.id || `${section}/${(place += 1)}`, box);
      } else {
        const name = elsewhere.get(part.id);
        // Sections that only this platform has link to the one above them, so that name is used.
        [section, place] = [name && !taken.has(name) ? name : part.id, 0];
        taken.add(section);
      }
    }
    return boxes;
  }

  /** Boxes for complete steps in a list, which show the state of the steps. */
  const others = new Map();
  const wholeSteps = new Map([...document.querySelectorAll(".prose > ol")].flatMap(stepsOf));
  const ticks = step ? boxes() : new Map();
  const done = document.querySelector(".finish [name=done]");

  /** Shows the state of a step in a list as text and as a mark. */
  function mark(place, name, isTrue) {
    const link = place.querySelector("a");
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

  /** Shows how many of some steps are done, and how long the others take. Each step is `[name, minutes]`. */
  function say(box, all, rest) {
    const some = all.filter(([name]) => isDone(name)).length;
    const minutes = rest.filter(([name]) => !isDone(name)).reduce((sum, [, minutes]) => sum + Number(minutes), 0);
    for (const place of box.querySelectorAll("[data-count=done]")) {
      place.dataset.none ??= place.textContent;
      place.textContent = some ? place.dataset.said.replace("{done}", some) : place.dataset.none;
    }
    for (const place of box.querySelectorAll("[data-count=left]")) {
      place.dataset.none ??= place.textContent;
      if (step || some) stepkin.count(place, Math.round(minutes));
      else place.textContent = place.dataset.none;
      place.parentElement.hidden = Boolean(some) && minutes < 0.5;
    }
    // Ticked items of this step also move the bar.
    for (const meter of box.querySelectorAll("progress")) meter.value = some + (step && !isDone(step) ? 1 - open() : 0);
  }

  /** The remaining part of this step. */
  const open = () => 1 - [...ticks.values()].filter((box) => box.checked).length / (ticks.size || 1);

  function showStep() {
    const { items, done: isStepDone } = known(step);
    for (const [name, box] of ticks) box.checked = items.includes(name);
    for (const [box, name] of others) box.checked = isDone(name);
    if (done) done.checked = isStepDone;
    count("all", ticks.size);
    document.querySelector("[data-count=ticked]")?.replaceChildren(`${[...ticks.values()].filter((box) => box.checked).length}`);
    const rail = document.querySelector(".rail");
    const times = all.map(({ name, minutes }) => [name, minutes * (name === step ? open() : 1)]);
    if (rail && all.length) say(rail, times, times.slice(times.findIndex(([name]) => name === step)));
    showEnd();
  }

  /** On the last step: the completed and skipped steps. */
  function showEnd() {
    const end = document.querySelector(".end");
    if (!end || !all.length) return;
    const left = all.filter(({ name }) => !isDone(name));
    end.querySelector("[data-all]").hidden = left.length > 0;
    const open = end.querySelector("[data-open]");
    open.hidden = left.length === 0 || left.length === all.length;
    const items = left.map(({ link: { href }, title }) => {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("a"), { href, textContent: title }));
      return item;
    });
    open.querySelector("ul").replaceChildren(...items);
  }

  function show() {
    const next = progress[family]?.next?.url;
    for (const { place, link, name } of shown) {
      mark(place, "done", isDone(name));
      mark(place, "next", !link.ariaCurrent && link.pathname === next);
    }
    for (const place of document.querySelectorAll("[data-resume]")) {
      const to = progress[place.dataset.resume]?.next;
      const course = place.closest(".course");
      // The list of another platform begins at its own first step.
      if (!to || (course && !shown.some(({ place, link }) => course.contains(place) && link.pathname === to.url))) continue;
      [place.href, place.textContent] = [to.url, place.dataset.said.replace("{title}", () => to.title)];
      place.parentElement.hidden = false;
      const where = place.closest(".card")?.querySelector("[data-count=done]");
      if (!where || !to.done) continue;
      where.textContent = where.dataset.said.replace("{done}", to.done).replace("{count}", to.count);
      // The remaining time of a tutorial on other platforms is only shown on their pages.
      where.nextElementSibling.hidden = true;
    }
    for (const course of document.querySelectorAll(".course")) {
      const times = shown.filter(({ place }) => course.contains(place)).map(({ name, minutes }) => [name, minutes]);
      say(course, times, times);
    }
    if (step) showStep();
  }

  /** Stores the step at which to continue: the first unfinished step from this one on, or else the first of all. */
  function keep() {
    if (step) {
      const steps = all.length ? all : shown;
      const here = steps.findIndex(({ name }) => name === step);
      const open = [...steps.slice(here), ...steps].find(({ name }) => !isDone(name));
      const done = all.filter(({ name }) => isDone(name)).length;
      told().next = open && { url: open.link.pathname, title: open.title, done, count: all.length };
    }
    stepkin.keep("progress", progress);
    show();
  }

  /** Another tab may have newer data, or this page was inactive. */
  function recall() {
    const kept = stepkin.kept("progress");
    if (kept) progress = sound(kept);
    show();
  }

  function toggle(name, isTicked) {
    const it = known(step);
    it.items = it.items.filter((item) => item !== name).concat(isTicked ? name : []);
    // A step is done when its last box is ticked, and no longer done when a box is cleared.
    it.done = isTicked ? it.done || [...ticks.keys()].every((item) => it.items.includes(item)) : false;
    keep();
  }

  /** Marks a step as done or not done. */
  function toggleStep(name, isStepDone) {
    known(name).done = isStepDone;
    keep();
  }

  // A step without anything to do is done when it is read.
  if (step && !done && !ticks.size) known(step).done = true;
  for (const [name, box] of ticks) box.addEventListener("change", () => toggle(name, box.checked));
  for (const [box, name] of others) box.addEventListener("change", () => toggleStep(name, box.checked));
  done?.addEventListener("change", () => toggleStep(step, done.checked));

  /** The script for the dialog that saves and deletes progress, loaded when the dialog first opens, and for long lists of steps. */
  stepkin.progress = {
    complete(rows) {
      all = rows.map(stepAt);
      keep();
    },
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
