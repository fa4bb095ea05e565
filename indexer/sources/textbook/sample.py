"""The language of a file of running text: as a dump says, else told from the beginning of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from indexer.files.encoding import open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json
from indexer.files.messages import info, warn
from indexer.files.xml import root_element
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, detect_language
from indexer.sources.textbook.documents.reading import document_sample
from indexer.sources.textbook.forms import form_of

_TAG = re.compile(r"<[^<>]*>")
_LINES = 200


def chosen_language(paths: Sequence[str], given: Language | None) -> Language:
    """The language that is given, with a warning where the letters are of another script; else `language_of` the files.

    UserError for a knowledge base.
    """
    for path in paths:
        lines = [line.text for line in islice(open_lines(path, limit=200_000), _LINES) if line.text]
        if lines and all(line.count(" ||| ") == 2 for line in lines):
            raise bad_input(path, None, "a knowledge base", "index it with `python -m indexer triples`")
    if given is None:
        return language_of(paths)
    for path in paths:
        known = told_language(path)
        if known and known.spaced != given.spaced:
            warn(f"{path} is {known} by its letters, and read as {given} as --language says")
    return given


def language_of(paths: Sequence[str]) -> Language:
    """The language of the files by their letters, of a dump as it says. UserError where two differ: each wants an index
    of its own."""
    known: dict[Language, str] = {}
    for path in paths:
        language = told_language(path)
        if language:
            known.setdefault(language, path)
    if len(known) > 1:
        (one, file), (other, second) = list(known.items())[:2]
        raise UserError(
            f"{second} is {other} by its letters, {file} {one}: index each language by itself, or say with "
            f"--language what all of them are"
        )
    if not known:
        return detect_language("")
    language = next(iter(known))
    info(f"language: {language} (by its letters; --language overrides)")
    return language


def told_language(path: str) -> Language | None:
    """The language of a file, None where its beginning holds no letter.

    UserError for a dump in a language that is not known.
    """
    form = form_of(path)
    if form == "dump":
        _, line, attributes = root_element(path)
        code = attributes.get("lang", "").partition("-")[0].lower()
        if code in LANGUAGES:
            return LANGUAGES[code]
        if code:
            expected = f"known are {', '.join(LANGUAGES)}, and --language says which of them to read it as"
            raise bad_input(path, line, f"a dump in the language {code}", expected)
    if form == "pdf" or form == "html" or form == "epub" or form == "docx":
        sample = document_sample(path, form)
    else:
        sample = sample_text(path)
    return detect_language(sample) if any(map(str.isalpha, sample)) else None


def sample_text(path: str) -> str:
    """The beginning of a file's text, to tell its language from; markup and JSON keys removed."""
    lines = islice(open_lines(path, limit=200_000), _LINES)
    return _TAG.sub(" ", "\n".join(_sample_line(line.text) for line in lines if line.text is not None))


def _sample_line(text: str) -> str:
    if not text.startswith("{"):
        return text[:2_000]
    try:
        record = parse_json(text)
    except ValueError:
        return ""
    return str(record.get("text", record.get("question", "")))[:2_000] if isinstance(record, dict) else ""
