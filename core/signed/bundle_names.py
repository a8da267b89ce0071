"""What the files of a bundle and the forms of its pages for maps and portals are called (method 14).

Writers and verifiers of bundles read the names here: verifying needs nothing of writing.
"""

from __future__ import annotations

README = "README.md"
LICENSE = "LICENSE.txt"
DATAPACKAGE = "datapackage.json"
PRIVACY = "privacy.json"
REPORT = "report.html"
POLICY_PAGE = "policy.html"
POLICY_MARKDOWN = "policy.md"
POLICY_FILES = (POLICY_PAGE, POLICY_MARKDOWN)
"""In bundles whose publisher wants them."""
MAP_PAGE = "map.html"
CATALOGUE_RECORD = "dcat.jsonld"
MAP_FOLDER = "map/"
PUBLIC_KEY = "release-key.pub"
CELLS_PATH = "data/cells.geojson"
REGIONS_PATH = "data/regions.geojson"
PLACES_PATH = "data/places.geojson"
"""Of zones."""
MANIFEST = "SHA256SUMS"
SIGNATURE = f"{MANIFEST}.minisig"
GIT_ATTRIBUTES = ".gitattributes"
"""So that a copy under version control keeps every byte: other ends of lines would break the sums."""

STATEMENT_FORMAT = "hexveil-privacy-3"
"""What `privacy.json` says of its form."""
EXACT_PAGES = ("hexveil-privacy-1", "hexveil-privacy-2")
"""Statements whose pages for people show every figure to its last digit; later ones round it (`glance`)."""
FIRST_MAP_FORMAT = "hexveil-map-1"
"""Its pages have fixed classes, and one number at a time."""
SECOND_MAP_FORMAT = "hexveil-map-2"
"""Its pages have texts of their own, and compare nothing."""
THIRD_MAP_FORMAT = "hexveil-map-3"
"""Its pages take biases as unlike one another where they compare parts."""
FOURTH_MAP_FORMAT = "hexveil-map-4"
"""Its pages take the middle of a line for a place where they compare parts."""
FIFTH_MAP_FORMAT = "hexveil-map-5"
"""Of routes with lines alone. Its pages show every edge of a distribution, and no mu."""
MAP_FORMAT = "hexveil-map-6"
"""What `privacy.json` says of the form of the files for maps and portals, in bundles that hold them."""
MAP_FORMATS = (
    FIRST_MAP_FORMAT,
    SECOND_MAP_FORMAT,
    THIRD_MAP_FORMAT,
    FOURTH_MAP_FORMAT,
    FIFTH_MAP_FORMAT,
    MAP_FORMAT,
)
PORTAL_FORMAT = "hexveil-portal-2"
"""What `privacy.json` says of dcat.jsonld and GeoParquet; the first form of both has no name. The second says
how often, how fine and by which standards, and has a box beside each outline."""


def pages_in(language: str) -> tuple[str, str]:
    """README and report in another language than English."""
    return f"README.{language}.md", f"report.{language}.html"


def map_in(language: str) -> str:
    """The map page in another language than English; older bundles have none."""
    return f"map.{language}.html"


def map_format_since(found: str, first: str) -> bool:
    """Whether it is that form of `MAP_FORMATS` or a later one; what is none of them is not."""
    return found in MAP_FORMATS[MAP_FORMATS.index(first) :]
