"""One class per kind of clause of an ALTER TABLE: it answers whatever is asked of the clause."""
