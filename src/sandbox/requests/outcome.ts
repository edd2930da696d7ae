import type { ServedEndpoint } from "../router.ts";
import { isJsonObject, parseJson } from "../validation.ts";
import type { SandboxRequest } from "./request.ts";

/** What the response of an endpoint says, for the request log: the transaction, or why the request was refused. */
export function outcomeOf(
  endpoint: ServedEndpoint,
  response: Response,
  text: string,
): Pick<SandboxRequest, "transactionId" | "reason"> {
  if (response.ok && !endpoint.charges) return {};
  const body = parseJson(text);
  if (!isJsonObject(body)) return {};
  const { data, errors, message } = body;
  if (isJsonObject(data) && typeof data["id"] === "number") return { transactionId: data["id"] };
  if (Array.isArray(errors)) {
    return { reason: errors.map((problem) => `${problem.field}: ${problem.message}`).join("; ") };
  }
  return response.ok ? {} : { reason: String(message) };
}
