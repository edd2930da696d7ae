import { expect, test } from "vitest";
import { endpoints } from "../../src/spec/endpoints.ts";

// Typed in from "Endpoints", "Authentication" and "General rules", rule 3. Each is also called on the wire.
test("the endpoints are those of the specification, with its statuses, and only one of them charges", () => {
  const rows = Object.values(endpoints).map(({ name, method, path, auth, reply, statuses, charges }) =>
    [name, method, path, auth, reply, statuses.join(), charges].join(" "),
  );

  expect(rows).toEqual([
    "transactions.create POST /api/v1/transactions basic json 201,400,401 true",
    "cardTokens.create POST /api/v1/card-token publicKey text 200,400,401 false",
    "company.retrieve GET /api/v1/company basic json 200,401 false", // only the 401 is shown
    "status.retrieve GET /api/v1/status none json 200,429 false", // only the 429 is shown
    "sellers.list GET /sellers basic json 200,401 false",
    "sellers.revenue GET /sellers/revenue basic json 200,401 false",
  ]);
});
