CREATE TABLE IF NOT EXISTS payments_orders (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  full_key json,
  retention_days numeric NOT NULL,
  version text NOT NULL,
  changed_at timestamptz NOT NULL,
  is_open boolean NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (namespace, key)
) WITH (fillfactor = 75);
CREATE INDEX IF NOT EXISTS payments_orders_open ON payments_orders (namespace, key) WHERE is_open;
COMMENT ON TABLE payments_orders IS 'payments-sdk schema 1';
CREATE TABLE IF NOT EXISTS payments_postbacks (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  full_key json,
  retention_days numeric NOT NULL,
  version text NOT NULL,
  changed_at timestamptz NOT NULL,
  is_open boolean NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (namespace, key)
) WITH (fillfactor = 75);
CREATE INDEX IF NOT EXISTS payments_postbacks_open ON payments_postbacks (namespace, key) WHERE is_open;
COMMENT ON TABLE payments_postbacks IS 'payments-sdk schema 1';
