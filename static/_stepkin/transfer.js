// Saves, loads, and deletes progress. Loaded when its dialog opens for the first time.

{
  const dialog = document.getElementById("stepkin-progress");
  const file = dialog.querySelector("[type=file]");
  const { all, sound, replace } = stepkin.progress;

  const actions = {
    save({ name }) {
      const href = URL.createObjectURL(new Blob([JSON.stringify(all(), null, 2)], { type: "application/json" }));
      Object.assign(document.createElement("a"), { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href));
    },
    load: () => file.click(),
    clear({ said, sure }) {
      if (!confirm(sure)) return;
      replace({});
      stepkin.say(said);
    },
  };
  dialog.addEventListener("click", ({ target }) => actions[target.dataset.progress]?.(target.dataset));

  file.addEventListener("change", async () => {
    const { said, failed } = dialog.querySelector("[data-progress=load]").dataset;
    let read = {};
    try {
      read = sound(JSON.parse(await file.files[0].text()));
    } catch {
      // An unrelated file is rejected, like one without progress.
    }
    const isAny = Object.keys(read).length > 0;
    if (isAny) replace(read);
    stepkin.say(isAny ? said : failed);
    file.value = "";
  });
}
