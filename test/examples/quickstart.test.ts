import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import jsqr from "jsqr";
import { startSandbox } from "payments-sdk/sandbox/server";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

async function quickstart(env: Record<string, string> = {}) {
  const clean = { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", ...env };
  const started = performance.now();
  const child = run("node", ["examples/quickstart.ts"], { cwd: root, env: clean, timeout: 20_000 });
  child.child.stdin?.end();
  const { stdout, stderr } = await child;
  return { stdout, stderr, lines: stdout.split("\n"), seconds: (performance.now() - started) / 1000 };
}

/** The code that a camera reads from the half blocks of a terminal. */
function scan(lines: readonly string[]): string | undefined {
  const art = lines
    .filter((line) => /^ {2}[█▀▄ ]+$/.test(line) && line.trim() !== "")
    .map((line) => line.slice(2));
  const scale = 4;
  const width = Math.max(...art.map((line) => line.length)) * scale;
  const height = art.length * 2 * scale;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const block = art[Math.floor(y / scale / 2)]?.[Math.floor(x / scale)] ?? " ";
      const lit = Math.floor(y / scale) % 2 === 0 ? "█▀".includes(block) : "█▄".includes(block);
      if (!lit) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return jsqr.default(pixels, width, height)?.data;
}

describe("npm start", () => {
  let shown: Awaited<ReturnType<typeof quickstart>>;

  beforeAll(async () => {
    shown = await quickstart();
  }, 30_000);

  test.each([
    ["an approved card payment", /1\. A card payment.*\n.*\n.*Amount +R\$\s19,90\n +Status +approved\n/],
    [
      "a refused one with its reason",
      /2\. A card payment.*\n.*\n.*\n +Status +refused\n +Reason +Insufficient limit\n/,
    ],
    ["a pix that waits for its payment", /3\. A pix\n.*\n.*\n +Status +pending\n +Expires +\d{4}-/],
    [
      "the postback of its payment, which was believed because its URL was signed",
      /4\. The pix is paid.*\n +Postback +transaction \d+, R\$\s19,90, signed\n +Order +order-\d+-c\n +Status +approved, advance\n/,
    ],
    ["what to do next", /What next\n +\S/],
  ])("shows %s", (_what, pattern) => {
    expect(shown.stdout).toMatch(pattern);
  });

  test("shows a QR code that reads back as the code under it", () => {
    const code = shown.lines.find((line) => line.startsWith("000201"));

    expect(code).toMatch(/6304[0-9A-F]{4}$/);
    expect(scan(shown.lines)).toBe(code);
  });

  test("fits into 80 columns, but for the code that is copied", () => {
    const long = shown.lines.filter((line) => line.length > 80 && !line.startsWith("000201"));

    expect(long).toEqual([]);
  });

  test("has no colour where there is no terminal, and nothing on the error stream", () => {
    expect(shown.stdout).not.toContain("\u001b");
    expect(shown.stderr).toBe("");
  });

  test("ends by itself", () => {
    expect(shown.seconds).toBeLessThan(15);
  });

  test("runs on a sandbox of the environment, which needs no question", async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());

    const { lines } = await quickstart({
      PAYMENTS_BASE_URL: sandbox.baseUrl,
      PAYMENTS_SECRET_KEY: sandbox.secretKey,
      PAYMENTS_PUBLIC_KEY: sandbox.publicKey,
    });

    expect(lines).toContain(`  Service      ${sandbox.baseUrl}`);
    expect(sandbox.gateway.transactions.map(({ status }) => status)).toEqual([
      "approved",
      "refused",
      "approved",
    ]);
    expect(sandbox.gateway.deliveries.map(({ status }) => status)).toEqual(["delivered"]);
  });

  test("charges nobody at a service of the environment without being told yes", async () => {
    const sandbox = await startSandbox({ secretKey: "sk_of_a_merchant" });
    onTestFinished(() => sandbox.close());

    const { stdout } = await quickstart({
      PAYMENTS_BASE_URL: sandbox.baseUrl,
      PAYMENTS_SECRET_KEY: sandbox.secretKey,
      PAYMENTS_PUBLIC_KEY: sandbox.publicKey,
    });

    expect(stdout).toContain("Nothing was charged.");
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test("says which variables are missing when only some are set", async () => {
    const { stdout } = await quickstart({ PAYMENTS_BASE_URL: "https://api.example.com" });

    expect(stdout).toContain(
      "Not set: PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY. Using the embedded sandbox.",
    );
  });

  test("ends with one readable line when the service cannot be reached", async () => {
    const sandbox = await startSandbox();
    await sandbox.close();

    const failed = await quickstart({
      PAYMENTS_BASE_URL: sandbox.baseUrl,
      PAYMENTS_SECRET_KEY: "sk_x",
      PAYMENTS_PUBLIC_KEY: "pk_x",
    }).catch((error: { code: number; stderr: string }) => error);

    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\nConnectionError: .*refused.*\n$/),
    });
  });
});
