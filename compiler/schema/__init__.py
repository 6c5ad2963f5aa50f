"""The source's schema file: CREATE TABLE and CREATE TRIGGER statements to the catalogue (`plan.catalogue`).

A thousand tables are read in seconds since parts that were read before are not parsed again (`known_*`). Knows no
spec; asks no server.
"""
