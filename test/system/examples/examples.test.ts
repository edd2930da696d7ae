import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { root, run, type ToolResult } from "../../support/running.ts";

/** What a merchant copies must be valid by both descriptions of a pix in the specification. */
const strictSandbox = join(root, "test/support/strict-sandbox.ts");

/** Runs an example, such as `card wrong_cvv`, with only the given environment variables. */
function runExample(call: string, env: NodeJS.ProcessEnv = {}): Promise<ToolResult> {
  const [name, ...args] = call.split(" ");
  const program = ["--import", strictSandbox, join(root, `examples/${name}.ts`), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, program, { env, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

test.each<[string, ...RegExp[]]>([
  [
    "quickstart",
    /1111\n.+ is approved\n/,
    /9995\n.+ is refused: Insufficient limit\n/,
    / is approved, R\$\s19,90\n/,
  ],
  ["card", /R\$\s19,90, is approved\n$/],
  ["card wrong_cvv", /is refused: Wrong data: the security code does not match\n$/],
  ["company", /online, environment sandbox\n/, /credit_card, pix\n/, /R\$\s1,00 to R\$\s100\.000,00\n/],
  ["sellers", /seller_2 +active +R\$\s18\.450,90 +R\$\s1\.299,50\n/, /earned R\$\s1\.299,50 this month/],
  [
    "faults",
    /charged_then_reset +yes +connection_failed +unknown\n/,
    /redirect_307 +no +redirected +rejected\n/,
    /truncated_json +yes +unexpected_response +created\n/,
    /refused_connection +no +connection_failed +not_sent\n/,
  ],
  [
    "postbacks",
    /"handled","callback":"onPaid",.+"status":"approved"/,
    /"duplicate",.+"status":"approved"/,
    /"handled","callback":"none",.+"status":"pending"/,
    /"refused","answer":401,.+missing_signature/,
  ],
])("%s prints the expected output", async (call, ...patterns) => {
  const { code, stdout } = await runExample(call);

  expect(code).toBe(0);
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
  expect(stdout).not.toContain("pbsig");
});

test("pix waits until it is paid", async () => {
  const pix = run("node", ["--import", strictSandbox, "examples/pix.ts"]);
  onTestFinished(pix.kill);
  const [, dashboard] = await pix.printed(/is pending until .+\n.+ (http:\/\/[^/]+)\/checkout/);

  await fetch(`${dashboard}/sandbox/transactions/latest/pay`, { method: "POST" });

  expect(await pix.ended).toBe(0);
  expect(pix.stdout()).toMatch(/\n000201.+6304[0-9A-F]{4}\n(.*\n)+It is approved\.\n$/);
});

test.each(["card", "pix"])("%s creates no transaction in production", async (name) => {
  const service = await start({ environment: "production" });
  const { baseUrl, secretKey, publicKey } = service;
  const keys = { PAYMENTS_SECRET_KEY: secretKey, PAYMENTS_PUBLIC_KEY: publicKey };

  const { code, stderr } = await runExample(name, { PAYMENTS_BASE_URL: baseUrl, ...keys });

  expect(code).toBe(1);
  expect(stderr).toContain("EnvironmentMismatchError");
  expect(service.gateway.transactions).toEqual([]);
});

test("an incomplete configuration of the service is an error, and no sandbox is started", async () => {
  const { code, stderr } = await runExample("card", { PAYMENTS_SECRET_KEY: "sk_live_1" });

  expect(code).toBe(1);
  expect(stderr).toContain(
    "Set all of PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY, or none.",
  );
  expect(stderr).not.toContain("sk_live_1");
});
