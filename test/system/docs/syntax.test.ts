import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { root } from "../../support/tool.ts";

/** What esbuild writes for such runtimes. It puts newer syntax into older words. */
async function codeFor(entry: string, target: string[]): Promise<string | undefined> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(root, "dist", entry)], bundle: true, write: false, format: "esm", target },
    ...{ external: ["node:*", "msw"], logLevel: "silent" },
    // They are as old as ES2018, but esbuild does not trust any browser's list of properties.
    supported: { "regexp-unicode-property-escapes": true },
  });
  return outputFiles[0]?.text;
}

test.each([
  ["index.js", "es2022"],
  ["node.js", "es2022"],
  ["browser.js", "chrome111", "edge111", "firefox111", "safari16.4"],
])(
  "%s is code for %s as it is, as docs/runtimes.md and docs/tokenization.md say",
  async (entry, ...target) => {
    expect(await codeFor(entry, target)).toBe(await codeFor(entry, ["esnext"]));
  },
);
