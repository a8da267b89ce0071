"""What wine 8 lacks of Windows, built for a copy of the program that is tried there; shipped to nobody.

Three libraries: random bytes (bcryptprimitives), the character converters that Qt links (icuuc: none is ever
offered), and complex functions of the C runtime. Wine puts its own runtime in the place of the last, whatever
lies beside the program: so the name of the library is altered in the copies of the modules that want it, and
those modules are then not byte for byte what ships. Everything else is.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILER = "x86_64-w64-mingw32-gcc-posix"
READER = "x86_64-w64-mingw32-objdump"
MATH = "api-ms-win-crt-math-l1-1-0.dll"
OWN_MATH = "hexveil-shim-math.dll"
"""No longer than the name that it takes the place of."""
CONVERTERS = "icuuc.dll"
_MATH_SOURCE = HERE / "complex_math.c"
_IMPORTED_FROM = re.compile(r"DLL Name: (\S+)")
_IMPORT = re.compile(r"^\s+[0-9a-f]+\s+(?:<none>|\d+)\s+(?:[0-9a-f]+\s+)?(\w+)$")
_SHIMS = ("bcryptprimitives.dll", OWN_MATH, CONVERTERS)
_COMPLEX = re.compile(r"COMPLEX\((\w+)\)|REAL\((\w+)\)|shim_(cpow)\(")


def imports(module: Path) -> dict[str, list[str]]:
    """What a module wants: library -> names, the library in lower case."""
    told = subprocess.run([READER, "-p", module], capture_output=True, text=True, check=True).stdout
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in told.splitlines():
        if library := _IMPORTED_FROM.search(line):
            names = found.setdefault(library[1].lower(), [])
        elif name := _IMPORT.match(line):
            names.append(name[1])
    return found


def modules_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".dll", ".pyd"))


def _names_a_library(module: Path) -> bool:
    """Whether it is worth the time to read what a module wants."""
    content = module.read_bytes().lower()
    return MATH.encode("ascii") in content or CONVERTERS.encode("ascii") in content


def take_shims_from_beside(program: Path) -> None:
    """Remove those beside the launchers: what is none of the program's would outlive its removal."""
    for shim in _SHIMS:
        (program / shim).unlink()


def put_shims(program: Path) -> list[str]:
    """Put the shims into a copy of the program; the modules that were altered, by their paths."""
    wanted = {module: imports(module) for module in modules_below(program) if _names_a_library(module)}
    altered = [module for module, libraries in wanted.items() if MATH in libraries]
    python = program / "python"
    _build(python / "bcryptprimitives.dll", HERE / "random_bytes.c", "-ladvapi32")
    _build_math(python / OWN_MATH, {name for module in altered for name in wanted[module][MATH]})
    converters = {name for libraries in wanted.values() for name in libraries.get(CONVERTERS, ())}
    _build_converters(python / CONVERTERS, converters)
    for shim in _SHIMS:
        # Windows looks beside the program that runs: a launcher, or the python.exe of the tests
        shutil.copyfile(python / shim, program / shim)
    for module in altered:
        content = module.read_bytes()
        old = MATH.encode("ascii") + b"\0"
        module.unlink()  # a copy made of links would be altered with what ships
        module.write_bytes(content.replace(old, OWN_MATH.encode("ascii").ljust(len(old), b"\0")))
    return [module.relative_to(program).as_posix() for module in altered]


def _build_math(target: Path, names: Iterable[str]) -> None:
    own = {"".join(found) for found in _COMPLEX.findall(_MATH_SOURCE.read_text())}
    lines = ["EXPORTS"]
    for name in sorted(names):
        base = name[:-1] if name[:-1] in own and name[-1] in "fl" else name
        if base in own:
            # a long double is a double there
            lines.append(f"  {name} = shim_{base}{'f' if name == f'{base}f' else ''}")
        else:
            lines.append(f"  {name} = ucrtbase.{name}")
    definitions = target.with_suffix(".def")
    definitions.write_text("\n".join(lines) + "\n")
    _build(target, _MATH_SOURCE, definitions)
    definitions.unlink()


def _build_converters(target: Path, names: Iterable[str]) -> None:
    source = target.with_suffix(".c")
    source.write_text(
        "".join(f"__declspec(dllexport) long long {name}(void) {{ return 0; }}\n" for name in sorted(names))
    )
    _build(target, source)
    source.unlink()


def _build(target: Path, *parts: Path | str) -> None:
    subprocess.run([COMPILER, "-O2", "-s", "-shared", "-static", "-o", target, *parts], check=True)
