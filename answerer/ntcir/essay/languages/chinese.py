"""Essays in Chinese, as far as they differ from Japanese ones: sentences are taken as they are."""

from __future__ import annotations

import re

from answerer.ntcir.essay.languages import japanese

SILENT = ""
STOP = japanese.STOP
WEIGHTS = japanese.WEIGHTS
FURTHER_SIGNALS: tuple[str, ...] = japanese.FURTHER_SIGNALS
CHOSEN_FROM = japanese.CHOSEN_FROM
finished = japanese.finished
cuts = japanese.cuts
closing = japanese.closing
listed = japanese.listed
_LEANING = re.compile(r"^(?:这|那|此|其|他|她|它|该|同[年月时样]|[之随而]后|后来|因此|于是|但|然而|不过|而且|另外)")


def is_fit(text: str) -> bool:
    return True


def leans(text: str) -> bool:
    return _LEANING.search(text) is not None


def bare(text: str) -> str:
    return text


def shorter(text: str) -> list[str]:
    return []
