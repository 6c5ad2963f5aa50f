"""Who may read the page, and what the server does with anything else."""

from __future__ import annotations

import http.client
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.watch.page.access import Access, is_loopback
from shardwright.runtime.watch.page.hub import Hub
from shardwright.runtime.watch.page.serve import serve_page

TOKEN = "0123456789abcdef-token"


@contextmanager
def _page(token: str | None = None) -> Iterator[tuple[int, Hub]]:
    hub, port = Hub(), free_port()
    hub.publish({"now": {"migration": "m"}})
    with serve_page(hub, Access("127.0.0.1", port, token)):
        yield port, hub
        hub.close(0.0)


def _get(port: int, path: str = "/", *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        is_stream = answer.getheader("Content-Type") == "text/event-stream"
        read = b"".join(answer.readline() for _ in range(5)) if is_stream else answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, read.decode("utf-8")
    finally:
        connection.close()


def test_the_page_loads_nothing_and_runs_no_script_but_its_own() -> None:
    with _page() as (port, _):
        status, headers, text = _get(port)
        assert status == 200 and "<title>Shardwright</title>" in text
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and "access-control-allow-origin" not in headers
        assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")
        assert headers["referrer-policy"] == "no-referrer" and headers["server"] == "shardwright"
        # The address of a namespace is no address to load from.
        assert text.replace("http://www.w3.org/2000/svg", "").count("://") == 0
        assert not any(
            sink in text
            for sink in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", " style=", " onclick=")
        )
        status, headers, text = _get(port, "/events", Sec_Fetch_Site="same-origin")
        assert status == 200 and headers["content-type"] == "text/event-stream"
        assert 'event: state\ndata: {"now":{"migration":"m"}}\n' in text


def test_a_name_that_someone_elses_dns_leads_here_gets_nothing() -> None:
    ours = ("127.0.0.1:1", "localhost", "[::1]:9465", "127.9.9.9", "LOCALHOST:80")
    others = ("evil.example", "127.0.0.1.evil.example:9465", "10.0.0.5", "", "[::1")
    with _page() as (port, _):
        for host in (*ours, *others):
            expected = 200 if host in ours else 421
            assert _get(port, Host=host)[0] == _get(port, "/events", Host=host)[0] == expected, host


def test_there_is_nothing_but_two_paths_and_one_method() -> None:
    with _page() as (port, _):
        for path in ("/state", "/../page.html", "/events/", "/page.html", "/%2e%2e/etc/passwd"):
            assert _get(port, path)[0] == 404, path
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
            assert _get(port, method=method)[0] == 501, method
        assert _get(port, "/events", Sec_Fetch_Site="cross-site")[0] == 403
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(b"\0\xff" * 50 + b"\r\n\r\n")
            assert b"Traceback" not in raw.recv(4096)
        assert _get(port)[0] == 200


def test_i3_a_token_is_shown_once_and_a_cookie_has_another_secret(capfd: pytest.CaptureFixture[str]) -> None:
    with _page(TOKEN) as (port, _):
        for path in ("/", "/events", f"/?token={TOKEN[:-1]}", "/?token=", "/?token=%00", f"/events?token={TOKEN}"):
            assert _get(port, path)[0] == 401, path
        assert _get(port, Authorization=f"Bearer {TOKEN}x")[0] == _get(port, Authorization=f"Basic {TOKEN}")[0] == 401
        assert _get(port, Cookie=f"shardwright_page_{port}={TOKEN}")[0] == 401
        assert _get(port, Authorization=f"Bearer {TOKEN}")[0] == 200
        status, headers, _ = _get(port, f"/?token={TOKEN}")
        assert (status, headers["location"]) == (303, "/"), "the address that stays has no token"
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and TOKEN not in cookie
        pair = cookie.partition(";")[0]
        assert (
            _get(port, Cookie=f"odd[=%; {pair}")[0] == _get(port, "/events", Cookie=pair, Host="ops.example")[0] == 200
        )
        assert _get(port, Cookie=f"{pair}x")[0] == 401
    printed = capfd.readouterr()
    assert printed.out == printed.err == "", "no request is logged, and so no token"


def test_beyond_loopback_there_is_no_page_without_a_token() -> None:
    for host in ("0.0.0.0", "10.0.0.5", "::", "ops.example"):
        assert not is_loopback(host)
        with pytest.raises(RuntimeFailure, match="no loopback address"):
            Access(host, 9465)
        Access(host, 9465, TOKEN)
    for token in ("short", "", "ü" * 20):
        with pytest.raises(RuntimeFailure, match="16 characters"):
            Access("127.0.0.1", 9465, token)
    assert TOKEN not in repr(Access("::", 1, TOKEN))


def test_g7_too_many_requests_are_refused_and_pages_that_go_make_room() -> None:
    with _page() as (port, hub):
        sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
        try:
            answers = []
            for one in sockets:
                one.settimeout(20)
                try:
                    one.sendall(b"GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n")
                    answers.append(one.recv(64).startswith(b"HTTP/1.0 200"))
                except OSError:
                    answers.append(False)
            assert 40 <= sum(answers) < 60
        finally:
            for one in sockets:
                one.close()
        for number in range(3):
            hub.publish({"now": {"migration": f"m{number}"}})
        with socket.create_connection(("127.0.0.1", port)):
            pass


def test_a_port_that_is_taken() -> None:
    with (
        _page() as (port, _),
        pytest.raises(RuntimeFailure, match="cannot serve the page"),
        serve_page(Hub(), Access("127.0.0.1", port)),
    ):
        raise AssertionError


def test_pages_get_the_end() -> None:
    with _page() as (port, hub):
        hub.close(0.0)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/events")
        text = connection.getresponse().read().decode("ascii")
        assert re.findall("event: (.*)", text) == ["state", "end"]
        connection.close()
