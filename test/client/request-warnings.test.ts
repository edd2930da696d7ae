import { describe, expect, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aPix, merchantAt } from "../support/merchant.ts";
import { wireOf } from "../support/on-the-wire.ts";
import { created } from "../support/service-answers.ts";

describe("a request that may not be what was meant is sent with a warning", () => {
  test.each<[object, string[]]>([
    [{ postbackUrl: "http://loja.example/p" }, ["postbackUrl is http, so anybody on the way can read it"]],
    [
      { postbackUrl: "http://localhost:3000/p" },
      ["postbackUrl is a loopback address, which the service cannot reach"],
    ],
    [
      { postbackUrl: "https://127.0.0.1/p" },
      ["postbackUrl is a loopback address, which the service cannot reach"],
    ],
    [{ pix: { expiresInDays: 30 } }, []],
    [{ pix: { expiresInDays: 31 } }, ["pix.expiresInDays is lowered by the service to 30 days"]],
    [
      { amount: 100, items: [{ title: "a", unitPrice: 30, quantity: 3, tangible: true }] },
      ["items add up to 90, not to 100"],
    ],
    [{ amount: 90, items: [{ title: "a", unitPrice: 30, quantity: 3, tangible: true }] }, []],
    [{ items: [] }, []],
    [{ metadata: "not json" }, ["metadata is a string that is not JSON; it is sent as it is"]],
  ])("%j", async (params, warned) => {
    const { body, warnings } = await wireOf(({ transactions }) => transactions.createPix(aPix(params)));

    expect(body).toMatchObject(params);
    expect(warnings).toEqual(warned);
  });

  test("a CNPJ with letters, valid since July 2026", async () => {
    const document = { type: "cnpj", number: "12.abc.345/01de-35" } as const;

    const { body, warnings } = await wireOf(({ transactions }) =>
      transactions.createPix(aPix({ customer: { ...aPix().customer, document } })),
    );

    expect(body).toMatchObject({ customer: { document: { type: "cnpj", number: "12ABC34501DE35" } } });
    expect(warnings).toEqual([expect.stringContaining("customer.document.number has letters")]);
  });
});

test("the warning of a pix without a reference has none either", async () => {
  const { baseUrl } = await startServer(created());
  const { payments, events } = merchantAt(baseUrl);

  await payments.transactions.createPix(aPix({ externalRef: undefined, metadata: "not json" }));

  expect(events[0]).toMatchObject({ type: "warning", field: "metadata" });
  expect(events.filter((event) => "externalRef" in event)).toEqual([]);
});
