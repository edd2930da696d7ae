import { randomUUID } from "node:crypto";
import { redisOf } from "../../../../src/idempotency/redis-client.ts";
import { RedisDocuments } from "../../../../src/idempotency/redis-documents.ts";
import { sharedRedis } from "../open.ts";
import { nodeRedis } from "./clients.ts";

export const DAY = 86_400_000;

/** Documents under a prefix of their own. */
export async function someDocuments(retentionMs = DAY) {
  const client = await nodeRedis(await sharedRedis());
  const prefix = `${randomUUID()}:`;
  return { client, prefix, documents: new RedisDocuments(redisOf(client), prefix, retentionMs) };
}

export function draft(version: string, isOpen = true, text = `{"of":"${version}"}`) {
  return { text, version, isOpen };
}
