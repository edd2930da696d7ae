import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { nameOfStore, tellsPassword } from "../../../examples/unresolved/support/store-name.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { tool } from "../../support/tool.ts";

const unresolved = (...args: readonly string[]) => tool("node", ["examples/unresolved.ts", ...args]);

/** A store in a file with an unresolved order-1. */
async function createStore() {
  vi.stubEnv("PAYMENTS_STORE", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = join(temporaryFolder(), "payments.db");
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  const lost = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "the process" } as const;
  await store.claim(lost, 60_000);
  await store.end(lost, { outcome: "unknown" });
  return { file, stateOfNextClaim: async () => (await store.claim({ ...lost, owner: "next" }, 1)).state };
}

test("without a command, the example settles one timeout by its postback, and another by resolve()", async () => {
  const { code, stdout, stderr } = await unresolved();

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/1\. .+\n +Create +order-1: TimeoutError\n +Outcome +unknown\n/);
  expect(stdout).toMatch(
    /3\. .+\n +0 unresolved .+\n +Create +order-1: approved, transaction \d+\n +Sent +no/,
  );
  expect(stdout).toMatch(
    /5\. .+\n +Dashboard +order-2: no transaction\n +order-2 is free: .+\n +Create +order-2: pending/,
  );
});

test("a listed order can be resolved", async () => {
  const { file, stateOfNextClaim } = await createStore();

  const listed = await unresolved("list", "--store", file, "--json");
  const resolved = await unresolved("resolve", "order-1", "--attempt", "1", "--not-charged", "--store", file);

  expect(JSON.parse(listed.stdout)).toMatchObject([{ externalRef: "order-1", amount: 1990, attempt: 1 }]);
  expect(resolved.stdout).toContain("order-1 is free");
  expect(await stateOfNextClaim()).toBe("yours");
});

describe("nothing is resolved", () => {
  test.each([
    [
      "with two contradicting resolutions",
      ["--attempt", "1", "--not-charged", "--transaction", "7", "--status", "approved"],
      "Say either",
    ],
    ["without an attempt", ["--not-charged"], "Which attempt?"],
    ["with another attempt", ["--attempt", "2", "--not-charged"], "the latest is attempt 1"],
  ])("%s", async (_what, args, message) => {
    const { file, stateOfNextClaim } = await createStore();

    const { code, stderr } = await unresolved("resolve", "order-1", ...args, "--store", file);

    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(await stateOfNextClaim()).toBe("unresolved");
  });
});

test.each([
  "postgres://user:pa/ss@host/db",
  "redis://:hunter2@host:6379",
  "host=db password=hunter2",
  "postgres:///db?host=/run&password=hunter2",
])("a store with a password is not accepted as a flag, and the password is never printed: %s", (location) => {
  expect(tellsPassword(location)).toBe(true);
  expect(nameOfStore(location)).not.toMatch(/pa|hunter2/);
});
