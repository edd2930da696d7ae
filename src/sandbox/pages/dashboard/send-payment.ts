import { withoutPunctuation, withoutSeparators } from "../../../spec/check-digits.ts";
import { type Problem, parseJson } from "../../body-rules.ts";
import type { Overview } from "../../control/views.ts";
import { urlOf } from "../shared/api.ts";
import { t } from "../shared/texts.ts";

export interface Payment {
  readonly method: "pix" | "credit_card";
  /** Cents. */
  readonly amount: number;
  /** The text of a field. Its name is its path in the request of the transaction or of the card token. */
  text(field: string): string;
}

/** What the fields contain at first. */
export const examplesFor = ({ baseUrl }: Overview) => ({
  externalRef: `order-${Math.random().toString(36).slice(2, 8)}`, // unique enough to be found in the list
  "customer.name": "Maria Exemplo",
  "customer.document.number": "529.982.247-25",
  "customer.email": "maria@example.com",
  postbackUrl: `${baseUrl}/sandbox/inbox`,
});

export type PaymentResult = { readonly outcome: "created"; readonly id: number } | PaymentFailure;

export interface PaymentFailure {
  /** With `unknown`, the payment may exist. */
  readonly outcome: "not_created" | "unknown";
  /** The reference that was sent. The field may have changed since then. */
  readonly reference: string;
  /** Status and message of the response, or that no response was received. */
  readonly message: string;
  readonly problems: readonly Problem[];
}

/** A fault can withhold the response. */
const TIMEOUT_MS = 10_000;

/**
 * Makes a payment as the backend of a merchant does: with the keys, each request once, and with all fields that the
 * endpoint's table requires. A card is tokenized first.
 *
 * Spec: "POST /api/v1/transactions", "POST /api/v1/card-token".
 */
export async function sendPayment(payment: Payment, overview: Overview): Promise<PaymentResult> {
  const { method, text } = payment;
  if (method === "pix") {
    return create(payment, { pix: { expiresInDays: toNumber(text("pix.expiresInDays")) } }, overview);
  }
  const response = await tokenize(payment, overview);
  if (response.status !== 200) return toFailure(payment, "not_created", response);
  return create(payment, { installments: text("installments"), card: { hash: response.text } }, overview);
}

function tokenize({ text }: Payment, { publicKey, now }: Overview): Promise<PostResponse> {
  return post(`card-token?publicKey=${encodeURIComponent(publicKey)}`, {
    number: withoutSeparators(text("number")),
    holderName: text("customer.name"),
    expirationMonth: "12",
    expirationYear: String(new Date(now).getUTCFullYear() + 5),
    cvv: "123",
  });
}

async function create(
  payment: Payment,
  methodFields: object,
  { secretKey, publicKey }: Overview,
): Promise<PaymentResult> {
  const authorization = `Basic ${btoa(`${secretKey}:${publicKey}`)}`;
  const response = await post("transactions", toBody(payment, methodFields), { authorization });
  const id = Number(response.body?.data?.id);
  if (response.status === 201 && id > 0) return { outcome: "created", id };
  const isRefused = response.status >= 400 && response.status < 500;
  return toFailure(payment, isRefused ? "not_created" : "unknown", response);
}

/** The body of a create call, with every field that the endpoint's table requires. */
export function toBody({ method, amount, text }: Payment, methodFields: object): object {
  return {
    paymentMethod: method,
    amount,
    customer: {
      name: text("customer.name"),
      email: text("customer.email"),
      phone: "11999990000",
      document: { type: "cpf", number: withoutPunctuation(text("customer.document.number")) },
    },
    externalRef: text("externalRef"),
    postbackUrl: text("postbackUrl"),
    traceable: true,
    items: [{ title: t("Example item", "Item de exemplo"), unitPrice: amount, quantity: 1, tangible: false }],
    ip: "203.0.113.10", // an address for documentation (RFC 5737)
    metadata: JSON.stringify({ source: "dashboard" }),
    ...methodFields,
  };
}

/** Text that is not a number is sent as text, so that the service says what is wrong with it. */
function toNumber(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

interface PostResponse {
  /** 0 if no response was received, or if the page cannot read it. */
  readonly status: number;
  readonly text: string;
  readonly body?:
    | { readonly message?: unknown; readonly errors?: unknown; readonly data?: { id?: unknown } }
    | undefined;
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<PostResponse> {
  try {
    const received = await fetch(urlOf(`../api/v1/${path}`), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual", // a redirect that is followed sends the payment twice
      credentials: "omit", // on a connection of its own; for why, see the POST of a browser in server/start-sandbox.ts
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await received.text();
    return { status: received.status, text, body: parseJson(text) as PostResponse["body"] };
  } catch {
    return { status: 0, text: "" };
  }
}

function toFailure(
  { text }: Payment,
  outcome: PaymentFailure["outcome"],
  { status, body }: PostResponse,
): PaymentFailure {
  const problems = Array.isArray(body?.errors) ? (body.errors as Problem[]) : [];
  const reason = typeof body?.message === "string" ? body.message : "";
  const noResponse = t("No response was received.", "Nenhuma resposta foi recebida.");
  const message = status === 0 ? noResponse : `HTTP ${status} ${reason}`.trim();
  return { outcome, reference: text("externalRef"), problems, message };
}
