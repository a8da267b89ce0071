"""What Spark says is translated by its kind; nothing of a record that it quotes is shown."""

from __future__ import annotations

import traceback

import pytest

from core.engines.spark_errors import spark_errors, translated
from core.errors import InputError
from core.progress import Cancelled
from tests.records import SECRET


class PythonException(Exception):
    """As Spark's own, of a module of its name."""

    __module__ = "pyspark.errors.exceptions.captured"


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("java.io.FileNotFoundException: /data/x", "no longer there"),
        ("org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)", "was killed"),
        ("TableJob aborted: ExecutorLostFailure (executor 3 exited)", "machine of the cluster was lost"),
        ("java.io.IOException: No space left on device", "disk of a worker is full"),
        ("java.lang.OutOfMemoryError: Java heap space", "too little memory"),
        ("ModuleNotFoundError: No module named 'pyarrow'", "lacks a package"),
        ("[FAILED_READ_FILE.NO_HINT] Encountered error", "cannot be read, or has changed"),
        ("Could not parse Master URL: 'x'", "No cluster answers"),
        ("RuntimeError: hexveil worker: KeyError in text_columns.py:41.", "KeyError, text_columns.py:41"),
        ("something new", "gave up (PythonException)"),
    ],
)
def test_each_kind_is_told_with_its_mend(said: str, what: str) -> None:
    with pytest.raises(InputError) as refused, spark_errors("spark://city:7077"):
        raise PythonException(f"{said} of value {SECRET}")
    assert what in refused.value.what
    assert refused.value.where == "spark://city:7077"
    assert refused.value.mend
    assert SECRET not in "".join(traceback.format_exception(refused.value))


def test_others_pass() -> None:
    for error in (InputError("a"), Cancelled(), ZeroDivisionError()):
        with pytest.raises(type(error)) as passed, spark_errors("local"):
            raise error
        assert passed.value is error
    assert translated("", "m").what.startswith("Spark gave up")
