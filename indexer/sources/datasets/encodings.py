"""The encodings and languages of a collection's texts: what a file does not decide by itself is
decided by its dataset's title and by the other files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from indexer.files.charset import likely_encodings
from indexer.files.inputs import MIB
from indexer.files.messages import counted, first_few, warn
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import SAMPLE, detect_language
from indexer.tables.files import TEXT_KINDS, file_kind

_POSTPONED_LIMIT = 64 * MIB  # of texts that wait for the end of an archive
_FEWEST_KANA = 10  # of a Japanese collection's titles one in this number has kana at least
_LANGUAGES = {
    "cp932": JAPANESE,
    "euc-jp": JAPANESE,
    "iso-2022-jp": JAPANESE,
    "gb18030": CHINESE,
    "big5hkscs": CHINESE,
}


def title_language(language: Language, languages: Counter[Language]) -> Language:
    """Japanese for a Chinese `language` of a title where the Japanese titles, counted in
    `languages`, are more than a tenth of the Chinese: statistics of Japan are often called in
    Chinese characters only. Otherwise `language`."""
    if language == CHINESE and languages[JAPANESE] * _FEWEST_KANA > languages[CHINESE]:
        return JAPANESE
    return language


class TextSource(NamedTuple):
    """How a file is read: its encoding, "" for what is not text, and its language."""

    encoding: str
    language: Language


@dataclass
class TextEncodings:
    """The encodings of an archive's texts so far: `counts` of those that were sure, and `doubts`,
    a line for each text that another encoding fits nearly as well; `postponed` bytes wait."""

    counts: Counter[str] = field(default_factory=Counter)
    doubts: list[str] = field(default_factory=list)
    postponed: int = 0

    def postpones(self, data: bytes | None, language: Language) -> bool:
        """Returns whether a file is to be read after the others, for several encodings fit it, and
        counts its bytes as postponed. Beyond 64 MiB in all, and without `data`, no file is."""
        if data is None or self.postponed + len(data) > _POSTPONED_LIMIT:
            return False
        if len(_possible_encodings(data, language)) < 2:
            return False
        self.postponed += len(data)
        return True

    def choose(self, name: str, data: bytes, language: Language) -> TextSource:
        """The encoding and language of a file of a dataset in `language`: of several encodings the
        one that most texts before had for sure, else one of the dataset's language, else the
        likeliest. Adds the text to `counts`, or to `doubts` by `name`. Encoding "" for what is not
        text."""
        possible = _possible_encodings(data, language)
        if not possible:
            return TextSource("", language)
        encoding = possible[0]
        if len(possible) == 1:
            self.counts[encoding] += 1
        else:
            encoding = max(
                possible,
                key=lambda encoding: (self.counts[encoding], _LANGUAGES.get(encoding) == language),
            )
            others = " or ".join(other for other in possible if other != encoding)
            self.doubts.append(f"{name} ({encoding}, may be {others})")
        return TextSource(encoding, _text_language(data, encoding, language))

    def warn_of_doubts(self) -> None:
        """Warns once of the texts that fit several encodings, naming the first ten; not without
        any."""
        if self.doubts:
            warn(
                f"several encodings fit {counted(len(self.doubts), 'texts')}; read as the other "
                f"files and the titles are: {first_few(self.doubts)}"
            )


def _possible_encodings(data: bytes, language: Language) -> tuple[str, ...]:
    """The encodings that a file's bytes allow, the likeliest first; () for what is not text. Of
    several, for a Japanese dataset only the Japanese ones, if there are any."""
    if file_kind(data) not in TEXT_KINDS:
        return ()
    possible = likely_encodings(data)
    if len(possible) > 1 and language == JAPANESE:
        japanese = tuple(encoding for encoding in possible if _LANGUAGES.get(encoding) == JAPANESE)
        return japanese or possible
    return possible


def _text_language(data: bytes, encoding: str, language: Language) -> Language:
    """The language of a text of a dataset in `language`, by its first 40,000 bytes: Japanese with
    kana; in Chinese characters only, that of its encoding; else `language`, as where the encoding
    has none."""
    text = data[: 4 * SAMPLE].decode(encoding, "replace")
    text_language = detect_language(text)
    if text_language == ENGLISH:  # figures, and codes
        return language
    if text_language == JAPANESE:
        return JAPANESE
    return _LANGUAGES.get(encoding, language)
