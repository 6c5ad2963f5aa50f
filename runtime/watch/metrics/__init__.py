"""A migration as Prometheus metrics: of observations, and of the events of a run.

Runs in the process of the command; listens on the port that the command names, writes nothing.
"""
