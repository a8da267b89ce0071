"""ui.map: the scheme serves a fixed table, the guard lets nothing out, the page cannot be led away."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEngineUrlScheme
from PySide6.QtWebEngineWidgets import QWebEngineView

from ui.web_map.app_scheme import ASSET_ORIGIN, register_scheme
from ui.web_map.web_page import CONTENT_POLICY, OfflinePage, OfflineProfile

ELSEWHERE = "https://example.org/"


class Browser:
    """A page with our profile in a view."""

    def __init__(self, qtbot):
        self.qtbot = qtbot
        self.profile = OfflineProfile()
        self.view = QWebEngineView()
        self.page = OfflinePage(self.profile, self.view)
        self.view.setPage(self.page)
        self.view.resize(300, 200)
        self.view.show()

    def open(self, html):
        self.profile.assets.put_page("index.html", html)
        return self.load(ASSET_ORIGIN + "index.html")

    def load(self, url):
        with self.qtbot.waitSignal(self.view.loadFinished, timeout=10_000) as finished:
            self.view.load(QUrl(url))
        return finished.args[0]

    def ask(self, script):
        answers = []
        self.page.runJavaScript(script, answers.append)
        self.qtbot.waitUntil(lambda: bool(answers), timeout=10_000)
        return answers[0]

    def dispose(self):
        self.view.setPage(None)
        for part in (self.page, self.profile, self.view):
            shiboken6.delete(part)


@pytest.fixture
def browser(qtbot):
    made = Browser(qtbot)
    yield made
    made.dispose()


def test_the_scheme_is_known_and_a_second_call_does_nothing():
    register_scheme()
    assert QWebEngineUrlScheme.schemeByName(b"app").syntax() == QWebEngineUrlScheme.Syntax.Host


def test_bundled_scripts_and_styles_are_served(browser):
    assert browser.open(
        f'<link rel="stylesheet" href="{ASSET_ORIGIN}leaflet/leaflet.css">'
        f'<script src="{ASSET_ORIGIN}leaflet/leaflet.js"></script><p class="leaflet-container">map</p>'
    )
    assert browser.ask("L.version") == "1.9.4"
    assert browser.ask("getComputedStyle(document.querySelector('p')).overflow") == "hidden"
    assert browser.profile.guard.blocked == []


@pytest.mark.parametrize(
    "path", ["nothing.js", "map/../../core/errors.py", "%2e%2e/pyproject.toml", "leaflet/leaflet.js.map", ""]
)
def test_what_is_not_in_the_table_does_not_exist(browser, path):
    assert not browser.load(ASSET_ORIGIN + path)


def test_another_host_of_the_scheme_does_not_exist(browser):
    assert not browser.load("app://elsewhere/leaflet/leaflet.js")


def test_a_newer_page_takes_the_place_of_the_older(browser):
    browser.profile.assets.put_page("old.html", "old")
    browser.profile.assets.put_page("new.html", "new")
    assert not browser.load(ASSET_ORIGIN + "old.html")
    assert browser.load(ASSET_ORIGIN + "new.html")


@pytest.mark.parametrize(
    ("planted", "url"),
    [
        (f'<script src="{ELSEWHERE}x.js"></script>', f"{ELSEWHERE}x.js"),
        (f'<img src="{ELSEWHERE}x.png">', f"{ELSEWHERE}x.png"),
        (f'<link rel="stylesheet" href="{ELSEWHERE}x.css">', f"{ELSEWHERE}x.css"),
        (f'<iframe src="{ELSEWHERE}"></iframe>', ELSEWHERE),
        ('<img src="file:///etc/hostname">', "file:///etc/hostname"),
        (f'<script>fetch("{ELSEWHERE}data").catch(() => 0)</script>', f"{ELSEWHERE}data"),
    ],
)
def test_the_guard_blocks_and_records_what_would_leave(browser, planted, url):
    browser.open(f"<html><body>{planted}</body></html>")
    refused_by_page = url == ELSEWHERE or url.startswith("file:")
    if refused_by_page:
        browser.qtbot.wait(100)
        assert set(browser.profile.guard.blocked) <= {url}
    else:
        browser.qtbot.waitUntil(lambda: browser.profile.guard.blocked == [url], timeout=5000)


def test_the_policy_refuses_even_before_the_guard(browser):
    browser.open(
        f'<html><head><meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}"></head>'
        f'<body><img src="{ELSEWHERE}x.png"></body></html>'
    )
    browser.qtbot.waitUntil(lambda: bool(browser.page.complaints), timeout=5000)
    assert "Content Security Policy" in browser.page.complaints[0]
    assert browser.profile.guard.blocked == []


def test_the_guard_does_not_grow_without_end(browser):
    browser.open(
        "<script>for (let i = 0; i < 400; i++) { const image = new Image();"
        "image.onerror = () => { window.failed = (window.failed || 0) + 1 };"
        f"image.src = '{ELSEWHERE}' + i }}</script>"
    )
    browser.qtbot.waitUntil(lambda: browser.ask("window.failed || 0") == 400, timeout=10_000)
    assert len(browser.profile.guard.blocked) == 200


def test_the_page_cannot_be_led_away(browser):
    browser.open(
        f'<a id="out" href="{ELSEWHERE}">out</a><a id="new" target="_blank" href="{ELSEWHERE}">new</a>'
    )
    for script in (
        "document.getElementById('out').click()",
        "document.getElementById('new').click()",
        f"location.href = '{ELSEWHERE}'; 1",
        f"window.open('{ELSEWHERE}'); 1",
    ):
        browser.page.runJavaScript(script)
        browser.qtbot.wait(50)
    assert browser.page.url() == QUrl(ASSET_ORIGIN + "index.html")
    assert browser.profile.guard.blocked == []


def test_script_errors_are_kept(browser):
    browser.open("<script>nonsense()</script>")
    browser.qtbot.waitUntil(lambda: bool(browser.page.complaints))
    assert "nonsense is not defined" in browser.page.complaints[0]


def test_nothing_is_stored(browser):
    assert browser.profile.isOffTheRecord()
