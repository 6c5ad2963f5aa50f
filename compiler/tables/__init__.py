"""Passes over the spec's tables: their source tables, keys, columns, shards, families; everything that a table's plan
says.

Findings about a table come from here. Knows how steps are made (`steps`), not how they are executed.
"""
