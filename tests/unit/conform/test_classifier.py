"""A form that is known gives the verdict that a look at the statement itself gives."""

from __future__ import annotations

import pytest

from shardwright.compiler.conform.classifier import Classifier
from shardwright.compiler.conform.classify import classify
from tests.unit.conform.test_verdicts import shop

FORMS = [
    ("SELECT email FROM users WHERE id = 7 AND name = 'a'", "SELECT email FROM users WHERE id = 9 AND name = 'b'"),
    ("SELECT email FROM users WHERE id = 7 AND balance = 8", "SELECT email FROM users WHERE id = 8 AND balance = 7"),
    ("SELECT email FROM users WHERE id = '7'", "SELECT email FROM users WHERE id = '08'"),
    ("SELECT email FROM users WHERE id = -7", "SELECT email FROM users WHERE id = -9"),
    ("SELECT email FROM users WHERE id = 7 AND name = '7'", "SELECT email FROM users WHERE id = 9 AND name = '9'"),
    ("SELECT email FROM users WHERE id = 7 OR id = 8", "SELECT email FROM users WHERE id = 7 OR id = 7"),
    (
        "INSERT INTO payment (payment_no, user_id) VALUES ('a', 7)",
        "INSERT INTO payment (payment_no, user_id) VALUES ('b', 9)",
    ),
    (
        "INSERT INTO payment (payment_no, user_id) VALUES ('a', 7), ('b', 8)",
        "INSERT INTO payment (payment_no, user_id) VALUES ('a', 7), ('b', 7)",
    ),
    (
        "SELECT o.note FROM order_info o JOIN payment p ON p.user_id = 7 WHERE o.user_id = 7",
        "SELECT o.note FROM order_info o JOIN payment p ON p.user_id = 7 WHERE o.user_id = 8",
    ),
    ("DELETE FROM payment WHERE user_id = :u AND paid = 3", "DELETE FROM payment WHERE user_id = :u AND paid = 4"),
    ("DELETE FROM payment WHERE user_id = 1.0", "DELETE FROM payment WHERE user_id = 2.0"),
]


@pytest.mark.parametrize(("first", "second"), [*FORMS, *((second, first) for first, second in FORMS)])
def test_a_known_form_gives_the_same_verdict(first: str, second: str) -> None:
    layout = shop("payment")
    judge = Classifier(layout).judge
    assert [judge(first), judge(second), judge(first)] == [classify(text, layout) for text in (first, second, first)]
