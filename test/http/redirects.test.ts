import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { aCard, aPix, failureOf, type Merchant, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

const CALLS: [string, (merchant: Merchant) => PromiseLike<unknown>][] = [
  ["a create call", ({ payments }) => payments.transactions.createPix(aPix())],
  ["a tokenization, with its card data,", ({ payments }) => payments.cardTokens.create(aCard())],
  ["a read call", ({ payments }) => payments.status.retrieve()],
];

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe.each([301, 302, 303, 307, 308])("a redirect is never followed: %i", (status) => {
    test.each(CALLS)("%s reaches no other server and is not repeated", async (_what, call) => {
      const target = await startServer(created());
      const origin = await startServer(
        text(status, "", { location: `${target.baseUrl}/api/v1/transactions` }),
      );

      const error = await failureOf(call(merchantAt(origin.baseUrl)));

      expect(error).toMatchObject({ code: "redirected", status });
      expect(origin.arrivals).toHaveLength(1);
      expect(target.arrivals).toHaveLength(0);
    });
  });
});

test("a redirect that a browser hides (status 0) leaves the outcome unknown", async () => {
  // The only way to create a Response with status 0 in Node; a browser's has the type `opaqueredirect`.
  const opaque = Response.error();
  const { payments } = merchantAt("http://127.0.0.1:1", { fetch: async () => opaque });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ code: "redirected", outcome: "unknown", status: 0 });
  expect(error.message).toContain("responded with a redirect, which is never followed");
});
