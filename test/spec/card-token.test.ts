import { CardTokenizer } from "payments-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FULL_CARD } from "./support/orders.ts";
import { BASE_URL, createMerchant, PUBLIC_KEY, serviceResponds } from "./support/service.ts";

const ENDPOINT = "POST /api/v1/card-token";
const CARD = {
  number: "4111 1111 1111 1111",
  holderName: "MARIA DA SILVA",
  expirationMonth: 7,
  expirationYear: 2031,
  cvv: "012",
};
/** A JWT without claims about its lifetime. */
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJjYXJkIjoxfQ.c2lnbmF0dXJl";

afterEach(() => {
  vi.useRealTimers();
});

describe("a tokenization", () => {
  test.each([
    ["the client", () => createMerchant().payments.cardTokens.create(CARD)],
    [
      "a tokenizer, which has only the public key",
      () => new CardTokenizer({ baseUrl: BASE_URL, publicKey: PUBLIC_KEY }).tokenize(CARD),
    ],
  ])("by %s is one POST with the public key in the query and no other key", async (_by, tokenize) => {
    const { received } = serviceResponds(ENDPOINT, 200, TOKEN);

    const token = await tokenize();

    expect(token.value).toBe(TOKEN); // plain text
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: "POST",
      target: `/api/v1/card-token?publicKey=${PUBLIC_KEY}`,
    });
    expect(received[0]?.headers.get("content-type")).toBe("application/json");
    expect(received[0]?.headers.has("authorization")).toBe(false);
  });

  test("sends five strings, with the expiry as MM and YYYY", async () => {
    const { received } = serviceResponds(ENDPOINT, 200, TOKEN);

    await createMerchant().payments.cardTokens.create(CARD);

    expect(JSON.parse(received[0]?.text ?? "")).toEqual({
      number: "4111111111111111",
      holderName: "MARIA DA SILVA",
      expirationMonth: "07",
      expirationYear: "2031",
      cvv: "012",
    });
  });
});

describe("a card token", () => {
  test("is valid for 5 minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    serviceResponds(ENDPOINT, 200, TOKEN);

    const token = await createMerchant().payments.cardTokens.create(CARD);

    expect(token.expiresAt.getTime()).toBe(1_000_000 + 5 * 60 * 1000);
    expect(token.isExpired(1_000_000 + 299_999)).toBe(false);
    expect(token.isExpired(1_000_000 + 300_000)).toBe(true);
  });

  test("older than 5 minutes is not sent", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    serviceResponds(ENDPOINT, 200, TOKEN);
    const { payments } = createMerchant();
    const hash = await payments.cardTokens.create(CARD);
    vi.setSystemTime(1_000_000 + 300_000);

    const create = payments.transactions.createCard({ ...FULL_CARD, card: { hash } });

    await expect(create).rejects.toMatchObject({ code: "card_token_expired", outcome: "not_sent" });
  });
});
