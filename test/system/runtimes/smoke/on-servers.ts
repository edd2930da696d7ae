import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { nodeTransport } from "payments-sdk/node";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { atMostOnce, endWithoutTlsSession } from "./at-most-once.ts";
import { equal, type Part } from "./environment.ts";
import { aPix } from "./orders.ts";

const node: Part = async (environment) => {
  const transport = nodeTransport();
  const payments = new PaymentsClient({ ...environment.client, fetch: transport });
  equal((await payments.company.retrieve()).status, "active", "a read over nodeTransport");
  const observed = await atMostOnce(environment, "nodeTransport", transport);
  await endWithoutTlsSession(environment, "nodeTransport", transport);
  transport.close();
  return observed;
};

/** The sandbox sends a postback to a handler behind `node:http`. */
const server: Part = async () => {
  const sandbox = await startSandbox();
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: new Uint8Array(32).fill(7) }] });
  const handler = createPostbackHandler({ signer, onPostback: () => undefined });
  const receiver = createServer(handler.node).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  try {
    const { baseUrl, secretKey, publicKey, gateway } = sandbox;
    const payments = new PaymentsClient({
      ...{ baseUrl, secretKey, publicKey },
      postbackUrl: `http://127.0.0.1:${port}/postbacks`,
      postbackSigner: signer,
    });
    const { id } = await payments.transactions.createPix(aPix("smoke-postback"));
    gateway.pay(id);
    const postback = await handler.waitFor("smoke-postback");
    equal(postback.status, "approved", "the status in a postback");
  } finally {
    receiver.close();
    receiver.closeAllConnections();
    await sandbox.close();
  }
};

/** The second of two stores on one file has the orders of the first one. */
const sqlite: Part = async ({ client }) => {
  const path = `smoke-${Math.random().toString(36).slice(2)}.db`;
  const createWithNewStore = async () => {
    const store = sqliteStore(path);
    const payments = new PaymentsClient({ ...client, idempotency: store });
    const { data, response } = await payments.transactions.createPix(aPix("smoke-file")).withResponse();
    store.close();
    return { id: data.id, replayed: response.replayed };
  };
  const first = await createWithNewStore();
  const again = await createWithNewStore();
  equal(again.id, first.id, "the id of a repeated call, from a file");
  equal(again.replayed, true, "whether a repeated call is replayed from a file");
};

/** Parts that need Node's modules, which Bun and Deno also have. */
export const ON_SERVERS = { node, sqliteStore: sqlite, "sandbox/server": server };
