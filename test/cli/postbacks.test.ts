import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { type SqliteStore, sqliteStore } from "payments-sdk/idempotency";
import {
  createPostbackHandler,
  type NamedCallbacks,
  type Postback,
  type PostbackContext,
  PostbackUrlSigner,
} from "payments-sdk/postbacks";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { answerQuestions, runCli, startCli } from "./support/run-cli.ts";

const SECRET = "a secret of at least thirty-two bytes";
const MINUTE_MS = 60_000;

type State = "failed" | "abandoned" | "running";

/** payments.db with one order, and what runs `payments postbacks` on it. */
async function createShop() {
  const cwd = temporaryFolder();
  const store = sqliteStore(join(cwd, "payments.db"));
  onTestFinished(() => store.close());
  const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "1" } as const;
  await store.claim(order, MINUTE_MS);
  await store.recordOutcome(order, { outcome: "unknown" });

  const env = { PAYMENTS_STORE: "payments.db", PAYMENTS_POSTBACK_SECRET: SECRET };
  const postbacks = (...args: readonly string[]) => runCli(["postbacks", ...args], { cwd, env });
  const list = async () => {
    const { stdout } = await postbacks("list", "--json");
    return (stdout.match(/.+/g) ?? []).map((line) => JSON.parse(line));
  };
  return { cwd, env, store, postbacks, list };
}

/** Records a postback whose callback has not succeeded. */
async function addOpen(
  store: SqliteStore,
  state: State,
  { externalRef = "order-1", id = 7, status = "approved", amount = 1990, isAmountSigned = true } = {},
) {
  const key = { trust: "signed", externalRef, id, rawStatus: status, amount } as const;
  const owner = `${id} ${status}`;
  await store.claimPostback(key, owner, MINUTE_MS, {
    ...(isAmountSigned && { signedAmount: 1990 }),
    transactionDate: "2026-03-01T12:31:00.000Z",
  });
  if (state === "running") return;
  const failure = { name: "DatabaseError", code: "57P01", retryAfterMs: MINUTE_MS };
  await store.releasePostback(key, owner, state === "failed" ? failure : undefined);
}

/** The handler of the shop; its callback fails for these transactions. */
async function startHandler(store: SqliteStore, failing: readonly number[] = [], callbacks?: NamedCallbacks) {
  const handled: Postback[] = [];
  const onPostback = (postback: Postback, { amountMatches }: PostbackContext) => {
    if (failing.includes(postback.id)) throw new Error("the shop is closed");
    handled.push({ ...postback, amountMatches } as Postback);
  };
  const handler = createPostbackHandler({
    signer: new PostbackUrlSigner({ keys: [{ kid: "1", secret: SECRET }] }),
    store,
    onEvent: () => undefined,
    ...(callbacks ?? { onPostback }),
  });
  const server = await startServer(({ request, response }) => handler.node(request, response));
  return { url: `${server.baseUrl}/postbacks?shop=1`, handled, arrivals: server.arrivals };
}

function damage(cwd: string): void {
  const database = new DatabaseSync(join(cwd, "payments.db"));
  database.exec("UPDATE payments_postbacks SET body = '{}' WHERE is_open = 1");
  database.close();
}

describe("list", () => {
  test("prints the open postbacks in a table, oldest first, with the error's name and code", async () => {
    const { cwd, env, store } = await createShop();
    await runCli(["postbacks", "list"], { cwd, env }); // loads its code, which may take a second
    await addOpen(store, "failed");
    await addOpen(store, "abandoned", { externalRef: "order-2\u001b[2J", id: 8, status: "expired" });
    const written: string[] = [];
    const stdout = { write: (text: string) => written.push(text), isTTY: true };

    await runCli(["postbacks", "list"], { cwd, env: { ...env, NO_COLOR: "1" }, stdout });

    const [header, failed, abandoned] = written.join("").split("\n");
    expect(header).toMatch(/^reference +state +status +amount +transaction +attempts +since +error$/);
    expect(failed).toMatch(/^order-1 +failed +approved +R\$\s19,90 +7 +1 +0s +DatabaseError, 57P01$/);
    expect(abandoned).toMatch(/^order-2\\u001b\[2J +abandoned +expired +R\$\s19,90 +8 +0 +0s +$/);
  });

  test("--state prints those in one state", async () => {
    const { cwd, store, postbacks } = await createShop();
    await addOpen(store, "failed");
    await addOpen(store, "running", { id: 8 });

    expect((await postbacks("list", "--header")).stdout).toMatch(/^reference\tstate\t.*\norder-1\t/);
    const { stdout, stderr } = await postbacks("list", "--state", "running", "--json");

    expect(JSON.parse(stdout)).toMatchObject({ externalRef: "order-1", id: 8, state: "running" });
    expect(stderr).toBe(`1 running postback in namespace "default" of ${cwd}/payments.db.\n`);
  });

  test("fails in a namespace without orders", async () => {
    const { postbacks } = await createShop();

    expect(await postbacks("list", "--header")).toMatchObject({ exitCode: 0, stdout: "" });
    const wrong = await postbacks("list", "--namespace", "other");
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--namespace default") });
  });
});

test.each([
  ["orders list", ["default\torder-1\tunresolved", "shop-a\torder-1\tclaimed"], "2 orders"],
  ["postbacks list", ["default\torder-1\tfailed", "shop-a\torder-1\tabandoned"], "2 open postbacks"],
])("%s --all-namespaces begins each line with the namespace", async (command, starts, count) => {
  const { cwd, env, store } = await createShop();
  await addOpen(store, "failed");
  const other = sqliteStore(join(cwd, "payments.db"), { namespace: "shop-a" });
  onTestFinished(() => other.close());
  await other.claim({ externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "1" }, MINUTE_MS);
  await addOpen(other, "abandoned");

  const { stdout, stderr } = await runCli([...command.split(" "), "--all-namespaces"], { cwd, env });

  const lines = stdout.trim().split("\n").toSorted();
  expect(lines).toEqual(starts.map((start) => expect.stringContaining(`${start}\t`)));
  expect(stderr).toBe(`${count} in all namespaces of ${cwd}/payments.db.\n`);
});

test("an empty list of all namespaces does not fail if the named one has no orders", async () => {
  const { cwd, env } = await createShop();
  const argv = ["orders", "list", "--state", "free", "--namespace", "other", "--all-namespaces"];

  const stderr = `0 matching orders in all namespaces of ${cwd}/payments.db.\n`;
  expect(await runCli(argv, { cwd, env })).toEqual({ exitCode: 0, stdout: "", stderr });
});

describe("orders resolve", () => {
  const resolve = "orders resolve order-1 --attempt 1 --transaction 7 --status approved".split(" ");

  test.each([
    [["y", "y"], 1],
    [["y", "n"], 0],
    [["n"], 0],
  ])("asks whether to deliver a paid order: after %j, the handler runs %i times", async (answers, runs) => {
    const { cwd, env, store } = await createShop();
    const { url, handled } = await startHandler(store);
    const { stdin, stderr, questions } = answerQuestions(...answers);

    await runCli(resolve, { cwd, env: { ...env, PAYMENTS_POSTBACK_URL: url }, stdin, stderr });

    expect(handled).toHaveLength(runs);
    expect(questions).toHaveLength(answers.length);
    expect(questions.join("")).not.toContain("shop=1");
  });

  test("delivers nothing without a question or --deliver-to", async () => {
    const { cwd, env, store } = await createShop();
    const { url, handled } = await startHandler(store);
    const settings = { cwd, env: { ...env, PAYMENTS_POSTBACK_URL: url } };
    const { stdin, stderr, questions } = answerQuestions();

    await runCli([...resolve, "--yes"], { ...settings, stdin, stderr });
    expect([handled.length, questions.length]).toEqual([0, 0]);

    const run = await runCli([...resolve, "--yes", "--json", "--deliver-to", url], settings);
    expect(handled).toMatchObject([{ id: 7, status: "approved", amountMatches: true }]);
    const next = [expect.stringContaining("return this transaction")]; // nothing to do by hand
    expect(JSON.parse(run.stdout)).toMatchObject({ state: "created", next });
    expect(run.stderr).toContain("response 200, handled");
  });

  test("records the order, but fails, if --deliver-to fails", async () => {
    const { cwd, env, store } = await createShop();
    const { url } = await startHandler(store, [7]);
    const deliver = [...resolve, "--yes", "--deliver-to", url];

    const failed = await runCli(deliver, { cwd, env });

    expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("Recorded: order-1") });
    expect(failed.stderr).toContain(`npx payments postbacks deliver order-1 --to '${url}'`);
  });
});

describe("deliver", () => {
  test("sends the open postbacks to the shop's handler, oldest first, over the signed amount", async () => {
    const { store, postbacks, list } = await createShop();
    await addOpen(store, "failed", { amount: 990 });
    await addOpen(store, "abandoned", { id: 8, status: "expired" });
    await addOpen(store, "failed", { externalRef: "order-2" });
    const { url, handled, arrivals } = await startHandler(store);

    const { exitCode, stdout, stderr } = await postbacks("deliver", "order-1", "--to", url);

    const transactionDate = "2026-03-01T12:31:00.000Z";
    expect(handled).toMatchObject([
      {
        id: 7,
        status: "approved",
        amount: 990,
        amountMatches: false,
        externalRef: "order-1",
        transactionDate,
      },
      { id: 8, status: "expired", amount: 1990, amountMatches: true },
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(
      /^approved of 7, R\$\s9,90: response 200, handled\nexpired of 8, R\$\s19,90: response 200, handled\n$/,
    );
    expect(await list()).toMatchObject([{ externalRef: "order-2" }]);
    expect(arrivals[0]?.url).toMatch(/^\/postbacks\?shop=1&pbsig=/);
    const [, payload = ""] = arrivals[0]?.url.split(".") ?? [];
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp: number };
    expect(exp - Date.now() / 1000).toBeLessThanOrEqual(300);
  });

  test("stops at the first that fails", async () => {
    const { store, postbacks, list } = await createShop();
    await addOpen(store, "failed");
    await addOpen(store, "failed", { id: 8 });
    const { url, arrivals } = await startHandler(store, [7]);

    const { exitCode, stdout, stderr } = await postbacks("deliver", "order-1", "--to", url, "--json");

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 7,
      delivered: false,
      response: "response 500, handler_failed",
    });
    expect(stderr).toBe("1 not sent.\n");
    expect([arrivals.length, (await list()).length]).toEqual([1, 2]);
  });

  test("--id picks a transaction, and one that is running is not sent", async () => {
    const { store, postbacks } = await createShop();
    await addOpen(store, "failed");
    await addOpen(store, "running", { id: 8 });
    const { url, handled } = await startHandler(store);

    expect(await postbacks("deliver", "order-1", "--to", url, "--id", "8")).toMatchObject({
      exitCode: 1,
      stderr: "payments: Nothing was sent: approved of 8 is running.\n",
    });
    await postbacks("deliver", "order-1", "--to", url, "--id", "7");
    expect(handled).toMatchObject([{ id: 7 }]);
  });

  test("sends the payment of an order that a person resolved as approved, once", async () => {
    const { store, postbacks } = await createShop();
    await store.resolve("order-1", { transactionId: 7, status: "approved", attempt: 1 });
    const { url, handled } = await startHandler(store);

    const first = await postbacks("deliver", "order-1", "--to", url);
    const second = await postbacks("deliver", "order-1", "--to", url);

    expect(handled).toMatchObject([{ id: 7, status: "approved", amount: 1990, amountMatches: true }]);
    expect(first.stdout).toMatch(/^approved of 7, R\$\s19,90: response 200, handled\n$/);
    expect(second.stdout).toContain("response 200, duplicate");
    expect(first.stderr).toBe("");
    expect(second).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("No callback ran") });
  });

  test("says which callback ran: a review ships nothing", async () => {
    const { store, postbacks } = await createShop();
    await store.resolve("order-1", { transactionId: 7, status: "approved", attempt: 1 });
    const callbacks = { onPaid: () => undefined, onReview: () => undefined };
    const { url } = await startHandler(store, [], callbacks);

    const first = await postbacks("deliver", "order-1", "--to", url);
    await addOpen(store, "failed", { id: 8 });
    const second = await postbacks("deliver", "order-1", "--to", url);

    expect(first).toMatchObject({ stdout: expect.stringMatching(/handled, onPaid\n$/), stderr: "" });
    expect(second).toMatchObject({ stdout: expect.stringMatching(/handled, onReview\n$/) });
    expect(second.stderr).toContain("shipped nothing");
  });

  test.each([false, true])(
    "sends no payment of an order that was approved over another amount (another open postback: %s)",
    async (hasOpen) => {
      const { store, postbacks } = await createShop();
      await store.recordPostback("order-1", {
        id: 7,
        status: "approved",
        rawStatus: "approved",
        amount: 100,
      });
      if (hasOpen) await addOpen(store, "failed", { id: 8, status: "expired" });
      const { url, handled } = await startHandler(store);

      const { exitCode, stderr } = await postbacks("deliver", "order-1", "--to", url);
      const other = await postbacks("deliver", "order-1", "--to", url, "--id", "9");

      expect(exitCode).toBe(hasOpen ? 0 : 1);
      expect(stderr).toMatch(/transaction 7 is approved over R\$\s1,00, not over R\$\s19,90/);
      expect(handled.map(({ status }) => status)).toEqual(hasOpen ? ["expired"] : []);
      expect(other.stderr).toContain("No open postback");
    },
  );

  const resolvePayment = (store: SqliteStore) =>
    store.resolve("order-1", { transactionId: 7, status: "approved", attempt: 1 });

  test.each<
    [title: string, externalRef: string, arrange: (store: SqliteStore) => unknown, sent: object, RegExp?]
  >([
    [
      "an open approved postback instead of the payment of the order",
      "order-1",
      (store) => resolvePayment(store).then(() => addOpen(store, "failed", { id: 8 })),
      { id: 8 },
    ],
    [
      "the payment once a person has recorded that the whole amount is paid",
      "order-1",
      (store) =>
        store
          .recordPostback("order-1", { id: 7, status: "approved", rawStatus: "approved", amount: 100 })
          .then(() => resolvePayment(store)),
      { id: 7, amount: 1990, amountMatches: true },
    ],
    [
      "without a signed amount, a postback with that of the order",
      "order-1",
      (store) => addOpen(store, "failed", { amount: 990, isAmountSigned: false }),
      { amountMatches: false },
    ],
    [
      "of an order without a record, a postback with its own amount",
      "order-2",
      (store) => addOpen(store, "failed", { externalRef: "order-2", amount: 990, isAmountSigned: false }),
      { amountMatches: true },
      /^The amount of the order is not known/,
    ],
  ])("sends %s", async (_title, externalRef, arrange, sent, note = /^$/) => {
    const { store, postbacks } = await createShop();
    await arrange(store);
    const { url, handled } = await startHandler(store);

    const { stderr } = await postbacks("deliver", externalRef, "--to", url);

    expect(handled).toMatchObject([sent]);
    expect(stderr).toMatch(note);
  });

  test.each([
    [302, "", "response 302"],
    [401, '{"error":"untrusted_postback","reason":"expired"}', "response 401, untrusted_postback, expired"],
    [500, '{"error":"Maria paid with 4111111111111111","reason":"sk_key"}', "response 500"],
    [500, `{"error":"busy","rest":"${"x".repeat(2_000)}"}`, "response 500"],
    [404, "<h1>not here</h1>", "response 404"],
  ])(
    "of a response %i only the SDK's own words are printed, and no redirect is followed",
    async (status, body, text) => {
      const { store, postbacks } = await createShop();
      await addOpen(store, "failed");
      const headers = { location: "/elsewhere" };
      const shop = await startServer(({ response }) => response.writeHead(status, headers).end(body));

      const { exitCode, stdout, stderr } = await postbacks(
        "deliver",
        "order-1",
        "--to",
        shop.baseUrl,
        "--json",
      );

      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({ id: 7, delivered: false, response: text });
      expect(shop.arrivals).toHaveLength(1);
    },
  );

  test("a 2xx response that leaves the postback open is a failure", async () => {
    const { store, postbacks } = await createShop();
    await addOpen(store, "failed");
    const { baseUrl } = await startServer(({ response }) => response.end("<h1>Welcome</h1>"));

    const { exitCode, stderr } = await postbacks("deliver", "order-1", "--to", baseUrl);

    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("still open") });
  });

  test.each([
    ["http://shop.example/postbacks", {}, "--to must be https"],
    ["ftp://127.0.0.1/", {}, "--to must be an absolute http or https URL"],
    ["https://user:hunter2@shop.example/", {}, "--to must not contain a user"],
    [`http://127.0.0.1:9/${"x".repeat(3_000)}`, {}, "--to cannot be signed"],
    ["http://127.0.0.1:9/", { PAYMENTS_POSTBACK_SECRET: "" }, "Set PAYMENTS_POSTBACK_SECRET"],
    ["http://127.0.0.1:9/", { PAYMENTS_POSTBACK_SECRET: "hunter2" }, "at least 32 bytes"],
    ["http://127.0.0.1:4/?token=hunter2", {}, "cannot be reached (ECONNREFUSED)"],
  ])("to %s with %j it fails, and prints no secret", async (to, settings, text) => {
    const { cwd, env, store } = await createShop();
    await addOpen(store, "failed");

    const argv = ["postbacks", "deliver", "order-1", "--to", to];
    const { exitCode, stdout, stderr } = await runCli(argv, { cwd, env: { ...env, ...settings } });

    expect(exitCode).toBe(1);
    expect(`${stdout}${stderr}`).toContain(text);
    expect(`${stdout}${stderr}`).not.toMatch(/hunter2|pbsig|a secret of/);
  });

  test("nothing is sent for an order without open postbacks, or whose record cannot be read", async () => {
    const { cwd, store, postbacks } = await createShop();
    const { url, arrivals } = await startHandler(store);

    const none = await postbacks("deliver", "order-1", "--to", url);
    await addOpen(store, "failed");
    damage(cwd);
    const damaged = await postbacks("deliver", "order-1", "--to", url);

    expect(none.stderr).toContain('No open postback of "order-1"');
    expect(damaged.stderr).toContain("cannot be read");
    expect([none.exitCode, damaged.exitCode, arrivals.length]).toEqual([1, 1, 0]);
  });
});

describe("close", () => {
  test("ends the open postbacks without running the callback, except those that are running", async () => {
    const { store, postbacks, list } = await createShop();
    await addOpen(store, "failed");
    await addOpen(store, "running", { id: 8 });

    const { exitCode, stdout } = await postbacks("close", "order-1", "--yes");

    expect(exitCode).toBe(0);
    expect(stdout).toContain("Nothing is shipped");
    expect(stdout).toContain("Closed: approved of 7.");
    expect(await list()).toMatchObject([{ id: 8 }]);
    expect(await postbacks("close", "order-1", "--yes")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("Nothing was closed: the postbacks are running"),
    });
    expect((await postbacks("close", "order-2", "--yes")).stderr).toContain('No open postback of "order-2"');
  });

  test("removes a record that cannot be read, which is listed until then", async () => {
    const { cwd, store, postbacks, list } = await createShop();
    await addOpen(store, "failed");
    damage(cwd);
    expect(await list()).toMatchObject([{ externalRef: "order-1", lastError: { name: "UnreadableRecord" } }]);

    const { stdout } = await postbacks("close", "order-1", "--yes", "--json");

    expect(JSON.parse(stdout)).toMatchObject({ externalRef: "order-1", closed: [{ state: "failed" }] });
    expect(await list()).toEqual([]);
  });

  test.each([
    ["y\n", true, 0],
    [" YES\n", true, 0],
    ["yep\n", true, 1],
    ["\n", true, 1],
    ["", true, 1],
    ["y\n", false, 1],
  ])("after the answer %j in a terminal (%s) %i postbacks are left", async (answer, isTTY, left) => {
    const { cwd, env, store, list } = await createShop();
    await addOpen(store, "failed");
    const stdin = Object.assign(new PassThrough(), { isTTY });
    stdin.end(answer);

    await runCli(["postbacks", "close", "order-1"], { cwd, env, stdin });

    expect(await list()).toHaveLength(left);
  });
});

test.each([
  [{ id: 8 }, false],
  [{ id: 8 }, true],
  [{ amount: 990 }, true],
  [{ status: "refunded" }, true],
])("close ends nothing that it has not shown: %j (the shown one has ended: %s)", async (other, hasEnded) => {
  const { cwd, env, store, list } = await createShop();
  await addOpen(store, "failed");
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const run = startCli(["postbacks", "close", "order-1"], { cwd, env, stdin });
  await expect.poll(run.stderr).toContain("Close them?");

  if (hasEnded) await store.closePostbacks("order-1");
  await addOpen(store, "failed", other);
  stdin.end("y\n");

  expect(await run.exitCode).toBe(1);
  expect(await list()).toHaveLength(hasEnded ? 1 : 2);
});

/** Runs `payments orders show`. */
async function showOrder({ cwd, env }: Awaited<ReturnType<typeof createShop>>, externalRef = "order-1") {
  const { exitCode, stdout, stderr } = await runCli(["orders", "show", externalRef], { cwd, env });
  const json = await runCli(["orders", "show", externalRef, "--json"], { cwd, env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return { stdout, json: JSON.parse(json.stdout) };
}

test.each([
  ["order-1", 7, /^order-1\n/],
  ["order-2", 8, /^No order "order-2" in namespace "default" of \/.*\/payments.db/], // it has no record
])("orders show lists the open postbacks of %s, and what to do with them", async (externalRef, id, start) => {
  const shop = await createShop();
  await addOpen(shop.store, "failed");
  await addOpen(shop.store, "failed", { externalRef: "order-2", id: 8 });

  const { stdout, json } = await showOrder(shop, externalRef);

  expect(stdout).toMatch(start);
  const row = `${externalRef}\tfailed\tapproved\t.*\t${id}\t1\t\\d+s\tDatabaseError, 57P01\n`;
  expect(stdout.match(/^order-.\t.*\n/gm)).toEqual([expect.stringMatching(row)]);
  expect(stdout).toContain(`npx payments postbacks deliver ${externalRef} --to <url>\n`);
  expect(stdout).toContain(`npx payments postbacks close ${externalRef}\n`);
  expect(json).toMatchObject({ externalRef, openPostbacks: [{ id }] });
});

test.each<[title: string, states: readonly State[], isDamaged: boolean, suggested: readonly string[]]>([
  [
    "to close a record that cannot be read, which deliver refuses",
    ["failed"],
    true,
    ["resolve", "resolve", "close"],
  ],
  ["only to wait while all open postbacks of the order are running", ["running"], false, []],
  [
    "to deliver those that do not run",
    ["running", "failed"],
    false,
    ["resolve", "resolve", "deliver", "close"],
  ],
])("orders show suggests %s", async (_title, states, isDamaged, suggested) => {
  const shop = await createShop();
  for (const [index, state] of states.entries()) await addOpen(shop.store, state, { id: 7 + index });
  if (isDamaged) damage(shop.cwd);

  const { stdout } = await showOrder(shop);

  const commands = Array.from(
    stdout.matchAll(/payments (?:postbacks|orders) (\w+) order-1/g),
    ([, name]) => name,
  );
  expect(commands).toEqual(suggested);
  expect(stdout.includes("Wait")).toBe(suggested.length === 0);
});

test("doctor names the namespace whose open postbacks it counts, and those that it does not read", async () => {
  const { cwd, env, store } = await createShop();
  await addOpen(store, "failed");
  const other = sqliteStore(join(cwd, "payments.db"), { namespace: "shop-2" });
  await other.claim({ externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "1" }, MINUTE_MS);
  other.close();

  const { stdout } = await runCli(["doctor", "--namespace", "shop-2"], { cwd, env });

  const finding = `${cwd}/payments.db, namespace "shop-2": 0 failed, 0 abandoned; not read: default`;
  expect(stdout).toContain(`Postbacks\tok\t${finding}\t\n`);
});

test.each([
  [[], "ok", "0 failed, 0 abandoned"],
  [["running"], "ok", "0 failed, 0 abandoned"],
  [
    ["failed", "failed", "abandoned"],
    "warning",
    "2 failed, 1 abandoned\tList them with payments postbacks list.",
  ],
] as const)("doctor counts open postbacks: %j is %s", async (states, result, text) => {
  const { cwd, env, store } = await createShop();
  for (const [index, state] of states.entries()) await addOpen(store, state, { id: index + 1 });

  const { stdout } = await runCli(["doctor"], { cwd, env });

  expect(stdout).toContain(`Postbacks\t${result}\t${cwd}/payments.db, namespace "default": ${text}`);
});
