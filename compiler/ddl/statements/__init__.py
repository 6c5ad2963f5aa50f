"""A hand-written or logged text, cut into statements that are understood."""
