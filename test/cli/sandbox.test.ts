import { PaymentsClient } from "payments-sdk";
import { expect, test } from "vitest";
import { controlOf } from "../sandbox/support/control.ts";
import { aCard, aPix, basic, merchant } from "../sandbox/support/wire.ts";
import { startServer } from "../support/http-server.ts";
import { freePort } from "../support/running.ts";
import { runCli, startCli } from "./support/run-cli.ts";

/** Starts a sandbox on a free port. It ends with the test. */
async function startSandbox(...args: readonly string[]) {
  const run = startCli(["sandbox", "--port", "0", ...args]);
  await expect.poll(run.stdout).toContain("Ctrl-C");
  return { run, baseUrl: /PAYMENTS_BASE_URL=(.+)\n/.exec(run.stdout())?.[1] ?? "" };
}

test("it prints its base URL and keys, responds there, and stops on Ctrl-C", async () => {
  const { run, baseUrl } = await startSandbox(
    ...["--secret-key=sk_mine", "--pix-fields=endpoint"],
    ...["--sellers-path=/v2/sellers", "--sellers-auth=none"],
  );

  expect(run.stdout()).toBe(`
The sandbox is running. Dashboard: ${baseUrl}/

  export PAYMENTS_BASE_URL=${baseUrl}
  export PAYMENTS_SECRET_KEY=sk_mine
  export PAYMENTS_PUBLIC_KEY=pk_sandbox_public

Everything is kept in memory. Press Ctrl-C to stop.

`);
  const keys = { baseUrl, secretKey: "sk_mine", publicKey: "pk_sandbox_public" };
  const { transactions } = new PaymentsClient(keys);
  const document = { type: "cpf", number: "52998224725" } as const;
  const customer = { name: "Maria", email: "maria@example.com", document };
  const create = transactions.createPix({ amount: 1990, customer }); // with fewer fields than the endpoint lists
  await expect(create).rejects.toMatchObject({ code: "validation_failed" });

  const { sellers } = new PaymentsClient({ baseUrl, sellersPath: "/v2/sellers", sellersAuth: "none" });
  expect(await sellers.list()).toHaveLength(3);

  run.interrupt();

  expect(await run.exitCode).toBe(0);
  expect(run.stdout()).toMatch(/\nStopped\. Nothing was saved\.\n$/);
  expect(run.stderr()).toBe("");
  await expect(fetch(baseUrl)).rejects.toThrow();
});

test("it prints one line per request and per attempt of a postback, without keys and card data", async () => {
  const { run, baseUrl } = await startSandbox("--postback-retries", "1");
  const keys = { secretKey: "sk_sandbox_secret", publicKey: "pk_sandbox_public" };
  const payments = merchant({ baseUrl, ...keys }, fetch);
  const nowhere = `http://127.0.0.1:${await freePort()}/hook?signature=secret`;
  const control = controlOf({ baseUrl });
  const trigger = async (move: string) => (await control("POST", `transactions/latest/${move}`)).body;

  await payments.tokenize({ ...aCard(), cvv: "1" });
  await payments.create(aPix({ postbackUrl: `${baseUrl}/sandbox/inbox` }));
  await trigger("pay");
  await control("POST", "faults", { on: "transactions.create", kind: "charged_then_stalled" });
  const stalled = new AbortController();
  const post = { method: "POST", headers: basic(keys.secretKey, keys.publicKey), signal: stalled.signal };
  const body = JSON.stringify(aPix({ postbackUrl: nowhere }));
  void fetch(`${baseUrl}/api/v1/transactions`, { ...post, body }).catch(() => undefined);
  await expect.poll(run.stdout).toContain("charged_then_stalled");
  stalled.abort();
  await trigger("cancel");
  await expect.poll(run.stdout, { timeout: 5_000 }).toContain("attempt 2");

  const [, traffic = ""] = run.stdout().split("Press Ctrl-C to stop.\n\n");
  const time = String.raw`\d\d:\d\d:\d\d`;
  const lines = [
    String.raw`400  POST /api/v1/card-token\?publicKey=\[redacted\]  \d+ ms  cvv: Must be 3 or 4 digits`,
    String.raw`201  POST /api/v1/transactions  \d+ ms  transaction \d+`,
    String.raw`204  postback to ${baseUrl}/sandbox/inbox  transaction \d+ approved`,
    String.raw`---  POST /api/v1/transactions  transaction \d+  fault: charged_then_stalled`,
    String.raw`---  postback to http://127.0.0.1:\d+/hook  transaction \d+ cancell?ed  \S.*  next at ${time}`,
    String.raw`---  postback to http://127.0.0.1:\d+/hook  transaction \d+ cancell?ed  \S.*  attempt 2`,
  ];
  expect(traffic).toMatch(new RegExp(`^${lines.map((line) => `${time}  ${line}\n`).join("")}$`));
});

test("with --postback-retries 0 a postback that fails is lost, and its line has the fault", async () => {
  const { run, baseUrl } = await startSandbox("--postback-retries", "0");
  const keys = { secretKey: "sk_sandbox_secret", publicKey: "pk_sandbox_public" };
  const control = controlOf({ baseUrl });

  await control("POST", "faults", { on: "postbacks", kind: "shop_500" });
  await merchant({ baseUrl, ...keys }, fetch).pix({ postbackUrl: `${baseUrl}/sandbox/inbox` });
  await control("POST", "transactions/latest/pay");

  await expect
    .poll(run.stdout)
    .toMatch(/ {2}500 {2}postback to \S+ {2}transaction \d+ approved {2}fault: shop_500\n/);
  expect((await control("GET", "deliveries")).body.deliveries).toMatchObject([{ status: "failed" }]);
});

test("with --json it prints its URLs and keys, and no requests", async () => {
  const run = startCli(["sandbox", "--port", "0", "--json"]);
  await expect.poll(run.stdout).toContain("}");

  const printed = JSON.parse(run.stdout());
  expect((await fetch(printed.dashboard)).status).toBe(200);
  await fetch(`${printed.baseUrl}/api/v1/status`);
  expect(printed).toMatchObject({ secretKey: "sk_sandbox_secret", publicKey: "pk_sandbox_public" });
  expect(JSON.parse(run.stdout())).toEqual(printed);
});

test("it takes its address from options, prints no requests with --quiet, and warns if other machines can connect", async () => {
  const postbacks = ["--postback-delay=1", "--postback-duplicates=1", "--postback-reorder"];
  const port = await freePort();
  const address = ["--port", String(port), "--base-url=http://sandbox.test", "--host=0.0.0.0"];
  const { run, baseUrl } = await startSandbox(...address, "--quiet", ...postbacks);
  const before = run.stdout();

  expect((await fetch(`http://127.0.0.1:${port}/api/v1/status`)).status).toBe(200);

  expect(baseUrl).toBe("http://sandbox.test");
  expect(before).toMatch(/It listens on 0\.0\.0\.0, port \d+/);
  expect(run.stdout()).toBe(before);
  expect(run.stderr()).toContain("Anyone who can connect can read and change everything in it.\n");
});

test("it fails with one line if its port is in use", async () => {
  const { port } = new URL((await startServer()).baseUrl);

  const { exitCode, stderr } = await runCli(["sandbox", "--port", port]);

  expect(exitCode).toBe(1);
  expect(stderr).toBe(`payments: Port ${port} is in use. Choose another with --port, or --port 0.\n`);
});
