"""The programs start quickly: --help loads no heavy module, told by module names, not by the
clock."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from functools import cache

import pytest

from answerer.registry import tasks
from evaluation.registry import tasks as scored_tasks
from indexer.registry import SOURCES

pytestmark = pytest.mark.process

HEAVY = {
    "numpy",
    "scipy",
    "lxml",
    "elasticsearch",
    "jieba",
    "rjieba",
    "python_calamine",
    "rank_bm25",
}
REPORT = """import sys, runpy
sys.argv = {argv!r}
try:
    runpy.run_module({module!r}, run_name='__main__')
except SystemExit as end:
    print('STATUS', end.code)
print('LOADED', *sorted({{name.split('.')[0] for name in sys.modules}}))
"""


@cache
def help_of(module: str) -> tuple[str, set[str]]:
    """What a program prints for --help, and the top-level modules it has loaded by then."""
    script = REPORT.format(argv=[module, "--help"], module=module)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = next(line for line in done.stdout.splitlines() if line.startswith("LOADED"))
    assert "STATUS 0" in done.stdout
    return done.stdout, set(loaded.split()[1:])


@pytest.mark.parametrize("module", ["indexer", "retriever", "answerer", "evaluation"])
def test_help_loads_no_heavy_module(module: str) -> None:
    assert not help_of(module)[1] & HEAVY


@pytest.mark.parametrize(
    ("module", "registry"),
    [("indexer", SOURCES), ("answerer", tasks()), ("evaluation", scored_tasks())],
)
def test_help_lists_every_registered_command(module: str, registry: Iterable[str]) -> None:
    said = help_of(module)[0]
    assert all(name in said for name in registry)
