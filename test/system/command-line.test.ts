import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PaymentsClient } from "payments-sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../support/http-server.ts";
import { type Running, run } from "../support/running.ts";
import { root } from "../support/tool.ts";
import { aPix } from "./runtimes/smoke/orders.ts";

function command(...args: readonly string[]): Running {
  const running = run("node", [join(root, "dist/payments-sandbox.js"), ...args]);
  onTestFinished(running.kill);
  return running;
}

/** Starts the command on a free port. Returns the process and the URL that it printed. */
async function start(...args: readonly string[]) {
  const running = command("--port", "0", ...args);
  const [, baseUrl = ""] = await running.printed(/Base URL +(.+)\n[\s\S]+Press Ctrl-C to stop\.\n/);
  return { running, baseUrl };
}

test("payments-sandbox prints its base URL and keys, and responds there", async () => {
  const { running, baseUrl } = await start("--secret-key", "sk_mine", "--pix-fields=endpoint");

  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(running.stdout()).toBe(`
payments-sandbox is running.

  Base URL    ${baseUrl}
  Secret key  sk_mine
  Public key  pk_sandbox_public
  Dashboard   ${baseUrl}/

Everything is kept in memory only. Press Ctrl-C to stop.
`);
  expect(running.stderr()).toBe("");
  const dashboard = await fetch(`${baseUrl}/`);
  expect(dashboard.headers.get("content-type")).toMatch(/^text\/html/);
  const keys = { baseUrl, secretKey: "sk_mine", publicKey: "pk_sandbox_public" };
  const { company, transactions } = new PaymentsClient(keys);
  expect((await company.retrieve()).status).toBe("active");
  const create = transactions.createPix(aPix("order-1")); // with fewer fields than the endpoint lists
  await expect(create).rejects.toMatchObject({ code: "validation_failed" });
});

test("it warns if other machines can connect", async () => {
  const { running, baseUrl } = await start("--host", "0.0.0.0");

  await expect
    .poll(running.stderr)
    .toBe("\nWarning: it listens on 0.0.0.0. Anyone who can connect can read and change everything in it.\n");
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test("it exits without an error if its output is closed", async () => {
  const running = command("--port", "0");
  running.stopReading();

  expect(await running.ended).toBe(0);
  expect(running.stderr()).toBe("");
});

describe("it fails with one helpful line", () => {
  test("if its port is in use", async () => {
    const other = createServer();
    await listen(other);
    const { port } = other.address() as AddressInfo;

    const running = command("--port", String(port));

    expect(await running.ended).toBe(1);
    expect(running.stdout()).toBe("");
    expect(running.stderr()).toBe(
      `payments-sandbox: Port ${port} is in use. Choose another one with --port, or --port 0.\n`,
    );
  });

  test("if its address belongs to another machine", async () => {
    const running = command("--port", "0", "--host", "203.0.113.9");

    expect(await running.ended).toBe(1);
    expect(running.stderr()).toBe(
      "payments-sandbox: Cannot listen on 203.0.113.9. Is --host an address of this machine?\n",
    );
  });

  test.each<[readonly string[], string]>([
    [["--prot", "4010"], "--prot is not a flag. Did you mean --port?"],
    [["--port", "70000"], "--port must be a whole number from 0 to 65535."],
    [["--seed", "1.5"], "--seed must be a whole number."],
    [["--secret-key", "mine"], "--secret-key must start with sk_ and contain no colon or space."],
    [["--base-url", "https://a.example", "--port=0"], "--base-url needs a fixed --port, not 0."],
    [["--pix-fields", "all"], "--pix-fields must be guide or endpoint."],
  ])("if its flags are wrong: %j", async (args, problem) => {
    const running = command("--port", "0", ...args); // the last value wins

    expect(await running.ended).toBe(2);
    expect(running.stdout()).toBe("");
    expect(running.stderr()).toBe(`payments-sandbox: ${problem} See payments-sandbox --help.\n`);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("%s stops it, even while a client is connected", async (signal) => {
  const { running, baseUrl } = await start();
  const stream = await fetch(`${baseUrl}/sandbox/events`);

  running.signal(signal);

  expect(await running.ended).toBe(0);
  expect(running.stdout()).toMatch(/Press Ctrl-C to stop\.\nStopped\. Nothing was saved\.\n$/);
  expect(running.stderr()).toBe("");
  await expect(stream.text()).rejects.toThrow();
});

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const running = command("--version");

  expect(await running.ended).toBe(0);
  expect(running.stdout()).toBe(`${version}\n`);
});
