import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { onInterrupt } from "../../src/cli/run.ts";

test.each([
  ["once stops it", [0], 1, 0],
  ["with two signals from one key press stops it once", [0, 20], 1, 0],
  ["again while it is stopping ends it immediately", [0, 20, 2_000], 1, 1],
])("Ctrl-C %s", (_what, times, ends, endsNow) => {
  const signals = new EventEmitter() as unknown as NodeJS.Process;
  const [end, endNow] = [vi.fn(), vi.fn()];
  const now = vi.spyOn(Date, "now");
  onInterrupt(signals, end, endNow);

  for (const time of times) {
    now.mockReturnValue(1_000 + time);
    signals.emit("SIGINT", "SIGINT");
  }

  expect(end).toHaveBeenCalledTimes(ends);
  expect(endNow).toHaveBeenCalledTimes(endsNow);
});
