import { createServer, type RequestListener } from "node:http";
import {
  createPostbackHandler,
  type Postback,
  type PostbackContext,
  type PostbackEvent,
  type PostbackHandler,
  type PostbackHandlerOptions,
} from "payments-sdk/postbacks";
import { onTestFinished, vi } from "vitest";
import { listen } from "../../support/http-server.ts";
import { aSigner, POSTBACK, URL_OF_SHOP } from "./signing.ts";

/** A receiver of postbacks that records its calls and events. */

export const signer = aSigner();

/** A signed URL of an order. */
export const urlOf = (externalRef = POSTBACK.externalRef) =>
  signer.sign(URL_OF_SHOP, { externalRef, amount: POSTBACK.amount });

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | undefined;
}

export interface Receiver {
  readonly handler: PostbackHandler;
  readonly onPostback: ReturnType<typeof vi.fn<(postback: Postback, context: PostbackContext) => unknown>>;
  readonly events: PostbackEvent[];
  /** Posts a body to a URL. Default: a postback, to the URL of its order. */
  post(body?: unknown, url?: string): Promise<Reply>;
}

export function aReceiver(options: Partial<PostbackHandlerOptions> = {}): Receiver {
  const onPostback = vi.fn<(postback: Postback, context: PostbackContext) => unknown>();
  const events: PostbackEvent[] = [];
  const handler = createPostbackHandler({
    signer,
    onPostback,
    onEvent: (event) => events.push(event),
    ...options,
  } as PostbackHandlerOptions);
  return {
    handler,
    onPostback,
    events,
    async post(body = POSTBACK, url) {
      const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      const request = new Request(url ?? (await urlOf()), { method: "POST", body: text as BodyInit });
      return toReply(await handler.fetch(request));
    },
  };
}

export async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const retryAfter = response.headers.get("retry-after") ?? undefined;
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text), retryAfter };
}

export const HANDLED: Reply = { status: 200, body: { result: "handled" }, retryAfter: undefined };
export const DUPLICATE: Reply = { status: 200, body: { result: "duplicate" }, retryAfter: undefined };
export const BUSY = (retryAfter: string): Reply => ({ status: 503, body: { error: "busy" }, retryAfter });
export const FAILED: Reply = { status: 500, body: { error: "handler_failed" }, retryAfter: undefined };

/** Starts a server of Node; resolves with its base URL. */
export const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));

/** The signed URL of an order, at another host: the signature does not cover the host. */
export async function urlAt(baseUrl: string): Promise<string> {
  return (await urlOf()).replace("https://loja.example", baseUrl);
}

/**
 * A receiver with fake timers, which {@link inFakeTime} advances. It trusts every postback without verification, because
 * verification runs in another thread, in real time.
 */
export function aReceiverInFakeTime(options: Partial<PostbackHandlerOptions> = {}): Receiver {
  if (!vi.isFakeTimers()) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
  }
  const trusting = { verify: async () => ({ amountMatches: true }) };
  const receiver = aReceiver({ signer: trusting, ...options });
  return { ...receiver, post: (body = POSTBACK) => receiver.post(body, URL_OF_SHOP) };
}

/** Advances the fake timers until work has settled, and returns its result. */
export async function inFakeTime<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(50);
  }
  return work;
}
