import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Running, root, run } from "../support/running.ts";

/** The `payments` command as a process. What its commands do is tested in test/cli. */
function payments(...args: readonly string[]): Running {
  const running = run("node", [join(root, "dist/payments.js"), ...args]);
  onTestFinished(running.kill);
  return running;
}

test.each(["SIGINT", "SIGTERM"] as const)("%s stops it, even while a client is connected", async (signal) => {
  const running = payments("sandbox", "--port", "0");
  const [, baseUrl = ""] = await running.printed(/PAYMENTS_BASE_URL=(.+)\n[\s\S]+Press Ctrl-C to stop\.\n/);
  const stream = await fetch(`${baseUrl}/sandbox/events`);

  running.signal(signal);

  expect(await running.ended).toBe(0);
  expect(running.stdout()).toMatch(/Press Ctrl-C to stop\.\n\nStopped\. Nothing was saved\.\n$/);
  expect(running.stderr()).toBe("");
  await expect(stream.text()).rejects.toThrow();
});

test("it exits without an error if its output is closed", async () => {
  const running = payments("sandbox", "--port", "0");
  running.stopReading();

  expect(await running.ended).toBe(0);
  expect(running.stderr()).toBe("");
});

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const running = payments("--version");

  expect(await running.ended).toBe(0);
  expect(running.stdout()).toBe(`${version}\n`);
});
