"""How Python source that is written for one table or one type becomes functions. A loop that checks the type of each
value would take most of the time.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

from typing import Any


def generated(source: str, what: str, names: dict[str, Any]) -> dict[str, Any]:
    """The functions that `source` defines, by name, with the `names` that it may use. `what` is the file name in
    tracebacks. The source may hold only our own templates and numbers."""
    exec(compile(source, f"<{what}>", "exec"), names)
    return names
