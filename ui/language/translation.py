"""Texts and numbers for people, in the language of the window.

A module that is no widget, whose own `tr` does it, asks `translator`. Where a number decides the form of a
text, `counted` does; what core says goes through `core_text`. Numbers on screen are written as the language's
locale has it (`whole`); files never ask this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication, QLineEdit, QTabBar

from core.catalogue import ENGLISH, Catalogue, as_spoken, shipped_catalogue
from core.subject import VEHICLE, Subject
from core.system.paths import resources

SOURCE_LANGUAGE = "en"
_SUFFIX = ".po"
_MNEMONIC = re.compile(r"\s*\(&\w\)|&")
_DEVANAGARI = re.compile(r"[\u0900-\u097F]")
_TEXTS = ("text", "toolTip", "accessibleName", "accessibleDescription", "placeholderText")
"""Properties of widgets and actions that people read, what is typed first."""
_ENDS = (".", "।", "…")


def translator(context: str) -> Callable[[str], str]:
    """What translates the texts of a module at the moment they are asked for: `_tr = translator("Steps")`."""
    return partial(QCoreApplication.translate, context)


class _QtTranslator(QTranslator):
    """Answers all that ask Qt: `tr` of widgets, `translator`, and Qt's own buttons and menus."""

    def __init__(self, catalogue: Catalogue, parent: QApplication) -> None:
        super().__init__(parent)
        self.catalogue = catalogue

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        del context, disambiguation, n
        said = self.catalogue.text(text)
        return said if _Spoken.usual else _as_spoken(text if said is None else said)

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


class _Spoken:
    """The language of the moment."""

    catalogue: Catalogue = ENGLISH
    translator: _QtTranslator | None = None
    of_qt: QTranslator | None = None
    """Qt's own, where it speaks the language; ours is asked first."""
    subject: Subject = VEHICLE
    hexagons = usual = True


def languages() -> tuple[str, ...]:
    """Codes of the languages that ship, the texts' own first."""
    shipped = (resources() / "languages").glob(f"*{_SUFFIX}")
    return (SOURCE_LANGUAGE, *sorted(path.stem for path in shipped))


def native_name(language: str) -> str:
    """What a language is called by those who speak it."""
    return QLocale(language).nativeLanguageName() if language != SOURCE_LANGUAGE else "English"


def language_of(chosen: str) -> str:
    """The language to speak: the one chosen, else the system's, else English."""
    for wanted in (chosen, QLocale.system().name().split("_")[0]):
        if wanted in languages():
            return wanted
    return SOURCE_LANGUAGE


def catalogue_of(language: str) -> Catalogue:
    """What ships for a language."""
    return shipped_catalogue(language, _regrouped)


def speak(app: QApplication, catalogue: Catalogue) -> None:
    """Let all texts that are asked for from now on be in this language, and its numbers be written so."""
    for before in (_Spoken.translator, _Spoken.of_qt):
        if before is not None:
            app.removeTranslator(before)
    _Spoken.translator = _Spoken.of_qt = None
    _Spoken.catalogue, _Spoken.subject = catalogue, VEHICLE
    _Spoken.hexagons = _Spoken.usual = True
    QLocale.setDefault(_locale(catalogue.language))
    if catalogue is not ENGLISH:
        found = QTranslator(app)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if found.load(f"qtbase_{catalogue.language}", folder):
            _Spoken.of_qt = found
            app.installTranslator(found)
        _Spoken.translator = _QtTranslator(catalogue, app)
        app.installTranslator(_Spoken.translator)


def call_protected(subject: Subject, *, hexagons: bool = True) -> None:
    """Let all texts say what the project protects, as it was typed: those of later, and those on screen.

    hexagons: its places are some; others are never called so.
    """
    app = QApplication.instance()
    if (subject, hexagons) == (_Spoken.subject, _Spoken.hexagons) or not isinstance(app, QApplication):
        return
    _Spoken.subject, _Spoken.hexagons = subject, hexagons
    _Spoken.usual = hexagons and subject == VEHICLE
    if _Spoken.translator is None:
        _Spoken.translator = _QtTranslator(_Spoken.catalogue, app)
        app.installTranslator(_Spoken.translator)
    for widget in app.allWidgets():
        for shows in (widget, *widget.actions()):
            _say_anew(shows)


def _say_anew(shows: QObject) -> None:
    """What it says since it was made; what somebody types in a field is nobody's to change."""
    for name, shown, say in _texts_of(shows):
        if not isinstance(shown, str) or not shown:
            continue
        first = shows.property(f"_first_{name}")
        if first is None or shown != shows.property(f"_said_{name}"):
            first = shown
        said = _as_spoken(first)
        if said != shown:
            say(said)
            shows.setProperty(f"_first_{name}", first)
            shows.setProperty(f"_said_{name}", said)


def _texts_of(shows: QObject) -> Iterator[tuple[str, object, Callable[[str], object]]]:
    """Each text with its name, and what says another one. Items of lists may be names that people gave."""
    typed = isinstance(shows, QLineEdit)
    for name in _TEXTS[typed:]:
        yield name, shows.property(name), partial(shows.setProperty, name)
    if isinstance(shows, QTabBar):
        for tab in range(shows.count()):
            yield f"tab{tab}", shows.tabText(tab), partial(shows.setTabText, tab)
            yield f"tip{tab}", shows.tabToolTip(tab), partial(shows.setTabToolTip, tab)


def _as_spoken(text: str) -> str:
    return as_spoken(text, _Spoken.subject, hexagons=_Spoken.hexagons)


def _locale(language: str) -> QLocale:
    """The language in the person's own country, where the system says which; digits 0 to 9."""
    system = QLocale.system()
    return system if system.name().split("_")[0] == language else QLocale(language)


def counted(one: str, many: str, count: int, **fields: object) -> str:
    """A text in the form that a count asks for, its field `n`: `counted("{n} row", "{n} rows", 3)`."""
    text = _Spoken.catalogue.counted(one, many, count)
    return (text if _Spoken.usual else _as_spoken(text)).format(n=whole(count), **fields)


def spoken_language() -> str:
    """Code of the language of the window."""
    return _Spoken.catalogue.language


def core_text(text: str) -> str:
    """What core says (an error, a title, a reason, a progress text), in the language of the window."""
    said = text if _Spoken.catalogue is ENGLISH else _Spoken.catalogue.of_core(text)
    return said if _Spoken.usual else _as_spoken(said)


def sentence(text: str) -> str:
    """With a capital, and the full stop of the script that it is written in."""
    return stopped(f"{text[:1].upper()}{text[1:]}")


def stopped(text: str) -> str:
    """With the full stop of the script that it is written in, where it has no end yet."""
    if text.endswith(_ENDS):
        return text
    if not _DEVANAGARI.search(text):
        return f"{text}."
    # right after a figure a danda reads like one more 1
    return f"{text}\u00a0।" if text[-1:].isdigit() else f"{text}।"


def without_mnemonic(text: str) -> str:
    """A label without the mark of its letter: `&Key`, or in other scripts `कुंजी (&K)`."""
    return _MNEMONIC.sub("", text)


def whole(number: int) -> str:
    """A whole number with its groups, as the language writes them."""
    locale = QLocale()
    return f"{number:,}" if locale.language() == QLocale.Language.C else locale.toString(int(number))


def grouped(number: float, decimals: int) -> str:
    """A number with so many decimals and its groups, as the language writes them."""
    locale = QLocale()
    spoken = locale.language() != QLocale.Language.C
    return locale.toString(float(number), "f", decimals) if spoken else f"{number:,.{decimals}f}"


def rounded_to(number: float, digits: int) -> str:
    """So many significant digits, and a large number with its groups: 2,400, never 2.4e+03."""
    text = f"{number:.{digits}g}"
    return grouped(float(text), 0) if "e+" in text else text


def data_size(size: int) -> str:
    """Bytes in thousands or millions of them, as *Verify* counts them too."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def percent(share: float, decimals: int = 0) -> str:
    """A share of 1 in percent, as the language writes numbers; the sign is never broken off: `97 %`."""
    return f"{grouped(100 * share, decimals)}\u00a0%"


def _regrouped(digits: str) -> str:
    return whole(int(digits.replace(",", "")))
