"""All files of a bundle that describe the data, for people and for machines (method 14)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from core.bundle.datapackage import datapackage, json_bytes
from core.bundle.licences import licence_text
from core.bundle.privacy_statement import privacy_statement
from core.bundle.public_tables import public_tables
from core.bundle.readme_md import readme
from core.bundle.release_result import Release
from core.bundle.resources import policy_resources
from core.portal.language_pages import language_pages
from core.portal.map_files import map_files
from core.portal.policy import policy_of_statement
from core.portal.policy_pages import policy_pages
from core.portal.report_html import report
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import DATAPACKAGE, GIT_ATTRIBUTES, LICENSE, PRIVACY, README, REPORT
from core.signed.minisign import PublicKey


def describe_files(
    release: Release,
    texts: ReleaseTexts,
    key: PublicKey,
    published_on: dt.date,
    data: Mapping[str, bytes],
) -> dict[str, bytes]:
    """Relative path -> content of every describing file; `data` holds the files below `data/`."""
    privacy = privacy_statement(release, texts, key, published_on)
    tables = public_tables(data, release.quantity)
    policy = policy_pages(policy_of_statement(privacy, tables)) if texts.policy else {}
    package = datapackage(release, texts, published_on, data)
    package["resources"] += policy_resources(policy)
    made = map_files(data, package, privacy)
    spoken = {
        name: content
        for language in texts.beside_english
        for name, content in language_pages(release, texts, published_on, language, made.page_data).items()
    }
    return (
        made.files
        | policy
        | spoken
        | {
            README: readme(release, texts, key, published_on),
            LICENSE: licence_text(texts, published_on.year),
            DATAPACKAGE: json_bytes(made.package),
            PRIVACY: json_bytes(privacy),
            GIT_ATTRIBUTES: b"* -text\n",
            REPORT: report(
                release, texts, key, published_on, linked_data=made.linked_data, pictures=made.pictures
            ),
        }
    )
