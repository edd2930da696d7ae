import { afterEach, describe, expect, test, vi } from "vitest";
import { BUYER, type OpenedShop, openShop, tokenFor } from "../support/open-shop.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a payment is taken from the shop's own page only", () => {
  test.each([
    ["another site's page", { "sec-fetch-site": "cross-site" }, 403],
    ["another page of the same site", { "sec-fetch-site": "same-site" }, 403],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 403],
  ])("not from %s", async (_what, headers, status) => {
    const { path, post, sandbox } = await openShop();

    const answer = await post(`${path}/pix`, { revision: 0, buyer: BUYER }, headers);

    expect(answer.status).toBe(status);
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test.each([
    ["nothing", ""],
    ["no buyer", {}],
    ["a buyer of another shape", { revision: 0, buyer: { ...BUYER, name: { $ne: "" } } }],
    ["a name without end", { revision: 0, buyer: { ...BUYER, name: "x".repeat(201) } }],
    ["a list", [BUYER]],
  ])("not with %s", async (_what, body) => {
    const { path, post, sandbox } = await openShop();

    expect((await post(`${path}/pix`, body)).status).toBe(400);
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test.each([0, 4, 1.5, "3"])("not in %j installments", async (installments) => {
    const { path, post } = await openShop();

    expect(
      (await post(`${path}/card`, { revision: 0, buyer: BUYER, token: "tok_1", installments })).status,
    ).toBe(400);
  });

  test("not with a body that is too large", async () => {
    const { path, post } = await openShop();

    expect((await post(`${path}/pix`, { revision: 0, buyer: BUYER, more: "x".repeat(70_000) })).status).toBe(
      413,
    );
  });

  test("not for an order that there is not", async () => {
    const { post } = await openShop();

    expect((await post("/orders/nobody/pix", { revision: 0, buyer: BUYER })).status).toBe(404);
  });
});

test("the price is the server's, whatever a page says of it", async () => {
  const { path, post, sandbox } = await openShop();

  await post(`${path}/pix`, { revision: 0, buyer: BUYER, amount: 1 });

  expect(sandbox.gateway.transactions).toMatchObject([{ amount: 9000 }]);
});

test("a buyer whom the service does not take is told which input it was, and may try again", async () => {
  const { path, post, sandbox, state } = await openShop();

  const answer = await post(`${path}/pix`, {
    revision: 0,
    buyer: { ...BUYER, document: "123", email: "maria" },
  });

  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({
    refusal: { code: "invalid_buyer", fields: ["email", "document"] },
    order: { state: { kind: "open" } },
  });
  expect(sandbox.gateway.transactions).toEqual([]);
  expect(await state()).toBe("open");
});

describe("stolen cards are not tested here without end", () => {
  async function pay(opened: OpenedShop, number: string) {
    const payment = { revision: 0, buyer: BUYER, installments: 1, token: await tokenFor(opened, number) };
    const answer = await opened.post(`/orders/${opened.shop.orders.create().id}/card`, payment);
    return (await answer.json()) as { refusal?: { code: string }; state?: { kind: string } };
  }

  test("five refusals from one address are the most in an hour", async () => {
    const opened = await openShop();

    for (let refused = 0; refused < 5; refused += 1) {
      expect(await pay(opened, "4000000000000002")).toMatchObject({ state: { kind: "open" } });
    }

    expect(await pay(opened, "4000000000000002")).toMatchObject({ refusal: { code: "too_many_attempts" } });
    expect(opened.sandbox.gateway.transactions).toHaveLength(5);
  });

  test("payments that are not refused do not count", async () => {
    const opened = await openShop();

    for (let paid = 0; paid < 7; paid += 1) {
      expect(await pay(opened, "4111111111111111")).toMatchObject({ state: { kind: "paid" } });
    }
  });
});

describe("what a buyer sent about an order that is no more", () => {
  test("is not done: a browser sends again what broke, and networks deliver late", async () => {
    const { path, post, order, sandbox } = await openShop();
    const payment = { revision: 0, buyer: { ...BUYER, document: "1" } };
    await post(`${path}/pix`, payment); // refused, so that the order is open again

    const replayed = await post(`${path}/pix`, { ...payment, buyer: BUYER });

    expect(replayed.status).toBe(409);
    expect(await replayed.json()).toMatchObject({
      refusal: { code: "busy" },
      order: { state: { kind: "open" } },
    });
    expect(order.attempts).toHaveLength(1);
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test("is refused from the moment on at which the page says that nothing was charged", async () => {
    const { path, post, sandbox } = await openShop();

    const heard = await post(`${path}/refuse-late`, {});
    const late = await post(`${path}/pix`, { revision: 0, buyer: BUYER });

    expect(await heard.json()).toMatchObject({ revision: 1, state: { kind: "open" } });
    expect(late.status).toBe(409);
    expect(sandbox.gateway.transactions).toEqual([]);
  });
});

test("the service is told the buyer's own address", async () => {
  const { path, post, sandbox } = await openShop();
  const sent: string[] = [];
  const { fetch: own } = globalThis;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    if (String(url).startsWith(sandbox.baseUrl)) sent.push(String(init?.body));
    return own(url, init);
  });

  await post(`${path}/pix`, { revision: 0, buyer: BUYER });

  expect(JSON.parse(sent[0] ?? "{}")).toMatchObject({ ip: "127.0.0.1" });
});

test("an order that the shop forgot is not replaced by a new one, which the buyer would pay again", async () => {
  const { shop, order } = await openShop();
  await fetch(`${shop.url}/`);

  const answer = await fetch(`${shop.url}/orders/00000000-0000-4000-8000-000000000000`);

  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("não pague de novo");
  expect(answer.url).not.toContain(order.id);
});

test("every answer has the headers of a page that takes cards", async () => {
  const { shop, path, sandbox } = await openShop();

  const { headers } = await fetch(shop.url + path);

  expect(headers.get("content-security-policy")).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${sandbox.baseUrl}; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("no-store");
});
