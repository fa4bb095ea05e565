"""An authority of the tests' own that signs the certificates of their servers, by openssl."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.distribution import UnavailableError

DAYS = "30"


class Authority:
    """A key and a certificate in a folder; `certificate` is the file that a client trusts.

    It does not say what its key is for, as those of elasticsearch-certutil long did not.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.certificate = folder / "ca.crt"
        _openssl(folder, "ca", "-subj", "/CN=authority of the tests")

    def sign(self, config: Path) -> None:
        """A key and a certificate for this machine, in a server's folder of settings, where it may
        read them."""
        for part in ("ca.crt", "ca.key"):
            shutil.copy(self._folder / part, config)
        names = (
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-addext",
            "basicConstraints=CA:FALSE",
        )
        _openssl(
            config, "node", "-subj", "/CN=localhost", "-CA", "ca.crt", "-CAkey", "ca.key", *names
        )
        (config / "ca.key").unlink()

    def settings(self) -> dict[str, str]:
        """What a server is told, so that it speaks TLS with its users and with other servers."""
        told = {}
        for layer in ("http", "transport"):
            told |= {
                f"xpack.security.{layer}.ssl.enabled": "true",
                f"xpack.security.{layer}.ssl.certificate": "node.crt",
                f"xpack.security.{layer}.ssl.key": "node.key",
                f"xpack.security.{layer}.ssl.certificate_authorities": "ca.crt",
            }
        return told


def _openssl(folder: Path, name: str, *more: str) -> None:
    """A new key NAME.key and certificate NAME.crt in a folder."""
    if shutil.which("openssl") is None:
        raise UnavailableError("there is no openssl to make certificates with")
    new = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", DAYS)
    done = subprocess.run(
        ["openssl", *new, "-keyout", f"{name}.key", "-out", f"{name}.crt", *more],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise UnavailableError(
            f"openssl could not make a certificate: {done.stderr.strip().splitlines()[-1]}"
        )
