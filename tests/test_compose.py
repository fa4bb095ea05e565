"""The compose file: what it must promise, that Compose itself accepts it, and what its containers
run, run here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.answerer.serve.server import serving
from tests.distribution import COMPOSED, UnavailableError, install
from tests.places import ROOT

pytestmark = pytest.mark.process

COMPOSE = ROOT / "docker-compose.yml"
CLUSTER = ROOT / "docker-compose.cluster.yml"
NODES = ("es01", "es02", "es03")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services as the two files have them."""
    return {
        name: one
        for path in (COMPOSE, CLUSTER)
        for name, one in yaml.safe_load(path.read_text())["services"].items()
    }


def compose_command() -> list[str]:
    """Compose as a plug-in of docker or as a program of its own; neither needs a daemon to check a
    file."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            version = subprocess.run([*command, "version"], capture_output=True, check=False)
            if version.returncode == 0:
                return command
    pytest.skip("no Docker Compose is installed")


def script(service: dict[str, Any]) -> str:
    """What a service runs in its shell, as the shell gets it."""
    return str(service["command"][-1]).replace("$$", "$")


def config(path: Path, *options: str, password: str = "") -> subprocess.CompletedProcess[str]:
    """What Compose reads of a file; with a password in the settings where one is given."""
    environment = {**os.environ, "ELASTIC_PASSWORD": password}
    environment.pop("COMPOSE_FILE", None)
    command = [*compose_command(), "-f", str(path), *options, "config"]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )


@pytest.mark.parametrize(
    ("path", "options", "started"),
    [
        (COMPOSE, (), {"elasticsearch", "app"}),
        (CLUSTER, (), {"certificates", *NODES}),
    ],
    ids=["one node", "cluster"],
)
def test_compose_accepts_the_files(path: Path, options: tuple[str, ...], started: set[str]) -> None:
    told = config(path, *options, password="chosen")  # noqa: S106
    assert told.returncode == 0, told.stderr
    services = yaml.safe_load(told.stdout)["services"]
    profiles = {"", *options}
    assert {
        name for name, one in services.items() if profiles & {*one.get("profiles", [""])}
    } == started


def test_a_cluster_without_a_password_is_refused_before_anything_starts() -> None:
    told = config(CLUSTER)
    assert told.returncode != 0
    assert "copy .env.example to .env and choose a password there" in told.stderr
    assert config(COMPOSE).returncode == 0


def test_every_port_is_bound_to_this_machine(services: dict[str, Any]) -> None:
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports == [
        "127.0.0.1:9200:9200",
        "127.0.0.1:8000:8000",
        *(f"127.0.0.1:{port}:9200" for port in (9201, 9202, 9203)),
    ]


def test_every_server_is_of_the_version_that_the_tests_run_and_keeps_its_data(
    services: dict[str, Any],
) -> None:
    for name in ("elasticsearch", *NODES):
        service = services[name]
        assert service["image"] == f"elasticsearch:{COMPOSED}"
        assert any(
            volume.endswith(":/usr/share/elasticsearch/data") for volume in service["volumes"]
        )
        assert {"healthcheck", "mem_limit"} <= service.keys()
    assert services["certificates"]["image"] == f"elasticsearch:{COMPOSED}"


def test_the_nodes_are_closed_and_differ_in_nothing_but_their_name(
    services: dict[str, Any],
) -> None:
    for name in NODES:
        settings = services[name]["environment"]
        assert (
            settings["xpack.security.enabled"]
            == settings["xpack.security.http.ssl.enabled"]
            == "true"
        )
        assert settings["xpack.security.transport.ssl.enabled"] == "true"
        assert settings["cluster.initial_master_nodes"] == ",".join(NODES)
        assert of_a_node(services, name) == of_a_node(services, "es01")


def of_a_node(services: dict[str, Any], name: str) -> str:
    """A node's service with its name and its port left out."""
    return re.sub(r"920\d:", "", str(services[name]).replace(",".join(NODES), "").replace(name, ""))


def test_the_example_names_every_variable_and_holds_no_password() -> None:
    asked = set(re.findall(r"(?<!\$)\$\{(\w+)", COMPOSE.read_text() + CLUSTER.read_text()))
    lines = (ROOT / ".env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert set(given) == asked
    assert given["ELASTIC_PASSWORD"] == ""
    assert {".env", "ca.crt"} <= {*(ROOT / ".gitignore").read_text().split()}


def test_the_certificates_are_made_once(services: dict[str, Any], tmp_path: Path) -> None:
    """What the container runs, with the tools of the tests' own server."""
    try:
        server = install()
    except UnavailableError as error:
        pytest.skip(str(error))
    if not shutil.which("unzip"):
        pytest.skip("there is no unzip")
    certificates = tmp_path / "config" / "certs"
    certificates.mkdir(parents=True)
    steps = script(services["certificates"]).replace("/usr/share/elasticsearch", str(server.home))
    if os.geteuid() != 0:  # in the container it is root, who alone gives files away
        steps = f"chown() {{ true; }}\n{steps}"
    environment = {**os.environ, "ES_JAVA_HOME": str(server.java_home)}

    def run() -> subprocess.CompletedProcess[str]:
        command = ["bash", "-euc", steps]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    (certificates / "ca.zip").touch()  # of a start that was interrupted
    made = run()
    assert made.returncode == 0, made.stderr
    before = {path: path.read_bytes() for path in certificates.rglob("*") if path.is_file()}
    assert run().returncode == 0
    assert {path: path.read_bytes() for path in certificates.rglob("*") if path.is_file()} == before
    for node in NODES:
        verify = [
            "openssl",
            "verify",
            "-CAfile",
            "ca/ca.crt",
            "-verify_hostname",
            node,
            f"{node}/{node}.crt",
        ]
        assert (
            subprocess.run(verify, cwd=certificates, capture_output=True, check=False).returncode
            == 0
        )


def test_the_container_of_the_page_is_well_while_it_answers(
    services: dict[str, Any], sample_book: str
) -> None:
    kind, _, *words = services["app"]["healthcheck"]["test"]

    def status(port: int) -> int:
        command = [sys.executable, *(word.replace(":8000/", f":{port}/") for word in words)]
        return subprocess.run(command, capture_output=True, check=False).returncode

    with serving([sample_book]) as port:
        assert (kind, status(port)) == ("CMD", 0)
    assert status(port) == 1
