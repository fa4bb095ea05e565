"""A real browser, headless: Debian's Chromium with its own driver. Without one the tests skip, with
the reason.

`REQUIRE_BROWSER=1` turns skipping into failing.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from tests.browser.chromium import started


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """One browser for all tests."""
    lacking = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    if lacking:
        reason = f"no browser: {' and '.join(lacking)} not installed (apt-get install chromium chromium-driver)"
        pytest.fail(reason) if os.environ.get("REQUIRE_BROWSER") else pytest.skip(reason)
    driver = started()
    yield driver
    driver.quit()
