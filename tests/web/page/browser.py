"""A real browser that looks at a server of this process: any error, and any request to another host, fails the test."""

import shutil
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from tests.web.server.serving import running

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: ./dev test installs it where it may")
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run")
EXPECTED = "Failed to load resource: the server responded with a status of 4"
"""What a browser says of a refusal that the page shows to its reader."""


STARTED = []
"""Playwright and its browser, while tests of one module share them."""


def shared_browser():
    """The browser of a module's tests: to start one takes longer than most of them."""
    if not STARTED:
        playwright = sync_playwright().start()
        STARTED[:] = playwright, playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
    return STARTED[1]


def stop_browser():
    """End the browser, if there is one: while it is there, no test in this process can have a loop of events."""
    while STARTED:
        ended = STARTED.pop()
        ended.close() if STARTED else ended.stop()


@contextmanager
def looking(*paths, width=1360, height=860, scheme="light", locale="en-GB", **told):
    """(page, address, client) of a server of these files."""
    with running(*paths, **told) as client:
        page = shared_browser().new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale=locale, accept_downloads=True
        )
        try:
            page.set_default_timeout(20_000)
            wrong, address = [], str(client.base_url)
            page.on("console", lambda m: wrong.append(m.text) if m.type == "error" and EXPECTED not in m.text else None)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on(
                "request", lambda r: wrong.append(r.url) if not r.url.startswith((address, "blob:", "data:")) else None
            )
            yield page, address, client
            assert wrong == [], wrong
        finally:
            page.close()


def serious(page):
    """What axe-core finds that is serious or critical, in a line each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{v['id']}: {node['html'][:160]}"
        for v in found
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"][:3]
    ]


def both_themes(page):
    """The same of the page as it is and in the other theme, to which it is switched."""
    found = serious(page)
    page.click("#theme")
    page.wait_for_timeout(400)
    return found + serious(page)


def tab_to(page, selector, most=200):
    """Press Tab until this has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")
