import { isJsonObject, type JsonObject } from "../wire-rules.ts";

/** The faults that stand in the body of an answer: a charge that exists, and a text that surprises. */

/** In no list of the specification. */
const UNKNOWN_STATUS = "PENDING_3DS";

/** Half of the body, as if that were all: its length is right, its end is missing. */
export async function truncated(answer: Response): Promise<Response> {
  const text = await answer.text();
  return withBody(answer, text.slice(0, Math.ceil(text.length / 2)));
}

/** The answer with another status: the envelope's data's, each list entry's, or its own. */
export async function unknownStatus(answer: Response): Promise<Response> {
  const body: unknown = await answer.json();
  const replaced = (value: unknown) => (isJsonObject(value) ? { ...value, status: UNKNOWN_STATUS } : value);
  const changed = Array.isArray(body)
    ? body.map(replaced)
    : isJsonObject(body) && isJsonObject(body["data"])
      ? { ...body, data: replaced(body["data"]) }
      : replaced(body);
  return withBody(answer, JSON.stringify(changed));
}

/**
 * Every number as a string, a new field in every object, and what gateways of this family were seen to do:
 * an envelope status of 1, a fee that is an object, no checkout URL, no time of creation. A token in quotes.
 */
export async function drifted(answer: Response): Promise<Response> {
  const text = await answer.text();
  if (!answer.headers.get("content-type")?.includes("json")) return withBody(answer, JSON.stringify(text));

  const body: unknown = JSON.parse(text);
  const isEnvelope = isJsonObject(body) && isJsonObject(body["data"]);
  return withBody(answer, JSON.stringify(isEnvelope ? driftedEnvelope(body) : shifted(body)));
}

function driftedEnvelope(body: JsonObject): JsonObject {
  const { createdAt: _left, ...data } = shifted(body["data"]) as JsonObject;
  const { fees } = data;
  return {
    ...body,
    ...("status" in body && { status: 1 }),
    data: {
      ...data,
      ...("secureUrl" in data && { secureUrl: null }),
      ...("fees" in data && { fees: { fixed: "0", percent: fees } }),
    },
  };
}

function shifted(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(shifted);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, shifted(inner)]);
  return { ...Object.fromEntries(fields), addedLater: true };
}

function withBody({ status, headers }: Response, body: string): Response {
  return new Response(body, { status, headers });
}
