"""Each way to an address, on real servers: HTTP, SMTP and a program. What is sent, signed, refused, hidden."""

from __future__ import annotations

import json
import ssl
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.events.run import RunFailed
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.notify.channel import DeliveryFailed, Transport
from shardwright.runtime.notify.message import KEYS, Message, Origin, message_of
from shardwright.runtime.notify.open import open_transport
from shardwright.runtime.notify.rules import Notice
from shardwright.specs.environment.notifications import (
    ChannelSetting,
    EmailLogin,
    EmailSetting,
    HttpSetting,
    ProgramSetting,
    TransportSetting,
)
from shardwright.specs.environment.secret_references import SecretReference
from tests.notify.receivers import http_receiver, mail_server
from tests.servers.certificates import Authority

KEY, TOKEN = SecretReference("env", "KEY"), SecretReference("env", "TOKEN")
ENVIRON = {"KEY": "signing-canary", "TOKEN": "Bearer header-canary", "PASSWORD": "mail-canary"}
ERROR = "row \u202e'7' \x1b[2Jis refused\nand ends"


def message(error: str = ERROR) -> Message:
    event = RunFailed("SW8133", error)
    return message_of(Notice(("failed",), event, event.sentence), "failed", Origin("orders-split", "staging"))


def way(setting: TransportSetting, folder: Path | str = ".", environ: Mapping[str, str] = ENVIRON) -> Transport:
    return open_transport(ChannelSetting("chat", setting), environ, folder=str(folder))


def failure(found: Transport) -> DeliveryFailed:
    with pytest.raises(DeliveryFailed) as caught:
        found.deliver(message(), seconds=5.0)
    assert not any(secret in repr((caught.value.answer, found)) for secret in ENVIRON.values())
    return caught.value


def authority(folder: Path) -> tuple[str, ssl.SSLContext]:
    """An authority's file, and what a server of its shows."""
    made = Authority(folder)
    certificate = made.certificate("server")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.file, certificate.key)
    return str(made.file), context


# -- HTTP --------------------------------------------------------------------------------------------------------------


def test_an_address_gets_the_document_signed_with_headers_and_nothing_that_acts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")  # reaches other machines only
    with http_receiver() as receiver:
        setting = HttpSetting(f"{receiver.url}/hook", {"authorization": TOKEN, "X-Team": "orders"}, signing_key=KEY)
        sent = message()
        answer = way(setting).deliver(sent, seconds=5.0)
    assert str(answer) == "answered with status 200: the last line"
    (request,) = receiver.requests
    assert request.path == "/hook"
    assert request.headers["content-type"] == "application/json"
    assert (request.headers["authorization"], request.headers["x-team"]) == (ENVIRON["TOKEN"], "orders")
    assert request.headers["shardwright-delivery"] == request.json["id"]
    assert request.is_signed_with(b"signing-canary") and not request.is_signed_with(b"another")
    assert tuple(request.json) == KEYS
    assert request.json == sent.document
    assert request.json["event"] == {
        "event": "RunFailed",
        "code": "SW8133",
        "error": "row \\u202e'7' \\u001b[2Jis refused\nand ends",
    }
    assert b"canary" not in request.body and b"\\u001b[2J" in request.body.replace(b"\\\\", b"\\")


def test_a_template_makes_the_body_in_a_sandbox(tmp_path: Path) -> None:
    (tmp_path / "chat.j2").write_text(
        '{"text": {{ (kind ~ " in " ~ environment ~ ": " ~ sentence) | tojson }}, "lag": "{{ event.lag_seconds }}"}'
    )
    (tmp_path / "hostile.j2").write_text("<{{ ''.__class__.__mro__ }}{{ event.nothing.at.all }}>")
    (tmp_path / "faulty.j2").write_text("{{ 1 // 0 }}")
    with http_receiver() as receiver:
        way(HttpSetting(receiver.url, template="chat.j2"), tmp_path).deliver(message("it broke"), seconds=5.0)
        way(HttpSetting(receiver.url, template="hostile.j2"), tmp_path).deliver(message("it broke"), seconds=5.0)
        faulty = failure(way(HttpSetting(receiver.url, template="faulty.j2"), tmp_path))
    chat, hostile = receiver.requests
    assert chat.json == {"text": "failed in staging: failed: it broke", "lag": ""}
    assert hostile.body == b"<>"
    assert faulty.answer.how == "the template failed: ZeroDivisionError" and not faulty.may_pass


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{{ sentense }}", "there is no variable 'sentense': did you mean 'sentence'?"),
        ("one\n{{ kind", "chat.j2:2: "),
        (None, "cannot be read: No such file or directory"),
        (b"\xff", "it is not UTF-8 text"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused_at_the_start(tmp_path: Path, text: Any, says: str) -> None:
    if text is not None:
        (tmp_path / "chat.j2").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputAtFault, match=r"SW8056: channel chat: chat\.j2") as caught:
        way(HttpSetting("https://127.0.0.1", template="chat.j2"), tmp_path)
    assert says in caught.value.message


def test_a_template_outside_of_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("x")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "chat.j2").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputAtFault, match=r"SW8056.*leads out of the project"):
        way(HttpSetting("https://127.0.0.1", template="chat.j2"), tmp_path / "project")


def test_a_redirect_is_not_followed_and_statuses_say_whether_to_try_again() -> None:
    with http_receiver() as elsewhere, http_receiver([f"{elsewhere.url}/stolen", 503, 429, 404]) as receiver:
        receiver.says = f"echo: {ENVIRON['TOKEN']}"
        found = way(HttpSetting(receiver.url, {"X-Auth": TOKEN}, signing_key=KEY))
        failures = [failure(found) for _ in range(4)]
        assert elsewhere.requests == [] and len(receiver.requests) == 4
    assert [(one.answer.how, one.may_pass) for one in failures] == [
        ("answered with status 302, a redirect, which is not followed", True),
        ("answered with status 503", True),
        ("answered with status 429", True),
        ("answered with status 404", False),
    ]
    assert failures[1].answer.said == "echo: ..."


def test_i7_certificates_are_verified(tmp_path: Path) -> None:
    ca, context = authority(tmp_path)
    with http_receiver(tls=context) as receiver:
        unknown = failure(way(HttpSetting(receiver.url)))
        assert unknown.answer.how == "cannot be reached" and "CERTIFICATE_VERIFY_FAILED" in unknown.answer.said
        assert receiver.requests == []
        assert way(HttpSetting(receiver.url, ca=ca)).deliver(message(), seconds=5.0).how == "answered with status 200"
    with pytest.raises(InputAtFault, match=r"SW8057: channel chat: .*chat.j2 cannot be used as ca"):
        way(HttpSetting("https://127.0.0.1", ca=str(tmp_path / "chat.j2")))


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        (HttpSetting(SecretReference("env", "NOWHERE")), "SW7003"),
        (HttpSetting(SecretReference("env", "CANARY")), "SW8057"),
        (HttpSetting("https://127.0.0.1", {"X-A": SecretReference("env", "TWO_LINES")}), "SW8057"),
        (HttpSetting(SecretReference("env", "CLEAR")), "SW7022"),
    ],
)
def test_i3_a_secret_that_cannot_be_sent_is_refused_and_not_shown(setting: HttpSetting, code: str) -> None:
    environ = {"CANARY": "canary\n://x", "TWO_LINES": "canary\r\nX: y", "CLEAR": "http://chat.internal/canary"}
    with pytest.raises(InputAtFault) as caught:
        way(setting, environ=environ)
    assert caught.value.code == code and "canary" not in caught.value.message


# -- mail --------------------------------------------------------------------------------------------------------------


def email(port: int, **more: Any) -> EmailSetting:
    found: dict[str, Any] = {"tls": "off", **more}
    return EmailSetting("127.0.0.1", port, "shardwright@example.org", ("ops@example.org", "lead@example.org"), **found)


def test_a_mail_has_the_sentence_and_the_facts() -> None:
    with mail_server() as box:
        sent = message("two\nlines")
        assert way(email(box.port)).deliver(sent, seconds=5.0).how == "took the mail"
    (mail,) = box.mails
    assert box.senders == [("shardwright@example.org", ["ops@example.org", "lead@example.org"])]
    assert mail["Subject"] == "[shardwright] orders-split in staging: failed"
    assert mail["Message-ID"] == f"<{sent.document['id']}@shardwright>"
    text = mail.get_content().replace("\r\n", "\n")
    assert text.startswith("failed: two\nlines\n\nmigration: orders-split\nenvironment: staging\n")
    assert '"code": "SW8133"' in text


def test_i7_a_password_goes_to_a_verified_server_only(tmp_path: Path) -> None:
    ca, context = authority(tmp_path)
    login = EmailLogin("shardwright", SecretReference("env", "PASSWORD"))
    with mail_server(tls=context) as box:
        unknown = failure(way(email(box.port, tls="starttls", login=login)))
        assert "CERTIFICATE_VERIFY_FAILED" in unknown.answer.said and box.logins == []
        found = way(email(box.port, tls="starttls", login=login, ca=ca))
        assert found.deliver(message(), seconds=5.0).how == "took the mail"
        assert box.logins == [(b"shardwright", b"mail-canary")]
        denied = way(email(box.port, tls="starttls", login=login, ca=ca), environ={"PASSWORD": "wrong"})
        refused = failure(denied)
        assert refused.answer.how == "answered with code 535" and not refused.may_pass
    with mail_server() as plain:
        without = failure(way(email(plain.port, tls="starttls", ca=ca)))
        assert (without.answer.how, without.may_pass) == ("lacks what is asked of it", False)


def test_what_a_mail_server_answers_says_whether_to_try_again() -> None:
    with mail_server(["451 try\r\n later", "550 no"]) as box:
        found = way(email(box.port))
        later, never = failure(found), failure(found)
        assert (later.answer.how, later.may_pass) == ("answered with code 451", True)
        assert (never.answer.how, never.may_pass) == ("answered with code 550", False)
        port = box.port
    gone = failure(way(email(port)))
    assert gone.may_pass and str(gone.answer) == "cannot be reached: Connection refused"


# -- programs ----------------------------------------------------------------------------------------------------------


def test_a_program_gets_the_document_and_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", ENVIRON["TOKEN"])
    (tmp_path / "page.py").write_text(
        "import json, os, pathlib, sys\n"
        "pathlib.Path('got.json').write_text(json.dumps([json.load(sys.stdin), sys.argv[1:], dict(os.environ)]))\n"
    )
    sent = message()
    found = way(ProgramSetting((sys.executable, "page.py", "$(words); a b")), tmp_path)
    assert str(found.deliver(sent, seconds=10.0)) == "ended with exit code 0"
    document, arguments, environ = json.loads((tmp_path / "got.json").read_text())
    assert document == sent.document and arguments == ["$(words); a b"] and "TOKEN" not in environ


def test_a_program_that_fails_is_not_called_again_by_the_channel(tmp_path: Path) -> None:
    (tmp_path / "page.sh").write_text("#!/bin/sh\necho the pager says no >&2\nexit 3\n")
    (tmp_path / "page.sh").chmod(0o700)
    refused = failure(way(ProgramSetting(("./page.sh",)), tmp_path))
    assert (str(refused.answer), refused.may_pass) == ("ended with exit code 3: the pager says no", False)
