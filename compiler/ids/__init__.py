"""Can the numbers of new rows be set? Checks of the `ids` of a spec, against the tables of both sides."""
