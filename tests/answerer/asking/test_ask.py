"""Questions in plain words: asked of the samples' books, facts and tables; what is not known is
said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.__main__ import main
from answerer.asking.command import as_text, ask
from answerer.asking.replies import Reply
from indexer import build_datasets, build_textbook, build_triples
from indexer.__main__ import main as indexer
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from tests.places import SAMPLES
from tests.programs import Ended, invoked, json_lines, run


def built(folder: Path, kind: str, *files: str, options: Sequence[str] = ()) -> Index:
    place = str(folder / kind)
    arguments = [kind, *(str(SAMPLES / file) for file in files), "--index", place, *options]
    invoked(indexer, *arguments)
    return open_index(place)


@pytest.fixture(scope="module")
def book(sample_book: str) -> Index:
    return open_index(sample_book)


def test_a_reply_without_answers_and_doubt_says_no_answer() -> None:
    assert as_text(Reply("mine", "proverbs", ())) == "No answer.\n(proverbs mine)"


def test_a_term_comes_with_the_sentence_that_bears_it(book: Index) -> None:
    reply = ask("In which town did Shah Jahan build the Taj Mahal?", book)
    assert reply.answers[0].text == "Agra"
    assert (
        reply.answers[0].sources[0].text
        == "Shah Jahan built the Taj Mahal at Agra as a tomb for his wife."
    )
    assert (
        reply.answers[0].sources[0].title
        == "The early modern world: The Ottomans, Safavids and Mughals"
    )
    assert (len(reply.answers), reply.doubt) == (3, "")


def test_a_matter_that_the_book_hardly_speaks_of_is_doubted_by_name(book: Index) -> None:
    assert ask("What is the capital of Jupiter?", book).doubt.endswith(" Jupiter")


def test_a_reply_shows_its_answers_and_not_its_evidence(book: Index) -> None:
    reply = ask(
        "Who had the church of Hagia Sophia built?", book, ["Akbar", "Justinian"], evidence=True
    )
    assert repr(reply) == f"<Reply textbook {book.address}: Justinian / Akbar>"
    assert repr(ask("Xylophones quibble?", book)) == f"<Reply textbook {book.address}: no answer>"


def test_words_that_stand_nowhere_give_no_answer(book: Index) -> None:
    reply = ask("Xylophones quibble?", book)
    assert (reply.answers, bool(reply.doubt)) == ((), True)


def test_a_question_in_capitals_is_asked_in_small_letters(book: Index) -> None:
    assert ask("WHO BUILT THE TAJ MAHAL?", book) == ask("Who built the taj mahal?", book)


def test_of_several_questions_the_first_is_answered_and_that_is_said(book: Index) -> None:
    reply = ask("Who built the Taj Mahal? Who besieged Vienna in 1529?", book)
    assert reply.answers == ask("Who built the Taj Mahal?", book).answers
    assert reply.doubt == "only the first question is answered: ask one at a time"
    assert not ask("Who had “What now?” painted?", book).doubt.startswith("only")


def test_a_polite_negation_asks_whether_it_is_so(book: Index) -> None:
    reply = ask("Wasn't the Taj Mahal built by Shah Jahan?", book)
    assert reply == ask("Was the Taj Mahal built by Shah Jahan?", book)
    assert reply.answers[0].text == "yes"


def test_a_difference_is_told_by_a_sentence_and_a_thing_not_by_a_row_of_a_table(
    tmp_path: Path,
) -> None:
    page = tmp_path / "wharf.html"
    page.write_text(
        "<p>A sloop has one mast, whereas a ketch has two.</p><p>The ketch came late.</p>"
        "<table><tr><th>Ship</th><th>Masts</th></tr><tr><td>Ketch</td><td>2</td></tr>"
        "<tr><td>Sloop</td><td>1</td></tr></table>"
    )
    wharf = build_textbook(page, str(tmp_path / "index")).address
    reply = ask("What is the difference between a sloop and a ketch?", wharf)
    assert reply.answers[0].text == "A sloop has one mast, whereas a ketch has two."
    assert reply.doubt == "this sentence may not tell it"
    assert ask("What is a ketch?", wharf).answers[0].text.startswith(("A sloop", "The ketch"))


def test_names_are_judged_in_the_words_of_the_question(book: Index) -> None:
    reply = ask(
        "Who made Isfahan the capital of Safavid Persia?", book, ("Akbar", "Abbas I", "Ashoka")
    )
    assert reply.answers[0].text == "Abbas I"
    assert sorted(answer.text for answer in reply.answers) == ["Abbas I", "Akbar", "Ashoka"]
    assert reply.answers[0].sources[0].doc_id == "textbook-en-0000024"


def test_choices_in_a_question_are_judged(book: Index) -> None:
    question = "Who made Isfahan the capital of Safavid Persia?"
    pasted = ask(f"{question}\nA. Akbar\nB. Abbas I\nC. Ashoka", book)
    assert pasted == ask(question, book, ("Akbar", "Abbas I", "Ashoka"))
    assert ask("Who built the Taj Mahal, Akbar or Shah Jahan?", book).answers[0].text == (
        "Shah Jahan"
    )


def test_level_choices_are_doubted_by_their_probability(book: Index) -> None:
    doubt = ask("Who was a ruler?", book, ("Akbar", "Ashoka", "Shah Jahan", "Napoleon")).doubt
    assert doubt.startswith("it is right with a probability of ")


def test_of_choices_the_false_one_is_asked_for(book: Index) -> None:
    reply = ask("Which of these did Shah Jahan not build?", book, ("the Taj Mahal", "Hagia Sophia"))
    assert reply.answers[0].text == "Hagia Sophia"
    assert reply.answers[0].score > reply.answers[1].score


def test_choices_that_the_book_does_not_speak_of_are_a_guess(book: Index) -> None:
    reply = ask("Which planet is the largest?", book, ("Jupiter", "Saturn"))
    assert reply.doubt == "not in the book: none of the choices; a guess"


@pytest.mark.parametrize(
    ("question", "doubt"),
    [
        ("Who was Napoleon's wife?", "the passage does not mention Napoleon"),
        (
            "Why was Charlemagne crowned in Rome?",
            "this asks why or how; check that the sentence says it",
        ),
        (
            "How was Charlemagne crowned in Rome?",
            "this asks why or how; check that the sentence says it",
        ),
        (
            "Why did Rome fall?",
            "the passage does not mention Rome; this asks why or how; check that the sentence "
            "says it",
        ),
        ("秦の始皇帝は誰？", "the question is in Japanese, the book in English"),
    ],
)
def test_what_the_book_cannot_tell_is_doubted(book: Index, question: str, doubt: str) -> None:
    assert ask(question, book).doubt == doubt


def test_an_unlikely_answer_is_doubted(book: Index) -> None:
    reply = ask("Who was the first emperor of Rome?", book)
    assert reply[0].score < 0.5
    assert reply.doubt == f"about {10 * reply[0].score:.0f} in 10 such answers are right"


def test_passages_without_a_number_give_none(tmp_path: Path) -> None:
    plague = build_textbook(
        [{"text": "Many people died of the plague in the city."}],
        tmp_path / "plague",
        language="en",
    )
    reply = ask("How many people died of the plague?", open_index(plague.address))
    assert (reply.answers, reply.doubt) == ((), "the passages found hold no answer")


def test_yes_or_no_comes_with_the_sentence(book: Index) -> None:
    built_by = ask("Was the Taj Mahal built by Akbar?", book)
    assert (built_by[0].text, built_by[0].reason) == ("no", "the sentence does not say Akbar")
    assert (
        built_by[0].sources[0].text
        == "Shah Jahan built the Taj Mahal at Agra as a tomb for his wife."
    )
    opened = ask(
        "Was the Suez Canal opened in 1875?", book
    )  # its sentence has 1875 too, for something else
    assert (opened[0].text, opened[0].reason) == ("no", "1869")
    assert ask("Was the Suez Canal opened in 1869?", book)[0].text == "yes"
    assert [one.text for one in ask("Did Dante write in the Tuscan dialect?", book)] == ["yes"]


def test_terms_in_a_series_come_together(book: Index) -> None:
    reply = ask("Which weapons were new in the First World War?", book)
    assert [one.text for one in reply] == ["Tanks", "aircraft", "poison gas"]


def test_an_unknown_name_is_read_as_the_nearest(book: Index) -> None:
    reply = ask("Who was the son of Genghes Khan?", book)
    assert reply.doubt.startswith("the book does not know Genghes: read as Genghis")


def test_a_claim_on_a_name_that_is_respelt_holds_with_a_doubt(book: Index) -> None:
    reply = ask("Was the Taj Mahal built by Shah Jehan?", book)
    assert (reply[0].text, reply.doubt) == ("yes", "the book does not know Jehan: read as Jahan")


def test_an_answer_of_another_type_never_comes_first(book: Index) -> None:
    assert ask("When was Julius Caesar murdered?", book)[0].text == "44 BCE"
    assert ask("How many Punic Wars did Rome fight?", book)[0].text.startswith("three")
    assert ask("Who painted the Mona Lisa?", book)[0].text == "Leonardo da Vinci"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_four_of_five_questions_on_a_sample_are_right(tmp_path: Path, language: str) -> None:
    """The questions were written from the book alone; several answers are parted by " & ", others
    by "|"."""
    index = built(tmp_path, "textbook", f"textbook-{language}.jsonl")
    lines = (
        (Path(__file__).parent / f"sample-questions-{language}.tsv").read_text("utf-8").splitlines()
    )
    right = 0
    for line in lines:
        question, gold = line.split("\t")
        wanted = gold.split(" & ")
        texts = [one.text.casefold() for one in ask(question, index)][: len(wanted)]
        right += all(any(text in one.casefold().split("|") for text in texts) for one in wanted)
    assert right >= 34, right


def test_a_name_of_the_glossary_is_told_as_it_is_called(tmp_path: Path) -> None:
    index = built(
        tmp_path,
        "textbook",
        "textbook-en.jsonl",
        options=["--terms", str(SAMPLES / "glossary-en.csv")],
    )
    doubt = ask("Where did the Crimean War of Edict of Nantes end?", index).doubt
    assert doubt.endswith(" edict of nantes")


def test_what_something_is_is_told_by_a_sentence_that_is_said_once(book: Index) -> None:
    reply = ask("Who was Shah Jahan?", book)
    sentence = "Shah Jahan built the Taj Mahal at Agra as a tomb for his wife."
    assert (reply.answers[0].text, reply.answers[0].sources[0].text, reply.doubt) == (
        sentence,
        sentence,
        "this sentence may not tell it",
    )
    assert reply.answers[0].score is None
    assert as_text(reply).count(sentence) == 1


def test_a_fact_of_a_knowledge_base(tmp_path: Path) -> None:
    reply = ask("你知道《岳阳楼记》是谁写的吗？", built(tmp_path, "triples", "triples-zh.kb"))
    assert reply.answers[0].text == "范仲淹"
    assert reply.answers[0].sources[0].text == "岳阳楼记 | 作者 | 范仲淹"


def test_a_fact_that_no_word_asks_for_is_doubted(tmp_path: Path) -> None:
    facts = [("岳阳", "人口", "5052000"), ("岳阳", "作者", "范仲淹")]
    city, work = (open_index(build_triples([fact], tmp_path / fact[1]).address) for fact in facts)
    assert ask("岳阳的市长是谁？", city).doubt == "no word of the question asks for 人口"
    assert ask("岳阳是谁写的？", work).doubt == ""
    assert ask("岳阳的人口是多少？", city).doubt == ""


@pytest.mark.process
@pytest.mark.parametrize(
    ("question", "doubt"),
    [
        ("What is the population of Kyoto?", ""),
        ("What is the population of Angola?", "the table does not mention Angola"),
        ("What was the population of Kyoto in 1950?", "the table does not mention 1950"),
    ],
)
def test_a_table_without_a_name_that_is_asked_about_is_doubted(
    question: str, doubt: str, tmp_path: Path
) -> None:
    files = {"cities.csv": "City,Population\nKyoto,1464890\nOsaka,2753862\n"}
    index = open_index(
        build_datasets(
            [{"id": "d", "title": "Cities", "files": files}], tmp_path / "cities"
        ).address
    )
    assert ask(question, index).doubt == doubt


@pytest.mark.process
def test_a_cell_of_a_dataset_with_its_row_and_column(tmp_path: Path) -> None:
    index = built(
        tmp_path, "datasets", "datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"
    )
    reply = ask("令和3年の総人口（男女計）は何千人ですか。", index)
    assert (reply.answers[0].text, reply.answers[0].sources[0].doc_id) == (
        "1,842.6",
        "000090000001",
    )
    assert "総人口 / 男女計: 1,842.6" in reply.answers[0].sources[0].text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["ask", " "], "QUESTION"), (["ask", "Who?", "--choice", "one"], "two or more choices")],
)
def test_what_cannot_be_asked_is_one_line(book: Index, arguments: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        invoked(main, *arguments, "--index", book.address)


def test_choices_are_judged_by_a_textbook_only(tmp_path: Path) -> None:
    index = built(tmp_path, "triples", "triples-zh.kb")
    with pytest.raises(UserError, match="'triples'"):
        ask("谁？", index, ("甲", "乙"))


def test_both_forms_of_output(book: Index) -> None:
    command = [
        "ask",
        "In which town did Shah Jahan build the Taj Mahal?",
        "--index",
        book.address,
        "-k",
        "1",
    ]
    said = CliRunner().invoke(main, command).stdout
    assert said.splitlines()[0] == "1. Agra"
    assert said.splitlines()[-1] == f"(textbook {book.address})"
    (row,) = map(
        json.loads, CliRunner().invoke(main, [*command, "--format", "jsonl"]).stdout.splitlines()
    )
    assert [answer["text"] for answer in row["answers"]] == ["Agra"]


@pytest.mark.process
def test_the_evidence_is_a_row_of_a_trace_and_only_where_it_is_asked_for(
    book: Index, tmp_path: Path
) -> None:
    question = "In which town did Shah Jahan build the Taj Mahal?"
    assert ask(question, book).row is None
    term = ask(question, book, evidence=True)
    assert (term.task, term.row.question, term.row.system) == ("ntcir-term", question, ("Agra",))
    assert term.row.candidates[0].evidence[0].text == term.answers[0].sources[0].text
    capital = "Who made Isfahan the capital of Safavid Persia?"
    judged = ask(capital, book, ("Akbar", "Abbas I"), evidence=True)
    assert (judged.task, judged.row.question, judged.row.answer) == ("ntcir-mc", capital, "2")
    fact = ask(
        "你知道《岳阳楼记》是谁写的吗？", built(tmp_path, "triples", "triples-zh.kb"), evidence=True
    )
    assert (fact.task, fact.row.answer) == ("nlpcc-kbqa", "范仲淹")
    cells = built(
        tmp_path, "datasets", "datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"
    )
    cell = ask("令和3年の総人口（男女計）は何千人ですか。", cells, evidence=True)
    assert (cell.task, cell.row.answer) == ("datasearch-qa", "1,842.6")
    assert cell.row.candidates[0].derivation == cell.answers[0].reason


def test_choices_are_judged_by_the_method_that_is_asked_for(book: Index) -> None:
    asked = ("Who built the Taj Mahal?", book, ("Akbar", "Shah Jahan"))
    counted = ask(*asked, method="slqal", evidence=True).row.candidates
    assert [one.score for one in counted] != [
        one.score for one in ask(*asked, evidence=True).row.candidates
    ]
    assert counted[0].query  # as slqal's traces have it


def test_half_of_a_surrogate_pair_is_no_choice(book: Index) -> None:
    with pytest.raises(UserError):
        ask("Who built it?", book, ["Akbar", "\ud800"])


def asked_of_file(book: Index, folder: Path, text: str, *options: str) -> Ended:
    path = folder / "questions.txt"
    path.write_bytes(text.encode())
    return run("answerer", "ask", "--questions", str(path), "--index", book.address, *options)


def test_the_questions_of_a_file_are_asked_one_a_line(book: Index, tmp_path: Path) -> None:
    text = "\nWho built the Taj Mahal?\r\n\r\nq2\tWhere is the Taj Mahal?\r\n"
    ended = asked_of_file(book, tmp_path, text, "--format", "jsonl", "-k", "1")
    rows = json_lines(ended.out)
    assert [(row["id"], row["question"], row["answers"][0]["text"]) for row in rows] == [
        ("2", "Who built the Taj Mahal?", "Shah Jahan"),
        ("q2", "Where is the Taj Mahal?", "Agra"),
    ]


def test_each_reply_of_a_file_stands_below_its_question(book: Index, tmp_path: Path) -> None:
    ended = asked_of_file(
        book, tmp_path, "Who built the Taj Mahal?\nWhere is the Taj Mahal?", "-k", "1"
    )
    blocks = ended.out.strip().split("\n\n")
    assert [block.split("\n")[:2] for block in blocks] == [
        ["1: Who built the Taj Mahal?", "1. Shah Jahan"],
        ["2: Where is the Taj Mahal?", "1. Agra"],
    ]


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("\n \n", (), "questions.txt: "),
        ("Who?\nq\t\n", (), "questions.txt:2: "),
        ("a\tb\tWho?\n", (), "questions.txt:1: "),
        ("Who?\n", ("--choice", "a", "--choice", "b"), "--choice"),
        ("Who?\n", ("Who?",), "--questions"),
    ],
)
def test_a_file_that_cannot_be_asked_is_refused(
    book: Index, tmp_path: Path, text: str, options: tuple[str, ...], said: str
) -> None:
    ended = asked_of_file(book, tmp_path, text, *options)
    assert (ended.status, said in ended.err, ended.out) == (2, True, "")


def test_a_common_word_in_answer_to_who_is_doubted(tmp_path: Path) -> None:
    book = open_index(
        build_textbook(
            [
                {
                    "text": "Precipitation is water that falls from clouds as rain or snow. "
                    "Precipitation is measured with a rain gauge, and most precipitation falls "
                    "over the sea."
                },
                {"text": "Water evaporates from the oceans. Luke Howard named the clouds in 1802."},
                {"text": "Runoff flows to rivers. Groundwater fills the ground."},
            ],
            str(tmp_path / "water"),
            language="en",
        ).address
    )
    reply = ask("Who measured the rain?", book)
    assert reply.doubt == ("this asks who, and “Precipitation” is also a common word of the book")
    assert ask("Who named the clouds?", book).answers[0].text == "Luke Howard"
