import type {
  CreateCardParams,
  CreatePixParams,
  CreateTransactionParams,
  PaymentsClient,
} from "payments-sdk";
import { describe, expect, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aCardPayment, aPix, merchantAt } from "../support/merchant.ts";
import { issuesOf, wireOf } from "../support/on-the-wire.ts";
import { aCardData, created } from "../support/service-answers.ts";

const CARD_ON_THE_WIRE = {
  paymentMethod: "credit_card",
  amount: 1990,
  customer: {
    name: "Ana Exemplo",
    email: "ana@loja.example",
    phone: "11999990000",
    document: { type: "cpf", number: "52998224725" },
  },
  externalRef: "order-1",
  postbackUrl: "https://loja.example/postbacks",
  traceable: true,
  items: [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: true }],
  ip: "203.0.113.7",
  metadata: '{"cart":7}', // a JSON-encoded string
  installments: "1", // a string
  card: { hash: "tok_a1b2c3d4e5" },
};

test("a card payment on the wire is as the specification lists it", async () => {
  const { body, warnings } = await wireOf(({ transactions }) => transactions.createCard(aCardPayment()));

  expect(body).toStrictEqual(CARD_ON_THE_WIRE);
  expect(warnings).toEqual([]);
});

test("a pix needs only what the guide does not call optional", async () => {
  const { body } = await wireOf(({ transactions }) =>
    transactions.createPix({
      amount: 1,
      customer: { name: "Ana", email: "a@b", document: { type: "cpf", number: "529.982.247-25" } },
    }),
  );

  expect(body).toStrictEqual({
    paymentMethod: "pix",
    amount: 1,
    customer: { name: "Ana", email: "a@b", document: { type: "cpf", number: "52998224725" } },
  });
});

describe("paymentMethod selects", () => {
  test("a pix", async () => {
    const { body } = await wireOf(({ transactions }) =>
      transactions.create({ ...aPix(), paymentMethod: "pix" }),
    );

    expect(body).toMatchObject({ paymentMethod: "pix" });
  });

  test("a card payment", async () => {
    const params = { ...aCardPayment(), paymentMethod: "credit_card" } as const;

    const { body } = await wireOf(({ transactions }) => transactions.create(params));

    expect(body).toStrictEqual(CARD_ON_THE_WIRE);
  });

  test("the answer is read as what was asked for", async () => {
    const { baseUrl } = await startServer(created(aCardData({ paymentMethod: "pix" })));
    const { payments } = merchantAt(baseUrl);

    const transaction = await payments.transactions.create({
      ...aCardPayment(),
      paymentMethod: "credit_card",
    });

    expect(transaction.paymentMethod).toBe("credit_card");
  });

  test("may be repeated on the function that names it", async () => {
    const { body } = await wireOf(({ transactions }) =>
      transactions.createPix(aPix({ paymentMethod: "pix" })),
    );

    expect(body).toMatchObject({ paymentMethod: "pix" });
  });

  test.each<[string, (payments: PaymentsClient) => PromiseLike<unknown>, string]>([
    [
      "missing",
      ({ transactions }) => transactions.create(aPix() as CreateTransactionParams),
      'must be "credit_card" or "pix"',
    ],
    [
      "unknown",
      ({ transactions }) =>
        transactions.create({ ...aPix(), paymentMethod: "boleto" } as unknown as CreateTransactionParams),
      'must be "credit_card" or "pix"',
    ],
    [
      "card on createPix",
      ({ transactions }) =>
        transactions.createPix({ ...aPix(), paymentMethod: "credit_card" } as unknown as CreatePixParams),
      'must be "pix"',
    ],
    [
      "pix on createCard",
      ({ transactions }) =>
        transactions.createCard({ ...aCardPayment(), paymentMethod: "pix" } as unknown as CreateCardParams),
      'must be "credit_card"',
    ],
  ])("must not be: %s", async (_what, call, message) => {
    expect(await issuesOf(call)).toContainEqual({ field: "paymentMethod", message });
  });

  test("with it missing, everything else is checked all the same", async () => {
    const params = {
      ...aPix({ amount: 0 }),
      card: { hash: "tok" },
      pix: { expiresInDays: 1 },
      installments: 1,
    };

    const issues = await issuesOf(({ transactions }) =>
      transactions.create(params as unknown as CreateTransactionParams),
    );

    expect(issues.map(({ field }) => field).sort()).toEqual(["amount", "paymentMethod"]);
  });
});

describe("what belongs to the other method is refused", () => {
  test.each<[string, object, string]>([
    ["card", { card: { hash: "tok_1" } }, "belongs to a card payment"],
    ["installments", { installments: 2 }, "belongs to a card payment"],
  ])("%s on a pix", async (field, extra, message) => {
    const issues = await issuesOf(({ transactions }) => transactions.createPix(aPix(extra)));

    expect(issues).toEqual([{ field, message: expect.stringContaining(message) }]);
  });

  test("pix on a card payment", async () => {
    const params = aCardPayment({ pix: { expiresInDays: 1 } } as Partial<CreateCardParams>);

    const issues = await issuesOf(({ transactions }) => transactions.createCard(params));

    expect(issues).toEqual([{ field: "pix", message: expect.stringContaining("belongs to a pix") }]);
  });
});

describe("parameters that are none", () => {
  test.each([[undefined], [null], ["pix"], [[]], [7]])("%j", async (params) => {
    const issues = await issuesOf(({ transactions }) =>
      transactions.createPix(params as unknown as CreatePixParams),
    );

    expect(issues).toEqual([{ field: "", message: "must be an object" }]);
  });
});

test("all problems come back together, with those of the options", async () => {
  const params = aPix({ amount: 19.9, postbackUrl: "/p", colour: "blue" } as Partial<CreatePixParams>);

  const issues = await issuesOf(({ transactions }) =>
    transactions.createPix(params, { timeout: 0, extraBody: { amount: 1 } }),
  );

  expect(issues.map(({ field }) => field)).toEqual([
    "colour",
    "amount",
    "postbackUrl",
    "extraBody.amount",
    "options.timeout",
  ]);
});

test("a metadata object becomes the JSON string that the service wants", async () => {
  const { body } = await wireOf(({ transactions }) =>
    transactions.createPix(aPix({ metadata: { a: [1, "ç"] } })),
  );

  expect(body).toMatchObject({ metadata: '{"a":[1,"ç"]}' });
});
