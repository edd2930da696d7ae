import { endpoints, type ServiceEndpointName } from "../../spec/endpoints.ts";
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
  /** The endpoints for which it can be armed. */
  readonly on: readonly ServiceEndpointName[];
  /** Whether the body of the response has no end. */
  readonly isEndless?: boolean;
  /** Responds instead of the service: the request has no effect. */
  readonly respondInstead?: (request: Request) => Response;
  /** Whether the service refuses the pix. */
  readonly refusePix?: true;
  /** Replaces the response of the service: the request had its effect. */
  readonly replaceResponse?: (response: Response, request: Request) => Response | Promise<Response>;
}

const ALL: readonly ServiceEndpointName[] = Object.values(endpoints).map(({ name }) => name);
const WITH_STATUS: readonly ServiceEndpointName[] = [
  "transactions.create",
  "company.retrieve",
  "status.retrieve",
  "sellers.list",
];

export const FAULT_EFFECTS: Readonly<Record<FaultKind, FaultEffect>> = {
  charged_then_reset: {
    on: ALL,
    replaceResponse: () => breakConnection("ECONNRESET", "read ECONNRESET"),
  },
  charged_then_stalled: {
    on: ALL,
    replaceResponse: (_response, request) => stall(request),
  },
  charged_then_500: {
    on: ALL,
    replaceResponse: () =>
      Response.json({ success: false, message: "Internal Server Error" }, { status: 500 }),
  },
  stalled_body: {
    on: ALL,
    isEndless: true,
    replaceResponse: stallBody,
  },
  redirect_307: {
    on: ALL,
    respondInstead: redirect307,
  },
  html_502: {
    on: ALL,
    respondInstead: html502,
  },
  truncated_json: {
    on: ALL,
    replaceResponse: truncateBody,
  },
  unknown_status: {
    on: WITH_STATUS,
    replaceResponse: replaceStatus,
  },
  drifted_body: {
    on: ALL,
    replaceResponse: driftBody,
  },
  pix_refused: {
    on: [endpoints.createTransaction.name],
    refusePix: true,
  },
  rate_limited: {
    on: ALL,
    respondInstead: () => tooManyRequests(1),
  },
  refused_connection: {
    on: ALL,
    respondInstead: () => breakConnection("ECONNREFUSED", "connect ECONNREFUSED"),
  },
};
