"""A project on disk: its specs, schema, DDL files, environments and build folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shardwright.compiler.plan.refusals import ProjectRefused
from shardwright.specs.files.project_files import SQL_BYTES, FileRefused, files_in, read_file, real_path, with_newlines
from shardwright.specs.findings.diagnostics import Diagnostic, Span, SpecError
from shardwright.specs.findings.diagnostics import Path as KeyPath
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Project:
    """`root` holds specs/, tests/, schema/, ddl/, environments/ and build/. It may be a link; what it holds must not
    lead out of it."""

    root: Path

    def own(self, relative: str) -> Path:
        """The path of a file or folder of the project, there or not. Raises ProjectRefused (SW8013) when a link leads
        it out."""
        path = self.root / relative
        try:
            real_path(path, root=self.root)
        except FileRefused as refused:
            raise ProjectRefused("SW8013", f"{self.display_path(path)} {refused.reason}") from None
        return path

    def root_of(self, file: Path) -> str | None:
        """The project's folder for a file that is named as standing in it. None for one that the operator named
        elsewhere."""
        named = Path(os.path.abspath(file))
        tops = (os.path.abspath(self.root), os.path.realpath(self.root))
        return str(self.root) if any(named.is_relative_to(top) for top in tops) else None

    def specs(self) -> tuple[Path, ...]:
        """The project's specs, sorted; there may be none. Raises ProjectRefused (SW8013)."""
        return files_in(self.own("specs"), ".yaml", ".yml", root=self.root)

    def spec_files(self) -> tuple[Path, ...]:
        """The project's specs, sorted. Raises ProjectRefused (SW8005) when there is none."""
        found = self.specs()
        if not found:
            raise ProjectRefused("SW8005", f"no specs/*.yaml below {self.root}: name the project with --project DIR")
        return found

    def test_files(self) -> tuple[Path, ...]:
        """The project's spec tests, sorted. Raises ProjectRefused (SW8863) when there is none, ProjectRefused
        (SW8013)."""
        found = files_in(self.own("tests"), ".yaml", ".yml", root=self.root)
        if not found:
            raise ProjectRefused("SW8863", f"no tests/*.yaml below {self.root}: name test files, or write one")
        return found

    def display_path(self, path: Path) -> str:
        """The path as a person at the shell would write it."""
        try:
            return os.path.relpath(path)
        except ValueError:
            return str(path)

    def read_text(self, relative: str, *, spec: Spec, at: KeyPath) -> str:
        """A file the spec names. Raises SpecError that points at the place in the spec."""
        return self._text(self.root / relative, called=relative, at=spec.span_of(at))

    def ddl_files(self, spec: Spec) -> Mapping[str, str]:
        """The texts of the spec's DDL folder by path, as findings name it. A folder that is not there is an empty one:
        git does not keep empty folders. Raises SpecError."""
        if spec.ddl is None:
            return {}
        folder = self.root / spec.ddl
        try:
            files = files_in(folder, ".sql", root=self.root)
        except FileRefused as refused:
            raise SpecError([Diagnostic("SW1013", f"{spec.ddl} {refused.reason}", spec.span_of(("ddl",)))]) from None
        if not files and (wrong := _no_ddl_folder(folder)) is not None:
            raise SpecError([Diagnostic("SW2121", f"{spec.ddl} {wrong[0]}", spec.span_of(("ddl",)), hint=wrong[1])])
        names = [(self.display_path(path), path) for path in files]
        return {name: self._text(path, called="the file", at=Span(name, 1, 1)) for name, path in names}

    def _text(self, path: Path, *, called: str, at: Span) -> str:
        """With newlines as line ends. Raises SpecError that points at `at`."""
        try:
            return with_newlines(read_file(path, root=self.root, limit=SQL_BYTES).decode("utf-8"))
        except FileRefused as refused:
            code, message = refused.code, f"{called} {refused.reason}"
        except OSError as error:
            code, message = "SW2120", f"cannot read {called}: {error.strerror}"
        except UnicodeDecodeError:
            code, message = "SW2120", f"{called} is not UTF-8 text"
        raise SpecError([Diagnostic(code, message, at)])

    def plan_folder(self, migration: str) -> Path:
        """Where the migration's plan stands, or will. Raises ProjectRefused (SW8013)."""
        return self.own(f"build/{migration}")

    def environment_file(self, name: str) -> Path:
        """environments/NAME.yaml, or NAME itself when it is a path. Raises SpecError naming the places looked in.
        Whether the file is the project's is for `read_environment` to see, by `root_of`."""
        places = [self.root / "environments" / f"{name}.yaml", self.root / "environments" / f"{name}.yml"]
        if name.endswith((".yaml", ".yml")):
            places.insert(0, Path(name))
        for place in places:
            if os.path.lexists(place) and not place.is_dir():
                return place
        looked = ", ".join(self.display_path(place) for place in places)
        raise SpecError(
            [Diagnostic("SW7008", f"no environment '{name}': looked for {looked}", Span(str(places[0]), 1, 1))]
        )


def _no_ddl_folder(folder: Path) -> tuple[str, str | None] | None:
    """What is wrong with a DDL folder without files, and what to do: it is a file, or another one seems to be meant."""
    if folder.is_dir():
        return None
    if os.path.lexists(folder):
        return "is no folder", None
    beside = folder.parent.iterdir() if folder.parent.is_dir() else ()
    others = [other.name for other in beside if other.is_dir() and any(other.glob("[0-9][0-9][0-9][0-9]_*.sql"))]
    hint = did_you_mean(folder.name, others)
    return None if hint is None else ("does not exist", hint)


def choose_files(project: Project, paths: Sequence[str]) -> tuple[Path, ...]:
    """The files named on the command line, else all specs of the project. Raises ProjectRefused (SW8005)."""
    return tuple(Path(path) for path in paths) or project.spec_files()


def find_project(start: str | None) -> Project:
    """The folder given, else the nearest one upward that holds specs/*.yaml, else the current one."""
    if start is not None:
        root = Path(start)
        if not root.is_dir():
            raise ProjectRefused("SW8005", f"there is no folder {start}")
        return Project(root)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if any((folder / "specs").glob("*.yaml")):
            return Project(folder)
    return Project(here)
