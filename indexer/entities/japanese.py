"""Names in Japanese: MeCab's proper nouns, a glossary's, katakana with ・, compounds with a telling
end, and dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from indexer.analysis.japanese import NOUNS, PROPER_NOUNS, first_node
from indexer.analysis.name_finder import NameFinder
from indexer.analysis.text import (
    NUMERALS,
    ONES,
    PLACES,
    is_katakana,
    normalise,
    numeral_value,
    read_word_list,
)
from indexer.analysis.years import FIRST, FIRST_YEARS
from indexer.entities import Kind, Mention, date_mention

_NOW = 2100  # greater numbers count years, they name none
# a lesser number is a year only where something says so: 3年 is mostly a time of three years
_SMALL = 100
_BEFORE = frozenset({"前", "紀元前", "西暦前", "BC", "B.C."})
_SHORT_MARKS = frozenset(
    {"前", "後"}
)  # with numerals they are words of other names: 前九年, 後三年
_WIDTHS = {"世紀": 100, "年代": 10, "年": 1}
_COUNTED = "間|余|にわた|以上|以内|以下|未満|ぶり|ごと|毎|あまり|近く|ほど|程|越し|も"
_REACH = 24  # characters before the last digit of a number at which its date may begin
_GLOSS = re.compile(r"\s?[(（]\s?翌?")
_UNIT = (
    rf"世紀(?!{_COUNTED}|半(?!ば))|年代"
    rf"|年(?!{_COUNTED}|目|を経|前(?![半後期])|後(?![半期])|半(?!ば|期))"
)


class _Point(NamedTuple):
    """One end of a written date: its mark (前, 西暦, 明治 …; "" without one), number, unit (年,
    世紀 …) and offsets."""

    mark: str
    number: str
    unit: str
    start: int
    end: int


# Pattern of a date, or of a range with both ends: 1914-18年, 前264〜前146年, 1830年代から40年代.
_ALONE = r"(?<![以午直戦生事年目])前|(?<![^〜～ー－−–—\-ら、・(（「])後"
_ERAS = "|".join(sorted(FIRST_YEARS, key=lambda era: (-len(era), era)))
_BEGINS = "".join(sorted({era[0] for era in FIRST_YEARS} | set("紀西前後BA")))
# The beginning is looked at once, where each of some hundred eras would be tried.
_MARK = rf"(?=[{_BEGINS}])(?:紀元前|紀元後|西暦前|西暦|紀元|{_ALONE}|B\.?C\.?|A\.?D\.?|{_ERAS})"
_FIGURES = (
    rf"(?<![0-9０-９万億数第約何幾{NUMERALS}])(?<![0-9０-９][,.，．])"
    rf"(?:[0-9０-９]{{1,4}}|元|[{NUMERALS}]{{1,9}})"
)
_DATE = re.compile(
    rf"(?:(?P<mark1>{_MARK})?\s?(?P<number1>{_FIGURES})(?P<unit1>世紀|年代|年)?"
    r"(?P<between>\s?(?:[-‐–—−〜～~－ー]|から)\s?))?"
    rf"(?P<mark>{_MARK})?\s?(?P<number>{_FIGURES})\s?(?P<unit>{_UNIT})"
)
_NUMBER = re.compile(rf"[0-9０-９元{NUMERALS}]\s?(?:年|世紀)")


def dates(sentence: str) -> Iterable[Mention]:
    """A mention for each date of a sentence (年, 年代, 世紀), in order, each end of a range
    separately; numbers that count years are left out. 1945年(昭和20年) is one date, in the common
    year."""
    pairs: list[tuple[Mention, bool]] = []  # with whether a date counts from an era's beginning
    end = 0
    # looked for around numbers with a unit only: most of a text has none
    for number in _NUMBER.finditer(sentence):
        if number.end() <= end:
            continue
        match = _DATE.search(sentence, max(end, number.start() - _REACH))
        if match is None:
            break
        end = match.end()
        last = _Point(match["mark"] or "", match["number"], match["unit"], match.start("mark"), end)
        points = [last._replace(start=match.start("number")) if not last.mark else last]
        if match["between"]:  # the first of a range without a unit has that of the last
            mark, unit = match["mark1"] or "", match["unit1"] or last.unit
            start, stop = match.start("mark1" if mark else "number1"), match.start("between")
            first = _Point(mark, match["number1"], unit, start, stop)
            points = [first, _range_end(first, points[0], match)] if _span(first) else points
        for point in points:
            if not (span := _span(point)):
                continue
            mention, of_era = (
                date_mention(sentence, point.start, point.end, span),
                point.mark in FIRST_YEARS,
            )
            if (
                pairs
                and of_era != pairs[-1][1]
                and _GLOSS.fullmatch(sentence, pairs[-1][0].end, mention.start)
            ):
                # a year with its gloss and the bracket's end; a lunar year differs: the plain year
                # says when
                left = pairs[-1][0]
                stop = mention.end + (sentence[mention.end : mention.end + 1] in (")", "）"))
                plain = left if of_era else mention
                pairs[-1] = (
                    plain._replace(start=left.start, end=stop, surface=sentence[left.start : stop]),
                    False,
                )
            else:
                pairs.append((mention, of_era))
    return (mention for mention, _ in pairs)


def _range_end(first: _Point, last: _Point, match: re.Match[str]) -> _Point:
    """The end `last` of a range, completed with the era, 前 or leading digits that it takes from
    `first`; unchanged where it counts years (1945年から3年)."""
    low, high = _value(first.number), _value(last.number)
    after = match.string[match.end() :]
    # から … 年: from 1945 on for three years
    counts = (
        "から" in match["between"]
        and last.unit == "年"
        and not after.startswith(("まで", "にかけ"))
    )
    if last.mark or (counts and high < _SMALL):
        return last
    if (first.mark in FIRST_YEARS and high < _SMALL) or (first.mark in _BEFORE and high < low):
        return last._replace(mark=first.mark)
    shortened = 10 ** len(str(high))
    whole = low // shortened * shortened + high
    completed = last.unit != "世紀" and low >= _SMALL > high and whole > low
    return last._replace(number=str(whole)) if completed else last


def _value(number: str) -> int:
    """The number that figures or numerals write; 元 is 1."""
    return 1 if number == FIRST else numeral_value(number)


def _span(point: _Point) -> tuple[int, int] | None:
    """First and last year of a date, negative before Christ; None if its number counts years
    instead of naming one."""
    if not _names_years(point):
        return None
    number, width = _value(point.number), _WIDTHS[point.unit]
    first = number
    if point.mark in FIRST_YEARS:
        first = FIRST_YEARS[point.mark] + number - 1
    elif width == 100:
        first = (number - 1) * 100 + 1
    last = first + width - 1
    return (-last, -first) if point.mark in _BEFORE else (first, last)


def _names_years(point: _Point) -> bool:
    """Whether the number of a date names years, instead of counting them: centuries up to the 21st
    (99th before Christ), years of an era below 100, and years with another mark (前 and 後 in
    numerals from 100 on); else 100 to 2100 in figures or 1000 to 2100 in numerals, with 百 or 千
    no round hundred. 0 names none."""
    number, is_of_era = _value(point.number), point.mark in FIRST_YEARS
    if not number:
        return False
    if _WIDTHS[point.unit] == 100:
        return not is_of_era and number <= (99 if point.mark in _BEFORE else 21)
    if is_of_era:
        return number < _SMALL
    if point.number == FIRST:
        return False
    in_figures = point.number[0] not in NUMERALS
    if point.mark:
        return in_figures or number >= _SMALL or point.mark not in _SHORT_MARKS
    if in_figures:
        return _SMALL <= number <= _NOW
    in_places = bool(set(point.number) & set(PLACES))
    return 1000 <= number <= _NOW and not (in_places and number % 100 == 0)


DYNASTIES = frozenset("殷周秦漢魏呉蜀晋隋唐宋遼金元明清斉梁陳趙燕楚韓")
# 人 and 軍 stay behind a numeral or a single character: 三人, 将軍.
_FOLDED_ENDS = re.compile(
    rf"(?<=[^\W{ONES}十]{{2}})(?:人|軍|語|民族|王国|共和国|合衆国|連邦|帝国)$"
)
_NUMBERED = re.compile(rf"(?<=第)[{ONES}十]{{1,9}}|(?<=[ァ-ヺー])[{ONES}十]{{1,9}}(?=世)")
_V_SOUNDS = {"ヴァ": "バ", "ヴィ": "ビ", "ヴェ": "ベ", "ヴォ": "ボ", "ヴュ": "ビュ", "ヴ": "ブ"}
_V_SOUND = re.compile("|".join(_V_SOUNDS))


@lru_cache(maxsize=100_000)
def fold(surface: str) -> str:
    """Key of a name: the listed key of its normal spelling, or of that without an ending such as
    人; of a name that is not listed the spelling without the ending."""
    key = _normal_spelling(surface)
    bare = _FOLDED_ENDS.sub("", key)
    return _LISTED.get(key) or _LISTED.get(bare, bare)


def _normal_spelling(surface: str) -> str:
    """A name without blanks, with = as ・, ヴ as バ行, the numbers of rulers and events in figures,
    and 第4回十字軍 as 第4次十字軍."""
    key = normalise(surface).replace(" ", "").replace("=", "・").replace("゠", "・")
    key = _V_SOUND.sub(lambda match: _V_SOUNDS[match.group()], key)
    return _NUMBERED.sub(lambda match: str(numeral_value(match.group())), key).replace(
        "回十字軍", "次十字軍"
    )


# Names that a dictionary may lack (ゲルマン) or split (東ローマ帝国): the keys of normal spellings,
# and their finder.
_ROWS = [line.split() for line in read_word_list(__package__, "aliases-ja.txt")]
_LISTED = {
    _normal_spelling(spelling): _normal_spelling(row[0]) for row in _ROWS for spelling in row
}
_LISTED_NAMES = NameFinder(spelling for row in _ROWS for spelling in row if len(spelling) > 1)

_JOINED_ENDS = frozenset(
    "朝 県 市 州 省 府 川 河 島 山 湖 海 湾 国 族 民族 教 派 世 城 寺 宮 党 半島 帝国 王国 共和国 "
    "合衆国 連邦 公国 "
    "侯国 戦争 条約 革命 時代 文明 王朝 憲法 事件 運動 会議 同盟 王家 諸島 海峡 平原 高原 山脈 "
    "大陸 運河 遺跡 人 王 帝 大帝 朝廷 幕府 大学 大王".split()
)
_KINDS_OF_ENDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("people", ("人", "族", "民族")),
    (
        "period",
        tuple(
            "朝 時代 戦争 大戦 十字軍 条約 革命 文明 事件 運動 会議 の乱 の変 の戦い 同盟 帝国 "
            "王国 幕府".split()
        ),
    ),
    (
        "place",
        tuple(
            "県 市 州 省 府 川 河 島 山 湖 海 湾 半島 諸島 海峡 平原 高原 山脈 大陸 運河 城".split()
        ),
    ),
    ("person", ("世", "王", "帝", "大帝", "大王")),
)
_COMPOUND = re.compile(
    rf"第(?:[0-9０-９]{{1,2}}|[{ONES}十]+)[次回][一-龥々〆ァ-ヺー・]{{0,12}}?"
    "(?:戦争|大戦|革命|十字軍|大同盟|包囲|三頭政治|五[カヵヶか]年計画)"
    r"|第[一二三四五1-5](?:帝政|共和[政制国]|帝国|インターナショナル)"
    r"|[一-龥々〆ァ-ヺー]{2,12}?(?:戦争|条約|革命|時代|王朝|の乱|の変|の戦い|事件|会議)"
)
_COUNTRIES = dict(
    zip(
        "英米仏独露伊ソ日",
        "イギリス アメリカ フランス ドイツ ロシア イタリア ソ連 日本".split(),
        strict=True,
    )
)
# the first country is looked for before what precedes it, which is much quicker
_SHORT_COUNTRIES = re.compile(
    rf"[{''.join(_COUNTRIES)}](?:(?<![一-龥ァ-ヺー].)[{''.join(_COUNTRIES)}]{{1,3}}"
    r"(?=[^一-龥ァ-ヺー]|$|協商|同盟|三国|両|関係|間|軍|連合|貿易|条約|開戦|交渉)|"
    r"(?<=[英米仏独露])(?<![一-龥].)(?=[軍領]))"
)
_ORDERED = re.compile(rf"[0-9０-９{ONES}十]+世")
_LISTED_ENDS = re.compile("(?:人|軍|語)?(?![一-龥々ァ-ヺー・=＝A-Za-z])")
_INSIDE_NAME = re.compile("[一-龥々ァ-ヺー・=＝A-Za-z]")
_KATAKANA = re.compile(r"(?<![ァ-ヺ])[ァ-ヺ][ァ-ヺー]*(?:[・=＝][ァ-ヺ][ァ-ヺー]*)+")
_PLAIN_KATAKANA = re.compile(r"[ァ-ヺー]{3,}")
_OF_PERSONS = frozenset({42, 43, 44, 55})  # 固有名詞,人名 and 接尾,人名 (さん)
_KINDS: dict[int, Kind] = {
    **dict.fromkeys((42, 43, 44), "person"),
    **dict.fromkeys((46, 47), "place"),
}  # 人名, 地域
_UNKNOWN = 1  # MeCab's status of a word that is in no dictionary


class JapaneseNames:
    """Names run on over ・ and = between katakana, over family and given name, and with ends such
    as 朝 or 戦争.

    Katakana that the dictionary does not know counts from 3 characters on, a single character only
    as a Chinese dynasty. Spellings, peoples and our list of aliases fold to one key (フランス人,
    仏国 → フランス).
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        """`names` (a glossary's) are found too, but for those of one character."""
        self._glossary = NameFinder(name for name in names if len(name) > 1)
        self.key = fold

    def mentions(self, sentence: str) -> list[Mention]:
        """Mentions of a sentence in order of position. Where mentions of two groups overlap, the
        earlier group's stays: dates; glossary names (not within a run of katakana) and katakana
        names joined by ・, which may overlap each other; compounds such as wars and treaties;
        countries of one character in 英仏 or 米軍; dictionary names."""
        lowered = sentence.lower()
        names: list[Mention] = []
        for start, end in self._glossary.spans(lowered):
            edges = (sentence[max(0, start - 1) : start + 1], sentence[end - 1 : end + 1])
            # not a name cut out of a run of katakana
            if not any(len(edge) == 2 and all(map(is_katakana, edge)) for edge in edges):
                names.append(_mention(sentence, start, end))
        if "・" in sentence or "=" in sentence or "＝" in sentence:
            names += [_with_end(sentence, *match.span()) for match in _KATAKANA.finditer(sentence)]
        compounds = [_mention(sentence, *match.span()) for match in _COMPOUND.finditer(sentence)]
        countries = [
            Mention(position, position + 1, character, fold(_COUNTRIES[character]), hint="place")
            for match in _SHORT_COUNTRIES.finditer(sentence)
            for position, character in enumerate(match[0], match.start())
        ]
        result = list(dates(sentence)) if "年" in sentence or "世紀" in sentence else []
        for mentions in (names, compounds, countries, self._of_dictionaries(sentence, lowered)):
            if result and mentions:
                mentions = [mention for mention in mentions if not mention.overlaps_any(result)]
            result += mentions
        return sorted(result)

    def parts(self, key: str) -> list[str]:
        """Keys that may be short for a name written with ・: its last and its first piece; [] for
        other keys."""
        pieces = [piece for piece in key.split("・") if piece]
        return [] if len(pieces) < 2 or key.startswith("y:") else [pieces[-1], pieces[0]]

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        """ "year" for a date; else the kind that the ending of a name of three characters or more
        indicates, else that of the dictionary, None without."""
        if mention.span:
            return "year"
        return _kind_of_ending(mention.surface) or mention.hint

    def _of_dictionaries(self, sentence: str, lowered: str) -> list[Mention]:
        """Mentions of MeCab's proper nouns and unknown katakana, joined where they run on, of one
        character only dynasties; a listed name replaces shorter ones inside it. In no order."""
        mentions = list[Mention]()
        for begin, end, speech in _dictionary_names(sentence):
            mention = _with_end(sentence, begin, end, _KINDS.get(speech))
            if len(mention.key) > 1 or mention.key in DYNASTIES:
                mentions.append(mention)
        spans = {(mention.start, mention.end) for mention in mentions}
        for begin, end in _LISTED_NAMES.spans(lowered):
            after = _LISTED_ENDS.match(sentence, end)
            # not within a longer katakana word or name: アメリカ大陸 is not アメリカ
            if not after or _INSIDE_NAME.match(sentence[begin - 1 : begin] if begin else ""):
                continue
            if (begin, after.end()) in spans:  # the dictionary has it too
                continue
            name = _mention(sentence, begin, after.end())
            inside = [m for m in mentions if m.start < name.end and name.start < m.end]
            if all(
                name.start <= m.start and m.end <= name.end and len(m.surface) < len(name.surface)
                for m in inside
            ):
                hints = [m.hint for m in inside if m.hint]
                mentions = [m for m in mentions if m not in inside] + [
                    name._replace(hint=hints[0] if hints else None)
                ]
        return mentions


def _dictionary_names(sentence: str) -> list[tuple[int, int, int]]:
    """Start, end and part of speech of each of MeCab's proper nouns and unknown katakana (from
    three characters) in a sentence, in order, joined where they run on, also with common nouns of
    three katakana or more and the words of `_JOINED_ENDS`."""
    names, encoded = list[tuple[int, int, int]](), sentence.encode()
    node, position = first_node(sentence), 0  # the position, a word's end, is counted in bytes
    read, end = 0, 0  # where the last name ends, in bytes and in characters
    while node:
        position += node.rlength
        speech = node.posid
        is_name = speech in NOUNS and (
            speech in PROPER_NOUNS or (node.stat == _UNKNOWN and _is_long_katakana(node.surface))
        )
        if not is_name:
            node = node.next
            continue
        start, surface, last, node = position - node.length, node.surface, speech, node.next
        # A name runs on over two words of persons' names, or two of three katakana or more.
        while (last in _OF_PERSONS and node.posid in _OF_PERSONS) or (
            _is_long_katakana(surface) and _is_long_katakana(node.surface)
        ):
            position += node.rlength
            surface, last, node = node.surface, node.posid, node.next
        if node.surface in _JOINED_ENDS:
            position += node.rlength
            node = node.next
        begin = end + len(encoded[read:start].decode())
        read, end = position, begin + len(encoded[start:position].decode())
        names.append((begin, end, speech))
    return names


@lru_cache(maxsize=100_000)
def _kind_of_ending(surface: str) -> Kind | None:
    """Kind that the ending of a name indicates; None without, and for one or two characters, which
    an ending would fill."""
    kinds = (kind for kind, ends in _KINDS_OF_ENDS if surface.endswith(ends))
    return next(kinds, None) if len(surface) > 2 else None


@lru_cache(maxsize=10_000)
def _is_long_katakana(word: str) -> bool:
    """Returns whether a word is of katakana alone, three or more."""
    return _PLAIN_KATAKANA.fullmatch(word) is not None


def _with_end(sentence: str, start: int, end: int, hint: Kind | None = None) -> Mention:
    """A mention of sentence[start:end] and the number of a ruler (14世) that follows, if any."""
    number = _ORDERED.match(sentence, end)
    return _mention(sentence, start, number.end() if number else end, hint)


def _mention(sentence: str, start: int, end: int, hint: Kind | None = None) -> Mention:
    """A mention of sentence[start:end], sure to be a name."""
    surface = sentence[start:end]
    return Mention(start, end, surface, fold(surface), True, None, hint)
