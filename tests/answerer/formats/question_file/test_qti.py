"""QTI 1.2 and 2.x, alone and in the packages of learning platforms."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pytest

from answerer.formats.question_file.read import is_xml, read_question_file
from indexer.files.errors import UserError
from tests.answerer.formats.question_file.shown import shown

LABEL = '<response_label ident="{0}"><material><mattext texttype="text/plain">{1}</mattext></material></response_label>'
ITEM = """<item ident="{ident}" title="{title}"><presentation><material>
<mattext texttype="text/html">&lt;p&gt;{text}&amp;nbsp;&lt;/p&gt;</mattext></material>
<response_lid ident="r"><render_choice>{labels}</render_choice></response_lid></presentation>
<resprocessing><respcondition><conditionvar><varequal respident="r">x</varequal></conditionvar>
<displayfeedback linkrefid="f"/></respcondition>
<respcondition><conditionvar><and><varequal respident="r">y</varequal>
<not><varequal respident="r">x</varequal></not></and></conditionvar>
<setvar varname="SCORE">100</setvar></respcondition></resprocessing>
<itemfeedback ident="f"><material><mattext>No.</mattext></material></itemfeedback></item>"""
ESSAY = """<item ident="e" title="Essay"><presentation><material><mattext>Write.</mattext></material>
<response_str ident="r"><render_fib/></response_str></presentation></item>"""
NEW = """<?xml version="1.0"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="{ident}" title="Mill">
<responseDeclaration identifier="R"><correctResponse><value>{right}</value></correctResponse>
</responseDeclaration><itemBody><p>Ann owned the <b>mill</b>.</p><choiceInteraction responseIdentifier="R">
<prompt>Who sold it?</prompt><simpleChoice identifier="a">Bob</simpleChoice>
<simpleChoice identifier="b">Cid<feedbackInline identifier="b">Yes!</feedbackInline></simpleChoice>
</choiceInteraction></itemBody></assessmentItem>"""


def old(*items: str) -> str:
    return f'<?xml version="1.0"?>\n<questestinterop><section>{"".join(items)}</section></questestinterop>'


def item(ident: str, title: str, text: str, *choices: str) -> str:
    labels = "".join(map(LABEL.format, "xyz", choices))
    return ITEM.format(ident=ident, title=title, text=text, labels=labels)


def package(files: Mapping[str, str]) -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        for name, text in {"imsmanifest.xml": "<manifest/>", **files}.items():
            archive.writestr(name, text)
    return file.getvalue()


def test_multiple_choice_and_true_or_false_of_a_package() -> None:
    quiz = old(item("1", "Question", "Who was it?", "Ann", "Bob &lt; Cid"), ESSAY)
    files = {
        "a/a.xml": quiz,
        "again/a.xml.qti": quiz,
        "b.xml": old(item("2", "T", "It is.", "True", "False")),
    }
    parsed = read_question_file(package(files), "quiz.zip")
    assert shown(parsed) == ["1|Who was it?|A=Ann B=Bob < Cid|B", "T|It is.|A=True B=False|B"]
    (essay,) = parsed.rejected
    assert parsed.where("quiz.zip", essay.line) == "quiz.zip: a/a.xml, line 10"
    assert essay.text == "question Essay is not a multiple-choice question: left out"


def test_items_of_the_second_version() -> None:
    files = {"1.xml": NEW.format(ident="1", right="b"), "2.xml": "<assessmentItem><itemBody>"}
    parsed = read_question_file(package(files), "quiz.zip")
    assert shown(parsed) == ["Mill|Ann owned the mill. Who sold it?|A=Bob B=Cid|B"]
    assert [one.text.partition(" (")[0] for one in parsed.rejected] == ["not XML"]


def test_a_file_of_its_own_is_no_exam() -> None:
    data = old(item("1", "Question", "Who?", "Ann", "Bob")).encode()
    assert not is_xml(data)
    assert shown(read_question_file(data, "quiz.xml")) == ["1|Who?|A=Ann B=Bob|B"]


def test_a_package_without_qti_names_what_to_export() -> None:
    with pytest.raises(UserError, match=r"quiz\.zip: a package without .*; export the quiz as QTI"):
        read_question_file(package({"index.html": "<p>"}), "quiz.zip")


def test_items_without_an_identifier_are_all_read() -> None:
    quiz = old(
        item("1", "A", "Who?", "Ann", "Bob"),
        item("", "B", "When?", "Ann", "Bob"),
        item("", "C", "Why?", "Ann", "Bob"),
    ).replace(' ident=""', "")
    parsed = read_question_file(quiz.encode(), "quiz.xml")
    assert [line.split("|")[0] for line in shown(parsed)] == ["A", "B", "C"]
