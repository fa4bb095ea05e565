"""Candidates in Japanese: runs of nouns and their parts, dates, numbers with units, quoted names, glossary names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from answerer.ntcir.term.languages.spans import Shape, Span
from indexer.analysis.eras import FIRST, NAMES
from indexer.analysis.mecab import nodes
from indexer.analysis.numerals import ONES
from indexer.analysis.text import NameFinder
from indexer.files.lists import listed

_DIGITS = rf"(?:\d[\d,.]*|[{ONES}十百千]+)(?:[万億兆][\d,]*)*"
_TIME = re.compile(
    rf"(?:紀元前|西暦|前)?(?:\d{{1,4}}|[{ONES}十百千〇]+)"
    r"(?:年代|年(?!間|生|に[一1]|目|以[上内]|前|後|ごと|おき)|世紀)"
    r"(?:\d{1,2}月(?:\d{1,2}日)?)?(?:頃|ごろ|初頭|前半|後半|半ば|末)?"
    r"|\d{1,2}月(?:\d{1,2}日)?(?!間)|"
    rf"(?:{NAMES})(?:\d+|{FIRST})年"
)
_UNITS = (
    "平方キロメートル キロメートル センチメートル ミリメートル メートル キログラム グラム トン パーセント "
    "リットル km2 km cm mm kg ha m % 円 ドル 万人 人 名 つ 個 本 体 回 度 歳 日間 日 か月 ヶ月 カ国 か国 "
    "ヵ国 時間 分 秒 倍 種類 種 条 冊 巻 階 校 年間 年 語 頭 隻 台 票 位"
).split()
_LIMITS = "以上|以下|以内|未満"
# Letters of any other unit (km/h, kHz, MB), but where a noun goes on behind them: 3D映像.
_SYMBOL = rf"(?:°C|[A-Za-zμΩ]{{1,3}}(?:/[a-z]+|[23])?)(?=(?:{_LIMITS})|[^A-Za-z\dァ-ヺー一-鿿]|$)"
_NUMBER = re.compile(rf"(?:約|およそ)?{_DIGITS}(?:{_SYMBOL}|{'|'.join(map(re.escape, _UNITS))})(?:{_LIMITS})?")
_QUOTED = re.compile(r"[「『《〈“]([^「」『』《》〈〉“”]{2,30})[」』》〉”]")
_LEADING_DATE = re.compile(r"(?:紀元前|西暦|前)?\d+年(?=\d)")
_ABOUT = re.compile(r"(?:頃|ごろ)$")
_YEARS = re.compile(rf"\d{{1,2}}年|[{ONES}十]+年")
_PERIOD = re.compile(r"春|夏|秋|冬|.+時代")
_NO_NOUNS = frozenset(("代名詞", "非自立", "接続詞的", "特殊"))
_LONGEST = 6  # morphemes of a candidate
_JOINT = re.compile(r"(?<=[ァ-ヺー])=(?=[ァ-ヺ])")
_KATAKANA = re.compile(r"[ァ-ヺー]")
_JOINTS = "・＝"
_NAME_PART = re.compile(r"[ァ-ヺー]$|^[A-Z]$")  # what a dot joins to the next part of a name: katakana, an initial


_ROLES = (
    ("of", re.compile(r"[」』]?の")),
    ("glossed", re.compile(r"[」』]?[(（]")),
    ("definition", re.compile(r"(?:\([^)]*\))?[」』]?(?:とは|と(?:いう|呼ばれ|呼ぶ|言う))")),
)
_OPENS = re.compile(r"(?:\([^)]*\))?[」』]?(?:は|が|も|\()")


_READ = re.compile("[ァ-ヺー]*[ぁ-ん][ぁ-んァ-ヺー]*")
_READS = re.compile(r"[一-鿿々][^()]?\([ぁ-んァ-ヺー・=]*$")
_NOTE = r"(?:\([^)]*\))?[」』》]?"  # what may stand between a name and what is said of it
_CLOSED = re.compile(rf"{_NOTE}(?:であ|で、|だ|です|。|$|が(?:ある|あり|知|有名)|など|、|や|と)")
_PREDICATE = (
    r"(?=である|で、|であ|だ[。っと]|です|でし|。|$|の(?:一つ|ひとつ|1つ|一種|1種|こと|名|総称|一人|1人|うち)"
    r"|とし|とさ|を指|となっ|になっ|と呼|\()"
)


@cache
def _kind_patterns(noun: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What says of a name that it is one of what the noun names: just behind it, behind it as a topic, before it."""
    kind = re.escape(noun)
    return (
        re.compile(
            rf"{_NOTE}(?:(?:、[^、。]{{1,15}}){{0,4}}"
            r"(?:という|と呼ばれる|とよばれる|と称する|といった|などの|など、?|等の|のような|らの|である|なる|その他の)"
            rf"(?:[^、。はがを]{{0,8}}の)?{kind}|という[^、。]{{0,10}}{kind}"
            rf"|[、やと・][^。]{{1,40}}(?:など|といった|等)[^。、]{{0,6}}{kind})"
        ),
        re.compile(rf"{_NOTE}(?:とは|は|が|も)、?[^。]*?{kind}{_PREDICATE}"),
        re.compile(rf"{kind}(?:は|には|として|では|とは|が|に)[^。]{{0,25}}$"),
    )


class _Morpheme(NamedTuple):
    surface: str
    start: int
    end: int
    speech: str
    fine: str


class JapaneseSpans:
    """Finds candidates with MeCab (ipadic); `names` are a glossary's, whole wherever they stand."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._speeches: dict[int, tuple[str, str]] = {}  # by ipadic's number of the part of speech, quicker to read
        self._names = NameFinder(names)
        self._known: dict[str, list[Span]] = {}

    def clean(self, text: str) -> str:
        """NFKC without white space, which Japanese does not need; ＝ inside katakana names stays as it is printed."""
        return _JOINT.sub("＝", "".join(unicodedata.normalize("NFKC", text).split()))

    def spans(self, sentence: str) -> list[Span]:
        if sentence not in self._known:
            self._known[sentence] = sorted(self._find(sentence).values(), key=lambda span: (span.start, -span.end))
        return self._known[sentence]

    def speech_of(self, names: Iterable[str]) -> Mapping[str, str]:
        """The fine part of speech (人名, 地域, 一般 …) of the last morpheme of each name."""
        return {name: next((one.fine for one in reversed(list(self._morphemes(name)))), "") for name in names}

    def in_apposition(self, before: str, after: str, focus: str) -> bool:
        """首都ベルリン, 首都はベルリン, 首都「ベルリン」, ベルリンという首都, ベルリンは…首都である."""
        noun = re.escape(focus)
        return bool(
            re.search(rf"{noun}(?:である|は|の|、|・|が|を)?[「『]?$", before[-len(focus) - 5 :])
            or re.match(rf"[」』]?(?:という|と呼ばれる|である|なる|の|を)?{noun}", after)
        )

    def is_said_to_be(self, before: str, after: str, noun: str) -> bool:
        """テニスは…球技である, 球技にはテニスが, テニスという球技, テニスなどの球技, テニスや卓球などの球技."""
        behind, topic, ahead = _kind_patterns(noun)
        ends = _CLOSED.match(after)
        return bool(behind.match(after) or topic.match(after) or (ends and ahead.search(before)))

    def is_reading(self, before: str, text: str) -> bool:
        """Whether kana, with hiragana among them, open the brackets behind a word with kanji."""
        return bool(_READ.fullmatch(text) and _READS.search(before))

    def roles(self, before: str, after: str) -> Sequence[str]:
        """of (の), glossed (…), definition (とは, or the first word of the sentence with は)."""
        held = [role for role, pattern in _ROLES if pattern.match(after)]
        if not before and _OPENS.match(after):
            held.append("definition")
        return held

    def neighbours(self, before: str, after: str) -> tuple[str, str]:
        """The two characters before and after, "" at the ends of the sentence."""
        return before[-2:], after[:2]

    def _find(self, sentence: str) -> dict[tuple[int, int], Span]:
        fixed = list(_dates_and_numbers(sentence))
        spans = {(span.start, span.end): span for span in fixed}
        for match in _QUOTED.finditer(sentence):
            spans[match.span(1)] = Span(match[1], *match.span(1), "quoted", "名詞")
        taken = [(span.start, span.end) for span in fixed]
        for run in _runs(self._morphemes(sentence)):
            for span in _parts(run, sentence):
                if not any(span.start < end and start < span.end and not span.start < start for start, end in taken):
                    spans.setdefault((span.start, span.end), span)
        for start, end in self._glossary(sentence):
            known = spans.get((start, end))
            speech = known.speech if known else "固有名詞"
            spans[start, end] = Span(sentence[start:end], start, end, "name", speech, 2)
        return spans

    def _glossary(self, sentence: str) -> Iterator[tuple[int, int]]:
        for start, end in self._names.spans(sentence.lower()):
            if not (_cuts(sentence, start) or _cuts(sentence, end)):
                yield start, end

    def _morphemes(self, sentence: str) -> Iterator[_Morpheme]:
        speeches = self._speeches
        position = 0
        for node in nodes(sentence):
            surface = node.surface
            position = sentence.find(surface, position)
            end = position + len(surface)
            if (speech := speeches.get(node.posid)) is None:
                speech = speeches[node.posid] = _speech(node.feature)
            yield _Morpheme(surface, position, end, *speech)
            position = end


def _speech(feature: str) -> tuple[str, str]:
    """Part of speech and its finer kind; of proper nouns what they name (人名, 地域 …)."""
    speech, fine, finer = feature.split(",", 3)[:3]
    return speech, finer if fine == "固有名詞" else fine


@cache
def _empty_nouns() -> frozenset[str]:
    return frozenset(word for line in listed(__package__, "empty-nouns-ja.txt") for word in line.split())


def _dates_and_numbers(sentence: str) -> Iterator[Span]:
    taken = 0
    for match in re.finditer(rf"(?P<time>{_TIME.pattern})|{_NUMBER.pattern}", sentence):
        start, end = match.span()
        if start < taken:
            continue
        taken = end
        shape: Shape = ("years" if _YEARS.fullmatch(match["time"]) else "time") if match["time"] else "number"
        yield Span(_ABOUT.sub("", match.group()), start, end, shape, "数")
        year = _LEADING_DATE.match(match.group()) if match["time"] else None
        if year:
            yield Span(year.group(), start, start + year.end(), "time", "数", 1)


def _runs(morphemes: Iterable[_Morpheme]) -> Iterator[list[_Morpheme]]:
    """The longest runs of nouns, prefixes and the dots inside katakana names and behind initials."""
    run: list[_Morpheme] = []
    for one in morphemes:
        noun = (one.speech == "名詞" and one.fine not in _NO_NOUNS) or one.speech == "接頭詞"
        dot = one.surface in ("・", "＝") and bool(run) and bool(_NAME_PART.search(run[-1].surface))
        if noun or dot:
            run.append(one)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _parts(run: list[_Morpheme], sentence: str) -> Iterator[Span]:
    """The run, its beginnings and ends, and the proper nouns inside it."""
    for first, last in _cut_points(run):
        start, end = run[first].start, run[last].end
        text = sentence[start:end]
        if text in _empty_nouns() or text.isdecimal() or _cuts(sentence, start) or _cuts(sentence, end):
            continue
        whole = (first == 0) + (last == len(run) - 1)
        yield Span(text, start, end, "period" if _PERIOD.fullmatch(text) else "noun", run[last].fine, whole)


def _cut_points(run: list[_Morpheme]) -> Iterator[tuple[int, int]]:
    for first in range(len(run)):
        if run[first].fine == "接尾" or run[first].surface in ("・", "＝") or run[first].speech == "記号":
            continue
        for last in range(first, min(len(run), first + _LONGEST)):
            if run[last].speech in ("接頭詞", "記号"):
                continue
            inside = first > 0 and last < len(run) - 1
            if not inside or (last - first < 3 and run[last].fine in ("人名", "地域", "組織", "一般", "接尾")):
                yield first, last


def _cuts(sentence: str, place: int) -> bool:
    """Whether a boundary here would cut a katakana word or katakana words that a dot joins."""
    if not 0 < place < len(sentence):
        return False
    before = sentence[: place - 1] if sentence[place - 1] in _JOINTS else sentence[:place]
    after = sentence[place + 1 :] if sentence[place] in _JOINTS else sentence[place:]
    return bool(_KATAKANA.match(before[-1:]) and _KATAKANA.match(after[:1]))
