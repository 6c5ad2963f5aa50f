CREATE TABLE orders (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  phone varchar(20),
  secret varchar(20),
  price decimal(10,2) NOT NULL,
  quantity int NOT NULL,
  total decimal(20,2) GENERATED ALWAYS AS (price * quantity) STORED,
  twice decimal(21,2) GENERATED ALWAYS AS (total + total) VIRTUAL,
  first_digits varchar(4) GENERATED ALWAYS AS (left(phone, 4)) VIRTUAL,
  shown varchar(9) GENERATED ALWAYS AS (left(secret, 9)) VIRTUAL,
  odd int GENERATED ALWAYS AS (ifnull(quantity, 1)) VIRTUAL,
  unused int GENERATED ALWAYS AS (quantity + 1) VIRTUAL,
  PRIMARY KEY (order_id),
  UNIQUE KEY by_total (user_id, total)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE notes (
  note_id bigint NOT NULL PRIMARY KEY,
  text varchar(200) NOT NULL,
  short varchar(9) GENERATED ALWAYS AS (left(text, 9)) STORED,
  at timestamp NOT NULL,
  day date GENERATED ALWAYS AS (CAST(at AS DATE)) STORED,
  shown_day date GENERATED ALWAYS AS (CAST(at AS DATE)) VIRTUAL,
  long_text int GENERATED ALWAYS AS (char_length(text)) VIRTUAL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
