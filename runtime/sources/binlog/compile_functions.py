"""How Python source that is written for one table or one type becomes functions. A loop that checks the type of each
value would take most of the time.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

from typing import Any

_FEW = 2


def number_at(size: int) -> str:
    """The expression for the number in the next `size` bytes of `data`, from `at` on. `from_bytes` is one of the names
    that it may use; for few bytes it takes longer."""
    if size > _FEW:
        return f"from_bytes(data[at:at + {size}], 'little')"
    return " | ".join(f"data[at + {byte}] << {8 * byte}" if byte else "data[at]" for byte in range(size))


def compile_functions(source: str, what: str, names: dict[str, Any]) -> dict[str, Any]:
    """The functions that `source` defines, by name, with the `names` that it may use. `what` is the file name in
    tracebacks. The source may hold only our own templates and numbers."""
    exec(compile(source, f"<{what}>", "exec"), names)
    return names
