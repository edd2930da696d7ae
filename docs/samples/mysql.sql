CREATE TABLE IF NOT EXISTS payments_orders (
  namespace VARBINARY(765) NOT NULL,
  record_key VARBINARY(1000) NOT NULL,
  full_key LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  version VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_at DATETIME(6) NOT NULL,
  changed_at DATETIME(6) NOT NULL,
  is_open TINYINT NOT NULL,
  body LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (namespace, record_key),
  KEY payments_orders_open (is_open, namespace, record_key),
  KEY payments_orders_created (namespace, created_at)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC;
CREATE TABLE IF NOT EXISTS payments_postbacks (
  namespace VARBINARY(765) NOT NULL,
  record_key VARBINARY(1000) NOT NULL,
  full_key LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  version VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_at DATETIME(6) NOT NULL,
  changed_at DATETIME(6) NOT NULL,
  is_open TINYINT NOT NULL,
  body LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (namespace, record_key),
  KEY payments_postbacks_open (is_open, namespace, record_key),
  KEY payments_postbacks_created (namespace, created_at)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC;
