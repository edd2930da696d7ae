import { ConfigurationError, postgresStore, type StoreOptions } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../../support/merchant.ts";
import { by, LEASE, listed, ORDER, UNKNOWN } from "../support/orders.ts";
import { migratedSchema } from "./support/schema.ts";

const client = { query: async () => [] };

describe("the options of a PostgreSQL store", () => {
  test.each([
    [{ namespace: "" }, "namespace"],
    [{ namespace: 1 }, "namespace"],
    [{ namespace: "shop\0" }, "namespace"],
    [{ namespace: "shop\ud800" }, "namespace"],
    [{ namespace: "x".repeat(256) }, "namespace"],
    [{ retentionDays: 0 }, "retentionDays"],
    [{ retentionDays: -1 }, "retentionDays"],
    [{ retentionDays: Number.NaN }, "retentionDays"],
    [{ retentionDays: "400" }, "retentionDays"],
    [{ retention: 400 }, "retentionDays"],
    [null, "options"],
  ])("%j is refused", (options, named) => {
    const error = thrownBy(() => postgresStore(client, options as unknown as StoreOptions));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain(named);
  });

  test.each([["shop 1"], ["x".repeat(255)], ["\u{1f6d2}".repeat(127)], ["%_'\"\\;--"]])(
    "the namespace %j keeps its orders apart from those of others",
    async (namespace) => {
      const pool = await (await migratedSchema()).pool();
      const [own, others] = [postgresStore(pool, { namespace }), postgresStore(pool)];
      await own.claim(ORDER, LEASE);
      await own.end(ORDER, UNKNOWN);

      expect(await listed(others)).toEqual([]);
      expect(await others.claim(by("b"), LEASE)).toEqual({ state: "yours" });
      expect(await own.claim(by("c"), LEASE)).toEqual({ state: "unresolved" });
    },
  );
});
