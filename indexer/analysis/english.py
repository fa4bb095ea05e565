"""English text to terms: one pattern, Porter stems [Porter], stop words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any, cast

import Stemmer

from indexer.analysis import english_numbers
from indexer.analysis.text import (
    NO_NAMES,
    TERM_LIMIT,
    plain_letters,
    read_word_list,
    split_sentences,
)

# Parts of speech of English words, by TextBlob's tagger: a lexicon with rules of Brill's kind,
# nothing neural.

_UNKNOWN = (
    "NN",
    "NNP",
    "CD",
)  # what words that the lexicon lacks are: plain ones, capitalised ones, digits


def tags(words: Sequence[str]) -> list[str]:
    """Penn Treebank tags of the words and punctuation marks of one sentence, in order, one for
    each.

    Capitals count: an unknown word with a capital is tagged as a proper noun, except at the
    beginning of the sentence.
    """
    module, lexicon, rules = _tagger()
    tagged = module.find_tags(
        list(words), lexicon=lexicon, morphology=lexicon.morphology, default=_UNKNOWN
    )
    # Brill's contextual rules, from left to right, as TextBlob's `Context` applies them.
    edge = ["STAART", "STAART"]
    padded = [edge, edge, edge, *tagged, edge, edge, edge]
    for position in range(3, len(padded) - 3):
        around = padded[position - 3 : position + 4]
        word, tag = around[3]
        for new, is_context, neighbours in rules.get(tag, rules["*"]):
            if is_context(around, *neighbours):
                padded[position] = [word, new]
                break
    # Names of people and places are NNP-PERS and NNP-LOC.
    return [tag.partition("-")[0] for _, tag in lexicon.entities.apply(padded[3:-3])]


_Token = list[str]  # a word and its tag, as TextBlob's functions pass them
_Context = Callable[[Sequence[_Token], str, str], bool]
_Rules = Mapping[str, Sequence[tuple[str, _Context, Sequence[str]]]]


@cache
def _tagger() -> tuple[Any, Any, _Rules]:
    """Returns TextBlob's module `_text`, its lexicon and its contextual rules, loaded once a
    process (0.1 s); the lexicon reads its files at the first word. The rules are those that change
    a tag (of other tags those of "*"): the new tag, the context and its words; of several that fit
    the first counts, the last of the file.

    The package itself is not imported: it loads nltk and scipy, which takes 1.5 s.
    """
    folder = Path(str(cast(ModuleSpec, find_spec("textblob")).origin)).parent
    loader = SourceFileLoader("textblob._text", str(folder / "_text.py"))
    module = module_from_spec(ModuleSpec(loader.name, loader, origin=loader.path))
    loader.exec_module(module)
    files = {
        name: str(folder / "en" / f"en-{name}.txt")
        for name in ("morphology", "context", "entities")
    }
    lexicon = module.Lexicon(path=str(folder / "en" / "en-lexicon.txt"), language="en", **files)
    lines = [(*line, "")[:5] for line in reversed([*lexicon.context])]
    rules = {
        tag: [
            (new, _CONTEXTS[context.lower()], words)
            for old, new, context, *words in lines
            if old in ("*", tag)
        ]
        for tag in {"*", *(line[0] for line in lines)}
    }
    return module, lexicon, rules


# What must hold of a word (place 3 of seven) and its neighbours, by the kind of rule; their
# meanings are in TextBlob's `Context`.
_CONTEXTS: Mapping[str, _Context] = {
    "prevtag": lambda t, x, y: x == t[2][1],
    "nexttag": lambda t, x, y: x == t[4][1],
    "prev2tag": lambda t, x, y: x == t[1][1],
    "next2tag": lambda t, x, y: x == t[5][1],
    "prev1or2tag": lambda t, x, y: x in (t[2][1], t[1][1]),
    "next1or2tag": lambda t, x, y: x in (t[4][1], t[5][1]),
    "prev1or2or3tag": lambda t, x, y: x in (t[2][1], t[1][1], t[0][1]),
    "next1or2or3tag": lambda t, x, y: x in (t[4][1], t[5][1], t[6][1]),
    "surroundtag": lambda t, x, y: x == t[2][1] and y == t[4][1],
    "curwd": lambda t, x, y: x == t[3][0],
    "prevwd": lambda t, x, y: x == t[2][0],
    "nextwd": lambda t, x, y: x == t[4][0],
    "prev1or2wd": lambda t, x, y: x in (t[2][0], t[1][0]),
    "next1or2wd": lambda t, x, y: x in (t[4][0], t[5][0]),
    "prevwdtag": lambda t, x, y: x == t[2][0] and y == t[2][1],
    "nextwdtag": lambda t, x, y: x == t[4][0] and y == t[4][1],
    "wdprevtag": lambda t, x, y: x == t[2][1] and y == t[3][0],
    "wdnexttag": lambda t, x, y: x == t[3][0] and y == t[4][1],
    "wdand2aft": lambda t, x, y: x == t[3][0] and y == t[5][0],
    "wdand2tagbfr": lambda t, x, y: x == t[1][1] and y == t[3][0],
    "wdand2tagaft": lambda t, x, y: x == t[3][0] and y == t[5][1],
    "lbigram": lambda t, x, y: x == t[2][0] and y == t[3][0],
    "rbigram": lambda t, x, y: x == t[3][0] and y == t[4][0],
    "prevbigram": lambda t, x, y: x == t[1][1] and y == t[2][1],
    "nextbigram": lambda t, x, y: x == t[4][1] and y == t[5][1],
    # TextBlob's own code has no case for the two longer rules on words
    "next1or2or3wd": lambda t, x, y: False,
    "prev1or2or3wd": lambda t, x, y: False,
}


_APOSTROPHES = str.maketrans("’ʻʼ", "'''")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_DIGIT = re.compile(r"\d")
_BOOK_WORD = re.compile(english_numbers.WORD)
_MARKS = r"([.!?\n])|([^\s_])"
_WORD_OR_MARK = re.compile(rf"({_WORD.pattern})|{_MARKS}")
_BOOK_WORD_OR_MARK = re.compile(rf"({_BOOK_WORD.pattern})|{_MARKS}")
_ENDS = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?=\s|$)")  # a row of marks is gone through once
_BEFORE = re.compile(r"([^\s(\"“]*?)[.!?]+[\"'”’)\]]*$")
_NUMBERING = re.compile(r"(?:\A|[.!?][\"'”’)\]]*\s+)\d{1,4}(?:[–-]\d{1,4})?\.$")
_FOLLOWING = re.compile(r"\s+[\"“'(]*([^\s.,]+)")
_OPENERS = frozenset(
    "the a an in on at by he she it they we this that these those but and after before when if as "
    "while for his her its their there then however although many most some under during".split()
)
_ABBREVIATIONS = frozenset(
    "mr mrs ms messrs dr st sts jr sr prof rev gen col capt lt maj adm sgt gov pres sen rep hon "
    "vol vols pp ed eds vs cf cit viz ca approx c fl b d r mt mts univ dept "
    "jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e etc al inc ltd co corp u.s u.k "
    "b.c a.d b.c.e c.e".split()
)
# Words too, such as the fig: abbreviations before a number only.
_BEFORE_NUMBERS = frozenset(
    "no nos fig figs eq eqs tab tabs sec secs sect sects ch chap chaps art arts bk pt rs".split()
)
_INITIALS = re.compile(r"(?!i\Z|[ap]\.m\Z)(?:[a-z]\.)*+[a-z]")  # J. B., T.E., but I and 5 p.m.
_NUMERAL = re.compile(r"\d|[IVXLC]+\b")
_STOP_WORDS = frozenset(read_word_list(__package__, "stop-words-en.txt"))
_STEM = Stemmer.Stemmer("porter").stemWord


class EnglishAnalyser:
    """Terms are Porter stems in lower case without accents and ligatures; a possessive 's falls
    off.

    Nouns are the terms that a part-of-speech tagger calls so (NN…). Sentences end at . ! ? followed
    by a blank, but not after initials or a common abbreviation, nor where a small letter follows. A
    name of the glossary is one term and one noun more: the words of the term that it names, joined
    by "_". In books numbers are one term each, the same in words and in figures
    (`english_numbers.in_figures`): "eleven" and "11", "5,200" and "5200".
    """

    def __init__(self, names: Mapping[str, str] = NO_NAMES, *, books: bool = False) -> None:
        """`names` maps each name that is to be found to its term. A name without letters and digits
        is left out; of names with the same words the last one counts. With `books` numbers in words
        are read as figures."""
        self._books = books
        self._names = {
            words: _term("_".join(filter(None, self._read(term))))
            for name, term in names.items()
            if (words := tuple(self._read(name)))
        }
        self._lengths: dict[str, set[int]] = {}
        for words in self._names:
            self._lengths.setdefault(words[0], set()).add(len(words))

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text, _ENDS, _ends_sentence)

    def terms(self, text: str) -> list[str]:
        """Porter stems of a text's words in order, repeats kept, without stop words; the term of a
        glossary name, unless it is the stem of one of its words, comes before that of the first."""
        words = self._read(text)
        terms = map(_term, words)
        if not self._names:
            return list(filter(None, terms))
        return _with_names(self._names, self._lengths, words, terms)

    def nouns(self, text: str) -> list[str]:
        """Stems of the words that are tagged NN… or are a glossary name of one word, in order,
        repeats kept, without stop words; the term of a glossary name comes before its first word,
        unless it is the stem of one of its words."""
        word_or_mark = _BOOK_WORD_OR_MARK if self._books else _WORD_OR_MARK
        words, tagged = self._read(text), _tags(text, word_or_mark)
        if len(tagged) != len(words):  # capitals that part words otherwise than small letters do
            tagged = _tags(text.lower(), word_or_mark)
        pairs = zip(words, tagged, strict=False)
        nouns = [
            word if tag.startswith("NN") or (word,) in self._names else "" for word, tag in pairs
        ]
        terms = map(_term, nouns)
        if not self._names:
            return list(filter(None, terms))
        return _with_names(self._names, self._lengths, words, terms)

    def _read(self, text: str) -> list[str]:
        """The words of a text in order, in lower case, without accents and possessive 's; in books
        a number as one word in figures and "" for each of its other words."""
        has_figures = self._books and _DIGIT.search(text)
        letters = plain_letters(text).lower().translate(_APOSTROPHES)
        words = (_BOOK_WORD if has_figures else _WORD).findall(letters)
        words = [word.removesuffix("'s") for word in words]
        if has_figures or (self._books and not english_numbers.WORDS.isdisjoint(words)):
            return english_numbers.in_figures(words)
        return words


def _with_names(
    names: Mapping[tuple[str, ...], str],
    lengths: Mapping[str, set[int]],
    words: Sequence[str],
    terms: Iterable[str],
) -> list[str]:
    """The terms of words, "" left out, with the term of each glossary name before that of its first
    word; not where it equals the stem of one of the name's words. Names are found leftmost and
    longest first, without overlaps. `names` maps their words to their terms, `lengths` a first word
    to the numbers of words."""
    before, position = dict[int, str](), 0
    while position < len(words):
        spans = [tuple(words[position : position + n]) for n in lengths.get(words[position], ())]
        length = max((len(span) for span in spans if span in names), default=0)
        name = tuple(words[position : position + length])
        if name and names[name] not in map(_term, name):
            before[position] = names[name]
        position += length or 1
    return [
        item for number, term in enumerate(terms) for item in (before.get(number), term) if item
    ]


@cache
def _term(word: str) -> str:
    """Index term of a word in lower case: its Porter stem without apostrophes, at most 255
    characters; "" for a stop word, and where nothing is left of a stem (that of "s"). A word with
    "_" is not stemmed."""
    if word in _STOP_WORDS:
        return ""
    return word[:TERM_LIMIT] if "_" in word else str(_STEM(word.replace("'", "")[:TERM_LIMIT]))


def _tags(text: str, word_or_mark: re.Pattern[str]) -> list[str]:
    """Penn Treebank tag of each word of a text, in order; each sentence is tagged with its capitals
    and punctuation, which get no tag here. The groups of the pattern are a word, the end of a
    sentence, and another mark."""

    word_tags: list[str] = []
    sentence: list[str] = []
    is_word: list[bool] = []
    for match in (*word_or_mark.finditer(plain_letters(text).translate(_APOSTROPHES)), None):
        if match:
            word = match[0].removesuffix("'s")
            parts = [word, "'s"] if word != match[0] else [word]
            sentence += parts
            is_word += [bool(match[1]), False][: len(parts)]
        if match is None or match[2]:
            word_tags += [
                tag for tag, wanted in zip(tags(sentence), is_word, strict=True) if wanted
            ]
            sentence, is_word = [], []
    return word_tags


def _ends_sentence(line: str, end: int) -> bool:
    """Returns whether a sentence ends at offset `end`, just behind a mark: not before a small
    letter, nor after a number that begins the sentence ("1658. Cromwell died."), nor after the
    period of initials (J., T.E., but not I and p.m.) or of a common abbreviation, unless these have
    inner periods (U.S.) and the next word often opens sentences; after one that is also a word
    (no., fig.) not before a number."""
    following = _FOLLOWING.match(line, end)
    if not following or following[1][0].islower():
        return not following
    near = line[max(0, end - 40) : end]
    if _NUMBERING.search(near):
        return False
    before = _BEFORE.search(near)
    word = before.group(1).lower() if before else ""
    if "." in word and following[1].lower() in _OPENERS:
        return True
    is_initial = _INITIALS.fullmatch(word) is not None
    is_reference = word in _BEFORE_NUMBERS and _NUMERAL.match(following[1]) is not None
    return line[end - 1] != "." or not (is_initial or is_reference or word in _ABBREVIATIONS)


_SINGULAR = frozenset(
    "people series species bias gas lens atlas canvas specimen regimen abdomen omen acumen stamen "
    "semen".split()
)


def singular(word: str) -> str:
    """The singular of an English noun in lower case by its ending (-ies, -men, -sses, -xes, -ches,
    -shes, -s): cities → city, women → woman; other plurals (children) and words (series, specimen,
    bus) are unchanged."""
    if word in _SINGULAR:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("men"):
        return word[:-2] + "an"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return (
        word[:-1]
        if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3
        else word
    )
