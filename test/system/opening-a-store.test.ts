import { expect, onTestFinished, test } from "vitest";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROUNDS = 20;

/** Opens a new file in every round, in the same millisecond as the other process. */
const OPENS_FILES = `
  import { sqliteStore } from "payments-sdk/idempotency";
  const [folder, start] = process.argv.slice(1);
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    while (Date.now() < Number(start) + round * 50);
    sqliteStore(folder + "/" + round + ".db").close();
  }
  console.log("opened all");
`;

test("a new file may be opened by several processes in the same millisecond", async () => {
  const folder = temporaryFolder();
  const start = String(Date.now() + 1_500);
  const processes = [1, 2, 3].map(() =>
    run("node", ["--input-type=module", "-e", OPENS_FILES, folder, start]),
  );
  onTestFinished(() => {
    for (const { kill } of processes) kill();
  });

  const ends = await Promise.all(processes.map(({ ended }) => ended));

  expect(processes.map(({ stderr }) => stderr()).join("")).toBe("");
  expect(ends).toEqual([0, 0, 0]);
});
