import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { CURLS, openShell } from "./support/shell.ts";

/** What a page tells to type, and what it says that one sees then. */
interface Step {
  readonly lines: string;
  readonly seen?: string;
}

const page = readFileSync(join(import.meta.dirname, "../../docs/curl.md"), "utf8");

function stepsFor(baseUrl: string): Step[] {
  const blocks = page
    .replaceAll("http://127.0.0.1:4010", baseUrl)
    .matchAll(/^```(?<language>\w+)\n(?<code>.*?)^```$/gms);
  const steps: Step[] = [];
  for (const { groups: { language, code = "" } = {} } of blocks) {
    if (language === "sh") steps.push({ lines: code });
    else if (steps.length > 0) steps.push({ lines: "", ...steps.pop(), seen: code });
  }
  return steps;
}

/** An answer is shown in part, with an ellipsis in texts that differ each time. */
function asShown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asShown);
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([key, inner]) => [key, asShown(inner)]);
    return expect.objectContaining(Object.fromEntries(fields));
  }
  if (typeof value !== "string" || !value.includes("…")) return value;
  const parts = value.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^${parts.join(".+")}$`, "s"));
}

function openedShell(curl: string) {
  const shell = openShell(curl);
  onTestFinished(shell.close);
  return shell;
}

describe.each(CURLS)("with %s", (curl) => {
  test("the page's lines show what the page says", async () => {
    const sandbox = await startSandbox({ now: Date.UTC(2026, 10, 20, 12) });
    onTestFinished(() => sandbox.close());
    const shell = openedShell(curl);
    const steps = stepsFor(sandbox.baseUrl);

    for (const { lines, seen } of steps) {
      const { printed, code } = await shell.run(lines);
      await sandbox.gateway.settled(); // a person is not as fast as this

      expect(code, lines + printed).toBe(0);
      if (seen === undefined) expect(printed, lines).toBe("");
      else expect(JSON.parse(printed), lines).toEqual(asShown(JSON.parse(seen)));
    }
    expect(steps.filter(({ seen }) => seen === undefined)).toHaveLength(1);
    expect(sandbox.gateway.transactions.map(({ status }) => status)).toEqual([
      ...["approved", "refused", "refunded", "expired"],
    ]);
  });

  const form = { "content-type": "application/x-www-form-urlencoded" };
  const json = { "content-type": "application/json" };

  test.each([
    ["curl URL/a", "GET /a", {}, ""],
    ["curl -s 'URL/a?b=c'", "GET /a?b=c", {}, ""],
    ["curl -X POST URL/a", "POST /a", {}, ""],
    ["curl URL/a -u sk_a:pk_b", "GET /a", { authorization: "Basic c2tfYTpwa19i" }, ""],
    ["curl URL/a -d '{ \"b\": 1 }'", "POST /a", form, '{ "b": 1 }'],
    [
      "curl URL/a -H 'Content-Type: application/json' -d @- <<X\n{\n\"b\":\n1 }\nX",
      "POST /a",
      json,
      '{"b":1 }',
    ],
  ])("%j sends what curl sends, and prints the answer", async (line, requested, headers, body) => {
    const seen: unknown[] = [];
    const server = createServer(async (request, response) => {
      const { authorization, "content-type": type } = request.headers;
      const sent = { ...(authorization && { authorization }), ...(type && { "content-type": type }) };
      seen.push([`${request.method} ${request.url}`, sent, await text(request)]);
      response.writeHead(500).end("no\nluck"); // with -f it would not print it
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await expect.poll(() => server.listening).toBe(true);
    const { port } = server.address() as AddressInfo;

    const ran = await openedShell(curl).run(line.replace("URL", `http://127.0.0.1:${port}`));

    expect(seen).toEqual([[requested, headers, body]]);
    expect(ran).toEqual({ printed: "no\nluck", code: 0 });
  });
});

test("the stand-in for curl does not pretend to know what it does not", async () => {
  const { code } = await openedShell("the stand-in").run("curl --retry 3 http://127.0.0.1:1");

  expect(code).not.toBe(0);
});

test("the page needs nothing but curl", () => {
  const steps = stepsFor("http://127.0.0.1:4010");
  const commands = steps.flatMap(({ lines }) =>
    lines
      .replaceAll(/<<JSON\n.*?^JSON$/gms, "")
      .replaceAll(/'[^']*'/g, "''")
      .replaceAll("\\\n", "")
      .trim()
      .split("\n"),
  );

  expect(commands.length).toBeGreaterThan(15);
  expect(commands.filter((command) => !/^(TOKEN=\$\()?curl [^|;&]+$/.test(command))).toEqual([]);
});
