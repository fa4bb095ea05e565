"""The forms in which collections come give the ids, titles and texts that stand in them."""

from __future__ import annotations

import gzip
import io
import shutil
import tarfile
from pathlib import Path

import pytest

from indexer import build_collection
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.files.messages import to_stderr
from indexer.ingest_report import IngestReport
from indexer.sources.collection.records import read_source, source_of
from tests.indexer.tables.open_data import write_tar

FORMS = {
    "a.jsonl": '{"_id": "d1", "title": "Rye", "text": "flour"}\n{"_id": "d2", "text": ""}\n',
    "b.json": '[{"docid": "d1", "title": "Rye", "contents": "flour"},\n {"id": "d2", "body": ""}]',
    "c.trec": "<DOC>\n<DOCNO> d1 </DOCNO>\n<HEADLINE>Rye</HEADLINE>\n<TEXT>\nflour\n</TEXT>\n</DOC>\n"
    "<DOC><DOCNO>d2</DOCNO></DOC>\n",
    "d.tsv": "d1\thttp://x\tRye\tflour\nd2\thttp://y\t\t\n",
    "e.smart": ".I d1\n.T\nRye\n.A\nMiller, J.\n.W\nflour\n.I d2\n.W\n",
    "g.tsv": "docno\ttitle\tcontents\nd1\tRye\tflour\nd2\t\t\n",
    "h.sgml": '<DOC id="d1" type="story" >\n<HEADLINE>\nRye\n</HEADLINE>\n<TEXT>\n<P>\nflour\n</P>\n</TEXT>\n'
    '</DOC>\n<DOC id="d2" type="other" >\n<TEXT>\n</TEXT>\n</DOC>\n',
    "f.xml": "<?xml version='1.0'?>\n<xml>\n<doc>\n<docno>d1</docno>\n<title>Rye</title>\n"
    "<text>flour</text>\n</doc>\n<doc>\n<docno>d2</docno>\n</doc>\n</xml>",
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_form_is_told_by_its_beginning(tmp_path: Path, name: str, packed: bool) -> None:
    path = tmp_path / (f"{name}.gz" if packed else name)
    text = FORMS[name].encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    report = IngestReport()
    records = [record[:3] for record in read_source(source_of(path), (), report)]
    assert records == [("d1", "Rye", "flour"), ("d2", "", "")]
    assert (report.read, report.rejected) == (2, 0)


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        (
            "A list of mills\n<DOC>\n<DOCNO>d1</DOCNO>\n<BYLINE>Miller</BYLINE>\n<TEXT>flour</TEXT>\n"
            "</DOC>\n",
            {"lines outside of documents": 1, "elements that are no text": 1},
        ),
        (".I d1\n.A\nMiller, J.\n.W\nflour\n", {"fields .A": 1}),
        (
            '{"docid": 7, "id": "d1", "text": "flour", "contents": "bran", "headings": ["Rye"], '
            '"url": "", "score": 1, "note": null, "\\u001b": "x"}',
            {"fields contents": 1, "fields headings": 1, "further fields": 1},
        ),
        ("<html><nav>Home</nav><p>flour</p></html>", {"navigation and page feet": 1}),
    ],
)
def test_what_is_no_text_is_counted(tmp_path: Path, text: str, left_out: dict[str, int]) -> None:
    (path := tmp_path / "d1.txt").write_text(text, "utf-8")
    report = IngestReport()
    assert [record[:3] for record in read_source(source_of(path), (), report)] == [
        ("d1", "", "flour")
    ]
    assert report.pieces == left_out


@pytest.mark.parametrize(
    ("name", "text", "warned"),
    [
        ("d.csv", "id,text\nd1,rye\nd2,oat\n", True),
        ("d", "d1\trye\nd2\toat\n", True),
        ("d.tsv", "d1\trye\nd2\toat\n", False),
    ],
)
def test_a_table_that_makes_one_document_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, warned: bool
) -> None:
    (tmp_path / name).write_text(text)
    to_stderr()
    build_collection(tmp_path / name, tmp_path / "ix", language="en")
    told = f"{tmp_path / name}: read as one document; a collection is JSON lines" in (
        capsys.readouterr().err
    )
    assert told == warned


def test_files_of_a_folder_and_of_an_archive_are_documents_by_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    page = b"<html><title>Rye</title><pre>flour\n&amp; water</pre></html>"
    (folder / "X-1.html").write_bytes(page)
    (folder / "X-2.txt").write_text("salt")
    archive = tmp_path / "pages.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for path in sorted(folder.iterdir()):
            info = tarfile.TarInfo(path.name)
            info.size = path.stat().st_size
            tar.addfile(info, io.BytesIO(path.read_bytes()))
    for source in (folder, archive):
        records = [record[:3] for record in read_source(source_of(source), (), IngestReport())]
        assert records == [("X-1", "Rye", "flour & water"), ("X-2", "", "salt")]


def test_a_table_with_line_ends_of_windows_in_an_archive_has_its_columns(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "rye.tar.bz2", {"a.tsv": b"docno\ttext\r\nd1\tflour\r\n"})
    records = [record[:3] for record in read_source(source_of(Path(path)), (), IngestReport())]
    assert records == [("d1", "", "flour")]


@pytest.mark.parametrize("begin", ["[Illustration]", "[1] Rye", '["Rye"]', "[[Rye]]"])
def test_a_text_that_begins_with_words_in_brackets_is_a_document(
    tmp_path: Path, begin: str
) -> None:
    (path := tmp_path / "d1.txt").write_text(f"{begin}\n\nflour\n")
    records = [record[:3] for record in read_source(source_of(path), (), IngestReport())]
    assert records == [("d1", "", f"{begin}\n\nflour")]


def test_an_image_is_refused_and_left_out_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "X-1.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "X-2.txt").write_text("salt")
    with pytest.raises(UserError) as refused:
        list(read_source(source_of(folder / "X-1.png"), (), IngestReport()))
    assert str(refused.value).startswith(f"{folder / 'X-1.png'}: a PNG image; ")
    assert "expected JSON lines" in str(refused.value)
    report = IngestReport()
    assert [record.doc_id for record in read_source(source_of(folder), (), report)] == ["X-2"]
    assert (report.read, report.rejected) == (2, 1)


def test_documents_that_follow_on_a_line_are_kept_apart(tmp_path: Path) -> None:
    (path := tmp_path / "rye.trec").write_text(
        "<DOC><DOCNO>d1</DOCNO><TEXT>rye</TEXT></DOC><DOC><DOCNO>d2</DOCNO><TEXT>oat</TEXT></doc> <DOC>\n"
        "<DOCNO>d3</DOCNO>\n<TEXT>bran</TEXT>\n</DOC> chaff\n"
    )
    report = IngestReport()
    records = [(record.doc_id, record.text) for record in read_source(source_of(path), (), report)]
    assert records == [("d1", "rye"), ("d2", "oat"), ("d3", "bran")]
    assert report.pieces == {"lines outside of documents": 1}


def test_a_beir_folder_is_its_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(FORMS["a.jsonl"])
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "flour"}\n')
    ids = [record.doc_id for record in read_source(source_of(tmp_path), (), IngestReport())]
    assert ids == ["d1", "d2"]


def test_what_stands_beside_the_documents_of_a_folder_is_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "rye"
    folder.mkdir()
    texts = {
        "README.md": "A collection about rye.\n",
        "asked.trec": "<top>\n<num> Number: 1\n<title> rye\n</top>\n",
        "documents.trec": FORMS["c.trec"],
        "judged.txt": "1 0 d1 1\n1 0 d2 0\n",
        "queries.txt": "<DOC>\n<DOCNO> 1 </DOCNO>\nrye\n</DOC>\n",
        "topical.html": "<html><p>oats</p></html>",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    to_stderr()
    built = build_collection([folder], tmp_path / "ix")
    assert built.documents == {"documents": 2, "empty": 1}
    lines = capsys.readouterr().err.splitlines()
    assert f"{folder}: 2 files: 1 HTML, 1 TREC" in lines
    left_out = [line for line in lines if line.startswith("left out ")]
    assert left_out == [
        f"left out {folder}/README.md: a README or licence",
        f"left out {folder}/asked.trec: topics",
        f"left out {folder}/judged.txt: judgements (qrels)",
        f"left out {folder}/queries.txt: topics or qrels by its name",
    ]
    named = build_collection([folder / "README.md"], tmp_path / "readme")
    assert named.documents["documents"] == 1


@pytest.mark.parametrize("packed", [False, True])
def test_what_is_hidden_in_a_folder_or_archive_or_a_licence_is_no_document(
    tmp_path: Path, packed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [".git/a.txt", ".DS_Store", "__MACOSX/._at 9:30.txt", "LICENSE", "sub/at-9:30.txt"]
    for name in names:
        (path := tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        path.write_text("rye\n")
    source = tmp_path / "in"
    if packed:
        source = Path(shutil.make_archive(str(tmp_path / "out"), "zip", source))
    to_stderr()
    build_collection([source], tmp_path / "ix")
    (record,) = read_source(source_of(source), (), IngestReport())
    assert record.doc_id == "at-9:30"
    told = capsys.readouterr().err
    counts = "left out of the text: hidden files 3, READMEs and licences 1"
    assert (counts if packed else f"left out {source}/LICENSE: a README or licence") in told


def test_a_folder_without_documents_says_what_its_files_are(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n")
    with pytest.raises(UserError, match=r"qrels\.txt is judgements \(qrels\)"):
        build_collection([tmp_path], tmp_path / "ix")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"text": "x"}', "no id"),
        ('{"id": "a"}', "no text"),
        ('{"id": "a b", "text": "x"}', "the id 'a b'"),
        ("x y", "no JSON object"),
    ],
)
def test_a_bad_record_is_rejected_with_its_line(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(f'{{"id": "d1", "text": "x"}}\n{line}\n')
    report = IngestReport()
    assert len(list(read_source(source_of(path), (), report))) == 1
    assert report.examples[0].startswith(f"{path}:2: {reason}")


def test_a_table_without_a_text_column_has_no_documents(tmp_path: Path) -> None:
    (path := tmp_path / "c.tsv").write_text("id\tabstract\nd1\trye\n")
    report = IngestReport()
    assert not list(read_source(source_of(path), (), report))
    assert report.examples[0].startswith(f"{path}:2: no text; expected ")


def test_an_id_that_repeats_is_refused_with_both_places(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "d1", "text": "rye"}\n')
    (tmp_path / "b.jsonl").write_text('{"id": "d0", "text": "oat"}\n{"id": "d1", "text": ""}\n')
    with pytest.raises(UserError) as caught:
        build_collection([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], tmp_path / "ix")
    assert str(caught.value).startswith(
        f"{tmp_path}/b.jsonl:2: the id 'd1' stands in {tmp_path}/a.jsonl:1 already"
    )


def test_records_keep_their_ids_and_empty_ones_are_kept_apart(tmp_path: Path) -> None:
    records = ({"id": number, "text": text} for number, text in enumerate(("rye", "", "oat")))
    built = build_collection(records, tmp_path / "ix", language="en")
    assert built.documents == {"documents": 2, "empty": 1}
    index = open_index(str(tmp_path / "ix"))
    assert [document.doc_id for document in index.part().scan()] == ["0", "2"]
    assert [document.doc_id for document in index.part("empty").scan()] == ["1"]


def test_records_of_no_json_leave_the_others_in_the_index(tmp_path: Path) -> None:
    records = [
        {"id": "d1", "text": "rye", ("a", "tuple"): 1},
        {"id": "d2", "text": "half of a surrogate pair \ud83d"},
    ]
    built = build_collection(records, tmp_path / "ix", language="en", allow_rejects=True)
    assert (built.documents["documents"], built.rejected) == (1, 1)
