import { describe, expect, test } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { openSandbox } from "../support/control.ts";
import { aPix } from "../support/wire.ts";

describe("what is not there", () => {
  test.each(["", "nothing", "overview/", "transactions/1/2/3", "transactions/1/buy", "Overview", "events/1"])(
    "the path '%s' is a 404 in JSON",
    async (path) => {
      const { control } = await openSandbox();

      const { status, body } = await control("GET", path);

      expect([status, body]).toEqual([404, { success: false, message: "Not Found" }]);
    },
  );

  test.each([
    ["POST", "overview", "GET"],
    ["POST", "transactions", "GET"],
    ["DELETE", "transactions/latest", "GET"],
    ["GET", "transactions/latest/pay", "POST"],
    ["PUT", "faults", "GET, POST, DELETE"],
    ["GET", "faults/1", "DELETE"],
    ["GET", "clock", "POST"],
    ["GET", "inbox", "POST"],
    ["POST", "events", "GET"],
    ["OPTIONS", "overview", "GET"],
  ])("%s %s is a 405, and tells the methods that there are: %s", async (method, path, allowed) => {
    const { control } = await openSandbox();

    const { status, headers, body } = await control(method, path);

    expect([status, body]).toEqual([405, { success: false, message: "Method Not Allowed" }]);
    expect(headers.get("allow")).toBe(allowed);
  });
});

describe("pages of other sites", () => {
  test.each([
    "https://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://localhost:4010",
    "null",
    "",
  ])("from the origin '%s' are refused with 403, and move nothing", async (origin) => {
    const { control, create, gateway } = await openSandbox();
    await create(aPix());

    const answers = [
      await control("POST", "transactions/latest/pay", undefined, { origin }),
      await control("GET", "overview", undefined, { origin }),
      await control("GET", "events", undefined, { origin }),
      await control("DELETE", "faults", undefined, { origin }),
      await control("OPTIONS", "faults", undefined, { origin }),
    ];

    for (const { status, body } of answers) {
      expect([status, body]).toEqual([403, { success: false, message: "Not from another site" }]);
    }
    expect(gateway.transactions).toMatchObject([{ status: "pending" }]);
  });

  test("are not told that they may: no answer has a CORS header", async () => {
    const { control, baseUrl } = await openSandbox();
    const origin = "https://evil.example";

    const answers = await Promise.all([
      control("GET", "overview"),
      control("GET", "overview", undefined, { origin }),
      control("GET", "overview", undefined, { origin: baseUrl }),
      control("OPTIONS", "faults", undefined, { origin, "access-control-request-method": "POST" }),
      control("GET", "nothing", undefined, { origin }),
    ]);

    const names = answers.flatMap(({ headers }) => [...headers.keys()]);
    expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("are not meant: those of the sandbox itself may, also through a proxy", async () => {
    const port = await freePort();
    await openSandbox({ port, baseUrl: "https://pay.example" });
    const address = `http://127.0.0.1:${port}`;
    const from = (origin: string) => fetch(`${address}/sandbox/overview`, { headers: { origin } });

    const [same, proxied] = [await from(address), await from("https://pay.example")];

    expect([same.status, proxied.status]).toEqual([200, 200]);
  });
});

test("a base URL with a path puts the control API below it, and nowhere else", async () => {
  const port = await freePort();
  const { control, baseUrl, create } = await openSandbox({ port, baseUrl: `http://127.0.0.1:${port}/pay` });
  await create(aPix());

  const paid = await control("POST", "transactions/latest/pay", undefined, {
    origin: new URL(baseUrl).origin,
  });
  const elsewhere = await fetch(`http://127.0.0.1:${port}/sandbox/overview`);

  expect(paid).toMatchObject({ status: 200, body: { transaction: { status: "approved" } } });
  expect(paid.body.transaction.secureUrl).toMatch(`${baseUrl}/checkout/`);
  expect(elsewhere.status).toBe(404);
});

test.each([
  "transactions/latest/pay",
  "transactions/latest/postback",
  "deliveries/1/resend",
  "checkout/secureId/pay",
])("POST %s takes no fields: one that nobody reads is a 400", async (path) => {
  const { control, create, gateway } = await openSandbox();
  await create(aPix());
  const [{ id, secureId } = { id: 0, secureId: "" }] = gateway.transactions;
  gateway.sendPostback(id);

  const { status, body } = await control("POST", path.replace("secureId", secureId), { now: true });

  expect([status, body]).toEqual([400, { success: false, message: "now is no field; known: none." }]);
  expect(gateway.transactions).toMatchObject([{ status: "pending" }]);
  expect(gateway.deliveries).toHaveLength(1);
});
