"""Essays in Chinese, as far as they differ from Japanese ones: sentences are taken unchanged."""

from __future__ import annotations

import re

from answerer.ntcir.essay import japanese

TASK_WORDS = ""
STOP = japanese.STOP
WEIGHTS = japanese.WEIGHTS
FURTHER_FEATURES: tuple[str, ...] = japanese.FURTHER_FEATURES
SOLVED_FROM = japanese.SOLVED_FROM
with_stop = japanese.with_stop
closing_clause = japanese.closing_clause
keyword_list = japanese.keyword_list
_ANAPHORIC = re.compile(r"^(?:这|那|此|其|他|她|它|该|同[年月时样]|[之随而]后|后来|因此|于是|但|然而|不过|而且|另外)")


def is_fit(text: str) -> bool:
    return True


def depends_on_previous(text: str) -> bool:
    return _ANAPHORIC.search(text) is not None


def bare(text: str) -> str:
    return text


def shorter_forms(text: str, tight: bool) -> list[str]:
    return japanese.endings(text) if tight else []
