ALTER TABLE orders MODIFY note varchar(40) NOT NULL DEFAULT '', RENAME INDEX by_note TO note;;

ALTER TABLE orders CHANGE note remark text, ALTER COLUMN amount SET DEFAULT 1;
ALTER TABLE orders DROP COLUMN remark;
