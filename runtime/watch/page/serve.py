"""How does the page reach a browser? GET / is the page, GET /events what it shows. There is nothing else.

Runs in the process of the command, with a thread for each request; listens on the address that it is given. Nothing is
taken from a request but its path, its token and some headers, and nothing of it is logged.
"""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs, urlsplit

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.watch.page.access import Access
from shardwright.runtime.watch.page.hub import Hub

_MOST_REQUESTS: Final = 48
"""At a time; each page holds one."""
_SILENCE_SECONDS: Final = 15.0
"""Then a comment is sent, so that a page that is gone is noticed."""
_STALL_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.2
"""So long the end of the command may wait for it."""
_RETRY_MILLISECONDS: Final = 2000
_SAME_SITE: Final = frozenset({None, "same-origin", "none"})
_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PageFile:
    """The page, and the header by which a browser runs its own script and style, and no other."""

    body: bytes
    policy: str

    @classmethod
    def read(cls) -> PageFile:
        text = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
        hashes = {kind: _hash(inline) for kind, inline in _INLINE.findall(text)}
        policy = (
            f"default-src 'none'; script-src {hashes['script']}; style-src {hashes['style']}; connect-src 'self'; "
            "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            "require-trusted-types-for 'script'"
        )
        return cls(text.encode("utf-8"), policy)


def _hash(inline: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode('utf-8')).digest()).decode('ascii')}'"


@contextmanager
def serve_page(hub: Hub, access: Access) -> Iterator[None]:
    """Within, the page is at http://host:port/. Raises RuntimeFailure (SW8055) where that cannot be."""
    handler = type("PageRequest", (_Request,), {"hub": hub, "access": access, "page": PageFile.read()})
    try:
        server = (_Server6 if ":" in access.host else _Server)((access.host, access.port), handler)
    except OSError as error:
        raise RuntimeFailure(
            "SW8055",
            f"cannot serve the page on {access.host}:{access.port}: {error.strerror or error}: choose another port or "
            "address",
        ) from None
    threading.Thread(target=server.serve_forever, args=(_POLL_SECONDS,), name="page-server", daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = _MOST_REQUESTS

    def __init__(self, *arguments: Any) -> None:
        self._free = threading.BoundedSemaphore(_MOST_REQUESTS)
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no error of ours."""


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Request(BaseHTTPRequestHandler):
    hub: ClassVar[Hub]
    access: ClassVar[Access]
    page: ClassVar[PageFile]
    timeout = _STALL_SECONDS

    def do_GET(self) -> None:
        if not self.access.knows_host(self.headers.get("Host")):
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "This name is not one of a loopback address.")
            return
        url = urlsplit(self.path)
        if url.path == "/" and self.access.token is not None and self._has_token(url.query):
            self._answer(HTTPStatus.SEE_OTHER, b"", {"Location": "/", "Set-Cookie": self.access.cookie})
        elif not self.access.allows(self.headers.get("Authorization"), self.headers.get("Cookie")):
            self._refuse(HTTPStatus.UNAUTHORIZED, "A token is needed: open /?token=TOKEN once.")
        elif url.path == "/":
            html = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": self.page.policy}
            self._answer(HTTPStatus.OK, self.page.body, html)
        elif url.path != "/events":
            self._refuse(HTTPStatus.NOT_FOUND, "There is only /.")
        elif self.headers.get("Sec-Fetch-Site") not in _SAME_SITE:
            self._refuse(HTTPStatus.FORBIDDEN, "Only the page itself reads its events.")
        else:
            self._stream()

    def _has_token(self, query: str) -> bool:
        return any(map(self.access.is_token, parse_qs(query).get("token", ())))

    def _stream(self) -> None:
        self._begin(HTTPStatus.OK, {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
        self.wfile.write(f"retry: {_RETRY_MILLISECONDS}\n\n".encode("ascii"))
        seen = 0
        with self.hub.look():
            while True:
                message = self.hub.wait_for_change(seen, _SILENCE_SECONDS)
                if message is not None:
                    seen = message.version
                    self.wfile.write(b"event: %s\ndata: %s\n\n" % (message.kind.encode("ascii"), message.data))
                elif self.hub.is_closed:
                    self.wfile.write(b"event: end\ndata: {}\n\n")
                    return
                else:
                    self.wfile.write(b": nothing is new\n\n")

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        self._answer(status, f"{text}\n".encode("ascii"), {"Content-Type": "text/plain; charset=utf-8"})

    def _answer(self, status: HTTPStatus, body: bytes, headers: dict[str, str]) -> None:
        self._begin(status, {**headers, "Content-Length": str(len(body))})
        self.wfile.write(body)

    def _begin(self, status: HTTPStatus, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()

    def version_string(self) -> str:
        return "shardwright"

    def log_message(self, format: str, *values: Any) -> None:
        """A request line may hold the token."""
