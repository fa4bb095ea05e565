"""What a Chinese question asks beside the name in it: the request, its kind of answer and its cues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from indexer.analysis.text import ONES
from indexer.files.lists import listed

_OPENING = re.compile(
    r"^(?:(?:请问|请告诉我|请|你们?知道|您知道|你?能告诉我|谁?能?告诉我|有?谁知道|有人知道|有没有人知道|大家知道|"
    r"我?很?想知道|我?想问一?下?|我?很?好奇|我想?了解|想了解|问一?下|知道|麻烦问一?下|你能说出|说说|"
    r"那么?|一下|关于|有谁能说|你了解|你晓得|是否知道|不知道|我不知道|谁能说|谁可以告诉我|可以告诉我)[,，、:：?？]?)++"
)
_CLOSING = (*"吗呢啊呀吧哦呐嘛哈喔么?？!！。.,，~～", "知道", "来着", "请问", "告诉我")
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("when", re.compile(r"什么时候|何时|哪一?年|哪一?天|几几年|几号|几月|哪个?月|时间|日期|年份|生日|多会儿?")),
    ("who", re.compile(r"谁|哪位|何人|什么人|哪些人|哪个人|哪个(?:作家|演员|歌手|导演|明星)")),
    ("where", re.compile(r"在哪|哪里|哪儿|什么地方|何处|哪个(?:国家|省|市|城市|地方|地区|县|区|镇)|哪国|位于|何地")),
    ("number", re.compile(r"多少|几[个位名人口只条种届集页次层岁所家]|多[大高长重宽深远厚快久]|第几|几分")),
)
_DATE = re.compile(r"\d{1,4}年|\d{1,2}月|\d{4}[-./]\d{1,2}|^\d{4}$|世纪|年代|公元|星期|^\d{1,2}[-:]\d{1,2}|朝|时期")
_PLACE = re.compile(r"[省市县区镇乡村州国岛洲路街城湾山港湖江河]|中国|美国|日本|英国|法国|北京|上海|香港|台湾")
_PERSON = re.compile(
    r"^[^\W\d_]{2,4}$|[·・]|^[^\W\d_]{2,4}(?:[、,，;/和][^\W\d_]{2,4})+$"
    r"|^[a-z\u00df-\u024f][a-z\u00df-\u024f.'’\-]{3,38}[a-z\u00df-\u024f]$|^(?:[a-z]\.-?)+[^\W\d_]{1,6}$"
)
_OFFER = re.compile(r"还是|或者|是否(?!知道)|有没有(?!人)|能否(?!告诉)|可否(?!告诉)|(.)不\1(?!道)")
_CLAIM = re.compile(r"是|支持|^(?!.*(?:知道|告诉))")
_INTERROGATIVE = re.compile(r"谁|什么|哪|何|怎|多少|几|多[大高长重宽深远厚快久]|吗")


def strip_chatter(question: str) -> str:
    """The folded question with opening and closing chatter (你知道…吗) blanked out by `|`, its length kept."""
    opening = _OPENING.match(question)
    start = opening.end() if opening and opening.end() < len(question) else 0
    end = len(question)
    while closing := next((one for one in _CLOSING if question.endswith(one, start, end)), ""):
        end -= len(closing)
    end = end if end > start else len(question)
    return "|" * start + question[start:end] + "|" * (len(question) - end)


def request_of(question: str, start: int, end: int) -> str:
    """The folded question without chatter and with the mention question[start:end] masked by one `|`."""
    bare = strip_chatter(question)
    return f"{bare[:start]}|{bare[end:]}".strip("《》“”\"'|")


def kind_of_answer(request: str) -> str:
    """when, who, where, number, or "" where the request does not say."""
    return next((kind for kind, pattern in _KINDS if pattern.search(request)), "")


@lru_cache(maxsize=1 << 16)
def kinds_of_object(text: str) -> frozenset[str]:
    """The kinds of answer that a folded object may be, by its look: several, or none."""
    kinds = set()
    if _DATE.search(text):
        kinds.add("when")
    if any(c.isdigit() for c in text) or re.match(rf"[{ONES}十百千万两]+[个年岁人]", text):
        kinds.add("number")
    if _PLACE.search(text):
        kinds.add("where")
    if _PERSON.search(text):
        kinds.add("who")
    return frozenset(kinds)


def offers(question: str) -> bool:
    """Whether a folded question says what its answer may be (A or B, yes or no): the right one then stands in it."""
    bare = question.rstrip("?!。.")
    closed = bare.endswith("吗") and not interrogative(bare[:-1]) and _CLAIM.search(bare)
    return bool(closed or _OFFER.search(question))


def interrogative(text: str) -> bool:
    """Whether a folded text asks: songs are called 是谁, too."""
    return _INTERROGATIVE.search(text) is not None


class Cue(NamedTuple):
    """Words of a request and the words of the predicates that they ask for."""

    asked: re.Pattern[str]
    predicates: tuple[str, ...]


@cache
def cues() -> tuple[Cue, ...]:
    """The lexicon `cues.tsv`: on each line words of requests, a tab, words of predicates, joined by `|`."""
    columns = (line.split("\t") for line in listed(__package__, "cues.tsv"))
    return tuple(Cue(re.compile(asked), tuple(dict.fromkeys(words.split("|")))) for asked, words in columns)


@lru_cache(maxsize=1 << 12)
def cued(request: str) -> tuple[str, ...]:
    """The words of predicates that the request's cues ask for, in the order of the lexicon, each once."""
    return tuple(dict.fromkeys(word for cue in cues() if cue.asked.search(request) for word in cue.predicates))


def cue_spans(text: str, predicate: str) -> Iterator[tuple[int, int]]:
    """Where a text asks by a cue for a word that the predicate holds."""
    for asked in _asking(predicate):
        yield from (match.span() for match in asked.finditer(text))


@lru_cache(maxsize=1 << 14)
def _asking(predicate: str) -> tuple[re.Pattern[str], ...]:
    """What asks for a word that the predicate holds: looked for in the whole lexicon once for a predicate."""
    return tuple(cue.asked for cue in cues() if any(word in predicate for word in cue.predicates))
