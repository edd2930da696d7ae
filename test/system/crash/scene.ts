import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { SIGNING_KEYS } from "../storm/signing-keys.ts";
import { Cashier } from "./cashier.ts";
import { compileMerchant } from "./compile-merchant.ts";
import { openStore } from "./databases.ts";
import { Merchants } from "./merchants.ts";
import type { Order } from "./plan.ts";
import { startReceiver } from "./receiver.ts";
import { headersOf, Service } from "./service.ts";
import { type DatabaseKind, startDatabase } from "./start-database.ts";

/** All that a run takes place in. */
export type Scene = Awaited<ReturnType<typeof openScene>>;

/** @param kind - Without one there is no store. */
export async function openScene(orders: readonly Order[], kind: DatabaseKind | undefined) {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.toReversed()) await closer();
  };
  try {
    const program = await compileMerchant();
    closers.push(program.remove);
    const database = kind && (await startDatabase(kind));
    if (database) closers.push(database.stop);
    const opened = database && (await openStore(database.address));
    if (opened) closers.push(opened.close);
    const merchants = new Merchants(program.command);
    closers.push(() => merchants.killAll());
    const service = await Service.start(orders, (attempt) => merchants.kill(attempt));
    closers.push(() => service.close());

    const { sandbox, baseUrl } = service;
    const postbackSigner = new PostbackUrlSigner({ keys: SIGNING_KEYS });
    const { postbackUrl, close: closeReceiver } = await startReceiver(postbackSigner, opened?.store);
    closers.push(closeReceiver);
    const cashier = new Cashier(sandbox, { postbackUrl, postbackSigner, idempotency: opened?.store });

    const settingsOf = async (order: Order, attempt: string) => ({
      headers: headersOf(attempt),
      account: { baseUrl, secretKey: sandbox.secretKey, publicKey: sandbox.publicKey },
      postbackUrl,
      params: await cashier.paramsOf(order),
      database: database?.address,
    });
    return { merchants, service, gateway: sandbox.gateway, store: opened?.store, cashier, settingsOf, close };
  } catch (error) {
    await close();
    throw error;
  }
}
