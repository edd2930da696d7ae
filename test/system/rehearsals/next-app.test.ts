import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CardTokenizer } from "payments-sdk/browser";
import type { SandboxStatus, SandboxTransaction } from "payments-sdk/sandbox";
import type { Shop } from "payments-sdk/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../support/running.ts";
import { startAlteredService } from "../support/altered-service.ts";

// The app of examples/next. It needs no Next.js, which is not installed: test/system/runtimes/next-app.test.ts builds and
// starts it. Its own test runs first, and starts it for the others.
const load = (file: string) => import(join(root, "examples/next", file));
const { start } = await load("shop.test.ts");
const { show } = await load("lib/view.ts");
const { addressOf, payByCard, payByPix, recover } = await load("lib/pay.ts");
const { forgetShop, getShop } = await load("lib/payments.ts");

const AMOUNT = 1990;
const APPROVED = "4111111111111111";
const DECLINED = "4000000000009995";
const IP = "203.0.113.7";

/** Starts the shop with a service whose responses to create calls a test can change. */
async function startShop() {
  const { gateway, service, keys } = await startAlteredService();
  const shop: Shop = await start(keys);
  onTestFinished(() => shop.stop());
  const tokenizer = new CardTokenizer({ baseUrl: keys.baseUrl, publicKey: keys.publicKey });
  const card = { holderName: "Maria Exemplo", expirationMonth: 3, expirationYear: 2039, cvv: "123" };

  function order() {
    const id: string = getShop().orders.create(AMOUNT);
    const transactions = (method: string) =>
      gateway.transactions.filter(({ externalId }) => externalId === `${id}-${method}`);
    return {
      id,
      transactions,
      payWith: async (number: string, ip = IP) =>
        payByCard(id, (await tokenizer.tokenize({ ...card, number })).value, ip).catch(() => undefined),
      payByPix: () => payByPix(id, IP),
      view: () => show(id, IP),
      /** Posts what the service does not send in this order. */
      async post(transaction: SandboxTransaction | undefined, status: SandboxStatus, amount = AMOUNT) {
        const { id, externalId: externalRef, postBackUrl = "" } = transaction ?? {};
        await fetch(postBackUrl, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ id, status, externalRef, amount }),
        });
      },
      shipments: () =>
        vi.mocked(console.log).mock.calls.filter(([line]) => line === `Order ${id} is paid: ship it.`).length,
    };
  }
  return { gateway, service, order };
}

type StartedShop = Awaited<ReturnType<typeof startShop>>;
type Order = ReturnType<StartedShop["order"]>;

describe("examples/next", () => {
  test.each<[string, (order: Order, shop: StartedShop) => Promise<unknown>]>([
    [
      "whose postback has another amount",
      async (order, { gateway }) => {
        gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
        await order.payWith(APPROVED);
        await order.post(order.transactions("card")[0], "approved", 100);
      },
    ],
    [
      "whose response has another amount",
      async (order, { service }) => {
        service.after = async (body) =>
          body.replace(/"amount":\d+/, '"amount":100').replace(/"paidAmount":\d+/, '"paidAmount":0');
        await order.payWith(APPROVED);
      },
    ],
    [
      "that is approved after it was refused",
      async (order) => {
        await order.payWith(DECLINED);
        await order.post(order.transactions("card")[0], "approved");
      },
    ],
    [
      "of an order that a person found to be paid after a review",
      async (order, { gateway }) => {
        gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
        await order.payWith(APPROVED);
        const [card] = order.transactions("card");
        await order.post(card, "approved", 100);
        await getShop().store.resolve(`${order.id}-card`, { transactionId: card?.id, status: "approved" });
      },
    ],
  ])("a card %s is left to a person: it does not ship, and no one can pay again", async (_title, pay) => {
    const shop = await startShop();
    const order = shop.order();

    await pay(order, shop);
    const view = await order.view();
    await recover();

    expect(view).toMatchObject({
      text: expect.stringContaining("We are checking"),
      canPayByCard: false,
      canPayByPix: false,
    });
    expect(order.shipments()).toBe(0);
  });

  test("a card that is refunded before its response arrives does not ship", async () => {
    const { service, ...shop } = await startShop();
    const order = shop.order();
    service.after = async (body) => {
      await order.post(order.transactions("card")[0], "refunded");
      return body;
    };

    await order.payWith(APPROVED);
    await recover();

    expect(order.shipments()).toBe(0);
    expect((await order.view()).text).not.toContain("is paid");
  });

  test("an expired code that is paid late hides the new code", async () => {
    const { gateway, ...shop } = await startShop();
    const order = shop.order();
    await order.payByPix();
    const [first] = order.transactions("pix");
    gateway.expire(first?.id ?? 0);
    await gateway.settled();
    await order.payByPix();
    expect(await order.view()).toHaveProperty("pix");

    await order.post(first, "approved");

    const view = await order.view();
    expect(view).toMatchObject({ text: expect.stringContaining("We are checking"), canPayByCard: false });
    expect(view).not.toHaveProperty("pix");
  });

  test.each(["pix", "card"])(
    "a payment that a person resolves as approved ships once: %s",
    async (method) => {
      const { gateway, ...shop } = await startShop();
      const order = shop.order();
      gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
      await (method === "pix" ? order.payByPix() : order.payWith(APPROVED));
      const [{ id: transactionId } = {}] = order.transactions(method);
      await recover();

      await getShop().store.resolve(`${order.id}-${method}`, { transactionId, status: "approved" });
      await recover();
      await recover();

      expect(order.shipments()).toBe(1);
      expect((await order.view()).text).toContain("is paid");
    },
  );

  test("a record that cannot be read does not stop the others, nor the start of the server", async () => {
    const { order } = await startShop();
    const [broken, other] = [order(), order()];
    await broken.payByPix();
    const { payments, store } = getShop();
    const createCard = payments.transactions.createCard.bind(payments.transactions);
    vi.spyOn(payments.transactions, "createCard").mockImplementationOnce(async (terms) => {
      await createCard(terms);
      throw new Error("The process ends.");
    });
    await other.payWith(APPROVED);
    expect(other.shipments()).toBe(0);
    const db = new DatabaseSync(process.env["SHOP_DATABASE"] ?? "");
    db.prepare("UPDATE payments_orders SET body = 'x' WHERE key = ?").run(`${broken.id}-pix`);
    db.close();
    const reads = vi.spyOn(store, "get");
    const { id: untouched } = order();
    vi.stubEnv("NEXT_RUNTIME", "nodejs");
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers().unstubAllEnvs());

    await (await load("instrumentation.ts")).register();

    await expect.poll(() => other.shipments()).toBe(1);
    expect(reads).not.toHaveBeenCalledWith(`${untouched}-card`);
  });

  test("an order that was paid twice stays paid until both payments are returned", async () => {
    const { gateway, ...shop } = await startShop();
    const order = shop.order();
    await order.payByPix();
    await order.payWith(APPROVED);
    const [[pix], [card]] = [order.transactions("pix"), order.transactions("card")];
    gateway.pay(pix?.id ?? 0);
    await gateway.settled();

    gateway.refund(card?.id ?? 0);
    await gateway.settled();
    expect((await order.view()).text).toContain("is paid");
    gateway.refund(pix?.id ?? 0);
    await gateway.settled();

    expect((await order.view()).text).not.toContain("is paid");
    expect(order.shipments()).toBe(1);
  });

  test("an order is paid if its second payment arrives after the first was returned", async () => {
    const { gateway, ...shop } = await startShop();
    const order = shop.order();
    await order.payByPix();
    await order.payWith(APPROVED);
    gateway.chargeback(order.transactions("card")[0]?.id ?? 0);
    await gateway.settled();
    expect((await order.view()).text).not.toContain("is paid");

    gateway.pay(order.transactions("pix")[0]?.id ?? 0);
    await gateway.settled();

    expect((await order.view()).text).toContain("is paid");
    expect(order.shipments()).toBe(1);
  });

  const thief = () => "198.51.100.9";
  test.each([
    ["one IP address", 5, ({ order }: StartedShop) => order, thief],
    ["one IPv6 network", 5, ({ order }: StartedShop) => order, (index: number) => `2001:db8::${index}`],
    [
      "one order",
      3,
      ({ order }: StartedShop) => {
        const shared = order();
        return () => shared;
      },
      thief,
    ],
  ])(
    "of 40 declined cards at the same moment for %s, at most %d are sent, and approved cards do not count",
    async (_of, most, ordersOf, addressOf) => {
      const shop = await startShop();
      const { service, order } = shop;
      for (let count = 1; count <= 6; count++) await order().payWith(APPROVED, addressOf(count));
      expect(service.created).toBe(6);
      const next = ordersOf(shop);

      await Promise.all(Array.from({ length: 40 }, (_, index) => next().payWith(DECLINED, addressOf(index))));

      expect(service.created).toBeGreaterThan(6);
      expect(service.created).toBeLessThanOrEqual(6 + most);
    },
  );

  test.each([
    ["was not charged", 5, "rate_limited"],
    ["may have been charged", 4, "charged_then_reset"],
  ] as const)("after a card that %s, %d cards of its address can be declined", async (_what, rest, kind) => {
    const { gateway, service, order } = await startShop();
    gateway.faults.add({ on: "transactions.create", kind });
    await order().payWith(DECLINED);
    const before = service.created;

    for (let count = 1; count <= 6; count++) await order().payWith(DECLINED);

    expect(service.created - before).toBe(rest);
  });

  test("a declined card counts once, however often the buyer clicks", async () => {
    const { service, ...shop } = await startShop();
    const order = shop.order();
    const isSending = Promise.withResolvers<void>();
    const duplicates = Promise.withResolvers<void>();
    // Clicks at the same moment: each has read the order before the first is recorded.
    const reads = vi.spyOn(getShop().store, "get").mockResolvedValue(undefined);
    service.before = async () => {
      isSending.resolve();
      await duplicates.promise;
      return undefined;
    };
    const first = order.payWith(DECLINED);
    await isSending.promise;
    for (let click = 0; click < 6; click++) await order.payWith(DECLINED);
    reads.mockRestore();
    duplicates.resolve();
    await first;

    for (let card = 0; card < 4; card++) await order.payWith(DECLINED);

    expect(service.created).toBe(3);
  });

  test("a card that cannot be uncounted is paid", async () => {
    const { service, ...shop } = await startShop();
    const order = shop.order();
    service.before = async () => {
      const db = new DatabaseSync(process.env["SHOP_DATABASE"] ?? "");
      db.exec("DROP TABLE cardAttempts");
      db.close();
      return undefined;
    };

    await order.payWith(APPROVED);

    expect(order.shipments()).toBe(1);
    expect(console.error).toHaveBeenCalledWith(expect.stringContaining("no such table"));
  });

  test("logs no text of the service, which can quote the buyer's data", async () => {
    const { service, ...shop } = await startShop();
    const message = "CPF 529.982.247-25 of Maria <maria@example.com>";
    service.before = async () => [
      400,
      JSON.stringify({ errors: [{ field: "customer.document.number", message }] }),
    ];

    await shop.order().payWith(APPROVED);

    const logged = JSON.stringify(vi.mocked(console.error).mock.calls);
    expect(logged).toMatch(/validation_failed.*customer\.document\.number/);
    expect(logged).not.toMatch(/Maria|maria@|529/);
  });

  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["10.0.0.1, 203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:4711", "203.0.113.9"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
  ])("the address of a buyer is read from %s", (header, address) => {
    expect(addressOf(new Headers({ "x-forwarded-for": header }))).toBe(address);
  });
});

test("without a variable, the shop takes no payment, and the error names it", async () => {
  await startShop();
  forgetShop();
  vi.stubEnv("PAYMENTS_POSTBACK_URL", "");

  expect(getShop).toThrow("Set PAYMENTS_POSTBACK_URL");

  vi.unstubAllEnvs();
});
