import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type CreateCardParams, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../support/running.ts";

type PayByCard = (payments: PaymentsClient, order: CreateCardParams) => Promise<object | undefined>;

const APPROVED = "4111111111111111";
const DECLINED = "4000000000009995";

/** docs/samples/card-limit.ts, with a database of its own. */
async function openLimit() {
  const parent = join(root, "reports/docs");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "pci-"));
  const limit = join(folder, "card-limit.ts");
  copyFileSync(join(root, "docs/samples/card-limit.ts"), limit);
  const { payByCard }: { payByCard: PayByCard } = await import(limit);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const gateway = createGateway();
  const { baseUrl, publicKey, secretKey } = gateway;
  const fetch = vi.fn(gateway.fetch);
  const settings = { baseUrl, publicKey, secretKey, fetch, onEvent: () => undefined };
  const [payments, withStore] = [
    new PaymentsClient(settings),
    new PaymentsClient({ ...settings, idempotency: memoryStore() }),
  ];
  const sent = () => fetch.mock.calls.filter(([url]) => String(url).endsWith("/transactions")).length;

  async function pay(externalRef: string, { number = DECLINED, ip = "203.0.113.7", client = payments } = {}) {
    const card = { number, holderName: "MARIA", cvv: "123", expirationMonth: 12, expirationYear: 2039 };
    const { value } = await payments.cardTokens.create(card);
    return payByCard(client, {
      externalRef,
      amount: 1990,
      ip,
      metadata: {},
      traceable: true,
      installments: 1,
      card: { hash: value },
      customer: {
        name: "Maria",
        email: "m@example.com",
        phone: "11999998888",
        document: { type: "cpf", number: "52998224725" },
      },
      items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
      postbackUrl: "https://shop.example.com/postbacks",
    }).catch(() => undefined);
  }

  /** Runs SQL in another thread as if it were another process, and resolves once its first part has run. */
  async function meanwhile(first: string, later: string): Promise<void> {
    const code = `
      const database = new (require("node:sqlite").DatabaseSync)(${JSON.stringify(join(folder, "shop.db"))});
      database.exec(${JSON.stringify(first)});
      require("node:worker_threads").parentPort.postMessage("");
      setTimeout(() => database.exec(${JSON.stringify(later)}), 200);`;
    await once(new Worker(code, { eval: true }), "message");
  }

  return { gateway, fetch, sent, pay, withStore, meanwhile };
}

test.each([
  [3, "order", () => "order-1", () => "203.0.113.7"],
  [5, "IP address", (index: number) => `order-${index}`, () => "203.0.113.7"],
  [5, "IPv6 network", (index: number) => `order-${index}`, (index: number) => `2001:db8::${index}`],
])(
  "the limit of docs/pci.md lets %d of 40 declined cards of an %s at the same moment reach the service, and counts no others",
  async (most, _of, referenceOf, addressOf) => {
    const { gateway, sent, pay } = await openLimit();
    const payNext = (index: number, number = DECLINED) =>
      pay(referenceOf(index), { number, ip: addressOf(index) });
    for (let index = 0; index < 6; index += 1) await payNext(index, APPROVED);
    gateway.faults.add({ on: "transactions.create", kind: "rate_limited", times: 6 });
    for (let index = 0; index < 6; index += 1) await payNext(index);
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const before = sent();

    const results = await Promise.all(Array.from({ length: 40 }, (_, index) => payNext(index)));

    expect(sent() - before).toBe(most);
    expect(results.filter((result) => result !== undefined)).toHaveLength(most - 1); // and one is unknown
  },
);

test("the limit of docs/pci.md counts networks of IPv6 and addresses of IPv4 apart", async () => {
  const { sent, pay } = await openLimit();
  const addresses = ["2001:db8::1", "2001:db8:0:1::1", "2001:db8:1::1", "203.0.113.7", "203.0.113.8"];

  for (const ip of addresses) await Promise.all([1, 2, 3, 4].map((index) => pay(`${ip}-${index}`, { ip })));
  await Promise.all(
    ["::ffff:203.0.113.7", "::ffff:203.0.113.7"].map((ip, index) => pay(`late-${index}`, { ip })),
  );

  expect(sent()).toBe(5 * 4 + 1);
});

test("the limit of docs/pci.md counts a refused card once, however often the buyer clicks", async () => {
  const { gateway, fetch, sent, pay, withStore: client } = await openLimit();
  const isSending = Promise.withResolvers<void>();
  const duplicates = Promise.withResolvers<void>();
  fetch.mockImplementation(async (input, init) => {
    if (String(input).endsWith("/transactions")) {
      isSending.resolve();
      await duplicates.promise;
    }
    return gateway.fetch(input, init);
  });
  const first = pay("order-1", { client });
  await isSending.promise;
  for (let click = 0; click < 6; click += 1) await pay("order-1", { client });
  duplicates.resolve();
  await first;

  for (let card = 0; card < 4; card += 1) await pay("order-1", { client });

  expect(sent()).toBe(3);
});

test("the limit of docs/pci.md waits for a locked database", async () => {
  const { pay, meanwhile } = await openLimit();
  await meanwhile("BEGIN IMMEDIATE", "COMMIT");

  expect(await pay("order-1", { number: APPROVED })).toMatchObject({ status: "approved" });
});

test("with the limit of docs/pci.md, a charge resolves although its card cannot be uncounted", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => logged.mockRestore());
  const { gateway, fetch, pay, meanwhile } = await openLimit();
  fetch.mockImplementation(async (input, init) => {
    if (String(input).endsWith("/transactions")) await meanwhile("DROP TABLE cards", "");
    return gateway.fetch(input, init);
  });

  expect(await pay("order-1", { number: APPROVED })).toMatchObject({ status: "approved" });
  expect(logged.mock.calls).toEqual([[expect.stringContaining("no such table: cards")]]);
});
