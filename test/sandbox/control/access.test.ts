import { describe, expect, test } from "vitest";
import { freePort } from "../../support/running.ts";
import { openSandbox } from "../support/control.ts";
import { aPix } from "../support/wire.ts";

test.each([
  ["GET", "nothing", 404, null],
  ["GET", "overview/", 404, null],
  ["GET", "transactions/1/buy", 404, null],
  ["POST", "overview", 405, "GET"],
  ["GET", "transactions/latest/pay", 405, "POST"],
  ["PUT", "faults", 405, "GET, POST, DELETE"],
])("%s %s is a %i with the allowed methods: %s", async (method, path, expected, allowed) => {
  const { control } = await openSandbox();

  const { status, headers, body } = await control(method, path);

  const message = expected === 404 ? "Not Found" : "Method Not Allowed";
  expect([status, body]).toEqual([expected, { success: false, message }]);
  expect(headers.get("allow")).toBe(allowed);
});

describe("requests of pages from other origins", () => {
  test.each(["https://evil.example", "http://127.0.0.1:1", "http://localhost:4010", "null", ""])(
    "from the origin '%s' are refused with 403, change nothing and get no CORS header",
    async (origin) => {
      const { control, create, gateway } = await openSandbox();
      await create(aPix());

      const responses = [
        await control("POST", "transactions/latest/pay", undefined, { origin }),
        await control("GET", "overview", undefined, { origin }),
        await control("GET", "events", undefined, { origin }),
        await control("DELETE", "faults", undefined, { origin }),
        await control("OPTIONS", "faults", undefined, { origin, "access-control-request-method": "POST" }),
      ];

      for (const { status, body, headers } of responses) {
        expect([status, body]).toEqual([403, { success: false, message: "Not allowed from another site" }]);
        expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
      expect(gateway.transactions).toMatchObject([{ status: "pending" }]);
    },
  );

  test.each(["cross-site", "same-site"])(
    "with Sec-Fetch-Site: %s and without an origin are refused",
    async (site) => {
      const { control } = await openSandbox();
      const headers = { "sec-fetch-site": site };

      const [events, overview] = [
        await control("GET", "events", undefined, headers),
        await control("GET", "overview", undefined, headers),
      ];
      const own = await control("GET", "overview", undefined, { "sec-fetch-site": "same-origin" });

      expect([events.status, overview.status, own.status]).toEqual([403, 403, 200]);
      for (const response of [events, overview, own]) {
        expect(response.headers.get("cache-control")).toBe("no-store");
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      }
    },
  );

  test("do not include those of the sandbox itself, even through a proxy", async () => {
    const port = await freePort();
    await openSandbox({ port, baseUrl: "https://pay.example" });
    const address = `http://127.0.0.1:${port}`;
    const from = (origin: string) => fetch(`${address}/sandbox/overview`, { headers: { origin } });

    const [same, proxied] = [await from(address), await from("https://pay.example")];

    expect([same.status, proxied.status]).toEqual([200, 200]);
    expect(same.headers.get("access-control-allow-origin")).toBeNull();
  });
});
