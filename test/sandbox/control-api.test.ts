import { describe, expect, test } from "vitest";
import { freePort } from "../support/running.ts";
import { openSandbox } from "./support/control.ts";
import { aCardPayment, aGuidePix, aPix, NOON } from "./support/wire.ts";

const FAULT = { on: "transactions.create", kind: "html_502" } as const;

test.each([
  ["GET", "nothing", 404, null],
  ["GET", "overview/", 404, null],
  ["GET", "transactions/1/buy", 404, null],
  ["POST", "overview", 405, "GET"],
  ["GET", "transactions/latest/pay", 405, "POST"],
  ["PUT", "faults", 405, "GET, POST, DELETE"],
])("%s %s is a %i with the allowed methods: %s", async (method, path, expected, allowed) => {
  const { control } = await openSandbox();

  const { status, headers, body } = await control(method, path);

  const message = expected === 404 ? "Not Found" : "Method Not Allowed";
  expect([status, body]).toEqual([expected, { success: false, message }]);
  expect(headers.get("allow")).toBe(allowed);
});

describe("requests of pages from other origins", () => {
  test.each<Record<string, string>>([
    ...["https://evil.example", "http://localhost:4010", "null", ""].map((origin) => ({ origin })),
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])(
    "with %j are refused with 403, change nothing, get no CORS header and are not cached",
    async (headers) => {
      const { control, create, gateway } = await openSandbox();
      await create(aPix());

      const responses = [
        await control("POST", "transactions/latest/pay", undefined, headers),
        await control("GET", "overview", undefined, headers),
        await control("GET", "events", undefined, headers),
        await control("DELETE", "faults", undefined, headers),
        await control("OPTIONS", "faults", undefined, {
          ...headers,
          "access-control-request-method": "POST",
        }),
      ];

      for (const { status, body, headers } of responses) {
        expect([status, body]).toEqual([403, { success: false, message: "Not allowed from another site" }]);
        expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
        expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
          "no-store",
          "nosniff",
        ]);
      }
      expect(gateway.transactions).toMatchObject([{ status: "pending" }]);
    },
  );

  test("do not include those of the sandbox itself, even through a proxy", async () => {
    const port = await freePort();
    await openSandbox({ port, baseUrl: "https://pay.example" });
    const address = `http://127.0.0.1:${port}`;
    const from = (headers: Record<string, string>) => fetch(`${address}/sandbox/overview`, { headers });

    const own = [{ origin: address }, { origin: "https://pay.example" }, { "sec-fetch-site": "same-origin" }];
    const responses = await Promise.all(own.map(from));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses[0]?.headers.get("access-control-allow-origin")).toBeNull();
  });
});

test.each<[method: string, path: string, sent: unknown, status: number, message: RegExp]>([
  ["POST", "faults", { ...FAULT, times: "1" }, 400, /^faults\.add: times must be a whole number/],
  ["POST", "faults", { ...FAULT, time: 1 }, 400, /^Unknown field time; known fields: on, kind, times\.$/],
  ["POST", "clock", undefined, 400, /^advanceMs must be a number\.$/],
  ["POST", "clock", { advanceMs: "1000" }, 400, /^advanceMs must be a number\.$/],
  ["POST", "clock", { advanceMs: -1 }, 400, /0 ms or more/],
  ["POST", "clock", "[", 400, /^The body must be a JSON object\.$/],
  ["POST", "clock", "null", 400, /^The body must be a JSON object\.$/],
  ["POST", "transactions/latest/refund", { amount: 0 }, 400, /whole number of cents/],
  ["POST", "transactions/latest/refund", { amount: null }, 400, /amount must be a number of cents/],
  ["POST", "transactions/latest/refund", { cents: 490 }, 400, /Unknown field cents; known fields: amount/],
  ["POST", "transactions/latest/med", { amount: 1 }, 409, /for a pix only/],
  ["POST", "transactions/latest/refund", { amount: 1991 }, 409, /at most 1990 cents can be refunded/],
  ["POST", "transactions/latest/pay", undefined, 409, /cannot pay: it is approved/],
  ["POST", "transactions/latest/expire", undefined, 409, /cannot expire: this move is for a pix only/],
  ["GET", "transactions?before=1e3", undefined, 400, /^before must be a whole number\.$/],
  ["GET", "charges", undefined, 400, /^The query parameter externalRef is required\.$/],
  ["GET", "transactions/1", undefined, 404, /^There is no transaction 1\.$/],
  ["GET", "transactions/%zz", undefined, 404, /^There is no transaction .+\.$/s],
  ["GET", "checkout/none", undefined, 404, /^This checkout does not exist\.$/],
  ["POST", "checkout/none/pay", undefined, 404, /^This checkout does not exist\.$/],
  ["POST", "deliveries/1.5/resend", undefined, 404, /^There is no postback 1\.5\.$/],
  ["DELETE", "faults/1", undefined, 404, /^There is no fault 1\.$/],
  ["GET", "requests/9", undefined, 404, /^There is no request 9 in the log\.$/],
])(
  "%s %s with %j is a %i that says why, and changes nothing",
  async (method, path, sent, expected, message) => {
    const { control, aCardId, gateway } = await openSandbox();
    await aCardId();
    const before = gateway.transactions;

    const { status, body } = await control(method, path, sent);

    expect([status, body]).toEqual([expected, { success: false, message: expect.stringMatching(message) }]);
    expect([gateway.transactions, gateway.faults.armed, gateway.clock.now()]).toEqual([before, [], NOON]);
  },
);

test("GET overview returns the base URL, the keys, the company and the time", async () => {
  const { control, baseUrl } = await openSandbox({ secretKey: "sk_mine", publicKey: "pk_mine" });

  const { status, headers, body } = await control("GET", "overview");

  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(body).toEqual({
    baseUrl,
    secretKey: "sk_mine",
    publicKey: "pk_mine",
    companyName: "Loja Exemplo",
    now: "2026-12-04T12:00:00.000Z",
  });
});

test("GET checkout/<secureId> returns only what the customer needs to see", async () => {
  const { control, create, gateway } = await openSandbox();
  gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });
  await create(aPix());
  const { id, pix, secureId } = gateway.transactions[0] ?? {};

  const { status, body } = await control("GET", `checkout/${secureId}`);

  expect(status).toBe(200);
  expect(body).toEqual({
    companyName: "Loja Exemplo",
    customerName: "Ana Exemplo",
    refundedAmount: 0,
    id,
    status: "pending",
    paymentMethod: "pix",
    amount: 1990,
    externalId: "order-1",
    pix,
  });
});

test("a postback can be sent to the inbox of the sandbox, which accepts everything, and sent again", async () => {
  const { control, baseUrl, gateway, aPixId } = await openSandbox({ postbacks: {} });
  const id = await aPixId({ postbackUrl: `${baseUrl}/sandbox/inbox` });

  const { status, body } = await control("POST", `transactions/${id}/postback`);
  const again = await control("POST", "deliveries/1/resend");
  await gateway.settled();

  expect([status, again.status]).toEqual([200, 200]);
  expect(body.deliveries).toMatchObject([{ transactionId: id, body: { status: "pending" } }]);
  const { deliveries } = (await control("GET", "deliveries")).body;
  expect(deliveries).toMatchObject([{ id: 2, status: "delivered", attempts: [{ status: 204 }] }, { id: 1 }]);
});

describe("GET transactions", () => {
  test("lists summaries, newest first", async () => {
    const { control, aPixId, aCardId, create } = await openSandbox();
    const [pix, card] = [await aPixId(), await aCardId()];
    await create(aGuidePix()); // without a reference

    const { status, body } = await control("GET", "transactions");

    expect(status).toBe(200);
    const shared = {
      amount: 1990,
      refundedAmount: 0,
      customerName: "Ana Exemplo",
      createdAt: "2026-12-04T12:00:00.000Z",
    };
    expect(body).toEqual({
      total: 3,
      hasMore: false,
      transactions: [
        { id: card + 1, status: "pending", paymentMethod: "pix", ...shared },
        { id: card, status: "approved", paymentMethod: "credit_card", externalId: "order-1", ...shared },
        { id: pix, status: "pending", paymentMethod: "pix", externalId: "order-1", ...shared },
      ],
    });
  });

  test("returns the newest 100, or those before an id, and whether older ones exist", async () => {
    const { control, create, token, aCardId, gateway } = await openSandbox();
    const hash = await token();
    for (let count = 0; count < 200; count += 1) await create(aCardPayment(hash));
    const newest = await aCardId();
    for (let count = 0; count < 101; count += 1) gateway.sendPostback(newest);
    const page = async (query: string) => {
      const { body } = await control("GET", `transactions${query}`);
      const ids = body.transactions.map(({ id }: { id: number }) => id - newest);
      return [ids[0], ids.at(-1), body.total, body.hasMore];
    };
    const { deliveries } = (await control("GET", "deliveries")).body;

    expect(await page("")).toEqual([0, -99, 201, true]);
    expect(await page(`?before=${newest - 99}`)).toEqual([-100, -199, 201, true]);
    expect(await page(`?before=${newest - 100}`)).toEqual([-101, -200, 201, false]);
    expect([deliveries.length, deliveries[0].id]).toEqual([100, 101]);
  });

  test.each([
    ["q=order-7", [1]],
    ["q=BIA loja", [2]],
    ["q=approved", [2]],
    ["q=exemplo pix", [1, 0]],
  ])("with '%s' finds the transactions %j", async (query, expected) => {
    const { control, create, token, aPixId, gateway } = await openSandbox();
    const first = await aPixId();
    await aPixId({ externalRef: "order-7" });
    const customer = { ...(aPix()["customer"] as object), name: "Bia Exemplo" };
    await create(aCardPayment(await token(), { customer }));

    const { body } = await control("GET", `transactions?${query.replace(" ", "%20")}`);

    expect(body.transactions.map(({ id }: { id: number }) => id - first)).toEqual(expected);
    expect(gateway.transactions).toHaveLength(3);
  });
});

test("GET transactions/<id> returns the transaction, its possible moves, and its postbacks, newest first", async () => {
  const { control, aPixId, gateway } = await openSandbox();
  const id = await aPixId();
  const newest = await aPixId();
  gateway.pay(id);
  gateway.refund(id);
  await gateway.settled();

  const { status, body } = await control("GET", `transactions/${id}`);

  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["transaction", "moves", "pixReturnedAs", "deliveries"]);
  expect(body.transaction).toEqual(JSON.parse(JSON.stringify(gateway.transactions[0])));
  expect(body.moves).toEqual([]);
  expect(body.deliveries.map((one: { body: { status: string } }) => one.body.status)).toEqual([
    "refunded",
    "approved",
  ]);
  const latest = await control("GET", "transactions/latest");
  expect([latest.body.transaction.id, latest.body.moves]).toEqual([newest, ["pay", "expire", "cancel"]]);
});

test("a transaction has its reference as a name, and the newest one has it if several do", async () => {
  const { control, aPixId } = await openSandbox();
  await aPixId({ externalRef: "loja/1" });
  const newest = await aPixId({ externalRef: "loja/1" });
  await aPixId({ externalRef: "order-2" });

  const { body } = await control("POST", "transactions/loja%2F1/pay");

  expect([body.transaction.id, body.transaction.status]).toEqual([newest, "approved"]);
});

test("GET faults lists the fourteen kinds, each with a description and its endpoints", async () => {
  const { control } = await openSandbox();

  const { status, body } = await control("GET", "faults");

  expect([status, body.armed, body.kinds.length]).toEqual([200, [], 14]);
  const withStatus = ["company.retrieve", "status.retrieve", "sellers.list"];
  expect(Object.fromEntries(body.kinds.map(({ kind, on }: never) => [kind, on]))).toMatchObject({
    pix_refused: ["transactions.create"],
    unknown_status: ["transactions.create", ...withStatus],
    html_502: ["transactions.create", "cardTokens.create", ...withStatus, "sellers.revenue"],
    shop_500: ["postbacks"],
  });
  for (const { description } of body.kinds)
    expect(description).toMatch(/^(Processed|Not processed|Not sent).+\.$/);
});
