"""Find the parts of a registry by importing a package's modules: adding a part adds one file."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from core.errors import InternalError


def discover(package: ModuleType, attribute: str) -> dict[str, object]:
    """Each module's `attribute` in `package`, by its `key`, sorted by key.

    Raises InternalError when nothing is found: a frozen build that forgot to collect the
    package's modules would otherwise offer an empty list.
    """
    found: dict[str, object] = {}
    for module_info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{module_info.name}")
        part = getattr(module, attribute, None)
        if part is None:
            continue
        key = part.key
        if key in found:
            raise InternalError(f"two parts of {package.__name__} have the key {key}")
        found[key] = part
    if not found:
        raise InternalError(f"no {attribute} found in {package.__name__}")
    return dict(sorted(found.items()))
