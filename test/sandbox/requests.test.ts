import fc from "fast-check";
import { createGateway, type Gateway, type SandboxRequest } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { openSandbox } from "./support/control.ts";
import { aCard, aCardPayment, aGuidePix, aPix, basic, merchantOf, NOON } from "./support/wire.ts";

const last = ({ requests }: Gateway): SandboxRequest | undefined => requests.at(-1);

describe("gateway.requests", () => {
  test("has each request with its response, newest last", async () => {
    const gateway = createGateway({ now: NOON });
    const merchant = merchantOf(gateway);
    await merchant.get("/api/v1/status");

    const response = await merchant.create(aPix());

    const [status, pix] = gateway.requests;
    expect(status).toMatchObject({
      id: 1,
      method: "GET",
      path: "/api/v1/status",
      status: 200,
      requestBody: "",
    });
    expect(pix).toEqual({
      id: 2,
      at: "2026-12-04T12:00:00.000Z",
      method: "POST",
      path: "/api/v1/transactions",
      endpoint: "transactions.create",
      status: 201,
      durationMs: expect.any(Number),
      requestBody: JSON.stringify(aPix()),
      responseBody: await response.text(),
      transactionId: gateway.transactions[0]?.id,
    });
  });

  const TOKEN = "/api/v1/card-token";

  test.each<[{ path?: string; headers?: HeadersInit; body?: unknown; method?: string }, number, string]>([
    [{ body: aGuidePix({ amount: 0 }) }, 400, "amount: Must be a whole number of cents, 1 or more"],
    [{ body: '{"amount":1990,}' }, 400, "The body is not JSON, from character 16 on."],
    [{ body: "" }, 400, "The body is empty."],
    [{ headers: {} }, 401, "There is no Authorization header."],
    [{ headers: basic("pk_one", "sk_one") }, 401, "The keys are in the wrong order: "],
    [{ headers: basic("sk_two", "pk_one") }, 401, "The user name is not the secret key of this sandbox."],
    [{ headers: basic("sk_one", "") }, 401, "The password is empty. It must be the public key."],
    [{ headers: basic("sk_one", "pk_two") }, 401, "The password is not the public key of this sandbox."],
    [{ headers: { authorization: "Bearer sk_one" } }, 401, "Authorization is not Basic, followed by base64."],
    [{ path: TOKEN }, 401, "The query has no publicKey."],
    [{ path: `${TOKEN}?publicKey=sk_one` }, 401, "publicKey is the secret key."],
    [{ path: `${TOKEN}?publicKey=pk_two` }, 401, "publicKey is not the public key of this sandbox."],
    [{ path: "/api/v1/transaction" }, 404, "The paths are /api/v1/transactions, /api/v1/card-token, "],
    [{ method: "PUT" }, 405, "The method of this path is POST."],
  ])("records that %j was refused with %i, and why, without a key", async (request, status, reason) => {
    const gateway = createGateway({ secretKey: "sk_one", publicKey: "pk_one" });
    const headers = basic(gateway.secretKey, gateway.publicKey);
    const { path = "/api/v1/transactions", body = "{}", ...init } = { method: "POST", headers, ...request };

    const text = typeof body === "string" ? body : JSON.stringify(body);
    await gateway.fetch(`${gateway.baseUrl}${path}`, { ...init, body: text });

    expect(last(gateway)).toMatchObject({ status, reason: expect.stringContaining(reason) });
    expect(JSON.stringify(gateway.requests)).not.toMatch(/[sp]k_(?:one|two)/);
  });

  test("a request without a response is in the log while it is in flight, and after it was aborted", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "company.retrieve", kind: "charged_then_stalled" });
    const aborting = new AbortController();
    const headers = basic(gateway.secretKey, gateway.publicKey);
    const pending = gateway.fetch(`${gateway.baseUrl}/api/v1/company`, { headers, signal: aborting.signal });
    await expect.poll(() => last(gateway)?.fault).toBe("charged_then_stalled");
    const inFlight = last(gateway);

    aborting.abort();
    await pending.catch(() => undefined);

    expect(inFlight).not.toHaveProperty("durationMs");
    expect(last(gateway)).toMatchObject({ durationMs: expect.any(Number) });
    expect(last(gateway)).not.toHaveProperty("status");
  });

  test("keeps the last 1,000 requests, in the order in which they arrived", async () => {
    const gateway = createGateway();
    const { get } = merchantOf(gateway);
    await Promise.all(Array.from({ length: 1_010 }, () => get("/nothing")));

    expect(gateway.requests.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, nth) => nth + 11));
  });

  test("keeps no body over 64 kB, but its length", async () => {
    const gateway = createGateway();

    await merchantOf(gateway).create(aPix({ metadata: JSON.stringify("ã".repeat(40_000)) }));

    const { requestBody = "", responseBody = "" } = last(gateway) ?? {};
    for (const body of [requestBody, responseBody]) {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_536);
      expect(body).toMatch(/^\[\d{5} bytes, not kept\]$/);
    }
  });
});

describe("keys, card tokens and card data are redacted", () => {
  const PAN = "4111111111111111";
  const SECRETS = /4111|1111|ANA EXEMPLO|2040|\b123\b|eyJ|c2tf|[sp]k_(?:sandbox|live)/;

  test("from the requests of a card payment and their responses", async () => {
    const gateway = createGateway();
    const { token, create, tokenize } = merchantOf(gateway);

    await create(aCardPayment(await token()));
    await tokenize(aCard({ cvv: "12" }));

    expect(gateway.transactions).toMatchObject([{ status: "approved" }]);
    expect(JSON.stringify(gateway.requests)).not.toMatch(SECRETS);
    expect(last(gateway)).toMatchObject({
      path: "/api/v1/card-token?publicKey=[redacted]",
      requestBody: expect.stringMatching(/^\[\d+ bytes of card data, not kept\]$/),
      status: 400,
      reason: "cvv: Must be 3 or 4 digits",
    });
  });

  test.each<[string, unknown]>([
    ["a number in metadata", { metadata: JSON.stringify({ card: PAN, cvv: "123" }) }],
    ["a number with spaces in a sentence", { note: "card 4111 1111 1111 1111 of ANA" }],
    ["a number as a number", `{"amount": ${PAN}}`],
    ["fields of other gateways", { card_number: "4111", security_code: "123", exp_year: "2040" }],
    ["a repeated field", `{"note": "${PAN}", "note": "none"}`],
    ["the name of a field", { [PAN]: 1 }],
    ["a form", `number=${PAN}&cvv=123&expirationYear=2040`],
    ["JSON with a mistake", `{"holderName":"ANA EXEMPLO","expirationYear":"2040","cvv":"1 2 3",}`],
    ["metadata with a mistake", { metadata: '{"cvv":"123","holder":"ANA EXEMPLO",}' }],
    ["metadata that is encoded twice", { metadata: JSON.stringify(JSON.stringify({ cvv: "123" })) }],
    ["a number beside another", { more: `card.${PAN}2040`, wide: "４１１１ 1111/1111 1111" }],
    ["names of HTML forms", { "cc-csc": "123", "cc-name": "ANA EXEMPLO", "card[cvv]": "123" }],
    ["card data below pix and in a phone number", { pix: { cvv: "123" }, phone: `${PAN} 123` }],
    ["a card with short names", { card: { name: "ANA EXEMPLO", year: 2040, code: "123" } }],
    ["a list of named values", [{ name: "cvv", value: "123" }]],
    ["a test card that fails the Luhn check", { number: "4111007153763191", expiration: "12/2040" }],
    ["keys beside letters", { note: "x_sk_live_1 0pk_live_2", auth: btoa("sk_live_1:pk_live_2") }],
    ["keys", { note: "sk_live_4111:pk_live_1111", auth: `Basic ${btoa("sk_live:pk_live")}` }],
    ["a token in its field", { token: "eyJhbGciOiJIUzI1NiJ9.e30.c2ln" }],
    ["a token in a text", { note: "eyJhbGciOiJIUzI1NiJ9.e30.c2ln" }],
  ])("from a body with %s, on every path", async (_what, body) => {
    const gateway = createGateway();
    const { post } = merchantOf(gateway);

    await post("/api/v1/transactions", body);
    await post(
      `/api/v1/nothing?number=${PAN}&a=4111%201111+1111-1111&b=%34${PAN.slice(1)}-12&cvv%20=123&key=%22sk_live_1%22`,
      body,
    );

    expect(gateway.requests).toHaveLength(2);
    for (const { requestBody, responseBody, path } of gateway.requests) {
      expect([requestBody, responseBody, path].join("\n")).not.toMatch(SECRETS);
    }
  });

  test("from a URL, of which the rest stays percent-encoded, so that no control character enters the log", async () => {
    const gateway = createGateway();

    await gateway.fetch(`${gateway.baseUrl}/%0Ask_live_1%1B/a?note=%0D${PAN}%0A%C3%A9&ok=%0A`);

    expect(last(gateway)?.path).toBe("/%0A[redacted]%1B/a?note=%0D[redacted]%0A%C3%A9&ok=%0A");
  });

  test.each(["%zz", "%ff", "%E2%82"])(
    "from a URL with %s, which is not percent-encoded UTF-8",
    async (wrong) => {
      const gateway = createGateway();
      const query = `note=4111-1111%201111%201111${wrong}&${wrong}%63vv=123`;

      await gateway.fetch(`${gateway.baseUrl}/x?${query}`);

      expect(last(gateway)?.path).toMatch(/^\/x\?note=\[redacted\][^&]*&[^&]*=\[redacted\]$/);
    },
  );

  test("but not the data that a merchant looks for", async () => {
    const gateway = createGateway();

    const document = { type: "cnpj", number: "45448325000192" };
    const customer = { ...(aPix()["customer"] as object), document };
    await merchantOf(gateway).create(aPix({ externalRef: "order-1763840000006 4111111111111112", customer }));

    const { requestBody, responseBody } = last(gateway) ?? {};
    for (const text of ["order-1763840000006 4111111111111112", "45448325000192", "Ana Exemplo", "1990"]) {
      expect(requestBody).toContain(text);
      expect(responseBody).toContain(text);
    }
    expect(responseBody).toContain(gateway.transactions[0]?.pix?.qrcodeText);
  });

  const OTHER_PAN = "4539578763621486";
  const LONGER = [
    ...[`order-${OTHER_PAN}`, `x${OTHER_PAN}y`, "2024-4539 5787 6362 1486", "n.4539-5787-6362-1486/7"],
    ...["pedido４５３９５７８７６３６２１４８６", "3782-822463-10005 a", "card: 4539 - 5787 - 6362 - 1486"],
    ...[
      "order-٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٦",
      "४५३९ ५७८७ ६३६२ १४८६",
      "4539x5787X6362x1486",
      "4539....5787....6362....1486",
    ],
    `2024${OTHER_PAN}`,
  ];

  test.each(LONGER)("from a longer reference, in the path, the query and the body: %s", async (reference) => {
    const gateway = createGateway();
    const { post, create } = merchantOf(gateway);

    await create(aPix({ externalRef: reference, metadata: JSON.stringify({ reference }) }));
    await post(`/orders/${encodeURIComponent(reference)}?ref=${encodeURIComponent(reference)}`, {
      reference,
    });

    const [created, other] = gateway.requests;
    const { externalRef, metadata } = JSON.parse(String(created?.requestBody));
    const { data } = JSON.parse(String(created?.responseBody));
    const logged = [externalRef, metadata, data.externalId, data.metadata, other?.path, other?.requestBody];
    for (const text of logged) expect(text).not.toMatch(/\p{Nd}{3}/u);
    expect(gateway.transactions).toMatchObject([{ externalId: reference }]);
  });

  test.each([
    { list: ["4539", "5787", "6362", "1486"] },
    { list: [4539, 5787, 6362, 1486] },
    { list: [...OTHER_PAN] },
    { one: "4539", two: "5787", three: "6362", four: "1486", name: "Ana" },
    { metadata: JSON.stringify({ list: ["٤٥٣٩", "٥٧٨٧", "٦٣٦٢", "١٤٨٦"] }) },
  ])("from a number that is split over values: %j", async (body) => {
    const gateway = createGateway();

    await merchantOf(gateway).post("/nothing?n=4539&n=5787&n=6362&n=1486&a=b", body);

    expect(last(gateway)?.path).toBe(`/nothing?${"n=[redacted]&".repeat(4)}a=[redacted]`);
    expect(last(gateway)?.requestBody).not.toMatch(/4539|5787|6362|1486|٤٥٣٩|"4"/);
  });

  test("but no list of other numbers, and no digits of another script", async () => {
    const gateway = createGateway();
    const body = {
      note: "٢٠٢٤ ４",
      list: ["4539", "5787", "6362", "1487"],
      amount: 453957,
      fee: 8763,
      id: 621486,
    };

    await merchantOf(gateway).post("/nothing?n=4539&n=5787&n=6362", body);

    expect(last(gateway)).toMatchObject({
      path: "/nothing?n=4539&n=5787&n=6362",
      requestBody: JSON.stringify(body),
    });
  });

  test("from the origin of the page", async () => {
    const gateway = createGateway();
    const sent = [`https://order-${OTHER_PAN}.example`, "https://shop.example"];

    for (const origin of sent) await gateway.fetch(`${gateway.baseUrl}/x`, { headers: { origin } });

    const origins = gateway.requests.map(({ origin }) => origin);
    expect(origins).toEqual(["https://order-[redacted].example", "https://shop.example"]);
  });

  test("but no reference that is plainly not a card number", async () => {
    const digits = (length: number) =>
      fc
        .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
        .map((all) => all.join(""));
    const time = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-12-31"), noInvalidDate: true });
    const reference = fc.oneof(
      fc.tuple(time, fc.integer({ min: 1_000_001, max: 899_000_999 })).map(([at, id]) => `${+at}-${id}`),
      time.map((at) => at.toISOString()),
      fc
        .tuple(time, digits(8))
        .map(([at, serial]) => `${at.toISOString().slice(0, 10).replaceAll("-", "")}${serial}`),
      fc.tuple(time, digits(3)).map(([at, micros]) => `${+at}${micros}`),
      fc
        .integer({ min: 13, max: 19 })
        .chain(digits)
        .filter((number) => !passesLuhn(number)),
      fc.constant("dfa35c3f719b3da4181729432587a2b7"), // a UUID with a card number by chance, as in pix codes
      fc.uuid(),
    );
    const around = fc.constantFrom("", "order-", "pedido ", "x", "#");
    await fc.assert(
      fc.asyncProperty(around, reference, around, async (before, middle, after) => {
        const gateway = createGateway();
        const externalRef = before + middle + after;

        await merchantOf(gateway).create(aPix({ externalRef }));

        const [{ requestBody = "", responseBody = "" } = {}] = gateway.requests;
        const [{ pix, secureId } = {}] = gateway.transactions;
        expect(requestBody).toContain(externalRef);
        for (const text of [externalRef, pix?.qrcodeText, secureId]) expect(responseBody).toContain(text);
      }),
    );
  });

  test("in time, even in a long text that looks like many tokens", async () => {
    const gateway = createGateway();
    const bait = ["-eyJ", "4 ", "sk_!", "basic  ", "%20"].map((text) => text.repeat(100_000));
    bait.push("[".repeat(100_000) + "]".repeat(100_000));

    for (const body of bait) await merchantOf(gateway).post("/nothing", body);

    expect(gateway.requests).toHaveLength(bait.length);
  });
});

/** Luhn algorithm, from right to left. */
function passesLuhn(number: string): boolean {
  const values = [...number].reverse().map((digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return doubled > 9 ? doubled - 9 : doubled;
  });
  return values.reduce((sum, value) => sum + value, 0) % 10 === 0;
}

describe("GET requests of the control API", () => {
  async function openLog() {
    const sandbox = await openSandbox();
    const { get, create } = merchantOf(sandbox.gateway);
    await get("/api/v1/status");
    await create({ ...aPix({ externalRef: "order-42" }), amount: 0 });
    await create(aPix({ externalRef: "order-43" }));
    sandbox.gateway.faults.add({ on: "company.retrieve", kind: "charged_then_reset" });
    await get("/api/v1/company").catch(() => undefined);
    return sandbox;
  }

  test.each([
    ["", [4, 3, 2, 1]],
    ["q=order-42", [2]],
    ["q=ORDER whole", [2]],
    ["q=reset", [4]],
    ["q=v1/transactions 201", [3]],
    ["before=3", [2, 1]],
  ])("with '%s' lists the requests %j, newest first and without bodies", async (query, ids) => {
    const { control } = await openLog();

    const { body } = await control("GET", `requests?${query.replace(" ", "%20")}`);

    expect(body.requests.map(({ id }: SandboxRequest) => id)).toEqual(ids);
    expect(JSON.stringify(body)).not.toContain("Ana Exemplo");
  });

  test("with an id returns the request with its bodies", async () => {
    const { control, gateway } = await openLog();

    expect((await control("GET", "requests/2")).body).toEqual(gateway.requests[1]);
  });
});
