"""The statements of the application in a file, for every verb that asks for them.

Runs in the process of the command; reads the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from shardwright.compiler.workload.read import read_workload
from shardwright.compiler.workload.statement import WorkloadStatement
from shardwright.compiler.workload.summaries import BadSummary
from shardwright.runtime.failures import InputAtFault


def read_statements(file: str) -> Sequence[WorkloadStatement]:
    """Raises InputAtFault (SW5210)."""
    try:
        return read_workload(Path(file).read_text("utf-8", errors="replace"), file)
    except OSError as error:
        raise InputAtFault("SW5210", f"cannot read {file}: {error.strerror}") from None
    except BadSummary as error:
        raise InputAtFault("SW5210", f"cannot read the statements in {file}: {error}") from None
