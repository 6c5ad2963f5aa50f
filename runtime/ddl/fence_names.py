"""What are the triggers of a cutover's fence called? Checks of triggers pass these, because they let our account write.

Pure. Used in the driver.
"""

from __future__ import annotations

from typing import Final

PREFIX: Final = "_shardwright_fence_"


def is_fence(trigger: str) -> bool:
    return trigger.startswith(PREFIX)
