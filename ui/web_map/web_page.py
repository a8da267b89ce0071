"""A web page that stays at home: its policy in text, no navigation away, no windows, no network."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile, QWebEngineSettings

from ui.web_map.app_scheme import HOST, SCHEME, AssetHandler, RequestGuard

CONTENT_POLICY = (
    "default-src 'none'; script-src app: qrc: 'unsafe-inline'; style-src app: 'unsafe-inline'; "
    "img-src app: data:; connect-src app:; base-uri 'none'; form-action 'none'"
)
"""For the page's meta tag; inline scripts are folium's way of drawing."""

_log = logging.getLogger(__name__)
_OFF = (
    QWebEngineSettings.WebAttribute.DnsPrefetchEnabled,
    QWebEngineSettings.WebAttribute.ErrorPageEnabled,
    QWebEngineSettings.WebAttribute.FullScreenSupportEnabled,
    QWebEngineSettings.WebAttribute.HyperlinkAuditingEnabled,
    QWebEngineSettings.WebAttribute.JavascriptCanAccessClipboard,
    QWebEngineSettings.WebAttribute.JavascriptCanOpenWindows,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessFileUrls,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessRemoteUrls,
    QWebEngineSettings.WebAttribute.LocalStorageEnabled,
    QWebEngineSettings.WebAttribute.PdfViewerEnabled,
    QWebEngineSettings.WebAttribute.PluginsEnabled,
    QWebEngineSettings.WebAttribute.WebGLEnabled,
)


class OfflineProfile(QWebEngineProfile):
    """An off-the-record profile with the request guard and our scheme, which `assets` answers."""

    def __init__(self, parent: QObject | None = None, assets: AssetHandler | None = None) -> None:
        super().__init__(parent)
        self.guard = RequestGuard(self)
        self.assets = assets or AssetHandler(self)
        self.setUrlRequestInterceptor(self.guard)
        self.installUrlSchemeHandler(SCHEME.encode(), self.assets)
        self.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)


class OfflinePage(QWebEnginePage):
    """A page of our own scheme that cannot be led elsewhere. `complaints` holds its script errors."""

    def __init__(self, profile: OfflineProfile, parent: QObject | None = None) -> None:
        super().__init__(profile, parent)
        self.complaints: list[str] = []
        for attribute in _OFF:
            self.settings().setAttribute(attribute, False)
        self.settings().setAttribute(QWebEngineSettings.WebAttribute.WebRTCPublicInterfacesOnly, True)

    def acceptNavigationRequest(  # noqa: N802
        self,
        url: QUrl | str,
        type: QWebEnginePage.NavigationType,
        isMainFrame: bool,  # noqa: N803
    ) -> bool:
        """Only what the program itself asks for, only from its own scheme."""
        url = QUrl(url)
        asked = type in {
            QWebEnginePage.NavigationType.NavigationTypeTyped,
            QWebEnginePage.NavigationType.NavigationTypeReload,
        }
        return isMainFrame and asked and url.scheme() == SCHEME and url.host() == HOST

    def javaScriptConsoleMessage(  # noqa: N802
        self,
        level: QWebEnginePage.JavaScriptConsoleMessageLevel,
        message: str,
        lineNumber: int,  # noqa: N803
        sourceID: str,  # noqa: N803
    ) -> None:
        """Script errors go to the log instead of the terminal."""
        if level == QWebEnginePage.JavaScriptConsoleMessageLevel.InfoMessageLevel:
            return
        self.complaints.append(message)
        _log.warning("map page, %s line %d: %s", sourceID.rsplit("/", 1)[-1], lineNumber, message)
