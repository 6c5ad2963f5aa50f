"""Makes the repository's own modules (`tests.…`, `examples.…`) importable and offers the servers to every test."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

pytest_plugins = ["tests.servers.fixtures"]
