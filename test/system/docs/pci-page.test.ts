import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type CreateCardParams, PaymentsClient } from "payments-sdk";
import { createGateway } from "payments-sdk/sandbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../support/running.ts";
import { codeOf, importCode } from "./page-code.ts";

type PayByCard = (payments: PaymentsClient, order: CreateCardParams) => Promise<object | undefined>;

test.each([
  [3, "order", () => "order-1"],
  [5, "IP address", (index: number) => `order-${index}`],
])(
  "the limit of docs/pci.md lets %d of 40 declined cards of an %s at the same moment reach the service, and counts no others",
  async (most, _of, referenceOf) => {
    const parent = join(root, "reports/docs");
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, "pci-"));
    const code = codeOf("pci").replace('"shop.db"', JSON.stringify(join(folder, "shop.db")));
    const { payByCard } = await importCode<{ payByCard: PayByCard }>(code, folder, "limit");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const gateway = createGateway();
    const { baseUrl, publicKey, secretKey } = gateway;
    const fetch = vi.fn(gateway.fetch);
    const payments = new PaymentsClient({ baseUrl, publicKey, secretKey, fetch, onEvent: () => undefined });
    const sent = () => fetch.mock.calls.filter(([url]) => String(url).endsWith("/transactions")).length;
    const pay = async (index: number, number = "4000000000009995") => {
      const card = { number, holderName: "MARIA", cvv: "123", expirationMonth: 12, expirationYear: 2039 };
      const { value } = await payments.cardTokens.create(card);
      return payByCard(payments, {
        externalRef: referenceOf(index),
        amount: 1990,
        ip: "203.0.113.7",
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
    };
    for (let index = 0; index < 6; index += 1) await pay(index, "4111111111111111");
    gateway.faults.add({ on: "transactions.create", kind: "rate_limited", times: 6 });
    for (let index = 0; index < 6; index += 1) await pay(index);
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const before = sent();

    const results = await Promise.all(Array.from({ length: 40 }, (_, index) => pay(index)));

    expect(sent() - before).toBe(most);
    expect(results.filter((result) => result !== undefined)).toHaveLength(most - 1); // and one is unknown
  },
);
