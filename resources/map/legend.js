// Legend, confidential badge and north arrow. Every text is set as text, never as HTML.
"use strict";

const hexveilLegend = (() => {
  const MARKS = 150;
  // Share of the map's height from which on a long note is folded.
  const TALL = 0.3;
  const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  const SWATCHES = { hexagon: "M8 1 14.1 4.5v7L8 15l-6.1-3.5v-7z", area: "M1.5 3h13v10h-13z", line: "M.5 6h15v4H.5z" };

  const shape = hexveilHatch.shape;
  // What the map is of: hexagons, other areas, or lines.
  let places = "hexagon";

  function box(className, text) {
    const node = document.createElement("div");
    node.className = className;
    // a line that ended behind its figure left the sign alone at the head of the next
    if (text) node.textContent = text.replace(/(\d) %/g, "$1\u00a0%");
    return node;
  }

  function entry(label, look, colour) {
    const row = box("hexveil-entry");
    const icon = shape("svg", { viewBox: "0 0 16 16", class: "hexveil-swatch", "aria-hidden": "true" });
    if (look === "suppressed") {
      const defs = shape("defs", {});
      defs.append(hexveilHatch.pattern("hexveil-swatch-hatch"));
      icon.append(defs);
    }
    const hexagon = shape("path", { d: SWATCHES[places], class: "hexveil-swatch-" + look + (colour ? hexveilEdges.classOn(colour) : "") });
    if (colour) hexagon.style.fill = colour;
    icon.append(hexagon);
    row.append(icon, box("hexveil-entry-label", label));
    return row;
  }

  // A line around cells that belong together, or around those that were chosen.
  function lineEntry(label, look) {
    const row = box("hexveil-entry");
    const icon = shape("svg", { viewBox: "0 0 16 16", class: "hexveil-swatch", "aria-hidden": "true" });
    icon.append(shape("path", { d: "M0 8H16", class: "hexveil-swatch-line hexveil-swatch-" + look }));
    row.append(icon, box("hexveil-entry-label", label));
    return row;
  }

  // A row that marks its hexagons, by mouse or key; with Ctrl beside those that are marked.
  function pressable(row, fill, texts, choose) {
    row.setAttribute("role", "button");
    row.dataset.fill = fill;
    row.title = texts.markClass;
    row.classList.add("hexveil-pressable");
    row.addEventListener("click", (event) => choose(fill, event.ctrlKey || event.metaKey));
    row.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(fill, event.ctrlKey || event.metaKey);
    });
    return row;
  }

  // All rows are one stop of the Tab key, where the arrow keys go from row to row.
  function walkable(panel) {
    let here;
    function rows() { return [...panel.querySelectorAll(".hexveil-pressable")]; }
    function stopAt(row) {
      rows().forEach((one) => { one.tabIndex = one === row ? 0 : -1; });
      if (row) here = row.dataset.fill;
      return row;
    }
    panel.addEventListener("keydown", (event) => {
      const all = rows(), at = all.indexOf(document.activeElement);
      if (at < 0 || !(event.key in STEPS)) return;
      event.preventDefault();
      stopAt(all[Math.min(Math.max(at + STEPS[event.key], 0), all.length - 1)]).focus();
    });
    panel.addEventListener("focusin", (event) => stopAt(event.target));
    // Rows that take the place of others: the stop stays at its class.
    return (fill) => {
      const had = panel.contains(document.activeElement);
      fill();
      const row = stopAt(rows().find((one) => one.dataset.fill === here) || rows()[0]);
      if (had && row) row.focus();
    };
  }

  function create(map, texts, choose, drawn) {
    places = drawn;
    const panel = box("hexveil-legend");
    panel.setAttribute("role", "group");
    panel.setAttribute("aria-label", texts.legend);
    panel.hidden = true;
    L.DomEvent.disableClickPropagation(panel);
    L.DomEvent.disableScrollPropagation(panel);
    const refill = walkable(panel);
    let note, unfolded = false;
    const control = L.control({ position: "bottomright" });
    control.onAdd = () => panel;
    control.addTo(map);
    const badge = addBadge(map);
    const mark = addMark(map, texts);

    // looks: those of cells without a class that are seen; lines: kinds of lines that are drawn.
    function show(...all) {
      refill(() => fillIn(...all));
    }

    function fillIn(painting, looks, lines) {
      const heading = box("hexveil-legend-title", painting.title);
      const rows = painting.classes.map((item, i) =>
        pressable(entry(item.label, "value", item.colour), String(i), texts, choose)).reverse();
      const others = ["unknown", "suppressed", "outside"].filter((look) => looks.includes(look));
      panel.replaceChildren(heading);
      if (painting.unit) panel.append(box("hexveil-legend-unit", painting.unit));
      const list = box("hexveil-entries");
      list.append(...rows);
      const all = box("hexveil-legend-rows");
      all.append(list);
      panel.append(all);
      if (others.length || lines.length) {
        const rest = box("hexveil-entries hexveil-entries-other");
        const words = { ...texts, outside: painting.outside || texts.outside };
        rest.append(...others.map((look) => (look === "outside" ? entry(words[look], look)
          : pressable(entry(words[look], look), look, texts, choose))));
        rest.append(...lines.map((look) => lineEntry(texts[look], look)));
        all.append(rest);
      }
      all.style.setProperty("--rows", Math.ceil(all.querySelectorAll(".hexveil-entry").length / 2));
      if (painting.note !== (note && note.title)) unfolded = false;
      note = painting.note && box("hexveil-legend-note", painting.note);
      if (note) addNote(painting.note);
      panel.hidden = false;
      document.body.toggleAttribute("data-of-before", painting.of_before);
      mark.hidden = !painting.made_up;
      panel.toggleAttribute("data-made-up", painting.made_up);
      const told = ["made_up", "confidential", "sample"].find((name) => painting[name]);
      badge.hidden = !told;
      badge.toggleAttribute("data-quiet", told === "sample");
      badge.querySelector("svg").toggleAttribute("hidden", told !== "confidential");
      badge.querySelector("span").textContent = texts[told] || "";
    }

    // Folded to two lines where it would take the city's room; a press unfolds it, and folds it again.
    function addNote(text) {
      note.title = text;
      note.dataset.fill = "note";
      const turn = () => {
        if (!note.classList.contains("hexveil-pressable")) return;
        unfolded = !unfolded;
        fold();
      };
      note.addEventListener("click", turn);
      note.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        turn();
      });
      panel.append(note);
    }

    function fold() {
      panel.removeAttribute("data-folded");
      if (!note) return;
      const isTall = panel.offsetHeight > TALL * map.getSize().y;
      panel.toggleAttribute("data-folded", isTall);
      const isCut = isTall && note.scrollHeight > note.clientHeight + 1;
      panel.toggleAttribute("data-folded", isCut && !unfolded);
      note.classList.toggle("hexveil-pressable", isCut);
      for (const [name, value] of [["role", "button"], ["aria-expanded", String(unfolded)]]) {
        if (isCut) note.setAttribute(name, value);
        else note.removeAttribute(name);
      }
      refill(() => {});
    }

    // One row after the other where there is room for them, else two beside each other, or closer where
    // their words are too long for that.
    // It is measured without a scroll bar: one that is there makes words wrap, and so would stay.
    // most: pixels of its height before it becomes closer.
    function fit(most) {
      const isHigher = () => panel.scrollHeight > panel.clientHeight;
      panel.style.overflowY = "hidden";
      panel.removeAttribute("data-folded");
      panel.removeAttribute("data-low");
      panel.removeAttribute("data-beside");
      const isLow = isHigher() || panel.offsetHeight > most;
      panel.toggleAttribute("data-low", isLow);
      panel.toggleAttribute("data-beside", isLow);
      if (panel.scrollWidth > panel.clientWidth) panel.removeAttribute("data-beside");
      fold();
      if (isHigher()) panel.style.overflowY = "";
    }

    return { show, fit, width: () => panel.offsetWidth, height: () => panel.offsetHeight, badgeWidth: () => badge.offsetWidth };
  }

  // Slantwise all over the map: a picture of it is of made-up values, however it is cut.
  function addMark(map, texts) {
    const mark = box("hexveil-made-up", `${texts.made_up}\u2003\u2003`.repeat(MARKS));
    mark.setAttribute("aria-hidden", "true");
    mark.hidden = true;
    map.getContainer().append(mark);
    return mark;
  }

  function addBadge(map) {
    const badge = box("hexveil-badge");
    badge.hidden = true;
    const icon = shape("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
    icon.append(shape("path", { d: "M5 7V5a3 3 0 0 1 6 0v2", class: "hexveil-lock-bow" }));
    icon.append(shape("rect", { x: 3, y: 7, width: 10, height: 7, rx: 1.5 }));
    const words = document.createElement("span");
    badge.append(icon, words);
    map.getContainer().append(badge);
    return badge;
  }

  function addNorth(map, texts) {
    const control = L.control({ position: "topright" });
    control.onAdd = () => {
      const arrow = box("hexveil-north");
      arrow.setAttribute("role", "img");
      arrow.setAttribute("aria-label", texts.northUp);
      const icon = shape("svg", { viewBox: "0 0 16 20" });
      icon.append(shape("path", { d: "M8 1v13.5L2.5 18z", class: "hexveil-north-dark" }));
      icon.append(shape("path", { d: "M8 1v13.5l5.5 3.5z", class: "hexveil-north-light" }));
      arrow.append(box("hexveil-north-letter", texts.north), icon);
      return arrow;
    };
    control.addTo(map);
  }

  return { create, addNorth };
})();
