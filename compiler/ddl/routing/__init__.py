"""The files of `ddl/`, as statements for every physical table; and those that lead older tables to the plan."""
