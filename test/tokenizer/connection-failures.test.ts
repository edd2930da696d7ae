import { afterEach, describe, expect, test, vi } from "vitest";
import { aCard, failureOf, tokenizerAt } from "../support/merchant.ts";

afterEach(() => vi.unstubAllGlobals());

/** Refused by `fetch` itself: nothing leaves. What real browsers say is told by the tests in Chromium. */
const NOWHERE = "http://127.0.0.1:9";

describe("a runtime that has some of a browser is asked no more than it can answer", () => {
  test.each<[string, object]>([
    ["a server", {}],
    ["an address, and no events", { location: new URL("https://shop.example"), addEventListener: undefined }],
    ["events, and a navigator that knows no network", { addEventListener: () => undefined, navigator: {} }],
    ["events, and no navigator", { addEventListener: () => undefined, navigator: undefined }],
    ["a navigator, and no events", { navigator: { onLine: false }, addEventListener: undefined }],
  ])("%s", async (_what, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const asked = vi.spyOn(globalThis, "fetch");

    const error = await failureOf(tokenizerAt(NOWHERE).tokenize(aCard()));

    expect(error).toMatchObject({ code: "connection_failed", reason: "network", actor: "network" });
    expect(error.toJSON()).toMatchObject({ reason: "network" });
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

test("a fetch of the page's own is under no rule of the browser, so nothing is asked of it", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  vi.stubGlobal("addEventListener", () => undefined);
  const fetch = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));

  const error = await failureOf(tokenizerAt("https://pay.example", { fetch }).tokenize(aCard()));

  expect(error).toMatchObject({ reason: "network" });
  expect(fetch).toHaveBeenCalledTimes(1);
});
