import { describe, expect, test } from "vitest";
import { json, startServer } from "../support/http-server.ts";
import { envOf, jsonLines, runExample } from "./support/run-example.ts";

/** A service that answers with this and leaves everything else out. */
async function envOfServiceThatSays(data: unknown): Promise<Record<string, string>> {
  const { baseUrl } = await startServer(json(200, { success: true, data }));
  return envOf({ baseUrl, secretKey: "sk_of_a_shop", publicKey: "pk_of_a_shop" });
}

describe("what the service does not say is unknown", () => {
  test("to company, and neither zero nor a no", async () => {
    const env = await envOfServiceThatSays({ id: 7 });

    const { code, stdout } = await runExample("company", [], { env });

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Takes +unknown\n +At least +unknown\n +At most +unknown\n +Webhook +unknown\n +Pays out +unknown, .+ unknown\n$/,
    );
  });

  test("to company where a method is neither on nor off", async () => {
    const env = await envOfServiceThatSays({ id: 7, paymentMethods: { credit_card: false, pix: false } });

    const { stdout } = await runExample("company", [], { env });

    expect(stdout).toMatch(/Takes +nothing\n/);
  });

  test("to revenue, and to its sums", async () => {
    const known = { seller_id: "seller_1", revenue: { total: 10.5, month: 2 } };
    const env = await envOfServiceThatSays([known, { seller_id: "seller_2", revenue: { total: 1 } }]);

    const [printed, told] = await Promise.all([
      runExample("revenue", [], { env }),
      runExample("revenue", ["--json"], { env }),
    ]);

    expect(printed.stdout).toMatch(/ seller_2 +R\$\s1,00 +unknown\n(?:.*\n)* +all +R\$\s11,50 +unknown\n/);
    expect(jsonLines(told.stdout)).toMatchObject([
      { sellers: [{ monthInCents: 200 }, { monthInCents: null }], totalInCents: 1150, monthInCents: null },
    ]);
  });
});

test("company prints no more of the webhook than where it is", async () => {
  const configuration = { webhook: { url: "https://user:hunter2@shop.example.com/hooks?token=hunter2" } };
  const env = await envOfServiceThatSays({ id: 7, configuration });

  const [printed, told] = await Promise.all([
    runExample("company", [], { env }),
    runExample("company", ["--json"], { env }),
  ]);

  expect(printed.stdout).toMatch(/Webhook +https:\/\/shop\.example\.com\/hooks\n/);
  expect(jsonLines(told.stdout)).toMatchObject([
    { configuration: { webhook: { url: "https://shop.example.com/hooks" } } },
  ]);
  expect(printed.stdout + told.stdout).not.toContain("hunter2");
});
