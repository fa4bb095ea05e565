"""A knowledge base read in ranges, each by itself, is the one read from its beginning to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.address import open_index
from indexer.build import BuildOptions
from indexer.files.errors import UserError
from indexer.ingest_report import IngestReport
from indexer.sources.triples import build as reading
from indexer.sources.triples.build import Predicates, build, cut_at_subjects, in_ranges, knowledge_base_items, read_runs
from indexer.sources.triples.schema import character_counts


class Here:
    """This process as the only machine, which calls at once."""

    size = 4

    def each(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], label: str = "") -> list[Any]:
        return [function(*arguments) for arguments in calls]

    def each_many(
        self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], count: int, label: str = ""
    ) -> list[Any]:
        return [list(function(*arguments)) for arguments in calls]

    def value(self, promise: Any) -> Any:
        return promise


SUBJECTS = ("李明", "李明(教授)", "《李明》", "北京", "", " 北京 ")
PREDICATES, VALUES = ("国籍", "国 籍", "", "姓名[1]"), ("中国", "", "a\tb")
LINES = st.one_of(
    st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(PREDICATES), st.sampled_from(VALUES)).map(" ||| ".join),
    st.sampled_from(["no triple", "", "李明|||别名|||小明"]),
)


@given(lines=st.lists(LINES, min_size=1, max_size=40), encoding=st.sampled_from(["utf-8", "utf-8-sig", "gb18030"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_ranges_give_what_the_whole_gives(
    lines: list[str], encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LEAST_BYTES", 1)
    path = tmp_path / "facts.kb"
    path.write_bytes("\n".join(lines).encode(encoding))
    whole, pieced = IngestReport(kept=StringIO()), IngestReport(kept=StringIO())
    if not any(True for _ in read_runs(str(path), Predicates(), IngestReport())):
        with pytest.raises(UserError, match="no triple in it"):
            in_ranges(Here(), str(path), "facts")  # type: ignore[arg-type]
        return
    *runs, counts = knowledge_base_items(str(path), "facts", whole)
    pieces, predicates = in_ranges(Here(), str(path), "facts")  # type: ignore[arg-type]
    assert [run for piece in pieces for run in piece.source.records(pieced)] == runs
    assert pieced == whole
    assert isinstance(pieced.kept, StringIO)
    assert isinstance(whole.kept, StringIO)
    assert pieced.kept.getvalue() == whole.kept.getvalue()
    assert character_counts(predicates) == counts


def test_a_first_line_without_a_subject_is_rejected(tmp_path: Path) -> None:
    path, tally = tmp_path / "facts.kb", IngestReport()
    path.write_text(" ||| 国籍 ||| 中国\n李明 ||| 国籍 ||| 中国\n", "utf-8")
    assert [run.subject for run in read_runs(str(path), Predicates(), tally)] == ["李明"]
    assert (tally.read, tally.rejected) == (2, 1)


def test_a_range_ends_where_the_next_subject_begins(tmp_path: Path) -> None:
    path = tmp_path / "facts.kb"
    lines = [f"{subject} ||| 国家 ||| 意大利\n".encode() for subject in ("罗马", "罗马", "罗马", "米兰", "都灵")]
    path.write_bytes(b"".join(lines))
    width = len(lines[0])
    found = cut_at_subjects(str(path), 5 * width, 2)
    # byte 2.5 widths is in the third 罗马, so that the line after it is the first looked at: 米兰, and 都灵 is another
    assert [(each.start, each.stop) for each in found] == [(0, 4 * width), (4 * width, 5 * width)]


def test_the_index_of_several_processes_is_that_of_one(
    elasticsearch_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LEAST_BYTES", 1_000)
    kb, mentions = tmp_path / "facts.kb", tmp_path / "mentions.txt"
    kb.write_text(
        "".join(f"罗马{n % 700} ||| 国家{n % 7} ||| 意大利{n}\n" for n in range(2_000)) + "damaged\n", "utf-8"
    )
    mentions.write_text("永恒之城 ||| 罗马1\t罗马2\n", "utf-8")
    for address, jobs in ((str(tmp_path / "one"), 1), (elasticsearch_address, 2)):
        rejects = str(tmp_path / f"rejects-{jobs}")
        build([str(kb)], str(mentions), address, BuildOptions(jobs=jobs, rejects=rejects))
    one, several = open_index(str(tmp_path / "one")), open_index(elasticsearch_address)
    for part in ("subjects", "mentions", "statistics"):
        assert list(several.part(part).scan()) == list(one.part(part).scan())
    assert (tmp_path / "rejects-1").read_text() == (tmp_path / "rejects-2").read_text()
    several.close()
