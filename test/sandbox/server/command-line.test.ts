import { EventEmitter } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { startText, warningText } from "../../../src/sandbox/server/command-texts.ts";
import { onInterrupt } from "../../../src/sandbox/server/on-interrupt.ts";
import { readFlags } from "../../../src/sandbox/server/read-flags.ts";

/** The parts of the command that need no process. The command itself is tested in test/system. */

describe("the flags of the command", () => {
  test.each([
    [[], { kind: "start", options: { port: 4010 } }],
    [["--port", "1e3"], { kind: "start", options: { port: Number.NaN } }], // the option refuses it
    [["--port", "1", "-h"], { kind: "help" }],
    [["-v"], { kind: "version" }],
  ])("%j is read as %j", (args, command) => {
    expect(readFlags(args)).toEqual(command);
  });

  test("set the options of the same name, and the last value wins", () => {
    const flags = [
      ...["--port", "1", "--port", "80", "--host", "::1", "--seed=-7", "--secret-key", "sk_a"],
      ...["--public-key", "pk_b", "--base-url", "https://a.example", "--pix-fields", "endpoint"],
      ...["--outside-limits=validation", "--postback-delay=5", "--postback-retries", "0"],
      ...["--postback-duplicates", "1", "--postback-reorder"],
    ];

    expect(readFlags(flags)).toEqual({
      kind: "start",
      options: {
        port: 80,
        host: "::1",
        seed: -7,
        secretKey: "sk_a",
        publicKey: "pk_b",
        baseUrl: "https://a.example",
        pixFields: "endpoint",
        outsideLimits: "validation",
        postbacks: { delayMs: 5, retries: 0, duplicates: 1, reorder: true },
      },
    });
  });

  test.each([
    [["-port"], "-port is not a flag. Did you mean --port?"],
    [["--baseURL=x"], "--baseURL is not a flag. Did you mean --base-url?"],
    [["--api-key=sk_live_1"], "--api-key is not a flag."], // the value may be a key, so it is not repeated
    [["start"], "start is not a flag."],
    [[""], '"" is not a flag.'],
    [["--port", ""], "--port needs a value: <number>."],
    [["--host", "--port"], "--host needs a value: <address>."],
    [["--secret-key="], "--secret-key needs a value: <sk_...>."],
    [["--postback-reorder=no"], "--postback-reorder accepts no value."],
  ])("%j is refused: %s", (args, message) => {
    expect(() => readFlags(args)).toThrow(
      expect.objectContaining({ name: "CommandError", reason: "usage", message }),
    );
  });
});

describe("the start text", () => {
  test("shows the listening address if the base URL is different", () => {
    const keys = { baseUrl: "https://a.example/pay", secretKey: "sk_a", publicKey: "pk_b" };
    const sandbox = { ...keys, gateway: {} as never, close: async () => undefined };

    const text = startText(sandbox, { baseUrl: "https://a.example/pay/", port: 80 });

    expect(text).toContain("\n  Dashboard   https://a.example/pay/\n  Listens on  127.0.0.1, port 80\n");
  });

  test.each([
    [undefined, false],
    ["localhost", false],
    ["127.0.0.2", false],
    ["::1", false],
    ["0.0.0.0", true],
    ["::", true],
    ["127.example.com", true],
  ])("warns about host %j: %s", (host, warns) => {
    expect(warningText(host === undefined ? {} : { host }) !== undefined).toBe(warns);
  });
});

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
