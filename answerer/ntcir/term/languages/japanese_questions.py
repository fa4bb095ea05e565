"""Japanese questions: the noun in focus and the interrogative."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from indexer.analysis.mecab import nodes
from indexer.analysis.numerals import NUMERALS

_INTERROGATIVES = (
    ("number", r"何年に(?:一|1)|何年間|何番目|何人目"),
    ("time", r"何年|何月|何日|何世紀|いつ(?!も|か(?!ら|$|。))|何時(?!代)"),
    (
        "number",
        r"どのくらい|どれくらい|どれほど|どれだけ|いくつ(?!か)|いくら|何(?:人|歳|メートル|キロ|センチ|ミリ|[kKcmMg]|個|回|本|種|[カか]国|度|円|ドル|パーセント|%|倍|分|"
        r"時間|秒|日間|条|番|つ|名|体|枚|語で)",
    ),
    ("person", r"誰|だれ|何者|どんな人|何という(?:人|人物)"),
    ("place", r"どこ|何処|どちらに|どの(?:辺|あたり)|何という(?:場所|ところ)"),
    ("time", r"西暦(?!\d)"),
)
_BY_FOCUS = (
    ("time", r"(?:年|年号|世紀|月日|時期|日付|年月日|年代)$"),
    (
        "number",
        r"(?:数|距離|(?:長|高|深|重|速|広|大き|強|太|厚)さ|割合|率|量|時間|温度|速度|時速|面積|人口|期間|任期|寿命|年齢|身長|体重|値段)$",
    ),
)
# Where the noun in focus stands: just after these …
_BEFORE_FOCUS = (
    re.compile(r"(?:何|なん)と(?:いう|言う|呼ばれる|よばれる)"),
    re.compile(r"ど(?:のような|の|んな|ういう)"),
    re.compile(r"(?:何|なん)の"),
    re.compile(r"どこの"),
    re.compile(r"何(?=[^とのがをでにかはも])"),
)
# … or just before these, tried in order, the last place of each.
_AFTER_FOCUS = (
    re.compile(
        r"(?:は|が|を)(?=、?(?:何|誰|だれ|どこ|いつ|なに|なん|どう|どれ|$))|といえば|とは(?=$|何|なに|どこ|誰)|って"
    ),
    re.compile(r"(?:を|は)[^をは]*(?:答|記|書|挙|あげ|教|知|述|示)"),
    re.compile(r"は"),
)
# An interrogative with a case of its own asks for a part of what is told of the topic, which names no kind of answer:
# トンボはどこに卵を産む. Where something only is (何がある, 何がいる), the topic still names it.
_IN_A_CASE = re.compile(r"(?:何|なに|誰|だれ|どこ)(?:が(?!あ|い)|を|に|へ|で(?![あさしすはも])|から|まで|より)")
_NAME_WORDS = frozenset(
    "名 名前 名称 正式名称 人名 国名 地名 呼び名 正式名 略称 別名 本名 通称 呼称 タイトル 題名 種類".split()
)
_NAME_ENDING = re.compile(r"(?<=..)(?:の)?(?:名称|名前|名)$")
_NO_FOCUS = re.compile(r"^(?:もの|こと|とき|時|ところ|最初|最後|有名|順|場合|ため)$")

_INTERROGATIVE = re.compile(
    r"(?:何|なん)と(?:いう|言う|呼ばれる)|ど(?:のような|の|んな|ういう)|どこ|いつ|誰|だれ|(?:何|なに|なん)(?!と)"
)
_AMOUNT = re.compile(rf"[\d{NUMERALS}](?P<unit>[^\d{NUMERALS}]+)$")
_ONE_KANA = re.compile("[ぁ-んァ-ヶー]")
_NO_COUNTER = "がをでにかはもの"  # what follows 何 where it is not 何 of something


class _Run(NamedTuple):
    """A run of nouns in the question."""

    text: str
    start: int
    end: int


def _folded(asked: str) -> str:
    text = "".join(unicodedata.normalize("NFKC", asked).split())
    return re.sub(r"[?。！!]+$", "", text)


def interrogative(asked: str) -> str:
    """What the interrogative asks for: time, number, person or place; "" when it does not say."""
    text = _folded(asked)
    for name, pattern in _INTERROGATIVES:
        if re.search(pattern, text):
            return name
    focus = focus_of(asked)
    return next((name for name, pattern in _BY_FOCUS if re.search(pattern, focus)), "")


@cache
def focus_of(asked: str) -> str:
    """The noun that names what is asked (何という城壁 → 城壁, ドイツの首都は？ → 首都); "" without one."""
    text = _folded(asked)
    runs = _noun_runs(text)
    for pattern in _BEFORE_FOCUS:
        for match in reversed(list(pattern.finditer(text))):
            run = next((run for run in runs if 0 <= run.start - match.end() <= 1), None)
            if run is None and match.group() == "何":
                run = next((run for run in runs if run.start == match.start()), None)
            if run and not _NO_FOCUS.match(run.text):
                return _bare(run.text.removeprefix("何"))
    return "" if _IN_A_CASE.search(text) else _focus_before(text, runs)


def head_of(focus: str) -> str:
    """The last word of a noun in focus (米料理: 料理), the whole where that is no noun that stands by itself."""
    last = next((word for word in reversed(_words(focus)) if word.speech == "名詞"), None)
    return last.text if last and focus.endswith(last.text) and not _ONE_KANA.fullmatch(last.text) else focus


def unit_of(asked: str) -> str:
    """The noun just behind the last 何 (何年: 年, 何種類: 種類), "" where there is none."""
    words = _words(_folded(asked))
    found = ""
    for word, behind in pairwise(words):
        if word.text in ("何", "なん"):
            found = behind.text if behind.speech == "名詞" and behind.is_noun else ""
    return found


def counts_in(text: str, after: str, unit: str) -> float:
    """Whether an amount is counted in that unit, or one that it begins with (13種: 種類): 1, -1, or 0 for no amount."""
    own = _AMOUNT.search(text)
    if not (unit and own):
        return 0.0
    return 1.0 if unit in text or unit.startswith(own["unit"]) else -1.0


def asks_reading(asked: str) -> bool:
    """Whether a question asks how a word is read: 読み方, 何と読む."""
    return "読み" in asked or "読む" in asked


def interrogative_spans(asked: str, focus: str) -> list[tuple[int, int]]:
    """Where the last interrogative stands with the noun or the counter that it asks for: 何という城壁, どの山, 何年."""
    matches = list(_INTERROGATIVE.finditer(asked))
    if not matches:
        return []
    start, end = matches[-1].span()
    if focus and asked.startswith(focus, end):
        end += len(focus)
    elif asked[start:end] in ("何", "なん") and asked[end : end + 1] not in _NO_COUNTER:
        end += 1
    return [(start, end)]


def _focus_before(text: str, runs: list[_Run]) -> str:
    place = len(text)
    for pattern in _AFTER_FOCUS:
        matches = list(pattern.finditer(text))
        if matches:
            place = matches[-1].start()
            break
    before = [run for run in runs if run.end <= place]
    if not before or place - before[-1].end > 2:
        return ""
    run = before[-1]
    if run.text in _NAME_WORDS and len(before) > 1 and run.start - before[-2].end <= 1:
        run = before[-2]
    return "" if _NO_FOCUS.match(run.text) else _bare(run.text)


def _bare(noun: str) -> str:
    """The noun without a 名 or 名前 of its own (山名 → 山 is too short to cut, 都市名 → 都市)."""
    return _NAME_ENDING.sub("", noun)


class _Word(NamedTuple):
    """A word of the question as ipadic has it."""

    text: str
    start: int
    speech: str
    fine: str

    @property
    def is_noun(self) -> bool:
        return self.speech == "接頭詞" or (self.speech == "名詞" and self.fine not in ("代名詞", "非自立"))


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    position = 0
    for node in nodes(text):
        start = text.find(node.surface, position)
        position = start + len(node.surface)
        speech, fine = node.feature.split(",", 2)[:2]
        words.append(_Word(node.surface, start, speech, fine))
    return words


def _noun_runs(text: str) -> list[_Run]:
    """The runs of nouns; the stem of an adjective belongs to the さ that makes it one (高さ)."""
    runs: list[_Run] = []
    stem = -1  # where the adjective just before begins
    for word in _words(text):
        end = word.start + len(word.text)
        if word.is_noun:
            start = stem if word.text == "さ" and stem >= 0 else word.start
            if runs and runs[-1].end == start:
                start = runs.pop().start
            runs.append(_Run(text[start:end], start, end))
        stem = word.start if word.speech == "形容詞" else -1
    return runs
