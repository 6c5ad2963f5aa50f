"""A project on disk: its specs, schema, DDL files, environments and build folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shardwright.runtime.failures import RuntimeFailure
from shardwright.specs.diagnostics import Diagnostic, SpecError
from shardwright.specs.model import Spec
from shardwright.specs.span import Path as KeyPath
from shardwright.specs.span import Span


@dataclass(frozen=True, slots=True)
class Project:
    """`root` holds specs/, tests/, schema/, ddl/, environments/ and build/."""

    root: Path

    def specs(self) -> tuple[Path, ...]:
        """The project's specs, sorted; there may be none."""
        return tuple(sorted([*(self.root / "specs").glob("*.yaml"), *(self.root / "specs").glob("*.yml")]))

    def spec_files(self) -> tuple[Path, ...]:
        """The project's specs, sorted. Raises RuntimeFailure (SW8005) when there is none."""
        found = self.specs()
        if not found:
            raise RuntimeFailure("SW8005", f"no specs/*.yaml below {self.root}: name the project with --project DIR")
        return found

    def test_files(self) -> tuple[Path, ...]:
        """The project's spec tests, sorted. Raises RuntimeFailure (SW8863) when there is none."""
        found = tuple(sorted([*(self.root / "tests").glob("*.yaml"), *(self.root / "tests").glob("*.yml")]))
        if not found:
            raise RuntimeFailure("SW8863", f"no tests/*.yaml below {self.root}: name test files, or write one")
        return found

    def shown(self, path: Path) -> str:
        """The path as a person at the shell would write it."""
        try:
            return os.path.relpath(path)
        except ValueError:
            return str(path)

    def read_text(self, relative: str, *, spec: Spec, at: KeyPath) -> str:
        """A file the spec names. Raises SpecError that points at the place in the spec."""
        try:
            return (self.root / relative).read_text(encoding="utf-8")
        except OSError as error:
            message = f"cannot read {relative}: {error.strerror}"
        except UnicodeDecodeError:
            message = f"{relative} is not UTF-8 text"
        raise SpecError([Diagnostic("SW2120", message, spec.span_of(at))])

    def ddl_files(self, spec: Spec) -> Mapping[str, str]:
        """The texts of the spec's DDL folder by path, as findings name it. Raises SpecError."""
        if spec.ddl is None:
            return {}
        folder = self.root / spec.ddl
        if not folder.is_dir():
            raise SpecError([Diagnostic("SW2121", f"folder {spec.ddl} does not exist", spec.span_of(("ddl",)))])
        return {self.shown(path): _text(path) for path in sorted(folder.glob("*.sql"))}

    def plan_folder(self, migration: str) -> Path:
        return self.root / "build" / migration

    def environment_file(self, name: str) -> Path:
        """environments/NAME.yaml, or NAME itself when it is a path. Raises SpecError naming the places looked in."""
        places = [self.root / "environments" / f"{name}.yaml", self.root / "environments" / f"{name}.yml"]
        if name.endswith((".yaml", ".yml")):
            places.insert(0, Path(name))
        for place in places:
            if place.is_file():
                return place
        looked = ", ".join(self.shown(place) for place in places)
        raise SpecError(
            [Diagnostic("SW7008", f"no environment '{name}': looked for {looked}", Span(str(places[0]), 1, 1))]
        )


def chosen_files(project: Project, paths: Sequence[str]) -> tuple[Path, ...]:
    """The files named on the command line, else all specs of the project. Raises RuntimeFailure (SW8005)."""
    return tuple(Path(path) for path in paths) or project.spec_files()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SpecError(
            [Diagnostic("SW2120", "the file is not UTF-8 text", Span(os.path.relpath(path), 1, 1))]
        ) from None


def find_project(start: str | None) -> Project:
    """The folder given, else the nearest one upward that holds specs/*.yaml, else the current one."""
    if start is not None:
        root = Path(start)
        if not root.is_dir():
            raise RuntimeFailure("SW8005", f"there is no folder {start}")
        return Project(root)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if any((folder / "specs").glob("*.yaml")):
            return Project(folder)
    return Project(here)
