import { readdirSync } from "node:fs";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { envOf, startExample } from "./support/run-example.ts";

const KEYS = { secretKey: "sk_of_a_merchant", publicKey: "pk_of_a_merchant" };

test("an example that waits for an answer ends quietly with a Ctrl-C", async () => {
  const service = await startServer(() => undefined);
  const running = startExample("company", [], envOf({ baseUrl: service.baseUrl, ...KEYS }));
  onTestFinished(running.kill);
  await expect.poll(() => service.arrivals.length).toBe(1);

  running.signal("SIGINT");

  expect(await running.ended).toBe(130);
  expect(running.stderr()).toBe("");
});

test("an example that is broken off leaves nothing behind", async () => {
  const folder = temporaryFolder();
  const running = startExample("unresolved", [], { TMPDIR: folder });
  onTestFinished(running.kill);
  await running.printed(/1\. A create times out/);

  running.signal("SIGINT");

  expect(await running.ended).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
});

/** An example whose call breaks because what it calls is being closed, before everything is. */
const BREAKING = `
  import { example } from "./examples/support/example.ts";

  await example({
    name: "breaking",
    summary: "Breaks.",
    flags: {},
    async run({ say, onEnd }) {
      setInterval(() => undefined, 60_000);
      const call = new Promise((_resolve, reject) => {
        onEnd(async () => {
          reject(new Error("It was closed."));
          await new Promise(setImmediate);
        });
      });
      say("It waits.");
      await call.catch((error) => {
        say("It broke.");
        throw error;
      });
    },
  });
`;

test("an example that is broken off says nothing of what breaks then", async () => {
  const running = run(process.execPath, ["--input-type=module", "--eval", BREAKING]);
  onTestFinished(running.kill);
  await running.printed(/It waits\.\n/);

  running.signal("SIGINT");

  expect(await running.ended).toBe(130);
  expect([running.stdout(), running.stderr()]).toEqual(["It waits.\n", ""]);
});

/** An example that has something to end which takes for ever. */
const STUCK = `
  import { example } from "./examples/support/example.ts";

  await example({
    name: "stuck",
    summary: "Does not end.",
    flags: {},
    async run({ say, onEnd }) {
      setInterval(() => undefined, 60_000);
      onEnd(() => new Promise(() => undefined));
      say("It waits.");
      await new Promise(() => undefined);
    },
  });
`;

test("whoever presses Ctrl-C again does not wait for what an example has to end", async () => {
  const running = run(process.execPath, ["--input-type=module", "--eval", STUCK]);
  onTestFinished(running.kill);
  await running.printed(/It waits\.\n/);

  // The first one is often doubled on its way, so that one more counts only after a moment.
  const pressing = setInterval(() => running.signal("SIGINT"), 100);
  onTestFinished(() => clearInterval(pressing));

  expect(await running.ended).toBe(130);
});

test("postbacks takes those of another process until a Ctrl-C, and prints no address", async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const env = { ...envOf(sandbox), PAYMENTS_POSTBACK_SECRET: "a secret of the tests, which is long enough" };
  const receiver = startExample("postbacks", [], env);
  onTestFinished(receiver.kill);
  const [, postbackUrl = ""] = await receiver.printed(/Listens at +(http:\S+)\n/);

  const pix = startExample("pix", ["--ref", "order-7", "--postback-url", postbackUrl], env);
  onTestFinished(pix.kill);
  await pix.ended;
  for (const { id } of sandbox.gateway.transactions) sandbox.gateway.pay(id);
  await receiver.printed(/Handled +order-7 approved, R\$\s19,90: signed, advance\n/);
  receiver.signal("SIGINT");

  expect(await receiver.ended).toBe(0);
  expect(receiver.stderr()).toBe("");
  expect(receiver.stdout() + pix.stdout()).not.toContain("pbsig");
});

test("whoever has seen enough of what is printed ends no example with an error", async () => {
  const running = startExample("quickstart");
  onTestFinished(running.kill);
  await running.printed(/quickstart/);

  running.stopReading();

  expect(await running.ended).toBe(0);
  expect(running.stderr()).toBe("");
});
