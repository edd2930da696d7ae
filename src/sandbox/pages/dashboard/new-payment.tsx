import { useState } from "preact/hooks";
import { type Problem as FieldProblem, parseJson } from "../../body-rules.ts";
import { TEST_CARDS } from "../../cards/test-cards.ts";
import type { Overview } from "../../control/views.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { urlOf } from "../shared/api.ts";
import { readReais } from "../shared/format.tsx";
import { useFetched } from "../shared/live.ts";
import { hrefOf } from "./location.ts";
import { describeCard, formatCardNumber } from "./test-cards.tsx";

/** References whose outcome is unknown. They are not sent again: a repeated Enter would charge twice. */
const unknownReferences = new Set<string>();

/** A form for a payment, so that a person can try the service without code. */
export function NewPayment() {
  const { value: overview } = useFetched<Overview>("overview");
  // Unique enough to be found in the list.
  const [reference, setReference] = useState(() => `order-${Math.random().toString(36).slice(2, 8)}`);
  const action = useAction();
  const isBlocked = overview === undefined || unknownReferences.has(reference);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (isBlocked || unknownReferences.has(reference)) return;
    const text = (field: string) => String(new FormData(form).get(field));
    action.run(async () => {
      const id = await sendPayment(text("card"), readReais(text("amount")), reference, overview);
      announce(`Transaction ${id} was created.`);
      if (form.isConnected) window.location.hash = hrefOf({ view: "transactions", openId: id });
    });
  }

  return (
    <form class="stack panel" autocomplete="off" onSubmit={submit}>
      <h2>New payment</h2>
      <label for="payment-card">Method</label>
      <select id="payment-card" name="card">
        <option value="">Pix</option>
        {TEST_CARDS.map((card) => (
          <option key={card.number} value={card.number}>
            {formatCardNumber(card.number)} · {describeCard(card)}
          </option>
        ))}
      </select>
      <label for="payment-amount">Amount, in reais</label>
      <input id="payment-amount" name="amount" inputMode="decimal" defaultValue="19,90" />
      <label for="payment-reference">Reference</label>
      <input
        id="payment-reference"
        value={reference}
        onInput={(event) => setReference(event.currentTarget.value)}
      />
      <button type="submit" class="primary" aria-disabled={action.isRunning || isBlocked}>
        Create payment
      </button>
      <Problem text={action.problem} />
    </form>
  );
}

/**
 * Makes a payment as the backend of a merchant does: with the keys, each request once, and with all fields that the
 * endpoint's table requires. A card is tokenized first.
 *
 * Spec: "POST /api/v1/transactions", "POST /api/v1/card-token".
 *
 * @param card its number; empty for a pix.
 * @param amount cents.
 * @returns the id of the transaction.
 * @throws {Error} with a message that says whether something was created.
 */
async function sendPayment(card: string, amount: number, reference: string, overview: Overview) {
  const { baseUrl, secretKey, publicKey } = overview;
  const methodFields =
    card === ""
      ? { paymentMethod: "pix", pix: { expiresInDays: 1 } }
      : { paymentMethod: "credit_card", installments: "1", card: { hash: await tokenize(card, publicKey) } };
  const customer = {
    name: "Maria Exemplo",
    email: "maria@example.com",
    phone: "11999990000",
    document: { type: "cpf", number: "52998224725" },
  };
  const title = "Example item";
  const body = {
    ...methodFields,
    amount,
    customer,
    externalRef: reference,
    postbackUrl: `${baseUrl}/sandbox/inbox`,
    traceable: true,
    items: [{ title, unitPrice: amount, quantity: 1, tangible: false }],
    ip: "203.0.113.10", // an address for documentation (RFC 5737)
    metadata: JSON.stringify({ source: "dashboard" }),
  };
  const authorization = `Basic ${btoa(`${secretKey}:${publicKey}`)}`;
  const { status, text } = await post("transactions", body, { authorization });
  const received = parseJson(text) as { data?: { id?: unknown } } | null | undefined;
  const id = Number(received?.data?.id);
  if (status === 201 && id > 0) return id;
  if (status >= 400 && status < 500) throw notCreated(status, text);
  unknownReferences.add(reference);
  throw new Error(
    `The outcome is unknown: the payment may exist. Search for ${reference} in the list. To try again, change the reference.`,
  );
}

async function tokenize(number: string, publicKey: string): Promise<string> {
  const card = {
    number,
    holderName: "Maria Exemplo",
    expirationMonth: "12",
    expirationYear: "2099",
    cvv: "123",
  };
  const { status, text } = await post(`card-token?publicKey=${encodeURIComponent(publicKey)}`, card);
  if (status !== 200) throw notCreated(status, text);
  return text;
}

function notCreated(status: number, text: string): Error {
  const body = parseJson(text) as { message?: string; errors?: readonly FieldProblem[] } | null | undefined;
  const problems = body?.errors?.map(({ field, message }) => `${field}: ${message}`).join("; ");
  const nothing = "Nothing was created.";
  const received = status === 0 ? "no response" : `HTTP ${status}`;
  return new Error(`${nothing} ${received} ${problems ?? body?.message ?? ""}`);
}

interface PostResponse {
  /** 0 if no response was received, or if the page cannot read it. */
  readonly status: number;
  readonly text: string;
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<PostResponse> {
  try {
    const response = await fetch(urlOf(`../api/v1/${path}`), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual", // a redirect that is followed sends the payment twice
      credentials: "omit", // on a connection of its own; for why, see the POST of a browser in server/start-sandbox.ts
      signal: AbortSignal.timeout(10_000), // a fault can withhold the response
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: "" };
  }
}
