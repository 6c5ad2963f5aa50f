ALTER TABLE orders ADD FULLTEXT KEY ft_number (number);
