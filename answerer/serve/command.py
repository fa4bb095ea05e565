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
from indexer.parameters import address_option, command_line, integer, option

_HOST = "127.0.0.1"


@command_line(
    "answerer serve --index textbook-en",
    address_option(
        "An index to answer from [those of the usual names that are there].",
        "addresses",
        multiple=True,
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
def command(addresses: tuple[str, ...], port: int, jobs: int | None) -> None:
    """Answer questions and task files in the browser, and for programs with POST /answer.

    It listens to this machine only, and answers no page but its own. Textbooks dropped on the page
    become indexes, which are removed at the end. Press Ctrl-C to stop.
    """
    if not all(map(find_spec, ("jsonschema", "starlette", "uvicorn"))):
        raise UserError(f"the live page needs the extra `web`: {install_hint('web')}")
    from answerer.serve.pool import ServerLimits
    from answerer.serve.served import find_indexes

    indexes = find_indexes(addresses)
    # Opened before the server: a port in use is reported in one line, and port 0 has its number.
    try:
        listening = socket.create_server((_HOST, port), backlog=256)
    except OSError as error:
        why = (
            "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        )
        raise UserError(f"port {port} {why}: choose another with --port") from None
    place = f"http://{_HOST}:{listening.getsockname()[1]}/"
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
