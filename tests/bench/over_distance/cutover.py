"""The pause of a cutover and of the rollback behind it, over a distance. The application is near to its databases."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from tests.bench.over_distance.far import Far, as_json, far_away, subtract, write_list
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena

_SAID = re.compile(r"writers waited for ([\d.]+) s")
_LIMITS = {"max_pause": "300s", "max_lag": "120s"}


def measure_cutovers(arena: Arena, folder: Path, far: Far, *, listing: Path | None) -> dict[str, Any]:
    lab = CutoverLab(arena, folder, **_LIMITS)
    lab.application.writers, lab.application.pause = 2, 0.1
    lab.begin()
    found: dict[str, Any] = {}
    with far_away(lab.job, far) as lines, lab.live() as run:
        for action in ("begin", "rollback"):
            lab.follow_to_end(run)
            time.sleep(5)  # the stream has caught up with what was written while the run turned round
            lab.application.forget_pauses()
            lines.forget()
            before, began = lines.read(), time.monotonic()
            said = lab.cutover(action, timeout=600.0)
            took = time.monotonic() - began
            traffic = subtract(lines.read(), before)
            lab.writes_on(run, 50)
            match = _SAID.search(said)
            found[f"cutover_{action}"] = {
                "pause": round(lab.application.longest_pause, 2),
                "said": float(match[1]) if match else None,
                "command_seconds": round(took, 1),
                "of_command_and_run": as_json(traffic),
            }
            if listing is not None:
                write_list(lines, listing, f"{far}, cutover {action}")
            print(lab.job.end_of_log(25), flush=True)
        lab.application.stop()
        lab.follow_to_end(run)
        lab.equal()
    return found
