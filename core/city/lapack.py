"""LAPACK for large symmetric matrices, called without holding Python's lock (city-release 9).

scipy's own wrappers keep the lock as long as LAPACK works: for the thousands of HATs of a city that is a
second in which the window's thread stands still. These are the same routines of the same library, reached
by the addresses that scipy publishes for Cython; `ctypes` lets go of the lock around each call.

All of them work in place on a square matrix of float64 whose columns lie one after the other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
import scipy

from core.arrays import Floats
from core.errors import InternalError
from core.texts import text_of

_LOWER, _NOT_ONES = b"L", b"N"
_Pointer = ctypes.c_void_p


def cholesky(matrix: Floats) -> Floats:
    """L with L L^T = matrix, symmetric; zero above the diagonal. The matrix is overwritten.

    Raises numpy's LinAlgError for one that is not positive definite.
    """
    # its transpose is itself, and lies in the order of columns that LAPACK works on in place
    factor = np.asfortranarray(matrix.T)
    failed = _call("dpotrf", (_LOWER,), factor)
    if failed:
        raise np.linalg.LinAlgError(
            text_of("the covariance is not positive definite (row {failed})", failed=failed)
        )
    for column in range(1, len(factor)):
        factor[:column, column] = 0.0
    return factor


def inverse_of_product(factor: Floats) -> Floats:
    """The inverse of L L^T, zero above the diagonal. factor: L, as `cholesky` gives it; overwritten."""
    _call("dpotri", (_LOWER,), factor)
    return factor


def inverse_of_triangle(factor: Floats) -> Floats:
    """The inverse of L, zero above the diagonal. factor: as `cholesky` gives it; overwritten."""
    _call("dtrtri", (_LOWER, _NOT_ONES), factor)
    return factor


def _call(routine: str, letters: tuple[bytes, ...], matrix: Floats) -> int:
    """What LAPACK says of its work on `matrix`: 0 where it was done, else the row it failed at."""
    if not matrix.flags.f_contiguous or matrix.dtype != np.float64:
        raise InternalError("LAPACK works on float64 in columns")
    rows = ctypes.c_int(len(matrix))
    status = ctypes.c_int(0)
    _routine(routine, len(letters))(
        *letters, ctypes.byref(rows), matrix.ctypes.data, ctypes.byref(rows), ctypes.byref(status)
    )
    return status.value


@cache
def _routine(name: str, letters: int) -> Callable[..., None]:
    """A routine that takes so many letters, then rows, matrix, leading dimension and info."""
    capsule = scipy.linalg.cython_lapack.__pyx_capi__[name]
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = _Pointer
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
    made = ctypes.CFUNCTYPE(None, *[ctypes.c_char_p] * letters, _Pointer, _Pointer, _Pointer, _Pointer)
    return made(address)
