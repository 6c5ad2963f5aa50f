"""One MySQL or MariaDB server: connections and TLS, sessions, errors by number, transactions, the text protocol, LOAD
DATA.

Used in the driver and in Spark tasks. Knows no migration, no plan's table and no ledger; writes what its callers ask
for.
"""
