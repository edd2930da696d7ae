import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { AttemptLimit } from "../../../examples/checkout/server/attempt-limit.ts";
import { type Attempt, Order, type Outcome } from "../../../examples/checkout/server/orders.ts";
import { confirmUrlOf } from "../../../examples/checkout/server/pay.ts";
import { startShop } from "../../../examples/checkout/server/start-shop.ts";
import { start } from "../../sandbox/support/running.ts";
import { run, tool } from "../../support/running.ts";
import { BUYER, type OpenShop, openShop } from "../support/open-shop.ts";

const SECRET = "the merchant's own, of 32 bytes and more";
const OTHER_SITE = { "sec-fetch-site": "cross-site", "content-type": "text/plain" };
const WITHOUT_POSTBACKS = { delayMs: 3_600_000 }; // the tests send the postbacks

afterEach(() => vi.unstubAllEnvs());

/** A pix of an order, as its postbacks report it. */
async function orderPix(
  { shop, post, sandbox }: OpenShop,
  order = shop.orders.create(),
  body = { buyer: BUYER },
) {
  await post(order, "pix", { revision: order.view().revision, ...body });
  const externalRef = order.attempts.at(-1)?.externalRef ?? "";
  const transaction = sandbox.gateway.transactions.findLast(({ externalId }) => externalId === externalRef);
  return { order, externalRef, id: transaction?.id ?? 0, url: transaction?.postBackUrl ?? "" };
}

type Charge = Awaited<ReturnType<typeof orderPix>>;

/** A shop with a known secret and a pix. */
async function openPix() {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", SECRET);
  const opened = await openShop(WITHOUT_POSTBACKS);
  return { opened, pix: await orderPix(opened) };
}

/** Sends the postback of a paid pix, with changes. */
async function sendPostback({ id, externalRef, url }: Charge, changes: object = {}) {
  const body = JSON.stringify({ id, status: "approved", amount: 9000, externalRef, ...changes });
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
}

const beginIn = (order: Order, method: Attempt["method"] = "pix") =>
  order.begin(method, order.view().revision);

/** Begins an attempt for each method of updates such as `card refused`, and applies them. */
function orderAfter(updates: string): Order {
  const order = new Order();
  const attempts = new Map<string, Attempt>();
  for (const update of updates.split(", ")) {
    const [method = "", status = ""] = update.split(/ (.*)/);
    const attempt = attempts.get(method) ?? (beginIn(order, method as Attempt["method"]) as Attempt);
    attempts.set(method, attempt);
    const transactionId = order.attempts.indexOf(attempt);
    if (status === "lost") order.holdUntilPostback(attempt);
    else if (status === "not charged") order.release(attempt);
    else
      order.settle(attempt, {
        transactionId,
        status: status as Outcome["status"],
        pix: { statusUrl: "/status", code: "000201" },
      });
  }
  return order;
}

describe("an order", () => {
  test.each<[string, string, Partial<{ isCardUndecided: boolean; isPaidTwice: boolean }>?]>([
    ["pix pending, pix approved", "paid"],
    ["pix approved, pix pending", "paid"], // the postback came before the response
    ["pix approved, pix lost", "paid"],
    ["pix approved, pix refunded", "refunded"],
    ["pix refunded, pix approved", "refunded"], // out of order
    ["pix chargedback, pix refunded", "chargedback"],
    ["pix pending, pix unrecognized", "pix"],
    ["pix processing, pix refused", "open"],
    ["pix expired, pix approved", "paid"], // late, but paid
    ["pix unrecognized", "checking"],
    ["pix lost, pix approved", "paid"],
    ["pix lost, pix refused", "open"],
    ["pix not charged", "open"],
    ["card lost, pix pending", "pix", { isCardUndecided: true }],
    ["card lost, pix approved", "paid", { isCardUndecided: true }],
    ["card lost, pix approved, card refused", "paid"],
    ["card lost, pix approved, card approved", "paid", { isPaidTwice: true }],
    ["card lost, pix pending, card approved, pix approved, pix refunded", "paid"],
    ["card lost, pix approved, card approved, pix refunded, card refunded", "refunded"],
    ["card lost, pix pending, card refused", "pix"],
    ["card lost, pix pending, card refused, pix expired", "open"],
    ["card lost, pix expired", "checking", { isCardUndecided: true }], // not open: the card may have been charged
    ["card lost, pix not charged", "checking", { isCardUndecided: true }],
  ])("after %s is %s %j", (updates, kind, { isCardUndecided = false, isPaidTwice = false } = {}) => {
    const order = orderAfter(updates);

    expect(order.view()).toMatchObject({ state: { kind }, isCardUndecided });
    expect(order.isPaidTwice).toBe(isPaidTwice);
  });

  test("does not begin a payment that arrives late, with the revision of an earlier state", () => {
    const { revision } = new Order().view();
    const order = orderAfter("pix refused");

    expect(order.begin("card", revision)).toBeUndefined();
    expect(beginIn(order, "card")).toBeDefined();
  });

  test("begins another pix after the first has expired, before the postback that says so", () => {
    const order = new Order();
    const first = beginIn(order) as Attempt;
    const pix = { statusUrl: "/status", code: "000201", expiresAt: "2026-01-01T00:00:00Z" };
    order.settle(first, { transactionId: 1, status: "pending", pix });

    const second = beginIn(order) as Attempt;

    expect(second.externalRef).not.toBe(first.externalRef);
    order.settle(first, { transactionId: 1, status: "expired" });
    expect(order.kind).toBe("paying");
  });
});

describe("a postback", () => {
  test("of a pix that replaced a lost card alarms, because that card may have been charged", async () => {
    const opened = await openShop(WITHOUT_POSTBACKS);
    const order = opened.shop.orders.create();
    opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const token = await opened.tokenFor("4111111111111111");
    await opened.post(order, "card", { revision: 0, buyer: BUYER, installments: 1, token });
    const pix = await orderPix(opened, order);

    await sendPostback(pix);

    expect(order.view().state).toMatchObject({ kind: "paid", isTwice: false });
    expect(opened.log.filter((line) => line.includes("PAID TWICE"))).toEqual([
      expect.stringContaining(`MAYBE PAID TWICE: ${order.id}`),
    ]);
  });

  test.each([
    ["expired", false],
    ["approved", true],
  ])("of a lost pix that is %s leaves its replacement payable; paid twice: %s", async (status, isTwice) => {
    const opened = await openShop(WITHOUT_POSTBACKS);
    opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const lost = await orderPix(opened);
    const pix = await orderPix(opened, lost.order);

    await sendPostback(lost, { status });
    await sendPostback(pix);

    expect(pix.externalRef).toBe(lost.externalRef);
    expect(pix.order.view().state).toMatchObject({ kind: "paid", isTwice });
    expect(opened.log.some((line) => line.startsWith("PAID TWICE"))).toBe(isTwice);
  });
});

test("a lost pix is not reported as a payment that did not charge", async () => {
  const opened = await openShop(WITHOUT_POSTBACKS);
  const order = opened.shop.orders.create();
  opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });

  const response = await opened.post(order, "pix", { revision: 0, buyer: BUYER });

  expect(await response.json()).toMatchObject({ refusal: { code: "no_pix" } });
});

test("the page has a strict policy, and neither the signed URL nor the secret key", async () => {
  const { opened, pix } = await openPix();
  const { shop, sandbox } = opened;
  const url = `${shop.url}/orders/${pix.order.id}`;

  const [page, state] = [await fetch(url), await fetch(`${url}/state`)];

  const policy = page.headers.get("content-security-policy");
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; /);
  expect(policy).toContain(`connect-src 'self' ${sandbox.baseUrl}; `);
  expect(policy).toContain("form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'");
  for (const text of [await page.text(), await state.text()]) {
    expect(text).toContain(pix.order.id);
    expect(text).not.toContain("pbsig");
    expect(text).not.toContain(sandbox.secretKey);
  }
});

test("refused cards of an IPv6 network, which one buyer has, count together", () => {
  const limit = new AttemptLimit(1);

  expect(limit.reserve("2001:db8::1")).toBeDefined();
  expect(limit.reserve("2001:db8:0:0:a::2")).toBeUndefined();
  expect(limit.reserve("2001:db8:0:1::1")).toBeDefined();
  expect(limit.reserve("::ffff:203.0.113.7")).toBeDefined();
  expect(limit.reserve("203.0.113.7")).toBeUndefined();
  expect(limit.reserve("203.0.113.8")).toBeDefined();
});

test("refused cards of an address no longer count after an hour", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = new AttemptLimit(1);
  limit.reserve("203.0.113.7");

  expect(limit.reserve("203.0.113.7")).toBeUndefined();
  vi.advanceTimersByTime(3_600_000);
  expect(limit.reserve("203.0.113.7")).toBeDefined();
});

describe("a payment", () => {
  test("is created once for five simultaneous requests, with the server's price", async () => {
    const { shop, post, sandbox } = await openShop();
    const order = shop.orders.create();
    const body = { revision: 0, buyer: BUYER, amount: 1 };

    const responses = await Promise.all(Array.from({ length: 5 }, () => post(order, "pix", body)));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(sandbox.gateway.transactions).toMatchObject([{ amount: 9000 }]);
  });

  test.each([
    ["from another site's page", BUYER, OTHER_SITE, 403],
    ["with an invalid buyer", { ...BUYER, name: { $ne: "" } }, {}, 400],
    ["with a body that is too large", { ...BUYER, name: "x".repeat(70_000) }, {}, 413],
  ])("%s is refused", async (_what, buyer, headers, status) => {
    const { shop, post, sandbox } = await openShop();

    const response = await post(shop.orders.create(), "pix", { revision: 0, buyer }, headers);

    expect(response.status).toBe(status);
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test("of a buyer that the service rejects reports the invalid input, and can be tried again", async () => {
    const { shop, post } = await openShop();
    const order = shop.orders.create();

    const response = await post(order, "pix", { revision: 0, buyer: { ...BUYER, document: "123" } });

    expect([response.status, await response.json()]).toMatchObject([
      409,
      { refusal: { code: "invalid_buyer", fields: ["document"] }, order: { state: { kind: "open" } } },
    ]);
  });

  /** Pays by card, and returns the code of the shop's refusal. */
  async function payByCard({ post, tokenFor }: OpenShop, order: Order, number: string) {
    const payment = { revision: order.view().revision, buyer: BUYER, installments: 1 };
    const response = await post(order, "card", { ...payment, token: await tokenFor(number) });
    return ((await response.json()) as { refusal?: { code: string } }).refusal?.code;
  }

  test("by card is refused after three declined cards for one order", async () => {
    const opened = await openShop();
    const order = opened.shop.orders.create();
    const codes: (string | undefined)[] = [];
    for (let card = 0; card <= 3; card += 1) codes.push(await payByCard(opened, order, "4000000000000002"));

    expect(codes).toEqual([undefined, undefined, undefined, "too_many_attempts"]);
    expect(opened.sandbox.gateway.transactions).toHaveLength(3);
  });

  test("by card at the same moment as 39 others of one IP address is one of five, and approved cards do not count", async () => {
    const opened = await openShop();
    const { orders } = opened.shop;
    for (let card = 0; card < 6; card += 1) await payByCard(opened, orders.create(), "4111111111111111");

    const cards = Array.from({ length: 40 }, () => payByCard(opened, orders.create(), "4000000000000002"));
    const codes = await Promise.all(cards);

    expect(codes.filter((code) => code === "too_many_attempts")).toHaveLength(35);
    expect(opened.sandbox.gateway.transactions).toHaveLength(6 + 5);
  });

  test("by a card that is refused counts, although a pix paid the order meanwhile", async () => {
    const opened = await openShop(WITHOUT_POSTBACKS);
    const { faults } = opened.sandbox.gateway;
    const codes: (string | undefined)[] = [];
    for (let count = 0; count < 6; count += 1) {
      const pix = await orderPix(opened);
      faults.add({ on: "transactions.create", kind: "late_response" });
      const card = payByCard(opened, pix.order, "4000000000000002");
      await expect.poll(() => pix.order.kind === "paying" || count === 5).toBe(true);
      await sendPostback(pix);
      codes.push(await card);
    }

    expect(codes).toEqual([...Array(5).fill(undefined), "too_many_attempts"]);
  });

  test.each([
    ["was not charged", 0, "rate_limited"],
    ["may have been charged", 1, "charged_then_reset"],
  ] as const)("by a card that %s counts as refused %d times", async (_what, times, kind) => {
    const opened = await openShop();
    const { orders } = opened.shop;
    opened.sandbox.gateway.faults.add({ on: "transactions.create", kind });
    await payByCard(opened, orders.create(), "4000000000000002");

    const codes: (string | undefined)[] = [];
    for (let card = 0; card < 5; card += 1) {
      codes.push(await payByCard(opened, orders.create(), "4000000000000002"));
    }

    expect(codes.filter((code) => code === "too_many_attempts")).toHaveLength(times);
  });
});

test.each([7, 0, 1.5])(
  "a card in %d installments, which the shop does not offer, is not charged",
  async (installments) => {
    const opened = await openShop();
    const order = opened.shop.orders.create();
    const token = await opened.tokenFor("4111111111111111");

    const response = await opened.post(order, "card", { revision: 0, buyer: BUYER, installments, token });

    expect(response.ok).toBe(false);
    expect(opened.sandbox.gateway.transactions).toEqual([]);
  },
);

test("an unknown order is a 404 and no new order, which the buyer might pay again", async () => {
  const { shop } = await openShop();

  const response = await fetch(`${shop.url}/orders/00000000-0000-4000-8000-000000000000`);

  expect(response.status).toBe(404);
  expect(await response.text()).toContain("não pague de novo");
});

test.each([
  ["https://bank.example/3ds?id=1", "https://bank.example/3ds?id=1"],
  ["http://127.0.0.1:4010/checkout/1", "http://127.0.0.1:4010/checkout/1"], // the service itself, such as a sandbox
  ["http://bank.example/", undefined],
  ["http://127.0.0.1:4011/", undefined],
  ["https://shop.example@evil.example/", undefined],
  ["javascript:alert(1)", undefined],
  ["blob:http://127.0.0.1:4010/1", undefined], // has the origin of the service
  [undefined, undefined],
])("a pending card can be continued at a safe secureUrl only: %s", (secureUrl, expected) => {
  const transaction = secureUrl === undefined ? {} : { secureUrl };

  expect(confirmUrlOf(transaction, new URL("http://127.0.0.1:4010"))).toBe(expected);
});

test("an approved card whose shipment fails is shipped when its page is loaded, although no postback follows", async () => {
  const service = await start();
  const ship = vi.fn().mockRejectedValueOnce(new Error("the warehouse does not respond"));
  const shop = await startShop({ service, ship, log: () => undefined });
  onTestFinished(() => shop.close());
  const order = shop.orders.create();
  const attempt = beginIn(order, "card") as Attempt;
  order.settle(attempt, { transactionId: 1, status: "approved" });
  const load = async () => (await fetch(`${shop.url}/orders/${order.id}`)).status;

  const statuses = [await load(), await load(), await load()];

  expect(statuses).toEqual([200, 200, 200]);
  expect(ship.mock.calls).toEqual([[order], [order]]);
});

test("a shop with a real service requires a secret and a public URL", async () => {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", undefined);
  vi.stubEnv("PUBLIC_URL", undefined);
  const service = await start({ secretKey: "sk_live_1" });
  vi.stubEnv("PAYMENTS_BASE_URL", service.baseUrl);
  vi.stubEnv("PAYMENTS_SECRET_KEY", service.secretKey);
  vi.stubEnv("PAYMENTS_PUBLIC_KEY", service.publicKey);

  const { code, stderr } = await tool("node", ["examples/checkout.ts"]);

  expect(code).toBe(1);
  expect(stderr).toContain("PUBLIC_URL is not set");
  await expect(startShop({ service, log: () => undefined })).rejects.toThrow(
    "PAYMENTS_POSTBACK_SECRET is not set",
  );
});

test("the example starts the shop with a sandbox", async () => {
  vi.stubEnv("PORT", "0");
  const shop = run("node", ["examples/checkout.ts"]);
  onTestFinished(shop.kill);

  const [, page = ""] = await shop.printed(/Shop +(http:\S+)\n/);

  expect(await (await fetch(page)).text()).toContain("Finalizar compra");
});
