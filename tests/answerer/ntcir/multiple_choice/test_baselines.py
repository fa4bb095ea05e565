"""SLQAL: the paper's Table 2, the union of nouns, the mean divided by k, and rank-bm25 beside
it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.baselines import choice_queries
from answerer.ntcir.multiple_choice.methods import METHODS, choose, method
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from tests.answerer.formats.exam.exams import choices, only, question, section
from tests.answerer.ntcir.multiple_choice.table2 import ROWS

BOOK = (
    *("Augustus ruled Rome.", "Rome fell.", "Ashoka ruled India.", "The Nile floods."),
    *("Athens fought Sparta.", "Confucius taught.", "Homer sang.", "Babylon wrote."),
)
TRUE = "From (1)-(4) choose the correct sentence"
FALSE = "From (1)-(4) choose the incorrect sentence"


@pytest.fixture(scope="module")
def book(indexed: Callable[[str], Index]) -> Index:
    """Eight sentences, nineteen terms: few of them stand in two sentences."""
    return indexed("\n\n".join(BOOK))


@pytest.mark.parametrize(
    ("id_", "asks", "gold", "system", "scores"), ROWS, ids=[row[0] for row in ROWS]
)
def test_the_system_column_of_table_2(
    tmp_path: Path, id_: str, asks: str, gold: str, system: str, scores: tuple[float, ...]
) -> None:
    asked = only(
        tmp_path,
        section(question(TRUE if asks == "T" else FALSE, choices(*map(str, scores)), column=id_)),
    )
    assert asked.asks == asks
    assert choose(asked, scores) == system


def test_scores_that_differ_after_five_digits_are_a_tie(tmp_path: Path) -> None:
    asked = only(tmp_path, section(question(TRUE, choices("a", "b", "c"))))
    assert choose(asked, [9.41001, 9.41004, 9.4099]) == "1"
    assert choose(asked, [9.4100, 9.4102, 9.4099]) == "2"


def test_a_tie_goes_to_the_lowest_number_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    inside = '<choices><choice ansnum="10">x</choice><choice ansnum="2">y</choice></choices>'
    asked = only(tmp_path, section(question(TRUE, inside)))
    assert choose(asked, [1.0, 1.0]) == "2"


def test_the_mean_is_divided_by_k_even_when_fewer_come_back(book: Index, tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("", choices("Augustus", "Nile"))))
    assert one(book, asked, "slqal", k=5) == pytest.approx(
        [score / 5 for score in one(book, asked, "slqal", k=1)]
    )


def test_a_query_is_the_union_of_nouns_of_problem_and_choice(tmp_path: Path) -> None:
    passage = '<data>Elsewhere <uText id="U1"><label>(1)</label>Roman law</uText></data>'
    data = "<data>Trajan conquered Dacia.</data>"
    asked = only(
        tmp_path,
        section(
            passage,
            question('<ref target="U1">(1)</ref> Trajan', data + choices("Dacia fell", "Nero")),
        ),
    )
    queries = choice_queries([asked], ENGLISH.analyser())
    assert queried(asked) == [
        ["roman", "law", "trajan", "dacia"],
        ["roman", "law", "trajan", "dacia", "nero"],
    ]
    assert {(term.field, term.weight) for query in queries for term in query.terms} == {
        ("text", 1.0)
    }


def queried(asked: ExamQuestion, **options: bool) -> list[list[str]]:
    queries = choice_queries([asked], ENGLISH.analyser(), **options)
    return [[term.term for term in query.terms] for query in queries]


def test_a_query_of_the_choice_alone_and_one_of_all_terms(tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("Trajan", choices("Dacia fell in 106", "Nero"))))
    assert queried(asked) == [["trajan", "dacia"], ["trajan", "nero"]]
    assert queried(asked, choice_only=True) == [["dacia"], ["nero"]]
    assert queried(asked, all_terms=True) == [
        ["trajan", "dacia", "fell", "106"],
        ["trajan", "nero"],
    ]


def test_what_every_exam_prints_around_its_question_is_not_looked_for(tmp_path: Path) -> None:
    asked = only(
        tmp_path,
        section(question("From 1-4 below, choose the one correct sentence.", choices("x", "y"))),
    )
    assert not {"choos", "1", "4", "correct"} & {word for row in queried(asked) for word in row}


def test_japanese_queries_hold_nouns_only(tmp_path: Path) -> None:
    asked = only(
        tmp_path, section(question("下線部について選べ", choices("ローマは速やかに滅びた", "乙")))
    )
    terms = {term.term for term in choice_queries([asked], JAPANESE.analyser())[0].terms}
    assert "ローマ" in terms
    assert not {"滅びる", "選ぶ", "は"} & terms


def one(book: Index, asked: ExamQuestion, name: str, k: int = 5) -> list[float]:
    answered = method(name).answer([asked], book, k, True)[0]
    return [verdict.score for verdict in answered.verdicts]


@pytest.mark.parametrize("name", ["slqal", "rank-bm25"])
def test_what_the_book_says_wins_and_loses_where_the_false_is_asked(
    book: Index, tmp_path: Path, name: str
) -> None:
    rows = choices("Nero ruled India.", "Ashoka ruled India.", "Xerxes")
    truth = only(tmp_path, section(question("Choose the correct one", rows)))
    lie = only(tmp_path, section(question("Choose the incorrect one", rows)))
    assert method(name).answer([truth], book, 5, False)[0].system == "2"
    assert method(name).answer([lie], book, 5, False)[0].system == "3"


@pytest.mark.parametrize("name", ["slqal", "rank-bm25"])
def test_a_choice_without_any_hit_scores_nothing(book: Index, tmp_path: Path, name: str) -> None:
    asked = only(tmp_path, section(question("", choices("Xerxes", "of the and"))))
    assert one(book, asked, name) == [0.0, 0.0]


@pytest.mark.parametrize("name", ["slqal", "rank-bm25"])
def test_evidence_adds_up_to_the_score(book: Index, tmp_path: Path, name: str) -> None:
    asked = only(tmp_path, section(question("", choices("the Rome of Augustus", "India"))))
    verdict = method(name).answer([asked], book, 5, True)[0].verdicts[0]
    assert verdict.evidence[0].text == "Augustus ruled Rome."
    assert verdict.score == pytest.approx(sum(hit.score for hit in verdict.evidence) / 5)
    for hit in verdict.evidence:
        assert sum(hit.terms.values()) == pytest.approx(hit.score, rel=1e-5)
        assert set(hit.terms) <= {"rome", "augustu"}


def test_proximity_adds_what_near_terms_give(book: Index, tmp_path: Path) -> None:
    """`augustus` and `rome` two apart, df 1 and 2 of 8; `ruled` is not a noun."""
    from math import log

    asked = only(tmp_path, section(question("", choices("Augustus ruled Rome", "Augustus"))))
    plain = method("slqal").answer([asked], book, 1, False)[0].verdicts
    near = method("slqal-proximity").answer([asked], book, 1, False)[0].verdicts
    common = log(1 + (8 - 2 + 0.5) / (2 + 0.5))
    added = common * (1 / 4) * 2.2 / (1 / 4 + 1.2)
    assert near[0].explained["features"] == pytest.approx(
        {"bm25": plain[0].score, "proximity": added}
    )
    assert near[0].score == pytest.approx(plain[0].score + added)
    assert near[1].explained["features"]["proximity"] == 0


def test_rank_bm25_gives_the_okapi_score_of_its_package(book: Index, tmp_path: Path) -> None:
    """N 8, df("nile") 1, lengths 3 2 3 2 3 2 2 2: idf ln(8 - 1 + .5) - ln(1 + .5), k1 1.5, b
    .75."""
    from math import log

    asked = only(tmp_path, section(question("", choices("Nile", "x"))))
    idf = log(8 - 1 + 0.5) - log(1 + 0.5)
    length = 1 - 0.75 + 0.75 * 2 / ((3 + 2 + 3 + 2 + 3 + 2 + 2 + 2) / 8)
    assert one(book, asked, "rank-bm25")[0] == pytest.approx(idf * 2.5 / (1 + 1.5 * length) / 5)


def test_evidence_is_left_out_where_no_trace_is_wanted(book: Index, tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("", choices("Rome", "India"))))
    for name in ("slqal", "rank-bm25"):
        assert [
            list(v.evidence) for v in method(name).answer([asked], book, 5, False)[0].verdicts
        ] == [[], []]


def test_options_that_a_method_does_not_take_are_refused() -> None:
    with pytest.raises(UserError, match="--method names does not take --all-terms"):
        method("names", all_terms=True)
    with pytest.raises(UserError, match="--model"):
        method("slqal", model="weights.json")


def test_every_registered_method_can_answer() -> None:
    assert all(callable(method(name).answer) for name in METHODS)
