"""English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from indexer.languages.language import Language

if TYPE_CHECKING:
    from indexer.analysis import Analyser
    from indexer.entities import Recogniser


def _analyser(names: Mapping[str, str]) -> Analyser:
    from indexer.analysis.english import EnglishAnalyser

    return EnglishAnalyser(names)


def _recogniser(names: Sequence[str]) -> Recogniser:
    from indexer.entities.english import EnglishNames

    return EnglishNames(names)


ENGLISH = Language(
    "en",
    "English",
    " ",
    _analyser,
    _recogniser,
    encodings=("euc-jp", "cp932", "cp1252"),  # the first two: English texts of Japanese origin
    tried_encodings=("cp1252", "cp932"),
    date_formats=((14, "m/d/yyyy"), (22, "m/d/yyyy h:mm")),
    packages=("PyStemmer", "textblob"),
)
