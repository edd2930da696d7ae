import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { envOf, startExample } from "./support/run-example.ts";
import { idOf, watch } from "./support/watch-pix.ts";

test.each([
  ["pay", 0],
  ["expire", 1],
] as const)(
  "pix --watch goes on where nobody reads, and %s decides that it ends with %i",
  async (move, code) => {
    const { running, gateway } = await watch("--json");
    const id = await idOf(running);

    running.stopReading();
    gateway[move](id);

    expect(await running.ended).toBe(code);
  },
);

test("an example that nobody reads leaves nothing behind", async () => {
  const folder = temporaryFolder();
  const running = startExample("unresolved", [], { TMPDIR: folder });
  onTestFinished(running.kill);
  await running.printed(/1\. A create times out/);

  running.stopReading();

  expect(await running.ended).toBe(0);
  expect(running.stderr()).toBe("");
  expect(readdirSync(folder)).toEqual([]);
});

test("an example that has no end of its own ends where nobody reads", async () => {
  const running = startExample("postbacks", [], {
    ...envOf({ baseUrl: "http://127.0.0.1:9", secretKey: "sk_of_a_shop", publicKey: "pk_of_a_shop" }),
    PAYMENTS_POSTBACK_SECRET: "a secret of the tests, which is long enough",
  });
  onTestFinished(running.kill);
  const [, url = ""] = await running.printed(/Listens at +(http:\S+)\n/);

  running.stopReading();
  const { status } = await fetch(url, { method: "POST", body: "{}" }); // is told in a line

  expect(status).toBe(400);
  expect(await running.ended).toBe(0);
  expect(running.stderr()).toBe("");
});

/** What Node does where a file cannot be written. */
const FULL_DISK = `setImmediate(() => {
  for (const nth of [1, 2]) process.stdout.emit("error", new Error("no space left, " + nth));
});`;

test("an output that cannot be written is told in one line, and is a failure", async () => {
  const running = run(process.execPath, [
    ...["--import", `data:text/javascript,${encodeURIComponent(FULL_DISK)}`],
    "examples/status.ts",
  ]);
  onTestFinished(running.kill);

  expect(await running.ended).toBe(1);
  expect(running.stderr()).toBe("Standard output cannot be written: no space left, 1\n");
});
