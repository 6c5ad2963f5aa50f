"""Which row is whose? The rules of each `data.sql`, so that a request names rows that belong together. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.advise.workloads.requests import Request, Rule

_USERS: Final = 5000
_ORDER_OF_USER: Final = pow(7919, -1, _USERS)


def _order(request: Request) -> int:
    first = (request["user"] - 1) * _ORDER_OF_USER % _USERS or _USERS
    return first + _USERS * request.number(0, 1)


def _seller_of(product: int) -> int:
    return 1 if product % 4 == 0 else 2 + product % 119


def _topic(request: Request) -> int:
    """New topics are read most; some old ones are found by search engines."""
    return request.number(3800, 4000) if request.number(1, 10) <= 6 else request.number(1, 4000)


def _board_of(topic: int) -> int:
    return 2 if topic % 5 < 2 else 3 + topic % 22


def _tenant(request: Request) -> int:
    return 7 if request.number(1, 100) <= 22 else request.number(1, 300)


RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "shop": {
        "user": lambda request: request.number(1, _USERS),
        "user2": lambda request: 1 + (request["user"] + request.number(0, _USERS - 2)) % _USERS,
        "order": _order,
        "order2": _order,
        "address": lambda request: request["user"],
        "product": lambda request: request.number(1, 2000),
        "product2": lambda request: request.number(1, 2000),
        "products": lambda request: request.number(1, 2000),
        "seller": lambda request: _seller_of(request["product"]),
        "seller2": lambda request: _seller_of(request["product2"]),
        "category": lambda request: request.number(13, 120),
        "coupon": lambda request: request.number(1, 60),
        "guestcart": lambda request: request.number(5001, 6000),
    },
    "forum": {
        "user": lambda request: request.number(2, 3000),
        "user2": lambda request: request.number(2, 3000),
        "users": lambda request: request.number(2, 3000),
        "topic": _topic,
        "topic2": lambda request: 1 + (request["topic"] + request.number(0, 3998)) % 4000,
        "topics": lambda request: request.number(1, 4000),
        "board": lambda request: _board_of(request["topic"]),
        "post": lambda request: request["topic"] + 4000 * request.number(0, 13),
        "posts": lambda request: request["topic"] + 4000 * request.number(0, 13),
        "attachment": lambda request: request.number(1, 5000),
    },
    "billing": {
        "tenant": _tenant,
        "tenant2": lambda request: request.number(1, 300),
        "customer": lambda request: request.number(1, 9000),
        "invoice": lambda request: request.number(1, 20000),
        "id": lambda request: request.number(1, 9000),
        "ids": lambda request: request.number(1, 9000),
    },
}
LAST_IDS: Final[Mapping[str, Mapping[str, int]]] = {
    "shop": {
        "shop_order": 12000,
        "shop_cart": 6000,
        "auth_user": 5000,
        "catalog_product": 2000,
        "support_ticket": 5000,
    },
    "forum": {"ff_topics": 4000, "ff_posts": 56000, "ff_users": 3000},
    "billing": {},
}
"""The highest ids of `data.sql`; other tables begin at 900,001."""
