"""Chinese text to terms: jieba's segmentation (rjieba), nouns by jieba's tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import resources
from typing import Any

from indexer.analysis.text import clean_term, name_pattern, normalise, split_sentences, words_of

_ENDS = re.compile(r"[。！？!?；]+[」』”’）)\]】》]*")
_RUNS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[a-z0-9]+(?:[.\-'][a-z0-9]+)*|[^\W_]")
_NOUN_TAGS = ("n", "eng", "m", "t", "s", "j", "i", "l", "vn", "an")


class ChineseAnalyser:
    """Sentences end at 。！？；; terms are jieba's words without stop words; Latin and digit runs stay whole.

    Nouns are the terms that jieba.posseg tags as nouns, names, places, times, numbers or set phrases.
    Names of the glossary are one term each.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        import rjieba

        self._cut = rjieba.cut
        self._names = name_pattern(names)
        self._stop = words_of(
            resources.files(__package__).joinpath("stop-words-zh.txt").read_text("utf-8").splitlines()
        )

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text, _ENDS)

    def terms(self, text: str) -> list[str]:
        return [word for run, _ in self._runs(text) for word in self._words(run) if word not in self._stop]

    def nouns(self, text: str) -> list[str]:
        found: list[str] = []
        for run, is_name in self._runs(text):
            words = [word for word in self._words(run) if word not in self._stop]
            if is_name or run.isascii():
                found += words
                continue
            tagged = Counter(pair.word for pair in self._tagger.cut(run) if pair.flag.startswith(_NOUN_TAGS))
            found += [word for word in words if tagged[word]]
        return found

    def _words(self, run: str) -> list[str]:
        if run.isascii() or (self._names and self._names.fullmatch(run)):
            return [term] if (term := clean_term(run)) else []
        return [term for word in self._cut(run) if (term := clean_term(word))]

    def _runs(self, text: str) -> Iterator[tuple[str, bool]]:
        """The runs of a text to be segmented, each with whether it is a name of the glossary."""
        text = normalise(text)
        start = 0
        for match in self._names.finditer(text) if self._names else ():
            yield from ((run, False) for run in _RUNS.findall(text[start : match.start()]))
            yield match.group(), True
            start = match.end()
        yield from ((run, False) for run in _RUNS.findall(text[start:]))

    @cached_property
    def _tagger(self) -> Any:
        import logging

        import jieba
        from jieba import posseg

        jieba.setLogLevel(logging.ERROR)
        return posseg
