"""Findings: codes, places, texts. Everything that is printed about an input is data first, and passes here on its way
out.

`codes` has the explanation of every code. Knows nothing of YAML, specs or servers; writes nothing.
"""
