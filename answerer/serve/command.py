"""`python -m answerer serve`: the live page and `POST /answer`, for this machine only."""

from __future__ import annotations

import errno
import os
import socket
from functools import partial
from importlib.util import find_spec

from indexer.files.atomic import temporary_folder
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.files.versions import install_hint
from indexer.parameters import (
    address_option,
    command_line,
    input_path,
    integer,
    option,
    word_choice,
)


@command_line(
    "answerer serve --index textbook-en",
    address_option(
        "An index to answer from [all that there are].",
        "addresses",
        multiple=True,
    ),
    option(
        "--books",
        type=partial(input_path, ("*",)),
        multiple=True,
        help="A textbook, or a folder of textbooks, to index first (each once).",
    ),
    option(
        "--host",
        type=partial(word_choice, ("127.0.0.1", "0.0.0.0")),  # noqa: S104 (in a container, which publishes its port)
        default="127.0.0.1",
        help="0.0.0.0 only inside a container, whose port is published on this machine alone.",
    ),
    option(
        "--port",
        type=partial(integer, 0, 65535),
        default=8000,
        help="The port; 0 takes a free one [8000].",
    ),
    option(
        "--jobs",
        type=partial(integer, 2, 256),
        help="Processes that answer, one of them for questions only [processors, 2 or more].",
    ),
)
def command(
    addresses: tuple[str, ...], books: tuple[str, ...], host: str, port: int, jobs: int | None
) -> None:
    """Answer questions and task files in the browser, and for programs with POST /answer.

    It listens to this machine only, and answers no page but its own. Textbooks dropped on the page
    become indexes, which are removed at the end. Press Ctrl-C to stop.
    """
    if not all(map(find_spec, ("jsonschema", "starlette", "uvicorn"))):
        raise UserError(f"the live page needs the extra `web`: {install_hint('web')}")
    from answerer.serve.pool import ServerLimits
    from answerer.serve.served import find_indexes

    if books:
        from answerer.serve.books import index_books

        # Named indexes are served beside the books; without any, all that there are.
        made = index_books(books)
        addresses = (*addresses, *made) if addresses else ()
    indexes = find_indexes(addresses)
    # Opened before the server: a port in use is reported in one line, and port 0 has its number.
    try:
        listening = socket.create_server((host, port), backlog=256)
    except OSError as error:
        why = (
            "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        )
        raise UserError(f"port {port} {why}: choose another with --port") from None
    shown = "127.0.0.1" if host == "127.0.0.1" else "localhost"
    place = f"http://{shown}:{listening.getsockname()[1]}/"
    info(
        f"answering at {place} from {', '.join(one.shown for one in indexes)}; press Ctrl-C to stop"
    )
    from answerer.serve.app import application
    from answerer.serve.http import own_hosts, server

    limits = ServerLimits(jobs=jobs or max(2, os.cpu_count() or 2))
    try:
        with temporary_folder() as folder:
            app = application(indexes, own_hosts(listening.getsockname()[1]), limits, folder)
            server(app, limits).run(sockets=[listening])
    except (KeyboardInterrupt, SystemExit) as stop:
        stop.add_note(f"nothing answers at {place} any more")
        raise
