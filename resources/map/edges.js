// Edges of hexagons: dark on a light fill and light on a dark one, since no one colour is seen on all classes.
"use strict";

const hexveilEdges = (() => {
  const DARK = "--edge-on-light";
  const LIGHT = "--edge-on-dark";

  // Relative luminance of #rrggbb, as WCAG 2 has it.
  function luminance(colour) {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  // The class that a shape of this fill takes beside its own.
  function classOn(colour) {
    const theme = getComputedStyle(document.documentElement);
    const [dark, light] = [DARK, LIGHT].map((name) => contrast(theme.getPropertyValue(name).trim(), colour));
    return light > dark ? " hexveil-on-dark" : "";
  }

  return { classOn };
})();
