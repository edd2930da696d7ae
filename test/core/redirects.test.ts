import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { aCard, aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created, healthy } from "../support/service-answers.ts";
import { TRANSPORTS } from "../support/transports.ts";

const STATUSES = [301, 302, 303, 307, 308] as const;

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe("a redirect is never followed", () => {
    test.each(STATUSES)("a create that is answered %i reaches nobody else", async (status) => {
      const target = await startServer(created());
      const origin = await startServer(
        text(status, "", { location: `${target.baseUrl}/api/v1/transactions` }),
      );
      const { payments } = merchantAt(origin.baseUrl);

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error).toMatchObject({ code: "redirected", status });
      expect(origin.arrivals).toHaveLength(1);
      expect(target.arrivals).toHaveLength(0);
    });

    test.each(STATUSES)("a read that is answered %i is not repeated either", async (status) => {
      const target = await startServer(healthy);
      const origin = await startServer(text(status, "", { location: target.baseUrl }));
      const { payments } = merchantAt(origin.baseUrl);

      const error = await failureOf(payments.status.retrieve());

      expect(error).toMatchObject({ code: "redirected", outcome: "not_applicable" });
      expect(origin.arrivals).toHaveLength(1);
      expect(target.arrivals).toHaveLength(0);
    });

    test("card data does not follow a 307", async () => {
      const target = await startServer(text(200, "tok_1"));
      const origin = await startServer(text(307, "", { location: `${target.baseUrl}/api/v1/card-token` }));
      const { payments } = merchantAt(origin.baseUrl);

      await failureOf(payments.cardTokens.create(aCard()));

      expect(origin.arrivals).toHaveLength(1);
      expect(target.arrivals).toHaveLength(0);
    });
  });

  test.each([
    [301, "Set `baseUrl` to the final address"],
    [308, "Set `baseUrl` to the final address"],
    [300, "Check `baseUrl`: this is no answer to the call"],
    [304, "Check `baseUrl`: this is no answer to the call"],
  ])("what mends a %i is said in its message", async (status, mend) => {
    const { baseUrl } = await startServer(text(status, ""));
    const { payments } = merchantAt(baseUrl, { maxRetries: 0 });

    const error = await failureOf(payments.status.retrieve());

    expect(error.message).toContain(mend);
  });
});

test("a redirect that a browser hides (status 0) leaves a create unknown", async () => {
  // The one way to make a Response with status 0 in Node; a browser's is of type `opaqueredirect`.
  const opaque = Response.error();
  const { payments } = merchantAt("http://127.0.0.1:1", { fetch: async () => opaque });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ code: "redirected", outcome: "unknown", status: 0 });
  expect(error.message).toContain("answered with a redirect, which is never followed");
});
