"""The migration spec: from a parsed document to the frozen model, and whether the spec agrees with itself and with
its project.

Knows neither the source's schema (that is the compiler's) nor an environment; writes nothing.
"""
