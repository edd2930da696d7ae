import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { createGateway, type Gateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import openApi from "../../docs/openapi.json" with { type: "json" };
import { openSandbox } from "../sandbox/support/control.ts";
import { gatewayPostingTo, startReceiver } from "../sandbox/support/postback-receiver.ts";
import { type EndpointName, validRequest } from "../sandbox/support/valid-requests.ts";
import * as wire from "../sandbox/support/wire.ts";

const { aCard, aCardPayment, aGuidePix, aPix, merchantOf, without, withValue } = wire;

// biome-ignore lint/suspicious/noExplicitAny: its parts are looked up by name
const document: any = openApi;
const ajv = new Ajv2020({ strictTypes: false });
ajv.addVocabulary([...Object.keys(document), "x-assumptions", "discriminator"]); // words of OpenAPI
ajv.addFormat("date-time", (text) => new Date(text).toISOString() === text).addFormat("uri", URL.canParse);
ajv.addSchema(document, "service");

/** The check of the bodies at a place in the document. */
function checkAt(place: readonly string[], type = "application/json"): ValidateFunction {
  const path = [...place, "content", type, "schema"].map((name) => name.replaceAll("/", "~1"));
  const check = ajv.getSchema(`service#/${path.join("/")}`);
  if (check === undefined) throw new Error(`${path.join(" ")} is not documented.`);
  return check as ValidateFunction;
}

const checkRequest = (path: string) => checkAt(["paths", path, "post", "requestBody"]);

/** The path of every value in a body, such as `data.customer.name`. */
function pathsIn(value: unknown, prefix = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...pathsIn(inner, `${prefix}${name}.`),
  ]);
}

/** Allows the body, and nothing that has null instead of one of its values. */
function expectExact(check: ValidateFunction, body: Record<string, unknown>): void {
  expect([check(body), body, check.errors]).toEqual([true, body, null]);
  expect([check(null), pathsIn(body).filter((path) => check(withValue(body, path, null)))]).toEqual([
    false,
    [],
  ]);
}

const TRANSACTIONS = "/api/v1/transactions";
const CARD_TOKEN = "/api/v1/card-token";
const STATUS = "/api/v1/status";

/** The endpoints of the specification: authentication and statuses. */
const ENDPOINTS: readonly [EndpointName, "get" | "post", string, readonly string[], readonly number[]][] = [
  ["transactions.create", "post", TRANSACTIONS, ["basic"], [201, 400, 401]],
  ["cardTokens.create", "post", CARD_TOKEN, ["publicKey"], [200, 400, 401]],
  ["company.retrieve", "get", "/api/v1/company", ["basic"], [200, 401]],
  ["status.retrieve", "get", STATUS, [], [200, 429]],
  ["sellers.list", "get", "/sellers", ["basic"], [200, 401]],
  ["sellers.revenue", "get", "/sellers/revenue", ["basic"], [200, 401]],
];

/** Sends what makes the sandbox respond to an endpoint with a status. */
async function respond(gateway: Gateway, name: EndpointName, status: number): Promise<Response> {
  const keys = status === 401 ? { ...gateway, secretKey: "sk_1", publicKey: "pk_1" } : gateway;
  const send = () => gateway.fetch(validRequest(name, keys, status === 400 ? { body: "{}" } : {}));
  for (let earlier = status === 429 ? 60 : 0; earlier > 0; earlier -= 1) await send();
  return send();
}

test.each(ENDPOINTS)(
  "%s has its authentication, and describes each response of the sandbox",
  async (...endpoint) => {
    const [name, method, path, schemes, statuses] = endpoint;
    const { security, responses } = document.paths[path][method];

    expect(security.flatMap(Object.keys)).toEqual(schemes);
    expect(Object.keys(responses).map(Number)).toEqual(statuses);
    for (const status of statuses) {
      const response = await respond(createGateway(), name, status);
      expect(response.status).toBe(status);
      const isText = response.headers.get("content-type")?.startsWith("text/plain");
      const place = status < 400 ? ["paths", path, method, "responses"] : ["components", "responses"];
      const check = checkAt([...place, String(status)], isText ? "text/plain" : "application/json");
      expectExact(check, await (isText ? response.text() : response.json()));
    }
  },
);

test.each([
  ["approved", "4111111111111111"],
  ["refused", "4000000000009995"],
  ["processing", "4000000000003220"],
])("a card that is %s is described", async (status, number) => {
  const { create, token } = merchantOf(createGateway());

  const body = await wire.bodyOf(await create(aCardPayment(await token(aCard({ number })))));

  expect(body.data.status).toBe(status);
  expectExact(checkAt(["paths", TRANSACTIONS, "post", "responses", "201"]), body);
});

test("the postback of each status is described", async () => {
  const receiver = await startReceiver();
  const { gateway, pix, card } = gatewayPostingTo(receiver);

  for (const move of ["pay", "expire", "cancel"] as const) gateway[move](await pix());
  for (const move of ["refund", "chargeback"] as const) gateway[move](await card());
  await gateway.settled();

  expect(receiver.received).toHaveLength(5);
  for (const { body } of receiver.received) {
    expectExact(checkAt(["webhooks", "transactionStatus", "post", "requestBody"]), body);
  }
});

test.each<[string, string, (token: string) => Record<string, unknown>]>([
  ["a pix", TRANSACTIONS, () => aPix()],
  ["a pix of the guide", TRANSACTIONS, () => aGuidePix()],
  ["a card payment", TRANSACTIONS, aCardPayment],
  ["a card", CARD_TOKEN, () => aCard()],
])("the fields of %s are required and typed as in the sandbox", async (_what, path, bodyWith) => {
  const { create, tokenize, token } = merchantOf(createGateway());
  const send = path === CARD_TOKEN ? tokenize : create;
  const valid = bodyWith(await token());
  const changed = pathsIn(valid).flatMap((field) => [without(valid, field), withValue(valid, field, null)]);

  for (const body of [valid, ...changed]) {
    expect([body, checkRequest(path)(body)]).toEqual([body, (await send(body)).ok]);
  }
});

const MAX = Number.MAX_SAFE_INTEGER;

/** Values at the edges of the rules, and any other ones. */
const wrongValue = fc.oneof(
  fc.constantFrom<unknown>(...[-1, 0, 1, 2, 31, 100, 1.5, MAX, MAX + 1]),
  fc.constantFrom<unknown>(...["", " ", "0", "00", "1", "01", "12", "13", "123", "x"]),
  fc.constantFrom<unknown>(...[true, null, [], {}, [{}]]),
  fc.constantFrom<unknown>(...["ftp://shop.example", "52998224725", "2040"]),
  fc.jsonValue({ maxDepth: 1 }),
);

/** A schema cannot tell: is a text JSON, a token of this account, or the number of this document? */
const canTell = (field: string, value: unknown): boolean =>
  typeof value !== "string" || !/^(metadata|card\.hash|customer\.document\.(type|number))$/.test(field);

test.each<[string, string, (token: string) => Record<string, unknown>, readonly string[]]>([
  ["a pix", TRANSACTIONS, () => aPix(), ["card", "installments"]],
  ["a card payment", TRANSACTIONS, aCardPayment, ["pix"]],
  ["a card", CARD_TOKEN, () => aCard(), []],
])(
  "the document allows a value in %s exactly if the sandbox accepts it",
  async (_what, path, bodyWith, others) => {
    const { create, tokenize, token } = merchantOf(
      createGateway({ company: { limits: { transactionMinAmount: 1, transactionMaxAmount: MAX } } }),
    );
    const send = path === CARD_TOKEN ? tokenize : create;
    const valid = bodyWith(await token());

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pathsIn(valid), ...others), wrongValue, async (field, value) => {
        fc.pre(canTell(field, value));
        const body = withValue(valid, field, value);

        expect([body, checkRequest(path)(body)]).toEqual([body, (await send(body)).ok]);
      }),
      { numRuns: 1_000 },
    );
  },
);

test("GET /sandbox/openapi.json returns it, with the sandbox as its only server, at the sandbox's paths", async () => {
  const { control, baseUrl } = await openSandbox();
  const other = await openSandbox({ sellersPath: "/v2/sellers" });

  const [same, moved] = [await control("GET", "openapi.json"), await other.control("GET", "openapi.json")];

  expect(same.body).toEqual({ ...document, servers: [{ url: baseUrl }] });
  expect(Object.keys(moved.body.paths).slice(-2)).toEqual(["/v2/sellers", "/v2/sellers/revenue"]);
});

test("GET /sandbox/openapi.json requires keys only where the sandbox does", async () => {
  const { control } = await openSandbox({ sellersAuth: "none" });

  const { paths } = (await control("GET", "openapi.json")).body;

  const security = (path: string) => paths[path].get.security;
  expect(["/sellers", "/sellers/revenue", "/api/v1/company"].map(security)).toEqual([
    [],
    [],
    [{ basic: [] }],
  ]);
});
