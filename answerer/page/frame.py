"""Builds a page from template, style sheets, scripts and data: one file that loads nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup


class PageFiles(NamedTuple):
    """What a page is made of: the names of its template, style sheets and scripts, files of
    `package` or of this package."""

    package: str
    template: str
    styles: tuple[str, ...]
    scripts: tuple[str, ...]

    @property
    def style(self) -> str:
        return "\n".join(_text(self.package, name) for name in self.styles)

    @property
    def script(self) -> str:
        return "\n".join(_text(self.package, name) for name in self.scripts)


def page(
    files: PageFiles,
    data: Any,
    allowed: str = "",
    opens: Sequence[PageFiles] = (),
    **values: Any,
) -> str:
    """Renders an HTML page, which loads nothing else, from a template with `values`, which are
    escaped. `data` is embedded as JSON for the scripts. The content security policy allows only the
    page's styles and scripts, and those of the pages that it `opens` from its memory (blob:), which
    have its policy beside their own; `allowed` are further directives."""
    styles = " ".join(f"'{_hash(page_files.style)}'" for page_files in (files, *opens))
    scripts = " ".join(f"'{_hash(page_files.script)}'" for page_files in (files, *opens))
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader(files.package, ""), jinja2.PackageLoader(__package__, "")]
        ),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template(files.template).render(
        policy=f"default-src 'none'; script-src {scripts}; style-src {styles}; "
        "base-uri 'none'; form-action 'none'" + (f"; {allowed}" if allowed else ""),
        style=Markup(files.style),  # noqa: S704 - files of ours
        script=Markup(files.script),  # noqa: S704
        data=Markup(json_text(data)),  # noqa: S704 - escaped by json_text
        **values,
    )


_AS_THEY_ARE = frozenset(
    (str, int, bool, type(None))
)  # asked before each call: a report has a million of them
_EMPTY = frozenset((str, list, tuple, type(None)))


def json_text(data: Any) -> str:
    """JSON text that is safe inside a script element (<, > and & escaped); values as in
    `page_values`. Raises ValueError for numbers that are not finite."""
    values = page_values(data)  # a tree made here: no cycle is in it
    text = json.dumps(
        values, ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
    )
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def page_values(value: Any) -> Any:
    """A value as plain JSON values: named tuples as objects without empty texts, lists and None,
    floats with 4 significant digits, keys of mappings as texts."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is float:
        return float(f"{value:.4g}")
    if kind is list or kind is tuple:
        return [item if type(item) in _AS_THEY_ARE else page_values(item) for item in value]
    if not isinstance(value, tuple):
        return {str(name): page_values(item) for name, item in value.items()}
    return {
        name: item if type(item) in _AS_THEY_ARE else page_values(item)
        for name, item in zip(value._fields, value, strict=True)  # type: ignore[attr-defined]
        if item or type(item) not in _EMPTY
    }


def _text(package: str, name: str) -> str:
    """The text of a file of the package, else of this one."""
    file = resources.files(package).joinpath(name)
    return (
        (file if file.is_file() else resources.files(__package__).joinpath(name))
        .read_text("utf-8")
        .strip()
    )


def _hash(text: str) -> str:
    """The source expression of a content security policy for an inline element with this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
