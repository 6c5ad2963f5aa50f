"""Rows that a target cannot take, held with all their later events until somebody decides (design section 4, C10)."""
