import { json } from "../answers.ts";
import type { Gateway } from "../gateway.ts";
import { MOVES, type MoveName } from "../move-names.ts";
import { movesOf } from "../moves.ts";
import { UnknownIdError } from "../sandbox-errors.ts";
import type { SandboxTransaction } from "../transaction.ts";
import { BadRequestError } from "./control-errors.ts";
import { readObject } from "./read-object.ts";
import type { Route, RouteInput } from "./route.ts";
import { summaryOf } from "./transaction-summary.ts";
import type { TransactionDetail, TransactionPage } from "./views.ts";

const PAGE_MAX = 100;

export function transactionRoutes(gateway: Gateway): readonly Route[] {
  const get = (id = "") => findTransaction(gateway, id);

  return [
    { method: "GET", path: "transactions", answer: ({ query }) => json(pageOf(gateway, query)) },
    {
      method: "GET",
      path: "transactions/:id",
      answer: ({ params }) => json(detailOf(gateway, get(params["id"]))),
    },
    ...MOVES.map(
      (move): Route => ({
        method: "POST",
        path: `transactions/:id/${move}`,
        answer: async ({ params, request }) => {
          const moved = await makeMove(gateway, move, get(params["id"]), request);
          return json(detailOf(gateway, moved));
        },
      }),
    ),
    {
      method: "POST",
      path: "transactions/:id/postback",
      answer: async ({ params, request }) => {
        const transaction = get(params["id"]);
        await readObject(request, []);
        gateway.sendPostback(transaction.id);
        return json(detailOf(gateway, transaction));
      },
    },
    { method: "GET", path: "charges", answer: (input) => json({ charges: chargesOf(gateway, input) }) },
  ];
}

/** By id, or the `latest`. @throws {UnknownIdError} */
function findTransaction(gateway: Gateway, id: string): SandboxTransaction {
  const { transactions } = gateway;
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
  if (amount !== undefined && typeof amount !== "number")
    throw new BadRequestError("amount must be a number of cents.");
  return gateway.refund(id, amount);
}

function detailOf(gateway: Gateway, transaction: SandboxTransaction): TransactionDetail {
  const deliveries = gateway.deliveries.filter(({ transactionId }) => transactionId === transaction.id);
  return { transaction, moves: movesOf(transaction), deliveries: deliveries.toReversed() };
}

/** @throws {BadRequestError} when `limit` or `before` is not a whole number. */
function pageOf(gateway: Gateway, query: URLSearchParams): TransactionPage {
  const limit = Math.min(wholeNumber(query, "limit") ?? PAGE_MAX, PAGE_MAX);
  const before = wholeNumber(query, "before") ?? Number.POSITIVE_INFINITY;
  const older = gateway.transactions.filter(({ id }) => id < before);
  const page = limit === 0 ? [] : older.slice(-limit);
  return { transactions: page.toReversed().map(summaryOf), hasMore: older.length > page.length };
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new BadRequestError(`${name} must be a whole number.`);
  return Number(text);
}

function chargesOf(gateway: Gateway, { query }: RouteInput): readonly SandboxTransaction[] {
  const externalRef = query.get("externalRef");
  if (externalRef === null) throw new BadRequestError("Which externalRef?");
  return gateway.chargesFor(externalRef);
}
