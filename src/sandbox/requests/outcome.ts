import type { Endpoint } from "../../spec/endpoints.ts";
import { isJsonObject, parseJson } from "../validation.ts";
import type { SandboxRequest } from "./request.ts";

/**
 * What the response of an endpoint says, for the request log: the transaction, or why the request was refused.
 *
 * @param sent body of the request.
 * @param returned body of the response.
 */
export function outcomeOf(
  endpoint: Endpoint,
  isOk: boolean,
  sent: string,
  returned: string,
): Pick<SandboxRequest, "transactionId" | "reason"> {
  if (isOk && !endpoint.charges) return {};
  const body = parseJson(returned);
  if (!isJsonObject(body)) return {};
  const { data, errors, message } = body;
  if (isJsonObject(data) && typeof data["id"] === "number") return { transactionId: data["id"] };
  if (!Array.isArray(errors)) return { reason: String(message) };
  const problems = errors.map((problem) => `${problem.field}: ${problem.message}`);
  return { reason: problemWithJson(sent) ?? problems.join("; ") };
}

/** Without the text of the parser's error, which quotes the body. */
function problemWithJson(text: string): string | undefined {
  if (text.trim() === "") return "The body is empty.";
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const [, position] = /position (\d+)/.exec(String(error)) ?? [];
    return `The body is not JSON${position === undefined ? "" : `, from character ${Number(position) + 1} on`}.`;
  }
}
