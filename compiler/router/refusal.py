"""What an output cannot express, as a finding. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shardwright.compiler.router.model import RoutedTable


@dataclass(eq=False, slots=True)
class NotRouted(Exception):
    """`message` names the table, the part of its rule, and the output; `code` is from SW5301 to SW5303."""

    code: str
    table: str
    message: str
    hint: str | None = None


class NotExpressible(Exception):
    """No router can compute this; `node` names what."""

    def __init__(self, node: str, why: str = "") -> None:
        super().__init__(why or f"there is no step '{node}'")
        self.node = node


def require_own_key(table: RoutedTable, product: str) -> None:
    """Raises NotRouted where the rows have no key column of their own: a proxy looks at one statement."""
    if table.parent is not None:
        message = f"{product} cannot place rows of '{table.logical}': they have no key column of '{table.parent}'"
        raise NotRouted("SW5302", table.logical, message, "ask a library, with the key of the parent's row")
