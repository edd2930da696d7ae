import { PaymentsClient } from "payments-sdk";
import type { PostbackOptions } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aPix } from "../support/merchant.ts";
import { runCli } from "./support/run-cli.ts";

const SECRET_QUERY = "?pbsig=SECRET-SIGNATURE";

/** A sandbox with the pix `order-1`, and a receiver of its postbacks. */
async function startShop(postbacks: PostbackOptions = { retries: 0 }, status = 202, postbackUrl?: string) {
  const sandbox = await startSandbox({ postbacks });
  onTestFinished(sandbox.close);
  const receiver = await startServer(({ response }) => response.writeHead(status).end());
  const { baseUrl, secretKey, publicKey } = sandbox;
  const { transactions } = new PaymentsClient({ baseUrl, secretKey, publicKey });
  const url = postbackUrl ?? `${receiver.baseUrl}/hook${SECRET_QUERY}`;
  const pix = await transactions.createPix(aPix({ postbackUrl: url || undefined }));
  const trigger = (...argv: readonly string[]) =>
    runCli(["trigger", ...argv], { env: { PAYMENTS_BASE_URL: baseUrl } });
  return { sandbox, receiver, pix, trigger };
}

test("it pays a transaction by its reference and shows the response to the postback, without its signature", async () => {
  const { receiver, pix, trigger } = await startShop();

  const run = await trigger("pay", "order-1");

  expect(run).toEqual({
    exitCode: 0,
    stdout: `Transaction ${pix.id} (order-1) is approved.\nPostback to ${receiver.baseUrl}/hook: response 202.\n`,
    stderr: "",
  });
});

test("a refund prints how much was refunded; --json prints the transaction, and its postback without the signature", async () => {
  const { receiver, pix, trigger } = await startShop();
  const paid = await trigger("pay", "order-1", "--json");
  expect(JSON.parse(paid.stdout).postback).toMatchObject({ url: `${receiver.baseUrl}/hook` });

  const { stdout } = await trigger("refund", String(pix.id), "--amount", "500", "--json");

  const transaction = { id: pix.id, externalRef: "order-1", amount: 1990, refundedAmount: 500 };
  expect(JSON.parse(stdout)).toMatchObject({ ...transaction, postback: null });
  const second = await trigger("refund", "order-1", "--amount", "490");
  expect(second.stdout).toMatch(/approved, R\$\s9,90 refunded/);
  const third = await trigger("med", "order-1", "--amount", "500");
  expect(third.stdout).toMatch(/approved, R\$\s14,90 refunded/);
  expect((await trigger("refund", "order-1")).stdout).toContain("is refunded"); // the rest
});

test.each([
  [["pay", "order-2"], "not_found", "There is no transaction order-2."],
  [["chargeback", "order-1"], "refused_by_sandbox", expect.stringContaining("cannot chargeback")],
  [["pya", "order-1"], "usage", expect.stringContaining("Allowed choices are pay, expire, refund, med,")],
  [
    ["pay", "order-1", "--amount", "1"],
    "usage",
    expect.stringContaining("--amount is for refund and med only."),
  ],
])("%j fails and says why", async (argv, code, message) => {
  const { trigger } = await startShop();

  const { exitCode, stdout } = await trigger(...argv, "--json");

  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ error: { code, message } });
});

test.each<[string, PostbackOptions, string | undefined, string]>([
  ["has no URL", {}, "", "No postback was sent: the transaction has no postbackUrl."],
  ["is refused", { retries: 0 }, undefined, "response 503."],
  ["is sent again", { retries: 1 }, undefined, "The sandbox will try again."],
  ["reaches no one", { retries: 0 }, "http://127.0.0.1:9/hook", "failed: "],
])("it says so if the postback %s", async (_what, postbacks, postbackUrl, text) => {
  const { pix, trigger } = await startShop(postbacks, 503, postbackUrl);

  const { exitCode, stdout } = await trigger("pay", "latest");

  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Transaction ${pix.id} (order-1) is approved.`);
  expect(stdout).toContain(text);
});

test("it fails, and changes nothing, without a transaction or at a URL that is not that of a sandbox", async () => {
  const sandbox = await startSandbox();
  onTestFinished(sandbox.close);
  const service = await startServer(({ response }) => response.writeHead(404).end("{}"));
  const messages = {
    [sandbox.baseUrl]: "There are no transactions yet",
    [service.baseUrl]: `${service.baseUrl} is not a sandbox; nothing was changed.`,
    "http://127.0.0.1:9": "Cannot connect to a sandbox",
    "ftp://127.0.0.1": "must be an absolute http or https URL",
  };

  for (const [baseUrl, message] of Object.entries(messages)) {
    const { exitCode, stderr } = await runCli(["trigger", "pay", "latest", "--base-url", baseUrl]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(message) });
  }
  expect(service.arrivals.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /sandbox/overview"]);
});
