import { describe, expect, test } from "vitest";
import { redisOf } from "../../../src/idempotency/redis-client.ts";
import { RedisDocuments } from "../../../src/idempotency/redis-documents.ts";
import { missingRedis } from "../../support/redis-server.ts";
import { DAY, draft, someDocuments } from "./support/documents.ts";
import { keysIn } from "./support/look-inside.ts";

async function listed(documents: RedisDocuments): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of documents.open()) keys.push(key);
  return keys.sort();
}

describe.skipIf(missingRedis !== undefined)("keys in Redis", () => {
  test("are the references as they are, where nothing in them is odd", async () => {
    const { client, documents, prefix } = await someDocuments();
    await documents.add("pedido nº 1/2: {ção}", draft("v1"));

    expect(await keysIn(client, `${prefix}*`)).toEqual([`${prefix}pedido nº 1/2: {ção}`]);
  });

  const ODD = [
    "*",
    "?",
    "[a]",
    "a",
    "\\",
    "\\\\",
    "\\u0000",
    "\0",
    '"',
    "\n",
    "\ud800",
    "\ud801",
    "\ufffd",
    "é",
    "e\u0301",
    "😀".repeat(1_000),
    `${"😀".repeat(999)}x`,
    "__proto__",
    "{}",
    "",
  ];

  test("are different for references that are, and read back as they were", async () => {
    const { documents } = await someDocuments();
    for (const key of ODD) expect(await documents.add(key, draft(`of-${ODD.indexOf(key)}`))).toBeUndefined();

    const found = await Promise.all(ODD.map((key) => documents.read(key)));

    expect(found.map((document) => document?.version)).toEqual(ODD.map((_, at) => `of-${at}`));
    expect(await listed(documents)).toEqual(ODD.toSorted());
  });
});

describe.skipIf(missingRedis !== undefined)("open documents in Redis", () => {
  test("are listed, all of many, and no others", async () => {
    const { client, documents, prefix } = await someDocuments();
    const keys = Array.from({ length: 1_500 }, (_, at) => `order-${String(at).padStart(4, "0")}`);
    await Promise.all(keys.map((key, at) => documents.add(key, draft("v1", at % 3 === 0))));
    await new RedisDocuments(redisOf(client), `x${prefix}`, DAY).add("another prefix", draft("v1"));

    expect(await listed(documents)).toEqual(keys.filter((_, at) => at % 3 === 0));
  });

  test("come with what is in them", async () => {
    const { documents } = await someDocuments();
    await documents.add("a", draft("v1"));

    const found: unknown[] = [];
    for await (const document of documents.open()) found.push(document);

    expect(found).toEqual([{ key: "a", text: '{"of":"v1"}', version: "v1", ageMs: expect.any(Number) }]);
  });
});

describe.skipIf(missingRedis !== undefined)("what payments-sdk did not write is an error, and stays", () => {
  test.each(["", "1", "open v1 {}", "open v1 x {}", "held v1 1 {}", '{"state":"free"}'])(
    "%j",
    async (value) => {
      const { client, documents, prefix } = await someDocuments();
      await client.set(`${prefix}a`, value);
      const message = `Redis has something under ${prefix}a that payments-sdk did not write.`;

      await expect(documents.add("a", draft("v9"))).rejects.toThrow(message);
      await expect(documents.read("a")).rejects.toThrow(message);
      await expect(listed(documents)).rejects.toThrow(message);
      expect(await documents.replace("a", "v0", draft("v9"))).toBe(false);
      expect(await client.get(`${prefix}a`)).toBe(value);
    },
  );

  test("a list", async () => {
    const { client, documents, prefix } = await someDocuments();
    await client.rPush(`${prefix}a`, "x");

    await expect(documents.add("a", draft("v1"))).rejects.toThrow("WRONGTYPE");
    await expect(documents.read("a")).rejects.toThrow("WRONGTYPE");
    await expect(documents.replace("a", "v0", draft("v1"))).rejects.toThrow("WRONGTYPE");
    await expect(listed(documents)).rejects.toThrow("WRONGTYPE");
  });
});
