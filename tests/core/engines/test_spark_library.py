"""What is missing to run Spark is told with its mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engines.spark import SparkEngine
from core.engines.spark_library import require_java, spark_library
from core.errors import InputError
from tests.engine_data import job, quiet


def test_a_module_that_is_there_is_given() -> None:
    assert spark_library("math").pi > 3


def test_its_absence_is_told_with_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"pip install .\.\[spark\]"):
        spark_library("pyspark_that_is_not_there")

    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("core.engines.spark_library.import_module", absent)
    with pytest.raises(InputError, match="PySpark is not installed"):
        SparkEngine("local[2]").contributions(job([tmp_path / "x.csv"], tmp_path / "out.parquet"), quiet)


def test_without_java_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(InputError, match="Java is missing"):
        require_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    require_java()
