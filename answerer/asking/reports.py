"""A question asked of securities reports: the report that it names, the best table, and the cells
that answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from answerer.asking.replies import Answer, Reply, Source
from answerer.formats.u4 import ReportQuestion
from answerer.u4.task import (
    CELLS,
    TABLES,
    candidates_of,
    find_reports,
    load_ranker,
    money_unit,
    rank_candidates,
)
from indexer.engines.contract import Index
from indexer.sources.reports.schema import stored_reports

LIKELY = 0.3  # probability below which the best answer is doubted, as for datasets


def ask_reports(text: str, index: Index, k: int, evidence: bool) -> Reply:
    """The k most probable cells of the best-matching table in the best-matching report, each with
    the table as source; with `evidence` the reply has the trace row.

    The doubt says if the best value has a probability below `LIKELY` (0.3). No answers, and a
    reason, if no table contains a word of the text.
    """
    (question,) = find_reports([ReportQuestion("ask", text)], index)
    report = next(stored_reports(index, [question.doc_id])) if question.doc_id else None
    if report is None:
        return Reply(index.address, "reports", (), "no table holds a word of the question")
    by_task = {task: load_ranker(task, None) for task in (TABLES, CELLS)}
    ((_, tables, features),) = candidates_of(TABLES, report, [question], by_task[TABLES].learned)
    table = tables[int(np.argmax(by_task[TABLES].parts(features).sum(1)))][0]
    question = question._replace(table_id=table.table_id)
    ((_, cells, features),) = candidates_of(CELLS, report, [question], by_task[CELLS].learned)
    _, row = rank_candidates(
        question, cells, features, by_task[CELLS], money_unit(report), max(k, 1)
    )
    title = " › ".join(table.headings)
    answers = tuple(
        Answer(
            candidate.text,
            candidate.score,
            candidate.derivation,
            (Source(table.table_id, title, candidate.derivation),),
        )
        for candidate in row.candidates[:k]
    )
    likely = row.candidates[0].score
    doubt = "" if likely >= LIKELY else f"the best answer has a probability of {likely:.2f} only"
    reply = Reply(index.address, "reports", answers, doubt)
    return replace(reply, task=CELLS, row=row) if evidence else reply
