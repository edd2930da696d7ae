/// <reference types="node" />
import { createRequire } from "node:module";
import type { Route } from "../control/route.ts";
import { json } from "../responses.ts";

/** `GET /sandbox/openapi.json`: the OpenAPI document of the package, with this sandbox as its only server. */
export function createOpenApiRoute(baseUrl: string): Route {
  return {
    method: "GET",
    path: "openapi.json",
    handle: () => json({ ...readDocument(), servers: [{ url: baseUrl }] }),
  };
}

/** Found by the name of the package, because the path from `dist` differs from that from `src`. */
function readDocument(): object {
  return createRequire(import.meta.url)("payments-sdk/openapi.json");
}
