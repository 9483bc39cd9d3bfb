"""The browser ends with the module whose tests share it."""

import pytest
from tests.web.page.browser import stop_browser


@pytest.fixture(scope="module", autouse=True)
def _browser_of_the_module():
    yield
    stop_browser()
