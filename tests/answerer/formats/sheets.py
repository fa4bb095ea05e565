"""Small answer sheets, written for the tests."""

from __future__ import annotations

from pathlib import Path


def section(
    section_id: str = "A1-1",
    *,
    instruction: str = "Describe the canal, in no more than 20 English words.",
    limit: str = "no more than 20 English words",
    keywords: tuple[str, ...] = (),
    style: str = "description_limited",
    kind: str = "sentence",
    match: str = "broad",
    expressions: tuple[str, ...] = ("(PREASE WRITE YOUR ANSWER)",),
    answer_set: str = 'type="singleton" number="1"',
    answers: int = 1,
    order: str = "-1",
) -> str:
    """One answer_section as the task page prints it."""
    words = "".join(f"<keyword>{word}</keyword>" for word in keywords)
    written = "\n".join(f"<expression>{text}</expression>" for text in expressions)
    answer = (
        f'<answer match_type="{match}" order="{order}" choices="" format_string="" '
        f'length_limit="{limit}">\n'
        f"<expression_set>\n{written}\n</expression_set></answer>\n"
    )
    return (
        f'<answer_section id="{section_id}" '
        f'label="L_{section_id}">\n<question_id>q01</question_id>\n'
        f"<answer_style>{style}</answer_style>\n<answer_type>{kind}</answer_type>\n"
        f"<knowledge_type>KS</knowledge_type>\n<instruction><p>{instruction}</p></instruction>\n"
        f"<reference_set></reference_set>\n<keyword_set>{words}</keyword_set>\n"
        f"<answer_set {answer_set}>\n{answer * answers}</answer_set>\n</answer_section>\n"
    )


def sheet(*sections: str) -> str:
    """A whole sheet."""
    body = "".join(sections)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<answer_sheet ver="0.1">\n{body}</answer_sheet>\n'
    )


def bilingual(english: str, japanese: str) -> str:
    """A sheet of one term section (D-1) in both languages, each with its answer, of at most 4 words
    or 9 characters."""
    locales = "".join(
        f'<locale id="{code}"><answer_style>description_limited</answer_style><answer_type>term_person</answer_type>'
        f"<instruction><p>{asked}</p></instruction>"
        f'<answer_set type="singleton" number="1"><answer match_type="exact" '
        f'length_limit="{limit}"><expression_set>'
        f"<expression>{answer}</expression></expression_set></answer></answer_set></locale>"
        for code, asked, limit, answer in (
            ("en", "Who?", "no more than 4 English words", english),
            ("ja", "誰か。", "9字以内", japanese),
        )
    )
    return f'<answer_sheet ver="0.1"><answer_section id="D-1" label="D">{locales}</answer_section></answer_sheet>'


def write(folder: Path, text: str, name: str = "sheet.xml", encoding: str = "utf-8") -> Path:
    """The text as a file."""
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path
