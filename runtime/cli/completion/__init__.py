"""Completion scripts for shells: static texts made from the parser, so that TAB never starts the program."""
