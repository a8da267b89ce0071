// The hatch of suppressed hexagons, on the map and in its legend.
"use strict";

const hexveilHatch = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  // Thin lines, because a dense pattern shifts how light a hexagon seems. Pixels.
  const LINE_WIDTH = 1;
  const SPACING = 5;

  function shape(name, attributes) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  function pattern(id) {
    const drawn = shape("pattern", {
      id, width: SPACING, height: SPACING, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    });
    drawn.append(shape("rect", { width: SPACING, height: SPACING, class: "hexveil-hatch-ground" }));
    drawn.append(shape("line", {
      x1: LINE_WIDTH / 2, y1: 0, x2: LINE_WIDTH / 2, y2: SPACING, "stroke-width": LINE_WIDTH, class: "hexveil-hatch-line",
    }));
    return drawn;
  }

  return { shape, pattern };
})();
