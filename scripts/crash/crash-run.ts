import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isPaymentsError, PaymentsClient, UnexpectedResponseError } from "payments-sdk";
import type { IdempotencyStore, PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import type { Gateway } from "payments-sdk/sandbox";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { listen } from "../../examples/support/receiver.ts";
import { type Running, run } from "../../test/support/running.ts";
import { aPix } from "../../test/system/runtimes/smoke/orders.ts";
import { SIGNING_KEYS } from "../../test/system/support/chance.ts";
import { Slots } from "../../test/system/support/slots.ts";
import { readOrderStates } from "./checks.ts";
import { type DatabaseKind, openStore } from "./databases.ts";
import type { MerchantSettings } from "./merchant.ts";
import { type Attempt, DROPS, MOMENTS, type Moment, type Order, pickOne, planOrders } from "./plan.ts";
import { ATTEMPT_HEADER, startService } from "./service.ts";
import { startDatabase } from "./start-database.ts";

/** At most nine processes: each adds a listener for the end of this one, and Node warns about more than ten. */
const ORDERS_AT_ONCE = 3;

const FATES = ["pay", "expire", "cancel"] as const;

export interface CrashFigures {
  readonly chargedTwice: readonly string[];
  /** Orders that were `unresolved` after the crashes, after the postbacks, and after a person looked. */
  readonly unresolved: readonly number[];
  /** Broken promises. */
  readonly wrong: readonly string[];
  /** A summary. */
  readonly text: string;
}

/** An attempt, the moment at which it was killed, and its outcome, if the call ended before that. */
interface Crash {
  readonly attempt: Attempt;
  readonly moment: string;
  readonly outcome: string | undefined;
}

/**
 * Kills every process of every order; then postbacks arrive, a person resolves orders, and every order is sent once more.
 *
 * @param kind - Without one no store is used, and only the first part runs: each process sends its order again.
 */
export async function crashRun(
  kind: DatabaseKind | undefined,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<CrashFigures> {
  const orders = planOrders(seed, count);
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-crash-"));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = kind && (await startDatabase(kind, folder, cleanup)).address;
  const opened = database && (await openStore(database));
  cleanup.defer(async () => void (await opened?.close()));
  const running = new Map<string, Running>();
  const service = await startService(orders, (attempt) => running.get(attempt)?.kill());
  cleanup.defer(service.close);
  const signer = new PostbackUrlSigner({ keys: SIGNING_KEYS });
  const receiver = await listen(
    createPostbackHandler({ signer, store: opened?.store, onPostback: () => undefined }).node,
  );
  cleanup.defer(receiver.close);
  const { secretKey, publicKey, gateway } = service.sandbox;
  const account = { secretKey, publicKey, postbackUrl: receiver.url };

  const crash = async ({ externalRef, amount }: Order, attempt: Attempt): Promise<Crash> => {
    const settings: MerchantSettings = {
      ...{ externalRef, amount, moment: attempt.moment, database },
      headers: { [ATTEMPT_HEADER]: attempt.name },
      account: { ...account, baseUrl: service.baseUrl },
    };
    const program = join(import.meta.dirname, "merchant.ts");
    const cache = { NODE_COMPILE_CACHE: folder };
    const merchant = run(process.execPath, [program, JSON.stringify(settings)], undefined, cache);
    running.set(attempt.name, merchant);
    return waitForCrash(attempt, merchant);
  };
  const crashes = await crashAll(orders, crash);
  const references = orders.map(({ externalRef }) => externalRef);
  const chargedTwice = references.filter((externalRef) => gateway.chargesFor(externalRef).length > 1);
  const end = opened
    ? await settle(orders, opened.store, service.sandbox, receiver.url, seed)
    : { unresolved: [], wrong: [] };

  const wrong = [...end.wrong, ...findMisreported(crashes, service.accepted)];
  const met = new Set([...crashes.map(({ moment }) => moment), ...service.drops]);
  // Without a store there is nothing to record.
  const moments = opened ? MOMENTS : MOMENTS.filter((moment) => !moment.endsWith("the record"));
  for (const name of [...moments, ...DROPS]) if (!met.has(name)) wrong.push(`nothing happened ${name}`);
  const text = `--seed ${seed} --orders ${count} ${kind ?? "without a store"}: ${crashes.length} killed, ${chargedTwice.length} charged twice, unresolved ${end.unresolved.join(", then ")}`;
  return { ...end, chargedTwice, wrong, text };
}

async function crashAll(
  orders: readonly Order[],
  crash: (order: Order, attempt: Attempt) => Promise<Crash>,
): Promise<readonly Crash[]> {
  const slots = new Slots(ORDERS_AT_ONCE);
  const crashes = orders.map((order) =>
    slots.use(async () => {
      if (order.isRush) return Promise.all(order.attempts.map((attempt) => crash(order, attempt)));
      const ended: Crash[] = [];
      for (const attempt of order.attempts) ended.push(await crash(order, attempt));
      return ended;
    }),
  );
  return (await Promise.all(crashes)).flat();
}

async function waitForCrash(attempt: Attempt, running: Running): Promise<Crash> {
  // A process that ended before it was killed is reported below.
  running.printed(/kill me/).then(running.kill, () => undefined);
  const end = await running.ended;
  if (end !== "SIGKILL") throw new Error(`${attempt.name} ended with ${end}.\n${running.stderr()}`);
  const [, outcome] = /^ended (\S+)$/m.exec(running.stdout()) ?? [];
  const [, moment = "during the send" satisfies Moment] = /^dies (.+)$/m.exec(running.stdout()) ?? [];
  return { attempt, moment, outcome };
}

/** Postbacks arrive, a person resolves what is left, and every order is sent once more. */
async function settle(
  orders: readonly Order[],
  store: PaymentsStore,
  { baseUrl, secretKey, publicKey, gateway }: Sandbox,
  postbackUrl: string,
  seed: number,
) {
  const crashed = await readOrderStates(orders, store, gateway);
  await deliverPostbacks(orders, gateway, seed);
  const afterPostbacks = await readOrderStates(orders, store, gateway);
  await resolveByHand(store, gateway);
  const settled = await readOrderStates(orders, store, gateway);

  const postbackSigner = new PostbackUrlSigner({ keys: SIGNING_KEYS });
  const keys = { secretKey, publicKey };
  const payments = new PaymentsClient({ baseUrl, ...keys, postbackUrl, postbackSigner, idempotency: store });
  const complaints = await Promise.all(orders.map((order) => sellAgain(order, payments, gateway)));
  const final = await readOrderStates(orders, store, gateway);

  const all = [crashed, afterPostbacks, settled, final];
  const undelivered = gateway.deliveries.filter(({ status }) => status !== "delivered");
  return {
    unresolved: [crashed, afterPostbacks, settled].map(({ unresolved }) => unresolved),
    wrong: [
      ...all.flatMap((states) => states.wrong),
      ...complaints.flat(),
      ...undelivered.map(({ body }) => `a postback of ${body.externalRef} was not accepted`),
    ],
  };
}

/** Moves the transactions on, and sends their postbacks, except those that get lost. */
async function deliverPostbacks(orders: readonly Order[], gateway: Gateway, seed: number): Promise<void> {
  const posted = orders.filter((order) => !order.isPostbackLost).map(({ externalRef }) => externalRef);
  for (const { id, externalId = "", status } of gateway.transactions) {
    if (!posted.includes(externalId)) continue;
    if (status === "pending") gateway[pickOne(FATES, seed, "fate", externalId)](id);
    else gateway.sendPostback(id);
  }
  // A postback without a 2xx is sent again a second later.
  while (gateway.deliveries.some(({ status }) => status === "scheduled")) await setTimeout(50);
}

/** Looks each listed order up in the dashboard of the service, like a person, and resolves it. */
async function resolveByHand(store: IdempotencyStore, gateway: Gateway): Promise<void> {
  for await (const { externalRef, earlierIds } of store.unresolved()) {
    const seen = gateway.transactions.findLast(
      ({ id, externalId }) => externalId === externalRef && !earlierIds.includes(id),
    );
    const resolution = seen ? { transactionId: seen.id, status: seen.status } : ({ charged: false } as const);
    await store.resolve(externalRef, resolution);
  }
}

/** Finally the customer is charged once, and the merchant knows the transaction. */
async function sellAgain(
  { externalRef, amount }: Order,
  payments: PaymentsClient,
  gateway: Gateway,
): Promise<readonly string[]> {
  const id = await payments.transactions.createPix(aPix(externalRef, amount)).then(
    (transaction) => transaction.id,
    (error) => {
      if (!isPaymentsError(error)) throw error;
      // The transaction is known, and its pix code was lost with the response.
      return error instanceof UnexpectedResponseError ? error.transactionId : error.code;
    },
  );
  const charges = gateway.chargesFor(externalRef).map((charge) => charge.id);
  return charges.length === 1 && charges[0] === id
    ? []
    : [`${externalRef} ended with ${id}, and the charges ${charges}`];
}

/** Processes whose error said that no one was charged, although the service accepted their request. */
function findMisreported(crashes: readonly Crash[], taken: ReadonlySet<string>): readonly string[] {
  return crashes
    .filter(({ outcome }) => outcome === "not_sent" || outcome === "rejected")
    .filter(({ attempt }) => taken.has(attempt.name))
    .map(({ attempt }) => `${attempt.name} was wrongly reported as not charged`);
}
