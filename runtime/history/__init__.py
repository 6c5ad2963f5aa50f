"""What became of one row: where it belongs, what both sides have of it, which changes it had, and where it was lost."""
