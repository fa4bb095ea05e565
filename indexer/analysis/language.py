"""Which language a text is in: kana, Han or neither."""

from __future__ import annotations

import re

from indexer.analysis import Language

SAMPLE = 10_000  # characters
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def detect_language(text: str) -> Language:
    """ "ja" where kana stand, "zh" where Han stands without kana, else "en"; by the first 10,000 characters.

    A stray character decides nothing: at least one in a hundred of the letters must be kana or Han.
    """
    sample = text[:SAMPLE]
    letters = sum(character.isalpha() for character in sample)
    kana = len(_KANA.findall(sample))
    han = len(_HAN.findall(sample))
    if (kana + han) * 100 < letters or kana + han == 0:
        return "en"
    return "ja" if kana * 100 >= kana + han else "zh"
