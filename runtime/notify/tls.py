"""How are servers of channels verified? Always, by the system's authorities or by the one that the environment names.

Runs in the process of the command; reads certificates.
"""

from __future__ import annotations

import ssl
from typing import Final

from shardwright.runtime.failures import InputAtFault

UNUSABLE: Final = "SW8057"


def make_context(ca: str | None, channel: str) -> ssl.SSLContext:
    """Raises InputAtFault (SW8057) for a file that is none of certificates."""
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputAtFault(UNUSABLE, f"channel {channel}: {ca} cannot be used as ca: {reason}") from error
