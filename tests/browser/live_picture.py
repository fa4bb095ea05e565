"""Takes the picture of the live page: `python -m tests.browser.live_picture INDEX OUT.png`."""

from __future__ import annotations

import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.answerer.serve.server import started as server_started
from tests.browser.chromium import started

QUESTION = "Who had the church of Hagia Sophia built?"
CHOICES = "Akbar\nJustinian\nShah Jahan"

if __name__ == "__main__":
    index, picture = sys.argv[1:]
    server, chromium = server_started("--index", index), started()
    try:
        chromium.get(f"http://127.0.0.1:{server.port}/")
        chromium.find_element(By.ID, "question").send_keys(QUESTION)
        chromium.find_element(By.ID, "choices").send_keys(CHOICES)
        chromium.find_element(By.CSS_SELECTOR, "#ask .do").click()
        WebDriverWait(chromium, 60).until(
            lambda _: chromium.find_elements(By.CSS_SELECTOR, "li.chosen")
        )
        chromium.execute_script("document.activeElement.blur(); scrollTo(0, 0)")  # type: ignore[no-untyped-call]
        chromium.save_screenshot(picture)
    finally:
        chromium.quit()
        server.end()
