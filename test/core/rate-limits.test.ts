import { describe, expect, test } from "vitest";
import { json, startServer } from "../support/http-server.ts";
import { aPix, failureOf } from "../support/merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  async function rateLimited(headers: Record<string, string>) {
    const { baseUrl, arrivals } = await startServer(json(429, {}, headers));
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "rate_limited", outcome: "rejected" });
    expect(arrivals).toHaveLength(1);
    return error;
  }

  describe("retryAfterMs of a create that was rate limited", () => {
    test.each([
      ["7", 7_000],
      ["0", 0],
      [" 3 ", 3_000],
      ["1.5", 1_500],
      ["3600", 3_600_000],
    ])("Retry-After: %s gives %i", async (value, milliseconds) => {
      const error = await rateLimited({ "retry-after": value });

      expect(error).toMatchObject({ retryAfterMs: milliseconds });
      expect(error.toJSON()).toMatchObject({ retryAfterMs: milliseconds });
    });

    test("a date gives the time until it", async () => {
      const date = new Date(Date.now() + 90_000).toUTCString();

      const error = await rateLimited({ "retry-after": date });

      // A date of HTTP has no fractions of a second.
      expect(error).toHaveProperty(
        "retryAfterMs",
        expect.toSatisfy((ms: number) => ms > 85_000 && ms <= 90_000),
      );
      expect(error.message).toMatch(/Wait (8\d|90) seconds/);
    });

    test("a date that has passed gives zero", async () => {
      const error = await rateLimited({ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" });

      expect(error).toMatchObject({ retryAfterMs: 0 });
    });

    test.each([
      ["0", "Wait a second before"],
      ["1", "Wait a second before"],
      ["2", "Wait 2 seconds before"],
    ])("Retry-After: %s is told as %j", async (value, advice) => {
      const error = await rateLimited({ "retry-after": value });

      expect(error.message).toContain(advice);
    });

    test.each([
      [{}],
      [{ "retry-after": "" }],
      [{ "retry-after": "soon" }],
      [{ "retry-after": "-5" }],
      [{ "retry-after": "9".repeat(400) }],
    ])("%j gives none", async (headers) => {
      const error = await rateLimited(headers);

      expect(error).not.toHaveProperty("retryAfterMs");
      expect(error.toJSON()).not.toHaveProperty("retryAfterMs");
      expect(error.message).toContain("Wait a minute");
    });
  });
});
