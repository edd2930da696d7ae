import { join } from "node:path";
import { inspect } from "node:util";
import {
  ConfigurationError,
  type DocumentOperations,
  documentStore,
  type ListedDocument,
  type PaymentsStore,
  type StoredDocument,
} from "payments-sdk/idempotency";
import { expect, onTestFinished, test, vi } from "vitest";
import { collect } from "../../src/testing/stores/fixtures.ts";
import { thrownBy } from "../support/merchant.ts";
import { root } from "../support/running.ts";
import { codeOf, importCode } from "../system/docs/page-code.ts";
import { describeStore } from "./support/databases.ts";
import { by, LEASE, NOT_CREATED, ORDER, REF } from "./support/orders.ts";

const { mapDocuments } = await importCode<{
  mapDocuments: (rows: Map<string, unknown>) => DocumentOperations;
}>(codeOf("other-databases", "By example"), join(root, "reports/document-store"), "map");

describeStore(
  "documentStore with the Map of docs/other-databases.md",
  () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const rows = new Map<string, unknown>();
    return {
      store: () => documentStore(mapDocuments(rows)),
      advance: (ms) => void vi.advanceTimersByTime(ms),
    };
  },
  { hasNamespaces: false },
);

type Operation = "add" | "read" | "replace";

/** A store whose database does what it should, and returns something else. */
function withReplies(replies: Partial<Record<Operation, (result: unknown) => unknown>>) {
  const documents = mapDocuments(new Map());
  const wrapped = Object.entries(replies).map(([name, reply]) => {
    const operation: (...values: never[]) => Promise<unknown> = documents[name as Operation];
    return [name, async (...values: never[]) => reply(await operation(...values))];
  });
  return documentStore({ ...documents, ...Object.fromEntries(wrapped) });
}

const REFUSED = { name: "ConfigurationError", outcome: "not_applicable" };

test.each<[string, (isWritten: unknown) => unknown]>([
  ["nothing, as a function that forgets to return", () => undefined],
  ["rows and a count, as a raw query of an ORM", (isWritten) => [[], Number(isWritten)]],
  ["a number of rows", Number],
  ["the result of a driver", (isWritten) => ({ affectedRows: Number(isWritten) })],
  ["a text", String],
])("an order is given to no caller, and no outcome recorded, if a write returns %s", async (_name, reply) => {
  const adding = withReplies({ add: reply });
  const replacing = withReplies({ replace: reply });
  await replacing.claim(ORDER, LEASE);

  for (const owner of ["a", "b"]) {
    const claim = adding.claim(by(owner), LEASE);
    await expect(claim).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringMatching(/^add of .* returned/),
    });
  }
  const recorded = replacing.recordOutcome(ORDER, NOT_CREATED);
  await expect(recorded).rejects.toMatchObject({
    ...REFUSED,
    message: expect.stringMatching(/^replace of .* returned/),
  });
});

test.each<[string, (document: StoredDocument) => unknown]>([
  ["nothing", () => undefined],
  ["an array of rows", (document) => [document]],
  ["an age that is a text", (document) => ({ ...document, ageMs: String(document.ageMs) })],
  ["a time instead of an age", ({ ageMs: _age, ...document }) => ({ ...document, writtenAt: Date.now() })],
  ["an age that is not a number", (document) => ({ ...document, ageMs: Number.NaN })],
  ["a version that is a number", (document) => ({ ...document, version: 7 })],
  ["a parsed text", (document) => ({ ...document, text: JSON.parse(document.text) })],
])("a lost pix is not replaced, and not listed, if a document is read as %s", async (_name, change) => {
  const rows = new Map();
  const documents = mapDocuments(rows);
  const store = documentStore({
    ...documents,
    read: async (key) => change((await documents.read(key)) as StoredDocument) as StoredDocument,
    async *list(isOpenOnly, prefix) {
      for await (const each of documents.list(isOpenOnly, prefix)) yield change(each) as ListedDocument;
    },
  });
  await store.claim(ORDER, LEASE);

  await expect(store.claim(by("b"), LEASE, { replaceLost: true })).rejects.toMatchObject(REFUSED);
  await expect(store.get(REF)).rejects.toMatchObject(REFUSED);
  await expect(collect(store.list())).rejects.toMatchObject(REFUSED);
});

test("an order whose record exists, but is not shown, is given to no caller", async () => {
  const store = withReplies({ read: () => null });
  await store.claim(ORDER, LEASE);

  await expect(store.claim(by("b"), LEASE)).rejects.toThrow("refuses to add the record because one exists");
});

/** Throws as a driver does that repeats its URL and the values of a statement. */
const fail = (...values: readonly unknown[]): never => {
  const texts = values.map((value) => Object(value).text);
  throw new Error(`cannot reach libsql://shop:secret@example.com to write ${texts}`);
};

test.each<[string, (store: PaymentsStore) => Promise<unknown>]>([
  ["a claim", (store) => store.claim(ORDER, LEASE)],
  ["a read", (store) => store.get(REF)],
  ["a list", (store) => collect(store.list())],
  ["a list of all namespaces", (store) => collect(store.list({ namespace: "*" }))],
  ["the namespaces", (store) => store.namespaces()],
  ["a check", (store) => store.check().then(([problem]) => Promise.reject(problem))],
])("an error of the database during %s is copied without secrets and records", async (_name, run) => {
  const failing = { add: fail, read: fail, replace: fail, list: fail, listEverywhere: fail };
  const store = documentStore(failing, { namespaces: fail, check: fail });

  const failure: unknown = await run(store).catch((error) => error);

  expect(failure).toMatchObject({ message: expect.stringContaining("cannot reach") });
  expect(inspect(failure)).not.toMatch(/secret|amount/);
});

test.each<[string, unknown, string]>([
  ["nothing", undefined, "undefined instead of"],
  ["an array in a Promise", Promise.resolve([]), "an object instead of"],
  [
    "a document without its key",
    [{ text: "{}", version: "1", ageMs: 1 }],
    "a document with text, version, key",
  ],
  ["null instead of a document", [null], "null instead of a document"],
  [
    "a document without its namespace",
    [{ key: "a", text: "{}", version: "1", ageMs: 1 }],
    "key, namespace and ageMs",
  ],
])("a list that returns %s is refused", async (_name, listed, message) => {
  const list = () => listed as AsyncIterable<never>;
  const store = documentStore({ ...mapDocuments(new Map()), list, listEverywhere: list });
  const refusal = { ...REFUSED, message: expect.stringContaining(message) };

  await expect(collect(store.list({ namespace: "*" }))).rejects.toMatchObject(refusal);
  if (!message.includes("namespace")) await expect(collect(store.list())).rejects.toMatchObject(refusal);
});

test.each([
  ["undefined", undefined],
  ["an object", {}],
])("namespaces and a check that return %s are refused", async (kind, returned) => {
  const reply = async () => returned as never;
  const store = documentStore(mapDocuments(new Map()), { namespaces: reply, check: reply });

  const message = expect.stringContaining(`returned ${kind} instead of`);
  await expect(store.namespaces()).rejects.toMatchObject({ ...REFUSED, message });
  expect(await store.check()).toEqual([{ level: "error", message }]);
});

test.each<[string, object, object, string]>([
  ["no operations", {}, {}, "documents must have the functions add, read, replace and list."],
  ["an unknown option", mapDocuments(new Map()), { warnings: "" }, "warnings is not an option"],
])("documentStore refuses %s", (_name, documents, options, message) => {
  const error = thrownBy(() => documentStore(documents as DocumentOperations, options));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toContain(message);
});

test("the options of a documentStore are its warning, its namespaces and its check", async () => {
  const problem = { level: "warning", message: "slow" } as const;
  const store = documentStore(mapDocuments(new Map()), {
    warning: "loses everything",
    namespaces: async () => ["b", "a"],
    check: async () => [problem],
  });

  expect(store.warning).toBe("loses everything");
  expect(await store.namespaces()).toEqual(["a", "b"]);
  expect(await store.check()).toEqual([problem]);
});
