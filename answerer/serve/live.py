"""The live page: a box for questions, a place for files; answers drawn as the report draws them."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.ntcir.multiple_choice.methods import METHODS
from answerer.page.frame import page
from answerer.serve.limits import MIB, Limits
from answerer.serve.served import Served
from answerer.serve.tasks import task_forms


def live_page(indexes: Sequence[Served], limits: Limits) -> str:
    """The whole page; it asks its own server only."""
    largest = (limits.body - limits.small_body) * 3 // 4  # of a file, whose base64 is a third longer
    forms = [one for one in task_forms().values() if not one.kind or one.kind in {index.kind for index in indexes}]
    return page(
        "answerer.serve",
        "live.html",
        ("answer.css", "live.css"),
        ("answer.js", "live.js"),
        {"largest": largest, "methods": {one.name: one.methods for one in forms}},
        "connect-src 'self'; img-src data:",
        title="classical-qa",
        indexes=indexes,
        methods=METHODS,
        tasks=forms,
        largest=largest // MIB,
        several=[one.name for one in forms if one.further is not None],
    )
