"""Advice: what a project that compiles may still come to regret. The rules are in `rules/`, by theme."""
