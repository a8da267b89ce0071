// The map page: holds the hexagons, paints them, tells Python what was clicked.
// Python calls hexveil.paint, select, mark, markView, boundary, describe, theme, fit and zoom; texts come from Python, already translated.
"use strict";

const hexveil = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LOOKS = { s: "suppressed", o: "outside", u: "unknown" };
  const LEGEND_ROOM = 224;
  const LEGEND_HEIGHT = 215;
  // Where it is closer, on a map that is too narrow for anything beside it, or lower than that.
  const CLOSE_LEGEND_HEIGHT = 144;
  // On a lower map the legend gives way to the city: it is closer there.
  const ROOMY_HEIGHT = 540;
  const LEAST_BESIDE = 400;
  const LEGEND_AIR = 14;
  const BADGE_EDGE = 52;
  const LEAST_SIZE = 100;
  const LOW = 320;
  const LEAST_LEGEND = 120;
  const SCALE_ROOM = 150;
  const SCALE_HEIGHT = 44;
  const ZOOM_WIDTH = 52;
  const BETWEEN = 24;
  const cells = [];
  const places = new Map();
  let map, bounds, shown, bridge, legend, brush, graticule, options, painting, looks, chosen, chosenCell, hovered, tooltip, own;
  const edges = { region: null, boundary: null };
  let covered = { right: 0, left: 0, bottom: 0 };
  let following = true;
  // Pixels that the legend may be high: where its place lies below the city, what is free there.
  let legendHeight = Infinity;
  // Pixels below the city that a higher legend than usual asked for.
  let wantedBelow = 0;
  // The chosen hexagon was brought out beside its card, and nobody has moved the map since.
  let revealed = false;
  // How far it was moved for that since then, in pixels.
  let shift = null;
  // The place that was searched for: where it is, and its hexagon.
  let found = null;
  let fitting = false;

  // Before the hexagons are added.
  // corners: of all of them; first: of those to begin with, so that a stray one moves nothing.
  function view(leafletMap, corners, first) {
    map = leafletMap;
    bounds = corners;
    show(first || corners);
  }

  function start(layer, given) {
    options = given;
    layer.eachLayer((hexagon) => {
      places.set(hexagon.feature.id, cells.length);
      const { id } = hexagon.feature;
      const line = hexagon.feature.geometry.type === "LineString";
      const level = /^8[0-9a-f]{14}$/.test(id) ? parseInt(id[1], 16) : 0;
      cells.push({ id, level, hexagon, path: hexagon.getElement(), shape: "outside", line });
      if (line) hexagon.getElement().setAttribute("class", classOf("outside", true));
    });
    describeContainer();
    addPanes();
    own = hexveilOverlays.create(map);
    addControls();
    addHatch();
    brush = hexveilBrush.create(map, cells, (ids) => bridge && bridge.cellsMarked(ids.join("\u001f")));
    listen(layer);
    scaleOutlines();
    connect();
  }

  function listen(layer) {
    layer.on("click", (event) => {
      const id = event.layer.feature.id, original = event.originalEvent;
      if (bridge) original.ctrlKey || original.metaKey ? bridge.cellToggled(id) : bridge.cellClicked(id);
    });
    layer.on("mouseover", (event) => enter(event.layer, event.latlng));
    layer.on("mousemove", (event) => tooltip.setLatLng(event.latlng));
    layer.on("mouseout", leave);
    map.on("movestart zoomstart", () => {
      following = following && fitting;
      revealed = revealed && fitting;
      if (!fitting) shift = null;
    });
    map.on("resize", () => requestAnimationFrame(() => {
      if (following) {
        show(shown);
        arrange();
      }
      if (following || revealed) reveal();
    }));
    map.on("resize", arrange);
    map.on("zoomend", scaleOutlines);
  }

  function connect() {
    new QWebChannel(qt.webChannelTransport, (channel) => {
      bridge = channel.objects.bridge;
      bridge.pageReady(options.page);
    });
  }

  function describeContainer() {
    const container = map.getContainer();
    container.setAttribute("role", "application");
    container.setAttribute("aria-label", options.texts.label);
  }

  function addPanes() {
    map.createPane("hexveil-boundary").style.zIndex = 430;
    map.createPane("hexveil-hovered").style.zIndex = 440;
    map.createPane("hexveil-chosen").style.zIndex = 450;
    tooltip = L.tooltip({ direction: "auto", offset: [14, 0], opacity: 1, className: "hexveil-tooltip" });
  }

  function addControls() {
    const texts = options.texts;
    const zoom = L.control.zoom({
      position: "topleft", zoomInTitle: texts.zoomIn, zoomOutTitle: texts.zoomOut,
    }).addTo(map);
    zoom.getContainer().append(fitButton(texts.fit));
    addScale();
    hexveilLegend.addNorth(map, texts);
    legend = hexveilLegend.create(map, texts, (fill, add) => bridge && bridge.classMarked(fill, add), options.places);
    graticule = hexveilGraticule.add(map, texts);
  }

  // On a low map the city takes its whole height, and a long scale would lie over its lower corner.
  function addScale() {
    const scale = L.control.scale({ position: "bottomleft", imperial: false });
    const bound = () => { scale.options.maxWidth = map.getSize().y < LOW ? 84 : 120; };
    bound();
    map.on("move", bound);  // before the scale, which is drawn then too
    scale.addTo(map);
  }

  function fitButton(title) {
    const button = document.createElement("a");
    button.href = "#";
    button.title = title;
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", title);
    button.className = "hexveil-fit";
    const icon = document.createElementNS(SVG, "svg");
    icon.setAttribute("viewBox", "0 0 16 16");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10");
    icon.append(path);
    button.append(icon);
    L.DomEvent.disableClickPropagation(button);
    L.DomEvent.on(button, "click", (event) => { L.DomEvent.preventDefault(event); fit(); });
    return button;
  }

  function addHatch() {
    if (!cells.length) return;
    const defs = document.createElementNS(SVG, "defs");
    defs.append(hexveilHatch.pattern("hexveil-hatch"));
    cells[0].path.ownerSVGElement.prepend(defs);
  }

  // The legend's place is kept free beside or below the city where the window is wide enough, whichever leaves
  // more room; the scale's where it is high enough.
  function show(corners) {
    if (!corners) return;
    shown = corners;
    const size = map.getSize();
    const low = size.y < LOW, high = size.y > 1.5 * LEGEND_HEIGHT;
    const room = high || size.x > LEAST_BESIDE;
    const under = Math.max(wantedBelow, size.x > 2 * LEGEND_ROOM && size.y > ROOMY_HEIGHT ? LEGEND_HEIGHT : CLOSE_LEGEND_HEIGHT);
    shift = null;
    fitting = true;
    // A page that has no size yet holds no corners: their middle will do until it is given one.
    if (size.x < LEAST_SIZE || size.y < LEAST_SIZE) {
      map.setView(L.latLngBounds(shown).getCenter(), 8, { animate: false });
    }
    else {
      const topLeft = [room ? 56 : 16, low ? 17 : 24];
      const beside = [room ? LEGEND_ROOM : 16, low ? 2 : 44];
      const above = [16, under];
      const zoomIn = (corner) => map.getBoundsZoom(shown, false, L.point(topLeft).add(corner));
      const below = room && high && zoomIn(above) > zoomIn(beside);
      map.fitBounds(shown, {
        animate: false, paddingTopLeft: topLeft, paddingBottomRight: below ? above : beside,
      });
      const foot = map.latLngToContainerPoint(L.latLngBounds(shown).getSouthWest()).y;
      legendHeight = below ? Math.max(under, size.y - foot) - LEGEND_AIR : Infinity;
    }
    fitting = false;
    following = true;
  }

  function fit() {
    show(bounds);
    arrange();
  }

  // Outlines as thick as they look good on: a thousand small cells would be all outline otherwise.
  function scaleOutlines() {
    if (!cells.length) return;
    const box = cells[0].hexagon.getBounds();
    const width = map.latLngToLayerPoint(box.getNorthEast()).x - map.latLngToLayerPoint(box.getSouthWest()).x;
    const outline = Math.min(1.25, Math.max(0.25, width / 28));
    map.getContainer().style.setProperty("--outline-width", outline + "px");
  }

  // number: told back once the painting is on the screen.
  function paint(given, number) {
    painting = given;
    const inks = given.classes.map((item) => hexveilEdges.classOn(item.colour));
    const bare = { unknown: [], suppressed: [], outside: [] };
    const looksOf = new Map();
    const levels = [...new Set(cells.map((cell) => cell.level))];
    cells.forEach((cell, i) => {
      const letter = given.fills[i];
      const look = LOOKS[letter] || "value";
      const colour = look === "value" ? given.classes[letter].colour : "";
      const shape = look + (look === "value" ? inks[letter] : "");
      if (shape !== cell.shape) cell.path.setAttribute("class", classOf(shape, cell.line));
      if (colour !== cell.colour) cell.path.style[cell.line ? "stroke" : "fill"] = colour;
      cell.shape = shape;
      cell.colour = colour;
      if (look !== "value") bare[look].push(cell.path);
      looksOf.set(cell, look);
    });
    if (levels.length > 1) stack(looksOf);
    else raise([...bare.outside, ...bare.suppressed, ...bare.unknown]);
    looks = Object.keys(bare).filter((look) => bare[look].length);
    showLegend();
    if (hovered) fillTooltip(hovered.cell);
    requestAnimationFrame(() => requestAnimationFrame(() => { if (bridge) bridge.frame = number; }));
  }

  // A route is a line: its colour is that of its stroke.
  function classOf(shape, line) {
    return `leaflet-interactive hexveil-cell hexveil-${shape}${line ? " hexveil-line" : ""}`;
  }

  // Again as soon as what it tells of is drawn or gone.
  function showLegend() {
    if (!painting) return;
    legend.show(painting, looks, Object.keys(edges).filter((kind) => edges[kind]));
    arrange();
    // A note below its classes makes it higher than usual: the city moves up, unless somebody moved it.
    if (!following || legend.height() <= legendHeight) return;
    wantedBelow = legend.height() + LEGEND_AIR;
    show(shown);
    arrange();
  }

  // A neighbour with a value would paint its own edge over the outline of a cell without one.
  // Small hexagons lie over large ones, and where they have no number the large one shows.
  function stack(looksOf) {
    const order = ["value", "outside", "suppressed", "unknown"];
    const sorted = [...cells].sort((one, other) => one.level - other.level || order.indexOf(looksOf.get(one)) - order.indexOf(looksOf.get(other)));
    for (const cell of cells) cell.path.style.visibility = looksOf.get(cell) === "outside" && cell.level > sorted[0].level ? "hidden" : "";
    raise(sorted.map((cell) => cell.path));
  }

  function raise(paths) {
    if (paths.length) paths[0].parentNode.append(...paths);
  }

  // Outlines above all cells, in a pane of their own: the cells keep their order.
  function outline(hexagon, pane, className) {
    const shape = hexagon.feature.geometry.type === "LineString" ? L.polyline : L.polygon;
    return shape(hexagon.getLatLngs(), {
      pane, className, interactive: false, fill: false, noClip: true, smoothFactor: 0,
    });
  }

  function enter(hexagon, latlng) {
    leave();
    hovered = { cell: hexagon.feature.id, outline: outline(hexagon, "hexveil-hovered", "hexveil-hovered") };
    hovered.outline.addTo(map);
    tooltip.setLatLng(latlng);
    fillTooltip(hovered.cell);
  }

  function leave() {
    if (hovered) hovered.outline.remove();
    hovered = null;
    tooltip.remove();
  }

  function fillTooltip(id) {
    if (!bridge || !painting) return;
    bridge.tooltip(id, (lines) => {
      if (!hovered || hovered.cell !== id) return;
      tooltip.setContent(asText(lines)).addTo(map);
    });
  }

  function asText(lines) {
    const box = document.createElement("div");
    for (const line of lines) {
      const row = document.createElement("div");
      row.textContent = line;
      box.append(row);
    }
    return box;
  }

  function select(id) {
    if (chosen) chosen.remove();
    const place = places.get(id);
    chosen = place === undefined ? null : L.layerGroup(["hexveil-chosen-halo", "hexveil-chosen-line"].map(
      (className) => outline(cells[place].hexagon, "hexveil-chosen", className))).addTo(map);
    if (id !== chosenCell) {
      chosenCell = id;
      reveal();
    }
  }

  // The card that opens does not hide what it tells of: the map moves by as little as that takes, or not at all.
  function reveal() {
    const number = places.get(chosenCell);
    if (number === undefined || !covered.left) return;
    revealed = true;
    const corners = cells[number].hexagon.getBounds(), size = map.getSize();
    const box = L.bounds(map.latLngToContainerPoint(corners.getNorthWest()), map.latLngToContainerPoint(corners.getSouthEast()));
    const place = found && found.cell === chosenCell ? map.latLngToContainerPoint(found.at) : null;
    const way = hexveilReveal.way(
      box, size, covered, boxOf(".hexveil-legend", size), boxOf(".hexveil-badge", L.point(size.x, 0)), place);
    if (way.x || way.y) pan(way.multiplyBy(-1).round());
  }

  // The card is gone, and with it the reason to have moved the map, unless a person moved it since.
  function goBack() {
    if (shift) pan(shift.multiplyBy(-1));
    shift = null;
  }

  // As nobody did it.
  function pan(way) {
    shift = shift ? shift.add(way) : way;
    fitting = true;
    map.panBy(way, { animate: false });
    fitting = false;
  }

  // Of what lies on the map; where it is not seen, a box without a size at its corner.
  function boxOf(selector, corner) {
    const frame = map.getContainer().getBoundingClientRect();
    const box = document.querySelector(selector).getBoundingClientRect();
    if (!box.width) return L.bounds(corner, corner);
    return L.bounds([box.left - frame.left, box.top - frame.top], [box.right - frame.left, box.bottom - frame.top]);
  }

  // Numbers of cells, in the order of the painting.
  function mark(places) {
    brush.show(places);
  }

  function markView() {
    brush.inView();
  }

  // One hexagon large, with its neighbours around it.
  function zoom(id) {
    const place = places.get(id);
    if (place === undefined) return;
    following = false;
    map.fitBounds(cells[place].hexagon.getBounds().pad(1), { animate: false });
    if (id === chosenCell) reveal();
  }

  // Lines of [latitude, longitude]: the boundary, whose file decides what it encloses, and around regions.
  function boundary(chosen, around) {
    drawEdges("region", around);
    drawEdges("boundary", chosen);
    showLegend();
  }

  function drawEdges(kind, lines) {
    if (edges[kind]) edges[kind].remove();
    edges[kind] = lines.length ? L.layerGroup(["halo", "line"].map((part) => L.polyline(
      lines, { pane: "hexveil-boundary", className: `hexveil-${kind}-${part}`, interactive: false }))).addTo(map) : null;
  }

  // In words, for those who hear the page.
  function describe(text) {
    map.getContainer().setAttribute("aria-label", `${options.texts.label}. ${text}`);
  }

  function theme(name) {
    document.documentElement.dataset.theme = name;
    own.restyle();
  }

  // Maps of the analyst's own, from top to bottom.
  function overlays(layers) {
    own.show(layers);
  }

  // A place that was searched for, with its hexagon; alone as near as a reader of names wants to be.
  function locate(latitude, longitude, id) {
    found = { at: [latitude, longitude], cell: id };
    if (places.has(id)) zoom(id);
    else {
      following = false;
      map.setView([latitude, longitude], Math.max(map.getZoom(), 13.5), { animate: false });
    }
    own.mark(latitude, longitude);
  }

  function unlocate() {
    found = null;
    own.unmark();
  }

  // Pixels under what lies over the map: a panel at the right, a card at the left down to its lower edge.
  function cover(right, left, bottom) {
    const before = covered;
    covered = { right, left, bottom };
    arrange();
    if (!left) goBack();
    if (left !== before.left || bottom !== before.bottom || right !== before.right) reveal();
  }

  // Badge, legend and scale move out from under there; what has no room rests, and is never cut.
  function arrange() {
    const box = map.getContainer(), size = map.getSize(), { right, left, bottom } = covered;
    const scaleFrom = bottom > size.y - SCALE_HEIGHT ? left : 0;
    const legendRoom = size.x - Math.max(left, ZOOM_WIDTH) - right - BETWEEN;
    const legendRests = legendRoom < LEAST_LEGEND;
    box.style.setProperty("--covered", `${right}px`);
    box.style.setProperty("--legend-room", `${legendRoom}px`);
    box.style.setProperty("--scale-from", `${scaleFrom}px`);
    box.toggleAttribute("data-legend-rests", legendRests);
    legend.fit(legendHeight);
    placeBadge(box, size);
    const legendWidth = Math.max(LEGEND_ROOM, legend.width() + BETWEEN);
    const taken = right + (legendRests ? 0 : Math.min(legendWidth, legendRoom));
    const scaleRests = size.x - scaleFrom - taken < SCALE_ROOM;
    box.toggleAttribute("data-scale-rests", scaleRests);
    graticule.cover(left, bottom);
  }

  // Left of the north arrow; below it where a card reaches that far, and, closer, below the buttons where a panel does.
  function placeBadge(box, size) {
    for (const name of ["close", "rests"]) box.removeAttribute(`data-badge-${name}`);
    const leftOf = (edge) => size.x - Math.max(edge, 3 + covered.right) - legend.badgeWidth();
    const left = leftOf(BADGE_EDGE);
    const top = left < ZOOM_WIDTH ? 112 : left < covered.left ? 48 : 12;
    box.toggleAttribute("data-badge-close", left < 0 || left < covered.left);
    box.toggleAttribute("data-badge-rests", leftOf(10) < (top < 112 ? covered.left : 0) && top > 12);
    box.style.setProperty("--badge-top", `${top}px`);
    box.style.setProperty("--badge-right", `${Math.max(top > 12 ? 10 : BADGE_EDGE, 3 + covered.right)}px`);
  }

  return {
    view, start, overlays, locate, unlocate, cover, paint, select, mark, markView, boundary, describe, theme, fit, zoom,
  };
})();
