"""From sqlglot nodes to SQL text and back: quoting, printing, templates, MySQL's grammar where sqlglot lacks it.

The one place that quotes identifiers. Knows no spec and no table.
"""
