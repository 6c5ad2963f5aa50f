"""Advice: what a project that compiles may still come to regret. `registry` lists the rules, which stand in a module a theme."""
