# first
ALTER TABLE orders ADD a int; # trailing
