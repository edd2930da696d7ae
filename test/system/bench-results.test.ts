import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { NO_REASON, RESULTS } from "../../bench/support/results.ts";

describe("the results that are kept", () => {
  const results = () => readFileSync(RESULTS, "utf8");

  test("tell the day, the version of Node, and every package that took part", () => {
    const text = results();

    expect(text).toMatch(/on 20\d\d-\d\d-\d\d: Node 2\d\.\d+\.\d+ on \d+ cores/);
    for (const name of ["payments-sdk", "ky", "zod", "jose", "stripe", "openai", "square", "undici"]) {
      expect(text).toMatch(new RegExp(`^\\| ${name} +\\| +\\d+\\.\\d+\\.\\d+ \\|$`, "m"));
    }
  });

  test.each([
    "A create",
    "A create after a pause",
    "Bytes allocated by a create",
    "Memory over many creates",
    "Start-up",
    "The first answer",
    "In the browser",
    "Taking a postback",
    "The idempotency stores",
    "The sandbox",
    "Installed",
    "Soak: a service that is slow, fails and recovers",
  ])("hold the section %j", (title) => {
    expect(results()).toContain(`\n## ${title}\n`);
  });

  test.each([
    "fetch",
    "node:http",
    "undici.request",
    "ky",
    "payments-sdk",
    "payments-sdk over nodeTransport",
    "stripe",
    "openai",
    "anthropic",
    "mercadopago",
    "paddle",
    "square",
    "adyen over fetch",
  ])("tell what a create of each kind costs %s", (name) => {
    const rows = sectionOf(results(), "A create").filter((line) => line.split("|")[1]?.trim() === name);

    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const row of rows) expect(row.match(/\d+\.\d\d|\d+ µs/g)?.length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    [/^CPU of a create, default transport: (card|pix8|pix20), (1|16|64) at a time, beside fetch$/, 9, "1.40"],
    [/^CPU of a create over nodeTransport: (card|pix8|pix20), (1|16|64) at a time, beside fetch$/, 9, "0.85"],
    [/^CPU of a create over nodeTransport: .+, beside fetch; the limit is stripe's$/, 9, undefined],
    [/^Latency of a create over nodeTransport: (card|pix8|pix20), 1 at a time, beside fetch$/, 3, "0.95"],
    [/^CPU of a create after a pause, /, 2, "1.25"],
    [/^Bytes of the heap that a create of a card allocates, default transport$/, 1, "102"],
    [/^Growth of the heap between 5,000 calls and 20,000: /, 2, "16"],
    [/^Start-up of `import "payments-sdk"`, /, 1, "3"],
    [/^Import and first answer of /, 2, "1.40"],
    [/^Browser entry, whole, minified, brotli$/, 1, "13000"],
    [/^Installed besides our own package$/, 1, "3"],
    [/^Installed, our own package included$/, 1, "7.50"],
    [/^Soak, /, 8, undefined], // each with a limit of its own
  ])("hold the aims %s: %d with the limit %s", (what, number, limit) => {
    const rows = sectionOf(results(), "Aims").map((line) => line.split("|").map((cell) => cell.trim()));
    const told = rows.filter(([, name = ""]) => what.test(name));

    expect(told).toHaveLength(number);
    for (const [, , atMost] of told) expect(atMost).toBe(limit ?? atMost);
  });

  test("no aim is missed without a reason", () => {
    expect(results()).not.toContain(NO_REASON);
  });
});

/** The lines of a section. */
function sectionOf(text: string, title: string): string[] {
  const [section = ""] = text.split(`\n## ${title}\n`)[1]?.split(/^## /m) ?? [];
  return section.split("\n");
}
