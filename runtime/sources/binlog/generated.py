"""Python that is written for one table or one type, since a loop that asks for each value what it is takes most of the time."""

from __future__ import annotations

from typing import Any


def generated(source: str, what: str, names: dict[str, Any]) -> dict[str, Any]:
    """The functions that `source` defines, by name, beside the `names` that it may use. `what` stands for a file in tracebacks. Nothing
    but our own templates and numbers may be in the source."""
    exec(compile(source, f"<{what}>", "exec"), names)
    return names
