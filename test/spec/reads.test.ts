import { type PaymentsClient, toCents } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { COMPANY_DATA, REVENUE_BODY, SELLERS_BODY, STATUS_BODY } from "./support/responses.ts";
import { CREDENTIALS, createMerchant, driftOf, serviceResponds } from "./support/service.ts";

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

async function read(endpoint: string, body: object, call: Call) {
  const { received } = serviceResponds(endpoint, 200, body);
  const { payments, events } = createMerchant();
  const result = await call(payments);
  return { result, fields: JSON.parse(JSON.stringify(result)), received, drift: driftOf(events) };
}

const COMPANY_BODY = { success: true, data: COMPANY_DATA };

/** The secret key is the user name, the public key the password. */
const BASIC = `Basic ${CREDENTIALS}`;

test.each<[string, object, Call, unknown, string | null]>([
  ["/api/v1/company", COMPANY_BODY, (to) => to.company.retrieve(), COMPANY_DATA, BASIC], // limits are in cents
  ["/api/v1/status", STATUS_BODY, (to) => to.status.retrieve(), STATUS_BODY, null], // without an envelope
  ["/sellers", SELLERS_BODY, (to) => to.sellers.list(), SELLERS_BODY, BASIC], // newest first
  ["/sellers/revenue", REVENUE_BODY, (to) => to.sellers.revenue(), REVENUE_BODY, BASIC],
])(
  "GET %s is sent without parameters, and every field is read",
  async (path, body, call, expected, authorization) => {
    const { fields, received, drift } = await read(`GET ${path}`, body, call);

    expect(received).toMatchObject([{ method: "GET", target: path, text: "" }]);
    expect(received[0]?.headers.get("authorization")).toBe(authorization);
    expect(JSON.stringify([...(received[0]?.headers ?? [])])).not.toMatch(/sk_|pk_/);
    expect(fields).toEqual(expected);
    expect(drift).toEqual([]);
  },
);

test("each result of a read has the received body as raw", async () => {
  const company = await read("GET /api/v1/company", COMPANY_BODY, (to) => to.company.retrieve());
  const status = await read("GET /api/v1/status", STATUS_BODY, (to) => to.status.retrieve());
  const sellers = await read("GET /sellers", SELLERS_BODY, (to) => to.sellers.list());

  expect(company.result).toMatchObject({ raw: COMPANY_BODY });
  expect(status.result).toMatchObject({ raw: STATUS_BODY });
  expect(sellers.result).toMatchObject(SELLERS_BODY.map((raw) => ({ raw })));
});

test("a company may have a status, a settlement schedule and events that the specification does not list", async () => {
  const webhook = { url: "https://x.example", events: ["transaction.canceled", "transaction.new"] };
  const data = {
    ...COMPANY_DATA,
    status: "archived",
    configuration: { ...COMPANY_DATA.configuration, webhook },
    settlement: { ...COMPANY_DATA.settlement, schedule: "D+30" },
  };

  const { fields, drift } = await read("GET /api/v1/company", { success: true, data }, (to) =>
    to.company.retrieve(),
  );

  expect(fields).toEqual(data);
  expect(drift).toEqual([]);
});

describe("the sellers", () => {
  const aSeller = (_: unknown, index: number) => ({ ...SELLERS_BODY[0], id: `sel_${index}` });

  test.each([
    [99, 0],
    [100, 1],
    [101, 0], // so 100 is not the page's limit
  ])("%d sellers on a page cause %d warnings that there may be more", async (count, warnings) => {
    serviceResponds("GET /sellers", 200, Array.from({ length: count }, aSeller));
    const { payments, events } = createMerchant();

    expect(await payments.sellers.list()).toHaveLength(count);

    const reported = events.filter(({ type }) => type === "warning");
    expect(reported).toHaveLength(warnings);
    for (const warning of reported)
      expect(warning).toMatchObject({ endpoint: "sellers.list", field: "length" });
  });

  test("have a revenue in decimal reais", () => {
    expect(toCents(REVENUE_BODY[0]?.revenue.total ?? 0)).toBe(1_025_075);
  });

  test.each<[string, string, object, Call]>([
    ["/api/v1/sellers", "/api/v1/sellers", SELLERS_BODY, (to) => to.sellers.list()],
    ["/api/v1/sellers/", "/api/v1/sellers/revenue", REVENUE_BODY, (to) => to.sellers.revenue()],
  ])(
    "may have the path %s, because the specification does not show it",
    async (sellersPath, path, body, call) => {
      const { received } = serviceResponds(`GET ${path}`, 200, body);

      await call(createMerchant({ sellersPath }).payments);

      expect(received[0]?.target).toBe(path);
    },
  );

  test.each<[string, object, Call]>([
    ["/sellers", SELLERS_BODY, (to) => to.sellers.list()],
    ["/sellers/revenue", REVENUE_BODY, (to) => to.sellers.revenue()],
  ])(
    "%s may need no authentication, because the specification does not show it",
    async (path, body, call) => {
      const { received } = serviceResponds(`GET ${path}`, 200, body);
      const none = { secretKey: undefined, publicKey: undefined };

      await call(createMerchant({ sellersAuth: "none" }).payments);
      await call(createMerchant({ sellersAuth: "none", ...none }).payments);

      expect(received.map(({ headers }) => headers.has("authorization"))).toEqual([false, false]);
    },
  );
});
