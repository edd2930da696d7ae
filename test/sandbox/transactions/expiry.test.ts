import { createGateway, type Gateway } from "payments-sdk/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aGuidePix, bodyOf, merchantOf, NOON } from "../support/wire.ts";

const DAY_MS = 86_400_000;

const pix = async (gateway: Gateway, expiresInDays: number): Promise<number> =>
  (await merchantOf(gateway).pix({ pix: { expiresInDays } })).id;

describe("a pix", () => {
  test.each([
    [undefined, "2026-12-05T12:00:00.000Z"], // 1 is the default
    [{}, "2026-12-05T12:00:00.000Z"],
    [{ expiresInDays: 2 }, "2026-12-06T12:00:00.000Z"],
    [{ expiresInDays: 30 }, "2027-01-03T12:00:00.000Z"],
    [{ expiresInDays: 31 }, "2027-01-03T12:00:00.000Z"], // reduced to 30
    [{ expiresInDays: 9007199254740991 }, "2027-01-03T12:00:00.000Z"],
  ])("with %j expires at %s, to the millisecond", async (days, expirationDate) => {
    const gateway = createGateway({ now: NOON });
    const { data } = await bodyOf(await merchantOf(gateway).create(aGuidePix(days && { pix: days })));

    gateway.clock.advance(Date.parse(expirationDate) - NOON - 1);
    const before = gateway.transactions[0]?.status;
    gateway.clock.advance(1);

    expect(data.pix.expirationDate).toBe(expirationDate);
    expect([before, gateway.transactions[0]?.status]).toEqual(["pending", "expired"]);
  });

  test("expires and is posted at its own time, even if the clock is advanced much further", async () => {
    const postbacks = { fetch: async () => new Response(), delayMs: 1_000 };
    const gateway = createGateway({ now: NOON, postbacks });
    await pix(gateway, 1);

    gateway.clock.advance(20 * DAY_MS);
    await gateway.settled();

    expect(gateway.transactions[0]?.timeline.at(-1)).toEqual({
      status: "expired",
      at: "2026-12-05T12:00:00.000Z",
      move: "expire",
    });
    expect(gateway.deliveries).toMatchObject([
      {
        body: { status: "expired", transactionDate: "2026-12-05T12:00:00.000Z" },
        attempts: [{ at: "2026-12-05T12:00:01.000Z", status: 200 }],
      },
    ]);
  });
});

describe("with the clock of the machine", () => {
  function fakeTime(): void {
    vi.useFakeTimers({ now: NOON, toFake: ["Date", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
  }

  test("a pix expires after 30 days, which is longer than the longest timer", async () => {
    fakeTime();
    const gateway = createGateway();
    await pix(gateway, 30);

    vi.advanceTimersByTime(30 * DAY_MS - 1);
    const before = gateway.transactions[0]?.status;
    vi.advanceTimersByTime(1);

    expect(before).toBe("pending");
    expect(gateway.transactions[0]?.status).toBe("expired");
  });

  test("what becomes due happens in order of time, and in order of creation at the same time", async () => {
    fakeTime();
    const gateway = createGateway();
    const [late, soon, soonToo] = [await pix(gateway, 2), await pix(gateway, 1), await pix(gateway, 1)];
    const card = await merchantOf(gateway).card("4000000000003220");
    const seen: (readonly [number, string])[] = [];
    gateway.subscribe((change) => {
      if (change.type === "transaction") seen.push([change.transaction.id, change.transaction.status]);
    });

    vi.advanceTimersByTime(4_999);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(2 * DAY_MS);

    expect(seen).toEqual([
      [card.id, "approved"],
      [soon, "expired"],
      [soonToo, "expired"],
      [late, "expired"],
    ]);
  });

  test("advanced time is added, and a call runs what is due before a late timer does", async () => {
    fakeTime();
    const gateway = createGateway();
    const id = await pix(gateway, 2);
    gateway.clock.advance(DAY_MS);

    vi.setSystemTime(NOON + DAY_MS); // no timer has run

    expect(() => gateway.pay(id)).toThrow("it is expired");
  });

  test("nothing expires after close", async () => {
    fakeTime();
    const gateway = createGateway();
    await pix(gateway, 1);

    gateway.close();
    vi.advanceTimersByTime(2 * DAY_MS);

    expect(gateway.transactions[0]?.status).toBe("pending");
    expect(vi.getTimerCount()).toBe(0);
  });
});
