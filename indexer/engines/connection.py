"""Speaking with Elasticsearch: logging in, and errors told in one line that says what to do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn
from urllib.parse import unquote

from elastic_transport import TlsError
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

from indexer.files.errors import UserError
from indexer.location import SERVER_VARIABLE, Location, nothing_there

SECONDS_TO_ANSWER = 120
USER, PASSWORD, API_KEY = "ELASTICSEARCH_USER", "ELASTICSEARCH_PASSWORD", "ELASTICSEARCH_API_KEY"
OURS = "classical_qa"
TOO_MANY_REQUESTS = 429


def connect(location: Location) -> Elasticsearch:
    """A client for a location's servers; who we are comes from the environment, or stands in the first URL.

    `ELASTICSEARCH_API_KEY`, else `ELASTICSEARCH_PASSWORD` with `ELASTICSEARCH_USER` (elastic).
    """
    servers, login = [], None
    for server in location.servers:
        scheme, user, rest = re.fullmatch(r"(\w+://)(?:([^/]*)@)?(.*)", server).groups()  # type: ignore[union-attr]
        servers.append(_with_port(scheme, rest))
        login = login or user
    options: dict[str, Any] = {}
    if os.environ.get(API_KEY):
        options["api_key"] = os.environ[API_KEY]
    elif os.environ.get(PASSWORD):
        options["basic_auth"] = (os.environ.get(USER) or "elastic", os.environ[PASSWORD])
    elif login:
        user, _, password = login.partition(":")
        options["basic_auth"] = (unquote(user), unquote(password))
    return Elasticsearch(servers, request_timeout=SECONDS_TO_ANSWER, **options)


def _with_port(scheme: str, rest: str) -> str:
    """The URL with its port, which the client wants to be told: the scheme's usual one where none is given."""
    host, slash, path = rest.partition("/")
    if not re.search(r":\d+$", host):
        host += ":443" if scheme == "https://" else ":80"
    return f"{scheme}{host}{slash}{path}"


@contextmanager
def talking(location: Location) -> Iterator[None]:
    """Turns whatever goes wrong with a server into one line for the user."""
    server = location.shown.rpartition("/")[0]
    try:
        yield
    except ConnectionTimeout:
        raise UserError(f"the Elasticsearch at {server} gave no answer for {SECONDS_TO_ANSWER} seconds") from None
    except TlsError as error:
        raise UserError(f"no secure connection to {server} ({_reason(error)}): is it https?") from None
    except ConnectionError as error:
        raise UserError(
            f"no Elasticsearch answers at {server} ({_reason(error)}): start it (`docker compose up -d --wait`, or "
            f"`make elasticsearch`), or unset {SERVER_VARIABLE} to use the embedded index"
        ) from None
    except (AuthenticationException, AuthorizationException) as error:
        raise UserError(
            f"the Elasticsearch at {server} refused who we are (status {error.status_code}): set {USER} and "
            f"{PASSWORD}, or {API_KEY}"
        ) from None
    except UnsupportedProductError:
        raise UserError(f"what answers at {server} is no Elasticsearch") from None
    except ApiError as error:
        if error.status_code < TOO_MANY_REQUESTS and "x-elastic-product" not in error.meta.headers:
            raise UserError(f"what answers at {server} is no Elasticsearch") from None
        if isinstance(error, NotFoundError) and "index_not_found" in str(error.body):
            raise nothing_there(location) from None
        raise UserError(f"the Elasticsearch at {server} refused: {told(error)}") from None
    except TransportError as error:
        raise UserError(f"could not speak with {server}: {_reason(error)}") from None


def told(error: ApiError) -> str:
    """What a server said of an error: its status, type and reason."""
    body = error.body
    cause = body.get("error", body) if isinstance(body, Mapping) else body
    return f"status {error.status_code}, {cause_of(cause)}"


def cause_of(error: object) -> str:
    """The innermost type and reason of an error inside an answer."""
    if not isinstance(error, Mapping):
        return str(error)[:300]
    roots = error.get("root_cause") or [error]
    root = roots[0] if not error.get("failed_shards") else error["failed_shards"][0].get("reason", roots[0])
    return f"{root.get('type')}: {str(root.get('reason'))[:300]}"


def refuse(location: Location, error: object) -> NoReturn:
    """Raise the user's error for an error inside an answer."""
    raise UserError(f"the Elasticsearch at {location.shown} refused: {cause_of(error)}")


def _reason(error: TransportError) -> str:
    """The heart of a transport's message."""
    text = str(error.message).replace("\n", " ")
    heart = re.search(r"\[Errno -?\d+\] ([^)\]\"']+)", text)
    return heart[1].strip() if heart else text[:200]
