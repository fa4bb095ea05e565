"""Question templates: their tables against sums done by hand, and requests without chatter."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

import pytest

from answerer.nlpcc.kbqa.relation_phrase import (
    Templates,
    answer_type,
    cued_words,
    cues,
    decode_templates,
    grams,
    learn_templates,
    object_types,
    pieces,
    relation_phrase,
    strip_chatter,
)


def test_grams_do_not_cross_the_mask() -> None:
    assert grams("a|bc") == ["a", "b", "c", "bc"]


def test_counts_leave_out_grams_seen_once() -> None:
    templates = learn_templates(["ab", "a", "c"], ["P", "P", "Q"])
    assert templates.gram_share == {"a": 1.0}
    assert templates.with_predicate == {"P": {"a": 2}, "Q": {}}


def test_a_piece_is_a_letter_or_a_bigram_with_the_ends() -> None:
    assert pieces("高度(m)") == ("高", "度", "m", "^高", "高度", "度(", "(m", "m)", ")$")


def _association(templates: Templates, request: str, predicate: str) -> float:
    """The association among others of requests and predicates: what they are must not change it."""
    found = templates.associations(["bz", request, ""], ["Qb", predicate])
    assert found.shape == (3, 2)
    assert found[2].tolist() == [0, 0]
    return float(found[1, 1])


def test_association_is_the_smoothed_log_ratio() -> None:
    templates = learn_templates(["a", "a", "b", "b"], ["P", "P", "Q", "Q"])
    # P(a) = 1/2; the pieces P, ^P and P$ stood with a twice: P(a | piece) / P(a) = (2 / .5 + 30) /
    # (2 + 30)
    expected = 0.8 * 34 / 32
    assert _association(templates, "a", "P") == pytest.approx(
        math.log((2 / 0.5 + 40 * expected) / (2 + 40))
    )
    assert _association(templates, "a", "Q") == pytest.approx(
        math.log((0 + 40 * 0.8 * 30 / 32) / (2 + 40))
    )


def test_a_new_predicate_is_known_by_its_pieces_and_its_own_words() -> None:
    templates = learn_templates(["a", "a", "b", "b"], ["P", "P", "Q", "Q"])
    assert _association(templates, "a", "PS") == pytest.approx(
        math.log(0.8 * 34 / 32)
    )  # P and ^P of P, S, ^P, PS, S$
    assert _association(templates, "a", "R") == pytest.approx(math.log(0.8))
    assert _association(templates, "a", "a") == pytest.approx(math.log(0.2 / 0.5 + 0.8))


def test_words_that_training_did_not_hold_count_where_the_predicate_has_them() -> None:
    templates = learn_templates(["a", "a", "b", "b"], ["P", "P", "Q", "Q"])
    assert _association(templates, "z", "R") == pytest.approx(math.log(0.8))
    assert _association(templates, "z", "z") == pytest.approx(math.log(0.2 / (0.5 / 4) + 0.8))
    assert _association(templates, "z", "P") == pytest.approx(math.log(40 * 0.8 / (2 + 40)))


def test_nothing_asked_is_nothing_said() -> None:
    templates = learn_templates(["a", "a"], ["P", "P"])
    assert _association(templates, "|", "P") == 0
    assert _association(learn_templates([], []), "a", "P") == pytest.approx(math.log(0.8))


def test_a_predicate_without_words_of_its_own_is_known_by_its_questions() -> None:
    templates = learn_templates(["a", "a", "b", "b"], ["|", "|", "Q", "Q"])
    # Its pieces are ^| and |$, which stood with a twice each
    expected = 0.8 * (2 / 0.5 + 30) / (2 + 30)
    assert _association(templates, "a", "|") == pytest.approx(math.log((4 + 40 * expected) / 42))


def test_templates_survive_json() -> None:
    templates = learn_templates(["ab", "ab", "b", "b"], ["PQ", "PQ", "Q", "Q"])
    assert decode_templates(json.loads(json.dumps(asdict(templates)))) == templates


def test_chatter_is_blanked_out_and_positions_stay() -> None:
    assert strip_chatter("你知道岳阳楼在哪吗?") == "|||岳阳楼在哪||"
    assert relation_phrase("你知道岳阳楼在哪吗?", 3, 6) == "在哪"
    assert relation_phrase("谁写了《岳阳楼记》?", 4, 8) == "谁写了"


def test_a_question_of_chatter_only_is_kept() -> None:
    assert strip_chatter("知道") == "知道"


@pytest.mark.parametrize(
    ("request_text", "kind"),
    [
        ("什么时候出生", "when"),
        ("是谁写的", "who"),
        ("在哪里", "where"),
        ("有多少人", "number"),
        ("怎么样", ""),
    ],
)
def test_kinds_of_answer(request_text: str, kind: str) -> None:
    assert answer_type(request_text) == kind


def test_object_typess() -> None:
    assert object_types("1987年5月") == {"when", "number"}
    assert object_types("范仲淹") == {"who"}
    assert object_types("湖南省岳阳市") == {"where"}


@pytest.mark.parametrize("name", ["guidovanrossum", "andrews.tanenbaum", "j.k.罗琳", "rené"])
def test_names_in_latin_script_are_persons(name: str) -> None:
    assert "who" in object_types(name)


@pytest.mark.parametrize("text", ["787x960", "v2.5.1(android)", "iso9001", "-"])
def test_latin_letters_beside_digits_or_signs_are_no_person(text: str) -> None:
    assert "who" not in object_types(text)


def test_cues_lead_to_words_of_predicates() -> None:
    assert "作者" in cued_words("是谁写的")
    assert "面积" in cued_words("有多大")
    assert cued_words("zz") == ()


def test_every_cue_is_well_formed() -> None:
    assert len(cues()) > 100
    assert all(word and word == "".join(word.split()) for _, words in cues() for word in words)


@pytest.mark.parametrize(
    ("shares", "counts"),
    [
        ({"a": 0}, {}),
        ({"a": "x"}, {}),
        ([], {}),
        ({"a": 1}, {"p": {"a": -1}}),
        ({"a": 1}, {"p": 1}),
    ],
)
def test_templates_that_are_no_shares_and_counts_are_refused(
    shares: object, counts: object
) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError)):
        decode_templates({"gram_share": shares, "with_predicate": counts})
