CREATE TABLE account (
  id bigint NOT NULL,
  name varchar(40) NOT NULL,
  remark varchar(40) DEFAULT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE parcel (
  id bigint NOT NULL,
  owner_id bigint NOT NULL,
  note varchar(40) NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE country (
  code int NOT NULL,
  name varchar(40) NOT NULL,
  PRIMARY KEY (code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE job_lock (
  name varchar(40) COLLATE utf8mb4_bin NOT NULL,
  held int NOT NULL,
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
