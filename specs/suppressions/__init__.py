"""Findings silenced in place: the comments, and what they do to a run's findings."""
