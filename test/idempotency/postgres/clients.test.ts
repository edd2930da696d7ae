import { ConfigurationError, postgresStore } from "payments-sdk/idempotency";
import type { QueryResult } from "pg";
import { describe, expect, test } from "vitest";
import { attempt, by, LEASE, listed, NOT_CREATED, ORDER, UNKNOWN } from "../support/orders.ts";
import { contentsOf, migratedSchema, racing, type Schema } from "../support/postgres.ts";

/** Clients that return the rows of a statement in their own way, or something else. */

type Run = (text: string, values?: string[]) => Promise<QueryResult>;
type Query = (text: string, values: string[], run: Run) => unknown;

/** A client whose replies a test decides. */
async function clientOf(schema: Schema, query: Query) {
  const pool = await schema.pool();
  const run: Run = (text, values) => pool.query(text, values);
  return { query: async (text: string, values: string[]) => query(text, values, run) };
}

const result = async (text: string, values: string[], run: Run) => {
  const [row] = (await run(text, values)).rows;
  return { row: row as object, text: String(Object.values(row ?? {})[0]) };
};

describe.each<[string, Query]>([
  ["rows", async (text, values, run) => (await run(text, values)).rows],
  ["an object with rows", (text, values, run) => run(text, values)],
  [
    "the reply of TypeORM, in which an UPDATE that changes nothing gets [[], 0]",
    async (text, values, run) => {
      const { command, rows, rowCount } = await run(text, values);
      return command === "UPDATE" || command === "DELETE" ? [rows, rowCount] : rows;
    },
  ],
  ["rows and a count", async (...args) => [[(await result(...args)).row], 1]],
  [
    "rows and the reply of the driver",
    async (text, values, run) => {
      const reply = await run(text, values);
      return [reply.rows, reply];
    },
  ],
  ["a list of results", async (text, values, run) => [await run(text, values)]],
  ["rows as arrays", async (...args) => [[(await result(...args)).text]]],
  [
    "renamed columns, and others",
    async (...args) => [{ ID: 1, RESULT: (await result(...args)).text, at: null }],
  ],
  ["frozen rows", async (...args) => Object.freeze([Object.freeze((await result(...args)).row)])],
])("a client that returns %s", (_shape, query) => {
  test("grants one of two claims at the same time, and lists the order", async () => {
    const client = racing(await clientOf(await migratedSchema(), query));
    const store = postgresStore(client);
    await attempt(store, NOT_CREATED);
    client.race();

    const claims = await Promise.all([store.claim(by("b"), LEASE), store.claim(by("c"), LEASE)]);

    expect(claims.map(({ state }) => state).toSorted()).toEqual(["claimed", "yours"]);
    for (const owner of ["b", "c"]) await store.recordOutcome(by(owner), UNKNOWN);
    expect(await listed(store)).toMatchObject([{ externalRef: ORDER.externalRef }]);
    expect(await store.namespaces()).toEqual(["default"]);
  });
});

describe("a client is refused before anything is written if it returns", () => {
  test.each<[string, Query]>([
    ["nothing", () => undefined],
    ["no rows", () => []],
    ["an object without rows", () => ({ rows: [], rowCount: 1 })],
    ["no rows and a count", () => [[], 1]],
    ["rows of another statement", () => [{ result: 'f3a1 [true, "7"]' }]],
    ["its values", (_text, values) => [values, [{ result: values.join(" ") }]]],
    ["a text that is cut", async (...args) => [{ result: (await result(...args)).text.slice(0, -1) }]],
    ["what it binds no value to", (text, _values, run) => run(text)],
    [
      "values that it changed",
      (text, [id = "", ...values], run) =>
        run(text, [id, ...values.map((value) => value.replaceAll("'", "''"))]),
    ],
  ])("%s", async (_what, query) => {
    const schema = await migratedSchema();
    const client = await clientOf(schema, query);

    const claim = postgresStore(client).claim(ORDER, LEASE);

    await expect(claim).rejects.toBeInstanceOf(ConfigurationError);
    await expect(claim).rejects.toThrow("client must be a pool or client of pg, the sql of postgres.js");
    expect(await contentsOf(schema)).toBe("");
  });
});

test("a client that cuts the text of a page lists no part of it", async () => {
  const schema = await migratedSchema();
  await attempt(postgresStore(await schema.pool()), UNKNOWN);
  const cut: Query = async (text, values, run) => {
    const { text: whole } = await result(text, values, run);
    return [{ result: text.includes("string_agg") ? whole.slice(0, -1) : whole }];
  };
  const store = postgresStore(await clientOf(schema, cut));

  await expect(listed(store)).rejects.toBeInstanceOf(ConfigurationError);
});
