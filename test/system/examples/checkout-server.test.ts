import { startSandbox } from "payments-sdk/sandbox/server";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Attempt, Order, type Outcome } from "../../../examples/checkout/server/orders.ts";
import { confirmUrlOf } from "../../../examples/checkout/server/pay.ts";
import { startShop } from "../../../examples/checkout/server/start-shop.ts";
import { run, tool } from "../../support/running.ts";
import { BUYER, type OpenShop, openShop } from "../support/open-shop.ts";

const SECRET = "the merchant's own, of 32 bytes and more";
const WITHOUT_POSTBACKS = { delayMs: 3_600_000 }; // the tests send the postbacks

afterEach(() => vi.unstubAllEnvs());

interface Charge {
  readonly order: Order;
  readonly id: number;
  readonly externalRef: string;
  readonly url: string;
}

async function orderPix(
  { shop, post, sandbox }: OpenShop,
  order = shop.orders.create(),
  body: object = { buyer: BUYER },
): Promise<Charge> {
  await post(order, "pix", { revision: order.view().revision, ...body });
  const externalRef = order.attempts.at(-1)?.externalRef ?? "";
  const { id = 0, postBackUrl: url = "" } =
    sandbox.gateway.transactions.find(({ externalId }) => externalId === externalRef) ?? {};
  return { order, id, externalRef, url };
}

/** A shop with a known secret and a pix. */
async function openPix() {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", SECRET);
  const opened = await openShop(WITHOUT_POSTBACKS);
  return { opened, pix: await orderPix(opened) };
}

/** Sends the postback of a paid pix, with changes. */
async function sendPostback({ id, externalRef, url }: Charge, changes: object = {}) {
  const body = JSON.stringify({ id, status: "approved", amount: 9000, externalRef, ...changes });
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { result, reason } = (await response.json()) as { result?: string; reason?: string };
  return { status: response.status, result: result ?? reason };
}

/** An update of an attempt: a status, or the meaning of an error. */
type Update = Outcome["status"] | "response lost" | "not charged";

function applyUpdate(order: Order, attempt: Attempt, update: Update): void {
  if (update === "response lost") order.holdUntilPostback(attempt);
  else if (update === "not charged") order.release(attempt);
  else {
    const transactionId = order.attempts.indexOf(attempt);
    order.settle(attempt, { transactionId, status: update, pix: { code: "000201" } });
  }
}

const beginIn = (order: Order, method: Attempt["method"] = "pix") =>
  order.begin(method, order.view().revision);

describe("an order", () => {
  test.each<[Update[], string]>([
    [["pending", "approved"], "paid"],
    [["approved", "pending"], "paid"], // the postback came before the response
    [["approved", "expired"], "paid"],
    [["approved", "response lost"], "paid"],
    [["approved", "refunded"], "refunded"],
    [["refunded", "approved"], "refunded"], // out of order
    [["chargedback", "refunded"], "chargedback"],
    [["pending", "unrecognized"], "pix"],
    [["processing", "refused"], "open"],
    [["pending", "expired"], "open"],
    [["expired", "approved"], "paid"], // late, but paid
    [["unrecognized"], "checking"],
    [["response lost"], "checking"],
    [["response lost", "approved"], "paid"],
    [["response lost", "refused"], "open"],
    [["not charged"], "open"],
  ])("after %j is %s", (updates, kind) => {
    const order = new Order();
    const attempt = beginIn(order) as Attempt;

    for (const update of updates) applyUpdate(order, attempt, update);

    expect(order.kind).toBe(kind);
  });

  describe("whose card is unknown can change to pix", () => {
    type Step = readonly ["card" | "pix", Update];
    const CARD_APPROVED: Step = ["card", "approved"];
    const CARD_REFUSED: Step = ["card", "refused"];
    const PIX_PAID: Step = ["pix", "approved"];
    const PIX_REFUNDED: Step = ["pix", "refunded"];
    const PIX_EXPIRED: Step = ["pix", "expired"];

    test.each<[Step[], kind: string, isCardUndecided: boolean, isPaidTwice: boolean]>([
      [[], "pix", true, false],
      [[PIX_PAID], "paid", true, false],
      [[PIX_PAID, CARD_REFUSED], "paid", false, false],
      [[PIX_PAID, CARD_APPROVED], "paid", false, true],
      [[CARD_APPROVED, PIX_PAID], "paid", false, true],
      [[CARD_APPROVED, PIX_PAID, PIX_REFUNDED], "paid", false, false],
      [[CARD_APPROVED, PIX_PAID, PIX_REFUNDED, ["card", "refunded"]], "refunded", false, false],
      [[CARD_APPROVED], "paid", false, false],
      [[CARD_REFUSED], "pix", false, false],
      [[CARD_REFUSED, PIX_EXPIRED], "open", false, false],
      [[PIX_EXPIRED], "checking", true, false], // not open: the card may have been charged
      [[["pix", "not charged"]], "checking", true, false],
      [[PIX_EXPIRED, CARD_REFUSED], "open", false, false],
    ])("after %j it is %s", (steps, kind, isCardUndecided, isPaidTwice) => {
      const order = new Order();
      const attempts = { card: beginIn(order, "card") as Attempt };
      order.holdUntilPostback(attempts.card);
      const both = { ...attempts, pix: beginIn(order) as Attempt };
      applyUpdate(order, both.pix, "pending");

      for (const [method, update] of steps) applyUpdate(order, both[method], update);

      expect(order.view()).toMatchObject({ state: { kind }, isCardUndecided });
      expect(order.isPaidTwice).toBe(isPaidTwice);
    });
  });

  test("does not begin a payment that arrives late, with the revision of an earlier state", () => {
    const order = new Order();
    const { revision } = order.view();
    applyUpdate(order, beginIn(order) as Attempt, "refused");

    expect(order.begin("card", revision)).toBeUndefined();
    expect(beginIn(order, "card")).toBeDefined();
  });

  test("begins another pix after the first has expired, before the postback that says so", () => {
    const order = new Order();
    const first = beginIn(order) as Attempt;
    const pix = { code: "000201", expiresAt: "2026-01-01T00:00:00Z" };
    order.settle(first, { transactionId: 1, status: "pending", pix });

    const second = beginIn(order) as Attempt;

    expect(second.externalRef).not.toBe(first.externalRef);
    applyUpdate(order, first, "expired");
    expect(order.kind).toBe("paying");
  });
});

describe("a postback", () => {
  test("is handled once, and late postbacks change nothing", async () => {
    const { opened, pix } = await openPix();

    const responses = [
      await sendPostback(pix),
      await sendPostback(pix),
      await sendPostback(pix, { status: "pending" }),
    ];

    expect(responses.map(({ result }) => result)).toEqual(["handled", "duplicate", "handled"]);
    expect(pix.order.kind).toBe("paid");
    expect(opened.log.filter((line) => line.endsWith(": approved"))).toHaveLength(1);
  });

  test("of a pix that replaced a lost card alarms, because that card may have been charged", async () => {
    const opened = await openShop(WITHOUT_POSTBACKS);
    const order = opened.shop.orders.create();
    opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const token = await opened.tokenFor("4111111111111111");
    await opened.post(order, "card", { revision: 0, buyer: BUYER, installments: 1, token });
    expect(order.kind).toBe("checking");
    const [{ id, postBackUrl: url = "" } = { id: 0 }] = opened.sandbox.gateway.transactions;
    const card = { order, id, url, externalRef: order.attempts[0]?.externalRef ?? "" };
    const pix = await orderPix(opened, order, {}); // the shop knows the buyer
    expect(order.view()).toMatchObject({ state: { kind: "pix" }, email: "m•••@example.com" });

    await sendPostback(pix);
    await sendPostback(card);

    expect(opened.log.filter((line) => line.includes("PAID TWICE"))).toEqual([
      expect.stringContaining(`MAYBE PAID TWICE: ${order.id}`),
      expect.stringMatching(`^PAID TWICE: ${order.id}`),
    ]);
    expect(order.view().state).toMatchObject({ kind: "paid", isTwice: true });
  });

  test.each([
    ["expired", [false, true], 0],
    ["was paid, too", [true, true], 1],
    ["was paid instead", [true, false], 0],
  ])("settles a pix that replaced a lost one, which %s", async (_what, [isLostPaid, isNewPaid], alarms) => {
    const opened = await openShop(WITHOUT_POSTBACKS);
    opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const { order, ...lost } = await orderPix(opened);
    const { externalRef } = await orderPix(opened, order);
    const [{ id, postBackUrl: url = "" } = { id: 0 }] = opened.sandbox.gateway.transactions.slice(1);
    expect(externalRef).toBe(lost.externalRef);
    expect(order.kind).toBe("pix");

    await sendPostback({ order, ...lost }, { status: isLostPaid ? "approved" : "expired" });
    if (isNewPaid) await sendPostback({ order, id, url, externalRef });

    expect(order.view().state).toMatchObject({ kind: "paid", isTwice: alarms > 0 });
    expect(opened.log.filter((line) => line.startsWith("PAID TWICE"))).toHaveLength(alarms);
    if (!isNewPaid) return;
    await sendPostback({ order, ...lost }, { status: "refunded" });
    expect(order.view().state).toMatchObject({ kind: "paid", isTwice: false });
  });

  test("to a URL without its signature is refused", async () => {
    const { pix } = await openPix();

    const response = await sendPostback({ ...pix, url: pix.url.replace(/\?.*/, "") });

    expect(response).toEqual({ status: 401, result: "missing_signature" });
    expect(pix.order.kind).toBe("pix");
  });

  test.each([
    ["another transaction", { id: 1 }, 500],
    ["another order", { externalRef: "order-1" }, 401],
    ["another amount", { amount: 1 }, 200],
    ["no status", { status: undefined }, 400],
  ])("with %s changes nothing, and no signature is logged", async (_what, changes, status) => {
    const { opened, pix } = await openPix();

    const response = await sendPostback(pix, changes);

    expect(response.status).toBe(status);
    expect(pix.order.kind).toBe("pix");
    expect(opened.log.join()).not.toContain(new URL(pix.url).searchParams.get("pbsig"));
  });
});

test("a lost pix is not reported as a payment that did not charge", async () => {
  const opened = await openShop(WITHOUT_POSTBACKS);
  const order = opened.shop.orders.create();
  opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });

  const response = await opened.post(order, "pix", { revision: 0, buyer: BUYER });

  expect(await response.json()).toMatchObject({ refusal: { code: "no_pix" } });
});

test("the page contains neither the signed URL nor the secret key", async () => {
  const { opened, pix } = await openPix();
  const { shop, sandbox } = opened;
  const order = `${shop.url}/orders/${pix.order.id}`;

  const texts = await Promise.all([order, `${order}/state`].map(async (url) => (await fetch(url)).text()));

  for (const text of texts) {
    expect(text).toContain(pix.order.id);
    expect(text).not.toContain("pbsig");
    expect(text).not.toContain(sandbox.secretKey);
  }
});

describe("a payment", () => {
  test("is created once for five simultaneous requests", async () => {
    const { shop, post, sandbox } = await openShop();
    const order = shop.orders.create();

    const payments = Array.from({ length: 5 }, () => post(order, "pix", { revision: 0, buyer: BUYER }));

    const statuses = (await Promise.all(payments)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
    expect(sandbox.gateway.transactions).toHaveLength(1);
  });

  test.each([
    ["from another site's page", BUYER, { "sec-fetch-site": "cross-site" }, 403],
    ["from a form", BUYER, { "content-type": "application/x-www-form-urlencoded" }, 403],
    ["with an invalid buyer", { ...BUYER, name: { $ne: "" } }, {}, 400],
    ["with a body that is too large", { ...BUYER, name: "x".repeat(70_000) }, {}, 413],
  ])("%s is refused", async (_what, buyer, headers, status) => {
    const { shop, post, sandbox } = await openShop();

    const response = await post(shop.orders.create(), "pix", { revision: 0, buyer }, headers);

    expect(response.status).toBe(status);
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test("has the server's price, not the page's", async () => {
    const { shop, post, sandbox } = await openShop();

    await post(shop.orders.create(), "pix", { revision: 0, buyer: BUYER, amount: 1 });

    expect(sandbox.gateway.transactions).toMatchObject([{ amount: 9000 }]);
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

  test.each([
    ["one order", 3, (shared: Order) => shared],
    ["one IP address", 5, (_: Order, { shop }: OpenShop) => shop.orders.create()],
  ])("by card is refused after too many declined cards for %s", async (_of, most, orderIn) => {
    const opened = await openShop();
    const shared = opened.shop.orders.create();
    const codes: (string | undefined)[] = [];
    for (let card = 0; card <= most; card += 1) {
      const order = orderIn(shared, opened);
      const token = await opened.tokenFor("4000000000000002");
      const payment = { revision: order.view().revision, buyer: BUYER, installments: 1, token };
      const response = await (await opened.post(order, "card", payment)).json();
      codes.push((response as { refusal?: { code: string } }).refusal?.code);
    }

    expect(codes).toEqual([...Array(most).fill(undefined), "too_many_attempts"]);
    expect(opened.sandbox.gateway.transactions).toHaveLength(most);
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
  ["//evil.example", undefined],
  [undefined, undefined],
])("a pending card can be continued at a safe secureUrl only: %s", (secureUrl, expected) => {
  const transaction = secureUrl === undefined ? {} : { secureUrl };

  expect(confirmUrlOf(transaction, new URL("http://127.0.0.1:4010"))).toBe(expected);
});

test("the Content-Security-Policy allows requests only to the shop and the service", async () => {
  const { shop, sandbox } = await openShop();

  const { headers } = await fetch(shop.url);

  expect(headers.get("content-security-policy")).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${sandbox.baseUrl}; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  );
});

test("a shop with a real service requires a secret and a public URL", async () => {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", undefined);
  vi.stubEnv("PUBLIC_URL", undefined);
  const service = await startSandbox({ secretKey: "sk_live_1" });
  onTestFinished(() => service.close());
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
