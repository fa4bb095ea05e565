"""Names in Japanese: MeCab's proper nouns, a glossary's, katakana with ・, compounds with a telling end, and dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import MeCab

from indexer.analysis.mecab import NOUNS, PROPER_NOUNS, parser
from indexer.analysis.text import NameFinder, normalise
from indexer.names import Kind, Mention

_DYNASTIES = frozenset("殷周秦漢魏呉蜀晋隋唐宋遼金元明清斉梁陳趙燕楚韓")
_JOINED_ENDS = frozenset(
    "朝 県 市 州 省 府 川 河 島 山 湖 海 湾 国 族 教 派 世 城 寺 宮 党 半島 帝国 王国 共和国 公国 侯国 戦争 条約 革命 "
    "時代 文明 王朝 憲法 事件 運動 会議 同盟 王家 諸島 海峡 平原 高原 山脈 大陸 運河 遺跡 人 王 帝 大帝 朝廷 幕府 大学 "
    "大王".split()
)
_PERIOD_ENDS = (
    "朝",
    "時代",
    "戦争",
    "条約",
    "革命",
    "文明",
    "事件",
    "運動",
    "会議",
    "の乱",
    "の変",
    "の戦い",
    "同盟",
    "帝国",
    "王国",
    "幕府",
)
_PLACE_ENDS = tuple("県 市 州 省 府 川 河 島 山 湖 海 湾 半島 諸島 海峡 平原 高原 山脈 大陸 運河 城".split())
_PERSON_ENDS = ("世", "王", "帝", "大帝", "大王")
_PEOPLE_ENDS = ("人", "族", "民族")
_FOLDED_ENDS = re.compile(r"(?<=[^\W一二三四五六七八九十]{2})(?:人|軍|語|王国|共和国|帝国)$")
_COMPOUND = re.compile(r"[一-龥々〆ァ-ヺー]{2,12}?(?:戦争|条約|革命|時代|王朝|の乱|の変|の戦い|事件|会議)")
_KATAKANA = re.compile(r"[ァ-ヺ][ァ-ヺー]*(?:[・=＝][ァ-ヺ][ァ-ヺー]*)+")
_PLAIN_KATAKANA = re.compile(r"[ァ-ヺー]{3,}")
_DATE = re.compile(r"(?P<before>紀元前|前)?(?P<number>[0-9０-９]{1,4})(?P<unit>世紀|年代|年(?![間前後生代以も余目]))")


_OF_PERSONS = frozenset({42, 43, 44, 55})  # 固有名詞,人名 and 接尾,人名 (さん)
_KINDS: dict[int, Kind] = {**dict.fromkeys((42, 43, 44), "person"), **dict.fromkeys((46, 47), "place")}  # 人名, 地域
_UNKNOWN = 1  # MeCab's status of a word that is in no dictionary


class JapaneseNames:
    """Proper nouns run on over ・ and =, over family and given name, and with ends such as 朝 or 戦争.

    Katakana that the dictionary does not know counts from 3 characters on, a single character only as a
    Chinese dynasty. Dates: 前5世紀, 1920年代, 794年. A people folds to its country (フランス人 → フランス).
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._parser = parser()
        self._glossary = NameFinder(name for name in names if len(name) > 1)

    def key(self, surface: str) -> str:
        return _fold(surface)

    def mentions(self, sentence: str) -> list[Mention]:
        taken: list[Mention] = []
        for found in (self._dates, self._known, self._compounds, self._proper):
            new = [m for m in found(sentence) if not any(m.start < t.end and t.start < m.end for t in taken)]
            taken += new
        return sorted(taken)

    def parts(self, key: str) -> list[str]:
        pieces = [piece for piece in re.split(r"[・=]", key) if piece]
        if len(pieces) < 2 or key.startswith("y:"):
            return []
        return [pieces[-1], pieces[0]]

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        surface = mention.surface
        if mention.span:
            return "year"
        for ends, kind in (
            (_PEOPLE_ENDS, "people"), (_PERIOD_ENDS, "period"), (_PLACE_ENDS, "place"), (_PERSON_ENDS, "person")
        ):  # fmt: skip
            if surface.endswith(ends) and len(surface) > 2:
                return kind  # type: ignore[return-value]
        if re.search(r"[0-9０-９一二三四五六]世$", surface):
            return "person"
        return mention.hint

    def _dates(self, sentence: str) -> Iterator[Mention]:
        for match in _DATE.finditer(sentence):
            number = int(unicodedata.normalize("NFKC", match["number"]))
            if not number or (match["unit"] == "世紀" and number > 30):
                continue
            width = {"世紀": 100, "年代": 10}.get(match["unit"], 1)
            first = (number - 1) * 100 + 1 if width == 100 else number
            last = first + width - 1
            span = (-last, -first) if match["before"] else (first, last)
            key = f"y:{span[0]}" if width == 1 else f"y:{span[0]}..{span[1]}"
            yield Mention(match.start(), match.end(), match.group(), key, True, span)

    def _known(self, sentence: str) -> Iterator[Mention]:
        for start, end in self._glossary.spans(sentence.lower()):
            if not _cuts_katakana(sentence, start, end):
                yield _mention(sentence, start, end)
        for match in _KATAKANA.finditer(sentence):
            yield self._with_end(sentence, match.start(), match.end())

    def _compounds(self, sentence: str) -> Iterator[Mention]:
        for match in _COMPOUND.finditer(sentence):
            yield _mention(sentence, match.start(), match.end())

    def _with_end(self, sentence: str, start: int, end: int) -> Mention:
        number = re.match(r"[0-9０-９一二三四五六七八九十]+世", sentence[end:])
        if number:
            end += number.end()
        return _mention(sentence, start, end)

    def _proper(self, sentence: str) -> Iterator[Mention]:
        encoded = sentence.encode()
        node, position = self._parser.words(sentence), 0  # the position is counted in bytes
        while node:
            if node.posid not in NOUNS or not _is_name(node):
                position += node.rlength
                node = node.next
                continue
            start, speech = position + node.rlength - node.length, node.posid
            position += node.rlength
            while _runs_on(node, node.next):
                node = node.next
                position += node.rlength
            if node.next.surface in _JOINED_ENDS:
                node = node.next
                position += node.rlength
            before = len(encoded[:start].decode())
            mention = self._with_end(sentence, before, before + len(encoded[start:position].decode()))
            if len(mention.key) > 1 or mention.key in _DYNASTIES:
                yield mention._replace(hint=_KINDS.get(speech))
            node = node.next


def _is_name(noun: MeCab.Node) -> bool:
    """Whether a noun is a proper one, or katakana that the dictionary does not know."""
    if noun.posid in PROPER_NOUNS:
        return True
    return noun.stat == _UNKNOWN and _PLAIN_KATAKANA.fullmatch(noun.surface) is not None


def _runs_on(left: MeCab.Node, right: MeCab.Node) -> bool:
    """Whether a name goes on with the next word; the text's end is a word without a surface."""
    if left.surface in "・=＝":
        return right.posid in NOUNS and _is_name(right)
    if right.surface in ("・", "=", "＝"):
        return False
    return (left.posid in _OF_PERSONS and right.posid in _OF_PERSONS) or (
        _PLAIN_KATAKANA.fullmatch(left.surface) is not None and _PLAIN_KATAKANA.fullmatch(right.surface) is not None
    )


def _cuts_katakana(sentence: str, start: int, end: int) -> bool:
    def katakana(character: str) -> bool:
        return "ァ" <= character <= "ヺ" or character == "ー"

    before, after = sentence[start - 1 : start] if start else "", sentence[end : end + 1]
    return bool(before and katakana(before) and katakana(sentence[start])) or bool(
        after and katakana(after) and katakana(sentence[end - 1])
    )


def _mention(sentence: str, start: int, end: int) -> Mention:
    surface = sentence[start:end]
    return Mention(start, end, surface, _fold(surface))


def _fold(surface: str) -> str:
    key = normalise(surface).replace("＝", "=").replace(" ", "")
    return _FOLDED_ENDS.sub("", key)
