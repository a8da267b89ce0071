// A bundle's map: reads its block of data, draws each hexagon once on a canvas, and repaints what a slot says.
// What the data calls cells may be areas or lines as well: `shape` says so.
// Every text of the data is set as text, never as HTML.
"use strict";

const hexveilBundle = (() => {
  const STEPS = 100000;
  const SAME = 3; // units at most between the corners that two hexagons share: each was rounded by itself
  const BIN = 8;
  const BINS = 1e7; // more than there are around the Earth
  const STATES = { p: "published", s: "suppressed", n: "no information" };
  const SAYS = { o: "not released" };
  const data = JSON.parse(document.getElementById("hexveil-data").textContent);
  const layers = data.tables.flatMap((table) => table.measures.map((measure) => ({ table, measure })));
  // first what has one number a hexagon; of a distribution its middle
  const shown = { layer: Math.max(0, layers.findIndex(({ table }) => !table.labels)), slot: 0, label: -1 };
  const names = new WeakMap();
  let map, hexagons, held, hatch, colours, legend, tooltip, shared, regions, pointed;

  const byId = (id) => document.getElementById("hexveil-" + id);

  function node(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // Facts

  function tellFacts() {
    document.title = data.title;
    byId("title").textContent = data.title;
    byId("release").textContent = `${data.release}, ${data.publisher}, published ${data.published_on}`;
    byId("practice").textContent = data.practice;
    byId("practice").hidden = !data.practice;
    const { privacy, period } = data;
    const delta = privacy.delta === "0" ? "" : ` at δ = ${privacy.delta}`;
    const list = byId("facts");
    const tell = (name, value) => list.append(node("dt", "", name), value instanceof Node ? value : node("dd", "", value));
    tell("privacy", `ε = ${privacy.epsilon}${delta} per vehicle, relation ${privacy.relation}`);
    tell("protected unit", privacy.unit);
    tell("period", `${period.first} to ${period.last}, ${period.hours.join(" to ")} (${period.zone})`);
    tell("publisher", data.publisher);
    tell("contact", data.contact);
    tell("licence", licence());
  }

  function licence() {
    const { title, url } = data.licence;
    const told = node("dd");
    if (!/^https?:\/\//.test(url)) {
      told.textContent = title;
      return told;
    }
    const link = node("a", "", title);
    link.href = url;
    link.rel = "noreferrer";
    told.append(link);
    return told;
  }

  // Hexagons: drawn once

  function corners(outline) {
    const origin = [data.outlines[0]].flat(3)[0];
    const found = [];
    for (let i = 0; i < outline.length; i += 2) {
      // west and east of the date line are neighbours: all cells count longitude from the first one
      const lon = outline[i] - 360 * STEPS * Math.round((outline[i] - origin) / (360 * STEPS));
      found.push([outline[i + 1] / STEPS, lon / STEPS]);
    }
    return found;
  }

  // Areas are lists of polygons, which are lists of rings.
  function rings(outline) {
    return data.shape ? outline.map((polygon) => polygon.map(corners)) : corners(outline);
  }

  function draw() {
    const renderer = L.canvas({ padding: 0.2 });
    hexagons = data.outlines.map((outline, cell) => {
      const hexagon = data.shape === "lines" ? L.polyline(corners(outline), { renderer, weight: 5 })
        : L.polygon(rings(outline), { renderer, smoothFactor: 0, noClip: true, weight: 0.8, fillOpacity: 1 });
      hexagon.on("mouseover mousemove click", (event) => point(cell, event.latlng));
      hexagon.on("mouseout", leave);
      return hexagon;
    });
    fit();
    L.layerGroup(hexagons).addTo(map);
    [regions, pointed] = [2.2, 4].map((weight) =>
      L.polyline([], { renderer, interactive: false, smoothFactor: 0, noClip: true, weight }).addTo(map));
  }

  // Regions: a line around hexagons that have one number together, which neighbours of the same class hide

  // Of each hexagon the numbers of its corners, the same in all that share one.
  function cornerNumbers() {
    const bins = new Map();
    const known = [];
    const numberOf = (lon, lat) => {
      const x = Math.floor(lon / BIN), y = Math.floor(lat / BIN);
      for (const across of [x - 1, x, x + 1]) {
        for (const up of [y - 1, y, y + 1]) {
          const found = (bins.get(across * BINS + up) || []).find(
            (number) => Math.abs(known[number][0] - lon) <= SAME && Math.abs(known[number][1] - lat) <= SAME);
          if (found !== undefined) return found;
        }
      }
      const bin = bins.get(x * BINS + y) || [];
      bins.set(x * BINS + y, [...bin, known.length]);
      return known.push([lon, lat]) - 1;
    };
    return data.outlines.map((outline) => {
      const found = [];
      for (let i = 0; i < outline.length; i += 2) found.push(numberOf(outline[i], outline[i + 1]));
      return found;
    });
  }

  // Edges that two hexagons of the region share are inside it.
  function around(cells) {
    const edges = new Map();
    for (const cell of cells) {
      const places = corners(data.outlines[cell]);
      shared[cell].forEach((corner, i) => {
        const next = (i + 1) % places.length;
        const ends = [corner, shared[cell][next]].sort((one, other) => one - other).join();
        if (!edges.delete(ends)) edges.set(ends, [places[i], places[next]]);
      });
    }
    return [...edges.values()];
  }

  function shownRegions() {
    const { table } = layers[shown.layer];
    const rows = [...new Set(held)].filter((row) => row >= 0 && table.places[table.place[row]].cells.length > 1);
    if (rows.length && !shared) shared = cornerNumbers();
    return rows.map((row) => table.places[table.place[row]].cells);
  }

  function fit() {
    const all = hexagons.reduce((bounds, one) => bounds.extend(one.getBounds()), L.latLngBounds([]));
    map.fitBounds(all, { animate: false, padding: [24, 24] });
  }

  // On paper the map is as wide as a page, whatever the window was: nothing of it may be cut

  function print() {
    const seen = [map.getCenter(), map.getZoom()];
    const resize = (printed) => {
      map.getContainer().classList.toggle("hexveil-printed", printed);
      map.invalidateSize({ animate: false, pan: false });
    };
    resize(true);
    fit();
    window.addEventListener("afterprint", () => { resize(false); map.setView(...seen, { animate: false }); }, { once: true });
  }

  function look() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue("--" + name).trim();
    colours = { ink: read("ink"), accent: read("accent"), edge: read("cell-edge"), empty: read("empty-edge"), nothing: read("nothing"), ground: read("ground"), hatch: read("hatch") };
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, 8, 8);
    pen.strokeStyle = colours.hatch;
    pen.beginPath();
    for (const x of [-8, 0, 8]) { pen.moveTo(x, 8); pen.lineTo(x + 8, 0); }
    pen.stroke();
    hatch = pen.createPattern(tile, "repeat");
  }

  // Rows: which one a hexagon has in the shown slot, under the shown label; -1 for none

  function index() {
    const { table } = layers[shown.layer];
    held = new Int32Array(data.cells.length).fill(-1);
    for (let row = 0; row < table.place.length; row += 1) {
      const now = table.first[row] <= shown.slot && shown.slot <= table.last[row];
      if (now && (!table.label || table.label[row] === shown.label)) {
        for (const cell of table.places[table.place[row]].cells) held[cell] = row;
      }
    }
  }

  function classOf(value, limits) {
    let found = 0;
    while (found < limits.length - 2 && value >= limits[found + 1]) found += 1;
    return found;
  }

  function lineStyle(status, colour) {
    if (status === "p") return { color: colour, opacity: 1, weight: 5, dashArray: null };
    return { color: status === "o" ? colours.empty : colours.hatch, opacity: 1, weight: 3, dashArray: status === "o" ? null : "3 6" };
  }

  function styleOf(row) {
    const { table, measure } = layers[shown.layer];
    const status = row < 0 ? "o" : table.status[row];
    if (data.shape === "lines") return lineStyle(status, status === "p" ? measure.colours[classOf(measure.value[row], measure.limits)] : "");
    if (status === "o") return { fill: true, fillColor: "transparent", color: colours.empty, dashArray: null };
    if (status === "s") return { fill: true, fillColor: hatch, color: colours.hatch, dashArray: null };
    if (status === "n") return { fill: true, fillColor: colours.nothing, color: colours.edge, dashArray: "3 3" };
    // areas may be large: their borders are drawn more clearly than those of hexagons
    const edge = data.shape ? { color: colours.ground, weight: 1.6 } : { color: colours.edge };
    return { fill: true, fillColor: measure.colours[classOf(measure.value[row], measure.limits)], ...edge, dashArray: null };
  }

  function paint() {
    index();
    hexagons.forEach((hexagon, cell) => hexagon.setStyle(styleOf(held[cell])));
    regions.setLatLngs(shownRegions().flatMap(around)).setStyle({ color: colours.ink });
    leave();
    showLegend();
  }

  // Words of one hexagon: what the pointer shows

  // Of a hexagon that has no row in the slot, by any other that it has.
  function nameOf(table, cell) {
    if (!table.near) return [];
    if (!names.has(table)) {
      const alone = table.place.map((place, row) => [table.places[place].cells, table.near[row]]);
      names.set(table, new Map(alone.filter(([cells, name]) => name && cells.length === 1).map(([[one], name]) => [one, name])));
    }
    const name = names.get(table).get(cell);
    return name && name !== data.cells[cell] ? [name] : [];
  }

  function hours(table, first, last) {
    const name = table.periods ? `${table.periods[first]}, ` : "";
    return `${name}${table.slots[first][0]} to ${table.slots[last][1]}`;
  }

  function words(cell) {
    const { table, measure } = layers[shown.layer];
    const row = held[cell];
    const place = row >= 0 && table.places[table.place[row]].cells.length > 1 ? `${table.places[table.place[row]].name}, hexagon ${data.cells[cell]}` : data.cells[cell];
    if (row < 0) return [place, ...nameOf(table, cell), SAYS.o];
    const near = table.near && table.near[row] && table.near[row] !== place ? [table.near[row]] : [];
    const slot = hours(table, table.first[row], table.last[row]);
    const status = STATES[table.status[row]];
    if (measure.value[row] === null) return [place, ...near, slot, status];
    const text = (number) => number.toFixed(measure.decimals);
    const unit = measure.unit ? ` ${measure.unit}` : "";
    return [place, ...near, slot, text(measure.value[row]) + unit,
      `95 % interval ${text(measure.low[row])} to ${text(measure.high[row])}${unit}`, status];
  }

  function leave() {
    map.closeTooltip(tooltip);
    pointed.setLatLngs([]);
  }

  // Parts of a region may lie apart: all of it stands out.
  function showRegion(cell) {
    const { table } = layers[shown.layer];
    const cells = held[cell] < 0 ? [] : table.places[table.place[held[cell]]].cells;
    pointed.setLatLngs(cells.length > 1 ? around(cells) : []).setStyle({ color: colours.accent });
  }

  function point(cell, place) {
    showRegion(cell);
    const lines = node("div");
    lines.append(...words(cell).map((text) => node("div", "", text)));
    tooltip.setContent(lines).setLatLng(place);
    if (!map.hasLayer(tooltip)) map.openTooltip(tooltip);
  }

  // Legend

  function entry(className, text, colour) {
    const row = node("div", "hexveil-entry");
    const swatch = node("span", "hexveil-swatch " + className);
    if (colour) swatch.style.background = colour;
    row.append(swatch, node("span", "", text));
    return row;
  }

  function showLegend() {
    const { table, measure } = layers[shown.layer];
    const text = (limit) => String(Number(limit.toFixed(measure.decimals)));
    const rows = measure.colours.map((colour, i) => entry("", `${text(measure.limits[i])} – ${text(measure.limits[i + 1])}`, colour)).reverse();
    const states = new Set(Array.from(held, (row) => (row < 0 ? "o" : table.status[row])));
    for (const state of ["s", "n", "o"]) {
      if (states.has(state)) rows.push(entry("hexveil-swatch-" + state, STATES[state] || SAYS[state]));
    }
    const without = table.places.filter((place) => !place.cells.length).length;
    if (without) rows.push(node("div", "hexveil-soft", `without a line: ${without} of ${table.places.length}, in data/`));
    if (shownRegions().length) rows.push(entry("hexveil-swatch-region", "a region: one number"));
    legend.replaceChildren(node("div", "hexveil-legend-title", measure.name), node("div", "hexveil-soft", measure.unit || "without a unit"), ...rows);
  }

  // Controls

  function choices(select, texts, chosen) {
    select.replaceChildren(...texts.map((text, number) => {
      const option = node("option", "", text);
      option.value = number;
      return option;
    }));
    select.value = chosen;
    select.closest("label").hidden = texts.length < 2;
  }

  function showControls() {
    const { table } = layers[shown.layer];
    shown.slot = Math.min(shown.slot, table.slots.length - 1);
    choices(byId("layer"), layers.map((one) => `${one.table.title}: ${one.measure.name}`), shown.layer);
    const labels = table.labels;
    if (labels) shown.label = shown.label < 0 ? labels.values.length >> 1 : Math.min(shown.label, labels.values.length - 1);
    choices(byId("label"), labels ? labels.values.map((value) => `${labels.name} ${value}`) : [], shown.label);
    const slider = byId("slot");
    slider.max = table.slots.length - 1;
    slider.value = shown.slot;
    slider.hidden = table.slots.length < 2;
    const slot = hours(table, shown.slot, shown.slot);
    slider.setAttribute("aria-valuetext", slot);
    byId("time").textContent = slot;
    byId("meaning").textContent = layers[shown.layer].measure.title;
  }

  function change(name, value) {
    shown[name] = Number(value);
    showControls();
    paint();
  }

  function start(leafletMap) {
    map = leafletMap;
    tooltip = L.tooltip({ direction: "auto", offset: [14, 0], opacity: 1, className: "hexveil-tooltip" });
    const control = L.control({ position: "bottomright" });
    legend = node("div", "hexveil-legend");
    control.onAdd = () => legend;
    control.addTo(map);
    L.DomEvent.disableClickPropagation(legend);
    L.DomEvent.disableScrollPropagation(legend);
    L.control.scale({ imperial: false }).addTo(map);
    tellFacts();
    look();
    showControls();
    draw();
    hexveilGraticule.add(map, { north: "N", south: "S", east: "E", west: "W" });
    paint();
    for (const name of ["layer", "label", "slot"]) byId(name).addEventListener("input", (event) => change(name, event.target.value));
    const repaint = () => { look(); paint(); };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    matchMedia("print").addEventListener("change", repaint);
    window.addEventListener("beforeprint", print);
    document.documentElement.dataset.ready = String(hexagons.length);
  }

  return { start, change, words, shown, data, colourOf: (cell) => hexagons[cell].options.fillColor, lines: () => regions.getLatLngs(), point, pointed: () => pointed.getLatLngs() };
})();
