"""A checked quiz as text, as CSV, and as a page that loads nothing else."""

from __future__ import annotations

import csv
import io
from collections import Counter
from urllib.parse import quote

from answerer.ntcir.multiple_choice.methods import OUTCOME_WORDS
from answerer.page.frame import PageFiles, page
from answerer.quiz_check.flaws import stem_of
from answerer.quiz_check.judge import STATUSES, CheckedQuestion, CheckedQuiz
from indexer.files.messages import counted

PAGE = PageFiles(__package__, "check.html", ("answer.css", "check.css"), ("check.js",))
COLUMNS = (
    "question",
    "status",
    "probability that the key is wrong",
    "key",
    "best supported",
    "sentence for the key",
    "sentence for the other",
    "flaws",
    "section",
)


def as_csv(quiz: CheckedQuiz) -> str:
    """One row a question, in the order of `quiz.questions`, under a header (`COLUMNS`); a cell is
    empty where nothing is known, flaws are parted by semicolons."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for checked in quiz.questions:
        writer.writerow(
            (
                checked.question.answer_column,
                checked.status,
                "" if checked.wrong is None else f"{checked.wrong:.3f}",
                label_of(checked, checked.key),
                label_of(checked, checked.best),
                _sentence(checked, checked.key),
                _sentence(checked, rival(checked)),
                "; ".join(f"{flaw.rule}: {flaw.detail}" for flaw in checked.flaws),
                checked.section,
            )
        )
    return text.getvalue()


def as_text(quiz: CheckedQuiz) -> str:
    """The quiz for a terminal: a count a status and of sections with a question, then every
    question with a flaw or another status than "key agrees": its flaws, why it is not judged and,
    of another status, the key and the choice that the book supports, with their sentences."""
    counts = Counter(checked.status for checked in quiz.questions)
    lines = [f"{quiz.name}: {counted(len(quiz.questions), 'questions')}"]
    lines += [f"  {counts[status]:4} {status}: {STATUSES[status]}" for status in STATUSES]
    covered = sum(1 for number in quiz.sections.values() if number)
    lines += [f"  sections of the book with a question: {covered} of {len(quiz.sections)}", ""]
    for checked in quiz.questions:
        if checked.status == "key agrees" and not checked.flaws:
            continue
        lines.append(f"{checked.question.answer_column}. {checked.status}")
        lines.append(f"   {stem_of(checked.question)}")
        if checked.reason:
            lines.append(f"   not judged: {checked.reason}")
        if checked.status != "key agrees":
            lines += _choice_lines(checked, "key", checked.key)
            lines += _choice_lines(checked, "book", rival(checked))
        lines += [f"   flaw: {flaw.rule}: {flaw.detail}" for flaw in checked.flaws]
    return "\n".join(lines) + "\n"


def as_page(quiz: CheckedQuiz) -> str:
    """The quiz as an HTML page that loads nothing, with its table (`as_csv`) to download."""
    return page(
        PAGE,
        {},
        title=f"{quiz.name} · checked",
        quiz=quiz,
        statuses=STATUSES,
        counts=Counter(checked.status for checked in quiz.questions),
        flawed=sum(1 for checked in quiz.questions if checked.flaws),
        covered={title: number for title, number in quiz.sections.items() if number},
        uncovered=[title for title, number in quiz.sections.items() if not number],
        csv=f"data:text/csv;charset=utf-8,{quote(as_csv(quiz))}",
        chance=chance,
        stem_of=stem_of,
        rival=rival,
        label_of=label_of,
        is_repeated=is_repeated,
        says=says,
    )


def percent(probability: float) -> str:
    """A probability in whole per cent, never 0 or 100: `under 1 %`, `over 99 %`."""
    if probability < 0.01:
        return "under 1 %"
    return "over 99 %" if probability > 0.99 else f"{100 * probability:.0f} %"


def rival(checked: CheckedQuestion) -> int | None:
    """The position of the likeliest choice that is not the key, the first of equal ones, where it
    is worth showing: None unless the key is doubtful or two choices are supported, and without
    probabilities."""
    if checked.status not in ("key doubtful", "two choices possible"):
        return None
    probabilities = [verdict.probability for verdict in checked.verdicts]
    others = [
        (probability, -position)
        for position, probability in enumerate(probabilities)
        if probability is not None and position != checked.key
    ]
    return -max(others)[1] if others else None


def label_of(checked: CheckedQuestion, position: int | None) -> str:
    """The printed label of a choice, or its number without one; "" for None."""
    if position is None:
        return ""
    choice = checked.question.choices[position]
    return choice.label or choice.number


def key_of(checked: CheckedQuestion) -> str:
    """The key with its label, `A. Rome`; "" without a single one."""
    if checked.key is None:
        return ""
    return f"{label_of(checked, checked.key)}. {checked.question.choices[checked.key].text.plain}"


def _choice_lines(checked: CheckedQuestion, name: str, position: int | None) -> list[str]:
    """A choice with its probability of being right (`chance`) and the sentence found for it, with
    what it is unless the choice's words are there near the question's; nothing for no choice, and
    no sentence where it is shown for the other choice (`is_repeated`) or nothing is judged."""
    if position is None:
        return []
    sentence = _sentence(checked, position)
    text = checked.question.choices[position].text.plain
    likely = chance(checked, position)
    line = f"   {name}: {label_of(checked, position)}. {text}{f' ({likely})' if likely else ''}"
    support = checked.verdicts[position].support if checked.verdicts else None
    if support is None or not sentence or checked.status == "not judged":
        return [line]
    if is_repeated(checked, position):
        return [line, f"      {says(checked, position)}"]
    what = "" if support.outcome == "together" else f"{says(checked, position)}: "
    return [line, f"      {what}“{sentence}”"]


def says(checked: CheckedQuestion, position: int) -> str:
    """What the sentence found for a choice is to it, in words; of one shown for the other choice,
    that it is the same, or, of the key, that none says it. "" without support."""
    support = checked.verdicts[position].support
    if support is None:
        return ""
    words = OUTCOME_WORDS[support.outcome]
    if not is_repeated(checked, position):
        return words
    return words.removesuffix("; the nearest") if position == checked.key else "the same sentence"


def is_repeated(checked: CheckedQuestion, position: int) -> bool:
    """Whether the sentence for the key or the other choice (`rival`) is that of both and shown with
    the other one of the two: with the key, unless the words of the rival alone stand near the
    question's in it."""
    other = rival(checked)
    sentence = _sentence(checked, checked.key)
    if (
        checked.key is None
        or other is None
        or not sentence
        or sentence != _sentence(checked, other)
    ):
        return False
    key_stands, other_stands = (
        support is not None and support.outcome == "together"
        for support in (checked.verdicts[checked.key].support, checked.verdicts[other].support)
    )
    return position == (checked.key if other_stands and not key_stands else other)


def chance(checked: CheckedQuestion, position: int) -> str:
    """The probability of a choice in per cent; "" without one, and for a question that is not
    found or not judged: what the method guesses there says nothing."""
    probability = checked.verdicts[position].probability if checked.verdicts else None
    is_guess = checked.status in ("not found", "not judged")
    return "" if probability is None or is_guess else percent(probability)


def _sentence(checked: CheckedQuestion, position: int | None) -> str:
    """The sentence found for a choice, "" without one."""
    if position is None or position >= len(checked.verdicts):
        return ""
    support = checked.verdicts[position].support
    return support.sentence if support is not None else ""
