"""The direction that is asked stays until the round that is at work has ended."""

from __future__ import annotations

import threading
from typing import Any, cast

from shardwright.runtime.stream.rounds.round_work import Partner
from shardwright.runtime.stream.rounds.side import RoundSide


def test_a_partner_answers_until_the_round_has_ended() -> None:
    ending = threading.Event()
    partner = Partner(cast(RoundSide, object()), ending.is_set)
    thread = threading.Thread(target=partner.serve, daemon=True)
    thread.start()
    with partner.turn:
        assert partner.ask(lambda _: 1).result(timeout=10) == 1
        ending.set()
        thread.join(timeout=0.2)
        assert thread.is_alive() and not partner.is_gone
        assert partner.ask(lambda _: 2).result(timeout=10) == 2
    thread.join(timeout=10)
    assert not thread.is_alive() and partner.is_gone


def test_who_asks_a_partner_that_is_gone_gets_an_error() -> None:
    partner = Partner(cast(RoundSide, object()), lambda: True)
    partner.serve()
    error: Any = partner.ask(lambda _: 1).exception(timeout=10)
    assert error is not None and error.code == "SW8304"
