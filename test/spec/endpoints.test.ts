import { describe, expect, test } from "vitest";
import { API_PREFIX, endpoints, PUBLIC_KEY_PARAMETER } from "../../src/spec/endpoints.ts";

// Typed in from "Endpoints", "Authentication" and "General rules", rule 3.
describe("the endpoints of the specification", () => {
  test.each([
    ["transactions.create", "POST", "/api/v1/transactions", "basic", "json", [201, 400, 401]],
    ["cardTokens.create", "POST", "/api/v1/card-token", "publicKey", "text", [200, 400, 401]],
    ["company.retrieve", "GET", "/api/v1/company", "basic", "json", [200, 401]], // only the 401 is shown
    ["status.retrieve", "GET", "/api/v1/status", "none", "json", [200, 429]], // only the 429 is shown
    ["sellers.list", "GET", "/sellers", "basic", "json", [200, 401]],
    ["sellers.revenue", "GET", "/sellers/revenue", "basic", "json", [200, 401]],
  ])("%s is %s %s, authenticated by %s, answers %s with %j", (...row) => {
    const [name, method, path, auth, reply, statuses] = row;

    const found = Object.values(endpoints).find((endpoint) => endpoint.name === name);

    expect(found).toMatchObject({ name, method, path, auth, reply, statuses });
  });

  test("are six, and no two share a method and a path", () => {
    const addresses = new Set(Object.values(endpoints).map(({ method, path }) => `${method} ${path}`));

    expect(addresses.size).toBe(6);
    expect(Object.keys(endpoints)).toHaveLength(6);
  });

  test("only the creation of a transaction charges somebody", () => {
    const charging = Object.values(endpoints).filter(({ charges }) => charges);

    expect(charging.map(({ path }) => path)).toEqual(["/api/v1/transactions"]);
  });

  test("the version is part of the path", () => {
    expect(API_PREFIX).toBe("/api/v1");
  });

  test("tokenization is authenticated by the query parameter publicKey", () => {
    expect(PUBLIC_KEY_PARAMETER).toBe("publicKey");
  });

  test("the second path of card requests is not offered", () => {
    const paths: string[] = Object.values(endpoints).map(({ path }) => path);

    expect(paths).not.toContain("/api/v1/transaction/card");
  });
});
