import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { CVV, HOLDER, NUMBER, tracesIn } from "../support/canaries.ts";
import { envOf, jsonLines, runExample } from "./support/run-example.ts";

const SIGNING = { PAYMENTS_POSTBACK_SECRET: "a secret of the tests, which is long enough" };
const POSTBACK_URL = "https://shop.example.com/postbacks";

/** A service that is none of the sandboxes that everybody knows the keys of. */
async function startService(): Promise<Sandbox> {
  const service = await startSandbox({ secretKey: "sk_of_a_merchant" });
  onTestFinished(() => service.close());
  return service;
}

describe("at a service that is no sandbox", () => {
  test.each([
    ["quickstart", ["--postback-url", POSTBACK_URL]],
    ["quickstart", ["--postback-url", POSTBACK_URL, "--json"]],
    ["card", ["--postback-url", POSTBACK_URL]],
    ["pix", ["--postback-url", POSTBACK_URL]],
    ["pix", ["--postback-url", POSTBACK_URL, "--json"]],
  ])("%s %j charges nobody where nobody can be asked", async (name, args) => {
    const service = await startService();

    const { code, stderr } = await runExample(name, args, {
      env: { ...envOf(service), ...SIGNING },
      input: "yes\n",
    });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Nothing was charged: .+ --yes .+\n$/);
    expect(service.gateway.transactions).toEqual([]);
  });

  test.each(["card", "pix"])("%s --yes charges, and signs where the service posts to", async (name) => {
    const service = await startService();
    const args = ["--yes", "--ref", "order-1", "--amount", "1.249,90", "--postback-url", POSTBACK_URL];

    const { code } = await runExample(name, args, { env: { ...envOf(service), ...SIGNING } });

    expect(code).toBe(0);
    expect(service.gateway.transactions).toMatchObject([{ amount: 124_990, externalId: "order-1" }]);
    expect(service.gateway.transactions[0]?.postBackUrl).toMatch(
      /^https:\/\/shop\.example\.com\/postbacks\?pbsig=.+/,
    );
  });

  test.each([
    ["quickstart", [], SIGNING, "--postback-url is missing"],
    ["quickstart", ["--postback-url", POSTBACK_URL], {}, "PAYMENTS_POSTBACK_SECRET is not set"],
    ["card", [], SIGNING, "--postback-url is missing"],
    ["pix", [], SIGNING, "--postback-url is missing"],
    ["pix", ["--postback-url", POSTBACK_URL], {}, "PAYMENTS_POSTBACK_SECRET is not set"],
    ["pix", ["--watch", "--postback-url", POSTBACK_URL], SIGNING, "--port is missing"],
    ["postbacks", [], {}, "PAYMENTS_POSTBACK_SECRET is not set"],
  ])("%s %j is not begun where its end would not be heard of", async (name, args, signing, complaint) => {
    const service = await startService();

    const { code, stderr } = await runExample(name, args, { env: { ...envOf(service), ...signing } });

    expect(code).toBe(1);
    expect(stderr).toContain(complaint);
    expect(service.gateway.transactions).toEqual([]);
  });
});

const CARD = { number: NUMBER, holderName: HOLDER, expirationMonth: 12, expirationYear: 2039, cvv: CVV };

describe("a card", () => {
  test.each([
    ["a flag of its own", ["--number", NUMBER], "--number is no flag."],
    ["a word", [NUMBER], "It takes flags only."],
    ["two cards at once", ["--scenario", "approved", "--own-card"], "Say either --scenario or --own-card."],
  ])("is not taken as %s, nor repeated", async (_what, args, complaint) => {
    const { code, stdout, stderr } = await runExample("card", args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`${complaint} Usage: npm run example card -- --help\n`);
  });

  test.each([
    ["insufficient_limit", { status: "refused", refusedReason: "Insufficient limit" }],
    ["expired_card", { status: "refused", refusedReason: "Wrong data: the card has expired" }],
    ["processing_then_approved", { status: "processing" }],
  ])("%s is a result, and no error", async (scenario, transaction) => {
    const { code, stdout } = await runExample("card", ["--scenario", scenario, "--json"]);

    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([transaction]);
  });

  test.each(["card", "tokenize"])(
    "of one's own comes to %s by standard input, and is not printed",
    async (name) => {
      const sandbox = await startSandbox();
      onTestFinished(() => sandbox.close());

      const { code, stdout, stderr } = await runExample(name, ["--own-card"], {
        env: envOf(sandbox),
        input: JSON.stringify(CARD),
      });

      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(tracesIn(stdout)).toEqual([]);
    },
  );

  test.each([
    ["no JSON", `number: ${NUMBER}`, /^Standard input is not the JSON of a card\.\n$/],
    ["no card", "[]", /^InvalidRequestError: The request is not valid: .+\n$/],
    [
      "a card with mistakes",
      JSON.stringify({ ...CARD, expirationMonth: 13, cvv: "83 17" }),
      /^InvalidRequestError: .*expirationMonth.*\n$/,
    ],
  ])("that is %s is refused in a line that does not repeat it", async (_what, input, complaint) => {
    const { code, stdout, stderr } = await runExample("tokenize", ["--own-card", "--json"], { input });

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(complaint);
    expect(tracesIn(stderr)).toEqual([]);
  });
});

test("what the SDK refuses is told in one line, with the fields that are wrong", async () => {
  const { code, stderr } = await runExample("card", ["--amount", "0", "--json"]);

  expect(code).toBe(1);
  expect(stderr).toMatch(/^InvalidRequestError: .*amount.*nobody was charged\.\n$/);
});

test("status --expect fails where the service is another", async () => {
  const { code, stderr } = await runExample("status", ["--expect", "production", "--json"]);

  expect(code).toBe(1);
  expect(stderr).toMatch(/^EnvironmentMismatchError: .+\n$/);
});
