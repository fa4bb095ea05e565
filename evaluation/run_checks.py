"""What every task checks of a gold file and a run: ids that one of them lacks, files mistaken for others, training."""

from __future__ import annotations

import filecmp
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import first_few, warn


def check_ids(
    gold: str | Path,
    run: str | Path,
    of_gold: Collection[str],
    of_run: Collection[str],
    what: str = "questions",
    missed: str = "which score 0",
) -> None:
    """Warns of the ids that only the gold or only the run has, by name.

    `of_gold` are those with a right answer, `of_run` those that the run answers, `what` the plural of what has ids,
    `missed` what becomes of those that the run lacks.
    UserError where the run answers some and the gold has none of these.
    """
    wanted, given = dict.fromkeys(of_gold), dict.fromkeys(of_run)
    missing = [one for one in wanted if one not in given]
    extra = [one for one in given if one not in wanted]
    if extra and len(extra) == len(given):
        raise UserError(f"{run}: answers none of the {what} of {gold}; expected the same ids")
    if missing:
        warn(f"{run}: no answer to {len(missing)} of {len(wanted)} {what}, {missed}: {first_few(missing)}")
    if extra:
        warn(f"{gold}: no gold for {len(extra)} of the {what} that {run} answers, not scored: {first_few(extra)}")


def check_run(gold: Path, run: Path) -> None:
    """Warns of a run that seems to be something else, and of a model trained on what it is scored on.

    A run with the bytes of its gold; a gold with metadata (FILE.ir-metadata.yml) where the run has none, so that the
    two may be exchanged; a run whose metadata name the gold, or what the run answers, among its training data.
    """
    from retriever.provenance import read_metadata, sidecar_of

    if same_bytes(gold, run):
        warn(f"{run}: the same bytes as the gold {gold}, which is scored against itself")
    elif sidecar_of(gold).is_file() and not sidecar_of(run).is_file():
        warn(f"{gold} has a run's metadata beside it, {run} has none: are they exchanged? The gold comes first")
    warn_of_training(gold, run, read_metadata(run))


def same_bytes(one: Path, other: Path) -> bool:
    """Whether two files hold the same bytes; False for folders."""
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def warn_of_training(gold: Path, run: Path, metadata: Mapping[str, Any] | None) -> None:
    """Warns where a run's metadata name its gold, or what the run answers, among the data of its training."""
    if metadata is None:
        return
    data = _mapping(metadata.get("data"))
    trained = {str(one.get("sha256")): str(one.get("file")) for one in _mappings(data.get("training data"))}
    if not trained:
        return
    scored = {str(one.get("sha256")) for one in _mappings(_mapping(data.get("test collection")).get("topics"))}
    scored |= {str(fingerprint(file)["sha256"]) for file in _files(gold)}
    seen = [trained[digest] for digest in trained if digest in scored]
    if seen:
        warn(f"{run}: made by a model that was trained on {seen[0]}: how well it answers it is no forecast")


def _files(gold: Path) -> Iterator[Path]:
    return (path for path in gold.rglob("*") if path.is_file()) if gold.is_dir() else iter([gold])


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
