// A bundle's page for the public: reads its block of data, draws every place as a path, and says what it shows.
// What the data calls cells may be areas or lines as well: `shape` says so.
// Every text of the data is set as text, never as HTML.
// In another language than English the data hold `texts`: how each text of this page, and of the data, is said there.
"use strict";

const hexveilPage = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const STEPS = 100000; // units of an outline a degree
  const SAME = 3; // units at most between the corners that two hexagons share: each was rounded by itself
  const BIN = 8;
  const BINS = 1e7; // more than there are around the Earth
  const KM = 111.32; // a degree of the equator
  const ALL = -1;
  const MOST_PICTURES = 13;
  const MOST_ROWS = 5000;
  const FEW = 12;
  const MIDDLE = 0.6745 / 1.96; // of a 95 % range: that of the middle half
  const REACH = 2.12; // deviations in half a 95 % range of a sum of Laplace noise, however few are added
  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  const data = JSON.parse(document.getElementById("hexveil-data").textContent);
  const layers = data.tables.flatMap((table) => table.layers.map((layer) => ({ table, layer })));
  const paths = new Map();
  const state = { layer: 0, label: 0, slot: ALL, raw: false, cell: -1, kept: false };
  let shapes, box, hits, nodes, backs, rows, everywhere, corners;

  // Of hexagons of several sizes: small ones are drawn over large ones, in slots in which they have a row.
  const levelOf = (cell) => (data.levels ? data.levels[cell] : 0);
  const levels = [...new Set(data.cells.map((_, cell) => levelOf(cell)))];

  const [one, many] = data.subject;
  const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
  const byId = (id) => document.getElementById(id);
  const now = () => layers[state.layer];
  const numbers = () => (state.raw && now().layer.raw ? now().layer.raw : now().layer);
  const isRaw = () => state.raw || !now().layer.raw;

  function node(tag, attributes = {}, ...inner) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inner);
    return made;
  }

  function draw(tag, attributes) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  // Words and figures

  const texts = data.texts ?? {};
  const said = (text) => texts[text] ?? text;
  const joint = (text) => text.replace(/(?<=[\u0900-\u0963\u0970-\u097f)”])\u00a0।/g, "।");
  // What this page says itself stands in a call of `say` or `count`: the catalogues find it there.
  const nouns = { one: said(one), many: said(many), Many: capital(said(many)) };
  const say = (template, fields = {}) => joint((texts[template] ?? template).replace(/\{(\w+)\}/g, (_, name) => ({ ...nouns, ...fields })[name]));
  const grouped = (n) => n.toLocaleString(data.language ?? "en");
  const count = (n, one, many) => say(n === 1 ? one : many, { n: grouped(n) });
  const unit = () => (now().layer.unit === "%" ? " %" : now().layer.unit ? ` ${said(now().layer.unit)}` : "");
  const clock = (text) => text.replace(/^0(?=\d)/, "");

  // As people read a number whose range is so wide.
  function digits(width) {
    return width >= 4 ? 0 : width >= 0.4 ? 1 : width >= 0.04 ? 2 : 3;
  }

  function figure(one) {
    return one.value.toFixed(digits(one.high - one.low));
  }

  const rounded = (value, places, round) => (round(Number((value * 10 ** places).toFixed(6))) / 10 ** places).toFixed(places);

  function range(one) {
    const places = digits(one.high - one.low);
    return [rounded(one.low, places, Math.floor), rounded(one.high, places, Math.ceil)];
  }

  function between(one) {
    const [low, high] = range(one);
    return say("between {low} and {high}{unit}", { low, high, unit: unit() });
  }

  function day(text) {
    const [year, month, date] = text.split("-").map(Number);
    return [date, MONTHS[month - 1], year];
  }

  function dayInWords(text) {
    const [day_number, month, year_number] = day(text);
    return say(`{day_number} ${month} {year_number}`, { day_number, year_number });
  }

  function dates() {
    const one = day(data.period.first), other = day(data.period.last);
    const [first_date, last_date] = [data.period.first, data.period.last].map(dayInWords);
    if (data.period.first === data.period.last) return first_date;
    if (data.texts) return say("{first_date} to {last_date}", { first_date, last_date });
    const same = one[2] !== other[2] ? 3 : one[1] !== other[1] ? 2 : 1;
    return `${one.slice(0, same).join(" ")} to ${other.join(" ")}`;
  }

  function hours(first, last = first) {
    const { table } = now();
    const name = table.periods ? `${table.periods[first]}, ` : "";
    return name + fromTo(table.slots[first][0], table.slots[last][1]);
  }

  const fromTo = (start, end) => say("{start} to {end}", { start: clock(start), end: clock(end) });

  // Slots as few spans of hours: periods need not fill the hours of the release.
  function spans(slots = now().table.slots) {
    const found = [];
    for (const [start, end] of slots) {
      if (found.length && found[found.length - 1][1] === start) found[found.length - 1][1] = end;
      else found.push([start, end]);
    }
    return found.map(([start, end]) => fromTo(start, end)).join(` ${say("and")} `);
  }

  const several = () => now().table.slots.length > 1;
  // no average of percentiles is one
  const first = () => (several() && now().layer.averages ? ALL : 0);
  const time = () => (state.slot === ALL ? say("all hours") : hours(state.slot));

  const named = (id) => data.words.names?.[id] ?? id;

  // A hexagon is in another region at another time.
  function regionOf(cell) {
    const row = state.slot === ALL ? -1 : everywhere[cell][state.slot];
    const name = row < 0 ? "" : now().table.places[now().table.place[row]].name;
    return data.shape || name === data.cells[cell] ? "" : name;
  }

  function called(cell) {
    if (regionOf(cell)) return say("region {name}", { name: regionOf(cell) });
    const found = everywhere[cell].find((row) => row >= 0);
    const name = named(data.cells[cell]);
    const near = found !== undefined && now().table.near ? now().table.near[found] : "";
    return near && near !== name ? `${near} (${name})` : name;
  }

  const kind = (n) => (data.shape === "lines" ? count(n, "{n} route", "{n} routes") : data.shape ? count(n, "{n} place", "{n} places") : count(n, "{n} hexagon", "{n} hexagons"));

  // Shapes: kilometres east and south of the first corner

  function project() {
    const flat = data.outlines.map((outline) => (data.shape === "areas" ? outline.flat(1) : [outline]));
    const origin = flat[0][0];
    const squeeze = Math.cos((origin[1] / STEPS) * Math.PI / 180);
    shapes = flat.map((rings) => rings.map((ring) => {
      const found = [];
      for (let i = 0; i < ring.length; i += 2) {
        // west and east of the date line are neighbours: all count longitude from the first corner
        const lon = ring[i] - origin[0] - 360 * STEPS * Math.round((ring[i] - origin[0]) / (360 * STEPS));
        found.push([(lon / STEPS) * KM * squeeze, (-(ring[i + 1] - origin[1]) / STEPS) * KM]);
      }
      return found;
    }));
    const every = shapes.flat(2);
    const [west, north] = [0, 1].map((axis) => every.reduce((least, one) => Math.min(least, one[axis]), Infinity));
    const [east, south] = [0, 1].map((axis) => every.reduce((most, one) => Math.max(most, one[axis]), -Infinity));
    const around = Math.max(east - west, south - north, 0.2) * 0.04;
    box = { x: west - around, y: north - around, w: east - west + 2 * around, h: south - north + 3 * around };
  }

  function middle(cell) {
    const ring = shapes[cell][0];
    return [0, 1].map((axis) => ring.reduce((sum, corner) => sum + corner[axis], 0) / ring.length);
  }

  // part: of its size, around its middle
  function path(cell, part = 1) {
    const key = part === 1 ? cell : -1 - cell;
    if (!paths.has(key)) paths.set(key, drawn(cell, part));
    return paths.get(key);
  }

  function drawn(cell, part) {
    const [x, y] = part === 1 ? [0, 0] : middle(cell).map((one) => one * (1 - part));
    const end = data.shape === "lines" ? "" : "z";
    return shapes[cell].map((ring) => `M${ring.map((one) => `${(one[0] * part + x).toFixed(3)} ${(one[1] * part + y).toFixed(3)}`).join("L")}${end}`).join("");
  }

  // A line around hexagons that have one number together. Edges that two of them share are inside it.
  function outlineOf(cells) {
    corners = corners || cornerNumbers();
    const edges = new Map();
    for (const cell of cells) {
      const ring = shapes[cell][0];
      corners[cell].forEach((corner, i) => {
        const next = (i + 1) % ring.length;
        const ends = [corner, corners[cell][next]].sort((one, other) => one - other).join();
        if (!edges.delete(ends)) edges.set(ends, [ring[i], ring[next]]);
      });
    }
    return [...edges.values()].map(([one, other]) => `M${one.map((x) => x.toFixed(3)).join(" ")}L${other.map((x) => x.toFixed(3)).join(" ")}`).join("");
  }

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
      bins.set(x * BINS + y, [...(bins.get(x * BINS + y) || []), known.length]);
      return known.push([lon, lat]) - 1;
    };
    return data.outlines.map((outline) => {
      const found = [];
      for (let i = 0; i < outline.length; i += 2) found.push(numberOf(outline[i], outline[i + 1]));
      return found;
    });
  }

  // Rows: which one a place has in each slot under the shown label; -1 for none

  function index() {
    const { table } = now();
    everywhere = data.cells.map(() => new Int32Array(table.slots.length).fill(-1));
    for (let row = 0; row < table.place.length; row += 1) {
      if (table.label && table.label[row] !== state.label) continue;
      for (const cell of table.places[table.place[row]].cells) everywhere[cell].fill(row, table.first[row], table.last[row] + 1);
    }
    rows = [...new Set(everywhere.flatMap((one) => [...one]))].filter((row) => row >= 0);
  }

  const uncutOf = (column, row) => (column.uncut && column.uncut[row] !== undefined ? column.uncut[row] : column.value[row]);

  // Of a raw number before its range was cut: a range that is cut at 0 looks narrow. Of one that was cut at both ends
  // only the deviation that it rests on says how wide it was.
  function widthOf(column, row) {
    const half = Math.max(column.high[row] - uncutOf(column, row), uncutOf(column, row) - column.low[row]);
    return Math.max(2 * half, 3.92 * (now().layer.deviation?.[row] ?? 0));
  }

  // What stands in one row: a status, or a number with its range and what it rests on.
  function ofRow(row) {
    const { table } = now();
    if (row < 0) return { status: "o" };
    const status = table.status[row];
    // a mean among percentiles is not smoothed: it is shown as it is
    const column = numbers().value[row] === null ? now().layer.raw || numbers() : numbers();
    const raw = isRaw() || column !== now().layer;
    if (status === "s" || (status === "n" && raw)) return { status };
    if (column.value[row] === null) return { status: "o" };
    const found = { status: "p", value: column.value[row], low: column.low[row], high: column.high[row], effective: table.effective ? table.effective[row] : null };
    found.uncut = uncutOf(column, row);
    found.width = raw ? widthOf(column, row) : found.high - found.low;
    found.bias = column.bias ? column.bias[row] : null;
    return found;
  }

  function rawly(make) {
    const { raw } = state;
    state.raw = true;
    const made = make();
    state.raw = raw;
    return made;
  }

  // The mean of several rows. A place unlike its neighbours is smoothed towards them in all its hours alike, which no mean
  // takes out: a smoothed range reaches at least as far as the middle half of the raw mean.
  function mean(chosen) {
    if (now().table.deviations) return meanOfShares(chosen);
    const made = meanOf(chosen);
    if (isRaw() || made.status !== "p") return made;
    const { center, half } = rawly(() => meanOf(chosen));
    if (!half) return made;
    [made.low, made.high] = [Math.min(made.low, cut(center - MIDDLE * half)), Math.max(made.high, cut(center + MIDDLE * half))];
    made.width = made.high - made.low;
    return made;
  }

  function cut(value) {
    const { ends } = now().layer;
    return Math.min(ends[1] ?? Infinity, Math.max(ends[0], value));
  }

  // Each row counts as much as it rests on. Where noise and bias are known apart noise averages out and bias is
  // taken as the same everywhere; else the range is the mean of the ranges.
  function meanOf(chosen) {
    const found = chosen.filter((row) => row >= 0).map(ofRow);
    const known = found.filter((one) => one.status === "p");
    if (!known.length) return { status: ["s", "n"].find((status) => found.some((one) => one.status === status)) || "o" };
    const weights = known.map((one) => one.effective || 1);
    const total = weights.reduce((sum, one) => sum + one, 0);
    const average = (part) => known.reduce((sum, one, i) => sum + weights[i] * part(one), 0) / total;
    const made = { status: "p", value: average((one) => one.value), effective: known[0].effective === null ? null : total };
    if (isRaw() && known.every((one) => one.bias !== null)) {
      const bias = average((one) => one.bias);
      const noise = known.reduce((sum, one, i) => sum + (weights[i] / total) ** 2 * Math.max(0, (one.width / 3.92) ** 2 - one.bias ** 2), 0);
      const half = 1.96 * Math.sqrt(noise + bias ** 2);
      const center = average((one) => one.uncut);
      made.value = cut(center);
      [made.low, made.high] = [cut(center - half), cut(center + half)];
      Object.assign(made, { center, half, width: 2 * half });
    } else {
      [made.low, made.high] = [average((one) => one.low), average((one) => one.high)];
      made.width = average((one) => one.width);
    }
    return made;
  }

  // Of a distribution every row counts alike, those whose noise left nothing to see too. Noise averages out; a bias is never
  // more than its bound, nor than the whole deviation, and as much as can be is taken as the same everywhere (method 14.9).
  function meanOfShares(chosen) {
    const { table, layer } = now();
    const known = chosen.filter((row) => row >= 0 && layer.value[row] !== null);
    if (!known.length) return { status: chosen.some((row) => row >= 0) ? "s" : "o" };
    const average = (part) => known.reduce((sum, row) => sum + part(row), 0) / known.length;
    const bias = (row) => Math.min(table.deviations[row], table.bounds[row]);
    const noise = average((row) => table.deviations[row] ** 2 - bias(row) ** 2) / known.length;
    const half = REACH * Math.sqrt(noise + average(bias) ** 2);
    const center = average((row) => uncutOf(layer, row));
    if (center - half <= layer.ends[0] && center + half >= layer.ends[1]) return { status: "n" };
    return { status: "p", value: cut(center), low: cut(center - half), high: cut(center + half), width: 2 * half, effective: null };
  }

  const of = (cell, slot = state.slot) => (slot === ALL ? mean([...new Set(everywhere[cell])]) : ofRow(everywhere[cell][slot]));

  const rowsOf = (slot) => (slot === ALL ? rows : rows.filter((row) => now().table.first[row] <= slot && slot <= now().table.last[row]));

  // The whole network is averaged without its smoothing: what hexagons borrow from each other is not known here.
  function network(slot) {
    return rawly(() => mean(rowsOf(slot)));
  }

  // Classes

  function classOf(value) {
    const { limits, heaps } = now().layer;
    if (heaps.includes(value)) return -1;
    return limits.filter((limit) => limit <= value).length;
  }

  const colourOf = (value) => (classOf(value) < 0 ? "#ffffff" : now().layer.colours[classOf(value)]);
  const isUnsure = (one) => one.width > now().layer.unsure;

  function paintOf(one) {
    if (one.status === "o") return { class: "none" };
    if (one.status === "s") return { class: "left", fill: data.shape === "lines" ? "none" : "url(#hatch)" };
    if (one.status === "n") return { class: "open" };
    const colour = colourOf(one.value);
    const lines = data.shape === "lines";
    return { class: "", [lines ? "stroke" : "fill"]: colour, [lines ? "stroke-opacity" : "fill-opacity"]: isUnsure(one) ? 0.38 : 1 };
  }

  function coreOf(one, cell) {
    if (one.status !== "p" || !isUnsure(one)) return null;
    return data.shape === "lines" ? { d: path(cell), class: "core line", style: `stroke:${colourOf(one.value)};stroke-width:1.5px` } : { d: path(cell, 0.5), class: "core", fill: colourOf(one.value) };
  }

  // The map

  function prepare() {
    const map = byId("map");
    project();
    map.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
    byId("sheets").classList.toggle("tall", box.h > 1.15 * box.w);
    byId("multiples").style.setProperty("--shape", `${box.w} / ${box.h}`);
    document.body.classList.toggle("lines", data.shape === "lines");
    const size = Math.max(box.w, box.h) / 60;
    const hatch = draw("pattern", { id: "hatch", width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    hatch.append(draw("line", { x1: 0, y1: 0, x2: 0, y2: size, style: `stroke:var(--hatch);stroke-width:${size / 3.5}` }));
    const defs = draw("defs", {});
    defs.append(hatch);
    const ofLevels = levels.map((level) => ["places", "cores"].map((name) => draw("g", { id: level ? `${name}-${level}` : name })));
    const layersOf = ["regions", "figures", "marks", "hits"].map((name) => draw("g", { id: name }));
    map.append(defs, ...ofLevels.flat(), ...layersOf, ...scale());
    nodes = data.cells.map((_, cell) => draw("path", { d: path(cell), role: "img", id: `place-${cell}` }));
    backs = data.cells.map((_, cell) => (levelOf(cell) ? [draw("path", { d: path(cell), class: "back", "aria-hidden": "true" })] : []));
    nodes.forEach((one, cell) => ofLevels[levelOf(cell)][0].append(...backs[cell], one));
    hits = data.cells.map((_, cell) => draw("path", { d: path(cell), class: "hit", "aria-hidden": "true" }));
    layersOf[3].append(...hits);
    hits.forEach((hit, cell) => {
      hit.addEventListener("pointerenter", () => point(cell));
      hit.addEventListener("click", () => keep(cell));
    });
    map.addEventListener("pointerleave", () => point(-1));
    map.addEventListener("keydown", press);
  }

  function scale() {
    const wanted = box.w / 4;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const km = [5, 2, 1].map((one) => one * power).find((one) => one <= wanted);
    const [x, y] = [box.x + box.w * 0.04, box.y + box.h - Math.max(box.w, box.h) * 0.02];
    const size = Math.max(box.w, box.h) / 38;
    const label = (text, at, anchor) => {
      const made = draw("text", { x: at, y, "text-anchor": anchor, style: `font-size:${size}px` });
      made.textContent = text;
      return made;
    };
    return [draw("path", { class: "scale", d: `M${x} ${y}h${km}` }), label(km >= 1 ? `${km} km` : `${km * 1000} m`, x + km + size / 2, "start"), label(`↑ ${say("north")}`, box.x + box.w * 0.97, "end")];
  }

  function paint() {
    const cores = levels.map(() => []);
    nodes.forEach((one, cell) => {
      const found = of(cell);
      const { class: name, ...rest } = paintOf(found);
      for (const attribute of ["fill", "fill-opacity", "stroke", "stroke-opacity"]) one.removeAttribute(attribute);
      one.setAttribute("class", name);
      // beside the stylesheet, which says what is drawn without a number
      one.setAttribute("style", Object.entries(rest).map(([key, value]) => `${key}:${value}`).join(";"));
      // where a small hexagon has no row its records count in the large one below, which shows then
      for (const part of [one, hits[cell], ...backs[cell]]) part.style.display = data.levels && found.status === "o" ? "none" : "";
      one.setAttribute("aria-label", spoken(cell, found));
      const core = coreOf(found, cell);
      if (core) cores[levelOf(cell)].push(draw("path", { ...core, ...(core.fill ? { style: `fill:${core.fill}` } : {}) }));
    });
    levels.forEach((level) => byId(level ? `cores-${level}` : "cores").replaceChildren(...cores[level]));
    byId("figures").replaceChildren(...(rows.length <= FEW ? nodes.flatMap((_, cell) => figureOn(cell)) : []));
    const { table } = now();
    const shown = new Set(everywhere.map((found) => found[Math.max(0, state.slot)]));
    const regions = [...shown].filter((row) => row >= 0 && table.places[table.place[row]].cells.length > 1);
    byId("regions").replaceChildren(...regions.map((row) => draw("path", { class: "around", d: outlineOf(table.places[table.place[row]].cells) })));
    mark();
  }

  // Of few numbers each is written where it is.
  function figureOn(cell) {
    const one = of(cell);
    if (one.status !== "p" || data.shape === "lines") return [];
    const [x, y] = middle(cell);
    const made = draw("text", { x, y, class: "figure", "text-anchor": "middle", "dominant-baseline": "central", style: `font-size:${Math.max(box.w, box.h) / 24}px` });
    made.textContent = figure(one);
    return [made];
  }

  function mark() {
    byId("marks").replaceChildren(...(state.cell < 0 ? [] : [draw("path", { class: "chosen", d: path(state.cell) })]));
    byId("map").toggleAttribute("aria-activedescendant", false);
    if (state.cell >= 0) byId("map").setAttribute("aria-activedescendant", `place-${state.cell}`);
  }

  // What a place has, in words

  function says(one) {
    if (one.status === "o") return say("not in this release");
    if (one.status === "s") return said(data.words.left);
    if (one.status === "n") return say("no information: noise was larger than what there is to know");
    return `${figure(one)}${unit()}, ${between(one)}`;
  }

  const spoken = (cell, one) => `${called(cell)}, ${time()}: ${says(one)}`;

  function point(cell) {
    if (state.kept || state.cell === cell) return;
    choose(cell);
  }

  function keep(cell) {
    state.kept = !(state.kept && state.cell === cell);
    choose(cell);
  }

  function choose(cell) {
    state.cell = cell;
    mark();
    showDetail();
    showQuote();
    if (state.kept || cell < 0) remember();
  }

  // Of a distribution under each of its limits: rows of a place and time stand together, limit by limit.
  function underLimits(chosen) {
    const { table } = now();
    const { groups } = labelsOf(state.label);
    return table.labels.values.map((_, label) => label).filter((label) => labelsOf(label).groups === groups).map((label) => {
      const rows = chosen.filter((row) => row >= 0).map((row) => row + label - state.label);
      return { ...(rows.length === 1 ? ofRow(rows[0]) : mean(rows)), limit: labelsOf(label).own };
    });
  }

  function chart(found, ends) {
    const known = found.filter((one) => one && one.status === "p");
    const svg = draw("svg", { viewBox: "0 0 300 110", "aria-hidden": "true" });
    const top = Math.max(...known.map((one) => one.high)), bottom = Math.min(0, ...known.map((one) => one.low));
    const y = (value) => 92 - ((value - bottom) / (top - bottom || 1)) * 84;
    const x = (slot) => 30 + ((slot + 0.5) / found.length) * 262;
    const text = (at, height, words, anchor) => {
      const made = draw("text", { x: at, y: height, "text-anchor": anchor });
      made.textContent = words;
      return made;
    };
    svg.append(draw("line", { class: "axis", x1: 30, x2: 292, y1: y(bottom), y2: y(bottom) }), text(26, 12, top.toFixed(digits(top - bottom)), "end"), text(26, 95, bottom.toFixed(digits(top - bottom)), "end"));
    found.forEach((one, slot) => {
      if (!one || one.status !== "p") return;
      svg.append(draw("line", { x1: x(slot), x2: x(slot), y1: y(one.low), y2: y(one.high) }), draw("circle", { cx: x(slot), cy: y(one.value), r: 4, style: `fill:${colourOf(one.value)};stroke:var(--soft)` }));
    });
    svg.append(text(30, 108, ends[0], "start"), text(292, 108, ends[1], "end"));
    return svg;
  }

  function showDetail() {
    const { table } = now();
    const whole = state.cell < 0;
    if (whole && !now().layer.averages) {
      byId("detail").replaceChildren(node("p", {}, say("Point at a place, or tap it, to see its numbers.")));
      return;
    }
    const one = whole ? network(state.slot) : of(state.cell);
    const title = node("strong", {}, whole ? `${say("Whole network")}, ${time()}` : `${called(state.cell)}, ${time()}`);
    const lines = [title];
    if (one.status === "p") {
      lines.push(node("p", { class: "figure" }, `${figure(one)}${unit()}`), node("p", {}, between(one)));
      if (!whole && one.effective) lines.push(node("p", { class: "soft" }, `${say("{n} effective {many}", { n: Math.round(one.effective) })}${isUnsure(one) ? `; ${say("uncertain")}` : ""}`));
      if (whole && isNoise(one)) lines.push(node("p", { class: "soft" }, say("The range is wider than half of all possible numbers: such a number says next to nothing.")));
    } else lines.push(node("p", {}, says(one)));
    const row = whole || state.slot === ALL ? -1 : everywhere[state.cell][state.slot];
    if (row >= 0 && regionOf(state.cell)) lines.push(node("p", { class: "soft" }, say("One number for a region of {places}, {hours}.", { places: kind(table.places[table.place[row]].cells.length), hours: hours(table.first[row], table.last[row]) })));
    const left = whole ? [] : [...everywhere[state.cell]].filter((one, slot) => one >= 0 && (state.slot === ALL || state.slot === slot));
    if (table.rest && left.some((one) => table.rest[one])) lines.push(node("p", { class: "soft" }, say("Without the records of the smaller hexagons on it.")));
    const limits = table.deviations ? underLimits(whole ? rowsOf(state.slot) : state.slot === ALL ? [...new Set(everywhere[state.cell])] : [everywhere[state.cell][state.slot]]) : [];
    const through = limits.length ? limits : table.slots.map((_, slot) => (whole ? network(slot) : of(state.cell, slot)));
    const ends = limits.length ? [limits[0].limit, limits.at(-1).limit] : [clock(table.slots[0][0]), clock(table.slots.at(-1)[0])];
    if (through.filter((each) => each.status === "p").length > 1) lines.push(chart(through, ends), node("p", { class: "soft" }, limits.length ? say("At or below each limit, with ranges") : say("Through the day, with ranges")));
    if (whole) lines.push(node("p", { class: "soft" }, `${now().layer.raw ? `${say("From the raw numbers.")} ` : ""}${say("Point at a place, or tap it, to see its own numbers.")}`));
    byId("detail").replaceChildren(...lines);
  }

  // Key

  function swatch(content) {
    const svg = draw("svg", { class: "swatch", viewBox: "-11 -11 22 22", "aria-hidden": "true" });
    const at = (r) => (data.shape === "lines" ? `M${-r} 0L${r} 0` : data.shape ? `M${-r} ${-r}H${r}V${r}H${-r}z` : `M${[0, 1, 2, 3, 4, 5].map((i) => `${(r * Math.sin((i * Math.PI) / 3)).toFixed(2)} ${(r * Math.cos((i * Math.PI) / 3)).toFixed(2)}`).join("L")}z`);
    for (const [r, style, name] of content) svg.append(draw("path", { d: at(r), style, class: name || "" }));
    return svg;
  }

  function showKey() {
    const { layer } = now();
    const of = rows.map(ofRow);
    const paint = data.shape === "lines" ? (colour, opacity) => `stroke:${colour};stroke-width:5px;stroke-opacity:${opacity}` : (colour, opacity) => `fill:${colour};fill-opacity:${opacity}`;
    const counts = new Map();
    for (const one of of) if (one.status === "p") counts.set(classOf(one.value), (counts.get(classOf(one.value)) || 0) + 1);
    const most = Math.max(1, ...counts.values());
    const line = (number, colour, text) => {
      const count = counts.get(number) || 0;
      const bar = node("td", {}, node("span", { class: "bar", style: `width:${Math.round((count / most) * 50)}px` }), String(count));
      return node("tr", {}, node("td", {}, swatch([[10, paint(colour, 1)]])), node("td", {}, swatch([[10, paint(colour, 0.38)], [5, data.shape === "lines" ? `stroke:${colour};stroke-width:1.5px` : `fill:${colour}`, "core"]])), node("td", {}, early(text)), bar);
    };
    const lines = layer.key.map((text, i) => i - layer.heaps.length).map((number, i) => (number < 0 ? line(-1, "#ffffff", layer.key[i]) : line(number, layer.colours[number], layer.key[i])));
    // what stands at the upper end comes last; on the ground of the map white is seen as a number
    const high = layer.heaps.filter((heap) => heap >= layer.limits.at(-1)).length;
    lines.push(...lines.splice(layer.heaps.length - high, high));
    const rest = [
      ["s", said(data.words.left), [[10, data.shape === "lines" ? "stroke:var(--hatch);stroke-dasharray:3 6;stroke-width:3px" : "fill:url(#hatch);stroke:var(--hatch)"]]],
      ["n", say("no information"), [[10, "fill:none;stroke-width:1.5px"]]],
    ].filter(([status]) => of.some((one) => one.status === status)).map(([status, text, look]) => node("tr", {}, node("td", {}, swatch(look)), node("td", {}), node("td", {}, text), node("td", {}, String(of.filter((one) => one.status === status).length))));
    const absent = everywhere.reduce((sum, found) => sum + found.filter((row) => row < 0).length, 0);
    if (absent && !data.levels) rest.push(node("tr", {}, node("td", {}, swatch([[10, "fill:none;stroke-dasharray:2 2"]])), node("td", {}), node("td", {}, say("not in this release")), node("td", {}, String(absent))));
    const body = node("tbody", {}, ...lines, ...rest);
    const rowName = data.shape ? say("rows") : say("hexagon slots");
    const countedIn = { minutes: say("minutes"), number: say("number") }[layer.key_unit] ?? said(layer.key_unit);
    const head = node("thead", {}, node("tr", {}, ...[say("surer"), say("less sure"), countedIn, rowName].map((text) => node("th", { scope: "col" }, text))));
    const values = of.filter((one) => one.status === "p").map((one) => one.value);
    const wide = layer.reach[1] - layer.reach[0];
    const [lowest, highest] = values.length ? [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits(wide))) : [];
    const stay = layer.raw ? say("Classes are fitted to this release and stay the same for raw numbers.") : say("Classes are fitted to this release.");
    const without = now().table.places.filter((place) => !place.cells.length).length;
    byId("key").replaceChildren(node("h2", {}, heading()), node("table", {}, head, body), node("p", { class: "soft" }, [
      say("Faded with a small core: the range is wider than {width}{unit}.", { width: layer.unsure, unit: unit() }),
      lowest && say("Lowest {lowest}, highest {highest}.", { lowest, highest }), stay,
      without && say("Without a line: {without} of {places}, in {path}.", { without, places: now().table.places.length, path: now().table.path }),
    ].filter(Boolean).join(" ")));
  }

  // What is early says so without a minus.
  const early = (text) => (text === "all" ? say("all") : text.includes("early") ? said(text).replace(/-(?=\d)/g, "").replace(/^under/, "more than") : said(text));

  // `10.000 to 20.000` as people write it
  const plain = (text) => text.replace(/(\.\d*?)0+(?=$|[ ,])/g, "$1").replace(/\.(?=$|[ ,])/g, "");

  // What tells rows of one place and slot apart: labels of groups, and what the statistic itself is of, if anything.
  function labelsOf(number) {
    const { labels } = now().table;
    if (!labels) return { groups: "", own: "" };
    const names = labels.name.split(", "), last = names[names.length - 1];
    const parts = labels.values[number].split(", ").map((text) => (({ weekday: say("weekday"), weekend: say("weekend") })[text] ?? text));
    const own = labels.unit || last === "percentile" || last === "range" ? plain(parts.pop()).replace(/^(\S+) to (\S+)$/, (_, start, end) => fromTo(start, end)) : "";
    const option = [...parts, ...(own ? [labels.unit ? `${own} ${labels.unit}` : own] : [])].join(", ");
    if (own) names.pop();
    const groups = names.length === parts.length ? parts.map((text, i) => (names[i] === "day_kind" ? text : `${words(names[i])} ${text}`)) : parts;
    return { groups: groups.join(", "), own: own && labels.unit ? `${own} ${labels.unit}` : own, option };
  }

  const words = (name) => name.replace(/_/g, " ");
  const groupText = () => labelsOf(state.label).groups;

  const isCurve = () => now().table.statistic.startsWith("cdf");
  const isPercentile = () => Boolean(now().table.labels?.name.endsWith("percentile"));
  const records = () => (/^cdf_of/.test(now().table.statistic) ? say("records of an average {one}") : say("records"));
  const ofRecords = (percent) => (percent === "50" ? say("half of the records") : say("{percent} of 100 records", { percent }));

  function statisticText() {
    const { table, layer } = now(), { own } = labelsOf(state.label);
    if (isCurve()) return say("Share of {records} at or below {limit}", { records: records(), limit: own });
    if (isPercentile()) return own === "mean" ? say("Mean from shares") : say("What {records} do not exceed", { records: ofRecords(own) });
    if (table.statistic === "share") return say("Share of records from {range}", { range: own });
    const name = texts[table.title] ?? table.title.replace(/ (of|in) every .*$/, "").replace(/,$/, "");
    if (layer.moves) return say("Mean speed");
    const measure = layer === table.layers[0] ? say("Mean") : say("Variance");
    if (table.statistic === "mean_variance") return texts[table.title] ? `${name}: ${measure}` : name.replace(/^Mean and variance/, measure);
    if (table.statistic === "query2") return say("{Many} a day above {limit}", { limit: own });
    return own ? `${name}, ${words(table.labels.name.split(", ").pop())} ${own}` : name;
  }

  const inBrackets = () => (groupText() ? ` (${groupText()})` : "");
  const titleText = () => statisticText() + inBrackets();
  const heading = () => titleText() + (now().layer.unit ? `, ${said(now().layer.unit)}` : "");

  // Small maps

  function showMultiples() {
    const { slots } = now().table;
    byId("small").hidden = slots.length < 2;
    if (slots.length < 2) return;
    const step = Math.ceil(slots.length / MOST_PICTURES);
    const shown = [...(first() === ALL ? [ALL] : []), ...slots.map((_, slot) => slot).filter((slot) => slot % step === 0)];
    byId("multiples").replaceChildren(...shown.map((slot) => {
      const svg = draw("svg", { viewBox: `${box.x} ${box.y} ${box.w} ${box.h}`, "aria-hidden": "true" });
      const parts = new Map();
      const add = (style, name, cell, d) => {
        const key = `${style}|${name}|${levelOf(cell)}`;
        parts.set(key, (parts.get(key) || "") + d);
      };
      data.cells.forEach((_, cell) => {
        const one = of(cell, slot);
        const { class: name, ...rest } = paintOf(one);
        if (one.status !== "o" && levelOf(cell)) add("", "back", cell, path(cell));
        if (one.status !== "o" || data.shape === "lines") add(Object.entries(rest).map(([key, value]) => `${key}:${value}`).join(";"), name, cell, path(cell));
        const core = coreOf(one, cell);
        if (core) add(core.style || `fill:${core.fill}`, core.class, cell, core.d);
      });
      for (const [key, d] of parts) {
        const [style, name] = key.split("|");
        svg.append(draw("path", { d, style, class: name }));
      }
      const name = slot === ALL ? say("All") : now().table.periods ? now().table.periods[slot] : clock(slots[slot][0]);
      const button = node("button", { type: "button", "aria-pressed": String(slot === state.slot), "aria-label": slot === ALL ? capital(say("all hours")) : hours(slot) }, node("span", {}, name), svg);
      button.dataset.slot = slot;
      button.addEventListener("click", () => change({ slot }));
      return button;
    }));
  }

  // Sentences

  const titled = () => layers.findIndex(({ table, layer }) => !table.labels && layer.moves);
  const windowText = () => fromTo(...data.period.hours);

  // Which days and hours: each day only where every day counts.
  function when(time) {
    const byDay = now().table.labels && now().table.labels.name.split(", ").includes("day_kind");
    const fields = { dates: dates(), hours: time };
    if (data.period.first === data.period.last) return say("on {dates}, {hours}", fields);
    return byDay || data.words.gaps ? say("from {dates}, {hours}", fields) : say("from {dates}, {hours} each day", fields);
  }

  // Numbers whose range is wider than half of all that there can be say next to nothing.
  function isNoise(one) {
    const { ends } = now().layer;
    return ends[1] !== null && 2 * one.width > ends[1] - ends[0];
  }

  function timeOf(cell) {
    const { table } = now();
    if (cell < 0) return spans();
    if (state.slot === ALL) return spans(table.slots.filter((_, slot) => ofRow(everywhere[cell][slot]).status === "p"));
    const row = everywhere[cell][state.slot];
    return hours(table.first[row], table.last[row]);
  }

  function sentence(cell = -1) {
    if (cell < 0 && !now().layer.averages) return null;
    const one = cell < 0 ? network(ALL) : of(cell);
    if (one.status !== "p" || (cell < 0 && isNoise(one))) return null;
    const subject = claim(one, cell);
    const span = isCurve() || ["share", "query2"].includes(now().table.statistic) ? say("between {low} and {high}{unit}", { low: range(one)[0], high: range(one)[1], unit: "" }) : between(one);
    return { one, text: say("{claim} ({range}) {when}.", { claim: subject, range: span, when: when(timeOf(cell)) }), short: `${subject}, ${dates()}` };
  }

  // What a number says, without its range; of the whole network for no cell.
  function claim(one, cell) {
    const { table, layer } = now(), { own } = labelsOf(state.label), whole = cell < 0;
    const name = whole ? "" : called(cell), at = data.shape || whole || regionOf(cell) ? name : say("hexagon {name}", { name });
    const groups = inBrackets(), region = (place) => (whole && data.region ? say("{place} in {region}", { place, region: data.region }) : place) + groups;
    const value = `${figure(one)}${unit()}`, bare = figure(one), place = at + groups, limit = own;
    if (isCurve()) return say("In {place} about {value} of 100 {records} were at or below {limit}", { place: whole || (several() && state.slot === ALL) ? region(average(at)) : place, value: bare, records: records(), limit });
    if (isPercentile() && own !== "mean") return say("In {place} {records} were at or below about {value}", { place, records: ofRecords(own), value });
    if (table.statistic === "share") return say("In {place} about {value} of 100 records were at {range}", { place: (at || data.region || say("the whole network")) + groups, value: bare, range: own });
    if (table.statistic === "query2") return say("In {place} about {value} {many} a day were above {limit} at least once", { place, value: bare, limit });
    if (layer.moves && at) return say("{Many} drove in {place} at about {value}", { place, value });
    if (layer.moves) return data.region ? say("{Many} in {place} drove at about {value}", { place: data.region + groups, value }) : say("{Many}{groups} drove at about {value}", { groups, value });
    const what = titleText();
    if (at || (whole && data.region)) return say("{what} in {place}: about {value}", { what, place: at || data.region, value });
    return say("{what}: about {value}", { what, value });
  }

  // Places and timeslots of a distribution count alike in its mean: how many records each has is not published.
  function average(place) {
    if (place) return say("an average timeslot of {place}", { place });
    if (data.shape === "lines") return several() ? say("an average route and time of day") : say("an average route");
    if (data.shape) return several() ? say("an average place and time of day") : say("an average place");
    return several() ? say("an average hexagon and time of day") : say("an average hexagon");
  }

  // A difference that the title says, with the hours that its rows are of, where it does not name its own.
  function quoted(text) {
    if (data.texts) return said(text);
    const own = /from \d+:\d\d to /.test(text);
    return text.replace(/, \d+:\d\d to \d+:\d\d( each day)?\.$/, (_, daily) => (own ? "." : `, ${spans()}${daily || ""}.`));
  }

  function showHead() {
    const others = Object.entries(data.words.pages ?? {}).filter(([code, page]) => code !== data.language && /^(map|report)(\.[a-z]{2})?\.html$/.test(page));
    const links = others.flatMap(([code, page]) => [" · ", node("a", { href: page, lang: code, hreflang: code }, new Intl.DisplayNames([code], { type: "language" }).of(code))]);
    byId("kicker").replaceChildren(`${data.title} · ${say("published by {publisher}, {date}", { publisher: data.publisher, date: dayInWords(data.published_on) })}`, ...links);
    byId("practice").textContent = said(data.practice);
    byId("practice").hidden = !data.practice;
    const claimed = titled() === state.layer || isCurve() ? sentence() : null;
    if (!byId("title").textContent) byId("title").textContent = said(data.compared?.title) ?? (claimed ? claimed.short : `${data.title}, ${dates()}`);
    document.title = byId("title").textContent;
    const km = (Math.sqrt(area(shapes[0][0])) * 1.07).toFixed(1), groups = inBrackets();
    const across = data.shape || data.levels ? "" : `, ${data.cells.length > 1 ? say("each about {km} km across", { km }) : say("about {km} km across", { km })}`;
    const slots = `, ${several() ? say("slot by slot from {hours}", { hours: spans() }) : spans()}`;
    const what = now().layer.moves ? say("Mean speed of {many}{groups}", { groups }) : isCurve() ? say("How many of 100 {records} were at or below {limit}{groups},", { records: records(), limit: labelsOf(state.label).own, groups }) : titleText();
    byId("lead").textContent = `${say("{what} in {places}{across}{slots}.", { what, places: kind(data.cells.length), across, slots })} ${said(data.words.noise)}`;
  }

  // Comparisons that were fixed before there was a number
  function showDifferences() {
    const { compared } = data;
    byId("differences").hidden = !compared;
    if (!compared) return;
    byId("note").textContent = said(compared.note);
    byId("cards").replaceChildren(...compared.cards.map((card) => node("article", {}, node("h3", {}, said(card.heading)), node("p", { class: card.clear ? "figure" : "figure open" }, said(card.figure)), node("p", {}, node("strong", {}, said(card.range))), node("p", { class: "soft" }, `${card.clear ? "●" : "○"} ${said(card.chance)}`), node("p", { class: "soft" }, said(card.detail)))));
  }

  function area(ring) {
    return Math.abs(ring.reduce((sum, [x, y], i) => {
      const [u, v] = ring[(i + 1) % ring.length];
      return sum + x * v - u * y;
    }, 0)) / 2;
  }

  function refusal(own, above) {
    if (!own) return say("There is no number of your place to quote.");
    const ways = [first() === ALL && state.slot !== ALL && say("choose All hours"), above && say("quote the sentence above")].filter(Boolean).join(`, ${say("or")} `);
    return ways ? say("The range of your place is too wide for it to be quoted alone: {ways}.", { ways }) : say("The range of your place is too wide for it to be quoted alone.");
  }

  function showQuote() {
    const { layer } = now();
    const whole = sentence();
    const own = state.cell < 0 ? null : sentence(state.cell);
    const good = own && own.one.width <= layer.reach[1] - layer.reach[0] && !isNoise(own.one);
    const difference = now().table.statistic === "mean" && (!data.texts || spans() === windowText()) && data.compared?.quotation;
    byId("quote").textContent = good ? own.text : difference ? quoted(difference) : whole ? whole.text : !numbered().length ? say("There is no number to quote.") : layer.averages ? say("The range of the whole network is too wide for it to be quoted.") : say("These are numbers of single places: the whole network has none.");
    byId("source").textContent = said(data.words.source);
    byId("refused").textContent = state.cell < 0 ? say("Select a place on the map and a sentence about it appears here.") : good ? "" : refusal(own, difference || whole);
  }

  const numbered = () => rows.map(ofRow).filter((one) => one.status === "p");

  // How wide the shown range is; fading goes by the width before a range was cut.
  function typical(found) {
    const sorted = found.filter((one) => one.status === "p").map((one) => one.high - one.low).sort((one, other) => one - other);
    return sorted.length ? sorted[sorted.length >> 1] : 0;
  }

  // From low to high without the outermost, of the rows of one label
  function spreadOf(found) {
    const sorted = found.filter((one) => one.status === "p").map((one) => one.value).sort((one, other) => one - other);
    const at = (part) => sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1];
    return sorted.length ? at(0.95) - at(0.05) : 0;
  }

  function showSure() {
    const { layer } = now();
    const slot = typical(rows.map(ofRow)), all = typical(data.cells.map((_, cell) => of(cell, first())));
    const spread = now().table.labels ? spreadOf(rows.map(ofRow)) : layer.reach[1] - layer.reach[0];
    // errors of shares are read in percentage points
    const scale = layer.unit ? 1 : 100, points = layer.unit && layer.unit !== "%" ? unit() : ` ${say("percentage points")}`;
    const known = (where, width) => {
      const half = rounded(width * scale / 2, digits(width * scale / 2), Math.ceil);
      if (layer.ends[1] !== null && 2 * half >= (layer.ends[1] - layer.ends[0]) * scale) return say("A typical range of {where} covers every possible number: such a number says next to nothing.", { where });
      return say("{where} is typically known to within ±{half}{unit}.", { where: capital(where), half, unit: points });
    };
    const sure = first() === ALL ? [known(say("one place over all hours"), all), known(say("one place in one slot"), slot)] : [known(say("one place in one timeslot"), slot)];
    const lines = [
      [said(data.words.ranges), ...(slot ? sure : [])].join(" "),
      numbered().length > 1 && `${say("The numbers of places differ by about {spread}{unit} from low to high, noise included.", { spread: (spread * scale).toFixed(digits(spread * scale)), unit: points })}${slot > spread ? ` ${say("The range of one place in one slot is wider than that: trust the pattern, not one place.")}` : ""}`,
    ].filter(Boolean);
    if (layer.raw) lines.push(say("Ranges of smoothed numbers hold less often where it is unusually fast or slow: there use raw."));
    if (first() === ALL && !isRaw()) lines.push(say("The range of all hours is the mean of the ranges of its slots, and reaches to what its raw numbers say: mostly wider than it need be."));
    lines.push(said(data.words.nothing));
    byId("sure").replaceChildren(...lines.map((text) => node("li", {}, text)));
  }

  function showMade() {
    const { privacy } = data;
    const lines = [[say("What is protected"), capital(said(privacy.protected))], [say("What is public"), capital(privacy.open.map(said).join("; "))], [say("How strongly"), capital(said(privacy.meaning[0] ?? ""))], [say("In practice"), said(privacy.meaning[1])]];
    byId("made").replaceChildren(...lines.filter(([, text]) => text).map(([name, text]) => node("li", {}, node("strong", {}, `${name}: `), /[.।]$/.test(text) ? text : say("{sentence}.", { sentence: text }))));
  }

  function showFacts() {
    const { privacy, period, licence } = data;
    const delta = (privacy.delta === "0" ? "" : `, delta ${privacy.delta}`) + (privacy.mu ? `, mu ${privacy.mu}` : "");
    let terms = licence.title;
    if (/^https?:\/\//.test(licence.url)) terms = node("a", { href: licence.url, rel: "noreferrer" }, licence.title);
    const facts = [
      [say("Publisher"), `${data.publisher}, ${data.contact}`], [say("Release"), `${data.release}, ${dayInWords(data.published_on)}`],
      [say("Period"), `${dates()}, ${windowText()} (${period.zone})`], [say("Licence"), terms],
      [say("Privacy"), say("epsilon {epsilon}{delta} per {one}, relation {relation}", { epsilon: privacy.epsilon, delta, relation: privacy.relation })],
      [say("Numbers"), data.tables.map((table) => `${table.path}, ${table.start === undefined ? count(table.place.length, "{n} row", "{n} rows") : count(table.place.length, "{n} row of it shown here", "{n} rows of it shown here")}`).join("; ")],
    ];
    byId("facts").replaceChildren(...facts.flatMap(([name, value]) => [node("dt", {}, name), node("dd", {}, value)]));
  }

  function showTable() {
    const place = byId("table");
    place.querySelector(".scroll")?.remove();
    if (!place.open) return;
    const { table } = now();
    const head = [say("place"), say("timeslot"), numbers() === now().layer && now().layer.raw ? say("smoothed") : say("number"), say("range"), ...(table.effective ? [say("effective {many}")] : [])];
    const lines = rows.slice(0, MOST_ROWS).map((row) => {
      const one = ofRow(row);
      const cells = [named(table.places[table.place[row]].name), hours(table.first[row], table.last[row]), ...(one.status === "p" ? [`${figure(one)}${unit()}`, between(one), ...(table.effective ? [one.effective] : [])] : [says(one)])];
      return node("tr", {}, ...cells.map((text) => node("td", {}, String(text))));
    });
    const more = rows.length > MOST_ROWS ? [node("caption", {}, say("The first {most} of {rows} rows; all are in {path}.", { most: MOST_ROWS, rows: rows.length, path: table.path }))] : [];
    place.append(node("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("Numbers") }, node("table", {}, ...more, node("thead", {}, node("tr", {}, ...head.map((text) => node("th", { scope: "col" }, text)))), node("tbody", {}, ...lines))));
  }

  // Controls

  function select(name, options, chosen, change) {
    if (options.length < 2) return [];
    const made = node("select", { id: name }, ...options.map((text, number) => node("option", { value: number }, text)));
    made.value = chosen;
    made.addEventListener("input", () => change(Number(made.value)));
    return [node("label", {}, name === "layer" ? say("number") : labelName(), made)];
  }

  function labelName() {
    const names = now().table.labels.name.split(", ");
    if (isCurve()) names[names.length - 1] = say("at or below");
    if (now().table.statistic === "query2") names[names.length - 1] = say("above");
    return names.map((name) => said(words(name))).join(", ");
  }

  function showControls() {
    const { table, layer } = now();
    byId("choices").replaceChildren(
      ...select("layer", layers.map((one) => said(one.table.title) + (one.table.layers.length > 1 ? `: ${one.layer.name}` : "")), state.layer, (number) => change({ layer: number, label: -1 })),
      ...select("label", table.labels ? table.labels.values.map((_, number) => labelsOf(number).option) : [], state.label, (label) => change({ label })));
    byId("choices").hidden = !byId("choices").children.length;
    byId("hours").hidden = !several();
    byId("slot").min = first();
    byId("slot").max = table.slots.length - 1;
    byId("slot").value = state.slot;
    byId("slot").setAttribute("aria-valuetext", time());
    byId("time").textContent = capital(time());
    byId("earlier").disabled = state.slot === first();
    byId("later").disabled = state.slot === table.slots.length - 1;
    byId("switch").hidden = !layer.raw;
    byId("borrow").textContent = said(data.words.smoothed);
    byId("smoothed").setAttribute("aria-pressed", String(!state.raw));
    byId("raw").setAttribute("aria-pressed", String(state.raw));
    byId("map").setAttribute("aria-label", `${say("Map")}: ${heading()}, ${time()}`);
  }

  // Of the first group; of a distribution what its data say, of percentiles the median, else the middle.
  function usual() {
    if (now().table.start !== undefined) return now().table.start;
    const found = now().table.labels.values.map((_, number) => ({ number, ...labelsOf(number) }));
    const mine = found.filter((one) => one.groups === found[0].groups && one.own !== "mean");
    return (mine.find((one) => isPercentile() && one.own === "50") ?? mine[mine.length >> 1]).number;
  }

  // Whatever changes, all that shows it is made anew.
  function change(wanted) {
    Object.assign(state, wanted);
    const { table } = now();
    state.slot = Math.max(first(), Math.min(state.slot, table.slots.length - 1));
    if (table.labels) state.label = state.label < 0 ? usual() : Math.min(state.label, table.labels.values.length - 1);
    const anew = "layer" in wanted || "label" in wanted;
    if (anew) index();
    showControls();
    paint();
    showDetail();
    if (anew || "raw" in wanted) {
      showKey();
      showMultiples();
      showSure();
      showTable();
    }
    if (anew) showHead();
    for (const button of byId("multiples").children) button.setAttribute("aria-pressed", String(Number(button.dataset.slot) === state.slot));
    showQuote();
    remember();
    byId("live").textContent = state.cell < 0 ? `${capital(time())}${isRaw() && now().layer.raw ? `, ${say("raw")}` : ""}` : spoken(state.cell, of(state.cell));
  }

  function step(cell, x, y) {
    if (cell < 0) return data.cells.length - 1;
    const [from, up] = middle(cell);
    let best = cell, least = Infinity;
    data.cells.forEach((_, other) => {
      const [to, down] = middle(other);
      const along = (to - from) * x + (down - up) * y, across = Math.abs((to - from) * y) + Math.abs((down - up) * x);
      if (other !== cell && along > 1e-6 && along + 2 * across < least && along >= across * 0.5) [best, least] = [other, along + 2 * across];
    });
    return best;
  }

  function press(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const last = now().table.slots.length - 1;
    const slots = { PageUp: Math.max(first(), state.slot - 1), PageDown: Math.min(last, state.slot + 1), Home: first() };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (arrows[event.key]) {
      state.kept = false;
      choose(step(state.cell, ...arrows[event.key]));
      byId("live").textContent = spoken(state.cell, of(state.cell));
    } else if (event.key in slots) change({ slot: slots[event.key] });
    else if ((event.key === "Enter" || event.key === " ") && state.cell >= 0) keep(state.cell);
    else if (event.key === "Escape") { state.kept = false; choose(-1); }
    else if (event.key.toLowerCase() === "r" && now().layer.raw) change({ raw: !state.raw });
    else return;
    event.preventDefault();
  }

  // The address opens a state, for links from articles

  function remember() {
    const parts = [];
    if (state.slot !== first()) parts.push(`hour=${now().table.slots[state.slot][0]}`);
    if (state.kept && state.cell >= 0) parts.push(`hexagon=${encodeURIComponent(data.cells[state.cell])}`);
    if (state.raw) parts.push("raw=1");
    history.replaceState(null, "", parts.length ? `#${parts.join("&")}` : location.pathname + location.search);
  }

  function recall() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const slot = now().table.slots.findIndex(([start]) => start === asked.get("hour"));
    const cell = data.cells.indexOf(asked.get("hexagon"));
    return { slot: slot < 0 ? ALL : slot, cell, kept: cell >= 0, raw: asked.get("raw") === "1" };
  }

  async function copy() {
    const text = `${byId("quote").textContent} ${byId("source").textContent}`;
    const done = (good) => { byId("copy").textContent = good ? say("Copied") : say("Select the sentence and copy it by hand"); };
    try {
      await navigator.clipboard.writeText(text);
      done(true);
    } catch {
      const area = node("textarea", { style: "position:fixed;opacity:0" });
      area.value = text;
      document.body.append(area);
      area.select();
      done(document.execCommand("copy"));
      area.remove();
    }
  }

  function start() {
    state.layer = Math.max(0, titled());
    prepare();
    change({ layer: state.layer, label: -1, ...recall() });
    showMade();
    showFacts();
    showDifferences();
    byId("slot").addEventListener("input", () => change({ slot: Number(byId("slot").value) }));
    byId("earlier").addEventListener("click", () => change({ slot: state.slot - 1 }));
    byId("later").addEventListener("click", () => change({ slot: state.slot + 1 }));
    byId("smoothed").addEventListener("click", () => change({ raw: false }));
    byId("raw").addEventListener("click", () => change({ raw: true }));
    byId("copy").addEventListener("click", copy);
    byId("table").addEventListener("toggle", showTable);
    document.documentElement.dataset.ready = String(nodes.length);
  }

  start();
  return { change, state, says: (cell) => says(of(cell)), of: (cell) => of(cell), data };
})();
