"""How fast a plan's statements are made for every physical table: 1,000 tables x 256 = 256,000 CREATE TABLEs, as
`run` makes them, one by one. Prints statements per second and how much memory grew meanwhile.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import StepName, with_suffix
from shardwright.specs.spec.read import read_spec
from tests.bench.compile.project import write_project


def main(tables: int = 1000) -> None:
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        schema = write_project(Path(folder) / "large", tables=tables)
        plan = build_plan(read_spec(str(Path(folder) / "large" / "specs" / "large.yaml")), schema=schema, ddl={}).plan
    templates = {step.table: step.statements[0].sql for step in plan.steps if step.name is StepName.CREATE_TABLE}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started, cpu = time.perf_counter(), time.process_time()
    count = length = 0
    for table in plan.tables:
        suffixes, template = plan.parts(table), templates[table.logical]
        for _, part, _ in plan.physical_tables(table):
            count += 1
            length += len(with_suffix(template, suffixes[part]))
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(
        f"expand: {count} statements, {length / 1e6:.0f} MB in {seconds:.2f} s ({cpu:.2f} s of processor time): "
        f"{count / seconds:,.0f} statements/s, memory grew by {grown / 1024:.1f} MiB"
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
