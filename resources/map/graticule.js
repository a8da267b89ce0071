// Meridians and parallels behind the hexagons, with their degrees along the left and upper edge.
"use strict";

const hexveilGraticule = (() => {
  const STEPS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 45];
  const LINES = 5;

  function add(map, texts) {
    map.createPane("hexveil-graticule").style.zIndex = 250;
    const lines = L.layerGroup().addTo(map);
    // Above lines and hexagons, which end at 450; below names, from 460 on.
    const labels = map.createPane("hexveil-degrees");
    labels.style.zIndex = 455;
    labels.classList.add("hexveil-degrees");
    labels.setAttribute("aria-hidden", "true");
    let card = [];

    function step() {
      const bounds = map.getBounds();
      const span = bounds.getEast() - bounds.getWest();
      return STEPS.find((candidate) => span / candidate <= LINES + 1) || STEPS[STEPS.length - 1];
    }

    function multiples(low, high, size) {
      const found = [];
      for (let i = Math.ceil(low / size); i * size <= high; i += 1) found.push(i * size);
      return found;
    }

    function drawLines() {
      lines.clearLayers();
      const wide = map.getBounds().pad(0.5);
      const size = step();
      const style = { pane: "hexveil-graticule", interactive: false, className: "hexveil-graticule-line" };
      for (const lon of multiples(wide.getWest(), wide.getEast(), size)) {
        lines.addLayer(L.polyline([[wide.getSouth(), lon], [wide.getNorth(), lon]], style));
      }
      for (const lat of multiples(wide.getSouth(), wide.getNorth(), size)) {
        lines.addLayer(L.polyline([[lat, wide.getWest()], [lat, wide.getEast()]], style));
      }
    }

    function degrees(value, size, positive, negative) {
      const decimals = Math.max(0, Math.ceil(-Math.log10(size) - 1e-9));
      const letter = value < 0 ? negative : positive;
      return `${Math.abs(value).toFixed(decimals)}° ${letter}`;
    }

    function furniture() {
      const found = map.getContainer().querySelectorAll(".leaflet-control, .hexveil-badge");
      const own = map.getContainer().getBoundingClientRect();
      return [...found].map((node) => node.getBoundingClientRect()).filter((box) => box.width).map(
        (box) => ({ left: box.left - own.left, right: box.right - own.left, top: box.top - own.top, bottom: box.bottom - own.top }))
        .concat(card);
    }

    // A label half behind a button, or half out of the map, says nothing.
    function isFree(taken, side, position) {
      const [x, y] = side === "left" ? [position, 10] : [30, position], size = map.getSize();
      if (x < 30 || x > size.x - 30 || y < 10 || y > size.y - 10) return false;
      return !taken.some((box) => x > box.left - 34 && x < box.right + 34 && y > box.top - 14 && y < box.bottom + 10);
    }

    function label(taken, text, side, position) {
      if (!isFree(taken, side, position)) return;
      const node = document.createElement("span");
      node.className = "hexveil-degree-" + side;
      node.textContent = text;
      node.style[side] = position + "px";
      labels.append(node);
    }

    function drawLabels() {
      const taken = furniture();
      labels.replaceChildren();
      L.DomUtil.setPosition(labels, map.containerPointToLayerPoint([0, 0]));  // its pane moves with the map
      const bounds = map.getBounds();
      const size = step();
      for (const lon of multiples(bounds.getWest(), bounds.getEast(), size)) {
        const turned = ((lon + 540) % 360) - 180;
        label(taken, degrees(turned, size, texts.east, texts.west), "left",
          map.latLngToContainerPoint([bounds.getNorth(), lon]).x);
      }
      for (const lat of multiples(bounds.getSouth(), bounds.getNorth(), size)) {
        label(taken, degrees(lat, size, texts.north, texts.south), "top",
          map.latLngToContainerPoint([lat, bounds.getWest()]).y);
      }
    }

    // A card of the window lies over the map's upper left corner, so wide and so high.
    function cover(right, bottom) {
      card = right ? [{ left: 0, top: 0, right, bottom }] : [];
      drawLabels();
    }

    map.on("zoomstart", () => labels.classList.add("hexveil-away"));
    map.on("moveend", () => { drawLines(); drawLabels(); labels.classList.remove("hexveil-away"); });
    map.on("move", drawLabels);
    drawLines();
    drawLabels();
    return { refresh: drawLabels, cover };
  }

  return { add };
})();
