import { InvalidRequestError, type Issue, PaymentsClient, type PaymentsEvent } from "payments-sdk";
import { failureOf, PUBLIC_KEY, SECRET_KEY } from "./merchant.ts";

/** One request as the client passed it to `fetch`. */
export interface Sent {
  readonly url: string;
  readonly body: string;
}

export interface RecordingClient {
  readonly payments: PaymentsClient;
  readonly sent: readonly Sent[];
  readonly events: readonly PaymentsEvent[];
}

/** A client without a network: it records its requests, and gets the same response to each of them. */
export function recordingClient(body: unknown = { success: true, data: { id: 4021 } }): RecordingClient {
  const sent: Sent[] = [];
  const events: PaymentsEvent[] = [];
  const payments = new PaymentsClient({
    baseUrl: "https://pay.example",
    secretKey: SECRET_KEY,
    publicKey: PUBLIC_KEY,
    maxRetries: 0,
    onEvent: (event) => events.push(event),
    fetch: async (url, init) => {
      sent.push({ url, body: String(init.body) });
      return new Response(JSON.stringify(body), { status: 201 });
    },
  });
  return { payments, sent, events };
}

/** The issues that a `create` call reports for any value; fails the test if it sends a request. */
export async function issuesOfCreate(
  method: "createPix" | "createCard" | "create",
  params: unknown,
  options?: unknown,
): Promise<readonly Issue[]> {
  const { payments, sent } = recordingClient();
  const call = payments.transactions[method] as (params: unknown, options: unknown) => Promise<unknown>;
  const error = await failureOf(call.call(payments.transactions, params, options));
  if (!(error instanceof InvalidRequestError))
    throw new Error("not an InvalidRequestError", { cause: error });
  if (error.outcome !== "not_sent" || sent.length > 0) throw new Error("a request was sent");
  return error.issues;
}

export const issuesOfPix = (params: unknown) => issuesOfCreate("createPix", params);
export const issuesOfCard = (params: unknown) => issuesOfCreate("createCard", params);

/** The JSON body that a create call sends; the response does not matter. */
export async function bodyOf(
  method: "createPix" | "createCard" | "create",
  params: unknown,
  options?: unknown,
): Promise<Record<string, unknown>> {
  const { payments, sent } = recordingClient();
  const call = payments.transactions[method] as (params: unknown, options: unknown) => Promise<unknown>;
  // A pix response without a code makes the call fail after it was sent; only the request matters here.
  await call.call(payments.transactions, params, options).catch((error: unknown) => {
    if (sent.length === 0) throw error;
  });
  return JSON.parse(sent[0]?.body ?? "null");
}

/** The warnings of a create call, as field and message. */
export async function warningsOf(
  method: "createPix" | "createCard",
  params: unknown,
): Promise<{ field: string; message: string }[]> {
  const { payments, sent, events } = recordingClient();
  const call = payments.transactions[method] as (params: unknown) => Promise<unknown>;
  await call.call(payments.transactions, params).catch(() => undefined);
  if (sent.length !== 1) throw new Error("a warning must not stop the call");
  return events.flatMap((event) =>
    event.type === "warning" ? [{ field: event.field, message: event.message }] : [],
  );
}
