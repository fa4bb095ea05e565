"""The report as people use it: opened from the disk in a real browser, filtered, stepped through,
compared."""

from __future__ import annotations

import base64
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.watched import HOSTILE, asked_for, opened, said, unnamed
from tests.programs import done


def exam(folder: Path, name: str, answers: list[str]) -> Path:
    rows = "".join(
        f"<data><anscolumn_ID>A{n}</anscolumn_ID><answer>{answer}</answer><score>5</score></data>"
        for n, answer in enumerate(answers, 1)
    )
    path = folder / name
    path.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?><answerTable filename="x">{rows}</answerTable>',
        "utf-8",
    )
    return path


def traced(
    folder: Path, name: str, systems: list[str], texts: list[str], method: str = "names"
) -> Path:
    lines: list[dict[str, Any]] = [
        {"run": {"task": "ntcir-mc", "method": method, "index": texts[0]}}
    ]
    for n, system in enumerate(systems, 1):
        text = texts[n % len(texts)]
        evidence = {
            "doc_id": text,
            "title": text,
            "text": f"{text}!",
            "score": 1.0,
            "terms": {text: 1.0},
        }
        statement = {"text": text, "score": 1.0, "names": {text: {"sum": 1.0, text: 1.0}}}
        candidates = [
            {
                "id": str(c),
                "text": text,
                "score": c * n,
                "statements": [statement],
                "evidence": [evidence],
            }
            for c in range(1, 5)
        ]
        row = {
            "question_id": f"A{n}",
            "exam": "x",
            "shape": text,
            "asks": "T",
            "question": text,
            "note": text,
        }
        lines.append({**row, "system": system, "candidates": candidates})
    path = folder / name
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


def shown(browser: Chrome) -> list[str]:
    return [
        one.get_attribute("id") or ""
        for one in browser.find_elements(By.CSS_SELECTOR, "#list > article")
    ]


def press(browser: Chrome, keys: str) -> None:
    browser.find_element(By.TAG_NAME, "body").send_keys(keys)


def button(browser: Chrome, text: str) -> WebElement:
    found = browser.find_elements(By.CSS_SELECTOR, "#controls button")
    return next(one for one in found if one.text == text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def page(folder: Path) -> Path:
    """Two runs over four questions: both right, the first alone, the second alone, none."""
    gold = exam(folder, "gold.xml", ["4", "4", "4", "4"])
    one, two = (
        exam(folder, "one.xml", ["4", "4", "1", "1"]),
        exam(folder, "two.xml", ["4", "1", "4", "1"]),
    )
    traces = [
        traced(folder, "one.jsonl", ["4", "4", "1", "1"], ["Egypt", "Rome", "Troy"]),
        traced(folder, "two.jsonl", ["4", "1", "4", "1"], ["Egypt", "Rome", "Troy"], "slqal"),
    ]
    out = folder / "report.html"
    words = ["report", "ntcir-mc", str(gold), str(one), str(two), "-o", str(out)]
    done("evaluation", *words, "--trace", traces[0], "--trace", traces[1])
    return out


def test_the_page_asks_for_nothing_else_and_says_nothing_on_the_console(
    browser: Chrome, page: Path
) -> None:
    opened(browser, page)
    assert shown(browser) == ["A2", "A3", "A1", "A4"]  # what differs comes first
    assert asked_for(browser) == {page.as_uri()}
    assert said(browser) == []


def test_right_wrong_and_flips_are_filtered_for_the_run_that_is_shown(
    browser: Chrome, page: Path
) -> None:
    opened(browser, page)
    button(browser, "right").click()
    assert shown(browser) == ["A2", "A1"]
    button(browser, "slqal").click()
    assert shown(browser) == ["A3", "A1"]
    button(browser, "flips").click()
    assert shown(browser) == ["A2", "A3"]
    assert "2 of 4" in browser.find_element(By.ID, "count").text


def test_words_are_searched_for(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    browser.find_element(By.ID, "search").send_keys("troy")
    assert shown(browser) == ["A2"]


@pytest.mark.parametrize(
    ("words", "found"), [("roy a2 ", ["A2"]), ("ＴＲＯＹ", ["A2"]), ("troy rome", [])]
)
def test_words_are_searched_for_in_any_order_and_width(
    browser: Chrome, page: Path, words: str, found: list[str]
) -> None:
    opened(browser, page)
    browser.find_element(By.ID, "search").send_keys(words)
    assert shown(browser) == found


def test_an_order_by_score_is_that_of_the_run_that_is_shown(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    browser.find_element(By.CSS_SELECTOR, "#controls option[value=low]").click()
    assert shown(browser) == ["A3", "A4", "A1", "A2"]
    button(browser, "slqal").click()
    assert shown(browser) == ["A2", "A4", "A1", "A3"]


def test_a_run_chosen_at_a_question_keeps_the_focus_there(browser: Chrome, page: Path) -> None:
    opened(browser, page, "#A4")
    browser.find_elements(By.CSS_SELECTOR, "#A4 .runs button")[1].send_keys(Keys.ENTER)
    focused = browser.switch_to.active_element
    assert (focused.tag_name, focused.text.split()[1].rstrip(":")) == ("button", "slqal")
    assert focused.get_attribute("aria-pressed") == "true"


def test_keys_step_open_reasons_and_change_the_run(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    press(browser, "jj")
    current = browser.switch_to.active_element
    assert current.get_attribute("id") == "A3"
    assert browser.current_url.endswith("#A3")
    assert "✗ wrong" in current.text
    press(browser, "r")
    assert "✓ right" in browser.find_element(By.ID, "A3").text
    press(browser, "k")
    assert browser.switch_to.active_element.get_attribute("id") == "A2"
    press(browser, "o")
    whys = browser.find_elements(By.CSS_SELECTOR, "#A2 details.why")
    assert [one.get_attribute("open") for one in whys] == ["true"] * 4
    assert said(browser) == []


def test_a_link_opens_at_its_question(browser: Chrome, page: Path) -> None:
    opened(browser, page, "#A4")
    assert browser.switch_to.active_element.get_attribute("id") == "A4"
    assert "Rome" in browser.find_element(By.ID, "A4").text


def test_a_link_stays_at_its_question_when_those_above_it_are_drawn(
    browser: Chrome, folder: Path
) -> None:
    gold, answers = exam(folder, "many.gold.xml", ["4"] * 20), exam(folder, "many.xml", ["4"] * 20)
    trace = traced(folder, "many.jsonl", ["4"] * 20, ["Egypt " * 60, "Rome"])
    out = folder / "many.html"
    done("evaluation", "report", "ntcir-mc", gold, answers, "--trace", trace, "-o", out)
    for anchor in ("A3", "A12"):
        opened(browser, out, f"#{anchor}")
        browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 100))")  # type: ignore[no-untyped-call]
        top = browser.execute_script(
            f"return document.getElementById('{anchor}').getBoundingClientRect().top"
        )  # type: ignore[no-untyped-call]
        assert 0 <= top < 40


def test_two_runs_fit_on_a_telephone_and_headings_skip_no_level(
    browser: Chrome, page: Path
) -> None:
    small = {"width": 320, "height": 700, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", small)  # type: ignore[no-untyped-call]
    try:
        opened(browser, page)
        wide = "return document.documentElement.scrollWidth"
        assert browser.execute_script(wide) == 320  # type: ignore[no-untyped-call]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
    levels = [
        int(one.tag_name[1]) for one in browser.find_elements(By.CSS_SELECTOR, "h1, h2, h3, h4")
    ]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_gold_and_answer_are_told_in_words(browser: Chrome, page: Path) -> None:
    opened(browser, page, "#A4")
    rows = browser.find_elements(By.CSS_SELECTOR, "#A4 .candidates > li")
    assert ["★ key" in row.text for row in rows] == [False, False, False, True]
    assert ["▸ our answer" in row.text for row in rows] == [True, False, False, False]


def test_the_runs_are_compared_on_top(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    rows = browser.find_elements(By.CSS_SELECTOR, ".compared tbody tr")
    assert rows[1].text.split()[:3] == ["slqal", "50.0", "+0.0"]
    assert rows[1].text.split()[-4:] == ["1", "2", "1", "1.000"]


def test_all_text_is_in_the_page_from_the_start(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    texts = (
        "return [...document.querySelectorAll('#list .passage p')].map((one) => one.textContent)"
    )
    assert browser.execute_script(texts) == [
        f"{name}!" for name in ("Troy", "Egypt", "Rome", "Rome") for _ in range(4)
    ]  # type: ignore[no-untyped-call]


def test_squares_say_right_and_wrong_by_marks_and_stay_in_view(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    squares = browser.find_elements(By.CSS_SELECTOR, "#squares a")
    assert [one.text for one in squares] == ["✓ A1", "✓ A2", "✗ A3", "✗ A4"]
    browser.execute_script("scrollTo(0, document.body.scrollHeight)")  # type: ignore[no-untyped-call]
    tops = "return ['#squares', '#controls'].map((one) => document.querySelector(one).getBoundingClientRect().top)"
    assert all(0 <= top < 1000 for top in browser.execute_script(tops))  # type: ignore[no-untyped-call]


def test_bars_go_left_and_right_from_a_centre_line(browser: Chrome, folder: Path) -> None:
    gold, answers, trace = (
        exam(folder, "b.gold.xml", ["1"]),
        exam(folder, "b.xml", ["1"]),
        folder / "bars.jsonl",
    )
    candidates = [
        {"id": "1", "text": "so", "score": 2.0},
        {"id": "2", "text": "not", "score": -1.0},
    ]
    row = {
        "question_id": "A1",
        "exam": "x",
        "question": "Is it?",
        "system": "1",
        "candidates": candidates,
    }
    trace.write_text("\n".join(map(json.dumps, ({"run": {"task": "ntcir-mc"}}, row))), "utf-8")
    out = folder / "bars.html"
    done("evaluation", "report", "ntcir-mc", gold, answers, "--trace", trace, "-o", out)
    opened(browser, out)
    styles = "return [...document.querySelectorAll('.bar.signed i')].map((one) => [one.style.left, one.style.width])"
    assert browser.execute_script(styles) == [["50%", "50%"], ["25%", "25%"]]  # type: ignore[no-untyped-call]


def test_a_narrow_screen_begins_with_the_questions(browser: Chrome, page: Path) -> None:
    small = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", small)  # type: ignore[no-untyped-call]
    try:
        opened(browser, page)
        edges = (
            "article').getBoundingClientRect().top",
            "#overview').getBoundingClientRect().bottom",
        )
        top = "return " + " - ".join(f"document.querySelector('{edge}" for edge in edges)
        assert 0 <= browser.execute_script(top) < 40  # type: ignore[no-untyped-call]
        assert not browser.find_element(By.ID, "squares").is_displayed()
        browser.find_element(By.CSS_SELECTOR, "#overview > summary").click()
        assert browser.find_element(By.ID, "squares").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]


def test_texts_say_their_language_and_the_verdict_its_own(browser: Chrome, folder: Path) -> None:
    gold, answers, trace = (
        exam(folder, "l.gold.xml", ["1"]),
        exam(folder, "l.xml", ["1"]),
        folder / "ja.jsonl",
    )
    candidates = [
        {"id": "1", "text": "唐", "score": 2.0, "verdict": "supported: “都は長安。” (唐)"}
    ]
    row = {
        "question_id": "A1",
        "exam": "x",
        "question": "都は?",
        "system": "1",
        "candidates": candidates,
    }
    header = {"run": {"task": "ntcir-mc", "language": "ja"}}
    trace.write_text("\n".join(map(json.dumps, (header, row))), "utf-8")
    out = folder / "ja.html"
    done("evaluation", "report", "ntcir-mc", gold, answers, "--trace", trace, "-o", out)
    opened(browser, out)
    shown = [
        browser.find_element(By.CSS_SELECTOR, where)
        for where in (".asked", ".text", ".said", ".said b")
    ]
    assert [(one.text, one.get_attribute("lang")) for one in shown] == [
        ("都は?", "ja"),
        ("唐", "ja"),
        ("supported: “都は長安。” (唐)", "ja"),
        ("supported", "en"),
    ]


def test_twenty_questions_are_printed_on_few_pages(browser: Chrome, folder: Path) -> None:
    gold, answers = exam(folder, "p.gold.xml", ["4"] * 20), exam(folder, "p.xml", ["1"] * 20)
    trace, out = (
        traced(folder, "p.jsonl", ["1"] * 20, ["A text of one line, as choices have. " * 3]),
        folder / "p.html",
    )
    words = ["report", "ntcir-mc", str(gold), str(answers), "--trace", str(trace), "-o", str(out)]
    done("evaluation", *words)
    opened(browser, out)
    printed = browser.execute_cdp_cmd("Page.printToPDF", {})["data"]  # type: ignore[no-untyped-call]
    pages = re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed))
    assert 4 <= len(pages) <= 12


def test_what_a_screen_reader_needs_is_there(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    assert unnamed(browser) == []
    assert len(browser.find_elements(By.TAG_NAME, "h1")) == 1
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"


def test_hostile_text_is_shown_as_text_and_nothing_runs(browser: Chrome, folder: Path) -> None:
    wrong = ["1"] * len(HOSTILE)
    gold, given = (
        exam(folder, "hostile-gold.xml", ["4"] * len(wrong)),
        exam(folder, "hostile.xml", wrong),
    )
    out, path = folder / "hostile.html", traced(folder, "hostile.jsonl", wrong, HOSTILE, HOSTILE[0])
    done("evaluation", "report", "ntcir-mc", gold, given, "--trace", path, "-o", out)
    opened(browser, out)
    title = browser.title
    for number, text in enumerate(HOSTILE):
        name = f"A{number or len(HOSTILE)}"
        texts = f"""const card = document.getElementById("{name}");
            return [".asked", ".text", ".passage p"].map((which) => card.querySelector(which).textContent)"""
        assert browser.execute_script(texts) == [text, text, f"{text}!"]  # type: ignore[no-untyped-call]
    assert (
        browser.find_elements(By.CSS_SELECTOR, "img, article script, [onerror], [onmouseover]")
        == []
    )
    assert len(browser.find_elements(By.TAG_NAME, "script")) == 2
    assert browser.title == title == f"x · {HOSTILE[0]}"
    wide = "return document.documentElement.scrollWidth <= innerWidth"
    assert browser.execute_script(wide)  # type: ignore[no-untyped-call]
    press(browser, "j" + Keys.ESCAPE)
    assert said(browser) == []
    assert asked_for(browser) == {out.as_uri()}


def test_the_policy_stops_a_script_that_is_not_ours(
    browser: Chrome, page: Path, folder: Path
) -> None:
    tampered = folder / "tampered.html"
    tampered.write_text(
        page.read_text("utf-8").replace("</h1>", "</h1><script>document.title = 'run'</script>"),
        "utf-8",
    )
    opened(browser, tampered)
    assert browser.title != "run"
    assert any("Content Security Policy" in line for line in said(browser))


def test_a_table_is_drawn_with_the_answer_and_the_cells_that_led_to_it(
    browser: Chrome, folder: Path
) -> None:
    gold, answers, trace = folder / "gold.tsv", folder / "ds.tsv", folder / "ds.jsonl"
    gold.write_text("Q1\tPine Lake\n", "utf-8")
    answers.write_text("<SYSDESC>x</SYSDESC>\nQ1\tPine Lake\n", "utf-8")
    rows = [[0, ["Cedar <b>Flats", "1961"]], [1, ["Pine Lake", "1950"]]]
    table = {
        "title": "Parks",
        "size": [5, 2],
        "columns": [["Park"], ["Established"]],
        "rows": rows,
        "labels": 1,
    }
    candidate = {
        "id": "1",
        "text": "Pine Lake",
        "score": 0.9,
        "derivation": "smallest",
        "features": {"cell": 1.0},
    }
    one = {**candidate, "table": {**table, "answer": [1, 0], "used": [[0, 1], [1, 1]]}}
    row = {
        "question_id": "Q1",
        "shape": "cell",
        "question": "Which is oldest?",
        "system": "Pine Lake",
    }
    lines = [{"run": {"task": "datasearch-qa"}}, {**row, "candidates": [one]}]
    trace.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    out = folder / "table.html"
    words = [
        "report",
        "datasearch-qa",
        str(gold),
        str(answers),
        "--trace",
        str(trace),
        "-o",
        str(out),
    ]
    done("evaluation", *words)
    opened(browser, out)
    browser.find_element(By.CSS_SELECTOR, "details.why summary").click()
    cells = browser.find_elements(By.CSS_SELECTOR, ".grid tbody th, .grid tbody td")
    assert [cell.text for cell in cells] == ["Cedar <b>Flats", "1961", "Pine Lake", "1950"]
    assert [cell.get_attribute("class") or "" for cell in cells] == [
        "label",
        "used",
        "answer",
        "used",
    ]
    assert (
        "of 5 rows and 2 columns" in browser.find_element(By.CSS_SELECTOR, ".grid figcaption").text
    )
    assert said(browser) == []


def test_a_candidate_table_is_drawn_with_the_cells_that_hold_words_of_the_question(
    browser: Chrome, folder: Path
) -> None:
    file, scores, trace, out = (
        folder / name for name in ("tb.txt", "tb.scores", "tb.jsonl", "tb.html")
    )
    lines = [
        "1\tWho made the red mill?\tMills\tName_|_Maker\t<b>Red mill_|_Ann_||_Blue_|_Bo",
        "0\tWho made the red mill?\tCats\tName\tTom",
    ]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    untrained = ["--model", "none", "-o", str(scores), "--trace", str(trace)]
    done("answerer", "nlpcc-tbqa", file, *untrained)
    words = ["report", "nlpcc-tbqa", str(file), str(scores), "--trace", str(trace), "-o", str(out)]
    done("evaluation", *words)
    opened(browser, out)
    browser.find_element(By.CSS_SELECTOR, "details.why summary").click()
    cells = browser.find_elements(By.CSS_SELECTOR, "li.chosen .grid tbody td")
    assert [cell.text for cell in cells] == ["<b>Red mill", "Ann", "Blue", "Bo"]
    assert [cell.get_attribute("class") or "" for cell in cells] == ["matched", "", "", ""]
    assert said(browser) == []
