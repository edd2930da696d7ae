import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { envOf, runExample, startExample } from "./support/run-example.ts";

async function startFailing(kind: "charged_then_500" | "truncated_json"): Promise<Sandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  sandbox.gateway.faults.add({ on: "transactions.create", kind });
  return sandbox;
}

describe("a payment whose answer is lost", () => {
  test.each(["card", "pix", "quickstart"])("can be found by the reference that %s made up", async (name) => {
    const sandbox = await startFailing("charged_then_500");

    const { code, stdout, stderr } = await runExample(name, [], { env: envOf(sandbox) });

    const [charged] = sandbox.gateway.transactions;
    expect(code).toBe(1);
    expect(stdout).toContain(`  Order        ${charged?.externalId}\n`);
    expect(stderr).toMatch(new RegExp(`^ServerError: .+ This is order ${charged?.externalId}\\.\\n$`));
  });

  test.each(["card", "pix"])("is named by %s --json, too, with the id that came", async (name) => {
    const sandbox = await startFailing("truncated_json");

    const { code, stdout, stderr } = await runExample(name, ["--json"], { env: envOf(sandbox) });

    const [charged] = sandbox.gateway.transactions;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^UnexpectedResponseError: .+\n$/);
    expect(stderr).toContain(` This is order ${charged?.externalId}, transaction ${charged?.id}.\n`);
  });

  test.each([
    ["pix", "SIGINT", 130],
    ["pix", "SIGTERM", 143],
  ] as const)("is named where %s is broken off by %s", async (name, signal, code) => {
    const service = await startServer(() => undefined);
    const keys = { secretKey: "sk_of_a_merchant", publicKey: "pk_of_a_merchant" };
    const args = [
      "--yes",
      "--json",
      "--ref",
      "order-1",
      "--postback-url",
      "https://shop.example.com/postbacks",
    ];
    const running = startExample(name, args, {
      ...envOf({ baseUrl: service.baseUrl, ...keys }),
      PAYMENTS_POSTBACK_SECRET: "a secret of the tests, which is long enough",
    });
    onTestFinished(running.kill);
    await expect.poll(() => service.arrivals.length).toBe(1);

    running.signal(signal);

    expect(await running.ended).toBe(code);
    expect(running.stdout()).toBe("");
    expect(running.stderr()).toBe(
      "Whether order-1 was charged is not known: look it up in the dashboard before it is paid again.\n",
    );
  });

  test.each([["card"], ["quickstart"], ["tokenize"]])(
    "of a card, and not of a payment, is said by %s to have charged nobody",
    async (name) => {
      const sandbox = await startSandbox();
      onTestFinished(() => sandbox.close());
      sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 100 });

      const { code, stderr } = await runExample(name, [], { env: envOf(sandbox) });

      expect(code).toBe(1);
      expect(stderr).toMatch(/^ServerError: .+ The card was not charged\.\n$/);
      expect(sandbox.gateway.transactions).toEqual([]);
    },
  );
});
