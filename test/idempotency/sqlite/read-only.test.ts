import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sqliteStore } from "payments-sdk/idempotency";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SOURCE = new URL("../../../src/idempotency.ts", import.meta.url).href;

/** Not root, whom no permission keeps out. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const OPENS = `
  const { sqliteStore } = await import(${JSON.stringify(SOURCE)});
  const order = { externalRef: "order-2", amount: 1990, paymentMethod: "pix", owner: "a" };
  try {
    const store = sqliteStore(process.argv[1]);
    console.log("opened, " + await store.claim(order, 1_000).then(({ state }) => state, ({ message }) => message));
  } catch (error) {
    console.log(error.name + ": " + error.message);
  }
`;

/** How a user without special rights opens a store. */
async function openAsNobody(path: string): Promise<string> {
  const args = ["--no-warnings", "--input-type=module", "-e", OPENS, path];
  const { stdout } = await promisify(execFile)(process.execPath, args, NOBODY);
  return stdout.trim();
}

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  chmodSync(folder, 0o755);
});

function existingFile(): string {
  const file = join(folder, "data/store.db");
  mkdirSync(join(folder, "data"));
  sqliteStore(file).close();
  return file;
}

const REFUSED = "ConfigurationError: path must name a SQLite database that this process can write";

test.each<[string, () => string, string]>([
  [
    "a new file in a folder that cannot be written",
    () => {
      chmodSync(folder, 0o555);
      return join(folder, "store.db");
    },
    "unable to open database file",
  ],
  ["a folder that does not exist", () => join(folder, "missing/store.db"), "unable to open database file"],
  ["a folder instead of a file", () => folder, "unable to open database file"],
  [
    "a file that cannot be written",
    () => {
      const file = existingFile();
      chmodSync(join(folder, "data"), 0o777);
      chmodSync(file, 0o444);
      return file;
    },
    "attempt to write a readonly database",
  ],
  [
    "a file that cannot be written and was never used",
    () => {
      writeFileSync(join(folder, "empty.db"), "");
      chmodSync(folder, 0o777);
      chmodSync(join(folder, "empty.db"), 0o444);
      return join(folder, "empty.db");
    },
    "attempt to write a readonly database",
  ],
  [
    "a file that can be written in a folder that cannot",
    () => {
      const file = existingFile();
      chmodSync(file, 0o666);
      chmodSync(join(folder, "data"), 0o555);
      return file;
    },
    "",
  ],
  [
    "a file that cannot be read",
    () => {
      const file = existingFile();
      chmodSync(file, 0o000);
      return file;
    },
    "unable to open database file",
  ],
])("%s is refused when it is opened, with what to change", async (_what, path, reason) => {
  const opened = await openAsNobody(path());

  expect(opened).toContain(REFUSED);
  expect(opened).toContain(reason);
});
