import { ConfigurationError } from "payments-sdk";
import { type NodeTransportOptions, nodeTransport } from "payments-sdk/node";
import { expect, onTestFinished, test, vi } from "vitest";
import { readTransportOptions } from "../../src/node/node-transport.ts";
import { thrownBy } from "../support/merchant.ts";

test("by default a host has 256 connections, which close after 4 s without use and have 10 s to open", () => {
  expect(readTransportOptions({})).toEqual({ maxSockets: 256, idleTimeout: 4_000, connectTimeout: 10_000 });
});

test.each<[string, unknown, string]>([
  ["no sockets", { maxSockets: 0 }, "maxSockets must be a whole number above zero"],
  ["infinite sockets", { maxSockets: Number.POSITIVE_INFINITY }, "maxSockets must be"],
  ["no time", { connectTimeout: 0 }, "connectTimeout must be a number of milliseconds above zero"],
  ["more than a timer can hold", { idleTimeout: 2 ** 31 }, "idleTimeout must be"],
  ["a misspelt name", { maxSocket: 4 }, "did you mean maxSockets?"],
  ["no options", null, "The options must be an object"],
])("invalid options throw at once: %s", (_what, options, message) => {
  const error = thrownBy(() => nodeTransport(options as NodeTransportOptions));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ code: "configuration", outcome: "not_applicable" });
  expect(error.message).toContain(message);
});

test.each<[string, object, boolean]>([
  ["Bun", { version: "1.3.14" }, true],
  ["Bun", { version: "1.4.0" }, false],
  ["Deno", { version: { deno: "2.5.6" } }, true],
  ["Deno", { version: { deno: "2.9.6" } }, false],
])(
  "on %s %j it throws: %s, because the node:http of older versions sends twice, or nothing",
  (name, runtime, isUnsupported) => {
    vi.stubGlobal(name, runtime);
    const create = () => nodeTransport().close();

    if (isUnsupported)
      expect(create).toThrow("nodeTransport needs Node, Bun 1.4 or newer, or Deno 2.9 or newer");
    else expect(create).not.toThrow();
  },
);

test("an older Node fails to import it, with the version that it needs", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  onTestFinished(() => void vi.resetModules()); // the test files share their modules
  vi.resetModules();
  vi.stubGlobal("process", Object.create(process, { getBuiltinModule: { value: undefined } }));

  await expect(import("payments-sdk/node")).rejects.toThrow("payments-sdk/node needs Node 22.13 or newer");
});
