"""PySpark, imported when it is needed: neither installers nor other commands bring it along."""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from typing import Any

from core.errors import InputError
from core.system.paths import how_to_add


def spark_library(name: str) -> Any:
    """A module of PySpark. Raises InputError where that is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise InputError(
            "PySpark is not installed here.",
            where="--engine spark",
            mend=f"{how_to_add('spark', 'pyspark')}, in the version of the cluster",
        ) from None


def require_java() -> None:
    """Raise InputError where Spark cannot run in this machine."""
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        raise InputError(
            "Java is missing here.", where="--master", mend="install Java 17, or name it with JAVA_HOME"
        )
