"""English."""

from __future__ import annotations

from indexer.languages.language import Language

ENGLISH = Language(
    "en",
    "English",
    " ",
    "indexer.analysis.english:EnglishAnalyser",
    "indexer.entities.english:EnglishNames",
    encodings=(
        "euc-jp",
        "cp932",
        "cp1252",
    ),  # Japanese ones first: to Western ones all bytes are letters
    date_formats=((14, "m/d/yyyy"), (22, "m/d/yyyy h:mm")),
    packages=("PyStemmer", "textblob"),
)
