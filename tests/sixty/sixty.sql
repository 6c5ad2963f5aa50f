-- Sixty tables as blogs, shops, code forges and film rentals have them: written for this test. A line `-- by COLUMN`,
-- `-- broadcast` or `-- single` says where the rows of the next table go. A line that begins with `--mysql ` or
-- `--mariadb ` is for that kind of server only.

-- by ID
CREATE TABLE wp_users (
  ID bigint unsigned NOT NULL AUTO_INCREMENT,
  user_login varchar(60) NOT NULL DEFAULT '',
  user_pass varchar(255) NOT NULL DEFAULT '',
  user_nicename varchar(50) NOT NULL DEFAULT '',
  user_email varchar(100) NOT NULL DEFAULT '',
  user_registered datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  user_status int NOT NULL DEFAULT '0',
  PRIMARY KEY (ID),
  KEY user_login_key (user_login),
  KEY user_email (user_email)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- by user_id
CREATE TABLE wp_usermeta (
  umeta_id bigint unsigned NOT NULL AUTO_INCREMENT,
  user_id bigint unsigned NOT NULL DEFAULT '0',
  meta_key varchar(255) DEFAULT NULL,
  meta_value longtext,
  PRIMARY KEY (umeta_id),
  KEY user_id (user_id),
  KEY meta_key (meta_key(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- by post_author
CREATE TABLE wp_posts (
  ID bigint unsigned NOT NULL AUTO_INCREMENT,
  post_author bigint unsigned NOT NULL DEFAULT '0',
  post_date datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  post_content longtext NOT NULL,
  post_title text NOT NULL,
  post_status varchar(20) NOT NULL DEFAULT 'publish',
  post_name varchar(200) NOT NULL DEFAULT '',
  post_modified datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  menu_order int NOT NULL DEFAULT '0',
  comment_count bigint NOT NULL DEFAULT '0',
  PRIMARY KEY (ID),
  KEY post_name (post_name(191)),
  KEY type_status_date (post_status, post_date, ID)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- by post_id
CREATE TABLE wp_postmeta (
  meta_id bigint unsigned NOT NULL AUTO_INCREMENT,
  post_id bigint unsigned NOT NULL DEFAULT '0',
  meta_key varchar(255) DEFAULT NULL,
  meta_value longtext,
  PRIMARY KEY (meta_id),
  KEY post_id (post_id)
) ENGINE=InnoDB DEFAULT CHARSET=latin1;

-- by comment_post_ID
CREATE TABLE wp_comments (
  comment_ID bigint unsigned NOT NULL AUTO_INCREMENT,
  comment_post_ID bigint unsigned NOT NULL DEFAULT '0',
  comment_author tinytext NOT NULL,
  `comment_author_IP` varchar(100) NOT NULL DEFAULT '',
  comment_date_gmt datetime(3) NOT NULL DEFAULT '1970-01-01 00:00:00.000',
  comment_content mediumtext NOT NULL,
  comment_karma int NOT NULL DEFAULT '0',
  comment_approved varchar(20) NOT NULL DEFAULT '1',
  PRIMARY KEY (comment_ID)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

-- by comment_id
CREATE TABLE wp_commentmeta (
  meta_id bigint unsigned NOT NULL AUTO_INCREMENT,
  comment_id bigint unsigned NOT NULL DEFAULT '0',
  meta_key varchar(255) DEFAULT NULL,
  meta_value longtext,
  PRIMARY KEY (meta_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE wp_terms (
  term_id bigint unsigned NOT NULL AUTO_INCREMENT,
  name varchar(200) NOT NULL DEFAULT '',
  slug varchar(200) NOT NULL DEFAULT '',
  term_group bigint NOT NULL DEFAULT '0',
  PRIMARY KEY (term_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE wp_term_taxonomy (
  term_taxonomy_id bigint unsigned NOT NULL AUTO_INCREMENT,
  term_id bigint unsigned NOT NULL DEFAULT '0',
  taxonomy varchar(32) NOT NULL DEFAULT '',
  description longtext NOT NULL,
  PRIMARY KEY (term_taxonomy_id),
  UNIQUE KEY term_id_taxonomy (term_id, taxonomy)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- by object_id
CREATE TABLE wp_term_relationships (
  object_id bigint unsigned NOT NULL DEFAULT '0',
  term_taxonomy_id bigint unsigned NOT NULL DEFAULT '0',
  term_order int NOT NULL DEFAULT '0',
  PRIMARY KEY (object_id, term_taxonomy_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- single
CREATE TABLE wp_options (
  option_id bigint unsigned NOT NULL AUTO_INCREMENT,
  option_name varchar(191) NOT NULL DEFAULT '',
  option_value longtext NOT NULL,
  autoload varchar(20) NOT NULL DEFAULT 'yes',
  PRIMARY KEY (option_id),
  UNIQUE KEY option_name (option_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

-- by link_id
CREATE TABLE wp_links (
  link_id bigint unsigned NOT NULL AUTO_INCREMENT,
  link_url varchar(255) NOT NULL DEFAULT '',
  link_visible enum('Y','N') NOT NULL DEFAULT 'Y',
  link_rating int NOT NULL DEFAULT '0',
  link_notes mediumtext NOT NULL,
  PRIMARY KEY (link_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by session_key
CREATE TABLE wp_sessions (
  session_key char(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  session_value longblob NOT NULL,
  session_expiry bigint unsigned NOT NULL,
  PRIMARY KEY (session_key)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by entity_id
CREATE TABLE catalog_product_entity (
  entity_id int unsigned NOT NULL AUTO_INCREMENT COMMENT 'Entity ID',
  attribute_set_id smallint unsigned NOT NULL DEFAULT 0 COMMENT 'Attribute Set ID',
  type_id varchar(32) NOT NULL DEFAULT 'simple',
  sku varchar(64) NOT NULL,
  has_options smallint NOT NULL DEFAULT 0,
  created_at timestamp NOT NULL DEFAULT current_timestamp() COMMENT 'Creation Time',
  updated_at timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  PRIMARY KEY (entity_id),
  KEY CATALOG_PRODUCT_ENTITY_SKU (sku)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Catalog Product Table; with ''quotes''';

-- by entity_id
CREATE TABLE catalog_product_entity_varchar (
  value_id int NOT NULL AUTO_INCREMENT,
  attribute_id smallint unsigned NOT NULL DEFAULT 0,
  store_id smallint unsigned NOT NULL DEFAULT 0,
  entity_id int unsigned NOT NULL DEFAULT 0,
  value varchar(255) DEFAULT NULL,
  PRIMARY KEY (value_id),
  UNIQUE KEY entity_attribute_store (entity_id, attribute_id, store_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by entity_id
CREATE TABLE catalog_product_entity_int (
  value_id int NOT NULL AUTO_INCREMENT,
  attribute_id smallint unsigned NOT NULL DEFAULT 0,
  store_id smallint unsigned NOT NULL DEFAULT 0,
  entity_id int unsigned NOT NULL DEFAULT 0,
  value int DEFAULT NULL,
  PRIMARY KEY (value_id),
  UNIQUE KEY entity_attribute_store (entity_id, attribute_id, store_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by entity_id
CREATE TABLE catalog_product_entity_decimal (
  value_id int NOT NULL AUTO_INCREMENT,
  entity_id int unsigned NOT NULL DEFAULT 0,
  value decimal(20,6) DEFAULT NULL,
  PRIMARY KEY (value_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by entity_id
CREATE TABLE catalog_product_entity_text (
  value_id int NOT NULL AUTO_INCREMENT,
  entity_id int unsigned NOT NULL DEFAULT 0,
  value mediumtext DEFAULT NULL,
  PRIMARY KEY (value_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 ROW_FORMAT=DYNAMIC;

-- by entity_id
CREATE TABLE catalog_product_entity_datetime (
  value_id int NOT NULL AUTO_INCREMENT,
  entity_id int unsigned NOT NULL DEFAULT 0,
  value datetime DEFAULT NULL,
  at_time time(2) DEFAULT NULL,
  on_day date DEFAULT NULL,
  in_year year DEFAULT NULL,
  PRIMARY KEY (value_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE eav_attribute (
  attribute_id smallint unsigned NOT NULL,
  attribute_code varchar(255) NOT NULL,
  backend_type varchar(8) NOT NULL DEFAULT 'static',
  is_required smallint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (attribute_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE store_website (
  website_id smallint unsigned NOT NULL,
  code varchar(32) DEFAULT NULL,
  name varchar(64) DEFAULT NULL,
  is_default tinyint(1) DEFAULT 0,
  PRIMARY KEY (website_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by customer_id
CREATE TABLE quote (
  entity_id int unsigned NOT NULL AUTO_INCREMENT,
  customer_id int unsigned NOT NULL DEFAULT 0,
  is_active bit(1) DEFAULT b'1',
  items_qty decimal(12,4) DEFAULT 0.0000,
  grand_total decimal(20,4) DEFAULT 0.0000,
  tax decimal(20,4) GENERATED ALWAYS AS (grand_total * 0.19) VIRTUAL,
  gross decimal(20,4) GENERATED ALWAYS AS (grand_total + 1) STORED,
  remote_ip varchar(45) DEFAULT NULL,
  PRIMARY KEY (entity_id),
  KEY by_gross (gross)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by quote_id
CREATE TABLE quote_item (
  item_id int unsigned NOT NULL AUTO_INCREMENT,
  quote_id int unsigned NOT NULL DEFAULT 0,
  qty decimal(12,4) NOT NULL DEFAULT 0.0000,
  weight double DEFAULT 0,
  ratio float DEFAULT NULL,
  PRIMARY KEY (item_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by customer_id
CREATE TABLE sales_order (
  entity_id bigint unsigned NOT NULL AUTO_INCREMENT,
  customer_id int unsigned NOT NULL DEFAULT 0,
  state varchar(32) DEFAULT NULL,
  increment_id varchar(50) DEFAULT NULL,
  base_grand_total decimal(30,10) DEFAULT NULL,
  flags set('gift','rush','wrap','fragile') NOT NULL DEFAULT '',
  created_at timestamp(6) NOT NULL DEFAULT current_timestamp(6),
  PRIMARY KEY (entity_id),
  UNIQUE KEY increment (increment_id, customer_id),
  CONSTRAINT total_positive CHECK (base_grand_total IS NULL OR base_grand_total > -1000000)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by order_id
CREATE TABLE sales_order_item (
  item_id int unsigned NOT NULL AUTO_INCREMENT,
  order_id bigint unsigned NOT NULL DEFAULT 0,
  name varchar(255) DEFAULT NULL,
  price decimal(20,4) unsigned NOT NULL DEFAULT 0.0000,
  PRIMARY KEY (item_id, order_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4
PARTITION BY HASH (order_id) PARTITIONS 4;

-- by parent_id
CREATE TABLE sales_order_address (
  entity_id int unsigned NOT NULL AUTO_INCREMENT,
  parent_id int unsigned NOT NULL DEFAULT 0,
  postcode varchar(255) DEFAULT NULL,
  street varchar(255) CHARACTER SET latin1 COLLATE latin1_swedish_ci DEFAULT NULL,
  city varchar(255) CHARACTER SET utf8mb3 DEFAULT NULL,
  PRIMARY KEY (entity_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by product_id
CREATE TABLE inventory_item (
  product_id int unsigned NOT NULL,
  stock_id smallint unsigned NOT NULL,
  qty decimal(12,4) DEFAULT NULL,
  backorders tinyint unsigned zerofill NOT NULL DEFAULT 0,
  low_stock_date timestamp NULL DEFAULT NULL,
  UNIQUE KEY product_stock (product_id, stock_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by url_rewrite_id
CREATE TABLE url_rewrite (
  url_rewrite_id int unsigned NOT NULL AUTO_INCREMENT,
  request_path varchar(255) COLLATE utf8mb4_bin DEFAULT NULL,
  target_path varchar(255) DEFAULT NULL,
  redirect_type smallint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (url_rewrite_id),
  KEY request_path (request_path)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- single
CREATE TABLE cron_schedule (
  schedule_id int unsigned NOT NULL AUTO_INCREMENT,
  job_code varchar(255) NOT NULL DEFAULT '0',
  status varchar(7) NOT NULL DEFAULT 'pending',
  messages text DEFAULT NULL,
  scheduled_at timestamp NULL DEFAULT NULL,
  PRIMARY KEY (schedule_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by session_id
CREATE TABLE `session` (
  session_id varbinary(64) NOT NULL,
  session_expires int unsigned NOT NULL DEFAULT 0,
  session_data mediumblob NOT NULL,
  PRIMARY KEY (session_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE `design config` (
  `config id` int NOT NULL,
  `entity` varchar(255) DEFAULT NULL,
  `metadata` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`config id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by namespace_id
CREATE TABLE projects (
  id bigint NOT NULL AUTO_INCREMENT,
  namespace_id bigint NOT NULL DEFAULT 0,
  name varchar(255) DEFAULT NULL,
  path varchar(255) NOT NULL DEFAULT '',
  settings json DEFAULT NULL,
  archived tinyint(1) NOT NULL DEFAULT 0,
  star_count int NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by id
CREATE TABLE namespaces (
  id bigint NOT NULL,
  name varchar(255) NOT NULL,
  traversal json NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by project_id
CREATE TABLE issues (
  id bigint NOT NULL,
  project_id bigint NOT NULL,
  iid int NOT NULL,
  title varchar(255) DEFAULT NULL,
  description longtext,
  due_date date DEFAULT NULL,
  `order` int DEFAULT NULL,
  PRIMARY KEY (project_id, iid),
  UNIQUE KEY id (id, project_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by target_project_id
CREATE TABLE merge_requests (
  id bigint NOT NULL AUTO_INCREMENT,
  target_project_id bigint NOT NULL DEFAULT 0,
  source_branch varchar(255) NOT NULL DEFAULT '',
  merge_status enum('unchecked','can be merged','it''s not') NOT NULL DEFAULT 'unchecked',
  merge_params text,
  squash tinyint(1) DEFAULT NULL,
  head_sha binary(20) DEFAULT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by noteable_id
CREATE TABLE notes (
  id bigint NOT NULL AUTO_INCREMENT,
  noteable_id bigint NOT NULL DEFAULT 0,
  note longtext,
  note_html longtext,
  st_diff blob,
  confidential tinyint(1) DEFAULT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE labels (
  id int NOT NULL,
  title varchar(255) DEFAULT NULL,
  color char(7) DEFAULT '#cccccc',
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by target_id
CREATE TABLE label_links (
  label_id int NOT NULL,
  target_id int NOT NULL,
  target_type varchar(50) COLLATE utf8mb4_bin NOT NULL,
  created_at datetime(6) DEFAULT NULL,
  UNIQUE KEY all_three (target_id, target_type, label_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by project_id
CREATE TABLE events (
  id bigint NOT NULL,
  project_id int NOT NULL,
  action smallint NOT NULL DEFAULT 0,
  created_on date NOT NULL,
  data blob,
  PRIMARY KEY (id, created_on)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4
PARTITION BY RANGE COLUMNS (created_on) (
  PARTITION p2024 VALUES LESS THAN ('2025-01-01'),
  PARTITION p2025 VALUES LESS THAN ('2026-01-01'),
  PARTITION later VALUES LESS THAN (MAXVALUE)
);

-- by entity_id
CREATE TABLE audit_events (
  id bigint NOT NULL,
  entity_id int NOT NULL,
  kind tinyint NOT NULL,
  details mediumtext,
  PRIMARY KEY (id, kind)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4
PARTITION BY LIST (kind) (
  PARTITION few VALUES IN (0, 1, 2),
  PARTITION many VALUES IN (3, 4, 5, 6, 7, 8, 9)
);

-- by project_id
CREATE TABLE ci_builds (
  id bigint NOT NULL AUTO_INCREMENT,
  project_id int NOT NULL DEFAULT 0,
  status varchar(20) DEFAULT NULL,
  coverage double DEFAULT NULL,
  `when` varchar(20) DEFAULT NULL,
  options json DEFAULT NULL,
  token_hash char(64) CHARACTER SET ascii DEFAULT NULL,
  duration_ms bigint GENERATED ALWAYS AS (coverage * 1000) STORED,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by build_id
CREATE TABLE ci_build_trace_chunks (
  build_id bigint NOT NULL,
  chunk_index int NOT NULL,
  raw_data mediumblob,
  checksum binary(4) DEFAULT NULL,
  PRIMARY KEY (build_id, chunk_index)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by user_id
CREATE TABLE user_preferences (
  user_id bigint NOT NULL,
  theme smallint DEFAULT NULL,
  tab_width tinyint unsigned NOT NULL DEFAULT 8,
--mysql   extra json NOT NULL DEFAULT (json_object()),
--mariadb   extra varchar(100) NOT NULL DEFAULT (concat('a', 'b')),
  PRIMARY KEY (user_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by user_id
CREATE TABLE `keys` (
  id int NOT NULL AUTO_INCREMENT,
  user_id int NOT NULL DEFAULT 0,
  `key` mediumtext,
  fingerprint_sha256 varbinary(32) DEFAULT NULL,
  secret varchar(40) /*!80023 INVISIBLE */ DEFAULT 'hidden',
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by token
CREATE TABLE oauth_access_tokens (
  token varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  scopes varchar(255) DEFAULT NULL,
  expires_in int DEFAULT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (token)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE `feature_gates` (
  feature_key varchar(60) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `value` json DEFAULT NULL,
  PRIMARY KEY (feature_key)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by actor_id
CREATE TABLE actor (
  actor_id smallint unsigned NOT NULL,
  first_name varchar(45) NOT NULL,
  last_name varchar(45) NOT NULL,
  last_update timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  PRIMARY KEY (actor_id),
  KEY idx_actor_last_name (last_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by film_id
CREATE TABLE film (
  film_id smallint unsigned NOT NULL,
  title varchar(128) NOT NULL,
  description text DEFAULT NULL,
  release_year year DEFAULT NULL,
  rental_rate decimal(4,2) NOT NULL DEFAULT 4.99,
  rating enum('G','PG','PG-13','R','NC-17') DEFAULT 'G',
  special_features set('Trailers','Commentaries','Deleted Scenes','Behind the Scenes') DEFAULT NULL,
  length smallint unsigned DEFAULT NULL,
  is_long tinyint GENERATED ALWAYS AS (length > 120) VIRTUAL,
  PRIMARY KEY (film_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by film_id
CREATE TABLE film_actor (
  actor_id smallint unsigned NOT NULL,
  film_id smallint unsigned NOT NULL,
  PRIMARY KEY (actor_id, film_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by film_id
CREATE TABLE film_text (
  film_id smallint NOT NULL,
  title varchar(255) NOT NULL,
  description text,
  PRIMARY KEY (film_id),
  FULLTEXT KEY idx_title_description (title, description)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by film_id
CREATE TABLE inventory (
  inventory_id mediumint unsigned NOT NULL AUTO_INCREMENT,
  film_id smallint unsigned NOT NULL DEFAULT 0,
  store_id tinyint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (inventory_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by customer_id
CREATE TABLE rental (
  rental_id int NOT NULL AUTO_INCREMENT,
  rental_date datetime NOT NULL DEFAULT '2005-05-24 22:53:30',
  inventory_id mediumint unsigned NOT NULL DEFAULT 0,
  customer_id smallint unsigned NOT NULL DEFAULT 0,
  return_date datetime DEFAULT NULL,
  PRIMARY KEY (rental_id),
  UNIQUE KEY rental_date (rental_date, inventory_id, customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by customer_id
CREATE TABLE payment (
  payment_id int unsigned NOT NULL,
  customer_id smallint unsigned NOT NULL,
  amount decimal(5,2) NOT NULL,
  payment_date datetime NOT NULL,
  PRIMARY KEY (payment_id, customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4
PARTITION BY KEY (customer_id) PARTITIONS 3;

-- by customer_id
CREATE TABLE customer (
  customer_id smallint unsigned NOT NULL,
  store_id tinyint unsigned NOT NULL,
  email varchar(50) DEFAULT NULL,
  active boolean NOT NULL DEFAULT TRUE,
  create_date datetime NOT NULL,
  PRIMARY KEY (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by address_id
CREATE TABLE address (
  address_id smallint unsigned NOT NULL,
  address varchar(50) NOT NULL,
  district varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
  location geometry NOT NULL,
  entrance point DEFAULT NULL,
  PRIMARY KEY (address_id),
  SPATIAL KEY idx_location (location)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE city (
  city_id smallint unsigned NOT NULL,
  city varchar(50) NOT NULL,
  PRIMARY KEY (city_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- broadcast
CREATE TABLE country (
  country char(2) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  name varchar(50) NOT NULL,
  PRIMARY KEY (country)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- single
CREATE TABLE staff (
  staff_id tinyint unsigned NOT NULL,
  first_name varchar(45) NOT NULL,
  picture blob DEFAULT NULL,
  password varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (staff_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by n
CREATE TABLE `odd "name", isn't it` (
  n int NOT NULL,
  `a.b` int DEFAULT NULL,
  `ünïcode ☃` varchar(20) DEFAULT '☃',
  `select` tinyint DEFAULT NULL,
  PRIMARY KEY (n)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- by id
CREATE TABLE many_numbers (
  id int NOT NULL,
  t tinyint, tu tinyint unsigned, s smallint, su smallint unsigned, m mediumint, mu mediumint unsigned, i int,
  iu int unsigned, b bigint, bu bigint unsigned, d1 decimal(1,0), d2 decimal(30,30), d3 decimal(65,0), f float, d double,
  bits bit(64), y year,
  PRIMARY KEY (id)
) ENGINE=InnoDB;

-- by id
CREATE TABLE many_texts (
  id int NOT NULL,
  a char(10) CHARACTER SET latin1, b char(10) CHARACTER SET utf8mb4, c varchar(300) CHARACTER SET ucs2,
  d varchar(20) CHARACTER SET utf16, e tinytext CHARACTER SET cp1251, f text CHARACTER SET gbk,
  PRIMARY KEY (id)
) ENGINE=InnoDB;
