import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { root } from "../../support/running.ts";

/** The output of esbuild for these targets. It replaces syntax that is newer than the targets. */
async function codeFor(entry: string, target: string[]): Promise<string | undefined> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(root, "dist", entry)], bundle: true, write: false, format: "esm", target },
    ...{ external: ["node:*", "msw"], logLevel: "silent" },
    // They are part of ES2018, but esbuild does not assume them for any browser.
    supported: { "regexp-unicode-property-escapes": true },
  });
  return outputFiles[0]?.text;
}

test.each([
  ["index.js", "es2022"],
  ["node.js", "es2022"],
  ["browser.js", "chrome111", "edge111", "firefox111", "safari16.4"],
])(
  "%s uses only syntax of %s, as docs/runtimes.md and docs/tokenization.md promise",
  async (entry, ...target) => {
    expect(await codeFor(entry, target)).toBe(await codeFor(entry, ["esnext"]));
  },
);
