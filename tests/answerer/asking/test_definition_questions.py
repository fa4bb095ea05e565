"""What is to be told: told from questions for terms by their form; the sentences that tell
first."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.asking.matters import Matter, definition_sentences, matter_of, names_one_thing
from answerer.asking.textbook import ask_textbook
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import read_question
from indexer.analysis.glossary import Glossary
from indexer.api import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language


@pytest.mark.parametrize(
    ("question", "matter"),
    [
        ("What was the Hanseatic League?", Matter("what", "Hanseatic League")),
        ("who's Genghis Khan", Matter("what", "Genghis Khan")),
        ("What does feudalism mean?", Matter("what", "feudalism")),
        ("What is the meaning of the word feudalism?", Matter("what", "feudalism")),
        ("define: feudalism", Matter("what", "feudalism")),
        ("Explain the Monroe Doctrine.", Matter("what", "Monroe Doctrine")),
        ("Explain why Rome fell.", Matter("why", "why Rome fell")),
        ("describe how bees dance", Matter("why", "how bees dance")),
        ("ローマがなぜ滅びたかについて述べよ。", Matter("why", "ローマがなぜ滅びたか")),
        (
            "Explain the difference between A and B.",
            Matter("difference", "difference between A and B"),
        ),
        ("What does a sluice gate do?", Matter("what", "sluice gate")),
        ("what is Zheng He best known for?", Matter("what", "Zheng He")),
        ("ハンザ同盟とは何ですか。", Matter("what", "ハンザ同盟")),
        ("「ハンザ同盟」とは？", Matter("what", "ハンザ同盟")),
        ("東大寺について簡潔に説明してください。", Matter("what", "東大寺")),
        ("什么是汉萨同盟？", Matter("what", "汉萨同盟")),
        ("汉萨同盟是什么？", Matter("what", "汉萨同盟")),
        ("Why did Rome fall?", Matter("why", "Why did Rome fall?")),
        ("フランス革命はなぜ起こったのか。", Matter("why", "フランス革命はなぜ起こったのか。")),
        ("How did Rome fall?", Matter("why", "How did Rome fall?")),
        ("What did Zheng He do?", Matter("events", "Zheng He?")),
        ("What happened in Paris in 1789?", Matter("events", " in Paris in 1789?")),
        ("What took place in Paris in 1789?", Matter("events", " in Paris in 1789?")),
        ("鄭和は何をした人ですか。", Matter("events", "鄭和")),
        ("鄭和はどんな人物ですか。", Matter("what", "鄭和")),
        ("1789年にパリで何が起こりましたか", Matter("events", "1789年にパリで")),
        ("郑和做了什么？", Matter("events", "郑和")),
        ("What did Columbus discover?", None),
        ("What did Luther do away with?", None),
        ("How many people died?", None),
        ("Which city did Rome destroy?", None),
        ("フランスの首都とはどこですか", None),
        ("What is ?", None),
    ],
)
def test_what_is_to_be_told(question: str, matter: Matter | None) -> None:
    assert matter_of(question) == matter


@pytest.mark.parametrize(
    ("language", "matter", "texts", "named"),
    [
        (ENGLISH, "Treaty of Tordesillas", (), True),
        (ENGLISH, "genghis khan", ("The heirs of Genghis Khan fought.",), True),
        (ENGLISH, "feudalism", (), True),
        (ENGLISH, "emperor", (), True),
        (ENGLISH, "capital of France", (), False),
        (ENGLISH, "canal system", ("A canal system grew.", "A canal system fell."), False),
        (ENGLISH, "canal system", ("A canal system grew. The canal system fell.",) * 2, True),
        (ENGLISH, "first Roman emperor", (), False),
        (ENGLISH, "French capital", (), False),
        (ENGLISH, "Napoleon's wife", (), False),
        (ENGLISH, "Great And Good And Very Long Name Indeed", (), False),
        (JAPANESE, "ハンザ同盟", (), True),
        (JAPANESE, "フランスの首都", (), False),
        (JAPANESE, "新大陸に着いた人物", (), False),
        (CHINESE, "法国的首都", (), False),
    ],
)
def test_a_name_is_told_from_a_description(
    language: Language, matter: str, texts: tuple[str, ...], named: bool
) -> None:
    assert names_one_thing(matter, texts, TermLanguage(language, Glossary())) == named


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = (
        "In 1400 the ships of the Hanseatic League sailed to Bergen. It was rich.",
        "Lübeck led many towns. These towns formed an alliance called the Hanseatic League.",
        "The Hanseatic League was an alliance of towns. The Hanseatic League had a fleet.",
    )
    folder: Path = tmp_path_factory.mktemp("telling")
    documents = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    return open_index(
        build_textbook(documents, folder / "book", language="en", names=False).address
    )


def definitions(matter: Matter, book: Index) -> list[str]:
    language = index_language(book)
    (found,) = retrieve([read_question(matter.text, language.language)], book, language.analyser)
    return [one.text for one in definition_sentences(matter, found, language)]


def test_a_text_that_is_repeated_stands_at_its_best_place(book: Index) -> None:
    language = index_language(book)
    question = read_question("Hanseatic League", language.language)
    (found,) = retrieve([question], book, language.analyser)
    best = found.passages[0]._replace(score=0.9)
    second = best._replace(text=f"{best.text} So it is.", score=0.8)
    repeated = found._replace(passages=[best, second, best._replace(score=0.1)])
    told = definition_sentences(Matter("events", "Hanseatic League"), repeated, language)
    assert [one.text for one in told] == [best.text, second.text]


def test_the_definition_comes_before_what_only_speaks_of_it(book: Index) -> None:
    texts = definitions(Matter("what", "Hanseatic League"), book)
    assert texts[0] == "The Hanseatic League was an alliance of towns."
    assert texts.index("The Hanseatic League had a fleet.") > 0
    assert len(set(texts)) == len(texts)


def test_an_apposition_defines_and_a_short_mention_does_not(tmp_path: Path) -> None:
    texts = (
        "Satraps were often rich. Letters between the satraps and the king went by royal roads.",
        "Each province was led by a satrap, a governor whom the king of Persia had named.",
    )
    documents = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    build_textbook(documents, tmp_path / "book", language="en", names=False)
    first = definitions(Matter("what", "satrap"), open_index(str(tmp_path / "book")))[0]
    assert (
        first == "Each province was led by a satrap, a governor whom the king of Persia had named."
    )


def test_a_definition_of_the_glossary_is_sure_and_a_sentence_is_not(tmp_path: Path) -> None:
    text = "Osmosis is seen in roots. osmosis: the passage of water through a membrane"
    paragraphs = [{"id": str(n), "text": part} for n, part in enumerate(text.split(". "))]
    book = open_index(build_textbook(paragraphs, tmp_path / "book", language="en").address)
    reply = ask_textbook("What is osmosis?", book, 1, evidence=False)
    assert reply.answers[0].text == "osmosis: the passage of water through a membrane"
    assert reply.doubt == ""
    without = open_index(build_textbook(paragraphs[:1], tmp_path / "other", language="en").address)
    assert ask_textbook("What is osmosis?", without, 1, evidence=False).doubt != ""


def test_of_what_is_not_named_nothing_is_told(book: Index) -> None:
    assert definitions(Matter("what", "the leader of the towns"), book) == []


def test_of_words_that_stand_nowhere_nothing_is_told(book: Index) -> None:
    assert definitions(Matter("why", "Xylophones quibble"), book) == []


def test_what_was_done_stands_in_sentences_that_hold_a_word_of_the_matter(book: Index) -> None:
    assert definitions(Matter("events", "fleet"), book) == ["The Hanseatic League had a fleet."]
