import { PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { vi } from "vitest";
import { PUBLIC_KEY, SECRET_KEY } from "../../support/merchant.ts";

/** What was sent. */
interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A client whose service answers everything with 502, unless told otherwise, and what was sent. */
export function openFailing(
  options: PaymentsClientOptions = {},
  answer = async () => new Response("", { status: 502 }),
) {
  const sent: Sent[] = [];
  const payments = new PaymentsClient({
    ...{ baseUrl: "https://api.example.com", secretKey: SECRET_KEY, publicKey: PUBLIC_KEY },
    fetch: (url, { headers, body }) => {
      sent.push({ url, headers: new Headers(headers), body });
      return answer();
    },
    ...options,
  });
  return { payments, sent };
}

/** Lets a call end, however long it would wait, and tells after how many milliseconds it has. */
export async function timeOf(call: () => PromiseLike<unknown>): Promise<number> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const start = Date.now();
  let tookMs: number | undefined;
  const end = () => {
    tookMs = Date.now() - start;
  };
  call().then(end, end);
  while (tookMs === undefined) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise(setImmediate); // a module may still be on its way
  }
  return tookMs;
}

/** How often a call is sent to a service that answers everything with 502. */
export async function attemptsOf(call: (payments: PaymentsClient) => PromiseLike<unknown>): Promise<number> {
  const { payments, sent } = openFailing();
  await timeOf(() => call(payments));
  return sent.length;
}
