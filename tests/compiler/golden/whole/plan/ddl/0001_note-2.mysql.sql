-- 0001_note.sql 2: job

-- statement: mysql -- in_place
ALTER TABLE `job${suffix}`
ADD INDEX `by_time` (`runs_at`),   ALGORITHM=INPLACE,
  LOCK=NONE;

-- statement: mariadb -- in_place
ALTER TABLE `job${suffix}`
ADD INDEX `by_time` (`runs_at`),   ALGORITHM=NOCOPY,
  LOCK=NONE;
