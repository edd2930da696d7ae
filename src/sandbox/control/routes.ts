import { toTimestamp } from "../clock.ts";
import { UnknownIdError } from "../errors.ts";
import { FAULT_KINDS, type Fault } from "../faults/fault.ts";
import { FAULT_DESCRIPTIONS } from "../faults/fault-descriptions.ts";
import { FAULT_EFFECTS } from "../faults/fault-effects.ts";
import type { Gateway } from "../gateway.ts";
import { json } from "../responses.ts";
import { possibleMoves } from "../transactions/moves.ts";
import { MOVES, type MoveName, type SandboxTransaction } from "../transactions/transaction.ts";
import { createEventStream } from "./event-stream.ts";
import { listRequests, listTransactions } from "./lists.ts";
import { BadRequestError, type Route, readObject } from "./route.ts";
import {
  type CheckoutView,
  type FaultsView,
  type Overview,
  type TransactionDetail,
  toSummary,
} from "./views.ts";

const DELIVERIES_MAX = 100;

/** Every route of the control API. */
export function createRoutes(gateway: Gateway): readonly Route[] {
  return [
    { method: "GET", path: "overview", handle: () => json(overviewOf(gateway)) },
    ...transactionRoutes(gateway),
    ...requestRoutes(gateway),
    ...deliveryRoutes(gateway),
    ...faultRoutes(gateway),
    ...checkoutRoutes(gateway),
    {
      method: "POST",
      path: "clock",
      handle: async ({ request }) => {
        const { advanceMs } = await readObject(request, ["advanceMs"]);
        if (typeof advanceMs !== "number") throw new BadRequestError("advanceMs must be a number.");
        gateway.clock.advance(advanceMs);
        return json({ now: toTimestamp(gateway.clock.now()) });
      },
    },
    {
      method: "GET",
      path: "events",
      handle: ({ request }) => createEventStream(gateway, request.signal),
    },
  ];
}

function overviewOf({ baseUrl, secretKey, publicKey, companyName, clock }: Gateway): Overview {
  return { baseUrl, secretKey, publicKey, companyName, now: toTimestamp(clock.now()) };
}

function transactionRoutes(gateway: Gateway): readonly Route[] {
  const find = (id = "") => findTransaction(gateway, id);

  return [
    { method: "GET", path: "transactions", handle: ({ query }) => json(listTransactions(gateway, query)) },
    {
      method: "GET",
      path: "transactions/:id",
      handle: ({ params }) => json(detailOf(gateway, find(params["id"]))),
    },
    ...MOVES.map(
      (move): Route => ({
        method: "POST",
        path: `transactions/:id/${move}`,
        handle: async ({ params, request }) => {
          const moved = await makeMove(gateway, move, find(params["id"]), request);
          return json(detailOf(gateway, moved));
        },
      }),
    ),
    {
      method: "POST",
      path: "transactions/:id/postback",
      handle: async ({ params, request }) => {
        const transaction = find(params["id"]);
        await readObject(request, []);
        gateway.sendPostback(transaction.id);
        return json(detailOf(gateway, transaction));
      },
    },
    { method: "GET", path: "charges", handle: ({ query }) => json({ charges: listCharges(gateway, query) }) },
  ];
}

/** @param id an id, or `latest`. @throws {UnknownIdError} */
function findTransaction({ transactions }: Gateway, id: string): SandboxTransaction {
  const found = id === "latest" ? transactions.at(-1) : transactions.find((one) => String(one.id) === id);
  if (found === undefined) throw new UnknownIdError(`There is no transaction ${id}.`);
  return found;
}

async function makeMove(
  gateway: Gateway,
  move: MoveName,
  { id }: SandboxTransaction,
  request: Request,
): Promise<SandboxTransaction> {
  if (move !== "refund") {
    await readObject(request, []);
    return gateway[move](id);
  }
  const { amount } = await readObject(request, ["amount"]);
  if (amount !== undefined && typeof amount !== "number") {
    throw new BadRequestError("amount must be a number of cents.");
  }
  return gateway.refund(id, amount);
}

function detailOf(gateway: Gateway, transaction: SandboxTransaction): TransactionDetail {
  const deliveries = gateway.deliveries.filter(({ transactionId }) => transactionId === transaction.id);
  return { transaction, moves: possibleMoves(transaction), deliveries: deliveries.toReversed() };
}

function listCharges(gateway: Gateway, query: URLSearchParams): readonly SandboxTransaction[] {
  const externalRef = query.get("externalRef");
  if (externalRef === null) throw new BadRequestError("The query parameter externalRef is required.");
  return gateway.chargesFor(externalRef);
}

function requestRoutes(gateway: Gateway): readonly Route[] {
  return [
    { method: "GET", path: "requests", handle: ({ query }) => json(listRequests(gateway, query)) },
    {
      method: "GET",
      path: "requests/:id",
      handle: ({ params }) => {
        const id = params["id"] ?? "";
        const request = gateway.requests.find((one) => String(one.id) === id);
        if (request === undefined) throw new UnknownIdError(`There is no request ${id} in the log.`);
        return json(request);
      },
    },
  ];
}

function deliveryRoutes(gateway: Gateway): readonly Route[] {
  return [
    {
      method: "GET",
      path: "deliveries",
      handle: () => json({ deliveries: gateway.deliveries.slice(-DELIVERIES_MAX).toReversed() }),
    },
    {
      method: "POST",
      path: "deliveries/:id/resend",
      handle: async ({ params, request }) => {
        await readObject(request, []);
        return json(gateway.resendPostback(Number(params["id"])));
      },
    },
    // A receiver of postbacks for merchants who do not have one yet: `postbackUrl` can point here.
    { method: "POST", path: "inbox", handle: () => new Response(null, { status: 204 }) },
  ];
}

function faultRoutes({ faults }: Gateway): readonly Route[] {
  return [
    { method: "GET", path: "faults", handle: () => json(faultsView(faults.armed)) },
    {
      method: "POST",
      path: "faults",
      handle: async ({ request }) => {
        // `add` validates each field.
        const fault = (await readObject(request, ["on", "kind", "times"])) as unknown as Fault;
        return json(faults.add(fault), 201);
      },
    },
    {
      method: "DELETE",
      path: "faults",
      handle: () => {
        faults.clear();
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "DELETE",
      path: "faults/:id",
      handle: ({ params }) => {
        const id = params["id"] ?? "";
        if (!faults.remove(Number(id))) throw new UnknownIdError(`There is no fault ${id}.`);
        return new Response(null, { status: 204 });
      },
    },
  ];
}

function faultsView(armed: FaultsView["armed"]): FaultsView {
  const kinds = FAULT_KINDS.map((kind) => ({
    kind,
    description: FAULT_DESCRIPTIONS[kind],
    on: FAULT_EFFECTS[kind].on,
  }));
  return { armed, kinds };
}

function checkoutRoutes(gateway: Gateway): readonly Route[] {
  return [
    {
      method: "GET",
      path: "checkout/:secureId",
      handle: ({ params }) => json(checkoutView(findCheckout(gateway, params["secureId"]), gateway)),
    },
    {
      method: "POST",
      path: "checkout/:secureId/pay",
      handle: async ({ params, request }) => {
        const { id } = findCheckout(gateway, params["secureId"]);
        await readObject(request, []);
        return json(checkoutView(gateway.pay(id), gateway));
      },
    },
  ];
}

/** @throws {UnknownIdError} */
function findCheckout({ transactions }: Gateway, secureId: string | undefined): SandboxTransaction {
  const found = transactions.find((transaction) => transaction.secureId === secureId);
  if (found === undefined) throw new UnknownIdError("This checkout does not exist.");
  return found;
}

/** Only what the hosted checkout page needs, because the customer can see it. Spec: "Transaction", `secureUrl`. */
function checkoutView(transaction: SandboxTransaction, { companyName, clock }: Gateway): CheckoutView {
  const { createdAt: _createdAt, fault: _fault, ...summary } = toSummary(transaction);
  const { refusedReason, pix } = transaction;
  return {
    ...summary,
    companyName,
    ...(refusedReason !== undefined && { refusedReason }),
    ...(pix && { pix }),
    now: toTimestamp(clock.now()),
  };
}
