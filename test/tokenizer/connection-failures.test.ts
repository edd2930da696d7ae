import { afterEach, describe, expect, test, vi } from "vitest";
import { aCard, failureOf, tokenizerAt } from "../support/merchant.ts";

afterEach(() => vi.unstubAllGlobals());

/** A port that `fetch` blocks, so that nothing is sent. The tests in Chromium cover real browsers. */
const BLOCKED = "http://127.0.0.1:9";

describe("in a runtime with only some of a browser's globals, the reason is network and nothing else is requested", () => {
  test.each<[string, object]>([
    ["a server", {}],
    ["a location without events", { location: new URL("https://shop.example"), addEventListener: undefined }],
    ["events and a navigator without onLine", { addEventListener: () => undefined, navigator: {} }],
    ["events without a navigator", { addEventListener: () => undefined, navigator: undefined }],
    ["a navigator without events", { navigator: { onLine: false }, addEventListener: undefined }],
  ])("%s", async (_what, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const fetch = vi.spyOn(globalThis, "fetch");

    const error = await failureOf(tokenizerAt(BLOCKED).tokenize(aCard()));

    expect(error).toMatchObject({ code: "connection_failed", reason: "network", actor: "network" });
    expect(error.toJSON()).toMatchObject({ reason: "network" });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

test("a custom fetch is not called again to find the reason", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  vi.stubGlobal("addEventListener", () => undefined);
  const fetch = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));

  const error = await failureOf(tokenizerAt("https://pay.example", { fetch }).tokenize(aCard()));

  expect(error).toMatchObject({ reason: "network" });
  expect(fetch).toHaveBeenCalledTimes(1);
});
