"""Open data built by several processes: the index of one, second copies of files found over all
archives."""

from __future__ import annotations

import shutil
from pathlib import Path

from indexer.build import BuildOptions
from indexer.engines.opening import open_index
from indexer.sources.datasets.build import build
from tests.places import SAMPLES


def test_the_index_of_several_processes_is_that_of_one(
    elasticsearch_address: str, tmp_path: Path
) -> None:
    archives = [tmp_path / "first.tar.bz2", tmp_path / "second.tar.bz2"]
    for archive in archives:  # every file of the second is a second copy
        shutil.copy(SAMPLES / "datasearch-data.tar.bz2", archive)
    files = [str(SAMPLES / "datasearch-collection.jsonl.bz2"), *map(str, archives)]
    for address, jobs in ((str(tmp_path / "one"), 1), (elasticsearch_address, 2)):
        rejects = str(tmp_path / f"rejects-{jobs}")
        build(files, address, None, BuildOptions(jobs=jobs, rejects=rejects, allow_rejects=True))
    one, several = open_index(str(tmp_path / "one")), open_index(elasticsearch_address)
    for part in ("tables", "datasets", "files"):
        assert list(several.part(part).scan()) == list(one.part(part).scan())
    several.close()
    rejected = (tmp_path / "rejects-1").read_text("utf-8")
    assert (tmp_path / "rejects-2").read_text("utf-8") == rejected
    assert "a file that came before" in rejected
