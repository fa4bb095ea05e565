"""What tests do with the live page: files dropped on it, the cards that answer, what it refuses."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.answerer.serve.server import LONG


def cards(browser: Chrome) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, "#answers > article")


def refused(browser: Chrome) -> str:
    return "".join(one.text for one in browser.find_elements(By.CSS_SELECTOR, "#status.refused"))


def dropped(browser: Chrome, *paths: Path) -> WebElement:
    """The card of files that were dropped on the page together, when it is there."""
    before = len(cards(browser))
    drop(browser, *paths)
    WebDriverWait(browser, LONG).until(lambda _: len(cards(browser)) > before or refused(browser))
    assert not refused(browser), refused(browser)
    return cards(browser)[0]


def drop(browser: Chrome, *paths: Path) -> None:
    """Drop files on the page together, and wait for nothing."""
    adding = """const box = document.createElement("input");
        Object.assign(box, { type: "file", multiple: true });
        document.body.append(box);
        return box"""
    box = browser.execute_script(adding)  # type: ignore[no-untyped-call]
    box.send_keys("\n".join(map(str, paths)))
    dropping = """const data = new DataTransfer();
        for (const file of arguments[0].files) data.items.add(file);
        arguments[0].remove();
        for (const kind of ["dragover", "drop"]) {
            const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
            document.querySelector("main").dispatchEvent(event);
        }"""
    browser.execute_script(dropping, box)  # type: ignore[no-untyped-call]
