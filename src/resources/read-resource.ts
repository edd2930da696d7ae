import { type Drift, parseIfJson } from "../data/json.ts";
import { isRecord } from "../data/own-properties.ts";
import { findSentSecrets } from "../data/sent-secrets.ts";
import { type FoundIssue, snapshot } from "../data/validate.ts";
import { type Issue, toIssues } from "../errors/issue.ts";
import { ConfigurationError } from "../errors/usage-errors.ts";
import { Call, REQUEST_OPTION_NAMES } from "../http/call.ts";
import { type Account, authorize } from "../http/config.ts";
import { errorForFailure, errorForStatus, unexpectedResponse } from "../http/error-for-status.ts";
import { parseBody } from "../http/response.ts";
import type { WithResponse } from "../http/result.ts";
import { runCall } from "../http/trace.ts";
import type { CalledEndpoint } from "../spec/endpoints.ts";
import { type ReadOptions, toQuery } from "./query.ts";

const OPTION_NAMES = [...REQUEST_OPTION_NAMES, "extraQuery"] as const;

/** The result of parsing a body. */
export type Parsed<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The result of parsing a body that cannot be used. */
export const noResult = (field: string, message: string) =>
  ({ ok: false, issues: [{ field, message }] }) as const;

/**
 * Reads an endpoint that charges no one.
 *
 * @param parse - Converts the JSON of a 2xx to the result. Differences from the specification are added to `drift`.
 * @param problem - Why the call must not be sent.
 */
export async function read<Data>(
  account: Account,
  endpoint: CalledEndpoint,
  options: ReadOptions | undefined,
  parse: (body: unknown, drift: Drift[], call: Call) => Parsed<Data>,
  problem?: string,
): Promise<WithResponse<Data>> {
  const call: Call = new Call(account.config, endpoint, options, OPTION_NAMES);
  return await runCall(call, async () => {
    call.hide(account.secrets);
    if (problem !== undefined) throw new ConfigurationError(problem, call.context("not_sent"));
    const found: FoundIssue[] = [];
    const copy = snapshot({ extraQuery: call.options.extraQuery }, found);
    const extraQuery = isRecord(copy) ? copy["extraQuery"] : undefined;
    const query = toQuery(extraQuery, "extraQuery", found);
    if (found.length === 0) call.hide(findSentSecrets(extraQuery));
    call.assertValid(found.length === 0, toIssues(found));
    const request = { query, authorization: authorize(call, account), body: undefined };
    const response = await account.config.platform.sendWithRetries(call, request);
    if (!response.isOk) throw errorForStatus(call, response);
    const body = parseBody(response, parseIfJson(response.text));
    if (!body.ok) throw unexpectedResponse(call, response, noResult("", body.problem));
    if (body.isFailure) throw errorForFailure(call, response, body.value);
    const drift: Drift[] = [];
    const parsed = parse(body.value, drift, call);
    call.reportDrift(drift);
    if (!parsed.ok) throw unexpectedResponse(call, response, parsed);
    return call.result(parsed.data, response);
  });
}
