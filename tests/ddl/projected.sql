CREATE TABLE IF NOT EXISTS `order_line${suffix}` (
  `id` INT NOT NULL,
  `order_id` INT NOT NULL,
  `amount` INT NOT NULL,
  `double_amt` INT GENERATED ALWAYS AS (`amount` * 2) STORED,
  PRIMARY KEY (`id`),
  UNIQUE `one` (
    `order_id`,
    `amount`
  ),
  INDEX `three` (`amount` DESC, `id`),
  CONSTRAINT `five${suffix}` CHECK (`amount` > 0 AND `double_amt` < 1000)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin
