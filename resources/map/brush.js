// Marking hexagons with the mouse: a rectangle drawn with Ctrl held, or all that is in view.
"use strict";

const hexveilBrush = (() => {
  const LEAST = 4;

  // cells: {hexagon, path, id}; tell: is given the ids that a rectangle holds.
  function create(map, cells, tell) {
    const container = map.getContainer();
    let start, box;

    function at(event) {
      const frame = container.getBoundingClientRect();
      return L.point(event.clientX - frame.left, event.clientY - frame.top);
    }

    function begin(event) {
      const control = event.target.closest(".leaflet-control");
      if (event.button !== 0 || control || !(event.ctrlKey || event.metaKey)) return;
      start = at(event);
      // the map must not follow the pointer
      event.stopPropagation();
      event.preventDefault();
      document.addEventListener("mousemove", stretch, true);
      document.addEventListener("mouseup", end, true);
    }

    function stretch(event) {
      const drawn = L.bounds(start, at(event));
      const size = drawn.getSize();
      if (!box && Math.max(size.x, size.y) < LEAST) return;
      if (!box) {
        box = document.createElement("div");
        box.className = "hexveil-brush";
        container.append(box);
      }
      box.style.left = drawn.min.x + "px";
      box.style.top = drawn.min.y + "px";
      box.style.width = size.x + "px";
      box.style.height = size.y + "px";
      event.stopPropagation();
    }

    function end(event) {
      document.removeEventListener("mousemove", stretch, true);
      document.removeEventListener("mouseup", end, true);
      if (!box) return;
      box.remove();
      box = null;
      // the click that follows belongs to the rectangle
      const swallow = (click) => click.stopPropagation();
      container.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => container.removeEventListener("click", swallow, true), 0);
      tell(within(L.bounds(start, at(event))));
    }

    // Those whose middle lies in a rectangle of pixels.
    function within(drawn) {
      const middles = cells.map((cell) => map.latLngToContainerPoint(cell.hexagon.getBounds().getCenter()));
      return cells.filter((_, i) => drawn.contains(middles[i])).map((cell) => cell.id);
    }

    // What is not marked steps back; places: numbers of cells, all of them as they were without any.
    function show(places) {
      const wanted = new Set(places);
      container.toggleAttribute("data-marks", wanted.size > 0);
      cells.forEach((cell, i) => {
        if (cell.marked === wanted.has(i)) return;
        cell.marked = wanted.has(i);
        cell.path.toggleAttribute("data-marked", cell.marked);
      });
    }

    container.addEventListener("mousedown", begin, true);
    return { show, inView: () => tell(within(L.bounds([0, 0], map.getSize()))) };
  }

  return { create };
})();
