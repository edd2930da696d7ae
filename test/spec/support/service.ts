import { HttpResponse, http } from "msw/http";
import { setupServer } from "msw/node";
import { PaymentsClient, type PaymentsClientOptions, type PaymentsEvent } from "payments-sdk";
import { onTestFinished } from "vitest";

/** The service of the specification, mocked with msw: one endpoint with one response, and its received requests. */

export const BASE_URL = "https://service.example";
const SECRET_KEY = "sk_test_secret";
export const PUBLIC_KEY = "pk_test_public";

/** base64 of `sk_test_secret:pk_test_public`, encoded with another tool. */
export const CREDENTIALS = "c2tfdGVzdF9zZWNyZXQ6cGtfdGVzdF9wdWJsaWM=";

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  readonly text: string;
}

type Body = string | object;

/** Mocks the response of one endpoint; any other request fails the test. */
export function serviceResponds(
  endpoint: string,
  status: number,
  body: Body,
): { received: ReceivedRequest[] } {
  const [method, path] = endpoint.split(" ");
  const received: ReceivedRequest[] = [];
  const handle = method === "POST" ? http.post : http.get;
  const server = setupServer(
    handle(`${BASE_URL}${path}`, async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      received.push({ method: request.method, target: pathname + search, headers: request.headers, text });
      return typeof body === "string"
        ? HttpResponse.text(body, { status })
        : HttpResponse.json(body, { status });
    }),
  );
  server.listen({ onUnhandledFrame: "error" });
  onTestFinished(() => server.close());
  return { received };
}

export function createMerchant(options: PaymentsClientOptions = {}) {
  const events: PaymentsEvent[] = [];
  const payments = new PaymentsClient({
    baseUrl: BASE_URL,
    secretKey: SECRET_KEY,
    publicKey: PUBLIC_KEY,
    maxRetries: 0,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { payments, events };
}

/** The fields of the reported drift events. */
export function driftOf(events: readonly PaymentsEvent[]): string[] {
  return events.flatMap((event) => (event.type === "drift" ? [event.field] : []));
}
