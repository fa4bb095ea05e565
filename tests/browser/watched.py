"""A page opened and watched: what it asked for, what its console said; and texts that would like to
run in it."""

from __future__ import annotations

import json
from pathlib import Path

from selenium.webdriver import Chrome

HOSTILE = [
    "<script>document.title='run'</script>",
    "<img src=x onerror=\"document.title='run'\">",
    "]]></script><script>document.title='run'</script>",
    "<!--<script>",
    '\'" onmouseover="document.title=\'run\'" x="',
    "{{ 7 * 7 }} {% raw %}",
    "javascript:document.title='run'",
    "long" * 2000,
    "مرحبا \u202ehcir si siht\u202c עברית",
    "👩‍👩‍👧‍👦 𠮷野家 e\u0301",
    "\u2028 \x85 \x01 \ufeff",
]


def opened(browser: Chrome, page: Path | str, anchor: str = "") -> None:
    """Open a file or an address, with nothing left of the page before."""
    browser.get("about:blank")
    browser.get_log("browser")  # type: ignore[no-untyped-call]
    browser.get_log("performance")  # type: ignore[no-untyped-call]
    browser.get((page.as_uri() if isinstance(page, Path) else page) + anchor)


def said(browser: Chrome) -> list[str]:
    """What the console said since the page was opened."""
    return [line["message"] for line in browser.get_log("browser")]  # type: ignore[no-untyped-call]


def asked_for(browser: Chrome) -> set[str]:
    """The addresses of all requests since the page was opened."""
    messages = [json.loads(line["message"])["message"] for line in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    return {
        one["params"]["request"]["url"]
        for one in messages
        if one["method"] == "Network.requestWillBeSent"
    }


def unnamed(browser: Chrome) -> list[str]:
    """What a screen reader could not name."""
    script = """const named = "button, a, input, select, textarea, svg[role], article, nav, summary";
        return [...document.querySelectorAll(named)]
        .filter((one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.length))
        .filter((one) => !one.getAttribute("aria-labelledby"))
        .map((one) => one.outerHTML)"""
    found: list[str] = browser.execute_script(script)  # type: ignore[no-untyped-call]
    return found
