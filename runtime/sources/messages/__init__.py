"""Queue messages of Canal, Debezium and Maxwell, decoded to the one event shape. No Spark, no network, no clock.

    decoder = message_decoder(StreamFormat(name="canal-json", time_zone="+08:00"), tables)   # see `decoder`
    decoded = decoder.decode(key, value, where)                                              # see `outcome`

`where` is anything whose str() names the message ("topic orders, partition 3, offset 17"): only failures print it. The result is
either a tuple of `RowChange`, in log order, or one `NotAChange`. Images are those of the binlog decoder for the same change: every
column of the source table in table order, as canonical text. Whatever cannot be told exactly raises Refused (SW8431-SW8439)
with format, table, column, message and way out. A decoder may be used from one thread at a time; it is cheap to pickle before its
first message, and holds no state but what it compiled for each table.
"""
