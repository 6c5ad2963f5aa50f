"""Every algorithm over every type of key it takes, with every option it reads, for a grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.compiler.sharding.build import Grid
from tests.sharding.typed_columns import COLUMNS, DATE_COLUMNS

Case = tuple[tuple[str, ...], Mapping[str, object]]

_WHOLE = [name for name, column in COLUMNS.items() if not column.nullable and name not in DATE_COLUMNS]
_INTEGERS = [name for name in _WHOLE if COLUMNS[name].type.is_integer]
_TEXTS = [name for name in _WHOLE if not COLUMNS[name].type.is_integer]
_NO_BYTES = [name for name in _WHOLE if not COLUMNS[name].type.is_bytes]
_COMPOSITE = ("country", "user_id")
_LAYOUTS = ("same_rest", "blocks")


def _each(names: Sequence[str], **options: object) -> list[Case]:
    return [((name,), options) for name in names]


def _hashes(**more: Sequence[object]) -> list[Case]:
    """Options that hash algorithms share, and those of one."""
    cases: list[Case] = [((name,), {"layout": layout}) for layout in _LAYOUTS for name in ("user_id", "email")]
    cases += [(_COMPOSITE, {}), (_COMPOSITE, {"separator": "-'/"})]
    names = ("tiny", "number", "filled", "user_id", "big", "order_no", "uuid")
    cases += [((name,), {option: value}) for option, values in more.items() for value in values
              for name in names if name in _values_of(option)]  # fmt: skip
    return cases


def _values_of(option: str) -> Sequence[str]:
    return _INTEGERS if option == "integers" else _WHOLE


def every_option(grid: Grid) -> Mapping[str, Sequence[Case]]:
    return {
        "mod": [*_each(_INTEGERS), *(((n,), {"layout": layout}) for layout in _LAYOUTS for n in ("user_id", "big"))],
        "hash_mod": [*_each(_NO_BYTES), *_hashes(integers=("as_long",))],
        "crc32_mod": [*_each(_WHOLE), *_hashes()],
        "murmur3_32": [
            *_each(_WHOLE),
            *_hashes(integers=("as_column", "as_text"), seed=(1, 42, 2**32 - 1), remainder=("floor", "absolute")),
        ],
        "xxhash64": [
            *_each(_WHOLE),
            *_hashes(integers=("as_column", "as_text"), seed=(1, 42, 10**18 - 1), remainder=("floor", "absolute")),
        ],
        "md5_prefix": [*_each(_WHOLE), *_hashes(digits=(1, 4, 15))],
        "range": _ranges(grid),
        "interval": _intervals(grid),
        "lookup": _lookups(grid),
        "weighted": _cases_of_weights(grid),
    }


def _places(grid: Grid, count: int) -> Mapping[str, object]:
    """Places that jump about, each with a table."""
    names, suffixes = grid.databases, grid.suffixes
    if len(suffixes) == 1:
        return {"places": [names[(7 * number + 1) % len(names)] for number in range(count)]}
    return {
        "places": [f"{names[7 * n % len(names)]}/{suffixes[(5 * n + 1) % len(suffixes)]}" for n in range(count)],
    }


def _databases(grid: Grid, count: int) -> Mapping[str, object]:
    return {"places": [number % len(grid.databases) for number in range(count)], "tables_by": "crc32"}


def _ranges(grid: Grid) -> list[Case]:
    numbers, dates = [-1000, 0, 7, 2**40], ["1999-12-31", "2024-01", "2024-02-29", "2024-03-01"]
    cases: list[Case] = []
    for places in (_places(grid, 5), _databases(grid, 5)):
        cases += _each(["small", "number", "user_id", "big"], boundaries=numbers, **places)
        cases += _each(["born", "seen", "made"], boundaries=dates, **places)
    return cases


def _intervals(grid: Grid) -> list[Case]:
    cases: list[Case] = []
    for start, step in (("2024-01-30", "1 day"), ("2023-12", "10 days"), ("2023-12", "1 month"), ("1990", "3 years")):
        for outside in ("clamp", "cycle"):
            options = {"start": start, "step": step, "outside": outside}
            cases += _each(["born", "seen", "made"], **options, **_places(grid, 6))
    cases += _each(["born"], start="2024-01", step="1 month")
    return cases


def _lookups(grid: Grid) -> list[Case]:
    numbers: Mapping[str, object] = {"1": 0, "-7": grid.databases[-1], "0": 0}
    words = ("a", "", "ä", "A", "it's", "7 ")
    texts = dict(zip(words, [0, grid.databases[-1]] * 3, strict=True))
    octets = {"0a": 0, "00": grid.databases[-1], "0xff": 0}
    both: Mapping[str, object] = {"default": len(grid.databases) - 1, "tables_by": "crc32"}
    return [
        *_each(["user_id", "number"], map=numbers, **both),
        *_each(["order_no", "email", "country"], map=texts, **both),
        *_each(["uuid", "token"], map=octets, **both),
    ]


def _cases_of_weights(grid: Grid) -> list[Case]:
    weights: Mapping[str, object] = {name: 3 * number % 5 + 1 for number, name in enumerate(grid.databases)}
    ranges = [{"from": 0, "to": 99, "place": 0}, {"from": 100, "to": 255, "place": grid.databases[-1]}]
    return [
        *_each(["user_id", "email", "uuid"], weights=weights),
        *_each(["user_id", "order_no"], weights=weights, hash="java", buckets=100),
        *_each(["user_id", "big"], weights=weights, hash="murmur3_32"),
        *_each(["user_id", "big"], weights=weights, hash="xxhash64", buckets=65536),
        *_each(["user_id"], ranges=ranges, buckets=256),
        (_COMPOSITE, {"weights": weights}),
    ]
