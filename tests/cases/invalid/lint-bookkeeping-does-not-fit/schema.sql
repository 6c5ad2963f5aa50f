CREATE TABLE item (
  id varbinary(3069) NOT NULL,
  note varchar(62396) CHARACTER SET latin1 COLLATE latin1_bin,
  rest text,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
