import type { RawResponse } from "../../http/response.ts";
import { STATUS_BY_TEXT } from "../../spec/transaction-status.ts";

/**
 * Whether an error response was received and decoded completely, so that it can prove that there is no transaction.
 *
 * Only headers prove where a body ends: over HTTP/2, `fetch` reports a stream that was reset as the end of a body
 * without `content-length`, and a decoder reports data that was cut off as the end. Without such headers, whole JSON
 * and whole pages show their own end.
 *
 * @param json - The body as JSON.
 */
export function isReadable({ text, headers, isTruncated }: RawResponse, json: unknown): boolean {
  if (isTruncated || isShorterThanAnnounced(text, headers)) return false;
  if (json !== undefined) return true;
  const isEncoded = headers.has("content-encoding");
  // With another coding outside of the chunks, a body ends with its connection.
  const isChunked = /(?:^|,)\s*chunked$/i.test(headers.get("transfer-encoding") ?? "");
  const hasEnd = !isEncoded && (headers.has("content-length") || isChunked);
  if (text === "") return hasEnd || headers.get("content-length") === "0";
  if (!hasEnd && !PAGE_END.test(text.slice(-1_000))) return false;
  const isPage = /^\s*</.test(text);
  // Control characters and U+FFFD come from compressed data or another encoding; in a page, U+FFFD is mostly Latin-1.
  return !/[^\P{Cc}\s]/u.test(text) && (isPage || !/^\s*(?:\{\s*"|\[\s*[[{"])|\ufffd/.test(text));
}

/** nginx adds comments to its pages. */
const PAGE_END = /<\/html>\s*(?:<!--[^<>]*-->\s*)*$/i;

/** A custom `fetch` may not check the length. Decoding removes a byte order mark of three bytes. */
function isShorterThanAnnounced(text: string, headers: Headers): boolean {
  const length = headers.has("content-encoding") ? 0 : Number(headers.get("content-length"));
  if (length <= text.length) return false;
  const missing = length - new Blob([text]).size;
  return missing > 0 && missing !== 3;
}

/** Matches a character that is encoded for HTML, a URL or JSON, even more than once. */
const ENCODED = String.raw`&[#\w;]{2,20};|(?:%(?:25)*|u00)[2-7][\da-f]`;

/** Matches a field in JSON, XML or a form. Each repetition has a limit, so that a long text takes linear time. */
const field = (name: string, value: string) =>
  String.raw`(?:\b|(?<=${ENCODED}))(?<!-)${name}[\s"'\\]{0,20}(?:[:=>]|${ENCODED})(?:[\s"'\\:=>]|${ENCODED}){0,20}(?:<!\[CDATA\[)?(?!null\b)${value}`;

const OWNER = "(?:(?:transaction|payment|charge)_?)?";
const STATUS = [...STATUS_BY_TEXT.keys()].join("|");

const OWN_NAMES = "external_?id|paid_?amount|refused_?amount|acquirer_?type|secure_?(?:id|url)|qrcode_?text";
/** Fields that only a transaction, or the envelope around one, has. */
const SURE = new RegExp(
  [
    field(`(?:${OWN_NAMES})`, String.raw`[^\s:=>,;&<()[\]{}]`),
    field("success", String.raw`true\b`),
    field("transaction_?id", String.raw`\d`),
    String.raw`"(?:transaction|payment|charge)\\*"\s*:\s*\{\s*\\*"id\\*"`,
  ].join("|"),
  "i",
);
const HAS_ID = new RegExp(field(`_?${OWNER}id`, String.raw`\w`), "i");
/** The status is the whole value. */
const HAS_STATUS = new RegExp(field(`${OWNER}status`, String.raw`(?:${STATUS})(?![ \t]*[\w-])`), "i");

/**
 * Whether a text shows a transaction, in any format and at any depth: a proxy may repeat the response of the service in
 * a page of its own. An error that has its own id, or repeats the request, does not.
 */
export function showsTransaction(text: string): boolean {
  return SURE.test(text) || (HAS_STATUS.test(text) && HAS_ID.test(text));
}
