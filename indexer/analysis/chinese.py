"""Chinese text to terms: jieba's segmentation (rjieba), nouns by jieba's tags."""

from __future__ import annotations

import re
import warnings
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from indexer.analysis.name_finder import NameFinder
from indexer.analysis.text import NO_NAMES, clean_term, normalise, read_word_list, split_sentences

_ENDS = re.compile(r"[。！？!?；]+[」』”’）)\]】》]*")
_RUNS = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[a-z0-9]+(?:[.\-'][a-z0-9]+)*|[^\W_]"
)
_NOUN_TAGS = ("n", "eng", "m", "t", "s", "j", "i", "l", "vn", "an")


class ChineseAnalyser:
    """Sentences end at 。！？!? and ；, terms are jieba's words without stop words; runs of a to z
    and digits stay whole, letters of other scripts are one term each.

    Nouns are the terms that jieba.posseg tags as nouns, names, places, times, numbers or set
    phrases. A name of the glossary is one term and one noun more, the term that it names, before
    those of its run.
    """

    def __init__(self, names: Mapping[str, str] = NO_NAMES, *, books: bool = False) -> None:
        """`names` maps each name that is to be found to its term; both are normalised here. Books
        are analysed as other texts are."""
        import rjieba

        self._cut = rjieba.cut
        self._finder = NameFinder(names)
        self._names = {normalise(name): clean_term(normalise(term)) for name, term in names.items()}
        self._stop = frozenset(read_word_list(__package__, "stop-words-zh.txt"))

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text, _ENDS)

    def terms(self, text: str) -> list[str]:
        """Terms of a text in order, repeats kept: jieba's words, runs of a to z and
        digits whole, and letters of other scripts (é) alone, without stop words; the terms of
        glossary names, but for one that is the whole run, come before those of the run in which the
        names begin."""
        return [term for names, run in self._runs(text) for term in (*names, *self._words(run))]

    def nouns(self, text: str) -> list[str]:
        """Nouns of a text in order, repeats kept: those of `terms` that the tagger, which cuts the
        run into words again, calls nouns somewhere in it, every term of a run of a to z or
        digits, and the terms of glossary names."""
        nouns: list[str] = []
        for names, run in self._runs(text):
            tagged = set[str]()
            if not run.isascii():
                tagged.update(
                    pair.word for pair in self._tagger.cut(run) if pair.flag.startswith(_NOUN_TAGS)
                )
            nouns += names
            nouns += [word for word in self._words(run) if run.isascii() or word in tagged]
        return nouns

    def _words(self, run: str) -> list[str]:
        """Terms of a run of one script: jieba's words, or the run itself where it is ASCII; stop
        words are left out."""
        pieces = [run] if run.isascii() else self._cut(run)
        return [term for piece in pieces if (term := clean_term(piece)) and term not in self._stop]

    def _runs(self, text: str) -> Iterator[tuple[list[str], str]]:
        """Yields the runs of a normalised text to be segmented (Han, a to z and digits, or one
        letter of another script), each as (terms, run): the terms of the glossary names that begin
        before the end of the run and were not yet yielded, but for one that equals the run."""
        text = normalise(text)
        names = deque(self._finder.spans(text))
        for run in _RUNS.finditer(text):
            terms = []
            while names and names[0][0] < run.end():
                start, end = names.popleft()
                term = self._names[text[start:end]]
                terms += [term] if term and term != run[0] else []
            yield terms, run[0]

    @cached_property
    def _tagger(self) -> Any:
        """Part-of-speech tagger `jieba.posseg.POSTokenizer`, its dictionary read from jieba's
        package.

        Not from jieba's cache file: jieba trusts any file of that name in the temporary folder, and
        the cache would save only 0.3 of 0.9 s.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # jieba 0.42 imports pkg_resources
            import jieba
            from jieba import posseg

        words = jieba.Tokenizer()
        words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
        words.initialized = True
        return posseg.POSTokenizer(words)
