// Plays the steps of a page. Without it the page is a list of all steps; the address names the
// current one, as #step=6.
(() => {
  "use strict";
  const PAUSE = 2500;
  const steps = [...document.querySelectorAll(".step")];
  const acts = [...document.querySelectorAll(".act")];
  const controls = document.querySelector(".controls");
  const button = name => controls.querySelector(`[data-go="${name}"]`);
  const status = document.querySelector("[role=status]");
  const number = step => Number(step.dataset.step);
  let current = -1;
  let playing = null;

  // The position of the step that the address names; none if it names none.
  const named = () => {
    const found = /^#step=(\d+)$/.exec(location.hash);
    return found ? steps.findIndex(step => number(step) === Number(found[1])) : -1;
  };

  // Draws of a chart what has happened, and brings the current row into view.
  const draw = (act, now) => {
    for (const row of act.querySelectorAll(".sequence [data-step]")) {
      row.classList.toggle("now", Number(row.dataset.step) === now);
      row.classList.toggle("to-come", Number(row.dataset.step) > now);
    }
    for (const lost of act.querySelectorAll("[data-lost-in]")) {
      lost.classList.toggle("not-yet", Number(lost.dataset.lostIn) > now);
    }
    const diagram = act.querySelector(".diagram");
    const row = diagram.querySelector(".shade.now");
    if (row) {
      const box = diagram.getBoundingClientRect();
      const place = row.getBoundingClientRect();
      const heads = diagram.querySelector(".heads").offsetHeight;
      const drawn = act.querySelector(".row.now .note, .row.now .way")?.getBoundingClientRect();
      if (drawn) diagram.scrollLeft += (drawn.left + drawn.right - box.left - box.right) / 2;
      diagram.scrollTop += place.top - box.top - heads - (box.height - heads - place.height) / 2;
    }
  };

  const show = index => {
    current = index;
    const step = steps[index];
    const act = step.closest(".act");
    for (const other of steps) other.classList.toggle("current", other === step);
    for (const other of acts) other.classList.toggle("current", other === act);
    for (const link of document.querySelectorAll("nav a")) {
      if (link.dataset.act === act.dataset.act) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    draw(act, number(step));
    controls.querySelector(".current").textContent = number(step);
    // Not the attribute "disabled": it would take the focus away.
    const bar = (name, barred) => button(name).setAttribute("aria-disabled", String(barred));
    for (const name of ["first", "back"]) bar(name, index === 0);
    for (const name of ["next", "last"]) bar(name, index === steps.length - 1);
    const told = [...step.querySelectorAll(".told, .violates")].map(e => e.textContent);
    status.textContent = `Step ${number(step)} of ${steps.length}. ${told.join(" ")}`;
  };

  // Goes to a step; the browser's back button leads back to the one before.
  const go = index => {
    const wanted = Math.min(Math.max(index, 0), steps.length - 1);
    if (wanted === current) return;
    history.pushState(null, "", `#step=${number(steps[wanted])}`);
    show(wanted);
  };

  const pause = () => {
    clearInterval(playing);
    playing = null;
    button("play").setAttribute("aria-pressed", "false");
    button("play").querySelector(".name").textContent = "Play";
  };

  const play = () => {
    if (current === steps.length - 1) go(0);
    playing = setInterval(() => {
      go(current + 1);
      if (current === steps.length - 1) pause();
    }, PAUSE);
    button("play").setAttribute("aria-pressed", "true");
    button("play").querySelector(".name").textContent = "Pause";
  };

  const deeds = {
    first: () => go(0),
    back: () => go(current - 1),
    next: () => go(current + 1),
    last: () => go(steps.length - 1),
    play: () => (playing ? pause() : play()),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };

  const act = deed => {
    if (deed !== "play") pause();
    deeds[deed]();
  };

  controls.addEventListener("click", event => {
    const pressed = event.target.closest("[data-go]");
    if (pressed) act(pressed.dataset.go);
  });

  document.addEventListener("keydown", event => {
    const deed = keys[event.key];
    if (!deed || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A focused button or summary takes the space bar for itself.
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    event.preventDefault();
    act(deed);
  });

  document.querySelector("main").addEventListener("click", event => {
    const row = event.target.closest(".sequence [data-step]");
    if (!row) return;
    pause();
    go(steps.findIndex(step => number(step) === Number(row.dataset.step)));
  });

  window.addEventListener("popstate", () => {
    pause();
    show(Math.max(named(), 0));
  });

  document.documentElement.classList.add("plays");
  controls.hidden = false;
  // From here on the page shows the step; the browser need not scroll to it.
  for (const step of steps) step.removeAttribute("id");
  show(Math.max(named(), 0));
  window.addEventListener("load", () => {
    const wide = matchMedia("(min-width: 54rem)").matches;
    if (wide || named() < 0) scrollTo(0, 0);
    else controls.scrollIntoView();
  });
})();
