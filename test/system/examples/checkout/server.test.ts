import fc from "fast-check";
import { startSandbox } from "payments-sdk/sandbox/server";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Attempt, Order, type Outcome } from "../../../../examples/checkout/server/orders.ts";
import { startShop } from "../../../../examples/checkout/server/start-shop.ts";
import { run } from "../../../support/running.ts";
import { tool } from "../../../support/tool.ts";
import { BUYER, type OpenShop, openShop } from "./support/open-shop.ts";

const SECRET = "the merchant's own, of 32 bytes and more";
const WITHOUT_POSTBACKS = { delayMs: 3_600_000 }; // the tests send the postbacks

afterEach(() => vi.unstubAllEnvs());

interface Charge {
  readonly order: Order;
  readonly id: number;
  readonly externalRef: string;
  readonly url: string;
}

async function orderPix({ shop, post, sandbox }: OpenShop, order = shop.orders.create()): Promise<Charge> {
  await post(order, "pix", { revision: order.view().revision, buyer: BUYER });
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
  else order.settle(attempt, { status: update, pix: { code: "000201" } });
}

const beginIn = (order: Order) => order.begin("pix", order.view().revision);

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

  test("that is paid twice stays paid until both payments are refunded", () => {
    const order = new Order();
    const first = beginIn(order) as Attempt;
    order.settle(first, { status: "expired" });
    const second = beginIn(order) as Attempt;
    order.settle(second, { status: "approved" });
    order.settle(first, { status: "approved" }); // a pix may be paid in the last second
    expect(order.isPaidTwice).toBe(true);

    order.settle(first, { status: "refunded" });
    expect(order.kind).toBe("paid");
    order.settle(second, { status: "refunded" });
    expect(order.kind).toBe("refunded");
  });

  test("begins no attempt while another one is open or after a payment, for any sequence of updates", () => {
    const payments: readonly Update[] = ["approved", "refunded", "chargedback"];
    const others: readonly Update[] = [
      "pending",
      "processing",
      "refused",
      "cancelled",
      "expired",
      "unrecognized",
    ];
    const update = fc.constantFrom<Update>("response lost", "not charged", ...payments, ...others);
    const sequences = fc.array(fc.oneof(fc.constant("begin" as const), fc.tuple(fc.nat(3), update)), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(sequences, (steps) => {
        const order = new Order();
        let isPaid = false;
        for (const step of steps) {
          const before = order.kind;
          if (step === "begin") {
            expect(beginIn(order) !== undefined).toBe(before === "open");
            continue;
          }
          const attempt = order.attempts[step[0]];
          if (attempt === undefined) continue;
          applyUpdate(order, attempt, step[1]);
          isPaid ||= payments.includes(step[1]);
          expect(["paid", "refunded", "chargedback"].includes(order.kind)).toBe(isPaid);
        }
      }),
      { numRuns: 500 },
    );
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

  test("settles a card payment whose response was lost", async () => {
    const opened = await openShop(WITHOUT_POSTBACKS);
    const order = opened.shop.orders.create();
    opened.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const token = await opened.tokenFor("4111111111111111");
    await opened.post(order, "card", { revision: 0, buyer: BUYER, installments: 1, token });
    expect(order.kind).toBe("checking");
    const [{ id, postBackUrl: url = "" } = { id: 0 }] = opened.sandbox.gateway.transactions;

    await sendPostback({ order, id, url, externalRef: order.attempts[0]?.externalRef ?? "" });

    expect(order.kind).toBe("paid");
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

    expect(order.kind).toBe("paid");
    expect(opened.log.filter((line) => line.startsWith("PAID TWICE"))).toHaveLength(alarms);
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

test("an unknown order is a 404 and no new order, which the buyer might pay again", async () => {
  const { shop } = await openShop();

  const response = await fetch(`${shop.url}/orders/00000000-0000-4000-8000-000000000000`);

  expect(response.status).toBe(404);
  expect(await response.text()).toContain("não pague de novo");
});

test("the Content-Security-Policy allows requests only to the shop and the service", async () => {
  const { shop, sandbox } = await openShop();

  const { headers } = await fetch(shop.url);

  expect(headers.get("content-security-policy")).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${sandbox.baseUrl}; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
