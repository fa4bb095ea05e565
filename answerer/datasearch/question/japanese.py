"""Analysis of a Japanese question: its question word, the noun that is asked for, comparisons, alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# Counters behind 何 ask how many: 何人 and 何色 differ by this list alone.
_COUNTERS = (
    "人|名|円|ドル|件|%|パーセント|ポイント|割|分|厘|トン|t|kg|g|キロ|グラム|リットル|l|ha|a|ヘクタール|アール|km|m|cm|mm|メートル|平方|立方|校|園|社"
    "|世帯|戸|棟|台|本|個|頭|羽|匹|冊|枚|部|隻|艘|便|票|議席|回|度|倍|歳|才|時間|秒|泊|床|店|箇所|か所|カ所|ヶ所|ケ所|施設|事業所|経営体|点|種類|単位"
    "|市町村|団体|人分|kwh|kw|mw|℃|mj|gj|kcal"
)
_QUESTION_WORDS = (
    ("when", r"いつ|何(?:年度?|月|日|曜日|世紀|時代)|どの(?:年度?|月|日|時期)"),
    (
        "how many",
        rf"いくら|いくつ|どれ(?:くらい|ぐらい|だけ|ほど)|どの(?:くらい|ぐらい|程度)|何(?:十|百|千|万|億|兆)*(?:{_COUNTERS})",
    ),
    ("where", r"どこ"),
    ("who", r"誰|だれ|どなた"),
    ("which", r"どの|どちら|どれ|いずれ"),
    ("what", r"何|なに|なん"),
)
# A noun from its beginning, for a search from each of its characters takes the square of its length.
_NOUN = r"(?<![^のがをはにでともや、。,\s])([^のがをはにでともや、。,\s]+)"
_BEFORE = re.compile(rf"{_NOUN}(?:は|が|を|って)、?\s*$")
_TOPIC = re.compile(rf"{_NOUN}(?:は|って)")
_TAIL = re.compile(r"(?<![^\u3040-\u309f])[^\u3040-\u309f]+$")
_WHICH = re.compile(r"どの([^のがをはにでと、。]+)|何という([^のがをはにでと、。]+)|どこの([^のがをはにでと、。]+)")
_REQUESTED = re.compile(rf"{_NOUN}を(?:教え|答え|示し|述べ|求め|挙げ|書)|{_NOUN}(?:は|を|って)?[??。.]*$")
_CLAUSE_ENDS = re.compile("[、。]")
_BETWEEN_TWO = re.compile("と|または|あるいは")
_BEHIND_TWO = re.compile("では|のうち|を比べ|の(?:どちら|いずれ)")
_NUMBER = r"(\d[\d,]*(?:\.\d+)?)\s*(千|万|億)?"
_UNIT = rf"(?:{_COUNTERS}|年度?)?"
_CONDITIONS = (
    ("over", re.compile(rf"{_NUMBER}{_UNIT}(?:を超え|を上回|より(?:も)?(?:多|大き|高|長|後))")),
    # Ages such as 65歳以上 are labels of tables, not conditions.
    ("at least", re.compile(rf"{_NUMBER}(?!歳|才){_UNIT}(?:以上|以降|以後)")),
    ("below", re.compile(rf"{_NUMBER}(?!歳|才){_UNIT}(?:未満|を下回|より(?:も)?(?:少な|小さ|低|短|前))")),
    ("at most", re.compile(rf"{_NUMBER}(?!歳|才){_UNIT}(?:以下|以前)")),
)
_FACTORS = {"": 1.0, "千": 1e3, "万": 1e4, "億": 1e8}


class QuestionFocus(NamedTuple):
    """The question word as in English ("" without one), and the noun that is asked for ("" where none is found)."""

    wh: str
    focus: str


def question_focus(plain: str) -> QuestionFocus:
    """Question word and focus of a question (NFKC, lower-cased): 函館市の男の人口は何人 asks "how many" and 人口.

    Of several question words the last one counts, for Japanese asks at the end; of two at one place the first listed.
    """
    places = [
        (match.start(), -rank, wh)
        for rank, (wh, pattern) in enumerate(_QUESTION_WORDS)
        for match in re.finditer(pattern, plain)
    ]
    if not places:
        object_of = _REQUESTED.search(plain)
        return QuestionFocus("", _noun((object_of[1] or object_of[2] or "") if object_of else ""))
    start, _, wh = max(places)
    which = _WHICH.match(plain, start)
    if which:
        return QuestionFocus(wh, _noun(which[1] or which[2] or which[3]))
    # 人口は何人: the noun before the question word is asked for; else the topic of the sentence.
    before = _BEFORE.search(plain[:start]) or _TOPIC.search(plain[:start])
    return QuestionFocus(wh, _noun(before[1]) if before else "")


def _noun(text: str) -> str:
    """The text after the last hiragana, for a clause may precede the noun (占める割合); all of it if that is empty."""
    tail = _TAIL.search(text)
    return tail.group() if tail else text


def alternatives(plain: str) -> tuple[str, str] | None:
    """The two texts that a Japanese question compares, as A and B in "AとBでは"; None if it does not compare two."""
    for clause in _CLAUSE_ENDS.split(plain):
        joint = _BETWEEN_TWO.search(clause, 1)
        end = joint and _BEHIND_TWO.search(clause, joint.end() + 1)
        if joint and end:
            return clause[: joint.start()], clause[joint.end() : end.start()]
    return None


def conditions(plain: str) -> Iterator[tuple[str, float]]:
    """Yields the numeric comparisons of a question as (name, number): "over", "at least", "below" or "at most".

    千, 万 and 億 multiply the number; ages before 以上, 未満 or 以下 are not comparisons.
    """
    for name, pattern in _CONDITIONS:
        for found in pattern.finditer(plain):
            yield name, float(found[1].replace(",", "").rstrip(".")) * _FACTORS[found[2] or ""]
