import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
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
ajv.addVocabulary([...Object.keys(document), "discriminator"]); // words of OpenAPI
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
  "%s has its authentication, and describes each response of the sandbox, with every field of its example",
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
      const body = await (isText ? response.text() : response.json());
      expectExact(check, body);
      if (status < 400) {
        const [{ example, examples }] = Object.values<typeof document>(responses[status].content);
        const fields = pathsIn(example ?? examples.pendingPix.value);
        expect(pathsIn(body)).toEqual(expect.arrayContaining([...fields]));
      }
    }
  },
);

test("a card that is approved, refused or processing is described", async () => {
  const { create, token } = merchantOf(createGateway());

  for (const number of ["4111111111111111", "4000000000009995", "4000000000003220"]) {
    const response = await create(aCardPayment(await token(aCard({ number }))));
    expectExact(checkAt(["paths", TRANSACTIONS, "post", "responses", "201"]), await wire.bodyOf(response));
  }
});

test("the postback of each status is described", async () => {
  const receiver = await startReceiver();
  const { gateway, pix, card } = gatewayPostingTo(receiver);

  for (const move of ["pay", "expire", "cancel"] as const) gateway[move](await pix());
  for (const move of ["refund", "chargeback"] as const) gateway[move](await card());
  gateway.med(gateway.pay(await pix()).id);
  await gateway.settled();

  expect(receiver.received).toHaveLength(7);
  for (const { body } of receiver.received) {
    expectExact(checkAt(["webhooks", "transactionStatus", "post", "requestBody"]), body);
  }
});

const MAX = Number.MAX_SAFE_INTEGER;

/** At the edges of the rules, and of every type. */
const VALUES = [
  ...[-1, 0, 1, 2, 31, 100, 1.5, MAX, MAX + 1, true, null, [], {}, [{}]],
  ...["", " ", "0", "00", "1", "01", "12", "13", "123", "1234", "12345", "x", "2040", "ftp://shop.example"],
  ...["52998224725", "529982247250", "4111111111111111111", "41111111111111111111", "9007199254740993"],
];

/** A schema cannot tell: is a text JSON, a token of this account, or the number of this document? */
const canTell = (field: string, value: unknown): boolean =>
  typeof value !== "string" || !/^(metadata|card\.hash|customer\.document\.(type|number))$/.test(field);

test.each<[string, string, (token: string) => Record<string, unknown>, readonly string[]]>([
  ["a pix", TRANSACTIONS, () => aPix(), ["card", "installments"]],
  ["a pix of the guide", TRANSACTIONS, () => aGuidePix(), []],
  ["a card payment", TRANSACTIONS, aCardPayment, ["pix"]],
  ["a card", CARD_TOKEN, () => aCard(), []],
])(
  "the document allows a field of %s to be missing or to have a value exactly if the sandbox does",
  async (_what, path, bodyWith, others) => {
    const limits = { transactionMinAmount: 1, transactionMaxAmount: MAX };
    const { create, tokenize, token } = merchantOf(createGateway({ company: { limits } }));
    const send = path === CARD_TOKEN ? tokenize : create;
    const valid = bodyWith(await token());
    const changed = [...pathsIn(valid), ...others].flatMap((field) => [
      without(valid, field),
      ...VALUES.filter((value) => canTell(field, value)).map((value) => withValue(valid, field, value)),
    ]);

    for (const body of [valid, ...changed]) {
      expect([body, checkRequest(path)(body)]).toEqual([body, (await send(body)).ok]);
    }
  },
);

test("GET /sandbox/openapi.json returns it, with the sandbox as its only server, its paths and its keys", async () => {
  const { control, baseUrl } = await openSandbox();
  const other = await openSandbox({ sellersPath: "/v2/sellers", sellersAuth: "none" });

  const [same, changed] = [await control("GET", "openapi.json"), await other.control("GET", "openapi.json")];

  expect(same.body).toEqual({ ...document, servers: [{ url: baseUrl }] });
  expect(changed.body.paths).toMatchObject({
    "/api/v1/company": { get: { security: [{ basic: [] }] } },
    "/v2/sellers": { get: { security: [] } },
    "/v2/sellers/revenue": { get: { security: [] } },
  });
});
