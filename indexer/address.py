"""Resolution of an index's address to its location."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote

from indexer.files.errors import UserError
from indexer.files.messages import first_few
from indexer.registry import sources

_NAME = re.compile(r"[^\W\d_][\w-]*")
_NAME_BYTES = 200  # a server takes 255, with part, number and more
_NAME_OF_FILE = 60  # characters
SERVER_VARIABLE = "ELASTICSEARCH_URL"
FOLDER_VARIABLE = "CLASSICAL_QA_INDEXES"
LOCAL_SERVER = ("localhost", 9200)  # where docker-compose.yml and `make elasticsearch` put one
SECONDS_FOR_LOCAL_SERVER = 0.3  # of each step; on this machine an answer takes milliseconds
_LABEL = r"[\w-]{1,63}"
_SERVER = re.compile(
    rf"https?://([^/]*@)?(\[[0-9A-Fa-f:.]+\]"
    rf"|{_LABEL}(\.{_LABEL})*\.?)(:(?P<port>[0-9]{{1,5}}))?(/[^?#]*)?"
)


@dataclass(frozen=True)
class Location:
    """Location of an index: a folder of the embedded engine, or a name on Elasticsearch servers.

    `servers` are the URLs to connect to, as the user wrote them; they may contain a password and
    are never shown. `shown` is the location in messages and traces, without passwords.
    """

    shown: str
    folder: Path | None = None
    servers: tuple[str, ...] = ()
    name: str = ""
    address: str = field(default="", compare=False)
    """The address as the user wrote it, with its password."""


def locate(address: str | Location) -> Location:
    """Location of an index address, whether or not an index is there; a location is returned
    unchanged. Raises UserError if it is not a valid name, folder or URL, and for a path of a file.

    An address with `://` is a URL, one with a `/` a folder (`~` is expanded). A bare name is
    `$ELASTICSEARCH_URL/NAME` if that variable is set (to servers, separated by commas), else the
    folder `$CLASSICAL_QA_INDEXES/NAME`, without that variable `indexes/NAME`.
    """
    if isinstance(address, Location):
        return address
    servers, name = os.environ.get(SERVER_VARIABLE, "").strip(), address
    if "://" in address:
        servers, _, name = address.rstrip("/").rpartition("/")
    elif "/" in address and "\0" not in address:
        folder = Path(os.path.expanduser(address))  # noqa: PTH111 (no error for `~nobody`)
        if os.path.isfile(folder):  # noqa: PTH113 (no error for a name that is too long)
            raise _is_file(address)
        return Location(address, folder=folder, address=address)
    if not is_index_name(name):  # neither Elasticsearch nor a file system might take it
        raise _no_index_name(address, name)
    if servers:
        return replace(_on_servers(servers, name), address=address)
    folder = indexes_folder() / name
    return Location(str(folder), folder=folder, address=address)


def _no_index_name(address: str, name: str) -> UserError:
    """The error, not raised, for an address whose `name` no index can have: that of `_is_file`
    where the address is an existing file."""
    if name == address and "\0" not in address and os.path.isfile(address):  # noqa: PTH113
        return _is_file(address)
    return UserError(
        f"{name.rpartition('@')[2]!r} is not an index address: expected a name (lower-case "
        f"letters, digits, - and "
        f"_, a letter first, at most 200 bytes){_such_as(name)}, a folder (with a /), or a URL "
        "such as http://localhost:9200/textbook-ja"
    )


def _such_as(name: str) -> str:
    """The end of a message, " such as NAME" with a valid name near to `name`; "" for what holds
    one of : @ ? # (a URL), an unprintable character, or no letter."""
    plain = name.isprintable() and any(map(str.isalpha, name)) and not set(name) & set(":@?#")
    return f" such as {index_name_of(name)}" if plain else ""


def is_index_name(name: str) -> bool:
    """True for what every engine takes as an index's name: letters of any script, no capitals,
    digits, - and _, a letter first, at most 200 bytes in UTF-8."""
    is_short = len(name.encode("utf-8", "replace")) <= _NAME_BYTES
    return is_short and name == name.lower() and _NAME.fullmatch(name) is not None


def index_name_of(file_name: str) -> str:
    """The name of a book's index after its file: without its last ending, in small letters, with a
    hyphen for each run of what is not a letter or digit (none at the ends), cut to 60 characters;
    `book`, or `book-` before it, where no letter is first; all of it cut to 200 bytes."""
    stem = unicodedata.normalize("NFC", Path(file_name).stem).lower()
    name = re.sub(r"[\W_]+", "-", stem).strip("-")[:_NAME_OF_FILE]
    name = name if name[:1].isalpha() else f"book-{name}"
    while not is_index_name(name):  # letters of four bytes each
        name = name[:-1]
    return name.rstrip("-")


def _is_file(address: str) -> UserError:
    """The error, not raised, for an address that is a file: a book, not its index."""
    return UserError(
        f"{address} is a file: index it first: `classical-qa index textbook {quote(address)} "
        f"--index NAME`, and give NAME"
    )


def beside(location: Location, name: str) -> Location:
    """Location of the index `name` beside another: in its folder's folder, or on its servers.
    `name` is not checked: a folder may have any, as `indexes/World history`."""
    if location.folder is not None:
        folder = location.folder.with_name(name)
        return Location(str(folder), folder=folder)
    return Location(
        f"{location.shown.rpartition('/')[0]}/{name}", servers=location.servers, name=name
    )


def indexes_folder() -> Path:
    """The folder of the embedded indexes that are addressed by a bare name:
    `$CLASSICAL_QA_INDEXES`, else `indexes`."""
    return Path(os.environ.get(FOLDER_VARIABLE) or "indexes")


def _on_servers(servers: str, name: str) -> Location:
    """Location of an index name on servers, URLs separated by commas (empty ones are skipped).
    Raises UserError for an invalid URL, no URL, or both http and https."""
    urls = tuple(url.strip().rstrip("/") for url in servers.split(",") if url.strip())
    matches = [_SERVER.fullmatch(url) for url in urls if url.isprintable() and " " not in url]
    if (
        not urls
        or len(matches) < len(urls)
        or not all(match and 0 < int(match["port"] or 80) <= 65535 for match in matches)
    ):
        raise UserError(  # the part before an @ may be a password
            f"not the address of an Elasticsearch server: {servers.rpartition('@')[2]!r}; "
            f"expected for example "
            "http://localhost:9200 (in a user or password, write %2F for / and %2C for a comma)"
        )
    if len({url.partition(":")[0] for url in urls}) > 1:
        raise UserError(
            "some of the servers' addresses are http, some https: credentials would be sent over "
            "both"
        )
    return Location(without_passwords(f"{','.join(urls)}/{name}"), servers=urls, name=name)


def nothing_there(location: Location, names: Sequence[str] = ()) -> UserError:
    """Returns the UserError for an address without an index: the first ten of the existing indexes
    (`names`), the command that builds one, and where else it could be (for a bare name it asks
    the local server)."""
    # The location as a user types it: the bare name if that leads to it, else the whole address.
    name = location.folder.name if location.folder is not None else location.name
    plain = is_index_name(name) and locate(name).shown == location.shown
    other = f"set {SERVER_VARIABLE} to the server that has it"
    if location.folder is not None:
        other += local_server_hint() if plain else ""
    else:
        other = (
            f"unset {SERVER_VARIABLE} to use the embedded index"
            if plain
            else "name the place that has it"
        )
    kind = next((kind for kind in sources() if name == kind or name.startswith(f"{kind}-")), "KIND")
    there = (
        f" (there are: {first_few(names)}): name one of these (--index NAME), or" if names else ":"
    )
    build = f"`classical-qa index {kind} FILE... --index {name if plain else location.shown}`"
    where = location.shown if location.folder is None else location.folder.absolute()
    return UserError(f"no index at {where}{there} build it with {build}, or {other}")


def local_server_hint() -> str:
    """Text, in parentheses after a space, that an Elasticsearch answers at `LOCAL_SERVER` while no
    address of a server is set; else "". For errors only: it asks that server, for 0.3 s a step."""
    if os.environ.get(SERVER_VARIABLE, "").strip():
        return ""
    from http.client import HTTPConnection, HTTPException  # only where something is wrong already

    connection = HTTPConnection(*LOCAL_SERVER, timeout=SECONDS_FOR_LOCAL_SERVER)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        # Secured, it asks for a password before it says what it is.
        ours = answer.getheader("X-elastic-product") == "Elasticsearch" or (
            'realm="security"' in (answer.getheader("WWW-Authenticate") or "")
        )
    except (OSError, HTTPException):
        return ""
    finally:
        connection.close()
    host, port = LOCAL_SERVER
    shown = f"http://{host}:{port}"
    return f" (an Elasticsearch answers at {shown}: {SERVER_VARIABLE}={shown})" if ours else ""


def without_passwords(text: str) -> str:
    """A text, such as an address, without the users and passwords that its URLs hold."""
    return re.sub(r"(?<=://)[^/\s]*@", "", text)
