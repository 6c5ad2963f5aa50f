/* ticket 4711 */ ALTER TABLE orders /* the big one */ ADD INDEX by_amount (amount) /* see plan */;
