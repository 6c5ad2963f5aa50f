"""The page `docs/reference/lint.md`, from the rules themselves."""

from __future__ import annotations

from shardwright.compiler.lint.registry import RULES
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import suppressible

_HEAD = """\
# Lint rules

Generated from `compiler/lint/`. They run with every `compile` and look at the spec, the schema file and what the compiler made
of them. `shardwright explain CODE` says why a rule matters and shows the corrected text ([errors.md](errors.md) has the same).

To silence a finding, write why on its line or alone on the line above:

```yaml
# shardwright: ignore[SW5101] because the application makes order ids from time and node
- table: order_info
```

```sql
-- shardwright: ignore[SW4302] because ids come from the identity service
`id` bigint NOT NULL AUTO_INCREMENT,
```

A comment that silences nothing is reported itself. What is reported in the schema file is silenced there, what is
reported in the spec is silenced in the spec.

| code | name | severity | finds | silenced by |
|---|---|---|---|---|
"""


def page() -> str:
    """Markdown, ending in a line break."""
    return _HEAD + "".join(_row(rule) for rule in RULES)


def _row(rule: Rule) -> str:
    silenced = f"`ignore[{rule.code}] because …`" if suppressible(rule.code) else "nothing: fix it"
    return f"| {rule.code} | {rule.name} | {rule.severity.value} | {rule.description} | {silenced} |\n"
