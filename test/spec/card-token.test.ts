import { CardTokenizer } from "payments-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { aMerchant, BASE_URL, PUBLIC_KEY, theServiceAnswers } from "./support/the-service.ts";

const ENDPOINT = "POST /api/v1/card-token";
const CARD = {
  number: "4111 1111 1111 1111",
  holderName: "MARIA DA SILVA",
  expirationMonth: 7,
  expirationYear: 2031,
  cvv: "012",
};
/** A JWT without claims about its life. */
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJjYXJkIjoxfQ.c2lnbmF0dXJl";

afterEach(() => {
  vi.useRealTimers();
});

describe("tokenization on the wire", () => {
  test("is one POST to /api/v1/card-token with the public key in the query", async () => {
    const { arrived } = theServiceAnswers(ENDPOINT, 200, TOKEN);

    await aMerchant().payments.cardTokens.create(CARD);

    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({
      method: "POST",
      target: `/api/v1/card-token?publicKey=${PUBLIC_KEY}`,
    });
  });

  test("sends five strings, MM and YYYY among them", async () => {
    const { arrived } = theServiceAnswers(ENDPOINT, 200, TOKEN);

    await aMerchant().payments.cardTokens.create(CARD);

    expect(JSON.parse(arrived[0]?.text ?? "")).toEqual({
      number: "4111111111111111",
      holderName: "MARIA DA SILVA",
      expirationMonth: "07",
      expirationYear: "2031",
      cvv: "012",
    });
    expect(arrived[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("carries no Authorization header", async () => {
    const { arrived } = theServiceAnswers(ENDPOINT, 200, TOKEN);

    await aMerchant().payments.cardTokens.create(CARD);

    expect(arrived[0]?.headers.has("authorization")).toBe(false);
  });

  test("is the same from a tokenizer, which knows the public key only", async () => {
    const { arrived } = theServiceAnswers(ENDPOINT, 200, TOKEN);
    const tokenizer = new CardTokenizer({ baseUrl: BASE_URL, publicKey: PUBLIC_KEY });

    const token = await tokenizer.tokenize(CARD);

    expect(arrived[0]?.target).toBe(`/api/v1/card-token?publicKey=${PUBLIC_KEY}`);
    expect(arrived[0]?.headers.has("authorization")).toBe(false);
    expect(token.value).toBe(TOKEN);
  });
});

describe("the answer to a tokenization", () => {
  test("is the token as plain text", async () => {
    theServiceAnswers(ENDPOINT, 200, TOKEN);

    const token = await aMerchant().payments.cardTokens.create(CARD);

    expect(token.value).toBe(TOKEN);
  });

  test("is valid for 5 minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    theServiceAnswers(ENDPOINT, 200, TOKEN);

    const token = await aMerchant().payments.cardTokens.create(CARD);

    expect(token.expiresAt.getTime()).toBe(1_000_000 + 5 * 60 * 1000);
    expect(token.isExpired(1_000_000 + 299_999)).toBe(false);
    expect(token.isExpired(1_000_000 + 300_000)).toBe(true);
  });

  test("older than 5 minutes is replaced, not sent", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    theServiceAnswers(ENDPOINT, 200, TOKEN);
    const { payments } = aMerchant();
    const hash = await payments.cardTokens.create(CARD);
    vi.setSystemTime(1_000_000 + 300_000);

    const create = payments.transactions.createCard({
      amount: 1990,
      customer: {
        name: "Maria",
        email: "maria@cliente.example",
        phone: "11987654321",
        document: { type: "cpf", number: "12345678909" },
      },
      externalRef: "pedido-78",
      postbackUrl: "https://loja.example/postback",
      traceable: false,
      items: [],
      ip: "203.0.113.9",
      metadata: {},
      installments: 1,
      card: { hash },
    });

    await expect(create).rejects.toMatchObject({ code: "card_token_expired", outcome: "not_sent" });
  });
});
