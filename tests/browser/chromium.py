"""Starts Chromium, and takes pictures of pages: `python -m tests.browser.chromium REPORT.html
OUT.png`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

SIZE = "1180,1000"


def started() -> Chrome:
    """A headless Chromium that remembers what its console says and what it asks for."""
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    options.add_argument(f"--window-size={SIZE}")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--lang=en-US",
    ):
        options.add_argument(argument)
    options.add_argument(
        "--disable-dev-shm-usage"
    )  # /dev/shm of a container is small, and a full one ends the page
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))


if __name__ == "__main__":
    page, picture = sys.argv[1:]
    chromium = started()
    try:
        chromium.get(Path(page).resolve().as_uri())
        chromium.save_screenshot(picture)
    finally:
        chromium.quit()
