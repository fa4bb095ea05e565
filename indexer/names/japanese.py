"""Names in Japanese: MeCab's proper nouns, a glossary's, katakana with ・, compounds with a telling end, and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import MeCab

from indexer.analysis.mecab import NOUNS, PROPER_NOUNS, parser
from indexer.analysis.numerals import ONES
from indexer.analysis.text import NameFinder, is_katakana
from indexer.names import Kind, Mention
from indexer.names.japanese_dates import dates
from indexer.names.japanese_spelling import DYNASTIES, fold, listed_names

_JOINED_ENDS = frozenset(
    "朝 県 市 州 省 府 川 河 島 山 湖 海 湾 国 族 民族 教 派 世 城 寺 宮 党 半島 帝国 王国 共和国 合衆国 連邦 公国 "
    "侯国 戦争 条約 革命 時代 文明 王朝 憲法 事件 運動 会議 同盟 王家 諸島 海峡 平原 高原 山脈 大陸 運河 遺跡 人 王 帝 "
    "大帝 朝廷 幕府 大学 大王".split()
)
_KINDS_OF_ENDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("people", ("人", "族", "民族")),
    (
        "period",
        tuple("朝 時代 戦争 大戦 十字軍 条約 革命 文明 事件 運動 会議 の乱 の変 の戦い 同盟 帝国 王国 幕府".split()),
    ),
    ("place", tuple("県 市 州 省 府 川 河 島 山 湖 海 湾 半島 諸島 海峡 平原 高原 山脈 大陸 運河 城".split())),
    ("person", ("世", "王", "帝", "大帝", "大王")),
)
_EVENT_ENDS = "戦争|大戦|革命|十字軍|大同盟|包囲|三頭政治|五[カヵヶか]年計画"
_COMPOUND = re.compile(
    rf"第(?:[0-9０-９]{{1,2}}|[{ONES}十]+)[次回][一-龥々〆ァ-ヺー・]{{0,12}}?(?:{_EVENT_ENDS})"
    r"|第[一二三四五1-5](?:帝政|共和[政制国]|帝国|インターナショナル)"
    r"|[一-龥々〆ァ-ヺー]{2,12}?(?:戦争|条約|革命|時代|王朝|の乱|の変|の戦い|事件|会議)"
)
# No compound is without one of these, which is soon seen.
_IN_COMPOUNDS = re.compile("第|戦争|条約|革命|時代|王朝|の[乱変戦]|事件|会議")
_COUNTRIES = {
    "英": "イギリス",
    "米": "アメリカ",
    "仏": "フランス",
    "独": "ドイツ",
    "露": "ロシア",
    "伊": "イタリア",
    "ソ": "ソ連",
    "日": "日本",
}
_SHORT_COUNTRIES = re.compile(
    rf"(?<![一-龥ァ-ヺー])[{''.join(_COUNTRIES)}]{{2,4}}"
    r"(?=[^一-龥ァ-ヺー]|$|協商|同盟|三国|両|関係|間|軍|連合|貿易|条約|開戦|交渉)|(?<![一-龥])[英米仏独露](?=[軍領])"
)
_SHORT_COUNTRY = re.compile("[英米仏独露伊ソ]|日日")  # not 日 alone, which is the word for day
_ORDERED = re.compile(rf"[0-9０-９{ONES}十]+世")
_LISTED_ENDS = re.compile("(?:人|軍|語)?(?![一-龥々ァ-ヺー・=＝A-Za-z])")
_INSIDE_NAME = re.compile("[一-龥々ァ-ヺー・=＝A-Za-z]")
_KATAKANA = re.compile(r"(?<![ァ-ヺ])[ァ-ヺ][ァ-ヺー]*(?:[・=＝][ァ-ヺ][ァ-ヺー]*)+")
_PLAIN_KATAKANA = re.compile(r"[ァ-ヺー]{3,}")
_ENDS_OF_RULERS = re.compile(r"[0-9０-９一二三四五六]世$")
_JOINTS = ("・", "=", "＝")
_JOINT = re.compile("|".join(_JOINTS))
_OF_PERSONS = frozenset({42, 43, 44, 55})  # 固有名詞,人名 and 接尾,人名 (さん)
_KINDS: dict[int, Kind] = {**dict.fromkeys((42, 43, 44), "person"), **dict.fromkeys((46, 47), "place")}  # 人名, 地域
_UNKNOWN = 1  # MeCab's status of a word that is in no dictionary


class JapaneseNames:
    """Proper nouns run on over ・ and =, over family and given name, and with ends such as 朝 or 戦争.

    Katakana that the dictionary does not know counts from 3 characters on, a single character only as a
    Chinese dynasty. Spellings, peoples and our list of aliases fold to one key (フランス人, 仏国 → フランス).
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._parser = parser()
        self._glossary = NameFinder(name for name in names if len(name) > 1)

    def key(self, surface: str) -> str:
        return fold(surface)

    def mentions(self, sentence: str) -> list[Mention]:
        found = list(dates(sentence))
        for finder in (self._known, _compounds, _short_countries, self._of_dictionaries):
            found += [mention for mention in finder(sentence) if not mention.overlaps_any(found)]
        found.sort()
        return found

    def parts(self, key: str) -> list[str]:
        pieces = [piece for piece in key.split("・") if piece]
        if len(pieces) < 2 or key.startswith("y:"):
            return []
        return [pieces[-1], pieces[0]]

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        return "year" if mention.span else _kind_by_end(mention.surface) or mention.hint

    def _known(self, sentence: str) -> Iterator[Mention]:
        if self._glossary:
            for start, end in self._glossary.spans(sentence.lower()):
                if not _cuts_katakana(sentence, start, end):
                    yield _mention(sentence, start, end)
        if _JOINT.search(sentence):
            for match in _KATAKANA.finditer(sentence):
                yield _with_end(sentence, match.start(), match.end())

    def _of_dictionaries(self, sentence: str) -> list[Mention]:
        """The proper nouns, and in place of shorter ones the names of our list."""
        found = self._proper(sentence)
        for name in _listed(sentence):
            inside = [m for m in found if m.overlaps(name)]
            if all(name.start <= m.start and m.end <= name.end and len(m.surface) < len(name.surface) for m in inside):
                hints = [m.hint for m in inside if m.hint]
                found = [m for m in found if m not in inside] + [name._replace(hint=hints[0] if hints else None)]
        return found

    def _proper(self, sentence: str) -> list[Mention]:
        found: list[Mention] = []
        encoded = sentence.encode()
        node, position = self._parser.words(sentence), 0  # the position, a word's end, is counted in bytes
        while node:
            position += node.rlength
            speech = node.posid
            if speech not in PROPER_NOUNS and (speech not in NOUNS or not _is_new_katakana(node)):
                node = node.next
                continue
            start, left, node = position - node.length, node, node.next
            while _runs_on(left, node):
                position += node.rlength
                left, node = node, node.next
            if node.surface in _JOINED_ENDS:
                position += node.rlength
                node = node.next
            before = len(encoded[:start].decode())
            mention = _with_end(sentence, before, before + len(encoded[start:position].decode()), _KINDS.get(speech))
            if len(mention.key) > 1 or mention.key in DYNASTIES:
                found.append(mention)
        return found


def _is_new_katakana(word: MeCab.Node) -> bool:
    """Whether a word is a noun of katakana that the dictionary does not know."""
    return word.stat == _UNKNOWN and word.posid in NOUNS and _PLAIN_KATAKANA.fullmatch(word.surface) is not None


def _runs_on(left: MeCab.Node, right: MeCab.Node) -> bool:
    """Whether a name goes on with the next word; the text's end is a word without a surface."""
    before, after = left.surface, right.surface
    if before in "・=＝":
        return right.posid in PROPER_NOUNS or _is_new_katakana(right)
    if after in _JOINTS:
        return False
    if left.posid in _OF_PERSONS and right.posid in _OF_PERSONS:
        return True
    return _PLAIN_KATAKANA.fullmatch(before) is not None and _PLAIN_KATAKANA.fullmatch(after) is not None


@lru_cache(10_000)
def _kind_by_end(surface: str) -> Kind | None:
    """The kind that the end of a name tells, if its end is not all of it."""
    for kind, ends in _KINDS_OF_ENDS:
        if surface.endswith(ends) and len(surface) > 2:
            return kind
    return "person" if _ENDS_OF_RULERS.search(surface) else None


def _with_end(sentence: str, start: int, end: int, hint: Kind | None = None) -> Mention:
    """The name with the number of a ruler after it."""
    number = _ORDERED.match(sentence, end)
    return _mention(sentence, start, number.end() if number else end, hint)


def _compounds(sentence: str) -> Iterator[Mention]:
    if _IN_COMPOUNDS.search(sentence):
        for match in _COMPOUND.finditer(sentence):
            yield _mention(sentence, match.start(), match.end())


@cache
def _listed_finder() -> NameFinder:
    return NameFinder(name for name in listed_names() if len(name) > 1)


def _listed(sentence: str) -> Iterator[Mention]:
    """The names of our list that stand by themselves: アメリカ大陸 is no アメリカ."""
    for start, end in _listed_finder().spans(sentence.lower()):
        after = _LISTED_ENDS.match(sentence, end)
        if after and not _INSIDE_NAME.match(sentence[start - 1 : start] if start else ""):
            yield _mention(sentence, start, after.end())


def _short_countries(sentence: str) -> Iterator[Mention]:
    """The countries of 英仏, 日独伊 or 米軍: a single character says too little elsewhere."""
    if not _SHORT_COUNTRY.search(sentence):
        return
    for match in _SHORT_COUNTRIES.finditer(sentence):
        for place in range(*match.span()):
            yield Mention(place, place + 1, sentence[place], fold(_COUNTRIES[sentence[place]]), hint="place")


def _cuts_katakana(sentence: str, start: int, end: int) -> bool:
    before, after = sentence[start - 1 : start] if start else "", sentence[end : end + 1]
    return (is_katakana(before) and is_katakana(sentence[start])) or (
        is_katakana(after) and is_katakana(sentence[end - 1])
    )


def _mention(sentence: str, start: int, end: int, hint: Kind | None = None) -> Mention:
    surface = sentence[start:end]
    return Mention(start, end, surface, fold(surface), True, None, hint)
