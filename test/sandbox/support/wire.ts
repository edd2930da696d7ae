import type { Gateway, GatewayRequestInit } from "payments-sdk/sandbox";

/** Requests of any HTTP client, without the client of the SDK. */

export const NOON = Date.parse("2026-12-04T12:00:00.000Z");

const CPF = { type: "cpf", number: "52998224725" };
export const CNPJ = { type: "cnpj", number: "12345678000195" };

/** `fetch` blocks this port, so that tests which do not test postbacks send none. */
const BLOCKED_URL = "http://127.0.0.1:9/postbacks";

/** A pix with every field that the endpoint lists. */
export function aPix(overrides: object = {}): Record<string, unknown> {
  return {
    paymentMethod: "pix",
    amount: 1990,
    customer: { name: "Ana Exemplo", email: "ana@loja.example", phone: "11999990000", document: CPF },
    externalRef: "order-1",
    postbackUrl: BLOCKED_URL,
    traceable: true,
    items: [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: true, product_image: "" }],
    ip: "203.0.113.7",
    metadata: '{"cart":7}',
    pix: { expiresInDays: 2 },
    ...overrides,
  };
}

/** A pix with only the fields that the pix guide requires. */
export function aGuidePix(overrides: object = {}): Record<string, unknown> {
  return {
    paymentMethod: "pix",
    amount: 1990,
    customer: { name: "Ana Exemplo", email: "ana@loja.example", document: CPF },
    ...overrides,
  };
}

export function aCardPayment(hash: string, overrides: object = {}): Record<string, unknown> {
  const { pix: _pix, ...shared } = aPix();
  return { ...shared, paymentMethod: "credit_card", installments: "1", card: { hash }, ...overrides };
}

export function aCard(overrides: object = {}): Record<string, unknown> {
  return {
    number: "4111111111111111",
    holderName: "ANA EXEMPLO",
    expirationMonth: "12",
    expirationYear: "2040",
    cvv: "123",
    ...overrides,
  };
}

/** A copy without the field at a dotted path. */
export function without(body: Record<string, unknown>, path: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(withValue(body, path, undefined)));
}

/** A copy with another value at a dotted path. */
export function withValue(
  body: Record<string, unknown>,
  path: string,
  value: unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = structuredClone(body);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const owner = keys.reduce((object, key) => object[key] as Record<string, unknown>, copy);
  owner[last] = value;
  return copy;
}

export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${btoa(`${user}:${password}`)}` };
}

type Keys = Pick<Gateway, "baseUrl" | "secretKey" | "publicKey">;
type Send = (url: string, init: GatewayRequestInit) => Promise<Response>;

/** The calls of a merchant, to a gateway or over HTTP. */
export function merchant(keys: Keys, send: Send) {
  const { baseUrl, secretKey, publicKey } = keys;
  const headers = basic(secretKey, publicKey);

  const get = (path: string) => send(`${baseUrl}${path}`, { headers });
  const post = (path: string, body: unknown, extra: Record<string, string> = headers) =>
    send(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...extra },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const create = (body: unknown) => post("/api/v1/transactions", body);
  const tokenize = (card: unknown = aCard()) => post(`/api/v1/card-token?publicKey=${publicKey}`, card, {});
  const token = async (card: unknown = aCard()) => (await tokenize(card)).text();
  /** The `data` of a created pix. */
  const pix = async (overrides: object = {}) => (await bodyOf(await create(aPix(overrides)))).data;
  /** The `data` of a card payment. */
  const card = async (number = "4111111111111111", overrides: object = {}) =>
    (await bodyOf(await create(aCardPayment(await token(aCard({ number })), overrides)))).data;

  return { get, post, create, tokenize, token, pix, card };
}

export function merchantOf(gateway: Gateway) {
  return merchant(gateway, gateway.fetch);
}

/** A response body, loosely typed because the tests assert its shape. */
// biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
export async function bodyOf(response: Response): Promise<any> {
  return response.json();
}

/** The dotted paths in a validation error. */
export async function fieldsOf(response: Response): Promise<string[]> {
  const body = await bodyOf(response);
  return body.errors.map(({ field }: { field: string }) => field);
}
