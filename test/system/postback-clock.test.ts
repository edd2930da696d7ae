import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test, vi } from "vitest";
import { aReceiver, DUPLICATE, HANDLED } from "../postbacks/support/receiver.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LEASE_MS = 1_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("onPostback runs only once if the clock of a SQLite store is set forward by a day", async () => {
  const file = join(temporaryFolder(), "store.db");
  const receiver = () => {
    const store = sqliteStore(file);
    onTestFinished(() => store.close());
    return aReceiver({ store, leaseMs: LEASE_MS });
  };
  const [one, other] = [receiver(), receiver()];
  onTestFinished(() => void vi.useRealTimers());
  let isRunning = true;
  one.onPostback.mockImplementationOnce(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60_000 });
    await pause(3 * LEASE_MS);
    isRunning = false;
  });

  const first = one.post();
  await vi.waitFor(() => expect(one.onPostback).toHaveBeenCalled());
  while (isRunning) {
    await other.post();
    await pause(10);
  }

  expect(await first).toEqual(HANDLED);
  expect(other.onPostback).not.toHaveBeenCalled();
  expect(await other.post()).toEqual(DUPLICATE);
});
