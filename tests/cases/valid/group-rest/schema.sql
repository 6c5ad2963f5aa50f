CREATE TABLE users (id INT NOT NULL, PRIMARY KEY (id));
CREATE TABLE history_a (user_id INT NOT NULL, PRIMARY KEY (user_id));
CREATE TABLE history_b (user_id INT NOT NULL, PRIMARY KEY (user_id));
CREATE TABLE kinds (id INT NOT NULL, PRIMARY KEY (id));
CREATE TABLE colours (id INT NOT NULL, PRIMARY KEY (id));
