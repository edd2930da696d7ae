import { describe, expect, test, vi } from "vitest";
import {
  by,
  createdAs,
  LEASE,
  leaseEnds,
  listed,
  NOT_CREATED,
  news,
  ORDER,
  STATES,
  type StateName,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

onEveryStore("what a person must look at", (open) => {
  test.each<[StateName, object[]]>([
    ["that nobody claimed", []],
    ["that is free again", []],
    ["that is claimed", []],
    ["that is created", []],
    ["whose lease has ended", [{ reason: "no_end" }]],
    ["that is unresolved", [{ reason: "no_answer" }]],
  ])("of an order %s: %j", async (state, expected) => {
    const store = await open();
    await STATES[state](store);

    expect(await listed(store)).toEqual(expected.map((part) => expect.objectContaining(part)));
  });

  test("is told with its terms, its attempt, since when, and the transactions that it is not", async () => {
    const store = await open();
    const order = { ...ORDER, paymentMethod: "credit_card", installments: "3" } as const;
    await store.claim(order, LEASE);
    await store.end(order, createdAs("refused", 7));
    const start = Date.now();
    await store.claim({ ...order, owner: "b" }, LEASE);
    await store.end({ ...order, owner: "b" }, UNKNOWN);

    const found = await listed(store);

    expect(found).toEqual([
      {
        externalRef: "order-1",
        amount: 1990,
        paymentMethod: "credit_card",
        installments: "3",
        attempt: 2,
        reason: "no_answer",
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        earlierIds: [7],
      },
    ]);
    // The clock of a server, and rounding.
    expect(Math.abs(Date.parse(found[0]?.since ?? "") - start)).toBeLessThan(10_000);
  });

  test("of a pix says nothing of installments", async () => {
    const store = await open();
    await STATES["that is unresolved"](store);

    expect(Object.keys((await listed(store))[0] ?? {})).not.toContain("installments");
  });

  test("has ids beyond 2^53 - 1 as they are", async () => {
    const store = await open();
    await store.claim(ORDER, 1);
    await leaseEnds(store);
    await store.resolve("order-1", { charged: false });
    await store.claim(by("b"), LEASE);
    await store.end(ORDER, { outcome: "created", transactionId: "90071992547409931234" });
    await store.end(by("b"), UNKNOWN);

    expect(await listed(store)).toMatchObject([{ earlierIds: ["90071992547409931234"] }]);
  });

  describe("with olderThanMs", () => {
    test("leaves out of what was heard lately", async () => {
      const store = await open();
      await STATES["that is unresolved"](store);

      expect(await listed(store, { olderThanMs: LEASE })).toEqual([]);
      expect(await listed(store, { olderThanMs: 0 })).toHaveLength(1);
    });

    test("counts from the last time that something was heard", async () => {
      const store = await open();
      await STATES["that is unresolved"](store);

      await vi.waitFor(async () => expect(await listed(store, { olderThanMs: 30 })).toHaveLength(1), {
        interval: 5,
        timeout: 5_000,
      });
    });

    test.each([-1, Number.NaN, "60", null])("%j is refused", async (olderThanMs) => {
      const store = await open();

      await expect(listed(store, { olderThanMs: olderThanMs as number })).rejects.toMatchObject({
        code: "configuration",
      });
    });

    test("an unknown option is refused", async () => {
      const store = await open();

      const options = { olderThan: 5 } as object;
      await expect(listed(store, options)).rejects.toThrow("olderThan is not an option");
    });
  });

  test("is all of it, however many there are, each once, and nothing else", async () => {
    const store = await open();
    const names = Array.from({ length: 250 }, (_, nth) => `order-${nth}`);
    await Promise.all(
      names.map(async (externalRef, nth) => {
        const order = { ...ORDER, externalRef, owner: externalRef };
        await store.claim(order, LEASE);
        await store.end(order, nth % 2 === 0 ? UNKNOWN : NOT_CREATED);
      }),
    );

    const found = await listed(store);

    expect(found.map(({ externalRef }) => externalRef).sort()).toEqual(
      names.filter((_, nth) => nth % 2 === 0).sort(),
    );
  });

  test("can be resolved while it is listed, and left early", async () => {
    const store = await open();
    for (const externalRef of ["order-1", "order-2", "order-3"]) {
      await store.claim({ ...ORDER, externalRef, owner: externalRef }, LEASE);
      await store.end({ ...ORDER, externalRef, owner: externalRef }, UNKNOWN);
    }

    let seen = 0;
    for await (const { externalRef } of store.unresolved()) {
      await store.resolve(externalRef, { charged: false });
      seen += 1;
      if (seen === 2) break;
    }

    expect(await listed(store)).toHaveLength(1);
  });

  test("is no longer, once a postback has settled it", async () => {
    const store = await open();
    await STATES["whose lease has ended"](store);

    await store.settle("order-1", news("approved"));

    expect(await listed(store)).toEqual([]);
  });
});
