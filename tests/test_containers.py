"""`make containers`: the documented ways with Docker, really run, answer as the embedded engine
does, byte for byte.

One node, three secured nodes, the live page and the image by itself; down and up with the data kept; a container killed while
it answers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.chromium import started
from tests.places import ROOT, SAMPLES

pytestmark = pytest.mark.skipif(
    not os.environ.get("CLASSICAL_QA_CONTAINERS"),
    reason="takes minutes and the ports 9200 to 9203: make containers",
)
FILES = os.environ.get("COMPOSE_FILE", "").split(":")[1:]
"""Compose files that a machine lays over the cluster's, as where no memory may be locked."""
ONE, CLUSTER = ["docker-compose.yml"], ["docker-compose.cluster.yml", *FILES]
MOST_BYTES = 700_000_000  # of the image
PAGE = "http://localhost:8000/"
PASSWORD = "only-for-these-tests"  # noqa: S105


def compose(files: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "COMPOSE_FILE": ":".join(files),
        "ELASTIC_PASSWORD": PASSWORD,
        "NODE_MEMORY": "1500m",
    }
    command = ["docker", "compose", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def answered(folder: Path, name: str, *, build: bool, **environment: str) -> bytes:
    """The sample exam's submission by an index of the sample textbook, which is built first where
    that is asked for."""
    book, exam, run = (
        SAMPLES / "textbook-en.jsonl",
        SAMPLES / "sample-exam-en.xml",
        folder / f"{name}.xml",
    )
    commands = [["indexer", "textbook", book, "--index", "containers-en"]] if build else []
    commands.append(["answerer", "ntcir-mc", exam, "--index", "containers-en", "-o", run])
    for words in commands:
        subprocess.run(
            [sys.executable, "-m", *map(str, words)],
            cwd=folder,
            env={**os.environ, **environment},
            check=True,
        )
    return run.read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("containers")


@pytest.fixture(scope="module")
def embedded(folder: Path) -> bytes:
    return answered(folder, "embedded", build=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    driver = started()
    yield driver
    driver.quit()


@pytest.fixture
def one_node() -> Iterator[dict[str, str]]:
    compose(ONE, "up", "-d", "--wait", "elasticsearch")
    yield {"ELASTICSEARCH_URL": "http://localhost:9200"}
    compose(ONE, "down", "-v")


@pytest.fixture
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    compose(CLUSTER, "up", "-d", "--wait")
    authority = folder / "ca.crt"
    compose(CLUSTER, "cp", "es01:/usr/share/elasticsearch/config/certs/ca/ca.crt", str(authority))
    yield {
        "ELASTICSEARCH_URL": ",".join(f"https://localhost:{port}" for port in (9201, 9202, 9203)),
        "ELASTICSEARCH_PASSWORD": PASSWORD,
        "ELASTICSEARCH_CA_CERTS": str(authority),
    }
    compose(CLUSTER, "down", "-v")


def test_one_node_answers_alike_down_and_up_again_and_after_a_kill(
    folder: Path, embedded: bytes, one_node: dict[str, str]
) -> None:
    assert answered(folder, "one", build=True, **one_node) == embedded
    compose(ONE, "down")
    compose(ONE, "up", "-d", "--wait", "elasticsearch")
    assert answered(folder, "again", build=False, **one_node) == embedded
    compose(ONE, "kill", "elasticsearch")
    compose(ONE, "up", "-d", "--wait", "elasticsearch")
    assert answered(folder, "killed", build=False, **one_node) == embedded


def test_the_page_answers_its_books_are_indexed_once_and_it_outlives_the_server(
    folder: Path, embedded: bytes, browser: Chrome
) -> None:
    """`docker compose up`, as a person uses it: a question asked in the browser, the exam answered
    by a command, Elasticsearch killed while the page is open."""
    compose(ONE, "up", "-d", "--build", "--wait")
    try:
        served = wait_for_page()
        browser.get(PAGE)
        assert "Agra" in ask(browser, "In which town did Shah Jahan build the Taj Mahal?")
        words = ["answer", "ntcir-mc", "samples/sample-exam-en.xml", "--index", "textbook-en"]
        done = compose(ONE, "run", "--rm", "-T", "app", *words)
        assert done.stdout.encode() == embedded
        compose(ONE, "kill", "elasticsearch")
        line = ask(browser, "Who carved the statue of David?")
        assert line.startswith("The search server does not answer")
        assert [shown.text for shown in browser.find_elements(By.CSS_SELECTOR, ".refused")] == [
            line
        ]
        assert len(browser.find_elements(By.CSS_SELECTOR, "#answers article")) == 1  # the first
        compose(ONE, "up", "-d", "--wait", "elasticsearch")
        assert "Michelangelo" in ask(browser, "Who carved the statue of David?")
        compose(ONE, "down")
        compose(ONE, "up", "-d", "--wait")
        assert wait_for_page() == served
        assert "indexing" not in compose(ONE, "logs", "--tail", "5", "app").stdout
    finally:
        compose(ONE, "down", "-v")


def test_a_book_that_is_added_can_be_chosen_after_a_restart(browser: Chrome, shelf: Path) -> None:
    compose(ONE, "up", "-d", "--build", "--wait")
    try:
        before = wait_for_page()
        book = "The Kingdom of Ashdale\n\nKing Aldwin of Ashdale founded the town of Merrow.\n"
        (shelf / "A History of Ashdale.txt").write_text(book, "utf-8")
        compose(ONE, "restart", "app")
        added = "http://elasticsearch:9200/a-history-of-ashdale"
        assert sorted(wait_for_page()) == sorted([*before, added])
        browser.get(PAGE)
        browser.find_element(By.CSS_SELECTOR, f"input[name=index][value='{added}']").click()
        card = ask(browser, "Who founded the town of Merrow?")
        assert "from a-history-of-ashdale" in card
        assert "Aldwin" in card.splitlines()[0]
    finally:
        compose(ONE, "down", "-v")


@pytest.fixture
def shelf() -> Iterator[Path]:
    """The folder `books/` beside the compose file, without what a test adds to it afterwards."""
    folder = ROOT / "books"
    folder.mkdir(exist_ok=True)
    before = set(folder.iterdir())
    yield folder
    for added in set(folder.iterdir()) - before:
        added.unlink()


def wait_for_page() -> list[str]:
    """The indexes that the page serves, when it answers."""
    for _ in range(120):
        try:
            with urllib.request.urlopen(f"{PAGE}health", timeout=5) as reply:  # noqa: S310
                indexes: list[str] = json.load(reply)["indexes"]
                return indexes
        except OSError:
            time.sleep(1)
    raise AssertionError(compose(ONE, "logs", "app").stdout)


def ask(browser: Chrome, question: str) -> str:
    """The text of the card that answers a question, or of the line that says why there is none."""
    before = len(browser.find_elements(By.CSS_SELECTOR, "#answers article"))
    box = browser.find_element(By.ID, "question")
    box.clear()
    box.send_keys(question)
    browser.find_element(By.CSS_SELECTOR, "#ask .do").click()

    def shown(_: Chrome) -> str:
        cards = browser.find_elements(By.CSS_SELECTOR, "#answers article")
        if len(cards) > before:
            return cards[0].text
        return " ".join(line.text for line in browser.find_elements(By.CSS_SELECTOR, ".refused"))

    text: str = WebDriverWait(browser, 150).until(shown)
    return text


def test_three_nodes_answer_alike_also_two_of_them(
    folder: Path, embedded: bytes, cluster: dict[str, str]
) -> None:
    assert answered(folder, "three", build=True, **cluster) == embedded
    compose(CLUSTER, "kill", "es01")
    assert answered(folder, "two", build=False, **cluster) == embedded
    compose(CLUSTER, "down")
    compose(CLUSTER, "up", "-d", "--wait")
    assert answered(folder, "up", build=False, **cluster) == embedded


def test_the_image_answers_blind_without_a_network(folder: Path, embedded: bytes) -> None:
    def docker(*words: str) -> str:
        return subprocess.run(
            ["docker", *words], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout

    docker("build", "-q", "-t", "classical-qa-tested", ".")
    try:
        size = int(docker("image", "inspect", "-f", "{{.Size}}", "classical-qa-tested"))
        assert size <= MOST_BYTES
        given = folder / "given"
        given.mkdir()
        for name in ("textbook-en.jsonl", "sample-exam-en.xml"):
            shutil.copy(SAMPLES / name, given)
        owner = f"{os.getuid()}:{os.getgid()}"
        blind = ("run", "--rm", "--user", owner, "--network", "none", "-v", f"{given}:/data")
        blind = (*blind, "classical-qa-tested")
        docker(*blind, "index", "textbook", "textbook-en.jsonl", "--index", "./book")
        run = docker(*blind, "answer", "ntcir-mc", "sample-exam-en.xml", "--index", "./book")
        assert run.encode() == embedded
    finally:
        docker("image", "rm", "-f", "classical-qa-tested")
