"""SW5xxx: routing and weights (SW50xx), and what lint rules advise about them (SW51xx)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

ROUTING: tuple[Code, ...] = (
    Code(
        "SW5001",
        "the shard may be NULL",
        "A column of the shard key may be NULL, and no shard is NULL. Make it NOT NULL or say which shard NULL means.",
        "database: coalesce(user_id, 0) % 16",
    ),
    Code(
        "SW5002", "the expression leaves the topology", "It can give an index for which there is no database or table."
    ),
    Code("SW5003", "the expression gives no integer", "Databases and tables are counted from 0: give their index."),
    Code(
        "SW5004",
        "some shards stay empty",
        "The expression can reach only a part of the databases or tables.",
    ),
    Code(
        "SW5005",
        "database and table depend on each other",
        "Taking both indexes from the same remainder leaves most pairs of database and table empty.",
        "database: crc32(user_id) % 16\ntable: (crc32(user_id) div 16) % 16",
    ),
    Code(
        "SW5006",
        "a split without an expression",
        "The target has several databases or tables, and the rule does not say which one a row belongs to.",
        "table: (crc32(user_id) div 16) % 16",
    ),
    Code("SW5007", "an unknown sharding algorithm", "Use one that the message lists, or write expressions."),
    Code(
        "SW5008", "the algorithm does not take this shard key", "The message says what it takes; expressions take more."
    ),
    Code("SW5009", "the shard key does not fit the rule", "Give one column for each shard key column of the rule."),
    Code("SW5010", "options without an algorithm", "Expressions read no options: remove them, or name an algorithm."),
    Code(
        "SW5011",
        "a shard key column that decides nothing",
        "Neither expression uses it, so it cannot be part of what places a row. Use it, or take it out of shard_key.",
        "database: crc32(concat(tenant_id, ':', user_id)) % 16",
    ),
    Code(
        "SW5012",
        "an option of another algorithm",
        "This algorithm does not read it, so it would change nothing. `docs/sharding.md` lists what each one reads.",
        "by_user: {shard_key: [user_id], algorithm: hash_mod, options: {integers: as_long}}",
    ),
    Code(
        "SW5013",
        "an option is missing or excluded",
        "The algorithm cannot place every row without it, or two options say the same thing in two ways.",
        "options: {map: {CN: order_db_00}, default: order_db_01}",
    ),
    Code(
        "SW5014",
        "an option's value makes no sense",
        "Boundaries ascend and are of the key's type; ranges of buckets follow each other without a gap; weights are "
        "not all zero. The message says which value breaks that.",
        "options: {boundaries: [1000000, 2000000, 3000000]}",
    ),
    Code(
        "SW5015",
        "an unknown place",
        "A place is a target database, by name or by its index counted from 0, or DATABASE/SUFFIX for one physical "
        "table. Where tables are split, a database alone needs `tables_by`, which chooses the table within it.",
        "places: [order_db_00/_00, order_db_00/_01]",
    ),
    Code(
        "SW5016",
        "another number of places",
        "Every range or interval needs one place. Without `places` they fill the physical tables, database by "
        "database.",
    ),
    Code(
        "SW5017",
        "a key that no row can have",
        "The key of a lookup is not a value of the column's type, or is there twice.",
    ),
    Code(
        "SW5018",
        "a CSV file that cannot be read",
        "The file is UTF-8 text with a header line, commas and, where needed, double quotes. The header names the "
        "rule's shard key columns, then `database` and, where tables are split, `table`.",
        "user_id,database,table\n4711,order_db_03,_07",
    ),
    Code(
        "SW5019",
        "a value of a CSV file does not fit",
        "A key is written as the schema's type has it (bytes as hexadecimal digits); a database is a target "
        "database's name; a table is its suffix or its whole name.",
    ),
    Code(
        "SW5020",
        "the rule disagrees with a conformance vector",
        "The application's router places this key elsewhere: rows moved by this rule would not be found by it. The "
        "line of the CSV file and the rule are both marked; one of them is wrong. For hash_mod look at `integers` "
        "first.",
    ),
    Code(
        "SW5021",
        "the shard cannot be computed in MySQL",
        "MySQL has no function for it, and none can be built from those it has. Rows are copied, followed and "
        "compared as always. But `verify` cannot count, inside the target, the rows that are in the wrong physical "
        "table. To have that too, store the digest in a column of the source and shard by it.",
    ),
    Code(
        "SW5030",
        "the forms of a rule disagree",
        "Python, Spark and MySQL must give the same place for every key. This is a bug, or a server that is not MySQL "
        "or MariaDB: please report the key and the rule.",
    ),
    Code(
        "SW5031",
        "a key that cannot be routed",
        "`route` needs each shard key column of the table once, as `--key column=value`, in the column's type.",
        "shardwright route --table orders --key user_id=4711",
    ),
    Code(
        "SW5032",
        "a server does not say the place of a key",
        "`route --in mysql` asked the first shard's server, which answered with an error; the message repeats it. "
        "From MySQL 9.6 on, MD5, which `md5_prefix` needs, is in a component: INSTALL COMPONENT "
        "'file://component_classic_hashing'.",
    ),
    Code(
        "SW5033",
        "a rule that cannot be adapted to another number of shards",
        "`rescale` changes a number only where the form of the rule says what it counts: `X % 4` with 4 databases, "
        "`(X div 4) % 8` with 8 tables in each. The bucket map of `weighted` is divided where the new number of "
        "databases is a multiple of the old one. Every other rule is written by hand.",
        "shardwright rescale specs/shop.yaml --databases 'order_db_{0..7}' --suffix '_{0..7}' \\\n"
        "    --rule 'by_user={database: crc32(user_id) % 8, table: (crc32(user_id) div 8) % 8}'",
    ),
    Code(
        "SW5034",
        "a spec whose shards cannot be the source of another one",
        "`rescale` writes the next spec from what this one says of its shards. The message names what the next "
        "migration could not follow, or bring back.",
    ),
    Code(
        "SW5101",
        "a unique key without the shard key",
        "A server checks uniqueness within one physical table. When two rows with the same value may belong to "
        "different tables, both can be written. Where the value comes from a generator that is unique by itself, say "
        "so in a suppression.",
        "UNIQUE KEY `uk_order` (`user_id`, `order_no`)    -- with shard_key: [user_id]",
    ),
    Code(
        "SW5102",
        "a sharding rule that spreads unevenly",
        "The compiler tried the function with keys as applications make them: random ones and sequential ones. Where "
        "nothing says that keys are sequential, it also tried multiples of a stride, and ids made of time, node and "
        "counter. One place would get more than twice its share. Hash the key first, or say in a suppression why your "
        "keys are different.",
        "database: crc32(user_id) % 16\ntable: (crc32(user_id) div 16) % 16",
    ),
    Code(
        "SW5103",
        "a shard key in another character set",
        "All three forms of a sharding function hash the UTF-8 bytes of the text. An application that hashes the "
        "bytes as they are stored finds other shards for letters beyond ASCII.",
    ),
    Code(
        "SW5104",
        "a shard key that ignores case",
        "For the server two spellings are equal, for the sharding function they are not. A look-up in another "
        "spelling goes to a shard that does not hold the row. A unique key no longer refuses the second spelling.",
        "`login` varchar(40) COLLATE utf8mb4_bin NOT NULL",
    ),
    Code(
        "SW5105",
        "child rows that are not lighter than their parent",
        "Within a batch, lighter tables are written first. Child tables must be lighter than their parent, or a "
        "reader sees the parent before its child rows.",
        "- table: order_item\n  weight: 5\n- table: order_info\n  weight: 10",
    ),
    Code(
        "SW5106",
        "equal weights of parent and child tables",
        "Tables of one weight are written at the same time, in no order. Give parents a higher weight than their "
        "child tables, or accept that readers may see a parent first.",
        "- table: order_info\n  weight: 10",
    ),
    Code(
        "SW5108",
        "arithmetic on a BIGINT UNSIGNED shard key",
        "Languages without unsigned integers see keys from 2^63 on as negative numbers, with other remainders. The "
        "plan does not.",
        "database: crc32(account_id) % 16",
    ),
    Code(
        "SW5109",
        "a broadcast table that grows with the sharded ones",
        "Every change of a broadcast table is written to every database. That suits small tables that seldom change, "
        "not rows that belong to the things the other tables are sharded by.",
        "- table: user_setting\n  sharding: by_user",
    ),
    Code(
        "SW5110",
        "very many physical tables",
        "Servers keep a limited number of tables open and close one to open the next. Each logical DDL change becomes "
        "one statement for each physical table.",
        'target: {databases: "order_db_{000..255}", tables_suffix: "_{00..15}"}',
    ),
    Code(
        "SW5111",
        "a counted key from several sources",
        "AUTO_INCREMENT counts in each source table by itself, so the same key comes from more than one of them, and "
        "on_key_collision stops the run at the first. Sources that count with different offsets are safe: say so.",
    ),
)
