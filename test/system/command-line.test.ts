import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { aGuidePix, merchant } from "../sandbox/support/wire.ts";
import { type Running, run } from "../support/running.ts";
import { root } from "../support/tool.ts";

const READY = /Ctrl-C ends it\.\n/;
const bin = join(root, "dist/payments-sandbox.js");

function command(...args: readonly string[]): Running {
  const running = run("node", [bin, ...args]);
  onTestFinished(running.kill);
  return running;
}

/** One that listens on a free port, and the URL and the keys that it printed. */
async function started(...args: readonly string[]) {
  const running = command("--port", "0", ...args);
  await running.printed(READY);
  const row = (name: string) => new RegExp(`^ {2}${name} +(.+)$`, "m").exec(running.stdout())?.[1] ?? "";
  const keys = { baseUrl: row("Base URL"), secretKey: row("Secret key"), publicKey: row("Public key") };
  return { running, ...keys, ...merchant(keys, fetch) };
}

describe("a start", () => {
  test("prints the address, the keys and the dashboard, and nothing else", async () => {
    const { running, baseUrl } = await started();

    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(running.stdout()).toBe(`
payments-sandbox is running.

  Base URL    ${baseUrl}
  Secret key  sk_sandbox_secret
  Public key  pk_sandbox_public
  Dashboard   ${baseUrl}/

Nothing is kept: when it ends, all of it is gone. Ctrl-C ends it.
`);
    expect(running.stderr()).toBe("");
  });

  test("answers at the address that it printed, to the keys that it printed", async () => {
    const { baseUrl, get, create } = await started();

    const company = await get("/api/v1/company");
    const pix = await create(aGuidePix());
    const dashboard = await fetch(`${baseUrl}/`);

    expect([company.status, pix.status, dashboard.status]).toEqual([200, 201, 200]);
    expect(dashboard.headers.get("content-type")).toMatch(/^text\/html/);
  });

  test("takes keys and rules from its flags", async () => {
    const { secretKey, publicKey, get, create } = await started(
      ...["--secret-key", "sk_mine", "--public-key=pk_mine", "--pix-fields", "endpoint"],
    );

    const statuses = [(await get("/api/v1/company")).status, (await create(aGuidePix())).status];

    expect([secretKey, publicKey]).toEqual(["sk_mine", "pk_mine"]);
    expect(statuses).toEqual([200, 400]);
  });

  test("on port 0 takes a free one each time", async () => {
    const [one, two] = await Promise.all([started(), started()]);

    expect(one.baseUrl).not.toBe(two.baseUrl);
  });

  test("that others can reach comes with a warning", async () => {
    const { running, baseUrl } = await started("--host", "0.0.0.0");

    await expect
      .poll(running.stderr)
      .toBe("\nWarning: it listens on 0.0.0.0. Whoever reaches it can read and move everything in it.\n");
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  test("that nobody reads ends without a word", async () => {
    const running = command("--port", "0");
    running.stopReading();

    expect(await running.ended).toBe(0);
    expect(running.stderr()).toBe("");
  });

  test("on a port in use fails with one line that helps", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await expect.poll(() => other.listening).toBe(true);
    const { port } = other.address() as AddressInfo;

    const running = command("--port", String(port));

    expect(await running.ended).toBe(1);
    expect(running.stdout()).toBe("");
    expect(running.stderr()).toBe(
      `payments-sandbox: Port ${port} is in use. Take another with --port, or --port 0.\n`,
    );
  });

  test("on an address of another machine fails with one line that helps", async () => {
    const running = command("--port", "0", "--host", "203.0.113.9");

    expect(await running.ended).toBe(1);
    expect(running.stderr()).toBe(
      "payments-sandbox: It cannot listen on 203.0.113.9. Is --host an address of this machine?\n",
    );
  });
});

describe("what cannot be meant is refused in one line", () => {
  test.concurrent.for<[readonly string[], string]>([
    [["--prot", "4010"], "--prot is no flag. Did you mean --port?"],
    [["4010"], "4010 is no flag. Did you mean --port 4010?"],
    [["--port"], "--port needs a value: <number>."],
    [["--port", "70000"], "--port must be a whole number from 0 to 65535."],
    [["--port", "1e3"], "--port must be a whole number from 0 to 65535."],
    [["--seed", "1.5"], "--seed must be a whole number."],
    [["--secret-key", "mine"], "--secret-key must start with sk_ and hold no colon or space."],
    [["--public-key", "sk_a"], "--public-key must start with pk_ and hold no colon or space."],
    [["--base-url", "shop"], "--base-url must be an absolute http or https URL."],
    [["--base-url", "https://a.example", "--port=0"], "--base-url needs a --port that is known: not 0."],
    [["--pix-fields", "all"], "--pix-fields must be guide or endpoint."],
    [["--outside-limits", "no"], "--outside-limits must be refused or validation."],
  ])("%j", async ([args, problem], context) => {
    // The last of two counts: no row takes the port that others may use.
    const running = run("node", [bin, "--port", "0", ...args]);
    context.onTestFinished(running.kill);

    context.expect(await running.ended).toBe(2);
    context.expect(running.stdout()).toBe("");
    context.expect(running.stderr()).toBe(`payments-sandbox: ${problem} See payments-sandbox --help.\n`);
  });
});

describe("the end", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("comes with %s, whoever is still connected", async (signal) => {
    const { running, baseUrl } = await started();
    const stream = await fetch(`${baseUrl}/sandbox/events`);

    running.signal(signal);

    expect(await running.ended).toBe(0);
    expect(running.stdout()).toMatch(/Ctrl-C ends it\.\nEnded\. Nothing was kept\.\n$/);
    expect(running.stderr()).toBe("");
    await expect(stream.text()).rejects.toThrow();
    await expect(fetch(baseUrl)).rejects.toThrow("fetch failed");
  });
});

test.each(["--help", "-h"])("%s lists every flag", async (flag) => {
  const running = command(flag);

  expect(await running.ended).toBe(0);
  for (const name of [
    ...["--port", "--host", "--seed", "--secret-key", "--public-key", "--base-url"],
    ...["--pix-fields", "--outside-limits", "-h, --help", "-v, --version"],
  ]) {
    expect(running.stdout()).toContain(`\n  ${name} `);
  }
  const tooWide = running
    .stdout()
    .split("\n")
    .filter((line) => line.length > 100);
  expect(tooWide).toEqual([]);
});

test.each(["--version", "-v"])("%s is that of the package", async (flag) => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const running = command(flag);

  expect(await running.ended).toBe(0);
  expect(running.stdout()).toBe(`${version}\n`);
});
