"use strict";
// A link to something folded unfolds it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
  }
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
addEventListener("DOMContentLoaded", reveal);
for (const button of document.querySelectorAll("[data-unfold]")) {
  const folds = () => document.querySelectorAll(`#${button.dataset.unfold} > .claim`);
  button.addEventListener("click", () => {
    const open = button.textContent === "Unfold all";
    for (const fold of folds()) fold.open = open;
    button.textContent = open ? "Fold all" : "Unfold all";
  });
}
