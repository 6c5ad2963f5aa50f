"""Completion scripts for shells: static texts made from the parser, so that no TAB starts the program."""
