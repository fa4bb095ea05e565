"""How a server's certificate is checked."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from indexer.engines.connection import trusting
from indexer.files.errors import UserError
from tests.authority import Authority


def test_an_authority_that_does_not_say_what_its_key_is_for_is_trusted(tmp_path: Path) -> None:
    context = trusting(Authority(tmp_path).certificate)
    assert len(context.get_ca_certs()) == 1
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert not context.verify_flags & ssl.VERIFY_X509_STRICT  # which Python 3.13 sets


@pytest.mark.parametrize(("text", "told"), [(None, "no such file"), ("nothing", "no certificate that can be read")])
def test_a_file_without_certificates_is_refused(text: str | None, told: str, tmp_path: Path) -> None:
    path = tmp_path / "ca.crt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=told):
        trusting(path)
