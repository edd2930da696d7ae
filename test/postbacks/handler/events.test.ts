import { inspect } from "node:util";
import { memoryStore } from "payments-sdk/idempotency";
import type { PostbackEvent } from "payments-sdk/postbacks";
import { beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { aReceiver, HANDLED, urlOf } from "../support/receiver.ts";
import { POSTBACK, tokenIn, URL_OF_SHOP } from "../support/signing.ts";

const postback = expect.objectContaining(POSTBACK);
const away = new Error("away");
const failing = () => Promise.reject(away);
const failingStore = { ...memoryStore(), claimPostback: failing };

test("each delivery has one event: failed with the error of onPostback, then busy, handled and duplicate", async () => {
  const { post, events, onPostback } = aReceiver();
  onPostback.mockRejectedValueOnce(away);
  await post();
  onPostback.mockImplementationOnce(async () => void (await post()));
  await post();
  await post();

  expect(events).toStrictEqual([
    { type: "failed", status: 500, postback, error: away },
    { type: "busy", status: 503, postback },
    { type: "handled", status: 200, postback },
    { type: "duplicate", status: 200, postback },
  ]);
});

test("a listener that throws or rejects changes nothing", async () => {
  expect(await aReceiver({ onEvent: () => JSON.parse("{") }).post()).toEqual(HANDLED);
  expect(await aReceiver({ onEvent: failing }).post()).toEqual(HANDLED);
});

describe("without a listener", () => {
  let logged: MockInstance;
  beforeEach(() => {
    logged = vi.spyOn(console, "error").mockReturnValue();
  });

  // Text from an attacker is not logged: it could forge a line, or clear a terminal.
  test.each([
    ["approved", "approved"],
    ["%c\n\u001b[2J", "unrecognized"],
  ])("an error of onPostback is logged, with the parsed status: %j", async (rawStatus, status) => {
    const { post, onPostback } = aReceiver({ onEvent: undefined });
    onPostback.mockRejectedValueOnce(away);
    await post({ ...POSTBACK, status: rawStatus });

    expect(logged.mock.calls).toEqual([
      [`payments-sdk: onPostback failed for the postback of transaction 81001, ${status}:`, away],
    ]);
  });

  test.each<[object, string]>([
    [{ store: failingStore }, "the store failed for the postback of transaction 81001, approved"],
    [{ signer: { verify: failing } }, "a postback could not be read or verified"],
  ])("an error of %o is logged", async (options, message) => {
    await aReceiver({ onEvent: undefined, ...options }).post();

    expect(logged.mock.calls).toEqual([[`payments-sdk: ${message}:`, away]]);
  });

  test("another transaction of the order is logged", async () => {
    const settle = async () => [{ id: 81_002, status: "approved" }] as const;
    await aReceiver({ onEvent: undefined, store: { ...memoryStore(), recordPostback: settle } }).post();

    expect(logged.mock.calls).toEqual([
      [expect.stringMatching(/^payments-sdk: .*81001.*81002 \(approved\)/)],
    ]);
  });

  test("nothing else is logged: anyone can send invalid requests, and a probe is not an error", async () => {
    const { post, handler } = aReceiver({ onEvent: undefined });
    await post("<html>");
    await post(POSTBACK, URL_OF_SHOP);
    await handler.fetch(new Request(URL_OF_SHOP));
    await post();
    await post();

    expect(logged).not.toHaveBeenCalled();
  });
});

test("neither events nor responses nor logs contain the URL, which is a credential", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const shown: unknown[] = [];
  const { post, onPostback } = aReceiver({ onEvent: (event: PostbackEvent) => void shown.push(event) });
  const url = await urlOf();
  onPostback.mockRejectedValueOnce(away);

  for (const body of [POSTBACK, POSTBACK, "<html>", { ...POSTBACK, externalRef: "pedido-78" }])
    shown.push(await post(body, url));
  shown.push(await post(POSTBACK, `${url.slice(0, -1)}_`), ...logged.mock.calls);

  const text = shown
    .map((value) => inspect(value, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(value))
    .join();
  expect(text).not.toContain(tokenIn(url).slice(-40, -2));
  expect(text).not.toContain("pbsig");
});
