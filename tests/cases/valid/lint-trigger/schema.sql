CREATE TABLE item (
  id bigint NOT NULL,
  total int NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

DELIMITER ;;
CREATE DEFINER=`root`@`localhost` TRIGGER item_total BEFORE UPDATE ON log FOR EACH ROW
BEGIN
  IF NEW.total < 0 THEN
    SET NEW.total = CASE WHEN OLD.total < 0 THEN 0 ELSE OLD.total END;
  END IF;
END;;
DELIMITER ;
CREATE TRIGGER `copy` AFTER INSERT ON shop.`log` FOR EACH ROW INSERT INTO log VALUES (NEW.id, 'a;b');
CREATE TABLE log (
  id bigint NOT NULL,
  note varchar(9)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
