/// <reference types="node" />
import { createRequire } from "node:module";
import { SELLERS_PATH } from "../../spec/endpoints.ts";
import type { Route } from "../control/route.ts";
import type { Gateway } from "../gateway.ts";
import { json } from "../responses.ts";
import { toServedPath } from "../router.ts";

/** `GET /sandbox/openapi.json`: the OpenAPI document of the package, with this sandbox as its only server. */
export function createOpenApiRoute({ baseUrl, sellersPath, sellersAuth }: Gateway): Route {
  return {
    method: "GET",
    path: "openapi.json",
    handle: () => {
      const { paths, ...document } = readDocument();
      const served = Object.entries(paths).map(([path, item]) => [
        toServedPath(path, sellersPath),
        sellersAuth === "none" && path.startsWith(SELLERS_PATH) ? withoutKeys(item) : item,
      ]);
      return json({ ...document, servers: [{ url: baseUrl }], paths: Object.fromEntries(served) });
    },
  };
}

function withoutKeys(item: PathItem): PathItem {
  const operations = Object.entries(item).map(([method, operation]) => [
    method,
    { ...operation, security: [] },
  ]);
  return Object.fromEntries(operations);
}

/** An operation for each method. */
type PathItem = Readonly<Record<string, object>>;

/** Found by the name of the package, because the path from `dist` differs from that from `src`. */
function readDocument(): { readonly paths: Readonly<Record<string, PathItem>> } {
  return createRequire(import.meta.url)("payments-sdk/openapi.json");
}
