"""Strict YAML: text to plain data, with the place of every key and value. Also small texts in YAML that have a
grammar: names by the dozen, durations, sizes. Knows no JSON Schema and no spec; writes nothing.
"""
