import { CardToken, CardTokenizer, ConfigurationError, ConnectionError, PaymentsClient } from "payments-sdk";
import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, inject, test } from "vitest";

const card = {
  number: "4111 1111 1111 1111",
  holderName: "Maria Exemplo",
  expirationMonth: 12,
  expirationYear: new Date().getFullYear() + 3,
  cvv: "123",
};
const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  document: { type: "cpf", number: "52998224725" },
} as const;

const caught = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a secret key in a page", () => {
  test("is refused when the client is created, and is not in the message", () => {
    const create = () => new PaymentsClient({ secretKey: "sk_canary" });

    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(/^(?!.*sk_canary).*dangerouslyAllowBrowser/s);
  });

  test("is accepted with dangerouslyAllowBrowser", async () => {
    const { baseUrl, secretKey, publicKey, fetch } = createGateway();
    const payments = new PaymentsClient({
      baseUrl,
      secretKey,
      publicKey,
      dangerouslyAllowBrowser: true,
      fetch: (url, init) => fetch(new Request(url, init)),
    });

    await expect(payments.company.retrieve()).resolves.toMatchObject({ status: "active" });
  });

  test("is blocked by CORS, because the service allows no page", async () => {
    const { baseUrl, secretKey, publicKey } = inject("sandbox");
    const payments = new PaymentsClient({
      baseUrl,
      secretKey,
      publicKey,
      maxRetries: 0,
      dangerouslyAllowBrowser: true,
    });

    const error = await caught(payments.company.retrieve());

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: "not_applicable" });
  });

  test("is not required by a client that only tokenizes", () => {
    expect(() => new PaymentsClient({ publicKey: "pk_any" })).not.toThrow();
  });
});

describe("tokenization from a page", () => {
  test("returns a token over HTTP, across origins", async () => {
    const { baseUrl, publicKey } = inject("sandbox");

    const token = await new CardTokenizer({ baseUrl, publicKey }).tokenize(card);

    expect(token).toBeInstanceOf(CardToken);
    expect(token.isExpired()).toBe(false);
    expect(JSON.parse(JSON.stringify({ token }))).toEqual({ token: token.value });
  });
});

test("the sandbox runs in the page, and creates a pix", async () => {
  const gateway = createGateway();
  const payments = new PaymentsClient({
    baseUrl: gateway.baseUrl,
    secretKey: gateway.secretKey,
    publicKey: gateway.publicKey,
    dangerouslyAllowBrowser: true,
    fetch: (url, init) => gateway.fetch(new Request(url, init)),
  });

  const pix = await payments.transactions.createPix({
    amount: 1990,
    customer,
    externalRef: "order-1",
    items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  });

  expect(pix).toMatchObject({ status: "pending", amount: 1990 });
  expect(pix.pix.qrcodeText).toMatch(/^000201.*6304[0-9A-F]{4}$/);
  expect(gateway.chargesFor("order-1")).toHaveLength(1);
});
