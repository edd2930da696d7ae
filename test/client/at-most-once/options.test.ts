import { ConfigurationError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { eventsOf, merchantAt, thrownBy } from "../../support/merchant.ts";
import { created } from "../../support/service-answers.ts";
import { alteredStore, byPix, guarded } from "./support/guarded.ts";

describe("a client is not made with", () => {
  test.each<[string, unknown]>([
    ["null", null],
    ["a text", "sqlite"],
    ["an empty object", {}],
    ["a store that cannot end", { claim: () => {}, renew: () => {} }],
    ["the function that makes a store", memoryStore],
  ])("%s as its store", (_what, idempotency) => {
    const error = thrownBy(() =>
      merchantAt("http://127.0.0.1:1", { idempotency: idempotency as PaymentsStore }),
    );

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("idempotency must be a store");
  });
});

describe("what a store cannot protect from", () => {
  test("is told once, with the first create, whatever client", async () => {
    const { payments, events, store, baseUrl } = await guarded();
    const other = merchantAt(baseUrl, { idempotency: store });

    const before = [...events];
    await byPix(payments);
    await byPix(payments);
    await byPix(other.payments);

    const limitsIn = (seen: typeof events) =>
      eventsOf(seen, "warning").filter(({ field }) => field === "idempotency");
    expect(limitsIn(before)).toEqual([]);
    expect(limitsIn(events)).toMatchObject([{ message: expect.stringContaining("memory of this process") }]);
    expect(limitsIn(other.events)).toEqual([]);
  });

  test("is told on the console where nobody listens to events", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { payments } = await guarded([created()], { onEvent: undefined });

    await byPix(payments);
    await byPix(payments);

    expect(warn.mock.calls).toEqual([
      [expect.stringContaining("payments-sdk: the idempotency store is kept in the memory")],
    ]);
  });

  test("is nothing, where the store says nothing", async () => {
    const { payments, events } = await guarded([created()], { store: alteredStore({ warning: undefined }) });

    await byPix(payments);

    expect(eventsOf(events, "warning")).toEqual([]);
  });
});
