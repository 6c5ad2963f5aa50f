"""How do answers of many statements come from Spark in one job, and how do rows become a view?

Runs in the driver, with Spark; touches no server.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from shardwright.compiler.sql.sql_text import quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

Answer = Mapping[str, Any]
"""A row of a statement's result by column name, structs as mappings."""

Label = tuple[str, int]


def gather(frames: Sequence[tuple[Label, DataFrame]]) -> Mapping[Label, list[Answer]]:
    """Every row of every frame, by the frame's label; several frames may share one. One Spark job."""
    from pyspark.sql import DataFrame
    from pyspark.sql import functions as F

    found: dict[Label, list[Answer]] = defaultdict(list)
    texts = [
        frame.select(
            *(F.lit(part) for part in label),
            F.to_json(F.struct(*(F.col(quote(name)) for name in frame.columns)), {"ignoreNullFields": "false"}),
        )
        for label, frame in frames
    ]
    if texts:
        for kind, number, text in reduce(DataFrame.unionAll, texts).collect():
            found[kind, number].append(json.loads(text))
    return found


def local_rows(spark: SparkSession, rows: Sequence[Answer], schema: StructType) -> DataFrame:
    """Rows that are part of the query itself, so that Spark computes what it can of them while it plans."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import to_arrow_schema

    frame = spark.createDataFrame(pa.Table.from_pylist([dict(row) for row in rows], schema=to_arrow_schema(schema)))
    return frame if rows else frame.limit(0)
