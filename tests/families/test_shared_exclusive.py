"""The lock between chunks of children and batches that move parents."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from shardwright.runtime.stream.families.shared_exclusive import SharedExclusive
from tests.support.waiting import wait_until


def test_no_one_shares_while_one_is_alone_and_the_one_goes_first() -> None:
    lock, order, inside = SharedExclusive(), [], []
    first_shares, may_leave = threading.Event(), threading.Event()

    def share(name: str, until: threading.Event | None = None) -> None:
        with lock.share():
            inside.append(name)
            assert "alone" not in inside
            order.append(name)
            if until is not None:
                first_shares.set()
                assert until.wait(60)
            inside.remove(name)

    def alone() -> None:
        with lock.exclusive():
            assert not inside
            inside.append("alone")
            order.append("alone")
            time.sleep(0.05)
            inside.remove("alone")

    threads = [threading.Thread(target=share, args=("early", may_leave))]
    threads[0].start()
    assert first_shares.wait(60)
    threads.append(threading.Thread(target=alone))
    threads[1].start()
    _until(lambda: lock._waiting == 1)  # for the early one
    threads += [threading.Thread(target=share, args=(f"late {number}",)) for number in range(3)]
    for thread in threads[2:]:
        thread.start()
    time.sleep(0.1)
    assert order == ["early"]
    may_leave.set()
    for thread in threads:
        thread.join(60)
    assert order[:2] == ["early", "alone"] and len(order) == 5


def _until(holds: Callable[[], bool]) -> None:
    wait_until("it is so", holds, seconds=60, pause=0.01)


def test_a_failure_within_lets_the_others_continue() -> None:
    lock = SharedExclusive()
    for hold in (lock.share, lock.exclusive):
        try:
            with hold():
                raise KeyError
        except KeyError:
            pass
    with lock.exclusive():
        pass
    with lock.share():
        pass
