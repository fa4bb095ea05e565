"""Japanese text to terms: MeCab with ipadic, base forms, no particles."""

from __future__ import annotations

import re
from collections.abc import Sequence

import ipadic
import MeCab

from indexer.analysis.text import clean_term, name_pattern, normalise, split_sentences

_ENDS = re.compile(r"[。！？!?]+[」』）)\]】]*")
# ipadic's numbers of the parts of speech (its pos-id.def): short to print, and a third faster to read than their names.
_NO_TERMS = frozenset({*range(10), *range(13, 26)})  # その他, フィラー, 記号; 助詞, 助動詞
_NOUNS = frozenset({*range(36, 68)} - {59, 60, 63, 64, 65, 66})  # 名詞 without 代名詞 and 非自立
# What MeCab prints of a morpheme: that number, and the base form (the surface of an unknown word, which has none).
_FORMAT = r" -F%h,%f[6]\\n -U%h,%m\\n -E\\n"
_NAME = "\t名詞,固有名詞,一般\n"  # the reading forced on a name, in MeCab's input format for partly parsed text


class _Terms(dict[str, str]):
    """Memory of what MeCab printed: morpheme → its term, "" where it is none."""

    def __missing__(self, morpheme: str) -> str:
        number, _, base = morpheme.partition(",")
        term = clean_term(normalise(base))
        is_term = number.isdigit() and int(number) not in _NO_TERMS and any(map(str.isalnum, term))
        self[morpheme] = term if is_term else ""
        return self[morpheme]


def _is_noun(morpheme: str) -> bool:
    number = morpheme.partition(",")[0]
    return number.isdigit() and int(number) in _NOUNS


class JapaneseAnalyser:
    """Sentences end at 。！？ with the brackets that close there; terms are base forms.

    Nouns are 名詞 but for 代名詞 and 非自立; 助詞, 助動詞 and 記号 are no terms. Names of the glossary are
    forced on MeCab as one proper noun each, without a compiled dictionary.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._parse = MeCab.Tagger(ipadic.MECAB_ARGS + _FORMAT).parse
        self._names = name_pattern(names)
        self._parse_partly = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -p{_FORMAT}").parse if self._names else None
        self._term = _Terms()

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text, _ENDS)

    def terms(self, text: str) -> list[str]:
        return [term for term in map(self._term.__getitem__, self._morphemes(text)) if term]

    def nouns(self, text: str) -> list[str]:
        return [term for each in self._morphemes(text) if _is_noun(each) and (term := self._term[each])]

    def _morphemes(self, text: str) -> list[str]:
        printed = "".join(map(self._printed, normalise(text).splitlines()))
        return printed.split("\n")

    def _printed(self, line: str) -> str:
        matches = self._names.finditer(line) if self._names else ()
        spans = [match.span() for match in matches if _stands_alone(line, *match.span())]
        if not spans or self._parse_partly is None:
            return str(self._parse(line))
        pieces, position = [], 0
        line = line.replace("\t", " ")
        for start, end in spans:
            if position < start:
                pieces.append(f"{line[position:start]}\n")
            pieces.append(f"{line[start:end]}{_NAME}")
            position = end
        return str(self._parse_partly("".join(pieces) + f"{line[position:]}\nEOS"))


def _stands_alone(line: str, start: int, end: int) -> bool:
    """Whether a name is not cut out of a longer run of katakana (or of Latin letters or digits)."""
    before, after = line[start - 1 : start], line[end : end + 1]
    return not (_same_run(before, line[start]) or _same_run(line[end - 1], after))


def _same_run(left: str, right: str) -> bool:
    if not left or not right:
        return False
    return (_is_katakana(left) and _is_katakana(right)) or (
        left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
    )


def _is_katakana(character: str) -> bool:
    return "ァ" <= character <= "ヺ" or character == "ー"
