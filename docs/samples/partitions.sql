DO $$
DECLARE
  name text;
  settings text;
BEGIN
  FOREACH name IN ARRAY ARRAY['payments_orders', 'payments_postbacks'] LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %s_old', name, name);
    EXECUTE format('CREATE TABLE %I (LIKE %s_old INCLUDING DEFAULTS, PRIMARY KEY (namespace, key))
      PARTITION BY HASH (namespace, key)', name, name);
    EXECUTE format('COMMENT ON TABLE %I IS %L', name, obj_description((name || '_old')::regclass));
    SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' INTO settings
      FROM pg_class WHERE oid = (name || '_old')::regclass;
    FOR part IN 0..15 LOOP
      EXECUTE format('CREATE TABLE %s_%s PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s) %s',
        name, part, name, part, settings);
    END LOOP;
    EXECUTE format('INSERT INTO %I SELECT * FROM %s_old', name, name);
    EXECUTE format('DROP TABLE %s_old', name);
  END LOOP;
END $$;
