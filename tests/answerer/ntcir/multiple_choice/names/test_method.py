"""The default method: pooling by hand, every shape its own way, names judged where they stand, bad
input."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from answerer.ntcir.multiple_choice.methods import method
from answerer.ntcir.multiple_choice.names import judgement
from answerer.ntcir.multiple_choice.names.judgement import ERAS, era_shares, read_claims
from answerer.ntcir.multiple_choice.names.method import choice_scores
from answerer.ntcir.multiple_choice.names.signals import NAMES, signal_rows
from answerer.ntcir.multiple_choice.names.training import (
    SignalExamples,
    examples_of,
    fit_weights,
    right,
    truth_line,
)
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement, Plan, plan
from answerer.ntcir.multiple_choice.task import command as answer_exam
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.files.arrays import BoolArray, Float64Array
from indexer.files.errors import UserError
from indexer.sources.textbook.build import command as index_textbook
from indexer.statistics import part
from retriever.association.counts import unit_of
from retriever.association.features import flatten
from tests.answerer.formats.exam.exams import choices, only, question, section, written
from tests.programs import invoked

BOOK = """In 1492 the sailor Columbus left Spain for America. Spain ruled America for long.

Columbus asked the Spanish queen Isabella for ships.

In 1789 the people of Paris rose. The revolution changed France, and Paris led it.

The Bastille in Paris fell to the people of France.

The emperor Ashoka of India spread Buddhism. India and Buddhism met Ceylon.
"""
TRUE = "From (1)-(4) choose the correct sentence"


@pytest.fixture(scope="module")
def book(indexed: Callable[[str], Index]) -> Index:
    return indexed(BOOK)


def test_a_statement_scores_the_soft_minimum_of_its_names() -> None:
    u = np.array([1.0, 3.0, -2.0])
    scores = judgement.pool_names(u, np.array([0, 0, 1]), 3)
    assert scores[0] == pytest.approx(-math.log((math.exp(-1) + math.exp(-3)) / 2))
    assert scores[1] == pytest.approx(-2.0)
    assert scores[2] == 0.0  # nothing judged


def signals(book: Index, text: str, label: str) -> dict[str, float]:
    """The signals of a name of a statement."""
    claims = read_claims([ChoiceStatement(text)], book)
    row = signal_rows(flatten(claims.claims), claims.counts)[claims.labels[0].index(label)]
    return dict(zip(NAMES, row.tolist(), strict=True))


def test_pointwise_mutual_information_by_hand(book: Index) -> None:
    found = signals(book, "Paris is in France.", "paris")
    # eight sentences with their neighbours in the paragraph: Paris stands in 3, France in the same
    # 3; k = .4
    assert found["pmi_window"] == pytest.approx(math.log((3 + 0.4) / (3 * 3 / 8 + 0.4)))


def test_the_words_right_beside_a_name_by_hand(book: Index) -> None:
    found = signals(book, "The people of Paris rose.", "paris")
    # of eight sentences three hold Paris, two "people", both with Paris, one "rose", with Paris; k
    # = .5
    people, rose = math.log((2 + 0.5) / (3 * 2 / 8 + 0.5)), math.log((1 + 0.5) / (3 * 1 / 8 + 0.5))
    assert found["local_pmi"] == pytest.approx((people + rose) / 2)


def test_a_name_without_known_words_beside_it_says_nothing_of_them(book: Index) -> None:
    assert signals(book, "Paris.", "paris")["local_pmi"] == 0.0


def test_a_whole_statement_has_one_signal(book: Index) -> None:
    found = signals(book, "Paris is in France.", "(statement)")
    assert [name for name, value in found.items() if value] == ["is_statement"]


def test_names_in_the_same_paragraphs_have_the_same_latent_vector(book: Index) -> None:
    """Five paragraphs have five dimensions at most, so that nothing is lost: the cosines are those
    of the counts."""
    claims = read_claims(
        [ChoiceStatement("Paris is in France."), ChoiceStatement("Paris in Spain.")], book
    )
    rows = signal_rows(flatten(claims.claims), claims.counts)[
        :, NAMES.index("latent_names") : NAMES.index("latent_names") + 1
    ]
    places = [labels.index("paris") for labels in claims.labels[:2]]
    assert rows[places[0]] == pytest.approx(1.0)
    assert rows[len(claims.labels[0]) + places[1]] == pytest.approx(0.0, abs=1e-6)


def test_an_unknown_name_of_known_words_stands_where_all_of_them_do(book: Index) -> None:
    claims = read_claims([ChoiceStatement("In Spain the Spanish Ships sailed.")], book)
    known = [row.row for row in claims.claims[0].names if not row.whole]
    assert claims.labels[0][:2] == ["spain", "“ship spanish”"]
    assert unit_of(claims.counts, "sentence").name_counts[known[1]] == 1


def test_signals_do_not_depend_on_the_other_statements(book: Index) -> None:
    alone = read_claims([ChoiceStatement("Paris is in France.")], book)
    among = read_claims(
        [
            ChoiceStatement("The people of France rose."),
            ChoiceStatement("Paris is in France."),
            ChoiceStatement("Ashoka met Isabella."),
        ],
        book,
    )
    first = len(among.labels[0])
    rows = signal_rows(flatten(among.claims), among.counts)[first : first + len(alone.labels[0])]
    assert np.allclose(rows, signal_rows(flatten(alone.claims), alone.counts), atol=1e-12)


def test_a_name_the_book_does_not_know_says_nothing(book: Index) -> None:
    found = signals(book, "The city of Atlantis sank near Paris.", "atlantis")
    assert not any(found.values())


def test_statements_without_any_known_name_have_no_signals(book: Index) -> None:
    claims = read_claims([ChoiceStatement("The city of Atlantis sank.")], book)
    assert not signal_rows(flatten(claims.claims), claims.counts).any()


def test_aliases_and_peoples_find_the_same_name(book: Index) -> None:
    claims = read_claims(
        [ChoiceStatement("The French went to Spain."), ChoiceStatement("In France.")], book
    )
    assert "france" in claims.labels[0]
    assert "france" in claims.labels[1]


def answered(tmp_path: Path, book: Index, asked: str) -> str:
    one = only(tmp_path, section(asked))
    return method("names").answer([one], book, 5, False)[0].system


def test_the_statement_whose_names_belong_together_is_chosen(tmp_path: Path, book: Index) -> None:
    asked = question(
        TRUE,
        choices(
            "Ashoka ruled Spain.",
            "Columbus met Buddhism.",
            "Paris is in France.",
            "Ceylon is in Paris.",
        ),
    )
    assert answered(tmp_path, book, asked) == "3"


def test_the_statement_that_does_not_belong_is_chosen_where_the_wrong_one_is_asked_for(
    tmp_path: Path, book: Index
) -> None:
    asked = question(
        "From (1)-(3) choose the incorrect sentence",
        choices(
            "Columbus sailed from Spain to America.",
            "Paris is in India.",
            "Ashoka of India spread Buddhism.",
        ),
    )
    assert answered(tmp_path, book, asked) == "2"


def test_a_combination_takes_the_highest_joint_probability() -> None:
    each = Plan(
        "combination",
        (ChoiceStatement("a"), ChoiceStatement("b")),
        ((0, 1),) * 4,
        ((True, True), (True, False), (False, True), (False, False)),
    )
    scores = choice_scores(each, np.array([2.0, -1.0]), None, 1.0, 0.5)
    odds = [2.5, -0.5]

    def log_p(value: float) -> float:
        return -math.log(1 + math.exp(-value))

    assert scores[1] == pytest.approx(log_p(odds[0]) + log_p(-odds[1]))
    assert max(scores) == scores[1]


def test_a_filler_is_put_into_its_sentence_and_judged_there(tmp_path: Path) -> None:
    text = "It began. In 1492 <blank id='B1'><label>(A)</label></blank> left Spain. It ended."
    one = only(
        tmp_path,
        section(
            question(
                "Choose what fits the gap <ref target='B1'>(A)</ref>",
                data(text) + choices("Columbus", "Ashoka"),
                "term_person",
            )
        ),
    )
    made = plan(one)
    assert made.way == "fillers"
    assert [s.text.strip() for s in made.statements] == [
        "In 1492 Columbus left Spain.",
        "In 1492 Ashoka left Spain.",
    ]
    (start, end) = made.statements[0].fillers[0]
    assert made.statements[0].text[start:end] == "Columbus"


def data(text: str) -> str:
    return f"<data id='D1' type='text'>{text}</data>"


def test_an_order_is_as_probable_as_its_pairs() -> None:
    times = np.zeros((2, ERAS))
    times[0, 10], times[0, 20] = 0.5, 0.5
    times[1, 20] = 1.0
    # the first comes before with .5, and with half of .5 where both share an era
    assert judgement.pair_score(times[0], times[1]) == pytest.approx(math.log(0.5 + 0.25), abs=1e-5)
    assert judgement.pair_score(times[1], times[0]) == pytest.approx(math.log(0.25), abs=1e-5)


def test_events_come_in_the_order_of_the_years_that_the_book_gives(book: Index) -> None:
    statements = [
        ChoiceStatement("The Bastille in Paris fell."),
        ChoiceStatement("Columbus left Spain for America."),
    ]
    claims = read_claims(statements, book)
    times = judgement.event_times(claims.claims, claims.counts)
    assert judgement.pair_score(times[1], times[0]) > judgement.pair_score(times[0], times[1])


DATELESS = """Odoria lies near the river Selm. The guild of Odoria kept its records in wood.

The Battle of Kressfeld was fought there. Many soldiers died.

The Treaty of Winspur was signed. It ended the quarrel about the Selm.
"""
LISTED = """term,kind,start,end,aliases
Battle of Kressfeld,event,1450,1450,Kressfeld Slaughter
Treaty of Winspur,event,1301,,
Odoria,place,,,Odorheim
"""


def with_glossary(folder: Path, address: str) -> Index:
    (folder / "book.txt").write_text(DATELESS, "utf-8")
    (folder / "listed.csv").write_text(LISTED, "utf-8")
    options = [str(folder / "book.txt"), "--terms", str(folder / "listed.csv"), "--index", address]
    invoked(index_textbook, *options)
    return open_index(address)


@pytest.mark.parametrize("engine", ["embedded", "elasticsearch"])
def test_a_glossary_dates_events_and_folds_aliases(
    tmp_path: Path, engine: str, request: pytest.FixtureRequest
) -> None:
    address = (
        str(tmp_path / "index")
        if engine == "embedded"
        else request.getfixturevalue("elasticsearch_address")
    )
    index = with_glossary(tmp_path, address)
    claims = read_claims(
        [ChoiceStatement("The Kressfeld Slaughter."), ChoiceStatement("In the Treaty of Winspur.")],
        index,
    )
    times = judgement.event_times(claims.claims, claims.counts)
    assert (
        judgement.pair_score(times[1], times[0])
        > -0.25
        > -1.5
        > judgement.pair_score(times[0], times[1])
    )
    assert claims.labels[0][0] == "battle of kressfeld"
    assert "odoria" in read_claims([ChoiceStatement("It is Odorheim.")], index).counts.book.name_row


def test_shares_of_eras_sum_to_one_and_near_dates_agree() -> None:
    shares = era_shares(np.array([1492.0, 1500.0, -331.0]), np.array([1492.0, 1510.0, -331.0]))
    assert shares.sum(axis=1) == pytest.approx([1.0, 1.0, 1.0])
    assert shares[0] @ shares[1] > shares[0] @ shares[2]


def one_name_each(rows: Float64Array, gold: BoolArray) -> SignalExamples:
    """Questions for the true one of three statements of a name each."""
    size = len(rows)
    groups, signs = np.repeat(np.arange(size // 3), 3), np.ones(size)
    return SignalExamples(
        rows=rows,
        parts=np.arange(size),
        groups=groups,
        gold=gold,
        signs=signs,
    )


def test_training_finds_the_signal_that_decides() -> None:
    rng = np.random.default_rng(0)
    gold = np.tile([True, False, False], 60)
    rows = np.column_stack([gold * 2.0 + rng.normal(size=180), rng.normal(size=180)])
    examples = one_name_each(rows, gold)
    weights, means, scales = fit_weights(examples, penalty=1.0)
    assert weights[0] > 5 * abs(weights[1])
    scores = judgement.pool_names(((rows - means) / scales) @ weights, examples.parts, 180)
    assert right(examples, scores).mean() > 0.7


def test_a_question_without_gold_teaches_nothing(tmp_path: Path, book: Index) -> None:
    two = choices("Columbus left Spain.", "Ashoka ruled Spain.")
    [exam] = [only(tmp_path, question(TRUE, two))]
    examples = examples_of([(exam, ""), (exam, "2"), (exam, "1 or 2")], book)
    assert examples.gold.tolist() == [False, True]
    assert np.isfinite(fit_weights(examples)[0]).all()
    assert len(examples.groups) == 2


def test_truth_line_is_even_where_true_and_false_are_mirrored() -> None:
    scores = np.array([-2.0, -1.0, 1.0, 2.0, -1.0, 1.0])
    slope, middle = truth_line(scores, np.array([False, False, True, True, True, False]))
    assert slope > 0
    assert middle == pytest.approx(0.0, abs=1e-3)


def run(tmp_path: Path, book: Index, *options: str) -> str:
    exam = written(
        tmp_path, section(question(TRUE, choices("Paris is in France.", "Ashoka ruled Spain.")))
    )
    method = () if "--method" in options else ("--method", "names")
    done = CliRunner().invoke(answer_exam, [str(exam), "--index", book.address, *method, *options])
    return str(done.exception) if isinstance(done.exception, UserError) else done.stdout


def test_weights_of_another_version_are_refused_in_one_line(tmp_path: Path, book: Index) -> None:
    weights = json.loads(judgement.WEIGHTS.read_text("utf-8"))
    (tmp_path / "old.json").write_text(json.dumps(weights | {"version": 99}), "utf-8")
    said = run(tmp_path, book, "--model", str(tmp_path / "old.json"))
    assert "99" in said
    assert "\n" not in said


def test_weights_that_know_another_language_are_refused(tmp_path: Path, book: Index) -> None:
    weights = json.loads(judgement.WEIGHTS.read_text("utf-8"))
    weights["settings"]["languages"] = ["ja"]
    (tmp_path / "ja.json").write_text(json.dumps(weights), "utf-8")
    assert "'en'" in run(tmp_path, book, "--model", str(tmp_path / "ja.json"))


@pytest.mark.parametrize("truth", [None, "abc", [1], ["a", 2], [1, True], {"slope": 1}])
def test_weights_without_a_truth_line_are_refused_in_one_line(
    tmp_path: Path, book: Index, truth: object
) -> None:
    weights = json.loads(judgement.WEIGHTS.read_text("utf-8"))
    weights["learned"] |= {"truth": truth}
    (tmp_path / "damaged.json").write_text(json.dumps(weights), "utf-8")
    assert "learned.truth" in run(tmp_path, book, "--model", str(tmp_path / "damaged.json"))


def test_an_index_of_another_version_is_to_be_built_again(
    tmp_path: Path, book: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part, "VERSION", 99)
    said = run(tmp_path, book)
    assert book.address in said
    assert said.endswith("expected 99): build it again")


def test_slqal_takes_no_model(tmp_path: Path, book: Index) -> None:
    assert "--model" in run(tmp_path, book, "--method", "slqal", "--model", __file__)


def test_both_engines_give_the_same_answers(
    tmp_path: Path, book: Index, elasticsearch_address: str
) -> None:
    (tmp_path / "book.txt").write_text(BOOK, "utf-8")
    done = CliRunner().invoke(
        index_textbook,
        [str(tmp_path / "book.txt"), "--index", elasticsearch_address],
    )
    assert done.exception is None
    there = open_index(elasticsearch_address)
    asked = only(
        tmp_path,
        section(
            question(
                TRUE, choices("Paris is in France.", "Ashoka ruled Spain.", "Columbus saw Ceylon.")
            )
        ),
    )
    here, other = (method("names").answer([asked], index, 5, False)[0] for index in (book, there))
    assert here == other
