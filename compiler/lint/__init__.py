"""Advice: what a project that compiles may still come to regret. One file a rule, in `rules/`."""
