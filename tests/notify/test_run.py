"""A run on real servers notifies: over HTTP, by mail and by a program, while another target never answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, password_file
from tests.notify.receivers import Mailbox, Notebook, http_receiver, mail_server, silent_server
from tests.servers.testbed import Arena
from tests.support.commands import shardwright
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab

pytestmark = [pytest.mark.server, pytest.mark.spark]

VALUE, HEADER, KEY = "value-canary", "Bearer header-canary", "signing-canary"
SENT = ["started", "snapshot_complete", "caught_up", "paused", "paused ended", "verify_differs", "ddl_stop"]


@pytest.mark.in_turn
def test_i3_a_run_notifies_and_a_target_that_never_answers_holds_up_no_batch(arena: Arena, tmp_path: Path) -> None:
    for name, secret in (("header", HEADER), ("key", KEY)):
        (tmp_path / name).write_text(secret)
    notebook = Notebook(tmp_path)
    with http_receiver() as elsewhere, http_receiver() as chat, mail_server() as box, silent_server() as silent:
        chat.answers[:] = [500, f"{elsewhere.url}/stolen"]
        channels = {
            "chat": {
                "kinds": _kinds(),
                "http": {
                    "url": f"{chat.url}/hook",
                    "headers": {"Authorization": {"file": str(tmp_path / "header")}},
                    "signing_key": {"file": str(tmp_path / "key")},
                },
            },
            "mail": {
                "kinds": _kinds(),
                "email": {
                    "host": "127.0.0.1",
                    "port": box.port,
                    "tls": "off",
                    "from": "shardwright@example.org",
                    "to": ["ops@example.org"],
                },
            },
            "notebook": {"kinds": _kinds(), **notebook.channel},
            "silent": {"kinds": ["started"], "http": {"url": silent.url}, "timeout": "1h"},
        }
        lab = Lab(arena, tmp_path, settings={"on_event": {"channels": channels}})
        lab.create_source()
        lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
        with lab.run(gated=False) as run:
            lab.until(run, "the target that never answers was asked", silent.hangs)
            lab.until(run, "all channels have caught up", lambda: _all_have(chat.kinds, notebook, box, "caught_up"))
            batch = lab.ledger_state().batch
            for number in range(5, 8):
                lab.write(f"UPDATE parent SET note = 'n{number}' WHERE id = 1")
                lab.drain(run)
            assert lab.ledger_state().batch >= batch + 3
            assert silent.hangs() and len(silent.connections) == 1, "it holds the first message all the time"
            lab.job.call("control", "pause", "--env", ENVIRONMENT)
            lab.until(run, "the pause is notified of", lambda: "paused" in notebook.kinds)
            lab.job.call("control", "resume", "--env", ENVIRONMENT)
            lab.until(run, "and its end", lambda: _all_have(chat.kinds, notebook, box, "paused ended"))
            lab.at(0, f"UPDATE parent_0 SET note = '{VALUE}' WHERE id = 1")
            lab.job.call("verify", "--env", ENVIRONMENT, expect=Exit.INPUT_AT_FAULT)
            lab.write("ALTER TABLE parent ADD COLUMN more INT")
            lab.wait_for_end(run, code=Exit.REFUSED, saying="channel silent: not delivered within 5 s")

        assert notebook.kinds == SENT
        assert _subjects(box) == [kind.split()[0].replace("_", " ") for kind in SENT]
        assert chat.kinds == ["started", "started", *(document["kind"] for document in notebook.documents)]
        assert len({request.headers["shardwright-delivery"] for request in chat.requests[:3]}) == 1
        assert all(request.is_signed_with(KEY.encode()) for request in chat.requests)
        assert all(request.headers["authorization"] == HEADER for request in chat.requests)
        assert elsewhere.requests == [], "a redirect was followed"

        differs, stop = notebook.documents[-2:]
        assert differs["sentence"] == "verify: 1 mismatches in parent"
        assert (stop["event"]["event"], stop["event"]["code"]) == ("RunFailed", "SW8114")
        database_password = password_file(RUNTIME_USER, secrets=arena.folder / "secrets").read_text("utf-8")
        secrets = (VALUE, HEADER, KEY, database_password)
        printed = lab.job.log.read_text("utf-8")
        texts = [*(request.body.decode() for request in chat.requests), *(mail.as_string() for mail in box.mails)]
        assert not [text for text in texts for secret in secrets if secret in text]
        assert not [secret for secret in secrets[1:] if secret in printed]

        lines = lab.at(0, "SELECT what, detail FROM _shardwright_audit WHERE what LIKE 'notification%' ORDER BY id")
        by_channel = {name: [detail for _, detail in lines if detail.startswith(f"{name}: ")] for name in channels}
        assert by_channel["chat"][0] == "chat: started: answered with status 200, attempt 3"
        assert by_channel["mail"] == [f"mail: {kind.split()[0]}: took the mail" for kind in SENT]
        assert by_channel["notebook"] == [f"notebook: {kind.split()[0]}: ended with exit code 0" for kind in SENT]
        assert ("notifications cut", "silent: started") in lines
        _channels_are_tried(lab, chat.answers)


def _kinds() -> list[str]:
    """A list of its own for each channel: an environment file has no aliases."""
    return sorted({kind.split()[0] for kind in SENT})


def _all_have(sent_to_chat: list[str], notebook: Notebook, box: Mailbox, kind: str) -> bool:
    plain = kind.split()[0]
    number = [one.split()[0] for one in SENT[: SENT.index(kind) + 1]].count(plain)
    return kind in notebook.kinds and sent_to_chat.count(plain) == number == _subjects(box).count(
        plain.replace("_", " ")
    )


def _subjects(box: Mailbox) -> list[str]:
    """What each mail says of lab in its subject."""
    found = [str(mail["Subject"]).removeprefix("[shardwright] lab in test: ") for mail in box.mails]
    return [subject.removesuffix(" (ended)") for subject in found]


def _channels_are_tried(lab: Lab, answers: list[int | str]) -> None:
    tried = shardwright(lab.job.project, "notify", "--env", ENVIRONMENT, "--test", "chat", "notebook").require(0)
    assert [line.split() for line in tried.out.splitlines()] == [
        ["chat", "ok", *["answered", "with", "status", "200:", "the", "last", "line"]],
        ["notebook", "ok", *["ended", "with", "exit", "code", "0"]],
    ]
    answers[:] = [503]
    refused = shardwright(lab.job.project, "notify", "--env", ENVIRONMENT, "--test", "chat").require(Exit.UNREACHABLE)
    assert "failed" in refused.out and "answered with status 503" in refused.out
    unknown = shardwright(lab.job.project, "notify", "--env", ENVIRONMENT, "--test", "notbook")
    assert "did you mean 'notebook'?" in unknown.require(Exit.INPUT_AT_FAULT).err
    tests = lab.at(0, "SELECT what, detail FROM _shardwright_audit WHERE detail LIKE '%: test: %' ORDER BY id")
    assert tests == [
        ("notification delivered", "chat: test: answered with status 200"),
        ("notification delivered", "notebook: test: ended with exit code 0"),
        ("notification failed", "chat: test: answered with status 503"),
    ]
