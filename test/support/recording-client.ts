import { InvalidRequestError, type Issue, type PaymentsClient, type PaymentsEvent } from "payments-sdk";
import { eventsOf, failureOf, merchantAt } from "./merchant.ts";

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
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, body: String(init.body) });
    return new Response(JSON.stringify(body), { status: 201 });
  };
  return { ...merchantAt("https://pay.example", { maxRetries: 0, fetch }), sent };
}

type Method = "createPix" | "createCard" | "create";

/** Calls a method with any value as its parameters. */
function create({ payments }: RecordingClient, method: Method, params: unknown, options?: unknown) {
  const call = payments.transactions[method] as (params: unknown, options: unknown) => Promise<unknown>;
  return call.call(payments.transactions, params, options);
}

/** The issues that a `create` call reports for any value; fails the test if it sends a request. */
export async function issuesOfCreate(
  method: Method,
  params: unknown,
  options?: unknown,
): Promise<readonly Issue[]> {
  const client = recordingClient();
  const error = await failureOf(create(client, method, params, options));
  if (!(error instanceof InvalidRequestError))
    throw new Error("not an InvalidRequestError", { cause: error });
  if (error.outcome !== "not_sent" || client.sent.length > 0) throw new Error("a request was sent");
  return error.issues;
}

export const issuesOfPix = (params: unknown) => issuesOfCreate("createPix", params);
export const issuesOfCard = (params: unknown) => issuesOfCreate("createCard", params);

/** The JSON body that a create call sends; the response does not matter. */
export async function bodyOf(
  method: Method,
  params: unknown,
  options?: unknown,
): Promise<Record<string, unknown>> {
  const client = recordingClient();
  // A pix response without a code makes the call fail after it was sent; only the request matters here.
  await create(client, method, params, options).catch((error: unknown) => {
    if (client.sent.length === 0) throw error;
  });
  return JSON.parse(client.sent[0]?.body ?? "null");
}

/** The warnings of a create call, as field and message. */
export async function warningsOf(
  method: Method,
  params: unknown,
): Promise<{ field: string; message: string }[]> {
  const client = recordingClient();
  await create(client, method, params).catch(() => undefined);
  if (client.sent.length !== 1) throw new Error("a warning must not stop the call");
  return eventsOf(client.events, "warning").map(({ field, message }) => ({ field, message }));
}
