"""The page behind nginx as docs/operators.md has it: for who knows the password, and no page of
another site."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import time
from base64 import b64encode
from pathlib import Path

import pytest

from tests.answerer.serve.server import LONG, serving
from tests.node import free_port
from tests.places import ROOT

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
QUESTION = json.dumps({"question": "Who built the Taj Mahal?"})
LOGIN = {"Authorization": f"Basic {b64encode(b'ada:chosen').decode()}"}
JSON = {"Content-Type": "application/json"}


def proxied(folder: Path, page: int, port: int) -> list[str]:
    """The command that runs the proxy of the docs for a page at a port."""
    (recipe,) = re.findall(
        r"^```nginx\n(.*?)^```$", (ROOT / "docs/operators.md").read_text("utf-8"), re.M | re.S
    )
    recipe = recipe.replace("127.0.0.1:8000", f"127.0.0.1:{page}").replace("443", str(port))
    own = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    settings = folder / "nginx.conf"
    settings.write_text(f"events {{}}\nhttp {{\naccess_log off;\n{own}{recipe}}}\n", "utf-8")
    made = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=qa.example.org -keyout qa.key"
    for command in (f"{made} -out qa.crt", "openssl passwd -apr1 chosen"):
        done = subprocess.run(command.split(), cwd=folder, capture_output=True, check=True)
    (folder / "passwords").write_bytes(b"ada:" + done.stdout)
    process = f"daemon off; pid {folder}/pid; error_log {folder}/errors;"
    if not os.geteuid():
        process += " user root;"  # another could not read the folder of a test
    return [str(NGINX), "-c", str(settings), "-g", process]


def asked(port: int, method: str, path: str, **headers: str) -> int:
    """The status of a request to the proxy by its name."""
    context = ssl._create_unverified_context()  # noqa: S323 - a certificate of this test's
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=LONG, context=context)
    sent = {"Host": "qa.example.org", **JSON, **headers}
    connection.request(method, path, QUESTION if method == "POST" else None, sent)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.process
@pytest.mark.skipif(NGINX is None, reason="there is no nginx")
def test_who_knows_the_password_may_ask_and_no_other_page(book: str, tmp_path: Path) -> None:
    port = free_port()
    with serving([book]) as page:
        proxy = subprocess.Popen(proxied(tmp_path, page, port))
        try:
            deadline = time.monotonic() + LONG
            while not (tmp_path / "pid").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            own = {"Origin": "https://qa.example.org", "Sec-Fetch-Site": "same-origin"}
            other = {"Origin": "https://other.example", "Sec-Fetch-Site": "cross-site"}
            assert asked(port, "GET", "/") == 401
            assert asked(port, "GET", "/health", **LOGIN) == 200
            assert asked(port, "POST", "/answer", **LOGIN, **own) == 200
            assert asked(port, "POST", "/answer", **LOGIN, **other) == 403
        finally:
            proxy.terminate()
            proxy.wait()
