"""The `app:` scheme: the map's page and its assets, served from memory and from bundled files only.

`register_scheme` has to run before the QApplication is made; Qt does not accept a scheme later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from PySide6.QtCore import QObject
from PySide6.QtWebEngineCore import (
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)

from core.system.paths import resources
from ui.web_map.late_answers import Answer, LateAnswers, reply

SCHEME = "app"
HOST = "assets"
ASSET_ORIGIN = f"{SCHEME}://{HOST}/"

_LOCAL_SCHEMES = frozenset({SCHEME, "qrc", "data", "blob"})
_MIME = {
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
    ".png": b"image/png",
}
_MOST_RECORDED = 200


def register_scheme() -> None:
    """Make `app:` known to the web engine. Before QApplication; a second call does nothing."""
    name = SCHEME.encode()
    if QWebEngineUrlScheme.schemeByName(name).name() == name:
        return
    scheme = QWebEngineUrlScheme(name)
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    flag = QWebEngineUrlScheme.Flag
    scheme.setFlags(flag.SecureScheme | flag.LocalAccessAllowed | flag.CorsEnabled | flag.FetchApiAllowed)
    QWebEngineUrlScheme.registerScheme(scheme)


class RequestGuard(QWebEngineUrlRequestInterceptor):
    """Blocks and records every request that is not answered by this program itself."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.blocked: list[str] = []

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802
        """Let local schemes pass."""
        url = info.requestUrl()
        if url.scheme() in _LOCAL_SCHEMES:
            return
        info.block(True)
        if len(self.blocked) < _MOST_RECORDED:
            self.blocked.append(url.toString())


class AssetHandler(QWebEngineUrlSchemeHandler):
    """Answers `app://assets/...`: bundled scripts and styles, and pages that were put in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = dict(_bundled())
        self._pages: dict[str, bytes] = {}
        self._late = LateAnswers(self)
        self._workers: dict[str, Callable[[str], Callable[[], Answer] | None]] = {}

    def put_page(self, name: str, html: str) -> None:
        """Serve `html` as `app://assets/<name>`, in place of all pages before it."""
        self._pages = {name: html.encode()}

    def answer_below(self, prefix: str, work_for: Callable[[str], Callable[[], Answer] | None]) -> None:
        """Answer paths that begin so by work in a worker; `work_for` gives None for what is not there."""
        self._workers[prefix] = work_for

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:  # noqa: N802
        """Reply from the fixed table, or by work; a path of neither does not exist."""
        url = job.requestUrl()
        path = url.path().lstrip("/")
        for prefix, work_for in self._workers.items():
            if url.host() == HOST and path.startswith(prefix):
                self._answer_later(job, work_for(path))
                return
        data = self._find(path) if url.host() == HOST else None
        if data is None:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        reply(job, (_MIME[_suffix(path)], data))

    def _answer_later(self, job: QWebEngineUrlRequestJob, work: Callable[[], Answer] | None) -> None:
        if work is None:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        self._late.answer(job, work)

    def stop(self) -> None:
        """Answer nothing more; what is being computed is waited for."""
        self._late.stop()

    def _find(self, path: str) -> bytes | None:
        if path in self._pages:
            return self._pages[path]
        file = self._files.get(path)
        return None if file is None else file.read_bytes()


def _bundled() -> Iterator[tuple[str, Traversable]]:
    """(path, file) of everything that may be served: Leaflet and our own scripts and styles."""
    leaflet = files("js_lib_leaflet") / "static" / "js_lib_leaflet"
    yield "leaflet/leaflet.js", leaflet / "leaflet.js"
    yield "leaflet/leaflet.css", leaflet / "leaflet.css"
    for image in (leaflet / "images").iterdir():
        yield f"leaflet/images/{image.name}", image
    for own in (resources() / "map").iterdir():
        if own.suffix in _MIME:
            yield f"map/{own.name}", own


def _suffix(path: str) -> str:
    return path[path.rindex(".") :]
