import { isJsonObject, type JsonObject, parseJson } from "../wire-rules.ts";
import { BadRequestError } from "./control-errors.ts";

/**
 * The JSON object in a body that knows certain fields; an empty one for an empty body.
 *
 * @throws {BadRequestError} when it is no JSON object, or has a field that is not known.
 */
export async function readObject(request: Request, fields: readonly string[]): Promise<JsonObject> {
  const text = await request.text();
  const body = text.trim() === "" ? {} : parseJson(text);
  if (!isJsonObject(body)) throw new BadRequestError("The body must be a JSON object.");

  const unknown = Object.keys(body).find((key) => !fields.includes(key));
  if (unknown !== undefined) {
    throw new BadRequestError(`${unknown} is no field; known: ${fields.join(", ") || "none"}.`);
  }
  return body;
}
