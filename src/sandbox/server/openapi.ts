/// <reference types="node" />
import { createRequire } from "node:module";
import { SELLERS_PATH } from "../../spec/endpoints.ts";
import type { createControlApi } from "../control/control-api.ts";
import type { Gateway } from "../gateway.ts";
import { toServedPath } from "../service-endpoints.ts";

/** `GET /sandbox/openapi.json`: the OpenAPI document of the package, with this sandbox as its only server. */
export function addOpenApiRoute(
  api: ReturnType<typeof createControlApi>,
  { baseUrl, sellersPath, sellersAuth }: Gateway,
): void {
  api.get("/openapi.json", () => {
    const { paths, ...document } = readDocument();
    const served = Object.entries(paths).map(([path, item]) => [
      toServedPath(path, sellersPath),
      sellersAuth === "none" && path.startsWith(SELLERS_PATH) ? withoutKeys(item) : item,
    ]);
    return Response.json({ ...document, servers: [{ url: baseUrl }], paths: Object.fromEntries(served) });
  });
}

function withoutKeys(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, { ...operation, security: [] }]),
  );
}

/** An operation for each method. */
type PathItem = Readonly<Record<string, object>>;

/** Found by the name of the package, because the path from `dist` differs from that from `src`. */
function readDocument(): { readonly paths: Readonly<Record<string, PathItem>> } {
  return createRequire(import.meta.url)("payments-sdk/openapi.json");
}
