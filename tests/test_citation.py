"""What a citation says of the program is what the project says of itself."""

import tomllib

import yaml

from tests.places import ROOT


def test_the_citation_names_the_projects_name_version_and_licence() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert citation["title"].startswith(project["name"] + ":")
    assert citation["license"] == project["license"]
    assert citation["version"] == project["version"]
