"""Advice: what a project that compiles may still come to regret. A module holds the rules of a theme; `registry` lists
them.
"""
