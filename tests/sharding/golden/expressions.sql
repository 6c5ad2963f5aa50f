-- What sharding expressions become. The columns:
--   tiny tinyint not null
--   utiny tinyint unsigned not null
--   small smallint not null
--   usmall smallint unsigned not null
--   medium mediumint not null
--   umedium mediumint unsigned not null
--   number int not null
--   filled int unsigned zerofill not null
--   user_id bigint not null
--   big bigint unsigned not null
--   bigfilled bigint unsigned zerofill not null
--   referrer_id bigint null
--   ubig_null bigint unsigned null
--   country varchar(12) character set latin1 collate latin1_swedish_ci not null
--   cyrillic varchar(12) character set cp1251 collate cp1251_general_ci not null
--   order_no varchar(40) character set utf8mb4 collate utf8mb4_bin not null
--   email varchar(40) character set utf8mb4 collate utf8mb4_general_ci not null
--   old varchar(20) character set utf8mb3 collate utf8mb3_general_ci not null
--   wide varchar(20) character set utf16 collate utf16_general_ci not null
--   code char(10) character set utf8mb4 collate utf8mb4_unicode_ci not null
--   note text character set utf8mb4 collate utf8mb4_general_ci null
--   uuid binary(16) not null
--   token varbinary(20) not null
--   old_token binary(8) null
--   login varchar(255) character set utf8mb4 collate utf8mb4_general_ci not null
--   born date not null
--   seen datetime(6) not null
--   made timestamp not null

-- user_id: -9223372036854775808..9223372036854775807
/* Spark */ `user_id`;
/* MySQL */ `user_id`;

-- email: text
/* Spark */ `email`;
/* MySQL */ CAST(`email` AS CHAR CHARACTER SET utf8mb4);

-- uuid: bytes
/* Spark */ `uuid`;
/* MySQL */ `uuid`;

-- crc32(user_id) % 16: 0..15
/* Spark */ CRC32(CAST(CAST(`user_id` AS STRING) AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 16;

-- (crc32(user_id) div 16) % 16: 0..15
/* Spark */ (
  CRC32(CAST(CAST(`user_id` AS STRING) AS BINARY)) DIV 16
) % 16;
/* MySQL */ (
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 16
) % 16;

-- crc32(filled) % 16: 0..15
/* Spark */ CRC32(CAST(CAST(`filled` AS STRING) AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(CAST(`filled` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16;

-- crc32(country) % 16: 0..15
/* Spark */ CRC32(CAST(`country` AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(`country` AS CHAR CHARACTER SET utf8mb4)) % 16;

-- crc32(uuid) % 16: 0..15
/* Spark */ CRC32(`uuid`) % 16;
/* MySQL */ CRC32(`uuid`) % 16;

-- crc32(concat(country, ':', user_id)) % 16: 0..15
/* Spark */ CRC32(CAST(CONCAT(`country`, ':', CAST(`user_id` AS STRING)) AS BINARY)) % 16;
/* MySQL */ CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 16;

-- crc32(coalesce(note, 'it''s')) % 16: 0..15
/* Spark */ CRC32(CAST(COALESCE(`note`, 'it\'s') AS BINARY)) % 16;
/* MySQL */ CRC32(COALESCE(CAST(`note` AS CHAR CHARACTER SET utf8mb4), 'it''s')) % 16;

-- crc32(substr(order_no, 1, 4)) % 16: 0..15
/* Spark */ CRC32(CAST(SUBSTRING(`order_no`, 1, 4) AS BINARY)) % 16;
/* MySQL */ CRC32(SUBSTRING(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4), 1, 4)) % 16;

-- crc32(substring(order_no from 5)) % 16: 0..15
/* Spark */ CRC32(CAST(SUBSTRING(`order_no`, 5) AS BINARY)) % 16;
/* MySQL */ CRC32(SUBSTRING(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4), 5)) % 16;

-- crc32(cast(user_id as char)) % 16: 0..15
/* Spark */ CRC32(CAST(CAST(`user_id` AS STRING) AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 16;

-- cast(substr(order_no, 1, 4) as signed) % 8: -7..7
/* Spark */ CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`order_no`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) % 8;
/* MySQL */ CAST(COALESCE(
  NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''),
  '0'
) AS SIGNED) % 8;

-- coalesce(cast(note as signed), -1) % 8: -7..7
/* Spark */ COALESCE(
  CASE
    WHEN `note` IS NULL
    THEN NULL
    ELSE CAST(COALESCE(NULLIF(REGEXP_EXTRACT(`note`, '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)
  END,
  -1
) % 8;
/* MySQL */ COALESCE(
  CASE
    WHEN CAST(`note` AS CHAR CHARACTER SET utf8mb4) IS NULL
    THEN NULL
    ELSE CAST(COALESCE(NULLIF(REGEXP_SUBSTR(CAST(`note` AS CHAR CHARACTER SET utf8mb4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)
  END,
  -1
) % 8;

-- coalesce(referrer_id, 0) % 4: -3..3
/* Spark */ COALESCE(`referrer_id`, 0) % 4;
/* MySQL */ COALESCE(`referrer_id`, 0) % 4;

-- coalesce(ubig_null, 0) % 4: 0..3
/* Spark */ COALESCE(
  TRY_CAST(COALESCE(CAST(`ubig_null` AS DECIMAL(38, 0)), CAST(0 AS DECIMAL(38, 0))) AS BIGINT) % 4,
  CAST(COALESCE(CAST(`ubig_null` AS DECIMAL(38, 0)), CAST(0 AS DECIMAL(38, 0))) % 4 AS BIGINT)
);
/* MySQL */ CAST(COALESCE(CAST(`ubig_null` AS DECIMAL(38, 0)), CAST(0 AS DECIMAL(38, 0))) % 4 AS SIGNED);

-- ((user_id % 16) + 16) % 16: 0..15
/* Spark */ (
  (
    `user_id` % 16
  ) + 16
) % 16;
/* MySQL */ (
  (
    `user_id` % 16
  ) + 16
) % 16;

-- usmall - utiny: -255..65535
/* Spark */ `usmall` - `utiny`;
/* MySQL */ CAST(`usmall` AS SIGNED) - CAST(`utiny` AS SIGNED);

-- -(tiny + small) * 3: -98682..98688
/* Spark */ (
  -(
    `tiny` + `small`
  )
) * 3;
/* MySQL */ (
  -(
    `tiny` + `small`
  )
) * 3;

-- user_id div -7: -1317624576693539401..1317624576693539401
/* Spark */ `user_id` DIV -7;
/* MySQL */ `user_id` DIV -7;

-- big % 16: 0..15
/* Spark */ COALESCE(TRY_CAST(`big` AS BIGINT) % 16, CAST(`big` % 16 AS BIGINT));
/* MySQL */ `big` % 16;

-- big div 16: 0..1152921504606846975
/* Spark */ COALESCE(TRY_CAST(`big` AS BIGINT) DIV 16, `big` DIV 16);
/* MySQL */ `big` DIV 16;

-- (big - 5) % 97: -5..96
/* Spark */ COALESCE(
  TRY_CAST(CAST(`big` AS DECIMAL(38, 0)) - 5 AS BIGINT) % 97,
  CAST((
    CAST(`big` AS DECIMAL(38, 0)) - 5
  ) % 97 AS BIGINT)
);
/* MySQL */ CAST((
  CAST(`big` AS DECIMAL(38, 0)) - CAST(5 AS DECIMAL(38, 0))
) % 97 AS SIGNED);

-- mod(number, 2 * 6): -11..11
/* Spark */ `number` % 12;
/* MySQL */ `number` % 12;

-- crc32('constant') % 16: 8..8
/* Spark */ 8;
/* MySQL */ 8;
