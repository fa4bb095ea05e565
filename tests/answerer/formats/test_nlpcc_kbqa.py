"""KBQA blocks: every variant of the real files is read, and answers are written to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.formats.nlpcc_kbqa import KbqaQuestion, answer_block, read_questions, split_answers
from indexer.files.errors import UserError
from tests.refusals import raises_at

RULE = "=" * 50
BLOCK = f"<question id=8>\t谁写的？\n<triple id=8>\t书 ||| 作者 ||| 杨可桢，程光蕴\n<answer id=8>\t杨可桢，程光蕴\n{RULE}\n"


def read(tmp_path: Path, content: str | bytes) -> list[KbqaQuestion]:
    file = tmp_path / "questions.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_questions(file)


def refusal(tmp_path: Path, content: str | bytes) -> str:
    with pytest.raises(UserError) as error:
        read(tmp_path, content)
    return str(error.value).replace(str(tmp_path), "")


def test_a_whole_block(tmp_path: Path) -> None:
    (question,) = read(tmp_path, BLOCK)
    triple = ("书", "作者", "杨可桢，程光蕴")
    assert question == KbqaQuestion(
        question_id="8",
        text="谁写的？",
        head="<question id=8>",
        line=1,
        answers=("杨可桢，程光蕴",),
        triple=triple,
        answer_text="杨可桢，程光蕴",
    )


def test_crlf_a_byte_order_mark_and_a_missing_last_rule_change_nothing(tmp_path: Path) -> None:
    two = BLOCK + BLOCK.replace("id=8", "id=9")
    content = b"\xef\xbb\xbf" + two.replace("\n", "\r\n").encode().removesuffix(
        f"{RULE}\r\n".encode()
    )
    assert read(tmp_path, content) == read(tmp_path, two)


PAIRS = '<question id="1">\t微软公司的创始人是谁?\n<answer id="1">\t比尔盖茨 \t 保罗艾伦\n'
NEXT = '<question id="2">\t谁写的?\n<answer id="2">\t杨可桢\n'


@pytest.mark.parametrize("between", ["", "\n", "\n\n", f"{RULE}\n", f"\n{'=' * 12}\n\n"])
def test_training_pairs_as_the_guideline_prints_them(tmp_path: Path, between: str) -> None:
    one, other = read(tmp_path, PAIRS + between + NEXT)
    assert (one.text, one.answers) == ("微软公司的创始人是谁?", ("比尔盖茨", "保罗艾伦"))
    assert (other.question_id, other.text, other.answers) == ("2", "谁写的?", ("杨可桢",))


@pytest.mark.parametrize("between", ["", "\n", f"{'=' * 12}\n", f"{RULE}\n"])
def test_questions_alone_are_answered_in_their_own_form(tmp_path: Path, between: str) -> None:
    asked = read(tmp_path, f'<question id="1">\tA?\n{between}<question id="2">\tB?\n{between}')
    written = "".join(answer_block(question, ["x"]) for question in asked)
    assert written == (
        f'<question id="1">\tA?\n<answer id="1">\tx\n{between}<question id="2">\tB?\n<answer '
        f'id="2">\tx\n{between}'
    )


def test_quoted_ids_keep_their_head(tmp_path: Path) -> None:
    (question,) = read(tmp_path, '<question id="1">\tA？\n<answer id="1">\tx \t y\n')
    assert (question.question_id, question.head, question.answers) == (
        "1",
        '<question id="1">',
        ("x", "y"),
    )


def test_closing_tags_of_the_guideline_are_dropped(tmp_path: Path) -> None:
    (question,) = read(tmp_path, '<question id="1"></question>\tA？\n')
    assert (question.text, question.closing) == ("A？", "")


def test_a_closed_question_line_is_repeated_closed(tmp_path: Path) -> None:
    (question,) = read(
        tmp_path, f"<question id=1>\tA？</question>\n<answer id=1>\tx</answer>\n{RULE}\n"
    )
    assert (question.text, question.answers) == ("A？", ("x",))
    assert (
        answer_block(question, ["y"])
        == f"<question id=1>\tA？</question>\n<answer id=1>\ty\n{RULE}\n"
    )


def test_ten_signs_are_a_rule_and_nine_are_not(tmp_path: Path) -> None:
    two = read(tmp_path, f"<question id=1>\tA\n{'=' * 10}\n<question id=2>\tB\n")
    assert [question.text for question in two] == ["A", "B"]
    assert refusal(tmp_path, f"<question id=1>\tA\n{'=' * 9}\n").startswith("/questions.txt:2: ")


def test_a_test_set_has_no_answers_and_an_empty_answer_is_empty(tmp_path: Path) -> None:
    without, empty = read(
        tmp_path, f"<question id=1>\tA\n{RULE}\n<question id=2>\tB\n<answer id=2>\t\n"
    )
    assert (without.answers, empty.answers, empty.answer_text) == (None, (), "")


def test_answers_are_split_at_tabs_and_bars_but_not_at_commas() -> None:
    assert split_answers("甲，乙 \t 丙 ||| 丁\t") == ("甲，乙", "丙", "丁")
    assert split_answers("甲|||乙 |||\t丙|||") == ("甲", "乙", "丙")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"<answer id=1>\tx\n{RULE}\n", "/questions.txt:1: the block of id 1 has no question"),
        ("<question id=1>\t \n", "/questions.txt:1: the block of id 1 has no question"),
        (
            f"{BLOCK}{BLOCK}",
            "/questions.txt:5: question id 8 stands here a second time (first in line 1)",
        ),
        (
            "<question id=1>\tA\n<answer id=2>\tx\n",
            "/questions.txt:2: answer id 2 stands in the block of id 1",
        ),
        (
            "<question id=1>\tA\n<question id=1>\tB\n",
            "/questions.txt:2: question id 1 stands here a second time",
        ),
        (
            "<question id=1>\tA\n<answer id=1>\tx\n<answer id=1>\ty\n",
            "/questions.txt:3: answer id 1 stands in the block",
        ),
        (
            "<answer id=1>\tx\n<question id=2>\tA\n",
            "/questions.txt:2: question id 2 stands in the block of id 1",
        ),
        ("<question id=1>\tA\nstray\n", "/questions.txt:2: this is not a line of a block: 'stray'"),
        (
            "<question id=1>\tA\n<triple id=1>\ta ||| b\n",
            "/questions.txt:2: the triple has fewer than three fields",
        ),
        ("<question id=1>\tA\r<answer id=1>\tx\r", "/questions.txt:1: more than one tag in a line"),
        (b"<question id=1>\tA\n\xff\n", "/questions.txt:2: not utf-8 text; save the file as UTF-8"),
        ("\n", "/questions.txt: no question in it"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(
    tmp_path: Path, content: str | bytes, said: str
) -> None:
    assert refusal(tmp_path, content).startswith(said)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with raises_at("none.txt"):
        read_questions(tmp_path / "none.txt")


def test_the_written_block_repeats_question_and_style_and_has_no_trailing_tab() -> None:
    question = KbqaQuestion("1", "A？", '<question id="1">', 1)
    assert answer_block(question, ["x", " ", "y\tz"]) == (
        f'<question id="1">\tA？\n<answer id="1">\tx\ty z\n{RULE}\n'
    )


def test_no_answer_leaves_one_tab() -> None:
    assert (
        answer_block(KbqaQuestion("7", "A", "<question id=7>", 1), []).splitlines()[1]
        == "<answer id=7>\t"
    )


text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1).map(
    lambda value: " ".join(value.split()).replace("|||", "").strip()
)
words = text.filter(lambda value: bool(value) and not value.startswith(("<", "=")))


@given(
    st.lists(st.tuples(words, st.lists(words, max_size=4)), min_size=2, max_size=5),
    st.booleans(),
    st.sampled_from((RULE, "", None)),
)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    blocks: list[tuple[str, list[str]]],
    quoted: bool,
    rule: str | None,
) -> None:
    mark = '"' if quoted else ""
    questions = [
        KbqaQuestion(
            str(3 * number), asked, f"<question id={mark}{3 * number}{mark}>", 1, rule=rule
        )
        for number, (asked, _) in enumerate(blocks)
    ]
    written = "".join(
        answer_block(question, answers)
        for question, (_, answers) in zip(questions, blocks, strict=True)
    )
    found = read(tmp_path_factory.mktemp("kbqa"), written)
    assert [(one.question_id, one.text, one.head, one.rule) for one in found] == [
        (one.question_id, one.text, one.head, one.rule) for one in questions
    ]
    assert [one.answers for one in found] == [tuple(answers) for _, answers in blocks]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("北京\\t上海", ("北京", "上海")),
        ("Paris\\tRome", ("Paris", "Rome")),
        ("\\theta", ("\\theta",)),
    ],
)
def test_a_spelt_out_tab_is_between_answers(text: str, answers: tuple[str, ...]) -> None:
    assert split_answers(text) == answers
