"""`make sbom` says of each package that is installed under which licence it is, and which digests the lock has of it."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.e2e.packages import ROOT


def test_every_package_has_a_licence_and_each_of_ours_a_digest(tmp_path: Path) -> None:
    file = tmp_path / "sbom.json"
    subprocess.run([sys.executable, str(ROOT / ".ci" / "sbom"), str(file)], check=True, timeout=300)
    parts = json.loads(file.read_text(encoding="utf-8"))["components"]
    packages = {part["name"]: part for part in parts if part["bom-ref"].startswith("pkg:pypi/")}
    assert [name for name, part in packages.items() if not part.get("licenses")] == []
    for part in parts:
        for licence in part.get("licenses", ()):
            assert licence.keys() in ({"expression"}, {"license"}), "CycloneDX takes one of the two"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [
        *project["dependencies"],
        *project["optional-dependencies"]["mysql"],
        *project["optional-dependencies"]["runtime"],
    ]
    names = {canonicalize_name(Requirement(line).name) for line in asked} - {"shardwright"}
    assert [name for name in names if not packages[name]["hashes"]] == []
    jars = [part for part in parts if part["bom-ref"].startswith("jar:")]
    assert sum("licenses" in jar for jar in jars) > len(jars) / 2, "a parent's pom has the licence of the others"
