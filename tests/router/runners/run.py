# Reads lines of a table and its key, and prints database, table and bucket of each.
import sys

from router import NoPlace, bucket, route


def value(kind, digits):
    match kind:
        case "integer":
            return int(digits)
        case "text":
            return bytes.fromhex(digits).decode()
        case "bytes":
            return bytes.fromhex(digits)
    return None


for line in sys.stdin:
    table, *cells = line.rstrip("\n").split("\t")
    key = {name: value(kind, digits) for name, kind, digits in (cell.split("=") for cell in cells)}
    try:
        print(f"{'.'.join(route(table, key))}/{bucket(table, key)}")
    except NoPlace:
        print("refused")
