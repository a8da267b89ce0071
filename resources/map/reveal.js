// Where the chosen hexagon must be moved to so that a person sees it: out from under what lies over the map.
"use strict";

const hexveilReveal = (() => {
  const AIR = 10;
  // A place's ring, and with its name below, from the middle of the ring to each side.
  const RING = [[-11, -11], [11, 11]];
  const NAMED = [[-40, -11], [40, 27]];

  // The way in pixels that a box must go to lie within a room; null where it is too large for that.
  function wayInto(box, room) {
    const size = box.getSize();
    if (size.x > room.max.x - room.min.x || size.y > room.max.y - room.min.y) return null;
    const along = (axis) => Math.max(room.min[axis] - box.min[axis], 0) + Math.min(room.max[axis] - box.max[axis], 0);
    return L.point(along("x"), along("y"));
  }

  // What is free beside and below the card: above the legend, and left of it; below the badge where that lies in it.
  function rooms(size, covered, legend, badge, air) {
    const { right, left, bottom } = covered;
    const corners = [
      [[left, 0], [size.x - right, legend.min.y]],
      [[left, 0], [legend.min.x, size.y]],
      [[0, bottom], [legend.min.x, size.y]],
      [[0, bottom], [size.x - right, legend.min.y]],
    ];
    // not bounds: those turn round where there is no room between two things
    return corners.map(([low, high]) => {
      const top = high[0] > badge.min.x ? Math.max(low[1], badge.max.y) : low[1];
      return { min: L.point(low[0], top).add([air, air]), max: L.point(high).subtract([air, air]) };
    });
  }

  // The shortest way into one of them, if there is one.
  function shortest(box, free) {
    const ways = free.map((room) => wayInto(box, room)).filter((way) => way);
    return ways.sort((one, other) => length(one) - length(other))[0];
  }

  function length(way) {
    return way.distanceTo([0, 0]);
  }

  // How much of a box a room shows at most, in square pixels; none where there is no room.
  function shown(box, room) {
    const size = box.getSize(), along = (axis) => Math.max(Math.min(size[axis], room.max[axis] - room.min[axis]), 0);
    return along("x") * along("y");
  }

  function contains(room, point) {
    return ["x", "y"].every((axis) => room.min[axis] <= point[axis] && point[axis] <= room.max[axis]);
  }

  // What is left to go so that a place is seen, with its name where there is room for that.
  function wayOfPlace(place, room) {
    const around = ([low, high]) => wayInto(L.bounds(place.add(low), place.add(high)), room);
    return around(NAMED) || around(RING) || centre(room).subtract(place);
  }

  function centre(room) {
    return room.min.add(room.max).divideBy(2);
  }

  // box: the hexagon; legend, badge: their boxes, without a size at their corners at the right where they are not seen;
  // place: one in the hexagon that was searched for, or null.
  function way(box, size, covered, legend, badge, place) {
    const tight = shortest(box, rooms(size, covered, legend, badge, 0));
    if (tight) return length(tight) ? shortest(box, rooms(size, covered, legend, badge, AIR)) || tight : tight;
    // Too large for any: its middle at least, in the room that shows the most of it; or the place in there, near its middle.
    const middle = box.getCenter(), open = rooms(size, covered, legend, badge, 0).filter((room) => shown(box, room) > 0);
    if (!open.length) return L.point(0, 0);
    const around = open.find((room) => contains(room, middle));
    const room = around || open.reduce((one, other) => (shown(box, other) > shown(box, one) ? other : one));
    const first = around ? L.point(0, 0) : centre(room).subtract(middle);
    return place ? first.add(wayOfPlace(place.add(first), room)) : first;
  }

  return { way };
})();
