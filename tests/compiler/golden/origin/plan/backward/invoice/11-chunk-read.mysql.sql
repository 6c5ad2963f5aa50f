-- invoice: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `customer_id`,
  `number`,
  `token`,
  `total`,
  `crm`
FROM `${source_database}`.`${source_table}`
WHERE
  (`id`, `crm`) IN (`${keys}`);
