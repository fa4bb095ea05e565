"""The words of a Japanese text, and its clauses, each with what it leaves to its neighbours to say:
the topic of the clause before, in 「A は X を、B は Y を得た」 the predicate of the one behind.

The parts of speech are MeCab's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexer.analysis.japanese import NOUNS, nodes
from indexer.analysis.text import normalise

VERBAL_NOUN = 36  # ipadic's number of 名詞,サ変接続
_NUMBERS = frozenset((48, 53))  # 名詞,数 and 名詞,接尾,助数詞
_PRONOUNS = frozenset((59, 60))
DENYING_PREFIXES = "反非不無未"
_SETTINGS = frozenset((46, 56, 58, 67))  # names and suffixes of places, 副詞可能 (朝)
_DEPENDENT = frozenset(range(63, 67))  # こと, の
TOPICS = ("は", "が", "も")
_CASES = frozenset("は が も を に へ で と から まで より".split())
_STOPS = frozenset("。 . ！ ! ？ ?".split())
_COMMAS = frozenset("、 , ，".split())
_ACTORS = frozenset("の 人 人物 者 国".split())  # 橋を架けたのは, 橋を架けた人は
_IS = re.compile("(?:だ|である|であった|です|でした|だった)?(?:の)?か?[。．.？?]?")
# with て, case particles: 石高に応じて
_LIKE_PARTICLES = frozenset("応じる よる 従う 対する 関する つく とる 通じる".split())


class Word(NamedTuple):
    """A word with its base form; a verbal noun (発布) is a verb too, an auxiliary one (いる) none.
    `is_matter`: a noun but for numbers with their units, pronouns and dependent nouns.
    `is_inflected`: a verb, adjective or auxiliary; `continues` where such a one may end a clause
    that another follows (始まり、; 始まって、; 始まらず、). `is_setting`: a time, or the name of a
    place that is no country."""

    surface: str
    base: str
    is_noun: bool
    is_verb: bool
    is_matter: bool = False
    is_pronoun: bool = False
    is_inflected: bool = False
    is_adjective: bool = False
    continues: bool = False
    is_setting: bool = False


def words_of(text: str) -> list[Word]:
    """The words of a text, normalised, as MeCab divides it, a denying prefix joined to its noun
    (反時計); one it does not know is its own base form."""
    words: list[Word] = []
    prefix = ""
    for node in nodes(normalise(text)):
        fields = node.feature.split(",")
        base = fields[6] if len(fields) > 6 and fields[6] != "*" else node.surface
        is_verb = fields[:2] == ["動詞", "自立"] or node.posid == VERBAL_NOUN
        is_noun = node.posid in NOUNS
        if fields[0] == "接頭詞" and node.surface in DENYING_PREFIXES:
            prefix = node.surface
            continue
        is_matter = is_noun and node.posid not in _NUMBERS | _PRONOUNS | _DEPENDENT
        is_inflected = fields[0] in ("動詞", "形容詞", "助動詞")
        # で behind a noun may be a case
        continues = is_inflected and fields[5].startswith("連用") and node.surface != "で"
        if fields[:2] == ["助詞", "接続助詞"]:
            continues = not (words and words[-1].base in _LIKE_PARTICLES)
        words.append(
            Word(
                prefix + node.surface, prefix + base, is_noun, is_verb, is_matter,
                node.posid in _PRONOUNS, is_inflected, fields[0] == "形容詞", continues,
                node.posid in _SETTINGS,
            )
        )  # fmt: skip
        prefix = ""
    return words


def clauses(words: Sequence[Word]) -> list[list[Word]]:
    """The clauses of a text, in order. A clause ends with its sentence; at a comma behind an
    inflected word, before another topic (は, が, も), or between two objects; and without a comma
    before a noun with は behind an inflected word. One without a topic has that of the clause
    before first; a sentence that begins with a pronoun all of it; one without a predicate that of
    the next one last, with the phrases in a case that it lacks."""
    parts: list[list[Word]] = [[]]
    for segment in _segments(words):
        if parts[-1] and _parts(parts[-1], segment):
            parts.append([])
        parts[-1] += segment
    whole: list[list[Word]] = []
    topic: list[Word] = []
    for position, part in enumerate(parts):
        behind = parts[position + 1] if position + 1 < len(parts) else []
        is_elliptic = not (part and (part[-1].continues or part[-1].surface in _STOPS))
        shared = _shared_words(part, behind) if is_elliptic else []
        places = _topics(part)
        starts = position > 0 and parts[position - 1][-1].surface in _STOPS
        is_resumed = starts and part[0].is_pronoun
        before = [] if places else topic
        if is_resumed:
            before = whole[-1]
        whole.append([*before, *part, *shared])
        if places:
            topic = part[: places[0] + 1]
    return whole


def without_cleft(words: Sequence[Word]) -> list[Word]:
    """The words of a claim that brings out who does or is what (橋を架けたのは林です) with が
    (林が橋を架けた). Any other claim unchanged, also one with は or が before
    (林が架けたのは橋です), and one that ends without a noun and です or the like."""
    topic_end = next((n for n, word in enumerate(words) if word.surface == "は" and n > 1), 0)
    before, behind = list(words[: max(0, topic_end - 1)]), list(words[topic_end + 1 :])
    last = max((n for n, word in enumerate(behind) if word.is_noun), default=-1)
    end = text_of(behind[last + 1 :])
    if (
        not (before and before[-1].is_inflected and words[topic_end - 1].surface in _ACTORS)
        or _topics(before)
        or any(word.surface in _CASES or word.is_inflected for word in behind[: last + 1])
        or not _IS.fullmatch(end)
    ):
        return list(words)
    return [*behind[: last + 1], *words_of("が"), *before]


def _segments(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yields the words between commas and ends of sentences, the latter with their mark, and cut
    behind an inflected word before a noun with は."""
    segment: list[Word] = []
    for position, word in enumerate(words):
        if word.surface not in _COMMAS:
            segment.append(word)
        following = [other for other in words[position + 1 : position + 8] if not other.is_noun]
        opens = words[position + 1 : position + 2] and words[position + 1].is_noun
        is_before_topic = word.continues and opens and following and following[0].surface == "は"
        if segment and (word.surface in _COMMAS or word.surface in _STOPS or is_before_topic):
            yield segment
            segment = []
    if segment:
        yield segment


def _topics(words: Sequence[Word]) -> list[int]:
    """The positions of the particles は, が and も, but not of a が that joins clauses."""
    return [
        position
        for position, word in enumerate(words)
        if word.surface in TOPICS and not word.continues
    ]


def _parts(before: Sequence[Word], behind: Sequence[Word]) -> bool:
    """Whether a clause ends between two segments: the first ends with a form that goes on (建て) or
    a mark, or with を, and the second has another を; or both have a は, が or も."""
    last = before[-1]
    if last.continues or last.surface in _STOPS:
        return True
    if last.surface == "を" and any(word.surface == "を" for word in behind):
        return True  # 東に駅を、西に港を
    return bool(_topics(before)) and bool(_topics(behind))


def _shared_words(part: Sequence[Word], behind: Sequence[Word]) -> list[Word]:
    """The words of the next clause that one without a predicate has too: those up to and with
    a case particle that it lacks (the first particle alone, if it ends with a noun), and the
    predicate but for its nouns that are no verbs."""
    cases = {word.surface for word in part} & _CASES
    is_bare = bool(part) and part[-1].is_noun  # 北は海、南は山に面する: of に alone
    shared: list[Word] = []
    phrase: list[Word] = []
    for word in behind:
        phrase.append(word)
        if word.surface in _CASES and not word.is_inflected:
            if word.surface not in cases:
                shared += [word] if is_bare else phrase
                is_bare = False
            phrase = []
    return [*shared, *(word for word in phrase if word.is_verb or not word.is_noun)]


def text_of(words: Sequence[Word]) -> str:
    return "".join(word.surface for word in words)
