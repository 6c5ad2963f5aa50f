"""Target DDL: CREATE TABLE of physical tables, and numbered changes rewritten for each of them."""
