"""How a finding reads that is of a statement's shape, and no lie about its figures."""

from __future__ import annotations

import re

SHAPE = re.compile(r"^privacy\.json: \S+ is (?:no |not text|not an object|missing|unknown|not of the form)")
