import { isJsonObject, type JsonObject, readJson } from "../wire-rules.ts";
import { BadRequestError } from "./control-errors.ts";

/**
 * The JSON object in a body that knows certain fields; an empty one for an empty body.
 *
 * @throws {BadRequestError} when it is no JSON object, or has a field that is not known.
 */
export async function readObject(request: Request, fields: readonly string[]): Promise<JsonObject> {
  const isEmpty = (await request.clone().text()).trim() === "";
  const body = isEmpty ? {} : await readJson(request);
  if (!isJsonObject(body)) throw new BadRequestError("The body must be a JSON object.");

  const unknown = Object.keys(body).find((key) => !fields.includes(key));
  if (unknown !== undefined) {
    throw new BadRequestError(`${unknown} is no field; known: ${fields.join(", ") || "none"}.`);
  }
  return body;
}
