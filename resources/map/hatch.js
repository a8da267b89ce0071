// The hatch of suppressed hexagons, on the map and in its legend.
"use strict";

const hexveilHatch = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function shape(name, attributes) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  // Thin lines, because a dense pattern shifts how light a hexagon seems.
  function pattern(id) {
    const drawn = shape("pattern", {
      id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    });
    drawn.append(shape("rect", { width: 5, height: 5, class: "hexveil-hatch-ground" }));
    drawn.append(shape("line", { x1: 0.5, y1: 0, x2: 0.5, y2: 5, class: "hexveil-hatch-line" }));
    return drawn;
  }

  return { shape, pattern };
})();
