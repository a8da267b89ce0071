// Maps of the analyst's own under and over the hexagons: tiles of pictures, and tiles drawn here from few numbers.
// Names of features are put in as text, never as markup.
"use strict";

const hexveilOverlays = (() => {
  const ORIGIN = "app://assets/overlay/";
  const SIZE = 256;
  // Sharper than the screen: between whole zooms tiles are shown larger than they are.
  const SHARP = 2;
  const NUMBER_BITS = 16;
  const UNITS = 1024;
  const SLICE = 8; // milliseconds; then the page answers
  const STROKED_TOGETHER = 1500;
  const THIN = 2; // pixels up to which nobody sees the ends of a line
  const [POINTS, LINE, RING, HOLE, BITS] = [0, 1, 2, 3, 4];
  const UNDER = 210;
  const OVER = 410;
  const SPOT = 9; // radius of the ring around a place
  const HALF_NAME = 8; // of the height of a name
  const FARTHER_OUT = 2; // zooms at which pictures are shown smaller than they are

  const waiting = [];
  let working = false;

  // One tile after the other, each in slices.
  function work() {
    const until = performance.now() + SLICE;
    while (waiting.length && performance.now() < until) {
      if (waiting[0].next().done) waiting.shift();
    }
    working = waiting.length > 0;
    if (working) setTimeout(work);
  }

  function queue(drawing) {
    waiting.push(drawing);
    if (!working) {
      working = true;
      setTimeout(work);
    }
  }

  function* records(numbers) {
    for (let at = 0; at + 1 < numbers.length;) {
      const count = numbers[at + 1];
      yield [numbers[at], at + 2, at + 2 + 2 * count];
      at += 2 + 2 * count;
    }
  }

  function trace(brush, numbers, from, to) {
    brush.moveTo(numbers[from], numbers[from + 1]);
    for (let at = from + 2; at < to; at += 2) brush.lineTo(numbers[at], numbers[at + 1]);
  }

  function* draw(canvas, numbers, look, finished) {
    const brush = canvas.getContext("2d");
    const scale = (SIZE * SHARP) / UNITS;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, canvas.width, canvas.height);
    brush.setTransform(scale, 0, 0, scale, 0, 0);
    const pixel = UNITS / SIZE;
    brush.imageSmoothingEnabled = false;
    if (look.width > THIN) brush.lineJoin = brush.lineCap = "round";
    brush.lineWidth = look.width * pixel;
    brush.strokeStyle = look.line;
    brush.fillStyle = look.inside;
    let area = false;
    let traced = 0;
    const finishArea = () => {
      if (!area) return;
      if (look.fill) brush.fill("evenodd");
      brush.stroke();
      area = false;
    };
    const stroke = () => {
      if (traced) brush.stroke();
      traced = 0;
    };
    for (const [kind, from, to] of records(numbers)) {
      if (kind !== HOLE) finishArea();
      if (kind === RING || kind === HOLE) {
        if (kind === RING) brush.beginPath();
        trace(brush, numbers, from, to);
        brush.closePath();
        area = true;
      } else if (kind === LINE) {
        if (!traced) brush.beginPath();
        trace(brush, numbers, from, to);
        traced += (to - from) / 2;
        if (traced < STROKED_TOGETHER) continue;
        stroke();
      } else if (kind === BITS) {
        stroke();
        brush.drawImage(picture(numbers.subarray(from, to), look.line), 0, 0, UNITS, UNITS);
      } else {
        stroke();
        yield* dots(brush, numbers, from, to, look.width * 1.5 * pixel, look.line);
      }
      yield;
    }
    finishArea();
    stroke();
    finished();
  }

  function* dots(brush, numbers, from, to, radius, colour) {
    const inside = brush.fillStyle;
    brush.fillStyle = colour;
    for (let at = from; at < to; at += 2) {
      brush.beginPath();
      brush.arc(numbers[at], numbers[at + 1], radius, 0, 7);
      brush.fill();
      if (at % 512 === 0) {
        yield;
        brush.fillStyle = colour;
      }
    }
    brush.fillStyle = inside;
  }

  // A bit a pixel, in one colour.
  function picture(bits, colour) {
    const canvas = new OffscreenCanvas(SIZE, SIZE);
    const brush = canvas.getContext("2d");
    const image = new ImageData(SIZE, SIZE);
    bits.forEach((number, place) => {
      for (let bit = 0; number && bit < NUMBER_BITS; bit += 1) {
        if ((number >> bit) & 1) image.data[4 * (place * NUMBER_BITS + bit) + 3] = 255;
      }
    });
    brush.putImageData(image, 0, 0);
    brush.globalCompositeOperation = "source-in";
    brush.fillStyle = colour;
    brush.fillRect(0, 0, SIZE, SIZE);
    return canvas;
  }

  function styled(given) {
    const theme = getComputedStyle(document.documentElement);
    const own = (name) => theme.getPropertyValue(name).trim();
    return {
      width: given.width,
      fill: given.fill,
      line: given.colour || own("--own-line"),
      inside: given.colour ? given.colour + "40" : own("--own-inside"),
    };
  }

  const Drawn = L.GridLayer.extend({
    createTile(coords, done) {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = SIZE * SHARP;
      fetch(`${ORIGIN}${this.options.key}/${coords.z}/${coords.x}/${coords.y}.bin`)
        .then((answer) => (answer.ok ? answer.arrayBuffer() : new ArrayBuffer(0)))
        .then((content) => {
          canvas.numbers = new Int16Array(content);
          queue(draw(canvas, canvas.numbers, styled(this.options.look), () => done(null, canvas)));
        })
        .catch(() => done(null, canvas)); // the tile is no longer wanted
      return canvas;
    },

    restyle(look) {
      this.options.look = look;
      for (const { el } of Object.values(this._tiles)) {
        if (el.numbers) queue(draw(el, el.numbers, styled(look), () => {}));
      }
    },
  });

  function pictures(given, pane) {
    return L.tileLayer(`${ORIGIN}${given.key}/{z}/{x}/{y}.png`, {
      pane,
      minZoom: Math.max(0, given.leastZoom - FARTHER_OUT),
      minNativeZoom: given.leastZoom,
      maxNativeZoom: given.mostZoom,
      maxZoom: 24,
      bounds: given.bounds || undefined,
    });
  }

  function create(map) {
    const shown = new Map();
    const names = document.createElement("div");
    const found = new Map();
    let spot = null;
    names.className = "hexveil-names";
    names.setAttribute("aria-hidden", "true");
    map.createPane("hexveil-names").style.zIndex = 460;
    map.getPane("hexveil-names").append(names);

    function show(wanted) {
      const ids = new Set(wanted.map((given) => given.id));
      for (const [id, one] of shown) {
        if (ids.has(id)) continue;
        one.layer.remove();
        one.pane.remove();
        shown.delete(id);
      }
      wanted.forEach((given, place) => {
        const one = shown.get(given.id) || added(given);
        // the first of the list lies on top
        one.pane.style.zIndex = (given.over ? OVER : UNDER) + wanted.length - place;
        one.pane.style.opacity = given.opacity;
        if (one.given && one.layer.restyle && JSON.stringify(one.given) !== JSON.stringify(given)) {
          one.layer.restyle(given);
        }
        one.given = given;
      });
      showNames();
    }

    function added(given) {
      const name = "hexveil-own-" + given.id;
      const pane = map.createPane(name);
      pane.style.pointerEvents = "none";
      const layer = given.pictures
        ? pictures(given, name)
        : new Drawn({ pane: name, key: given.key, look: given, tileSize: SIZE, maxZoom: 24, updateWhenZooming: false });
      const one = { pane, layer };
      shown.set(given.id, one);
      layer.addTo(map);
      return one;
    }

    function restyle() {
      for (const { layer, given } of shown.values()) if (layer.restyle) layer.restyle(given);
    }

    // Names that fit into what is seen, none half above or below its edge: asked for when the map rests.
    function showNames() {
      const size = map.getSize();
      const corner = (x, y) => L.CRS.EPSG3857.project(map.containerPointToLatLng([x, y]));
      const [low, high] = [corner(0, size.y - HALF_NAME), corner(size.x, HALF_NAME)];
      const box = [low.x, low.y, high.x, high.y].map(Math.round).join("/");
      for (const [id] of found) if (!shown.has(id) || !shown.get(id).given.labels) found.delete(id);
      for (const [id, { given }] of shown) {
        if (!given.labels) continue;
        fetch(`${ORIGIN}${given.key}/names/${map.getZoom()}/${box}.json`)
          .then((answer) => (answer.ok ? answer.json() : []))
          .then((told) => {
            found.set(id, told);
            write();
          })
          .catch(() => {});
      }
      write();
    }

    function write() {
      let moved = null;
      names.replaceChildren();
      for (const [id, told] of found) {
        if (!shown.has(id)) continue;
        for (const [longitude, latitude, text] of told) {
          const name = document.createElement("span");
          name.textContent = text;
          name.style.opacity = shown.get(id).given.opacity;
          const at = map.latLngToLayerPoint([latitude, longitude]);
          // the ring that a person searched for is seen, its name stands below it
          const ringed = spot && at.distanceTo(map.latLngToLayerPoint(spot.getLatLng())) < 2 * SPOT;
          const lower = ringed ? `${SPOT + 3}px` : "-50%";
          name.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, ${lower})`;
          names.append(name);
          if (ringed) moved = name;
        }
      }
      if (moved) makeRoomFor(moved);
    }

    // The name below the ring is not where its layer keeps it free of others: those under it wait.
    function makeRoomFor(moved) {
      const own = moved.getBoundingClientRect();
      for (const name of [...names.children]) {
        const box = name.getBoundingClientRect();
        const apart = box.right < own.left || box.left > own.right || box.bottom < own.top || box.top > own.bottom;
        if (name !== moved && !apart) name.remove();
      }
    }

    // A place that was searched for, until another is, or none.
    function unmark() {
      if (spot) spot.remove();
      spot = null;
      write();
    }

    function mark(latitude, longitude) {
      unmark();
      spot = L.circleMarker([latitude, longitude], {
        pane: "hexveil-chosen", className: "hexveil-spot", radius: SPOT, interactive: false,
      }).addTo(map);
      write();
    }

    map.on("moveend", showNames);
    map.on("zoomstart", () => names.replaceChildren());
    return { show, restyle, mark, unmark };
  }

  return { create };
})();
