import { afterEach, describe, expect, test, vi } from "vitest";
import { BUYER, openShop, tokenFor } from "../support/open-shop.ts";
import { chargeOf, orderPix, sendPostback } from "../support/postbacks.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a postback is believed", () => {
  test("where it comes to the address that the service was told, and is about that order", async () => {
    const opened = await openShop();
    const pix = await orderPix(opened);

    const answer = await sendPostback(pix);

    expect(answer).toEqual({ status: 200, body: { result: "handled" } });
    expect(await opened.state()).toBe("paid");
  });

  test("once, however often it comes, and late ones change nothing", async () => {
    const opened = await openShop();
    const pix = await orderPix(opened);
    await sendPostback(pix);
    const paid = opened.order.view();

    const answers = [await sendPostback(pix), await sendPostback(pix, { status: "pending" })];

    expect(answers.map(({ body }) => body.result)).toEqual(["duplicate", "handled"]);
    expect(opened.order.view()).toEqual(paid);
    expect(opened.log.filter((line) => line.includes(": approved"))).toHaveLength(1);
  });

  test("as the service delivers it, each several times and out of order", async () => {
    const opened = await openShop({ duplicates: 3, reorder: true });
    const { gateway } = opened.sandbox;
    const { id } = await orderPix(opened);

    gateway.pay(id);
    gateway.refund(id);
    gateway.clock.advance(10_000);
    await gateway.settled();

    expect(gateway.deliveries.map(({ body, status }) => [body.status, status])).toEqual(
      [...Array(4).fill("approved"), ...Array(4).fill("refunded")].map((status) => [status, "delivered"]),
    );
    expect(await opened.state()).toBe("refunded");
  });

  test("where a part goes back, and the rest stays paid", async () => {
    const opened = await openShop();
    const pix = await orderPix(opened);
    await sendPostback(pix);

    await sendPostback(pix, { status: "refunded", amount: 100 });
    expect(await opened.state()).toBe("paid");
    await sendPostback(pix, { status: "refunded" });
    expect(await opened.state()).toBe("refunded");
  });

  test("where it says that the whole was paid, after another one said that a part went back", async () => {
    const opened = await openShop();
    const pix = await orderPix(opened);

    await sendPostback(pix, { status: "refunded", amount: 100 });
    await sendPostback(pix);

    expect(await opened.state()).toBe("paid");
  });
});

describe("a postback settles an attempt", () => {
  test("whose create has not answered yet, and the answer takes nothing back", async () => {
    const opened = await openShop();
    const { fetch: own } = globalThis;
    let answerNow = () => {};
    const answered = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
      const answer = await own(url, init);
      if (String(url).startsWith(opened.sandbox.baseUrl)) await answered;
      return answer;
    });
    const ordered = orderPix(opened);
    await expect.poll(() => opened.sandbox.gateway.transactions).toHaveLength(1);
    const before = await opened.state();

    await sendPostback(chargeOf(opened, opened.order));
    const after = await opened.state();
    answerNow();
    await ordered;

    expect([before, after, await opened.state()]).toEqual(["paying", "paid", "paid"]);
  });

  test.each([
    ["pix", "open"], // nobody saw its code, so that another attempt may be made
    ["card", "checking"],
  ])("whose answer was lost: a %s, until then %s", async (method, kind) => {
    const opened = await openShop();
    opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const token = await tokenFor(opened, "4111111111111111");
    const payment = { revision: 0, buyer: BUYER, ...(method === "card" && { token, installments: 1 }) };
    await opened.post(`${opened.path}/${method}`, payment);
    const before = await opened.state();

    await sendPostback(chargeOf(opened, opened.order));

    expect([before, await opened.state()]).toEqual([kind, "paid"]);
  });
});

test("two payments of one order are told to those who read the log", async () => {
  const opened = await openShop();
  const first = await orderPix(opened);
  await sendPostback(first, { status: "expired" });
  const second = await orderPix(opened);

  await sendPostback(second);
  await sendPostback(first);

  expect(opened.log.filter((line) => line.startsWith("PAID TWICE"))).toHaveLength(1);
  expect(opened.log.at(-2)).toMatch(/approved, says a postback \(unclear after expired\)$/);
  expect(opened.order.kind).toBe("paid");
});
