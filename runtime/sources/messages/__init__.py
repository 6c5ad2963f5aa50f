"""Queue messages of Canal, Debezium and Maxwell, decoded to the one event shape. Used in Spark tasks, and in the driver
for single messages. No Spark, no network, no clock.

    decoder = message_decoder(StreamFormat(name="canal-json", time_zone="+08:00"), tables)   # see `decoder`
    decoded = decoder.decode(key, value, where)                                              # see `outcome`

`where` is anything whose str() names the message ("topic orders, partition 3, offset 17"): only failures print it. The
result is either a tuple of `RowChange`, in log order, or one `NotAChange`. Images are those of the binlog decoder for
the same change: every column of the source table in table order, as canonical text. A value that cannot be read exactly
raises Refused (SW8431-SW8439) with format, table, column, message and remedy. Only one thread at a time may use a
decoder. It is cheap to pickle before its first message, and holds no state but what it compiled for each table.
"""
