"""The SQL of a plan, one module a step, built from sqlglot nodes."""
