"""What takes messages in tests: a real HTTP server, a real SMTP server, and one that accepts and never answers."""

from __future__ import annotations

import email
import email.policy
import hashlib
import hmac
import json
import socket
import ssl
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from shardwright.runtime.rehearsal.sandbox.local import free_port


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    """By names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def is_signed_with(self, key: bytes) -> bool:
        """As a receiver that shares no code with the product would look."""
        parts = dict(part.split("=", 1) for part in self.headers["shardwright-signature"].split(","))
        expected = hmac.new(key, parts["t"].encode() + b"." + self.body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(parts["v1"], expected)


@dataclass
class HttpReceiver:
    """`answers` are those of the next requests: a status, or where a redirect leads. Afterwards it is 200."""

    url: str = ""
    requests: list[Request] = field(default_factory=list)
    answers: list[int | str] = field(default_factory=list)
    says: str = "first line\nthe last line"

    @property
    def kinds(self) -> list[str]:
        return [request.json["kind"] for request in self.requests]


@contextmanager
def http_receiver(answers: Sequence[int | str] = (), *, tls: ssl.SSLContext | None = None) -> Iterator[HttpReceiver]:
    found = HttpReceiver(answers=list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            found.requests.append(Request(self.path, headers, body))
            answer = found.answers.pop(0) if found.answers else 200
            self.send_response(answer if isinstance(answer, int) else 302)
            if isinstance(answer, str):
                self.send_header("Location", answer)
            said = found.says.encode()
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        do_GET = do_POST  # what a redirect that was followed would become

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    found.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


@dataclass
class Mailbox:
    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    senders: list[tuple[str, list[str]]] = field(default_factory=list)
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """Those of the next mails, instead of 250."""

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        if self.answers:
            return self.answers.pop(0)
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.senders.append((envelope.mail_from, envelope.rcpt_tos))
        return "250 taken"

    def authenticate(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"mail-canary", handled=False)


@contextmanager
def mail_server(answers: Sequence[str] = (), *, tls: ssl.SSLContext | None = None) -> Iterator[Mailbox]:
    """With `tls` it asks for STARTTLS and a login."""
    box = Mailbox(port=free_port(), answers=list(answers))
    protected = {} if tls is None else {
        "tls_context": tls, "require_starttls": True, "authenticator": box.authenticate, "auth_required": True,
    }  # fmt: skip
    controller = Controller(box, hostname="127.0.0.1", port=box.port, **protected)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


class Silent:
    """Accepts connections, reads, and never answers."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        self.connections: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections.append(connection)

    def hangs(self) -> bool:
        """Whether the one who connected first still waits for an answer."""
        if not self.connections:
            return False
        first = self.connections[0]
        first.setblocking(False)
        try:
            while first.recv(65_536):
                pass
        except BlockingIOError:
            return True
        return False

    def close(self) -> None:
        self._socket.close()
        for connection in self.connections:
            connection.close()


@contextmanager
def silent_server() -> Iterator[Silent]:
    with closing(Silent()) as found:
        yield found


class Notebook:
    """A program that writes each document into a file; `channel` is its entry of an environment file."""

    def __init__(self, folder: Path) -> None:
        self.file, script = folder / "notified.jsonl", folder / "notebook.py"
        script.write_text(f"import sys\nopen({str(self.file)!r}, 'a').write(sys.stdin.read() + '\\n')\n")
        self.channel = {"command": [sys.executable, str(script)]}

    @property
    def documents(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []

    @property
    def kinds(self) -> list[str]:
        return [document["kind"] + (" ended" if document["ended"] else "") for document in self.documents]
