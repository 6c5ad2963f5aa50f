CREATE TABLE generated (
  id INT NOT NULL PRIMARY KEY,
  price DECIMAL(10,2) NOT NULL,
  quantity INT NOT NULL DEFAULT 1,
  doc LONGTEXT,
  total DECIMAL(12,2) GENERATED ALWAYS AS (price * quantity) STORED,
  twice DECIMAL(13,2) GENERATED ALWAYS AS (total + total) VIRTUAL COMMENT 'of a generated one',
  title VARCHAR(50) AS (concat(upper(left(doc, 10)), '-', cast(quantity AS CHAR))) VIRTUAL,
  half INT AS (if(quantity > 2, quantity DIV 2, NULL)) VIRTUAL,
  made CHAR(36) DEFAULT uuid(),
  computed INT DEFAULT (1 + 2),
  shape GEOMETRY,
  hidden INT NOT NULL DEFAULT 3,
  KEY by_total (total)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 KEY_BLOCK_SIZE=8 ROW_FORMAT=COMPRESSED;
