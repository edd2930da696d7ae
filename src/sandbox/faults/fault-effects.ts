import { type EndpointName, endpoints } from "../../spec/endpoints.ts";
import { tooManyRequests } from "../responses.ts";
import type { FaultKind } from "./fault.ts";
import {
  breakConnection,
  driftBody,
  html502,
  redirect307,
  replaceStatus,
  stall,
  stallBody,
  truncateBody,
} from "./faulty-responses.ts";

/** The effect of a kind of fault. */
export interface FaultEffect {
  readonly description: string;
  /** The endpoints for which it can be armed. */
  readonly on: readonly EndpointName[];
  /** Whether the body of the response has no end. */
  readonly isEndless?: boolean;
  /** Responds instead of the service: the request has no effect. */
  readonly respondInstead?: (request: Request) => Response;
  /** Replaces the response of the service: the request had its effect. */
  readonly replaceResponse?: (response: Response, request: Request) => Response | Promise<Response>;
}

const ALL: readonly EndpointName[] = Object.values(endpoints).map(({ name }) => name);
const WITH_STATUS: readonly EndpointName[] = [
  "transactions.create",
  "company.retrieve",
  "status.retrieve",
  "sellers.list",
];

export const FAULT_EFFECTS: Readonly<Record<FaultKind, FaultEffect>> = {
  charged_then_reset: {
    description: "Processed, then the connection is reset before the response.",
    on: ALL,
    replaceResponse: () => breakConnection("ECONNRESET", "read ECONNRESET"),
  },
  charged_then_stalled: {
    description: "Processed, but no response is ever sent.",
    on: ALL,
    replaceResponse: (_response, request) => stall(request),
  },
  charged_then_500: {
    description: "Processed, but the response is a 500.",
    on: ALL,
    replaceResponse: () =>
      Response.json({ success: false, message: "Internal Server Error" }, { status: 500 }),
  },
  stalled_body: {
    description:
      "Processed, but the response stops in the middle of its body, and the connection stays open.",
    on: ALL,
    isEndless: true,
    replaceResponse: stallBody,
  },
  redirect_307: {
    description: "Not processed: a 307 redirect to the same URL. A client that follows it creates a charge.",
    on: ALL,
    respondInstead: redirect307,
  },
  html_502: {
    description: "Not processed: a proxy's HTML page with status 502.",
    on: ALL,
    respondInstead: html502,
  },
  truncated_json: {
    description: "Processed, but half of the response body is missing.",
    on: ALL,
    replaceResponse: truncateBody,
  },
  unknown_status: {
    description: "Processed, but the response has a status that the specification does not list.",
    on: WITH_STATUS,
    replaceResponse: replaceStatus,
  },
  drifted_body: {
    description: "Processed, but fields of the response have other types, are new or are missing.",
    on: ALL,
    replaceResponse: driftBody,
  },
  rate_limited: {
    description: "Not processed: a 429 with Retry-After: 1.",
    on: ALL,
    respondInstead: () => tooManyRequests(1),
  },
  refused_connection: {
    description:
      "Not processed: the connection is refused. Over HTTP, the port is closed for all requests, 1 second for each time.",
    on: ALL,
    respondInstead: () => breakConnection("ECONNREFUSED", "connect ECONNREFUSED"),
  },
};
