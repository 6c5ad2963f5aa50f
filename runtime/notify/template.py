"""The body of a request by a template of the project, in Jinja's sandbox.

Runs in the process of the command; reads the file once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final

from jinja2 import ChainableUndefined, TemplateError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.notify.message import KEYS
from shardwright.specs.files.project_files import YAML_BYTES, FileRefused, read_file
from shardwright.specs.findings.wording import did_you_mean

_CODE: Final = "SW8056"


def read_template(file: str, channel: str, *, folder: str) -> Callable[[Mapping[str, Any]], str]:
    """What makes a body of a document. A field that an event does not have is empty. Raises InputAtFault (SW8056) for
    a file that cannot be read, that is no template, or that names what no document has."""
    try:
        text = read_file(os.path.join(folder, file), root=folder, limit=YAML_BYTES).decode("utf-8")
    except FileRefused as error:
        raise InputAtFault(_CODE, f"channel {channel}: {file} {error.reason}") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputAtFault(_CODE, f"channel {channel}: {file} cannot be read: {reason}") from error
    environment = ImmutableSandboxedEnvironment(undefined=ChainableUndefined, keep_trailing_newline=True)
    try:
        unknown = sorted(meta.find_undeclared_variables(environment.parse(text)) - {*KEYS, *environment.globals})
        template = environment.from_string(text)
    except TemplateError as error:
        line = getattr(error, "lineno", None)
        where = f"{file}:{line}" if line else file
        raise InputAtFault(_CODE, f"channel {channel}: {where}: {error.message}") from error
    if unknown:
        hint = did_you_mean(unknown[0], KEYS) or f"known: {', '.join(KEYS)}"
        raise InputAtFault(_CODE, f"channel {channel}: {file}: there is no variable '{unknown[0]}': {hint}")
    return lambda document: template.render(document)
