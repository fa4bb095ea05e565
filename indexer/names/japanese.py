"""Names in Japanese: MeCab's proper nouns, a glossary's, katakana with ・, compounds with a telling end, and dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import ipadic
import MeCab

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


# ipadic's numbers of the parts of speech (its pos-id.def). A line a word is much quicker to read than MeCab's nodes.
_NOUNS = frozenset(range(36, 68))
_PROPER_NOUNS = frozenset(range(41, 48))
_OF_PERSONS = frozenset({42, 43, 44, 55})  # 固有名詞,人名 and 接尾,人名 (さん)
_KINDS: dict[int, Kind] = {**dict.fromkeys((42, 43, 44), "person"), **dict.fromkeys((46, 47), "place")}  # 人名, 地域
_LINES = r" -F%ps\\t%pe\\t%m\\t%h\\n -U%ps\\t%pe\\t%m\\t%h?\\n -E\\n"
_NAME_ENDS = frozenset(map(str, _PROPER_NOUNS))
_UNKNOWN = "?"


class _Word(NamedTuple):
    """A word of MeCab's: where it stands in bytes, the number of its part of speech, whether it is or may be a name."""

    start: int
    end: int
    surface: str
    speech: int
    is_name: bool


class JapaneseNames:
    """Proper nouns run on over ・ and =, over family and given name, and with ends such as 朝 or 戦争.

    Katakana that the dictionary does not know counts from 3 characters on, a single character only as a
    Chinese dynasty. Dates: 前5世紀, 1920年代, 794年. A people folds to its country (フランス人 → フランス).
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._tagger = MeCab.Tagger(ipadic.MECAB_ARGS + _LINES)
        self._tagger.parse("")
        self._glossary = NameFinder(name for name in names if len(name) > 1)

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
        lines = self._tagger.parse(sentence).split("\n")[:-2]  # the last two end the sentence
        encoded = sentence.encode()
        past = 0
        for place, line in enumerate(lines):
            if place < past or not (line[-2:] in _NAME_ENDS or (line[-1:] == _UNKNOWN and _word(line).is_name)):
                continue
            words = [_word(line)]
            past = place + 1
            while past < len(lines) and _runs_on(words[-1], following := _word(lines[past])):
                words.append(following)
                past += 1
            if past < len(lines) and (following := _word(lines[past])).surface in _JOINED_ENDS:
                words.append(following)
                past += 1
            start = len(encoded[: words[0].start].decode())
            mention = self._with_end(sentence, start, start + len(encoded[words[0].start : words[-1].end].decode()))
            if len(mention.key) > 1 or mention.key in _DYNASTIES:
                yield mention._replace(hint=_KINDS.get(words[0].speech))


def _word(line: str) -> _Word:
    """The word of a line of MeCab's; a name is a proper noun, or katakana that the dictionary does not know."""
    start, end, surface, speech = line.split("\t")
    number = int(speech.rstrip(_UNKNOWN))
    unknown = speech.endswith(_UNKNOWN) and number in _NOUNS and _PLAIN_KATAKANA.fullmatch(surface) is not None
    return _Word(int(start), int(end), surface, number, number in _PROPER_NOUNS or unknown)


def _runs_on(left: _Word, right: _Word) -> bool:
    if left.surface in "・=＝":
        return right.is_name
    if right.surface in ("・", "=", "＝"):
        return False
    return (left.speech in _OF_PERSONS and right.speech in _OF_PERSONS) or (
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
