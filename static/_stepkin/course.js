// Shows the steps of one platform in the overview of a tutorial: the one in the address, or the reader's.

{
  const courses = [...document.querySelectorAll(".course")];
  const choices = [...document.querySelectorAll(".seg a")];
  const of = (platform) => courses.find(({ dataset }) => dataset.platform === platform);

  function show(course) {
    for (const it of courses) it.hidden = it !== course;
    for (const link of choices) link.ariaCurrent = of(link.dataset.platform) === course ? "true" : null;
  }

  /** The list that contains the target of the URL's fragment. */
  const asked = () => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest(".course");
  const yours = () => stepkin.platforms().map(of).find(Boolean);

  function showAsked() {
    const course = asked();
    if (!course) return;
    show(course);
    document.getElementById(decodeURIComponent(location.hash.slice(1))).scrollIntoView();
  }

  if (choices.length > 0) {
    show(asked() ?? yours() ?? courses[0]);
    addEventListener("hashchange", showAsked);
    for (const link of choices) {
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        stepkin.remember(link.dataset.platform);
        show(of(link.dataset.platform));
        history.replaceState(history.state, "", link.hash);
      });
    }
  }
}
