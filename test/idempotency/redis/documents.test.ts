import { describe, expect, test, vi } from "vitest";
import { missingRedis } from "../../support/redis-server.ts";
import { DAY, draft, someDocuments } from "./support/documents.ts";

describe.skipIf(missingRedis !== undefined)("a document in Redis", () => {
  test("is added where there is none, and else what is there comes back", async () => {
    const { documents } = await someDocuments();

    expect(await documents.add("a", draft("v1"))).toBeUndefined();
    expect(await documents.add("a", draft("v2"))).toEqual({
      text: '{"of":"v1"}',
      version: "v1",
      ageMs: expect.any(Number),
    });
  });

  test("is replaced where its version is the one that is there", async () => {
    const { documents } = await someDocuments();
    await documents.add("a", draft("v1"));

    expect(await documents.replace("a", "v0", draft("v2"))).toBe(false);
    expect(await documents.replace("a", "v", draft("v2"))).toBe(false); // the beginning of one
    expect(await documents.replace("b", "v1", draft("v2"))).toBe(false);
    expect(await documents.replace("a", "v1", draft("v2"))).toBe(true);
    expect(await documents.replace("a", "v1", draft("v3"))).toBe(false);
    expect(await documents.read("a")).toMatchObject({ text: '{"of":"v2"}', version: "v2" });
    expect(await documents.read("b")).toBeUndefined();
  });

  test("that is sent twice is written once, and both times it counts as written", async () => {
    const { documents } = await someDocuments();

    expect(await documents.add("a", draft("v1"))).toBeUndefined();
    expect(await documents.add("a", draft("v1"))).toBeUndefined();
    expect(await documents.replace("a", "v1", draft("v2"))).toBe(true);
    expect(await documents.replace("a", "v1", draft("v2"))).toBe(true);
    expect(await documents.add("a", draft("v1"))).toMatchObject({ version: "v2" });
  });

  test("is never forgotten while it is open, and some time after it was closed", async () => {
    const { client, documents, prefix } = await someDocuments(2 * DAY);
    await documents.add("open", draft("v1"));
    await documents.add("closed", draft("v1", false));
    await documents.add("closed later", draft("v1"));
    await documents.replace("closed later", "v1", draft("v2", false));
    await documents.add("opened again", draft("v1", false));
    await documents.replace("opened again", "v1", draft("v2"));

    const left = async (key: string) => client.pTTL(`${prefix}${key}`);

    expect(await left("open")).toBe(-1);
    expect(await left("opened again")).toBe(-1);
    for (const key of ["closed", "closed later"]) {
      expect(await left(key)).toBeGreaterThan(2 * DAY - 60_000);
      expect(await left(key)).toBeLessThanOrEqual(2 * DAY);
    }
  });

  test.each([1e-7, 0.4])(
    "is gone after a retention of %d ms, which becomes a whole one",
    async (retentionMs) => {
      const { documents } = await someDocuments(retentionMs);
      await documents.add("a", draft("v1", false));

      await vi.waitFor(async () => expect(await documents.read("a")).toBeUndefined());
    },
  );

  test.each([Number.MAX_VALUE, Number.POSITIVE_INFINITY])(
    "may have a retention of %d ms",
    async (retentionMs) => {
      const { client, documents, prefix } = await someDocuments(retentionMs);
      await documents.add("a", draft("v1", false));

      expect(await client.pTTL(`${prefix}a`)).toBeGreaterThan(100_000 * 365 * DAY);
    },
  );

  test("is as old as the clock of Redis says, whatever that of the process does", async () => {
    const { documents } = await someDocuments();
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: 0 });
    await documents.add("a", draft("v1"));
    vi.setSystemTime(Date.UTC(2100, 0));

    const found = await documents.read("a");

    vi.useRealTimers();
    expect(found?.ageMs).toBeGreaterThanOrEqual(0);
    expect(found?.ageMs).toBeLessThan(10_000);
  });

  test("becomes older, and never younger, also where a second of the clock ends", async () => {
    const { documents } = await someDocuments();
    await documents.add("a", draft("v1"));

    const start = performance.now();
    const ages: number[] = [];
    while (performance.now() - start < 1_100) {
      ages.push((await documents.read("a"))?.ageMs ?? Number.NaN);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }

    expect(ages).toEqual(ages.toSorted((one, other) => one - other));
    expect(ages.at(-1)).toBeGreaterThan(1_000);
    expect(ages.at(-1)).toBeLessThan(10_000);
  });

  test("that was written by a clock ahead of this one has an age below zero", async () => {
    const { client, documents, prefix } = await someDocuments();
    const [seconds] = await client.time();
    await client.set(`${prefix}a`, `open v1 ${Number(seconds) + 3_600}000 {}`);

    const { ageMs = 0 } = (await documents.read("a")) ?? {};

    expect(ageMs).toBeLessThan(-3_590_000);
    expect(ageMs).toBeGreaterThanOrEqual(-3_600_000);
  });

  test.each([
    ["an id beyond 2^53", '{"id":9007199254740993,"fee":0.1,"big":1e21}'],
    ["characters of all kinds", JSON.stringify({ text: "ção \n\r\t\0 ' \" \\ 😀 %d {}" })],
    ["nothing", ""],
    ["a line of its own", "{}\nopen v9 1 {}"],
    ["100,000 characters", JSON.stringify("x".repeat(100_000))],
  ])("keeps a text with %s as it is", async (_what, text) => {
    const { documents } = await someDocuments();
    await documents.add("a", draft("v1", true, text));
    await documents.add("b", draft("v1"));
    await documents.replace("b", "v1", draft("v2", true, text));

    expect(await documents.read("a")).toMatchObject({ text, version: "v1" });
    expect(await documents.read("b")).toMatchObject({ text, version: "v2" });
  });
});
