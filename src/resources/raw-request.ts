import { parseIfJson } from "../data/json.ts";
import { isRecord, PlainObject } from "../data/own-properties.ts";
import { findSentSecrets } from "../data/sent-secrets.ts";
import { type FoundIssue, HIDDEN_DATA, hasHiddenData, snapshot } from "../data/validate.ts";
import { parseUrl } from "../data/web-url.ts";
import { unknownOptions } from "../errors/check-options.ts";
import { toIssues } from "../errors/issue.ts";
import { Call, type RequestOptions } from "../http/call.ts";
import { type Account, authorize } from "../http/config.ts";
import { errorForFailure, errorForStatus, unexpectedResponse } from "../http/error-for-status.ts";
import { parseBody, type RawResponse } from "../http/response.ts";
import type { WithResponse } from "../http/result.ts";
import { sendOnce } from "../http/send.ts";
import { runCall } from "../http/trace.ts";
import { type CalledEndpoint, endpoints } from "../spec/endpoints.ts";
import { type Query, toQuery } from "./query.ts";
import { noResult } from "./read-resource.ts";
import { errorForRefusal } from "./transactions/parse-response.ts";
import { isReadable } from "./transactions/traces.ts";

/** Maximum characters of a path. */
const REQUEST_PATH_MAX = 2_048;

/** A request to an endpoint that the SDK does not know. */
export interface RequestParams {
  /** HTTP method, in upper case. */
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /**
   * Path under the base URL, such as `/api/v1/refunds`, percent-encoded, at most 2,048 characters. Not the path of an
   * endpoint that has its own method, and without a query, a fragment or dot segments, encoded ones included.
   */
  path: string;
  /** Query parameters: a plain object. An array repeats its name. */
  query?: Query | undefined;
  /**
   * Sent as JSON. Not for `GET` and `HEAD`. Default: no body. Data that JSON would lose is refused: a `Map`, a `FormData`,
   * `NaN`. Errors and events show no value of fields such as `number`, `cvv`, `hash`, `token` and `postbackUrl`.
   */
  body?: unknown;
  /** `basic` sends the keys, `none` does not. Default `basic`. */
  auth?: "basic" | "none" | undefined;
  /**
   * Whether the request may charge someone. If so, it is sent once, and its errors have an `outcome`, like those of a
   * create call. Otherwise it is retried like a read. Default `true`, except for `GET` and `HEAD`.
   */
  charges?: boolean | undefined;
}

/** Calls an endpoint that the SDK does not know. @internal */
export async function requestEndpoint(
  account: Account,
  sellersPath: string,
  params: RequestParams,
  options: RequestOptions | undefined,
): Promise<WithResponse<unknown>> {
  const { endpoint, query, body, secrets, issues } = readParams(params, sellersPath, account);
  const call: Call = new Call(account.config, endpoint, options);
  return await runCall(call, async () => {
    call.hide(account.secrets);
    call.hide(secrets);
    call.assertValid(issues.length === 0, issues);
    const ready = { query, authorization: authorize(call, account), body };
    const response = endpoint.charges
      ? await sendOnce(call, ready)
      : await account.config.platform.sendWithRetries(call, ready);
    return call.result(parseResponse(call, response), response);
  });
}

const PARAM_NAMES = ["method", "path", "query", "body", "auth", "charges"];
const METHODS: readonly unknown[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Reads the parameters once. What is wrong with them counts as a request that may charge. */
function readParams(params: unknown, sellersPath: string, account: Account) {
  const { config, secrets } = account;
  const found: FoundIssue[] = [];
  const check = (isValid: boolean, field: string, message: string) => {
    if (!isValid) found.push({ path: [field], message });
  };
  const copy = snapshot(params, found);
  if (!isRecord(copy) && found.length === 0) found.push({ path: [], message: "must be an object" });
  const given = isRecord(copy) ? copy : new PlainObject();
  const { method, path, auth = "basic" } = given;
  const isSafe = method === "GET" || method === "HEAD";
  const { charges = !isSafe } = given;
  const isRepeatable = isSafe && (config.fetch ?? globalThis.fetch) === globalThis.fetch;
  const basePath = parseUrl(config.baseUrl)?.pathname ?? "";
  const problem = problemWithPath(path, basePath, sellersPath);

  check(METHODS.includes(method), "method", `must be ${METHODS.join(", ")}`);
  check(problem === undefined, "path", problem ?? "");
  check(auth === "basic" || auth === "none", "auth", 'must be "basic" or "none"');
  check(typeof charges === "boolean", "charges", "must be a boolean");
  check(charges !== true || !isRepeatable, "charges", GET_IS_REPEATABLE);
  const query = toQuery(given["query"], "query", found);
  const body = toJson(given["body"], found);
  check(body === undefined || !isSafe, "body", "must not be sent with GET or HEAD");
  // Without a problem, the query contains texts, numbers and booleans only.
  const sent = found.length === 0 ? [given["query"], body && JSON.parse(body)] : [];
  const endpoint: CalledEndpoint = {
    name: "request",
    method: toText(method),
    path: toText(path),
    shownPath: new config.platform.Redactor(secrets).text(toText(path)),
    auth: auth === "none" ? "none" : "basic",
    responseFormat: "any",
    charges: charges !== false,
  };
  const issues = [...toIssues(found), ...unknownOptions(given, PARAM_NAMES)];
  return { endpoint, query, body, secrets: findSentSecrets(sent), issues };
}

const toText = (value: unknown) => (typeof value === "string" ? value : "");

const GET_IS_REPEATABLE =
  "cannot be true, because the global fetch may repeat a GET or HEAD: use another method, or set `fetch`, for example to nodeTransport()";

const NOT_JSON = "cannot be written as JSON";

/** Refuses what JSON would not contain: it writes NaN and an invalid date as null, for example. */
function toJson(value: unknown, found: FoundIssue[]): string | undefined {
  if (value === undefined) return undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(value, function (this: object, name, member: unknown) {
      const path = name === "" ? ["body"] : ["body", name];
      const isNull = member === null && Reflect.get(this, name) !== null; // it was, before its `toJSON` was called
      if (isNull || (typeof member === "number" && !Number.isFinite(member))) {
        found.push({ path, message: NOT_JSON });
      } else if (typeof member === "object" && member !== null && hasHiddenData(member)) {
        found.push({ path, message: HIDDEN_DATA });
      }
      return member;
    });
  } catch {
    // A cycle behind a `toJSON`, or a bigint.
  }
  if (text === undefined) found.push({ path: ["body"], message: NOT_JSON });
  return text;
}

/** The content of a 2xx; throws for every other response, as for a create call if the request may have charged. */
function parseResponse(call: Call, response: RawResponse): unknown {
  const { charges, method } = call.endpoint;
  const { isOk, isRedirected, status, text } = response;
  if (!isOk && charges) throw errorForRefusal(call, response, parseIfJson(text), undefined);
  if (!isOk) throw errorForStatus(call, response);
  if (charges && isRedirected) throw unusable(call, response, "`fetch` has followed a redirect");
  return method === "HEAD" || status === 204 || status === 205 ? "" : parseContent(call, response);
}

/** The JSON of a 2xx, or its text. */
function parseContent(call: Call, response: RawResponse): unknown {
  const { charges } = call.endpoint;
  const { text, failure, isTruncated } = response;
  const isCalledJson = /\bjson\b/i.test(response.headers.get("content-type") ?? "");
  // A text such as 0012 or true stays a text.
  const parsed = isCalledJson || /^\s*["{[]/.test(text) ? parseIfJson(text) : undefined;
  const isWhole = failure === undefined && (!charges || isReadable(response, undefined));
  // The beginning of a number is a number, too.
  const json = typeof parsed === "number" && !isWhole ? undefined : parsed;
  if (json === undefined && failure !== undefined) throw failure;
  const body = parseBody(response, json);
  if (body.ok && body.isFailure) throw errorForFailure(call, response, json);
  if (body.ok) return body.value;
  // If the request may have charged, a page or half of a JSON is not a result.
  const isText = !isTruncated && !isCalledJson && isWhole && (!charges || !/^\s*[<{["]/.test(text));
  if (!isText) throw unusable(call, response, body.problem);
  return text;
}

const unusable = (call: Call, response: RawResponse, message: string) =>
  unexpectedResponse(call, response, noResult("", message));

/**
 * Why a path cannot be requested; `undefined` if it can. It is judged as a proxy or the service may read it: decoded
 * more than once, in lower case, without parameters and empty segments.
 *
 * @param basePath - The path of the base URL, which can be the beginning of a known path.
 */
function problemWithPath(path: unknown, basePath: string, sellersPath: string): string | undefined {
  if (typeof path !== "string" || !/^\/(?!\/)/.test(path))
    return "must start with one slash, such as /api/v1/refunds";
  if (path.length > REQUEST_PATH_MAX) return `must have at most ${REQUEST_PATH_MAX} characters`;
  if (!/^(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})+$/i.test(path))
    return "must have no query or fragment, and other characters must be percent-encoded";
  const decoded = decodeFully(path);
  if (decoded === undefined || /[\p{Cc}?#\\]/u.test(decoded))
    return "must not contain an encoded question mark, number sign, backslash or control character";
  const normalized = normalize(decoded);
  if (/\/\.\.?(?:\/|$)/.test(normalized)) return "must not contain dot segments";
  const whole = normalize(decodeFully(basePath) ?? basePath) + normalized;
  const { listSellers, retrieveSellerRevenue } = endpoints;
  const served = [
    ...Object.values(endpoints),
    { ...listSellers, path: sellersPath },
    { ...retrieveSellerRevenue, path: `${sellersPath}/revenue` },
  ];
  // Also an endpoint whose path begins in that of the base URL; with any method.
  const found = served.find((endpoint) => {
    const known = normalize(decodeFully(endpoint.path) ?? endpoint.path);
    return known.endsWith(normalized) && whole.endsWith(known);
  });
  return found && `is the path of ${found.name}: use that method`;
}

/** Decoded until nothing is encoded; `undefined` if it is not UTF-8. */
function decodeFully(path: string): string | undefined {
  let decoded = path;
  try {
    while (/%[\da-f]{2}/i.test(decoded)) decoded = decodeURIComponent(decoded);
    return decoded;
  } catch {
    return undefined;
  }
}

/** In lower case. Servers that know path parameters read `/a;b=c` as `/a`, and `/..;/` as `/../`. */
function normalize(decoded: string): string {
  const segments = decoded.toLowerCase().split("/");
  const names = segments.map((segment) => segment.replace(/;.*/s, ""));
  return names.flatMap((name) => (name === "" ? [] : `/${name}`)).join("");
}
