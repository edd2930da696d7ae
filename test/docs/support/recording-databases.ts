import type { PostgresClient, RedisClient } from "payments-sdk/idempotency";

/** A Redis in which no key was there before. It keeps nothing, and tells what it was asked to keep. */
export function redisThatRecords() {
  const scripts: string[] = [];
  const keys: string[] = [];
  /** Texts of documents, as they were written. */
  const texts: string[] = [];
  /** Milliseconds for which those are kept that have ended. */
  const keptMs: number[] = [];
  /** Keys that a page of a listing may have. */
  const pages: number[] = [];
  const client: RedisClient = {
    async eval(script, _keys, key = "", ...values) {
      scripts.push(script);
      keys.push(key);
      if (script === "return KEYS[1]") return key;
      if (script.includes("'INFO'")) return "";
      const isReplacing = script.includes("'replaced'");
      const [, , text = "", , , milliseconds] = isReplacing ? values.slice(1) : values;
      texts.push(text);
      if (milliseconds !== undefined) keptMs.push(Number(milliseconds));
      return isReplacing ? "replaced" : ["1795267200123"];
    },
    async scan(_cursor, _match, _pattern, _count, keys) {
      pages.push(keys);
      return ["0", []];
    },
  };
  return { client, scripts, keys, texts, keptMs, pages };
}

/** A PostgreSQL without rows. It keeps nothing, and tells what it was asked to keep, and to delete. */
export function postgresThatRecords() {
  const keys: string[] = [];
  /** Of each deletion: seconds since the latest change, and rows at a time. */
  const deletions: { readonly olderThanSeconds: number; readonly rows: number }[] = [];
  const client: PostgresClient = {
    async query(sql, [, key = "", rows]) {
      const [verb = ""] = sql.trim().split(" ");
      if (verb === "WITH") keys.push(key);
      if (verb === "DELETE") deletions.push({ olderThanSeconds: Number(key), rows: Number(rows) });
      return verb === "DELETE" ? [] : [{ was: "true", body: null, version: null, age: null }];
    },
  };
  return { client, keys, deletions };
}
