import { addressOf } from "./address.ts";

/** What is left of C1 controls, and of what turns the direction of a text: JSON has its own form for them. */
const OBEYED = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A line of JSON, without credentials and without anything that a terminal would obey. */
export function jsonOf(value: unknown): string {
  const json = JSON.stringify(value, withoutCredentials);
  return json.replace(OBEYED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The service echoes where it posts to: a signed postback URL is a credential, and others may hold one. */
function withoutCredentials(key: string, value: unknown): unknown {
  if (key === "postBackUrl") return undefined;
  if (key !== "webhook" || typeof value !== "object" || value === null) return value;
  return "url" in value && typeof value.url === "string" ? { ...value, url: addressOf(value.url) } : value;
}
