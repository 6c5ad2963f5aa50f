"""How is a POST request sent to an address that the environment names? No redirect is followed, and it ends in time.

Runs in the driver; what the address does with the request is its own affair.
"""

from __future__ import annotations

import threading
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError

_LONGEST_ANSWER: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """`body` has its first 64 KiB, as text."""

    status: int
    body: str

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def last_line(self) -> str:
        """Of the body, at most 500 characters."""
        return self.body.strip().rpartition("\n")[2][:500]


class NoAnswer(Exception):
    """The address cannot be reached, or what it says is no HTTP. The text says why."""


class TooLate(Exception):
    """The time is over."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirected POST would become a GET, which sets nothing, and might go to another host."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


def post(request: urllib.request.Request, opener: urllib.request.OpenerDirector, *, seconds: float) -> HttpAnswer:
    """The answer, whatever its status. `opener` has `NoRedirect`. Raises NoAnswer, and TooLate after `seconds`: in a
    thread, since a timeout of the socket bounds each wait, not all of them together."""
    found: list[HttpAnswer | Exception] = []

    def ask() -> None:
        try:
            found.append(_answer(request, opener, max(0.1, seconds)))
        except Exception as error:  # noqa: BLE001  # raised again in the calling thread
            found.append(error)

    thread = threading.Thread(target=ask, name="post", daemon=True)
    thread.start()
    thread.join(max(0.0, seconds))
    if not found:
        raise TooLate
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _answer(request: urllib.request.Request, opener: urllib.request.OpenerDirector, seconds: float) -> HttpAnswer:
    try:
        with opener.open(request, timeout=seconds) as answer:
            return HttpAnswer(answer.status, _text(answer.read(_LONGEST_ANSWER)))
    except HTTPError as error:
        with error:
            return HttpAnswer(error.code, _text(error.read(_LONGEST_ANSWER)))
    except TimeoutError as error:
        raise TooLate from error
    except (OSError, HTTPException, ValueError) as error:
        raise NoAnswer(str(getattr(error, "reason", error))) from error


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace")
