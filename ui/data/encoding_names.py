"""Encodings as people know them: by the languages that are written in them, with the code beside."""

from __future__ import annotations

from ui.language.translation import translator

_tr = translator("EncodingNames")


def _languages() -> dict[str, str]:
    return {
        "utf-8": _tr("Any language"),
        "utf-16": _tr("Any language"),
        "cp1252": _tr("Western European"),
        "latin-1": _tr("Western European"),
        "iso8859-15": _tr("Western European with €"),
        "cp1250": _tr("Central European"),
        "iso8859-2": _tr("Central European"),
        "cp1251": _tr("Cyrillic"),
        "koi8-r": _tr("Cyrillic"),
        "cp1253": _tr("Greek"),
        "cp1254": _tr("Turkish"),
        "cp1255": _tr("Hebrew"),
        "cp1256": _tr("Arabic"),
        "shift_jis": _tr("Japanese"),
        "gb18030": _tr("Chinese, simplified"),
        "big5": _tr("Chinese, traditional"),
        "euc_kr": _tr("Korean"),
        "cp850": _tr("Western European, of DOS"),
        "cp437": _tr("English, of DOS"),
        "mac-roman": _tr("Western European, of old Macs"),
    }


def encoding_name(code: str) -> str:
    """`Western European (cp1252)`; a code that is not known stands for itself."""
    language = _languages().get(code)
    return code if language is None else f"{language} ({code})"
