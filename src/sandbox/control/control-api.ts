import { type Context, Hono } from "hono";
import { isJsonObject, type JsonObject, parseJson } from "../body-rules.ts";
import { toTimestamp } from "../clock.ts";
import { FAULT_DESCRIPTIONS, type Fault } from "../faults/fault.ts";
import { KINDS, targetsOf } from "../faults/faults.ts";
import type { Gateway } from "../gateway.ts";
import { basePathOf } from "../service-endpoints.ts";
import { failure, methodNotAllowed, notFound } from "../service-responses.ts";
import {
  ImpossibleMoveError,
  MOVES,
  type SandboxTransaction,
  UnknownIdError,
} from "../transactions/sandbox-transaction.ts";
import { possibleMoves, takesAmount } from "../transactions/transaction-records.ts";
import { createEventStream } from "./event-stream.ts";
import {
  type CheckoutView,
  type FaultsView,
  type RequestPage,
  type TransactionDetail,
  type TransactionPage,
  toRequestSummary,
  toSummary,
} from "./views.ts";

/** How many entries a list has at most. */
const PAGE_SIZE = 100;

/** What the server adds to each request. */
interface ControlEnv {
  Bindings: { readonly outgoing: { destroy(): unknown } };
}

/**
 * Creates the control API: the functions of `Gateway` over HTTP, for `curl`, other languages and the dashboard. It is
 * served under `{baseUrl}/sandbox/`, in JSON, without authentication. It is not part of the service.
 */
export function createControlApi(gateway: Gateway) {
  const api = new Hono<ControlEnv>().basePath(`${basePathOf(gateway.baseUrl)}/sandbox`);
  const { clock, faults } = gateway;

  /** The response to a request that no route may handle. */
  function refuse({ raw, path, method }: Context["req"]): Response | undefined {
    if (isCrossOrigin(raw, gateway.baseUrl)) return failure(403, "Not allowed from another site");
    const allowed = ["GET", "POST", "DELETE"].filter((known) =>
      api.router.match(known, path)[0].some(([[, route]]) => route.method === known),
    );
    // This includes HEAD: hono would call the route of GET, and open an event stream that nobody closes.
    if (allowed.includes(method)) return undefined;
    return allowed.length > 0 ? methodNotAllowed(allowed) : notFound();
  }

  api.use(async (context, next) => {
    const refusal = refuse(context.req);
    if (refusal) context.res = refusal;
    else await next();
    // The data changes all the time, and contains keys: no cache keeps it, and no browser runs it as a script.
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
  });
  api.onError((error) => failure(statusOf(error), error.message));

  api.get("/overview", () => {
    const { baseUrl, secretKey, publicKey, companyName } = gateway;
    return Response.json({ baseUrl, secretKey, publicKey, companyName, now: toTimestamp(clock.now()) });
  });
  api.get("/events", ({ env }) => createEventStream(gateway, () => env.outgoing.destroy()));
  api.post("/clock", async ({ req }) => {
    const { advanceMs } = await readObject(req, ["advanceMs"]);
    if (typeof advanceMs !== "number") throw new TypeError("advanceMs must be a number.");
    clock.advance(advanceMs);
    return Response.json({ now: toTimestamp(clock.now()) });
  });

  api.get("/transactions", ({ req }) => Response.json(listTransactions(gateway, req.query())));
  api.get("/transactions/:id", ({ req }) => {
    return Response.json(detailOf(gateway, findTransaction(gateway, req.param("id"))));
  });
  for (const move of MOVES) {
    api.post(`/transactions/:id/${move}`, async ({ req }) => {
      const { id } = findTransaction(gateway, req.param("id"));
      const { amount } = await readObject(req, takesAmount(move) ? ["amount"] : []);
      if (amount !== undefined && typeof amount !== "number") {
        throw new TypeError("amount must be a number of cents.");
      }
      return Response.json(detailOf(gateway, gateway[move](id, amount)));
    });
  }
  api.post("/transactions/:id/postback", async ({ req }) => {
    const transaction = findTransaction(gateway, req.param("id"));
    await readObject(req, []);
    gateway.sendPostback(transaction.id);
    return Response.json(detailOf(gateway, transaction));
  });
  api.get("/charges", ({ req }) => {
    const externalRef = req.query("externalRef");
    if (externalRef === undefined) throw new TypeError("The query parameter externalRef is required.");
    return Response.json({ charges: gateway.chargesFor(externalRef) });
  });

  api.get("/requests", ({ req }) => Response.json(listRequests(gateway, req.query())));
  api.get("/requests/:id", ({ req }) => {
    const request = gateway.requests.find(({ id }) => String(id) === req.param("id"));
    if (request === undefined) throw new UnknownIdError(`There is no request ${req.param("id")} in the log.`);
    return Response.json(request);
  });

  api.get("/deliveries", () => {
    return Response.json({ deliveries: gateway.deliveries.slice(-PAGE_SIZE).toReversed() });
  });
  api.post("/deliveries/:id/resend", async ({ req }) => {
    await readObject(req, []);
    return Response.json(gateway.resendPostback(Number(req.param("id"))));
  });
  // A receiver of postbacks for merchants who do not have one yet: `postbackUrl` can point here.
  api.post("/inbox", () => new Response(null, { status: 204 }));

  api.get("/faults", () => {
    const kinds = KINDS.map((kind) => ({
      kind,
      description: FAULT_DESCRIPTIONS[kind],
      on: targetsOf(kind),
    }));
    return Response.json({ armed: faults.armed, kinds } satisfies FaultsView);
  });
  api.post("/faults", async ({ req }) => {
    // `add` validates each field.
    const fault = (await readObject(req, ["on", "kind", "times"])) as unknown as Fault;
    return Response.json(faults.add(fault), { status: 201 });
  });
  api.delete("/faults", () => {
    faults.clear();
    return new Response(null, { status: 204 });
  });
  api.delete("/faults/:id", ({ req }) => {
    if (!faults.remove(Number(req.param("id")))) {
      throw new UnknownIdError(`There is no fault ${req.param("id")}.`);
    }
    return new Response(null, { status: 204 });
  });

  api.get("/checkout/:secureId", ({ req }) => {
    return Response.json(checkoutView(gateway, findCheckout(gateway, req.param("secureId"))));
  });
  api.post("/checkout/:secureId/pay", async ({ req }) => {
    const { id } = findCheckout(gateway, req.param("secureId"));
    await readObject(req, []);
    return Response.json(checkoutView(gateway, gateway.pay(id)));
  });
  return api;
}

/**
 * Whether a request was sent by a page of another origin, which must not change anything in the sandbox of a developer
 * who has that page open, nor read it. Requests from `curl` or from code have neither header. `Sec-Fetch-Site` is the
 * only sign of a request that needs no CORS, such as that of a script element or of an event stream.
 *
 * @param baseUrl URL of the sandbox, which can be a proxy that sends a different `Host`.
 */
export function isCrossOrigin({ headers }: Request, baseUrl: string): boolean {
  const site = headers.get("sec-fetch-site") ?? "none";
  if (site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.get("host");
}

function statusOf(error: Error): number {
  if (error instanceof UnknownIdError) return 404;
  if (error instanceof ImpossibleMoveError) return 409;
  return error instanceof TypeError || error instanceof RangeError ? 400 : 500;
}

/**
 * Reads a body that is a JSON object with certain fields. An empty body is an empty object.
 *
 * @throws {TypeError} when it is not a JSON object or has an unknown field.
 */
async function readObject({ raw }: Context["req"], fields: readonly string[]): Promise<JsonObject> {
  const text = await raw.text();
  const body = text.trim() === "" ? {} : parseJson(text);
  if (!isJsonObject(body)) throw new TypeError("The body must be a JSON object.");

  const unknown = Object.keys(body).find((key) => !fields.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`Unknown field ${unknown}; known fields: ${fields.join(", ") || "none"}.`);
  }
  return body;
}

/** @param name an id, or `latest`, or an `externalRef`: then the newest transaction with it. @throws {UnknownIdError} */
function findTransaction({ transactions }: Gateway, name: string): SandboxTransaction {
  const found =
    name === "latest"
      ? transactions.at(-1)
      : (transactions.find(({ id }) => String(id) === name) ??
        transactions.findLast(({ externalId }) => externalId === name));
  if (found !== undefined) return found;
  throw new UnknownIdError(
    name === "latest" ? "There are no transactions yet." : `There is no transaction ${name}.`,
  );
}

function detailOf(gateway: Gateway, transaction: SandboxTransaction): TransactionDetail {
  const { pixReturnedAs } = gateway;
  const deliveries = gateway.deliveries.filter(({ transactionId }) => transactionId === transaction.id);
  return {
    transaction,
    moves: possibleMoves(transaction),
    pixReturnedAs,
    deliveries: deliveries.toReversed(),
  };
}

/** @throws {UnknownIdError} */
function findCheckout({ transactions }: Gateway, secureId: string): SandboxTransaction {
  const found = transactions.find((transaction) => transaction.secureId === secureId);
  if (found === undefined) throw new UnknownIdError("This checkout does not exist.");
  return found;
}

/** Only what the hosted checkout page needs, because the customer can see it. Spec: "Transaction", `secureUrl`. */
function checkoutView({ companyName }: Gateway, transaction: SandboxTransaction): CheckoutView {
  const { createdAt: _createdAt, fault: _fault, ...summary } = toSummary(transaction);
  const { refusedReason, pix } = transaction;
  return {
    ...summary,
    companyName,
    ...(refusedReason !== undefined && { refusedReason }),
    ...(pix && { pix }),
  };
}

type Query = Readonly<Record<string, string>>;

/** Lists transactions, newest first. `q` is searched in the id, reference, status, method and customer. */
function listTransactions({ transactions }: Gateway, query: Query): TransactionPage {
  const { entries, ...page } = pageOf(transactions, query, (transaction) => {
    const { id, externalId, status, paymentMethod, customer } = transaction;
    return [id, externalId, status, paymentMethod, customer.name, customer.email];
  });
  return { transactions: entries.map(toSummary), ...page };
}

/** Lists requests, newest first. `q` is searched in the path, the status, the bodies, the reason and the fault. */
function listRequests({ requests }: Gateway, query: Query): RequestPage {
  const { entries, ...page } = pageOf(requests, query, (request) => {
    const { method, path, status, requestBody, responseBody, reason, fault, transactionId } = request;
    return [method, path, status, requestBody, responseBody, reason, fault, transactionId];
  });
  return { requests: entries.map(toRequestSummary), ...page };
}

/**
 * The newest entries older than `before`. Each word of `q` is in the text of an entry, in any case.
 *
 * @param all oldest first.
 */
function pageOf<T extends { readonly id: number }>(
  all: readonly T[],
  { q = "", before = String(Number.MAX_SAFE_INTEGER) }: Query,
  textOf: (entry: T) => readonly (string | number | undefined)[],
) {
  if (!/^\d+$/.test(before)) throw new TypeError("before must be a whole number.");
  const words = [...new Set(q.toLowerCase().split(/\s+/))];
  const matches = all.filter((entry) => {
    const text = textOf(entry).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const older = matches.filter(({ id }) => id < Number(before));
  const entries = older.slice(-PAGE_SIZE).toReversed();
  return { entries, total: matches.length, hasMore: older.length > entries.length };
}
