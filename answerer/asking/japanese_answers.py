"""Whether an answer to a Japanese question fits its interrogative: 誰 wants a person's name that
the question does not have, 何歳 a number with 歳, 何年 a year."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answerer.asking.japanese_forms import counter_of, has_counter
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.japanese import clean
from indexer.analysis.japanese import nodes

_WHO = re.compile("誰|(?<!さみ)だれ")
# of persons: 画家, 王, 皇帝, 農民
_PERSON_ENDS = re.compile(
    "[者人王帝家師士公卿氏君様官臣民兵員長妃后妻夫父母子兄弟姉妹娘僧尼侯主手軍族皇翁守]$|さん$|さま$"
)
_COMMON = frozenset("一般 サ変接続 形容動詞語幹 副詞可能 ナイ形容詞語幹".split())
_UNKNOWN = 7  # fields of a word that ipadic does not know
_YEAR = re.compile("何年(?!間|に[一1]|以[上下内]|の?何月|ぶり|生(?!ま))|年は(?:いつ)?[?。]?$")
_FROM_TO = re.compile("(?:いつ|何年)から(?:いつ|何年)")
_DATE = r"\d{1,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?"
_RANGE = re.compile(rf"{_DATE}(?:から|[-〜~]){_DATE}")
_MONTH = re.compile(r"(?<=年)\d{1,2}月.*")
# どう and the like may be answered by how something is
_HOW = re.compile("ど(?:[うの]|んな)")
# behind an adjectival noun that says how something is: 有名な, 有名になる; だ may follow a thing
_AS_ADJECTIVE = re.compile("な|に(?:な[らりるっ]|す[るれ]|し)")
_REFERRING = re.compile("同[一-龥]")  # 同国, 同社
_KATAKANA_NAME = re.compile("[ァ-ヺー]{2,}")


def fitting_answers(text: str, ranked: Sequence[TermCandidate]) -> list[TermCandidate]:
    """The candidates for a question `text`, in order, without those that cannot answer it: those
    that only refer to what was said before (同国), adjectival nouns that say how something is
    (有名な), unless どう or the like is asked, for 誰 the names in it and single nouns that name
    nobody (功), for 何歳 and the like answers with another counter, unless all have one. For 何年
    dates are cut to their years, of one year the first remains, periods without a year last; for
    いつからいつまで a date is that of its sentence with から between it and another."""
    question = clean(text)
    ranked = [candidate for candidate in ranked if not _REFERRING.fullmatch(candidate.text)]
    if not _HOW.search(question):
        ranked = [candidate for candidate in ranked if not _is_adjective(candidate)]
    if _FROM_TO.search(question):
        return [_as_range(candidate) for candidate in ranked]
    if _YEAR.search(question):
        first_of: dict[str, TermCandidate] = {}
        for candidate in ranked:
            is_time = candidate.span.shape == "time"
            year = _MONTH.sub("", candidate.text) if is_time else candidate.text
            first_of.setdefault(year, replace(candidate, text=year))
        return sorted(first_of.values(), key=lambda candidate: "年" not in candidate.text)
    if _WHO.search(question):
        return [
            candidate
            for candidate in ranked
            if not _is_in(candidate.text, question) and not _is_common_noun(candidate)
        ]
    fitting = [candidate for candidate in ranked if not misfit(text, candidate)]
    return fitting or ranked


def misfit(text: str, candidate: TermCandidate) -> str:
    """The doubt about an answer to 何歳 and the like, a number without the counter, or to 何曜日,
    anything without 曜; "" without one, and for other questions."""
    counter = counter_of(text)
    if counter != "曜日" and candidate.span.shape != "number":
        return ""
    if has_counter(text, candidate) is not False:
        return ""
    return f"this asks 何{counter}, and “{candidate.text}” is not in {counter}"


def _is_in(name: str, question: str) -> bool:
    """Whether a question has a name as a word, not as the beginning of one (ハンムラビ法典) or the
    end of one in katakana."""
    before = "(?<![ァ-ヺー])" if re.match("[ァ-ヺー]", clean(name)) else ""
    return bool(re.search(rf"{before}{re.escape(clean(name))}(?![一-龥々ァ-ヺー])", question))


def _is_common_noun(candidate: TermCandidate) -> bool:
    """Whether a candidate is one word that MeCab knows, in its sentence a noun but neither a name
    nor of persons."""
    text = clean(candidate.text)
    if _PERSON_ENDS.search(text) or _KATAKANA_NAME.fullmatch(text):
        return False
    words = list(nodes(text))
    is_known = len(words) == 1 and len(words[0].feature.split(",")) > _UNKNOWN
    return is_known and candidate.span.speech in _COMMON


def _as_range(candidate: TermCandidate) -> TermCandidate:
    """A date of a range (1931年から1935年) as the whole range; any other candidate as it is."""
    span = candidate.span
    for match in _RANGE.finditer(clean(candidate.best.text)):
        if match.start() <= span.start and span.end <= match.end():
            return replace(candidate, text=match[0])
    return candidate


def _is_adjective(candidate: TermCandidate) -> bool:
    """Whether a candidate ends with an adjectival noun that its sentence has as an adjective."""
    behind = clean(candidate.best.text)[candidate.span.end :]
    return candidate.span.speech == "形容動詞語幹" and bool(_AS_ADJECTIVE.match(behind))
