"""Where a project is and which spec files it has.

A project folder is one with a `specs` folder that holds YAML files. Paths inside a spec (`source.schema`, `ddl`) start
from the project folder. Environment files stand in `environments/`, named by their environment.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from shardwright.specs.diagnostics import Diagnostic, SpecError
from shardwright.specs.span import Span

_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Project:
    """`folder` is absolute; `spec_files` and `environment_files` are absolute and sorted by name."""

    folder: str
    spec_files: tuple[str, ...]
    environment_files: tuple[str, ...]

    def environment_file(self, name: str) -> str:
        """Where the environment called `name` is written, whether or not the file exists."""
        found = (path for path in self.environment_files if os.path.splitext(os.path.basename(path))[0] == name)
        return next(found, os.path.join(self.folder, "environments", f"{name}.yaml"))


def read_project(start: str = ".") -> Project:
    """The project that `start` lies in: the nearest folder upward with specs. Raises SpecError when there is none."""
    folder = os.path.abspath(start)
    while True:
        specs = _yaml_files(os.path.join(folder, "specs"))
        if specs:
            return Project(folder, specs, _yaml_files(os.path.join(folder, "environments")))
        parent = os.path.dirname(folder)
        if parent == folder:
            message = "no project here or in any folder above: a project has a folder 'specs' with YAML files"
            raise SpecError([Diagnostic("SW1013", message, Span(start, 1, 1), hint="`shardwright init` makes one")])
        folder = parent


def project_folder(spec_path: str) -> str:
    """The folder that a spec's own paths start from: the one that holds `specs/`, else the spec's folder itself."""
    folder = os.path.dirname(os.path.abspath(spec_path))
    above = folder
    while os.path.dirname(above) != above:
        if os.path.basename(above) == "specs":
            return os.path.dirname(above)
        above = os.path.dirname(above)
    return folder


def _yaml_files(folder: str) -> tuple[str, ...]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ()
    return tuple(os.path.join(folder, name) for name in names if name.endswith(_ENDINGS) and not name.startswith("."))
