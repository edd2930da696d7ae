import jsqr from "jsqr";
import { startSandbox } from "payments-sdk/sandbox/server";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { envOf, runExample } from "./support/run-example.ts";

async function quickstart(env: Record<string, string> = {}) {
  const ran = await runExample("quickstart", [], { env });
  return { ...ran, lines: ran.stdout.split("\n") };
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
    [
      "an approved card payment",
      /1\. A card payment.*\n +Order +order-\d+-a\n.*\n.*Amount +R\$\s19,90\n +Status +approved\n/,
    ],
    [
      "a refused one with its reason",
      /2\. A card payment.*\n +Order +order-\d+-b\n.*\n.*\n +Status +refused\n +Reason +Insufficient limit\n/,
    ],
    [
      "a pix that waits for its payment",
      /3\. A pix\n +Order +order-\d+-c\n.*\n.*\n +Status +pending\n +Expires +\d{4}-/,
    ],
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

  test("runs on a sandbox of the environment, which needs no question", async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());

    const { lines } = await quickstart(envOf(sandbox));

    expect(lines).toContain(`  Service      ${sandbox.baseUrl}`);
    expect(sandbox.gateway.transactions.map(({ status }) => status)).toEqual([
      "approved",
      "refused",
      "approved",
    ]);
    expect(sandbox.gateway.deliveries.map(({ status }) => status)).toEqual(["delivered"]);
  });

  test("says where no postback comes of what was paid", async () => {
    const sandbox = await startSandbox({
      postbacks: { fetch: async () => new Response(null, { status: 503 }) },
    });
    onTestFinished(() => sandbox.close());

    const { code, stdout } = await quickstart(envOf(sandbox));

    expect(code).toBe(0);
    expect(stdout).toMatch(/4\. The pix is paid.*\n +No postback came: can the sandbox reach http:\S+\?\n/);
  });
});

describe("npm start at a service that is no sandbox of this package", () => {
  const SIGNING = { PAYMENTS_POSTBACK_SECRET: "a secret of the tests, which is long enough" };
  const ARGS = ["--yes", "--postback-url", "https://shop.example.com/postbacks"];

  async function startService(environment: "production" | "sandbox") {
    const service = await startSandbox({ secretKey: "sk_of_a_merchant", environment });
    onTestFinished(() => service.close());
    return service;
  }

  test("signs where the service posts to", async () => {
    const service = await startService("sandbox");

    const { code } = await runExample("quickstart", ARGS, { env: { ...envOf(service), ...SIGNING } });

    expect(code).toBe(0);
    expect(service.gateway.transactions).toHaveLength(3);
    for (const { postBackUrl } of service.gateway.transactions) {
      expect(postBackUrl).toMatch(/^https:\/\/shop\.example\.com\/postbacks\?pbsig=.+/);
    }
  });

  test("sends no test card to a production", async () => {
    const service = await startService("production");

    const { code, stderr } = await runExample("quickstart", ARGS, {
      env: { ...envOf(service), ...SIGNING },
    });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Nothing was charged: .+ environment production; .+\n$/);
    expect(service.gateway.transactions).toEqual([]);
  });
});
