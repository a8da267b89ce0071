"""The epsilon policy in a bundle against privacy.json, of which it is made again (method 14.10)."""

from __future__ import annotations

from core.portal.policy import policy_of_statement
from core.portal.policy_pages import policy_pages
from core.signed.bundle_names import POLICY_FILES, PRIVACY
from core.signed.findings import json_object, require
from core.verify.folder import BundleFolder


def holds_policy(folder: BundleFolder) -> bool:
    """Whether the publisher put it into the bundle, or a part of it."""
    return any(name in folder.files for name in POLICY_FILES)


def check_policy(folder: BundleFolder) -> str:
    """Both pages, byte by byte what privacy.json makes of them."""
    made = policy_pages(policy_of_statement(json_object(PRIVACY, folder.read(PRIVACY))))
    for name, content in made.items():
        require(folder.read(name) == content, f"{name} says something else than {PRIVACY}")
    return f"{' and '.join(made)} say what {PRIVACY} states"
