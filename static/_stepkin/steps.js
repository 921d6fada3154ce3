// Adds the remaining steps to shortened lists, from the overview.

{
  const request = new XMLHttpRequest();
  request.open("GET", document.querySelector("a[data-steps]").href);
  request.responseType = "document";
  request.onload = () => stepkin.progress.complete([...(request.response?.querySelectorAll("tr[data-step]") ?? [])]);
  request.send();
}
