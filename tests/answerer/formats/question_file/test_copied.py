"""Quizzes as they stand on web pages and in worksheets copied from PDFs: what copying did to them
is undone, and what it mixed up is rejected."""

from __future__ import annotations

from textwrap import dedent

import pytest

from answerer.formats.question_file.numbered import read_numbered
from tests.answerer.formats.question_file.shown import shown

# what copying did: (text, a line a question: id | text | choices as label=text | right labels)
READ = {
    "bubbles of an answer sheet": (
        "0 0 0 0 1. Stone?\nA. x B. y\n0 0 0 0 2. Ore?\nA. z B. w\n",
        ["1|Stone?|A=x B=y|", "2|Ore?|A=z B=w|"],
    ),
    "labels right behind words": (
        "1. Stone?\nA. x B. slateC. z D. w\n",
        ["1|Stone?|A=x B=slate C=z D=w|"],
    ),
    "columns flattened": ("1. Stone?\nA. x C. z\nB. y D. w\n", ["1|Stone?|A=x B=y C=z D=w|"]),
    "columns flattened, with blank lines": (
        "1. Stone?\n\nA) x C) z\n\nB) y D) w\n",
        ["1|Stone?|A=x B=y C=z D=w|"],
    ),
    "columns flattened, with initials": (
        "1. Who?\nA. Ann B. Lee C. z\nB. Bob F. Ray D. w\n",
        ["1|Who?|A=Ann B. Lee B=Bob F. Ray C=z D=w|"],
    ),
    "initials in choices of one column": (
        "1. Who?\nA. Ann C. Lee\nB. Bob D. Ray\nC. z\nD. w\n",
        ["1|Who?|A=Ann C. Lee B=Bob D. Ray C=z D=w|"],
    ),
    "a species in one of two choices": (
        "1. Which?\nA. the worm C. elegans in soil\nB. y\nC. z\n",
        ["1|Which?|A=the worm C. elegans in soil B=y C=z|"],
    ),
    "a table with its bars": (
        "|\n1. |\nStone?\na.\n|\nx |\nc.\n|\nz |\nb.\n|\ny |\nd.\n|\nw |\n",
        ["1|Stone?|a=x b=y c=z d=w|"],
    ),
    "labels above their texts": (
        "• 1.\n\n### Stone?\n\n• A.\n\nx\n\n• B.\n\ny\n\nA. x\nExplanation\nBecause.\n",
        ["1|Stone?|A=x B=y|A"],
    ),
    "hyphens behind numbers and labels": (
        "1-Who came?\na- Ann\nb- Bob\n2- When?\na- now\nb- then\n",
        ["1|Who came?|a=Ann b=Bob|", "2|When?|a=now b=then|"],
    ),
    "strokes behind numbers and labels": (
        "1/ (1 point)\nStone?\nA/ x\nB/ y\n2/ Ore?\nA/ z\nB/ w\n\nREPONSES\n\n1 = A\n\n2 = B\n",
        ["1|Stone?|A=x B=y|A", "2|Ore?|A=z B=w|B"],
    ),
    "bare letters with blank lines": (
        "1 - Stone?\n\nA x\n\nB y\n\nC z\n\n2 - Ore?\n\nA u\n\nB v\n\nC w\n",
        ["1|Stone?|A=x B=y C=z|", "2|Ore?|A=u B=v C=w|"],
    ),
    "the next number behind the last choice": (
        "1. Stone?\na. x b. y 2. Ore is:\na. z b. w\n",
        ["1|Stone?|a=x b=y|", "2|Ore is:|a=z b=w|"],
    ),
    "an identifier before a question": (
        "TB_Q1.1.1\nStone?\na. x\nb. y\nAnswer: b. y\nLearning Objective: 1\nSkill Level: Easy\n"
        "TB_Q1.1.2\nOre?\na. z\nb. w\nAnswer: a. z\n",
        ["1.1.1|Stone?|a=x b=y|b", "1.1.2|Ore?|a=z b=w|a"],
    ),
    "bullets before questions": (
        "• Stone?\n  a) x\n  b) y\n  Answer: b) y\n• Ore?\n  a) z\n  b) w\n  Answer: a\n",
        ["|Stone?|a=x b=y|b", "|Ore?|a=z b=w|a"],
    ),
    "a quotation": ("> Stone?\n>\n> A. x\n> B. y\n\nAnswer: B\n", ["|Stone?|A=x B=y|B"]),
    "a heading of Markdown below a choice": (
        "1. Stone?\na) x\nb) y\n#### Metals\n2. Ore?\na) z\nb) w\n",
        ["1|Stone?|a=x b=y|", "2|Ore?|a=z b=w|"],
    ),
    "points and a heading below a choice": (
        "Q1. Stone?\na) x\nb) y\n(1 mark)\nMetals\nQ2. Ore?\na) z\n3|Page\nb) w\n(1 mark)\n",
        ["1|Stone?|a=x b=y|", "2|Ore?|a=z b=w|"],
    ),
    "a dash before the answer": (
        "1. Stone?\na. x\nb. y\nAnswer – b. y it is\n",
        ["1|Stone?|a=x b=y|b"],
    ),
    "a numbered answer and its solution": (
        "Q1.Stone?\n(a) x\n(b) y\n\nS1. Ans.(b)\nSol.It forms: 1) sand; 2) clay.\n\n"
        "Q2.Ore?\n(a) z\n(b) w\n\nS2. Ans.(a)\n",
        ["1|Stone?|a=x b=y|b", "2|Ore?|a=z b=w|a"],
    ),
    "an answer among other words in brackets": (
        "1. Stone?\na. x\nb. y\n(Applied; answer: b; page 4)\n",
        ["1|Stone?|a=x b=y|b"],
    ),
    "an answer that is the choice again": (
        "1. Stone?\na) x\nb) y\n\nb) y ( Pg. 3 )\n\n2. Ore?\na) z\nb) w\n\na) z\n",
        ["1|Stone?|a=x b=y|b", "2|Ore?|a=z b=w|a"],
    ),
    "the choice again below the word": (
        "Question 1.\n\nStone?\n\n(A) x\n(B) y\nAnswer:\n(B) y\n\nExplanation:\nBecause.\n",
        ["1|Stone?|A=x B=y|B"],
    ),
    "an answer folded in": (
        "1. Stone?\n  • (A) x\n  • (B) y\n  • Answer\n\n    Answer: (B) y\n",
        ["1|Stone?|A=x B=y|B"],
    ),
    "stars behind the right label": ("1. Stone?\na) x\nb)** y\n", ["1|Stone?|a=x b=y|b"]),
    "an answer at the end of an explanation": (
        "1. 石?\nA. 甲\nB. 乙\n解析:甲是木头。故正确答案为B。\n",
        ["1|石?|A=甲 B=乙|B"],
    ),
    "an answer without a colon": (
        "1. 石?\nA. 甲\nB. 乙\n解析本题不难。\n答案B\n",
        ["1|石?|A=甲 B=乙|B"],
    ),
    "bullets below a gap": (
        "問1. 山から( )が出る。\n- 溶岩\n- 氷\n答え: 溶岩\n解説: 熱い。\n",
        ["1|山から( )が出る。|A=溶岩 B=氷|A"],
    ),
    "words that judge the choices": (
        "問1 正しいものはどれか。\n①【誤】甲\n②【正】乙\n③【誤】丙\n",
        ["1|正しいものはどれか。|①=甲 ②=乙 ③=丙|②"],
    ),
    "statements with bullets and reasons": (
        "- Lava is hot.\nAnswer: True – it melts.\n- Ice is hot.\nAnswer: False – it is cold.\n",
        ["|Lava is hot.|A=True B=False|A", "|Ice is hot.|A=True B=False|B"],
    ),
    "statements with arrows": (
        "1. Lava is hot. → TRUE\n2. Ice is hot. → FALSE (it is cold)\n",
        ["1|Lava is hot.|A=True B=False|A", "2|Ice is hot.|A=True B=False|B"],
    ),
    "reasons below statements": (
        "第1問\n\n氷は熱い。\n\n+ 答えを見る(クリック)\n\n答え:❌\n\n氷は冷たい。\n",
        ["1|氷は熱い。|A=○ B=×|B"],
    ),
}


@pytest.mark.parametrize("done", READ)
def test_what_copying_did_is_undone(done: str) -> None:
    text, expected = READ[done]
    read = read_numbered(dedent(text))
    assert (shown(read), read.rejected) == (expected, [])


def test_questions_without_choices_below_a_heading_are_no_text_of_the_last_choice() -> None:
    choices = "1. Stone?\n(a) x\n(b) y\n2. Ore?\n(a) z\n(b) w\n"
    read = read_numbered(f"{choices}Short Answer Questions\n1. What is iron?\n2. What is gold?\n")
    assert shown(read) == ["1|Stone?|a=x b=y|", "2|Ore?|a=z b=w|"]
    assert [remark.line for remark in read.rejected] == [8, 9]


@pytest.mark.parametrize(
    "list_of", ["A) x C) z\nB) y\n", "A. x C. z\nB. y\n", "A) x\nB) y D) z C) w\n"]
)
def test_a_label_that_a_list_lacks_inside_of_its_choices_is_named(list_of: str) -> None:
    read = read_numbered(f"1. Stone?\n{list_of}2. Ore?\nA) x\nB) y\n")
    assert [one.name for one in read.questions] == ["2"]
    assert [remark.line for remark in read.rejected] == [1]
