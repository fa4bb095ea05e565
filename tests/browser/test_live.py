"""The live page as people use it: a question asked, choices judged, what goes wrong said, nothing
else asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from indexer.analysis.text import pasted_question
from tests.answerer.serve.server import LONG, Command, started
from tests.browser.live import cards, dropped, refused
from tests.browser.watched import HOSTILE, asked_for, opened, said, unnamed
from tests.places import SAMPLES
from tests.programs import done

QUESTION = "In which town did Shah Jahan build the Taj Mahal?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live")


@pytest.fixture(scope="module")
def hostile_book(folder: Path) -> str:
    """A textbook whose every text would like to run; each holds a word of its own, `markN`."""
    lines = [
        json.dumps({"title": text, "text": f"The mark{number} of Xanadu is {text} Kubla{number}."})
        for number, text in enumerate(HOSTILE)
    ]
    path = folder / "hostile.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    done("indexer", "textbook", path, "--language", "en", "--index", folder / "hostile")
    return str(folder / "hostile")


@pytest.fixture(scope="module")
def live(sample_book: str, hostile_book: str) -> Iterator[Command]:
    command = started("--index", sample_book, "--index", hostile_book)
    yield command
    command.end()


@pytest.fixture
def page(browser: Chrome, live: Command) -> str:
    """The page's address; it is open, and empty."""
    address = f"http://127.0.0.1:{live.port}/"
    opened(browser, address)
    return address


def ask(browser: Chrome, question: str, choices: str = "", index: int = 1) -> WebElement:
    """The card of the answer, when it is there."""
    before = len(cards(browser))
    choose(browser, index - 1)
    for name, text in (("question", question), ("choices", choices)):
        box = browser.find_element(By.ID, name)
        browser.execute_script("arguments[0].value = arguments[1]", box, text)  # type: ignore[no-untyped-call]
    browser.find_element(By.CSS_SELECTOR, "#ask .do").click()
    WebDriverWait(browser, LONG).until(lambda _: len(cards(browser)) > before or refused(browser))
    assert not refused(browser), refused(browser)
    return cards(browser)[0]


def choose(browser: Chrome, place: int | None = None) -> None:
    """Choose this index of the question's; without one, that of the question's language."""
    boxes = browser.find_elements(By.CSS_SELECTOR, "#ask input[name=index]")
    if boxes:
        boxes[0 if place is None else place + 1].click()


def test_a_question_is_answered_with_its_evidence(browser: Chrome, page: str) -> None:
    card = ask(browser, QUESTION)
    assert card.find_element(By.TAG_NAME, "h2").text == "Agra"
    assert "▸ our answer" in card.find_elements(By.CSS_SELECTOR, ".candidates > li")[0].text
    assert (
        "Shah Jahan built the Taj Mahal at Agra" in card.find_element(By.CSS_SELECTOR, ".said").text
    )
    assert asked_for(browser) == {page, f"{page}answer"}
    assert said(browser) == []


def test_what_something_is_is_told_by_sentences_with_their_places(
    browser: Chrome, page: str
) -> None:
    card = ask(browser, "Who was Shah Jahan?")
    assert (
        card.find_element(By.TAG_NAME, "h2").text
        == "Shah Jahan built the Taj Mahal at Agra as a tomb for his wife."
    )
    assert len(card.find_elements(By.CSS_SELECTOR, "blockquote.passage")) == 2
    assert (
        "textbook-en-0000024-005"
        in card.find_element(By.CSS_SELECTOR, "blockquote.passage footer").text
    )


def test_choices_are_judged(browser: Chrome, page: str) -> None:
    card = ask(
        browser, "Who made Isfahan the capital of Safavid Persia?", "Akbar\n\n  Abbas I \nAshoka"
    )
    assert card.find_element(By.TAG_NAME, "h2").text == "Abbas I"
    assert [one.text for one in card.find_elements(By.CSS_SELECTOR, ".line .text")] == [
        "Akbar",
        "Abbas I",
        "Ashoka",
    ]
    assert said(browser) == []


def test_enter_asks_and_the_answer_has_the_focus(browser: Chrome, page: str) -> None:
    browser.find_element(By.ID, "question").send_keys(QUESTION + Keys.ENTER)
    WebDriverWait(browser, LONG).until(lambda _: cards(browser))
    assert browser.switch_to.active_element == cards(browser)[0]


def test_the_address_repeats_the_question(browser: Chrome, page: str) -> None:
    ask(browser, "Who made Isfahan the capital of Safavid Persia?", "Akbar\nAbbas I")
    address = browser.current_url
    assert address.startswith(f"{page}?q=Who+made+Isfahan")
    assert (
        cards(browser)[0].find_element(By.CSS_SELECTOR, "header a").get_attribute("href") == address
    )
    opened(browser, address)
    WebDriverWait(browser, LONG).until(lambda _: cards(browser) or refused(browser))
    assert cards(browser)[0].find_element(By.TAG_NAME, "h2").text == "Abbas I"
    assert browser.find_element(By.ID, "choices").get_property("value") == "Akbar\nAbbas I"
    assert said(browser) == []


def test_a_textbook_that_is_dropped_is_an_index_to_ask(browser: Chrome, page: str) -> None:
    card = dropped(browser, SAMPLES / "textbook-en.pdf")
    assert "is now the book textbook-en (en)" in card.text
    browser.find_element(By.ID, "question").send_keys("Who wrote the Meditations?" + Keys.ENTER)
    WebDriverWait(browser, LONG).until(lambda _: len(cards(browser)) > 1 or refused(browser))
    assert not refused(browser), refused(browser)
    assert "from textbook-en" in cards(browser)[0].find_element(By.TAG_NAME, "header").text
    opened(browser, page)
    assert "textbook-en" in browser.find_element(By.TAG_NAME, "fieldset").text
    assert (unnamed(browser), said(browser)) == ([], [])


def test_a_chapter_in_plain_text_is_a_book_and_a_quiz_in_plain_text_is_answered(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    chapter = tmp_path / "chapter.txt"
    chapter.write_text(
        "The Kingdom of Ashdale\n\nKing Aldwin of Ashdale founded the town of Merrow in 1214.\n",
        "utf-8",
    )
    card = dropped(browser, chapter)
    assert "is now the book chapter (en)" in card.text
    assert "no questions: it was taken for a textbook" in card.text
    browser.find_element(By.ID, "question").send_keys("Who founded Merrow?" + Keys.ENTER)
    WebDriverWait(browser, LONG).until(lambda _: len(cards(browser)) > 1 or refused(browser))
    assert not refused(browser), refused(browser)
    assert "Aldwin" in cards(browser)[0].text
    quiz = tmp_path / "quiz.txt"
    quiz.write_text("1. Who built the Taj Mahal?\nA. Akbar\nB. Shah Jahan\nAnswer: B\n", "utf-8")
    assert "1 question" in dropped(browser, quiz).text
    # The status of the answer that was no answer is the browser's to tell.
    assert all("400" in line for line in said(browser))


def test_a_dropped_book_is_removed_by_its_card(browser: Chrome, page: str, tmp_path: Path) -> None:
    chapter = tmp_path / "merrow.md"
    chapter.write_text("The Kingdom\n\nKing Aldwin founded the town of Merrow in 1214.\n", "utf-8")
    card = dropped(browser, chapter)
    card.find_element(By.XPATH, ".//button[text()='remove this book']").click()
    WebDriverWait(browser, LONG).until(lambda _: "removed" in card.text)
    assert "merrow" not in browser.find_element(By.ID, "ask").text
    opened(browser, page)
    assert "merrow" not in browser.find_element(By.TAG_NAME, "body").text


def test_nothing_to_ask_is_said(browser: Chrome, page: str) -> None:
    browser.find_element(By.CSS_SELECTOR, "#ask .do").click()
    assert refused(browser) == "type a question, or choose a file"


def test_what_cannot_be_asked_is_said_and_the_page_goes_on(browser: Chrome, page: str) -> None:
    with pytest.raises(AssertionError, match="choices: "):
        ask(browser, QUESTION, "one")
    assert ask(browser, QUESTION).find_element(By.TAG_NAME, "h2").text == "Agra"


def test_what_is_sent_while_something_is_under_way_is_told_and_not_lost(
    browser: Chrome, page: str
) -> None:
    browser.find_element(By.ID, "file").send_keys(str(SAMPLES / "term-en.xml"))
    twice = """const run = document.getElementById("ask"), status = document.getElementById("status");
        run.requestSubmit();
        run.requestSubmit();
        return status.textContent"""
    assert browser.execute_script(twice).startswith("one request at a time")  # type: ignore[no-untyped-call]
    WebDriverWait(browser, LONG).until(lambda _: cards(browser) or refused(browser))
    assert [card.find_element(By.TAG_NAME, "h2").text for card in cards(browser)] == ["term-en.xml"]
    assert ask(browser, QUESTION).find_element(By.TAG_NAME, "h2").text == "Agra"
    assert len(cards(browser)) == 2


def test_the_seconds_that_pass_are_not_read_aloud(browser: Chrome, page: str) -> None:
    watched = """window.setInterval = (tick) => setTimeout(tick, 0);
        window.heard = [];
        const status = document.getElementById("status");
        new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true })"""
    browser.execute_script(watched)  # type: ignore[no-untyped-call]
    ask(browser, QUESTION)
    assert browser.find_element(By.ID, "seconds").get_property("textContent") == "0 s"
    heard = browser.execute_script("return heard")  # type: ignore[no-untyped-call]
    assert heard == ["answering …", ""]


def test_an_error_without_json_is_told_by_its_status(browser: Chrome, page: str) -> None:
    fetch = (
        "window.fetch = () => Promise.resolve(new Response('Service Unavailable', { status: 503 }))"
    )
    browser.execute_script(fetch)  # type: ignore[no-untyped-call]
    with pytest.raises(AssertionError, match="the server answered with status 503"):
        ask(browser, QUESTION)


def test_what_a_screen_reader_needs_is_there(browser: Chrome, page: str) -> None:
    ask(browser, QUESTION)
    assert unnamed(browser) == []
    assert len(browser.find_elements(By.TAG_NAME, "h1")) == 1
    assert browser.find_element(By.ID, "status").get_attribute("role") == "status"


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_texts_are_shown_as_text_and_nothing_runs(
    browser: Chrome, page: str, number: int
) -> None:
    hostile = HOSTILE[number][:400]  # longer runs are cut before they are asked
    ask(browser, f"What is the mark{number} of Xanadu?", index=2)
    ask(browser, hostile, f"{hostile} first\n{hostile} second", index=2)
    typed = browser.find_elements(By.CSS_SELECTOR, "#answers .asked")[0]
    asked = browser.find_element(By.ID, "question").get_property("value")
    # Characters that nobody sees are dropped, and line breaks and blanks are one blank.
    assert typed.get_property("textContent") == pasted_question(str(asked))
    assert (
        browser.find_elements(By.CSS_SELECTOR, "img, article script, [onerror], [onmouseover]")
        == []
    )
    assert browser.title == "classical-qa"
    wide = "return document.documentElement.scrollWidth <= innerWidth"
    assert browser.execute_script(wide)  # type: ignore[no-untyped-call]
    assert said(browser) == []
    assert asked_for(browser) == {page, f"{page}answer"}


def test_the_policy_lets_nothing_in_that_is_not_ours(browser: Chrome, page: str) -> None:
    added = """const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        document.body.append(script);
        document.body.insertAdjacentHTML("beforeend", "<img src='http://127.0.0.1:9/x'>");
        return fetch("http://127.0.0.1:9/").then(() => "asked", () => "refused")"""
    assert browser.execute_script(added) == "refused"  # type: ignore[no-untyped-call]
    assert browser.title == "classical-qa"
    assert all("Content Security Policy" in line or "violates" in line for line in said(browser))
    assert {one for one in asked_for(browser) if not one.startswith(page)} <= {
        "http://127.0.0.1:9/x",
        "http://127.0.0.1:9/",
    }


def test_an_exam_that_is_dropped_is_answered_drawn_and_saved(
    browser: Chrome, page: str, sample_book: str, tmp_path: Path
) -> None:
    where = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", where)  # type: ignore[no-untyped-call]
    card = dropped(browser, SAMPLES / "sample-exam-en.xml")
    assert card.find_element(By.TAG_NAME, "h2").text == "sample-exam-en.xml"
    assert re.search(r"quiz · from \S*textbook-en · 20 questions", card.text)
    given = card.find_elements(By.CSS_SELECTOR, "details.given")
    assert len(given) == 20
    given[0].find_element(By.TAG_NAME, "summary").click()
    WebDriverWait(browser, LONG).until(
        lambda _: given[0].find_elements(By.CSS_SELECTOR, ".candidates > li")
    )
    assert "▸ our answer" in given[0].text
    for button in card.find_elements(By.CSS_SELECTOR, ".row button"):
        button.click()
    out, trace = tmp_path / "sample-exam-en.run.xml", tmp_path / "sample-exam-en.trace.jsonl"
    WebDriverWait(browser, LONG).until(lambda _: out.exists() and trace.exists())
    command, kept = tmp_path / "command.xml", tmp_path / "command.jsonl"
    words = ["ntcir-mc", str(SAMPLES / "sample-exam-en.xml"), "--index", sample_book]
    done("answerer", *words, "-o", command, "--trace", kept)
    assert (out.read_bytes(), trace.read_bytes()) == (command.read_bytes(), kept.read_bytes())
    assert unnamed(browser) == []
    assert {one for one in asked_for(browser) if not one.startswith(("blob:", "data:"))} == {
        page,
        f"{page}answer",
    }
    assert said(browser) == []


def test_essays_that_are_dropped_with_their_gold_are_judged(browser: Chrome, page: str) -> None:
    card = dropped(browser, SAMPLES / "essay-en.xml", SAMPLES / "essay-en.gold.xml")
    assert card.find_element(By.TAG_NAME, "h2").text == "essay-en.gold.xml, essay-en.xml"
    assert "ntcir-evaluation-method" in card.text
    assert said(browser) == []


def test_of_files_none_of_which_is_called_gold_the_first_is_chosen(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    for name, sample in (("a.xml", "essay-en.xml"), ("b.xml", "essay-en.gold.xml")):
        (tmp_path / name).write_bytes((SAMPLES / sample).read_bytes())
    assert not browser.find_element(By.ID, "first").is_displayed()
    browser.find_element(By.ID, "file").send_keys(f"{tmp_path}/a.xml\n{tmp_path}/b.xml")
    browser.find_elements(By.CSS_SELECTOR, "#first option")[1].click()
    browser.find_element(By.CSS_SELECTOR, "#ask .do").click()
    WebDriverWait(browser, LONG).until(lambda _: cards(browser) or refused(browser))
    assert not refused(browser), refused(browser)
    assert cards(browser)[0].find_element(By.TAG_NAME, "h2").text == "b.xml, a.xml"


def test_a_page_of_one_index_offers_a_choice_of_indexes_once_there_are_two(
    browser: Chrome, sample_book: str, tmp_path: Path
) -> None:
    command = started("--index", sample_book)
    try:
        opened(browser, f"http://127.0.0.1:{command.port}/")
        assert browser.find_elements(By.CSS_SELECTOR, "fieldset, input[name=index]") == []
        browser.find_element(By.ID, "question").send_keys(QUESTION + Keys.ENTER)
        WebDriverWait(browser, LONG).until(lambda _: cards(browser) or refused(browser))
        assert cards(browser)[0].find_element(By.TAG_NAME, "h2").text == "Agra"
        assert "20 questions" in dropped(browser, SAMPLES / "sample-exam-en.xml").text
        assert (unnamed(browser), said(browser)) == ([], [])
        (tmp_path / "inns.html").write_text("<h1>Inns</h1><p>Ann built the inn at Merrow.", "utf-8")
        dropped(browser, tmp_path / "inns.html")
        everything, *_ = browser.find_elements(By.CSS_SELECTOR, "#ask input[name=index]")
        assert (everything.get_attribute("value"), everything.is_selected()) == ("", False)
        everything.click()
        browser.find_element(By.ID, "question").clear()
        browser.find_element(By.ID, "question").send_keys(QUESTION + Keys.ENTER)
        WebDriverWait(browser, LONG).until(lambda _: len(cards(browser)) == 4)
        assert "asked also: inns" in cards(browser)[0].text
    finally:
        command.end()


def test_a_note_of_one_line_is_no_textbook(browser: Chrome, page: str, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Buy rye at Merrow, and pay the miller.\n", "utf-8")
    with pytest.raises(AssertionError, match="one line is no textbook"):
        dropped(browser, tmp_path / "note.txt")
    assert cards(browser) == []


def test_a_guess_is_said_to_be_one_once(browser: Chrome, page: str) -> None:
    card = ask(browser, "Who mended the weir?", "Wulfric\nOrdgar")
    assert card.text.count("a guess") == 1


def test_a_task_of_the_server_s_is_chosen_and_nothing_is_guessed(
    browser: Chrome, sample_book: str, tmp_path: Path
) -> None:
    command = started("--index", sample_book, "--task", "ntcir-term")
    try:
        opened(browser, f"http://127.0.0.1:{command.port}/")
        assert "ntcir-term · " in dropped(browser, SAMPLES / "term-en.xml").text
        with pytest.raises(AssertionError, match=r"textbook-en\.pdf"):  # and made no index
            dropped(browser, SAMPLES / "textbook-en.pdf")
    finally:
        command.end()


def test_a_file_is_answered_by_the_task_and_method_that_are_chosen(
    browser: Chrome, page: str
) -> None:
    browser.find_element(By.ID, "file").send_keys(str(SAMPLES / "dbqa.dev.txt"))
    browser.find_element(By.CSS_SELECTOR, "#options > summary").click()
    browser.find_element(By.CSS_SELECTOR, "#task option[value='nlpcc-dbqa']").click()
    browser.find_element(By.CSS_SELECTOR, "#method option[value='overlap']").click()
    browser.find_element(By.CSS_SELECTOR, "#ask .do").click()
    WebDriverWait(browser, LONG).until(lambda _: cards(browser))
    assert "nlpcc-dbqa · overlap" in cards(browser)[0].text


def test_a_file_that_is_none_is_told_by_its_name(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.xml"
    wrong.write_text("<exam><question", "utf-8")
    with pytest.raises(AssertionError, match=r"wrong\.xml:1: "):
        dropped(browser, wrong)


def test_after_a_refused_picture_the_next_question_is_asked(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    picture = tmp_path / "page.jpg"
    picture.write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF\0")
    with pytest.raises(AssertionError, match=r"page\.jpg: a JPEG image; type its text"):
        dropped(browser, picture)
    browser.find_element(By.ID, "question").send_keys("Who built the Taj Mahal?")
    browser.find_element(By.CSS_SELECTOR, "#ask .do").click()
    WebDriverWait(browser, LONG).until(lambda _: cards(browser))
    assert "Shah Jahan" in cards(browser)[0].text


def test_yes_has_a_likelihood_only_where_nothing_makes_it_doubtful(
    browser: Chrome, page: str
) -> None:
    assert " % of such answers are right" in ask(browser, "Did Suleiman I besiege Vienna?").text
    doubtful = ask(browser, "Did Suleiman I only besiege Vienna?")
    assert ("Not sure: " in doubtful.text, "%" in doubtful.text) == (True, False)


def test_hostile_texts_of_a_file_are_shown_as_text_and_nothing_runs(
    browser: Chrome, page: str, tmp_path: Path
) -> None:
    named = {
        "section": HOSTILE[0],
        "article": HOSTILE[1],
        "type": HOSTILE[2],
        "is_paraphrase": False,
    }
    rows = [
        {**named, "question": text, "sentences": HOSTILE, "candidates": [0]} for text in HOSTILE
    ]
    path = tmp_path / "<img src=x onerror=alert(1)>.json"
    path.write_text(json.dumps(rows), "utf-8")
    card = dropped(browser, path)
    assert card.find_element(By.TAG_NAME, "h2").text == path.name
    for given in card.find_elements(By.CSS_SELECTOR, "details.given"):
        browser.execute_script("arguments[0].open = true", given)  # type: ignore[no-untyped-call]
    drawn = "return [...document.querySelectorAll('details.given .asked')].map((one) => one.textContent)"
    WebDriverWait(browser, LONG).until(lambda _: len(browser.execute_script(drawn)) == len(HOSTILE))  # type: ignore[no-untyped-call]
    assert [shown.split() for shown in browser.execute_script(drawn)] == [
        text.split() for text in HOSTILE
    ]  # type: ignore[no-untyped-call]
    assert (
        browser.find_elements(By.CSS_SELECTOR, "img, article script, [onerror], [onmouseover]")
        == []
    )
    wide = "return document.documentElement.scrollWidth <= innerWidth"
    assert browser.execute_script(wide)  # type: ignore[no-untyped-call]
    assert (browser.title, said(browser)) == ("classical-qa", [])
