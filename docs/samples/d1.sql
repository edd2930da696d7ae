CREATE TABLE IF NOT EXISTS payments_documents (
  kind TEXT NOT NULL,
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  expires_at INTEGER,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, namespace, key)
) STRICT;

CREATE INDEX IF NOT EXISTS payments_documents_open ON payments_documents (kind, namespace, key) WHERE expires_at IS NULL;

CREATE INDEX IF NOT EXISTS payments_documents_ended ON payments_documents (expires_at) WHERE expires_at IS NOT NULL;
