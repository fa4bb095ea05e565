"""Is the server steady: `python benchmarks/serve_soak.py [--minutes 10]` asks without a pause and
watches its memory.

It serves the sample textbook and sends questions, choices, exams and requests to be refused, so
many at once. A request is lost where its answer is not what was asked for. Memory is that of the
server and its processes together (a page that several share counts once). Ends with status 1 where
a request was lost or memory grew by over a tenth from the second quarter of the time to the last.
"""

from __future__ import annotations

import base64
import http.client
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from indexer.cli.program import run_program

SAMPLES = Path(__file__).parents[1] / "samples"
QUESTION = "In which town did Shah Jahan build the Taj Mahal?"
CHOICES = ["Akbar", "Shah Jahan", "Ashoka"]
GROWTH = 0.1
SECONDS_BETWEEN_LOOKS = 2.0


class Sent(NamedTuple):
    """A request, the status that it must get, and what its answer must hold."""

    name: str
    body: bytes
    status: int
    held: bytes


class Got(NamedTuple):
    """What came of a request: how long it took, and what was wrong with it ("" where nothing
    was)."""

    name: str
    seconds: float
    fault: str


def requests() -> list[Sent]:
    """What is sent, in turn: mostly questions, now and then a file."""
    exam = base64.b64encode((SAMPLES / "sample-exam-en.xml").read_bytes()).decode()
    asked: list[tuple[str, dict[str, Any], int, bytes]] = [
        ("question", {"question": QUESTION}, 200, b'"Agra"'),
        ("evidence", {"question": QUESTION, "evidence": True}, 200, b'"drawn"'),
        (
            "choices",
            {"question": "Who built the Taj Mahal?", "choices": CHOICES},
            200,
            b'"answers"',
        ),
        ("refused", {"question": ""}, 400, b'"error"'),
    ]
    file = {"file": {"name": "exam.xml", "content": exam}, "evidence": True}
    asked = [*asked * 4, ("exam", file, 200, b'"submission"')]
    return [
        Sent(name, json.dumps(value).encode(), status, held) for name, value, status, held in asked
    ]


@contextmanager
def server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server of its own over the sample textbook, and its port."""
    book = str(folder / "book-en")
    indexer = [
        sys.executable,
        "-m",
        "indexer",
        "textbook",
        str(SAMPLES / "textbook-en.jsonl"),
        "--index",
        book,
    ]
    subprocess.run(indexer, check=True, capture_output=True)
    command = [sys.executable, "-m", "answerer", "serve", "--index", book, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r":(\d+)/", process.stderr.readline())
        if not found:
            raise click.ClickException(f"the server did not start: {process.stderr.read()}")
        yield process, int(found[1])
    finally:
        process.terminate()
        process.wait()


def ask(port: int, sent: Sent) -> Got:
    """Send a request; what is wrong with its answer."""
    begun = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("POST", "/answer", sent.body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read()
        right = answer.status == sent.status and sent.held in body
        fault = "" if right else f"status {answer.status}: {body[:200].decode(errors='replace')}"
    except (OSError, http.client.HTTPException) as error:
        fault = f"{type(error).__name__}: {error}"
    finally:
        connection.close()
    return Got(sent.name, time.monotonic() - begun, fault)


def members(process_id: int) -> list[Path]:
    """The folders in /proc of a process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found = [process_id]
    for one in found:
        found += children.get(one, [])
    return [Path("/proc", str(one)) for one in found]


def memory(process_id: int) -> float:
    """What a process and its children hold, in MiB."""
    total = 0
    for folder in members(process_id):
        try:
            text = folder.joinpath("smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total / 1024


def processor_seconds(process_id: int) -> float:
    """The processor time of a process and its children so far."""
    ticks = 0
    for folder in filter(Path.exists, members(process_id)):
        fields = folder.joinpath("stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / 100


def soaked(
    port: int, process_id: int, seconds: float, at_once: int
) -> tuple[list[Got], list[float]]:
    """Ask for so long; what came of every request, and the memory every two seconds."""
    end = time.monotonic() + seconds
    every: list[Got] = []
    held: list[float] = []

    def keep_asking(first: int) -> None:
        kinds = requests()
        turn = first
        while time.monotonic() < end:
            every.append(ask(port, kinds[turn % len(kinds)]))
            turn += 1

    threads = [threading.Thread(target=keep_asking, args=(number,)) for number in range(at_once)]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        held.append(memory(process_id))
        time.sleep(SECONDS_BETWEEN_LOOKS)
    for thread in threads:
        thread.join()
    return every, held


def report(every: list[Got], held: list[float], seconds: float, used: float) -> bool:
    """Print what was seen; whether the server was steady."""
    lost = [one for one in every if one.fault]
    times = sorted(one.seconds for one in every)
    quarter = max(len(held) // 4, 1)
    early, late = (
        statistics.median(held[quarter : 2 * quarter] or held),
        statistics.median(held[-quarter:]),
    )
    by_kind = ", ".join(
        f"{name} {count:,}" for name, count in Counter(one.name for one in every).most_common()
    )
    click.echo(
        f"requests  {len(every):,} in {seconds:.0f} s ({len(every) / seconds:.1f}/s): {by_kind}"
    )
    click.echo(f"lost      {len(lost)}")
    for fault, count in Counter(one.fault for one in lost).most_common(5):
        click.echo(f"          {count} × {fault}")
    median, most = times[len(times) // 2], times[len(times) * 95 // 100]
    click.echo(f"seconds   median {median:.2f}, 95 % below {most:.2f}, longest {times[-1]:.2f}")
    click.echo(
        f"memory    {early:.0f} MiB in the second quarter, {late:.0f} in the last "
        f"({late / early - 1:+.1%})"
    )
    click.echo(f"processor {1000 * used / len(every):.0f} ms a request")
    return not lost and late <= early * (1 + GROWTH)


def compare_with_command(port: int, process_id: int, address: str) -> None:
    """The processor time of a question to the server and of the same to the command, whole
    process."""
    kind = next(one for one in requests() if one.name == "evidence")
    for _ in range(20):
        ask(port, kind)
    before = processor_seconds(process_id)
    for _ in range(100):
        ask(port, kind)
    served = (processor_seconds(process_id) - before) / 100
    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    for _ in range(5):
        command = [sys.executable, "-m", "answerer", "ask", QUESTION, "--index", address]
        subprocess.run(command, check=True, capture_output=True)
    alone = (sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before) / 5
    click.echo(
        f"a question with its evidence costs {1000 * served:.0f} ms of processor time here, "
        f"{1000 * alone:.0f} ms by `answerer ask` ({served / alone:.2f} times)"
    )


@click.command()
@click.option("--minutes", type=click.FloatRange(0.05, 600), default=10.0, help="How long [10].")
@click.option(
    "--at-once", type=click.IntRange(1, 64), default=20, help="Requests under way at any time [20]."
)
def main(minutes: float, at_once: int) -> None:
    """Ask a server of its own without a pause; status 1 where a request is lost or memory grows."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as (process, port):
        compare_with_command(port, process.pid, str(Path(folder) / "book-en"))
        before = processor_seconds(process.pid)
        every, held = soaked(port, process.pid, 60 * minutes, at_once)
        steady = report(every, held, 60 * minutes, processor_seconds(process.pid) - before)
    if not steady:
        sys.exit(1)


if __name__ == "__main__":
    run_program(main, "python benchmarks/serve_soak.py")
