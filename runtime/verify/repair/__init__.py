"""Rows that a comparison found wrong are brought back to what the source has."""
