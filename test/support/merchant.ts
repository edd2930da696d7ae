import {
  type CardParams,
  CardTokenizer,
  type CreateCardParams,
  type CreatePixParams,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  type PaymentsEvent,
} from "payments-sdk";

/** A test merchant: its keys, its orders, and a client that records its events. */

export const SECRET_KEY = "sk_test_9f8e7d6c5b4a";
export const PUBLIC_KEY = "pk_test_1a2b3c4d5e6f";

export interface Merchant {
  readonly payments: PaymentsClient;
  /** Every event in order. */
  readonly events: PaymentsEvent[];
}

/** A client for a test server. Its timeout is long, so that only the tests of timeouts reach it. */
export function merchantAt(baseUrl: string, options: PaymentsClientOptions = {}): Merchant {
  const events: PaymentsEvent[] = [];
  const payments = new PaymentsClient({
    baseUrl,
    secretKey: SECRET_KEY,
    publicKey: PUBLIC_KEY,
    timeout: 5_000,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { payments, events };
}

export function tokenizerAt(baseUrl: string, options: object = {}): CardTokenizer {
  return new CardTokenizer({ baseUrl, publicKey: PUBLIC_KEY, timeout: 5_000, maxRetries: 0, ...options });
}

const COMMON = {
  amount: 1990,
  externalRef: "order-1",
  postbackUrl: "https://loja.example/postbacks",
  traceable: true,
  ip: "203.0.113.7",
};

const aCustomer = () => ({
  name: "Ana Exemplo",
  email: "ana@loja.example",
  phone: "11999990000",
  document: { type: "cpf" as const, number: "52998224725" },
});

/** With all fields that the specification lists for a pix, so that no warning is due. */
export function aPix(overrides: Partial<CreatePixParams> = {}): CreatePixParams {
  const pix = { items: [], metadata: { cart: 7 }, pix: { expiresInDays: 1 } };
  return { ...COMMON, customer: aCustomer(), ...pix, ...overrides };
}

export function aCardPayment(overrides: Partial<CreateCardParams> = {}): CreateCardParams {
  const items = [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: true }];
  const card = { items, metadata: { cart: 7 }, installments: 1, card: { hash: "tok_a1b2c3d4e5" } };
  return { ...COMMON, customer: aCustomer(), ...card, ...overrides };
}

export function aCard(overrides: Partial<CardParams> = {}): CardParams {
  return {
    number: "4111111111111111",
    holderName: "ANA EXEMPLO",
    expirationMonth: 12,
    expirationYear: 2040,
    cvv: "123",
    ...overrides,
  };
}

/** The error that a call rejects with; fails the test if the call succeeds or throws anything else. */
export async function failureOf(call: PromiseLike<unknown>): Promise<PaymentsError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof PaymentsError) return error;
    throw new Error("the call rejected with an error that is not a PaymentsError", { cause: error });
  }
  throw new Error("the call was expected to fail, and succeeded");
}

/** The error that a function throws synchronously. */
export function thrownBy(action: () => unknown): PaymentsError {
  try {
    action();
  } catch (error) {
    if (error instanceof PaymentsError) return error;
    throw new Error("the action threw an error that is not a PaymentsError", { cause: error });
  }
  throw new Error("the action was expected to throw, and did not");
}

export type EventOf<Type extends PaymentsEvent["type"]> = Extract<PaymentsEvent, { type: Type }>;

export function eventsOf<Type extends PaymentsEvent["type"]>(
  events: readonly PaymentsEvent[],
  type: Type,
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** Card tokens for the tests: JWTs without a valid signature. */

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JWT with these claims, as the service might send it. */
export function aJwt(claims: object): string {
  return `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** Seconds since 1970, as JWTs count them. */
export const inSeconds = (date: Date | number): number => Math.floor(Number(date) / 1000);
