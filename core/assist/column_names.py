"""Names by which columns are known, in lower case and without punctuation: the likeliest first."""

from __future__ import annotations

VEHICLE_NAMES = (
    "licenseplate",
    "numberplate",
    "plate",
    "vehicleid",
    "vehiclelabel",
    "vehicle",
    "busid",
    "bus",
    "deviceid",
    "imei",
)
TIME_NAMES = ("observationdatetime", "timestamp", "datetime", "gpstime", "time", "eventtime", "recordedat")
POSITION_NAMES = ("locationcoordinates", "coordinates", "position", "location", "geometry", "point", "wkt")
LATITUDE_NAMES = ("latitude", "lat", "y")
LONGITUDE_NAMES = ("longitude", "lon", "lng", "long", "x")
UNIT_ENDINGS = (
    *(("kmh", "km/h"), ("kmph", "km/h"), ("kph", "km/h")),
    *(("mps", "m/s"), ("ms", "m/s"), ("mph", "mph")),
)
"""The first that fits counts: `kmph` before `mph`."""
VALUE_NAMES = tuple(
    name + ending
    for name in ("speed", "velocity", "gpsspeed", "vehiclespeed")
    for ending in ("", *(ending for ending, _ in UNIT_ENDINGS))
)
