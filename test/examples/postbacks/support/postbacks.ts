import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { expect, onTestFinished, vi } from "vitest";

export const SIGNER = new PostbackUrlSigner({
  keys: [{ kid: "a", secret: "a secret of the tests, 32 bytes or more" }],
});

const FORGER = new PostbackUrlSigner({
  keys: [{ kid: "a", secret: "another secret, that nobody else has" }],
});

const ORDER = { externalRef: "order-1", amount: 1990 } as const;

/** A postback of the order, in the specification's shape. */
export const BODY =
  '{"id":7,"status":"approved","externalRef":"order-1","amount":1990,"transactionDate":"2026-11-21T12:00:00.000Z"}';

export const bodyWithId = (id: string) => BODY.replace('"id":7', `"id":${id}`);

/** Too many for a number: a JSON parser makes 9007199254740992 of it. */
export const INEXACT_ID = "9007199254740993";

/** Where the service would send the postbacks of the order. */
export const signedUrl = (baseUrl: string) => SIGNER.sign(`${baseUrl}/postbacks`, ORDER);

/** The same, from somebody who does not know the key. */
export const wronglySignedUrl = (baseUrl: string) => FORGER.sign(`${baseUrl}/postbacks`, ORDER);

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const HANDLED: Answer = { status: 200, body: { result: "handled" } };
export const DUPLICATE: Answer = { status: 200, body: { result: "duplicate" } };

/** Sends a postback as the service does. */
export async function post(
  url: string,
  body: BodyInit = BODY,
  headers: HeadersInit = { "content-type": "application/json" },
): Promise<Answer> {
  const request = { method: "POST", headers, body, duplex: "half" }; // Node asks for it, and its types do not know it
  const response = await fetch(url, request);
  return { status: response.status, body: await response.json() };
}

/** What goes to `console.error` until the test ends, and not to the terminal. */
export function catchPrinted() {
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  return printed.mock.calls;
}

/** An error that was printed once, in the words of the handler. */
export const printedOnce = (message: RegExp) => [
  [expect.any(String), expect.objectContaining({ message: expect.stringMatching(message) })],
];
