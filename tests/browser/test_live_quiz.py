"""A quiz with its key dropped on the live page: answered, and the check of its keys opened, filtered
and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.answerer.serve.server import LONG, Command, built, started
from tests.browser.live import cards, drop, dropped
from tests.browser.watched import HOSTILE, asked_for, opened, said, unnamed
from tests.places import SAMPLES
from tests.programs import done

QUIZ = """1. In which town did Shah Jahan build the Taj Mahal?
A. Vienna
B. Agra
C. Isfahan
Answer: A

2. Which emperor had the church of Hagia Sophia built?
A. Justinian
B. Akbar
C. Charlemagne
Answer: A

3. Who besieged Vienna in 1529?
A. Suleiman I
B. Akbar
C. Justinian
"""
JA = """1 タージ＝マハルを建てた皇帝は誰か。
ア アクバル
イ バーブル
ウ シャー＝ジャハーン
答え ア
"""


@pytest.fixture(scope="module")
def live(sample_book: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    japanese = built(tmp_path_factory.mktemp("quiz") / "ja", "textbook-ja.jsonl")
    command = started("--index", sample_book, "--index", japanese)
    yield command
    command.end()


@pytest.fixture
def page(browser: Chrome, live: Command) -> Iterator[str]:
    """The page's address; it is open, and empty. Windows that a test opens are closed."""
    address = f"http://127.0.0.1:{live.port}/"
    opened(browser, address)
    first = browser.current_window_handle
    yield address
    for other in browser.window_handles:
        if other != first:
            browser.switch_to.window(other)
            browser.close()
    browser.switch_to.window(first)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def hold_requests(browser: Chrome) -> Callable[[], None]:
    """Holds the page's requests back until the function that is returned is called."""
    holding = """const { fetch } = window;
        const held = new Promise((release) => { window.release = release; });
        window.fetch = (...request) => held.then(() => fetch(...request))"""
    browser.execute_script(holding)  # type: ignore[no-untyped-call]
    return lambda: browser.execute_script("release()")  # type: ignore[no-untyped-call,no-any-return]


def open_check(browser: Chrome, card: WebElement) -> None:
    """Open the report of a card in its own window, and go there."""
    before = set(browser.window_handles)
    card.find_element(By.LINK_TEXT, "open the check of the keys").click()
    WebDriverWait(browser, LONG).until(lambda _: set(browser.window_handles) > before)
    (window,) = set(browser.window_handles) - before
    browser.switch_to.window(window)
    WebDriverWait(browser, LONG).until(lambda _: browser.find_elements(By.TAG_NAME, "article"))


def shown(browser: Chrome) -> list[str]:
    """The headings of the questions that the report shows."""
    articles = browser.find_elements(By.TAG_NAME, "article")
    return [one.find_element(By.TAG_NAME, "h2").text for one in articles if one.is_displayed()]


def test_the_row_of_choices_that_the_book_does_not_have_is_marked(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    absent = "\n4. Which enzyme unwinds DNA?\nA. helicase\nB. ligase\n"
    card = dropped(browser, written(tmp_path, "quiz.txt", QUIZ + absent))
    rows = card.find_elements(By.CSS_SELECTOR, "details.given > summary")
    assert ["not in the book: none of the choices" in row.text for row in rows] == [
        False,
        False,
        False,
        True,
    ]


def test_doubtful_keys_are_first_beside_the_answers(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    first, *rest = QUIZ.split("\n\n")
    card = dropped(browser, written(tmp_path, "quiz.txt", "\n\n".join((*rest, first))))
    lines = [row.text for row in card.find_elements(By.CSS_SELECTOR, "details.given > summary")]
    assert lines[0].startswith("1 key doubtful")
    assert lines[0].endswith("Agra · key: A. Vienna")
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]


def test_the_check_opens_filters_and_is_that_of_the_command(
    browser: Chrome, page: str, sample_book: str, tmp_path: Path
) -> None:
    quiz = written(tmp_path, "quiz.txt", QUIZ)
    card = dropped(browser, quiz)
    assert "The quiz holds its key: 1 key doubtful, 1 not judged, 1 key agrees." in card.text
    assert asked_for(browser) == {page, f"{page}answer"}
    open_check(browser, card)
    assert [heading.split()[0] for heading in shown(browser)] == ["1", "2", "3"]
    browser.find_element(By.CSS_SELECTOR, "button[data-show='key doubtful']").click()
    assert [heading.split()[0] for heading in shown(browser)] == ["1"]
    assert "Taj Mahal at Agra" in browser.find_element(By.TAG_NAME, "article").text
    assert "sections of the book have a question" in browser.find_element(By.ID, "coverage").text
    # Styled by its own sheet, which the page that opened it has to let in too.
    grid = "return getComputedStyle(document.querySelector('.sides')).display"
    assert browser.execute_script(grid) == "grid"  # type: ignore[no-untyped-call]
    assert (unnamed(browser), said(browser)) == ([], [])
    parts = "return document.querySelector('header').outerHTML + document.querySelector('main').innerText"
    here = browser.execute_script(parts)  # type: ignore[no-untyped-call]
    done("answerer", "check-quiz", quiz, "--index", sample_book, "-o", tmp_path / "quiz.html")
    browser.get((tmp_path / "quiz.html").as_uri())
    browser.find_element(By.CSS_SELECTOR, "button[data-show='key doubtful']").click()
    assert browser.execute_script(parts) == here  # type: ignore[no-untyped-call]


def test_print_and_csv(browser: Chrome, page: str, tmp_path: Path) -> None:
    where = {"behavior": "allow", "downloadPath": str(tmp_path)}
    card = dropped(browser, written(tmp_path, "quiz.txt", QUIZ))
    open_check(browser, card)
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", where)  # type: ignore[no-untyped-call]
    browser.execute_script("window.print = () => { document.title = 'printed'; }")  # type: ignore[no-untyped-call]
    browser.find_element(By.ID, "print").click()
    assert browser.title == "printed"
    browser.find_element(By.LINK_TEXT, "CSV").click()
    table = tmp_path / "quiz.csv"
    WebDriverWait(browser, LONG).until(lambda _: table.exists())
    assert table.read_text("utf-8").splitlines()[1].startswith("1,key doubtful,")


def test_a_quiz_dropped_directly_after_another_is_answered_after_it(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    release = hold_requests(browser)
    drop(browser, written(tmp_path, "first.txt", QUIZ))
    drop(browser, written(tmp_path, "second.txt", JA))
    status = browser.find_element(By.ID, "status").text
    release()
    WebDriverWait(browser, LONG).until(lambda _: len(cards(browser)) == 2)
    second, first = cards(browser)
    assert status == "answering … second.txt comes next"
    assert first.find_element(By.TAG_NAME, "h2").text == "first.txt"
    assert "3 questions" in first.text
    open_check(browser, second)
    assert browser.find_element(By.TAG_NAME, "h1").text == "second"
    asked = browser.find_element(By.CSS_SELECTOR, ".asked")
    assert (asked.get_attribute("lang"), asked.text) == ("ja", "タージ＝マハルを建てた皇帝は誰か。")
    assert "シャー＝ジャハーンは妃の墓として" in browser.find_element(By.TAG_NAME, "article").text
    assert said(browser) == []


def test_a_quiz_is_checked_against_the_book_that_was_dropped_before(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    book = "The Kingdom of Ashdale\n\nKing Aldwin of Ashdale founded the town of Merrow.\n"
    dropped(browser, written(tmp_path, "ashdale.md", book))
    quiz = "1. Which town did King Aldwin found?\nA. Merrow\nB. Vienna\nAnswer: B\n"
    open_check(browser, dropped(browser, written(tmp_path, "quiz.txt", quiz)))
    assert "1 question checked against ashdale." in browser.find_element(By.TAG_NAME, "header").text
    assert shown(browser)[0].startswith("1 key doubtful")


def test_what_fails_before_a_quiz_that_waits_stays_on_the_page(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    release = hold_requests(browser)
    drop(browser, written(tmp_path, "wrong.xml", "<exam><question"))
    drop(browser, written(tmp_path, "quiz.txt", QUIZ))
    release()
    WebDriverWait(browser, LONG).until(lambda _: len(cards(browser)) == 2)
    quiz, wrong = cards(browser)
    assert "wrong.xml:1: " in wrong.text
    assert quiz.find_element(By.TAG_NAME, "h2").text == "quiz.txt"


def test_a_quiz_without_a_key_is_offered_no_check(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    card = dropped(browser, written(tmp_path, "quiz.txt", QUIZ.replace("Answer: A\n", "")))
    assert "3 questions" in card.text
    assert "no key found" in card.text
    assert "check" not in card.text


def test_hostile_texts_of_a_quiz_are_shown_as_text_and_nothing_runs(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    texts = [" ".join(text.split())[:300] for text in HOSTILE[:7]]
    questions = [
        f"{number}. {text} of the Taj Mahal?\nA. {text}\nB. Agra\nAnswer: A\n"
        for number, text in enumerate(texts, 1)
    ]
    quiz = written(tmp_path, "<img src=x onerror=document.title=1>.txt", "\n".join(questions))
    card = dropped(browser, quiz)
    assert "The quiz holds its key" in card.text
    title = browser.title
    open_check(browser, card)
    assert browser.find_element(By.TAG_NAME, "h1").text == quiz.stem
    assert len(browser.find_elements(By.TAG_NAME, "article")) == len(texts)
    stems = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".asked")]
    assert sorted(stems) == sorted(f"{text} of the Taj Mahal?" for text in texts)
    assert (
        browser.find_elements(By.CSS_SELECTOR, "img, main script, [onerror], [onmouseover]") == []
    )
    assert (title, browser.title) == ("classical-qa", f"{quiz.stem} · checked")
    assert said(browser) == []


def test_a_book_and_its_quiz_dropped_together_are_asked_for_one_by_one(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    drop(browser, SAMPLES / "textbook-en.pdf", written(tmp_path, "quiz.txt", QUIZ))
    assert (
        browser.find_element(By.ID, "status").text
        == "One file at a time: drop the book first, then the quiz."
    )
    assert cards(browser) == []


def test_what_was_read_is_told_in_grey(browser: Chrome, page: str, tmp_path: Path) -> None:
    card = dropped(browser, written(tmp_path, "quiz.txt", QUIZ))
    (read,) = (note for note in card.find_elements(By.CLASS_NAME, "note") if "read as" in note.text)
    grey = card.find_element(By.CSS_SELECTOR, "header .dim, summary .dim")
    assert "⚠" not in read.text
    assert read.value_of_css_property("color") == grey.value_of_css_property("color")
