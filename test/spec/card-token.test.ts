import { expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { merchantAt, PUBLIC_KEY, tokenizerAt } from "../support/merchant.ts";

const CARD = {
  number: "4111 1111 1111 1111",
  holderName: "MARIA DA SILVA",
  expirationMonth: 7,
  expirationYear: 2031,
  cvv: "012",
};
/** A JWT without claims about its lifetime. */
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJjYXJkIjoxfQ.c2lnbmF0dXJl";

test.each([
  ["the client", (baseUrl: string) => merchantAt(baseUrl).payments.cardTokens.create(CARD)],
  ["a tokenizer, which has only the public key", (baseUrl: string) => tokenizerAt(baseUrl).tokenize(CARD)],
])(
  "a tokenization by %s is one POST of five strings with the public key in the query and no other key",
  async (_by, tokenize) => {
    const { baseUrl, arrivals } = await startServer(text(200, TOKEN));

    const { data, response } = await tokenize(baseUrl).withResponse();

    expect(data.value).toBe(TOKEN); // plain text
    expect(response).toMatchObject({ status: 200 });
    const url = `/api/v1/card-token?publicKey=${PUBLIC_KEY}`;
    expect(arrivals).toMatchObject([
      { method: "POST", url, headers: { "content-type": "application/json" } },
    ]);
    expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
    expect(JSON.parse(arrivals[0]?.body ?? "")).toEqual({
      number: "4111111111111111",
      holderName: "MARIA DA SILVA",
      expirationMonth: "07",
      expirationYear: "2031",
      cvv: "012",
    });
  },
);
