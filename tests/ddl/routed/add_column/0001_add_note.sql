-- what the courier should know /* and /*! this is a comment in a comment */
ALTER TABLE orders ADD COLUMN note varchar(200) DEFAULT 'none; /*! as yet */' COMMENT 'it''s "new"' AFTER amount;
