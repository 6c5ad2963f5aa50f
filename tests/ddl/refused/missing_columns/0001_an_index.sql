-- Neither the letter case counts, nor what this file adds or another one drops.
ALTER TABLE orders ADD COLUMN Nick VARCHAR(20) AFTER AMOUNT, ADD KEY nick (nick);
ALTER TABLE orders ADD KEY gone (coupon);
ALTER TABLE orders ADD KEY numbers (nubmer);
CREATE INDEX both_of ON orders (amount, `naem`(10) DESC);
