import { stdout } from "node:process";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { showProgress } from "../../examples/support/progress.ts";

const isTTY = stdout.isTTY;

/** Everything that is written, while the clock stands still. */
let written: string[];

beforeEach(() => {
  written = [];
  vi.useFakeTimers();
  vi.spyOn(stdout, "write").mockImplementation((text) => {
    written.push(String(text).replace("\r\u001b[2K", ""));
    return true;
  });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    stdout.isTTY = isTTY;
  });
});

test("a progress line counts the time in a terminal, and is cleared at the end", () => {
  stdout.isTTY = true;

  const end = showProgress("Waiting.");
  vi.advanceTimersByTime(61_000);
  end();
  vi.advanceTimersByTime(5_000);

  expect(written.slice(0, 3)).toEqual(["  Waiting. 0:00", "  Waiting. 0:01", "  Waiting. 0:02"]);
  expect(written.slice(-2)).toEqual(["  Waiting. 1:01", ""]);
});
