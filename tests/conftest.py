"""What every test may use: a real Elasticsearch, index names of one's own, and an environment
without a user's cluster.

Fixtures: `sample_book` (an index of the English sample textbook), `elasticsearch_url` (one running
server for the whole test session; the test is skipped, with the reason, where none can be had),
`unique_name` (an index name nobody else uses; its indexes are deleted at the end),
`elasticsearch_address` (both together, what `--index` takes), and `new_name` (as many such names as
a module needs). Variables: `TEST_ELASTICSEARCH_URL` names a server to use instead of one of our
own; `REQUIRE_ELASTICSEARCH=1` turns skipping into failing.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from indexer.files.messages import to_stderr
from tests.distribution import UnavailableError
from tests.places import ROOT, SAMPLES
from tests.server import end_shared, shared_url

SESSION = "CLASSICAL_QA_TEST_SESSION"
MARKS = ("server", "browser", "process")
NOT_FOR_TESTS = tuple(
    f"ELASTICSEARCH_{name}" for name in ("URL", "USER", "PASSWORD", "API_KEY", "CA_CERTS")
)

# Every run, on whatever machine, tries the same examples, and a slow machine is no failure; `make
# fuzz` tries others.
settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


def pytest_configure(config: pytest.Config) -> None:
    """Hide a user's cluster, and give the session (all of its workers) one folder to meet in."""
    for variable in NOT_FOR_TESTS:
        os.environ.pop(variable, None)
    for variable in (
        "no_proxy",
        "NO_PROXY",
    ):  # a machine's proxy is not for the servers of the tests, which run on it
        os.environ[variable] = "localhost,127.0.0.1"
    os.environ["PYTHONPATH"] = os.pathsep.join(  # what tests start is of this checkout, too
        [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    os.environ["COLUMNS"] = "80"  # help and errors are not cut to this terminal's
    os.environ.setdefault(
        "GIT_PYTHON_REFRESH", "quiet"
    )  # repro_eval looks for git when it is imported
    to_stderr()
    if not hasattr(config, "workerinput"):
        os.environ[SESSION] = tempfile.mkdtemp(
            prefix="classical-qa-tests-", suffix=f"-{os.getpid()}"
        )
        os.environ["IR_DATASETS_HOME"] = os.environ[
            SESSION
        ]  # a home may be closed, and importing it writes there
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does
        # A shell starts what runs in the background deaf to SIGINT, and the commands under test
        # would inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if (
            signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        ):  # `nohup`: they would inherit that, too
            signal.signal(signal.SIGHUP, lambda number, frame: None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a server or a browser, and put files that start something first: workers then
    end together."""
    for item in items:
        given = (
            item.callspec.params.values()
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else ()
        )
        if "elasticsearch_url" in getattr(item, "fixturenames", ()) or "elasticsearch" in list(
            map(str, given)
        ):
            item.add_marker(pytest.mark.server)
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.browser)
    slow = {item.path for item in items if any(map(item.get_closest_marker, MARKS))}
    items.sort(key=lambda item: item.path not in slow)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the session's server; reached on Ctrl-C too, and the server's keeper sees to every other
    end."""
    if not hasattr(config, "workerinput") and SESSION in os.environ:
        session = Path(os.environ.pop(SESSION))
        end_shared(session)
        shutil.rmtree(session, ignore_errors=True)


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name bytes by their parameter, never by what they hold: packed bytes hold the time, and every
    worker of a session must collect the same names."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def sample_book(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of an embedded index of the English sample textbook, for tests that only read
    it."""
    from indexer import build_textbook

    place = str(tmp_path_factory.mktemp("sample") / "textbook-en")
    build_textbook(SAMPLES / "textbook-en.jsonl", place)
    return place


@pytest.fixture(scope="session")
def elasticsearch_url() -> str:
    """The URL of a real server, running; skips where there is none."""
    given = os.environ.get("TEST_ELASTICSEARCH_URL")
    if given:
        return given.rstrip("/")
    session = Path(os.environ[SESSION])
    try:
        with (session / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return shared_url(session)
    except UnavailableError as error:
        no_elasticsearch(error)


def no_elasticsearch(reason: UnavailableError) -> NoReturn:
    """Skip, or fail where a server is required."""
    if os.environ.get("REQUIRE_ELASTICSEARCH"):
        pytest.fail(f"no real Elasticsearch: {reason}")
    pytest.skip(f"no real Elasticsearch: {reason}")


@pytest.fixture
def unique_name(request: pytest.FixtureRequest) -> Iterator[str]:
    """An index name nobody else uses; what lies under it on the test server is deleted
    afterwards."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    yield name
    if "elasticsearch_url" in request.fixturenames:
        delete_indexes(request.getfixturevalue("elasticsearch_url"), [name])


@pytest.fixture(scope="module")
def new_name(elasticsearch_url: str) -> Iterator[Callable[[], str]]:
    """Gives names nobody else uses, for the tests of a module; their indexes are deleted at the
    module's end."""
    names: list[str] = []

    def name() -> str:
        names.append(f"test-{uuid.uuid4().hex[:12]}")
        return names[-1]

    yield name
    delete_indexes(elasticsearch_url, names)


def delete_indexes(url: str, names: Sequence[str]) -> None:
    """Delete all concrete indexes whose names begin with one of these."""
    from elasticsearch import Elasticsearch

    with Elasticsearch(url) as client:
        for name in names:
            for index in sorted(client.indices.get(index=f"{name}*", expand_wildcards="all")):
                client.indices.delete(index=index)


@pytest.fixture
def elasticsearch_address(elasticsearch_url: str, unique_name: str) -> str:
    """An address on the real server where nothing is yet."""
    return f"{elasticsearch_url}/{unique_name}"
