"""Which functions give on a shard what they give on one database? Pure."""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from shardwright.compiler.conform.verdict import BadStatement, not_understood, other_answer

_OF_THE_SESSION: Final = {
    "LAST_INSERT_ID": "LAST_INSERT_ID() is known to one session of one shard, and the shards number no rows",
    "FOUND_ROWS": "FOUND_ROWS() counts the rows of one shard",
    "ROW_COUNT": "ROW_COUNT() counts the rows of one shard",
    "GET_LOCK": "a lock of GET_LOCK() is known to one server only",
    "RELEASE_LOCK": "a lock of RELEASE_LOCK() is known to one server only",
    "RELEASE_ALL_LOCKS": "a lock of RELEASE_ALL_LOCKS() is known to one server only",
    "IS_FREE_LOCK": "a lock of IS_FREE_LOCK() is known to one server only",
    "IS_USED_LOCK": "a lock of IS_USED_LOCK() is known to one server only",
    "NEXTVAL": "a sequence counts on each server by itself",
    "LASTVAL": "a sequence counts on each server by itself",
}
_OF_THE_SERVER: Final = frozenset(
    {"RAND", "UUID", "UUID_SHORT", "CONNECTION_ID", "DATABASE", "SCHEMA", "CURRENT_SCHEMA", "VERSION", "SYS_GUID"}
)
_UNSAFE: Final = frozenset({"SLEEP", "BENCHMARK", "LOAD_FILE", "MASTER_POS_WAIT", "SOURCE_POS_WAIT"})
_BUILT_IN_NAMES: Final = """
VALUES VALUE IF IFNULL NULLIF ISNULL COALESCE GREATEST LEAST INTERVAL CRC32 CRC32C MD5 SHA SHA1 SHA2 HEX UNHEX BIN
OCT CONV INET_ATON INET_NTOA INET6_ATON INET6_NTOA BIN_TO_UUID UUID_TO_BIN IS_UUID ASCII ORD CHAR CHAR_LENGTH
CHARACTER_LENGTH LENGTH OCTET_LENGTH BIT_LENGTH BIT_COUNT CONCAT CONCAT_WS ELT FIELD FIND_IN_SET FORMAT INSERT INSTR
LCASE LEFT LOCATE LOWER LPAD LTRIM MID POSITION QUOTE REPEAT REPLACE REVERSE RIGHT RPAD RTRIM SPACE STRCMP SUBSTR
SUBSTRING SUBSTRING_INDEX TRIM UCASE UPPER MAKE_SET EXPORT_SET TO_BASE64 FROM_BASE64 WEIGHT_STRING REGEXP_LIKE
REGEXP_REPLACE REGEXP_SUBSTR REGEXP_INSTR SOUNDEX COMPRESS UNCOMPRESS UNCOMPRESSED_LENGTH ABS ACOS ASIN ATAN ATAN2
CEIL CEILING COS COT DEGREES EXP FLOOR LN LOG LOG2 LOG10 MOD PI POW POWER RADIANS ROUND SIGN SIN SQRT TAN TRUNCATE
ADDDATE ADDTIME CONVERT_TZ CURDATE CURRENT_DATE CURTIME CURRENT_TIME NOW SYSDATE CURRENT_TIMESTAMP LOCALTIME
LOCALTIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP DATE DATE_ADD DATE_SUB DATE_FORMAT DATEDIFF DAY DAYNAME DAYOFMONTH
DAYOFWEEK DAYOFYEAR EXTRACT FROM_DAYS FROM_UNIXTIME GET_FORMAT HOUR LAST_DAY MAKEDATE MAKETIME MICROSECOND MINUTE
MONTH MONTHNAME PERIOD_ADD PERIOD_DIFF QUARTER SEC_TO_TIME SECOND STR_TO_DATE SUBDATE SUBTIME TIME TIME_FORMAT
TIME_TO_SEC TIMEDIFF TIMESTAMP TIMESTAMPADD TIMESTAMPDIFF TO_DAYS TO_SECONDS UNIX_TIMESTAMP WEEK WEEKDAY WEEKOFYEAR
YEAR YEARWEEK JSON_ARRAY JSON_OBJECT JSON_QUOTE JSON_UNQUOTE JSON_CONTAINS JSON_CONTAINS_PATH JSON_EXTRACT JSON_KEYS
JSON_SEARCH JSON_VALUE JSON_LENGTH JSON_DEPTH JSON_TYPE JSON_VALID JSON_SET JSON_INSERT JSON_REPLACE JSON_REMOVE
JSON_MERGE JSON_MERGE_PATCH JSON_MERGE_PRESERVE JSON_ARRAY_APPEND JSON_ARRAY_INSERT JSON_OVERLAPS JSON_PRETTY
ST_ASTEXT ST_X ST_Y ST_DISTANCE ST_DISTANCE_SPHERE ST_CONTAINS ST_WITHIN ST_GEOMFROMTEXT ANY_VALUE
"""
_BUILT_IN: Final = frozenset(_BUILT_IN_NAMES.split())
_AGGREGATES_NAMES: Final = """
COUNT SUM AVG MIN MAX BIT_AND BIT_OR BIT_XOR GROUP_CONCAT JSON_ARRAYAGG JSON_OBJECTAGG STD STDDEV STDDEV_POP
STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP ANY_VALUE
"""
_AGGREGATES: Final = frozenset(_AGGREGATES_NAMES.split())


def name_of(node: exp.Func) -> str:
    """The function's name in capitals."""
    return node.name.upper() if isinstance(node, exp.Anonymous) else node.sql_name().upper()


def is_aggregate(node: exp.Expr) -> bool:
    """Whether it makes one value of many rows; a window function is none."""
    if not isinstance(node, exp.Func) or isinstance(node.parent, exp.Window):
        return False
    return isinstance(node, exp.AggFunc) or name_of(node) in _AGGREGATES


def differs_by_server(node: exp.Expr) -> str | None:
    """Why several shards together do not give what one database gives; None where they do."""
    if isinstance(node, exp.MatchAgainst):
        return "MATCH ... AGAINST rates rows by all rows of a table"
    if isinstance(node, exp.Func) and name_of(node) in _OF_THE_SERVER:
        return f"{name_of(node)}() differs from server to server"
    return None


def check_function(node: exp.Expr) -> None:
    """Raises BadStatement where no shard gives what one database gives, or where it is not known."""
    if isinstance(node, exp.MatchAgainst):
        raise other_answer("MATCH ... AGAINST rates rows by all rows of a table, and a shard has some of them")
    if isinstance(node, exp.NextValueFor):
        raise _refusal("NEXTVAL")
    if isinstance(node, (exp.Parameter, exp.PropertyEQ)):
        raise not_understood(f"a variable of the session ({node.sql(dialect='mysql')})")
    if isinstance(node, exp.SessionParameter) and node.name.upper() in ("IDENTITY", "LAST_INSERT_ID"):
        raise _refusal("LAST_INSERT_ID")
    if isinstance(node, exp.Xor):
        raise not_understood("XOR")
    if not isinstance(node, exp.Func) or isinstance(node, (exp.And, exp.Or)):
        return
    name = name_of(node)
    if name in _OF_THE_SESSION:
        raise _refusal(name)
    if name in _UNSAFE:
        raise not_understood(f"{name}() acts on one server")
    if isinstance(node, exp.Anonymous) and name not in _BUILT_IN | _AGGREGATES | _OF_THE_SERVER:
        raise not_understood(f"{name}() is no function of MySQL that is known here; a stored function may read tables")


def _refusal(name: str) -> BadStatement:
    return other_answer(_OF_THE_SESSION[name])
