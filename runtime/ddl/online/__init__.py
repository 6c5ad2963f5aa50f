"""Copying changes handed over to pt-online-schema-change or gh-ost: command lines, checks before, leftovers, supervision."""
