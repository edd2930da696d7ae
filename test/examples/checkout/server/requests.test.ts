import { startSandbox } from "payments-sdk/sandbox/server";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startShop } from "../../../../examples/checkout/server/start-shop.ts";

afterEach(() => vi.unstubAllGlobals());

const BUYER = { name: "Maria", email: "m@example.com", phone: "11999998888", document: "52998224725" };

async function openShop() {
  const sandbox = await startSandbox({ postbacks: { delayMs: 3_600_000 } }); // none comes by itself
  onTestFinished(() => sandbox.close());
  const log: string[] = [];
  const shop = await startShop({ service: sandbox, log: (line) => log.push(line) });
  onTestFinished(() => shop.close());
  const visited = await fetch(shop.url);
  const path = new URL(visited.url).pathname;
  const order = shop.orders.find(path.split("/").at(-1) ?? "");
  if (order === undefined) throw new Error("A visit makes an order.");
  const post = (to: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(shop.url + to, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const state = async () =>
    ((await (await fetch(`${shop.url}${path}/state`)).json()) as { state: { kind: string } }).state.kind;
  return { sandbox, shop, order, path, post, state, log };
}

async function openPix() {
  const opened = await openShop();
  await opened.post(`${opened.path}/pix`, { revision: 0, buyer: BUYER });
  const [attempt] = opened.order.attempts;
  const [pix] = opened.sandbox.gateway.transactions;
  if (!attempt || !pix) throw new Error("There is no pix.");
  const postback = (changes: object = {}, key = attempt.postbackKey) =>
    opened.post(`/postbacks/${key}`, {
      ...{ id: pix.id, status: "approved", amount: 9000, externalRef: attempt.externalRef },
      ...changes,
    });
  return { ...opened, postback, attempt };
}

describe("a postback is believed", () => {
  test("where it comes to the address of the attempt and is about it", async () => {
    const { postback, state } = await openPix();

    expect((await postback()).status).toBe(204);
    expect(await state()).toBe("paid");
  });

  test("once, however often it comes", async () => {
    const { postback, state } = await openPix();

    const statuses = [await postback(), await postback(), await postback({ status: "pending" })];

    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await state()).toBe("paid");
  });

  test("where a part goes back, and the rest stays paid", async () => {
    const { postback, state } = await openPix();
    await postback();

    expect((await postback({ status: "refunded", amount: 100 })).status).toBe(204);
    expect(await state()).toBe("paid");
    expect((await postback({ status: "refunded" })).status).toBe(204);
    expect(await state()).toBe("refunded");
  });
});

describe("a postback changes nothing", () => {
  test.each([
    ["another transaction", { id: 1 }, 400],
    ["another reference", { externalRef: "order-1" }, 400],
    ["another amount", { amount: 1 }, 400],
    ["the end of another amount", { status: "expired", amount: 1 }, 400],
    ["no status", { status: undefined }, 400],
    ["an envelope", { data: {}, id: "x" }, 400],
  ])("about %s", async (_what, changes, status) => {
    const { postback, state } = await openPix();

    expect((await postback(changes)).status).toBe(status);
    expect(await state()).toBe("pix");
  });

  test.each([["not JSON"], ["[]"], [""], ["<html>"], ['{"__proto__":{"status":"approved"}}']])(
    "that is %j",
    async (body) => {
      const { post, attempt, state } = await openPix();

      expect((await post(`/postbacks/${attempt.postbackKey}`, body)).status).toBe(400);
      expect(await state()).toBe("pix");
    },
  );

  test("to an address that nobody was told", async () => {
    const { postback, state } = await openPix();

    expect((await postback({}, "00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect(await state()).toBe("pix");
  });
});

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
  async function pay({ shop, sandbox, post }: Awaited<ReturnType<typeof openShop>>, number: string) {
    const { baseUrl, publicKey } = sandbox;
    const card = { number, holderName: "MARIA", expirationMonth: "12", expirationYear: "2039", cvv: "123" };
    const made = await fetch(`${baseUrl}/api/v1/card-token?publicKey=${publicKey}`, {
      method: "POST",
      body: JSON.stringify(card),
    });
    const payment = { revision: 0, buyer: BUYER, installments: 1, token: await made.text() };
    const answer = await post(`/orders/${shop.orders.create().id}/card`, payment);
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

test("two payments of one order are told to those who read the log", async () => {
  const { sandbox, shop, path, post, order, log } = await openShop();
  await post(`${path}/pix`, { revision: 0, buyer: BUYER });
  const [first] = sandbox.gateway.transactions;
  const paid = (attempt = 0, id = first?.id) => {
    const { postbackKey, externalRef } = order.attempts[attempt] ?? {};
    return post(`/postbacks/${postbackKey}`, { id, status: "approved", amount: 9000, externalRef });
  };
  const { postbackKey, externalRef } = order.attempts[0] ?? {};
  await post(`/postbacks/${postbackKey}`, { id: first?.id, status: "expired", amount: 9000, externalRef });
  await post(`${path}/pix`, { revision: order.view().revision, buyer: BUYER });

  await paid(
    1,
    sandbox.gateway.transactions[0]?.id === first?.id
      ? sandbox.gateway.transactions[1]?.id
      : sandbox.gateway.transactions[0]?.id,
  );
  await paid(0);

  expect(log.filter((line) => line.startsWith("PAID TWICE"))).toHaveLength(1);
  expect(log.join("\n")).not.toContain(postbackKey);
  expect(shop.orders.find(order.id)?.kind).toBe("paid");
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
