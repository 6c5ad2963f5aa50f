-- visit: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `customer_id`,
  `no`,
  `seen`,
  `crm`
FROM `${source_database}`.`${source_table}`
WHERE
  (`customer_id`, `no`, `crm`) IN (`${keys}`);
