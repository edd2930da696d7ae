import { cpSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { root, tool } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A project with the built package only. */
function projectWithoutMsw(): string {
  const folder = temporaryFolder();
  for (const part of ["dist", "package.json"]) {
    cpSync(join(root, part), join(folder, "node_modules/payments-sdk", part), { recursive: true });
  }
  return folder;
}

async function printedBy(code: string, folder: string): Promise<string> {
  const { stdout, stderr } = await tool("node", ["--input-type=commonjs", "--eval", code], folder);
  return `${stdout}${stderr}`.trim();
}

const IMPORT = 'import("payments-sdk/msw").catch(({ message }) => console.log(message));';

describe("importing payments-sdk/msw", () => {
  test("without msw, names the missing package", async () => {
    expect(await printedBy(IMPORT, projectWithoutMsw())).toMatch(/^Cannot find package 'msw'/);
  });

  test("returns the same module as require()", async () => {
    const code = `
      const required = require("payments-sdk/msw");
      import("payments-sdk/msw").then((imported) =>
        console.log(typeof required.handlers, required.handlers === imported.handlers));`;

    expect(await printedBy(code, root)).toBe("function true");
  });
});

test.each([
  ["browser", "esm"],
  ["node", "cjs"], // CommonJS has no top-level await
] as const)("payments-sdk/msw can be bundled for a %s, as %s", async (platform, format) => {
  const contents =
    'import { handlers } from "payments-sdk/msw"; globalThis.list = handlers("https://a.example");';

  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    tsconfigRaw: {}, // otherwise the name would resolve to the source
    bundle: true,
    platform,
    format,
    write: false,
    logLevel: "silent",
  });

  expect(outputFiles[0]?.text).toContain("globalThis.list");
});
