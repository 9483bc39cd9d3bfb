"""The browser ends with the module whose tests share it; without it pages are not looked at, so `--quick` leaves these
tests out."""

from pathlib import Path

import pytest
from tests.web.page.browser import stop_browser


@pytest.fixture(scope="module", autouse=True)
def _browser_of_the_module():
    yield
    stop_browser()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)
