ALTER TABLE `job${suffix}`
ADD INDEX `by_time` (`runs_at`)
