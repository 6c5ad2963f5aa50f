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

-- mod of tiny, 16 databases: 0..15
/* Spark */ (
  (
    `tiny` % 16
  ) + 16
) % 16;
/* MySQL */ (
  (
    `tiny` % 16
  ) + 16
) % 16;

-- mod of tiny, 8 tables in each: 0..7
/* Spark */ (
  (
    (
      `tiny` % 128
    ) + 128
  ) % 128
) DIV 16;
/* MySQL */ (
  (
    (
      `tiny` % 128
    ) + 128
  ) % 128
) DIV 16;

-- mod of usmall, 16 databases: 0..15
/* Spark */ `usmall` % 16;
/* MySQL */ `usmall` % 16;

-- mod of usmall, 8 tables in each: 0..7
/* Spark */ (
  `usmall` DIV 16
) % 8;
/* MySQL */ (
  `usmall` DIV 16
) % 8;

-- mod of number, 16 databases: 0..15
/* Spark */ (
  (
    `number` % 16
  ) + 16
) % 16;
/* MySQL */ (
  (
    `number` % 16
  ) + 16
) % 16;

-- mod of number, 8 tables in each: 0..7
/* Spark */ (
  (
    (
      `number` % 128
    ) + 128
  ) % 128
) DIV 16;
/* MySQL */ (
  (
    (
      `number` % 128
    ) + 128
  ) % 128
) DIV 16;

-- mod of big, 16 databases: 0..15
/* Spark */ COALESCE(TRY_CAST(`big` AS BIGINT) % 16, CAST(`big` % 16 AS BIGINT));
/* MySQL */ `big` % 16;

-- mod of big, 8 tables in each: 0..7
/* Spark */ COALESCE(TRY_CAST(`big` AS BIGINT) DIV 16, `big` DIV 16) % 8;
/* MySQL */ (
  `big` DIV 16
) % 8;

-- mod of big with {"layout": "same_rest"}, 16 databases: 0..15
/* Spark */ COALESCE(TRY_CAST(`big` AS BIGINT) % 16, CAST(`big` % 16 AS BIGINT));
/* MySQL */ `big` % 16;

-- mod of big with {"layout": "same_rest"}, 8 tables in each: 0..7
/* Spark */ COALESCE(TRY_CAST(`big` AS BIGINT) % 8, CAST(`big` % 8 AS BIGINT));
/* MySQL */ `big` % 8;

-- hash_mod of tiny, 16 databases: 0..15
/* Spark */ ABS(`tiny`) % 16;
/* MySQL */ ABS(`tiny`) % 16;

-- hash_mod of tiny, 8 tables in each: 0..7
/* Spark */ (
  ABS(`tiny`) DIV 16
) % 8;
/* MySQL */ (
  ABS(`tiny`) DIV 16
) % 8;

-- hash_mod of number, 16 databases: 0..15
/* Spark */ ABS(`number`) % 16;
/* MySQL */ ABS(`number`) % 16;

-- hash_mod of number, 8 tables in each: 0..7
/* Spark */ (
  ABS(`number`) DIV 16
) % 8;
/* MySQL */ (
  ABS(`number`) DIV 16
) % 8;

-- hash_mod of cyrillic, 16 databases: 0..15
/* Spark */ ABS(
  (
    (
      AGGREGATE(
        REGEXP_EXTRACT_ALL(HEX(ENCODE(`cyrillic`, 'UTF-16BE')), '([0-9A-F]{4})'),
        CAST(0 AS BIGINT),
        (`h`, `unit`) -> (
          `h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)
        ) % 4294967296
      ) + 2147483648
    ) % 4294967296
  ) - 2147483648
) % 16;
/* MySQL */ ABS(((CAST((CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR
  CHARACTER SET utf16)), 48, '0'), 1, 4), 16, 10) AS UNSIGNED) * 129082719 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 5, 4), 16, 10) AS UNSIGNED) * 2498015937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 9, 4), 16, 10) AS UNSIGNED) * 4098453791 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 13, 4), 16, 10) AS UNSIGNED) * 2487512833 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 17, 4), 16, 10) AS UNSIGNED) * 1742810335 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 21, 4), 16, 10) AS UNSIGNED) * 887503681 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 25, 4), 16, 10) AS UNSIGNED) * 28629151 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 29, 4), 16, 10) AS UNSIGNED) * 923521 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 33, 4), 16, 10) AS UNSIGNED) * 29791 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 37, 4), 16, 10) AS UNSIGNED) * 961 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET
  utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 41, 4), 16, 10) AS UNSIGNED) * 31 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 45, 4), 16, 10) AS UNSIGNED) * 1) % 4294967296 AS SIGNED) + 2147483648) % 4294967296) - 2147483648) % 16;

-- hash_mod of cyrillic, 8 tables in each: 0..7
/* Spark */ (
  ABS(
    (
      (
        AGGREGATE(
          REGEXP_EXTRACT_ALL(HEX(ENCODE(`cyrillic`, 'UTF-16BE')), '([0-9A-F]{4})'),
          CAST(0 AS BIGINT),
          (`h`, `unit`) -> (
            `h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)
          ) % 4294967296
        ) + 2147483648
      ) % 4294967296
    ) - 2147483648
  ) DIV 16
) % 8;
/* MySQL */ (ABS(((CAST((CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR
  CHARACTER SET utf16)), 48, '0'), 1, 4), 16, 10) AS UNSIGNED) * 129082719 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 5, 4), 16, 10) AS UNSIGNED) * 2498015937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 9, 4), 16, 10) AS UNSIGNED) * 4098453791 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 13, 4), 16, 10) AS UNSIGNED) * 2487512833 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 17, 4), 16, 10) AS UNSIGNED) * 1742810335 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 21, 4), 16, 10) AS UNSIGNED) * 887503681 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 25, 4), 16, 10) AS UNSIGNED) * 28629151 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 29, 4), 16, 10) AS UNSIGNED) * 923521 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 33, 4), 16, 10) AS UNSIGNED) * 29791 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 37, 4), 16, 10) AS UNSIGNED) * 961 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET
  utf8mb4) AS CHAR CHARACTER SET utf16)), 48, '0'), 41, 4), 16, 10) AS UNSIGNED) * 31 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`cyrillic` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 48,
  '0'), 45, 4), 16, 10) AS UNSIGNED) * 1) % 4294967296 AS SIGNED) + 2147483648) % 4294967296) - 2147483648) DIV 16) %
  8;

-- hash_mod of login, 16 databases: 0..15
/* Spark */ ABS(
  (
    (
      AGGREGATE(
        REGEXP_EXTRACT_ALL(HEX(ENCODE(`login`, 'UTF-16BE')), '([0-9A-F]{4})'),
        CAST(0 AS BIGINT),
        (`h`, `unit`) -> (
          `h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)
        ) % 4294967296
      ) + 2147483648
    ) % 4294967296
  ) - 2147483648
) % 16;
/* MySQL */ no form of String.hashCode of a text of up to 510 UTF-16 code units; it can for 80 units;

-- hash_mod of login, 8 tables in each: 0..7
/* Spark */ (
  ABS(
    (
      (
        AGGREGATE(
          REGEXP_EXTRACT_ALL(HEX(ENCODE(`login`, 'UTF-16BE')), '([0-9A-F]{4})'),
          CAST(0 AS BIGINT),
          (`h`, `unit`) -> (
            `h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)
          ) % 4294967296
        ) + 2147483648
      ) % 4294967296
    ) - 2147483648
  ) DIV 16
) % 8;
/* MySQL */ no form of String.hashCode of a text of up to 510 UTF-16 code units; it can for 80 units;

-- hash_mod of country, user_id with {"separator": "-'/"}, 16 databases: 0..15
/* Spark */ ABS(
  (
    (
      AGGREGATE(
        REGEXP_EXTRACT_ALL(HEX(ENCODE(CONCAT(`country`, '-\'/', CAST(`user_id` AS STRING)), 'UTF-16BE')), '([0-9A-F]{4})'),
        CAST(0 AS BIGINT),
        (`h`, `unit`) -> (
          `h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)
        ) % 4294967296
      ) + 2147483648
    ) % 4294967296
  ) - 2147483648
) % 16;
/* MySQL */ ABS(((CAST((CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 1, 4), 16, 10) AS
  UNSIGNED) * 1725480897 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 5, 4), 16, 10) AS
  UNSIGNED) * 1025491999 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 9, 4), 16, 10) AS
  UNSIGNED) * 2111290369 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 13, 4), 16, 10) AS
  UNSIGNED) * 2284863455 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 17, 4), 16, 10) AS
  UNSIGNED) * 350799937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 21, 4), 16, 10) AS
  UNSIGNED) * 11316127 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 25, 4), 16, 10) AS
  UNSIGNED) * 693101697 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 29, 4), 16, 10) AS
  UNSIGNED) * 4040230751 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 33, 4), 16, 10) AS
  UNSIGNED) * 961614017 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 37, 4), 16, 10) AS
  UNSIGNED) * 31019807 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 41, 4), 16, 10) AS
  UNSIGNED) * 2217757953 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 45, 4), 16, 10) AS
  UNSIGNED) * 4227960543 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 49, 4), 16, 10) AS
  UNSIGNED) * 1244764481 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 53, 4), 16, 10) AS
  UNSIGNED) * 2256911007 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 57, 4), 16, 10) AS
  UNSIGNED) * 211350913 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 61, 4), 16, 10) AS
  UNSIGNED) * 3886143071 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 65, 4), 16, 10) AS
  UNSIGNED) * 3450495425 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 69, 4), 16, 10) AS
  UNSIGNED) * 3297894943 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 73, 4), 16, 10) AS
  UNSIGNED) * 1353309697 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 77, 4), 16, 10) AS
  UNSIGNED) * 3784433119 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 81, 4), 16, 10) AS
  UNSIGNED) * 1507551809 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 85, 4), 16, 10) AS
  UNSIGNED) * 3789408671 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 89, 4), 16, 10) AS
  UNSIGNED) * 4001564289 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 93, 4), 16, 10) AS
  UNSIGNED) * 129082719 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 97, 4), 16, 10) AS
  UNSIGNED) * 2498015937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 101, 4), 16, 10) AS
  UNSIGNED) * 4098453791 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 105, 4), 16, 10) AS
  UNSIGNED) * 2487512833 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 109, 4), 16, 10) AS
  UNSIGNED) * 1742810335 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 113, 4), 16, 10) AS
  UNSIGNED) * 887503681 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 117, 4), 16, 10) AS
  UNSIGNED) * 28629151 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 121, 4), 16, 10) AS
  UNSIGNED) * 923521 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 125, 4), 16, 10) AS
  UNSIGNED) * 29791 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 129, 4), 16, 10) AS
  UNSIGNED) * 961 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 133, 4), 16, 10) AS
  UNSIGNED) * 31 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 137, 4), 16, 10) AS
  UNSIGNED) * 1) % 4294967296 AS SIGNED) + 2147483648) % 4294967296) - 2147483648) % 16;

-- hash_mod of country, user_id with {"separator": "-'/"}, 8 tables in each: 0..7
/* Spark */ (
  ABS(
    (
      (
        AGGREGATE(
          REGEXP_EXTRACT_ALL(HEX(ENCODE(CONCAT(`country`, '-\'/', CAST(`user_id` AS STRING)), 'UTF-16BE')), '([0-9A-F]{4})'),
          CAST(0 AS BIGINT),
          (`h`, `unit`) -> (
            `h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)
          ) % 4294967296
        ) + 2147483648
      ) % 4294967296
    ) - 2147483648
  ) DIV 16
) % 8;
/* MySQL */ (ABS(((CAST((CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 1, 4), 16, 10) AS
  UNSIGNED) * 1725480897 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 5, 4), 16, 10) AS
  UNSIGNED) * 1025491999 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 9, 4), 16, 10) AS
  UNSIGNED) * 2111290369 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 13, 4), 16, 10) AS
  UNSIGNED) * 2284863455 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 17, 4), 16, 10) AS
  UNSIGNED) * 350799937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 21, 4), 16, 10) AS
  UNSIGNED) * 11316127 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 25, 4), 16, 10) AS
  UNSIGNED) * 693101697 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 29, 4), 16, 10) AS
  UNSIGNED) * 4040230751 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 33, 4), 16, 10) AS
  UNSIGNED) * 961614017 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 37, 4), 16, 10) AS
  UNSIGNED) * 31019807 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 41, 4), 16, 10) AS
  UNSIGNED) * 2217757953 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 45, 4), 16, 10) AS
  UNSIGNED) * 4227960543 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 49, 4), 16, 10) AS
  UNSIGNED) * 1244764481 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 53, 4), 16, 10) AS
  UNSIGNED) * 2256911007 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 57, 4), 16, 10) AS
  UNSIGNED) * 211350913 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 61, 4), 16, 10) AS
  UNSIGNED) * 3886143071 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 65, 4), 16, 10) AS
  UNSIGNED) * 3450495425 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 69, 4), 16, 10) AS
  UNSIGNED) * 3297894943 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 73, 4), 16, 10) AS
  UNSIGNED) * 1353309697 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 77, 4), 16, 10) AS
  UNSIGNED) * 3784433119 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 81, 4), 16, 10) AS
  UNSIGNED) * 1507551809 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 85, 4), 16, 10) AS
  UNSIGNED) * 3789408671 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 89, 4), 16, 10) AS
  UNSIGNED) * 4001564289 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 93, 4), 16, 10) AS
  UNSIGNED) * 129082719 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 97, 4), 16, 10) AS
  UNSIGNED) * 2498015937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 101, 4), 16, 10) AS
  UNSIGNED) * 4098453791 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 105, 4), 16, 10) AS
  UNSIGNED) * 2487512833 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 109, 4), 16, 10) AS
  UNSIGNED) * 1742810335 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 113, 4), 16, 10) AS
  UNSIGNED) * 887503681 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 117, 4), 16, 10) AS
  UNSIGNED) * 28629151 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  '-''/', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 121, 4), 16, 10) AS
  UNSIGNED) * 923521 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 125, 4), 16, 10) AS
  UNSIGNED) * 29791 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 129, 4), 16, 10) AS
  UNSIGNED) * 961 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 133, 4), 16, 10) AS
  UNSIGNED) * 31 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), '-''/',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) AS CHAR CHARACTER SET utf16)), 140, '0'), 137, 4), 16, 10) AS
  UNSIGNED) * 1) % 4294967296 AS SIGNED) + 2147483648) % 4294967296) - 2147483648) DIV 16) % 8;

-- crc32_mod of tiny, 16 databases: 0..15
/* Spark */ CRC32(CAST(CAST(`tiny` AS STRING) AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(`tiny` AS CHAR CHARACTER SET utf8mb4)) % 16;

-- crc32_mod of tiny, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(CAST(`tiny` AS STRING) AS BINARY)) DIV 16
) % 8;
/* MySQL */ (
  CRC32(CAST(`tiny` AS CHAR CHARACTER SET utf8mb4)) DIV 16
) % 8;

-- crc32_mod of umedium, 16 databases: 0..15
/* Spark */ CRC32(CAST(CAST(`umedium` AS STRING) AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(CAST(`umedium` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16;

-- crc32_mod of umedium, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(CAST(`umedium` AS STRING) AS BINARY)) DIV 16
) % 8;
/* MySQL */ (
  CRC32(CAST(CAST(`umedium` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 16
) % 8;

-- crc32_mod of bigfilled, 16 databases: 0..15
/* Spark */ CRC32(CAST(CAST(`bigfilled` AS STRING) AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(CAST(`bigfilled` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16;

-- crc32_mod of bigfilled, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(CAST(`bigfilled` AS STRING) AS BINARY)) DIV 16
) % 8;
/* MySQL */ (
  CRC32(CAST(CAST(`bigfilled` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 16
) % 8;

-- crc32_mod of old, 16 databases: 0..15
/* Spark */ CRC32(CAST(`old` AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(`old` AS CHAR CHARACTER SET utf8mb4)) % 16;

-- crc32_mod of old, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(`old` AS BINARY)) DIV 16
) % 8;
/* MySQL */ (
  CRC32(CAST(`old` AS CHAR CHARACTER SET utf8mb4)) DIV 16
) % 8;

-- crc32_mod of login, 16 databases: 0..15
/* Spark */ CRC32(CAST(`login` AS BINARY)) % 16;
/* MySQL */ CRC32(CAST(`login` AS CHAR CHARACTER SET utf8mb4)) % 16;

-- crc32_mod of login, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(`login` AS BINARY)) DIV 16
) % 8;
/* MySQL */ (
  CRC32(CAST(`login` AS CHAR CHARACTER SET utf8mb4)) DIV 16
) % 8;

-- crc32_mod of country, user_id, 16 databases: 0..15
/* Spark */ CRC32(CAST(CONCAT(`country`, ':', CAST(`user_id` AS STRING)) AS BINARY)) % 16;
/* MySQL */ CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 16;

-- crc32_mod of country, user_id, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(CONCAT(`country`, ':', CAST(`user_id` AS STRING)) AS BINARY)) DIV 16
) % 8;
/* MySQL */ (
  CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) DIV 16
) % 8;

-- murmur3_32 of tiny, 16 databases: 0..15
/* Spark */ (
  HASH(CAST(-1693959553 AS INT), CAST(`tiny` AS BIGINT)) & 4294967295
) % 16;
/* MySQL */ (SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`tiny` & 4294967295) *
  3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) %
  4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`tiny` >> 32) * 3432918353 & 4294967295 AS SIGNED) * 32768
  - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 &
  4294967295) ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 &
  4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295)
  >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 16;

-- murmur3_32 of tiny, 8 tables in each: 0..7
/* Spark */ (
  (
    HASH(CAST(-1693959553 AS INT), CAST(`tiny` AS BIGINT)) & 4294967295
  ) DIV 16
) % 8;
/* MySQL */ ((SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`tiny` & 4294967295)
  * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1)
  % 4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`tiny` >> 32) * 3432918353 & 4294967295 AS SIGNED) *
  32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 &
  4294967295) ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 &
  4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295)
  >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) DIV 16) % 8;

-- murmur3_32 of email, 16 databases: 0..15
/* Spark */ AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`email` AS BINARY)), '([0-9A-F]{1,8})'), CAST(0 AS BIGINT), (`h`,
  `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2), SUBSTRING(block, 3, 2),
  SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k AS DECIMAL(20, 0)) *
  3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 % 4294967296 AS BIGINT),
  `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 + 3864292196, mixed) %
  4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`), STRUCT(8192 AS `power`,
  3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^ LENGTH(CAST(`email` AS
  BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) * `step`.`factor` %
  4294967296 AS BIGINT))) % 16;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- murmur3_32 of email, 8 tables in each: 0..7
/* Spark */ (AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`email` AS BINARY)), '([0-9A-F]{1,8})'), CAST(0 AS BIGINT), (`h`,
  `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2), SUBSTRING(block, 3, 2),
  SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k AS DECIMAL(20, 0)) *
  3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 % 4294967296 AS BIGINT),
  `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 + 3864292196, mixed) %
  4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`), STRUCT(8192 AS `power`,
  3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^ LENGTH(CAST(`email` AS
  BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) * `step`.`factor` %
  4294967296 AS BIGINT))) DIV 16) % 8;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- murmur3_32 of number with {"integers": "as_column"}, 16 databases: 0..15
/* Spark */ (
  HASH(CAST(-1693959553 AS INT), CAST(`number` AS INT)) & 4294967295
) % 16;
/* MySQL */ (SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((0) ^ (((CAST((`number` & 4294967295) *
  3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) %
  4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (4)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT
  16) AS `shift`)) * 2246822507 & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS
  `shift`)) * 3266489909 & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) %
  16;

-- murmur3_32 of number with {"integers": "as_column"}, 8 tables in each: 0..7
/* Spark */ (
  (
    HASH(CAST(-1693959553 AS INT), CAST(`number` AS INT)) & 4294967295
  ) DIV 16
) % 8;
/* MySQL */ ((SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((0) ^ (((CAST((`number` & 4294967295) *
  3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) %
  4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (4)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT
  16) AS `shift`)) * 2246822507 & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS
  `shift`)) * 3266489909 & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)
  DIV 16) % 8;

-- murmur3_32 of order_no with {"seed": 1}, 16 databases: 0..15
/* Spark */ AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`order_no` AS BINARY)), '([0-9A-F]{1,8})'), CAST(1 AS BIGINT), (`h`,
  `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2), SUBSTRING(block, 3, 2),
  SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k AS DECIMAL(20, 0)) *
  3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 % 4294967296 AS BIGINT),
  `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 + 3864292196, mixed) %
  4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`), STRUCT(8192 AS `power`,
  3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^ LENGTH(CAST(`order_no`
  AS BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) * `step`.`factor` %
  4294967296 AS BIGINT))) % 16;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- murmur3_32 of order_no with {"seed": 1}, 8 tables in each: 0..7
/* Spark */ (AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`order_no` AS BINARY)), '([0-9A-F]{1,8})'), CAST(1 AS BIGINT),
  (`h`, `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2), SUBSTRING(block,
  3, 2), SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k AS DECIMAL(20,
  0)) * 3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 % 4294967296 AS BIGINT),
  `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 + 3864292196, mixed) %
  4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`), STRUCT(8192 AS `power`,
  3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^ LENGTH(CAST(`order_no`
  AS BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) * `step`.`factor` %
  4294967296 AS BIGINT))) DIV 16) % 8;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- murmur3_32 of order_no with {"seed": 4294967295}, 16 databases: 0..15
/* Spark */ AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`order_no` AS BINARY)), '([0-9A-F]{1,8})'), CAST(4294967295 AS
  BIGINT), (`h`, `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2),
  SUBSTRING(block, 3, 2), SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k
  AS DECIMAL(20, 0)) * 3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 %
  4294967296 AS BIGINT), `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 +
  3864292196, mixed) % 4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`),
  STRUCT(8192 AS `power`, 3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^
  LENGTH(CAST(`order_no` AS BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) *
  `step`.`factor` % 4294967296 AS BIGINT))) % 16;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- murmur3_32 of order_no with {"seed": 4294967295}, 8 tables in each: 0..7
/* Spark */ (AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`order_no` AS BINARY)), '([0-9A-F]{1,8})'), CAST(4294967295 AS
  BIGINT), (`h`, `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2),
  SUBSTRING(block, 3, 2), SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k
  AS DECIMAL(20, 0)) * 3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 %
  4294967296 AS BIGINT), `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 +
  3864292196, mixed) % 4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`),
  STRUCT(8192 AS `power`, 3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^
  LENGTH(CAST(`order_no` AS BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) *
  `step`.`factor` % 4294967296 AS BIGINT))) DIV 16) % 8;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- murmur3_32 of order_no with {"remainder": "absolute"}, 16 databases: 0..15
/* Spark */ ABS(((AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`order_no` AS BINARY)), '([0-9A-F]{1,8})'), CAST(0 AS BIGINT),
  (`h`, `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2), SUBSTRING(block,
  3, 2), SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k AS DECIMAL(20,
  0)) * 3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 % 4294967296 AS BIGINT),
  `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 + 3864292196, mixed) %
  4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`), STRUCT(8192 AS `power`,
  3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^ LENGTH(CAST(`order_no`
  AS BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) * `step`.`factor` %
  4294967296 AS BIGINT))) + 2147483648) % 4294967296) - 2147483648) % 16;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- murmur3_32 of order_no with {"remainder": "absolute"}, 8 tables in each: 0..7
/* Spark */ (ABS(((AGGREGATE(REGEXP_EXTRACT_ALL(HEX(CAST(`order_no` AS BINARY)), '([0-9A-F]{1,8})'), CAST(0 AS
  BIGINT), (`h`, `block`) -> AGGREGATE(ARRAY(CAST(CONV(CONCAT(SUBSTRING(block, 7, 2), SUBSTRING(block, 5, 2),
  SUBSTRING(block, 3, 2), SUBSTRING(block, 1, 2)), 16, 10) AS BIGINT)), h, (`seen`, `k`) -> `seen` ^ CAST(CAST((CAST(k
  AS DECIMAL(20, 0)) * 3432918353 % 4294967296 * 32768 - 1) % 4294967295 + 1 AS DECIMAL(20, 0)) * 461845907 %
  4294967296 AS BIGINT), `mixed` -> IF(LENGTH(block) = 8, ((`mixed` * 8192 - 1) % 4294967295 + 1) * 5 % 4294967296 +
  3864292196, mixed) % 4294967296), `last` -> AGGREGATE(ARRAY(STRUCT(65536 AS `power`, 2246822507 AS `factor`),
  STRUCT(8192 AS `power`, 3266489909 AS `factor`), STRUCT(65536 AS `power`, CAST(1 AS BIGINT) AS `factor`)), `last` ^
  LENGTH(CAST(`order_no` AS BINARY)), (`f`, `step`) -> CAST(CAST(`f` ^ (`f` DIV `step`.`power`) AS DECIMAL(20, 0)) *
  `step`.`factor` % 4294967296 AS BIGINT))) + 2147483648) % 4294967296) - 2147483648) DIV 16) % 8;
/* MySQL */ no form of murmur3_32 of anything but an integer or a BINARY of up to 16 bytes;

-- xxhash64 of tiny, 16 databases: 0..15
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`tiny` AS BIGINT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) % 16,
  CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`tiny` AS BIGINT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) % 16 AS BIGINT)
);
/* MySQL */ (SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`tiny` & 4294967295) | ((`tiny` >> 32) << 32)
  AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 16;

-- xxhash64 of tiny, 8 tables in each: 0..7
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`tiny` AS BIGINT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) DIV 16,
  PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`tiny` AS BIGINT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) DIV 16
) % 8;
/* MySQL */ ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`tiny` & 4294967295) | ((`tiny` >> 32) << 32)
  AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) DIV 16) % 8;

-- xxhash64 of email, 16 databases: 0..15
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`email` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) % 16,
  CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`email` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) % 16 AS BIGINT)
);
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- xxhash64 of email, 8 tables in each: 0..7
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`email` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) DIV 16,
  PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`email` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) DIV 16
) % 8;
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- xxhash64 of number with {"integers": "as_column"}, 16 databases: 0..15
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`number` AS INT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) % 16,
  CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`number` AS INT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) % 16 AS BIGINT)
);
/* MySQL */ (SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600265 ^ CAST(CAST(`number` & 4294967295 AS DECIMAL(65, 0)) *
  11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS DECIMAL(65, 0)) * 8388608 - 1) % 18446744073709551615 +
  1 AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 + 1609587929392839161) % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) *
  14029467366897019727 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 29) AS `shift`) AS DECIMAL(65, 0)) * 1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 32) AS `shift`) % 16;

-- xxhash64 of number with {"integers": "as_column"}, 8 tables in each: 0..7
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`number` AS INT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) DIV 16,
  PMOD(
    CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`number` AS INT)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) DIV 16
) % 8;
/* MySQL */ ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600265 ^ CAST(CAST(`number` & 4294967295 AS DECIMAL(65, 0)) *
  11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS DECIMAL(65, 0)) * 8388608 - 1) % 18446744073709551615 +
  1 AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 + 1609587929392839161) % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) *
  14029467366897019727 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 29) AS `shift`) AS DECIMAL(65, 0)) * 1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 32) AS `shift`) DIV 16) % 8;

-- xxhash64 of order_no with {"seed": 1}, 16 databases: 0..15
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-7682426122119481604 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) % 16,
  CAST(PMOD(
    CAST(XXHASH64(CAST(-7682426122119481604 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) % 16 AS BIGINT)
);
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- xxhash64 of order_no with {"seed": 1}, 8 tables in each: 0..7
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(-7682426122119481604 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) DIV 16,
  PMOD(
    CAST(XXHASH64(CAST(-7682426122119481604 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) DIV 16
) % 8;
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- xxhash64 of order_no with {"seed": 999999999999999999}, 16 databases: 0..15
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(400440565777123235 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) % 16,
  CAST(PMOD(
    CAST(XXHASH64(CAST(400440565777123235 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) % 16 AS BIGINT)
);
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- xxhash64 of order_no with {"seed": 999999999999999999}, 8 tables in each: 0..7
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(CAST(400440565777123235 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) DIV 16,
  PMOD(
    CAST(XXHASH64(CAST(400440565777123235 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
    18446744073709551616
  ) DIV 16
) % 8;
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- xxhash64 of order_no with {"remainder": "absolute"}, 16 databases: 0..15
/* Spark */ COALESCE(TRY_CAST(ABS(CAST(CAST(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`order_no` AS
  BINARY)) AS DECIMAL(20, 0)), 18446744073709551616) - IF(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT),
  CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)), 18446744073709551616) > 9223372036854775807, 18446744073709551616,
  0) AS BIGINT) AS DECIMAL(38, 0))) AS BIGINT) % 16, CAST(ABS(CAST(CAST(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS
  BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)), 18446744073709551616) -
  IF(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
  18446744073709551616) > 9223372036854775807, 18446744073709551616, 0) AS BIGINT) AS DECIMAL(38, 0))) % 16 AS
  BIGINT));
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- xxhash64 of order_no with {"remainder": "absolute"}, 8 tables in each: 0..7
/* Spark */ COALESCE(TRY_CAST(ABS(CAST(CAST(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`order_no` AS
  BINARY)) AS DECIMAL(20, 0)), 18446744073709551616) - IF(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT),
  CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)), 18446744073709551616) > 9223372036854775807, 18446744073709551616,
  0) AS BIGINT) AS DECIMAL(38, 0))) AS BIGINT) DIV 16, ABS(CAST(CAST(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS
  BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)), 18446744073709551616) -
  IF(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`order_no` AS BINARY)) AS DECIMAL(20, 0)),
  18446744073709551616) > 9223372036854775807, 18446744073709551616, 0) AS BIGINT) AS DECIMAL(38, 0))) DIV 16) % 8;
/* MySQL */ no form of xxhash64 of anything but an integer or a BINARY of 4, 8, 12 or 16 bytes;

-- md5_prefix of tiny, 16 databases: 0..15
/* Spark */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`tiny` AS STRING) AS BINARY)), 1, 8), 16, 10) AS BIGINT) % 16;
/* MySQL */ CAST(CONV(SUBSTRING(MD5(CAST(`tiny` AS CHAR CHARACTER SET utf8mb4)), 1, 8), 16, 10) AS UNSIGNED) % 16;

-- md5_prefix of tiny, 8 tables in each: 0..7
/* Spark */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`tiny` AS STRING) AS BINARY)), 1, 8), 16, 10) AS BIGINT) DIV 16
) % 8;
/* MySQL */ (
  CAST(CONV(SUBSTRING(MD5(CAST(`tiny` AS CHAR CHARACTER SET utf8mb4)), 1, 8), 16, 10) AS UNSIGNED) DIV 16
) % 8;

-- md5_prefix of big, 16 databases: 0..15
/* Spark */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS STRING) AS BINARY)), 1, 8), 16, 10) AS BIGINT) % 16;
/* MySQL */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)), 1, 8), 16, 10) AS UNSIGNED) % 16;

-- md5_prefix of big, 8 tables in each: 0..7
/* Spark */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS STRING) AS BINARY)), 1, 8), 16, 10) AS BIGINT) DIV 16
) % 8;
/* MySQL */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)), 1, 8), 16, 10) AS UNSIGNED) DIV 16
) % 8;

-- md5_prefix of uuid, 16 databases: 0..15
/* Spark */ CAST(CONV(SUBSTRING(MD5(`uuid`), 1, 8), 16, 10) AS BIGINT) % 16;
/* MySQL */ CAST(CONV(SUBSTRING(MD5(`uuid`), 1, 8), 16, 10) AS UNSIGNED) % 16;

-- md5_prefix of uuid, 8 tables in each: 0..7
/* Spark */ (
  CAST(CONV(SUBSTRING(MD5(`uuid`), 1, 8), 16, 10) AS BIGINT) DIV 16
) % 8;
/* MySQL */ (
  CAST(CONV(SUBSTRING(MD5(`uuid`), 1, 8), 16, 10) AS UNSIGNED) DIV 16
) % 8;

-- md5_prefix of tiny with {"digits": 1}, 16 databases: 0..15
/* Spark */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`tiny` AS STRING) AS BINARY)), 1, 1), 16, 10) AS BIGINT) % 16;
/* MySQL */ CAST(CONV(SUBSTRING(MD5(CAST(`tiny` AS CHAR CHARACTER SET utf8mb4)), 1, 1), 16, 10) AS UNSIGNED) % 16;

-- md5_prefix of tiny with {"digits": 1}, 8 tables in each: 0..0
/* Spark */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`tiny` AS STRING) AS BINARY)), 1, 1), 16, 10) AS BIGINT) DIV 16
) % 8;
/* MySQL */ (
  CAST(CONV(SUBSTRING(MD5(CAST(`tiny` AS CHAR CHARACTER SET utf8mb4)), 1, 1), 16, 10) AS UNSIGNED) DIV 16
) % 8;

-- md5_prefix of filled with {"digits": 4}, 16 databases: 0..15
/* Spark */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`filled` AS STRING) AS BINARY)), 1, 4), 16, 10) AS BIGINT) % 16;
/* MySQL */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`filled` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)), 1, 4), 16, 10) AS UNSIGNED) % 16;

-- md5_prefix of filled with {"digits": 4}, 8 tables in each: 0..7
/* Spark */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`filled` AS STRING) AS BINARY)), 1, 4), 16, 10) AS BIGINT) DIV 16
) % 8;
/* MySQL */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`filled` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)), 1, 4), 16, 10) AS UNSIGNED) DIV 16
) % 8;

-- md5_prefix of big with {"digits": 15}, 16 databases: 0..15
/* Spark */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS STRING) AS BINARY)), 1, 15), 16, 10) AS BIGINT) % 16;
/* MySQL */ CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)), 1, 15), 16, 10) AS UNSIGNED) % 16;

-- md5_prefix of big with {"digits": 15}, 8 tables in each: 0..7
/* Spark */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS STRING) AS BINARY)), 1, 15), 16, 10) AS BIGINT) DIV 16
) % 8;
/* MySQL */ (
  CAST(CONV(SUBSTRING(MD5(CAST(CAST(`big` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)), 1, 15), 16, 10) AS UNSIGNED) DIV 16
) % 8;

-- range of small with {"boundaries": [-1000, 0, 7, 1099511627776], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(
  TRANSFORM(
    ARRAY(`small`),
    `it` -> CASE WHEN `it` < -1000 THEN 0 WHEN `it` < 0 THEN 7 WHEN `it` < 7 THEN 14 WHEN `it` < 1099511627776 THEN 5 ELSE 12 END
  ),
  1
) AS BIGINT);
/* MySQL */ CASE
  WHEN `small` < -1000
  THEN 0
  WHEN `small` < 0
  THEN 7
  WHEN `small` < 7
  THEN 14
  WHEN `small` < 1099511627776
  THEN 5
  ELSE 12
END;

-- range of small with {"boundaries": [-1000, 0, 7, 1099511627776], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(
  TRANSFORM(
    ARRAY(`small`),
    `it` -> CASE WHEN `it` < -1000 THEN 1 WHEN `it` < 0 THEN 6 WHEN `it` < 7 THEN 3 WHEN `it` < 1099511627776 THEN 0 ELSE 5 END
  ),
  1
) AS BIGINT);
/* MySQL */ CASE
  WHEN `small` < -1000
  THEN 1
  WHEN `small` < 0
  THEN 6
  WHEN `small` < 7
  THEN 3
  WHEN `small` < 1099511627776
  THEN 0
  ELSE 5
END;

-- range of user_id with {"boundaries": [-1000, 0, 7, 1099511627776], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(
  TRANSFORM(
    ARRAY(`user_id`),
    `it` -> CASE WHEN `it` < -1000 THEN 0 WHEN `it` < 0 THEN 7 WHEN `it` < 7 THEN 14 WHEN `it` < 1099511627776 THEN 5 ELSE 12 END
  ),
  1
) AS BIGINT);
/* MySQL */ CASE
  WHEN `user_id` < -1000
  THEN 0
  WHEN `user_id` < 0
  THEN 7
  WHEN `user_id` < 7
  THEN 14
  WHEN `user_id` < 1099511627776
  THEN 5
  ELSE 12
END;

-- range of user_id with {"boundaries": [-1000, 0, 7, 1099511627776], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(
  TRANSFORM(
    ARRAY(`user_id`),
    `it` -> CASE WHEN `it` < -1000 THEN 1 WHEN `it` < 0 THEN 6 WHEN `it` < 7 THEN 3 WHEN `it` < 1099511627776 THEN 0 ELSE 5 END
  ),
  1
) AS BIGINT);
/* MySQL */ CASE
  WHEN `user_id` < -1000
  THEN 1
  WHEN `user_id` < 0
  THEN 6
  WHEN `user_id` < 7
  THEN 3
  WHEN `user_id` < 1099511627776
  THEN 0
  ELSE 5
END;

-- range of born with {"boundaries": ["1999-12-31", "2024-01", "2024-02-29", "2024-03-01"], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) DIV 12) - 1) DIV 4) - (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 400))) + ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`,
  9, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)), `it` -> CASE WHEN `it` < 730425 THEN 0 WHEN `it` < 739192 THEN 7
  WHEN `it` < 739251 THEN 14 WHEN `it` < 739252 THEN 5 ELSE 12 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 730425 THEN 0 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739192 THEN 7 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739251 THEN 14 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739252 THEN 5 ELSE 12 END;

-- range of born with {"boundaries": ["1999-12-31", "2024-01", "2024-02-29", "2024-03-01"], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) DIV 12) - 1) DIV 4) - (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 400))) + ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`,
  9, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)), `it` -> CASE WHEN `it` < 730425 THEN 1 WHEN `it` < 739192 THEN 6
  WHEN `it` < 739251 THEN 3 WHEN `it` < 739252 THEN 0 ELSE 5 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 730425 THEN 1 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739192 THEN 6 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739251 THEN 3 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739252 THEN 0 ELSE 5 END;

-- range of made with {"boundaries": ["1999-12-31", "2024-01", "2024-02-29", "2024-03-01"], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) DIV 12) - 1) DIV 4) - (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 400))) + ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`,
  9, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)), `it` -> CASE WHEN `it` < 730425 THEN 0 WHEN `it` < 739192 THEN 7
  WHEN `it` < 739251 THEN 14 WHEN `it` < 739252 THEN 5 ELSE 12 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 730425 THEN 0 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739192 THEN 7 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739251 THEN 14 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739252 THEN 5 ELSE 12 END;

-- range of made with {"boundaries": ["1999-12-31", "2024-01", "2024-02-29", "2024-03-01"], "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) DIV 12) - 1) DIV 4) - (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 400))) + ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`,
  9, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)), `it` -> CASE WHEN `it` < 730425 THEN 1 WHEN `it` < 739192 THEN 6
  WHEN `it` < 739251 THEN 3 WHEN `it` < 739252 THEN 0 ELSE 5 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 730425 THEN 1 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739192 THEN 6 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739251 THEN 3 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739252 THEN 0 ELSE 5 END;

-- range of number with {"boundaries": [-1000, 0, 7, 1099511627776], "places": [0, 1, 2, 3, 4], "tables_by": "crc32"}, 16 databases: 0..4
/* Spark */ CAST(ELEMENT_AT(
  TRANSFORM(
    ARRAY(`number`),
    `it` -> CASE WHEN `it` < -1000 THEN 0 WHEN `it` < 0 THEN 1 WHEN `it` < 7 THEN 2 WHEN `it` < 1099511627776 THEN 3 ELSE 4 END
  ),
  1
) AS BIGINT);
/* MySQL */ CASE
  WHEN `number` < -1000
  THEN 0
  WHEN `number` < 0
  THEN 1
  WHEN `number` < 7
  THEN 2
  WHEN `number` < 1099511627776
  THEN 3
  ELSE 4
END;

-- range of number with {"boundaries": [-1000, 0, 7, 1099511627776], "places": [0, 1, 2, 3, 4], "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(CAST(`number` AS STRING) AS BINARY)) % 8;
/* MySQL */ CRC32(CAST(`number` AS CHAR CHARACTER SET utf8mb4)) % 8;

-- range of big with {"boundaries": [-1000, 0, 7, 1099511627776], "places": [0, 1, 2, 3, 4], "tables_by": "crc32"}, 16 databases: 0..4
/* Spark */ CAST(ELEMENT_AT(
  TRANSFORM(
    ARRAY(`big`),
    `it` -> CASE WHEN `it` < -1000 THEN 0 WHEN `it` < 0 THEN 1 WHEN `it` < 7 THEN 2 WHEN `it` < 1099511627776 THEN 3 ELSE 4 END
  ),
  1
) AS BIGINT);
/* MySQL */ CASE WHEN `big` < -1000 THEN 0 WHEN `big` < 0 THEN 1 WHEN `big` < 7 THEN 2 WHEN `big` < 1099511627776 THEN 3 ELSE 4 END;

-- range of big with {"boundaries": [-1000, 0, 7, 1099511627776], "places": [0, 1, 2, 3, 4], "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(CAST(`big` AS STRING) AS BINARY)) % 8;
/* MySQL */ CRC32(CAST(CAST(`big` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 8;

-- range of seen with {"boundaries": ["1999-12-31", "2024-01", "2024-02-29", "2024-03-01"], "places": [0, 1, 2, 3, 4], "tables_by": "crc32"}, 16 databases: 0..4
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) DIV 12) - 1) DIV 4) - (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 400))) + ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`,
  9, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)), `it` -> CASE WHEN `it` < 730425 THEN 0 WHEN `it` < 739192 THEN 1
  WHEN `it` < 739251 THEN 2 WHEN `it` < 739252 THEN 3 ELSE 4 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 730425 THEN 0 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739192 THEN 1 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739251 THEN 2 WHEN ((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS
  CHAR CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) < 739252 THEN 3 ELSE 4 END;

-- range of seen with {"boundaries": ["1999-12-31", "2024-01", "2024-02-29", "2024-03-01"], "places": [0, 1, 2, 3, 4], "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(SUBSTRING(`seen`, 1, 10) AS BINARY)) % 8;
/* MySQL */ CRC32(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 10)) % 8;

-- interval of born with {"start": "2024-01-30", "step": "1 day", "outside": "clamp", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(ARRAY(0, 7, 14, 5, 12, 3),
  CAST((CAST(LEAST(GREATEST(((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) DIV 12) - 1) DIV 4) - (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 400))) + ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`,
  9, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 739221, 0), 5) AS BIGINT)) + 1 AS INT)) AS BIGINT);
/* MySQL */ CAST(ELT((LEAST(GREATEST(((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 739221, 0), 5)) + 1, 0, 7, 14, 5, 12, 3) AS SIGNED);

-- interval of born with {"start": "2024-01-30", "step": "1 day", "outside": "clamp", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(ARRAY(1, 6, 3, 0, 5, 2),
  CAST((CAST(LEAST(GREATEST(((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) DIV 12) - 1) DIV 4) - (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 400))) + ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`,
  9, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 739221, 0), 5) AS BIGINT)) + 1 AS INT)) AS BIGINT);
/* MySQL */ CAST(ELT((LEAST(GREATEST(((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 739221, 0), 5)) + 1, 1, 6, 3, 0, 5, 2) AS SIGNED);

-- interval of made with {"start": "2024-01-30", "step": "1 day", "outside": "cycle", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(ARRAY(0, 7, 14, 5, 12, 3),
  CAST(((((((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT)) - 1) + 10) DIV 12) - 1) * 365) + (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 100)) + (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 9, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 739221) % 6) + 6) % 6) + 1 AS INT)) AS BIGINT);
/* MySQL */ CAST(ELT(((((((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 739221) % 6) + 6) % 6) + 1, 0, 7, 14, 5, 12, 3) AS SIGNED);

-- interval of made with {"start": "2024-01-30", "step": "1 day", "outside": "cycle", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(ARRAY(1, 6, 3, 0, 5, 2),
  CAST(((((((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT)) - 1) + 10) DIV 12) - 1) * 365) + (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 100)) + (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 9, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 739221) % 6) + 6) % 6) + 1 AS INT)) AS BIGINT);
/* MySQL */ CAST(ELT(((((((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 739221) % 6) + 6) % 6) + 1, 1, 6, 3, 0, 5, 2) AS SIGNED);

-- interval of seen with {"start": "2023-12", "step": "10 days", "outside": "cycle", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(ARRAY(0, 7, 14, 5, 12, 3),
  CAST((((((((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT)) - 1) + 10) DIV 12) - 1) * 365) + (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 100)) + (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 9, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 739161) % 60) + 60) % 60) DIV 10) + 1 AS INT)) AS BIGINT);
/* MySQL */ CAST(ELT((((((((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 739161) % 60) + 60) % 60) DIV 10) + 1, 0, 7, 14, 5, 12, 3) AS SIGNED);

-- interval of seen with {"start": "2023-12", "step": "10 days", "outside": "cycle", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(ARRAY(1, 6, 3, 0, 5, 2),
  CAST((((((((((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS
  BIGINT)) - 1) + 10) DIV 12) - 1) * 365) + (((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2),
  '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12)
  + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1) +
  10) DIV 12) - 1) DIV 100)) + (((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}',
  0), ''), '0') AS BIGINT) * 12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) *
  12) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)) - 1)
  + 10) % 12) * 153) + 2) DIV 5)) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`seen`, 9, 2), '^-?[0-9]{1,18}', 0),
  ''), '0') AS BIGINT)) - 739161) % 60) + 60) % 60) DIV 10) + 1 AS INT)) AS BIGINT);
/* MySQL */ CAST(ELT((((((((((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET
  utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) * 365) +
  (((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 4) -
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 100)) +
  (((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) DIV 12) - 1) DIV 400))) +
  ((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 1, 4),
  '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR
  CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) + 10) % 12) * 153) + 2) DIV 5)) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`seen` AS CHAR CHARACTER SET utf8mb4), 9, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 739161) % 60) + 60) % 60) DIV 10) + 1, 1, 6, 3, 0, 5, 2) AS SIGNED);

-- interval of born with {"start": "2023-12", "step": "1 month", "outside": "cycle", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(
  ARRAY(0, 7, 14, 5, 12, 3),
  CAST((
    (
      (
        (
          (
            (
              (
                CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12
              ) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)
            ) - 1
          ) - 24287
        ) % 6
      ) + 6
    ) % 6
  ) + 1 AS INT)
) AS BIGINT);
/* MySQL */ CAST(ELT((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4),
  1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) - 24287) % 6) + 6) % 6) + 1, 0, 7,
  14, 5, 12, 3) AS SIGNED);

-- interval of born with {"start": "2023-12", "step": "1 month", "outside": "cycle", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(
  ARRAY(1, 6, 3, 0, 5, 2),
  CAST((
    (
      (
        (
          (
            (
              (
                CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12
              ) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`born`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)
            ) - 1
          ) - 24287
        ) % 6
      ) + 6
    ) % 6
  ) + 1 AS INT)
) AS BIGINT);
/* MySQL */ CAST(ELT((((((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS CHAR CHARACTER SET utf8mb4),
  1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) + CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`born` AS
  CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED)) - 1) - 24287) % 6) + 6) % 6) + 1, 1, 6,
  3, 0, 5, 2) AS SIGNED);

-- interval of made with {"start": "1990", "step": "3 years", "outside": "clamp", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 16 databases: 0..14
/* Spark */ CAST(ELEMENT_AT(
  ARRAY(0, 7, 14, 5, 12, 3),
  CAST((
    CAST(LEAST(
      GREATEST(
        (
          (
            (
              (
                CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12
              ) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)
            ) - 1
          ) - 23880
        ) DIV 36,
        0
      ),
      5
    ) AS BIGINT)
  ) + 1 AS INT)
) AS BIGINT);
/* MySQL */ CAST(ELT((LEAST(GREATEST(((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER
  SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) - 23880) DIV 36, 0), 5)) + 1, 0, 7, 14, 5, 12, 3) AS SIGNED);

-- interval of made with {"start": "1990", "step": "3 years", "outside": "clamp", "places": ["db_00/_01", "db_07/_06", "db_14/_03", "db_05/_00", "db_12/_05", "db_03/_02"]}, 8 tables in each: 0..6
/* Spark */ CAST(ELEMENT_AT(
  ARRAY(1, 6, 3, 0, 5, 2),
  CAST((
    CAST(LEAST(
      GREATEST(
        (
          (
            (
              (
                CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 1, 4), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT) * 12
              ) + CAST(COALESCE(NULLIF(REGEXP_EXTRACT(SUBSTRING(`made`, 6, 2), '^-?[0-9]{1,18}', 0), ''), '0') AS BIGINT)
            ) - 1
          ) - 23880
        ) DIV 36,
        0
      ),
      5
    ) AS BIGINT)
  ) + 1 AS INT)
) AS BIGINT);
/* MySQL */ CAST(ELT((LEAST(GREATEST(((((CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER
  SET utf8mb4), 1, 4), '^-?[0-9]{1,18}'), ''), '0') AS SIGNED) * 12) +
  CAST(COALESCE(NULLIF(REGEXP_SUBSTR(SUBSTRING(CAST(`made` AS CHAR CHARACTER SET utf8mb4), 6, 2), '^-?[0-9]{1,18}'),
  ''), '0') AS SIGNED)) - 1) - 23880) DIV 36, 0), 5)) + 1, 1, 6, 3, 0, 5, 2) AS SIGNED);

-- lookup of user_id with {"map": {"1": 0, "-7": "db_15", "0": 0}, "default": 15, "tables_by": "crc32"}, 16 databases: 0..15
/* Spark */ CAST(CASE WHEN `user_id` IN (1, 0) THEN 0 ELSE 15 END AS BIGINT);
/* MySQL */ CASE WHEN `user_id` IN (1, 0) THEN 0 ELSE 15 END;

-- lookup of user_id with {"map": {"1": 0, "-7": "db_15", "0": 0}, "default": 15, "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(CAST(`user_id` AS STRING) AS BINARY)) % 8;
/* MySQL */ CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 8;

-- lookup of number with {"map": {"1": 0, "-7": "db_15", "0": 0}, "default": 15, "tables_by": "crc32"}, 16 databases: 0..15
/* Spark */ CAST(CASE WHEN `number` IN (1, 0) THEN 0 ELSE 15 END AS BIGINT);
/* MySQL */ CASE WHEN `number` IN (1, 0) THEN 0 ELSE 15 END;

-- lookup of number with {"map": {"1": 0, "-7": "db_15", "0": 0}, "default": 15, "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(CAST(`number` AS STRING) AS BINARY)) % 8;
/* MySQL */ CRC32(CAST(`number` AS CHAR CHARACTER SET utf8mb4)) % 8;

-- lookup of order_no with {"map": {"a": 0, "": "db_15", "\u00e4": 0, "A": "db_15", "it's": 0, "7 ": "db_15"}, "default": 15, "tables_by": "crc32"}, 16 databases: 0..15
/* Spark */ CAST(CASE
  WHEN CAST(`order_no` AS BINARY) IN (CAST('a' AS BINARY), UNHEX('C3A4'), CAST('it\'s' AS BINARY))
  THEN 0
  ELSE 15
END AS BIGINT);
/* MySQL */ CASE
  WHEN CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS BINARY) IN ('a', x'C3A4', 'it''s')
  THEN 0
  ELSE 15
END;

-- lookup of order_no with {"map": {"a": 0, "": "db_15", "\u00e4": 0, "A": "db_15", "it's": 0, "7 ": "db_15"}, "default": 15, "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(`order_no` AS BINARY)) % 8;
/* MySQL */ CRC32(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4)) % 8;

-- lookup of email with {"map": {"a": 0, "": "db_15", "\u00e4": 0, "A": "db_15", "it's": 0, "7 ": "db_15"}, "default": 15, "tables_by": "crc32"}, 16 databases: 0..15
/* Spark */ CAST(CASE
  WHEN CAST(`email` AS BINARY) IN (CAST('a' AS BINARY), UNHEX('C3A4'), CAST('it\'s' AS BINARY))
  THEN 0
  ELSE 15
END AS BIGINT);
/* MySQL */ CASE
  WHEN CAST(CAST(`email` AS CHAR CHARACTER SET utf8mb4) AS BINARY) IN ('a', x'C3A4', 'it''s')
  THEN 0
  ELSE 15
END;

-- lookup of email with {"map": {"a": 0, "": "db_15", "\u00e4": 0, "A": "db_15", "it's": 0, "7 ": "db_15"}, "default": 15, "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(`email` AS BINARY)) % 8;
/* MySQL */ CRC32(CAST(`email` AS CHAR CHARACTER SET utf8mb4)) % 8;

-- lookup of country with {"map": {"a": 0, "": "db_15", "\u00e4": 0, "A": "db_15", "it's": 0, "7 ": "db_15"}, "default": 15, "tables_by": "crc32"}, 16 databases: 0..15
/* Spark */ CAST(CASE
  WHEN CAST(`country` AS BINARY) IN (CAST('a' AS BINARY), UNHEX('C3A4'), CAST('it\'s' AS BINARY))
  THEN 0
  ELSE 15
END AS BIGINT);
/* MySQL */ CASE
  WHEN CAST(CAST(`country` AS CHAR CHARACTER SET utf8mb4) AS BINARY) IN ('a', x'C3A4', 'it''s')
  THEN 0
  ELSE 15
END;

-- lookup of country with {"map": {"a": 0, "": "db_15", "\u00e4": 0, "A": "db_15", "it's": 0, "7 ": "db_15"}, "default": 15, "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(CAST(`country` AS BINARY)) % 8;
/* MySQL */ CRC32(CAST(`country` AS CHAR CHARACTER SET utf8mb4)) % 8;

-- lookup of uuid with {"map": {"0a": 0, "00": "db_15", "0xff": 0}, "default": 15, "tables_by": "crc32"}, 16 databases: 0..15
/* Spark */ CAST(CASE
  WHEN `uuid` IN (UNHEX('0A000000000000000000000000000000'), UNHEX('FF000000000000000000000000000000'))
  THEN 0
  ELSE 15
END AS BIGINT);
/* MySQL */ CASE WHEN `uuid` IN (x'0A000000000000000000000000000000', x'FF000000000000000000000000000000') THEN 0 ELSE 15 END;

-- lookup of uuid with {"map": {"0a": 0, "00": "db_15", "0xff": 0}, "default": 15, "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(`uuid`) % 8;
/* MySQL */ CRC32(`uuid`) % 8;

-- lookup of token with {"map": {"0a": 0, "00": "db_15", "0xff": 0}, "default": 15, "tables_by": "crc32"}, 16 databases: 0..15
/* Spark */ CAST(CASE WHEN `token` IN (UNHEX('0A'), UNHEX('FF')) THEN 0 ELSE 15 END AS BIGINT);
/* MySQL */ CASE WHEN `token` IN (x'0A', x'FF') THEN 0 ELSE 15 END;

-- lookup of token with {"map": {"0a": 0, "00": "db_15", "0xff": 0}, "default": 15, "tables_by": "crc32"}, 8 tables in each: 0..7
/* Spark */ CRC32(`token`) % 8;
/* MySQL */ CRC32(`token`) % 8;

-- weighted of user_id with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}}, 16 databases: 0..15
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY(CRC32(CAST(CAST(`user_id` AS STRING) AS BINARY)) % 1024), `it` -> CASE
  WHEN `it` < 22 THEN 0 WHEN `it` < 111 THEN 1 WHEN `it` < 155 THEN 2 WHEN `it` < 267 THEN 3 WHEN `it` < 333 THEN 4
  WHEN `it` < 356 THEN 5 WHEN `it` < 445 THEN 6 WHEN `it` < 489 THEN 7 WHEN `it` < 601 THEN 8 WHEN `it` < 667 THEN 9
  WHEN `it` < 690 THEN 10 WHEN `it` < 779 THEN 11 WHEN `it` < 823 THEN 12 WHEN `it` < 934 THEN 13 WHEN `it` < 1001
  THEN 14 ELSE 15 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 22 THEN 0 WHEN
  (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 111 THEN 1 WHEN (CRC32(CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4)) % 1024) < 155 THEN 2 WHEN (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) <
  267 THEN 3 WHEN (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 333 THEN 4 WHEN
  (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 356 THEN 5 WHEN (CRC32(CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4)) % 1024) < 445 THEN 6 WHEN (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) <
  489 THEN 7 WHEN (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 601 THEN 8 WHEN
  (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 667 THEN 9 WHEN (CRC32(CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4)) % 1024) < 690 THEN 10 WHEN (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) <
  779 THEN 11 WHEN (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 823 THEN 12 WHEN
  (CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 1024) < 934 THEN 13 WHEN (CRC32(CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4)) % 1024) < 1001 THEN 14 ELSE 15 END;

-- weighted of user_id with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}}, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(CAST(`user_id` AS STRING) AS BINARY)) DIV 1024
) % 8;
/* MySQL */ (
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 1024
) % 8;

-- weighted of uuid with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}}, 16 databases: 0..15
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY(CRC32(`uuid`) % 1024), `it` -> CASE WHEN `it` < 22 THEN 0 WHEN `it` < 111
  THEN 1 WHEN `it` < 155 THEN 2 WHEN `it` < 267 THEN 3 WHEN `it` < 333 THEN 4 WHEN `it` < 356 THEN 5 WHEN `it` < 445
  THEN 6 WHEN `it` < 489 THEN 7 WHEN `it` < 601 THEN 8 WHEN `it` < 667 THEN 9 WHEN `it` < 690 THEN 10 WHEN `it` < 779
  THEN 11 WHEN `it` < 823 THEN 12 WHEN `it` < 934 THEN 13 WHEN `it` < 1001 THEN 14 ELSE 15 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN (CRC32(`uuid`) % 1024) < 22 THEN 0 WHEN (CRC32(`uuid`) % 1024) < 111 THEN 1 WHEN (CRC32(`uuid`)
  % 1024) < 155 THEN 2 WHEN (CRC32(`uuid`) % 1024) < 267 THEN 3 WHEN (CRC32(`uuid`) % 1024) < 333 THEN 4 WHEN
  (CRC32(`uuid`) % 1024) < 356 THEN 5 WHEN (CRC32(`uuid`) % 1024) < 445 THEN 6 WHEN (CRC32(`uuid`) % 1024) < 489 THEN
  7 WHEN (CRC32(`uuid`) % 1024) < 601 THEN 8 WHEN (CRC32(`uuid`) % 1024) < 667 THEN 9 WHEN (CRC32(`uuid`) % 1024) <
  690 THEN 10 WHEN (CRC32(`uuid`) % 1024) < 779 THEN 11 WHEN (CRC32(`uuid`) % 1024) < 823 THEN 12 WHEN (CRC32(`uuid`)
  % 1024) < 934 THEN 13 WHEN (CRC32(`uuid`) % 1024) < 1001 THEN 14 ELSE 15 END;

-- weighted of uuid with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}}, 8 tables in each: 0..7
/* Spark */ (
  CRC32(`uuid`) DIV 1024
) % 8;
/* MySQL */ (
  CRC32(`uuid`) DIV 1024
) % 8;

-- weighted of order_no with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}, "hash": "java", "buckets": 100}, 16 databases: 0..15
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY(ABS(((AGGREGATE(REGEXP_EXTRACT_ALL(HEX(ENCODE(`order_no`, 'UTF-16BE')),
  '([0-9A-F]{4})'), CAST(0 AS BIGINT), (`h`, `unit`) -> (`h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)) % 4294967296)
  + 2147483648) % 4294967296) - 2147483648) % 100), `it` -> CASE WHEN `it` < 2 THEN 0 WHEN `it` < 10 THEN 1 WHEN `it`
  < 15 THEN 2 WHEN `it` < 26 THEN 3 WHEN `it` < 32 THEN 4 WHEN `it` < 34 THEN 5 WHEN `it` < 43 THEN 6 WHEN `it` < 47
  THEN 7 WHEN `it` < 58 THEN 8 WHEN `it` < 65 THEN 9 WHEN `it` < 67 THEN 10 WHEN `it` < 76 THEN 11 WHEN `it` < 80 THEN
  12 WHEN `it` < 91 THEN 13 WHEN `it` < 97 THEN 14 ELSE 15 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN (ABS(((CAST((CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS
  CHAR CHARACTER SET utf16)), 320, '0'), 1, 4), 16, 10) AS UNSIGNED) * 3723716063 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 5, 4), 16, 10) AS UNSIGNED) * 120119873 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST( ... 201,798 characters, SHA-256
  258aad8d748066a65e2768ff2cecffc54b55b54cf751fa2c366c5d464a9cf617

-- weighted of order_no with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}, "hash": "java", "buckets": 100}, 8 tables in each: 0..7
/* Spark */ (
  ABS(
    (
      (
        AGGREGATE(
          REGEXP_EXTRACT_ALL(HEX(ENCODE(`order_no`, 'UTF-16BE')), '([0-9A-F]{4})'),
          CAST(0 AS BIGINT),
          (`h`, `unit`) -> (
            `h` * 31 + CAST(CONV(unit, 16, 10) AS BIGINT)
          ) % 4294967296
        ) + 2147483648
      ) % 4294967296
    ) - 2147483648
  ) DIV 100
) % 8;
/* MySQL */ (ABS(((CAST((CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR
  CHARACTER SET utf16)), 320, '0'), 1, 4), 16, 10) AS UNSIGNED) * 3723716063 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 5, 4), 16, 10) AS UNSIGNED) * 120119873 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 9, 4), 16, 10) AS UNSIGNED) * 419516831 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 13, 4), 16, 10) AS UNSIGNED) * 13532801 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 17, 4), 16, 10) AS UNSIGNED) * 1108815199 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 21, 4), 16, 10) AS UNSIGNED) * 867052225 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 25, 4), 16, 10) AS UNSIGNED) * 443611423 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 29, 4), 16, 10) AS UNSIGNED) * 3339446017 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 33, 4), 16, 10) AS UNSIGNED) * 2185934047 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 37, 4), 16, 10) AS UNSIGNED) * 3811291969 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 41, 4), 16, 10) AS UNSIGNED) * 954228895 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 45, 4), 16, 10) AS UNSIGNED) * 4048654209 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 49, 4), 16, 10) AS UNSIGNED) * 2624453727 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 53, 4), 16, 10) AS UNSIGNED) * 3686890433 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 57, 4), 16, 10) AS UNSIGNED) * 1781499935 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 61, 4), 16, 10) AS UNSIGNED) * 1304393729 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 65, 4), 16, 10) AS UNSIGNED) * 2120287199 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 69, 4), 16, 10) AS UNSIGNED) * 4086268993 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 73, 4), 16, 10) AS UNSIGNED) * 2487119775 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 77, 4), 16, 10) AS UNSIGNED) * 3128270977 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 81, 4), 16, 10) AS UNSIGNED) * 100911967 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 85, 4), 16, 10) AS UNSIGNED) * 280349889 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 89, 4), 16, 10) AS UNSIGNED) * 2364348191 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 93, 4), 16, 10) AS UNSIGNED) * 630458625 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 97, 4), 16, 10) AS UNSIGNED) * 20337375 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 101, 4), 16, 10) AS UNSIGNED) * 693392705 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 105, 4), 16, 10) AS UNSIGNED) * 438009503 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 109, 4), 16, 10) AS UNSIGNED) * 2369433985 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 113, 4), 16, 10) AS UNSIGNED) * 769170015 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 117, 4), 16, 10) AS UNSIGNED) * 1133190593 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 121, 4), 16, 10) AS UNSIGNED) * 4054427167 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 125, 4), 16, 10) AS UNSIGNED) * 4287207937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 129, 4), 16, 10) AS UNSIGNED) * 969581023 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 133, 4), 16, 10) AS UNSIGNED) * 1970939457 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 137, 4), 16, 10) AS UNSIGNED) * 3111619999 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 141, 4), 16, 10) AS UNSIGNED) * 2594226817 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 145, 4), 16, 10) AS UNSIGNED) * 3270273375 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 149, 4), 16, 10) AS UNSIGNED) * 3846270657 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 153, 4), 16, 10) AS UNSIGNED) * 124073247 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 157, 4), 16, 10) AS UNSIGNED) * 2359307009 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 161, 4), 16, 10) AS UNSIGNED) * 1461579999 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 165, 4), 16, 10) AS UNSIGNED) * 3372283713 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 169, 4), 16, 10) AS UNSIGNED) * 1632803999 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 173, 4), 16, 10) AS UNSIGNED) * 329765761 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 177, 4), 16, 10) AS UNSIGNED) * 1950300255 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 181, 4), 16, 10) AS UNSIGNED) * 1725480897 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 185, 4), 16, 10) AS UNSIGNED) * 1025491999 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 189, 4), 16, 10) AS UNSIGNED) * 2111290369 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 193, 4), 16, 10) AS UNSIGNED) * 2284863455 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 197, 4), 16, 10) AS UNSIGNED) * 350799937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 201, 4), 16, 10) AS UNSIGNED) * 11316127 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 205, 4), 16, 10) AS UNSIGNED) * 693101697 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 209, 4), 16, 10) AS UNSIGNED) * 4040230751 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 213, 4), 16, 10) AS UNSIGNED) * 961614017 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 217, 4), 16, 10) AS UNSIGNED) * 31019807 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 221, 4), 16, 10) AS UNSIGNED) * 2217757953 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 225, 4), 16, 10) AS UNSIGNED) * 4227960543 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 229, 4), 16, 10) AS UNSIGNED) * 1244764481 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 233, 4), 16, 10) AS UNSIGNED) * 2256911007 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 237, 4), 16, 10) AS UNSIGNED) * 211350913 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 241, 4), 16, 10) AS UNSIGNED) * 3886143071 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 245, 4), 16, 10) AS UNSIGNED) * 3450495425 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 249, 4), 16, 10) AS UNSIGNED) * 3297894943 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 253, 4), 16, 10) AS UNSIGNED) * 1353309697 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 257, 4), 16, 10) AS UNSIGNED) * 3784433119 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 261, 4), 16, 10) AS UNSIGNED) * 1507551809 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 265, 4), 16, 10) AS UNSIGNED) * 3789408671 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 269, 4), 16, 10) AS UNSIGNED) * 4001564289 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 273, 4), 16, 10) AS UNSIGNED) * 129082719 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 277, 4), 16, 10) AS UNSIGNED) * 2498015937 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 281, 4), 16, 10) AS UNSIGNED) * 4098453791 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 285, 4), 16, 10) AS UNSIGNED) * 2487512833 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 289, 4), 16, 10) AS UNSIGNED) * 1742810335 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 293, 4), 16, 10) AS UNSIGNED) * 887503681 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR
  CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 297, 4), 16, 10) AS UNSIGNED) * 28629151 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 301, 4), 16, 10) AS UNSIGNED) * 923521 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER
  SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 305, 4), 16, 10) AS UNSIGNED) * 29791 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 309, 4), 16, 10) AS UNSIGNED) * 961 + CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET
  utf8mb4) AS CHAR CHARACTER SET utf16)), 320, '0'), 313, 4), 16, 10) AS UNSIGNED) * 31 +
  CAST(CONV(SUBSTRING(LPAD(HEX(CAST(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS CHAR CHARACTER SET utf16)), 320,
  '0'), 317, 4), 16, 10) AS UNSIGNED) * 1) % 4294967296 AS SIGNED) + 2147483648) % 4294967296) - 2147483648) DIV 100)
  % 8;

-- weighted of big with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}, "hash": "murmur3_32"}, 16 databases: 0..15
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY((HASH(CAST(-1693959553 AS INT), CAST(`big` - IF(`big` >
  9223372036854775807, 18446744073709551616, 0) AS BIGINT)) & 4294967295) % 1024), `it` -> CASE WHEN `it` < 22 THEN 0
  WHEN `it` < 111 THEN 1 WHEN `it` < 155 THEN 2 WHEN `it` < 267 THEN 3 WHEN `it` < 333 THEN 4 WHEN `it` < 356 THEN 5
  WHEN `it` < 445 THEN 6 WHEN `it` < 489 THEN 7 WHEN `it` < 601 THEN 8 WHEN `it` < 667 THEN 9 WHEN `it` < 690 THEN 10
  WHEN `it` < 779 THEN 11 WHEN `it` < 823 THEN 12 WHEN `it` < 934 THEN 13 WHEN `it` < 1001 THEN 14 ELSE 15 END), 1) AS
  BIGINT);
/* MySQL */ CASE WHEN ((SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` %
  4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED)
  * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS
  `shift`)) * 2246822507 & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) *
  3266489909 & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 22
  THEN 0 WHEN ((SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296)
  * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1)
  % 4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS
  SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 +
  3864292196 & 4294967295) ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) *
  2246822507 & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909
  & 4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 111 THEN 1 WHEN
  ((SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) *
  3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) %
  4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED)
  * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 &
  4294967295) ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 &
  4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295)
  >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 155 THEN 2 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 267 THEN 3 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 333 THEN 4 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 356 THEN 5 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 445 THEN 6 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 489 THEN 7 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 601 THEN 8 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 667 THEN 9 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 690 THEN 10 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 779 THEN 11 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 823 THEN 12 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 934 THEN 13 WHEN ((SELECT
  BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) * 3432918353 &
  4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 +
  1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED) * 32768 - 1)
  % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 & 4294967295)
  ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295) >>
  `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) % 1024) < 1001 THEN 14 ELSE 15 END;

-- weighted of big with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}, "hash": "murmur3_32"}, 8 tables in each: 0..7
/* Spark */ (
  (
    HASH(CAST(-1693959553 AS INT), CAST(`big` - IF(`big` > 9223372036854775807, 18446744073709551616, 0) AS BIGINT)) & 4294967295
  ) DIV 1024
) % 8;
/* MySQL */ ((SELECT BIT_XOR((((SELECT BIT_XOR((((SELECT BIT_XOR(((((CAST((((CAST((0) ^ (((CAST((`big` % 4294967296) *
  3432918353 & 4294967295 AS SIGNED) * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) %
  4294967295 + 1) * 5 + 3864292196 & 4294967295) ^ (((CAST((`big` DIV 4294967296) * 3432918353 & 4294967295 AS SIGNED)
  * 32768 - 1) % 4294967295 + 1) * 461845907 & 4294967295) AS SIGNED) * 8192 - 1) % 4294967295 + 1) * 5 + 3864292196 &
  4294967295) ^ (8)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`)) * 2246822507 &
  4294967295) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 13) AS `shift`)) * 3266489909 & 4294967295)
  >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 16) AS `shift`) DIV 1024) % 8;

-- weighted of big with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}, "hash": "xxhash64", "buckets": 65536}, 16 databases: 0..15
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY(COALESCE(TRY_CAST(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT),
  CAST(`big` - IF(`big` > 9223372036854775807, 18446744073709551616, 0) AS BIGINT)) AS DECIMAL(20, 0)),
  18446744073709551616) AS BIGINT) % 65536, CAST(PMOD(CAST(XXHASH64(CAST(-365884300664092260 AS BIGINT), CAST(`big` -
  IF(`big` > 9223372036854775807, 18446744073709551616, 0) AS BIGINT)) AS DECIMAL(20, 0)), 18446744073709551616) %
  65536 AS BIGINT))), `it` -> CASE WHEN `it` < 1424 THEN 0 WHEN `it` < 7123 THEN 1 WHEN `it` < 9972 THEN 2 WHEN `it` <
  17096 THEN 3 WHEN `it` < 21370 THEN 4 WHEN `it` < 22795 THEN 5 WHEN `it` < 28493 THEN 6 WHEN `it` < 31343 THEN 7
  WHEN `it` < 38466 THEN 8 WHEN `it` < 42740 THEN 9 WHEN `it` < 44165 THEN 10 WHEN `it` < 49864 THEN 11 WHEN `it` <
  52713 THEN 12 WHEN `it` < 59837 THEN 13 WHEN `it` < 64111 THEN 14 ELSE 15 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 1424 THEN 0 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 7123 THEN 1 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 9972 THEN 2 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 17096 THEN 3 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 21370 THEN 4 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 22795 THEN 5 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 28493 THEN 6 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 31343 THEN 7 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 38466 THEN 8 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 42740 THEN 9 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 44165 THEN 10 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 49864 THEN 11 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 52713 THEN 12 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 59837 THEN 13 WHEN ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) % 65536) < 64111 THEN 14 ELSE 15 END;

-- weighted of big with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}, "hash": "xxhash64", "buckets": 65536}, 8 tables in each: 0..7
/* Spark */ COALESCE(
  TRY_CAST(PMOD(
    CAST(XXHASH64(
      CAST(-365884300664092260 AS BIGINT),
      CAST(`big` - IF(`big` > 9223372036854775807, 18446744073709551616, 0) AS BIGINT)
    ) AS DECIMAL(20, 0)),
    18446744073709551616
  ) AS BIGINT) DIV 65536,
  PMOD(
    CAST(XXHASH64(
      CAST(-365884300664092260 AS BIGINT),
      CAST(`big` - IF(`big` > 9223372036854775807, 18446744073709551616, 0) AS BIGINT)
    ) AS DECIMAL(20, 0)),
    18446744073709551616
  ) DIV 65536
) % 8;
/* MySQL */ ((SELECT BIT_XOR((CAST(CAST((SELECT BIT_XOR((CAST(CAST((SELECT
  BIT_XOR((CAST((CAST((CAST(2870177450012600269 ^ CAST(CAST((CAST(CAST((`big` % 4294967296) | ((`big` DIV 4294967296)
  << 32) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS DECIMAL(65, 0)) * 2147483648 - 1) %
  18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 % 18446744073709551616 AS UNSIGNED) AS
  DECIMAL(65, 0)) * 134217728 - 1) % 18446744073709551615 + 1 AS DECIMAL(65, 0)) * 11400714785074694791 %
  18446744073709551616 + 9650029242287828579) % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0
  AS `bits` UNION ALL SELECT 33) AS `shift`) AS DECIMAL(65, 0)) * 14029467366897019727 % 18446744073709551616 AS
  UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL SELECT 29) AS `shift`) AS DECIMAL(65, 0)) *
  1609587929392839161 % 18446744073709551616 AS UNSIGNED)) >> `shift`.`bits`) FROM (SELECT 0 AS `bits` UNION ALL
  SELECT 32) AS `shift`) DIV 65536) % 8;

-- weighted of country, user_id with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}}, 16 databases: 0..15
/* Spark */ CAST(ELEMENT_AT(TRANSFORM(ARRAY(CRC32(CAST(CONCAT(`country`, ':', CAST(`user_id` AS STRING)) AS BINARY)) %
  1024), `it` -> CASE WHEN `it` < 22 THEN 0 WHEN `it` < 111 THEN 1 WHEN `it` < 155 THEN 2 WHEN `it` < 267 THEN 3 WHEN
  `it` < 333 THEN 4 WHEN `it` < 356 THEN 5 WHEN `it` < 445 THEN 6 WHEN `it` < 489 THEN 7 WHEN `it` < 601 THEN 8 WHEN
  `it` < 667 THEN 9 WHEN `it` < 690 THEN 10 WHEN `it` < 779 THEN 11 WHEN `it` < 823 THEN 12 WHEN `it` < 934 THEN 13
  WHEN `it` < 1001 THEN 14 ELSE 15 END), 1) AS BIGINT);
/* MySQL */ CASE WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4))) % 1024) < 22 THEN 0 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 111 THEN 1 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR
  CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 155 THEN 2 WHEN
  (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) %
  1024) < 267 THEN 3 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4))) % 1024) < 333 THEN 4 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 356 THEN 5 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR
  CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 445 THEN 6 WHEN
  (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) %
  1024) < 489 THEN 7 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4))) % 1024) < 601 THEN 8 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':',
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 667 THEN 9 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR
  CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 690 THEN 10 WHEN
  (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) %
  1024) < 779 THEN 11 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR
  CHARACTER SET utf8mb4))) % 1024) < 823 THEN 12 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4),
  ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 934 THEN 13 WHEN (CRC32(CONCAT(CAST(`country` AS CHAR
  CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) % 1024) < 1001 THEN 14 ELSE 15 END;

-- weighted of country, user_id with {"weights": {"db_00": 1, "db_01": 4, "db_02": 2, "db_03": 5, "db_04": 3, "db_05": 1, "db_06": 4, "db_07": 2, "db_08": 5, "db_09": 3, "db_10": 1, "db_11": 4, "db_12": 2, "db_13": 5, "db_14": 3, "db_15": 1}}, 8 tables in each: 0..7
/* Spark */ (
  CRC32(CAST(CONCAT(`country`, ':', CAST(`user_id` AS STRING)) AS BINARY)) DIV 1024
) % 8;
/* MySQL */ (
  CRC32(CONCAT(CAST(`country` AS CHAR CHARACTER SET utf8mb4), ':', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4))) DIV 1024
) % 8;
