"""A bilingual sheet against a schema that does not know `locale`: its own language is checked as if it stood alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.formats.answer_sheet import read_sheet
from answerer.ntcir.sheets import validate
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH

SHEET = """<answer_sheet ver="0.1"><answer_section id="A" label="A"><answer_type>sentence</answer_type>
<locale id="en"><instruction><p>Why?</p></instruction><answer_set><answer length_limit="9 English words">
<expression_set><expression>old</expression></expression_set></answer></answer_set></locale>
<locale id="ja"><instruction><p>なぜ</p></instruction><answer_set><answer length_limit="9字">
<expression_set><expression/></expression_set></answer></answer_set></locale></answer_section></answer_sheet>"""
SCHEMA = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="answer_sheet"><xs:complexType>
<xs:sequence><xs:element name="answer_section"><xs:complexType><xs:sequence><xs:element name="answer_type"/>
<xs:element name="instruction"/><xs:element name="answer_set"/></xs:sequence><xs:anyAttribute processContents="skip"/>
</xs:complexType></xs:element></xs:sequence><xs:attribute name="ver"/></xs:complexType></xs:element></xs:schema>"""


def test_what_stands_in_the_chosen_locale_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sheet.xml").write_text(SHEET, "utf-8")
    (tmp_path / "rules.xsd").write_text(SCHEMA, "utf-8")
    sheet = read_sheet(tmp_path / "sheet.xml", ENGLISH)
    validate(SHEET.replace("old", "new").encode(), tmp_path / "rules.xsd", sheet)
    assert capsys.readouterr().err == ""
    twice = SHEET.replace("</answer_set></locale>\n<locale", "</answer_set><answer_set/></locale>\n<locale")
    with pytest.raises(UserError, match=r"^the submission:3: does not validate against .*'answer_set'"):
        validate(twice.encode(), tmp_path / "rules.xsd", sheet)
    in_the_other = SHEET.replace(
        "</answer_set></locale></answer_section>", "</answer_set><x/></locale></answer_section>"
    )
    validate(in_the_other.encode(), tmp_path / "rules.xsd", sheet)
