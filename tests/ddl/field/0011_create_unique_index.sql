create unique index uk_user_number on orders(user_id,number);
