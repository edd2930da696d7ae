import os from "node:os";
import type { CreatePixParams } from "payments-sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aCardPayment, aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
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

test.each([
  ["order-1", false],
  ["pedido 1/ção", false],
  ["order\u200b-1", true], // zero width
  ["order\u00ad-1", true], // soft hyphen
  ["order-1\u2800", true], // an empty Braille cell
  ["order\u202e-1", true], // right-to-left override
  ["order\u00a0-1", true], // a space that does not break
  [" order-1", true],
  ["order-1 ", true],
  ["c\u0327", true], // ç in two code points
])(
  "the reference %j, which can look like another one, is sent with a warning: %s",
  async (externalRef, isReported) => {
    const warnings = await warningsOf("createPix", aPix({ externalRef }));

    const message = expect.stringContaining("another reference can look the same");
    expect(warnings).toEqual(isReported ? [{ field: "externalRef", message }] : []);
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
    ["https://loja.example/".padEnd(255, "x"), undefined],
    ["https://loja.example/".padEnd(256, "x"), "has 256 characters; a service may cut off URLs above 255"],
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

const NOT_AN_ADDRESS =
  "is not a single IP address without a port: of a list such as X-Forwarded-For, send the address that your own proxy added";
const NOT_THE_BUYERS =
  "is an address of this server or of a private network, so anti-fraud may refuse the payment: behind a proxy, send the address that your own proxy adds";

const PUBLIC = [
  // The first is for documentation, the last two begin with 00fc and with the prefix of NAT64.
  ..."203.0.113.7 8.8.8.8 172.32.0.1 100.128.0.1 2001:db8::7 2804:14C:1::A ::ffff:203.0.113.7".split(" "),
  ..."fc:5:31::69 64:ff9b::203.0.113.7".split(" "),
];

const NOT_PUBLIC = [
  // Loopback, private, carrier-grade NAT, link-local, this network, multicast and reserved.
  ..."127.0.0.1 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.10 100.64.0.1 100.127.255.255".split(" "),
  ..."169.254.169.254 0.0.0.0 224.0.0.1 255.255.255.255".split(" "),
  ..."::1 0:0:0:0:0:0:0:1 :: fd12:3456::1 FE80::1 fec0::1 ff02::1".split(" "),
  // IPv4 in IPv6: mapped, compatible, and of NAT64.
  ..."::ffff:127.0.0.1 ::ffff:c0a8:10a ::10.0.0.1 64:ff9b::10.0.0.1".split(" "),
];

const NO_ADDRESS = [
  ..."localhost 203.0.113.7:443 [2001:db8::7]:443 fe80::1%eth0 203.0.113 203.0.113.256 2130706433".split(" "),
  ...["203.0.113.7, 10.0.0.1", "::1]/", "unknown"],
];

test.each([
  ...PUBLIC.map((ip) => [ip, undefined]),
  ...NOT_PUBLIC.map((ip) => [ip, NOT_THE_BUYERS]),
  ...NO_ADDRESS.map((ip) => [ip, NOT_AN_ADDRESS]),
])("an ip that cannot be the buyer's is sent with a warning: %s: %s", async (ip, message) => {
  const warnings = await warningsOf("createCard", aCardPayment({ ip: String(ip) }));

  expect(warnings).toEqual(message === undefined ? [] : [{ field: "ip", message }]);
});

test("the public addresses of this server, which are read if there is a listener, are not the buyer's", async () => {
  onTestFinished(() => void vi.resetModules()); // the addresses are read once per process
  vi.resetModules();
  const addresses = [{ address: "198.51.100.4" }, { address: "2001:db8::4" }];
  const read = vi.spyOn(os, "networkInterfaces").mockReturnValue({ eth0: addresses } as never);
  const { merchantAt } = await import("../../support/merchant.ts");
  const { warningsOf } = await import("../../support/recording-client.ts");
  const silent = merchantAt("https://pay.example", { fetch: async () => new Response(), onEvent: undefined });

  await silent.payments.transactions.createPix(aPix()).catch(() => undefined);
  expect(read).not.toHaveBeenCalled();
  const warnings = [];
  for (const ip of ["198.51.100.4", "2001:DB8:0::4", "198.51.100.5"])
    warnings.push(await warningsOf("createPix", aPix({ ip })));

  const warning = { field: "ip", message: NOT_THE_BUYERS };
  expect(warnings).toEqual([[warning], [warning], []]);
  expect(read).toHaveBeenCalledTimes(1);
});

test("failing to read the addresses of this server changes nothing", async () => {
  onTestFinished(() => void vi.resetModules());
  vi.resetModules();
  const read = vi.spyOn(os, "networkInterfaces").mockImplementation(() => {
    throw new Error("not allowed");
  });
  const { warningsOf } = await import("../../support/recording-client.ts");

  expect(await warningsOf("createPix", aPix())).toEqual([]);
  expect(read).toHaveBeenCalled();
});
