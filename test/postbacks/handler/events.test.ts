import { inspect } from "node:util";
import type { PostbackEvent } from "payments-sdk/postbacks";
import { beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { POSTBACK, tokenIn, URL_OF_SHOP } from "../support/signing.ts";
import { aGate, aReceiver, HANDLED, urlOf } from "./support/receiver.ts";

const postback = expect.objectContaining(POSTBACK);
const failing = { claimPostback: () => Promise.reject(new Error("away")) };
const aStore = { ...failing, renewPostback: vi.fn(), confirmPostback: vi.fn(), releasePostback: vi.fn() };

describe("each postback is told by one event", () => {
  test("handled, then duplicate", async () => {
    const { post, events } = aReceiver();
    await post();
    await post();

    expect(events).toStrictEqual([
      { type: "handled", status: 200, postback },
      { type: "duplicate", status: 200, postback },
    ]);
  });

  test("busy", async () => {
    const { post, events, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const first = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalled());

    await post();

    expect(events).toStrictEqual([{ type: "busy", status: 503, postback }]);
    gate.open();
    await first;
  });

  test("failed, with what onPostback threw", async () => {
    const { post, events, onPostback } = aReceiver();
    const error = new Error("no");
    onPostback.mockRejectedValueOnce(error);
    await post();

    expect(events).toStrictEqual([{ type: "failed", status: 500, postback, error }]);
  });

  test.each<[string, unknown, string | undefined, number, object]>([
    ["unreadable", "<html>", undefined, 400, { code: "invalid_postback" }],
    ["untrusted", POSTBACK, URL_OF_SHOP, 401, { code: "untrusted_postback", reason: "missing_signature" }],
    ["too large", "x".repeat(70_000), undefined, 413, { code: "invalid_postback" }],
  ])("refused, where it is %s", async (_what, body, url, status, error) => {
    const { post, events } = aReceiver();
    await post(body, url);

    expect(events).toEqual([{ type: "refused", status, error: expect.objectContaining(error) }]);
  });

  test("store_failed", async () => {
    const { post, events } = aReceiver({ store: aStore });
    await post();

    expect(events).toStrictEqual([{ type: "store_failed", status: 503, postback, error: new Error("away") }]);
  });
});

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("no");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no"))],
])("a listener that %s changes nothing", async (_what, onEvent) => {
  expect(await aReceiver({ onEvent }).post()).toEqual(HANDLED);
});

describe("without a listener", () => {
  let printed: MockInstance;
  beforeEach(() => {
    printed = vi.spyOn(console, "error").mockReturnValue();
  });

  test("an error of onPostback is printed, since nobody else would see it", async () => {
    const { post, onPostback } = aReceiver({ onEvent: undefined });
    const error = new Error("the database is away");
    onPostback.mockRejectedValueOnce(error);
    await post();

    expect(printed.mock.calls).toEqual([
      ["payments-sdk: onPostback failed for the postback of transaction 81001, approved:", error],
    ]);
  });

  test("what a stranger sent is not printed: it could forge a line, or clear a terminal", async () => {
    const { post, onPostback } = aReceiver({ onEvent: undefined });
    onPostback.mockRejectedValueOnce(new Error("no"));
    await post({ ...POSTBACK, status: "%c\n\u001b[2J" });

    expect(printed.mock.calls).toEqual([
      [
        "payments-sdk: onPostback failed for the postback of transaction 81001, unrecognized:",
        new Error("no"),
      ],
    ]);
  });

  test("an error of the store is printed, too", async () => {
    await aReceiver({ onEvent: undefined, store: aStore }).post();

    expect(printed.mock.calls).toEqual([
      ["payments-sdk: the store failed for the postback of transaction 81001, approved:", new Error("away")],
    ]);
  });

  test("an error of a signer of the merchant's own is, too", async () => {
    const error = new Error("away");
    await aReceiver({ onEvent: undefined, signer: { verify: () => Promise.reject(error) } }).post();

    expect(printed.mock.calls).toEqual([["payments-sdk: a postback could not be taken:", error]]);
  });

  test("nothing else is: anybody can send rubbish, and probes are nobody's mistake", async () => {
    const { post, handler } = aReceiver({ onEvent: undefined });
    await post("<html>");
    await post(POSTBACK, URL_OF_SHOP);
    await handler.fetch(new Request(URL_OF_SHOP));
    await post();
    await post();

    expect(printed).not.toHaveBeenCalled();
  });

  test("a console that throws changes nothing", async () => {
    const { post, onPostback } = aReceiver({ onEvent: undefined });
    printed.mockImplementation(() => {
      throw new Error("no console");
    });
    onPostback.mockRejectedValueOnce(new Error("no"));

    expect((await post()).status).toBe(500);
  });
});

test("neither events nor answers nor the console tell the URL, which is a credential", async () => {
  const printed = vi.spyOn(console, "error").mockReturnValue();
  const shown: unknown[] = [];
  const { post, onPostback } = aReceiver({ onEvent: (event: PostbackEvent) => void shown.push(event) });
  const url = await urlOf();
  onPostback.mockRejectedValueOnce(new Error("no"));

  for (const body of [POSTBACK, POSTBACK, "<html>", { ...POSTBACK, externalRef: "pedido-78" }])
    shown.push(await post(body, url));
  shown.push(await post(POSTBACK, `${url.slice(0, -1)}_`), ...printed.mock.calls);

  const text = shown
    .map((value) => inspect(value, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(value))
    .join();
  expect(text).not.toContain(tokenIn(url).slice(-40, -2));
  expect(text).not.toContain("pbsig");
});
