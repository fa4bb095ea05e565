"""Phrases of a sentence that can be an answer: names, dates, amounts, titles and noun phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from answerer.ntcir.term.entity_types import Span
from answerer.ntcir.term.language import TermLanguage
from indexer.analysis.english_numbers import ONES, TEENS
from indexer.analysis.years import MONTHS

_HELPING = frozenset("is are was were been be being got has have had".split())

# words of a noun phrase; of the answers of up to three words that review questions have none is
# longer
LONGEST = 5

_TOKEN = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|[^\W_]+(?:[-'.’&/–][^\W_]+)*|[^\w\s]")
_NOUN = frozenset(("NN", "NNS", "NNP", "NNPS"))
_MODIFIER = frozenset(("JJ", "VBN", "VBG", "NN", "NNS", "NNP", "NNPS", "CD"))
_NUMBER_WORDS = frozenset(
    (
        *ONES,
        *TEENS,
        *"twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion "
        "third half quarter fourth".split(),
    )
)
_NO_HEADS = frozenset(
    "way ways time times part parts kind kinds type types sort lot number use many much several "
    "such other others same "
    "own first second last one ones thing things something anything example examples chapter "
    "link table page more most all some any each every both few little less least he she it they "
    "we you i his "
    "her its their our your this that these those who which what also including called named "
    "termed titled entitled".split()
)

# Closed classes: words that are not an answer, though a sentence that begins with one gives it a
# capital. _NO_HEADS has others, which also end a phrase.
_FUNCTION_WORDS = _NO_HEADS | frozenset(
    "none neither either nobody nothing nowhere noone everyone everybody everything everywhere "
    "someone somebody somewhere anyone anybody anywhere whoever whatever several enough another "
    "half such mine yours ours theirs myself itself himself herself themselves me him them us whom "
    "whose where when why how here there then thus hence now yet still once again however moreover "
    "therefore meanwhile otherwise instead perhaps indeed although though while because since "
    "unless until whereas whether if and or but nor not no yes a an the at by for from in into of "
    "off on onto out over to under up with without after before between during".split()
)

# No answer begins or ends so, or is a letter alone.
_BROKEN = re.compile(
    '^[-–—"“”\'‘]|—|[-–—"“‘]$|\\b(?:Dr|Ft|Mr|Mrs|Ms|Mt|No|Prof|St)$|^(?:[a-zA-Z]|e\\.g|i\\.e)$'
)
MONTH = rf"(?:{'|'.join(MONTHS)})"
_DATE = re.compile(
    rf"(?:\d{{1,2}} )?{MONTH} (?:\d{{1,2}},? )?\d{{4}}\b|(?:\d{{1,2}} {MONTH}"
    rf"|{MONTH} \d{{1,2}}"
    rf"|(?:(?<=\bin )|(?<=\bof )|(?<=\bby )|(?<=\blate )|(?<=\bearly )|(?<=\bsince )){MONTH})\b"
)
_FEW_DIGITS = re.compile(r"\d{1,3}")
_MEASURE = r"(?:percent|per cent|%|°[CF]|[a-z]+)"
_FIGURES = r"\d+(?:[.,]\d+)*+"
_AMOUNT = re.compile(
    rf"(?<![\w.,–-])(?:{_FIGURES}(?: to |–| and ){_FIGURES}(?: ?{_MEASURE})?|\d+:\d\d)(?![\w–-])"
)
_UNIT_LESS = re.compile(r" (?:to|at|in|of|and|or|for|on|by|with|from|as|is|are|was|were)$")
_FRACTION = re.compile(r"(?:\d+|[一二三四五六七八九十]+)分の(?:\d+|[一二三四五六七八九十]+)")


def spans_of(sentence: str, language: TermLanguage) -> list[Span]:
    """Candidate answers of a cleaned sentence as spans, sorted by start, then longest first; a span
    occurs once.

    In English: entities, dates, quoted titles, amounts with their unit, and noun phrases that do
    not cut a date, an amount or a complete name of several words. Otherwise: what the language's
    span finder finds, and fractions. Left out are spans inside an amount, numbers without their
    unit, single function words, names that are only a capitalised adverb or verb (Accordingly), and
    what begins or ends with a dash, quotation mark or title (Dr).
    """
    spans = {(span.start, span.end): span for span in language.spans(sentence)}
    if not language.spaced:
        for match in _FRACTION.finditer(sentence):
            spans[match.span()] = Span(match.group(), *match.span(), "number", "数")
    phrases = list(_phrases(sentence)) if language.spaced else []
    if language.spaced:
        for match in _DATE.finditer(sentence):
            text = match.group().rstrip(",")
            bounds = match.start(), match.start() + len(text)
            spans = {
                other: span
                for other, span in spans.items()
                if span.shape != "time" or other[1] <= bounds[0] or other[0] >= bounds[1]
            }
            spans[bounds] = Span(text, *bounds, "time", "number")
        tag_at = {word.start: word.tag for word in tag_words(sentence)}
        for bounds, span in list(spans.items()):
            # "Accordingly", which only the beginning of a sentence writes so
            if span.shape == "name" and not span.whole and " " not in span.text:
                if tag_at.get(bounds[0], "NN")[:2] not in ("NN", "JJ", "FW", "CD"):
                    del spans[bounds]
            elif span.shape == "time" and _FEW_DIGITS.fullmatch(span.text):
                spans[bounds] = span._replace(shape="years")  # tackles (118)
    # dates, and names whose two ends are sure, are not cut by a phrase
    fixed = [
        bounds
        for bounds, span in spans.items()
        if span.shape == "time" or (span.shape == "name" and span.whole)
    ]
    modifying = {span.start for span in phrases if span.shape == "noun"}
    ends = {(span.start, span.end) for span in phrases if span.whole == 2}
    # Gupta in "the Gupta dynasty" is not a whole name
    if phrases:
        for bounds, span in spans.items():
            if span.shape == "name":
                longer = bounds[0] in modifying and bounds not in ends
                longer = longer and any(
                    start <= bounds[0] and bounds[1] < end for start, end in ends
                )
                spans[bounds] = span._replace(whole=1 if longer else 2)
    if language.spaced:
        for match in _AMOUNT.finditer(sentence):
            if not any(bounds[0] < match.end() and match.start() < bounds[1] for bounds in fixed):
                spans[match.span()] = Span(match.group(), *match.span(), "number", "number")
                fixed.append(match.span())
    for span in phrases:
        inside = [bounds for bounds in fixed if bounds[0] < span.end and span.start < bounds[1]]
        is_cut = any(not (span.start <= start and end <= span.end) for start, end in inside)
        if is_cut or (inside and span.shape == "number"):
            continue
        previous = spans.get((span.start, span.end))
        if previous is None or previous.shape == "number":
            spans[span.start, span.end] = span
    amounts = [bounds for bounds, span in spans.items() if _AMOUNT.fullmatch(span.text)]
    whole = [
        span
        for bounds, span in spans.items()
        if not _BROKEN.search(span.text)
        and not _is_function_word(span)
        and not any(
            start <= bounds[0] and bounds[1] <= end and bounds != (start, end)
            for start, end in amounts
        )
        and not (span.shape == "number" and bounds not in amounts and _UNIT_LESS.search(span.text))
    ]
    return sorted(whole, key=lambda span: (span.start, -span.end))


def _is_function_word(span: Span) -> bool:
    """True for one word of a closed class that is not an acronym (IT, WHO)."""
    acronym = len(span.text) > 1 and span.text.isupper()
    return span.shape != "number" and span.text.lower() in _FUNCTION_WORDS and not acronym


class _Tagged(NamedTuple):
    """A word or mark of an English sentence: characters `start` to before `stop`; `tag` is its Penn
    tag."""

    text: str
    start: int
    stop: int
    tag: str


@lru_cache(20_000)
def tag_words(sentence: str) -> tuple[_Tagged, ...]:
    """The words and marks of an English sentence in order, each with its bounds and part of speech;
    a possessive 's is a separate word."""
    from indexer.analysis.english import tags

    words: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(sentence):
        start, end = match.span()
        if match[0].endswith(("'s", "’s")):
            words += [(sentence[start : end - 2], start, end - 2), ("'s", end - 2, end)]
        else:
            words.append((match[0], start, end))
    tagged = tags([word for word, _, _ in words])
    return tuple(_Tagged(*word, tag) for word, tag in zip(words, tagged, strict=True))


def _phrases(sentence: str) -> Iterator[Span]:
    """Yields the noun phrases of an English sentence as spans, in no fixed order: every part, up to
    `LONGEST` (5) words, of a run of nouns, adjectives and numbers that `_shape` accepts, such parts
    of up to two words joined with the run behind "of", and whole runs joined by "and" or a
    possessive (`_join_run`).

    `whole`, 0 to 2, counts the ends at which the span reaches the end of its run; `speech` is the
    tag of the last word ("JJ" for a single adjective or participle; one that is a verb is left
    out).
    """
    words = tag_words(sentence)
    end = 0
    while end < len(words):
        first = end
        while (
            end < len(words)
            and words[end].tag in _MODIFIER
            and words[end].text.lower() not in _NO_HEADS
        ):
            end += 1
        if end == first:
            end += 1
            continue
        yield from _join_run(sentence, words, first, end)
        for left in range(first, end):
            for right in range(left, min(end, left + LONGEST)):
                whole = (left == first) + (right == end - 1)
                if shape := _shape(words[left : right + 1], whole):
                    start, stop = words[left].start, words[right].stop
                    speech = (
                        "JJ"
                        if left == right and words[left].tag in ("JJ", "VBN")
                        else words[right].tag
                    )
                    if speech == "JJ" and _is_verb(words, left):
                        continue
                    yield Span(sentence[start:stop], start, stop, shape, speech, whole)
        if end + 1 < len(words) and words[end].text == "of" and words[end - 1].tag in _NOUN:
            after = end + 1 + (words[end + 1].text.lower() in ("the", "a", "an"))
            last = after
            while last < len(words) and words[last].tag in _MODIFIER:
                last += 1
            if after < last and words[last - 1].tag in _NOUN and last - end <= LONGEST:
                for left in range(max(first, end - 2), end):
                    start, head = words[left].start, words[last - 1]
                    text = sentence[start : head.stop]
                    yield Span(text, start, head.stop, "noun", head.tag, 1 + (left == first))


def _is_verb(words: Sequence[_Tagged], position: int) -> bool:
    """Whether a past participle is the verb of a passive or perfect ("is caused by"): a form of
    "be" or "have" among the three words before it, and a preposition or "to" behind it."""
    before = {word.text.lower() for word in words[max(0, position - 3) : position]}
    after = words[position + 1].tag if position + 1 < len(words) else "."
    return (
        words[position].tag == "VBN" and not before.isdisjoint(_HELPING) and after in ("IN", "TO")
    )


def _join_run(sentence: str, words: Sequence[_Tagged], start: int, end: int) -> Iterator[Span]:
    """Yields one span or none: a run of nouns, adjectives and numbers, from the word `start` to
    before `end`, joined with the one before it by "and" (Robert Lane and Benjamin Vail) or by a
    possessive 's (Bertrand's postulate, not workers' rights). Both end with a noun and have up to
    `LONGEST` (5) words; "and" joins two capitals or none; participles that begin the first run are
    cut off."""
    link = words[start - 1].text.lower() if start >= 2 else ""
    if link not in ("and", "'s") or words[end - 1].tag not in _NOUN or end - start > LONGEST:
        return
    first = start - 1
    while (
        first
        and words[first - 1].tag in _MODIFIER
        and words[first - 1].text.lower() not in _NO_HEADS
    ):
        first -= 1
    while words[first].tag in ("VBN", "VBG"):  # named Bertrand's postulate
        first += 1
    if first == start - 1 or words[start - 2].tag not in _NOUN or start - 1 - first > LONGEST:
        return
    is_name = words[start - 2].text[:1].isupper()
    if link == "and" and is_name != words[end - 1].text[:1].isupper():
        return
    from_, to = words[first].start, words[end - 1].stop
    yield Span(sentence[from_:to], from_, to, "noun", words[end - 1].tag)


def _shape(words: Sequence[_Tagged], whole: int) -> Literal["number", "noun"] | None:
    """Shape of a part of a noun phrase that reaches `whole` ends of its run; None if it is not a
    candidate. "number" if it begins with one, ends with one or a noun and has at most three words;
    "noun" if it ends with a noun or gerund and reaches an end, is a name with a number behind it
    (Route 99) and reaches both, or is a single adjective or participle."""
    tag = words[-1].tag
    counted = tag == "CD" or tag in _NOUN or words[-1].text.lower() in _NUMBER_WORDS
    if words[0].tag == "CD" or words[0].text.lower() in _NUMBER_WORDS:
        return "number" if len(words) <= 3 and counted else None
    if tag in _NOUN or tag == "VBG":
        return "noun" if whole else None
    if tag == "CD" and len(words) > 1 and words[-2].tag in ("NNP", "NNPS"):
        return "noun" if whole == 2 else None  # State Route 99
    return "noun" if len(words) == 1 and tag in ("JJ", "VBN") else None
