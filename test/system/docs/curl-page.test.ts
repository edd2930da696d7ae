import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/curl.md"), "utf8");
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** A matcher for a documented response, which shows some fields, and `…` for values that differ each time. */
function matcherFor(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(matcherFor);
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([key, inner]) => [key, matcherFor(inner)]);
    return expect.objectContaining(Object.fromEntries(fields));
  }
  if (typeof value !== "string" || !value.includes("…")) return value;
  const parts = value.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^${parts.join(".+")}$`, "s"));
}

test.skipIf(!hasCurl)(
  "the commands of docs/curl.md print the documented responses",
  async () => {
    const sandbox = await start({ now: Date.UTC(2026, 10, 20, 12), pixFields: "endpoint" });
    const cwd = temporaryFolder();
    const blocks = page
      .replaceAll("http://127.0.0.1:4010", sandbox.baseUrl)
      .matchAll(/^```(sh|json)\n(.*?)^```$/gms);

    let printed = "";
    for (const [, language, text = ""] of blocks) {
      if (language === "json") {
        expect(JSON.parse(printed)).toEqual(matcherFor(JSON.parse(text)));
      } else {
        const lines = `[ ! -f token ] || . ./token\n${text}\necho "TOKEN=$TOKEN" > token`;
        ({ stdout: printed } = await promisify(execFile)("sh", ["-e", "-c", lines], { cwd }));
        await sandbox.gateway.settled();
      }
    }

    expect(sandbox.gateway.transactions.map(({ status }) => status)).toEqual(["approved", "approved"]);
  },
  120_000,
);
