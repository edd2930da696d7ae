import { toIssues } from "../errors/issue.ts";
import { ConfigurationError, InvalidRequestError } from "../errors/usage-errors.ts";
import type { RequestOptions } from "../http/call.ts";
import { Call, type Config } from "../http/call.ts";
import { errorForStatus, issuesIn, unexpectedResponse } from "../http/error-for-status.ts";
import { type PaymentsPromise, toPaymentsPromise, type WithResponse } from "../http/result.ts";
import { createCardToken, PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";
import { type CardParams, readCard, toCardField } from "./card.ts";
import { CardToken } from "./card-token.ts";

/** Converts a card to a token, for `PaymentsClient` and `CardTokenizer`. */
export function tokenize(
  config: Config,
  publicKey: string | undefined,
  card: CardParams,
  options: RequestOptions | undefined,
): PaymentsPromise<CardToken> {
  return toPaymentsPromise(createToken(config, publicKey, card, options));
}

async function createToken(
  config: Config,
  publicKey: string | undefined,
  card: CardParams,
  options: RequestOptions | undefined,
): Promise<WithResponse<CardToken>> {
  const call: Call = new Call(config, createCardToken, options);
  try {
    const checked = readCard(card);
    if (!checked.ok) {
      throw new InvalidRequestError(toIssues(checked.issues), call.context("not_sent"), "customer");
    }
    call.assertValid(true);
    if (publicKey === undefined) {
      const message =
        "The public key is missing: set `publicKey`. PaymentsClient also reads PAYMENTS_PUBLIC_KEY.";
      throw new ConfigurationError(message, call.context("not_sent"));
    }
    const { number, cvv, holderName } = checked.value;
    call.hide([publicKey, number, cvv, holderName]);
    const query = new URLSearchParams({ [PUBLIC_KEY_PARAMETER]: publicKey }).toString();
    const body = JSON.stringify(checked.value);
    const response = await config.platform.sendWithRetries(call, { query, authorization: undefined, body });
    if (!response.isOk) {
      const issues = issuesIn(call, response);
      const renamed = issues.map(({ field, message }) => ({ field: toCardField(field), message }));
      throw errorForStatus(call, response, undefined, renamed);
    }
    const parsed = parseToken(response.text, response.isTruncated);
    if (typeof parsed === "string") {
      throw unexpectedResponse(call, response, { issues: [{ field: "", message: parsed }] });
    }
    if (parsed.isQuoted) call.reportDrift([{ field: "", message: "is quoted as JSON" }]);
    return call.result(parsed.token, response);
  } catch (error) {
    throw call.report(await call.toFailure(error));
  }
}

/** A token is one word of visible ASCII characters. */
const TOKEN = /^[!-~]+$/;

/** What is JSON and no token: an object, an array, a quoted text, a number or a keyword. Real tokens are longer. */
const JSON_DATA = /^(?:[{["].*|null|true|false|undefined|-?\d{1,20}(?:\.\d+)?)$/s;

/**
 * The token in a response, or a message that describes the body: HTML, JSON data and an empty body are not tokens. JSON
 * quotes around a token are removed.
 *
 * Spec: "POST /api/v1/card-token".
 */
function parseToken(body: string, isTruncated: boolean): { token: CardToken; isQuoted: boolean } | string {
  if (isTruncated) return "the body is too long";
  const text = body.trim();
  const value = text.startsWith('"') ? unquote(text) : text;
  if (TOKEN.test(value) && !value.startsWith("<") && !JSON_DATA.test(value)) {
    return { token: new CardToken(value), isQuoted: value !== text };
  }
  if (text === "" || text === '""') return "the body is empty, not a token";
  const kind = JSON_DATA.test(text) ? "JSON" : "text";
  return `the body is ${text.startsWith("<") ? "a page" : kind}, not a token`;
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text)).trim(); // JSON that starts with a quote is a string
  } catch {
    return "";
  }
}
