import { createGateway, type GatewayOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf } from "./support/wire.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");

describe("the seed", () => {
  async function courseOfEvents(options: GatewayOptions): Promise<unknown[]> {
    const { create, get, token } = merchantOf(createGateway(options));
    const hash = await token();
    return [
      hash,
      await bodyOf(await create(aPix())),
      await bodyOf(await create(aCardPayment(hash))),
      await bodyOf(await get("/api/v1/status")),
    ];
  }

  test("two gateways with one seed and the same calls give the same bodies", async () => {
    const first = await courseOfEvents({ seed: 7, now: NOON });
    const second = await courseOfEvents({ seed: 7, now: NOON });

    expect(second).toEqual(first);
  });

  test.each([{ seed: 8 }, {}])("another seed gives others: %j", async (seed) => {
    const first = await courseOfEvents({ seed: 7, now: NOON });
    const second = await courseOfEvents({ ...seed, now: NOON });

    for (const [at, body] of second.entries()) expect(body).not.toEqual(first[at]);
  });
});

describe("the clock", () => {
  test("follows the machine's, plus what it was advanced", () => {
    const { clock } = createGateway();
    const before = Date.now();

    clock.advance(60_000);

    expect(clock.now()).toBeGreaterThanOrEqual(before + 60_000);
    expect(clock.now()).toBeLessThan(before + 120_000);
  });

  test.each([NOON, new Date(NOON)])("stands still at %s until it is advanced", async (now) => {
    const gateway = createGateway({ now });
    gateway.clock.advance(1500);

    const { data } = await bodyOf(await merchantOf(gateway).create(aPix()));

    expect(gateway.clock.now()).toBe(NOON + 1500);
    expect(data.createdAt).toBe("2026-12-04T12:00:01.500Z");
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15])("cannot be advanced by %s", (ms) => {
    const { clock } = createGateway({ now: NOON });

    expect(() => clock.advance(ms)).toThrow(RangeError);
    expect(clock.now()).toBe(NOON);
  });
});

describe("what was charged", () => {
  test("a pending pix and an approved card count, a refused one and other references do not", async () => {
    const gateway = createGateway();
    const { create, token } = merchantOf(gateway);
    const refused = await token(aCard({ number: "4000000000000002" }));
    await create(aPix({ externalRef: "order-1" }));
    await create(aCardPayment(await token(), { externalRef: "order-1" }));
    await create(aCardPayment(refused, { externalRef: "order-1" }));
    await create(aPix({ externalRef: "order-2" }));

    const charges = gateway.chargesFor("order-1");

    expect(charges.map(({ paymentMethod, status }) => [paymentMethod, status])).toEqual([
      ["pix", "pending"],
      ["credit_card", "approved"],
    ]);
    expect(gateway.transactions).toHaveLength(4);
  });

  test("the same reference twice is two charges: the service does not guard against it", async () => {
    const gateway = createGateway();
    const { create } = merchantOf(gateway);
    await create(aPix());
    await create(aPix());

    expect(gateway.chargesFor("order-1")).toHaveLength(2);
  });

  test("a reference nobody used has no charges", () => {
    expect(createGateway().chargesFor("order-1")).toEqual([]);
  });

  test("a transaction is kept with its scenario, its timeline and what was paid", async () => {
    const gateway = createGateway({ now: NOON });
    const { create, token } = merchantOf(gateway);
    await create(aCardPayment(await token()));

    const [transaction] = gateway.transactions;

    expect(transaction).toMatchObject({
      status: "approved",
      paidAmount: 1990,
      externalId: "order-1",
      scenario: "approved",
      timeline: [{ status: "approved", at: "2026-12-04T12:00:00.000Z" }],
    });
  });

  test("a list handed out does not change under its reader", async () => {
    const gateway = createGateway();
    const before = gateway.transactions;

    await merchantOf(gateway).create(aPix());

    expect(before).toHaveLength(0);
    expect(gateway.transactions).toHaveLength(1);
  });
});

describe("options", () => {
  test.each<[object, string]>([
    [{ pixfields: "guide" }, "pixfields is no option"],
    [{ pixFields: "all" }, "pixFields must be guide or endpoint"],
    [{ outsideLimits: "400" }, "outsideLimits must be refused or validation"],
    [{ environment: "test" }, "environment must be production or sandbox"],
  ])("that would leave a test without its point are refused: %j", (options, message) => {
    expect(() => createGateway(options)).toThrow(new TypeError(`createGateway: ${message}.`));
  });

  test.each<[object, string]>([
    [{ limts: {} }, "company.limts is no option"],
    [{ limits: { transactionMaximum: 1 } }, "company.limits.transactionMaximum is no option"],
    [{ settlement: { bank: { agency: "1" } } }, "company.settlement.bank.agency is no option"],
    [{ limits: 5 }, "company.limits must be an object"],
    [{ configuration: { webhook: null } }, "company.configuration.webhook must be an object"],
  ])("of the company are refused, too, where they cannot be meant: %j", (company, message) => {
    expect(() => createGateway({ company })).toThrow(new TypeError(`createGateway: ${message}.`));
  });

  test("of the company that are undefined are as if they were not there", async () => {
    const company = { limits: { transactionMaxAmount: undefined }, name: undefined };
    const { get } = merchantOf(createGateway({ company: company as object }));

    const { data } = await bodyOf(await get("/api/v1/company"));

    expect(data).toMatchObject({ name: "Loja Exemplo Ltda", limits: { transactionMaxAmount: 10_000_000 } });
  });

  test("are all optional; the keys have the right prefixes", () => {
    const gateway = createGateway();

    expect(gateway).toMatchObject({
      baseUrl: "https://sandbox.payments.test",
      secretKey: expect.stringMatching(/^sk_./),
      publicKey: expect.stringMatching(/^pk_./),
    });
  });

  test.each<[GatewayOptions, RegExp]>([
    [{ secretKey: "pk_swapped" }, /secretKey must start with sk_/],
    [{ secretKey: "sk_" }, /secretKey/],
    [{ secretKey: "sk_a:b" }, /secretKey .* no colon/],
    [{ secretKey: "sk_ação" }, /secretKey/], // does not survive Basic in one piece
    [{ publicKey: "sk_swapped" }, /publicKey must start with pk_/],
    [{ baseUrl: "sandbox.payments.test" }, /baseUrl/],
    [{ baseUrl: "ftp://sandbox.payments.test" }, /baseUrl/],
    [{ seed: 1.5 }, /seed/],
    [{ now: Number.NaN }, /now/],
    [{ now: new Date("never") }, /now/],
  ])("%o is a TypeError that names the option and not the key", (options, message) => {
    const create = () => createGateway(options);

    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    expect(create).not.toThrow(/swapped|ação/);
  });

  test.each([-1, 8.64e15, 1e16])("a clock that would stand at %d is refused", (now) => {
    expect(() => createGateway({ now })).toThrow(
      new TypeError("createGateway: now must be a date or milliseconds, from 1970 to 9999."),
    );
  });

  test("fetch stands on its own feet, and takes a Request, a URL or a string", async () => {
    const { baseUrl, fetch } = createGateway();
    const address = `${baseUrl}/api/v1/status`;

    const answers = await Promise.all([fetch(new Request(address)), fetch(new URL(address)), fetch(address)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
