"""Who may read the page? On a loopback address all accounts of this machine; elsewhere only clients with the token.

Runs in the process that serves the page; holds the token in memory, and compares in constant time.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from shardwright.runtime.failures import RuntimeFailure

LEAST_CHARACTERS: Final = 16


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of one address."""

    host: str
    """Where the page listens."""
    port: int
    token: str | None = field(default=None, repr=False)
    """None: no token is asked for."""
    _session: str = field(init=False, repr=False, default_factory=lambda: secrets.token_urlsafe(32))
    """What a browser has in place of the token."""

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            raise RuntimeFailure(
                "SW8058",
                f"{self.host} is no loopback address: every client that reaches it could read the page; name a file "
                "that has a token",
            )
        if self.token is not None and (len(self.token) < LEAST_CHARACTERS or not self.token.isascii()):
            raise RuntimeFailure(
                "SW8058", f"the token has fewer than {LEAST_CHARACTERS} characters, or some that are not of ASCII"
            )

    def knows_host(self, header: str | None) -> bool:
        """Whether the Host header names us. A name that someone else's DNS leads to a loopback address does not, and
        so no page of theirs can read ours. Where a token is asked for, a browser sends it to no other name."""
        if self.token is not None:
            return True
        try:
            name = urlsplit(f"//{header or ''}").hostname or ""
        except ValueError:
            return False
        return is_loopback(name)

    def allows(self, authorization: str | None, cookies: str | None) -> bool:
        """By the headers of a request."""
        if self.token is None:
            return True
        kind, _, given = (authorization or "").partition(" ")
        if kind.lower() == "bearer" and self.is_token(given.strip()):
            return True
        return _equal(_cookie(cookies, self.cookie_name), self._session)

    def is_token(self, given: str) -> bool:
        return self.token is not None and _equal(given, self.token)

    @property
    def cookie_name(self) -> str:
        """Browsers share cookies among the ports of a host."""
        return f"shardwright_page_{self.port}"

    @property
    def cookie(self) -> str:
        """For a browser that has shown the token. It is worth nothing once this process has ended. A link in a chat may
        lead to the page (Lax), and what other sites embed gets no cookie."""
        return f"{self.cookie_name}={self._session}; Path=/; HttpOnly; SameSite=Lax"


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8"))


def _cookie(header: str | None, name: str) -> str:
    """Those of other pages of this host may have any form."""
    pairs = (pair.strip().partition("=") for pair in (header or "").split(";"))
    return next((value for given, _, value in pairs if given == name), "")
