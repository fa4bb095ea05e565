"""Twenty-odd questions as papers and files print them now and then: each with the columns that a
table must have."""

from __future__ import annotations

from tests.answerer.formats.exam.exams import choices, question

MAP = '<data type="image"><img src="map.png"/><adata field="map">1-青森市,2-熊谷市,3-大阪市,4-那覇市</adata></data>'
TABLE = (
    "<tbl><row><cell>①</cell><cell>ローマ</cell></row><row><cell>②</cell><cell>アテネ</cell></row>"
    "<row><cell>③</cell><cell>スパルタ</cell></row></tbl>"
)


def bare(
    inside: str, attributes: str = 'minimal="yes" anscol="A1" answer_style="multipleChoice"'
) -> str:
    """A question with nothing but what is given."""
    return f'<question id="Q2" {attributes}>{inside}</question>'


# name: (the question, its answer columns, how many choices each has)
ODD: dict[str, tuple[str, list[str], list[int]]] = {
    "choices in the description of a map": (question("位置を選べ", MAP), ["A1"], [4]),
    "the same inside its picture": (
        question(
            "位置を選べ", '<data><img src="m.png"><adata>1-青森市,2-熊谷市</adata></img></data>'
        ),
        ["A1"],
        [2],
    ),
    "the same in choices": (
        question("位置を選べ", '<choices anscol="A1"><adata>１－青森　２－熊谷</adata></choices>'),
        ["A1"],
        [2],
    ),
    "choices in a table": (
        question("都市を選べ", f'<choices anscol="A1">{TABLE}</choices>'),
        ["A1"],
        [3],
    ),
    "choices in a table of the question": (
        question("都市を選べ", f"<data>{TABLE}</data>"),
        ["A1"],
        [3],
    ),
    "choices as plain words": (
        question("選べ", '<choices anscol="A1">① 甲 ② 乙 ③ 丙</choices>'),
        ["A1"],
        [3],
    ),
    "choices as bracketed numbers": (
        question("Choose", "<data>(1) Rome (2) Athens</data>"),
        ["A1"],
        [2],
    ),
    "no choices": (question("①～④のうちから一つ選べ", ""), ["A1"], [0]),
    "empty choices": (question("選べ", '<choices anscol="A1"/>'), ["A1"], [0]),
    "choices without words": (question("選べ", choices("", " ")), ["A1"], [2]),
    "choices that are pictures": (
        question("選べ", choices('<img src="1.png"/>', '<img src="2.png"/>')),
        ["A1"],
        [2],
    ),
    "one choice": (question("選べ", choices("甲")), ["A1"], [1]),
    "nine choices": (question("選べ", choices(*"甲乙丙丁戊己庚辛壬")), ["A1"], [9]),
    "an unknown type of answer": (
        question("選べ", choices("甲", "乙"), "(graph-*)@@2"),
        ["A1"],
        [2],
    ),
    "a type that its choices do not fit": (
        question("選べ", choices("甲", "乙"), "o(symbol-symbol)"),
        ["A1"],
        [2],
    ),
    "a type in letters of another script": (
        question("選べ", choices("甲", "乙"), "（記号）＊２"),
        ["A1"],
        [2],
    ),
    "a question inside a question": (
        question(
            "甲か",
            choices("甲", "乙") + question("乙か", choices("丙", "丁", column="A2"), column="A2"),
        ),
        ["A1", "A2"],
        [2, 2],
    ),
    "a question inside a question without choices": (
        bare(
            "<instruction>甲か</instruction>"
            + question("乙か", choices("丙", "丁", column="A2"), column="A2")
        ),
        ["A1", "A2"],
        [0, 2],
    ),
    "neither instruction nor label": (bare(choices("甲", "乙")), ["A1"], [2]),
    "a column that is only printed": (
        bare(f"<ansColumn>１３</ansColumn>{choices('甲', '乙', column='')}", 'minimal="yes"'),
        ["A13"],
        [2],
    ),
    "two columns, one list of choices": (
        question("選べ", choices("甲", "乙"), column="A1 A2"),
        ["A1", "A2"],
        [2, 2],
    ),
    "two columns, no list": (question("選べ", "", column="A1,A2"), ["A1", "A2"], [0, 0]),
    "combinations of labels that are nowhere": (
        question("選べ", choices("a―正　b―誤", "a―誤　b―正"), "(symbol-TF)*2"),
        ["A1"],
        [2],
    ),
    "references to nothing": (
        question(
            '<ref target="U99">①</ref>',
            choices('<ref target="L99">a</ref>', '<ref target="">b</ref>'),
        ),
        ["A1"],
        [2],
    ),
    "gaps that are nowhere": (
        question(
            "空欄を埋めよ", choices('<ref target="B9">ア</ref>―甲', '<ref target="B9">ア</ref>')
        ),
        ["A1"],
        [2],
    ),
    "no words at all": (question(" ", choices("?", "!")), ["A1"], [2]),
}
