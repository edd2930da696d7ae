import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

test("confirmed writes survive a power cut: synchronous is FULL", () => {
  const exec = vi.spyOn(DatabaseSync.prototype, "exec");
  const store = sqliteStore(join(temporaryFolder(), "payments.db"));
  onTestFinished(() => store.close());

  const database = exec.mock.contexts[0] as DatabaseSync;

  expect(database.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
});
