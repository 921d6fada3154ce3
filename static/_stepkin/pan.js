// Shows an enlarged image in full size after a click, and pans it. Loaded when its dialog opens for the first time.

{
  const pan = document.querySelector("#stepkin-large .pan");
  let isMoved = false;

  pan.addEventListener("pointerdown", () => (isMoved = false));
  // Touch pans without a script.
  pan.addEventListener("pointermove", ({ pointerType, buttons, movementX, movementY }) => {
    if (pointerType !== "mouse" || buttons !== 1) return;
    isMoved = true;
    pan.scrollBy(-movementX, -movementY);
  });
  const toggle = () => pan.querySelector("img").classList.toggle("fit");
  pan.addEventListener("click", () => isMoved || toggle());
  pan.addEventListener("keydown", ({ key }) => key === "Enter" && toggle());
}
