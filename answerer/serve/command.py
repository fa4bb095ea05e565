"""`python -m answerer serve`: the live page and `POST /answer`, for this machine only."""

from __future__ import annotations

import errno
import os
import socket
from importlib.util import find_spec
from pathlib import Path

import click

from answerer.registry import tasks
from indexer.address import Location
from indexer.cli.types import Address, Command, InputFile
from indexer.files.atomic import temporary_folder
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.files.versions import OURS, install_hint, versions, written_at

_THIS_MACHINE = "127.0.0.1"
_EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 (in a container, which publishes its port)


@click.command(cls=Command, example="serve --index textbook-en")
@click.option(
    "--index",
    "addresses",
    metavar="ADDRESS",
    type=Address(),
    multiple=True,
    help="An index to answer from [all that there are].",
)
@click.option(
    "--books",
    type=InputFile(inside=("*",)),
    multiple=True,
    help="A textbook, or a folder of textbooks, to index first (each once).",
)
@click.option(
    "--task",
    metavar="NAME",
    type=click.Choice([*tasks()]),
    help="The task of every file that is sent without one [by the file's beginning].",
)
@click.option(
    "--host",
    type=click.Choice([_THIS_MACHINE, _EVERY_ADDRESS]),
    default=_THIS_MACHINE,
    help=f"{_EVERY_ADDRESS} is for a container, whose port this machine alone publishes "
    f"[{_THIS_MACHINE}].",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    help="The port; 0 takes a free one [8000].",
)
@click.option(
    "--jobs",
    type=click.IntRange(2, 256),
    help="Processes that answer, one of them for questions only [processors, 2 or more].",
)
def command(
    addresses: tuple[Location, ...],
    books: tuple[Path, ...],
    task: str | None,
    host: str,
    port: int,
    jobs: int | None,
) -> None:
    """Answer questions and task files in the browser, and for programs with POST /answer.

    It listens to this machine only, and answers no page but its own. Textbooks dropped on the page
    become indexes, which are removed at the end. Press Ctrl-C to stop.
    """
    if not all(map(find_spec, ("jsonschema", "starlette", "uvicorn"))):
        raise UserError(f"the live page needs the extra `web`: {install_hint('web')}")
    from answerer.serve.app import application
    from answerer.serve.books import index_books
    from answerer.serve.http import own_hosts, server
    from answerer.serve.pool import ServerLimits
    from answerer.serve.served import find_indexes, require_kind

    book_addresses = index_books(books)
    # Named indexes are served beside the books; without any, all that there are.
    indexes = find_indexes((*addresses, *book_addresses) if addresses else ())
    if task is not None and (indexes or tasks()[task].index != "textbook"):
        require_kind(tasks()[task], indexes)
    # Opened before the server: a port in use is reported in one line, and port 0 has its number.
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    shown = "localhost" if host == _EVERY_ADDRESS else host
    page = f"http://{shown}:{port}/"
    names = ", ".join(index.shown for index in indexes)
    start = f"from {names}" if names else "once a textbook is dropped there"
    program = f"{OURS} {versions(()).get(OURS, '')}".rstrip()
    info(f"answering at {page} {start}; {program} of {written_at()}; press Ctrl-C to stop")
    limits = ServerLimits(jobs=jobs or max(2, os.cpu_count() or 2))
    try:
        with temporary_folder() as folder:
            app = application(indexes, own_hosts(port), limits, folder, task)
            server(app, limits).run(sockets=[listening])
    except (KeyboardInterrupt, SystemExit) as stop:
        stop.add_note(f"nothing answers at {page} any more")
        raise


def _listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections. Raises UserError for a port that cannot be used."""
    try:
        return socket.create_server((host, port), backlog=256)
    except OSError as error:
        why = f"cannot be used ({error.strerror})"
        if error.errno == errno.EADDRINUSE:
            why = "is in use"
        raise UserError(f"port {port} {why}: choose another with --port") from None
