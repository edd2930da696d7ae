import { CardTokenizer } from "payments-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
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
