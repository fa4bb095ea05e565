"""Candidates in Japanese: runs of nouns and their parts, dates, numbers with units, quoted names,
glossary names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from answerer.ntcir.term.entity_types import Shape, Span
from indexer.analysis.japanese import nodes
from indexer.analysis.name_finder import NameFinder
from indexer.analysis.text import ONES, read_word_list
from indexer.analysis.years import FIRST, NAMES

_INTERROGATIVES = (
    ("number", r"何年に(?:一|1)|何年間|何年以[上下内]|何番目|何人目"),
    ("time", r"何年|何月|何日|何世紀|いつ(?!も|か(?!ら|$|。))|何時(?!代)"),
    (
        "number",
        r"どのくらい|どれくらい|どれほど|どれだけ|いくつ(?!か)|いくら|何[十百千万億兆]*(?:人|歳"
        r"|メートル|キロ|センチ|ミリ|[kKcmMg]|個|回|本|種|[カか]国|度|円|ドル|パーセント|%|倍|分"
        r"|時間|秒|日間|条|番|つ|名|体|枚|台|隻|匹|羽|頭|社(?!会)|[かカヶ箇]所|世帯"
        r"|棟|軒|件|章|議席|(?:都道)?府県|冊|巻|票|校|位(?!置)|階(?![級層段])|語で)",
    ),
    ("person", r"誰|だれ|何者|どんな人|何という(?:人|人物)"),
    ("place", r"どこ|何処|どちらに|どの(?:辺|あたり)|何という(?:場所|ところ)"),
    ("time", r"西暦(?!\d)"),
)
# The noun in focus follows one of these …
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
        r"(?:は|が|を)(?=、?(?:何|誰|だれ|どこ|いつ|なに|なん|どう|どれ|$))|といえば|とは(?=$|何"
        r"|なに|どこ|誰)|って"
    ),
    re.compile(r"(?:を|は)[^をは]*(?:答|記|書|挙|あげ|教|知|述|示)"),
    re.compile(r"は"),
)
# An interrogative with its own case asks for a part of the statement on the topic, which does not
# name an answer type: トンボはどこに卵を産む. Where something only is (何がある, 何がいる), the
# topic still names it.
_IN_A_CASE = re.compile(
    r"(?:何|なに|誰|だれ|どこ)(?:が(?!あ|い)|を|に|へ|で(?![あさしすはも])|から|まで|より)"
)
_NAME_WORDS = frozenset(
    "名 名前 名称 正式名称 人名 国名 地名 呼び名 正式名 略称 別名 本名 通称 呼称 タイトル 題名 "
    "種類".split()
)
_NAME_ENDING = re.compile(
    r"(?<=..)(?:の)?(?:名称|名前|名)$"
)  # 都市名 is 都市, but 山 too short for 山名
_NO_FOCUS = re.compile(r"^(?:もの|こと|とき|時|ところ|最初|最後|有名|順|場合|ため)$")

_INTERROGATIVE = re.compile(
    r"(?:何|なん)と(?:いう|言う|呼ばれる)|ど(?:のような|の|んな|ういう)|どこ|いつ|誰|だれ|(?:何"
    r"|なに|なん)(?!と)"
)
_ONE_KANA = re.compile("[ぁ-んァ-ヶー]")
_SCRIPT = re.compile("[ぁ-ヿ一-鿿々]")
_NO_COUNTER = "がをでにかはもの"  # what follows 何 where it is not 何 of something


class _Morpheme(NamedTuple):
    """A word as ipadic analyses it: surface, span, part of speech, subclass (of a proper noun its
    type: 人名 …)."""

    surface: str
    start: int
    end: int
    speech: str
    fine: str

    @property
    def is_noun(self) -> bool:
        """Whether it is a prefix, or a noun but for pronouns and dependent nouns."""
        return self.speech == "接頭詞" or (
            self.speech == "名詞" and self.fine not in ("代名詞", "非自立")
        )


def _morphemes(text: str) -> Iterator[_Morpheme]:
    """Yields the words of a text in order, with character spans."""
    end = 0
    for node in nodes(text):
        start = text.find(node.surface, end)
        end = start + len(node.surface)
        speech, fine, finer = node.feature.split(",", 3)[:3]
        yield _Morpheme(node.surface, start, end, speech, finer if fine == "固有名詞" else fine)


def _fold(question: str) -> str:
    """A question in NFKC without white space and without the marks at its end."""
    text = "".join(unicodedata.normalize("NFKC", question).split())
    return re.sub(r"[?。！!]+$", "", text)


def interrogative(question: str) -> str:
    """The answer type that the interrogative shows: "time", "number", "person" or "place". Returns
    "" for none."""
    text = _fold(question)
    return next((name for name, pattern in _INTERROGATIVES if re.search(pattern, text)), "")


@cache
def focus_of(question: str) -> str:
    """The question focus: the noun that says what is asked for, behind an interrogative
    (何という城壁 → 城壁), else the last before the request at the end (ドイツの首都は？ → 首都); ""
    without one, or if it says nothing (もの)."""
    text = _fold(question)
    runs: list[tuple[str, int, int]] = []  # the maximal runs of nouns, with their spans
    stem = -1  # where the adjective just before begins: its stem belongs to the noun (高さ)
    for word in _morphemes(text):
        if word.is_noun:
            start = stem if word.surface == "さ" and stem >= 0 else word.start
            if runs and runs[-1][2] == start:
                start = runs.pop()[1]
            runs.append((text[start : word.end], start, word.end))
        stem = word.start if word.speech == "形容詞" else -1
    for pattern in _BEFORE_FOCUS:
        for match in reversed(list(pattern.finditer(text))):
            run = next((run for run in runs if 0 <= run[1] - match.end() <= 1), None)
            if run is None and match.group() == "何":
                run = next((run for run in runs if run[1] == match.start()), None)
            if run and not _NO_FOCUS.match(run[0]):
                return _NAME_ENDING.sub("", run[0].removeprefix("何"))
    if _IN_A_CASE.search(text):
        return ""
    # Else the last noun before the request at the end (答えよ, 何か), but not one without meaning
    # such as もの.
    places = (
        match.start() for pattern in _AFTER_FOCUS for match in reversed([*pattern.finditer(text)])
    )
    position = next(places, len(text))
    before = [run for run in runs if run[2] <= position]
    if not before or position - before[-1][2] > 2:
        return ""
    noun = before[-1][0]
    if noun in _NAME_WORDS and len(before) > 1 and before[-1][1] - before[-2][2] <= 1:
        noun = before[-2][0]
    return "" if _NO_FOCUS.match(noun) else _NAME_ENDING.sub("", noun)


def head_of(focus: str) -> str:
    """The last word of a noun in focus (米料理: 料理), the whole if the last word cannot be a noun
    by itself, or the noun is not Japanese."""
    if not _SCRIPT.search(focus):
        return focus
    last = next(
        (word.surface for word in reversed([*_morphemes(focus)]) if word.speech == "名詞"), ""
    )
    return last if last and focus.endswith(last) and not _ONE_KANA.fullmatch(last) else focus


def interrogative_spans(question: str, focus: str) -> list[tuple[int, int]]:
    """The character span of the last interrogative with its noun or counter (何という城壁, どの山,
    何年), in a list. [] without one, as in English, where none is at the place of the answer.
    `focus` is the question focus, or ""."""
    matches = list(_INTERROGATIVE.finditer(question))
    if not matches:
        return []
    start, end = matches[-1].span()
    if focus and question.startswith(focus, end):
        end += len(focus)
    elif question[start:end] in ("何", "なん") and question[end : end + 1] not in _NO_COUNTER:
        end += 1
    return [(start, end)]


_DIGITS = rf"(?:\d[\d,.]*|[{ONES}十百千]+)(?:[万億兆][\d,]*)*"
_TIME = re.compile(
    rf"(?:紀元前|西暦|前)?(?:\d{{1,4}}|[{ONES}十百千〇]+)"
    r"(?:年代|年(?!間|生|に[一1]|目|以[上内]|前|後|ごと|おき)|世紀)"
    r"(?:\d{1,2}月(?:\d{1,2}日)?)?(?:頃|ごろ|初頭|前半|後半|半ば|末)?"
    r"|\d{1,2}月(?:\d{1,2}日)?(?!間)|"
    rf"(?:{NAMES})(?:\d+|{FIRST})年"
)
_UNITS = (
    "平方キロメートル キロメートル センチメートル ミリメートル メートル キログラム グラム トン "
    "パーセント 立方メートル リットル カラット "
    "km2 km cm mm kg ha m % 円 ドル ユーロ ポンド 万人 人 名 つ 個 本 体 回 度 歳 日間 日 "
    "か月 ヶ月 カ国 か国 ヵ国 時間 分 秒 倍 種類 種 条 冊 巻 階 校 年間 年 語 頭 匹 羽 隻 台 票 位 "
    "議席 社 都道府県 府県 か所 カ所 ヶ所 箇所 世帯 棟 軒 件 章"
).split()
_LIMITS = "以上|以下|以内|未満"
# Letters of any other unit (km/h, kHz, MB), but where a noun goes on behind them: 3D映像.
_SYMBOL = rf"(?:°C|[A-Za-zμΩ]{{1,3}}(?:/[a-z]+|[23])?)(?=(?:{_LIMITS})|[^A-Za-z\dァ-ヺー一-鿿]|$)"
_NUMBER = re.compile(
    rf"(?:約|およそ)?{_DIGITS}(?:{_SYMBOL}|{'|'.join(map(re.escape, _UNITS))})(?:{_LIMITS})?"
    r"|(?<![第\d.,])\d[\d,]*+(?=の[一-龥ァ-ヺ])"  # 12の州
)
_QUOTED = re.compile(r"[「『《〈“]([^「」『』《》〈〉“”]{2,30})[」』》〉”]")
_LEADING_DATE = re.compile(r"(?:紀元前|西暦|前)?\d+年(?=\d)")
_ABOUT = re.compile(r"(?:頃|ごろ)$")
_YEARS = re.compile(rf"\d{{1,2}}年|[{ONES}十]+年")
_PERIOD = re.compile(r"春|夏|秋|冬|.+時代")
_NO_NOUNS = frozenset(("代名詞", "非自立", "接続詞的", "特殊"))
_LONGEST = 6  # morphemes of a candidate
_JOINT = re.compile(r"(?<=[ァ-ヺー])=(?=[ァ-ヺ])")
_JOINTS = "・＝"
_KATAKANA_ENDS, _KATAKANA_BEGINS = (
    re.compile(rf"[ァ-ヺー][{_JOINTS}]?$"),
    re.compile(rf"[{_JOINTS}]?[ァ-ヺー]"),
)
_NAME_PART = re.compile(
    r"[ァ-ヺー]$|^[A-Z]$"
)  # what a dot joins to the next part of a name: katakana, an initial

_GLOSSED = re.compile(r"[」』]?[(（]")
_DEFINED = re.compile(r"(?:\([^)]*\))?[」』]?(?:とは|と(?:いう|呼ばれ|呼ぶ|言う))")
_OPENS = re.compile(r"(?:\([^)]*\))?[」』]?(?:は|が|も|\()")
_NOTE = r"(?:\([^)]*\))?[」』》]?"  # may come between a name and the phrase about it
_CLOSED = re.compile(rf"{_NOTE}(?:であ|で、|だ|です|。|$|が(?:ある|あり|知|有名)|など|、|や|と)")
_PREDICATE = (
    r"(?=である|で、|であ|だ[。っと]|です|でし|。|$|の(?:一つ|ひとつ|1つ|一種|1種|こと|名|総称|一人"
    r"|1人|うち)|とし|とさ|を指|となっ|になっ|と呼|\()"
)


@cache
def _kind_patterns(noun: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Patterns that make a name a `noun`: right after it, after it as a topic, before it."""
    kind = re.escape(noun)
    return (
        re.compile(
            rf"{_NOTE}(?:(?:、[^、。]{{1,15}}){{0,4}}"
            r"(?:という|と呼ばれる|とよばれる|と称する|といった|などの|など、?|等の|のような|らの"
            r"|である|なる|その他の)"
            rf"(?:[^、。はがを]{{0,8}}の)?{kind}|という[^、。]{{0,10}}{kind}"
            rf"|[、やと・][^。]{{1,40}}(?:など|といった|等)[^。、]{{0,6}}{kind})"
        ),
        re.compile(rf"{_NOTE}(?:とは|は|が|も)、?[^。]*?{kind}{_PREDICATE}"),
        re.compile(rf"{kind}(?:は|には|として|では|とは|が|に)[^。]{{0,25}}$"),
    )


STRIDE, REACH = 2.0, 6  # characters of an average word; three such words on either side


def clean(text: str) -> str:
    """NFKC without white space, which Japanese does not need; ＝ inside katakana names is kept."""
    return _JOINT.sub("＝", "".join(unicodedata.normalize("NFKC", text).split()))


def in_apposition(before: str, after: str, focus: str) -> bool:
    """True if the text around a name calls it a `focus`. For 首都: 首都ベルリン, 首都はベルリン,
    首都「ベルリン」, ベルリンという首都, ベルリンの首都."""
    noun = re.escape(focus)
    return bool(
        re.search(rf"{noun}(?:である|は|の|、|・|が|を)?[「『]?$", before[-len(focus) - 5 :])
        or re.match(rf"[」』]?(?:という|と呼ばれる|である|なる|の|を)?{noun}", after)
    )


def is_said_to_be(before: str, after: str, noun: str) -> bool:
    """True if the text around a name makes it a hyponym of `noun`. For 球技: テニスは…球技である,
    球技にはテニスが, テニスという球技, テニスなどの球技, テニスや卓球などの球技."""
    behind, topic, ahead = _kind_patterns(noun)
    return bool(
        behind.match(after) or topic.match(after) or (_CLOSED.match(after) and ahead.search(before))
    )


def roles(before: str, after: str) -> Sequence[str]:
    """The roles of a candidate between `before` and `after`: "glossed" (with a note in
    parentheses), "definition" (とは, という, と呼ばれる; or the first word of the sentence with は,
    が or も)."""
    defined = _DEFINED.match(after) or (not before and _OPENS.match(after))
    return ["glossed"] * bool(_GLOSSED.match(after)) + ["definition"] * bool(defined)


def span_finder(names: Sequence[str] = ()) -> Callable[[str], list[Span]]:
    """Makes a cached function from a cleaned sentence to its candidates, found with MeCab (ipadic),
    in order of start, the longer first.

    They are dates, numbers, quoted phrases of 2 to 30 characters and nouns; dates and numbers are
    not divided, and no noun begins in one. Glossary `names` are found in full, also in small
    letters, unless they cut a katakana word, and replace other candidates at their spans.
    """
    glossary = NameFinder(names)

    def spans(sentence: str) -> list[Span]:
        fixed = list(_dates_and_numbers(sentence))
        candidates = {(span.start, span.end): span for span in fixed}
        for match in _QUOTED.finditer(sentence):
            candidates[match.span(1)] = Span(match[1], *match.span(1), "quoted", "名詞")
        for span in _noun_spans(sentence):
            if not any(date.start <= span.start < date.end for date in fixed):
                candidates.setdefault((span.start, span.end), span)
        for start, end in glossary.spans(sentence.lower()):
            if not (_cuts(sentence, start) or _cuts(sentence, end)):
                previous = candidates.get((start, end))
                speech = previous.speech if previous else "固有名詞"
                candidates[start, end] = Span(sentence[start:end], start, end, "name", speech, 2)
        return sorted(candidates.values(), key=lambda span: (span.start, -span.end))

    return cache(spans)


@cache
def _empty_nouns() -> frozenset[str]:
    """The nouns of the word list, which are not candidates by themselves."""
    return frozenset(
        word for line in read_word_list(__package__, "empty-nouns-ja.txt") for word in line.split()
    )


def _dates_and_numbers(sentence: str) -> Iterator[Span]:
    """Yields dates, years and numbers of a sentence, whose text lacks 頃 or ごろ at its end; for a
    date with month or day also its year alone."""
    for match in re.finditer(rf"(?P<time>{_TIME.pattern})|{_NUMBER.pattern}", sentence):
        start, end = match.span()
        shape: Shape
        if not match["time"]:
            shape = "number"
        elif _YEARS.fullmatch(match["time"]):
            shape = "years"
        else:
            shape = "time"
        yield Span(_ABOUT.sub("", match.group()), start, end, shape, "数")
        # A question for the year is answered by that of a longer date.
        year = _LEADING_DATE.match(match.group()) if match["time"] else None
        if year:
            yield Span(year.group(), start, start + year.end(), "time", "数", 1)


def _noun_spans(sentence: str) -> Iterator[Span]:
    """Yields the spans of runs of nouns: whole runs, their beginnings and ends, and inside them
    names and nouns of up to three words, each of at most `_LONGEST` (6) words; none that is a
    number, an empty noun, or cuts a word."""
    runs: list[list[_Morpheme]] = [[]]
    for word in _morphemes(sentence):
        noun = (word.speech == "名詞" and word.fine not in _NO_NOUNS) or word.speech == "接頭詞"
        if noun or (
            word.surface in _JOINTS and runs[-1] and _NAME_PART.search(runs[-1][-1].surface)
        ):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    for run in runs:
        for first in range(len(run)):
            if (
                run[first].fine == "接尾"
                or run[first].surface in _JOINTS
                or run[first].speech == "記号"
            ):
                continue
            for last in range(first, min(len(run), first + _LONGEST)):
                fine, inside = run[last].fine, first > 0 and last < len(run) - 1
                if run[last].speech in ("接頭詞", "記号"):
                    continue
                if inside and not (
                    last - first < 3 and fine in ("人名", "地域", "組織", "一般", "接尾")
                ):
                    continue
                start, end = run[first].start, run[last].end
                text = sentence[start:end]
                if (
                    text in _empty_nouns()
                    or text.isdecimal()
                    or _cuts(sentence, start)
                    or _cuts(sentence, end)
                ):
                    continue
                whole = (first == 0) + (last == len(run) - 1)
                yield Span(
                    text, start, end, "period" if _PERIOD.fullmatch(text) else "noun", fine, whole
                )


def _cuts(sentence: str, position: int) -> bool:
    """True if a boundary at offset `position` would divide a katakana word, or katakana words
    joined by ・ or ＝."""
    return bool(
        _KATAKANA_ENDS.search(sentence[max(0, position - 2) : position])
        and _KATAKANA_BEGINS.match(sentence, position)
    )


def speech_of(names: Iterable[str]) -> dict[str, str]:
    """The fine part of speech (人名, 地域, 一般 …) of each name's last morpheme, "" without one."""
    return {name: next((word.fine for word in reversed([*_morphemes(name)])), "") for name in names}
