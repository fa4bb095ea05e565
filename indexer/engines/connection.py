"""Connection to Elasticsearch: authentication, and errors described in one line that says what to
do."""

from __future__ import annotations

import os
import re
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from elastic_transport import TlsError
from elastic_transport.client_utils import url_to_node_config
from elasticsearch import (
    ApiError,
    AuthenticationException,
    AuthorizationException,
    ConnectionError,  # noqa: A004
    ConnectionTimeout,
    Elasticsearch,
    NotFoundError,
    TransportError,
    UnsupportedProductError,
)

from indexer.address import SERVER_VARIABLE, Location, nothing_there, without_passwords
from indexer.engines.errors import IndexGone, TransientError
from indexer.files.errors import UserError
from indexer.files.messages import info

SECONDS_TO_ANSWER = 75  # longest wait for the answer to a request
# one of several servers that gave no answer: finding it silent again costs SECONDS_TO_ANSWER
SECONDS_LEFT_ALONE = 60
SECONDS_TO_GREET = 20  # of the first request: a server that is there answers it at once
USER, PASSWORD, API_KEY = "ELASTICSEARCH_USER", "ELASTICSEARCH_PASSWORD", "ELASTICSEARCH_API_KEY"
CA_CERTS = "ELASTICSEARCH_CA_CERTS"
OURS = "classical_qa"
# Status codes of HTTP: RFC 9110, of too many requests RFC 6585.
NOT_FOUND, TOO_LARGE, TOO_MANY_REQUESTS = 404, 413, 429
SERVER_ERROR = 500  # this and above: the server's fault

STATUS_SECONDS = 10  # longest wait for a server's answer about itself
RETRY_SECONDS = 90.0  # longest time over which an action is retried
FIRST_WAIT_SECONDS = 0.5  # doubled after each attempt
LONGEST_WAIT_SECONDS = 8.0
SILENT_SECONDS = 2.0  # what is over by then is not worth a word

_NO_SUCH_NAME = re.compile(r"not known|name resolution|No address associated|nodename nor")

Answer = TypeVar("Answer")


def connect(location: Location) -> Elasticsearch:
    """Returns a client for a location's servers, logged in by the environment or by the first URL
    that has a login.

    `ELASTICSEARCH_API_KEY`, else `ELASTICSEARCH_PASSWORD` with `ELASTICSEARCH_USER` (by default
    elastic); `ELASTICSEARCH_CA_CERTS` names, for https, the certificate file of the authority that
    signed the servers' certificates. Sends no request. Raises UserError for an invalid key,
    certificate file or URL.
    """
    options: dict[str, Any] = {}
    user, password = _login(location)
    if os.environ.get(API_KEY):
        if not os.environ[API_KEY].isascii() or not os.environ[API_KEY].isprintable():
            raise UserError(f"{API_KEY} contains invalid characters: copy the key again")
        options["api_key"] = os.environ[API_KEY]
    elif (
        user or password
    ):  # encoded here: the client's own way ends at the first character that is not ASCII
        options["basic_auth"] = b64encode(
            f"{user}:{password}".encode("utf-8", "surrogateescape")
        ).decode()
    if os.environ.get(CA_CERTS) and location.servers[0].startswith("https:"):
        options["ssl_context"] = trusting(os.environ[CA_CERTS])
    if (
        len(location.servers) > 1
    ):  # what one of them does not answer, each of the others is asked once
        options |= {"max_retries": len(location.servers) - 1, "retry_on_timeout": True}
        options |= {
            "dead_node_backoff_factor": SECONDS_LEFT_ALONE,
            "max_dead_node_backoff": 10 * SECONDS_LEFT_ALONE,
        }
    try:
        # Without a port in the URL, the scheme's usual one.
        urls = map(without_passwords, location.servers)
        nodes = [url_to_node_config(url, use_default_ports_for_scheme=True) for url in urls]
        return Elasticsearch(nodes, request_timeout=SECONDS_TO_ANSWER, **options)
    except ValueError as error:
        raise UserError(f"no request can be sent to {location.shown}: {error}") from None


def _login(location: Location) -> tuple[str, str]:
    """User (by default elastic) and password of the environment, if it has a password, else of the
    first of a location's URLs that has a login; "" without one."""
    if os.environ.get(PASSWORD):
        return os.environ.get(USER) or "elastic", os.environ[PASSWORD]
    logins = (re.match(r"\w+://([^/]*)@", server) for server in location.servers)
    user, _, password = next((login[1] for login in logins if login), "").partition(":")
    return unquote(user), unquote(password)


def _credentials(location: Location) -> str:
    """What requests to a location log in with, without the secret: `none`, `user elastic with a
    password` (or `with no password`), or `an API key` and its variable's name."""
    if os.environ.get(API_KEY):
        return f"an API key ({API_KEY})"
    user, password = _login(location)
    if not user and not password:
        return "none"
    return f"user {user} with {'a' if password else 'no'} password"


def trusting(path: str | Path) -> ssl.SSLContext:
    """SSL context that verifies a server's certificate and host name with the authorities'
    certificates in a file.

    Raises UserError if the file does not exist or has none. Python 3.13 and later require an
    extension of an authority's certificate (what its key is for) that elasticsearch-certutil long
    left out (elastic/elasticsearch issue 117769); the check is relaxed, since the user names the
    file.
    """
    try:
        context = ssl.create_default_context(cafile=path)
    except OSError as error:
        raise UserError(
            f"{CA_CERTS}: {path} contains no readable certificate ({error.strerror or error})"
        ) from None
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


@contextmanager
def talking(location: Location, gone: str = "") -> Iterator[None]:
    """Context manager that turns every error of a server into a UserError of one line,
    `TransientError` if it may pass.

    A missing index raises `IndexGone` with the message `gone`, or, if that is empty, the error for
    an index that does not exist.
    """
    server = location.shown.rpartition("/")[0]
    try:
        yield
    except TransportError as error:
        raise _transport_error(server, error) from None
    except ApiError as error:
        status, body = error.status_code, str(error.body)
        # Elasticsearch signs all its errors but those of its gates, which have its shape.
        reason = error.body.get("error") if isinstance(error.body, Mapping) else None
        signed = "x-elastic-product" in error.meta.headers or (
            isinstance(reason, Mapping) and "root_cause" in reason
        )
        if isinstance(error, AuthenticationException):
            raise UserError(
                f"the Elasticsearch at {server} refused the credentials (status {status}; sent: "
                f"{_credentials(location)}): set "
                f"{USER} and {PASSWORD}, "
                f"or {API_KEY}"
            ) from None
        if status == TOO_LARGE and not isinstance(error, UnsupportedProductError):
            raise UserError(
                f"the server at {server} refuses a request of this size (status {TOO_LARGE}): "
                f"allow 100 MB "
                "(client_max_body_size of nginx, http.max_content_length of Elasticsearch)"
            ) from None
        if isinstance(error, UnsupportedProductError) or (
            status < TOO_MANY_REQUESTS and not signed
        ):
            raise UserError(f"the server at {server} is not Elasticsearch") from None
        if isinstance(error, NotFoundError) and "index_not_found" in body:
            raise (IndexGone(gone) if gone else nothing_there(location)) from None
        cause = error.body if reason is None else reason
        why = f"status {status}" + (f", {cause_of(cause)}" if cause else "")
        if isinstance(error, AuthorizationException) and "security_exception" in body:
            raise UserError(
                f"the Elasticsearch at {server} does not allow this ({why}): ask for that "
                f"privilege on {location.name} and {location.name}.*, or log in as another user"
            ) from None
        kind = TransientError if passes(status) else UserError
        raise kind(f"the Elasticsearch at {server} refused: {why}") from None


def _transport_error(server: str, error: TransportError) -> UserError:
    """UserError for a server not reached, with the way out; TransientError if it may only be
    starting."""
    message = str(error.message)
    heart = re.search(r"\[Errno -?\d+\] ([^)\]\"']+)", message.replace("\n", " "))
    reason = heart[1].strip() if heart else message.replace("\n", " ")[:200]
    if isinstance(error, ConnectionTimeout):
        return TransientError(
            f"what is at {server} accepts a connection and does not answer ({reason}): see its "
            f"log, or start it again"
        )
    if isinstance(error, TlsError):
        line = f"no secure connection to {server} ({reason})"
        if "certificate" not in message.lower():
            return TransientError(
                f"{line}: it is still starting (try again in some seconds), or not https"
            )
        return UserError(
            f"{line}: set {CA_CERTS} to the file of the authority that signed its certificate "
            "(Elasticsearch writes one of its own to config/certs/http_ca.crt)"
        )
    if not isinstance(error, ConnectionError):
        return UserError(f"cannot communicate with {server}: {reason}")
    if server.startswith("http:") and re.search(
        "RemoteDisconnected|BadStatusLine|reset by peer", message
    ):
        line = f"what is at {server} hangs up ({reason})"
        return TransientError(f"{line}: it is still starting (try again in some seconds), or https")
    if _NO_SUCH_NAME.search(message):
        return TransientError(
            f"no Elasticsearch answers at {server} ({reason}): check the name in the address (a "
            f"container has its name only while it runs)"
        )
    return TransientError(
        f"no Elasticsearch answers at {server} ({reason}): start it (`docker compose up -d "
        f"--wait`, or "
        f"`make elasticsearch`), or unset {SERVER_VARIABLE} to use the embedded index"
    )


def passes(status: int) -> bool:
    """Returns whether a request answered with this status may succeed later: 429 (too many at once)
    or 500 and above (a fault of the server)."""
    return status == TOO_MANY_REQUESTS or status >= SERVER_ERROR


def cause_of(error: object) -> str:
    """Type and reason of the first failed shard, else of the first root cause, else of the `error`
    object of a response itself, as "type: reason"; of any other body (a gateway's HTML page) its
    text on one line without tags. Reason and text are cut to 300 characters."""
    if not isinstance(error, Mapping):
        return " ".join(re.sub("<[^>]*>", " ", str(error)).split())[:300]
    roots = error.get("root_cause") or [error]
    root = (
        roots[0]
        if not error.get("failed_shards")
        else error["failed_shards"][0].get("reason", roots[0])
    )
    return f"{root.get('type')}: {str(root.get('reason'))[:300]}"


def why_it_waits(client: Elasticsearch, index: str) -> str:
    """Why shards of an index lack a primary, as the end of a message ("; …"), with what keeps the
    first of them from a node (a full disk), cut to 300 characters; "" if none does or the server
    does not say."""
    asking = client.options(request_timeout=STATUS_SECONDS)
    try:
        (concrete, *_) = asking.indices.get_alias(index=index)
        health = asking.cluster.health(index=concrete, level="shards")
        shards = health["indices"][concrete]["shards"]
    except (ApiError, TransportError, LookupError, ValueError):
        return ""
    lost = sorted(
        (number for number, shard in shards.items() if not shard["primary_active"]), key=int
    )
    if not lost:
        return ""
    which, nodes = f"{', '.join(lost)} of {len(shards)}", health["number_of_data_nodes"]
    red = f"; the index is red: shard {which} has no primary, nodes that hold data: {nodes}"
    with suppress(ApiError, TransportError):
        explained = asking.cluster.allocation_explain(
            index=concrete, shard=int(lost[0]), primary=True
        )
        for node in explained.get("node_allocation_decisions", ()):
            for decider in node.get("deciders", ()):
                if decider["decision"] == "NO":
                    return f"{red} ({decider['explanation'][:300]})"
    return red


def retry(
    location: Location,
    action: Callable[[], Answer],
    gone: str = "",
    hurried: threading.Event | None = None,
    why: Callable[[], str] = str,
) -> Answer:
    """Returns the result of an action on a server, repeated with growing pauses while it raises
    TransientError.

    The action may run twice, since a response may be lost. Raises TransientError after 90 seconds
    (`RETRY_SECONDS`; from the first message on, if the first attempt took longer), or at once if
    `hurried` is set; any other error at once, as UserError. `gone` is the message for a missing
    index; `why` is called once, before the only message about waiting (after 2 seconds), and its
    result is appended to that and to the error.
    """
    started, wait, more = time.monotonic(), FIRST_WAIT_SECONDS, None
    pause = hurried or threading.Event()
    while True:
        try:
            with talking(location, gone):
                return action()
        except TransientError as trouble:
            if pause.is_set():
                raise
            passed = time.monotonic() - started
            if more is None and passed + wait > SILENT_SECONDS:
                if passed > RETRY_SECONDS:  # a long merge, say, that went well until now
                    started, passed = time.monotonic(), 0.0
                more = why()
                info(f"waiting, at most {RETRY_SECONDS:.0f} seconds: {trouble}{more}")
            if passed + wait > RETRY_SECONDS:
                raise TransientError(
                    f"{trouble}{more or ''}; waited for {passed:.0f} seconds"
                ) from None
        pause.wait(wait)
        wait = min(LONGEST_WAIT_SECONDS, 2 * wait)
