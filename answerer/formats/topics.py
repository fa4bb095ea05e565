"""NTCIR QA Lab's files on essay questions: extracted passages, answers judged by an evaluation
method, and nuggets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.answer_sheet import NO_XML, Section, text_of
from answerer.formats.length_limit import Limit, measure
from indexer.files.encoding import numbered_lines, open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn
from indexer.files.validation import is_number, whole
from indexer.files.xml import by_id, line_of, parse_xml, require_attribute

if TYPE_CHECKING:
    from lxml.etree import _Element


def _ranked_topics(path: str | Path, tag: str) -> Iterator[tuple[str, list[tuple[int, _Element]]]]:
    """Yields each TOPIC's id and the (RANK, element) pairs of its `tag` elements, by rank. Raises
    UserError for a file without TOPIC, an id that is missing or repeated, and a RANK that is
    repeated or not a whole number from 1."""
    root = parse_xml(Path(path), ("TOPIC", "TOPIC_SET"))
    topics = [root] if root.tag == "TOPIC" else root.findall("TOPIC")
    if not topics:
        raise bad_input(path, line_of(root), "no TOPIC", "at least one")
    for topic_id, topic in by_id(
        path, topics, "ID", "the id of a section of the answer sheet"
    ).items():
        elements: dict[int, _Element] = {}
        for element in topic.iter(tag):
            printed = (element.get("RANK") or "").strip()
            rank = whole(printed)
            if not rank or rank in elements:
                what = f'RANK {rank} twice in topic "{topic_id}"' if rank else f'RANK "{printed}"'
                raise bad_input(path, line_of(element), what, "a whole number from 1, each once")
            elements[rank] = element
        yield topic_id, sorted(elements.items())


def topics_text(
    topics: Mapping[str, Sequence[ExtractedPassage] | Sequence[JudgedAnswer]], tag: str
) -> str:
    """The text of a topic file: the TOPIC element alone for one topic, a TOPIC_SET for any other
    number. `topics` maps ids to the records of `tag` elements (PASSAGE or ANSWER). Floats have 6
    significant digits; characters that XML forbids are left out of texts."""
    from lxml import etree

    root = etree.Element("TOPIC_SET")
    for topic_id, elements in topics.items():
        parent = etree.SubElement(etree.SubElement(root, "TOPIC", ID=topic_id), f"{tag}_SET")
        for *values, text in elements:
            written = [
                f"{value:.6g}" if isinstance(value, float) else str(value) for value in values
            ]
            # XML 1.0 has no place for control characters: a source text that holds one must not
            # break the file.
            attributes = dict(zip(_ATTRIBUTES[tag], written, strict=True))
            etree.SubElement(parent, tag, attributes).text = NO_XML.sub("", str(text))
    # The task page shows a file of one topic without a set around it.
    root = root[0] if len(root) == 1 else root
    etree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{etree.tostring(root, encoding="unicode")}\n'


_ATTRIBUTES = {
    "PASSAGE": ("RANK", "SOURCE_ID", "SOURCE_ID_TYPE", "SCORE", "NORMALIZED_SCORE"),
    "ANSWER": ("FILE_NAME", "RANK", "SCORE"),
}
# Greatest length of all passages together, in lengths of the answer.
TIMES_THE_LIMIT = 10  # [QALab3], "Extraction XML Format"


class ExtractedPassage(NamedTuple):
    """A passage of an extraction file. `source_type` is in upper case; `score` is the attribute
    SCORE as written; `normalized` is in [0, 1], higher is better."""

    rank: int
    source_id: str
    source_type: str
    score: str
    normalized: float
    text: str


def read_extraction(path: str | Path) -> dict[str, list[ExtractedPassage]]:
    """Reads an extraction file, one TOPIC or a TOPIC_SET ([QALab3], "Extraction XML Format"): topic
    id (that of the sheet's section) → passages by rank.

    SOURCE_ID_TYPE is put in upper case; any value is allowed, as teams also write their own name
    there. Raises UserError with file and line: damaged XML, a missing or repeated topic id, a
    passage without text or SOURCE_ID, a RANK that is not a whole number from 1 or is repeated, a
    NORMALIZED_SCORE that is no number from 0 to 1, a file without TOPIC.
    """
    topics: dict[str, list[ExtractedPassage]] = {}
    for topic_id, ranked in _ranked_topics(path, "PASSAGE"):
        passages = topics.setdefault(topic_id, [])
        for rank, element in ranked:
            text = text_of(element)
            if not text:
                raise bad_input(
                    path, line_of(element), "PASSAGE without text", "the words of the passage"
                )
            source_id = require_attribute(str(path), element, "SOURCE_ID", "a document id or a URL")
            printed = (element.get("NORMALIZED_SCORE") or "").strip()
            normalized = float(printed) if is_number(printed) else -1.0
            if not 0 <= normalized <= 1:
                raise bad_input(
                    path, line_of(element), f'NORMALIZED_SCORE "{printed}"', "a number from 0 to 1"
                )
            kind = (element.get("SOURCE_ID_TYPE") or "").strip().upper()
            passages.append(
                ExtractedPassage(
                    rank, source_id, kind, element.get("SCORE") or "", normalized, text
                )
            )
    return topics


def excess(passages: Sequence[ExtractedPassage], limit: Limit) -> str:
    """A message if the passages together exceed ten times the answer's limit; "" if not, or without
    a limit."""
    if limit.most is None or limit.unit is None:
        return ""
    length, most = (
        sum(measure(passage.text, limit.unit) for passage in passages),
        TIMES_THE_LIMIT * limit.most,
    )
    return f"{length} {limit.unit}, at most {most} are allowed" if length > most else ""


class JudgedAnswer(NamedTuple):
    """An answer of an evaluation-method file, with its rank from 1 and its score, higher is
    better."""

    file_name: str
    rank: int
    score: float
    text: str


def read_judged(path: str | Path) -> dict[str, list[JudgedAnswer]]:
    """Reads an evaluation-method file ([QALab3], "Evaluation method XML Format"): topic id →
    answers by rank.

    A topic of which a SCORE is not a number, such as `**`, is a ranking: each of its scores is its
    negated rank.

    Raises UserError with file and line for damaged XML, no topic, a missing or repeated topic id,
    an answer without FILE_NAME or listed twice in a topic, a RANK that is not a whole number from 1
    or is repeated.
    """
    topics = {}
    for topic_id, ranked in _ranked_topics(path, "ANSWER"):
        answers: dict[str, JudgedAnswer] = {}
        for rank, element in ranked:
            name = require_attribute(str(path), element, "FILE_NAME", "the name of a result file")
            printed = (element.get("SCORE") or "").strip()
            if name in answers:
                what = f'{name} is listed twice in topic "{topic_id}"'
                raise bad_input(path, line_of(element), what, "each answer file once")
            # [QALab3] lets a SCORE be anything, such as **.
            score = float(printed) if is_number(printed) else math.nan
            answers[name] = JudgedAnswer(name, rank, score, text_of(element))
        if any(math.isnan(answer.score) for answer in answers.values()):
            answers = {
                name: answer._replace(score=-float(answer.rank)) for name, answer in answers.items()
            }
        topics[topic_id] = list(answers.values())
    return topics


def read_marks(path: str | Path) -> dict[tuple[str, str], float]:
    """Reads experts' marks, higher is better: (topic id, file name of the answer) → mark.

    The file is an evaluation-method file (by its ending .xml, as `read_judged` reads it) or has
    lines `topic TAB file name TAB mark`; a heading in the first line, blank lines and lines that
    start with # are ignored. Raises UserError with file and line for a line without three fields, a
    mark that is not a number, an answer marked twice, and a file of lines without marks.
    """
    if Path(path).suffix.lower() == ".xml":
        return {
            (topic_id, answer.file_name): answer.score
            for topic_id, answers in read_judged(path).items()
            for answer in answers
        }
    marks: dict[tuple[str, str], float] = {}
    expected = "topic TAB file name TAB mark (a number)"
    for number, text in numbered_lines(open_lines(path), path, expected):
        fields = [field.strip() for field in text.split("\t")]
        # The first line may be a heading.
        if (
            not text.strip()
            or text.startswith("#")
            or (number == 1 and len(fields) == 3 and not is_number(fields[2]))
        ):
            continue
        if len(fields) != 3 or not is_number(fields[2]):
            raise bad_input(path, number, "no mark", expected)
        if (fields[0], fields[1]) in marks:
            raise bad_input(
                path, number, f"{fields[1]} is marked twice for {fields[0]}", "one mark each"
            )
        marks[fields[0], fields[1]] = float(fields[2])
    if not marks:
        raise bad_input(path, None, "no marks", f"lines of {expected}")
    return marks


class NuggetExam(NamedTuple):
    """A question of a nugget file: "complex essay" or "simple essay" ("" if missing), and pairs
    (statement, weight) of all its gold answers. The weight is the mean of the evaluators' scores (1
    to 3), 1 if nobody scored the statement.
    """

    kind: str
    nuggets: list[tuple[str, float]]


def exams_by_section(
    paths: Sequence[str | Path], sections: Sequence[Section]
) -> dict[str, NuggetExam]:
    """Reads nugget files ([QALab3], "Nugget XML Specification"), or the .xml files in a folder and
    its subfolders: section id → the exam that belongs to the section. Sections without exam are
    left out.

    An exam belongs if its id is the section's label, or the label up to a "_"; the longest such id
    of all files counts. Text outside the listed elements and the attribute `length`, which can be
    wrong, are ignored. Warns of files of which no exam belongs to any of the sections. Raises
    UserError with file and line for damaged XML, a missing exam id, one that is repeated in the
    same or another file, an empty proposition, a score other than 1, 2 or 3; if no exam of all
    files belongs, and for a folder without files.
    """
    exams: dict[str, NuggetExam] = {}
    file_of: dict[str, Path] = {}
    files: dict[Path, list[str]] = {}
    for path in _nugget_files(paths):
        elements = by_id(
            path,
            parse_xml(path, ("doc",)).iterfind("exam"),
            "id",
            "the label of a section of the answer sheet",
        )
        files[path] = list(elements)
        for exam_id, exam in elements.items():
            if exam_id in exams:
                what = f'exam "{exam_id}" is in {file_of[exam_id]} too'
                raise bad_input(path, line_of(exam), what, "give the nuggets of an exam once")
            exams[exam_id] = NuggetExam(exam.get("type") or "", _nuggets(path, exam))
            file_of[exam_id] = path
    exam_of: dict[str, str] = {}
    for section in sections:
        # Sheets cut an exam into sections: "1_2" belongs to exam "1" unless an exam "1_2" exists.
        labels = [exam_id for exam_id in exams if f"{section.label}_".startswith(f"{exam_id}_")]
        if labels:
            exam_of[section.section_id] = max(labels, key=len)
    for path, ids in files.items():
        if not set(ids) & set(exam_of.values()):
            what = f"{path}: nuggets of other questions ({', '.join(ids)})"
            if not exam_of:
                raise UserError(f"{what}; expected labels of the sheet's sections")
            warn(f"{what}: left out")
    return {section_id: exams[exam_id] for section_id, exam_id in exam_of.items()}


def _nugget_files(paths: Sequence[str | Path]) -> list[Path]:
    """The files of paths, of a folder the .xml files in it and its subfolders by path, each once.
    Raises UserError for a folder without any."""
    files: dict[Path, None] = {}
    for path in map(Path, paths):
        xml_files = sorted(path.rglob("*.xml")) if path.is_dir() else [path]
        if not xml_files:
            raise UserError(f"{path}: a folder without nugget files; expected .xml")
        files |= dict.fromkeys(xml_files)
    return list(files)


def _nuggets(path: Path, exam: _Element) -> list[tuple[str, float]]:
    """The statements of an exam with their weights: the mean of the evaluators' scores (1, 2 or 3),
    1 for one that nobody scored. Raises UserError for an empty statement and for another score."""
    nuggets = []
    for proposition in exam.iterfind("answer/proposition"):
        text = require_attribute(str(path), proposition, "value", "the text of the nugget")
        scores = []
        for evaluation in proposition.iterfind("evaluation"):
            value = (evaluation.get("value") or "").strip()
            if value not in ("1", "2", "3"):
                raise bad_input(
                    path, line_of(evaluation), f'evaluation value "{value}"', "1, 2 or 3"
                )
            scores.append(int(value))
        # Evaluators score independently; a nugget that nobody scored counts as the lowest.
        nuggets.append((text, sum(scores) / len(scores) if scores else 1.0))
    return nuggets
