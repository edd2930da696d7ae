import { ConfigurationError } from "payments-sdk";
import { type NodeTransportOptions, nodeTransport } from "payments-sdk/node";
import { expect, test, vi } from "vitest";
import { readTransportOptions } from "../../src/node/node-transport.ts";
import { json, startServer } from "../support/http-server.ts";
import { thrownBy } from "../support/merchant.ts";
import { answerOf, directSend } from "./support/direct.ts";

test("by default a host has 256 connections, which close after 4 s without use and have 10 s to open", () => {
  expect(readTransportOptions({})).toEqual({ maxSockets: 256, idleTimeout: 4_000, connectTimeout: 10_000 });
});

test.each<[string, unknown, string]>([
  ["no sockets", { maxSockets: 0 }, "maxSockets must be a whole number above zero"],
  ["endless sockets", { maxSockets: Number.POSITIVE_INFINITY }, "maxSockets must be"],
  ["no time", { connectTimeout: 0 }, "connectTimeout must be a number of milliseconds above zero"],
  ["more than a timer can hold", { idleTimeout: 2 ** 31 }, "idleTimeout must be"],
  ["a name that is misspelt", { maxSocket: 4 }, "did you mean maxSockets?"],
  ["no options", null, "The options must be an object"],
])("options that cannot work are refused at once: %s", (_what, options, message) => {
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
  "on %s %j it is refused: %s, because node:http of an older one sends twice, or nothing",
  (name, runtime, isRefused) => {
    vi.stubGlobal(name, runtime);
    const make = () => nodeTransport().close();

    if (isRefused) expect(make).toThrow("nodeTransport needs Node, Bun 1.4 or newer, or Deno 2.9 or newer");
    else expect(make).not.toThrow();
  },
);

test("256 requests to one host are under way at a time, unless told otherwise", async () => {
  const waiting: (() => void)[] = [];
  const { baseUrl, arrivals, connections } = await startServer((exchange) => {
    waiting.push(() => json(200, {})(exchange));
    if (arrivals.length >= 256) for (const answer of waiting.splice(0)) answer();
  });
  const send = directSend();

  await Promise.all(Array.from({ length: 300 }, () => answerOf(baseUrl, { send, method: "GET" })));

  expect(arrivals).toHaveLength(300);
  expect(connections()).toBe(256);
});
