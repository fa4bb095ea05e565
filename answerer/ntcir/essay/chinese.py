"""Essays in Chinese, as far as they differ from Japanese ones: sentences are taken as they are."""

from __future__ import annotations

from answerer.ntcir.essay import japanese

SILENT = ""
STOP = japanese.STOP
WEIGHTS = japanese.WEIGHTS
finished = japanese.finished
cuts = japanese.cuts
closing = japanese.closing
listed = japanese.listed


def is_fit(text: str) -> bool:
    return True


def bare(text: str) -> str:
    return text


def shorter(text: str) -> list[str]:
    return []
