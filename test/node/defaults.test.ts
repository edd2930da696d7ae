import { expect, test } from "vitest";
import { readTransportOptions } from "../../src/node/transport-options.ts";

test("by default a host has 256 connections, which are kept for 4 s and have 10 s to be opened", () => {
  expect(readTransportOptions({})).toEqual({ maxSockets: 256, idleTimeout: 4_000, connectTimeout: 10_000 });
});
