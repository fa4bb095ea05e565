"""Questions in plain words from a file, one a line."""

from __future__ import annotations

from answerer.formats.question_file.parts import file_bytes, text_of_file
from indexer.files.errors import bad_input
from indexer.files.messages import info


def questions_of(path: str) -> list[tuple[str, str]]:
    """The questions of a file, each with its id: one a line, `QUESTION` or `ID TAB QUESTION`; else the line's number.

    Blank lines are skipped, and counted on stderr. UserError with file and line for a line that cannot be read or has
    two tabs or more, for an id without a question, and for a file without questions.
    """
    expected = "expected a question a line, or ID TAB QUESTION"
    found: list[tuple[str, str]] = []
    blank = 0
    for number, line in enumerate(text_of_file(file_bytes(path), path).split("\n"), 1):
        name, _, text = line.strip(" \r").rpartition("\t")
        if not line.strip():
            blank += 1
        elif not text.strip() or "\t" in name:
            raise bad_input(path, number, "no question" if not text.strip() else "more than one tab", expected)
        else:
            found.append((name.strip() or str(number), text.strip()))
    blank -= line == ""  # behind the last line end
    if not found:
        raise bad_input(path, 1, "no question in it", expected)
    if blank:
        info(f"{path}: {len(found)} questions, {blank} blank lines skipped")
    return found
