"""English."""

from __future__ import annotations

from indexer.files.encoding import JAPANESE_ENCODINGS, WESTERN_ENCODINGS
from indexer.languages.language import Language

ENGLISH = Language(
    "en",
    "English",
    " ",
    "indexer.analysis.english:EnglishAnalyser",
    "indexer.entities.english:EnglishNames",
    encodings=JAPANESE_ENCODINGS + WESTERN_ENCODINGS,  # Japanese ones first: to Western ones all bytes are letters
    tried_encodings=("cp1252", "cp932"),
    date_formats=((14, "m/d/yyyy"), (22, "m/d/yyyy h:mm")),
    packages=("PyStemmer", "textblob"),
)
