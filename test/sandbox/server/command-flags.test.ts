import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openText, startText } from "../../../src/sandbox/server/command-texts.ts";
import { onInterrupt } from "../../../src/sandbox/server/on-interrupt.ts";
import { readFlags } from "../../../src/sandbox/server/read-flags.ts";

describe("the flags of the command", () => {
  test("are all optional; the port is 4010", () => {
    expect(readFlags([])).toEqual({ kind: "start", options: { port: 4010 } });
  });

  test("set the options of the same names", () => {
    const values = [
      "--port",
      "80",
      "--host",
      "::1",
      "--seed=-7",
      "--secret-key",
      "sk_a",
      "--public-key",
      "pk_b",
    ];
    const rules = [
      "--base-url",
      "https://a.example",
      "--pix-fields",
      "endpoint",
      "--outside-limits=validation",
    ];

    expect(readFlags([...values, ...rules])).toEqual({
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
      },
    });
  });

  test.each<[string[], object]>([
    [["--port", "1", "--port", "2"], { port: 2 }],
    [["--seed", "-5"], { port: 4010, seed: -5 }],
    [["--port", "0x50"], { port: Number.NaN }], // refused by the option's own rule
    [["--port", ""], new Error("--port needs a value: <number>.")],
    [["--postback-retries", "0"], { port: 4010, postbacks: { retries: 0 } }],
    [
      ["--postback-delay=5", "--postback-duplicates", "1", "--postback-reorder"],
      { port: 4010, postbacks: { delayMs: 5, duplicates: 1, reorder: true } },
    ],
    [["--postback-reorder=no"], new Error("--postback-reorder takes no value.")],
  ])("%j", (args, expected) => {
    if (expected instanceof Error) expect(() => readFlags(args)).toThrow(expected.message);
    else expect(readFlags(args)).toEqual({ kind: "start", options: expected });
  });

  test.each([
    [["--port", "1", "-h"], "help"],
    [["--help", "--prot"], "help"],
    [["-v"], "version"],
  ])("%j asks for nothing but a text", (args, kind) => {
    expect(readFlags(args)).toEqual({ kind });
  });

  test.each([
    ["-port", "-port is no flag. Did you mean --port?"],
    ["--baseURL=x", "--baseURL is no flag. Did you mean --base-url?"],
    ["--api-key=sk_live_1", "--api-key is no flag."], // what may be a key is not repeated
    ["-p", "-p is no flag."],
    ["start", "start is no flag."],
    ["", '"" is no flag.'],
  ])("%j is none, and the one that was meant is named", (argument, message) => {
    const read = () => readFlags([argument]);

    expect(read).toThrow(expect.objectContaining({ name: "CommandError", reason: "usage", message }));
  });

  test.each([
    [["--host", "--port"], "--host needs a value: <address>."],
    [["--secret-key="], "--secret-key needs a value: <sk_...>."],
    [["--", "--port"], "--port is no flag."],
  ])("%j lacks something", (args, message) => {
    expect(() => readFlags(args)).toThrow(message);
  });
});

describe("what a start says", () => {
  test("includes where it listens when it is reached by another URL", () => {
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
    ["192.168.0.7", true],
    ["127.example.com", true],
  ])("warns of host %j: %s", (host, warns) => {
    expect(openText(host === undefined ? {} : { host }) !== undefined).toBe(warns);
  });
});

describe("a Ctrl-C", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ["once", [0], 1, 0],
    ["twice by one key", [0, 20], 1, 0],
    ["again, because the end takes long", [0, 20, 2_000], 1, 1],
  ])("%s", (_what, times, ends, endsNow) => {
    const signals = new EventEmitter() as unknown as NodeJS.Process;
    const [end, endNow] = [vi.fn(), vi.fn()];
    const start = Date.now();
    onInterrupt(signals, end, endNow);

    for (const time of times) {
      vi.setSystemTime(start + time);
      signals.emit("SIGINT", "SIGINT");
    }

    expect(end).toHaveBeenCalledTimes(ends);
    expect(endNow).toHaveBeenCalledTimes(endsNow);
  });
});
