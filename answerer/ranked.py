"""Commands, trace and training of the tasks that rank given candidates (DBQA, TBQA, SelQA)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from answerer.learned import RANKING, Learned
from answerer.ranking_methods import METHODS, Scored
from answerer.run import folds_option, model_option, seed_option, task_command, train_command
from answerer.submission import Submission
from answerer.trace import TraceCandidate, TraceEvidence, TraceQuestion, TraceTable, with_rest
from answerer.trace_writer import Trace
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprints
from indexer.files.messages import info, warn
from indexer.formats.labels import CandidateList, candidate_id
from indexer.parameters import CommandLine, InputPath, OneOf, argument, flag, option

if TYPE_CHECKING:
    from indexer.files.arrays import Float64Array
    from indexer.languages.language import Language
    from retriever.learning.conditional_logit import LearningProblem
    from retriever.ranking.ranker import Ranking

_METHODS = "; ".join(f"{name}: {line}" for name, line in METHODS.items())
method_option = option("--method", type=OneOf(tuple(METHODS)), help=f"Ways without training: {_METHODS}.")


def rank_command(answer: Callable[..., Submission], metavar: str, example: str, text: str) -> CommandLine:
    """Builds the command `answerer TASK FILE`, which scores a file's candidates by `answer`; `text` is its help."""
    file = argument("source", metavar=metavar, type=InputPath())
    return task_command(answer, text, example, file, method_option, model_option)


def training_of(learnable: Callable[[str], tuple[Ranking, LearningProblem]]) -> Callable[..., Learned]:
    """Builds a task's training function (files, k, seed, ablation) → `Learned` from `learnable`, which reads one
    labelled file."""

    def train_on(files: Sequence[str], k: int, seed: int, ablation: bool) -> Learned:
        return train_model(files, [learnable(file) for file in files], k, seed, ablation)

    return train_on


def sentences_to_learn(lists: Sequence[CandidateList], ranking: Ranking) -> tuple[Ranking, LearningProblem]:
    """The ranking, unchanged, and the learning problem of its lists of sentences; lists of one `group` stay together in
    cross-validation, and a list without labels has no right candidate."""
    import numpy as np

    from retriever.learning.conditional_logit import LearningProblem

    # A list without labels counts as one without a right candidate.
    gold = np.array([mark for each in lists for mark in (each.gold or (False,) * len(each.candidates))], bool)
    groups = [each.group for each in lists]
    return ranking, LearningProblem(ranking.lists, ranking.families, gold, groups, ranking.types)


def ranker_command(train_on: Callable[..., Learned], metavar: str, example: str, text: str) -> CommandLine:
    """Builds the command `answerer train TASK FILE...`; `train_on` comes from `training_of`, `metavar` names the files
    in the help, `example` is its example call, `text` its description."""
    return train_command(
        train_on,
        text,
        example,
        argument("files", multiple=True, metavar=metavar, type=InputPath()),
        folds_option,
        seed_option,
        flag("--ablation", help="Also print what the figures are without each family."),
    )


def warn_of_language(file: str, questions: Iterable[str], language: Language, other: str = "") -> None:
    """Warns if one of the questions' detected language and the ranking's `language` puts blanks between words and the
    other does not.

    `file` is the path named in the warning, `other` the task name that it suggests instead ("" for no suggestion).
    """
    from indexer.languages.registry import detect_language

    asked = detect_language("\n".join(questions))
    if asked.uses_spaces != language.uses_spaces:
        meant = f": is {other} meant?" if other else ""
        warn(f"{file}: the questions are in {asked.name}, and are ranked as {language.name}{meant}")


def trace_candidates(
    trace: Trace,
    ranking: Ranking,
    made: Scored,
    texts: Sequence[str],
    tables: Sequence[TraceTable | None] = (),
    numbers: Sequence[int] = (),
) -> None:
    """Writes a trace row for each question: its candidates by falling score, with the terms shared with the question
    and the contribution of each feature.

    Ties keep the file's order; contributions below 0.01 are summed up as "rest". `texts` and `tables` have an entry for
    each candidate of the ranking, in order; `numbers` are the questions' numbers in their file, by default from 1.
    Writes nothing if no trace is wanted.
    """
    if not trace.active:
        return
    added, scores = made.added(), made.scores
    matched = ranking.matched_terms()
    starts, sizes = ranking.lists.starts.tolist(), ranking.lists.sizes.tolist()
    for number, (question, start, size) in enumerate(zip(ranking.questions, starts, sizes, strict=True)):
        question_id = str(numbers[number] if numbers else number + 1)
        candidates = []
        for row in sorted(range(start, start + size), key=lambda row: (-scores[row], row)):
            text, score, doc_id = texts[row], float(scores[row]), candidate_id(question_id, row - start)
            candidates.append(
                TraceCandidate(
                    id=str(row - start),
                    text=text,
                    score=score,
                    features=with_rest({name: float(values[row]) for name, values in added.items()}),
                    evidence=(TraceEvidence(doc_id=doc_id, text=text, score=score, terms=matched[row]),),
                    table=tables[row] if tables else None,
                )
            )
        trace.question(
            TraceQuestion(
                question_id=question_id,
                shape=ranking.kinds[number],
                question=question,
                system=(candidates[0].id,),
                candidates=tuple(candidates),
            )
        )


def train_model(
    files: Sequence[str], read: Sequence[tuple[Ranking, LearningProblem]], k: int, seed: int, ablation: bool
) -> Learned:
    """Cross-validates in k folds, then trains on all files; the returned model contains its figures.

    `read` has the ranking and learning problem of each file. `ablation` adds a row of figures for each feature family
    left out. Raises UserError if no question has both a right and a wrong candidate, if there are fewer groups than
    folds, or a file is given twice.
    """
    import numpy as np

    from retriever.learning.conditional_logit import RANKER, concatenate, cross_validate, design, train

    data = fingerprints(files)
    # All files are of one task, and lists of all are learned from alike.
    recipe = read[0][0].recipe
    problem = concatenate([each for _, each in read])
    right = problem.lists.total(problem.gold.astype(float))
    if not ((right > 0) & (right < problem.lists.sizes)).any():
        raise UserError(f"{', '.join(files)}: no question with a right and a wrong candidate to learn from")
    without = int((right == 0).sum())
    if without:
        count = f"{without:,} of {len(problem.lists.sizes):,} questions"
        info(f"{count} have no right candidate: left out of these figures; scoring counts them as 0")
    made = design(problem, recipe)
    options: dict[str, Any] = {"k": k, "seed": seed}
    ways = {f"{RANKER}, cross-validated": cross_validate(made, problem, recipe, **options)}
    for method in ("sum", "bm25", "overlap"):
        ways[f"{method}, untrained"] = np.concatenate([ranking.by_method(method) for ranking, _ in read])
    for family in problem.families if ablation else ():
        # Columns of zeros get no weight, and the design keeps its shape.
        kept = np.array([name != family for name in made.families], bool)
        left = made._replace(matrix=np.where(kept, made.matrix, 0.0))
        ways[f"without {family}"] = cross_validate(left, problem, recipe, **options)
    rows = [{RANKING: name, **ranking_figures(problem, scores)} for name, scores in ways.items()]
    figures = {"folds": k, "seed": seed, "cross-validated": rows[0]}
    settings = {"penalty": recipe.penalty}
    model = train(made, problem.lists.list_of, problem.gold, recipe, data=data, figures=figures, settings=settings)
    how = f"{k} folds by {len(set(problem.groups))} groups, seed {seed}; ties in file order"
    return Learned(model, rows, how=how)


def ranking_figures(problem: LearningProblem, scores: Float64Array) -> dict[str, Any]:
    """Measure name → figure of the scores, (rows,), over the questions with a right candidate: MRR with ties in file
    order and its standard error, MRR with average ties, MAP, Accuracy@1, and the number of questions."""
    from evaluation.measures.ranking import accuracy_at, average_precision, reciprocal_rank

    values: list[tuple[float, float, float, float]] = []
    rounded = scores.round(9).tolist()  # scores that differ only by floating-point error are ties
    for start, size in zip(problem.lists.starts.tolist(), problem.lists.sizes.tolist(), strict=True):
        own, gold = rounded[start : start + size], problem.gold[start : start + size].tolist()
        if any(gold):
            mrr, average = (reciprocal_rank(own, gold, ties) for ties in ("file", "average"))
            values.append((mrr, average, average_precision(own, gold, "file"), accuracy_at(1, own, gold, "file")))
    means = [sum(column) / len(values) for column in zip(*values, strict=True)]
    spread = (sum((row[0] - means[0]) ** 2 for row in values) / max(1, len(values) - 1)) ** 0.5
    return {
        "questions": len(values),
        "MRR": means[0],
        "standard error": spread / len(values) ** 0.5,
        "MRR, average ties": means[1],
        "MAP": means[2],
        "Accuracy@1": means[3],
    }
