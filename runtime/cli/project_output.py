"""How does a verb write the files that it makes for a project?

Runs in the process of the command; writes these files.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shardwright.compiler.project.project import Project
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.specs.files.project_files import FileRefused, write_file


def write_project_files(project: Project, files: Mapping[Path, str]) -> None:
    """Each with its folders. Raises InputAtFault (SW8013) for a path that leads out of its project, RuntimeFailure
    (SW8053) where a file cannot be written."""
    for path, text in files.items():
        try:
            write_file(path, text, root=project.root_of(path) or path.parent)
        except FileRefused as refused:
            raise InputAtFault("SW8013", f"{project.display_path(path)} {refused.reason}") from None
        except OSError as error:
            raise RuntimeFailure("SW8053", f"cannot write {project.display_path(path)}: {error.strerror}") from None
