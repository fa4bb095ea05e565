"""Scores, commands and traces of the tasks that rank given candidates (DBQA, TBQA, SelQA)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from answerer.models import model_of, model_parameters
from indexer.files.messages import warn
from indexer.files.validation import FileName, validate_choice

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion, TraceTable
    from indexer.files.arrays import Float64Array
    from indexer.languages.language import Language
    from retriever.learning.model import Model
    from retriever.ranking.ranker import Ranking

PACKAGES = ("numpy",)
METHODS = {
    "sum": "a fixed sum of a few features, untrained",
    "bm25": "BM25 with idf from the question's own candidates",
    "rank-bm25": "the rank-bm25 package over the question's own candidates",
    "overlap": "terms of the question in the candidate",
}
_METHODS = "; ".join(f"{name}: {line}" for name, line in METHODS.items())
method_option = click.option(
    "--method", type=click.Choice([*METHODS]), help=f"Ways without training: {_METHODS}."
)


class Scored(NamedTuple):
    """Scores (rows,) of a file's candidates, the method and parameters that gave them, the
    third-party packages used, and the model (None for an untrained method)."""

    scores: Float64Array
    method: str
    parameters: dict[str, Any]
    packages: tuple[str, ...]
    model: Model | None


def score_candidates(
    ranking: Ranking, method: str | None, model: FileName | None, sources: Sequence[str]
) -> Scored:
    """Scores candidates by the untrained `method`, else by the model file (None: the packaged
    model; `none`: the sum). Warns if the model was trained on one of the files `sources`. Raises
    UserError if both are given, and for an unknown method."""
    from retriever.learning.model import warn_if_trained_on
    from retriever.ranking.ranker import DEFAULT, score_by_model, score_untrained

    if method is not None:
        validate_choice(method, METHODS, "method")
    model_path = model_of(ranking.task, model, method)
    if not model_path:
        name = method or DEFAULT
        packages = (*PACKAGES, "rank-bm25") if name == "rank-bm25" else PACKAGES
        return Scored(score_untrained(ranking, name), name, {}, packages, None)
    learned, scores = score_by_model(ranking, model_path)
    warn_if_trained_on(model_path, learned, sources)
    parameters = model_parameters(model_path, learned.data)
    return Scored(scores, learned.ranker, parameters, PACKAGES, learned)


def warn_of_language(
    file: str | Path, questions: Iterable[str], language: Language, other: str = ""
) -> None:
    """Warns if one of the questions' language and the ranking's puts blanks between words and the
    other does not.

    `file` is the path named in the warning, `other` the task name that it suggests instead ("" for
    no suggestion).
    """
    text = "\n".join(questions)
    # As nearly every English file: no language without blanks is ASCII.
    if language.uses_spaces and text.isascii():
        return
    from indexer.languages.registry import detect_language

    text_language = detect_language(text)
    if text_language.uses_spaces != language.uses_spaces:
        meant = f": is {other} meant?" if other else ""
        warn(
            f"{file}: the questions are in {text_language.name}, and are ranked as "
            f"{language.name}{meant}"
        )


def trace_rows(
    ranking: Ranking,
    scored: Scored,
    texts: Sequence[str],
    tables: Sequence[TraceTable] | None = None,
    numbers: Sequence[int] | None = None,
) -> Iterator[TraceQuestion]:
    """Yields the trace row of each question: its candidates by falling score, with the terms shared
    with the question and the contribution of each feature.

    Ties keep the file's order; contributions below 0.01 are summed up as "rest". `texts` and
    `tables` are those of the candidates, in order; `numbers` are the questions' numbers in their
    file, by default from 1.
    """
    from answerer.trace import TraceCandidate, TraceEvidence, TraceQuestion, with_rest
    from indexer.formats.labels import candidate_id
    from retriever.ranking.ranker import model_contributions, untrained_contributions

    model, scores = scored.model, scored.scores
    added = (
        model_contributions(ranking, model)
        if model
        else untrained_contributions(ranking, scored.method)
    )
    matched = [row for block in ranking.blocks() for row in block.matched()]
    for number, (question, start, size) in enumerate(
        zip(ranking.questions, *ranking.lists.spans(), strict=True)
    ):
        question_id = str(numbers[number] if numbers else number + 1)
        candidates = []
        for row in sorted(range(start, start + size), key=lambda row: (-scores[row], row)):
            text = texts[row]
            score = float(scores[row])
            doc_id = candidate_id(question_id, row - start)
            candidates.append(
                TraceCandidate(
                    id=str(row - start),
                    text=text,
                    score=score,
                    features=with_rest(
                        {name: float(values[row]) for name, values in added.items()}
                    ),
                    evidence=(
                        TraceEvidence(doc_id=doc_id, text=text, score=score, terms=matched[row]),
                    ),
                    table=tables[row] if tables else None,
                )
            )
        yield TraceQuestion(
            question_id=question_id,
            shape=ranking.kinds[number],
            question=question,
            system=(candidates[0].id,),
            candidates=tuple(candidates),
        )
