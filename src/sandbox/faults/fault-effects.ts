import { type EndpointName, endpoints } from "../../spec/endpoints.ts";
import { tooManyRequests } from "../answers.ts";
import { brokenConnection, html502, redirect307, stalled, stalledBody } from "./broken-answers.ts";
import { drifted, truncated, unknownStatus } from "./changed-answers.ts";
import type { FaultKind } from "./fault.ts";

/** What a kind of fault does to a call. */
export interface FaultEffect {
  readonly description: string;
  /** The endpoints that can show it. */
  readonly on: readonly EndpointName[];
  /** In the place of the service: the call has no effect. */
  readonly instead?: (request: Request) => Response;
  /** After the service did what it was asked to: what comes back in the place of its answer. */
  readonly afterwards?: (answer: Response, request: Request) => Response | Promise<Response>;
}

const ALL: readonly EndpointName[] = Object.values(endpoints).map(({ name }) => name);
const WITH_STATUS: readonly EndpointName[] = [
  "transactions.create",
  "company.retrieve",
  "status.retrieve",
  "sellers.list",
];

/** One row a kind. */
export const FAULT_EFFECTS: Readonly<Record<FaultKind, FaultEffect>> = {
  charged_then_reset: {
    description: "It is done, then the connection is reset before an answer.",
    on: ALL,
    afterwards: () => brokenConnection("ECONNRESET", "read ECONNRESET"),
  },
  charged_then_stalled: {
    description: "It is done, and no answer ever comes.",
    on: ALL,
    afterwards: (_answer, request) => stalled(request),
  },
  charged_then_500: {
    description: "It is done, and the answer is a 500.",
    on: ALL,
    afterwards: () => Response.json({ success: false, message: "Internal Server Error" }, { status: 500 }),
  },
  stalled_body: {
    description: "It is done; the answer stops in the middle of its body and stays open.",
    on: ALL,
    afterwards: stalledBody,
  },
  redirect_307: {
    description: "Not done: a 307 to the same address, where whoever follows it is charged.",
    on: ALL,
    instead: redirect307,
  },
  html_502: {
    description: "Not done: a proxy's HTML page with status 502.",
    on: ALL,
    instead: html502,
  },
  truncated_json: {
    description: "It is done; half of the answer's body is missing.",
    on: ALL,
    afterwards: truncated,
  },
  unknown_status: {
    description: "It is done; the answer carries a status that the specification does not know.",
    on: WITH_STATUS,
    afterwards: unknownStatus,
  },
  drifted_body: {
    description: "It is done; fields of the answer have other types, are new or are missing.",
    on: ALL,
    afterwards: drifted,
  },
  rate_limited: {
    description: "Not done: a 429 with Retry-After: 1.",
    on: ALL,
    instead: () => tooManyRequests(1),
  },
  refused_connection: {
    description: "Not done: nobody listens. Over HTTP the whole port is closed, 1 second for each time.",
    on: ALL,
    instead: () => brokenConnection("ECONNREFUSED", "connect ECONNREFUSED"),
  },
};
