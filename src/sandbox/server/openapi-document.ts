/// <reference types="node" />
import { createRequire } from "node:module";
import { SELLERS_PATH } from "../../spec/endpoints.ts";
import type { Gateway } from "../gateway.ts";
import { toServedPath } from "../service-endpoints.ts";

/** `GET /sandbox/openapi.json`: the OpenAPI document of the package, with this sandbox as its only server. */
export function openApiDocument({ baseUrl, sellersPath, sellersAuth }: Gateway): object {
  // Found by the name of the package, because the path from `dist` differs from that from `src`.
  const { paths, ...document } = createRequire(import.meta.url)("payments-sdk/openapi.json");
  const served = Object.entries<Record<string, object>>(paths).map(([path, item]) => {
    const needsNoKeys = sellersAuth === "none" && path.startsWith(SELLERS_PATH);
    const operations = Object.entries(item).map(([method, operation]) => [
      method,
      needsNoKeys ? { ...operation, security: [] } : operation,
    ]);
    return [toServedPath(path, sellersPath), Object.fromEntries(operations)];
  });
  return { ...document, servers: [{ url: baseUrl }], paths: Object.fromEntries(served) };
}
