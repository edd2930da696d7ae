import type { IncomingMessage, ServerResponse } from "node:http";
import type { Charges } from "./charges.ts";
import type { Phase } from "./plan.ts";

/** One request, read to its end. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly charges: Charges;
  /** Milliseconds that the client waits for an answer. */
  readonly patience: number;
}

/** Milliseconds within which a service that leaves closes a connection after its answer. */
const LEAVES_WITHIN_MS = 10;

type Behaviour = (exchange: Exchange) => void;

/** What may become of a request in each phase, each with the same chance. */
export const BEHAVIOURS: Readonly<Record<Phase, readonly Behaviour[]>> = {
  healthy: [approve],
  slow: [approveTooLate, approveTooLate, stallInside],
  failing: [
    (exchange) => refuse(exchange, 503),
    (exchange) => refuse(exchange, 429),
    failAfterCharging,
    resetAfterCharging,
    resetInside,
    endInside,
    cutJson,
    (exchange) => void exchange.request.socket.end(), // without a word, as a connection that became too old
  ],
  leaving: [approve, approveAndLeave],
  refusing: [approve], // of what got in before the port was closed
  recovering: [approve, approve, approveSlowly, (exchange) => refuse(exchange, 503)],
};

function approve({ response, body, charges }: Exchange): void {
  response.writeHead(201, { "content-type": "application/json" }).end(answerTo(charges, body));
}

function approveSlowly(exchange: Exchange): void {
  setTimeout(() => approve(exchange), exchange.patience / 4);
}

/** Closes the connection a moment later, when the next request may be on its way already. */
function approveAndLeave(exchange: Exchange): void {
  approve(exchange);
  setTimeout(() => exchange.request.socket.end(), exchange.charges.count % LEAVES_WITHIN_MS);
}

/** The money is taken at once, and nobody waits for the answer any more. */
function approveTooLate({ response, body, charges, patience }: Exchange): void {
  const answer = answerTo(charges, body);
  setTimeout(() => response.writeHead(201).end(answer), patience * 1.3);
}

function stallInside({ response, body, charges, patience }: Exchange): void {
  const answer = answerTo(charges, body);
  response.writeHead(201).write(answer.slice(0, 100));
  setTimeout(() => response.end(answer.slice(100)), patience * 1.3);
}

function refuse({ response }: Exchange, status: number): void {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end('{"success":false,"message":"Later"}');
}

function failAfterCharging(exchange: Exchange): void {
  answerTo(exchange.charges, exchange.body);
  refuse(exchange, 503);
}

function resetAfterCharging({ request, body, charges }: Exchange): void {
  answerTo(charges, body);
  request.socket.resetAndDestroy();
}

function resetInside({ request, response, body, charges }: Exchange): void {
  const answer = answerTo(charges, body);
  response.writeHead(201, { "content-length": String(answer.length) });
  response.write(answer.slice(0, 100), () => request.socket.resetAndDestroy());
}

/** Breaks off in the middle of the head. */
function endInside({ request, body, charges }: Exchange): void {
  answerTo(charges, body);
  request.socket.end("HTTP/1.1 201 Created\r\ncontent-ty");
}

function cutJson({ response, body, charges }: Exchange): void {
  response.writeHead(201).end(answerTo(charges, body).slice(0, -100));
}

function answerTo(charges: Charges, body: string): string {
  const charge = charges.take(body);
  const data = {
    id: charge?.id,
    status: "approved",
    amount: 1990,
    companyId: 7,
    installments: 1,
    refusedAmount: 0,
    paidAmount: 1990,
    refundedAmount: 0,
    paymentMethod: "credit_card",
    acquirerType: "acme",
    secureId: "sec-1",
    secureUrl: "https://pay.example/sec-1",
    externalId: charge?.externalRef,
    customer: {
      name: "Maria Exemplo",
      email: "maria@loja.example",
      phone: "11999990000",
      document: { number: "52998224725", type: "cpf" },
    },
    traceable: true,
    fees: 99,
    createdAt: "2026-11-20T12:00:00.000Z",
  };
  return JSON.stringify({ success: true, message: "Transaction created", status: 201, data });
}
