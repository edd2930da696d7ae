import type { CreatePixParams } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { bodyOf, recordingClient, warningsOf } from "../../support/recording-client.ts";

const ITEM = { title: "Livro", tangible: true };
const anItem = (unitPrice: number, quantity: number) => ({ ...ITEM, unitPrice, quantity });

test.each([
  [1990, [anItem(1990, 1)], undefined],
  [1990, [anItem(995, 2)], undefined],
  [1990, [anItem(1000, 1), anItem(990, 1), anItem(0, 5)], undefined],
  [1990, [], undefined], // no items, no warning
  [1990, [anItem(1991, 1)], "add up to 1991, not to 1990"],
  [1990, [anItem(0, 1)], "add up to 0, not to 1990"],
  // more than a number represents exactly
  [2 ** 53 - 1, [anItem(2 ** 53 - 1, 2)], "add up to 18014398509481982, not to 9007199254740991"],
])(
  "items that do not add up to the amount are sent with a warning: %d against %o: %s",
  async (amount, items, message) => {
    const warnings = await warningsOf("createPix", aPix({ amount, items }));

    expect(warnings).toEqual(message === undefined ? [] : [{ field: "items", message }]);
  },
);

describe("a postback URL that the service may not be able to use is sent with a warning", () => {
  const MISSING = "is missing: your server may not be notified when this pix is paid";
  const LOOPBACK = "is a loopback address, which the service cannot reach";
  const HTTP = "is http, so others on the network can read the postbacks";

  test.each([
    [undefined, MISSING],
    ["https://loja.example/pb", undefined],
    ["http://loja.example/pb", HTTP],
    ["http://127.0.0.1.nip.example/pb", HTTP],
    ["http://localhost:3000/pb", LOOPBACK],
    ["https://shop.localhost/pb", LOOPBACK],
    ["https://127.255.0.9/pb", LOOPBACK],
    ["https://2130706433/pb", LOOPBACK], // 127.0.0.1 as one number
    ["https://[::1]:8080/pb", LOOPBACK],
  ])("%s: %s", async (postbackUrl, message) => {
    const warnings = await warningsOf("createPix", aPix({ postbackUrl }));

    expect(warnings.filter(({ field }) => field === "postbackUrl")).toEqual(
      message === undefined ? [] : [{ field: "postbackUrl", message }],
    );
  });
});

test("with a sandbox on this machine, the postback URL and the buyer may be on it, too", async () => {
  const fetch = async () => new Response();
  const { payments, events } = merchantAt("http://localhost:4010", { fetch });
  const params = aPix({ postbackUrl: "http://127.0.0.1:3000/pb", ip: "127.0.0.1" });

  await failureOf(payments.transactions.createPix(params));

  expect(eventsOf(events, "warning")).toEqual([]);
});

test.each([
  [255, []],
  [256, ["has 256 characters; a service may cut off URLs above 255"]],
])("a postback URL of %d characters has the warnings %j", async (length, messages) => {
  const postbackUrl = "https://loja.example/".padEnd(length, "x");

  const warnings = await warningsOf("createPix", aPix({ postbackUrl }));

  expect(warnings).toEqual(messages.map((message) => ({ field: "postbackUrl", message })));
});

test.each([
  [30, []],
  [31, [{ field: "pix.expiresInDays", message: "is above the maximum: the service lowers it to 30 days" }]],
])(
  "more than 30 days until a pix expires: %d are sent unchanged, with the warnings %j",
  async (expiresInDays, expected) => {
    const params = aPix({ pix: { expiresInDays } });

    const warnings = await warningsOf("createPix", params);
    const body = await bodyOf("createPix", params);

    expect(warnings).toEqual(expected);
    expect(body["pix"]).toEqual({ expiresInDays });
  },
);

describe("a pix without fields that only the endpoint's table requires", () => {
  const TABLE = ["customer.phone", "externalRef", "postbackUrl", "traceable", "items", "ip", "metadata"];
  const { phone: _phone, ...customer } = aPix().customer;
  const without = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, undefined]));

  test.each<[missing: string, Partial<CreatePixParams>]>([
    ["customer.phone", { customer }],
    ...TABLE.slice(1).map((field): [string, object] => [field, without(field)]),
    ["pix.expiresInDays", { pix: {} }],
    [[...TABLE, "pix.expiresInDays"].join(", "), { customer, ...without(...TABLE, "pix") }],
  ])("gets one warning that names them: %s", async (missing, overrides) => {
    const warnings = await warningsOf("createPix", aPix(overrides));

    expect(warnings.filter(({ field }) => field === "pix")).toEqual([
      { field: "pix", message: expect.stringContaining(`has no ${missing}:`) },
    ]);
  });

  test("gets it once for each client and each set of fields", async () => {
    const clients = [recordingClient(), recordingClient()];
    const orders = [without("ip"), without("ip", "items"), without("ip")].map(aPix);

    for (const { payments } of clients)
      for (const order of orders) await failureOf(payments.transactions.createPix(order));

    const counts = clients.map(({ events }) => eventsOf(events, "warning").length);
    expect(counts).toEqual([2, 2]);
  });
});
