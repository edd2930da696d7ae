import type { Deviate, Reading } from "../http/call.ts";
import { CardToken } from "./card-token.ts";

/** A token is one word of visible characters. */
const TOKEN = /^[!-~]+$/;

/**
 * The token in an answer of the tokenization. A page, JSON data or nothing at all is never taken for one;
 * quotes of JSON around it are taken off.
 *
 * Spec: "POST /api/v1/card-token".
 */
export function readToken(body: unknown, deviate: Deviate): Reading<CardToken> {
  const text = String(body).trim();
  const value = text.startsWith('"') ? unquote(text) : text;
  if (value === undefined || !TOKEN.test(value) || /^[<{["]/.test(value) || isJsonWord(value)) {
    return { ok: false, issues: [{ field: "", message: `the body is ${describe(text)}, not a token` }] };
  }
  if (value !== text) deviate({ field: "", message: "came quoted as JSON" });
  return { ok: true, data: new CardToken(value) };
}

function unquote(text: string): string | undefined {
  try {
    // JSON that begins with a quote is a text.
    return String(JSON.parse(text)).trim();
  } catch {
    return undefined;
  }
}

/** A number or a word of JSON; a real token is longer than both. */
function isJsonWord(value: string): boolean {
  return /^(?:null|true|false|undefined|-?\d{1,20}(?:\.\d+)?)$/.test(value);
}

function describe(text: string): string {
  if (text === "" || text === '""') return "empty";
  if (text.startsWith("<")) return "a page";
  return /^[{["]/.test(text) || isJsonWord(text) ? "JSON" : "text";
}
