import { createGateway, type Gateway } from "payments-sdk/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf } from "./support/wire.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");
const DAY_MS = 86_400_000;

async function pix(gateway: Gateway, expiresInDays: number): Promise<number> {
  const { data } = await bodyOf(await merchantOf(gateway).create(aPix({ pix: { expiresInDays } })));
  return data.id;
}

describe("a pix that is not paid in time", () => {
  test.each([
    [1, 1],
    [2, 2],
    [30, 30],
    [31, 30], // reduced
    [400, 30],
  ])("of %i days expires after %i, to the millisecond", async (asked, days) => {
    const gateway = createGateway({ now: NOON });
    await pix(gateway, asked);

    gateway.clock.advance(days * DAY_MS - 1);
    const before = gateway.transactions[0]?.status;
    gateway.clock.advance(1);

    expect(before).toBe("pending");
    expect(gateway.transactions[0]?.status).toBe("expired");
  });

  test("expired at its own time, however far the clock went on", async () => {
    const gateway = createGateway({ now: NOON });
    await pix(gateway, 1);

    gateway.clock.advance(20 * DAY_MS);

    expect(gateway.transactions[0]?.timeline.at(-1)).toEqual({
      status: "expired",
      at: "2026-12-05T12:00:00.000Z",
      move: "expire",
    });
  });

  test("costs nobody anything, and cannot be paid any more", async () => {
    const gateway = createGateway({ now: NOON });
    const id = await pix(gateway, 1);
    gateway.clock.advance(DAY_MS);

    expect(gateway.chargesFor("order-1")).toEqual([]);
    expect(() => gateway.pay(id)).toThrow("it is expired");
  });

  test("one that was paid stays paid", async () => {
    const gateway = createGateway({ now: NOON });
    gateway.pay(await pix(gateway, 1));

    gateway.clock.advance(DAY_MS);

    expect(gateway.transactions[0]?.status).toBe("approved");
  });

  test("several expire in the order of their dates, and those of one date in the order they came", async () => {
    const gateway = createGateway({ now: NOON });
    const expired: number[] = [];
    const [late, soon, next] = [await pix(gateway, 3), await pix(gateway, 1), await pix(gateway, 2)];
    const sameDateAsNext = await pix(gateway, 2);
    gateway.subscribe((change) => {
      if (change.type === "transaction") expired.push(change.transaction.id);
    });

    gateway.clock.advance(5 * DAY_MS);

    expect(expired).toEqual([soon, next, sameDateAsNext, late]);
  });

  test("is posted at its own time, too, however far the clock went on", async () => {
    const postbacks = { fetch: async () => new Response(), delayMs: 1_000 };
    const gateway = createGateway({ now: NOON, postbacks });
    await pix(gateway, 1);

    gateway.clock.advance(20 * DAY_MS);
    await gateway.settled();

    expect(gateway.deliveries).toMatchObject([
      {
        body: { status: "expired", transactionDate: "2026-12-05T12:00:00.000Z" },
        attempts: [{ at: "2026-12-05T12:00:01.000Z", status: 200 }],
      },
    ]);
  });

  test("expires in its turn where what falls due before it advances the clock, too", async () => {
    const gateway = createGateway({ now: NOON });
    await pix(gateway, 1);
    await pix(gateway, 3);
    const seen: (string | undefined)[] = [];
    gateway.subscribe((change) => {
      if (change.type !== "transaction") return;
      seen.push(change.transaction.timeline.at(-1)?.at);
      if (seen.length === 1) gateway.clock.advance(4 * DAY_MS);
    });

    gateway.clock.advance(DAY_MS);

    expect(seen).toEqual(["2026-12-05T12:00:00.000Z", "2026-12-07T12:00:00.000Z"]);
    expect(gateway.clock.now()).toBe(NOON + 5 * DAY_MS);
  });
});

describe("on the machine's time", () => {
  function fakeTime(): void {
    vi.useFakeTimers({ now: NOON, toFake: ["Date", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
  }

  test("a pix expires by itself, with nobody looking", async () => {
    fakeTime();
    const gateway = createGateway();
    await pix(gateway, 2);
    const seen: string[] = [];
    gateway.subscribe((change) => {
      if (change.type === "transaction") seen.push(change.transaction.status);
    });

    vi.advanceTimersByTime(2 * DAY_MS - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);

    expect(seen).toEqual(["expired"]);
  });

  test("30 days are more than a timer of the machine can count, and are waited for all the same", async () => {
    fakeTime();
    const gateway = createGateway();
    await pix(gateway, 30);

    vi.advanceTimersByTime(30 * DAY_MS - 1);
    const before = gateway.transactions[0]?.status;
    vi.advanceTimersByTime(1);

    expect(before).toBe("pending");
    expect(gateway.transactions[0]?.status).toBe("expired");
  });

  test("what a card's number holds for later happens by itself, too", async () => {
    fakeTime();
    const gateway = createGateway();
    const { create, token } = merchantOf(gateway);
    await create(aCardPayment(await token(aCard({ number: "4000000000003220" }))));

    vi.advanceTimersByTime(4_999);
    const before = gateway.transactions[0]?.status;
    vi.advanceTimersByTime(1);

    expect([before, gateway.transactions[0]?.status]).toEqual(["processing", "approved"]);
  });

  test("the soonest comes first, whenever it was asked for", async () => {
    fakeTime();
    const gateway = createGateway();
    const [late, soon] = [await pix(gateway, 2), await pix(gateway, 1)];
    const expired: number[] = [];
    gateway.subscribe((change) => {
      if (change.type === "transaction") expired.push(change.transaction.id);
    });

    vi.advanceTimersByTime(DAY_MS);
    const afterADay = [...expired];
    vi.advanceTimersByTime(DAY_MS);

    expect(afterADay).toEqual([soon]);
    expect(expired).toEqual([soon, late]);
  });

  test("what was advanced counts on top", async () => {
    fakeTime();
    const gateway = createGateway();
    await pix(gateway, 2);
    gateway.clock.advance(DAY_MS);

    vi.advanceTimersByTime(DAY_MS);

    expect(gateway.transactions[0]?.status).toBe("expired");
  });

  test("a timer that is late changes nothing for whoever looks", async () => {
    fakeTime();
    const gateway = createGateway();
    const id = await pix(gateway, 1);

    vi.setSystemTime(NOON + DAY_MS); // no timer has run

    expect(() => gateway.pay(id)).toThrow("it is expired");
  });

  test("nothing happens any more after close", async () => {
    fakeTime();
    const gateway = createGateway();
    await pix(gateway, 1);

    gateway.close();
    vi.advanceTimersByTime(2 * DAY_MS);

    expect(gateway.transactions[0]?.status).toBe("pending");
    expect(vi.getTimerCount()).toBe(0);
  });
});
